//! Random pairs of convex polygons, easy and nasty, for fuzzing the narrow phase.

use multigrain::Rng;
use multigrain_polygons::{Closest, ConvexPolygon, Feature, Features, Frame, Placed, closest_features};
use std::f64::consts::TAU;

/// How the bodies of a pair are meant to lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Anywhere within a few sizes.
    Anywhere,
    /// Apart by far.
    Disjoint,
    /// Moved until they are at most 1e-6, often 1e-12 or nothing apart, or as deep in each other.
    Touching,
    /// Centers close together.
    Overlapping,
    /// A small one inside a large one.
    Contained,
    /// An edge of one along an edge of the other, with a small gap, overlap or none.
    Parallel,
    /// A vertex of one on a vertex of the other.
    SharedVertex,
    /// The same polygon at the same place, or nearly.
    Twins,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 8] = [
        Self::Anywhere,
        Self::Disjoint,
        Self::Touching,
        Self::Overlapping,
        Self::Contained,
        Self::Parallel,
        Self::SharedVertex,
        Self::Twins,
    ];
}

/// Two polygons and where they are.
#[derive(Debug, Clone)]
pub struct PolygonPair {
    /// How they were meant to lie.
    pub kind: Kind,
    /// The shapes.
    pub shapes: [ConvexPolygon; 2],
    /// The places.
    pub frames: [Frame; 2],
}

impl PolygonPair {
    /// The pair that a seed and a number name: the kinds take turns; corners are log-uniform from 3 to `most_corners`.
    pub fn random(seed: u64, number: u64, most_corners: usize) -> Self {
        let mut rng = Rng::new(seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let kind = Kind::ALL[(number % Kind::ALL.len() as u64) as usize];
        let ratio = if rng.below(4) == 0 { 10f64.powf(-3.0 * rng.uniform()) } else { 0.3 + 0.7 * rng.uniform() };
        let scale = if rng.below(16) == 0 { 10f64.powf(60.0 * rng.uniform() - 30.0) } else { 1.0 };
        let large = shape(&mut rng, most_corners, scale);
        let small = if kind == Kind::Twins { large.clone() } else { shape(&mut rng, most_corners, scale * ratio) };
        let shapes = if rng.below(2) == 0 { [large, small] } else { [small, large] };
        // Some pairs lie far from the origin, where a gap may be less than the coordinates can tell.
        let far = if rng.below(8) == 0 { scale * 10f64.powf(14.0 * rng.uniform()) } else { 0.0 };
        let origin = [far * (2.0 * rng.uniform() - 1.0), far * (2.0 * rng.uniform() - 1.0)];
        let angles = [TAU * rng.uniform(), TAU * rng.uniform()];
        let frames = place(kind, &shapes, origin, angles, &mut rng);
        Self { kind, shapes, frames }
    }

    /// Both bodies.
    pub fn bodies(&self) -> [Placed<'_>; 2] {
        [0, 1].map(|k| self.shapes[k].at(self.frames[k]))
    }

    /// Radius of the larger body.
    pub fn size(&self) -> f64 {
        self.shapes[0].radius().max(self.shapes[1].radius())
    }

    /// What distances may be wrong by: 1e-12 of the larger body and 16 ulps of the largest coordinate.
    pub fn tolerance(&self) -> f64 {
        let coordinates = self.frames.iter().flat_map(|frame| frame.position());
        let largest = coordinates.fold(0.0, |largest: f64, x| largest.max(x.abs())) + self.size();
        1e-12 * self.size() + 16.0 * (largest.next_up() - largest)
    }

    /// The pair after a small random motion: up to `share` of the smaller size, and as many radians.
    pub fn moved(&self, share: f64, rng: &mut Rng) -> Self {
        let reach = share * self.shapes[0].radius().min(self.shapes[1].radius());
        let mut any = || 2.0 * rng.uniform() - 1.0;
        let frames = self.frames.map(|frame| {
            let [x, y] = frame.position();
            at([x + reach * any(), y + reach * any()], frame.angle() + share * any())
        });
        Self { frames, ..self.clone() }
    }

    /// Features that have nothing to do with where the bodies are, half of them with a direction that has not either.
    pub fn any_features(&self, rng: &mut Rng) -> Features {
        let mut any = |shape: &ConvexPolygon| {
            let k = rng.below(shape.len() as u64) as u32;
            if rng.below(2) == 0 { Feature::Vertex(k) } else { Feature::Edge(k) }
        };
        let (a, b) = (any(&self.shapes[0]), any(&self.shapes[1]));
        let (sin, cos) = (0.25 * TAU * (8.0 * rng.uniform()).floor().min(4.0 * rng.uniform())).sin_cos();
        if rng.below(2) == 0 { Features::new(a, b) } else { Features::facing(a, b, [cos, sin]) }
    }

    /// The answer of the engine from these features.
    pub fn closest(&self, memory: &mut Features) -> Closest {
        let [a, b] = self.bodies();
        closest_features(&a, &b, memory)
    }
}

fn at(position: [f64; 2], angle: f64) -> Frame {
    Frame::new(position, angle).expect("places of the fuzz are finite")
}

/// A regular, random, flat or sharp polygon.
fn shape(rng: &mut Rng, most_corners: usize, radius: f64) -> ConvexPolygon {
    let corners = (3.0 * (most_corners as f64 / 3.0).powf(rng.uniform())).round() as usize;
    let made = match rng.below(8) {
        0 => ConvexPolygon::regular(corners, radius),
        1 => ConvexPolygon::rectangle(radius, radius * 10f64.powf(-8.0 * rng.uniform())),
        2 => {
            // A sliver: the hull of points in a box that is flat by up to nine orders of magnitude.
            let flat = 10f64.powf(-9.0 * rng.uniform());
            let points: Vec<[f64; 2]> = (0..corners).map(|_| [rng.normal(), flat * rng.normal()]).collect();
            ConvexPolygon::around(&points).and_then(|hull| hull.resized(radius))
        }
        3 => {
            // Tiny edges beside long ones: a random polygon with one corner cut off very finely.
            let base = ConvexPolygon::random(corners, 1.0, rng).expect("random polygons are sound");
            let mut points = base.corners().to_vec();
            let (first, cut) = (points[0], 10f64.powf(-12.0 * rng.uniform()));
            let ends = [points[1], points[points.len() - 1]];
            points[0] = [first[0] + cut * (ends[0][0] - first[0]), first[1] + cut * (ends[0][1] - first[1])];
            points.push([first[0] + cut * (ends[1][0] - first[0]), first[1] + cut * (ends[1][1] - first[1])]);
            ConvexPolygon::around(&points).and_then(|hull| hull.resized(radius))
        }
        _ => ConvexPolygon::random(corners, radius, rng),
    };
    made.or_else(|_| ConvexPolygon::random(corners, radius, rng)).expect("random polygons are sound")
}

fn place(kind: Kind, shapes: &[ConvexPolygon; 2], origin: [f64; 2], angles: [f64; 2], rng: &mut Rng) -> [Frame; 2] {
    let sum = shapes[0].radius() + shapes[1].radius();
    let first = at(origin, angles[0]);
    let direction = TAU * rng.uniform();
    let shifted =
        |reach: f64, angle: f64| at([origin[0] + reach * direction.cos(), origin[1] + reach * direction.sin()], angle);
    let gap = |rng: &mut Rng| {
        let sizes = [0.0, 1e-15, 1e-12, 1e-9, 1e-6];
        let sign = if rng.below(2) == 0 { 1.0 } else { -1.0 };
        sign * sum * sizes[rng.below(5) as usize]
    };
    let second = match kind {
        Kind::Anywhere => shifted(2.0 * sum * rng.uniform(), angles[1]),
        Kind::Disjoint => shifted(sum * (1.0 + 10f64.powf(3.0 * rng.uniform() - 2.0)), angles[1]),
        Kind::Overlapping => shifted(0.5 * sum * rng.uniform(), angles[1]),
        Kind::Contained => shifted(0.1 * sum * rng.uniform(), angles[1]),
        Kind::Touching => {
            let start = shifted(1.5 * sum, angles[1]);
            let found = closest_features(&shapes[0].at(first), &shapes[1].at(start), &mut Features::default());
            let [p, q] = found.points;
            let keep = gap(rng) / found.distance;
            let [x, y] = start.position();
            at([x - (q[0] - p[0]) * (1.0 - keep), y - (q[1] - p[1]) * (1.0 - keep)], angles[1])
        }
        Kind::Parallel => beside(shapes, first, gap(rng), rng),
        Kind::SharedVertex => {
            let turned = at([0.0, 0.0], angles[1]);
            let [p, q] = [any_corner(&shapes[0], rng), any_corner(&shapes[1], rng)];
            let (p, q) = (first.to_world(p), turned.to_world(q));
            at([p[0] - q[0], p[1] - q[1]], angles[1])
        }
        Kind::Twins => {
            let reach = gap(rng).abs();
            at([origin[0] + reach, origin[1]], angles[0] + if rng.below(2) == 0 { 0.0 } else { reach / sum })
        }
    };
    [first, second]
}

/// The second body with one of its edges along one of the first one's, `gap` apart.
fn beside(shapes: &[ConvexPolygon; 2], first: Frame, gap: f64, rng: &mut Rng) -> Frame {
    let mut edge = |shape: &ConvexPolygon| {
        let k = rng.below(shape.len() as u64) as usize;
        let (p, q) = (shape.corners()[k], shape.corners()[(k + 1) % shape.len()]);
        ([0.5 * (p[0] + q[0]), 0.5 * (p[1] + q[1])], (q[1] - p[1]).atan2(q[0] - p[0]))
    };
    let ((middle, slope), (other, other_slope)) = (edge(&shapes[0]), edge(&shapes[1]));
    let angle = first.angle() + slope - other_slope + 0.5 * TAU;
    let normal = first.angle() + slope - 0.25 * TAU;
    let target = first.to_world(middle);
    let offset = at([0.0, 0.0], angle).to_world(other);
    at([target[0] + gap * normal.cos() - offset[0], target[1] + gap * normal.sin() - offset[1]], angle)
}

fn any_corner(shape: &ConvexPolygon, rng: &mut Rng) -> [f64; 2] {
    shape.corners()[rng.below(shape.len() as u64) as usize]
}
