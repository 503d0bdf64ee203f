//! A run: measures what is missing, then writes tables, plots, verdicts and the report.

use crate::catalog;
use crate::choices::Choices;
use crate::drawing::{self, PlotFormat};
use crate::error::{Error, Result, WithContext as _};
use crate::experiment::{Context, Experiment, Kind, Point, Silent, Watch};
use crate::lanes::{Work, run_in_lanes};
use crate::machine::{REVISION, machine};
use crate::report::{html, markdown};
use crate::row::{Row, Table};
use crate::store::Store;
use crate::verdict::Verdict;
use multigrain_files::Target;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// An experiment whose points are measured, but for those that failed.
#[derive(Debug)]
pub struct Report {
    /// The experiment.
    pub experiment: &'static Experiment,
    /// Its points.
    pub table: Table,
    /// What became of the paper's claims.
    pub verdicts: Vec<Verdict>,
    /// Its figure as SVG.
    pub svg: String,
    /// Points that failed, and why.
    pub failed: Vec<String>,
}

/// Measures the points of these experiments that `folder` does not have yet, writes the results of every finished experiment
/// of this size there, and returns those asked for. With parameters of one's own, only those asked for are written.
pub fn run(
    experiments: &[&'static Experiment],
    folder: &Path,
    choices: &Choices,
    watch: &dyn Watch,
) -> Result<Vec<Report>> {
    for experiment in experiments {
        choices.must_suit(experiment)?;
    }
    let cache = folder.join("cache");
    fs::create_dir_all(&cache).with_context(|| format!("cannot make the folder {}", cache.display()))?;
    let store = Store { folder, size: choices.size };
    let measured = measure_missing(experiments, choices, store, &cache, watch);
    let mut finished = Vec::new();
    let all = if choices.are_of_papers() { catalog::ALL } else { experiments };
    for experiment in all {
        if let Some((table, failed)) = load_all(experiment, choices, store)? {
            finished.push(Report { failed, ..write_results(experiment, table, choices, folder)? });
        }
    }
    let page = html(&finished, choices);
    write(&folder.join("report.html"), page.as_bytes())?;
    write(&folder.join("experiments.md"), markdown(&finished, choices).as_bytes())?;
    // What could be measured is written, whatever else has failed.
    measured?;
    finished.retain(|report| experiments.iter().any(|wanted| wanted.name == report.experiment.name));
    Ok(finished)
}

/// How far the points are that were missing.
struct Missing<'a> {
    points: Vec<(&'static Experiment, Point)>,
    /// Seconds done, and how the first one failed.
    state: Mutex<(f64, Option<Error>)>,
    store: Store<'a>,
    cache: &'a Path,
    watch: &'a dyn Watch,
    machine: String,
    jobs: usize,
}

fn measure_missing(
    experiments: &[&'static Experiment],
    choices: &Choices,
    store: Store<'_>,
    cache: &Path,
    watch: &dyn Watch,
) -> Result<()> {
    let mut points = Vec::new();
    for &experiment in experiments {
        for point in (experiment.points)(choices) {
            if store.load(experiment, &point)?.is_none() {
                points.push((experiment, point));
            }
        }
    }
    if points.is_empty() {
        return Ok(());
    }
    let timed = |kind: Kind| kind != Kind::Counted;
    let beside =
        |point: &Point| if timed(point.kind) { point.all_seconds() - point.seconds } else { point.all_seconds() };
    watch.begin(
        points.len(),
        points.iter().filter(|(_, point)| timed(point.kind)).map(|(_, point)| point.seconds).sum(),
        points.iter().map(|(_, point)| beside(point)).sum(),
        choices.jobs,
    );
    let (state, machine) = (Mutex::new((0.0, None)), machine());
    let missing = Missing { points, state, store, cache, watch, machine, jobs: choices.jobs };
    let kinds: Vec<Kind> = missing.points.iter().map(|(_, point)| point.kind).collect();
    let is_prepared = |number: usize| missing.points[number].1.preparation.is_none();
    run_in_lanes(&kinds, is_prepared, choices.jobs, &|number, work, is_first| missing.work(number, work, is_first));
    missing.state.into_inner().unwrap_or_else(PoisonError::into_inner).1.map_or(Ok(()), Err)
}

impl Missing<'_> {
    /// Prepares or measures a point, and says whether that succeeded.
    fn work(&self, number: usize, work: Work, is_first: bool) -> bool {
        let (experiment, point) = &self.points[number];
        let state = || self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let done = state().0;
        let all: f64 = self.points.iter().map(|(_, point)| point.all_seconds()).sum();
        if work == Work::Measure {
            self.watch.point(experiment.name, &point.key, done, all);
        }
        // One lane says what it does; two would contradict each other.
        let watch: &dyn Watch = if is_first { self.watch } else { &Silent };
        let context = Context { cache: self.cache, seed: point.seed, watch };
        let before = match &point.preparation {
            Some((seconds, prepare)) if work == Work::Prepare => prepare(&context).map(|()| *seconds),
            _ => self.measured(experiment, point, &context).map(|()| point.seconds),
        };
        match before {
            Ok(seconds) => {
                state().0 += seconds;
                true
            }
            Err(error) => {
                // The others are worth their time all the same.
                let error = self.store.keep_failure(experiment, point, &error.with_causes()).err().unwrap_or(error);
                let what = format!("{}, point {}", experiment.name, point.key);
                let mut state = state();
                state.0 += point.seconds;
                state.1.get_or_insert(Error::Context { what, source: Box::new(error) });
                false
            }
        }
    }

    fn measured(&self, experiment: &Experiment, point: &Point, context: &Context<'_>) -> Result<()> {
        let start = Instant::now();
        let rows = (point.measure)(context)?;
        let elapsed = start.elapsed().as_secs_f64();
        let signed = |row: Row| {
            row.with("point", &point.key)
                .with("seed", point.seed)
                .with("seconds_of_point", elapsed)
                .with("jobs", self.jobs)
                .with("machine", &self.machine)
                .with("revision", REVISION)
        };
        self.store.keep(experiment, point, &Table(rows.into_iter().map(signed).collect()))
    }
}

/// All rows of an experiment, and the points that failed; nothing if a point has not been measured, or all have failed.
fn load_all(experiment: &Experiment, choices: &Choices, store: Store<'_>) -> Result<Option<(Table, Vec<String>)>> {
    let (mut rows, mut failed) = (Vec::new(), Vec::new());
    for point in (experiment.points)(choices) {
        match (store.load(experiment, &point)?, store.failure(experiment, &point)) {
            (Some(table), _) => rows.extend(table.0),
            (None, Some(reason)) => failed.push(format!("{}: {reason}", point.key)),
            (None, None) => return Ok(None),
        }
    }
    Ok(if rows.is_empty() { None } else { Some((Table(rows), failed)) })
}

fn write_results(experiment: &'static Experiment, table: Table, choices: &Choices, folder: &Path) -> Result<Report> {
    let figure = (experiment.draw)(&table);
    let verdicts = (experiment.judge)(&table).into_iter();
    let verdicts = verdicts.filter_map(|verdict| verdict.reported(!choices.are_of_papers())).collect();
    let svg = drawing::render(&figure, PlotFormat::Svg)?;
    write(&folder.join(format!("{}.csv", experiment.name)), table.to_csv().as_bytes())?;
    write(&folder.join(format!("{}.svg", experiment.name)), &svg)?;
    write(&folder.join(format!("{}.png", experiment.name)), &drawing::render(&figure, PlotFormat::Png)?)?;
    Ok(Report { experiment, table, verdicts, svg: String::from_utf8_lossy(&svg).into_owned(), failed: Vec::new() })
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    Ok(Target::File(path.to_owned()).write(|out| Ok(out.write_all(bytes)?))?)
}
