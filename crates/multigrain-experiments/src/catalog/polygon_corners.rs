//! `polygon-corners`: one call for the closest features against the number of corners.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::experiment::{Cost, Experiment, Paper, Point, Size};
use crate::fit::{log_slope, median};
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use anyhow::Result;
use multigrain::Rng;
use multigrain_polygons::{ConvexPolygon, Features, Frame, closest_features};
use std::f64::consts::TAU;
use std::hint::black_box;
use std::time::Instant;

pub const EXPERIMENT: Experiment = Experiment {
    name: "polygon-corners",
    paper: Paper::Polygons,
    figure: "figure 11",
    about: "Pairs of random convex polygons move past each other: one circles around the other by half a thousandth of its radius \
            per call and both turn, by up to 2 pi/1024 per call (fast) or a tenth of that (slow). Time of a call for the closest \
            features that remembers those of the last, and pairs of features it looked at, against the number of corners.",
    cost: Cost { quick: "5 s", full: "5 s" },
    points,
    draw,
    judge,
};

/// Most that a body turns between two calls of fast motion.
const MAX_TURN: f64 = TAU / 1024.0;

const PACES: [(&str, f64); 2] = [("fast", 1.0), ("slow", 0.1)];

fn points(size: Size) -> Vec<Point> {
    let corners: &[usize] = size.pick(
        &[4, 64],
        &[4, 8, 16, 32, 64, 128, 256, 512, 1024],
        &[4, 6, 8, 12, 16, 24, 32, 64, 128, 256, 512, 1024, 2048, 4096],
    );
    let (pairs, calls, rounds) = size.pick((2, 50, 1), (16, 1000, 9), (32, 4000, 15));
    let mut points = Vec::new();
    for (motion, pace) in PACES {
        for &corners in corners {
            let key = format!("{motion},corners={corners},pairs={pairs},calls={calls},rounds={rounds}");
            let seconds = 1.5e-7 * (pairs * calls * rounds) as f64 + 0.02;
            points.push(
                Point::new(key, seconds, move |context| {
                    let track = Track::new(corners, pace, pairs, calls, context.seed)?;
                    // The first round warms up.
                    let runs: Vec<(f64, u64)> = (0..=rounds).map(|_| track.run()).collect();
                    let times: Vec<f64> = runs[1..].iter().map(|run| run.0).collect();
                    let row = Row::new().with("motion", motion).with("corners", corners).with("calls", pairs * calls);
                    let each = 1.0 / (pairs * calls) as f64;
                    Ok(vec![
                        row.with("seconds_per_call", each * median(&times))
                            .with("feature_pairs_per_call", each * runs[0].1 as f64),
                    ])
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

    /// Seconds of all calls, and the pairs of features they looked at.
    fn run(&self) -> (f64, u64) {
        let mut looked_at = 0;
        let start = Instant::now();
        for (shapes, places) in &self.pairs {
            let mut memory = Features::default();
            for [a, b] in places {
                let found = closest_features(&shapes[0].at(*a), &shapes[1].at(*b), &mut memory);
                looked_at += u64::from(found.steps);
                black_box(found.distance);
            }
        }
        (start.elapsed().as_secs_f64(), looked_at)
    }
}

fn draw(table: &Table) -> Figure {
    let x = || Axis::log("corners of each polygon");
    let mut time = Panel::new("time of a call", x(), Axis::linear("time (ns)").at_least(0.0, 0.0));
    let mut looked =
        Panel::new("pairs of features looked at", x(), Axis::linear("pairs of features per call").at_least(0.0, 0.0));
    for (k, (motion, _)) in PACES.into_iter().enumerate() {
        let rows = table.only("motion", motion);
        let ns = rows
            .curve("corners", "seconds_per_call")
            .into_iter()
            .map(|(corners, time)| (corners, 1e9 * time))
            .collect();
        time = time.series(format!("{motion} motion"), k, Look::Curve, ns);
        looked =
            looked.series(format!("{motion} motion"), k, Look::Curve, rows.curve("corners", "feature_pairs_per_call"));
    }
    Figure::new(
        "Closest features of moving polygons",
        "pairs of random convex polygons, features remembered from call to call, one thread",
    )
    .panel(time)
    .panel(looked)
}

fn judge(table: &Table) -> Vec<Verdict> {
    PACES
        .iter()
        .map(|(motion, _)| {
            let curve = table.only("motion", motion).curve("corners", "seconds_per_call");
            let (first, last) = (curve.first().copied().unwrap_or_default(), curve.last().copied().unwrap_or_default());
            let growth = last.1 / first.1;
            Verdict::new(
                format!("time of a call is nearly constant, {motion} motion"),
                format!("{growth:.2} times from {} to {} corners; grows as corners^{:.2}", first.0, last.0, log_slope(&curve)),
                growth < 2.0,
            )
            .paper("nearly constant")
            .if_not("the more corners, the more of them a turn by the same angle passes, one by one; with slower motion it is constant")
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_that_grows_with_corners_fails() {
        let row = |motion: &str, corners: f64, time: f64| {
            Row::new().with("motion", motion).with("corners", corners).with("seconds_per_call", time)
        };
        let table = Table(vec![
            row("fast", 4.0, 1.0),
            row("fast", 1024.0, 9.0),
            row("slow", 4.0, 1.0),
            row("slow", 1024.0, 1.3),
        ]);
        assert_eq!(judge(&table).iter().map(|verdict| verdict.holds).collect::<Vec<_>>(), [false, true]);
        assert!(judge(&Table::default()).iter().all(|verdict| !verdict.holds));
    }
}
