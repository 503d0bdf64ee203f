//! What the experiments with MR, MR-S, NBS and BBTS share.

use crate::bodies::{CellBodies, Motion};
use crate::chart::{Axis, Look, Panel};
use crate::choices::Choices;
use crate::error::{Result, fault};
use crate::experiment::Context;
use crate::fit::log_slope;
use crate::race::{Contender, count, race};
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::{Pairs, Snapshot};
use multigrain_methods::Method;
use multigrain_papers::{Nbs, NbsLists};

/// NBS with linked lists, as its paper has it; `nbs` copies bodies into its rows.
pub const PRINTED_NBS: &str = "nbs-printed";

/// The methods of comparison.
pub const METHODS: [&str; 5] = ["nbs", PRINTED_NBS, "mr", "mr-s", "bbts"];

/// The colour of a method, the same in all figures.
pub fn color(method: &str) -> usize {
    ["nbs", "mr", "mr-s", "bbts", "mmr", "hgrid", PRINTED_NBS].iter().position(|&known| known == method).unwrap_or(7)
}

/// Those of these methods that are chosen, or all of them; others that are chosen come behind.
pub fn chosen(choices: &Choices, usual: &[&'static str]) -> Vec<&'static str> {
    let names: Vec<String> = choices.list("methods", &[]);
    if names.is_empty() {
        return usual.to_vec();
    }
    names.iter().filter_map(|name| Method::from_name(name)).map(Method::name).collect()
}

/// Contenders of these names: methods that need not know the bodies before.
pub fn contenders(names: &[&'static str]) -> Result<Vec<Contender>> {
    let contender = |&name: &&'static str| {
        if name == PRINTED_NBS {
            return Ok(Contender::new(name, Box::new(Nbs::with_lists(NbsLists::Linked))));
        }
        let method = Method::from_name(name).ok_or_else(|| fault!("no method is called {name}"))?;
        Ok(Contender::new(name, method.build(Snapshot::new(&[], &[])?)?))
    };
    names.iter().map(contender).collect()
}

/// Lets them race on one thread on the bodies that `make` makes, and gives a row for each. Work is counted on the bodies as
/// they are made: motion thins out the surface of small systems more than that of large ones.
pub fn raced(
    context: &Context<'_>,
    mut contenders: Vec<Contender>,
    make: impl Fn() -> CellBodies + Send,
    motion: Motion,
    cycles: usize,
) -> Result<Vec<Row>> {
    let watch = context.watch;
    context.on_one_thread(move || {
        let mut bodies = make();
        race(&mut contenders, &mut bodies, motion, cycles, &|what| watch.note(&what))?;
        watch.note("counting");
        bodies = make();
        count(&mut contenders, &bodies)?;
        let row = |contender: &Contender| contender.row().with("particles", bodies.len()).with("motion", motion.name());
        Ok(contenders.iter().map(row).collect())
    })?
}

/// Cells that each of them looks up where these bodies are after as many cycles.
pub fn cells_after_motion(
    mut contenders: Vec<Contender>,
    mut bodies: CellBodies,
    motion: Motion,
    cycles: usize,
) -> Result<Vec<u64>> {
    (1..cycles).for_each(|_| bodies.advance(motion));
    let (now, mut pairs) = (bodies.snapshot()?, Pairs::new());
    Ok(contenders.iter_mut().map(|contender| contender.detector.count_work(now, &mut pairs).cells).collect())
}

/// Time of a detection per body against the number of bodies, or whatever is in `x`.
pub fn time_panel(caption: &str, table: &Table, methods: &[&str], x: (&str, Axis), column: &str) -> Panel {
    let mut panel = Panel::new(caption, x.1, Axis::log("time per detection and body (ns)"));
    for method in methods {
        let rows = table.only("method", method);
        let points = rows.0.iter().map(|row| (row.number(x.0), 1e9 * row.number(column) / row.number("particles")));
        let mut points: Vec<_> = points.filter(|point| point.1.is_finite()).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        panel = panel.series(*method, color(method), Look::Curve, points);
    }
    panel
}

/// A body's own cell, and half of its neighbours.
const CELLS_OF_MASK: f64 = 14.0;

/// Counted work is linear in the number of bodies.
pub fn linear_work(table: &Table, method: &str) -> Verdict {
    let rows = table.only("method", method);
    let slope = log_slope(&rows.curve("particles", "work"));
    let cells: Vec<f64> = rows.curve("particles", "cells").iter().map(|(count, cells)| cells / count).collect();
    let end = |cells: Option<&f64>| cells.copied().unwrap_or(f64::NAN);
    Verdict::new(
        format!("{method}: work is linear in the number of bodies"),
        format!("counted work grows as N^{slope:.3}"),
        (slope - 1.0).abs() < 0.02,
    )
    .paper("linear")
    // Work per body that comes to an end is linear: the most that a mask has to look at is what it comes to.
    .same_trend_if((slope - 1.0).abs() < 0.1 && end(cells.last()) <= CELLS_OF_MASK)
    .because(format!(
        "cells looked up per body grow from {:.2} to {:.2}, of {CELLS_OF_MASK} that there are: rows of cells without bodies are left out, \
         and small systems have many of them",
        end(cells.first()),
        end(cells.last())
    ))
}

/// Time of a later detection is linear in the number of bodies, from `least` bodies on.
pub fn linear_time(table: &Table, method: &str, column: &str, least: f64) -> Verdict {
    let all = table.only("method", method).curve("particles", column);
    let curve: Vec<_> = all.iter().copied().filter(|point| point.0 >= least).collect();
    let slope = log_slope(&curve);
    let work = log_slope(&table.only("method", method).curve("particles", "work"));
    let largest = curve.last().map_or(f64::NAN, |point| point.0);
    Verdict::new(
        format!("{method}: time is linear in the number of bodies"),
        format!("N^{slope:.2} from {least:.0} to {largest:.0} bodies"),
        (slope - 1.0).abs() < 0.05,
    )
    .paper("linear")
    .same_trend_if((slope - 1.0).abs() < 0.10)
    .because(format!(
        "counted work of the same points grows as N^{work:.3}: what grows is the time of a test or a cell"
    ))
}

/// From how many bodies on time is judged: those in no cache; in small runs those there are.
pub fn least_for_time(table: &Table) -> f64 {
    let counts: Vec<f64> = table.curve("particles", "particles").into_iter().map(|point| point.0).collect();
    let largest = counts.last().copied().unwrap_or(f64::NAN);
    if largest > 2e6 { 1e6 } else { largest / 10.0 }
}

/// The methods by time at the largest `x`, fastest first, with their times over the fastest.
pub fn ranking(table: &Table, x: &str, column: &str) -> Vec<(String, f64)> {
    let largest = table.having(column).curve(x, x).last().map_or(f64::NAN, |point| point.0);
    let rows = table.only(x, largest);
    let mut ranking: Vec<(String, f64)> =
        rows.0.iter().map(|row| (row.text("method").to_owned(), row.number(column))).collect();
    ranking.sort_by(|a, b| a.1.total_cmp(&b.1));
    let first = ranking.first().map_or(f64::NAN, |entry| entry.1);
    ranking.iter_mut().for_each(|entry| entry.1 /= first);
    ranking
}

/// A ranking in words.
pub fn in_words(ranking: &[(String, f64)]) -> String {
    ranking.iter().map(|(name, ratio)| format!("{name} {ratio:.2}")).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Outcome;

    fn made_up(power: f64) -> Table {
        let row = |count: f64| {
            let time = 1e-7 * count.powf(power);
            Row::new().with("method", "mr").with("particles", count).with("work", 14.0 * count).with("seconds", time)
        };
        Table([1e3, 1e4, 1e5, 1e6].map(row).to_vec())
    }

    #[test]
    fn linear_is_linear_and_nothing_else_is() {
        assert!(linear_work(&made_up(1.5), "mr").is_as_printed() && !linear_work(&made_up(1.0), "nbs").is_as_printed());
        assert!(linear_time(&made_up(1.02), "mr", "seconds", 1e5).is_as_printed());
        let steep = linear_time(&made_up(1.08), "mr", "seconds", 1e5);
        assert!(steep.outcome == Outcome::SameTrend && steep.note.contains("N^1.000"), "{steep:?}");
        assert_eq!(linear_time(&made_up(1.2), "mr", "seconds", 1e5).outcome, Outcome::Differs);
        assert_eq!(least_for_time(&made_up(1.0)), 1e5);
    }

    #[test]
    fn rankings_are_by_time_at_the_largest() {
        let row = |name: &str, time: f64| Row::new().with("method", name).with("particles", 10).with("seconds", time);
        let ranking = ranking(&Table(vec![row("bbts", 6.0), row("nbs", 2.0)]), "particles", "seconds");
        assert_eq!(in_words(&ranking), "nbs 1.00, bbts 3.00");
    }
}
