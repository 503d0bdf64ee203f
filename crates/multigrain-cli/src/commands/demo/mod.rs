//! `multigrain demo`: what a grid with levels is good for, on an example of its own.

mod page;

use super::side_by_side::{Entry, must_agree, side_by_side};
use crate::failure::say;
use crate::flags::DemoFlags;
use crate::output;
use crate::table::{TextTable, count, seconds, three_digits};
use anyhow::{Context, Result};
use multigrain_files::Target;
use multigrain_methods::Method;
use multigrain_packings::DataSet;
use serde::Serialize;

/// Sizes with equal volume in every class, size ratio 50, packing fraction 0.62.
const SAMPLE: &str = "uv50";

/// As many particles as in the papers.
const PARTICLES: usize = 125_001;

const SEED: u64 = 1;

const ROUNDS: u32 = 5;

/// Seconds after which a method is not run again, so that the demo is short on slow machines too.
const PATIENCE: f64 = 1.0;

/// The JSON object.
#[derive(Debug, Serialize)]
struct DemoReport {
    particles: usize,
    dimension: usize,
    contacts: usize,
    methods: Vec<DemoMethod>,
    speed_up: f64,
    threads: usize,
    version: &'static str,
    /// Largest radius over smallest, as they are.
    #[serde(skip)]
    ratio: f64,
}

#[derive(Debug, Serialize)]
struct DemoMethod {
    method: &'static str,
    cell_sizes: Vec<f64>,
    candidates: u64,
    cells: u64,
    seconds: f64,
    speed_up: f64,
}

/// The page, in the folder where the demo runs.
const PAGE: &str = "multigrain-demo.html";

/// Builds the example, detects with the linked cell and with the hierarchical grid, prints work, time and speed-up, and writes
/// a page that shows them.
pub fn run(flags: DemoFlags) -> Result<()> {
    let sample = DataSet::from_name(SAMPLE).context("the example is not among the data sets")?;
    let system = sample.build(PARTICLES, SEED)?;
    let entries = side_by_side(system.snapshot()?, &[Method::LinkedCell, Method::HGrid], ROUNDS, PATIENCE)?;
    must_agree(&entries)?;
    let report = DemoReport::new(entries, &system.radii);
    output::print(&if flags.json { serde_json::to_string(&report)? } else { report.text(sample) })?;
    let page = page::page(&report, sample, system)?;
    Target::File(PAGE.into()).write(|out| Ok(out.write_all(page.as_bytes())?))?;
    say(&format!("{PAGE} shows it in 3D: open it in a browser"));
    Ok(())
}

impl DemoReport {
    fn new(entries: Vec<Entry<3>>, radii: &[f64]) -> Self {
        let reference = entries[0].seconds;
        let contacts = entries[0].contacts;
        let methods: Vec<DemoMethod> = entries
            .into_iter()
            .map(|entry| DemoMethod {
                method: entry.method.name(),
                cell_sizes: entry.layout.cell_sizes,
                candidates: entry.work.candidates,
                cells: entry.work.cells,
                seconds: entry.seconds,
                speed_up: reference / entry.seconds,
            })
            .collect();
        let speed_up = methods.iter().map(|method| method.speed_up).fold(1.0, f64::max);
        let threads = rayon::current_num_threads();
        let (smallest, largest) = radii.iter().fold((f64::INFINITY, 0.0f64), |(lo, hi), &r| (lo.min(r), hi.max(r)));
        let (version, ratio) = (super::VERSION, largest / smallest);
        Self { particles: PARTICLES, dimension: 3, contacts, methods, speed_up, threads, version, ratio }
    }

    fn text(&self, sample: &DataSet) -> String {
        let mut table = TextTable::new(["method", "levels", "candidates", "cells", "time", "speed-up", ""]);
        for row in &self.methods {
            table.row([
                row.method.to_owned(),
                row.cell_sizes.len().to_string(),
                count(row.candidates),
                count(row.cells),
                seconds(row.seconds),
                three_digits(row.speed_up),
                String::new(),
            ]);
        }
        format!(
            "{} spheres, as much volume in small ones as in large ones, size ratio {}, packing fraction {}\n\n{table}\n\n\
             Both find the same {} contacts; the grid with levels is {} times faster ({} thread{}).",
            count(self.particles as u64),
            three_digits(self.ratio),
            sample.packing_fraction,
            count(self.contacts as u64),
            three_digits(self.speed_up),
            self.threads,
            if self.threads == 1 { "" } else { "s" },
        )
    }
}
