//! `hgrid-exponents`: which direction of search is better for which sizes, and how bodies of many sizes stand beside bodies of one.

use super::power_law::{PowerLaw, SETTING, two};
use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::experiment::{Cost, Experiment, Paper, Point};
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::Direction::{self, BottomUp, TopDown};
use multigrain_papers::tuning::Spacing;

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-exponents",
    paper: Paper::OptimalHgrid,
    figure: "abstract, sections 5.2 and 7",
    about: "Least work by the cost model against the exponent alpha of the size distribution, for linear, exponential and optimal \
            cell sizes and both directions of search, at w = 10 and 100; and the least work of either direction with optimal cell \
            sizes over that of the linked cell on bodies of one size.",
    cost: Cost { quick: "2 s", full: "5 s" },
    parameters: &["alpha", "w", "phi", "k"],
    points,
    draw,
    judge,
};

const ALPHAS: [f64; 13] = [4.0, 3.0, 2.0, 1.0, 0.5, 0.0, -0.5, -1.0, -1.5, -2.0, -3.0, -4.0, -5.0];
const SPACINGS: [(&str, Spacing); 3] =
    [("linear", Spacing::Linear), ("exponential", Spacing::Exponential), ("optimal", Spacing::Optimal)];

fn points(choices: &Choices) -> Vec<Point> {
    let mut points = Vec::new();
    for ratio in choices.list("w", &[10.0, 100.0]) {
        for alpha in choices.list("alpha", choices.pick(&ALPHAS[5..11], &ALPHAS, &ALPHAS)) {
            let law = PowerLaw::new(choices, alpha, ratio, TopDown);
            points.push(Point::new(law.key(), 0.05, move |_| {
                let mono = PowerLaw { ratio: 1.0, ..law }.tune(Spacing::Linear, Some(1))?.work;
                let mut rows = Vec::new();
                for (name, spacing) in SPACINGS {
                    for direction in Direction::ALL {
                        let tuned = PowerLaw { direction, ..law }.tune(spacing, None)?;
                        rows.push(
                            Row::new()
                                .with("spacing", name)
                                .with("direction", direction.name())
                                .with("alpha", alpha)
                                .with("w", ratio)
                                .with("work", tuned.work)
                                .with("levels", tuned.cell_sizes.len())
                                .with("work_of_one_size", mono),
                        );
                    }
                }
                Ok(rows)
            }));
        }
    }
    points
}

/// Work against alpha.
fn work(table: &Table, spacing: &str, direction: Direction, ratio: &str) -> Vec<(f64, f64)> {
    table.only("spacing", spacing).only("direction", direction.name()).only("w", ratio).curve("alpha", "work")
}

fn draw(table: &Table) -> Figure {
    let mut figure = Figure::new("Work against the exponent of the size distribution", SETTING);
    for ratio in table.values("w").into_iter().take(3) {
        let mut panel = Panel::new(
            format!("size ratio {ratio}"),
            Axis::linear("exponent alpha of the size distribution"),
            Axis::log("work per particle T/N (pair tests)"),
        );
        for (k, (name, _)) in SPACINGS.into_iter().enumerate() {
            panel = panel
                .series(format!("{name}, Top-Down"), k, Look::Curve, work(table, name, TopDown, &ratio))
                .series(format!("{name}, Bottom-Up"), 3 + k, Look::Dashed, work(table, name, BottomUp, &ratio));
        }
        panel = panel.series(
            "linked cell, one size",
            7,
            Look::Line,
            table.only("w", &ratio).curve("alpha", "work_of_one_size"),
        );
        figure = figure.panel(panel);
    }
    figure
}

/// Exponents for which the direction is not the one said to be better, at any size ratio.
fn exceptions(table: &Table, spacing: &str, is_top_down: impl Fn(f64) -> Option<bool>) -> (usize, Vec<f64>) {
    let (mut looked_at, mut wrong) = (0, Vec::new());
    for ratio in table.values("w") {
        let pairs = work(table, spacing, TopDown, &ratio).into_iter().zip(work(table, spacing, BottomUp, &ratio));
        for ((alpha, down), (_, up)) in pairs {
            if let Some(expected) = is_top_down(alpha) {
                looked_at += 1;
                // Equal work is no exception.
                if (down - up).abs() > 1e-9 * up && (down < up) != expected && !wrong.contains(&alpha) {
                    wrong.push(alpha);
                }
            }
        }
    }
    (looked_at, wrong)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let direction = |claim: &str, spacing: &str, paper: &str, is_top_down: fn(f64) -> Option<bool>| {
        let (looked_at, wrong) = exceptions(table, spacing, is_top_down);
        let measured = match wrong.as_slice() {
            [] => format!("so in all {looked_at} cases"),
            wrong => format!("not for alpha = {}", wrong.iter().map(f64::to_string).collect::<Vec<_>>().join(", ")),
        };
        Verdict::new(claim, if looked_at == 0 { "NaN".to_owned() } else { measured }, wrong.is_empty() && looked_at > 0)
            .paper(paper)
            .same_trend_if(looked_at > 0 && 4 * wrong.len() <= looked_at)
            .because("by the paper's own formulas, whose values these are")
    };
    let mut verdicts = vec![
        direction(
            "linear: Bottom-Up is better for alpha > 0, Top-Down for alpha < 0",
            "linear",
            "alpha > 0 Bottom-Up, alpha < 0 Top-Down",
            |alpha| if alpha == 0.0 { None } else { Some(alpha < 0.0) },
        ),
        direction(
            "exponential: Top-Down is better for alpha <= -2",
            "exponential",
            "Top-Down for alpha <= -2",
            |alpha| (alpha <= -2.0).then_some(true),
        ),
    ];
    // The least work of either direction, over that of one size.
    let mut ratios: Vec<(f64, f64, f64)> = Vec::new();
    for ratio in table.values("w") {
        let rows = table.only("w", &ratio).only("spacing", "optimal");
        let mono = rows.curve("alpha", "work_of_one_size");
        let both = work(table, "optimal", TopDown, &ratio).into_iter().zip(work(table, "optimal", BottomUp, &ratio));
        for (((alpha, down), (_, up)), (_, mono)) in both.zip(mono) {
            ratios.push((alpha, ratio.parse().unwrap_or(f64::NAN), down.min(up) / mono));
        }
    }
    let above: Vec<_> = ratios.iter().filter(|entry| entry.2 > 1.05).collect();
    let most = ratios.iter().copied().max_by(|a, b| a.2.total_cmp(&b.2)).unwrap_or((f64::NAN, f64::NAN, f64::NAN));
    let at = |alpha: f64, ratio: f64| {
        ratios.iter().find(|entry| entry.0 == alpha && entry.1 == ratio).map_or(f64::NAN, |entry| entry.2)
    };
    verdicts.push(
        Verdict::new(
            "arbitrary sizes are as fast as the linked cell on bodies of one size",
            format!(
                "work over that of one size: {} (alpha = 0, w = 100), {} (-1, 100), {} (-2, 100), {} (-3, 100); more than 5 % \
                 above it in {} of {} cases, at most {} (alpha = {}, w = {})",
                two(at(0.0, 100.0)),
                two(at(-1.0, 100.0)),
                two(at(-2.0, 100.0)),
                two(at(-3.0, 100.0)),
                above.len(),
                ratios.len(),
                two(most.2),
                most.0,
                most.1
            ),
            above.is_empty() && !ratios.is_empty(),
        )
        .paper("as fast as the Linked-Cell method in monodisperse systems (abstract)")
        .same_trend_if(2 * above.len() <= ratios.len() && most.2 < 1.5)
        .because("by the paper's own formulas, whose values these are"),
    );
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wrong_direction_and_slow_mixtures_are_reported() {
        let mut rows = Vec::new();
        for (alpha, down, up) in
            [(1.0, 30.0, 20.0), (0.0, 25.0, 26.0), (-1.0, 19.0, 22.0), (-2.0, 18.0, 22.0), (-3.0, 9.0, 8.0)]
        {
            for (spacing, _) in SPACINGS {
                for (direction, work) in [(TopDown, down), (BottomUp, up)] {
                    let row =
                        Row::new().with("spacing", spacing).with("direction", direction.name()).with("alpha", alpha);
                    rows.push(row.with("w", 100).with("work", work).with("work_of_one_size", 20));
                }
            }
        }
        let verdicts = judge(&Table(rows));
        assert_eq!(verdicts.iter().map(Verdict::is_as_printed).collect::<Vec<_>>(), [false; 3]);
        assert!(verdicts[0].measured.contains("alpha = -3") && verdicts[2].measured.contains("1 of 5"), "{verdicts:?}");
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
