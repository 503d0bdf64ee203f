//! `compare-4`: all bodies in one cell.

use super::classics::{METHODS, PRINTED_NBS, chosen, color, contenders};
use crate::bodies::CellBodies;
use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::experiment::{Cost, Experiment, Paper, Point};
use crate::fit::{log_slope, median};
use crate::processor_time::ProcessorTime;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::Pairs;

pub const EXPERIMENT: Experiment = Experiment {
    name: "compare-4",
    paper: Paper::Comparison,
    figure: "experiment IV, figure 21",
    about: "All bodies in one cell: every couple is a candidate, and a contact. All methods take turns, on one thread, in processor time; contacts are \
            visited, not listed.",
    cost: Cost { quick: "10 s", full: "1 min" },
    parameters: &["n", "methods"],
    points,
    draw,
    judge,
};

fn points(size: &Choices) -> Vec<Point> {
    let counts: &[usize] =
        size.pick(&[100, 200], &[1500, 2250, 3300, 5000, 7000], &[1000, 2000, 4000, 7000, 12_000, 20_000]);
    let rounds = size.pick(1, 5, 5);
    let methods = chosen(size, &METHODS);
    let point = |count: usize| {
        let methods = methods.clone();
        let seconds = 1e-8 * (count * count * rounds) as f64;
        let key = format!("n={count},rounds={rounds},{}", methods.join(","));
        Point::new(key, seconds.max(0.05), move |context| {
            let methods = methods.clone();
            let bodies = CellBodies::in_one_cell(count);
            let mut contenders = contenders(&methods)?;
            context.on_one_thread(move || {
                let now = bodies.snapshot()?;
                let mut seconds = vec![Vec::new(); methods.len()];
                let mut contacts = vec![0u64; methods.len()];
                for round in 0..rounds {
                    for turn in 0..methods.len() {
                        let k = (turn + round) % methods.len();
                        let mut visited = 0u64;
                        let start = ProcessorTime::now();
                        contenders[k].detector.visit_pairs(now, &mut |_| visited += 1);
                        seconds[k].push(start.elapsed().as_secs_f64());
                        contacts[k] = visited;
                    }
                }
                let mut rows = Vec::new();
                for (k, contender) in contenders.iter_mut().enumerate() {
                    let work = contender.detector.count_work(now, &mut Pairs::new());
                    let row = Row::new().with("method", methods[k]).with("particles", count);
                    let row = row.with("rounds", rounds).with("seconds", median(&seconds[k]));
                    rows.push(
                        row.with("candidates", work.candidates).with("cells", work.cells).with("contacts", contacts[k]),
                    );
                }
                Ok(rows)
            })?
        })
    };
    size.list("n", counts).into_iter().map(point).collect()
}

fn draw(table: &Table) -> Figure {
    let mut panel =
        Panel::new("all bodies in one cell", Axis::log("number of bodies N"), Axis::log("time per detection (s)"));
    for method in table.values("method") {
        panel = panel.series(
            &method,
            color(&method),
            Look::Curve,
            table.only("method", &method).curve("particles", "seconds"),
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
    let mut verdicts: Vec<Verdict> = table
        .values("method")
        .iter()
        .filter(|method| *method != "nbs")
        .map(|method| {
            let rows = table.only("method", method);
            let couples = rows.curve("particles", "candidates");
            let exact = couples.iter().all(|&(count, candidates)| candidates == 0.5 * count * (count - 1.0));
            let slope = log_slope(&rows.curve("particles", "seconds"));
            let coefficients = quadratic(&rows.curve("particles", "seconds"));
            Verdict::new(
                format!("{method}: time is a N^2 + b N + c"),
                format!(
                    "N (N - 1)/2 candidates{}; a = {:.2} ns, every point within {:.0} % of the fit; N^{slope:.2}",
                    if exact { "" } else { " not reached" },
                    1e9 * coefficients.0,
                    100.0 * coefficients.1
                ),
                exact && !couples.is_empty() && coefficients.1 < 0.1,
            )
            .paper("a N^2 + b N + c")
            .same_trend_if(exact && (slope - 2.0).abs() < 0.3)
        })
        .collect();
    let ranking = super::classics::ranking(table, "particles", "seconds");
    let of = |names: &[&str]| -> Vec<f64> {
        ranking.iter().filter(|entry| names.contains(&entry.0.as_str())).map(|entry| entry.1).collect()
    };
    let spread = |times: &[f64]| {
        let (low, high) =
            times.iter().fold((f64::INFINITY, 0.0f64), |(low, high), &time| (low.min(time), high.max(time)));
        if times.is_empty() { f64::NAN } else { 100.0 * (high / low - 1.0) }
    };
    let all = spread(&of(&[PRINTED_NBS, "mr", "mr-s", "bbts"]));
    let arrays = spread(&of(&["mr", "mr-s", "bbts"]));
    verdicts.push(
        Verdict::new(
            "practically no difference between the methods (within 10 % of each other: our tolerance)",
            format!(
                "within {all:.0} % of each other, {arrays:.0} % without NBS; time over the fastest: {}",
                super::classics::in_words(&ranking)
            ),
            all < 10.0,
        )
        .paper("practically no difference (table 3 names MR-S)")
        .same_trend_if(all < 20.0)
        .because("all test the same couples, counted above; why a test takes longer in one than in another: unknown"),
    );
    verdicts
}

/// The first coefficient of the quadratic polynomial through the smallest, a middle and the largest point, and by how much
/// points are off it at most, as a share.
fn quadratic(curve: &[(f64, f64)]) -> (f64, f64) {
    if curve.len() < 3 {
        return (f64::NAN, f64::NAN);
    }
    let [p, q, r] = [curve[0], curve[curve.len() / 2], curve[curve.len() - 1]];
    let slope = |a: (f64, f64), b: (f64, f64)| (b.1 - a.1) / (b.0 - a.0);
    let second = (slope(q, r) - slope(p, q)) / (r.0 - p.0);
    let value = |x: f64| p.1 + slope(p, q) * (x - p.0) + second * (x - p.0) * (x - q.0);
    let off = curve.iter().map(|&(x, y)| (y / value(x) - 1.0).abs()).fold(0.0, f64::max);
    (second, off)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_curves_and_too_few_candidates_are_not_quadratic() {
        let rows = |method: &str, time: fn(f64) -> f64, missing: f64| {
            [10.0, 20.0, 30.0, 60.0, 100.0].map(|count: f64| {
                let row = Row::new().with("method", method).with("particles", count).with("seconds", time(count));
                row.with("candidates", 0.5 * count * (count - 1.0) - missing)
            })
        };
        let mut table = Vec::new();
        table.extend(rows(PRINTED_NBS, |count| 2.0 * count * count + count + 3.0, 0.0));
        table.extend(rows("mr", |count| count * count.powf(2.0), 0.0));
        table.extend(rows("mr-s", |count| count * count, 1.0));
        let outcomes: Vec<bool> = judge(&Table(table)).iter().map(Verdict::is_as_printed).collect();
        assert_eq!(outcomes, [true, false, false, false]);
    }
}
