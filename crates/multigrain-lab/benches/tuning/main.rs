//! How good the choice of levels is: `auto` against the best of many settings, the order that the cost model predicts
//! against the measured one, and work and time over the size ratio.
//!
//! Coefficients are measured first, as `multigrain calibrate` does, and predictions are made with them. Settings take turns;
//! each turn is a fresh detector that runs once to warm its memory and once on the clock.

mod calibrate;
mod cases;

use cases::Case;
use multigrain::detectors::HierarchicalGrid;
use multigrain::scenes::{self, System};
use multigrain::sizes::SizeLaw;
use multigrain::tuning::{BodySample, Coefficients, RowSetting, RowWork};
use multigrain::{Detector, Method, Pairs, Snapshot};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::clock::Clock;
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::median;
use std::process::ExitCode;

const USAGE: &str = "\
cargo bench -p multigrain-lab --bench tuning -- [--count N] [--rounds N] [--threads N] [--cases A,B] [--processor-time] [--skip-ratios] [--skip-cases]

  --count N        bodies of each case, 1e6 by default
  --rounds N       rounds that count, 7 by default
  --threads N      1 by default
  --cases A,B      names of cases, all by default
  --processor-time time on the processor instead of the clock, for one thread on a busy machine
  --skip-ratios    no table over the size ratio
  --skip-cases     only that table";

/// A setting that took so many times the best in the first rounds takes no further turns: it is not the best.
const HOPELESS: f64 = 1.6;

/// Rounds after which hopeless settings drop out.
const TRIAL: usize = 3;

/// Bodies per cell of the finest level.
const FILLINGS: [f64; 5] = [0.6, 1.0, 1.6, 2.5, 4.0];

/// Why the bench cannot go on.
type Failure = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_bench(USAGE);
    let count = arguments.take::<Count>("count").map_or(arguments.by_size(1_000_000, 2_000), |count| count.0);
    let rounds = arguments.take("rounds").unwrap_or(arguments.by_size(7, 1));
    let threads = arguments.take("threads").unwrap_or(1);
    let names = arguments.take_list("cases").unwrap_or_else(cases::names);
    let (skip_ratios, skip_cases) = (arguments.take_switch("skip-ratios"), arguments.take_switch("skip-cases"));
    let clock = if arguments.take_switch("processor-time") { Clock::Processor } else { Clock::Wall };
    if let Some(unknown) = names.iter().find(|name| !cases::names().contains(name)) {
        arguments.refuse(format!("no case is called `{unknown}`; there are {}", cases::names().join(", ")));
    }
    arguments.finish();
    let pool = engine::pool(threads)?;
    let outcome: Result<(), Failure> = pool.install(|| {
        if !skip_cases {
            choices(&names, count, rounds, clock)?;
        }
        if !skip_ratios {
            ratios(count, rounds, clock)?;
        }
        Ok(())
    });
    outcome.map_err(|error| -> Box<dyn std::error::Error> { error })?;
    Ok(ExitCode::SUCCESS)
}

/// `auto` against the best setting of each case.
fn choices(names: &[String], count: usize, rounds: usize, clock: Clock) -> Result<(), Failure> {
    let head =
        ["case", "best setting", "ns", "auto", "ns", "auto / best", "choosing", "pairs of settings", "in wrong order"];
    let mut table = Table::new(head);
    let by = calibrate::coefficients(count, rounds, clock)?;
    eprintln!("calibrated: {by:?}");
    for name in names {
        eprintln!("{name}");
        let outcome = match cases::case(name, count)? {
            Case::Flat(system) => judge(&system, rounds, clock, &by)?,
            Case::Solid(system) => judge(&system, rounds, clock, &by)?,
        };
        let ns = 1e9 / count as f64;
        let best = &outcome.settings[outcome.best];
        table.row([
            name.clone(),
            best.name.clone(),
            short(best.seconds * ns),
            outcome.auto_layout.clone(),
            short(outcome.auto_seconds * ns),
            short(outcome.auto_seconds / best.seconds),
            format!("{:.1} %", 100.0 * outcome.choosing / outcome.auto_seconds),
            outcome.compared.to_string(),
            outcome.wrong.to_string(),
        ]);
    }
    println!(
        "\n{count} bodies, nanoseconds per body, medians of {rounds}; orders that differ by more than 30 %\n{table}"
    );
    Ok(())
}

/// What was measured of one case.
struct Judged {
    settings: Vec<Timed>,
    best: usize,
    auto_layout: String,
    auto_seconds: f64,
    /// Seconds to choose levels.
    choosing: f64,
    /// Pairs of settings whose times differ by more than 30 %, and those of them that the model orders wrongly.
    compared: usize,
    wrong: usize,
}

struct Timed {
    name: String,
    seconds: f64,
    predicted: f64,
    work: RowWork,
}

fn judge<const D: usize>(
    system: &System<D>,
    rounds: usize,
    clock: Clock,
    by: &Coefficients,
) -> Result<Judged, Failure> {
    let now = system.snapshot()?;
    let sample = BodySample::of_all(&now).ok_or("nothing has a size")?;
    let model = sample.model()?;
    let settings = model.settings(&FILLINGS)?;
    let mut times: Vec<Vec<f64>> = vec![Vec::new(); settings.len()];
    let (mut auto_times, mut choosing) = (Vec::new(), Vec::new());
    let mut auto_layout = String::new();
    let mut pairs = Pairs::new();
    for round in 0..rounds {
        let best = times.iter().map(|times| median(times)).fold(f64::INFINITY, f64::min);
        for (setting, times) in settings.iter().zip(&mut times) {
            if round < TRIAL || median(times) < HOPELESS * best {
                let mut grid = HierarchicalGrid::with_levels(setting.levels.clone(), setting.direction);
                times.push(second_run(clock, &mut grid, now, &mut pairs));
            }
        }
        let (elapsed, auto) = Clock::Wall.time(|| Method::Auto.build(now));
        let mut auto = auto?;
        choosing.push(elapsed);
        auto_times.push(second_run(clock, &mut *auto, now, &mut pairs));
        let layout = auto.layout();
        let sizes: Vec<String> = layout.cell_sizes.iter().map(|&size| short(size)).collect();
        let direction = layout.direction.map_or("brute force", |direction| direction.name());
        auto_layout = format!("{} {direction}", sizes.join(" "));
    }
    let mut timed_settings = Vec::with_capacity(settings.len());
    for (setting, times) in settings.into_iter().zip(times) {
        let seconds = median(&times);
        let work = model.with_direction(setting.direction).predict(&setting.levels).work;
        let predicted = by.seconds(&work) * now.len() as f64;
        timed_settings.push(Timed { name: name(&setting), seconds, predicted, work });
    }
    let best = (0..timed_settings.len())
        .min_by(|&a, &b| timed_settings[a].seconds.total_cmp(&timed_settings[b].seconds))
        .ok_or("no settings")?;
    let (compared, wrong) = orders(&timed_settings);
    for setting in &timed_settings {
        eprintln!(
            "  {:<22} {:>8} measured {:>8} predicted: {} searches, {} other rows, {} quick vectors, {} vectors, {} left over, {} index cells",
            setting.name,
            short(setting.seconds * 1e9 / now.len() as f64),
            short(setting.predicted * 1e9 / now.len() as f64),
            short(setting.work.searches),
            short(setting.work.other_rows),
            short(setting.work.quick_vectors),
            short(setting.work.vectors),
            short(setting.work.left_over),
            short(setting.work.index_cells),
        );
    }
    let (auto_seconds, choosing) = (median(&auto_times), median(&choosing));
    Ok(Judged { settings: timed_settings, best, auto_layout, auto_seconds, choosing, compared, wrong })
}

/// A setting in short.
fn name(setting: &RowSetting) -> String {
    let RowSetting { levels, direction, filling } = setting;
    format!("{} x {filling} {}", levels.as_slice().len(), direction.name())
}

/// Runs twice, the second time on the clock: seconds.
fn second_run<const D: usize>(
    clock: Clock,
    detector: &mut dyn Detector<D>,
    now: Snapshot<'_, D>,
    pairs: &mut Pairs<D>,
) -> f64 {
    detector.find_pairs(now, pairs);
    clock.time(|| detector.find_pairs(now, pairs)).0
}

/// Pairs of settings whose times differ by more than 30 %, and how many of them the prediction orders wrongly.
fn orders(settings: &[Timed]) -> (usize, usize) {
    let (mut compared, mut wrong) = (0, 0);
    for (k, a) in settings.iter().enumerate() {
        for b in &settings[..k] {
            let (slow, quick) = if a.seconds > b.seconds { (a, b) } else { (b, a) };
            if slow.seconds > 1.3 * quick.seconds {
                compared += 1;
                wrong += usize::from(slow.predicted <= quick.predicted);
            }
        }
    }
    (compared, wrong)
}

/// Work and time of `hgrid` over the size ratio, uniform volumes at packing fraction 0.7.
fn ratios(count: usize, rounds: usize, clock: Clock) -> Result<(), Failure> {
    let wanted = [10.0, 30.0, 100.0, 300.0, 1000.0];
    let mut systems = Vec::new();
    for ratio in wanted {
        systems.push(scenes::random::<3>(SizeLaw::power(-3.0, ratio)?.sample(count, 3), 0.7, [false; 3], 1)?);
    }
    let mut times = vec![Vec::new(); systems.len()];
    let mut pairs = Pairs::new();
    for _ in 0..rounds {
        for (system, times) in systems.iter().zip(&mut times) {
            let now = system.snapshot()?;
            times.push(second_run(clock, &mut *Method::HGrid.build(now)?, now, &mut pairs));
        }
    }
    let mut table =
        Table::new(["size ratio", "levels", "candidates", "rows", "pairs", "ns", "work / at 10", "time / at 10"]);
    let mut at_ten = None;
    for ((system, times), ratio) in systems.iter().zip(&times).zip(wanted) {
        let now = system.snapshot()?;
        let mut grid = Method::HGrid.build(now)?;
        let work = grid.count_work(now, &mut pairs);
        let per_body = |value: u64| value as f64 / count as f64;
        let (in_all, seconds) = ((work.candidates + work.cells) as f64, median(times));
        let &mut (first_work, first_seconds) = at_ten.get_or_insert((in_all, seconds));
        table.row([
            format!("{ratio}"),
            grid.layout().cell_sizes.len().to_string(),
            short(per_body(work.candidates)),
            short(per_body(work.cells)),
            short(per_body(pairs.len() as u64)),
            short(seconds * 1e9 / count as f64),
            short(in_all / first_work),
            short(seconds / first_seconds),
        ]);
    }
    println!("\n{count} bodies of uniform volumes, packing fraction 0.7, per body, medians of {rounds}\n{table}");
    Ok(())
}
