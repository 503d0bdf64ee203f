//! Walls of convex polygons: floors, drums, hoppers, the shear cell.

use super::body::{Drive, PolygonBody};
use multigrain_polygons::{ConvexPolygon, Frame, PolygonError};
use std::f64::consts::TAU;

/// A floor of this width and thickness with its upper side at height 0, around x = 0.
pub fn floor(width: f64, thickness: f64) -> Result<Vec<PolygonBody>, PolygonError> {
    Ok(vec![slab([-0.5 * width, 0.0], [0.5 * width, 0.0], thickness)?])
}

/// A drum around the origin: a ring of this many flat segments, its inner side at `radius`, that turns with `spin`.
pub fn drum(radius: f64, thickness: f64, segments: usize, spin: f64) -> Result<Vec<PolygonBody>, PolygonError> {
    let segments = segments.max(3);
    let corner = |reach: f64, k: usize| {
        let (sin, cos) = (TAU * k as f64 / segments as f64).sin_cos();
        [reach * cos, reach * sin]
    };
    let outer = radius + thickness;
    let segment = |k: usize| {
        let shape =
            ConvexPolygon::new(&[corner(radius, k), corner(outer, k), corner(outer, k + 1), corner(radius, k + 1)])?;
        let frame = shape.as_given().frame();
        Ok(PolygonBody::wall(shape, frame).driven(Drive { spin, ..Drive::REST }))
    };
    (0..segments).map(segment).collect()
}

/// A hopper: two walls that lean towards an opening around x = 0 at height 0, reaching up to `height`, with the given angle
/// (radians) from the horizontal.
pub fn hopper(opening: f64, height: f64, angle: f64, thickness: f64) -> Result<Vec<PolygonBody>, PolygonError> {
    let reach = height / angle.tan();
    let half = 0.5 * opening;
    Ok(vec![
        slab([-half - reach, height], [-half, 0.0], thickness)?,
        slab([half, 0.0], [half + reach, height], thickness)?,
    ])
}

/// The shear cell of the paper's figure: a box of this width and height with a lid that is dragged along x with `speed`.
/// Teeth of half a `tooth` height on floor and lid hold the grains.
pub fn shear_cell(width: f64, height: f64, tooth: f64, speed: f64) -> Result<Vec<PolygonBody>, PolygonError> {
    let (half, thickness) = (0.5 * width, 2.0 * tooth);
    let mut walls = vec![
        slab([-half, 0.0], [half, 0.0], thickness)?,
        slab([half, -thickness], [half, height + thickness], thickness)?,
        slab([-half, height + thickness], [-half, -thickness], thickness)?,
    ];
    let dragged = Drive { velocity: [speed, 0.0], ..Drive::REST };
    // The lid is longer than the cell, so that it covers it while it is dragged.
    walls.push(slab([2.0 * half, height], [-2.0 * half, height], thickness)?.driven(dragged));
    let count = (width / (2.0 * tooth)).floor() as usize;
    for k in 0..count {
        let x = -half + (k as f64 + 0.5) * 2.0 * tooth;
        let up = ConvexPolygon::new(&[[x - 0.5 * tooth, 0.0], [x + 0.5 * tooth, 0.0], [x, 0.5 * tooth]])?;
        let down =
            ConvexPolygon::new(&[[x + 0.5 * tooth, height], [x - 0.5 * tooth, height], [x, height - 0.5 * tooth]])?;
        let (lower, upper) = (up.as_given().frame(), down.as_given().frame());
        walls.push(PolygonBody::wall(up, lower));
        walls.push(PolygonBody::wall(down, upper).driven(dragged));
    }
    Ok(walls)
}

/// A rectangle below the line from `start` to `end`, seen along it: grains are on the left.
pub fn slab(start: [f64; 2], end: [f64; 2], thickness: f64) -> Result<PolygonBody, PolygonError> {
    let (dx, dy) = (end[0] - start[0], end[1] - start[1]);
    let length = dx.hypot(dy);
    let shape = ConvexPolygon::rectangle(length, thickness)?;
    let (right, half) = ([dy / length, -dx / length], 0.5 * thickness);
    let middle = [0, 1].map(|axis| 0.5 * (start[axis] + end[axis]) + half * right[axis]);
    Ok(PolygonBody::wall(shape, Frame::new(middle, dy.atan2(dx))?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slab_lies_on_the_right_of_its_line() {
        let body = slab([0.0, 0.0], [2.0, 2.0], 0.5).unwrap();
        let placed = body.shape.at(body.frame);
        assert!(placed.contains([1.1, 0.9]) && !placed.contains([0.9, 1.1]));
    }

    #[test]
    fn a_drum_turns_around_the_origin_and_holds_its_radius() {
        let walls = drum(1.0, 0.1, 24, 2.0).unwrap();
        assert_eq!(walls.len(), 24);
        let drive = walls[0].drive.unwrap();
        let later = drive.frame_at(&walls[0].frame, 0.25).unwrap();
        let reach = |frame: &Frame| frame.position()[0].hypot(frame.position()[1]);
        assert!((reach(&later) - reach(&walls[0].frame)).abs() < 1e-14);
        assert!((later.angle() - 0.5).abs() < 1e-15);
        let velocity = drive.velocity_at(later.position(), 0.25);
        assert!((velocity[0].hypot(velocity[1]) - 2.0 * reach(&later)).abs() < 1e-13);
    }

    #[test]
    fn the_lid_of_a_shear_cell_moves_and_its_floor_does_not() {
        let walls = shear_cell(2.0, 1.0, 0.1, 0.3).unwrap();
        let moving = walls.iter().filter(|wall| wall.drive.is_some_and(|drive| drive.velocity == [0.3, 0.0])).count();
        assert_eq!((walls.len(), moving), (4 + 2 * 10, 1 + 10));
    }
}
