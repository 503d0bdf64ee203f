//! `hgrid-free-cooling`: a whole simulation with the paper's five levels against the linked cell.

use super::classics::chosen;
use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::{Result, fault};
use crate::experiment::{Context, Cost, Experiment, Paper, Point};
use crate::fit::median;
use crate::processor_time::ProcessorTime;
use crate::row::{Row, Table};
use crate::steps::{StepTime, timed_steps};
use crate::verdict::Verdict;
use multigrain::Rng;
use multigrain::sizes::SizeLaw;
use multigrain::{LevelChoice, Pairs, Settings, Snapshot};
use multigrain_dem::{ContactLaw, Grain, Material, Setup, Wall};
use multigrain_methods::Method;
use multigrain_packings::growth;
use multigrain_papers::tuning::{K_OF_SPHERES, RadiiSample};

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-free-cooling",
    paper: Paper::OptimalHgrid,
    figure: "section 5.4.2",
    about: "Free cooling in two dimensions: discs of size ratio 20, alpha = -3, packing fraction 0.4, held by walls, that lose \
            energy in collisions (restitution 0.9). The run goes on with hgrid; at stages along it linked-cell, hgrid-cells with the \
            paper's five levels (4.0, 7.9, 15.1, 27.2, 40 times the smallest radius), hgrid-cells with the levels of the quick rule for its own K, and hgrid \
            take turns from the same state, no skin, one thread, in processor time, and must end alike, bit for bit. Mapping and \
            search of a detection are timed apart; work is counted of one level and of five.",
    cost: Cost { quick: "20 s", full: "3 min" },
    parameters: &["n", "w", "alpha", "phi", "k", "methods"],
    points,
    draw,
    judge,
};

/// Cell sizes of the paper, in units of the smallest radius.
const PAPER: [f64; 5] = [4.0, 7.9, 15.1, 27.2, 40.0];

/// Spread of each component of velocity of the smallest discs: they then overlap by about a hundredth of their radius.
const SPREAD: f64 = 0.01;

#[derive(Debug, Clone)]
struct CoolingPlan {
    count: usize,
    ratio: f64,
    alpha: f64,
    phi: f64,
    /// Steps of the whole run.
    steps: u64,
    /// How often the contenders are measured along it.
    stages: u64,
    /// Turns of each contender at a stage, and steps of a turn.
    rounds: u64,
    turn: u64,
    /// K of the levels of [`OWN`], where it is not that of `hgrid-cells`.
    k: Option<f64>,
    contenders: Vec<(&'static str, Method)>,
}

fn points(choices: &Choices) -> Vec<Point> {
    let (count, steps, stages) = choices.pick((200, 40, 2), (10_000, 8_000, 3), (10_000, 250_000, 10));
    let (rounds, turn) = choices.pick((1, 4), (3, 15), (5, 60));
    let own = chosen(choices, &[]).into_iter().filter_map(|name| Some((name, Method::from_name(name)?)));
    let own = own.filter(|(name, _)| CONTENDERS.iter().all(|(known, _)| known != name));
    let plan = CoolingPlan {
        count: choices.one("n", count),
        ratio: choices.one("w", 20.0),
        alpha: choices.one("alpha", -3.0),
        phi: choices.one("phi", 0.4),
        steps,
        stages,
        rounds,
        turn,
        k: choices.list("k", &[]).first().copied(),
        contenders: CONTENDERS.into_iter().chain(own).collect(),
    };
    let CoolingPlan { count, ratio, alpha, phi, .. } = plan;
    let key = format!(
        "n={count},w={ratio},alpha={alpha},phi={phi},steps={steps},stages={stages},rounds={rounds},turn={turn}{}{}",
        plan.k.map(|k| format!(",k={k}")).unwrap_or_default(),
        plan.contenders[CONTENDERS.len()..].iter().map(|(name, _)| format!(",{name}")).collect::<String>()
    );
    let seconds = 1e-3 * steps as f64 + 0.02 * (stages * rounds * turn) as f64;
    vec![Point::new(key, seconds, move |context| measure(context, &plan)).seeded(1)]
}

const LINKED: &str = "linked-cell";
const FIVE: &str = "hgrid-cells, five levels of the paper";
const OWN: &str = "hgrid-cells, levels by its own K";
const HGRID: &str = "hgrid";

const CONTENDERS: [(&str, Method); 4] =
    [(LINKED, Method::LinkedCell), (FIVE, Method::HGridCells), (OWN, Method::HGridCells), (HGRID, Method::HGrid)];

/// The paper's levels; for other sizes as many levels in equal ratios.
fn five(ratio: f64) -> Vec<f64> {
    if ratio == 20.0 { PAPER.to_vec() } else { (1..=5).map(|level| 2.0 * ratio.powf(f64::from(level) / 5.0)).collect() }
}

fn settings(name: &str, ratio: f64, k: Option<f64>, now: &Snapshot<'_, 2>) -> Settings {
    let own = || RadiiSample::of(now).quick_rule(k?).map(|filling| LevelChoice::CellSizes(filling.cell_sizes));
    let levels = match name {
        FIVE => LevelChoice::CellSizes(five(ratio)),
        OWN => own().unwrap_or(LevelChoice::Tuned),
        // Left alone, hgrid-cells takes the levels of the quick rule for its own K.
        _ => LevelChoice::Tuned,
    };
    Settings::default().with_levels(levels)
}

fn measure(context: &Context<'_>, plan: &CoolingPlan) -> Result<Vec<Row>> {
    let CoolingPlan { count, ratio, alpha, phi, steps, stages, rounds, turn, k, ref contenders } = *plan;
    context.watch.note("growing");
    let radii = SizeLaw::power(alpha, ratio)?.sample(count, 2);
    let grown = growth::<2>(radii, phi, [false; 2], context.seed, |_| true)?.system;
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
            watch.note(&format!("stage {stage} of {stages}: contenders"));
            let mut entries = Vec::new();
            for &(name, method) in contenders {
                let settings = settings(name, ratio, k, &now);
                let mut detector = method.build_with(now, &settings)?;
                let work = detector.count_work(now, &mut Pairs::new());
                let mut run = setup.clone().method(method).settings(settings).resume(&bytes)?;
                run.run(1)?;
                entries.push((detector, run, work, Vec::<StepTime>::new(), Vec::<[f64; 2]>::new()));
            }
            for _ in 0..rounds {
                for (detector, run, _, times, parts) in &mut entries {
                    times.push(timed_steps(run, turn)?);
                    let mut pairs = Pairs::new();
                    for _ in 0..turn.div_ceil(5) {
                        let start = ProcessorTime::now();
                        let mut mapped = start;
                        detector
                            .find_pairs_in_phases(now, &mut pairs, &mut || mapped = ProcessorTime::now(), &|| false);
                        let end = ProcessorTime::now();
                        parts.push([mapped - start, end - mapped].map(|time| time.as_secs_f64()));
                    }
                }
            }
            let end = entries[0].1.state().fingerprint();
            if let Some(k) = entries.iter().position(|entry| entry.1.state().fingerprint() != end) {
                return Err(fault!("{} and {} end in different states", contenders[0].0, contenders[k].0));
            }
            // One level of the same grid: what the paper's 35 is the work of.
            let one = Settings::default().with_levels(LevelChoice::CellSizes(vec![2.0 * ratio]));
            let one = Method::HGridCells.build_with(now, &one)?.count_work(now, &mut Pairs::new());
            for ((name, _), (detector, _, work, times, parts)) in contenders.iter().zip(&entries) {
                let middle = |value: fn(&StepTime) -> f64| median(&times.iter().map(value).collect::<Vec<_>>());
                let part = |number: usize| median(&parts.iter().map(|part| part[number]).collect::<Vec<_>>());
                let row = Row::new()
                    .with("contender", name)
                    .with("particles", count)
                    .with("step", simulation.steps())
                    .with("kinetic_energy", simulation.energies().kinetic())
                    .with("contacts", simulation.contact_count())
                    .with("levels", detector.layout().cell_sizes.len())
                    .with("seconds_per_step", middle(|time| time.whole))
                    .with("seconds_of_detection", middle(|time| time.detection))
                    .with("seconds_of_mapping", part(0))
                    .with("seconds_of_search", part(1))
                    .with("candidates", work.candidates)
                    .with("cells", work.cells)
                    .with("work", work.candidates as f64 + K_OF_SPHERES * work.cells as f64)
                    .with("work_of_one_level", one.candidates as f64 + K_OF_SPHERES * one.cells as f64);
                rows.push(row);
            }
        }
        Ok(rows)
    })?
}

/// A column of a contender, over all stages together.
fn total(table: &Table, contender: &str, column: &str) -> f64 {
    let rows = table.only("contender", contender);
    if rows.0.is_empty() { f64::NAN } else { rows.0.iter().map(|row| row.number(column)).sum() }
}

fn draw(table: &Table) -> Figure {
    let x = || Axis::linear("step");
    let captions = [
        ("a whole step", "seconds_per_step"),
        ("mapping alone", "seconds_of_mapping"),
        ("search alone", "seconds_of_search"),
    ];
    let mut figure = Figure::new(
        "Free cooling: the linked cell and hierarchical grids",
        "10,000 discs, d = 2, w = 20, alpha = -3, packing fraction 0.4, walls, one thread, processor time (the paper: five levels 9.9 \
         times faster)",
    );
    for (caption, column) in captions {
        let mut panel = Panel::new(caption, x(), Axis::log("time per step (ms)"));
        for (k, name) in table.values("contender").into_iter().enumerate() {
            let curve = table.only("contender", &name).curve("step", column);
            panel =
                panel.series(name, k, Look::Curve, curve.into_iter().map(|(step, time)| (step, 1e3 * time)).collect());
        }
        figure = figure.panel(panel);
    }
    figure
}

fn judge(table: &Table) -> Vec<Verdict> {
    let over = |of: &str, to: &str, column: &str| total(table, of, column) / total(table, to, column);
    let work = total(table, FIVE, "work_of_one_level") / total(table, FIVE, "work");
    let whole = over(LINKED, FIVE, "seconds_per_step");
    let stages = table.only("contender", FIVE).0.len() as f64;
    let particles = table.0.first().map_or(f64::NAN, |row| row.number("particles"));
    let each = |contender: &str, column: &str| 1e9 * total(table, contender, column) / stages / particles;
    let test = 1e9 * total(table, LINKED, "seconds_of_search") / total(table, LINKED, "candidates");
    vec![
        Verdict::new(
            "work of detection: one level over five",
            format!("{work:.1} times, counted"),
            (31.5..38.5).contains(&work),
        )
        .paper("35 predicted")
        .same_trend_if(work > 5.0),
        Verdict::new(
            "the whole simulation is about ten times faster with five levels than with the linked cell",
            format!(
                "{whole:.2} times ({:.2} in detection; mapping {:.0} ns per disc with five levels and {:.0} with linked-cell, search {:.0} \
                 and {:.0})",
                over(LINKED, FIVE, "seconds_of_detection"),
                each(FIVE, "seconds_of_mapping"),
                each(LINKED, "seconds_of_mapping"),
                each(FIVE, "seconds_of_search"),
                each(LINKED, "seconds_of_search"),
            ),
            (9.0..11.0).contains(&whole),
        )
        .paper("9.9 (27 against 266 minutes, 250,000 steps)")
        .same_trend_if(whole > 1.2)
        .because(format!(
            "the search of linked-cell takes {test:.1} ns for each couple that it tests, its bodies lying in order, so that {:.0} fewer \
             couples per disc save little against the cells of five levels, {:.1} per disc",
            (total(table, LINKED, "candidates") - total(table, FIVE, "candidates")) / stages / particles,
            total(table, FIVE, "cells") / stages / particles,
        )),
        Verdict::beyond(
            "hgrid-cells with levels by its own K over those of the paper",
            format!(
                "{:.2} times the time of a step, {:.2} in detection ({} levels)",
                over(OWN, FIVE, "seconds_per_step"),
                over(OWN, FIVE, "seconds_of_detection"),
                table.at("contender", OWN, "levels"),
            ),
        ),
        Verdict::beyond(
            "hgrid against the linked cell",
            format!(
                "{:.2} times faster, {:.2} in detection",
                over(LINKED, HGRID, "seconds_per_step"),
                over(LINKED, HGRID, "seconds_of_detection")
            ),
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Outcome;

    #[test]
    fn speed_ups_are_over_all_stages_and_against_the_linked_cell() {
        let row = |name: &str, time: f64, work: f64| {
            let row = Row::new().with("contender", name).with("step", 10).with("work", work).with("particles", 10);
            let row =
                row.with("work_of_one_level", 35.0 * work).with("levels", 2).with("candidates", 10).with("cells", 5);
            let row = row.with("seconds_per_step", time).with("seconds_of_detection", time);
            row.with("seconds_of_mapping", time).with("seconds_of_search", time)
        };
        let rows = |linked: f64| {
            Table(vec![
                row(LINKED, linked, 9.0),
                row(FIVE, 1.0, 1.0),
                row(OWN, 0.8, 1.0),
                row(HGRID, 0.1, 1.0),
                row(LINKED, 8.0, 9.0),
                row(FIVE, 1.0, 1.0),
            ])
        };
        let outcomes =
            |linked: f64| judge(&rows(linked)).into_iter().map(|verdict| verdict.outcome).collect::<Vec<_>>();
        assert_eq!(outcomes(12.0), [Outcome::AsPrinted, Outcome::AsPrinted, Outcome::Beyond, Outcome::Beyond]);
        assert_eq!(outcomes(1.0)[1], Outcome::SameTrend);
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
