//! How overlapping polygons push each other.

use crate::error::Error;
use multigrain_polygons::Overlap;

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
    /// How the repulsion follows from the overlap.
    pub repulsion: Repulsion,
}

/// How repulsion follows from the overlap of two bodies: its area `A`, its moment of inertia `J` around its centroid, the
/// characteristic length `l` and Young's modulus `Y`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Repulsion {
    /// The gradient of the energy `Y A^2 / (2 l w)`, where `w = sqrt(12 J / A)` is the width of a thin rectangle with the same
    /// area and inertia. That is `Y A / l` where faces meet and within a tenth of it where a blunt corner or round bodies do;
    /// direction and place are such that elastic collisions keep their energy, whatever meets. Faces on faces resist rocking.
    #[default]
    Energy,
    /// Force `Y A / l` across the contact line at the centroid of the overlap. Where a corner meets a corner it has no exact
    /// potential: single collisions lose or gain some percent of their energy.
    Area,
}

impl Default for PolygonMaterial {
    /// Hard plastic as far as the time step goes: some damping, friction 0.5.
    fn default() -> Self {
        Self {
            density: 1000.0,
            youngs_modulus: 1e6,
            damping: 0.3,
            friction: 0.5,
            tangential_stiffness: 0.3,
            repulsion: Repulsion::default(),
        }
    }
}

impl PolygonMaterial {
    /// An error if a number cannot be worked with.
    pub fn check(&self) -> Result<(), Error> {
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

/// The repulsion of two bodies: a force on the second one along a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Spring {
    pub(super) force: f64,
    /// Unit vector from the first body to the second.
    pub(super) normal: [f64; 2],
    /// A point on the line, at the height of the overlap's centroid.
    pub(super) point: [f64; 2],
    /// Length of the contact line.
    width: f64,
}

impl Spring {
    /// The repulsion of bodies with this overlap and characteristic length.
    pub(super) fn new(material: &PolygonMaterial, overlap: &Overlap, length: f64) -> Self {
        let Overlap { area, centroid, line, normal, .. } = *overlap;
        let width = norm([line[1][0] - line[0][0], line[1][1] - line[0][1]]);
        let by_area = Self { force: material.youngs_modulus * area / length, normal, point: centroid, width };
        match material.repulsion {
            Repulsion::Area => by_area,
            // Where one body is inside the other, energy does not change with small motions: the shortest way out counts.
            Repulsion::Energy => by_area.by_energy(overlap).unwrap_or(by_area),
        }
    }

    /// The same area with the force that its energy has; nothing where there is none.
    fn by_energy(&self, overlap: &Overlap) -> Option<Self> {
        let Overlap { area, inertia, shrinking, centroid, .. } = overlap;
        // A power of 5/2 of the area and of -1/2 of the inertia, each with its gradient.
        let energy = self.force * area * (area / (48.0 * inertia)).sqrt();
        let (by_area, by_inertia) = (2.5 * energy / area, 0.5 * energy / inertia);
        let [x, y, torque] = [0, 1, 2].map(|k| by_area * shrinking.area[k] - by_inertia * shrinking.inertia[k]);
        let force = norm([x, y]);
        // Not a number where rounding has left nothing of the inertia.
        if force.is_nan() || force <= 1e-6 * self.force {
            return None;
        }
        let normal = [x / force, y / force];
        // Beside the centroid by what gives the torque.
        let aside = torque / force;
        Some(Self { force, normal, point: [centroid[0] + aside * normal[1], centroid[1] - aside * normal[0]], ..*self })
    }
}

/// Two bodies that meet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Meeting {
    pub(super) spring: Spring,
    /// Velocity of the second body against the first, where the force acts.
    pub(super) velocity: [f64; 2],
    /// Angular velocity of the second body against the first.
    pub(super) spin: f64,
    /// Mass that moves: the harmonic sum of both.
    pub(super) mass: f64,
    /// Characteristic length of both bodies together.
    pub(super) length: f64,
}

/// What a contact does to the second body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Push {
    /// Force at the point of the spring.
    pub(super) force: [f64; 2],
    /// Torque beside that of the force.
    pub(super) torque: f64,
    /// Tangential displacement to remember.
    pub(super) slip: f64,
}

/// The push of a contact with this tangential displacement so far.
///
/// Area over characteristic length is a strain times a width, so that neither the number of corners nor the size of the
/// bodies changes the modulus. Damping follows the stiffness of the contact line, and so sets in from zero; spread along the
/// line, it also damps bodies that rock on each other. Bodies never pull.
pub(super) fn push(material: &PolygonMaterial, meeting: &Meeting, slip: f64, dt: f64) -> Push {
    let Meeting { spring: Spring { force: spring, normal, width, .. }, velocity, spin, mass, length } = meeting;
    let tangent = [-normal[1], normal[0]];
    let modulus = material.youngs_modulus;
    let approach = -(velocity[0] * normal[0] + velocity[1] * normal[1]);
    let sliding = velocity[0] * tangent[0] + velocity[1] * tangent[1];
    let dashpot = 2.0 * material.damping * (mass * modulus * width / length).sqrt();
    let along_normal = (spring + dashpot * approach).max(0.0);
    let stiffness = material.tangential_stiffness * modulus;
    let tangential_dashpot = 2.0 * material.damping * (mass * stiffness).sqrt();
    let slip = slip + sliding * dt;
    let wanted = -(stiffness * slip + tangential_dashpot * sliding);
    let most = or_nothing(material.friction * along_normal);
    let along_tangent = wanted.clamp(-most, most);
    // A contact that slides keeps the spring that holds just as much as friction does.
    let slip = if along_tangent == wanted { slip } else { slip.clamp(-most / stiffness, most / stiffness) };
    let force = [0, 1].map(|axis| along_normal * normal[axis] + along_tangent * tangent[axis]);
    let most = or_nothing(0.5 * along_normal * width);
    let torque = (-dashpot * width * width / 12.0 * spin).clamp(-most, most);
    Push { force, torque, slip }
}

/// A limit, or 0 where it is no number, as without friction under an endless force: what comes of that is found as a lost body.
fn or_nothing(limit: f64) -> f64 {
    if limit.is_nan() { 0.0 } else { limit }
}

fn norm([x, y]: [f64; 2]) -> f64 {
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain_polygons::Shrinking;

    /// The overlap of a face of this width with another by this depth, seen from its middle.
    fn overlap(width: f64, depth: f64) -> Overlap {
        let (area, line) = (width * depth, [[0.5 * width, 0.0], [-0.5 * width, 0.0]]);
        let inertia = area * (width * width + depth * depth) / 12.0;
        let mean = width * width / 12.0 + 0.25 * depth * depth;
        let shrinking = Shrinking { area: [0.0, width, 0.0], inertia: [0.0, mean * width, 0.0] };
        Overlap { area, centroid: [0.0; 2], line, normal: [0.0, 1.0], depth, crossings: 2, inertia, shrinking }
    }

    fn meeting(velocity: [f64; 2]) -> Meeting {
        let spring = Spring::new(&PolygonMaterial::default(), &overlap(0.1, 1e-3), 0.1);
        Meeting { spring, velocity, spin: 0.0, mass: 1.0, length: 0.1 }
    }

    #[test]
    fn force_is_modulus_times_area_over_length() {
        for repulsion in [Repulsion::Area, Repulsion::Energy] {
            let material = PolygonMaterial { repulsion, ..Default::default() };
            let found = Spring::new(&material, &overlap(0.1, 1e-3), 0.1);
            // A face of this depth is not quite thin.
            assert!((found.force / (1e6 * 1e-4 / 0.1) - 1.0).abs() < 2e-4, "{found:?}");
            assert_eq!((found.normal, found.point), ([0.0, 1.0], [0.0, 0.0]));
        }
    }

    #[test]
    fn a_body_inside_another_is_pushed_out_though_its_energy_is_the_same_everywhere() {
        let inside = Overlap { crossings: 0, shrinking: Shrinking::default(), ..overlap(0.1, 0.05) };
        let found = Spring::new(&PolygonMaterial::default(), &inside, 0.1);
        assert!((found.force - 1e6 * 0.005 / 0.1).abs() < 1e-9 && found.normal == [0.0, 1.0], "{found:?}");
    }

    #[test]
    fn friction_holds_like_a_spring_up_to_coulombs_limit() {
        let material = PolygonMaterial { damping: 0.0, friction: 0.5, ..Default::default() };
        let Push { force, slip, .. } = push(&material, &meeting([-1.0, 0.0]), 0.0, 1e-5);
        // Tangent points to the left: sliding to the left is positive and pushed back to the right.
        assert!((force[0] - 0.3e6 * 1e-5).abs() < 1e-9 && (slip - 1e-5).abs() < 1e-18, "{force:?} {slip}");
        let Push { force, slip, .. } = push(&material, &meeting([-1.0, 0.0]), 1.0, 1e-5);
        assert!((force[0] - 0.5 * force[1]).abs() < 1e-9, "{force:?}");
        assert!((slip - 0.5 * force[1] / 0.3e6).abs() < 1e-15);
    }

    #[test]
    fn bodies_that_part_are_damped_but_never_pulled() {
        let material = PolygonMaterial { friction: 0.0, ..Default::default() };
        let still = push(&material, &meeting([0.0, 0.0]), 0.0, 1e-5).force[1];
        assert!(push(&material, &meeting([0.0, -0.1]), 0.0, 1e-5).force[1] > still);
        assert!(push(&material, &meeting([0.0, 0.1]), 0.0, 1e-5).force[1] < still);
        assert_eq!(push(&material, &meeting([0.0, 1e3]), 0.0, 1e-5).force, [0.0, 0.0]);
        let rocking = Meeting { spin: 0.01, ..meeting([0.0, 0.0]) };
        assert!(push(&material, &rocking, 0.0, 1e-5).torque < 0.0);
    }

    #[test]
    fn a_force_beyond_all_numbers_is_no_panic() {
        let material = PolygonMaterial { friction: 0.0, ..Default::default() };
        let endless = Meeting {
            spring: Spring { force: f64::INFINITY, width: 0.0, ..meeting([0.0; 2]).spring },
            ..meeting([0.0; 2])
        };
        assert!(!push(&material, &endless, 0.0, 1e-5).force[1].is_finite());
    }

    #[test]
    fn bad_materials_are_named() {
        let material = PolygonMaterial { density: -1.0, ..Default::default() };
        assert_eq!(material.check().unwrap_err().to_string(), "density is -1, must be positive and below 1e100");
        let material = PolygonMaterial { friction: f64::NAN, ..Default::default() };
        assert_eq!(material.check().unwrap_err().to_string(), "friction is NaN, must be between 0 and 100");
    }
}
