//! Closest features and overlap of polygons against exhaustive answers, and polygons of any corners.

use super::Outcome;
use crate::bytes::Bytes;
use multigrain_lab::polygon_check::check;
use multigrain_polygons::ConvexPolygon;

/// Most corners of a polygon.
const MAX_CORNERS: usize = 40;

pub fn run(input: &[u8]) -> Outcome {
    let mut bytes = Bytes::new(input);
    if bytes.is_one_in(4) {
        return any_corners(&mut bytes);
    }
    let (seed, number) = (bytes.number(), bytes.number());
    match check(seed, number, MAX_CORNERS) {
        Ok(tally) => Outcome { is_accepted: true, behaviour: number % 8, checked: tally.calls },
        Err(wrong) => panic!("{wrong}"),
    }
}

/// What is taken as a polygon has an area and a radius, and is taken again from its own corners.
fn any_corners(bytes: &mut Bytes<'_>) -> Outcome {
    let scale = if bytes.is_one_in(4) { 10f64.powi(bytes.below(255) as i32 - 127) } else { 1.0 };
    let mut coordinate = || match bytes.below(10) {
        0 => scale * f64::from(bytes.byte() % 5),
        1 => f64::from_bits(bytes.number()),
        _ => scale * bytes.signed(),
    };
    let count = 3 + (coordinate().abs() * 5.0) as usize % 12;
    let points: Vec<[f64; 2]> = (0..count).map(|_| [coordinate(), coordinate()]).collect();
    let (given, around) = (ConvexPolygon::new(&points), ConvexPolygon::around(&points));
    for polygon in [&given, &around].into_iter().flatten() {
        assert!(polygon.area() > 0.0 && polygon.inertia() > 0.0 && polygon.radius() > 0.0, "{polygon:?}");
        assert!(ConvexPolygon::new(polygon.corners()).is_ok(), "its own corners are refused: {polygon:?}");
    }
    match given.or(around) {
        Ok(polygon) => Outcome::accepted(polygon.len()),
        Err(error) => Outcome::refused(&error.to_string()),
    }
}
