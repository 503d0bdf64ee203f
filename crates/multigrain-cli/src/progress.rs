//! Progress of long work, on a terminal only.

use crate::failure::say;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt::Write;
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Work shorter than this shows nothing.
const PATIENCE: Duration = Duration::from_millis(700);

/// Steps of a bar from 0 to 1.
const SHARES: u64 = 10_000;

/// A progress bar that appears when work turns out to be long, and vanishes when it is done.
pub struct Progress {
    bar: ProgressBar,
    is_shown: AtomicBool,
}

impl Progress {
    /// Counts bytes up to `length`.
    pub fn bytes(what: &str, length: u64) -> Self {
        Self::bar(what, length, "{msg} {wide_bar} {bytes} of {total_bytes}, {eta} left")
    }

    /// Counts steps up to `length`.
    pub fn steps(what: &str, length: u64) -> Self {
        Self::bar(what, length, "{msg} {wide_bar} {pos} of {len}, {eta} left")
    }

    /// Only shows that work goes on, and for how long already.
    pub fn waiting(what: &str) -> Self {
        if !stderr().is_terminal() {
            return Self::nothing();
        }
        let what = what.to_owned();
        let patient = move |state: &ProgressState, line: &mut dyn Write| {
            if state.elapsed() > PATIENCE {
                let _ = write!(line, "{what} ... {:.0} s", state.elapsed().as_secs_f64());
            }
        };
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{patient}") {
            bar.set_style(style.with_key("patient", patient));
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, is_shown: AtomicBool::new(true) }
    }

    /// A bar from 0 to 1, with a text of the caller's; see [`show`](Self::show).
    pub fn share(what: &str) -> Self {
        Self::bar(what, SHARES, "{prefix} {wide_bar} {msg}").named(what)
    }

    /// So much of the whole is done, and this is to be said about it.
    pub fn show(&self, share: f64, text: impl FnOnce(Duration) -> String) {
        if self.bar.is_hidden() && self.is_shown.load(Relaxed) {
            return;
        }
        self.bar.set_position((share.clamp(0.0, 1.0) * SHARES as f64) as u64);
        self.bar.set_message(text(self.bar.elapsed()));
        self.advance(0);
    }

    /// Shows nothing.
    pub fn nothing() -> Self {
        Self { bar: ProgressBar::hidden(), is_shown: AtomicBool::new(true) }
    }

    /// So much more is done.
    pub fn advance(&self, amount: u64) {
        self.bar.inc(amount);
        if self.bar.elapsed() > PATIENCE && !self.is_shown.swap(true, Relaxed) {
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
        }
    }

    fn named(self, what: &str) -> Self {
        self.bar.set_prefix(what.to_owned());
        self
    }

    fn bar(what: &str, length: u64, template: &str) -> Self {
        if !stderr().is_terminal() {
            return Self::nothing();
        }
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        bar.set_message(what.to_owned());
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        Self { bar, is_shown: AtomicBool::new(false) }
    }
}

impl multigrain_files::Progress for Progress {
    fn advance(&self, bytes: u64) {
        self.advance(bytes);
    }

    fn note(&self, text: &str) {
        self.bar.suspend(|| say(&format!("note: {text}")));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
