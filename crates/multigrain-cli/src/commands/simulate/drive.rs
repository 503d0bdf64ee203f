//! The loop of every run: steps, what is due after them, checkpoints by the clock, progress.

use crate::progress::Progress;
use crate::table::{seconds, three_digits};
use anyhow::Result;
use std::time::{Duration, Instant};

/// Steps between two looks at the clock.
pub const STEPS_AT_ONCE: u64 = 64;

/// A run that can be taken to its end.
pub trait Run {
    /// Steps taken so far, by earlier runs too.
    fn steps(&self) -> u64;
    fn time(&self) -> f64;
    /// Steps at the end.
    fn last_step(&self) -> u64;
    /// Steps until something is due, but at most [`STEPS_AT_ONCE`].
    fn advance(&mut self) -> Result<()>;
    /// Writes what this step is to leave behind.
    fn write_due(&mut self) -> Result<()>;
    /// Writes a checkpoint.
    fn save(&self) -> Result<()>;
}

/// Takes all steps. What depends on the step alone is written at steps, so that a resumed run writes the same.
pub fn to_the_end(run: &mut impl Run, checkpoint_every: f64) -> Result<()> {
    let bar = Progress::share("simulating");
    let patience = Duration::from_secs_f64(checkpoint_every);
    let (start, first_step, last_step) = (Instant::now(), run.steps(), run.last_step());
    if first_step == 0 {
        run.write_due()?;
    }
    let mut saved = Instant::now();
    run.save()?;
    while run.steps() < last_step {
        run.advance()?;
        run.write_due()?;
        if saved.elapsed() >= patience {
            run.save()?;
            saved = Instant::now();
        }
        let done = run.steps();
        bar.show(done as f64 / last_step as f64, |_| {
            let rate = (done - first_step) as f64 / start.elapsed().as_secs_f64();
            let left = (last_step - done) as f64 / rate;
            let (time, rate) = (three_digits(run.time()), three_digits(rate));
            format!("time {time}, {rate} steps per second, {} left", seconds(left))
        });
    }
    run.save()
}
