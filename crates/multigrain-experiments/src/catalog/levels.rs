//! `hgrid-levels`: time of simulations against the number of levels.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::experiment::{Context, Cost, Experiment, Paper, Point, Size};
use crate::fit::median;
use crate::packings::Recipe;
use crate::row::{Row, Table};
use crate::steps::{StepTime, timed_steps};
use crate::verdict::Verdict;
use anyhow::{Result, bail};
use multigrain::sizes::{SizeLaw, ball_volume};
use multigrain::{LevelChoice, Pairs, Settings};
use multigrain_dem::{Simulation, Skin};
use multigrain_dem::{soft_gas, soft_setup};
use multigrain_methods::Method;
use multigrain_packings::random;
use multigrain_papers::tuning::{EqualFilling, RadiiSample};
use std::time::Instant;

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-levels",
    paper: Paper::FastMultilevel,
    figure: "figure 4",
    about: "Elastic spheres of size ratio 50 in a box with hard walls, grown and set in motion: time of a step with hgrid-cells \
            against the number of levels, whose cell sizes come from appendix A, over that of the best number, for uniform volume \
            (alpha = -3) and uniform size (alpha = 0), with the rule L (m + K), K = 0.3. All numbers of levels take turns from \
            the same state, one thread. Beside it, one detection of 125,001 spheres by linked-cell and by tuned hgrid.",
    cost: Cost { quick: "80 s", full: "30 min" },
    points,
    draw,
    judge,
};

const RATIO: f64 = 50.0;
const PACKING_FRACTION: f64 = 0.62;
/// The paper's number of particles.
const PARTICLES: usize = 125_001;

const LAWS: [(&str, f64); 2] = [("uniform volume", -3.0), ("uniform size", 0.0)];

fn points(size: Size) -> Vec<Point> {
    let count = size.pick(501, 15_001, PARTICLES);
    let fractions: &[f64] = size.pick(&[0.4], &[PACKING_FRACTION], &[PACKING_FRACTION, 0.4, 0.1]);
    let levels: Vec<usize> = match size {
        Size::Tiny => vec![1, 3],
        Size::Quick => vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 50],
        Size::Full => (1..=50).collect(),
    };
    let plan =
        Plan { rounds: size.pick(1, 3, 5), budget: size.pick(0.001, 0.15, 0.5), settle: size.pick(20, 200, 500) };
    let mut points = Vec::new();
    for &fraction in fractions {
        for (law, alpha) in LAWS {
            let levels = levels.clone();
            let longest = levels.last().copied().unwrap_or(1);
            let key =
                format!("{},n={count},phi={fraction},levels={longest},rounds={}", law.replace(' ', "-"), plan.rounds);
            let seconds = 1e-3 * count as f64
                + (levels.len() * plan.rounds) as f64 * plan.budget * 1.3
                + 3e-8 * (count as f64).powf(1.6);
            points.push(
                Point::new(key, seconds, move |context| measure(context, law, alpha, count, fraction, &levels, plan))
                    .seeded(1),
            );
        }
    }
    let count = size.pick(501, PARTICLES, PARTICLES);
    let rounds = size.pick(1, 3, 5);
    points.push(
        Point::new(format!("detection,n={count},rounds={rounds}"), 1.8e-4 * (count * rounds) as f64, move |context| {
            detection(context, count, rounds)
        })
        .seeded(1),
    );
    points
}

/// How long steps are taken.
#[derive(Debug, Clone, Copy)]
struct Plan {
    rounds: usize,
    /// Seconds of a turn; one step at least.
    budget: f64,
    /// Steps before the clock starts.
    settle: u64,
}

fn measure(
    context: &Context<'_>,
    law: &str,
    alpha: f64,
    count: usize,
    fraction: f64,
    levels: &[usize],
    plan: Plan,
) -> Result<Vec<Row>> {
    let recipe = Recipe::power(alpha, RATIO, count, fraction, false)?;
    let system = recipe.grow(context)?;
    let (watch, seed) = (context.watch, context.seed);
    context.on_one_thread(move || {
        watch.note("settling");
        let mut start = soft_gas(&system, seed)?;
        start.run(plan.settle)?;
        let bytes = start.encode();
        let sides: [f64; 3] = std::array::from_fn(|axis| system.domain.hi()[axis] - system.domain.lo()[axis]);
        let sample = RadiiSample::new(system.radii.clone(), &sides);
        let mut runs = Vec::new();
        for &count in levels {
            // A number of levels that no filling has is left out, as in the paper.
            let Some(filling) = sample.with_levels(count)?.filter(|filling| filling.cell_sizes.len() == count) else {
                continue;
            };
            let settings = Settings::default().with_levels(LevelChoice::CellSizes(filling.cell_sizes.clone()));
            let setup = soft_setup(&system).method(Method::HGridCells).settings(settings).skin(Skin::None);
            let mut simulation = setup.resume(&bytes)?;
            let first = timed_steps(&mut simulation, 1)?.whole;
            let steps = ((plan.budget / first) as u64).clamp(1, 200);
            runs.push(LevelsRun { filling, simulation, steps, times: Vec::new() });
        }
        for round in 0..plan.rounds {
            watch.note(&format!("round {} of {}", round + 1, plan.rounds));
            for run in &mut runs {
                run.times.push(timed_steps(&mut run.simulation, run.steps)?);
            }
        }
        let row = |run: &LevelsRun| run.row().with("law", law).with("particles", count).with("phi", fraction);
        Ok(runs.iter().map(row).collect())
    })?
}

/// A simulation with one number of levels.
struct LevelsRun {
    filling: EqualFilling,
    simulation: Simulation<3>,
    /// Steps of a turn.
    steps: u64,
    times: Vec<StepTime>,
}

impl LevelsRun {
    fn row(&self) -> Row {
        let levels = self.filling.cell_sizes.len();
        let middle = |value: fn(&StepTime) -> f64| median(&self.times.iter().map(value).collect::<Vec<_>>());
        Row::new()
            .with("levels", levels)
            .with("steps", self.steps)
            .with("seconds_per_step", middle(|time| time.whole))
            .with("seconds_of_detection", middle(|time| time.detection))
            .with("particles_per_cell", self.filling.particles_per_cell)
            .with("rule", levels as f64 * (self.filling.particles_per_cell + RadiiSample::PAPER_K))
    }
}

/// One detection by the linked cell and by the tuned grid, in turns, on random positions.
fn detection(context: &Context<'_>, count: usize, rounds: usize) -> Result<Vec<Row>> {
    let system =
        random::<3>(SizeLaw::power(-3.0, RATIO)?.sample(count, 3), PACKING_FRACTION, [false; 3], context.seed)?;
    let watch = context.watch;
    context.on_one_thread(move || {
        let now = system.snapshot()?;
        let methods = [Method::LinkedCell, Method::HGrid];
        let mut detectors = methods.map(|method| method.build(now));
        let mut times = [Vec::new(), Vec::new()];
        let mut found = [0, 0];
        let mut pairs = Pairs::new();
        for round in 0..rounds {
            watch.note(&format!("round {} of {rounds}", round + 1));
            for (k, detector) in detectors.iter_mut().enumerate() {
                let Ok(detector) = detector else { bail!("{} cannot be built", methods[k].name()) };
                let start = Instant::now();
                detector.find_pairs(now, &mut pairs);
                times[k].push(start.elapsed().as_secs_f64());
                found[k] = pairs.len();
            }
        }
        if found[0] != found[1] {
            bail!("linked-cell finds {} contacts, hgrid {}: one of them is wrong", found[0], found[1]);
        }
        let row = |k: usize| {
            let row =
                Row::new().with("method", methods[k].name()).with("particles", count).with("phi", PACKING_FRACTION);
            row.with("seconds_of_one_detection", median(&times[k])).with("contacts", found[k])
        };
        Ok(vec![row(0), row(1)])
    })?
}

/// A column over its least value.
fn over_least(rows: &Table, column: &str) -> Vec<(f64, f64)> {
    let curve = rows.curve("levels", column);
    let least = curve.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
    curve.into_iter().map(|(levels, value)| (levels, value / least)).collect()
}

/// The largest packing fraction measured: the paper's figure.
fn densest(table: &Table) -> Table {
    let largest = table.having("levels").curve("phi", "phi").last().map_or(f64::NAN, |point| point.0);
    table.having("levels").only("phi", largest)
}

fn draw(table: &Table) -> Figure {
    let mut figure = Figure::new(
        "Time of a simulation step against the number of levels",
        "elastic spheres, size ratio 50, hgrid-cells with levels of appendix A, one thread; slowdown: time over the least",
    );
    for fraction in table.having("levels").values("phi") {
        let mut panel = Panel::new(
            format!("packing fraction {fraction}"),
            Axis::log("number of levels L"),
            Axis::log("slowdown factor"),
        );
        for (k, (law, _)) in LAWS.into_iter().enumerate() {
            let rows = table.only("law", law).only("phi", &fraction);
            panel = panel
                .series(format!("{law}: whole step"), k, Look::Curve, over_least(&rows, "seconds_per_step"))
                .series(format!("{law}: detection"), 4 + k, Look::Curve, over_least(&rows, "seconds_of_detection"))
                .series(format!("{law}: rule L (m + 0.3)"), k, Look::Dashed, over_least(&rows, "rule"));
        }
        if fraction == "0.62" {
            panel = panel.paper(vec![(8.0, 1.0), (1.0, 220.0), (2.0, 1.0), (1.0, 1.3)]);
        }
        figure = figure.panel(panel);
    }
    figure
}

/// The number of levels with the least time.
fn best(rows: &Table, column: &str) -> f64 {
    over_least(rows, column).into_iter().find(|point| point.1 == 1.0).map_or(f64::NAN, |point| point.0)
}

/// What the quick rule says for the paper's sample.
fn rule(alpha: f64) -> Option<usize> {
    let radii = SizeLaw::power(alpha, RATIO).ok()?.sample(PARTICLES, 3);
    let volume: f64 = radii.iter().map(|&radius| ball_volume(radius, 3)).sum();
    let side = (volume / PACKING_FRACTION).cbrt();
    Some(RadiiSample::new(radii, &[side; 3]).quick_rule(RadiiSample::PAPER_K)?.cell_sizes.len())
}

fn judge(table: &Table) -> Vec<Verdict> {
    let dense = densest(table);
    let mut verdicts = Vec::new();
    for ((law, alpha), (levels, predicted)) in LAWS.into_iter().zip([(8.0, 7), (2.0, 3)]) {
        let rule = rule(alpha);
        verdicts.push(
            Verdict::new(
                format!("{law}: levels by the rule L (m + K), 125,001 particles"),
                rule.map_or("none".to_owned(), |rule| rule.to_string()),
                rule == Some(predicted),
            )
            .paper(predicted.to_string()),
        );
        let rows = dense.only("law", law);
        let [whole, detection] = ["seconds_per_step", "seconds_of_detection"].map(|column| best(&rows, column));
        let at = |levels: f64| {
            over_least(&rows, "seconds_per_step")
                .into_iter()
                .find(|point| point.0 == levels)
                .map_or(f64::NAN, |point| point.1)
        };
        verdicts.push(
            Verdict::new(
                format!("{law}: best number of levels, within one"),
                format!("{whole} for the whole step, {detection} for detection; {levels} levels take {:.2} times the least", at(levels)),
                (whole - levels).abs() <= 1.0,
            )
            .paper(format!("{levels}"))
            .if_not("the minimum is flat, and looking at a cell costs more here, over testing a couple, than in the paper: fewer levels are better"),
        );
        let slowdown = at(1.0);
        let detection = over_least(&rows, "seconds_of_detection").first().map_or(f64::NAN, |point| point.1);
        let particles = rows.0.first().map_or(f64::NAN, |row| row.number("particles"));
        let (claim, paper, holds) = match law {
            "uniform volume" => ("one level, the linked cell, is far slower", "220 times", slowdown > 50.0),
            _ => ("one level is not much slower", "30 %", slowdown < 2.0),
        };
        verdicts.push(
            Verdict::new(
                format!("{law}: {claim}"),
                format!("{slowdown:.1} times in the whole step, {detection:.1} in detection, {particles} particles"),
                holds,
            )
            .paper(paper)
            .if_not("the fewer the particles, the less a single level costs: with few of the largest cells it tests all couples and no more"),
        );
        let measured = over_least(&rows, "seconds_of_detection");
        let rule = over_least(&rows, "rule");
        let off = measured.iter().zip(&rule).filter(|(point, _)| (2.0..=20.0).contains(&point.0));
        let off = off.map(|(a, b)| (a.1 / b.1).ln().abs()).fold(f64::NAN, f64::max).exp();
        verdicts.push(
            Verdict::new(
                format!("{law}: detection follows L (m + K) from 2 to 20 levels"),
                format!("apart by a factor of {off:.2} at most"),
                off < 1.6,
            )
            .paper("very good agreement")
            .if_not("with few levels cells are crowded, and tests of couples in one place cost less here than the rule has it"),
        );
    }
    let time = |method: &str| table.at("method", method, "seconds_of_one_detection");
    let (slower, count) = (time("linked-cell") / time("hgrid"), table.at("method", "hgrid", "particles"));
    verdicts.push(
        Verdict::new(
            "uniform volume: linked-cell takes at least 220 times as long as tuned hgrid for a detection",
            format!("{slower:.0} times, {count} particles at random"),
            slower >= 220.0,
        )
        .paper("220 times, for all of a simulation"),
    );
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn best_levels_and_slowdowns_are_judged() {
        let row = |law: &str, levels: f64, time: f64| {
            let row = Row::new().with("law", law).with("levels", levels).with("phi", 0.62).with("particles", 9);
            row.with("seconds_per_step", time).with("seconds_of_detection", time).with("rule", time)
        };
        let uniform_volume = [(1.0, 100.0), (6.0, 1.2), (7.0, 1.0), (12.0, 1.1)]
            .map(|(levels, time)| row("uniform volume", levels, time));
        let uniform_size = [(1.0, 3.0), (2.0, 2.0), (9.0, 1.0)].map(|(levels, time)| row("uniform size", levels, time));
        let verdicts = judge(&Table(uniform_volume.into_iter().chain(uniform_size).collect()));
        let outcomes: Vec<bool> = verdicts.iter().map(|verdict| verdict.holds).collect();
        assert_eq!(outcomes, [true, true, true, true, true, false, false, true, false]);
    }
}
