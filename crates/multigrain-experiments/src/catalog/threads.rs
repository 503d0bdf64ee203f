//! `threads`: simulations of polygons and of spheres on one thread and on two.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::{Result, fault};
use crate::experiment::{Context, Cost, Experiment, Paper, Point, on_threads};
use crate::fit::median;
use crate::packings::Recipe;
use crate::polygon_beds::bed;
use crate::row::{Row, Table};
use crate::steps::{PHASES, PhaseTime, timed_phases};
use crate::verdict::Verdict;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Simulation, soft_gas};
use std::time::Instant;

pub const EXPERIMENT: Experiment = Experiment {
    name: "threads",
    paper: Paper::Polygons,
    figure: "section 5",
    about: "A bed of polygons that rest on each other, and a dense gas of elastic spheres of size ratio 10: steps from the same state on one thread and \
            on two, in turns. Both must end alike, bit for bit. Time on the clock is that of the machine as it is; processor time of \
            every phase of a step, of the thread that leads through the phases and of the other one, tells where two threads share \
            the work. Numbers of bodies are our choice.",
    cost: Cost { quick: "40 s", full: "5 min" },
    parameters: &["n", "w", "alpha", "phi"],
    points,
    draw,
    judge,
};

const THREADS: [usize; 2] = [1, 2];
const POLYGONS: &str = "polygons";
const SPHERES: &str = "spheres";

fn points(size: &Choices) -> Vec<Point> {
    let polygons: &[usize] = size.pick(&[100], &[1000, 4000], &[1000, 4000, 16_000]);
    let spheres: &[usize] = size.pick(&[200], &[20_001], &[10_001, 30_001, 100_001]);
    let plan =
        ThreadPlan { settle: size.pick(20, 2000, 2000), steps: size.pick(5, 60, 100), rounds: size.pick(1, 7, 7) };
    let (ratio, alpha, phi) = (size.one("w", 10.0), size.one("alpha", -3.0), size.one("phi", 0.6));
    // Half of the turns are by the clock, half by processor time.
    let steps = (plan.settle + 2 * plan.steps * plan.rounds as u64) as f64;
    let polygons = size.list("n", polygons).into_iter().map(move |count| {
        let seconds = 2.0 * 6e-7 * count as f64 * steps;
        Point::new(format!("{POLYGONS},n={count},{plan}"), seconds, move |context| of_polygons(context, count, plan))
            .alone()
            .seeded(1)
    });
    let spheres = size.list("n", spheres).into_iter().map(move |count| {
        let recipe = move || Recipe::power(alpha, ratio, count, phi, false);
        let seconds = 1.6 * 3e-7 * count as f64 * steps;
        let key = format!("{SPHERES},n={count},w={ratio},alpha={alpha},phi={phi},{plan}");
        Point::new(key, seconds, move |context| of_spheres(context, recipe()?, plan))
            .prepared(8e-4 * count as f64, move |context| recipe()?.grow(context).map(|_| ()))
            .alone()
            .seeded(1)
    });
    polygons.chain(spheres).collect()
}

#[derive(Debug, Clone, Copy)]
struct ThreadPlan {
    /// Steps before the clock starts.
    settle: u64,
    /// Steps of a turn.
    steps: u64,
    rounds: usize,
}

impl std::fmt::Display for ThreadPlan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "settle={},steps={},rounds={},phases", self.settle, self.steps, self.rounds)
    }
}

fn of_polygons(context: &Context<'_>, count: usize, plan: ThreadPlan) -> Result<Vec<Row>> {
    let seed = context.seed;
    let make = || {
        let (setup, grains) = bed(count, seed)?;
        Ok(setup.build(grains)?)
    };
    in_turns(context, (POLYGONS, count), plan, make)
}

fn of_spheres(context: &Context<'_>, recipe: Recipe, plan: ThreadPlan) -> Result<Vec<Row>> {
    let system = recipe.grow(context)?;
    let seed = context.seed;
    in_turns(context, (SPHERES, recipe.count), plan, || Ok(soft_gas(&system, seed)?))
}

/// A simulation on a number of threads, with the time of a step and of its phases in every turn.
struct Run<const D: usize> {
    threads: usize,
    simulation: Simulation<D>,
    times: Vec<f64>,
    phases: Vec<[PhaseTime; 5]>,
}

/// The same simulation on each number of threads, in turns.
fn in_turns<const D: usize>(
    context: &Context<'_>,
    (what, count): (&str, usize),
    plan: ThreadPlan,
    make: impl Fn() -> Result<Simulation<D>>,
) -> Result<Vec<Row>>
where
    Axes: Dimension<D>,
{
    let mut runs = Vec::new();
    for threads in THREADS {
        context.watch.note(&format!("settling on {threads}"));
        let mut simulation = make()?;
        on_threads(threads, || simulation.run(plan.settle))??;
        runs.push(Run { threads, simulation, times: Vec::new(), phases: Vec::new() });
    }
    for round in 0..plan.rounds {
        context.watch.note(&format!("round {} of {}", round + 1, plan.rounds));
        for Run { threads, simulation, times, phases } in &mut runs {
            let (seconds, of_phases) = on_threads(*threads, || -> Result<_> {
                let start = Instant::now();
                simulation.run(plan.steps)?;
                let seconds = start.elapsed().as_secs_f64();
                Ok((seconds, timed_phases(simulation, plan.steps)?))
            })??;
            times.push(seconds / plan.steps as f64);
            phases.push(of_phases);
        }
    }
    let ends: Vec<u64> = runs.iter().map(|run| run.simulation.state().fingerprint()).collect();
    if ends[0] != ends[1] {
        return Err(fault!("{what}: one and two threads end in different states"));
    }
    let mut rows = Vec::new();
    for Run { threads, times, phases, .. } in &runs {
        let row = || Row::new().with("bodies", what).with("particles", count).with("threads", threads);
        rows.push(row().with("seconds_per_step", median(times)));
        for (k, (_, name)) in PHASES.into_iter().enumerate() {
            let middle = |value: fn(&PhaseTime) -> f64| {
                median(&phases.iter().map(|phases| value(&phases[k])).collect::<Vec<_>>())
            };
            rows.push(
                row()
                    .with("phase", name)
                    .with("processor_seconds_of_leader", middle(|time| time.leader))
                    .with("processor_seconds_of_others", middle(|time| time.others))
                    .with("processor_seconds_of_busier", middle(PhaseTime::busier)),
            );
        }
    }
    Ok(rows)
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

/// Processor time of the phases of a step, by name: on one thread; on two the leader's, the other's, and the busier one's.
fn phases(table: &Table, what: &str, count: f64) -> Vec<(&'static str, [f64; 4])> {
    let rows = table.only("bodies", what).only("particles", count).having("phase");
    let of = |threads: usize, phase: &str, column: &str| rows.only("threads", threads).at("phase", phase, column);
    let times = |name: &'static str| {
        let one = of(1, name, "processor_seconds_of_leader");
        let [leader, others, busier] =
            ["leader", "others", "busier"].map(|which| of(2, name, &format!("processor_seconds_of_{which}")));
        (name, [one, leader, others, busier])
    };
    PHASES
        .into_iter()
        .map(|(_, name)| times(name))
        .filter(|(_, times)| times.iter().all(|time| time.is_finite()))
        .collect()
}

fn judge(table: &Table) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for what in [POLYGONS, SPHERES] {
        let curve = speed_ups(table, what);
        let best = curve.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or((f64::NAN, f64::NAN));
        let most = curve.last().map_or(f64::NAN, |point| point.0);
        let phases = phases(table, what, most);
        let total = |which: usize| phases.iter().map(|(_, times)| times[which]).sum::<f64>();
        let (one, busier) = (total(0), total(3));
        let by_processor = one / busier;
        // What two threads do not share: of a phase that they share, the busier one has half.
        let alone: Vec<String> = phases
            .iter()
            .map(|(name, times)| format!("{name} {:.0} %", 100.0 * (2.0 * times[3] - times[0]).max(0.0) / one))
            .collect();
        verdicts.push(
            Verdict::new(
                format!("{what}: two threads are nearly twice as fast"),
                format!("{:.2} times with {} bodies by the clock; {by_processor:.2} times with {most} by processor time", best.1, best.0),
                best.1 >= 1.85,
            )
            .paper(if what == POLYGONS { "1.9 to 1.95" } else { "" })
            .same_trend_if(best.1 > 1.2 || by_processor > 1.2)
            .because(format!(
                "of the processor time of a step on two threads the second had {:.0} % (much below a half: it seldom found a processor \
                 free, and the first did its work); the busier thread has {:.0} % of one thread's work; not shared, as parts of that work: {}",
                100.0 * total(2) / (total(1) + total(2)),
                100.0 / by_processor,
                alone.join(", ")
            )),
        );
        for (name, [one, leader, others, busier]) in phases {
            let [one, leader, others] = [one, leader, others].map(|seconds| 1e6 * seconds);
            verdicts.push(Verdict::beyond(
                format!("{what}, {most} bodies, phase of a step: {name}"),
                format!(
                    "processor time {one:.1} us on one thread; {leader:.1} and {others:.1} us on two, {:.2} times faster",
                    one / (1e6 * busier)
                ),
            ));
        }
    }
    verdicts
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

    #[test]
    fn what_two_threads_do_not_share_is_named() {
        let phase = |threads: usize, name: &str, leader: f64, others: f64| {
            let row = Row::new().with("bodies", POLYGONS).with("particles", 9).with("threads", threads);
            let row = row.with("phase", name).with("processor_seconds_of_leader", leader);
            row.with("processor_seconds_of_others", others).with("processor_seconds_of_busier", leader.max(others))
        };
        let whole = |threads: usize, time: f64| {
            let row = Row::new().with("bodies", POLYGONS).with("particles", 9).with("threads", threads);
            row.with("seconds_per_step", time)
        };
        let mut rows = vec![whole(1, 1.0), whole(2, 1.0)];
        for (_, name) in PHASES {
            let is_shared = name == "push";
            rows.push(phase(1, name, if is_shared { 6e-6 } else { 1e-6 }, 0.0));
            rows.push(if is_shared { phase(2, name, 3e-6, 3e-6) } else { phase(2, name, 1e-6, 0.0) });
        }
        let verdicts = judge(&Table(rows));
        assert!(verdicts[0].measured.ends_with("1.43 times with 9 by processor time"), "{verdicts:?}");
        assert!(
            verdicts[0].note.ends_with("move 10 %, detect 10 %, arrange 10 %, push 0 %, gather 10 %"),
            "{verdicts:?}"
        );
        assert!(verdicts.iter().any(|verdict| verdict.claim.ends_with("phase of a step: push")));
    }
}
