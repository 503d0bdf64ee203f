//! Saved simulations that were damaged: refused in words, or run on without a panic.

use super::Outcome;
use crate::seeds::{SCENE_FILE, small_scenes};
use multigrain::{Axes, Dimension, Domain};
use multigrain_cli::setup_of_scene;
use multigrain_dem::{
    ContactLaw, Generator, Grain, Integrator, Material, Outflow, Setup, Simulation, Skin, TimeStep, Wall, seal,
};
use multigrain_polygons::ConvexPolygon;
use std::path::Path;
use std::sync::LazyLock;

/// Steps that are taken with what was accepted.
const STEPS: u64 = 3;

/// Kinds of simulations made here: a number below this in front of the bytes takes them as they are, one below its double gives them a right
/// checksum. Behind come scenes, even and odd.
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

/// A scene of the house, made small.
enum Small {
    Flat(Setup<2>, Vec<Grain<2>>),
    Solid(Setup<3>, Vec<Grain<3>>),
}

/// Clumps, bonds, meshes, walls that are steered, boxes that deform, meters, giants and all else that scenes have.
static SCENES: LazyLock<Vec<Small>> = LazyLock::new(|| {
    let small = |(_, text): (&str, String)| {
        let path = Path::new(SCENE_FILE);
        match text.contains("dimension = 2") {
            true => setup_of_scene(path, &text).map(|(setup, grains)| Small::Flat(setup, grains)),
            false => setup_of_scene(path, &text).map(|(setup, grains)| Small::Solid(setup, grains)),
        }
    };
    small_scenes(7).into_iter().map(|scene| small(scene).expect("scenes of the house are sound")).collect()
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
    fn saved<const D: usize>(choices: [u8; 2], setup: &Setup<D>, grains: Vec<Grain<D>>) -> Vec<Vec<u8>>
    where
        Axes: Dimension<D>,
    {
        let mut simulation = setup.clone().build(grains).expect("it can be built");
        let at = |steps: u64, simulation: &mut Simulation<D>| {
            simulation.run(steps).expect("it runs");
            let bytes = simulation.encode();
            choices.map(|choice| [&[choice][..], &bytes].concat())
        };
        [0, 1, 60].into_iter().flat_map(|steps| at(steps, &mut simulation)).collect()
    }
    let disc = vec![Grain::at([1.0, 1.0], 0.3)];
    let kind = |kind: u8| [kind, kind + KINDS];
    let own =
        [saved(kind(0), &SPHERES, spheres()), saved(kind(1), &DISCS, disc), saved(kind(2), &POLYGONS, polygons())];
    let scenes = (0..).zip(SCENES.iter()).map(|(number, scene)| {
        let choices = [0, 1].map(|sealed| 2 * (KINDS + number) + sealed);
        match scene {
            Small::Flat(setup, grains) => saved(choices, setup, grains.clone()),
            Small::Solid(setup, grains) => saved(choices, setup, grains.clone()),
        }
    });
    own.into_iter().chain(scenes).flatten().collect()
}

pub fn run(input: &[u8]) -> Outcome {
    let Some((choice, bytes)) = input.split_first() else { return Outcome::default() };
    let mut bytes = bytes.to_vec();
    let is_own = *choice < 2 * KINDS;
    if is_own && *choice >= KINDS || !is_own && choice % 2 == 1 {
        seal(&mut bytes);
    }
    if is_own {
        return match choice % KINDS {
            0 => resume(&SPHERES, &bytes),
            1 => resume(&DISCS, &bytes),
            _ => resume(&POLYGONS, &bytes),
        };
    }
    match &SCENES[usize::from(choice / 2 - KINDS) % SCENES.len()] {
        Small::Flat(setup, _) => resume(setup, &bytes),
        Small::Solid(setup, _) => resume(setup, &bytes),
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
