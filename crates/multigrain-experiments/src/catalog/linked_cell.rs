//! `hgrid-linked-cell`: work of a single level against the width of the size distribution.

use super::power_law::{PARAMETERS, PowerLaw, SETTING, ratios, two};
use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::experiment::{Cost, Experiment, Paper, Point};
use crate::fit::log_slope;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::Direction;
use multigrain_papers::tuning::Spacing;

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-linked-cell",
    paper: Paper::OptimalHgrid,
    figure: "figure 3",
    about: "Work of the linked cell, a grid with one level, by the cost model, against the size ratio w.",
    cost: Cost { quick: "1 s", full: "1 s" },
    parameters: PARAMETERS,
    points,
    draw,
    judge,
};

const ALPHAS: [f64; 4] = [0.0, -1.0, -2.0, -3.0];

/// Work for alpha = 0 in the limit of large w, by eq. 32.
const LIMIT: f64 = 75.0;

fn points(choices: &Choices) -> Vec<Point> {
    let point = |alpha: f64| {
        let law = PowerLaw::new(choices, alpha, 1.0, Direction::TopDown);
        let ratios = ratios(choices, choices.pick(7, 31, 91));
        Point::new(format!("{},count={}", law.key(), ratios.len()), 0.1, move |_| {
            let row = |ratio: f64| {
                let tuned = PowerLaw { ratio, ..law }.tune(Spacing::Linear, Some(1))?;
                Ok(Row::new()
                    .with("alpha", alpha)
                    .with("w", ratio)
                    .with("work", tuned.work)
                    .with("candidates_per_particle", tuned.candidates_per_particle)
                    .with("cells_per_particle", tuned.cells_per_particle)
                    .with("particles_per_cell", tuned.particles_per_cell[0]))
            };
            ratios.iter().copied().map(row).collect()
        })
    };
    choices.list("alpha", &ALPHAS).into_iter().map(point).collect()
}

fn draw(table: &Table) -> Figure {
    let mut panel = Panel::new(
        "one level",
        Axis::log("size ratio w = r_max / r_min"),
        Axis::log("work per particle T/N (pair tests)"),
    );
    for (k, alpha) in table.values("alpha").into_iter().take(6).enumerate() {
        let curve = table.only("alpha", &alpha).curve("w", "work");
        panel = panel.series(format!("alpha = {alpha}"), k, Look::Line, curve);
    }
    panel = panel.series("limit for alpha = 0", 7, Look::Dashed, vec![(1.0, LIMIT), (1000.0, LIMIT)]);
    Figure::new("Work of the linked cell against the width of the size distribution", SETTING).panel(panel)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let work = |alpha: f64, w: f64| table.only("alpha", alpha).at("w", w, "work");
    let last = work(0.0, 1000.0);
    let mut verdicts = vec![
        Verdict::new(
            "alpha = 0: work stays bounded as w grows",
            format!("{} at w = 1000", two(last)),
            (last - LIMIT).abs() < 0.5,
        )
        .paper("bounded; the formula gives 75.0"),
    ];
    for (alpha, order) in [(-2.0, 1.0), (-3.0, 2.0)] {
        let steep: Vec<_> =
            table.only("alpha", alpha).curve("w", "work").into_iter().filter(|point| point.0 >= 300.0).collect();
        let slope = log_slope(&steep);
        verdicts.push(
            Verdict::new(
                format!("alpha = {alpha}: work diverges as w^{order}"),
                format!("w^{} from w = 300 to 1000", two(slope)),
                (slope - order).abs() < 0.05,
            )
            .paper("diverges"),
        );
    }
    // The logarithmic case: equal ratios of w add equal work.
    let steps = [(10.0, 100.0), (100.0, 1000.0)].map(|(from, to)| work(-1.0, to) - work(-1.0, from));
    let grows = steps[0] > 10.0 && (steps[1] / steps[0] - 1.0).abs() < 0.1;
    verdicts.push(
        Verdict::new(
            "alpha = -1: work diverges, as log w",
            format!("+{:.0} from w = 10 to 100, +{:.0} from 100 to 1000", steps[0], steps[1]),
            grows,
        )
        .paper("diverges"),
    );
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounded_work_is_no_divergence() {
        let row = |alpha: f64, w: f64, work: f64| Row::new().with("alpha", alpha).with("w", w).with("work", work);
        let flat = |alpha: f64| [1.0, 10.0, 100.0, 500.0, 1000.0].map(|w| row(alpha, w, 75.0));
        let table = Table(ALPHAS.into_iter().flat_map(flat).collect());
        assert_eq!(judge(&table).iter().map(Verdict::is_as_printed).collect::<Vec<_>>(), [true, false, false, false]);
        assert!(judge(&Table::default()).iter().all(|verdict| !verdict.is_as_printed()));
    }
}
