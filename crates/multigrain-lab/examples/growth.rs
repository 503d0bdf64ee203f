//! Event-driven growth at its two sizes of reference: time, events per second, and how exact the result is.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example growth
//! cargo run --release -p multigrain-lab --example growth -- --case mono
//! ```
//!
//! `mono` grows 10,000 equal spheres, `wide` 125,001 of size ratio 50 with as much volume in small ones as in large ones, both
//! in a periodic cube to a packing fraction of 0.62, on one thread. Exit code 1 if a sphere overlaps another by more than
//! 1e-10 of its radius, if the packing fraction is off by more than 1e-9, or if a radius is not that of the law.

use multigrain::sizes::SizeLaw;
use multigrain::{Error, find_pairs};
use multigrain_lab::arguments::Arguments;
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::table::{Table, short};
use multigrain_packings::{Grown, growth};
use std::process::ExitCode;
use std::time::Instant;

const USAGE: &str = "\
Event-driven growth to a packing fraction of 0.62: time, events, exactness

    --case NAME      mono, wide, or both (both)
    --seed N         seed (1)
    --threads N      threads, which serve the lists at the beginning of stages only (1)";

const PACKING_FRACTION: f64 = 0.62;

const MAX_OVERLAP: f64 = 1e-10;

const MAX_ERROR: f64 = 1e-9;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let case: String = arguments.take("case").unwrap_or_else(|| "both".to_owned());
    let seed = arguments.take("seed").unwrap_or(1);
    let threads = arguments.take("threads").unwrap_or(1);
    let cases = [("mono", SizeLaw::Mono, 10_000), ("wide", SizeLaw::power(-3.0, 50.0)?, 125_001)];
    let chosen: Vec<_> = cases.into_iter().filter(|(name, ..)| case == "both" || case == *name).collect();
    if chosen.is_empty() {
        arguments.refuse(format!("--case {case}: there are mono, wide and both"));
    }
    arguments.finish();

    let pool = engine::pool(threads)?;
    let mut table =
        Table::new(["case", "particles", "seconds", "events/s", "collisions each", "fraction", "overlap", "exact"]);
    let mut all_exact = true;
    for (name, law, count) in chosen {
        let radii = law.sample(count, 3);
        let start = Instant::now();
        let grown = pool.install(|| growth::<3>(radii.clone(), PACKING_FRACTION, [true; 3], seed, |_| true))?;
        let seconds = start.elapsed().as_secs_f64();
        let overlap = largest_overlap(&grown)?;
        let fraction = grown.system.packing_fraction();
        let exact = overlap <= MAX_OVERLAP
            && (fraction - PACKING_FRACTION).abs() <= MAX_ERROR
            && sorted(grown.system.radii) == sorted(radii);
        all_exact &= exact;
        table.row([
            name.to_owned(),
            count.to_string(),
            short(seconds),
            short(grown.progress.events as f64 / seconds),
            short(grown.progress.collisions as f64 / count as f64),
            fraction.to_string(),
            format!("{overlap:e}"),
            if exact { "yes" } else { "NO" }.to_owned(),
        ]);
    }
    println!("growth to a packing fraction of {PACKING_FRACTION} in a periodic cube, {threads} thread(s), seed {seed}");
    println!("{table}");
    Ok(verdict(all_exact))
}

/// Largest overlap of two spheres in units of the smaller radius; 0 where none overlaps.
fn largest_overlap(grown: &Grown<3>) -> Result<f64, Error> {
    let system = &grown.system;
    let lengths = system.domain.lengths();
    let overlap = |pair: multigrain::Pair<3>| {
        let (i, j) = (pair.i as usize, pair.j as usize);
        let along = |axis: usize| {
            system.centers[j][axis] - system.centers[i][axis] + f64::from(pair.shift[axis]) * lengths[axis]
        };
        let distance = (0..3).map(|axis| along(axis).powi(2)).sum::<f64>().sqrt();
        (system.radii[i] + system.radii[j] - distance) / system.radii[i].min(system.radii[j])
    };
    Ok(find_pairs(system.snapshot()?).iter().map(overlap).fold(0.0, f64::max))
}

fn sorted(mut radii: Vec<f64>) -> Vec<f64> {
    radii.sort_by(f64::total_cmp);
    radii
}
