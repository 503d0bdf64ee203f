//! `hgrid-sensitivity`: the four ways to space cell sizes against the number of levels, and the levels they choose.

use super::power_law::{PARAMETERS, PowerLaw, SETTING, two};
use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::experiment::{Cost, Experiment, Paper, Point};
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain_papers::tuning::Spacing;

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-sensitivity",
    paper: Paper::OptimalHgrid,
    figure: "figures 9 and 10",
    about: "The four ways to space cell sizes: work against the number of levels, and cell size and particles per cell of every \
            level with the best number, by the cost model, for w = 100 and alpha = -3, Top-Down.",
    cost: Cost { quick: "1 s", full: "1 s" },
    parameters: PARAMETERS,
    points,
    draw,
    judge,
};

/// Name, spacing, and the best number of levels, where the paper has one, and its work as printed.
const SPACINGS: [(&str, Spacing, Option<f64>, f64); 4] = [
    ("linear", Spacing::Linear, Some(43.0), 12.40),
    ("exponential", Spacing::Exponential, Some(4.0), 11.57),
    ("constant", Spacing::ConstantRatio(1.0), Some(12.0), 11.60),
    ("optimal", Spacing::Optimal, None, 11.58),
];

fn points(size: &Choices) -> Vec<Point> {
    let most: usize = size.pick(6, 50, 60);
    let law = PowerLaw::example(size);
    let point = |&(name, spacing, ..): &(&'static str, Spacing, Option<f64>, f64)| {
        Point::new(format!("{name},levels={most},{}", law.key()), 0.1, move |_| {
            let best = law.tune(spacing, None)?;
            let mut rows = vec![
                Row::new()
                    .with("spacing", name)
                    .with("best_levels", best.cell_sizes.len())
                    .with("best_work", best.work),
            ];
            for levels in 1..=most {
                let tuned = law.tune(spacing, Some(levels))?;
                rows.push(Row::new().with("spacing", name).with("levels", levels).with("work", tuned.work));
            }
            for (k, (size, filling)) in best.cell_sizes.iter().zip(&best.particles_per_cell).enumerate() {
                let row = Row::new().with("spacing", name).with("level", k + 1);
                rows.push(row.with("cell_size", size).with("particles_per_cell", filling));
            }
            Ok(rows)
        })
    };
    SPACINGS.iter().map(point).collect()
}

fn draw(table: &Table) -> Figure {
    let mut work = Panel::new(
        "work against the number of levels",
        Axis::linear("number of levels L").at_most(0.0, 50.0),
        Axis::linear("work per particle T/N (pair tests)").at_most(10.0, 30.0),
    );
    let mut sizes =
        Panel::new("cell sizes with the best number", Axis::linear("level h"), Axis::log("cell size s_h / r_min"));
    let mut filling =
        Panel::new("particles per cell with it", Axis::linear("level h"), Axis::log("particles per cell m_h"));
    for (k, (name, ..)) in SPACINGS.into_iter().enumerate() {
        let rows = table.only("spacing", name);
        work = work.series(name, k, Look::Curve, rows.curve("levels", "work"));
        sizes = sizes.series(name, k, Look::Curve, rows.curve("level", "cell_size"));
        filling = filling.series(name, k, Look::Curve, rows.curve("level", "particles_per_cell"));
    }
    work = work.paper(vec![(43.0, 12.40), (4.0, 11.57), (12.0, 11.60)]);
    Figure::new("Four ways to space cell sizes", format!("{SETTING}; w = 100, alpha = -3, Top-Down"))
        .panel(work)
        .panel(sizes)
        .panel(filling)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    let of = |name: &str| table.only("spacing", name);
    let best =
        |name: &str, column: &str| of(name).having("best_work").0.first().map_or(f64::NAN, |row| row.number(column));
    for (name, _, levels, work) in SPACINGS {
        let (found, least) = (best(name, "best_levels"), best(name, "best_work"));
        let paper = levels.map_or(format!("{work:.2}"), |levels| format!("{levels} levels, {work:.2}"));
        let is_level = levels.is_none_or(|levels| found == levels);
        verdicts.push(
            Verdict::new(
                format!("{name}: best number of levels and its work"),
                format!("{found} levels, {}", two(least)),
                // As far as its digits go.
                is_level && (least - work).abs() < 0.0151,
            )
            .paper(paper)
            .same_trend_if(is_level)
            .because(format!(
                "the paper's formulas give {}; its {work:.2} would be no more than the least of all spacings, {}",
                two(least),
                two(best("optimal", "best_work"))
            )),
        );
    }
    let more =
        |name: &str, levels: f64| 100.0 * (of(name).at("levels", levels, "work") / best(name, "best_work") - 1.0);
    let [three, six] = [3.0, 6.0].map(|levels| more("exponential", levels));
    verdicts.push(
        Verdict::new(
            "exponential is sensitive: L = 3 and L = 6 cost much more",
            format!("{three:.0} % and {six:.0} % more"),
            three.round() == 43.0 && six.round() == 24.0,
        )
        .paper("43 % and 24 % more")
        .same_trend_if(three > 20.0 && six > 10.0)
        .because("by the paper's own formulas, whose values these are"),
    );
    let [eight, nineteen] = [8.0, 19.0].map(|levels| more("constant", levels));
    verdicts.push(
        Verdict::new(
            "constant particles per cell: L = 8 and L = 19 cost 10 % more",
            format!("{eight:.1} % and {nineteen:.1} % more"),
            (eight - 10.0).abs() < 0.5 && (nineteen - 10.0).abs() < 0.5,
        )
        .paper("10 %"),
    );
    let five = more("optimal", 5.0);
    verdicts.push(
        Verdict::new(
            "optimal is even less sensitive",
            format!("L = 5 costs {five:.1} % more, beyond 8 nothing"),
            five < 1.0 && more("optimal", 20.0).abs() < 0.01,
        )
        .paper("less sensitive than constant particles per cell"),
    );
    let fillings: Vec<f64> =
        table.having("particles_per_cell").0.iter().map(|row| row.number("particles_per_cell")).collect();
    let below = fillings.iter().filter(|&&m| m < 1.0).count();
    verdicts.push(
        Verdict::new(
            "less than one particle per cell in most cases",
            format!("{below} of {} levels", fillings.len()),
            2 * below > fillings.len(),
        )
        .paper("m_h < 1 in most cases"),
    );
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_measured_is_as_printed() {
        assert!(judge(&Table::default()).iter().all(|verdict| !verdict.is_as_printed()));
        let row = Row::new().with("spacing", "linear").with("best_levels", 43).with("best_work", 12.401);
        let verdicts = judge(&Table(vec![row]));
        assert!(verdicts[0].is_as_printed() && verdicts[1..].iter().all(|verdict| !verdict.is_as_printed()));
    }
}
