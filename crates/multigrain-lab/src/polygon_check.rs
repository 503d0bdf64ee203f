//! Holds the narrow phase of polygons to the exhaustive answers.

use crate::polygon_pairs::PolygonPair;
use multigrain::Rng;
use multigrain_polygons::{
    Closest, Contact, Features, Moments, distance_from_boundary, exhaustive_distance, exhaustive_overlap, overlap,
};

/// What one pair cost, for statistics.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    /// Calls made.
    pub calls: u64,
    /// Steps taken in them.
    pub steps: u64,
    /// Steps of the longest call over the most that are allowed.
    pub most_share: f64,
    /// Pairs that overlapped.
    pub overlapping: u64,
    /// Overlaps of two crossings.
    pub lenses: u64,
    /// Largest difference from the exhaustive distance, in units of what is allowed.
    pub worst: f64,
    /// Largest difference from the exhaustive area, in units of what is allowed.
    pub worst_area: f64,
}

impl Tally {
    /// Both together.
    pub fn and(self, other: Self) -> Self {
        Self {
            calls: self.calls + other.calls,
            steps: self.steps + other.steps,
            most_share: self.most_share.max(other.most_share),
            overlapping: self.overlapping + other.overlapping,
            lenses: self.lenses + other.lenses,
            worst: self.worst.max(other.worst),
            worst_area: self.worst_area.max(other.worst_area),
        }
    }
}

/// Checks the pair that a seed and a number name: from no memory, from wrong memory, and tracked through a small motion.
/// An error says what is wrong and names the pair.
pub fn check(seed: u64, number: u64, most_corners: usize) -> Result<Tally, String> {
    let pair = PolygonPair::random(seed, number, most_corners);
    let mut rng = Rng::new(number);
    let mut tally = Tally::default();
    let corners = pair.shapes.each_ref().map(|shape| shape.len());
    let named = |what: String| format!("pair {number} of seed {seed} ({:?}, {corners:?} corners): {what}", pair.kind);
    let exact = Exact::of(&pair);
    let mut memory = Features::default();
    judge(&pair, &exact, &mut memory, &mut tally).map_err(&named)?;
    let mut wrong = pair.any_features(&mut rng);
    let start = wrong;
    judge(&pair, &exact, &mut wrong, &mut tally).map_err(|what| named(format!("from {start:?}: {what}")))?;
    let moved = pair.moved(1e-3, &mut rng);
    let judged = judge(&moved, &Exact::of(&moved), &mut memory, &mut tally);
    judged.map_err(|what| named(format!("after a small motion: {what}")))?;
    Ok(tally)
}

/// The exhaustive answers.
struct Exact {
    distance: f64,
    overlap: Moments,
}

impl Exact {
    fn of(pair: &PolygonPair) -> Self {
        let [a, b] = pair.bodies();
        let distance = exhaustive_distance(&a, &b);
        Self { distance, overlap: exhaustive_overlap(&a, &b) }
    }
}

fn judge(pair: &PolygonPair, exact: &Exact, memory: &mut Features, tally: &mut Tally) -> Result<(), String> {
    let found = pair.closest(memory);
    let most = Closest::most_steps(pair.shapes[0].len(), pair.shapes[1].len());
    tally.calls += 1;
    tally.steps += u64::from(found.steps);
    tally.most_share = tally.most_share.max(f64::from(found.steps) / f64::from(most));
    tally.overlapping += u64::from(found.contact != Contact::Apart);
    if found.steps > most {
        return Err(format!("{} steps, more than {most}", found.steps));
    }
    let tolerance = pair.tolerance();
    let difference = (found.distance - exact.distance).abs();
    tally.worst = tally.worst.max(difference / tolerance);
    if !is_within(difference, tolerance) {
        return Err(format!("distance is {} exhaustively, tolerance {tolerance:e}: {found:?}", exact.distance));
    }
    check_points(pair, &found, tolerance)?;
    check_overlap(pair, &exact.overlap, memory, tally)
}

/// The points must lie on their bodies, as far apart as the distance says.
fn check_points(pair: &PolygonPair, found: &Closest, tolerance: f64) -> Result<(), String> {
    let [p, q] = found.points;
    let apart = (p[0] - q[0]).hypot(p[1] - q[1]);
    if !is_within(apart - found.distance, tolerance) {
        return Err(format!("points {apart} apart, distance {}: {found:?}", found.distance));
    }
    for (body, point) in pair.bodies().iter().zip(found.points) {
        let off = distance_from_boundary(point, body);
        if !(off <= tolerance || (found.contact == Contact::Nested && body.contains(point))) {
            return Err(format!("point {point:?} is {off:e} off its body: {found:?}"));
        }
    }
    Ok(())
}

/// The common part must have the exhaustive area and centroid, and a contact line whose ends lie on both bodies.
fn check_overlap(pair: &PolygonPair, exact: &Moments, memory: &Features, tally: &mut Tally) -> Result<(), String> {
    let ([a, b], tolerance) = (pair.bodies(), pair.tolerance());
    let mut polygon = Vec::new();
    let found = overlap(&a, &b, memory, &mut polygon);
    // The positions of the bodies are known to the tolerance, and the boundary is as long as the bodies are large.
    let allowed = 4.0 * tolerance * pair.size();
    let area = found.map_or(0.0, |found| found.area);
    tally.worst_area = tally.worst_area.max((area - exact.area).abs() / allowed);
    if !is_within(area - exact.area, allowed) {
        return Err(format!("overlap {area:e} but {:e} exhaustively, from {memory:?}: {found:?}", exact.area));
    }
    let Some(found) = found else { return Ok(()) };
    let shift = (0..2).map(|axis| (found.centroid[axis] - exact.centroid[axis]).abs()).fold(0.0, f64::max);
    if !is_within(shift * area, 4.0 * allowed * pair.size()) {
        return Err(format!("centroid off by {shift:e}, area {area:e}, from {memory:?}: {found:?}"));
    }
    if !((found.normal[0].hypot(found.normal[1]) - 1.0).abs() < 1e-12 && found.depth >= 0.0) {
        return Err(format!("normal or depth are not sound: {found:?}"));
    }
    // Where the overlap is mere rounding, so is the place of the crossings along edges that are almost parallel.
    if found.crossings == 2 && area > allowed {
        tally.lenses += 1;
        for (body, point) in [(&a, found.line[0]), (&b, found.line[0]), (&a, found.line[1]), (&b, found.line[1])] {
            let off = distance_from_boundary(point, body);
            if !is_within(off, tolerance) {
                return Err(format!("end {point:?} of the contact line is {off:e} off a body: {found:?}"));
            }
        }
    }
    Ok(())
}

/// Whether a difference is small enough; one that is not a number is not.
fn is_within(difference: f64, allowed: f64) -> bool {
    difference.abs() <= allowed
}
