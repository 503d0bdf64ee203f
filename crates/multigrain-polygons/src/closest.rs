//! The closest features of two convex polygons, tracked from call to call.
//!
//! A pair of features is closest when the closest points of each lie in the Voronoi region of the other. Where one does not,
//! the walk steps across the border of the region that is violated. Regions are judged by directions of edges rather than by
//! differences of nearby points, so that the judgement is as good for a gap of 1e-12 as for a wide one.
//!
//! Bodies that were apart in the last call have a shorter way: see [`facing`](super::facing).

use super::common::common_part;
use super::convex::Placed;
use super::crossing::{self, Crossing, MAX_FOLLOWED, Scan};
use super::facing::{Facing, MAX_EDGES, facing};
use super::features::{Feature, Features};
use super::full_check::{Found, full_check};
use super::moments::moments;
use super::regions::{Region, edge_and_vertex, end_and_edge, foot_on, rises};
use super::ring::Ring;
use super::vector::{Point, add, cross, norm, scaled, sub};

/// How two bodies lie to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contact {
    /// They have no point in common.
    Apart,
    /// Their boundaries cross where the features meet.
    Crossing,
    /// They have points in common, but no crossing of boundaries was found: one lies inside the other, or rounding hides the
    /// crossing, as where vertices coincide. The features are those through which the bodies part with the least motion.
    Nested,
}

/// The answer of [`closest_features`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closest {
    /// Distance of the bodies; 0 where they overlap.
    pub distance: f64,
    /// The closest point of each body; where they overlap, twice a point of both.
    pub points: [[f64; 2]; 2],
    /// How they lie.
    pub contact: Contact,
    /// The features that hold the points.
    pub features: Features,
    /// Pairs of features looked at.
    pub steps: u32,
}

impl Closest {
    /// Most steps that a call takes for polygons of this many corners, whatever their shapes and places and whatever was
    /// remembered.
    pub fn most_steps(corners_a: usize, corners_b: usize) -> u32 {
        // The direction of the gap leads round each ring once or twice if it is wrong. The last step of a walk may lead round
        // both; then a crossing is followed, or all is checked.
        let corners = corners_a + corners_b;
        let led_astray = 2 * corners + MAX_EDGES;
        (led_astray + most_tracked(corners_a, corners_b) + 3 * corners + MAX_FOLLOWED) as u32
    }
}

/// The distance of two polygons and the features that are closest, starting from those in `memory` and leaving the new ones
/// there. Takes a step or two where the bodies have moved little since, whatever the number of corners.
///
/// ```
/// use multigrain_polygons::{ConvexPolygon, Features, Frame, closest_features};
/// let square = ConvexPolygon::rectangle(2.0, 2.0)?;
/// let (a, b) = (square.at(Frame::WORLD), square.at(Frame::new([5.0, 0.5], 0.0)?));
/// let mut memory = Features::default();
/// assert_eq!(closest_features(&a, &b, &mut memory).distance, 3.0);
/// assert_eq!(closest_features(&a, &b, &mut memory).steps, 1);
/// # Ok::<(), multigrain_polygons::PolygonError>(())
/// ```
pub fn closest_features(a: &Placed<'_>, b: &Placed<'_>, memory: &mut Features) -> Closest {
    found(a, b, memory, true)
}

/// The same by the walk through Voronoi regions alone, as the paper has it, also where bodies that were apart have a shorter way.
/// For comparison; the answer is the same.
pub fn closest_features_by_walk(a: &Placed<'_>, b: &Placed<'_>, memory: &mut Features) -> Closest {
    found(a, b, memory, false)
}

fn found(a: &Placed<'_>, b: &Placed<'_>, memory: &mut Features, may_face: bool) -> Closest {
    let [ring_a, ring_b] = Ring::pair(a, b);
    let mut steps = 0;
    let knows_direction = may_face && memory.toward() != [0.0; 2];
    let known = if knows_direction { facing(&ring_a, &ring_b, memory, &mut steps) } else { None };
    let mut answer = match known {
        Some(Facing { features, points, distance }) => {
            Closest { distance, points, contact: Contact::Apart, features, steps }
        }
        None => Walk { a: ring_a, b: ring_b, steps }.run(*memory),
    };
    debug_assert!(answer.steps <= Closest::most_steps(ring_a.len(), ring_b.len()), "{} steps", answer.steps);
    *memory = answer.features;
    answer.points = answer.points.map(|point| add(a.frame.position(), point));
    answer
}

/// Walks that are on the right way go at most once round both rings, with a step for each vertex and each edge. Longer ones
/// are ended.
fn most_tracked(corners_a: usize, corners_b: usize) -> usize {
    2 * (corners_a + corners_b) + MAX_FOLLOWED
}

struct Walk<'a> {
    a: Ring<'a>,
    b: Ring<'a>,
    steps: u32,
}

/// What a pair of features tells.
enum ClosestStep {
    /// The closest features, their closest points, on the first ring and on the second, and their distance.
    Closest([Feature; 2], [Point; 2], f64),
    /// Other features are closer.
    To(Feature, Feature),
    /// The edges cross.
    Crosses(Crossing, Order),
    /// A vertex is below an edge: the bodies overlap, or these features face away from each other.
    Below(Below),
}

/// A vertex of `p` below an edge of `q`.
struct Below {
    /// The edge of `p` that leads to the vertex.
    edge_p: usize,
    edge_q: usize,
    order: Order,
}

/// Which body goes into the other at a crossing.
#[derive(Clone, Copy, PartialEq)]
enum Order {
    AIntoB,
    BIntoA,
}

impl<'a> Walk<'a> {
    fn run(mut self, start: Features) -> Closest {
        let mut here = [wrapped(&self.a, start.a), wrapped(&self.b, start.b)];
        if let [Feature::Edge(i), Feature::Edge(j)] = here
            && let Some(answer) = self.follow_crossing(i as usize, j as usize)
        {
            return answer;
        }
        // Rounding might lead the walk in a circle: a pair seen before ends it. The pair to compare with moves on at
        // every power of two (Brent), so that circles of any length are seen.
        let (mut seen, mut power, mut since) = (here, 1, 0);
        let most = self.steps + most_tracked(self.a.len(), self.b.len()) as u32;
        while self.steps < most {
            self.steps += 1;
            match self.step(here) {
                ClosestStep::Closest(features, points, distance) => return self.apart(features, points, distance),
                ClosestStep::To(a, b) => here = [a, b],
                ClosestStep::Crosses(crossing, order) => return self.crosses(&crossing, order),
                ClosestStep::Below(Below { edge_p, edge_q, order }) => {
                    let (p, q) = self.ordered(order);
                    if let Some(found) = crossing::follow(&p, edge_p, &q, edge_q, &mut self.steps) {
                        return self.crosses(&found, order);
                    }
                    break;
                }
            }
            since += 1;
            if here == seen {
                break;
            }
            if since == power {
                (seen, power, since) = (here, 2 * power, 0);
            }
        }
        self.check_all()
    }

    /// The step from one pair of features.
    fn step(&mut self, here: [Feature; 2]) -> ClosestStep {
        match here {
            [Feature::Vertex(i), Feature::Vertex(j)] => self.two_vertices(i as usize, j as usize),
            [Feature::Edge(i), Feature::Vertex(j)] => {
                match edge_and_vertex(&self.a, i as usize, &self.b, j as usize, &mut self.steps) {
                    Region::Inside { edge, vertex, points, distance } => {
                        ClosestStep::Closest([Feature::edge(edge), Feature::vertex(vertex)], points, distance)
                    }
                    Region::Leave(a, b) => ClosestStep::To(a, b),
                    Region::Below { edge, vertex } => {
                        let (edge_p, order) = (self.b.previous(vertex), Order::BIntoA);
                        ClosestStep::Below(Below { edge_p, edge_q: edge, order })
                    }
                }
            }
            [Feature::Vertex(i), Feature::Edge(j)] => {
                match edge_and_vertex(&self.b, j as usize, &self.a, i as usize, &mut self.steps) {
                    Region::Inside { edge, vertex, points: [foot, corner], distance } => {
                        ClosestStep::Closest([Feature::vertex(vertex), Feature::edge(edge)], [corner, foot], distance)
                    }
                    Region::Leave(b, a) => ClosestStep::To(a, b),
                    Region::Below { edge, vertex } => {
                        let (edge_p, order) = (self.a.previous(vertex), Order::AIntoB);
                        ClosestStep::Below(Below { edge_p, edge_q: edge, order })
                    }
                }
            }
            [Feature::Edge(i), Feature::Edge(j)] => self.two_edges(i as usize, j as usize),
        }
    }

    fn two_vertices(&self, i: usize, j: usize) -> ClosestStep {
        let (p, q) = (self.a.corner(i), self.b.corner(j));
        let between = sub(q, p);
        let rises = |edge: Point| rises(between, edge);
        let back = |edge: Point| scaled(edge, -1.0);
        let (vertex_a, vertex_b) = (Feature::vertex(i), Feature::vertex(j));
        if rises(self.a.edge(i)) {
            return ClosestStep::To(Feature::edge(i), vertex_b);
        }
        if rises(back(self.a.edge(self.a.previous(i)))) {
            return ClosestStep::To(Feature::edge(self.a.previous(i)), vertex_b);
        }
        if rises(back(self.b.edge(j))) {
            return ClosestStep::To(vertex_a, Feature::edge(j));
        }
        if rises(self.b.edge(self.b.previous(j))) {
            return ClosestStep::To(vertex_a, Feature::edge(self.b.previous(j)));
        }
        ClosestStep::Closest([vertex_a, vertex_b], [p, q], norm(between))
    }

    /// Edges are closest at an end of one of them, or they cross.
    fn two_edges(&self, i: usize, j: usize) -> ClosestStep {
        let a_enters = crossing::at(&self.a, i, &self.b, j).map(|found| (found, Order::AIntoB));
        let either = a_enters.or_else(|| crossing::at(&self.b, j, &self.a, i).map(|found| (found, Order::BIntoA)));
        if let Some((found, order)) = either {
            return ClosestStep::Crosses(found, order);
        }
        let (i_end, j_end) = (self.a.next(i), self.b.next(j));
        let mut best = (f64::INFINITY, ClosestStep::To(Feature::edge(i), Feature::vertex(j)));
        for end in [j, j_end] {
            let (square, feature) = end_and_edge(&self.a, i, self.b.corner(end));
            if square < best.0 {
                best = (square, ClosestStep::To(feature, Feature::vertex(end)));
            }
        }
        for end in [i, i_end] {
            let (square, feature) = end_and_edge(&self.b, j, self.a.corner(end));
            if square < best.0 {
                best = (square, ClosestStep::To(Feature::vertex(end), feature));
            }
        }
        best.1
    }

    /// Follows a crossing that was there in the last call.
    fn follow_crossing(&mut self, i: usize, j: usize) -> Option<Closest> {
        let a_enters = cross(self.b.edge(j), self.a.edge(i)) > 0.0;
        let (order, edge_p, edge_q) = if a_enters { (Order::AIntoB, i, j) } else { (Order::BIntoA, j, i) };
        let (p, q) = self.ordered(order);
        let found = crossing::follow(&p, edge_p, &q, edge_q, &mut self.steps)?;
        Some(self.crosses(&found, order))
    }

    /// Visits everything, for bodies that overlap deeply or for features that led nowhere.
    fn check_all(mut self) -> Closest {
        self.steps += (self.a.len() + self.b.len()) as u32;
        match full_check(&self.a, &self.b) {
            Found::Apart(features) => {
                let points = self.closest_points(features);
                self.apart(features, points, norm(sub(points[1], points[0])))
            }
            Found::Overlap { features, .. } => {
                if let Some((found, order)) = self.find_crossing() {
                    return self.crosses(&found, order);
                }
                let point = self.common_point(features);
                Closest {
                    distance: 0.0,
                    points: [point; 2],
                    contact: Contact::Nested,
                    features: Features::new(features[0], features[1]),
                    steps: self.steps,
                }
            }
        }
    }

    /// A crossing of the boundaries of bodies that overlap, wherever it is.
    fn find_crossing(&self) -> Option<(Crossing, Order)> {
        let orders = [Order::AIntoB, Order::BIntoA];
        for order in orders {
            let (p, q) = self.ordered(order);
            match crossing::scan(&p, &q) {
                Scan::Enters(found) => return Some((found, order)),
                Scan::Inside => return None,
                Scan::Unknown => {}
            }
        }
        orders.into_iter().find_map(|order| {
            let (p, q) = self.ordered(order);
            crossing::search(&p, &q).map(|found| (found, order))
        })
    }

    fn closest_points(&self, features: [Feature; 2]) -> [Point; 2] {
        match features {
            [Feature::Edge(i), Feature::Vertex(j)] => {
                let vertex = self.b.corner(j as usize);
                [foot_on(&self.a, i as usize, vertex).0, vertex]
            }
            [Feature::Vertex(i), Feature::Edge(j)] => {
                let vertex = self.a.corner(i as usize);
                [vertex, foot_on(&self.b, j as usize, vertex).0]
            }
            [Feature::Vertex(i) | Feature::Edge(i), Feature::Vertex(j) | Feature::Edge(j)] => {
                [self.a.corner(i as usize), self.b.corner(j as usize)]
            }
        }
    }

    /// A point of both bodies, which overlap without a crossing: the middle of what they have in common, or where they only
    /// touch the vertex of the features.
    fn common_point(&self, features: [Feature; 2]) -> Point {
        let common: Vec<Point> = common_part(&self.a, &self.b).iter().map(|cut| cut.corner).collect();
        let middle = moments(&common);
        if middle.area > 0.0 {
            return middle.centroid;
        }
        let points = self.closest_points(features);
        if let Feature::Vertex(_) = features[0] { points[0] } else { points[1] }
    }

    fn ordered(&self, order: Order) -> (Ring<'a>, Ring<'a>) {
        match order {
            Order::AIntoB => (self.a, self.b),
            Order::BIntoA => (self.b, self.a),
        }
    }

    fn apart(&self, [a, b]: [Feature; 2], points: [Point; 2], distance: f64) -> Closest {
        let features = Features::facing(a, b, sub(points[1], points[0]));
        Closest { distance, points, contact: Contact::Apart, features, steps: self.steps }
    }

    fn crosses(&self, found: &Crossing, order: Order) -> Closest {
        let (p, q) = (Feature::edge(found.edge_p), Feature::edge(found.edge_q));
        let features = match order {
            Order::AIntoB => Features::new(p, q),
            Order::BIntoA => Features::new(q, p),
        };
        Closest { distance: 0.0, points: [found.point; 2], contact: Contact::Crossing, features, steps: self.steps }
    }
}

fn wrapped(ring: &Ring<'_>, feature: Feature) -> Feature {
    match feature {
        Feature::Vertex(k) => Feature::vertex(ring.wrapped(k)),
        Feature::Edge(k) => Feature::edge(ring.wrapped(k)),
    }
}
