//! How overlapping polygons push each other.

use crate::error::Error;
use multigrain::polygons::Overlap;

/// What all bodies are made of. Units are the user's own; in the plane a modulus is a force per length, as for a plate of
/// thickness one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PolygonMaterial {
    /// Mass per area.
    pub density: f64,
    /// Young's modulus: force is this times the overlap area over the characteristic length of the two bodies.
    pub youngs_modulus: f64,
    /// Damping along the normal, as a share of the critical one: 0 is elastic.
    pub damping: f64,
    /// Coefficient of Coulomb friction.
    pub friction: f64,
    /// Stiffness of the tangential spring, as a share of the modulus.
    pub tangential_stiffness: f64,
}

impl Default for PolygonMaterial {
    /// Hard plastic as far as the time step goes: some damping, friction 0.5.
    fn default() -> Self {
        Self { density: 1000.0, youngs_modulus: 1e6, damping: 0.3, friction: 0.5, tangential_stiffness: 0.3 }
    }
}

impl PolygonMaterial {
    pub(super) fn check(&self) -> Result<(), Error> {
        let positive = [
            ("density", self.density),
            ("Young's modulus", self.youngs_modulus),
            ("tangential stiffness", self.tangential_stiffness),
        ];
        for (what, value) in positive {
            if !(value > 0.0 && value < 1e100) {
                return Err(Error::Parameter {
                    what: what.to_owned(),
                    value,
                    must: "must be positive and below 1e100",
                });
            }
        }
        for (what, value) in [("damping", self.damping), ("friction", self.friction)] {
            if !(0.0..=100.0).contains(&value) {
                return Err(Error::Parameter { what: what.to_owned(), value, must: "must be between 0 and 100" });
            }
        }
        Ok(())
    }
}

/// Two bodies that meet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting {
    pub(super) overlap: Overlap,
    /// Velocity of the second body against the first, at the middle of the contact line.
    pub(super) velocity: [f64; 2],
    /// Mass that moves: the harmonic sum of both.
    pub(super) mass: f64,
    /// Characteristic length of both bodies together.
    pub(super) length: f64,
}

/// The force on the second body, and the tangential displacement to remember.
///
/// Area over characteristic length is a strain times a width, so that neither the number of corners nor the size of the
/// bodies changes the modulus. Damping follows the stiffness of the contact line, and so sets in from zero. Bodies never pull.
pub(super) fn push(material: &PolygonMaterial, meeting: &Meeting, slip: f64, dt: f64) -> ([f64; 2], f64) {
    let Meeting { overlap, velocity, mass, length } = meeting;
    let normal = overlap.normal;
    let tangent = [-normal[1], normal[0]];
    let width = (overlap.line[1][0] - overlap.line[0][0]).hypot(overlap.line[1][1] - overlap.line[0][1]);
    let modulus = material.youngs_modulus;
    let approach = -(velocity[0] * normal[0] + velocity[1] * normal[1]);
    let sliding = velocity[0] * tangent[0] + velocity[1] * tangent[1];
    let dashpot = 2.0 * material.damping * (mass * modulus * width / length).sqrt();
    let along_normal = (modulus * overlap.area / length + dashpot * approach).max(0.0);
    let stiffness = material.tangential_stiffness * modulus;
    let tangential_dashpot = 2.0 * material.damping * (mass * stiffness).sqrt();
    let slip = slip + sliding * dt;
    let wanted = -(stiffness * slip + tangential_dashpot * sliding);
    let most = material.friction * along_normal;
    let along_tangent = wanted.clamp(-most, most);
    // A contact that slides keeps the spring that holds just as much as friction does.
    let slip = if along_tangent == wanted { slip } else { slip.clamp(-most / stiffness, most / stiffness) };
    let force = [0, 1].map(|axis| along_normal * normal[axis] + along_tangent * tangent[axis]);
    (force, slip)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meeting(velocity: [f64; 2]) -> Meeting {
        let overlap = Overlap {
            area: 1e-4,
            centroid: [0.0; 2],
            line: [[0.05, 0.0], [-0.05, 0.0]],
            normal: [0.0, 1.0],
            depth: 1e-3,
            crossings: 2,
        };
        Meeting { overlap, velocity, mass: 1.0, length: 0.1 }
    }

    #[test]
    fn force_is_modulus_times_area_over_length() {
        let material = PolygonMaterial { damping: 0.0, friction: 0.0, ..Default::default() };
        let (force, slip) = push(&material, &meeting([0.0, 0.0]), 0.0, 1e-5);
        assert!((force[1] - 1e6 * 1e-4 / 0.1).abs() < 1e-9 && force[0] == 0.0 && slip == 0.0, "{force:?}");
    }

    #[test]
    fn friction_holds_like_a_spring_up_to_coulombs_limit() {
        let material = PolygonMaterial { damping: 0.0, friction: 0.5, ..Default::default() };
        let (force, slip) = push(&material, &meeting([-1.0, 0.0]), 0.0, 1e-5);
        // Tangent points to the left: sliding to the left is positive and pushed back to the right.
        assert!((force[0] - 0.3e6 * 1e-5).abs() < 1e-9 && (slip - 1e-5).abs() < 1e-18, "{force:?} {slip}");
        let (force, slip) = push(&material, &meeting([-1.0, 0.0]), 1.0, 1e-5);
        assert!((force[0] - 0.5 * force[1]).abs() < 1e-9, "{force:?}");
        assert!((slip - 0.5 * force[1] / 0.3e6).abs() < 1e-15);
    }

    #[test]
    fn bodies_that_part_are_damped_but_never_pulled() {
        let material = PolygonMaterial { friction: 0.0, ..Default::default() };
        let still = push(&material, &meeting([0.0, 0.0]), 0.0, 1e-5).0[1];
        assert!(push(&material, &meeting([0.0, -0.1]), 0.0, 1e-5).0[1] > still);
        assert!(push(&material, &meeting([0.0, 0.1]), 0.0, 1e-5).0[1] < still);
        assert_eq!(push(&material, &meeting([0.0, 1e3]), 0.0, 1e-5).0, [0.0, 0.0]);
    }

    #[test]
    fn bad_materials_are_named() {
        let material = PolygonMaterial { density: -1.0, ..Default::default() };
        assert_eq!(material.check().unwrap_err().to_string(), "density is -1, must be positive and below 1e100");
        let material = PolygonMaterial { friction: f64::NAN, ..Default::default() };
        assert_eq!(material.check().unwrap_err().to_string(), "friction is NaN, must be between 0 and 100");
    }
}
