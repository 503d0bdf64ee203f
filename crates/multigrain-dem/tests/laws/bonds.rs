//! Bonds: a beam of grains, how stiff it is and when it breaks.

use super::near;
use multigrain_dem::{Bond, ContactLaw, Error, Grain, Material, Setup, Simulation, TimeStep};
use std::f64::consts::PI;

const COUNT: u32 = 6;
const DRAG: f64 = 4.0;
const R: f64 = 0.01;
const LAW: Bond = Bond { damping: 0.3, radius: 0.8, gap: 1e-9, ..Bond::new(1e8, 1e6) };

/// A row of grains along x of which the first is held, and a force on the last.
fn beam(bond: Bond, force: [f64; 3]) -> Simulation<3> {
    let grains = (0..COUNT).map(|k| {
        let grain = Grain::at([2.0 * R * f64::from(k), 0.0, 0.0], R);
        if k == 0 { grain.held() } else { grain }
    });
    // Repulsion so soft that bonds alone count.
    let law = ContactLaw::linear(1.0).bond(bond);
    let mut simulation = Setup::<3>::new()
        .material(Material::new(2500.0, law))
        .time_step(TimeStep::Fraction(0.1))
        .build(grains)
        .unwrap();
    assert_eq!(simulation.bond_touching().unwrap(), u64::from(COUNT) - 1);
    simulation
        .set_own_forces(Some(Box::new(move |time, state, forces, _| {
            let last = state.place_of(u64::from(COUNT) - 1).ok_or("the last grain is gone")?;
            let share = (time / 0.02).min(1.0);
            let share = share * share * (3.0 - 2.0 * share);
            // A drag that lets the slowest motion die down.
            for (sum, velocity) in forces.iter_mut().zip(state.velocities()) {
                *sum = velocity.map(|component| -DRAG * component);
            }
            for axis in 0..3 {
                forces[last][axis] += share * force[axis];
            }
            Ok(())
        })))
        .unwrap();
    simulation
}

fn section() -> (f64, f64, f64) {
    let radius = LAW.radius * R;
    (radius, PI * radius * radius, 0.25 * PI * radius.powi(4))
}

fn last(simulation: &Simulation<3>) -> [f64; 3] {
    simulation.state().positions()[simulation.state().place_of(u64::from(COUNT) - 1).unwrap()]
}

#[test]
fn a_beam_stretches_and_bends_as_its_formulas_say() {
    let (_, area, second) = section();
    let bonds = f64::from(COUNT - 1);
    let force = 1.0;
    let mut stretched = beam(LAW, [force, 0.0, 0.0]);
    stretched.run_until(0.15).unwrap();
    near(last(&stretched)[0] - 2.0 * R * bonds, bonds * force * 2.0 * R / (LAW.modulus * area));
    let mut bent = beam(LAW, [0.0, 0.0, 0.1 * force]);
    bent.run_until(0.15).unwrap();
    // Each bond, halfway between two centers, bends by its moment and shears.
    let mut sunk = 0.0;
    for k in 0..COUNT - 1 {
        let arm = 2.0 * R * (bonds - f64::from(k) - 0.5);
        let shear = 2.0 * R / (LAW.ratio * LAW.modulus * area);
        sunk += 0.1 * force * (arm * arm * 2.0 * R / (LAW.modulus * second) + shear);
    }
    near(last(&bent)[2], sunk);
    assert_eq!(bent.bonds_broken(), 0);
}

#[test]
fn a_beam_breaks_at_its_root_under_the_load_of_its_formula() {
    let (radius, area, second) = section();
    let arm = 2.0 * R * (f64::from(COUNT - 1) - 0.5);
    let bears = LAW.strength * second / (radius * arm);
    let tried = |force: [f64; 3]| {
        let mut simulation = beam(LAW, force);
        simulation.run_until(0.1).unwrap();
        let bonds = simulation.bonds();
        (simulation.bonds_broken(), bonds.first().map(|bond| bond.ids), bonds.first().map_or(0.0, |bond| bond.load))
    };
    let (broken, first, load) = tried([0.0, 0.99 * bears, 0.0]);
    assert_eq!((broken, first), (0, Some([0, 1])));
    near(load, 0.99);
    let (broken, first, _) = tried([0.0, 1.02 * bears, 0.0]);
    assert_eq!((broken, first), (1, Some([1, 2])), "the root has broken");
    let pulls = LAW.strength * area;
    assert_eq!(tried([0.985 * pulls, 0.0, 0.0]).0, 0);
    assert!(tried([1.03 * pulls, 0.0, 0.0]).0 > 0);
}

/// Two grains of which one is turned about their axis, and about an axis across it.
#[test]
fn bonds_resist_twisting_and_bending_and_break_by_shear() {
    let (radius, _, second) = section();
    let turned = |spin: [f64; 3], steps: u64| {
        let mut simulation = Setup::<3>::new()
            .material(Material::new(2500.0, ContactLaw::linear(1.0).bond(Bond { damping: 0.0, ..LAW })))
            .time_step(TimeStep::Given(1e-6))
            .build([Grain::at([0.0; 3], R).held(), Grain::at([2.0 * R, 0.0, 0.0], R).spin(spin).held()])
            .unwrap();
        simulation.bond(&[[1, 0]]).unwrap();
        simulation.run(steps).unwrap();
        simulation
    };
    let angle = 1e-3;
    let twisted = turned([1.0, 0.0, 0.0], 1000);
    near(twisted.state().torques()[1][0], -angle * LAW.ratio * LAW.modulus * 2.0 * second / (2.0 * R));
    // A twist of `t` has the shear stress `ratio E t b / 2 r`.
    let most = LAW.shear_strength * 2.0 * R / (LAW.ratio * LAW.modulus * radius);
    let steps = (most / 1e-6) as u64;
    assert_eq!(turned([1.0, 0.0, 0.0], steps * 99 / 100).bonds_broken(), 0);
    assert_eq!(turned([1.0, 0.0, 0.0], steps * 101 / 100).bonds_broken(), 1);
    let bent = turned([0.0, 0.0, 1.0], 1000);
    // Bending, and the shear of a surface that goes aside by the arm of one grain, at this arm.
    let shear = LAW.ratio * LAW.modulus * PI * radius * radius / (2.0 * R);
    near(bent.state().torques()[1][2], -angle * (LAW.modulus * second / (2.0 * R) + shear * R * R));
}

#[test]
fn energy_is_kept_until_bonds_break_and_then_lost() {
    let law = ContactLaw::linear(1e3).bond(Bond { damping: 0.0, ..LAW });
    let grains =
        (0..4).map(|k| Grain::at([2.0 * R * f64::from(k), 0.0, 0.0], R).velocity([0.0, 0.05 * f64::from(k), 0.0]));
    let mut simulation = Setup::<3>::new()
        .material(Material::new(2500.0, law))
        .time_step(TimeStep::Fraction(0.01))
        .build(grains)
        .unwrap();
    simulation.bond_touching().unwrap();
    let before = simulation.energies().total();
    let turning = simulation.angular_momentum()[2];
    simulation.run(20_000).unwrap();
    assert_eq!(simulation.bonds().len(), 3);
    near(simulation.energies().total(), before);
    near(simulation.angular_momentum()[2], turning);
    near(before + simulation.dissipated(), before);
    let fast: Vec<_> = simulation.state().velocities().iter().map(|v| v.map(|x| 100.0 * x)).collect();
    simulation.set_velocities(&fast).unwrap();
    let before = simulation.energies().total() + simulation.dissipated();
    simulation.run(20_000).unwrap();
    assert!(simulation.bonds_broken() > 0 && simulation.dissipated() > 0.0);
    near(simulation.energies().total() + simulation.dissipated(), before);
}

#[test]
fn bonds_that_cannot_be_made_are_reported() {
    let grains = [[0.0, 0.0], [0.02, 0.0], [1.0, 0.0]].map(|x| Grain::at(x, R));
    let plain = Setup::<2>::new().material(Material::new(1.0, ContactLaw::linear(1.0)));
    let mut simulation = plain.build(grains).unwrap();
    assert_eq!(simulation.bond_touching().unwrap(), 0);
    let glued = Setup::<2>::new().material(Material::new(1.0, ContactLaw::linear(1.0).bond(LAW)));
    let mut simulation = glued.build(grains).unwrap();
    assert_eq!(simulation.bond(&[[0, 1]]).unwrap(), 1);
    assert_eq!(simulation.bond(&[[0, 1]]), Err(Error::NoBond { first: 0, second: 1 }));
    assert_eq!(simulation.bond(&[[2, 1]]), Err(Error::NoBond { first: 1, second: 2 }));
    assert_eq!(simulation.bond(&[[0, 7]]), Err(Error::NoSuchParticle { id: 7 }));
}
