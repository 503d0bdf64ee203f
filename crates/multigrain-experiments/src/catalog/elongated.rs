//! `hgrid-elongated`: elongated bodies by their bounding spheres.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::Result;
use crate::experiment::{Context, Cost, Experiment, Paper, Point};
use crate::processor_time::ProcessorTime;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::{Detector, Pairs, Rng, Snapshot};
use multigrain_methods::Method;

pub const EXPERIMENT: Experiment = Experiment {
    name: "hgrid-elongated",
    paper: Paper::FastMultilevel,
    figure: "section 2.3",
    about: "Rods with round ends, of length and width in a ratio from 1 to 16, all of one volume, at random places and in random \
            directions at packing fraction 0.2, in their bounding spheres: pairs of spheres that hgrid-cells hands on, over those whose \
            rods touch, and processor time of the detection and of the exact tests, one thread. The paper names no shape.",
    cost: Cost { quick: "5 s", full: "30 s" },
    parameters: &["n", "phi"],
    points,
    draw,
    judge,
};

fn points(choices: &Choices) -> Vec<Point> {
    let count = choices.one("n", choices.pick(300, 10_000, 100_000));
    let phi = choices.one("phi", 0.2);
    let aspects: &[f64] =
        choices.pick(&[1.0, 4.0], &[1.0, 2.0, 4.0, 8.0, 16.0], &[1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0, 16.0]);
    let point = |&aspect: &f64| {
        let key = format!("aspect={aspect},n={count},phi={phi}");
        Point::new(key, 1e-6 * count as f64 * aspect.powi(2) + 0.02, move |context| {
            measure(context, aspect, count, phi)
        })
        .seeded(1)
    };
    aspects.iter().map(point).collect()
}

/// A rod: the half of its axis, from its middle to the center of a round end, and half its width.
#[derive(Debug, Clone, Copy)]
struct Rod {
    center: [f64; 3],
    half: [f64; 3],
    radius: f64,
}

fn measure(context: &Context<'_>, aspect: f64, count: usize, phi: f64) -> Result<Vec<Row>> {
    let mut rng = Rng::new(context.seed);
    // Volume 1: a cylinder of length (aspect - 1) widths, and the two halves of a sphere.
    let radius = (1.0 / (std::f64::consts::PI * (2.0 * (aspect - 1.0) + 4.0 / 3.0))).cbrt();
    let half = (aspect - 1.0) * radius;
    let side = (count as f64 / phi).cbrt();
    let rods: Vec<Rod> = (0..count)
        .map(|_| {
            let direction: [f64; 3] = std::array::from_fn(|_| rng.normal());
            let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-300);
            Rod {
                center: std::array::from_fn(|_| side * rng.uniform()),
                half: direction.map(|x| half * x / length),
                radius,
            }
        })
        .collect();
    context.on_one_thread(move || {
        let centers: Vec<[f64; 3]> = rods.iter().map(|rod| rod.center).collect();
        let radii = vec![radius + half; count];
        let now = Snapshot::new(&centers, &radii)?;
        let mut detector: Box<dyn Detector<3>> = Method::HGridCells.build(now)?;
        let mut pairs = Pairs::new();
        let work = detector.count_work(now, &mut pairs);
        let start = ProcessorTime::now();
        detector.find_pairs(now, &mut pairs);
        let found = ProcessorTime::now();
        let touching = pairs.as_slice().iter().filter(|[i, j]| touch(&rods[*i as usize], &rods[*j as usize])).count();
        let end = ProcessorTime::now();
        Ok(vec![
            Row::new()
                .with("aspect", aspect)
                .with("particles", count)
                .with("phi", phi)
                .with("candidates", work.candidates)
                .with("sphere_pairs", pairs.len())
                .with("contacts", touching)
                .with("pairs_per_contact", pairs.len() as f64 / touching as f64)
                .with("seconds_of_detection", (found - start).as_secs_f64())
                .with("seconds_of_tests", (end - found).as_secs_f64()),
        ])
    })?
}

/// Whether two rods touch: the distance of their axes is below the sum of half their widths.
fn touch(a: &Rod, b: &Rod) -> bool {
    let dot = |u: [f64; 3], v: [f64; 3]| u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
    let between: [f64; 3] = std::array::from_fn(|axis| b.center[axis] - a.center[axis]);
    let (aa, bb, ab) = (dot(a.half, a.half), dot(b.half, b.half), dot(a.half, b.half));
    let (da, db) = (dot(a.half, between), dot(b.half, between));
    let squared = |s: f64, t: f64| {
        let v: [f64; 3] = std::array::from_fn(|axis| between[axis] + t * b.half[axis] - s * a.half[axis]);
        dot(v, v)
    };
    // The least of the distance over -1 <= s, t <= 1: inside, or on one of the four borders.
    let on = |value: f64, over: f64| if over > 0.0 { (value / over).clamp(-1.0, 1.0) } else { 0.0 };
    let mut least = f64::INFINITY;
    for end in [-1.0, 1.0] {
        let s = on(da + end * ab, aa);
        least = least.min(squared(s, end));
        let t = on(end * ab - db, bb);
        least = least.min(squared(end, t));
    }
    let determinant = aa * bb - ab * ab;
    if determinant > 1e-12 * aa * bb && determinant > 0.0 {
        let (s, t) = ((da * bb - db * ab) / determinant, (da * ab - db * aa) / determinant);
        if s.abs() <= 1.0 && t.abs() <= 1.0 {
            least = least.min(squared(s, t));
        }
    }
    least.min(squared(0.0, 0.0)) < (a.radius + b.radius).powi(2)
}

fn draw(table: &Table) -> Figure {
    let x = || Axis::log("length over width");
    let each = |column: &str| -> Vec<(f64, f64)> {
        table.0.iter().map(|row| (row.number("aspect"), 1e9 * row.number(column) / row.number("particles"))).collect()
    };
    Figure::new("Rods in their bounding spheres", "one volume, packing fraction 0.2, hgrid-cells, one thread")
        .panel(Panel::new("pairs of spheres for each contact", x(), Axis::log("pairs per contact")).series(
            "counted",
            0,
            Look::Curve,
            table.curve("aspect", "pairs_per_contact"),
        ))
        .panel(
            Panel::new("time", x(), Axis::log("time per rod (ns)"))
                .series("detection", 1, Look::Curve, each("seconds_of_detection"))
                .series("exact tests", 2, Look::Curve, each("seconds_of_tests")),
        )
}

fn judge(table: &Table) -> Vec<Verdict> {
    let curve = table.curve("aspect", "pairs_per_contact");
    let (first, last) =
        (curve.first().copied().unwrap_or((f64::NAN, f64::NAN)), curve.last().copied().unwrap_or((f64::NAN, f64::NAN)));
    let time = |aspect: f64| {
        table.at("aspect", aspect, "seconds_of_detection") + table.at("aspect", aspect, "seconds_of_tests")
    };
    vec![
        Verdict::new(
            "bounding spheres serve other shapes, and elongated ones are slower",
            format!(
                "{:.2} pairs of spheres for each contact at ratio {}, {:.1} at {}; detection and exact tests take {:.1} times as long",
                first.1,
                first.0,
                last.1,
                last.0,
                time(last.0) / time(first.0)
            ),
            last.1 > first.1 && time(last.0) > time(first.0),
        )
        .paper("can affect the performance when particles are rather elongated"),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rods_touch_as_their_sampled_axes_do() {
        let mut rng = Rng::new(2);
        let mut rod = |length: f64| Rod {
            center: std::array::from_fn(|_| 1.5 * rng.uniform()),
            half: std::array::from_fn(|_| length * (rng.uniform() - 0.5)),
            radius: 0.2,
        };
        let mut touching = 0;
        for k in 0..300 {
            let (a, b) = (rod(f64::from(k % 4)), rod(2.0));
            let mut least = f64::INFINITY;
            for i in -200..=200 {
                for j in -200..=200 {
                    let (s, t) = (f64::from(i) / 200.0, f64::from(j) / 200.0);
                    let gap = |axis: usize| b.center[axis] + t * b.half[axis] - a.center[axis] - s * a.half[axis];
                    least = least.min((0..3).map(|axis| gap(axis).powi(2)).sum::<f64>().sqrt());
                }
            }
            if (least - 0.4).abs() > 0.02 {
                assert_eq!(touch(&a, &b), least < 0.4, "{a:?} {b:?} {least}");
                touching += usize::from(least < 0.4);
            }
        }
        assert!(touching > 20);
    }

    #[test]
    fn spheres_that_fit_are_distinguished_from_those_that_do_not() {
        let row = |aspect: f64, pairs: f64, time: f64| {
            let row = Row::new().with("aspect", aspect).with("pairs_per_contact", pairs).with("particles", 10);
            row.with("seconds_of_detection", time).with("seconds_of_tests", time)
        };
        assert!(judge(&Table(vec![row(1.0, 1.0, 1.0), row(8.0, 9.0, 5.0)]))[0].is_as_printed());
        assert!(!judge(&Table(vec![row(1.0, 1.0, 1.0), row(8.0, 1.0, 1.0)]))[0].is_as_printed());
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
