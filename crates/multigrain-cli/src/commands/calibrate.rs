//! `multigrain calibrate`: measures what each kind of work takes on this machine.

use crate::coefficients::Calibration;
use crate::flags::CalibrateFlags;
use crate::output;
use crate::progress::Progress;
use crate::table::three_digits;
use anyhow::{Context, Result};
use multigrain::System;
use multigrain::detectors::HierarchicalGrid;
use multigrain::tuning::{Coefficients, Distribution, Measured, RowModel, RowSetting, RowWork};
use multigrain::{Detector, Direction, Levels, Pairs};
use multigrain_experiments::median;
use multigrain_packings::DataSet;
use serde::Serialize;
use std::time::Instant;

/// Systems that differ in what they need most.
const SETS: [&str; 4] = ["mono", "us50", "bi10", "uv100"];

/// The JSON object.
#[derive(Debug, Serialize)]
struct CalibrateReport {
    #[serde(flatten)]
    calibration: Calibration,
    settings_measured: usize,
    largest_error: f64,
    file: String,
}

/// One way to search one system.
struct Setting {
    system: usize,
    levels: Levels,
    direction: Direction,
    work: RowWork,
    seconds: Vec<f64>,
}

/// Measures, fits, keeps, reports.
pub fn run(flags: &CalibrateFlags) -> Result<()> {
    let count = flags.count as usize;
    let sets = SETS.iter().map(|name| DataSet::from_name(name).context("a data set is missing"));
    let systems: Vec<System<3>> =
        sets.map(|set| Ok(set?.build(count, 1)?)).collect::<Result<_>>().context("cannot build the systems")?;
    let mut settings = Vec::new();
    for (k, system) in systems.iter().enumerate() {
        settings.extend(settings_for(k, system)?);
    }
    let progress = Progress::steps("calibrating", settings.len() as u64 * u64::from(flags.repeat));
    let mut pairs = Pairs::new();
    for _ in 0..flags.repeat {
        for setting in &mut settings {
            let now = systems[setting.system].snapshot()?;
            let mut grid = HierarchicalGrid::with_levels(setting.levels.clone(), setting.direction);
            // The first search takes the memory, the quickest of the next three the time.
            grid.find_pairs(now, &mut pairs);
            let search = |_| {
                let start = Instant::now();
                grid.find_pairs(now, &mut pairs);
                start.elapsed().as_secs_f64()
            };
            setting.seconds.push((0..3).map(search).fold(f64::INFINITY, f64::min));
            progress.advance(1);
        }
    }
    drop(progress);
    let measured: Vec<Measured> = settings
        .iter()
        .map(|setting| Measured { work: setting.work, seconds: median(&setting.seconds) / count as f64 })
        .collect();
    let fitted = Coefficients::fit(&measured).context("too few measurements")?;
    let error = |entry: &Measured| (fitted.seconds(&entry.work) / entry.seconds - 1.0).abs();
    let calibration = Calibration::new(fitted, rayon::current_num_threads());
    let report = CalibrateReport {
        calibration,
        settings_measured: measured.len(),
        largest_error: measured.iter().map(error).fold(0.0, f64::max),
        file: calibration.save()?.display().to_string(),
    };
    output::print(&if flags.json { serde_json::to_string(&report)? } else { report.text() })
}

/// The settings of a system that are worth measuring.
fn settings_for(k: usize, system: &System<3>) -> Result<Vec<Setting>> {
    let sizes = Distribution::of_radii(&system.radii)?;
    let now = system.snapshot()?;
    let lengths = std::array::from_fn(|axis| now.extent().hi[axis] - now.extent().lo[axis]);
    let model = RowModel::in_box(&sizes, system.radii.len(), lengths, [false; 3])?;
    let settings = model.settings_to_measure()?.into_iter().map(|RowSetting { levels, direction, .. }| {
        let work = model.with_direction(direction).predict(&levels).work;
        Setting { system: k, levels, direction, work, seconds: Vec::new() }
    });
    Ok(settings.collect())
}

impl CalibrateReport {
    fn text(&self) -> String {
        let ns = |seconds: f64| format!("{} ns", three_digits(seconds * 1e9));
        let by = &self.calibration;
        format!(
            "On {} thread{}: a particle takes {}, the search of another level {}, a row of cells there {}, \
             eight tests {} ({} on its own level), a particle with many neighbours in a row {} more, a cell of the index {}.\nFitted to {} measurements, of which the worst is {} % off. Kept in {}.",
            by.threads,
            if by.threads == 1 { "" } else { "s" },
            ns(by.body),
            ns(by.search),
            ns(by.row),
            ns(by.vector),
            ns(by.quick_vector),
            ns(by.left_over),
            ns(by.cell),
            self.settings_measured,
            three_digits(100.0 * self.largest_error),
            self.file,
        )
    }
}
