//! `hgrid-scaling`: bodies of many sizes against as many of one size.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::experiment::{Context, Cost, Experiment, Paper, Point, Size};
use crate::fit::{log_slope, median};
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use anyhow::Result;
use multigrain::sizes::SizeLaw;
use multigrain::tuning::Distribution;
use multigrain::{Detector, LevelChoice, Pairs, Settings, Snapshot};
use multigrain_methods::Method;
use multigrain_packings::random;
use multigrain_papers::tuning::{CostModel, K_OF_SPHERES, Spacing};
use std::time::Instant;

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-scaling",
    paper: Paper::FastMultilevel,
    figure: "figure 5",
    about: "Spheres of two sizes with equal volumes, and of uniform volume, against as many of one size, at packing fraction 0.62 \
            and random places: counted work of hgrid-cells with optimal levels in periodic boxes, K = 0.2, and time of a detection \
            by tuned hgrid in open space, on one thread, all mixtures in turns. The paper shows the time of whole simulations; \
            numbers and size ratios are our choice.",
    cost: Cost { quick: "50 s", full: "3 min" },
    points,
    draw,
    judge,
};

const PACKING_FRACTION: f64 = 0.62;

/// Small systems are detected again and again until a turn has this many particles.
const PARTICLES_PER_TURN: usize = 300_000;

/// The mixtures: name, size ratio, and whether they have two sizes only.
const MIXTURES: [(&str, f64, ScalingKind); 7] = [
    ("mono", 1.0, ScalingKind::Mono),
    ("two sizes, w = 10", 10.0, ScalingKind::Two),
    ("two sizes, w = 20", 20.0, ScalingKind::Two),
    ("uniform volume, w = 10", 10.0, ScalingKind::Volume),
    ("uniform volume, w = 20", 20.0, ScalingKind::Volume),
    ("uniform volume, w = 50", 50.0, ScalingKind::Volume),
    ("uniform volume, w = 100", 100.0, ScalingKind::Volume),
];

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

fn points(size: Size) -> Vec<Point> {
    let counts: &[usize] = size.pick(
        &[400, 2000],
        &[10_000, 50_000, 200_000, 1_000_000, 3_000_000],
        &[10_000, 31_623, 100_000, 316_228, 1_000_000, 3_162_278, 10_000_000],
    );
    let rounds = size.pick(1, 5, 9);
    let point = |&count: &usize| {
        // The largest systems show only how time grows.
        let all = size != Size::Quick || count <= 200_000;
        let seconds = if all { 2.5e-5 } else { 1.2e-5 } * count as f64;
        Point::new(format!("n={count},rounds={rounds}"), seconds + 0.1, move |context| {
            measure(context, count, rounds, all)
        })
        .seeded(1)
    };
    counts.iter().map(point).collect()
}

fn measure(context: &Context<'_>, count: usize, rounds: usize, all: bool) -> Result<Vec<Row>> {
    let seed = context.seed;
    let watch = context.watch;
    let chosen = MIXTURES.into_iter().filter(|(name, ..)| all || ["mono", "uniform volume, w = 50"].contains(name));
    let chosen: Vec<_> = chosen.collect();
    context.on_one_thread(move || {
        let mut entries = Vec::new();
        for (name, ratio, kind) in chosen {
            watch.note(&format!("counting {name}"));
            let system = random::<3>(kind.law(ratio)?.sample(count, 3), PACKING_FRACTION, [true; 3], seed)?;
            let now = system.snapshot()?;
            let sizes = Distribution::of_radii(&system.radii)?;
            let tuned = Spacing::Optimal.tune(&CostModel::packed(&sizes, 3, PACKING_FRACTION)?, None)?;
            let settings = Settings::default().with_levels(LevelChoice::CellSizes(tuned.cell_sizes.clone()));
            let mut pairs = Pairs::new();
            let cells = Method::HGridCells.build_with(now, &settings)?.count_work(now, &mut pairs);
            // The same levels: hgrid's own choice may change with the number of particles.
            let rows = Method::HGrid.build_with(now, &settings)?.count_work(now, &mut pairs);
            let largest = system.radii.iter().copied().fold(0.0, f64::max);
            let row = Row::new()
                .with("mixture", name)
                .with("w", ratio)
                .with("largest_over_w", largest / ratio)
                .with("particles", count)
                .with("levels", tuned.cell_sizes.len())
                .with("candidates", cells.candidates)
                .with("cells", cells.cells)
                .with("work", cells.candidates as f64 + K_OF_SPHERES * cells.cells as f64)
                .with("hgrid_candidates", rows.candidates)
                .with("hgrid_rows", rows.cells)
                .with("hgrid_work", rows.candidates + rows.cells);
            let detector: Box<dyn Detector<3>> = Method::HGrid.build(Snapshot::new(&system.centers, &system.radii)?)?;
            entries.push((row, system, detector, Vec::new()));
        }
        let mut pairs = Pairs::new();
        let repeats = (PARTICLES_PER_TURN / count).max(1);
        // The first round warms up.
        for round in 0..=rounds {
            watch.note(&format!("round {round} of {rounds}"));
            for (_, system, detector, times) in &mut entries {
                let now = Snapshot::new(&system.centers, &system.radii)?;
                let start = Instant::now();
                for _ in 0..repeats {
                    detector.find_pairs(now, &mut pairs);
                }
                if round > 0 {
                    times.push(start.elapsed().as_secs_f64() / repeats as f64);
                }
            }
        }
        Ok(entries.into_iter().map(|(row, _, _, times)| row.with("seconds", median(&times))).collect())
    })?
}

/// A column of every mixture over that of bodies of one size: mixture, number, ratio. Mixtures whose largest bodies are too few
/// to be there are left out, as in the paper.
fn relative(table: &Table, column: &str) -> Vec<(String, f64, f64)> {
    let mono = table.only("mixture", "mono");
    let others = table.0.iter().filter(|row| !row.is("mixture", "mono") && row.number("largest_over_w") > 0.9);
    others
        .map(|row| {
            let count = row.number("particles");
            (row.text("mixture").to_owned(), count, row.number(column) / mono.at("particles", count, column))
        })
        .collect()
}

fn draw(table: &Table) -> Figure {
    let panel = |caption: &str, column: &str, worst: f64| {
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
            line(worst),
        )
    };
    Figure::new("Mixtures against bodies of one size", "packing fraction 0.62, random places, same number of particles")
        .panel(panel("counted work, hgrid-cells", "work", 1.5))
        .panel(panel("time of a detection, hgrid", "seconds", 1.5))
}

fn judge(table: &Table) -> Vec<Verdict> {
    let worst = |column: &str| {
        relative(table, column)
            .into_iter()
            .filter(|entry| entry.2.is_finite())
            .max_by(|a, b| a.2.total_cmp(&b.2))
            .unwrap_or((String::new(), f64::NAN, f64::NAN))
    };
    let (work, time) = (worst("work"), worst("seconds"));
    let mut verdicts = vec![
        Verdict::new(
            "counted work at most 1.5 times that of one size (hgrid-cells)",
            format!("{:.2} times at most ({}, {} particles)", work.2, work.0, work.1),
            work.2 <= 1.5,
        )
        .paper("about 50 % more at most, total CPU"),
        Verdict::new(
            "time of a detection at most twice that of one size (hgrid)",
            format!("{:.2} times at most ({}, {} particles)", time.2, time.0, time.1),
            time.2 <= 2.0,
        )
        .paper("about 50 % more at most, total CPU"),
    ];
    let most = table
        .only("mixture", "uniform volume, w = 10")
        .curve("particles", "particles")
        .last()
        .map_or(f64::NAN, |point| point.0);
    let each = |column: &str| -> Vec<f64> {
        let rows = table.only("particles", most);
        [10, 20, 50, 100].map(|w| rows.at("mixture", format!("uniform volume, w = {w}"), column) / most).to_vec()
    };
    let falling = each("work");
    verdicts.push(
        Verdict::new(
            "uniform volume: counted work falls with the size ratio",
            format!(
                "{:.2}, {:.2}, {:.2}, {:.2} per particle for w = 10, 20, 50, 100",
                falling[0], falling[1], falling[2], falling[3]
            ),
            falling.windows(2).all(|pair| pair[1] < pair[0]),
        )
        .paper("falls"),
    );
    let mut spread = 0.0f64;
    for (name, ..) in MIXTURES.into_iter().skip(1) {
        let ratios: Vec<f64> =
            relative(table, "work").into_iter().filter(|entry| entry.0 == name).map(|entry| entry.2).collect();
        let middle = median(&ratios);
        spread = ratios.iter().fold(spread, |spread, ratio| spread.max((ratio / middle - 1.0).abs()));
    }
    verdicts.push(
        Verdict::new(
            "counted work over that of one size is constant in N within 10 %",
            format!("{:.1} % off the median at most", 100.0 * spread),
            spread <= 0.1 && !table.0.is_empty(),
        )
        .paper("constant within 10 %"),
    );
    for (name, column, method) in [
        ("mono", "work", "hgrid-cells"),
        ("uniform volume, w = 50", "work", "hgrid-cells"),
        ("mono", "hgrid_work", "hgrid"),
        ("uniform volume, w = 50", "hgrid_work", "hgrid"),
    ] {
        let rows =
            Table(table.only("mixture", name).0.into_iter().filter(|row| row.number("largest_over_w") > 0.9).collect());
        let slope = log_slope(&rows.curve("particles", column));
        verdicts.push(Verdict::new(
            format!("{method} is linear in the number of particles: {name}"),
            format!("counted work grows as N^{slope:.3}"),
            (slope - 1.0).abs() < 0.02,
        ));
    }
    for name in ["mono", "uniform volume, w = 50"] {
        let curve: Vec<_> = table
            .only("mixture", name)
            .curve("particles", "seconds")
            .into_iter()
            .filter(|point| point.0 >= 1e6)
            .collect();
        let slope = log_slope(&curve);
        verdicts.push(
            Verdict::new(
                format!("time of hgrid is linear from 1,000,000 particles on: {name}"),
                format!("N^{slope:.2} up to {} particles", curve.last().map_or(f64::NAN, |point| point.0)),
                (slope - 1.0).abs() < 0.15,
            )
            .paper("linear"),
        );
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mixtures_without_their_largest_are_left_out_and_slow_ones_fail() {
        let row = |name: &str, largest: f64, time: f64| {
            let row = Row::new().with("mixture", name).with("largest_over_w", largest).with("particles", 1000);
            row.with("work", 10.0 * time).with("seconds", time)
        };
        let table = Table(vec![
            row("mono", 1.0, 1.0),
            row("two sizes, w = 10", 1.0, 1.4),
            row("uniform volume, w = 50", 0.5, 9.0),
        ]);
        let verdicts = judge(&table);
        assert!(verdicts[0].holds && verdicts[1].holds && !verdicts[2].holds, "{verdicts:?}");
        let slow = Table(vec![row("mono", 1.0, 1.0), row("two sizes, w = 10", 1.0, 2.4)]);
        assert!(!judge(&slow)[0].holds && !judge(&slow)[1].holds);
        assert!(judge(&Table::default()).iter().all(|verdict| !verdict.holds));
    }
}
