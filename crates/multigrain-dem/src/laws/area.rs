//! Force by the area that two bodies have in common: for polygons, and for discs among them.

use super::{Action, Law, Patch, Point, Wrench};
use crate::material::{AREA_STIFFNESS_RATIO, ContactLaw, Damping, Elasticity, Repulsion};
use crate::vector::dot;
use multigrain_polygons::Overlap;
use std::f64::consts::PI;

/// Repulsion by area over a characteristic length, which is a strain times a width: neither the number of corners nor the size
/// of bodies changes the modulus. Damping follows the stiffness of the contact line, and so sets in from zero; spread along
/// the line, it also damps bodies that rock on each other. Friction is a spring along the line, up to Coulomb's limit. Bodies
/// never pull.
#[derive(Debug, Clone, Copy)]
pub(super) struct Area {
    modulus: f64,
    repulsion: Repulsion,
    /// Share of the critical damping.
    damping: f64,
    friction: f64,
    tangential_stiffness: f64,
    tangential_damping_ratio: f64,
    law: ContactLaw,
}

impl Area {
    pub fn new(law: &ContactLaw) -> Self {
        let (modulus, repulsion) = match law.elasticity {
            Elasticity::Area { modulus, repulsion } => (modulus, repulsion),
            _ => (0.0, Repulsion::default()),
        };
        let ratio = law.friction.map_or(AREA_STIFFNESS_RATIO, |friction| friction.stiffness_ratio);
        Self {
            modulus,
            repulsion,
            damping: if let Damping::Share(share) = law.damping { share } else { 0.0 },
            friction: law.friction.map_or(0.0, |friction| friction.coefficient),
            tangential_stiffness: ratio * modulus,
            tangential_damping_ratio: law.friction.map_or(1.0, |friction| friction.damping_ratio),
            law: *law,
        }
    }

    /// The force that the energy of a patch has; nothing where there is none.
    fn by_energy(&self, overlap: &Overlap, by_area: f64) -> Option<Action> {
        let Overlap { area, inertia, shrinking, centroid, .. } = overlap;
        // A power of 5/2 of the area and of -1/2 of the inertia, each with its gradient.
        let energy = by_area * area * (area / (48.0 * inertia)).sqrt();
        let (gain, loss) = (2.5 * energy / area, 0.5 * energy / inertia);
        let [x, y, torque] = [0, 1, 2].map(|k| gain * shrinking.area[k] - loss * shrinking.inertia[k]);
        let push = (x * x + y * y).sqrt();
        // Not a number where rounding has left nothing of the inertia.
        if push.is_nan() || push <= 1e-6 * by_area {
            return None;
        }
        let normal = [x / push, y / push];
        // Beside the centroid by what gives the torque.
        let aside = torque / push;
        Some(Action { at: [centroid[0] + aside * normal[1], centroid[1] - aside * normal[0]], normal, push })
    }
}

impl<const D: usize> Law<D> for Area {
    fn history(&self) -> usize {
        1
    }

    fn turns(&self) -> bool {
        true
    }

    fn needs_patch(&self) -> bool {
        true
    }

    fn action(&self, patch: &Patch) -> Action {
        let Overlap { area, centroid, normal, .. } = patch.overlap;
        let by_area = Action { at: centroid, normal, push: self.modulus * area / patch.length };
        match self.repulsion {
            Repulsion::Area => by_area,
            // Where one body is inside the other, energy does not change with small motions: the shortest way out counts.
            Repulsion::Energy => self.by_energy(&patch.overlap, by_area.push).unwrap_or(by_area),
        }
    }

    fn act_on_patch(
        &self,
        patch: &Patch,
        action: &Action,
        point: &Point<D>,
        history: &mut [f64],
        time: f64,
    ) -> Wrench<D> {
        let [start, end] = patch.overlap.line;
        let width = libm::hypot(end[0] - start[0], end[1] - start[1]);
        let mut tangent = [0.0; D];
        (tangent[0], tangent[1]) = (-action.normal[1], action.normal[0]);
        // Of bodies that nothing moves no damping is critical.
        let mass = if point.inverse_mass > 0.0 { 1.0 / point.inverse_mass } else { 0.0 };
        let dashpot = 2.0 * self.damping * (mass * self.modulus * width / patch.length).sqrt();
        let along_normal = (action.push - dashpot * point.apart).max(0.0);
        let stiffness = self.tangential_stiffness;
        let tangential_dashpot = 2.0 * self.tangential_damping_ratio * self.damping * (mass * stiffness).sqrt();
        let (sliding, slide) = (dot(point.sliding, tangent), dot(point.slide, tangent));
        let before = history.first().copied().unwrap_or(0.0);
        let stretched = before + slide;
        let wanted = -(stiffness * stretched + tangential_dashpot * sliding);
        let most = or_nothing(self.friction * along_normal);
        let along_tangent = wanted.clamp(-most, most);
        // A contact that slides keeps the spring that holds just as much as friction does. One that holds: the spring's force is the
        // mean over the step, so that what it stores and gives back is right to second order.
        let (slip, by_friction) = if along_tangent == wanted {
            let by_spring = 0.5 * stiffness * (before + stretched) * slide;
            (stretched, by_spring + tangential_dashpot * sliding * sliding * time)
        } else {
            (stretched.clamp(-most / stiffness, most / stiffness), -along_tangent * slide)
        };
        if let Some(kept) = history.first_mut() {
            *kept = slip;
        }
        let most = or_nothing(0.5 * along_normal * width);
        let turning = point.turning[2];
        let couple = (-dashpot * width * width / 12.0 * turning).clamp(-most, most);
        let taken = by_friction + ((action.push - along_normal) * point.apart - couple * turning) * time;
        let mut force = [0.0; D];
        for axis in 0..2 {
            force[axis] = along_normal * action.normal[axis] + along_tangent * tangent[axis];
        }
        Wrench { force, couple: [0.0, 0.0, couple], taken }
    }

    /// Bodies are never shown to it as points.
    fn act(&self, point: &Point<D>, _: &mut [f64], _: f64) -> Wrench<D> {
        Wrench::along(point.normal, 0.0)
    }

    fn energy(&self, _: &Point<D>, history: &[f64]) -> f64 {
        let slip = history.first().copied().unwrap_or(0.0);
        0.5 * self.tangential_stiffness * slip * slip
    }

    fn patch_energy(&self, patch: &Patch, point: &Point<D>, history: &[f64]) -> f64 {
        let Overlap { area, inertia, .. } = patch.overlap;
        let width = (12.0 * inertia / area).sqrt();
        let pressed = 0.5 * self.modulus * area * area / (patch.length * width);
        let pressed = if pressed.is_finite() { pressed } else { 0.0 };
        pressed + Law::<D>::energy(self, point, history)
    }

    fn remembered_energy(&self, point: &Point<D>, history: &[f64]) -> f64 {
        Law::<D>::energy(self, point, history)
    }

    /// The stiffest contact is as wide as it is long; bodies part after half a period of it.
    fn duration(&self, inverse_mass: f64, _: f64, _: f64) -> f64 {
        PI * (1.0 / inverse_mass / (self.modulus + self.tangential_stiffness)).sqrt()
    }

    fn describe(&self) -> String {
        self.law.describe()
    }
}

/// A limit, or 0 where it is no number, as without friction under an endless force: what comes of that is found as a lost body.
fn or_nothing(limit: f64) -> f64 {
    if limit.is_nan() { 0.0 } else { limit }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain_polygons::Shrinking;

    /// The overlap of a face of this width with another by this depth, seen from its middle.
    fn patch(width: f64, depth: f64) -> Patch {
        let (area, line) = (width * depth, [[0.5 * width, 0.0], [-0.5 * width, 0.0]]);
        let inertia = area * (width * width + depth * depth) / 12.0;
        let mean = width * width / 12.0 + 0.25 * depth * depth;
        let shrinking = Shrinking { area: [0.0, width, 0.0], inertia: [0.0, mean * width, 0.0] };
        let normal = [0.0, 1.0];
        let overlap = Overlap { area, centroid: [0.0; 2], line, normal, depth, crossings: 2, inertia, shrinking };
        Patch { overlap, length: 0.1 }
    }

    /// The second body moving like this against the first, and sliding so far in the step.
    fn point(velocity: [f64; 2], slide: f64, turning: f64) -> Point<2> {
        Point {
            normal: [0.0, 1.0],
            gap: -1e-3,
            apart: velocity[1],
            sliding: [velocity[0], 0.0],
            slide: [slide, 0.0],
            turning: [0.0, 0.0, turning],
            turn: [0.0; 3],
            inverse_mass: 1.0,
            radius: 0.025,
        }
    }

    fn law(damping: f64, friction: f64) -> Area {
        Area::new(&ContactLaw::area(1e6).damping_share(damping).friction(friction))
    }

    fn act(law: &Area, point: &Point<2>, slip: f64) -> (Wrench<2>, f64) {
        let (patch, mut history) = (patch(0.1, 1e-3), [slip]);
        let action = Law::<2>::action(law, &patch);
        (law.act_on_patch(&patch, &action, point, &mut history, 1e-5), history[0])
    }

    #[test]
    fn force_is_modulus_times_area_over_length() {
        for repulsion in [Repulsion::Area, Repulsion::Energy] {
            let law = Area::new(&ContactLaw::area(1e6).repulsion(repulsion));
            let found = Law::<2>::action(&law, &patch(0.1, 1e-3));
            // A face of this depth is not quite thin.
            assert!((found.push / (1e6 * 1e-4 / 0.1) - 1.0).abs() < 2e-4, "{found:?}");
            assert_eq!((found.normal, found.at), ([0.0, 1.0], [0.0, 0.0]));
        }
    }

    #[test]
    fn a_body_inside_another_is_pushed_out_though_its_energy_is_the_same_everywhere() {
        let common = patch(0.1, 0.05);
        let overlap = Overlap { crossings: 0, shrinking: Shrinking::default(), ..common.overlap };
        let found = Law::<2>::action(&law(0.0, 0.0), &Patch { overlap, ..common });
        assert!((found.push - 1e6 * 0.005 / 0.1).abs() < 1e-9 && found.normal == [0.0, 1.0], "{found:?}");
    }

    #[test]
    fn friction_holds_like_a_spring_up_to_coulombs_limit() {
        let law = law(0.0, 0.5);
        // Tangent points to the left: sliding to the left is positive and pushed back to the right.
        let (wrench, slip) = act(&law, &point([-1.0, 0.0], -1e-5, 0.0), 0.0);
        assert!((wrench.force[0] - 0.3e6 * 1e-5).abs() < 1e-9 && (slip - 1e-5).abs() < 1e-18, "{wrench:?} {slip}");
        let (wrench, slip) = act(&law, &point([-1.0, 0.0], -1e-5, 0.0), 1.0);
        assert!((wrench.force[0] - 0.5 * wrench.force[1]).abs() < 1e-9, "{wrench:?}");
        assert!((slip - 0.5 * wrench.force[1] / 0.3e6).abs() < 1e-15);
    }

    #[test]
    fn bodies_that_part_are_damped_but_never_pulled() {
        let law = law(0.3, 0.0);
        let force = |apart: f64| act(&law, &point([0.0, apart], 0.0, 0.0), 0.0).0.force[1];
        assert!(force(-0.1) > force(0.0) && force(0.1) < force(0.0) && force(1e3) == 0.0);
        assert!(act(&law, &point([0.0, 0.0], 0.0, 0.01), 0.0).0.couple[2] < 0.0);
    }

    #[test]
    fn a_force_beyond_all_numbers_is_no_panic() {
        let (law, patch) = (law(0.3, 0.0), patch(0.0, 0.0));
        let action = Action { at: [0.0; 2], normal: [0.0, 1.0], push: f64::INFINITY };
        assert!(!law.act_on_patch(&patch, &action, &point([0.0; 2], 0.0, 0.0), &mut [0.0], 1e-5).force[1].is_finite());
    }
}
