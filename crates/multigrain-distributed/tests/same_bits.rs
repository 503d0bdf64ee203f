//! A simulation on ranks has the bits of one that was never cut, for any ranks, skins and cuts, and after it was resumed on
//! another number of ranks.

#[path = "../../multigrain-dem/tests/mixture.rs"]
mod mixture;

use mixture::{Mixture, side, walled};
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{
    ContactLaw, Generator, Grain, Integrator, Material, Meter, Outflow, Pace, Region, Setup, Simulation, TimeStep, Wall,
};
use multigrain_distributed::{DistributedSimulation, ThreadRank, run_ranks};

type Scene<const D: usize> = (Setup<D>, Vec<Grain<D>>);

/// Friction in a periodic box or between walls, with a boulder among grains of several sizes.
fn mixture<const D: usize>(count: usize, periodic: [bool; D], integrator: Integrator) -> Scene<D>
where
    Axes: Dimension<D>,
{
    let side = side::<D>(count);
    let grains = Mixture { seed: 17, radii: (0.33, 0.25), boulder: 1.9, speed: 1.0 }.grains(count);
    let setup = Setup::new()
        .domain(Domain::new([0.0; D], [side; D], periodic).unwrap())
        .material(Material::new(1.0, ContactLaw::linear(100.0).damping(0.4).friction(0.5)))
        .material(Material::new(2.0, ContactLaw::linear(150.0).damping(0.2).friction(0.2)))
        .gravity(std::array::from_fn(|axis| if axis == D - 1 { -0.4 } else { 0.0 }))
        .integrator(integrator);
    (walled(setup, side, periodic), grains)
}

/// Grains come from two generators, flow over a chute and go.
fn chute() -> Scene<2> {
    let setup = Setup::new()
        .material(Material::new(1.0, ContactLaw::linear(500.0).damping(0.02).friction(0.2)))
        .wall(Wall::plate(vec![[0.0, 2.0], [4.0, 0.5]]))
        .wall(Wall::plate(vec![[4.5, 0.5], [4.5, 2.0]]).carrying([0.0, 0.5]))
        .gravity([0.0, -20.0])
        .generator(Generator {
            velocity: [0.2, -2.0],
            seed: 3,
            ..Generator::new([0.0, 3.0], [1.5, 3.8], 120.0, vec![0.05, 0.08, 0.12])
        })
        .generator(Generator { seed: 4, ..Generator::new([0.5, 3.0], [2.5, 3.8], 40.0, vec![0.07]) })
        .generator(Generator {
            speed: 0.3,
            mass_limit: Some(1.0),
            ..Generator::in_region(Region::Ball { center: [3.2, 3.0], radius: 0.4 }, Pace::Mass(0.5), vec![0.04, 0.06])
        })
        .meter(Meter::new([2.0, 0.0], [1.0, -0.3]))
        .outflow(Outflow::Inside(Region::Ball { center: [4.3, 0.3], radius: 0.3 }))
        .time_step(TimeStep::Fraction(0.08))
        .outflow(Outflow::Beyond { point: [0.0, 0.0], normal: [0.0, -1.0] });
    (setup, vec![Grain::at([1.0, 3.2], 0.3), Grain::at([2.5, 1.0], 0.15).held()])
}

/// Two bodies that touch several images of each other and of themselves.
fn images() -> Scene<2> {
    let setup = Setup::new()
        .domain(Domain::periodic([0.0; 2], [2.0, 1.7]).unwrap())
        .material(Material::new(1.0, ContactLaw::linear(50.0).damping(0.1).friction(0.5)));
    let grains = vec![
        Grain::at([0.1, 0.2], 0.7).velocity([0.5, 0.1]).spin([0.0, 0.0, 1.0]),
        Grain::at([1.0, 1.0], 0.9).velocity([-0.2, 0.3]).spin([0.0, 0.0, -2.0]),
    ];
    (setup, grains)
}

fn alone<const D: usize>((setup, grains): &Scene<D>, steps: u64) -> Simulation<D>
where
    Axes: Dimension<D>,
{
    let mut whole = setup.clone().build(grains.clone()).unwrap();
    whole.run(steps).unwrap();
    whole
}

/// The bytes of all ranks' parts as one, how often guests were chosen, and how many there were.
fn on_ranks<const D: usize>(
    ranks: usize,
    start: impl Fn(&mut ThreadRank) -> DistributedSimulation<D> + Sync,
    steps: u64,
) -> (Vec<u8>, u64, usize)
where
    Axes: Dimension<D>,
{
    let ends = run_ranks(ranks, |transport| {
        let mut part = start(transport);
        // Looking at it on the way changes nothing.
        part.run(transport, steps / 3).unwrap();
        part.gather(transport).unwrap();
        part.run(transport, steps - steps / 3).unwrap();
        let whole = part.gather(transport).unwrap();
        (whole.map(|whole| whole.encode()), part.halos(), part.guests())
    });
    let guests = ends.iter().map(|end| end.2).sum();
    let (bytes, halos, _) = ends.into_iter().next().unwrap();
    (bytes.unwrap(), halos, guests)
}

fn compare<const D: usize>(name: &str, scene: &Scene<D>, steps: u64, cases: &[(usize, Option<f64>)])
where
    Axes: Dimension<D>,
{
    let expected = alone(scene, steps).encode();
    for &(ranks, skin) in cases {
        let start = |transport: &mut ThreadRank| {
            DistributedSimulation::start(transport, scene.0.clone(), &scene.1, skin).unwrap()
        };
        let (bytes, halos, guests) = on_ranks(ranks, start, steps);
        assert!(bytes == expected, "{name} on {ranks} ranks with skin {skin:?}");
        assert!(halos > 1 && (guests > 0 || ranks == 1), "{name} on {ranks} ranks: {halos} halos, {guests} guests");
    }
}

#[test]
fn every_number_of_ranks_has_the_bits_of_one_in_the_plane() {
    let cases = [(1, None), (2, None), (3, Some(0.02)), (5, None), (8, Some(0.5)), (13, None)];
    compare("between walls", &mixture::<2>(240, [false; 2], Integrator::Verlet), 240, &cases);
    compare("half periodic", &mixture::<2>(180, [true, false], Integrator::Gear), 160, &cases[1..5]);
}

#[test]
fn every_number_of_ranks_has_the_bits_of_one_in_space() {
    let cases = [(2, None), (7, Some(0.1)), (27, None)];
    compare("periodic", &mixture::<3>(300, [true; 3], Integrator::Verlet), 100, &cases);
}

#[test]
fn ranks_may_be_more_than_bodies_and_bodies_larger_than_the_box() {
    compare("images", &images(), 300, &[(2, None), (5, Some(0.3))]);
}

#[test]
fn grains_that_come_and_go_have_the_bits_of_one_rank() {
    compare("chute", &chute(), 1500, &[(2, None), (6, Some(0.05))]);
}

#[test]
fn a_run_that_was_saved_goes_on_with_other_ranks() {
    let scene = mixture::<2>(150, [true; 2], Integrator::Verlet);
    let half = alone(&scene, 100).encode();
    let expected = alone(&scene, 220).encode();
    for ranks in [1, 3, 4] {
        let resume = |transport: &mut ThreadRank| {
            DistributedSimulation::resume(transport, scene.0.clone().resume(&half).unwrap(), None).unwrap()
        };
        assert!(on_ranks(ranks, resume, 0).0 == half, "{ranks} ranks, cut and put together again");
        assert!(on_ranks(ranks, resume, 120).0 == expected, "{ranks} ranks");
    }
}

#[test]
fn the_lowest_particle_that_is_lost_is_named_by_all_ranks() {
    let (setup, mut grains) = mixture::<2>(60, [false; 2], Integrator::Verlet);
    for (k, speed) in [(17, 1e3), (41, 4e3), (5, -2e3)] {
        grains[k] = grains[k].velocity([speed, 0.0]);
    }
    let scene = (setup.bounds([-50.0; 2], [50.0; 2]), grains);
    let mut whole = scene.0.clone().build(scene.1.clone()).unwrap();
    let expected = (0..5000).find_map(|_| whole.step().err()).unwrap().to_string();
    for ranks in [2, 4] {
        let ends = run_ranks(ranks, |transport| {
            let mut part = DistributedSimulation::start(transport, scene.0.clone(), &scene.1, None).unwrap();
            part.run(transport, 5000).unwrap_err()
        });
        assert!(ends.iter().all(|error| error.to_string() == expected), "{expected}: {ends:?}");
    }
}
