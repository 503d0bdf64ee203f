//! A run: measures what is missing, then writes tables, plots, verdicts and the report.

use crate::catalog;
use crate::choices::Choices;
use crate::drawing::{self, PlotFormat};
use crate::error::{Result, WithContext as _};
use crate::experiment::{Context, Experiment, Point, Watch};
use crate::machine::{REVISION, machine};
use crate::report::{html, markdown};
use crate::row::{Row, Table};
use crate::store::Store;
use crate::verdict::Verdict;
use multigrain_files::Target;
use std::fs;
use std::path::Path;
use std::time::Instant;

/// An experiment all of whose points are measured.
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
        if let Some(table) = load_all(experiment, choices, store)? {
            finished.push(write_results(experiment, table, choices, folder)?);
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

fn measure_missing(
    experiments: &[&'static Experiment],
    choices: &Choices,
    store: Store<'_>,
    cache: &Path,
    watch: &dyn Watch,
) -> Result<()> {
    let mut missing: Vec<(&Experiment, Point)> = Vec::new();
    for &experiment in experiments {
        for point in (experiment.points)(choices) {
            if store.load(experiment, &point)?.is_none() {
                missing.push((experiment, point));
            }
        }
    }
    let all: f64 = missing.iter().map(|(_, point)| point.seconds).sum();
    let mut done = 0.0;
    let machine = machine();
    let mut failed = None;
    for (experiment, point) in missing {
        watch.point(experiment.name, &point.key, done, all);
        let context = Context { cache, seed: point.seed, watch };
        let start = Instant::now();
        let named = || format!("{}, point {}", experiment.name, point.key);
        let rows = match (point.measure)(&context).with_context(named) {
            Ok(rows) => rows,
            Err(error) => {
                // The others are worth their time all the same.
                failed.get_or_insert(error);
                done += point.seconds;
                continue;
            }
        };
        let elapsed = start.elapsed().as_secs_f64();
        let signed = |row: Row| {
            row.with("point", &point.key)
                .with("seed", point.seed)
                .with("seconds_of_point", elapsed)
                .with("machine", &machine)
                .with("revision", REVISION)
        };
        store.keep(experiment, &point, &Table(rows.into_iter().map(signed).collect()))?;
        done += point.seconds;
    }
    failed.map_or(Ok(()), Err)
}

/// All rows of an experiment; nothing if a point is missing.
fn load_all(experiment: &Experiment, choices: &Choices, store: Store<'_>) -> Result<Option<Table>> {
    let mut rows = Vec::new();
    for point in (experiment.points)(choices) {
        match store.load(experiment, &point)? {
            Some(table) => rows.extend(table.0),
            None => return Ok(None),
        }
    }
    Ok(Some(Table(rows)))
}

fn write_results(experiment: &'static Experiment, table: Table, choices: &Choices, folder: &Path) -> Result<Report> {
    let figure = (experiment.draw)(&table);
    let verdicts = (experiment.judge)(&table).into_iter();
    let verdicts = verdicts.filter_map(|verdict| verdict.reported(!choices.are_of_papers())).collect();
    let svg = drawing::render(&figure, PlotFormat::Svg)?;
    write(&folder.join(format!("{}.csv", experiment.name)), table.to_csv().as_bytes())?;
    write(&folder.join(format!("{}.svg", experiment.name)), &svg)?;
    write(&folder.join(format!("{}.png", experiment.name)), &drawing::render(&figure, PlotFormat::Png)?)?;
    Ok(Report { experiment, table, verdicts, svg: String::from_utf8_lossy(&svg).into_owned() })
}

fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    Ok(Target::File(path.to_owned()).write(|out| Ok(out.write_all(bytes)?))?)
}
