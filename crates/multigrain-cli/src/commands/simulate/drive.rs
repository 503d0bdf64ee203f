//! The loop of every run: steps, what is due after them, checkpoints by the clock, progress.

use super::counted;
use super::course::Course;
use super::stopping::StopRequest;
use crate::failure::{Stopped, say};
use crate::progress::Progress;
use crate::table::{count, seconds, three_digits};
use anyhow::{Context, Result};
use multigrain::{Axes, Dimension};
use std::time::{Duration, Instant};

/// Steps between two looks at the clock.
pub const STEPS_AT_ONCE: u64 = 64;

/// When the time to go is estimated and printed.
const LOOK_AT: Duration = Duration::from_secs(5);

/// What to do about grains that leave the box.
pub const STAY_INSIDE: &str = "put walls there, make the box larger, or set `leaving` to \"allow\"";

/// Steps at the end of a run up to a time; no fewer than it has taken already.
pub fn last_step(duration: f64, time_step: f64, steps: u64) -> u64 {
    ((duration / time_step).ceil() as u64).max(steps)
}

/// Takes all steps. What depends on the step alone is written at steps, so that a resumed run writes the same. Asked to stop,
/// it saves where it is.
pub fn to_the_end<const D: usize>(run: &mut Course<'_, D>, checkpoint_every: f64) -> Result<()>
where
    Axes: Dimension<D>,
{
    let bar = Progress::share("simulating");
    let patience = Duration::try_from_secs_f64(checkpoint_every).unwrap_or(Duration::MAX);
    let stop = StopRequest::watch().context("cannot watch for signals")?;
    let (first_step, last_step) = (run.steps(), run.last_step());
    if first_step == 0 {
        run.write_due()?;
    }
    let mut saved = Instant::now();
    run.save()?;
    if first_step < last_step {
        say(&format!("note: {}", steps_ahead(first_step, last_step, run.time_step())));
    }
    // What the first files took is no part of a step.
    let start = Instant::now();
    let mut has_reported = false;
    while run.steps() < last_step {
        run.advance(&stop)?;
        run.write_due()?;
        if stop.is_made() && run.steps() < last_step {
            run.save()?;
            return Err(stopped(run.steps(), last_step));
        }
        if saved.elapsed() >= patience {
            run.save()?;
            saved = Instant::now();
        }
        let done = run.steps();
        let elapsed = start.elapsed();
        if run.estimated_seconds.is_none() || (!has_reported && elapsed >= LOOK_AT) {
            let all = elapsed.as_secs_f64() * (last_step - first_step) as f64 / (done - first_step) as f64;
            run.estimated_seconds = Some(all);
            if elapsed >= LOOK_AT && done < last_step {
                has_reported = true;
                let left = long_time(all - elapsed.as_secs_f64());
                let note = format!("step {} of {}, about {left} to go", count(done), count(last_step));
                multigrain_files::Progress::note(&bar, &note);
            }
        }
        bar.show(done as f64 / last_step as f64, |_| {
            let rate = (done - first_step) as f64 / start.elapsed().as_secs_f64();
            let left = (last_step - done) as f64 / rate;
            let (time, rate) = (three_digits(run.time()), three_digits(rate));
            format!("time {time}, {rate} steps per second, {} left", seconds(left))
        });
    }
    run.save()?;
    // All that counts is on the disk: what follows, pictures and pages, is drawn by --resume too. From here on the first signal ends
    // the program, however long they take.
    match stop.close() {
        true => Err(Stopped {
            message: "stopped after the last step; the state is saved, pictures and pages are not drawn".to_owned(),
            hint: "the same command with --resume draws them".to_owned(),
        }
        .into()),
        false => Ok(()),
    }
}

/// How many steps there are to take.
fn steps_ahead(first_step: u64, last_step: u64, time_step: f64) -> String {
    let steps = counted(last_step - first_step, if first_step == 0 { "step" } else { "more step" });
    let end = if first_step == 0 { String::new() } else { format!(", up to step {}", count(last_step)) };
    format!("{steps} of {time_step:.3e}{end}")
}

/// Minutes, hours or days.
fn long_time(seconds: f64) -> String {
    match seconds {
        less if less < 120.0 => format!("{less:.0} s"),
        less if less < 7200.0 => format!("{:.0} min", less / 60.0),
        less if less < 172_800.0 => format!("{:.1} h", less / 3600.0),
        more => format!("{:.1} days", more / 86_400.0),
    }
}

fn stopped(step: u64, last_step: u64) -> anyhow::Error {
    let message = format!("stopped at step {} of {}; the state is saved", count(step), count(last_step));
    Stopped { message, hint: "the same command with --resume continues from there".to_owned() }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_ahead_are_counted_from_where_the_run_is() {
        assert_eq!(steps_ahead(0, 26_637_397, 1.5e-9), "26,637,397 steps of 1.500e-9");
        assert_eq!(steps_ahead(1000, 3000, 2e-5), "2,000 more steps of 2.000e-5, up to step 3,000");
        assert_eq!(steps_ahead(0, 1, 2e-5), "1 step of 2.000e-5");
    }

    #[test]
    fn long_times_have_units_that_people_use() {
        assert_eq!([45.0, 600.0, 1e4, 1e6].map(long_time), ["45 s", "10 min", "2.8 h", "11.6 days"]);
    }
}
