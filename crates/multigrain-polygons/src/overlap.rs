//! What two overlapping polygons have in common, as forces need it.

use super::clip::Cut;
use super::common::common_part;
use super::convex::Placed;
use super::crossing;
use super::features::{Feature, Features};
use super::full_check::{Found, full_check};
use super::lens::lens;
use super::moments::{Moments, moments};
use super::ring::Ring;
use super::vector::{Point, add, along, dot, outward, scaled, sub, unit};

/// The common part of two polygons.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Overlap {
    /// Its area.
    pub area: f64,
    /// Its centroid.
    pub centroid: [f64; 2],
    /// The contact line. Where the boundaries cross twice it runs from one crossing to the other, with the first body's part
    /// of the common boundary on its right. Else it is a line through the centroid across the normal.
    pub line: [[f64; 2]; 2],
    /// Unit vector across the contact line, from the first body to the second: the second is pushed along it.
    pub normal: [f64; 2],
    /// Penetration: how far the common part reaches along the normal; where one body is inside the other or bars are crossed,
    /// how far one must move to be out.
    pub depth: f64,
    /// How often the boundaries cross: twice where bodies touch like grains, not at all where one is inside the other.
    pub crossings: usize,
    /// Integral of the squared distance from the centroid over the common part.
    pub inertia: f64,
    /// How fast the common part shrinks as the second body moves away.
    pub shrinking: Shrinking,
}

/// What is lost of the common part per length that the second body moves along x and y, and per angle that it turns around the
/// centroid of the common part: the gradients that forces with a potential follow.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Shrinking {
    /// Of its area.
    pub area: [f64; 3],
    /// Of its inertia.
    pub inertia: [f64; 3],
}

/// The common part of two polygons, its corners counter-clockwise in `polygon`. Nothing where they do not overlap, or only
/// within rounding.
///
/// `features` are those that [`closest_features`](super::closest_features) has left for the two bodies as they lie now. Where
/// they are the edges of a crossing, the work is linear in the corners near the contact; any other value is as good, but all
/// corners are looked at.
///
/// ```
/// use multigrain_polygons::{ConvexPolygon, Features, Frame, closest_features, overlap};
/// let square = ConvexPolygon::rectangle(2.0, 2.0)?;
/// let (a, b) = (square.at(Frame::WORLD), square.at(Frame::new([0.5, 1.5], 0.0)?));
/// let (mut memory, mut polygon) = (Features::default(), Vec::new());
/// closest_features(&a, &b, &mut memory);
/// let common = overlap(&a, &b, &memory, &mut polygon).expect("they overlap");
/// assert_eq!((common.area, common.centroid, polygon.len()), (0.75, [0.25, 0.75], 4));
/// # Ok::<(), multigrain_polygons::PolygonError>(())
/// ```
pub fn overlap(a: &Placed<'_>, b: &Placed<'_>, features: &Features, polygon: &mut Vec<[f64; 2]>) -> Option<Overlap> {
    let [ring_a, ring_b] = Ring::pair(a, b);
    let from_features = near_features(&ring_a, &ring_b, features, polygon);
    let mut found = from_features.or_else(|| from_all_corners(&ring_a, &ring_b, polygon))?;
    let origin = a.frame.position();
    found.centroid = add(origin, found.centroid);
    found.line = found.line.map(|point| add(origin, point));
    for corner in polygon {
        *corner = add(origin, *corner);
    }
    Some(found)
}

fn near_features(a: &Ring<'_>, b: &Ring<'_>, features: &Features, polygon: &mut Vec<Point>) -> Option<Overlap> {
    let (Feature::Edge(i), Feature::Edge(j)) = (features.a, features.b) else { return None };
    let (i, j) = (a.wrapped(i), b.wrapped(j));
    let line = if let Some(start) = crossing::at(a, i, b, j) {
        lens(a, b, &start, polygon)?
    } else {
        let [into_a, out_of_a] = lens(b, a, &crossing::at(b, j, a, i)?, polygon)?;
        [out_of_a, into_a]
    };
    let normal = unit(outward(sub(line[1], line[0])))?;
    let Moments { area, centroid, inertia } = moments(polygon);
    if area <= 0.0 {
        return None;
    }
    // The polygon begins at one crossing and has the other in its middle; the first body's part is before or behind that.
    let is_of_a_first = polygon[0] == line[0];
    let other = polygon.iter().position(|&corner| corner == line[usize::from(is_of_a_first)])?;
    let part = if is_of_a_first { &polygon[..other] } else { &polygon[other..] };
    let ends = part[1..].iter().copied().chain([line[1]]);
    let shrinking = Shrinking::by_edges(part.iter().copied().zip(ends), centroid);
    let depth = extent(polygon, normal);
    Some(Overlap { area, centroid, line, normal, depth, crossings: 2, inertia, shrinking })
}

fn from_all_corners(a: &Ring<'_>, b: &Ring<'_>, polygon: &mut Vec<Point>) -> Option<Overlap> {
    let cuts = common_part(a, b);
    polygon.clear();
    polygon.extend(cuts.iter().map(|cut| cut.corner));
    let found = moments(polygon);
    if found.area <= 0.0 {
        return None;
    }
    let (area, centroid) = (found.area, found.centroid);
    let next = |k: usize| &cuts[(k + 1) % cuts.len()];
    let crossings = (0..cuts.len()).filter(|&k| cuts[k].is_of_a != next(k).is_of_a).count();
    if crossings == 0 {
        return without_line(a, b, &found, crossings, polygon);
    }
    // The edges that come from the first body, laid end to end, go along the contact line.
    let of_a = (0..cuts.len()).filter(|&k| cuts[k].is_of_a);
    let along_line = of_a.fold([0.0; 2], |sum, k| add(sum, sub(next(k).corner, cuts[k].corner)));
    // Of crossed bars they cancel, and what rounding leaves of them is no direction.
    let cancel = crossings > 2 && dot(along_line, along_line) <= 1e-18 * area;
    let Some(normal) = unit(outward(along_line)).filter(|_| !cancel) else {
        // Two crossings in one point are a vertex that both share, with one body inside the other.
        return without_line(a, b, &found, if crossings == 2 { 0 } else { crossings }, polygon);
    };
    let line = match two_ends(&cuts).filter(|_| crossings == 2) {
        Some(ends) => ends,
        None => [along(centroid, along_line, -0.5), along(centroid, along_line, 0.5)],
    };
    let of_a = (0..cuts.len()).filter(|&k| cuts[k].is_of_a);
    let shrinking = Shrinking::by_edges(of_a.map(|k| (cuts[k].corner, next(k).corner)), centroid);
    let (inertia, depth) = (found.inertia, extent(polygon, normal));
    Some(Overlap { area, centroid, line, normal, depth, crossings, inertia, shrinking })
}

/// Where the part of the boundary that is of the first body begins and ends.
fn two_ends(cuts: &[Cut]) -> Option<[Point; 2]> {
    let before = |k: usize| &cuts[(k + cuts.len() - 1) % cuts.len()];
    let begins = (0..cuts.len()).find(|&k| cuts[k].is_of_a && !before(k).is_of_a)?;
    let ends = (0..cuts.len()).find(|&k| !cuts[k].is_of_a && before(k).is_of_a)?;
    Some([cuts[begins].corner, cuts[ends].corner])
}

/// Without a contact line the normal is the shortest way out.
fn without_line(a: &Ring<'_>, b: &Ring<'_>, part: &Moments, crossings: usize, polygon: &[Point]) -> Option<Overlap> {
    let Found::Overlap { normal, depth, .. } = full_check(a, b) else { return None };
    let tangent = scaled(outward(normal), -1.0);
    let half = 0.5 * extent(polygon, tangent);
    let line = [along(part.centroid, tangent, -half), along(part.centroid, tangent, half)];
    let Moments { area, centroid, inertia } = *part;
    Some(Overlap { area, centroid, line, normal, depth, crossings, inertia, shrinking: Shrinking::default() })
}

impl Shrinking {
    /// From the edges of the common part that come from the first body. A second body that moves takes the rest of the boundary
    /// along, which is as if these edges moved the other way: what they sweep is lost, each piece of it with a weight of 1 for
    /// the area and of its squared distance from the centroid for the inertia. (The centroid moves as well, but inertia is least
    /// around the centroid: that changes nothing.)
    pub(super) fn by_edges(edges: impl Iterator<Item = (Point, Point)>, centroid: Point) -> Self {
        let mut sum = Self::default();
        for (start, end) in edges {
            let (p, q) = (sub(start, centroid), sub(end, centroid));
            let (across, [near, far]) = (outward(sub(q, p)), [dot(p, p), dot(q, q)]);
            let mean = (near + dot(p, q) + far) / 3.0;
            let turns = 0.5 * (near - far);
            for axis in 0..2 {
                sum.area[axis] += across[axis];
                sum.inertia[axis] += mean * across[axis];
            }
            sum.area[2] += turns;
            sum.inertia[2] += 0.5 * (near + far) * turns;
        }
        sum
    }
}

/// How far the points reach along a direction.
fn extent(points: &[Point], direction: Point) -> f64 {
    let heights = points.iter().map(|&point| dot(direction, point));
    let [lo, hi] = heights.fold([f64::INFINITY, f64::NEG_INFINITY], |[lo, hi], x| [lo.min(x), hi.max(x)]);
    (hi - lo).max(0.0)
}
