//! `threads`: simulations of polygons and of spheres on one thread and on two.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::{Result, fault};
use crate::experiment::{Context, Cost, Experiment, Paper, Point, on_threads};
use crate::fit::median;
use crate::packings::Recipe;
use crate::polygon_beds::bed;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain_dem::soft_gas;
use std::time::Instant;

pub const EXPERIMENT: Experiment = Experiment {
    name: "threads",
    paper: Paper::Polygons,
    figure: "section 5",
    about: "A bed of polygons that rest on each other, and a dense gas of elastic spheres of size ratio 10: steps from the same state on one thread and \
            on two, in turns. Both must end alike, bit for bit. Numbers of bodies are our choice.",
    cost: Cost { quick: "40 s", full: "5 min" },
    parameters: &["n"],
    points,
    draw,
    judge,
};

const THREADS: [usize; 2] = [1, 2];
const POLYGONS: &str = "polygons";
const SPHERES: &str = "spheres";

fn points(size: &Choices) -> Vec<Point> {
    let polygons: &[usize] = size.pick(&[100], &[1000, 4000], &[1000, 5000, 16_000]);
    let spheres: &[usize] = size.pick(&[200], &[20_001], &[10_001, 30_001, 100_001]);
    let plan = Plan { settle: size.pick(20, 2000, 3000), steps: size.pick(5, 60, 300), rounds: size.pick(1, 7, 11) };
    let steps = (plan.settle + plan.steps * plan.rounds as u64) as f64;
    let polygons = size.list("n", polygons).into_iter().map(move |count| {
        let seconds = 2.0 * 6e-7 * count as f64 * steps;
        Point::new(format!("{POLYGONS},n={count},{plan}"), seconds, move |context| of_polygons(context, count, plan))
            .seeded(1)
    });
    let spheres = size.list("n", spheres).into_iter().map(move |count| {
        let seconds = 1e-3 * count as f64 + 1.6 * 3e-7 * count as f64 * steps;
        Point::new(format!("{SPHERES},n={count},{plan}"), seconds, move |context| of_spheres(context, count, plan))
            .seeded(1)
    });
    polygons.chain(spheres).collect()
}

#[derive(Debug, Clone, Copy)]
struct Plan {
    /// Steps before the clock starts.
    settle: u64,
    /// Steps of a turn.
    steps: u64,
    rounds: usize,
}

impl std::fmt::Display for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "settle={},steps={},rounds={}", self.settle, self.steps, self.rounds)
    }
}

fn of_polygons(context: &Context<'_>, count: usize, plan: Plan) -> Result<Vec<Row>> {
    let seed = context.seed;
    let make = || {
        let (setup, grains) = bed(count, seed)?;
        Ok(setup.build(grains)?)
    };
    let run = |simulation: &mut multigrain_dem::Simulation<2>, steps| Ok(simulation.run(steps)?);
    in_turns(context, (POLYGONS, count), plan, make, run, |simulation| simulation.state().fingerprint())
}

fn of_spheres(context: &Context<'_>, count: usize, plan: Plan) -> Result<Vec<Row>> {
    let system = Recipe::power(-3.0, 10.0, count, 0.6, false)?.grow(context)?;
    let seed = context.seed;
    let make = || Ok(soft_gas(&system, seed)?);
    let run = |simulation: &mut multigrain_dem::Simulation<3>, steps| Ok(simulation.run(steps)?);
    in_turns(context, (SPHERES, count), plan, make, run, |simulation| simulation.state().fingerprint())
}

/// The same simulation on each number of threads, in turns.
fn in_turns<S: Send>(
    context: &Context<'_>,
    (what, count): (&str, usize),
    plan: Plan,
    make: impl Fn() -> Result<S>,
    run: impl Fn(&mut S, u64) -> Result<()> + Sync,
    end: impl Fn(&S) -> u64,
) -> Result<Vec<Row>> {
    let mut runs = Vec::new();
    for threads in THREADS {
        context.watch.note(&format!("settling on {threads}"));
        let mut simulation = make()?;
        on_threads(threads, || run(&mut simulation, plan.settle))??;
        runs.push((threads, simulation, Vec::new()));
    }
    for round in 0..plan.rounds {
        context.watch.note(&format!("round {} of {}", round + 1, plan.rounds));
        for (threads, simulation, times) in &mut runs {
            let seconds = on_threads(*threads, || -> Result<f64> {
                let start = Instant::now();
                run(simulation, plan.steps)?;
                Ok(start.elapsed().as_secs_f64())
            })??;
            times.push(seconds / plan.steps as f64);
        }
    }
    if end(&runs[0].1) != end(&runs[1].1) {
        return Err(fault!("{what}: one and two threads end in different states"));
    }
    let row = |(threads, _, times): &(usize, S, Vec<f64>)| {
        Row::new()
            .with("bodies", what)
            .with("particles", count)
            .with("threads", threads)
            .with("seconds_per_step", median(times))
    };
    Ok(runs.iter().map(row).collect())
}

/// For each number of bodies: it, and one thread's time over that of two.
fn speed_ups(table: &Table, what: &str) -> Vec<(f64, f64)> {
    let of =
        |threads: usize| table.only("bodies", what).only("threads", threads).curve("particles", "seconds_per_step");
    of(1).into_iter().zip(of(2)).map(|(one, two)| (one.0, one.1 / two.1)).collect()
}

fn draw(table: &Table) -> Figure {
    let mut panel = Panel::new(
        "speed-up of two threads",
        Axis::log("number of bodies"),
        Axis::linear("one thread's time over two threads'").at_least(1.0, 2.0),
    );
    let mut ends = Vec::new();
    for (k, what) in [POLYGONS, SPHERES].into_iter().enumerate() {
        let curve = speed_ups(table, what);
        ends.extend(curve.iter().map(|point| point.0));
        panel = panel.series(what, k, Look::Curve, curve);
    }
    ends.sort_by(f64::total_cmp);
    let line = |y: f64| [ends.first(), ends.last()].into_iter().flatten().map(|&x| (x, y)).collect::<Vec<_>>();
    panel = panel.series("1.9 to 1.95 in the paper", 3, Look::Dashed, line(1.9)).series(
        "1.9 to 1.95 in the paper",
        3,
        Look::Dashed,
        line(1.95),
    );
    Figure::new("Simulations on two threads", "median of turns from the same state").panel(panel)
}

fn judge(table: &Table) -> Vec<Verdict> {
    [POLYGONS, SPHERES]
        .into_iter()
        .map(|what| {
            let curve = speed_ups(table, what);
            let best = curve.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((f64::NAN, f64::NAN));
            Verdict::new(
                format!("{what}: two threads are nearly twice as fast"),
                format!("{:.2} times with {} bodies", best.1, best.0),
                best.1 >= 1.85,
            )
            .paper(if what == POLYGONS { "1.9 to 1.95" } else { "" })
            .same_trend_if(best.1 > 1.2)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_speed_up_is_reported() {
        let row = |what: &str, threads: usize, time: f64| {
            Row::new().with("bodies", what).with("particles", 9).with("threads", threads).with("seconds_per_step", time)
        };
        let table =
            Table(vec![row(POLYGONS, 1, 1.9), row(POLYGONS, 2, 1.0), row(SPHERES, 1, 1.5), row(SPHERES, 2, 1.0)]);
        assert_eq!(judge(&table).iter().map(Verdict::is_as_printed).collect::<Vec<_>>(), [true, false]);
        assert!(judge(&Table::default()).iter().all(|verdict| !verdict.is_as_printed()));
    }
}
