//! Drag of a fluid, and fields.

use super::{G, near};
use multigrain_dem::{ContactLaw, Drag, Field, Fluid, Grain, Material, Setup, Simulation, TimeStep};
use multigrain_polygons::ConvexPolygon;
use std::f64::consts::PI;

const R: f64 = 5e-4;

fn falling(fluid: Fluid<3>) -> Simulation<3> {
    Setup::new()
        .material(Material::new(2500.0, ContactLaw::linear(1e3)))
        .fluid(fluid)
        .gravity([0.0, 0.0, -G])
        .time_step(TimeStep::Given(1e-5))
        .build([Grain::at([0.0; 3], R)])
        .unwrap()
}

fn mass() -> f64 {
    2500.0 * 4.0 / 3.0 * PI * R.powi(3)
}

#[test]
fn linear_drag_approaches_its_terminal_velocity_exponentially() {
    let (viscosity, wind) = (0.05, 0.3);
    let stokes = Fluid { velocity: [wind, 0.0, 0.0], ..Fluid::new(viscosity) };
    let coefficient = 6.0 * PI * viscosity * R;
    for fluid in [stokes, Fluid { drag: Drag::Linear(coefficient), viscosity: 0.0, ..stokes }] {
        let mut simulation = falling(fluid);
        let (terminal, rate) = (mass() * G / coefficient, coefficient / mass());
        for _ in 0..3 {
            simulation.run(200).unwrap();
            let share = 1.0 - (-rate * simulation.time()).exp();
            near(simulation.state().velocities()[0][2], -terminal * share);
            near(simulation.state().velocities()[0][0], wind * share);
        }
        simulation.run_until(10.0 / rate).unwrap();
        near(simulation.state().velocities()[0][2], -terminal);
        let account = simulation.energies().total() + simulation.dissipated();
        assert!(account.abs() < 1e-3 * simulation.dissipated().abs(), "{account}");
    }
}

/// The speed at which drag bears the weight, by halving.
fn terminal(weight: f64, density: f64, viscosity: f64) -> f64 {
    let drag = |speed: f64| {
        let reynolds = density * speed * 2.0 * R / viscosity;
        let coefficient = if reynolds < 1000.0 { 24.0 / reynolds * (1.0 + 0.15 * reynolds.powf(0.687)) } else { 0.44 };
        0.5 * density * coefficient * PI * R * R * speed * speed
    };
    let (mut low, mut high) = (0.0, 100.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if drag(middle) < weight { low = middle } else { high = middle }
    }
    low
}

#[test]
fn schiller_and_naumann_have_their_terminal_velocity() {
    // Viscous, water with what it bears up, and so thin that the drag coefficient is constant.
    for (density, viscosity, buoyancy, until) in
        [(1000.0, 0.1, false, 0.3), (1000.0, 1e-3, true, 0.5), (100.0, 1e-6, false, 2.0)]
    {
        let fluid = Fluid { drag: Drag::SchillerNaumann, density, buoyancy, ..Fluid::new(viscosity) };
        let mut simulation = falling(fluid);
        simulation.run_until(until).unwrap();
        let weight = if buoyancy { mass() * G * (1.0 - density / 2500.0) } else { mass() * G };
        near(-simulation.state().velocities()[0][2], terminal(weight, density, viscosity));
    }
}

/// A field that pulls back to a point is a spring, one that pushes sideways a steady force.
#[test]
fn fields_push_as_they_say() {
    let spring = Field { acceleration: [0.0, 2.0], gradient: [[-100.0, 0.0], [0.0, 0.0]], about: [1.0, 0.0] };
    let mut simulation = Setup::<2>::new()
        .material(Material::new(1.0, ContactLaw::linear(1e3)))
        .field(spring)
        .field(Field::uniform([0.0, 1.0]))
        .time_step(TimeStep::Given(1e-4))
        .build([Grain::at([1.5, 0.0], 0.1)])
        .unwrap();
    simulation.run(3000).unwrap();
    let [x, y] = simulation.state().positions()[0];
    near(x, 1.0 + 0.5 * f64::cos(10.0 * 0.3));
    near(y, 0.5 * 3.0 * 0.09);
    near(simulation.wall_work(), simulation.energies().kinetic());
}

/// A field that goes round turns what is in it at its own pace, spheres, discs and polygons alike.
#[test]
fn a_field_that_goes_round_turns_grains() {
    let rough = ContactLaw::linear(1e3).friction(0.5);
    let (rough, step) = (Material::new(2.0, rough), TimeStep::Given(1e-3));
    let about = 3.0;
    let round = |along: usize| [-about, about][along];
    let plane = Field { acceleration: [0.0; 2], gradient: [[0.0, round(0)], [round(1), 0.0]], about: [0.0; 2] };
    let shape = ConvexPolygon::rectangle(0.4, 0.1).unwrap();
    let grains = [Grain::at([0.0; 2], 0.1), Grain::polygon(0, [5.0, 0.0]).angle(0.3)];
    let mut discs = Setup::new().material(rough).time_step(step).shape(shape).field(plane).build(grains).unwrap();
    discs.run(100).unwrap();
    for spin in discs.state().spins() {
        near(spin[2], about * 0.1);
    }
    let gradient = [[0.0, round(0), 0.0], [round(1), 0.0, 0.0], [0.0; 3]];
    let space = Field { acceleration: [0.0; 3], gradient, about: [0.0; 3] };
    let mut spheres =
        Setup::new().material(rough).time_step(step).field(space).build([Grain::at([0.0; 3], 0.1)]).unwrap();
    spheres.run(100).unwrap();
    near(spheres.state().spins()[0][2], about * 0.1);
    near(spheres.wall_work(), spheres.energies().kinetic());
}

/// A plate swings about the direction in which a field pulls apart: `w^2 = g (a^2 - b^2) / (a^2 + b^2)` with its sides.
#[test]
fn a_field_that_changes_with_place_turns_polygons() {
    let (long, short, apart, first) = (0.4, 0.1, 5.0, 0.01);
    let field = Field { acceleration: [0.0; 2], gradient: [[apart, 0.0], [0.0, 0.0]], about: [0.0; 2] };
    let frequency = f64::sqrt(apart * (long * long - short * short) / (long * long + short * short));
    let mut simulation = Setup::<2>::new()
        .material(Material::new(2.0, ContactLaw::linear(1e3).friction(0.5)))
        .shape(ConvexPolygon::rectangle(long, short).unwrap())
        .field(field)
        .time_step(TimeStep::Given(std::f64::consts::PI / frequency / 4000.0))
        .build([Grain::polygon(0, [0.0; 2]).angle(first)])
        .unwrap();
    simulation.run(4000).unwrap();
    near(simulation.state().angle(0), -first);
}

#[test]
fn polygons_as_dense_as_a_fluid_float_in_it() {
    let fluid = Fluid { density: 2.0, buoyancy: true, ..Fluid::new(1e-6) };
    let mut simulation = Setup::<2>::new()
        .material(Material::new(2.0, ContactLaw::linear(1e3)))
        .shape(ConvexPolygon::rectangle(0.4, 0.1).unwrap())
        .gravity([0.0, -10.0])
        .fluid(fluid)
        .time_step(TimeStep::Given(1e-3))
        .build([Grain::polygon(0, [0.0; 2])])
        .unwrap();
    simulation.run(1000).unwrap();
    assert!(simulation.state().velocities()[0][1].abs() < 1e-9, "{:?}", simulation.state().velocities());
}

#[test]
fn fluids_and_fields_that_cannot_be_are_reported() {
    let setup =
        || Setup::<2>::new().material(Material::new(1.0, ContactLaw::linear(1e3))).time_step(TimeStep::Given(1.0));
    let told = |setup: Setup<2>| setup.build([]).err().unwrap().to_string();
    assert!(told(setup().fluid(Fluid::new(0.0))).starts_with("viscosity of the fluid is 0"));
    let thin = Fluid { drag: Drag::SchillerNaumann, ..Fluid::new(1.0) };
    assert!(told(setup().fluid(thin)).starts_with("density of the fluid is 0"));
    assert!(told(setup().field(Field::uniform([f64::NAN, 0.0]))).starts_with("a number of field 0 is NaN"));
}
