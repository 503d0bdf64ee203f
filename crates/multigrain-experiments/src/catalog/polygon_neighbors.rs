//! `polygon-neighbors`: sort-and-update against meshes and Verlet tables.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::{Result, fault};
use crate::experiment::{Context, Cost, Experiment, Paper, Point};
use crate::fit::median;
use crate::processor_time::ProcessorTime;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::detectors::WithSkin;
use multigrain::sizes::SizeLaw;
use multigrain::{Detector, Pairs, Rng, Snapshot};
use multigrain_methods::Method;
use multigrain_packings::growth;

pub const EXPERIMENT: Experiment = Experiment {
    name: "polygon-neighbors",
    paper: Paper::Polygons,
    figure: "sections 3.1 and 6",
    about: "Discs of sizes 1:w with equal areas of all sizes, grown to packing fraction 0.6, that fly on their ways by a 1/800 of the \
            smallest radius per step: processor time of a step for a mesh with cells of the largest (linked-cell), for a Verlet table \
            over that mesh whose skin is chosen by speed, and for sort-and-update, in turns on one thread. Bodies per mesh and couples \
            tested are counted. The paper gives no setting for its comparison.",
    cost: Cost { quick: "15 s", full: "2 min" },
    parameters: &["n", "w", "phi"],
    points,
    draw,
    judge,
};

const MESH: &str = "mesh";
const TABLE: &str = "Verlet table";
const SORT: &str = "sort-and-update";
const WAYS: [&str; 3] = [MESH, TABLE, SORT];

/// How far a body flies in a step, over the radius of the smallest.
const STRIDE: f64 = 1.0 / 800.0;

fn points(choices: &Choices) -> Vec<Point> {
    let count = choices.one("n", choices.pick(200, 4_000, 16_000));
    let usual: &[f64] = choices.pick(&[1.0, 4.0], &[1.0, 3.0, 10.0, 30.0], &[1.0, 2.0, 5.0, 10.0, 20.0, 30.0]);
    let phi = choices.one("phi", choices.pick(0.4, 0.6, 0.6));
    let steps = choices.pick(5, 60, 200);
    let point = |ratio: f64| {
        let key = format!("w={ratio},n={count},phi={phi},steps={steps}");
        Point::new(key, 2e-4 * count as f64 + 4e-7 * (count * steps) as f64, move |context| {
            measure(context, ratio, count, phi, steps)
        })
        .seeded(1)
    };
    choices.list("w", usual).into_iter().map(point).collect()
}

fn measure(context: &Context<'_>, ratio: f64, count: usize, phi: f64, steps: usize) -> Result<Vec<Row>> {
    context.watch.note("growing");
    let radii = SizeLaw::power(-3.0, ratio)?.sample(count, 2);
    let grown = growth::<2>(radii, phi, [false; 2], context.seed, |_| true)?.system;
    let seed = context.seed;
    context.on_one_thread(move || {
        let mut rng = Rng::new(seed);
        let mut centers = grown.centers.clone();
        let stride = STRIDE * grown.radii.iter().copied().fold(f64::INFINITY, f64::min);
        let ways: Vec<[f64; 2]> = centers.iter().map(|_| [(); 2].map(|()| stride * rng.normal())).collect();
        let now = Snapshot::new(&centers, &grown.radii)?;
        let mesh = || Method::LinkedCell.build(now);
        let mut detectors: [Box<dyn Detector<2>>; 3] =
            [mesh()?, Box::new(WithSkin::automatic(mesh()?)), Method::SortAndUpdate.build(now)?];
        let mut times = [const { Vec::new() }; 3];
        let mut pairs = Pairs::new();
        for step in 0..steps {
            for (center, way) in centers.iter_mut().zip(&ways) {
                (0..2).for_each(|axis| center[axis] += way[axis]);
            }
            let now = Snapshot::new(&centers, &grown.radii)?;
            let mut found = None;
            for (way, detector) in detectors.iter_mut().enumerate() {
                let start = ProcessorTime::now();
                detector.find_pairs(now, &mut pairs);
                // The first steps build what later ones keep.
                if step >= steps.min(10) / 2 {
                    times[way].push(start.elapsed().as_secs_f64());
                }
                if *found.get_or_insert(pairs.fingerprint()) != pairs.fingerprint() {
                    return Err(fault!("{} and {} find different contacts", WAYS[0], WAYS[way]));
                }
            }
        }
        let now = Snapshot::new(&centers, &grown.radii)?;
        let couples = Method::LinkedCell.build(now)?.count_work(now, &mut pairs).candidates;
        let largest = grown.radii.iter().copied().fold(0.0, f64::max);
        let area: f64 = grown.domain.lengths().iter().product();
        let per_mesh = count as f64 * 4.0 * largest * largest / area;
        let row = |way: usize| {
            // A table costs nothing in most steps and much in some: the mean counts.
            let mean = times[way].iter().sum::<f64>() / times[way].len() as f64;
            Row::new()
                .with("way", WAYS[way])
                .with("w", ratio)
                .with("particles", count)
                .with("phi", phi)
                .with("bodies_per_mesh", per_mesh)
                .with("couples_of_mesh", couples)
                .with("seconds", mean)
                .with("seconds_in_the_middle", median(&times[way]))
        };
        Ok((0..3).map(row).collect())
    })?
}

fn each(table: &Table, way: &str) -> Vec<(f64, f64)> {
    let rows = table.only("way", way);
    let mut points: Vec<_> =
        rows.0.iter().map(|row| (row.number("w"), 1e9 * row.number("seconds") / row.number("particles"))).collect();
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    points
}

fn draw(table: &Table) -> Figure {
    let mut panel = Panel::new("time of a step", Axis::log("size ratio w"), Axis::log("time per disc (ns)"));
    for (k, way) in WAYS.into_iter().enumerate() {
        panel = panel.series(way, k, Look::Curve, each(table, way));
    }
    let mesh = table.only("way", MESH);
    let filled = Panel::new("bodies in a mesh of the largest", Axis::log("size ratio w"), Axis::log("bodies per mesh"))
        .series("counted", 3, Look::Curve, mesh.curve("w", "bodies_per_mesh"));
    Figure::new(
        "Meshes, Verlet tables and sort-and-update",
        "discs at packing fraction 0.6 in motion, one thread, processor time",
    )
    .panel(panel)
    .panel(filled)
}

/// The times of a disc and of a couple that fit these times best, in relative error, and their largest relative error.
fn two_terms(mesh: &Table) -> (f64, f64, f64) {
    let points: Vec<[f64; 2]> = mesh
        .0
        .iter()
        .map(|row| ["particles", "couples_of_mesh"].map(|column| row.number(column) / row.number("seconds")))
        .collect();
    if points.len() < 3 {
        return (f64::NAN, f64::NAN, f64::NAN);
    }
    let sum = |value: fn(&[f64; 2]) -> f64| points.iter().map(value).sum::<f64>();
    let (xx, xy, yy) = (sum(|p| p[0] * p[0]), sum(|p| p[0] * p[1]), sum(|p| p[1] * p[1]));
    let (x, y) = (sum(|p| p[0]), sum(|p| p[1]));
    let determinant = xx * yy - xy * xy;
    let (disc, couple) = ((x * yy - y * xy) / determinant, (xx * y - xy * x) / determinant);
    let off = points.iter().map(|p| (disc * p[0] + couple * p[1] - 1.0).abs()).fold(0.0, f64::max);
    (disc, couple, off)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let over = |way: &str| -> Vec<(f64, f64)> {
        each(table, way).into_iter().zip(each(table, SORT)).map(|(other, sort)| (other.0, other.1 / sort.1)).collect()
    };
    let words = |ratios: &[(f64, f64)]| {
        ratios.iter().map(|(w, ratio)| format!("{ratio:.2} (w = {w})")).collect::<Vec<_>>().join(", ")
    };
    let mut verdicts = Vec::new();
    for (way, named) in [(TABLE, "Verlet tables"), (MESH, "neighborhood lists (meshes)")] {
        let ratios = over(way);
        let measured = if ratios.is_empty() {
            "NaN".to_owned()
        } else {
            format!("their time over that of sort-and-update: {}", words(&ratios))
        };
        let wins = ratios.iter().filter(|ratio| ratio.1 > 1.0).count();
        verdicts.push(
            Verdict::new(
                format!("sort-and-update is an improvement over {named}"),
                measured,
                wins == ratios.len() && wins > 0,
            )
            .paper("an improvement (conclusion)")
            .same_trend_if(wins > 0)
            .because(format!("by these times it is so for {wins} of {} size ratios", ratios.len())),
        );
    }
    // N (t_mesh + 9 N_mesh t_col): a time for each disc, and one for each couple that is tested.
    let mesh = table.only("way", MESH);
    let (per_disc, per_couple, off) = two_terms(&mesh);
    let couples = |w: f64| mesh.at("w", w, "couples_of_mesh") / mesh.at("w", w, "particles");
    let last = mesh.curve("w", "w").last().map_or(f64::NAN, |point| point.0);
    verdicts.push(
        Verdict::new(
            "the cost of a mesh is N (t_mesh + 9 N_mesh t_col) (tolerance 20 %, ours)",
            format!(
                "couples tested per disc {:.1} at w = 1 and {:.1} at w = {last}; {:.1} ns for a disc and {:.2} ns for a couple fit all times within {:.0} %",
                couples(1.0),
                couples(last),
                1e9 * per_disc,
                1e9 * per_couple,
                100.0 * off
            ),
            off < 0.2 && per_couple > 0.0 && per_disc > 0.0,
        )
        .paper("N (t_mesh + 9 N_mesh t_col)")
        .same_trend_if(per_couple > 0.0 && off < 0.5),
    );
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::verdict::Outcome;

    #[test]
    fn two_terms_are_found_again() {
        let row = |couples: f64| {
            let row = Row::new().with("particles", 10).with("couples_of_mesh", couples);
            row.with("seconds", 3e-8 * 10.0 + 2e-9 * couples)
        };
        let (disc, couple, off) = two_terms(&Table([20.0, 100.0, 900.0].map(row).to_vec()));
        assert!((disc - 3e-8).abs() < 1e-14 && (couple - 2e-9).abs() < 1e-15 && off < 1e-9);
    }

    #[test]
    fn wins_at_some_size_ratios_are_a_trend() {
        let row = |way: &str, w: f64, time: f64| {
            let row = Row::new().with("way", way).with("w", w).with("particles", 10).with("seconds", time);
            row.with("couples_of_mesh", 100.0 * w).with("bodies_per_mesh", w)
        };
        let table = Table(vec![
            row(MESH, 1.0, 0.5),
            row(MESH, 10.0, 4.1),
            row(MESH, 30.0, 12.1),
            row(TABLE, 1.0, 2.0),
            row(TABLE, 10.0, 2.0),
            row(TABLE, 30.0, 0.5),
            row(SORT, 1.0, 1.0),
            row(SORT, 10.0, 1.0),
            row(SORT, 30.0, 1.0),
        ]);
        let outcomes: Vec<Outcome> = judge(&table).into_iter().map(|verdict| verdict.outcome).collect();
        assert_eq!(outcomes, [Outcome::SameTrend, Outcome::SameTrend, Outcome::AsPrinted]);
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
