//! `compare-1`, `compare-2` and `compare-3`: NBS, MR, MR-S and BBTS on rasters, at low density, and in random cells.

use super::classics::{
    METHODS, PRINTED_NBS, cells_after_motion, chosen, contenders, in_words, least_for_time, linear_time, linear_work,
    raced, ranking, time_panel,
};
use crate::bodies::{CellBodies, Motion};
use crate::chart::{Axis, Figure};
use crate::choices::Choices;
use crate::experiment::{Cost, Experiment, Paper, Point};
use crate::fit::log_slope;
use crate::row::{Row, Table};
use crate::verdict::Verdict;

pub const ONE: Experiment = Experiment {
    name: "compare-1",
    paper: Paper::Comparison,
    figure: "experiment I, figures 13 and 14",
    about: "A cuboid raster of bodies one diameter apart, entered with x slowest and z fastest, each coordinate moving by -1, 0 or 1 \
            cell between detections (the printed formula gives no motion at all; a run at rest is beside it). All methods take \
            turns, on one thread, in processor time; NBS both as printed and with its bodies copied; the tree goes to 10,000,000 bodies, the others to 30,080,231, in the full run; --set n=120000000 measures the paper's largest, in 16 GB.",
    cost: Cost { quick: "50 s", full: "10 min" },
    parameters: &["n", "methods"],
    points: points_of_one,
    draw: draw_one,
    judge: judge_one,
};

pub const TWO: Experiment = Experiment {
    name: "compare-2",
    paper: Paper::Comparison,
    figure: "experiment II, figures 16 and 17",
    about: "Bodies s diameters apart along all axes, down to 1/8,000,000 of the density at s = 1, each coordinate moving by -1, 0 or \
            1 cell between detections. All methods take turns, on one thread, in processor time.",
    cost: Cost { quick: "40 s", full: "4 min" },
    parameters: &["n", "methods"],
    points: points_of_two,
    draw: draw_two,
    judge: judge_two,
};

pub const THREE: Experiment = Experiment {
    name: "compare-3",
    paper: Paper::Comparison,
    figure: "experiment III, figures 19 and 20",
    about: "Bodies in random cells of a cube with a side of 3 N^(1/3) cells, in random order, each coordinate moving by -1, 0 or 1 \
            cell between detections. All methods take turns, on one thread, in processor time.",
    cost: Cost { quick: "40 s", full: "8 min" },
    parameters: &["n", "methods"],
    points: points_of_three,
    draw: draw_three,
    judge: judge_three,
};

/// The methods that are linear.
const LINEAR: [&str; 4] = ["nbs", PRINTED_NBS, "mr", "mr-s"];

/// The tree is left out of larger systems.
fn most_in_tree(size: &Choices) -> usize {
    size.pick(1_000_000, 1_000_000, 10_000_000)
}

/// A point on bodies made from their number and seed.
fn point(size: &Choices, count: usize, motion: Motion, cycles: usize, make: fn(usize, u64) -> CellBodies) -> Point {
    let methods = chosen(size, if count > most_in_tree(size) { &LINEAR } else { &METHODS });
    let each = if methods.len() > 4 { 7e-6 } else { 2.5e-6 };
    let key = format!("n={count},{},cycles={cycles},{}", motion.name(), methods.join(","));
    Point::new(key, each * (count * cycles) as f64 + 0.01, move |context| {
        let seed = context.seed;
        raced(context, contenders(&methods)?, move || make(count, seed), motion, cycles)
    })
    .seeded(1)
}

/// The numbers of bodies that are chosen, or the usual ones, each with its cycles.
fn with_counts(choices: &Choices, usual: &[(usize, usize)]) -> Vec<(usize, usize)> {
    match choices.list("n", &[]) {
        chosen if chosen.is_empty() => usual.to_vec(),
        chosen => chosen.into_iter().map(|count| (count, choices.pick(3, 4, 10))).collect(),
    }
}

fn points_of_one(size: &Choices) -> Vec<Point> {
    let make: fn(usize, u64) -> CellBodies = |count, seed| CellBodies::raster(count, [1.0; 3], [0, 1, 2], seed);
    let sets: &[(usize, usize)] = size.pick(
        &[(512, 3), (4096, 3)],
        &[(8_000, 10), (64_000, 6), (250_047, 4), (1_000_000, 3)],
        &[(10_648, 10), (103_823, 10), (1_000_000, 6), (3_048_625, 4), (9_938_375, 3), (30_080_231, 3)],
    );
    let at_rest = size.pick((512, 3), (250_047, 4), (1_000_000, 6));
    let moving = with_counts(size, sets).into_iter();
    let moving = moving.map(|(count, cycles)| point(size, count, Motion::OneCell, cycles, make));
    moving.chain([point(size, at_rest.0, Motion::None, at_rest.1, make)]).collect()
}

fn points_of_two(size: &Choices) -> Vec<Point> {
    let count: usize = size.one("n", size.pick(1000, 125_000, 1_000_000));
    let cycles = size.pick(3, 6, 5);
    let methods = chosen(size, &METHODS);
    let spacings: &[f64] =
        size.pick(&[1.0, 200.0], &[1.0, 2.0, 5.0, 20.0, 200.0], &[1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0]);
    let point = |&spacing: &f64| {
        let (key, methods) =
            (format!("n={count},s={spacing},cycles={cycles},moved,{}", methods.join(",")), methods.clone());
        Point::new(key, 5e-6 * (count * cycles) as f64, move |context| {
            let seed = context.seed;
            let make = move || CellBodies::raster(count, [spacing; 3], [0, 1, 2], seed);
            let rows = raced(context, contenders(&methods)?, make, Motion::OneCell, cycles)?;
            let cells = cells_after_motion(contenders(&methods)?, make(), Motion::OneCell, cycles)?;
            let named = |(row, cells): (Row, u64)| row.with("cells_after_motion", cells).with("s", spacing);
            Ok(rows.into_iter().zip(cells).map(named).map(|row| row.with("density", spacing.powi(-3))).collect())
        })
        .seeded(1)
    };
    spacings.iter().map(point).collect()
}

fn points_of_three(size: &Choices) -> Vec<Point> {
    let sets: &[(usize, usize)] = size.pick(
        &[(500, 3), (4000, 3)],
        &[(10_000, 10), (64_000, 6), (250_000, 4), (1_000_000, 3)],
        &[(10_000, 10), (100_000, 10), (1_000_000, 6), (3_162_278, 4), (10_000_000, 3)],
    );
    let point = |(count, cycles)| point(size, count, Motion::OneCell, cycles, CellBodies::random_cells);
    with_counts(size, sets).into_iter().map(point).collect()
}

const SETTING: &str =
    "median processor time of later detections, one thread, all methods take turns; nbs-printed: lists as printed";

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
    let each = |method| {
        let verdicts = [linear_work(table, method), linear_time(table, method, "seconds", least)];
        // NBS with copies is ours.
        if method == "nbs" { verdicts.map(Verdict::of_ours) } else { verdicts }
    };
    LINEAR.into_iter().flat_map(each).collect()
}

/// Who is first, in words of the paper, and who is last: with NBS as printed, and beside it with that of ours.
fn first_and_last(table: &Table, first: &[&str], named: &str) -> Vec<Verdict> {
    // The largest number of bodies that all methods have seen.
    let largest = table.only("method", "bbts").curve("particles", "particles").last().map_or(f64::NAN, |point| point.0);
    let all = ranking(&table.only("particles", largest), "particles", "seconds");
    let printed: Vec<_> = all.iter().filter(|entry| entry.0 != "nbs").cloned().collect();
    let printed = over_first(printed);
    let is =
        |entry: Option<&(String, f64)>, names: &[&str]| entry.is_some_and(|(name, _)| names.contains(&name.as_str()));
    let measured = format!("time over the fastest: {} ({largest:.0} bodies)", in_words(&printed));
    let factor = |name: &str| all.iter().find(|entry| entry.0 == name).map_or(f64::NAN, |entry| entry.1);
    vec![
        Verdict::new(format!("{named} fastest"), &measured, is(printed.first(), first))
            .paper(format!("{named} fastest"))
            .because(format!(
                "of the time of nbs-printed, {:.0} % is search; MR waits for its bodies one by one too: with bodies copied into the \
                 order of cells, nbs takes {:.2} times the time of nbs-printed",
                100.0 * share_of_search(table, largest, PRINTED_NBS),
                factor("nbs") / factor(PRINTED_NBS)
            )),
        Verdict::new("BBTS is slowest", measured, is(printed.last(), &["bbts"])).paper("BBTS slowest"),
        Verdict::beyond(
            "the same with NBS that copies bodies",
            format!("time over the fastest: {} ({largest:.0} bodies)", in_words(&all)),
        ),
    ]
}

/// A ranking over its first.
fn over_first(mut ranking: Vec<(String, f64)>) -> Vec<(String, f64)> {
    let first = ranking.first().map_or(f64::NAN, |entry| entry.1);
    ranking.iter_mut().for_each(|entry| entry.1 /= first);
    ranking
}

fn share_of_search(table: &Table, particles: f64, method: &str) -> f64 {
    let rows = table.only("particles", particles);
    rows.at("method", method, "seconds_of_search") / rows.at("method", method, "seconds")
}

/// The tree takes log N comparisons for each body: its time against a N log N, load and search apart.
fn tree_is_not_linear(table: &Table) -> Vec<Verdict> {
    let rows = table.only("method", "bbts");
    let of = |what: &str, column: &str| {
        let curve = rows.curve("particles", column);
        let (off, factor) = off_n_log_n(&curve);
        let slope = log_slope(&curve);
        let each = |point: Option<&(f64, f64)>| point.map_or(f64::NAN, |point| point.1 / point.0);
        let grows = each(curve.last()) > each(curve.first());
        Verdict::new(
            format!("BBTS: time of {what} is fitted by a N log N"),
            format!("a = {:.1} ns, every point within {:.0} %; time grows as N^{slope:.2}", 1e9 * factor, 100.0 * off),
            off < 0.15,
        )
        .paper("fitted by a N log N")
        .same_trend_if(grows)
    };
    vec![of("load", "seconds_of_sort"), of("search", "seconds_of_search")]
}

/// How far points are off the best a N log2 N at most, as a share, and a.
fn off_n_log_n(curve: &[(f64, f64)]) -> (f64, f64) {
    let ratios: Vec<f64> = curve.iter().map(|(count, time)| time / (count * count.log2())).collect();
    // In equal shares above and below.
    let (low, high) =
        ratios.iter().fold((f64::INFINITY, 0.0f64), |(low, high), &ratio| (low.min(ratio), high.max(ratio)));
    if ratios.len() < 2 {
        return (f64::NAN, f64::NAN);
    }
    ((high / low).sqrt() - 1.0, (high * low).sqrt())
}

fn judge_one(table: &Table) -> Vec<Verdict> {
    let rest = table.only("motion", Motion::None.name());
    let table = table.only("motion", Motion::OneCell.name());
    let mut verdicts = linear(&table);
    verdicts.extend(first_and_last(&table, &[PRINTED_NBS], "NBS"));
    verdicts.extend(tree_is_not_linear(&table));
    let all = ranking(&rest, "particles", "seconds");
    let printed = over_first(all.iter().filter(|entry| entry.0 != "nbs").cloned().collect());
    let mended = |method: &str| rest.at("method", method, "seconds_of_sort") / rest.at("method", method, "particles");
    verdicts.push(
        Verdict::new(
            "at rest: NBS is fastest",
            format!("time over the fastest: {}", in_words(&printed)),
            printed.first().is_some_and(|entry| entry.0 == PRINTED_NBS),
        )
        .paper("NBS fastest; by the printed formula bodies do not move")
        .because(format!(
            "at rest MR has nothing to mend: its sort takes {:.0} ns per body, and {:.0} where bodies move",
            1e9 * mended("mr"),
            1e9 * table.at("method", "mr", "seconds_of_sort") / table.at("method", "mr", "particles")
        )),
    );
    verdicts
}

fn judge_two(table: &Table) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = table
        .values("method")
        .iter()
        .map(|method| {
            let rows = table.only("method", method);
            let of = |column: &str| rows.at("s", 200, column) / rows.at("s", 1, column);
            let (ratio, couples) = (of("seconds"), of("candidates"));
            let verdict = Verdict::new(
                format!("{method}: time does not depend on density, down to 1/8,000,000"),
                format!("{ratio:.2} times that at the highest density (couples tested {couples:.2}; tolerance 15 %, ours)"),
                (0.87..=1.15).contains(&ratio),
            )
            .paper("independent of density")
            .same_trend_if(ratio < 0.87)
            .because(if ratio < 1.0 {
                format!("it falls: fewer couples share neighbouring cells and are tested, {couples:.2} times as many")
            } else {
                let each = |s: f64| rows.at("s", s, "cells_after_motion") / rows.at("s", s, "particles");
                let look_up = |s: f64| 1e9 * rows.at("s", s, "seconds_of_search") / rows.at("s", s, "cells_after_motion");
                format!(
                    "where bodies have moved they share cells at s = 1, and each cell looks up its neighbours once: {:.1} look-ups per body \
                     at s = 1, {:.1} at s = 200; of search one takes {:.0} and {:.0} ns",
                    each(1.0),
                    each(200.0),
                    look_up(1.0),
                    look_up(200.0)
                )
            });
            if method == "nbs" { verdict.of_ours() } else { verdict }
        })
        .collect();
    let ranked = |s: f64| {
        let all = ranking(&table.only("s", s), "s", "seconds");
        over_first(all.into_iter().filter(|entry| entry.0 != "nbs").collect())
    };
    let (dense, sparse) = (ranked(1.0), ranked(200.0));
    let is_first = |ranking: &[(String, f64)]| ranking.first().is_some_and(|entry| entry.0 == PRINTED_NBS);
    let sort = |method: &str| {
        let rows = table.only("method", method);
        1e9 * rows.at("s", 1, "seconds_of_sort") / rows.at("s", 1, "particles")
    };
    verdicts.push(
        Verdict::new(
            "NBS is fastest at every density",
            format!("time over the fastest: {} at s = 1; {} at s = 200", in_words(&dense), in_words(&sparse)),
            is_first(&dense) && is_first(&sparse),
        )
        .paper("NBS fastest")
        .same_trend_if(is_first(&dense) || is_first(&sparse))
        .because(format!(
            "parts at s = 1: sort of nbs-printed {:.0} ns per body, of mr {:.0}, of mr-s {:.0}; the rest is search",
            sort(PRINTED_NBS),
            sort("mr"),
            sort("mr-s")
        )),
    );
    verdicts
}

fn judge_three(table: &Table) -> Vec<Verdict> {
    let mut verdicts = linear(table);
    verdicts.extend(first_and_last(table, &["mr", "mr-s"], "MR or MR-S"));
    verdicts.extend(tree_is_not_linear(table));
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_winner_or_loser_is_reported() {
        let row = |method: &str, time: f64| {
            let row = Row::new().with("method", method).with("particles", 100).with("motion", "motion");
            row.with("seconds", time).with("work", 100)
        };
        let table =
            Table(vec![row(PRINTED_NBS, 2.0), row("nbs", 0.5), row("mr", 1.0), row("mr-s", 3.0), row("bbts", 9.0)]);
        let verdicts = first_and_last(&table, &[PRINTED_NBS], "NBS");
        assert!(!verdicts[0].is_as_printed() && verdicts[1].is_as_printed(), "{verdicts:?}");
        assert!(verdicts[0].measured.contains("mr 1.00, nbs-printed 2.00"), "{verdicts:?}");
        assert!(first_and_last(&table, &["mr", "mr-s"], "MR or MR-S")[0].is_as_printed());
        assert!(judge_one(&Table::default()).iter().all(|verdict| !verdict.is_as_printed()));
        assert!(judge_two(&Table::default()).iter().all(|verdict| !verdict.is_as_printed()));
    }

    #[test]
    fn our_own_nbs_is_no_claim_of_a_paper() {
        let row = |method: &str, count: f64| {
            let row = Row::new().with("method", method).with("particles", count).with("motion", "motion");
            row.with("seconds", count)
                .with("work", count)
                .with("cells", count)
                .with("s", if count > 1e4 { 200 } else { 1 })
        };
        let rows = METHODS.into_iter().flat_map(|method| [1e3, 1e4, 1e5].map(|count| row(method, count)));
        let table = Table(rows.collect());
        for verdict in [judge_one(&table), judge_two(&table), judge_three(&table)].concat() {
            let is_of_ours = verdict.claim.starts_with("nbs:");
            assert!(!is_of_ours || !verdict.is_of_paper(), "{verdict:?}");
            assert!(!verdict.claim.starts_with("nbs-printed:") || verdict.is_of_paper(), "{verdict:?}");
        }
    }

    #[test]
    fn n_log_n_is_distinguished_from_other_growth() {
        let curve = |time: fn(f64) -> f64| [1e3, 1e4, 1e5, 1e6].map(|count| (count, time(count))).to_vec();
        assert!(off_n_log_n(&curve(|count| 3e-9 * count * count.log2())).0 < 1e-9);
        assert!(off_n_log_n(&curve(|count| 1e-9 * count.powf(1.5))).0 > 0.5);
    }
}
