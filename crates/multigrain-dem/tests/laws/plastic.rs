//! Luding's elasto-plastic adhesive law: slopes, pull-off force, what impacts leave.

use super::{RADIUS, near, pulled, within};
use multigrain_dem::{ContactLaw, Grain, Material, Plastic, Setup, TimeStep};
use std::f64::consts::PI;

const LAW: Plastic = Plastic { loading: 1e3, unloading: 5e3, cohesive: 2e3, depth: 0.05 };

/// Pushed together by this overlap and pulled apart again: gaps and pulls of the way back.
fn way_back(law: Plastic, overlap: f64) -> [Vec<(f64, f64)>; 2] {
    let mut there = Vec::new();
    let mut back = Vec::new();
    let contact = ContactLaw::plastic(law);
    let mut simulation = Setup::<3>::new()
        .material(Material::new(2500.0, contact))
        .time_step(TimeStep::Given(1e-6))
        .build([Grain::at([0.0; 3], 0.01).held(), Grain::at([0.03, 0.0, 0.0], 0.02).velocity([-1.0, 0.0, 0.0]).held()])
        .unwrap();
    let steps = (overlap / 1e-6) as usize;
    let walk = |simulation: &mut multigrain_dem::Simulation<3>, seen: &mut Vec<(f64, f64)>| {
        for _ in 0..steps {
            simulation.step().unwrap();
            let gap = simulation.state().positions()[1][0] - 0.03;
            seen.push((gap, -simulation.contacts().first().map_or(0.0, |contact| contact.force[0])));
        }
    };
    walk(&mut simulation, &mut there);
    simulation.set_velocities(&[[0.0; 3], [1.0, 0.0, 0.0]]).unwrap();
    walk(&mut simulation, &mut back);
    [there, back]
}

/// The unloading stiffness after this overlap.
fn unloading(law: Plastic, overlap: f64) -> f64 {
    let deepest = law.unloading / (law.unloading - law.loading) * law.depth * 2.0 * RADIUS;
    law.loading + (law.unloading - law.loading) * (overlap / deepest).min(1.0)
}

#[test]
fn loading_unloading_and_pull_off_follow_their_lines() {
    for overlap in [2e-4, 5e-4] {
        let [there, back] = way_back(LAW, overlap);
        for &(gap, pull) in &there {
            assert!((pull - LAW.loading * gap).abs() < 1e-9 + 1e-6 * LAW.loading * overlap, "{gap} {pull}");
        }
        let steep = unloading(LAW, overlap);
        let rest = (1.0 - LAW.loading / steep) * overlap;
        let lowest = (steep - LAW.loading) / (steep + LAW.cohesive) * overlap;
        let mut largest = 0.0f64;
        for &(gap, pull) in &back {
            let wanted = if -gap > lowest { -steep * (-gap - rest) } else { LAW.cohesive * -gap };
            assert!((pull - wanted).abs() < 0.005 * LAW.loading * overlap, "{gap}: {pull} in place of {wanted}");
            largest = largest.max(pull);
        }
        near(largest, LAW.cohesive * lowest);
    }
}

/// Beyond the deepest dent the force follows the steepest line, there and back.
#[test]
fn the_deepest_dent_is_elastic_again() {
    let law = Plastic { depth: 0.01, ..LAW };
    let deepest = law.unloading / (law.unloading - law.loading) * law.depth * 2.0 * RADIUS;
    let [there, back] = way_back(law, 2.0 * deepest);
    for (gap, pull) in there.into_iter().chain(back).filter(|(gap, _)| -gap > deepest) {
        let wanted = -(law.loading * deepest + law.unloading * (-gap - deepest));
        within(pull, wanted, 1e-3);
    }
}

/// Without cohesion, an impact leaves the root of the ratio of both stiffnesses.
#[test]
fn an_impact_leaves_the_root_of_the_ratio_of_stiffnesses() {
    let law = Plastic { cohesive: 0.0, ..LAW };
    let mass = 2500.0 * 4.0 / 3.0 * PI * 1e-6 * 8.0 / 9.0;
    for speed in [0.02, 0.1] {
        let mut simulation = Setup::<3>::new()
            .material(Material::new(2500.0, ContactLaw::plastic(law)))
            .time_step(TimeStep::Fraction(2e-3))
            .build([Grain::at([0.0; 3], 0.01).velocity([speed, 0.0, 0.0]), Grain::at([0.030001, 0.0, 0.0], 0.02)])
            .unwrap();
        let before = simulation.energies().total();
        simulation.run_until(0.2).unwrap();
        let velocities = simulation.state().velocities();
        let overlap = speed * f64::sqrt(mass / law.loading);
        near((velocities[1][0] - velocities[0][0]) / speed, (law.loading / unloading(law, overlap)).sqrt());
        within(simulation.energies().total() + simulation.dissipated(), before, 2e-3);
    }
}

/// Loading again after unloading goes up the same line.
#[test]
fn loading_again_follows_the_line_of_unloading() {
    let mut pulls = Vec::new();
    pulled(ContactLaw::plastic(LAW), -3e-4, 1e-2, 1000, |gap, pull| pulls.push((gap, pull)));
    // From a contact that began with this overlap.
    let steep = unloading(LAW, 3e-4);
    let rest = (1.0 - LAW.loading / steep) * 3e-4;
    for (gap, pull) in pulls {
        assert!((pull + steep * (-gap - rest)).abs() < 1e-6);
    }
}
