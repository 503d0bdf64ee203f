//! `hgrid-scaling`: simulations of bodies of many sizes against those of as many of one size.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::Result;
use crate::experiment::{Context, Cost, Experiment, Paper, Point};
use crate::fit::{log_slope, median};
use crate::packings::Recipe;
use crate::row::{Row, Table};
use crate::steps::{StepTime, timed_steps};
use crate::verdict::Verdict;
use multigrain::sizes::SizeLaw;
use multigrain::tuning::Distribution;
use multigrain::{LevelChoice, Pairs, Settings};
use multigrain_dem::{Simulation, Skin, soft_gas, soft_setup};
use multigrain_methods::Method;
use multigrain_papers::tuning::{CostModel, K_OF_HGRID_CELLS, Spacing};

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-scaling",
    paper: Paper::FastMultilevel,
    figure: "figure 5",
    about: "Whole simulations of grown and softly relaxed packings (packing fraction 0.62, in the quick run 0.55, since between walls few bodies jam earlier; hard walls, elastic spheres) of two sizes \
            with equal volumes, and of uniform volume, against as many of one size: processor time of a step, and of detection alone, on \
            one thread, all mixtures in turns. Bodies of one size are searched by linked-cell, mixtures by hgrid-cells, those of two \
            sizes with two levels at their diameters, the others with optimal levels for its K; hgrid is beside it. Work is counted \
            of the same states. Numbers and size ratios are our choice.",
    cost: Cost { quick: "90 s", full: "80 min" },
    parameters: &["n", "phi", "k"],
    points,
    draw,
    judge,
};

const PACKING_FRACTION: f64 = 0.62;

/// Between walls few bodies jam earlier.
const QUICK_PACKING_FRACTION: f64 = 0.55;

/// The mixtures: name, size ratio, and what they are.
const MIXTURES: [(&str, f64, ScalingKind); 6] = [
    (MONO, 1.0, ScalingKind::Mono),
    ("two sizes, w = 10", 10.0, ScalingKind::Two),
    ("uniform volume, w = 10", 10.0, ScalingKind::Volume),
    ("uniform volume, w = 20", 20.0, ScalingKind::Volume),
    ("uniform volume, w = 50", 50.0, ScalingKind::Volume),
    ("uniform volume, w = 100", 100.0, ScalingKind::Volume),
];
const MONO: &str = "mono";

#[derive(Debug, Clone, Copy, PartialEq)]
enum ScalingKind {
    Mono,
    Two,
    Volume,
}

impl ScalingKind {
    fn law(self, ratio: f64) -> Result<SizeLaw> {
        Ok(match self {
            Self::Mono => SizeLaw::Mono,
            Self::Two => SizeLaw::bidisperse(ratio)?,
            Self::Volume => SizeLaw::power(-3.0, ratio)?,
        })
    }
}

#[derive(Debug, Clone, Copy)]
struct ScalingPlan {
    phi: f64,
    k: f64,
    /// Collisions per particle before anything is measured.
    collisions: f64,
    rounds: usize,
    /// Particle-steps of a turn.
    turn: usize,
    /// How many of the mixtures.
    mixtures: usize,
}

fn points(choices: &Choices) -> Vec<Point> {
    let usual: &[usize] = choices.pick(&[300], &[3_000, 5_000, 9_000], &[3_000, 10_000, 30_000, 100_000, 300_000]);
    let plan = ScalingPlan {
        phi: choices.one("phi", choices.pick(0.4, QUICK_PACKING_FRACTION, PACKING_FRACTION)),
        k: choices.one("k", K_OF_HGRID_CELLS),
        collisions: choices.pick(0.2, 1.0, 3.0),
        rounds: choices.pick(1, 5, 7),
        turn: choices.pick(300, 60_000, 600_000),
        mixtures: choices.pick(3, 5, 6),
    };
    let point = |count: usize| {
        let ScalingPlan { phi, k, collisions, rounds, turn, mixtures } = plan;
        let key = format!(
            "n={count},phi={phi},k={k},collisions={collisions},rounds={rounds},turn={turn},mixtures={mixtures}"
        );
        let seconds = 8e-4 * (count * mixtures) as f64 + 4e-6 * (turn * rounds * mixtures) as f64;
        Point::new(key, seconds, move |context| measure(context, count, plan)).seeded(1)
    };
    choices.list("n", usual).into_iter().map(point).collect()
}

/// A mixture with its simulations: by the papers' grid, and by `hgrid`.
struct Mixture {
    row: Row,
    runs: [(Simulation<3>, Vec<StepTime>); 2],
}

fn measure(context: &Context<'_>, count: usize, plan: ScalingPlan) -> Result<Vec<Row>> {
    let mut systems = Vec::new();
    for (name, ratio, kind) in MIXTURES.into_iter().take(plan.mixtures) {
        let recipe = Recipe {
            name: name.replace(" = ", "=").replace([',', ' '], "-"),
            law: kind.law(ratio)?,
            count,
            packing_fraction: plan.phi,
            periodic: false,
        };
        systems.push((name, ratio, kind, recipe.relax(context, plan.collisions)?));
    }
    let (watch, seed) = (context.watch, context.seed);
    context.on_one_thread(move || {
        let mut mixtures = Vec::new();
        for (name, ratio, kind, system) in &systems {
            let mut start = soft_gas(system, seed)?;
            start.run(20)?;
            let bytes = start.encode();
            let now = start.state().snapshot(Default::default())?;
            let sizes = Distribution::of_radii(&system.radii)?;
            let model = CostModel::packed(&sizes, 3, plan.phi)?.with_k(plan.k)?;
            let largest = system.radii.iter().copied().fold(0.0, f64::max);
            let smallest = system.radii.iter().copied().fold(f64::INFINITY, f64::min);
            let cell_sizes = match kind {
                ScalingKind::Mono => vec![2.0 * largest],
                ScalingKind::Two => vec![2.0 * smallest, 2.0 * largest],
                ScalingKind::Volume => Spacing::Optimal.tune(&model, None)?.cell_sizes,
            };
            let settings = Settings::default().with_levels(LevelChoice::CellSizes(cell_sizes.clone()));
            let work = Method::HGridCells.build_with(now, &settings)?.count_work(now, &mut Pairs::new());
            let setup = || soft_setup(system).skin(Skin::None);
            let of_paper = match kind {
                ScalingKind::Mono => setup().method(Method::LinkedCell),
                _ => setup().method(Method::HGridCells).settings(settings),
            };
            let runs = [of_paper, setup().method(Method::HGrid)];
            let [first, second] = runs.map(|setup| setup.resume(&bytes));
            let runs = [(first?, Vec::new()), (second?, Vec::new())];
            let row = Row::new()
                .with("mixture", name)
                .with("w", ratio)
                .with("largest_over_w", largest / smallest / ratio)
                .with("particles", count)
                .with("phi", plan.phi)
                .with("levels", cell_sizes.len())
                .with("contacts", start.contact_count())
                .with("candidates", work.candidates)
                .with("cells", work.cells)
                .with("work", work.candidates as f64 + plan.k * work.cells as f64);
            mixtures.push(Mixture { row, runs });
        }
        let steps = (plan.turn / count).max(1) as u64;
        // The first round warms up.
        for round in 0..=plan.rounds {
            watch.note(&format!("round {round} of {}", plan.rounds));
            for (simulation, times) in mixtures.iter_mut().flat_map(|mixture| &mut mixture.runs) {
                let time = timed_steps(simulation, steps)?;
                if round > 0 {
                    times.push(time);
                }
            }
        }
        let row = |Mixture { row, runs }: &Mixture| {
            let middle =
                |run: usize, value: fn(&StepTime) -> f64| median(&runs[run].1.iter().map(value).collect::<Vec<_>>());
            row.clone()
                .with("seconds_per_step", middle(0, |time| time.whole))
                .with("seconds_of_detection", middle(0, |time| time.detection))
                .with("hgrid_seconds_per_step", middle(1, |time| time.whole))
                .with("hgrid_seconds_of_detection", middle(1, |time| time.detection))
        };
        Ok(mixtures.iter().map(row).collect())
    })?
}

/// A column of every mixture over that of bodies of one size: mixture, number, ratio. Mixtures whose largest bodies are too few
/// to be there are left out, as in the paper.
fn relative(table: &Table, column: &str) -> Vec<(String, f64, f64)> {
    let mono = table.only("mixture", MONO);
    let others = table.0.iter().filter(|row| !row.is("mixture", MONO) && row.number("largest_over_w") > 0.9);
    others
        .map(|row| {
            let count = row.number("particles");
            (row.text("mixture").to_owned(), count, row.number(column) / mono.at("particles", count, column))
        })
        .collect()
}

fn draw(table: &Table) -> Figure {
    let panel = |caption: &str, column: &str| {
        let ratios = relative(table, column);
        let mut panel = Panel::new(
            caption,
            Axis::log("number of particles N"),
            Axis::linear("over that of one size").at_least(0.0, 1.6),
        );
        for (k, (name, ..)) in MIXTURES.into_iter().enumerate().skip(1) {
            let points =
                ratios.iter().filter(|entry| entry.0 == name).map(|&(_, count, ratio)| (count, ratio)).collect();
            panel = panel.series(name, k - 1, Look::Curve, points);
        }
        let ends: Vec<f64> = table.curve("particles", "particles").into_iter().map(|point| point.0).collect();
        let line = |y: f64| [ends.first(), ends.last()].into_iter().flatten().map(|&x| (x, y)).collect::<Vec<_>>();
        panel.series("one size", 6, Look::Line, line(1.0)).series(
            "largest of the paper, 1.5",
            3,
            Look::Dashed,
            line(1.5),
        )
    };
    Figure::new(
        "Simulations of mixtures against those of bodies of one size",
        format!(
            "grown and relaxed, packing fraction {}, same number of particles, one thread, processor time",
            table.values("phi").join(", ")
        ),
    )
    .panel(panel("a whole step: hgrid-cells over linked-cell", "seconds_per_step"))
    .panel(panel("a whole step: hgrid", "hgrid_seconds_per_step"))
    .panel(panel("counted work, hgrid-cells", "work"))
}

fn worst(table: &Table, column: &str) -> (String, f64, f64) {
    let ratios = relative(table, column).into_iter().filter(|entry| entry.2.is_finite());
    ratios.max_by(|a, b| a.2.total_cmp(&b.2)).unwrap_or((String::new(), f64::NAN, f64::NAN))
}

/// How far the ratios of a mixture are off their median at most, over all mixtures.
fn spread(table: &Table, column: &str) -> f64 {
    let mut spread = f64::NAN;
    for (name, ..) in MIXTURES.into_iter().skip(1) {
        let ratios: Vec<f64> =
            relative(table, column).into_iter().filter(|entry| entry.0 == name).map(|entry| entry.2).collect();
        if ratios.len() > 1 {
            let middle = median(&ratios);
            spread = ratios.iter().fold(spread, |spread, ratio| spread.max((ratio / middle - 1.0).abs()));
        }
    }
    spread
}

fn judge(table: &Table) -> Vec<Verdict> {
    let (time, work) = (worst(table, "seconds_per_step"), worst(table, "work"));
    let detection = worst(table, "seconds_of_detection");
    let off = [spread(table, "seconds_per_step"), spread(table, "work")].map(|off| 100.0 * off);
    let most = table.curve("particles", "particles").last().map_or(f64::NAN, |point| point.0);
    let rows = table.only("particles", most);
    let ratios: Vec<f64> = [10, 20, 50]
        .map(|w| {
            let of = |name: String, column: &str| rows.at("mixture", name, column);
            of(format!("uniform volume, w = {w}"), "seconds_per_step") / of(MONO.to_owned(), "seconds_per_step")
        })
        .to_vec();
    let falls = ratios.windows(2).all(|pair| pair[1] < pair[0]);
    let slope = |name: &str, column: &str| log_slope(&table.only("mixture", name).curve("particles", column));
    let mut verdicts = vec![
        Verdict::new(
            "a whole simulation takes at most 1.5 times that of one size",
            format!(
                "{:.2} times at most ({}, {} particles), {:.2} in detection; counted work {:.2} times",
                time.2, time.0, time.1, detection.2, work.2
            ),
            time.2 <= 1.55,
        )
        .paper("about 50 % more at most, at w = 10")
        .same_trend_if(time.2 <= 4.0)
        .because(format!(
            "in detection alone it is {:.2} times, in counted work with our K {:.2}: one size is searched by linked-cell, whose cells \
             are an array and not a hash",
            detection.2, work.2
        )),
        Verdict::new(
            "time over that of one size is constant in N within 10 %",
            format!("{:.0} % off the median at most; counted work {:.0} %", off[0], off[1]),
            off[0] <= 10.0,
        )
        .paper("constant within 10 %")
        .same_trend_if(off[0] <= 30.0)
        .because(format!("counted work of the same states varies by {:.0} % too: few bodies have more surface", off[1])),
        Verdict::new(
            "uniform volume: time falls with the size ratio",
            format!("{:.2}, {:.2}, {:.2} times that of one size for w = 10, 20, 50", ratios[0], ratios[1], ratios[2]),
            falls,
        )
        .paper("decreases with w")
        .same_trend_if(ratios[2] < ratios[0])
        .because(format!(
            "counted work over that of one size: {}",
            [10, 20, 50]
                .map(|w| {
                    let of = |name: String| rows.at("mixture", name, "work");
                    format!("{:.2} (w = {w})", of(format!("uniform volume, w = {w}")) / of(MONO.to_owned()))
                })
                .join(", ")
        )),
    ];
    for name in [MONO, "uniform volume, w = 10"] {
        let (time, work) = (slope(name, "seconds_per_step"), slope(name, "work"));
        verdicts.push(
            Verdict::new(
                format!("{name}: time is linear in the number of particles"),
                format!("N^{time:.2}; counted work N^{work:.3}"),
                (time - 1.0).abs() < 0.05,
            )
            .paper("O(N)")
            .same_trend_if((time - 1.0).abs() < 0.25)
            .because(format!("counted work of the same states grows as N^{work:.3}")),
        );
    }
    let fast = worst(table, "hgrid_seconds_per_step");
    verdicts.push(Verdict::beyond(
        "the same with hgrid for all",
        format!("{:.2} times that of one size at most ({}, {} particles)", fast.2, fast.0, fast.1),
    ));
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixtures_without_their_largest_are_left_out_and_slow_ones_are_reported() {
        let row = |name: &str, largest: f64, time: f64| {
            let row = Row::new().with("mixture", name).with("largest_over_w", largest).with("particles", 1000);
            let row = row.with("work", 10.0 * time).with("seconds_per_step", time).with("seconds_of_detection", time);
            row.with("hgrid_seconds_per_step", time)
        };
        let table = |time: f64| {
            Table(vec![
                row(MONO, 1.0, 1.0),
                row("two sizes, w = 10", 1.0, time),
                row("uniform volume, w = 50", 0.5, 9.0),
            ])
        };
        assert!(judge(&table(1.4))[0].is_as_printed() && !judge(&table(2.4))[0].is_as_printed());
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
