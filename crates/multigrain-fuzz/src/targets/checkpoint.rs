//! Saved simulations that were damaged: refused in words, or run on without a panic.

use super::Outcome;
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{
    ContactLaw, Generator, Grain, Integrator, Material, Outflow, Setup, Simulation, Skin, TimeStep, Wall, seal,
};
use multigrain_polygons::ConvexPolygon;
use std::sync::LazyLock;

/// Steps that are taken with what was accepted.
const STEPS: u64 = 3;

/// Kinds of simulations: an even number in front of the bytes takes them as they are, an odd one gives them a right checksum.
const KINDS: u8 = 3;

static SPHERES: LazyLock<Setup<3>> = LazyLock::new(|| {
    let grains = Material::new(1.0, ContactLaw::linear(100.0).restitution(0.8).friction(0.3));
    let hertz = Material::new(2.0, ContactLaw::linear(60.0).friction(0.1));
    Setup::new()
        .domain(Domain::new([0.0; 3], [4.0; 3], [true, false, false]).expect("a box"))
        .material(grains)
        .material(hertz)
        .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
        .gravity([0.0, 0.0, -1.0])
        .skin(Skin::Width(0.1))
});

static DISCS: LazyLock<Setup<2>> = LazyLock::new(|| {
    Setup::new()
        .material(Material::new(1.0, ContactLaw::linear(100.0).restitution(0.8).friction(0.3)))
        .generator(Generator { limit: Some(9), ..Generator::new([0.0, 2.0], [3.0, 4.0], 50.0, vec![0.1, 0.2]) })
        .outflow(Outflow::Beyond { point: [0.0, -2.0], normal: [0.0, -1.0] })
        .integrator(Integrator::Gear)
        .gravity([0.0, -1.0])
        .time_step(TimeStep::Fraction(0.02))
});

static POLYGONS: LazyLock<Setup<2>> = LazyLock::new(|| {
    Setup::new()
        .material(Material::new(1000.0, ContactLaw::area(1e6).damping_share(0.3).friction(0.5)))
        .shape(ConvexPolygon::rectangle(0.1, 0.1).expect("a square"))
        .shape(ConvexPolygon::regular(7, 0.08).expect("a heptagon"))
        .wall(Wall::plane([0.0, 0.0], [0.0, 1.0]))
        .gravity([0.0, -9.81])
});

fn spheres() -> Vec<Grain<3>> {
    let place = |k: usize| [0.5 + (k % 4) as f64, 0.5 + (k / 4 % 3) as f64, 0.45 + 0.9 * (k / 12) as f64];
    (0..24).map(|k| Grain::at(place(k), 0.5).material((k % 2) as u16).velocity([0.1, 0.0, -0.2])).collect()
}

fn polygons() -> Vec<Grain<2>> {
    vec![Grain::polygon(0, [0.0, 0.049]), Grain::polygon(1, [0.02, 0.17]).angle(0.3), Grain::at([0.2, 0.05], 0.05)]
}

/// Simulations of all kinds, saved early and late.
pub fn seeds() -> Vec<Vec<u8>> {
    fn saved<const D: usize>(kind: u8, setup: &Setup<D>, grains: Vec<Grain<D>>) -> Vec<Vec<u8>>
    where
        Axes: Dimension<D>,
    {
        let mut simulation = setup.clone().build(grains).expect("it can be built");
        let at = |steps: u64, simulation: &mut Simulation<D>| {
            simulation.run(steps).expect("it runs");
            let bytes = simulation.encode();
            [0, KINDS].map(|sealed| [&[kind + sealed][..], &bytes].concat())
        };
        [0, 1, 60].into_iter().flat_map(|steps| at(steps, &mut simulation)).collect()
    }
    let disc = vec![Grain::at([1.0, 1.0], 0.3)];
    [saved(0, &SPHERES, spheres()), saved(1, &DISCS, disc), saved(2, &POLYGONS, polygons())].concat()
}

pub fn run(input: &[u8]) -> Outcome {
    let Some((choice, bytes)) = input.split_first() else { return Outcome::default() };
    let mut bytes = bytes.to_vec();
    if choice / KINDS % 2 == 1 {
        seal(&mut bytes);
    }
    match choice % KINDS {
        0 => resume(&SPHERES, &bytes),
        1 => resume(&DISCS, &bytes),
        _ => resume(&POLYGONS, &bytes),
    }
}

fn resume<const D: usize>(setup: &Setup<D>, bytes: &[u8]) -> Outcome
where
    Axes: Dimension<D>,
{
    let mut simulation = match setup.clone().resume(bytes) {
        Ok(simulation) => simulation,
        Err(error) => return Outcome::refused(&error.to_string()),
    };
    let step = simulation.time_step();
    assert!(step > 0.0 && step.is_finite(), "it was taken with a time step of {step}");
    if let Err(error) = simulation.run(STEPS) {
        return Outcome { is_accepted: true, ..Outcome::refused(&error.to_string()) };
    }
    let again = simulation.encode();
    assert!(setup.clone().resume(&again).is_ok(), "what was saved of it cannot be resumed");
    Outcome::accepted(simulation.state().len())
}
