//! Fields: accelerations by place, and how they turn bodies.

use crate::error::Error;
use crate::vector::{Spin, dot, sub};
use multigrain_polygons::ConvexPolygon;

/// How the mass of a body is spread: its second moments about the center of mass, in space.
pub(crate) type Spread = [[f64; 3]; 3];

/// That of a sphere, in the plane of a disc, with this moment of inertia.
pub(crate) fn of_sphere(inertia: f64, dimension: usize) -> Spread {
    std::array::from_fn(|i| std::array::from_fn(|j| if i == j && i < dimension { 0.5 * inertia } else { 0.0 }))
}

/// That of a polygon that is turned by this angle.
pub(crate) fn of_polygon(polygon: &ConvexPolygon, angle: f64, mass: f64) -> Spread {
    let corners = polygon.corners();
    let [mut along, mut across, mut mixed] = [0.0; 3];
    for (k, p) in corners.iter().enumerate() {
        let q = corners[(k + 1) % corners.len()];
        let weight = p[0] * q[1] - p[1] * q[0];
        along += weight * (p[0] * p[0] + p[0] * q[0] + q[0] * q[0]);
        across += weight * (p[1] * p[1] + p[1] * q[1] + q[1] * q[1]);
        mixed += weight * (p[0] * (q[1] + 2.0 * p[1]) + q[0] * (p[1] + 2.0 * q[1]));
    }
    let density = mass / polygon.area();
    let [along, across, mixed] = [along / 12.0, across / 12.0, mixed / 24.0].map(|moment| density * moment);
    let (sin, cos) = (libm::sin(angle), libm::cos(angle));
    let turned = sin * cos * (along - across) + (cos * cos - sin * sin) * mixed;
    let along_x = cos * cos * along + sin * sin * across - 2.0 * sin * cos * mixed;
    [[along_x, turned, 0.0], [turned, along + across - along_x, 0.0], [0.0; 3]]
}

/// An acceleration that depends on the place, linearly: `acceleration + gradient (x - about)`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Field<const D: usize> {
    /// The acceleration at `about`.
    pub acceleration: [f64; D],
    /// How it changes: a row for each of its components.
    pub gradient: [[f64; D]; D],
    /// Where it is as given.
    pub about: [f64; D],
}

impl<const D: usize> Field<D> {
    /// The same everywhere.
    pub const fn uniform(acceleration: [f64; D]) -> Self {
        Self { acceleration, gradient: [[0.0; D]; D], about: [0.0; D] }
    }

    /// The acceleration at this place.
    pub fn at(&self, position: [f64; D]) -> [f64; D] {
        let from = sub(position, self.about);
        std::array::from_fn(|axis| self.acceleration[axis] + dot(self.gradient[axis], from))
    }

    /// Whether it is another one elsewhere.
    pub(crate) fn has_gradient(&self) -> bool {
        self.gradient.as_flattened().iter().any(|&entry| entry != 0.0)
    }

    /// Torque on a body about its center of mass: what the field at its parts does beyond what it does at the center.
    pub(crate) fn torque(&self, spread: &Spread) -> Spin {
        // Mass times way times acceleration, by axes.
        let moment = |way: usize, pull: usize| match self.gradient.get(pull) {
            Some(row) => (0..D).map(|axis| spread[way][axis] * row[axis]).sum(),
            None => 0.0,
        };
        [moment(1, 2) - moment(2, 1), moment(2, 0) - moment(0, 2), moment(0, 1) - moment(1, 0)]
    }

    /// An error if a number of it cannot be worked with.
    pub fn check(&self, number: usize) -> Result<(), Error> {
        let gradient = self.gradient.as_flattened();
        match self.acceleration.iter().chain(gradient).chain(&self.about).find(|value| !value.is_finite()) {
            Some(&value) => {
                Err(Error::Parameter { what: format!("a number of field {number}"), value, must: "must be finite" })
            }
            None => Ok(()),
        }
    }

    pub(crate) fn describe(&self) -> String {
        let shown = |values: &[f64]| values.iter().map(|value| format!("{value:e}")).collect::<Vec<_>>().join(" ");
        let (acceleration, gradient) = (shown(&self.acceleration), shown(self.gradient.as_flattened()));
        format!("acceleration {acceleration}, gradient {gradient}, about {}", shown(&self.about))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vector::torque;

    /// A body as many small pieces: places and masses.
    fn by_pieces(pieces: &[([f64; 2], f64)]) -> Spread {
        let sum = |i: usize, j: usize| pieces.iter().map(|(place, mass)| mass * place[i] * place[j]).sum::<f64>();
        [[sum(0, 0), sum(0, 1), 0.0], [sum(1, 0), sum(1, 1), 0.0], [0.0; 3]]
    }

    #[test]
    fn a_polygon_is_spread_as_its_pieces_are() {
        let polygon = ConvexPolygon::new(&[[0.0, 0.0], [3.0, 0.0], [2.0, 1.0]]).unwrap();
        let (angle, mass, side) = (0.7, 5.0, 1500);
        let (sin, cos) = f64::sin_cos(angle);
        let shift = polygon.given_at();
        let inside = |x: f64, y: f64| y < 1.0 && x > 2.0 * y && x < 3.0 - y;
        let grid =
            (0..3 * side).flat_map(|i| (0..side).map(move |j| [i, j].map(|k| (f64::from(k) + 0.5) / f64::from(side))));
        let pieces: Vec<_> = grid.filter(|[x, y]| inside(*x, *y)).map(|[x, y]| [x - shift[0], y - shift[1]]).collect();
        let weight = mass / pieces.len() as f64;
        let turned: Vec<_> = pieces.iter().map(|[x, y]| ([cos * x - sin * y, sin * x + cos * y], weight)).collect();
        let (found, expected) = (of_polygon(&polygon, angle, mass), by_pieces(&turned));
        for (found, expected) in found.as_flattened().iter().zip(expected.as_flattened()) {
            assert!((found - expected).abs() < 2e-3, "{found} is not {expected}");
        }
        assert!((found[0][0] + found[1][1] - mass / polygon.area() * polygon.inertia()).abs() < 1e-12);
    }

    #[test]
    fn a_field_turns_a_body_as_it_turns_its_pieces() {
        let field = Field { acceleration: [1.0, -2.0], gradient: [[0.3, -1.1], [0.8, 0.2]], about: [0.0; 2] };
        let pieces = [([1.0, 0.5], 2.0), ([-1.5, 0.0], 2.0), ([0.25, -0.5], 4.0)];
        assert_eq!(
            pieces
                .map(|(place, mass)| place.map(|x| x * mass))
                .iter()
                .fold([0.0; 2], |sum, x| [sum[0] + x[0], sum[1] + x[1]]),
            [0.0; 2]
        );
        let one_by_one: f64 =
            pieces.iter().map(|&(place, mass)| torque(place, field.at(place).map(|x| x * mass))[2]).sum();
        assert!((field.torque(&by_pieces(&pieces))[2] - one_by_one).abs() < 1e-12);
    }
}
