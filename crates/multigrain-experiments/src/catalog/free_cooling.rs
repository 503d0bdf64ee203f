//! `hgrid-free-cooling`: a whole simulation with the papers' five levels against one.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::experiment::{Context, Cost, Experiment, Paper, Point, Size};
use crate::fit::median;
use crate::row::{Row, Table};
use crate::steps::{StepTime, timed_steps};
use crate::verdict::Verdict;
use anyhow::{Result, bail};
use multigrain::Rng;
use multigrain::sizes::SizeLaw;
use multigrain::{LevelChoice, Pairs, Settings};
use multigrain_dem::{ContactLaw, Grain, Material, Setup, Wall};
use multigrain_methods::Method;
use multigrain_packings::growth;
use multigrain_papers::tuning::K_OF_SPHERES;

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-free-cooling",
    paper: Paper::OptimalHgrid,
    figure: "section 5.4.2",
    about: "Free cooling in two dimensions: discs of size ratio 20, alpha = -3, packing fraction 0.4, held by walls, that lose \
            energy in collisions (restitution 0.9). The run goes on with hgrid; at stages along it five levels (4.0, 7.9, 15.1, \
            27.2, 40 times the smallest radius) and one level (40) take turns from the same state, with hgrid-cells and with \
            hgrid, no skin, one thread, and must end alike, bit for bit.",
    cost: Cost { quick: "30 s", full: "3 min" },
    points,
    draw,
    judge,
};

/// Cell sizes of the paper, in units of the smallest radius.
const PAPER: [f64; 5] = [4.0, 7.9, 15.1, 27.2, 40.0];

/// Spread of each component of velocity of the smallest discs: they then overlap by about a hundredth of their radius.
const SPREAD: f64 = 0.01;

fn points(size: Size) -> Vec<Point> {
    let (count, steps, stages) = size.pick((200, 40, 2), (10_000, 20_000, 4), (10_000, 250_000, 10));
    let (rounds, turn) = size.pick((1, 4), (3, 20), (5, 60));
    let key = format!("n={count},steps={steps},stages={stages},rounds={rounds},turn={turn}");
    let plan = Plan { count, steps, stages, rounds, turn };
    let seconds = 1.5e-3 * steps as f64 + 0.02 * (stages * rounds * turn) as f64;
    vec![Point::new(key, seconds, move |context| measure(context, plan)).seeded(1)]
}

#[derive(Debug, Clone, Copy)]
struct Plan {
    count: usize,
    /// Steps of the whole run.
    steps: u64,
    /// How often the contenders are measured along it.
    stages: u64,
    /// Turns of each contender at a stage, and steps of a turn.
    rounds: u64,
    turn: u64,
}

const CONTENDERS: [(&str, Method, &str); 4] = [
    ("hgrid-cells, five levels", Method::HGridCells, FIVE),
    ("hgrid-cells, one level", Method::HGridCells, ONE),
    ("hgrid, tuned levels", Method::HGrid, "tuned"),
    ("hgrid, one level", Method::HGrid, ONE),
];
const FIVE: &str = "five";
const ONE: &str = "one";

fn settings(levels: &str) -> Settings {
    let levels = match levels {
        FIVE => LevelChoice::CellSizes(PAPER.to_vec()),
        ONE => LevelChoice::CellSizes(PAPER[4..].to_vec()),
        _ => LevelChoice::Tuned,
    };
    Settings::default().with_levels(levels)
}

fn measure(context: &Context<'_>, plan: Plan) -> Result<Vec<Row>> {
    let Plan { count, steps, stages, rounds, turn } = plan;
    context.watch.note("growing");
    let grown =
        growth::<2>(SizeLaw::power(-3.0, 20.0)?.sample(count, 2), 0.4, [false; 2], context.seed, |_| true)?.system;
    let (watch, seed) = (context.watch, context.seed);
    context.on_one_thread(move || {
        let mut rng = Rng::new(!seed);
        let grains = grown.centers.iter().zip(&grown.radii).map(|(&center, &radius)| {
            // The same mean energy for all.
            Grain::at(center, radius).velocity(std::array::from_fn(|_| SPREAD / radius * rng.normal()))
        });
        let setup = Setup::new()
            .material(Material::new(1.0 / std::f64::consts::PI, ContactLaw::linear(1.0).restitution(0.9)))
            .wall(Wall::inside_box(grown.domain.lo(), grown.domain.hi()));
        let mut simulation = setup.clone().method(Method::HGrid).build(grains.collect::<Vec<_>>())?;
        let mut rows = Vec::new();
        for stage in 1..=stages {
            watch.note(&format!("stage {stage} of {stages}: steps"));
            simulation.run(steps / stages)?;
            let bytes = simulation.encode();
            let now = simulation.state().snapshot(Default::default())?;
            let mut work = Vec::new();
            for (_, method, levels) in CONTENDERS {
                work.push(method.build_with(now, &settings(levels))?.count_work(now, &mut Pairs::new()));
            }
            watch.note(&format!("stage {stage} of {stages}: contenders"));
            let mut runs = Vec::new();
            for (_, method, levels) in CONTENDERS {
                let mut run = setup.clone().method(method).settings(settings(levels)).resume(&bytes)?;
                run.run(1)?;
                runs.push((run, Vec::<StepTime>::new()));
            }
            for _ in 0..rounds {
                for (run, times) in &mut runs {
                    times.push(timed_steps(run, turn)?);
                }
            }
            let end = runs[0].0.state().fingerprint();
            if let Some(k) = runs.iter().position(|(run, _)| run.state().fingerprint() != end) {
                bail!("{} and {} end in different states", CONTENDERS[0].0, CONTENDERS[k].0);
            }
            for (k, (_, times)) in runs.iter().enumerate() {
                let middle = |value: fn(&StepTime) -> f64| median(&times.iter().map(value).collect::<Vec<_>>());
                let row = Row::new()
                    .with("contender", CONTENDERS[k].0)
                    .with("particles", count)
                    .with("step", simulation.steps())
                    .with("kinetic_energy", simulation.energies().kinetic())
                    .with("contacts", simulation.contact_count())
                    .with("seconds_per_step", middle(|time| time.whole))
                    .with("seconds_of_detection", middle(|time| time.detection))
                    .with("candidates", work[k].candidates)
                    .with("cells", work[k].cells)
                    .with("work", work[k].candidates as f64 + K_OF_SPHERES * work[k].cells as f64);
                rows.push(row);
            }
        }
        Ok(rows)
    })?
}

/// A column of one contender over that of another, over all stages together.
fn ratio(table: &Table, of: usize, over: usize, column: &str) -> f64 {
    let sum = |k: usize| table.only("contender", CONTENDERS[k].0).0.iter().map(|row| row.number(column)).sum::<f64>();
    sum(of) / sum(over)
}

/// K, the cost of a look at a cell over that of a test, which the times of detection with five levels and with one fit.
fn cost_of_cell(table: &Table) -> f64 {
    let sum = |k: usize, column: &str| {
        table.only("contender", CONTENDERS[k].0).0.iter().map(|row| row.number(column)).sum::<f64>()
    };
    let [[tests, cells, time], [tests_of_one, cells_of_one, time_of_one]] =
        [0, 1].map(|k| ["candidates", "cells", "seconds_of_detection"].map(|column| sum(k, column)));
    // Two equations a tests + b cells = time; K is b/a.
    (tests * time_of_one - tests_of_one * time) / (time * cells_of_one - time_of_one * cells)
}

fn draw(table: &Table) -> Figure {
    let x = || Axis::linear("step");
    let mut whole = Panel::new("a whole step", x(), Axis::log("time per step (ms)"));
    let mut detection = Panel::new("detection alone", x(), Axis::log("time per step (ms)"));
    for (k, (name, ..)) in CONTENDERS.into_iter().enumerate() {
        let rows = table.only("contender", name);
        let ms = |column: &str| rows.curve("step", column).into_iter().map(|(step, time)| (step, 1e3 * time)).collect();
        whole = whole.series(name, k, Look::Curve, ms("seconds_per_step"));
        detection = detection.series(name, k, Look::Curve, ms("seconds_of_detection"));
    }
    let mut speed_up = Panel::new(
        "speed-up of five levels over one",
        x(),
        Axis::linear("one level over five (hgrid-cells)").at_least(0.0, 36.0),
    );
    let over = |column: &str| {
        let [five, one] = [0, 1].map(|k: usize| table.only("contender", CONTENDERS[k].0).curve("step", column));
        five.into_iter().zip(one).map(|(five, one)| (five.0, one.1 / five.1)).collect::<Vec<_>>()
    };
    speed_up = speed_up
        .series("counted work", 4, Look::Curve, over("work"))
        .series("detection", 5, Look::Curve, over("seconds_of_detection"))
        .series("whole step", 6, Look::Curve, over("seconds_per_step"));
    let middle = over("work").get(over("work").len() / 2).map_or(f64::NAN, |point| point.0);
    speed_up = speed_up.paper(vec![(middle, 9.9), (middle, 35.0)]);
    let setting = "10,000 discs, d = 2, w = 20, alpha = -3, packing fraction 0.4, walls, one thread (the paper: whole run 9.9, predicted 35)";
    Figure::new("Free cooling with five levels and with one", setting).panel(whole).panel(detection).panel(speed_up)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let whole = ratio(table, 1, 0, "seconds_per_step");
    let detection = ratio(table, 1, 0, "seconds_of_detection");
    let work = ratio(table, 1, 0, "work");
    let fast = ratio(table, 3, 2, "seconds_per_step");
    let steps = table.curve("step", "step").last().map_or(f64::NAN, |point| point.0);
    vec![
        Verdict::new(
            "work of detection: one level over five",
            format!("{work:.1} times, counted"),
            (25.0..45.0).contains(&work),
        )
        .paper("35 predicted"),
        Verdict::new(
            "the whole simulation is about ten times faster with five levels",
            format!("{whole:.1} times with hgrid-cells, over {steps} steps ({detection:.1} in detection)"),
            (7.0..15.0).contains(&whole),
        )
        .paper("9.9 (27 against 266 minutes, 250,000 steps)")
        .if_not(format!(
            "a look at a cell, in a hash here, costs {:.1} times the test of a couple by these times, not the 0.2 of the paper, so \
             that fewer tests for more cells gain less",
            cost_of_cell(table)
        )),
        Verdict::new(
            "the same with the fast grid: tuned levels against one",
            format!("{fast:.1} times with hgrid"),
            fast > 1.0,
        )
        .note("not in the paper: rows of cells and eight tests at a time make one level less bad"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn speed_ups_are_over_all_stages() {
        let row = |k: usize, time: f64, work: f64| {
            let row = Row::new().with("contender", CONTENDERS[k].0).with("step", 10).with("work", work);
            row.with("seconds_per_step", time).with("seconds_of_detection", time)
        };
        let table = Table(vec![row(0, 1.0, 1.0), row(1, 12.0, 30.0), row(0, 1.0, 1.0), row(1, 6.0, 40.0)]);
        assert_eq!(ratio(&table, 1, 0, "seconds_per_step"), 9.0);
        let outcomes: Vec<bool> = judge(&table).iter().map(|verdict| verdict.holds).collect();
        assert_eq!(outcomes, [true, true, false]);
        assert!(judge(&Table::default()).iter().all(|verdict| !verdict.holds));
    }
}
