//! `compare-1`, `compare-2` and `compare-3`: NBS, MR, MR-S and BBTS on rasters, at low density, and in random cells.

use super::classics::{
    METHODS, contenders, in_words, least_for_time, linear_time, linear_work, raced, ranking, time_panel,
};
use crate::bodies::{CellBodies, Motion};
use crate::chart::{Axis, Figure};
use crate::experiment::{Cost, Experiment, Paper, Point, Size};
use crate::row::Table;
use crate::verdict::Verdict;

pub const ONE: Experiment = Experiment {
    name: "compare-1",
    paper: Paper::Comparison,
    figure: "experiment I, figures 13 and 14",
    about: "A cuboid raster of bodies one diameter apart, entered with x slowest and z fastest, each coordinate moving by -1, 0 or 1 \
            cell between detections (the printed formula gives no motion at all; a run at rest is beside it). All methods take \
            turns, on one thread; the tree goes to 10,000,000 bodies, the others to the paper's 120,000,000, in the full run.",
    cost: Cost { quick: "50 s", full: "30 min" },
    points: points_of_one,
    draw: draw_one,
    judge: judge_one,
};

pub const TWO: Experiment = Experiment {
    name: "compare-2",
    paper: Paper::Comparison,
    figure: "experiment II, figures 16 and 17",
    about: "Bodies s diameters apart along all axes, down to 1/8,000,000 of the density at s = 1, each coordinate moving by -1, 0 or \
            1 cell between detections. All methods take turns, on one thread.",
    cost: Cost { quick: "40 s", full: "5 min" },
    points: points_of_two,
    draw: draw_two,
    judge: judge_two,
};

pub const THREE: Experiment = Experiment {
    name: "compare-3",
    paper: Paper::Comparison,
    figure: "experiment III, figures 19 and 20",
    about: "Bodies in random cells of a cube with a side of 3 N^(1/3) cells, in random order, each coordinate moving by -1, 0 or 1 \
            cell between detections. All methods take turns, on one thread.",
    cost: Cost { quick: "40 s", full: "15 min" },
    points: points_of_three,
    draw: draw_three,
    judge: judge_three,
};

/// The methods that are linear.
const LINEAR: [&str; 3] = ["nbs", "mr", "mr-s"];

/// The tree is left out of larger systems.
fn most_in_tree(size: Size) -> usize {
    size.pick(1_000_000, 1_000_000, 10_000_000)
}

/// A point on bodies made from their number and seed.
fn point(size: Size, count: usize, motion: Motion, cycles: usize, make: fn(usize, u64) -> CellBodies) -> Point {
    let methods: &[&str] = if count > most_in_tree(size) { &LINEAR } else { &METHODS };
    let each = if methods.len() > 3 { 5e-6 } else { 2.2e-6 };
    let key = format!("n={count},{},cycles={cycles}", motion.name());
    Point::new(key, each * (count * cycles) as f64 + 0.01, move |context| {
        let seed = context.seed;
        raced(context, contenders(methods)?, move || make(count, seed), motion, cycles)
    })
    .seeded(1)
}

fn points_of_one(size: Size) -> Vec<Point> {
    let make: fn(usize, u64) -> CellBodies = |count, seed| CellBodies::raster(count, [1.0; 3], [0, 1, 2], seed);
    let sets: &[(usize, usize)] = size.pick(
        &[(512, 3), (4096, 3)],
        &[(8_000, 10), (64_000, 8), (250_047, 5), (1_000_000, 4), (3_944_312, 3)],
        &[
            (10_648, 10),
            (103_823, 10),
            (1_000_000, 10),
            (3_048_625, 10),
            (9_938_375, 10),
            (30_080_231, 10),
            (120_000_000, 4),
        ],
    );
    let at_rest = size.pick((512, 3), (250_047, 4), (1_000_000, 10));
    let moving = sets.iter().map(|&(count, cycles)| point(size, count, Motion::OneCell, cycles, make));
    moving.chain([point(size, at_rest.0, Motion::None, at_rest.1, make)]).collect()
}

fn points_of_two(size: Size) -> Vec<Point> {
    let count: usize = size.pick(1000, 125_000, 1_000_000);
    let cycles = size.pick(3, 8, 10);
    let spacings: &[f64] =
        size.pick(&[1.0, 200.0], &[1.0, 2.0, 5.0, 20.0, 200.0], &[1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0]);
    let point = |&spacing: &f64| {
        Point::new(format!("n={count},s={spacing},cycles={cycles}"), 4e-6 * (count * cycles) as f64, move |context| {
            let seed = context.seed;
            let make = move || CellBodies::raster(count, [spacing; 3], [0, 1, 2], seed);
            let rows = raced(context, contenders(&METHODS)?, make, Motion::OneCell, cycles)?;
            Ok(rows.into_iter().map(|row| row.with("s", spacing).with("density", spacing.powi(-3))).collect())
        })
        .seeded(1)
    };
    spacings.iter().map(point).collect()
}

fn points_of_three(size: Size) -> Vec<Point> {
    let sets: &[(usize, usize)] = size.pick(
        &[(500, 3), (4000, 3)],
        &[(10_000, 10), (64_000, 8), (250_000, 5), (1_000_000, 4), (4_000_000, 3)],
        &[(10_000, 10), (100_000, 10), (1_000_000, 10), (3_162_278, 10), (10_000_000, 8), (31_622_777, 6)],
    );
    sets.iter().map(|&(count, cycles)| point(size, count, Motion::OneCell, cycles, CellBodies::random_cells)).collect()
}

const SETTING: &str = "median time of later detections, one thread, all methods take turns";

/// Sort and search of every method, and of BBTS alone, against the number of bodies.
fn against_count(title: &str, table: &Table) -> Figure {
    let moving = table.only("motion", Motion::OneCell.name());
    let x = || ("particles", Axis::log("number of bodies N"));
    Figure::new(title, SETTING)
        .panel(time_panel("sort and search", &moving, &METHODS, x(), "seconds"))
        .panel(time_panel("sort (load) alone", &moving, &METHODS, x(), "seconds_of_sort"))
        .panel(time_panel("search alone", &moving, &METHODS, x(), "seconds_of_search"))
}

fn draw_one(table: &Table) -> Figure {
    against_count("Experiment I: a raster of bodies", table)
}

fn draw_two(table: &Table) -> Figure {
    let x = || ("s", Axis::log("spacing s (diameters)"));
    Figure::new("Experiment II: low densities", SETTING)
        .panel(time_panel("all methods", table, &METHODS, x(), "seconds"))
        .panel(time_panel("NBS, MR and MR-S", table, &LINEAR, x(), "seconds"))
}

fn draw_three(table: &Table) -> Figure {
    against_count("Experiment III: bodies in random cells", table)
}

fn linear(table: &Table) -> Vec<Verdict> {
    let least = least_for_time(table);
    let each = |method| [linear_work(table, method), linear_time(table, method, "seconds", least)];
    LINEAR.into_iter().flat_map(each).collect()
}

/// Who is first, in words of the paper, and who is last.
fn first_and_last(table: &Table, first: &[&str], named: &str) -> [Verdict; 2] {
    // The largest number of bodies that all methods have seen.
    let largest = table.only("method", "bbts").curve("particles", "particles").last().map_or(f64::NAN, |point| point.0);
    let ranking = ranking(&table.only("particles", largest), "particles", "seconds");
    let is =
        |entry: Option<&(String, f64)>, names: &[&str]| entry.is_some_and(|(name, _)| names.contains(&name.as_str()));
    let measured = format!("time over the fastest: {} ({largest:.0} bodies)", in_words(&ranking));
    [
        Verdict::new(format!("{named} fastest"), &measured, is(ranking.first(), first)).paper(format!("{named} fastest")).if_not(
            "every method here has its cells in order in memory and no objects behind pointers, so that what is left is the \
             number of passes over the bodies and how they meet the caches",
        ),
        Verdict::new("BBTS is slowest", measured, is(ranking.last(), &["bbts"])).paper("BBTS slowest"),
    ]
}

/// The tree takes log N comparisons for each body.
fn tree_is_not_linear(table: &Table) -> Verdict {
    let curve = table.only("method", "bbts").curve("particles", "seconds");
    let each = |point: Option<&(f64, f64)>| point.map_or(f64::NAN, |point| 1e9 * point.1 / point.0);
    let (first, last) = (each(curve.first()), each(curve.last()));
    Verdict::new(
        "BBTS takes longer per body the more there are",
        format!("{first:.0} ns per body at the smallest N, {last:.0} at the largest"),
        last > first,
    )
    .paper("fitted by a N log N")
}

fn judge_one(table: &Table) -> Vec<Verdict> {
    let rest = table.only("motion", Motion::None.name());
    let table = table.only("motion", Motion::OneCell.name());
    let mut verdicts = linear(&table);
    verdicts.extend(first_and_last(&table, &["nbs"], "NBS"));
    verdicts.push(tree_is_not_linear(&table));
    let ranking = ranking(&rest, "particles", "seconds");
    let first = ranking.first().map_or("", |entry| entry.0.as_str());
    verdicts.push(
        Verdict::new(
            "at rest: NBS is fastest",
            format!("time over the fastest: {}", in_words(&ranking)),
            first == "nbs",
        )
        .paper("NBS fastest; by the printed formula bodies do not move")
        .if_not("at rest MR and MR-S have nothing to mend, while NBS builds all its lists again"),
    );
    verdicts
}

fn judge_two(table: &Table) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = METHODS
        .iter()
        .map(|method| {
            let rows = table.only("method", method);
            let ratio = rows.at("s", 200, "seconds") / rows.at("s", 1, "seconds");
            Verdict::new(
                format!("{method}: time does not grow as density falls to 1/8,000,000"),
                format!("{ratio:.2} times that at the highest density"),
                ratio <= 1.3,
            )
            .paper("independent of density")
            .if_not(
                "the fewer bodies share cells, the more cells are in use: a tree of them is deeper and meets more of the \
                 memory",
            )
        })
        .collect();
    let dense = ranking(&table.only("s", 1), "s", "seconds");
    let sparse = ranking(&table.only("s", 200), "s", "seconds");
    let is_first = |ranking: &[(String, f64)]| ranking.first().is_some_and(|entry| entry.0 == "nbs");
    verdicts.push(
        Verdict::new(
            "NBS is fastest at every density",
            format!("time over the fastest: {} at s = 1; {} at s = 200", in_words(&dense), in_words(&sparse)),
            is_first(&dense) && is_first(&sparse),
        )
        .paper("NBS fastest")
        .if_not("where cells are full, the search decides, and there all linear methods do the same tests"),
    );
    verdicts
}

fn judge_three(table: &Table) -> Vec<Verdict> {
    let mut verdicts = linear(table);
    verdicts.extend(first_and_last(table, &["mr", "mr-s"], "MR or MR-S"));
    verdicts.push(tree_is_not_linear(table));
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Row;

    #[test]
    fn another_winner_or_loser_is_told() {
        let row = |method: &str, time: f64| {
            let row = Row::new().with("method", method).with("particles", 100).with("motion", "motion");
            row.with("seconds", time).with("work", 100)
        };
        let table = Table(vec![row("nbs", 2.0), row("mr", 1.0), row("mr-s", 3.0), row("bbts", 9.0)]);
        let [first, last] = first_and_last(&table, &["nbs"], "NBS");
        assert!(!first.holds && last.holds && first.measured.contains("mr 1.00, nbs 2.00"), "{first:?}");
        assert!(first_and_last(&table, &["mr", "mr-s"], "MR or MR-S")[0].holds);
        assert!(judge_one(&Table::default()).iter().all(|verdict| !verdict.holds));
        assert!(judge_two(&Table::default()).iter().all(|verdict| !verdict.holds));
    }
}
