//! `hgrid-linear`, `-exponential`, `-constant` and `-optimal`: least work and best number of levels against the width of the
//! size distribution.

use super::power_law::{PARAMETERS, PowerLaw, SETTING, ratios, two};
use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::experiment::{Cost, Experiment, Paper, Point};
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::Direction::{self, BottomUp, TopDown};
use multigrain::limits::MAX_LEVELS;
use multigrain_papers::tuning::Spacing;

pub const LINEAR: Experiment = Experiment {
    name: "hgrid-linear",
    figure: "figure 4",
    about: "Cell sizes in equal steps, with the best number of levels: work and that number against the size ratio w, by the \
            cost model, for both directions of search.",
    points: |size| points(Spacing::Linear, size),
    draw: |table| draw("Cell sizes in equal steps (linear)", table),
    judge: judge_linear,
    ..COMMON
};

pub const EXPONENTIAL: Experiment = Experiment {
    name: "hgrid-exponential",
    figure: "figure 5",
    about: "Cell sizes in equal ratios, with the best number of levels: work and that number against the size ratio w, by the \
            cost model, for both directions of search.",
    points: |size| points(Spacing::Exponential, size),
    draw: |table| draw("Cell sizes in equal ratios (exponential)", table),
    judge: judge_exponential,
    ..COMMON
};

pub const CONSTANT: Experiment = Experiment {
    name: "hgrid-constant",
    figure: "figure 7",
    about: "The same number of particles per cell on all levels, with the best number of levels: work and that number against \
            the size ratio w, by the cost model, for both directions of search.",
    points: |size| points(Spacing::ConstantRatio(1.0), size),
    draw: |table| draw("Constant particles per cell", table),
    judge: judge_constant,
    ..COMMON
};

pub const OPTIMAL: Experiment = Experiment {
    name: "hgrid-optimal",
    figure: "figure 8",
    about: "Cell sizes with the least work of all: work and number of levels against the size ratio w, by the cost model, for \
            both directions of search.",
    points: |size| points(Spacing::Optimal, size),
    draw: |table| draw("Optimal cell sizes", table),
    judge: judge_optimal,
    ..COMMON
};

const COMMON: Experiment = Experiment {
    name: "",
    paper: Paper::OptimalHgrid,
    figure: "",
    about: "",
    cost: Cost { quick: "1 s", full: "1 s" },
    parameters: PARAMETERS,
    points: |_| Vec::new(),
    draw: |table| draw("", table),
    judge: |_| Vec::new(),
};

const ALPHAS: [f64; 2] = [0.0, -3.0];

fn points(spacing: Spacing, size: &Choices) -> Vec<Point> {
    let mut points = Vec::new();
    for alpha in size.list("alpha", &ALPHAS) {
        for direction in Direction::ALL {
            let law = PowerLaw::new(size, alpha, 1.0, direction);
            let ratios = ratios(size, size.pick(4, 31, 61));
            let key = format!("{},{},count={}", law.key(), direction.name(), ratios.len());
            points.push(Point::new(key, 0.05, move |_| {
                let row = |ratio: f64| {
                    let tuned = PowerLaw { ratio, ..law }.tune(spacing, None)?;
                    Ok(Row::new()
                        .with("alpha", alpha)
                        .with("direction", direction.name())
                        .with("w", ratio)
                        .with("work", tuned.work)
                        .with("levels", tuned.cell_sizes.len())
                        .with("candidates_per_particle", tuned.candidates_per_particle)
                        .with("cells_per_particle", tuned.cells_per_particle)
                        .with("linked_cell_work", tuned.linked_cell_work))
                };
                ratios.iter().copied().map(row).collect()
            }));
        }
    }
    points
}

fn draw(title: &str, table: &Table) -> Figure {
    let x = || Axis::log("size ratio w = r_max / r_min");
    let mut work = Panel::new("least work", x(), Axis::log("work per particle T/N (pair tests)"));
    let mut levels = Panel::new("number of levels for it", x(), Axis::log("best number of levels"));
    let mut color = 0;
    for alpha in table.values("alpha").into_iter().take(3) {
        for direction in Direction::ALL {
            let rows = table.only("alpha", &alpha).only("direction", direction.name());
            // Where more levels than there may be would be better, the best is not known.
            let rows = Table(rows.0.into_iter().filter(|row| row.number("levels") < MAX_LEVELS as f64).collect());
            let name = format!("alpha = {alpha}, {}", if direction == TopDown { "Top-Down" } else { "Bottom-Up" });
            work = work.series(&name, color, Look::Curve, rows.curve("w", "work"));
            levels = levels.series(&name, color, Look::Curve, rows.curve("w", "levels"));
            color += 1;
        }
    }
    let single = table.only("alpha", 0.0).only("direction", TopDown.name()).curve("w", "linked_cell_work");
    work = work.series("one level, alpha = 0", 7, Look::Dashed, single);
    Figure::new(format!("{title}: work and best number of levels"), SETTING).panel(work).panel(levels)
}

/// A column at a size ratio.
fn value(table: &Table, alpha: f64, direction: Direction, w: f64, column: &str) -> f64 {
    table.only("alpha", alpha).only("direction", direction.name()).at("w", w, column)
}

fn work(table: &Table, alpha: f64, direction: Direction, w: f64) -> f64 {
    value(table, alpha, direction, w, "work")
}

/// Work no longer grows with w.
fn independent(table: &Table, alpha: f64, direction: Direction) -> Verdict {
    let [before, after] = [100.0, 1000.0].map(|w| work(table, alpha, direction, w));
    let growth = 100.0 * (after / before - 1.0);
    Verdict::new(
        format!("alpha = {alpha}, {}: work does not grow for large w", direction.name()),
        format!("{} at w = 100, {} at 1000", two(before), two(after)),
        after <= 1.05 * before,
    )
    .paper("independent of w")
    .same_trend_if(after <= 1.3 * before)
    .because(format!("by the paper's own formulas, whose values these are, it still grows by {growth:.0} %"))
}

/// Which direction needs less work.
fn better(table: &Table, alpha: f64, expected: Direction) -> Verdict {
    let [down, up] = [TopDown, BottomUp].map(|direction| work(table, alpha, direction, 100.0));
    let measured = if down < up { TopDown } else { BottomUp };
    let is_known = down.is_finite() && up.is_finite();
    Verdict::new(
        format!("alpha = {alpha}: {} needs less work", expected.name()),
        format!("top-down {}, bottom-up {} at w = 100", two(down), two(up)),
        is_known && measured == expected,
    )
    .paper(format!("{} better", expected.name()))
}

fn judge_linear(table: &Table) -> Vec<Verdict> {
    let saved = 1.0 - work(table, 0.0, BottomUp, 1000.0) / value(table, 0.0, BottomUp, 1000.0, "linked_cell_work");
    let rising = [10.0, 100.0, 1000.0].map(|w| work(table, -3.0, BottomUp, w));
    let level = [100.0, 1000.0].map(|w| work(table, 0.0, BottomUp, w));
    let falling = [10.0, 100.0].map(|w| work(table, -3.0, TopDown, w));
    let levels = [10.0, 100.0].map(|w| value(table, -3.0, TopDown, w, "levels"));
    vec![
        independent(table, 0.0, TopDown),
        independent(table, 0.0, BottomUp),
        Verdict::new(
            "alpha = -3, top-down: work does not grow with w",
            format!("{} at w = 10, {} at 100", two(falling[0]), two(falling[1])),
            falling[1] <= falling[0],
        )
        .paper("independent of w")
        .note(format!("beyond w = 200 it would take more than {MAX_LEVELS} levels, the most that the grid has")),
        Verdict::new(
            "bottom-up at alpha = 0 is the exception: work grows with w",
            format!(
                "{}, {} at w = 100, 1000 for alpha = 0; {:.0}, {:.0}, {:.0} at w = 10, 100, 1000 for alpha = -3",
                two(level[0]),
                two(level[1]),
                rising[0],
                rising[1],
                rising[2]
            ),
            level[1] > 1.1 * level[0],
        )
        .paper("the text names alpha = 0")
        .because("by the paper's own formulas, whose values these are, the exception is alpha = -3"),
        Verdict::new(
            "alpha = 0: about 60 % of the linked cell's work saved",
            format!("{:.0} % at w = 1000, bottom-up", 100.0 * saved),
            (0.55..0.65).contains(&saved),
        )
        .paper("about 60 %"),
        better(table, 0.0, BottomUp),
        better(table, -3.0, TopDown),
        Verdict::new(
            "alpha = -3: the best number of levels at w = 100",
            format!("{}; {} at w = 10", levels[1], levels[0]),
            levels[1] == 43.0,
        )
        .paper("43"),
    ]
}

fn judge_exponential(table: &Table) -> Vec<Verdict> {
    let levels = value(table, -3.0, TopDown, 100.0, "levels");
    let mut verdicts = all_independent(table);
    verdicts.extend([
        better(table, 0.0, BottomUp),
        better(table, -3.0, TopDown),
        Verdict::new("alpha = -3, w = 100: few levels", format!("{levels}"), levels == 4.0).paper("4"),
    ]);
    verdicts
}

fn judge_constant(table: &Table) -> Vec<Verdict> {
    let mut verdicts = all_independent(table);
    verdicts.extend(ALPHAS.map(|alpha| better(table, alpha, TopDown)));
    verdicts
}

fn judge_optimal(table: &Table) -> Vec<Verdict> {
    let most = |direction: Direction| {
        let rows = table.only("direction", direction.name());
        rows.0.iter().map(|row| row.number("work")).fold(f64::NAN, f64::max)
    };
    let (down, up) = (most(TopDown), most(BottomUp));
    let falling = [10.0, 100.0, 1000.0].map(|w| work(table, -3.0, TopDown, w));
    let lower = work(table, -3.0, TopDown, 100.0) / work(table, 0.0, TopDown, 100.0);
    let mut verdicts = all_independent(table);
    verdicts.extend([
        better(table, -3.0, TopDown),
        Verdict::new(
            "work is at most about 30 pair tests per particle, in all cases",
            format!("{} at most top-down, {} bottom-up, w from 1 to 1000", two(down), two(up)),
            down.max(up) < 31.0,
        )
        .paper("about 30 in all cases")
        .same_trend_if(down < 31.0)
        .because("by the paper's own formulas, whose values these are; it holds for the better direction"),
        Verdict::new(
            "alpha = -3, top-down: work falls with growing w",
            format!("{}, {}, {} at w = 10, 100, 1000", two(falling[0]), two(falling[1]), two(falling[2])),
            falling[0] > falling[1] && falling[1] > falling[2],
        )
        .paper("decreases with growing w"),
        Verdict::new(
            "work falls with falling alpha",
            format!("{:.2} times that of alpha = 0 at alpha = -3", lower),
            lower < 1.0,
        )
        .paper("decreases with falling alpha"),
    ]);
    verdicts
}

fn all_independent(table: &Table) -> Vec<Verdict> {
    let each = |alpha| Direction::ALL.map(|direction| independent(table, alpha, direction));
    ALPHAS.into_iter().flat_map(each).collect()
}

#[cfg(test)]
mod tests {
    use super::super::power_law::ASKED;
    use super::*;

    /// Work that grows with w for Bottom-Up alone.
    fn made_up() -> Table {
        let mut rows = Vec::new();
        for alpha in ALPHAS {
            for direction in Direction::ALL {
                for w in ASKED {
                    let work = if direction == TopDown { 20.0 - w.log10() } else { 20.0 + w };
                    let row = Row::new().with("alpha", alpha).with("direction", direction.name()).with("w", w);
                    rows.push(row.with("work", work).with("levels", 4).with("linked_cell_work", 75));
                }
            }
        }
        Table(rows)
    }

    #[test]
    fn growing_work_and_the_wrong_direction_fail() {
        let outcomes: Vec<bool> = judge_exponential(&made_up()).iter().map(Verdict::is_as_printed).collect();
        assert_eq!(outcomes, [true, false, true, false, false, true, true]);
        assert!(judge_linear(&made_up())[3].is_as_printed() && !judge_linear(&made_up())[4].is_as_printed());
        assert!(judge_linear(&Table::default()).iter().all(|verdict| !verdict.is_as_printed()));
        assert!(judge_optimal(&Table::default()).iter().all(|verdict| !verdict.is_as_printed()));
    }
}
