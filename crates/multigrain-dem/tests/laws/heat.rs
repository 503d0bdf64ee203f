//! Heat between grains, and from walls.

use super::near;
use multigrain_dem::{ContactLaw, Error, Grain, Material, Setup, TimeStep, Wall};
use std::f64::consts::PI;

const K: f64 = 20.0;
const C: f64 = 500.0;

fn warm() -> Material {
    Material::new(2500.0, ContactLaw::linear(1e3)).heat(K, C)
}

/// Two held spheres of unlike sizes: the difference of their temperatures dies down exponentially, their heat stays.
#[test]
fn two_spheres_approach_each_other_exponentially() {
    let overlap = 1e-4;
    let mut simulation = Setup::<3>::new()
        .material(warm())
        .time_step(TimeStep::Given(1e-2))
        .build([
            Grain::at([0.0; 3], 0.01).held().temperature(400.0),
            Grain::at([0.03 - overlap, 0.0, 0.0], 0.02).held().temperature(300.0),
        ])
        .unwrap();
    let holds = [1.0f64, 8.0].map(|cubed| C * 2500.0 * 4.0 / 3.0 * PI * 1e-6 * cubed);
    let conductance = 2.0 * K * f64::sqrt(0.02 / 3.0 * overlap);
    let rate = conductance * (1.0 / holds[0] + 1.0 / holds[1]);
    let mean = (400.0 * holds[0] + 300.0 * holds[1]) / (holds[0] + holds[1]);
    for _ in 0..4 {
        simulation.run_until(simulation.time() + 0.4 / rate).unwrap();
        let temperatures = simulation.state().temperatures();
        near(temperatures[0] - temperatures[1], 100.0 * (-rate * simulation.time()).exp());
        assert!((simulation.mean_temperature().unwrap() / mean - 1.0).abs() < 1e-12);
    }
}

/// A grain on a warm wall comes to its temperature exponentially; a wall without temperature conducts nothing.
#[test]
fn a_wall_warms_a_grain() {
    let overlap = 1e-4;
    let on = |wall: Wall<3>| {
        let mut simulation = Setup::<3>::new()
            .material(warm())
            .wall(wall)
            .time_step(TimeStep::Given(1e-3))
            .build([Grain::at([0.0, 0.0, 0.01 - overlap], 0.01).held().temperature(300.0)])
            .unwrap();
        simulation.run(10_000).unwrap();
        simulation.state().temperatures()[0]
    };
    let floor = Wall::plane([0.0; 3], [0.0, 0.0, 1.0]);
    assert_eq!(on(floor.clone()), 300.0);
    let rate = 2.0 * K * f64::sqrt(0.01 * overlap) / (C * 2500.0 * 4.0 / 3.0 * PI * 1e-6);
    near(350.0 - on(floor.temperature(350.0)), 50.0 * (-rate * 10.0).exp());
}

#[test]
fn temperatures_are_there_where_a_material_conducts() {
    let cold = Setup::<2>::new().material(Material::new(1.0, ContactLaw::linear(1e3))).time_step(TimeStep::Given(1.0));
    let mut simulation = cold.build([Grain::at([0.0; 2], 0.1).temperature(300.0)]).unwrap();
    assert!(simulation.state().temperatures().is_empty() && simulation.mean_temperature().is_none());
    assert!(matches!(simulation.set_temperatures(&[300.0]), Err(Error::Fixed { .. })));
    let setup = Setup::<2>::new().material(warm()).temperature(280.0).time_step(TimeStep::Given(1.0));
    let mut simulation = setup.build([Grain::at([0.0; 2], 0.1)]).unwrap();
    assert_eq!(simulation.state().temperatures(), [280.0]);
    simulation.set_temperatures(&[290.0]).unwrap();
    assert_eq!(simulation.mean_temperature(), Some(290.0));
    let bad = Setup::<2>::new().material(Material::new(1.0, ContactLaw::linear(1e3)).heat(-1.0, 1.0));
    assert!(bad.build([]).err().unwrap().to_string().starts_with("conductivity of material 0 is -1"));
}
