//! `compare-4`: all bodies in one cell.

use super::classics::{METHODS, color, contenders};
use crate::bodies::CellBodies;
use crate::chart::{Axis, Figure, Look, Panel};
use crate::experiment::{Cost, Experiment, Paper, Point, Size};
use crate::fit::{log_slope, median};
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::Pairs;
use std::time::Instant;

pub const EXPERIMENT: Experiment = Experiment {
    name: "compare-4",
    paper: Paper::Comparison,
    figure: "experiment IV, figure 21",
    about: "All bodies in one cell: every couple is a candidate, and a contact. All methods take turns, on one thread; contacts are \
            visited, not listed.",
    cost: Cost { quick: "10 s", full: "1 min" },
    points,
    draw,
    judge,
};

fn points(size: Size) -> Vec<Point> {
    let counts: &[usize] =
        size.pick(&[100, 200], &[1500, 2250, 3300, 5000, 7000], &[1000, 2000, 4000, 7000, 12_000, 20_000]);
    let rounds = size.pick(1, 5, 5);
    let point = |&count: &usize| {
        let seconds = 8e-9 * (count * count * rounds) as f64;
        Point::new(format!("n={count},rounds={rounds}"), seconds.max(0.05), move |context| {
            let bodies = CellBodies::in_one_cell(count);
            let mut contenders = contenders(&METHODS)?;
            context.on_one_thread(move || {
                let now = bodies.snapshot()?;
                let mut seconds = vec![Vec::new(); METHODS.len()];
                let mut contacts = vec![0u64; METHODS.len()];
                for round in 0..rounds {
                    for turn in 0..METHODS.len() {
                        let k = (turn + round) % METHODS.len();
                        let mut visited = 0u64;
                        let start = Instant::now();
                        contenders[k].detector.visit_pairs(now, &mut |_| visited += 1);
                        seconds[k].push(start.elapsed().as_secs_f64());
                        contacts[k] = visited;
                    }
                }
                let mut rows = Vec::new();
                for (k, contender) in contenders.iter_mut().enumerate() {
                    let work = contender.detector.count_work(now, &mut Pairs::new());
                    let row = Row::new().with("method", METHODS[k]).with("particles", count);
                    let row = row.with("rounds", rounds).with("seconds", median(&seconds[k]));
                    rows.push(
                        row.with("candidates", work.candidates).with("cells", work.cells).with("contacts", contacts[k]),
                    );
                }
                Ok(rows)
            })?
        })
    };
    counts.iter().map(point).collect()
}

fn draw(table: &Table) -> Figure {
    let mut panel =
        Panel::new("all bodies in one cell", Axis::log("number of bodies N"), Axis::log("time per detection (s)"));
    for method in METHODS {
        panel = panel.series(
            method,
            color(method),
            Look::Curve,
            table.only("method", method).curve("particles", "seconds"),
        );
    }
    let longest = table.curve("particles", "seconds");
    let quadratic = longest.last().map_or_else(Vec::new, |&(most, time)| {
        longest.iter().map(|&(count, _)| (count, time * (count / most).powi(2))).collect()
    });
    panel = panel.series("N^2", 4, Look::Dashed, quadratic);
    Figure::new(
        "Experiment IV: all bodies in one cell",
        "median time of a detection, one thread, all methods take turns",
    )
    .panel(panel)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let mut verdicts: Vec<Verdict> = METHODS
        .iter()
        .map(|method| {
            let rows = table.only("method", method);
            let couples = rows.curve("particles", "candidates");
            let exact = couples.iter().all(|&(count, candidates)| candidates == 0.5 * count * (count - 1.0));
            let slope = log_slope(&rows.curve("particles", "seconds"));
            Verdict::new(
                format!("{method} is quadratic"),
                format!(
                    "N (N - 1)/2 candidates{}, time grows as N^{slope:.2}",
                    if exact { "" } else { " not reached" }
                ),
                exact && !couples.is_empty() && (slope - 2.0).abs() < 0.2,
            )
            .paper("quadratic")
        })
        .collect();
    let ranking = super::classics::ranking(table, "particles", "seconds");
    let first = ranking.first().map_or("", |entry| entry.0.as_str());
    verdicts.push(
        Verdict::new("MR-S is fastest", format!("time over the fastest: {}", super::classics::in_words(&ranking)), first == "mr-s")
            .paper("table 3 names MR-S; the text sees practically no difference")
            .if_not("all methods test the same couples in the same cell; what differs is in which form they keep the cell's bodies"),
    );
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_time_or_too_few_candidates_are_not_quadratic() {
        let row = |method: &str, count: f64, time: f64, candidates: f64| {
            Row::new()
                .with("method", method)
                .with("particles", count)
                .with("seconds", time)
                .with("candidates", candidates)
        };
        let table = Table(vec![
            row("nbs", 10.0, 1.0, 45.0),
            row("nbs", 100.0, 100.0, 4950.0),
            row("mr", 10.0, 1.0, 45.0),
            row("mr", 100.0, 10.0, 4950.0),
            row("mr-s", 10.0, 1.0, 44.0),
            row("mr-s", 100.0, 100.0, 4950.0),
        ]);
        let outcomes: Vec<bool> = judge(&table).iter().map(|verdict| verdict.holds).collect();
        assert_eq!(outcomes, [true, false, false, false, false]);
    }
}
