//! `hgrid-ratio`: particles per cell that grow from level to level by a factor q.

use super::power_law::{PARAMETERS, PowerLaw, SETTING, two};
use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::experiment::{Cost, Experiment, Paper, Point};
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain_papers::tuning::Spacing;

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-ratio",
    paper: Paper::OptimalHgrid,
    figure: "figure 6",
    about: "Particles per cell in a constant ratio q from each level to the next coarser one: work against the number of \
            levels, and least work against q, by the cost model, for w = 100 and alpha = -3, Top-Down.",
    cost: Cost { quick: "1 s", full: "1 s" },
    parameters: PARAMETERS,
    points,
    draw,
    judge,
};

/// The paper's q.
const PAPER: [f64; 3] = [1.0, 2.0, 5.0];

const MAX_LEVELS: usize = 30;

fn points(size: &Choices) -> Vec<Point> {
    let between: &[f64] = size.pick(
        &[1.5],
        &[0.5, 0.75, 1.25, 1.5, 1.75, 3.0],
        &[0.5, 0.6, 0.75, 0.9, 1.1, 1.25, 1.4, 1.5, 1.6, 1.75, 1.9, 2.5, 3.0, 4.0, 7.0, 10.0],
    );
    let most = size.pick(14, MAX_LEVELS, 60);
    let law = PowerLaw::example(size);
    let ratios = PAPER.into_iter().chain(between.iter().copied());
    let point = |q: f64| {
        Point::new(format!("q={q},levels={most},{}", law.key()), 0.05, move |_| {
            let row = |levels: usize| {
                let tuned = law.tune(Spacing::ConstantRatio(q), Some(levels))?;
                Ok(Row::new().with("q", q).with("levels", levels).with("work", tuned.work))
            };
            (1..=most).map(row).collect()
        })
    };
    ratios.map(point).collect()
}

/// For each q: it, and the least work.
fn minima(table: &Table) -> Vec<(f64, f64)> {
    let least = |q: &String| {
        let curve = table.only("q", q).curve("levels", "work");
        (q.parse().unwrap_or(f64::NAN), curve.iter().map(|point| point.1).fold(f64::NAN, f64::min))
    };
    let mut minima: Vec<(f64, f64)> = table.values("q").iter().map(least).collect();
    minima.sort_by(|a, b| a.0.total_cmp(&b.0));
    minima
}

fn draw(table: &Table) -> Figure {
    let mut levels = Panel::new(
        "work against the number of levels",
        Axis::linear("number of levels L").at_most(1.0, MAX_LEVELS as f64),
        Axis::log("work per particle T/N (pair tests)").at_most(10.0, 100.0),
    );
    for (k, q) in PAPER.into_iter().enumerate() {
        let curve = table.only("q", q).curve("levels", "work");
        levels = levels.series(format!("q = {q}"), k, Look::Curve, curve);
    }
    let least = Panel::new(
        "least work against q",
        Axis::log("ratio q of particles per cell"),
        Axis::linear("least work per particle"),
    )
    .series("least over all numbers of levels", 3, Look::Curve, minima(table));
    Figure::new(
        "Particles per cell that grow by q from level to level",
        format!("{SETTING}; w = 100, alpha = -3, Top-Down"),
    )
    .panel(levels)
    .panel(least)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let minima = minima(table);
    let least_of = |q: f64| minima.iter().find(|point| point.0 == q).map_or(f64::NAN, |point| point.1);
    let least = PAPER.map(least_of);
    let spread = least[2].max(least[1]) / least[0];
    let mut verdicts = vec![
        Verdict::new(
            "q = 1, 2 and 5 need roughly the same work",
            format!(
                "least work {}, {}, {} for q = 1, 2, 5: the worst {:.0} % more than the best",
                two(least[0]),
                two(least[1]),
                two(least[2]),
                100.0 * (spread - 1.0)
            ),
            spread < 1.1,
        )
        .paper("roughly equal")
        .same_trend_if(spread < 1.5)
        .because("by the paper's own formulas, whose values these are"),
    ];
    let best = minima.iter().filter(|point| point.1.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1));
    let best = best.map_or(f64::NAN, |point| point.0);
    verdicts.push(
        Verdict::new("the best q lies between 1 and 2", format!("q = {best}"), (1.0..=2.0).contains(&best))
            .paper("between 1 and 2"),
    );
    // How many numbers of levels are within a tenth of the least work.
    let width = |q: f64| {
        let curve = table.only("q", q).curve("levels", "work");
        curve.iter().filter(|point| point.1 <= 1.1 * least_of(q)).count()
    };
    let widths = PAPER.map(width);
    verdicts.push(
        Verdict::new(
            "q = 1 is least sensitive to the number of levels",
            format!(
                "{}, {}, {} numbers of levels within 10 % of the least for q = 1, 2, 5",
                widths[0], widths[1], widths[2]
            ),
            widths[0] > widths[1] && widths[0] > widths[2],
        )
        .paper("least sensitive"),
    );
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_best_q_outside_and_other_minima_fail() {
        let row = |q: f64, levels: usize, work: f64| Row::new().with("q", q).with("levels", levels).with("work", work);
        let rows = [(1.0, 11.6), (2.0, 14.8), (5.0, 10.0)].map(|(q, work)| row(q, 5, work));
        let outcomes: Vec<bool> = judge(&Table(rows.to_vec())).iter().map(Verdict::is_as_printed).collect();
        assert_eq!(outcomes, [false, false, false]);
        assert!(judge(&Table::default()).iter().all(|verdict| !verdict.is_as_printed()));
    }
}
