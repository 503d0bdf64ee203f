//! `polygon-corners`: one call for the closest features against the number of corners.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::error::{Result, fault};
use crate::experiment::{Cost, Experiment, Paper, Point};
use crate::fit::{log_slope, median};
use crate::processor_time::ProcessorTime;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use multigrain::Rng;
use multigrain_polygons::{
    Closest, ConvexPolygon, Features, Frame, Placed, closest_features, closest_features_by_walk,
};
use std::f64::consts::TAU;
use std::hint::black_box;

pub const EXPERIMENT: Experiment = Experiment {
    name: "polygon-corners",
    paper: Paper::Polygons,
    figure: "figure 11",
    about: "Pairs of random convex polygons move past each other: one circles around the other by half a thousandth of its radius \
            per call and both turn, by up to 2 pi/1024 per call (fast) or a tenth of that (slow). Processor time of a call for \
            the closest features that remembers those of the last, and pairs of features it looked at, against the number of corners: by \
            the paper's walk through Voronoi regions, and by our shorter way for bodies that were apart.",
    cost: Cost { quick: "5 s", full: "10 s" },
    parameters: &["corners"],
    points,
    draw,
    judge,
};

/// Most that a body turns between two calls of fast motion.
const MAX_TURN: f64 = TAU / 1024.0;

const PACES: [(&str, f64); 2] = [("fast", 1.0), ("slow", 0.1)];

/// What finds the closest features.
type Way = fn(&Placed<'_>, &Placed<'_>, &mut Features) -> Closest;

const WAYS: [(&str, Way); 2] = [(WALK, closest_features_by_walk), ("our shorter way", closest_features)];
const WALK: &str = "the paper's walk";

fn points(size: &Choices) -> Vec<Point> {
    let corners: &[usize] = size.pick(
        &[4, 64],
        &[4, 8, 16, 32, 64, 128, 256, 512, 1024],
        &[4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512, 1024, 2048, 4096],
    );
    let (pairs, calls, rounds) = size.pick((2, 50, 1), (16, 1000, 9), (32, 4000, 15));
    let mut points = Vec::new();
    for (motion, pace) in PACES {
        for corners in size.list("corners", corners) {
            let key = format!("{motion},corners={corners},pairs={pairs},calls={calls},rounds={rounds}");
            let seconds = 3e-7 * (pairs * calls * rounds) as f64 + 0.02;
            points.push(
                Point::new(key, seconds, move |context| {
                    let track = Track::new(corners, pace, pairs, calls, context.seed)?;
                    let each = 1.0 / (pairs * calls) as f64;
                    let mut runs = [const { Vec::new() }; 2];
                    // The first round warms up.
                    for _ in 0..=rounds {
                        for ((_, way), runs) in WAYS.into_iter().zip(&mut runs) {
                            runs.push(track.run(way));
                        }
                    }
                    let row = |(way, runs): (&str, &Vec<(f64, u64, f64)>)| {
                        let times: Vec<f64> = runs[1..].iter().map(|run| run.0).collect();
                        Row::new()
                            .with("way", way)
                            .with("motion", motion)
                            .with("corners", corners)
                            .with("calls", pairs * calls)
                            .with("seconds_per_call", each * median(&times))
                            .with("feature_pairs_per_call", each * runs[0].1 as f64)
                    };
                    let difference = (runs[0][0].2 / runs[1][0].2 - 1.0).abs();
                    if difference > 1e-9 {
                        return Err(fault!("the two ways find distances that differ by a share of {difference}"));
                    }
                    Ok(WAYS.into_iter().zip(&runs).map(|((way, _), runs)| row((way, runs))).collect())
                })
                .seeded(7),
            );
        }
    }
    points
}

/// Pairs of polygons with all their places.
struct Track {
    pairs: Vec<([ConvexPolygon; 2], Vec<[Frame; 2]>)>,
}

impl Track {
    fn new(corners: usize, pace: f64, pairs: usize, calls: usize, seed: u64) -> Result<Self> {
        let mut rng = Rng::new(seed);
        let mut made = Vec::new();
        for _ in 0..pairs {
            let shapes =
                [ConvexPolygon::random(corners, 1.0, &mut rng)?, ConvexPolygon::random(corners, 1.0, &mut rng)?];
            let mut any = || 2.0 * rng.uniform() - 1.0;
            let turns = [any(), any()].map(|turn| turn * pace * MAX_TURN);
            let orbit = any().signum() * pace * 5e-4;
            let start = [TAU * any(), TAU * any(), TAU * any()];
            let wave = TAU * any();
            let place = |call: usize| {
                let t = call as f64;
                // Polygons of radius 1 are apart beyond 2.
                let distance = 2.2 + 0.19 * (wave + 5e-3 * pace * t).sin();
                let direction = start[2] + orbit * t;
                let first = Frame::new([0.0, 0.0], start[0] + turns[0] * t)?;
                let second =
                    Frame::new([distance * direction.cos(), distance * direction.sin()], start[1] + turns[1] * t)?;
                Ok([first, second])
            };
            made.push((shapes, (0..calls).map(place).collect::<Result<Vec<_>>>()?));
        }
        Ok(Self { pairs: made })
    }

    /// Seconds of all calls, the pairs of features they looked at, and the sum of all distances.
    fn run(&self, way: Way) -> (f64, u64, f64) {
        let (mut looked_at, mut distances) = (0, 0.0);
        let start = ProcessorTime::now();
        for (shapes, places) in &self.pairs {
            let mut memory = Features::default();
            for [a, b] in places {
                let found = way(&shapes[0].at(*a), &shapes[1].at(*b), &mut memory);
                looked_at += u64::from(found.steps);
                distances += black_box(found.distance);
            }
        }
        (start.elapsed().as_secs_f64(), looked_at, distances)
    }
}

fn draw(table: &Table) -> Figure {
    let x = || Axis::log("corners of each polygon");
    let mut time = Panel::new("time of a call", x(), Axis::linear("time (ns)").at_least(0.0, 0.0));
    let mut looked =
        Panel::new("pairs of features looked at", x(), Axis::linear("pairs of features per call").at_least(0.0, 0.0));
    let mut shade = 0;
    for (way, _) in WAYS {
        for (motion, _) in PACES {
            let rows = table.only("motion", motion).only("way", way);
            let curve = rows.curve("corners", "seconds_per_call");
            let ns = curve.into_iter().map(|(corners, time)| (corners, 1e9 * time)).collect();
            let name = format!("{way}, {motion} motion");
            time = time.series(&name, shade, Look::Curve, ns);
            looked = looked.series(&name, shade, Look::Curve, rows.curve("corners", "feature_pairs_per_call"));
            shade += 1;
        }
    }
    Figure::new(
        "Closest features of moving polygons",
        "pairs of random convex polygons, features remembered from call to call, one thread",
    )
    .panel(time)
    .panel(looked)
}

fn judge(table: &Table) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for (way, _) in WAYS {
        for (motion, _) in PACES {
            let rows = table.only("motion", motion).only("way", way);
            let curve = rows.curve("corners", "seconds_per_call");
            let looked = rows.curve("corners", "feature_pairs_per_call");
            let end = |curve: &[(f64, f64)], last: bool| {
                let point = if last { curve.last() } else { curve.first() };
                point.copied().unwrap_or((f64::NAN, f64::NAN))
            };
            let (first, last) = (end(&curve, false), end(&curve, true));
            let growth = last.1 / first.1;
            let measured = format!(
                "{growth:.2} times from {} to {} corners, corners^{:.2}; {:.2} and {:.2} pairs of features looked at",
                first.0,
                last.0,
                log_slope(&curve),
                end(&looked, false).1,
                end(&looked, true).1
            );
            let claim = format!("time of a call is nearly constant, {motion} motion, {way}");
            verdicts.push(if way == WALK {
                Verdict::new(claim, measured, growth < 1.3).paper("nearly constant").same_trend_if(growth < 4.0).because(
                    "a turn by the same angle passes more features where there are more corners, as the pairs looked at show; with \
                     slower motion it is less",
                )
            } else {
                Verdict::beyond(claim, measured)
            });
        }
    }
    verdicts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_grows_with_corners_fails() {
        let row = |motion: &str, corners: f64, time: f64| {
            let row = Row::new().with("way", WALK).with("motion", motion).with("corners", corners);
            row.with("seconds_per_call", time).with("feature_pairs_per_call", time)
        };
        let table = Table(vec![
            row("fast", 4.0, 1.0),
            row("fast", 1024.0, 9.0),
            row("slow", 4.0, 1.0),
            row("slow", 1024.0, 1.2),
        ]);
        assert_eq!(judge(&table)[..2].iter().map(Verdict::is_as_printed).collect::<Vec<_>>(), [false, true]);
        assert!(judge(&Table::default()).into_iter().all(|verdict| verdict.reported(false).is_none()));
    }
}
