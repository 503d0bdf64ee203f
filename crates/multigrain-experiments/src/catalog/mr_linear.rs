//! `mr-linear`: MR against quick sort and binary search, and against the number of bodies.

use super::classics::{chosen, contenders, least_for_time, linear_time, linear_work, raced};
use crate::bodies::{CellBodies, Motion};
use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::Result;
use crate::experiment::{Cost, Experiment, Paper, Point};
use crate::fit::log_slope;
use crate::race::Contender;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::{Detector, Pairs};
use multigrain_papers::{Mr, MrOptions, MrSteps};
use std::collections::HashSet;

pub const EXPERIMENT: Experiment = Experiment {
    name: "mr-linear",
    paper: Paper::Mr,
    figure: "figures 20 to 22",
    about: "Packing A: bodies one diameter apart. The paper names no motion, so there are three: none, each coordinate by up to a \
            hundredth of a cell, and by -1, 0 or 1 cell between detections. MR sort with MR search, quick sort with MR search, and \
            quick sort with binary search take turns; sort and search are timed apart, on one thread, in processor time, and \
            comparisons of cells in the sort are counted. Candidates are the couples in the same or neighbouring cells.",
    cost: Cost { quick: "60 s", full: "8 min" },
    parameters: &["n", "methods"],
    points,
    draw,
    judge,
};

const VARIANTS: [(&str, MrSteps); 3] = [
    (MR, MrSteps::MrSortAndMrSearch),
    (QUICK_SORT, MrSteps::QuickSortAndMrSearch),
    (BINARY, MrSteps::QuickSortAndBinarySearch),
];
const MR: &str = "MR sort, MR search";
const QUICK_SORT: &str = "quick sort, MR search";
const BINARY: &str = "quick sort, binary search";

const MOTIONS: [(Motion, &str); 3] =
    [(Motion::None, "at rest"), (Motion::Hundredth, "a hundredth of a cell"), (Motion::OneCell, "up to a cell")];

fn points(choices: &Choices) -> Vec<Point> {
    let usual: &[usize] = choices.pick(
        &[512, 4096],
        &[8_000, 64_000, 343_000, 1_000_000],
        &[8_000, 27_000, 64_000, 216_000, 512_000, 1_000_000, 2_248_091, 5_000_211],
    );
    let mut points = Vec::new();
    let others = chosen(choices, &[]);
    for (motion, _) in MOTIONS {
        for count in choices.list("n", usual) {
            let cycles = choices.pick(3, if count > 500_000 { 3 } else { 6 }, if count > 500_000 { 4 } else { 10 });
            let seconds = (3e-6 * (count * cycles) as f64).max(0.1);
            let names = others.clone();
            let key = format!("{},n={count},cycles={cycles},ways{}", motion.name(), names.concat());
            points.push(
                Point::new(key, seconds, move |context| {
                    let seed = context.seed;
                    let make = move || made(count, motion, seed);
                    let contender = |(name, steps)| {
                        Contender::new(name, Box::new(Mr::new(MrOptions { steps, ..MrOptions::default() })))
                    };
                    let all = VARIANTS.map(contender).into_iter().chain(contenders(&names)?).collect();
                    let mut rows = raced(context, all, make, motion, cycles)?;
                    let of_others = rows.split_off(VARIANTS.len());
                    let ways = steps_between_cells(make(), motion);
                    rows.into_iter()
                        .zip(VARIANTS)
                        .map(|(row, (_, steps))| {
                            let compared = comparisons(steps, make(), motion)?;
                            let row = row.with("steps_between_cells", ways);
                            Ok(row.with("comparisons_per_body", compared as f64 / count as f64))
                        })
                        .chain(of_others.into_iter().map(Ok))
                        .collect::<Result<Vec<Row>>>()
                })
                .seeded(1),
            );
        }
    }
    points
}

/// In the order of the list: x fastest. Bodies that move a little lie anywhere in their cells, so that some of them leave these.
fn made(count: usize, motion: Motion, seed: u64) -> CellBodies {
    let bodies = CellBodies::raster(count, [1.0; 3], [2, 1, 0], seed);
    if motion == Motion::Hundredth { bodies.anywhere_in_cells() } else { bodies }
}

/// Comparisons of cells in the sort of a second detection.
fn comparisons(steps: MrSteps, mut bodies: CellBodies, motion: Motion) -> Result<u64> {
    let mut mr = Mr::new(MrOptions { steps, ..MrOptions::default() });
    mr.find_pairs(bodies.snapshot()?, &mut Pairs::new());
    bodies.advance(motion);
    mr.find_pairs(bodies.snapshot()?, &mut Pairs::new());
    Ok(mr.sort_comparisons())
}

/// How many of the 27 steps from cell to cell, none among them, some body takes between the first two detections: so many places of MR
/// sort's table walk along the list.
fn steps_between_cells(mut bodies: CellBodies, motion: Motion) -> usize {
    let lo: [f64; 3] =
        std::array::from_fn(|axis| bodies.centers.iter().map(|center| center[axis]).fold(f64::INFINITY, f64::min));
    let cells = |bodies: &CellBodies| -> Vec<[i64; 3]> {
        let cell = |center: &[f64; 3]| std::array::from_fn(|axis| (center[axis] - lo[axis]).floor() as i64);
        bodies.centers.iter().map(cell).collect()
    };
    let before = cells(&bodies);
    bodies.advance(motion);
    let step = |(old, new): (&[i64; 3], [i64; 3])| -> [i64; 3] { std::array::from_fn(|axis| new[axis] - old[axis]) };
    before.iter().zip(cells(&bodies)).map(step).collect::<HashSet<_>>().len()
}

fn draw(table: &Table) -> Figure {
    let x = || Axis::log("number of bodies N");
    let mut figure = Figure::new(
        "MR sort and MR search against quick sort and binary search",
        "packing A, one thread, processor time, median of the later detections",
    );
    for (motion, name) in MOTIONS {
        let rows = table.only("motion", motion.name());
        let mut panel = Panel::new(
            format!("all of a later detection, {name}"),
            x(),
            Axis::linear("time per body (ns)").at_least(0.0, 0.0),
        );
        for (k, variant) in rows.values("method").into_iter().enumerate() {
            let curve = per_body(&rows.only("method", &variant), "seconds");
            panel = panel.series(variant, k, Look::Curve, curve);
        }
        figure = figure.panel(panel);
    }
    let mut compared =
        Panel::new("comparisons of the sort", x(), Axis::linear("comparisons of cells per body").at_least(0.0, 0.0));
    for (k, (motion, name)) in MOTIONS.into_iter().enumerate() {
        for (variant, look, what) in [(MR, Look::Curve, "MR sort"), (QUICK_SORT, Look::Dashed, "quick sort")] {
            let rows = table.only("motion", motion.name()).only("method", variant);
            compared = compared.series(
                format!("{what}, {name}"),
                3 + k,
                look,
                rows.curve("particles", "comparisons_per_body"),
            );
        }
    }
    figure.panel(compared)
}

fn per_body(rows: &Table, column: &str) -> Vec<(f64, f64)> {
    rows.curve("particles", column).into_iter().map(|(count, time)| (count, 1e9 * time / count)).collect()
}

fn judge(table: &Table) -> Vec<Verdict> {
    let moving = |motion: Motion| table.only("motion", motion.name());
    let fastest = moving(Motion::OneCell);
    let least = least_for_time(&fastest);
    let mut verdicts = vec![linear_work(&fastest, MR), linear_time(&fastest, MR, "seconds", least)];
    for (motion, name) in MOTIONS {
        let compared =
            |variant: &str| moving(motion).only("method", variant).curve("particles", "comparisons_per_body");
        let (mr, quick) = (compared(MR), compared(QUICK_SORT));
        let end = |curve: &[(f64, f64)], last: bool| {
            let point = if last { curve.last() } else { curve.first() };
            point.map_or(f64::NAN, |point| point.1)
        };
        let growth = end(&quick, true) / end(&quick, false);
        let logs = |last: bool| {
            let point = if last { quick.last() } else { quick.first() };
            point.map_or(f64::NAN, |point| point.0.log2())
        };
        let is_flat = end(&mr, true) < 1.1 * end(&mr, false);
        let ways = moving(motion).only("method", MR).curve("particles", "steps_between_cells");
        let of_a_place = |last: bool| end(&mr, last) / (1.0 + end(&ways, last));
        // The table has 27 places, however many bodies there are.
        let is_bounded = of_a_place(true) < 1.1 * of_a_place(false);
        verdicts.push(
            Verdict::new(
                format!("{name}: comparisons of MR sort are linear, those of quick sort grow as N log N"),
                format!(
                    "{:.2} and {:.2} comparisons per body of MR sort at the smallest and largest N, {:.1} and {:.1} of quick sort: \
                     {growth:.2} times as many, while log N grows {:.2} times",
                    end(&mr, false),
                    end(&mr, true),
                    end(&quick, false),
                    end(&quick, true),
                    logs(true) / logs(false)
                ),
                is_flat && (growth / (logs(true) / logs(false)) - 1.0).abs() < 0.15,
            )
            .paper("MR sort linear, quick sort not")
            .same_trend_if((is_flat || is_bounded) && growth > 1.1)
            .because(if is_flat {
                String::new()
            } else {
                format!(
                    "each of the 27 places of MR sort's table walks along the list once, if a body takes that step: {} and {} steps occur, \
                     and comparisons for each of them and the walk itself are {:.2} and {:.2} per body",
                    end(&ways, false),
                    end(&ways, true),
                    of_a_place(false),
                    of_a_place(true)
                )
            }),
        );
        let time = |variant: &str, column: &str| moving(motion).only("method", variant).curve("particles", column);
        let total = |variant: &str| time(variant, "seconds").last().map_or(f64::NAN, |point| point.1);
        let [quick, binary] = [QUICK_SORT, BINARY].map(|variant| total(variant) / total(MR));
        verdicts.push(
            Verdict::new(
                format!("{name}: MR is the fastest of the three"),
                format!("quick sort with MR search {quick:.2} times, with binary search {binary:.2} times MR's time at the largest N"),
                quick > 1.0 && binary > quick,
            )
            .paper("MR, then quick sort with MR search, then quick sort with binary search")
            .same_trend_if(quick > 1.0 && binary > 1.0),
        );
    }
    let slopes = |variant: &str, column: &str| {
        log_slope(
            &fastest
                .only("method", variant)
                .curve("particles", column)
                .into_iter()
                .filter(|at| at.0 >= least)
                .collect::<Vec<_>>(),
        )
    };
    let (mr, binary) = (slopes(MR, "seconds_of_search"), slopes(BINARY, "seconds_of_search"));
    verdicts.push(
        Verdict::new(
            "binary search is not linear, MR search is",
            format!("time of the search grows as N^{binary:.2} and N^{mr:.2} from {least:.0} bodies on"),
            binary > mr + 0.02,
        )
        .paper("not linear")
        .same_trend_if(binary > mr),
    );
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_counted_and_distinguished() {
        let counted = |steps, motion| comparisons(steps, made(4096, motion, 1), motion).unwrap() as f64 / 4096.0;
        let rest = counted(MrSteps::MrSortAndMrSearch, Motion::None);
        let moving = counted(MrSteps::MrSortAndMrSearch, Motion::OneCell);
        let quick = counted(MrSteps::QuickSortAndMrSearch, Motion::None);
        assert!(rest == 1.0 && moving > 1.5 && quick > 8.0, "{rest} {moving} {quick}");
        let ways = |count, motion| steps_between_cells(made(count, motion, 1), motion);
        assert_eq!((ways(4096, Motion::None), ways(4096, Motion::OneCell)), (1, 27));
        let slow = [4096, 100_000].map(|count| ways(count, Motion::Hundredth));
        assert!(slow[0] >= 7 && slow[0] < slow[1] && slow[1] <= 27, "{slow:?}");
    }

    #[test]
    fn a_sort_that_grows_as_fast_as_quick_sort_differs() {
        let row = |method: &str, count: f64, compared: f64| {
            let row = Row::new().with("method", method).with("motion", "rest").with("particles", count);
            row.with("comparisons_per_body", compared).with("seconds", compared).with("steps_between_cells", 1)
        };
        let table = |mr: f64| {
            Table(vec![
                row(MR, 1024.0, 1.0),
                row(MR, 1048576.0, mr),
                row(QUICK_SORT, 1024.0, 12.0),
                row(QUICK_SORT, 1048576.0, 24.0),
            ])
        };
        let outcome = |mr: f64| judge(&table(mr))[2].is_as_printed();
        assert!(outcome(1.0) && !outcome(2.0));
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
