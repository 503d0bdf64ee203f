//! `hgrid-covered`: fine cells that large bodies cover, and what they cost.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::Result;
use crate::experiment::{Context, Cost, Experiment, Paper, Point};
use crate::packings::Recipe;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::{Detector, Levels, Pairs};
use multigrain_papers::HGridCells;

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-covered",
    paper: Paper::OptimalHgrid,
    figure: "section 2.2 (an open problem)",
    about: "The paper knows no efficient way to leave out fine cells that large bodies cover. A packing without overlap of large \
            and small spheres, two levels at their diameters, Top-Down: blocks of two fine cells along each axis in the ranges of all \
            bodies, those of them with bodies, and those that hgrid-cells looks up, against the size ratio. Counted.",
    cost: Cost { quick: "15 s", full: "2 min" },
    parameters: &["w", "n", "phi"],
    points,
    draw,
    judge,
};

fn points(choices: &Choices) -> Vec<Point> {
    let usual: &[f64] = choices.pick(&[8.0], &[4.0, 8.0, 16.0], &[4.0, 8.0, 16.0, 32.0]);
    let count = choices.one("n", choices.pick(600, 6_000, 60_000));
    let phi = choices.one("phi", choices.pick(0.3, 0.6, 0.6));
    let point = |ratio: f64| {
        let key = format!("w={ratio},n={count},phi={phi}");
        Point::new(key, 6e-4 * count as f64, move |context| measure(context, ratio, count, phi)).seeded(1)
    };
    choices.list("w", usual).into_iter().map(point).collect()
}

fn measure(context: &Context<'_>, ratio: f64, count: usize, phi: f64) -> Result<Vec<Row>> {
    let law = multigrain::sizes::SizeLaw::bidisperse(ratio)?;
    let recipe = Recipe { name: format!("two-sizes,w={ratio}"), law, count, packing_fraction: phi, periodic: true };
    let packing = recipe.grow(context)?;
    let largest = packing.radii.iter().copied().fold(0.0, f64::max);
    let smallest = packing.radii.iter().copied().fold(f64::INFINITY, f64::min);
    context.on_one_thread(move || {
        let now = packing.snapshot()?;
        let mut grid =
            HGridCells::with_levels(Levels::from_cell_sizes(&[2.0 * smallest, 2.0 * largest])?, Default::default());
        let mut pairs = Pairs::new();
        let work = grid.count_work(now, &mut pairs);
        let looked = grid.look_ups();
        let large = packing.radii.iter().filter(|&&radius| radius > smallest).count();
        Ok(vec![
            Row::new()
                .with("w", ratio)
                .with("particles", count)
                .with("phi", phi)
                .with("large", large)
                .with("contacts", pairs.len())
                .with("candidates", work.candidates)
                .with("cells", work.cells)
                .with("blocks_in_ranges", looked.in_range)
                .with("blocks_looked_up", looked.done)
                .with("in_ranges_per_large", looked.in_range as f64 / large as f64)
                .with("looked_up_per_large", looked.done as f64 / large as f64),
        ])
    })?
}

fn draw(table: &Table) -> Figure {
    let panel = Panel::new("blocks of fine cells", Axis::log("size ratio w"), Axis::log("blocks per large sphere"))
        .series("in the ranges of all bodies", 0, Look::Curve, table.curve("w", "in_ranges_per_large"))
        .series("looked up", 1, Look::Curve, table.curve("w", "looked_up_per_large"));
    Figure::new(
        "Fine cells that large bodies cover",
        "two sizes of equal volume, no overlap, two levels, Top-Down, counted",
    )
    .panel(panel)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let shares: Vec<String> = table
        .curve("w", "blocks_looked_up")
        .into_iter()
        .zip(table.curve("w", "blocks_in_ranges"))
        .map(|((w, done), (_, in_range))| format!("{:.0} % at w = {w}", 100.0 * done / in_range))
        .collect();
    let measured = if shares.is_empty() { "NaN".to_owned() } else { shares.join(", ") };
    vec![
        Verdict::beyond("blocks of fine cells looked up, of those in the ranges of all bodies", measured).note(
            "what is empty, covered by a large body or not, is left out a block of blocks at a time; the paper knew no efficient way",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_reported_by_size_ratio() {
        let row =
            |w: f64, done: f64| Row::new().with("w", w).with("blocks_looked_up", done).with("blocks_in_ranges", 1000);
        let verdicts = judge(&Table(vec![row(8.0, 500.0), row(32.0, 50.0)]));
        assert_eq!(verdicts[0].measured, "50 % at w = 8, 5 % at w = 32");
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
