//! Closest features of moving polygons: time against the number of corners, and against parry2d's distance.
//!
//! ```text
//! cargo bench -p multigrain-peers --bench polygons
//! cargo bench -p multigrain-peers --bench polygons -- --corners 4,32,1024 --rounds 9
//! ```
//!
//! Random convex polygons move past each other in pairs: one circles around the other by a thousandth of its radius per call,
//! and both turn: by angles drawn again for every call, uniformly below 2 pi/1024, or by just that in every call, or by a tenth
//! of it. Poses are made beforehand. All take turns on the same poses; ours remembers the features of every pair. Then the
//! same with pairs that overlap. Exit code 1 where answers differ by more than 1e-6 of the size, or where only one says
//! overlap.

use multigrain::Rng;
use multigrain_lab::arguments::Arguments;
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::table::{Table, short};
use multigrain_lab::timing::{median, timed};
use multigrain_polygons::{Contact, ConvexPolygon, Features, Frame, closest_features, overlap};
use parry2d_f64::math::{Pose, Vector};
use parry2d_f64::query::distance;
use std::error::Error;
use std::f64::consts::TAU;
use std::process::ExitCode;

const USAGE: &str = "\
Closest features of moving polygons, against parry2d

    --corners A,B    numbers of corners (4,8,16,32,64,128,256,512,1024)
    --pairs N        pairs of bodies (16)
    --calls N        calls per pair and round (1000)
    --rounds N       turns of each (7)";

/// No body turns by more between two calls.
const MAX_TURN: f64 = TAU / 1024.0;

/// How far a body moves between two calls, over its radius.
const STRIDE: f64 = 1e-3;

/// What answers may differ by; bodies have radius 1.
const TOLERANCE: f64 = 1e-6;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_bench(USAGE);
    let all = vec![4usize, 8, 16, 32, 64, 128, 256, 512, 1024];
    let corners = arguments.take_list("corners").unwrap_or(arguments.by_size(all, vec![4, 32]));
    let pairs = arguments.take("pairs").unwrap_or(arguments.by_size(16usize, 3));
    let calls = arguments.take("calls").unwrap_or(arguments.by_size(1000usize, 50));
    let rounds = arguments.take("rounds").unwrap_or(arguments.by_size(7usize, 1));
    arguments.finish();
    let mut holds = true;
    for (motion, turning) in
        [Apart, Overlapping].into_iter().flat_map(|motion| Turning::ALL.map(|turns| (motion, turns)))
    {
        let mut table = Table::new([
            "corners",
            "ns/call",
            "over the first",
            "steps/call",
            "parry2d",
            "ratio",
            "difference",
            "overlap",
        ]);
        let mut first = None;
        for &count in &corners {
            let bodies = Bodies::new(motion, turning, count, pairs, calls)?;
            let row = bodies.race(rounds);
            let measure = *first.get_or_insert(row.ours);
            holds &= row.difference <= TOLERANCE && row.disagreements == 0;
            let parry = [row.parry, row.parry / row.ours, row.difference].map(short);
            let ours = [row.ours, row.ours / measure, row.steps].map(short);
            let cells = [count.to_string()].into_iter().chain(ours).chain(parry);
            table.row(cells.chain([short(row.overlap)]));
        }
        println!("\n{motion:?} pairs, turning by {}: {pairs} pairs, {calls} calls each", turning.text());
        println!("{table}");
    }
    Ok(verdict(holds))
}

#[derive(Debug, Clone, Copy)]
enum Motion {
    Apart,
    Overlapping,
}
use Motion::{Apart, Overlapping};

/// By how much bodies turn between two calls.
#[derive(Debug, Clone, Copy)]
enum Turning {
    /// Drawn for every call and body.
    Drawn,
    /// As much as is allowed.
    Most,
    /// A tenth of that.
    Tenth,
}

impl Turning {
    const ALL: [Self; 3] = [Self::Drawn, Self::Most, Self::Tenth];

    fn text(self) -> &'static str {
        match self {
            Self::Drawn => "angles drawn uniformly below 2 pi/1024 per call",
            Self::Most => "2 pi/1024 per call",
            Self::Tenth => "a tenth of 2 pi/1024 per call",
        }
    }

    fn angle(self, rng: &mut Rng) -> f64 {
        match self {
            Self::Drawn => rng.uniform() * MAX_TURN,
            Self::Most => 0.9999 * MAX_TURN,
            Self::Tenth => 0.1 * MAX_TURN,
        }
    }
}

/// Pairs of bodies and all their poses.
struct Bodies {
    motion: Motion,
    shapes: Vec<[ConvexPolygon; 2]>,
    peers: Vec<[parry2d_f64::shape::ConvexPolygon; 2]>,
    /// By pair, then by call.
    frames: Vec<Vec<[Frame; 2]>>,
    poses: Vec<Vec<[Pose; 2]>>,
}

/// Nanoseconds per call and what was found.
struct Row {
    ours: f64,
    steps: f64,
    parry: f64,
    /// Time of the overlap polygon, of overlapping pairs.
    overlap: f64,
    difference: f64,
    disagreements: usize,
}

impl Bodies {
    fn new(
        motion: Motion,
        turning: Turning,
        corners: usize,
        pairs: usize,
        calls: usize,
    ) -> Result<Self, Box<dyn Error>> {
        let mut rng = Rng::new(corners as u64);
        let mut bodies = Self { motion, shapes: Vec::new(), peers: Vec::new(), frames: Vec::new(), poses: Vec::new() };
        for _ in 0..pairs {
            let mut shape = || ConvexPolygon::random(corners, 1.0, &mut rng);
            let shapes = [shape()?, shape()?];
            let peer = |shape: &ConvexPolygon| {
                let points = shape.corners().iter().map(|&[x, y]| Vector::new(x, y)).collect();
                let made = parry2d_f64::shape::ConvexPolygon::from_convex_polyline_unmodified(points);
                made.ok_or("parry2d refuses a polygon")
            };
            bodies.peers.push([peer(&shapes[0])?, peer(&shapes[1])?]);
            bodies.shapes.push(shapes);
            let frames = path(motion, turning, calls, &mut rng)?;
            let pose = |frame: &Frame| Pose::new(Vector::from(frame.position()), frame.angle());
            bodies.poses.push(frames.iter().map(|pair| pair.each_ref().map(pose)).collect());
            bodies.frames.push(frames);
        }
        Ok(bodies)
    }

    fn race(&self, rounds: usize) -> Row {
        let calls: usize = self.frames.iter().map(Vec::len).sum();
        let per_call = 1e9 / calls as f64;
        let mut times = [const { Vec::new() }; 3];
        let (mut difference, mut disagreements, mut steps) = (0.0f64, 0, 0u64);
        let (mut ours, mut theirs) = (vec![(0.0, Contact::Apart); calls], vec![0.0; calls]);
        // The first round warms up.
        for round in 0..=rounds {
            steps = 0;
            let (elapsed, ()) = timed(|| steps = self.track(&mut ours));
            let (elapsed_of_parry, ()) = timed(|| self.ask_parry(&mut theirs));
            let with_overlap = match self.motion {
                Apart => elapsed,
                Overlapping => timed(|| self.track_with_overlap()).0,
            };
            if round > 0 {
                for (times, elapsed) in times.iter_mut().zip([elapsed, elapsed_of_parry, with_overlap]) {
                    times.push(elapsed.as_secs_f64() * per_call);
                }
            }
        }
        for (&(ours, contact), &theirs) in ours.iter().zip(&theirs) {
            difference = difference.max((ours - theirs).abs());
            disagreements += usize::from((contact == Contact::Apart) != (theirs > 0.0) && theirs.max(ours) > TOLERANCE);
        }
        let [ours, parry, with_overlap] = times.map(|times| median(&times));
        let steps = steps as f64 / calls as f64;
        Row { ours, steps, parry, overlap: with_overlap - ours, difference, disagreements }
    }

    /// All calls of ours, and the steps that they took.
    fn track(&self, answers: &mut [(f64, Contact)]) -> u64 {
        let (mut answers, mut steps) = (answers.iter_mut(), 0);
        for (shapes, frames) in self.shapes.iter().zip(&self.frames) {
            let mut memory = Features::default();
            for (pair, answer) in frames.iter().zip(&mut answers) {
                let found = closest_features(&shapes[0].at(pair[0]), &shapes[1].at(pair[1]), &mut memory);
                *answer = (found.distance, found.contact);
                steps += u64::from(found.steps);
            }
        }
        steps
    }

    fn track_with_overlap(&self) -> f64 {
        let (mut polygon, mut area) = (Vec::new(), 0.0);
        for (shapes, frames) in self.shapes.iter().zip(&self.frames) {
            let mut memory = Features::default();
            for pair in frames {
                let (a, b) = (shapes[0].at(pair[0]), shapes[1].at(pair[1]));
                closest_features(&a, &b, &mut memory);
                area += overlap(&a, &b, &memory, &mut polygon).map_or(0.0, |found| found.area);
            }
        }
        area
    }

    fn ask_parry(&self, answers: &mut [f64]) {
        let mut answers = answers.iter_mut();
        for (shapes, poses) in self.peers.iter().zip(&self.poses) {
            for (pair, answer) in poses.iter().zip(&mut answers) {
                let found = distance(&pair[0], &shapes[0], &pair[1], &shapes[1]);
                *answer = found.expect("parry2d knows convex polygons").distance;
            }
        }
    }
}

/// The places of two bodies: the second circles around the first, both turn, each in its sense.
fn path(motion: Motion, turning: Turning, calls: usize, rng: &mut Rng) -> Result<Vec<[Frame; 2]>, Box<dyn Error>> {
    let mut any = || 2.0 * rng.uniform() - 1.0;
    let (senses, orbit) = ([any().signum(), any().signum()], any().signum() * STRIDE / 2.0);
    let (mut angles, direction, wave) = ([TAU * any(), TAU * any()], TAU * any(), TAU * any());
    let mut frames = Vec::with_capacity(calls);
    for call in 0..calls {
        let t = call as f64;
        let breath = (wave + 0.005 * t).sin();
        // Polygons of radius 1 are apart beyond 2, and overlap where the smallest, a flat quadrilateral, reaches the other.
        let reach = match motion {
            Apart => 2.2 + 0.19 * breath,
            Overlapping => 0.7 + 0.1 * breath,
        };
        let (sin, cos) = (direction + orbit * t).sin_cos();
        for (angle, sense) in angles.iter_mut().zip(senses) {
            *angle += sense * turning.angle(rng);
        }
        frames.push([Frame::new([0.0, 0.0], angles[0])?, Frame::new([reach * cos, reach * sin], angles[1])?]);
    }
    Ok(frames)
}
