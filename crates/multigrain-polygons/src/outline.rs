//! What two bodies have in common of which one is a disc or a half-plane: exact, with arcs for sides.
//!
//! The common part is a polygon whose sides may bulge: each arc is a chord and a cap between chord and arc. Moments of caps are
//! integrals over the chord, so that thin ones keep their digits.

use super::closest::{Contact, closest_features};
use super::convex::Placed;
use super::features::Features;
use super::moments::moments;
use super::overlap::{Overlap, Shrinking, overlap};
use super::vector::{Point, add, along, cross, dot, norm, outward, scaled, sub, unit};
use std::f64::consts::{FRAC_PI_3, PI, TAU};

/// A body in its place, as it meets others.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Outline<'a> {
    /// A convex polygon.
    Polygon(Placed<'a>),
    /// A disc.
    Disc {
        /// Its center.
        center: [f64; 2],
        /// Its radius.
        radius: f64,
    },
    /// All of the plane behind a line.
    HalfPlane {
        /// A point of the line.
        point: [f64; 2],
        /// The direction out of the half-plane, of length 1.
        normal: [f64; 2],
    },
}

/// Chords shorter than this, in radii, are of no arc: rounding has put their ends beside each other.
const NO_ARC: f64 = 1e-12;

/// Positive nodes and weights of Gauss and Legendre with eight points.
const NODES: [[f64; 2]; 4] = [
    [0.183_434_642_495_649_8, 0.362_683_783_378_362],
    [0.525_532_409_916_329, 0.313_706_645_877_887_3],
    [0.796_666_477_413_626_7, 0.222_381_034_453_374_5],
    [0.960_289_856_497_536_3, 0.101_228_536_290_376_3],
];

/// The common part of two bodies; nothing where they do not overlap. Where both are polygons, `features` are kept by the caller
/// from call to call, as for [`closest_features`]; `room` is memory to work in.
///
/// ```
/// use multigrain_polygons::{Features, Outline, outline_overlap};
/// let floor = Outline::HalfPlane { point: [0.0, 0.0], normal: [0.0, 1.0] };
/// let disc = Outline::Disc { center: [3.0, 0.0], radius: 1.0 };
/// let common = outline_overlap(&disc, &floor, &mut Features::default(), &mut Vec::new()).expect("half of the disc");
/// assert!((common.area - std::f64::consts::PI / 2.0).abs() < 1e-9);
/// assert!(common.normal == [0.0, -1.0] && (common.depth - 1.0).abs() < 1e-12);
/// ```
pub fn outline_overlap(
    a: &Outline<'_>,
    b: &Outline<'_>,
    features: &mut Features,
    room: &mut Vec<[f64; 2]>,
) -> Option<Overlap> {
    use Outline::{Disc, HalfPlane, Polygon};
    if let (Polygon(a), Polygon(b)) = (a, b) {
        return match closest_features(a, b, features).contact {
            Contact::Apart => None,
            Contact::Crossing | Contact::Nested => overlap(a, b, features, room),
        };
    }
    // All is seen from one of the bodies, so that large coordinates cost no digits.
    let origin = match (a, b) {
        (Polygon(placed), _) | (HalfPlane { .. }, Polygon(placed)) => placed.frame.position(),
        (Disc { center, .. }, _) | (HalfPlane { .. }, Disc { center, .. }) => *center,
        (HalfPlane { .. }, HalfPlane { .. }) => return None,
    };
    let mut sides = Vec::new();
    let corners = |placed: &Placed<'_>, room: &mut Vec<Point>| {
        let shift = sub(placed.frame.position(), origin);
        room.clear();
        room.extend(placed.polygon.corners().iter().map(|&corner| add(shift, placed.frame.turned(corner))));
    };
    let circle = |center: &Point, radius: f64| Circle { center: sub(*center, origin), radius };
    match (a, b) {
        (Polygon(placed), &Disc { ref center, radius }) => {
            corners(placed, room);
            of_polygon_and_disc(room, &circle(center, radius), true, &mut sides);
        }
        (&Disc { ref center, radius }, Polygon(placed)) => {
            corners(placed, room);
            of_polygon_and_disc(room, &circle(center, radius), false, &mut sides);
        }
        (Polygon(placed), HalfPlane { point, normal }) => {
            corners(placed, room);
            of_polygon_and_plane(room, sub(*point, origin), *normal, true, &mut sides);
        }
        (HalfPlane { point, normal }, Polygon(placed)) => {
            corners(placed, room);
            of_polygon_and_plane(room, sub(*point, origin), *normal, false, &mut sides);
        }
        (&Disc { ref center, radius }, HalfPlane { point, normal }) => {
            of_disc_and_plane(&circle(center, radius), sub(*point, origin), *normal, true, &mut sides);
        }
        (HalfPlane { point, normal }, &Disc { ref center, radius }) => {
            of_disc_and_plane(&circle(center, radius), sub(*point, origin), *normal, false, &mut sides);
        }
        (&Disc { center: ref p, radius: r }, &Disc { center: ref q, radius: s }) => {
            of_discs(&circle(p, r), &circle(q, s), &mut sides);
        }
        (Polygon(_), Polygon(_)) | (HalfPlane { .. }, HalfPlane { .. }) => return None,
    }
    let mut found = from_sides(&sides, room).or_else(|| nested(a, b))?;
    if found.crossings > 0 {
        found.centroid = add(origin, found.centroid);
        found.line = found.line.map(|point| add(origin, point));
    }
    Some(found)
}

#[derive(Debug, Clone, Copy)]
struct Circle {
    center: Point,
    radius: f64,
}

/// A side of the common part, from its start to the start of the next one, counter-clockwise.
#[derive(Debug, Clone, Copy)]
struct Side {
    start: Point,
    /// Whether it is part of the first body's boundary.
    is_of_a: bool,
    /// The circle that it is an arc of, if it is not straight.
    arc: Option<Circle>,
}

/// What lies between a chord and its arc.
struct Cap {
    area: f64,
    centroid: Point,
    /// Around its own centroid.
    inertia: f64,
}

/// The sides of what a polygon and a disc have in common.
fn of_polygon_and_disc(corners: &[Point], disc: &Circle, is_polygon_a: bool, sides: &mut Vec<Side>) {
    for (k, &start) in corners.iter().enumerate() {
        let edge = sub(corners[(k + 1) % corners.len()], start);
        let (squared, from) = (dot(edge, edge), sub(start, disc.center));
        let height = cross(edge, from).abs() / squared.sqrt();
        if height >= disc.radius {
            continue;
        }
        // The part of the edge inside the circle, as shares of its length.
        let middle = -dot(from, edge) / squared;
        let half = ((disc.radius - height) * (disc.radius + height) / squared).sqrt();
        let (enters, leaves) = ((middle - half).max(0.0), (middle + half).min(1.0));
        if enters >= leaves {
            continue;
        }
        let first = if enters > 0.0 { along(start, edge, enters) } else { start };
        sides.push(Side { start: first, is_of_a: is_polygon_a, arc: None });
        if leaves < 1.0 {
            push_arc(along(start, edge, leaves), disc, !is_polygon_a, sides);
        }
    }
    split_arcs(sides);
}

/// The sides of what a polygon and a half-plane have in common.
fn of_polygon_and_plane(corners: &[Point], point: Point, normal: Point, is_polygon_a: bool, sides: &mut Vec<Side>) {
    let height = |corner: Point| dot(normal, sub(corner, point));
    for (k, &start) in corners.iter().enumerate() {
        let end = corners[(k + 1) % corners.len()];
        let (here, there) = (height(start), height(end));
        let cut = || along(start, sub(end, start), here / (here - there));
        if here < 0.0 {
            sides.push(Side { start, is_of_a: is_polygon_a, arc: None });
            if there >= 0.0 {
                sides.push(Side { start: cut(), is_of_a: !is_polygon_a, arc: None });
            }
        } else if there < 0.0 {
            sides.push(Side { start: cut(), is_of_a: is_polygon_a, arc: None });
        }
    }
}

/// The sides of what a disc and a half-plane have in common.
fn of_disc_and_plane(disc: &Circle, point: Point, normal: Point, is_disc_a: bool, sides: &mut Vec<Side>) {
    let height = dot(normal, sub(disc.center, point));
    if height.abs() >= disc.radius {
        return;
    }
    let half = ((disc.radius - height) * (disc.radius + height)).sqrt();
    let (foot, ahead) = (along(disc.center, normal, -height), [-normal[1], normal[0]]);
    // With the half-plane below, its border is walked from right to left.
    push_arc(along(foot, ahead, half), disc, is_disc_a, sides);
    sides.push(Side { start: along(foot, ahead, -half), is_of_a: !is_disc_a, arc: None });
    split_arcs(sides);
}

/// The sides of what two discs have in common.
fn of_discs(a: &Circle, b: &Circle, sides: &mut Vec<Side>) {
    let way = sub(b.center, a.center);
    let distance = norm(way);
    if distance >= a.radius + b.radius || distance <= (a.radius - b.radius).abs() {
        return;
    }
    let ahead = scaled(way, 1.0 / distance);
    // From the first center to the line through both crossings.
    let to_line = 0.5 * (distance + (a.radius - b.radius) * ((a.radius + b.radius) / distance));
    let half = ((a.radius - to_line) * (a.radius + to_line)).max(0.0).sqrt();
    let (foot, up) = (along(a.center, ahead, to_line), [-ahead[1], ahead[0]]);
    // The arc of the first is on the right, seen with the second on the right.
    push_arc(along(foot, up, -half), a, true, sides);
    push_arc(along(foot, up, half), b, false, sides);
    split_arcs(sides);
}

fn push_arc(start: Point, circle: &Circle, is_of_a: bool, sides: &mut Vec<Side>) {
    sides.push(Side { start, is_of_a, arc: Some(*circle) });
}

/// Cuts arcs into pieces of at most a sixth of a circle.
fn split_arcs(sides: &mut Vec<Side>) {
    let mut k = 0;
    while k < sides.len() {
        let Side { start, is_of_a, arc } = sides[k];
        let end = sides[(k + 1) % sides.len()].start;
        k += 1;
        let Some(circle) = arc else { continue };
        let (from, to) = (sub(start, circle.center), sub(end, circle.center));
        let turn = libm::atan2(cross(from, to), dot(from, to));
        let turn = if turn < 0.0 { turn + TAU } else { turn };
        if norm(sub(end, start)) < NO_ARC * circle.radius {
            sides[k - 1].arc = None;
            continue;
        }
        let pieces = (turn / FRAC_PI_3).ceil().max(1.0);
        for piece in 1..pieces as usize {
            let (sin, cos) = libm::sincos(turn * piece as f64 / pieces);
            let arm = [cos * from[0] - sin * from[1], sin * from[0] + cos * from[1]];
            sides.insert(k, Side { start: add(circle.center, arm), is_of_a, arc });
            k += 1;
        }
    }
}

fn cap(start: Point, end: Point, circle: &Circle) -> Option<Cap> {
    let chord = sub(end, start);
    let (out, half) = (unit(outward(chord))?, 0.5 * norm(chord));
    let squared = circle.radius * circle.radius;
    let base = (squared - half * half).max(0.0).sqrt();
    let height = |y: f64| (half * half - y * y) / ((squared - y * y).max(0.0).sqrt() + base);
    let [mut area, mut first, mut along_chord, mut across] = [0.0; 4];
    for [node, weight] in NODES {
        let y = half * node;
        let (h, weight) = (height(y), 2.0 * weight * half);
        area += weight * h;
        first += weight * 0.5 * h * h;
        along_chord += weight * y * y * h;
        across += weight * h * h * h / 3.0;
    }
    if area <= 0.0 {
        return None;
    }
    let (middle, up) = (along(start, chord, 0.5), first / area);
    let inertia = along_chord + (across - first * up).max(0.0);
    Some(Cap { area, centroid: along(middle, out, up), inertia })
}

/// The common part inside these sides; nothing where there is none, or where one body is inside the other.
fn from_sides(sides: &[Side], room: &mut Vec<Point>) -> Option<Overlap> {
    let next = |k: usize| &sides[(k + 1) % sides.len()];
    let crossings = (0..sides.len()).filter(|&k| sides[k].is_of_a != next(k).is_of_a).count();
    if crossings == 0 {
        return None;
    }
    room.clear();
    room.extend(sides.iter().map(|side| side.start));
    let inner = moments(room);
    let caps: Vec<Option<Cap>> =
        (0..sides.len()).map(|k| cap(sides[k].start, next(k).start, sides[k].arc.as_ref()?)).collect();
    let bulges = || caps.iter().flatten();
    let area = inner.area + bulges().map(|cap| cap.area).sum::<f64>();
    if area.is_nan() || area <= 0.0 {
        return None;
    }
    let weighted = bulges().fold(scaled(inner.centroid, inner.area), |sum, cap| along(sum, cap.centroid, cap.area));
    let centroid = scaled(weighted, 1.0 / area);
    let moved = |area: f64, inertia: f64, from: Point| {
        let away = sub(from, centroid);
        inertia + area * dot(away, away)
    };
    let inertia = moved(inner.area, inner.inertia, inner.centroid)
        + bulges().map(|cap| moved(cap.area, cap.inertia, cap.centroid)).sum::<f64>();
    let of_a = || (0..sides.len()).filter(|&k| sides[k].is_of_a);
    let along_line = of_a().fold([0.0; 2], |sum, k| add(sum, sub(next(k).start, sides[k].start)));
    let normal = unit(outward(along_line))?;
    let line = match (0..sides.len()).find(|&k| !sides[k].is_of_a && next(k).is_of_a) {
        Some(before) if crossings == 2 => {
            let begins = next(before).start;
            [begins, add(begins, along_line)]
        }
        _ => [along(centroid, along_line, -0.5), along(centroid, along_line, 0.5)],
    };
    let mut shrinking = Shrinking::by_edges(of_a().map(|k| (sides[k].start, next(k).start)), centroid);
    for cap in of_a().filter_map(|k| caps[k].as_ref()) {
        // Squared distances along the arc differ from those along the chord by what their gradient sums to in between.
        for axis in 0..2 {
            shrinking.inertia[axis] += 2.0 * cap.area * (cap.centroid[axis] - centroid[axis]);
        }
    }
    let [mut lo, mut hi] = [f64::INFINITY, f64::NEG_INFINITY];
    for (k, Side { start, arc, .. }) in sides.iter().enumerate() {
        let height = dot(normal, *start);
        (lo, hi) = (lo.min(height), hi.max(height));
        let Some(Circle { center, radius }) = arc else { continue };
        let (from, to) = (sub(*start, *center), sub(next(k).start, *center));
        for sign in [1.0, -1.0] {
            let ahead = scaled(normal, sign);
            if cross(from, ahead) >= 0.0 && cross(ahead, to) >= 0.0 && dot(add(from, to), ahead) > 0.0 {
                let height = dot(normal, *center) + sign * radius;
                (lo, hi) = (lo.min(height), hi.max(height));
            }
        }
    }
    Some(Overlap { area, centroid, line, normal, depth: hi - lo, crossings, inertia, shrinking })
}

/// One body inside the other: the shortest way out counts.
fn nested(a: &Outline<'_>, b: &Outline<'_>) -> Option<Overlap> {
    use Outline::{Disc, HalfPlane, Polygon};
    // The inner body, the way that it must take to be out, and how far.
    let (inner, out, depth) = match (a, b) {
        (inner @ Disc { center, radius }, HalfPlane { point, normal })
        | (HalfPlane { point, normal }, inner @ Disc { center, radius }) => {
            let below = -dot(*normal, sub(*center, *point));
            (inner, *normal, (below >= *radius).then_some(below + radius)?)
        }
        (inner @ Polygon(placed), HalfPlane { point, normal })
        | (HalfPlane { point, normal }, inner @ Polygon(placed)) => {
            let below = |corner: Point| -dot(*normal, sub(corner, *point));
            let depth = placed.corners().map(below).fold(f64::NEG_INFINITY, f64::max);
            (inner, *normal, placed.corners().all(|corner| below(corner) > 0.0).then_some(depth)?)
        }
        (inner @ Disc { center, radius }, Polygon(placed)) | (Polygon(placed), inner @ Disc { center, radius })
            if placed.contains(*center) =>
        {
            let corners: Vec<Point> = placed.corners().collect();
            let sides = (0..corners.len()).filter_map(|k| {
                let edge = sub(corners[(k + 1) % corners.len()], corners[k]);
                let out = unit(outward(edge))?;
                Some((-dot(out, sub(*center, corners[k])), out))
            });
            let (below, out) = sides.min_by(|one, other| one.0.total_cmp(&other.0))?;
            // A disc that reaches over the border has sides there, and a polygon inside a disc has all of them.
            if below < *radius {
                return inside_disc(a, b);
            }
            (inner, out, below + radius)
        }
        _ => return inside_disc(a, b),
    };
    let is_a = std::ptr::eq(inner, a);
    Some(whole(inner, if is_a { scaled(out, -1.0) } else { out }, depth))
}

/// A body inside a disc: away from its center.
fn inside_disc(a: &Outline<'_>, b: &Outline<'_>) -> Option<Overlap> {
    use Outline::{Disc, Polygon};
    let middle = |body: &Outline<'_>| match body {
        Polygon(placed) => Some((placed.frame.position(), placed.polygon.radius())),
        Disc { center, radius } => Some((*center, *radius)),
        Outline::HalfPlane { .. } => None,
    };
    let ((p, r), (q, s)) = (middle(a)?, middle(b)?);
    let is_inside = |inner: &Outline<'_>, center: Point, radius: f64| match inner {
        Polygon(placed) => placed.corners().all(|corner| norm(sub(corner, center)) < radius),
        Disc { center: own, radius: small } => norm(sub(*own, center)) + small <= radius,
        Outline::HalfPlane { .. } => false,
    };
    let inner = match (a, b) {
        (_, Disc { center, radius }) if is_inside(a, *center, *radius) => a,
        (Disc { center, radius }, _) if is_inside(b, *center, *radius) => b,
        _ => return None,
    };
    let normal = unit(sub(q, p)).unwrap_or([1.0, 0.0]);
    Some(whole(inner, normal, r + s - norm(sub(q, p))))
}

/// All of a body as the common part.
fn whole(body: &Outline<'_>, normal: Point, depth: f64) -> Overlap {
    let (area, centroid, inertia) = match body {
        Outline::Polygon(placed) => (placed.polygon.area(), placed.frame.position(), placed.polygon.inertia()),
        Outline::Disc { center, radius } => {
            let squared = radius * radius;
            (PI * squared, *center, 0.5 * PI * squared * squared)
        }
        Outline::HalfPlane { point, .. } => (0.0, *point, 0.0),
    };
    let tangent = scaled([-normal[1], normal[0]], 0.5 * area.sqrt());
    let line = [sub(centroid, tangent), add(centroid, tangent)];
    Overlap { area, centroid, line, normal, depth, crossings: 0, inertia, shrinking: Shrinking::default() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ConvexPolygon, Frame};
    use multigrain_sizes::Rng;

    fn found(a: &Outline<'_>, b: &Outline<'_>) -> Option<Overlap> {
        outline_overlap(a, b, &mut Features::default(), &mut Vec::new())
    }

    /// Two answers for the same bodies, one of them with a disc of many corners.
    fn assert_near(one: &Overlap, other: &Overlap, slack: f64, round: usize) {
        let scale = other.area.sqrt();
        let near = |a: f64, b: f64, size: f64| assert!((a - b).abs() <= slack * size, "{round}: {one:?}\n{other:?}");
        near(one.area, other.area, other.area);
        near(one.inertia, other.inertia, other.inertia);
        for axis in 0..2 {
            near(one.centroid[axis], other.centroid[axis], scale);
            near(one.normal[axis], other.normal[axis], 1.0);
            near(one.shrinking.area[axis], other.shrinking.area[axis], norm(sub(other.line[1], other.line[0])));
            let width = norm(sub(other.line[1], other.line[0]));
            near(one.shrinking.inertia[axis], other.shrinking.inertia[axis], width * width * width);
        }
        near(one.depth, other.depth, other.depth.max(0.05 * scale));
        assert_eq!(one.crossings, other.crossings, "{round}: {one:?}\n{other:?}");
    }

    #[test]
    fn a_disc_meets_polygons_as_a_polygon_of_many_corners_does() {
        let mut rng = Rng::new(7);
        let many = ConvexPolygon::regular(20_000, 1.0).unwrap();
        let mut met = 0;
        for round in 0..120 {
            let polygon = ConvexPolygon::random(3 + round % 9, 0.3 + rng.uniform(), &mut rng).unwrap();
            let frame = Frame::new([1.5 * rng.normal(), 1.5 * rng.normal()], 6.0 * rng.uniform()).unwrap();
            let (round_body, cornered) = (Outline::Disc { center: [0.0; 2], radius: 1.0 }, many.at(Frame::WORLD));
            let other = Outline::Polygon(polygon.at(frame));
            let expected = found(&Outline::Polygon(cornered), &other);
            let Some(expected) = expected.filter(|common| common.area > 1e-3) else { continue };
            met += 1;
            if expected.crossings > 0 {
                assert_near(&found(&round_body, &other).unwrap(), &expected, 2e-5, round);
                let turned = found(&other, &Outline::Polygon(cornered)).unwrap();
                assert_near(&found(&other, &round_body).unwrap(), &turned, 2e-5, round);
            } else {
                let area = found(&round_body, &other).unwrap().area;
                assert!((area - expected.area).abs() < 1e-6, "{round}");
            }
        }
        assert!(met > 30, "{met}");
    }

    #[test]
    fn discs_and_half_planes_meet_as_polygons_of_many_corners_do() {
        let many = ConvexPolygon::regular(20_000, 1.0).unwrap();
        let wide = ConvexPolygon::rectangle(20.0, 20.0).unwrap();
        let floor = Outline::HalfPlane { point: [0.3, 0.0], normal: [0.0, 1.0] };
        let slab = Outline::Polygon(wide.at(Frame::new([0.0, -10.0], 0.0).unwrap()));
        for height in [0.95, 0.5, 0.0, -0.7] {
            let (disc, cornered) = (
                Outline::Disc { center: [0.2, height], radius: 1.0 },
                many.at(Frame::new([0.2, height], 0.0).unwrap()),
            );
            let expected = found(&Outline::Polygon(cornered), &slab).unwrap();
            assert_near(&found(&disc, &floor).unwrap(), &expected, 1e-4, 0);
            assert_near(&found(&Outline::Polygon(cornered), &floor).unwrap(), &expected, 1e-9, 1);
            let turned = found(&slab, &Outline::Polygon(cornered)).unwrap();
            assert_near(&found(&floor, &disc).unwrap(), &turned, 1e-4, 2);
        }
        for x in [1.9, 1.2, 0.4] {
            let frame = Frame::new([x, 0.3], 0.0).unwrap();
            let expected = found(&Outline::Polygon(many.at(Frame::WORLD)), &Outline::Polygon(many.at(frame)));
            let discs = [[0.0; 2], [x, 0.3]].map(|center| Outline::Disc { center, radius: 1.0 });
            match (found(&discs[0], &discs[1]), expected) {
                (Some(lens), Some(expected)) => assert_near(&lens, &expected, 1e-4, 3),
                (lens, expected) => assert!(lens.is_none() && expected.is_none()),
            }
        }
    }

    /// Area and inertia shrink as a difference of two places says, also where a thin lens is all there is.
    #[test]
    fn shrinking_is_the_gradient() {
        let polygon = ConvexPolygon::random(6, 1.0, &mut Rng::new(3)).unwrap();
        for (x, y, relative) in [(1.2, 0.4, 1e-5), (1.3, -0.3, 1e-5)] {
            let at = |dx: f64, dy: f64| {
                let disc = Outline::Disc { center: [x + dx, y + dy], radius: 0.7 };
                found(&Outline::Polygon(polygon.at(Frame::WORLD)), &disc).unwrap()
            };
            let (here, step) = (at(0.0, 0.0), 1e-6);
            for axis in 0..2 {
                let [ahead, behind] = [step, -step].map(|s| if axis == 0 { at(s, 0.0) } else { at(0.0, s) });
                let area = (behind.area - ahead.area) / (2.0 * step);
                let inertia = (behind.inertia - ahead.inertia) / (2.0 * step);
                assert!((area - here.shrinking.area[axis]).abs() < relative, "{area} {here:?}");
                assert!((inertia - here.shrinking.inertia[axis]).abs() < relative, "{inertia} {here:?}");
            }
        }
        let lens = found(
            &Outline::Disc { center: [0.0; 2], radius: 1.0 },
            &Outline::HalfPlane { point: [0.0, -1.0 + 1e-9], normal: [0.0, 1.0] },
        )
        .unwrap();
        // A parabola of height h is 4/3 h sqrt(2 h) in area and as wide as sqrt(8 h).
        let width = 8e-9f64.sqrt();
        assert!((lens.area / (2.0 / 3.0 * width * 1e-9) - 1.0).abs() < 1e-6, "{lens:?}");
        assert!((lens.inertia / (width.powi(3) * 1e-9 / 30.0) - 1.0).abs() < 1e-6, "{lens:?}");
    }

    #[test]
    fn a_body_inside_another_is_shown_the_shortest_way_out() {
        let square = ConvexPolygon::rectangle(4.0, 4.0).unwrap();
        let (disc, placed) =
            (Outline::Disc { center: [1.5, 0.2], radius: 0.25 }, Outline::Polygon(square.at(Frame::WORLD)));
        let common = found(&disc, &placed).unwrap();
        assert_eq!((common.normal, common.depth, common.crossings), ([-1.0, 0.0], 0.75, 0));
        assert_eq!(found(&placed, &disc).unwrap().normal, [1.0, 0.0]);
        let large = Outline::Disc { center: [1.0, 0.0], radius: 9.0 };
        assert!((found(&placed, &large).unwrap().area - 16.0).abs() < 1e-12);
        let below = Outline::HalfPlane { point: [0.0, 5.0], normal: [0.0, 1.0] };
        let common = found(&placed, &below).unwrap();
        assert_eq!((common.normal, common.depth), ([0.0, -1.0], 7.0));
        assert_eq!(found(&disc, &below).unwrap().normal, [0.0, -1.0]);
        let far = Outline::Disc { center: [9.0, 0.0], radius: 1.0 };
        assert!(found(&far, &placed).is_none() && found(&placed, &far).is_none());
    }
}
