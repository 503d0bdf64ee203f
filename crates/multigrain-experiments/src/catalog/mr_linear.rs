//! `mr-linear`: MR against quick sort and binary search, and against the number of bodies.

use super::classics::{least_for_time, linear_time, linear_work, raced};
use crate::bodies::{CellBodies, Motion};
use crate::chart::{Axis, Figure, Look, Panel};
use crate::experiment::{Cost, Experiment, Paper, Point, Size};
use crate::race::Contender;
use crate::row::Table;
use crate::verdict::Verdict;
use multigrain_papers::{Mr, MrOptions, MrSteps};

pub const EXPERIMENT: Experiment = Experiment {
    name: "mr-linear",
    paper: Paper::Mr,
    figure: "figures 20 to 22",
    about: "Packing A: bodies one diameter apart, each coordinate moving by -1, 0 or 1 cell between detections. MR sort with MR \
            search, quick sort with MR search, and quick sort with binary search take turns; sort and search are timed apart, on \
            one thread. Candidates are the couples in the same or neighbouring cells.",
    cost: Cost { quick: "50 s", full: "3 min" },
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

fn points(size: Size) -> Vec<Point> {
    let sets: &[(usize, usize)] = size.pick(
        &[(8, 3), (16, 3)],
        &[(20, 10), (30, 8), (50, 6), (70, 4), (100, 4), (158, 3)],
        &[(20, 10), (30, 10), (40, 10), (60, 10), (80, 10), (100, 10), (120, 10), (140, 10), (171, 10)],
    );
    let point = |&(side, cycles): &(usize, usize)| {
        let count = side.pow(3);
        let seconds = 3e-6 * (count * cycles) as f64;
        Point::new(format!("n={count},cycles={cycles}"), seconds.max(0.1), move |context| {
            // In the order of the list: x fastest.
            let seed = context.seed;
            let make = move || CellBodies::raster(count, [1.0; 3], [2, 1, 0], seed);
            let contender =
                |(name, steps)| Contender::new(name, Box::new(Mr::new(MrOptions { steps, ..MrOptions::default() })));
            raced(context, VARIANTS.map(contender).into(), make, Motion::OneCell, cycles)
        })
        .seeded(1)
    };
    sets.iter().map(point).collect()
}

fn draw(table: &Table) -> Figure {
    let x = || Axis::log("number of bodies N");
    let mut total = Panel::new("all of a later detection", x(), Axis::log("time (s)"));
    let mut each = Panel::new("the same, per body", x(), Axis::linear("time per body (ns)").at_least(0.0, 0.0));
    for (k, (name, _)) in VARIANTS.into_iter().enumerate() {
        let rows = table.only("method", name);
        total = total.series(name, k, Look::Curve, rows.curve("particles", "seconds"));
        each = each.series(name, k, Look::Curve, per_body(&rows, "seconds"));
    }
    let mut parts = Panel::new("its parts, per body", x(), Axis::linear("time per body (ns)").at_least(0.0, 0.0));
    for (name, from, column, color) in [
        ("MR sort alone", MR, "seconds_of_sort", 3),
        ("MR search alone", MR, "seconds_of_search", 4),
        ("quick sort alone", QUICK_SORT, "seconds_of_sort", 5),
        ("binary search alone", BINARY, "seconds_of_search", 6),
    ] {
        parts = parts.series(name, color, Look::Curve, per_body(&table.only("method", from), column));
    }
    let setting = "packing A, bodies move by up to one cell, one thread, median of the later detections";
    Figure::new("MR sort and MR search against quick sort and binary search", setting)
        .panel(total)
        .panel(each)
        .panel(parts)
}

fn per_body(rows: &Table, column: &str) -> Vec<(f64, f64)> {
    rows.curve("particles", column).into_iter().map(|(count, time)| (count, 1e9 * time / count)).collect()
}

fn judge(table: &Table) -> Vec<Verdict> {
    let least = least_for_time(table);
    let mut verdicts = vec![linear_work(table, MR), linear_time(table, MR, "seconds", least)];
    let time = |name: &str, column: &str| table.only("method", name).curve("particles", column);
    for (claim, name, column) in [
        ("quick sort is not linear: its time over that of MR sort grows with N", QUICK_SORT, "seconds_of_sort"),
        ("binary search is not linear: its time over that of MR search grows with N", BINARY, "seconds_of_search"),
    ] {
        let ratios = time(name, column).into_iter().zip(time(MR, column)).map(|(other, mr)| (mr.0, other.1 / mr.1));
        let ratios: Vec<(f64, f64)> = ratios.collect();
        let (first, last) = (ratios.first().map_or(f64::NAN, |at| at.1), ratios.last().map_or(f64::NAN, |at| at.1));
        let measured = format!("{first:.2} times MR's at the smallest N, {last:.2} at the largest");
        verdicts.push(Verdict::new(claim, measured, last > 1.1 * first).paper("not linear").if_not(
            "a factor of log N is little over this range, and MR too waits longer for memory the more bodies there are",
        ));
    }
    let total = |name: &str| time(name, "seconds").last().map_or(f64::NAN, |point| point.1);
    verdicts.push(
        Verdict::new(
            "MR is the fastest of the three",
            format!(
                "quick sort with MR search {:.2} times, with binary search {:.2} times MR's time at the largest N",
                total(QUICK_SORT) / total(MR),
                total(BINARY) / total(MR)
            ),
            total(MR) < total(QUICK_SORT) && total(QUICK_SORT) < total(BINARY),
        )
        .paper("MR, then quick sort with MR search, then quick sort with binary search")
        .if_not("nearly all bodies change their cell in every step, which is the most that MR sort may have to mend"),
    );
    verdicts
}
