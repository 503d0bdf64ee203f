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
    about: "The paper knows no efficient way to leave out fine cells that large bodies cover. A packing without overlap of many large \
            and small spheres of equal volumes, two levels at their diameters, Top-Down: of the searches of large spheres on the fine level, blocks of two \
            fine cells along each axis in their ranges, and those that hgrid-cells looks up, against the size ratio. Blocks with small spheres in them are among both. Counted.",
    cost: Cost { quick: "30 s", full: "7 min" },
    parameters: &["w", "n", "phi"],
    points,
    draw,
    judge,
};

fn points(choices: &Choices) -> Vec<Point> {
    // Size ratios, and how many large spheres; there are w^3 times as many small ones.
    let usual: &[(f64, usize)] = choices.pick(
        &[(8.0, 2)],
        &[(4.0, 100), (8.0, 27), (16.0, 8)],
        &[(4.0, 500), (8.0, 125), (12.0, 64), (16.0, 64), (24.0, 20)],
    );
    let phi = choices.one("phi", choices.pick(0.3, 0.6, 0.6));
    let own: Vec<f64> = choices.list("w", &[]);
    let usual: Vec<(f64, usize)> =
        if own.is_empty() { usual.to_vec() } else { own.into_iter().map(|ratio| (ratio, 27)).collect() };
    let point = |(ratio, large): (f64, usize)| {
        let count = choices.one("n", large * (1 + ratio.powi(3).round() as usize));
        let key = format!("w={ratio},n={count},phi={phi},large-on-fine");
        Point::new(key, 6e-4 * count as f64, move |context| measure(context, ratio, count, phi)).counted().seeded(1)
    };
    usual.into_iter().map(point).collect()
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
        let looked = grid.look_ups_on_other_levels();
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
        .series("in the range of a large sphere", 0, Look::Curve, table.curve("w", "in_ranges_per_large"))
        .series("looked up for it", 1, Look::Curve, table.curve("w", "looked_up_per_large"));
    Figure::new(
        "Fine cells that large bodies cover",
        "two sizes of equal volume, no overlap, two levels, Top-Down, counted",
    )
    .panel(panel)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let shares: Vec<String> = table
        .0
        .iter()
        .map(|row| {
            let share = 100.0 * row.number("blocks_looked_up") / row.number("blocks_in_ranges");
            format!("{share:.0} % at w = {} ({} large spheres)", row.text("w"), row.text("large"))
        })
        .collect();
    let measured = if shares.is_empty() { "NaN".to_owned() } else { shares.join(", ") };
    vec![
        Verdict::beyond("blocks of fine cells that large spheres look up, of those in their ranges", measured).note(
            "blocks with small spheres in them must be looked up; the rest is empty, covered or not, and is left out a block of blocks at a time \
             where cells differ by a factor of 8 or more; the paper knew no efficient way",
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_reported_by_size_ratio() {
        let row = |w: f64, done: f64| {
            let row = Row::new().with("w", w).with("large", 9).with("blocks_looked_up", done);
            row.with("blocks_in_ranges", 1000)
        };
        let verdicts = judge(&Table(vec![row(8.0, 500.0), row(32.0, 50.0)]));
        assert_eq!(verdicts[0].measured, "50 % at w = 8 (9 large spheres), 5 % at w = 32 (9 large spheres)");
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
