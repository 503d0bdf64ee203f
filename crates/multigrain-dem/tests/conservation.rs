//! What a gas keeps.

use multigrain::Domain;
use multigrain::Rng;
use multigrain_dem::{ContactLaw, Grain, Integrator, Material, Setup, Simulation};
use multigrain_packings::lattice;

/// Spheres on a lattice in a periodic box, with random velocities.
fn gas(law: ContactLaw, integrator: Integrator, speed: f64) -> Simulation<3> {
    let system = lattice(vec![1.0; 1000], [2.2; 3], [true; 3], 4).unwrap();
    let mut rng = Rng::new(5);
    let grains = Grain::all_of(&system).into_iter().enumerate().map(|(k, grain)| {
        let mut grain = grain.velocity(std::array::from_fn(|_| speed * rng.normal()));
        grain.radius = 0.7 + 0.4 * rng.uniform();
        grain.spin([0.0, 0.0, if k % 2 == 0 { speed } else { 0.0 }])
    });
    Setup::new()
        .domain(Domain::periodic(system.domain.lo(), system.domain.hi()).unwrap())
        .material(Material::new(1.0, law))
        .integrator(integrator)
        .build(grains)
        .unwrap()
}

/// The full length, 10,000 spheres over 1e5 steps, is the lab's `elastic_gas`.
#[test]
fn an_elastic_gas_keeps_its_energy_and_momentum() {
    for law in [ContactLaw::linear(100.0), ContactLaw::hertz(300.0, 0.3)] {
        let mut simulation = gas(law, Integrator::Verlet, 0.3);
        let (energy, momentum) = (simulation.energies().total(), simulation.momentum());
        let mut contacts = 0;
        for _ in 0..40 {
            simulation.run(100).unwrap();
            contacts += simulation.contact_count();
            let drift = simulation.energies().total() / energy - 1.0;
            assert!(drift.abs() < 1e-4, "{law:?}: energy drifted by {drift}");
        }
        assert!(contacts > 100, "only {contacts} contacts were seen");
        for axis in 0..3 {
            let change = (simulation.momentum()[axis] - momentum[axis]).abs();
            assert!(change < 1e-10 * energy.sqrt(), "momentum changed by {change}");
        }
    }
}

#[test]
fn a_gas_with_losses_cools_and_keeps_its_momentum() {
    for integrator in [Integrator::Verlet, Integrator::Gear] {
        let mut simulation = gas(ContactLaw::linear(100.0).restitution(0.7).friction(0.4), integrator, 0.6);
        let momentum = simulation.momentum();
        let mut last = simulation.energies().total();
        let first = last;
        for _ in 0..10 {
            simulation.run(200).unwrap();
            let now = simulation.energies().total();
            assert!(now < last * (1.0 + 1e-4), "{integrator:?}: energy rose from {last} to {now}");
            last = now;
        }
        assert!(last < 0.8 * first, "{integrator:?}: {last} of {first} is left");
        for axis in 0..3 {
            assert!((simulation.momentum()[axis] - momentum[axis]).abs() < 1e-9);
        }
    }
}
