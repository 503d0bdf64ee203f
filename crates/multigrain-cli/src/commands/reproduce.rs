//! `multigrain reproduce`: the papers' experiments.

use super::simulate::hold;
use crate::failure::{hinted, say};
use crate::flags::ReproduceFlags;
use crate::output;
use crate::progress::Progress;
use crate::table::TextTable;
use anyhow::{Context, Result};
use multigrain_experiments::{ALL, Choices, Experiment, Outcome, Report, Size, Watch, find, run as measure};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

/// Repeats what the flags name, or lists what there is.
pub fn run(flags: ReproduceFlags) -> Result<()> {
    if flags.names.iter().any(|name| name == "list") {
        if flags.names.len() > 1 {
            return Err(hinted("list stands alone", "multigrain reproduce list"));
        }
        return output::print(&list());
    }
    let experiments = chosen(&flags.names)?;
    let size = if flags.quick { Size::Quick } else { Size::Full };
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZeroUsize::get);
    let jobs = flags.jobs.map_or(processors.min(2), std::num::NonZeroUsize::get);
    let choices = Choices::new(size, &flags.set)?.with_jobs(jobs);
    let own = if choices.are_of_papers() { String::new() } else { format!("-{}", choices.text()) };
    let folder = flags.output.unwrap_or_else(|| PathBuf::from(format!("multigrain-{}{own}", size.name())));
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let _held = hold(&folder)?;
    let reports = measure(&experiments, &folder, &choices, &Shown::new())?;
    output::print(&results(&reports, &folder))
}

/// The experiments of these names, each once.
fn chosen(names: &[String]) -> Result<Vec<&'static Experiment>> {
    let mut chosen: Vec<&'static Experiment> = Vec::new();
    for name in names {
        let named = if name == "all" { ALL.to_vec() } else { vec![find(name)?] };
        for experiment in named {
            if !chosen.iter().any(|known| known.name == experiment.name) {
                chosen.push(experiment);
            }
        }
    }
    Ok(chosen)
}

fn list() -> String {
    let mut table = TextTable::new(["name", "paper", "figure", "--quick", "full", "--set", ""]);
    for experiment in ALL {
        let Experiment { name, paper, figure, cost, parameters, .. } = experiment;
        let parameters = parameters.join(",");
        let cells = [name, paper.name(), figure, cost.quick, cost.full, &parameters, ""];
        table.row(cells.map(str::to_owned));
    }
    table.to_string()
}

/// Every verdict in a line, and where everything is.
fn results(reports: &[Report], folder: &Path) -> String {
    let mut text = String::new();
    for report in reports {
        text += &format!("{}\n", report.experiment.name);
        for verdict in &report.verdicts {
            let note = if verdict.note.is_empty() { String::new() } else { format!(" ({})", verdict.note) };
            let paper =
                if verdict.paper.is_empty() { String::new() } else { format!("; in the paper: {}", verdict.paper) };
            text += &format!("  {}: {}: {}{paper}{note}\n", verdict.outcome.name(), verdict.claim, verdict.measured);
        }
    }
    let count = |outcome: Outcome| {
        reports.iter().flat_map(|report| &report.verdicts).filter(|verdict| verdict.outcome == outcome).count()
    };
    let counts = Outcome::ALL.map(|outcome| format!("{} {}", count(outcome), outcome.name())).join(", ");
    text + &format!("{counts}; see {}", folder.join("report.html").display())
}

/// A bar that shows the point, what is done for it, and the time to go.
struct Shown {
    bar: Progress,
    at: Mutex<At>,
}

/// Where the run is.
#[derive(Default)]
struct At {
    point: String,
    done: f64,
    all: f64,
}

impl Shown {
    fn new() -> Self {
        Self { bar: Progress::share("reproducing"), at: Mutex::default() }
    }

    fn show(&self, at: &At, what: &str) {
        let share = if at.all > 0.0 { at.done / at.all } else { 0.0 };
        self.bar.show(share, |elapsed| format!("{}{what}, {} to go", at.point, to_go(at, elapsed)));
    }
}

impl Watch for Shown {
    fn begin(&self, points: usize, timed: f64, beside: f64, lanes: usize) {
        say(&estimate(points, timed, beside, lanes));
    }

    fn point(&self, experiment: &str, key: &str, done: f64, all: f64) {
        let at = At { point: format!("{experiment} {key}"), done, all };
        self.show(&at, "");
        *self.at.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = at;
    }

    fn note(&self, what: &str) {
        let at = self.at.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        self.show(&at, &format!(": {what}"));
    }
}

/// What a run will take, by expectation.
fn estimate(points: usize, timed: f64, beside: f64, lanes: usize) -> String {
    // What is timed is measured in one lane; the rest is shared, and begins beside it.
    let seconds = timed.max((timed + beside) / lanes as f64);
    format!(
        "{points} points to measure, about {}: {} of what is timed, {} of packings and counts, {lanes} at once",
        in_words(seconds),
        in_words(timed),
        in_words(beside)
    )
}

/// The time to go by the pace so far; at the beginning by expectation.
fn to_go(at: &At, elapsed: Duration) -> String {
    let pace = if at.done > 0.02 * at.all { elapsed.as_secs_f64() / at.done } else { 1.0 };
    in_words((at.all - at.done) * pace)
}

fn in_words(seconds: f64) -> String {
    match seconds {
        seconds if seconds > 5400.0 => format!("{:.1} h", seconds / 3600.0),
        seconds if seconds > 90.0 => format!("{:.0} min", seconds / 60.0),
        seconds => format!("{seconds:.0} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_counted_goes_on_beside_what_is_timed() {
        let text = "9 points to measure, about 2.0 h: 2.0 h of what is timed, 60 min of packings and counts, 2 at once";
        assert_eq!(estimate(9, 7200.0, 3600.0, 2), text);
        assert!(estimate(9, 7200.0, 3600.0, 1).starts_with("9 points to measure, about 3.0 h: "));
        assert!(estimate(9, 60.0, 600.0, 2).starts_with("9 points to measure, about 6 min: "));
    }

    #[test]
    fn time_to_go_follows_the_pace_once_there_is_one() {
        let at = |done: f64| At { point: String::new(), done, all: 100.0 };
        let hours = Duration::from_secs(7200);
        assert_eq!(to_go(&at(0.0), hours), "2 min");
        assert_eq!(to_go(&at(50.0), hours), "2.0 h");
        assert_eq!(to_go(&at(99.9), Duration::from_secs(100)), "0 s");
    }
}
