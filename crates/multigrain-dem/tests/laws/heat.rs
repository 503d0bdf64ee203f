//! Heat between grains, and from walls.

use super::near;
use multigrain_dem::{ClumpShape, ContactLaw, Error, Grain, Material, Setup, TimeStep, Wall};
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

/// Two spheres of this radius, their centers this far apart along y.
fn pair(apart: f64, radius: f64) -> ClumpShape<3> {
    ClumpShape::new(&[([0.0; 3], radius), ([0.0, apart, 0.0], radius)]).unwrap()
}

/// Two held clumps side by side, which touch with both of their members: each has one temperature, and the heat of all of its mass.
#[test]
fn two_clumps_approach_each_other_exponentially() {
    let (overlap, small, large) = (1e-4, pair(0.015, 0.01), pair(0.015, 0.02));
    let holds = [&small, &large].map(|shape| C * 2500.0 * shape.volume());
    let mut simulation = Setup::<3>::new()
        .material(warm())
        .clump_shape(small)
        .clump_shape(large)
        .time_step(TimeStep::Given(1e-2))
        .build([
            Grain::clump(0, [0.0; 3]).held().temperature(400.0),
            Grain::clump(1, [0.03 - overlap, 0.0, 0.0]).held().temperature(300.0),
        ])
        .unwrap();
    assert_eq!(simulation.contact_count(), 2);
    let conductance = 2.0 * 2.0 * K * f64::sqrt(0.02 / 3.0 * overlap);
    let rate = conductance * (1.0 / holds[0] + 1.0 / holds[1]);
    let mean = (400.0 * holds[0] + 300.0 * holds[1]) / (holds[0] + holds[1]);
    for _ in 0..4 {
        simulation.run_until(simulation.time() + 0.4 / rate).unwrap();
        let state = simulation.state();
        let by_id = state.places_by_id().into_iter().map(|place| state.temperatures()[place as usize]);
        let [a, b, c, d] = by_id.collect::<Vec<f64>>()[..] else { panic!("four members") };
        assert!(a == b && c == d, "members have the temperature of their clump");
        near(a - c, 100.0 * (-rate * simulation.time()).exp());
        assert!((simulation.mean_temperature().unwrap() / mean - 1.0).abs() < 1e-12);
    }
    simulation.set_temperatures(&[310.0, 310.0, 320.0, 320.0]).unwrap();
    let mean = (310.0 * holds[0] + 320.0 * holds[1]) / (holds[0] + holds[1]);
    assert!((simulation.mean_temperature().unwrap() / mean - 1.0).abs() < 1e-12);
    let refused = simulation.set_temperatures(&[310.0, 310.0, 320.0, 321.0]).unwrap_err();
    assert_eq!(refused.to_string(), "temperature of grain 3 is 321, must be that of all members of its clump");
}

/// A held sphere in the hollow between both members of a clump.
#[test]
fn a_sphere_and_a_clump_approach_each_other_exponentially() {
    let (apart, radius, overlap) = (0.03, 0.02, 1e-4);
    let shape = pair(apart, radius);
    let holds = [C * 2500.0 * 4.0 / 3.0 * PI * 1e-6, C * 2500.0 * shape.volume()];
    let away = f64::sqrt((0.03 - overlap) * (0.03 - overlap) - 0.25 * apart * apart);
    let mut simulation = Setup::<3>::new()
        .material(warm())
        .clump_shape(shape)
        .time_step(TimeStep::Given(1e-3))
        .build([
            Grain::at([away, 0.0, 0.0], 0.01).held().temperature(300.0),
            Grain::clump(0, [0.0; 3]).held().temperature(400.0),
        ])
        .unwrap();
    let rate = 2.0 * 2.0 * K * f64::sqrt(0.02 / 3.0 * overlap) * (1.0 / holds[0] + 1.0 / holds[1]);
    simulation.run_until(1.0 / rate).unwrap();
    let state = simulation.state();
    let temperatures = state.places_by_id().into_iter().map(|place| state.temperatures()[place as usize]);
    let temperatures: Vec<f64> = temperatures.collect();
    near(temperatures[1] - temperatures[0], 100.0 * (-rate * simulation.time()).exp());
    assert_eq!(temperatures[1], temperatures[2]);
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
