//! Scenes whose course is pinned to the bit, for tests of this crate and of those that run simulations in parts.

use super::mixture::{Mixture, side};
use multigrain::{Axes, Dimension, Domain, Rng};
use multigrain_dem::{ContactLaw, Generator, Grain, Integrator, Material, Outflow, Setup, Simulation, TimeStep, Wall};
use multigrain_polygons::ConvexPolygon;

pub const GOLDEN_2D: u64 = 0xaf6c_9477_36dd_d5b3;
pub const GOLDEN_3D: u64 = 0xbc56_7d1e_319e_2a46;
pub const GOLDEN_CHUTE: u64 = 0x079c_aa68_bc14_2526;
pub const GOLDEN_THREADS: u64 = 0xe860_5b65_d53b_2ab7;
pub const GOLDEN_POLYGONS: u64 = 0x43d0_244f_ca1e_4a4d;

/// Steps of the chute.
pub const CHUTE_STEPS: u64 = 3000;

/// Two materials with friction in a box that is periodic along x, shaken up, with a heavy grain among light ones.
pub fn shaken_mixture<const D: usize>(count: usize, integrator: Integrator) -> (Setup<D>, Vec<Grain<D>>)
where
    Axes: Dimension<D>,
{
    let side = side::<D>(count);
    let grains = Mixture { seed: 7, radii: (0.45, 0.15), boulder: 1.4, speed: 0.3 }.grains(count);
    let mut periodic = [false; D];
    periodic[0] = true;
    let mut gravity = [0.0; D];
    gravity[D - 1] = -0.2;
    let setup = Setup::new()
        .domain(Domain::new([0.0; D], [side; D], periodic).unwrap())
        .material(Material::new(1.0, ContactLaw::linear(100.0).damping(0.4).friction(0.5)))
        .material(Material::new(2.0, ContactLaw::linear(150.0).damping(0.2).friction(0.2)))
        .wall(Wall::plane([0.0; D], std::array::from_fn(|axis| f64::from(axis == D - 1))))
        .wall(Wall::plane([side; D], std::array::from_fn(|axis| -f64::from(axis == D - 1))).material(1))
        .gravity(gravity)
        .integrator(integrator);
    (setup, grains)
}

/// A slanted chute that grains are poured onto and that they leave at its end.
pub fn chute() -> (Setup<2>, Vec<Grain<2>>) {
    let radii = vec![0.05, 0.08, 0.12];
    let setup = Setup::new()
        .material(Material::new(1.0, ContactLaw::linear(500.0).damping(0.02).friction(0.2)))
        .wall(Wall::plate(vec![[0.0, 2.0], [4.0, 0.5]]))
        .wall(Wall::plate(vec![[4.5, 0.5], [4.5, 2.0]]).carrying([0.0, 0.5]))
        .wall(Wall::cylinder([2.0, 2.0], [0.0; 2], 4.0).turning([0.0, 0.0, 1.0], [2.0, 2.0]))
        .gravity([0.0, -20.0])
        .generator(Generator { velocity: [0.2, -2.0], seed: 3, ..Generator::new([0.0, 3.0], [1.5, 3.8], 120.0, radii) })
        .time_step(TimeStep::Fraction(0.08))
        .outflow(Outflow::Beyond { point: [0.0, 0.0], normal: [0.0, -1.0] });
    (setup, vec![Grain::at([1.0, 3.2], 0.3), Grain::at([2.5, 1.0], 0.15).held()])
}

/// Polygons and discs in rows between walls, which fall onto a floor.
pub fn polygons() -> (Setup<2>, Vec<Grain<2>>) {
    let mut rng = Rng::new(5);
    let mut setup = Setup::new()
        .material(Material::new(1000.0, ContactLaw::area(1e6).damping_share(0.3).friction(0.5)))
        .integrator(Integrator::Gear)
        .time_step(TimeStep::Fraction(0.025))
        .gravity([0.0, -9.81])
        .wall(Wall::slab([-0.4, 0.0], [0.4, 0.0], 0.05))
        .wall(Wall::plane([-0.105, 0.0], [1.0, 0.0]))
        .wall(Wall::plate(vec![[0.105, -0.1], [0.105, 0.6]]));
    let mut grains = Vec::new();
    for k in 0..120 {
        let place = [0.021 * (f64::from(k % 10) + 0.5) - 0.105, 0.021 * (f64::from(k / 10) + 0.6)];
        let (angle, velocity) = (6.0 * rng.uniform(), [2.0 * rng.uniform() - 1.0, -2.0]);
        if k % 3 == 0 {
            grains.push(Grain::at(place, 0.008).angle(angle).velocity(velocity));
        } else {
            let shape = setup.shapes().len() as u32;
            setup = setup.shape(ConvexPolygon::random(4 + rng.below(9) as usize, 0.01, &mut rng).unwrap());
            grains.push(Grain::polygon(shape, place).angle(angle).velocity(velocity));
        }
    }
    (setup, grains)
}

/// Particles and the contacts between them, forces and springs included.
pub fn fingerprint<const D: usize>(simulation: &Simulation<D>) -> u64
where
    Axes: Dimension<D>,
{
    let contacts = simulation.contacts();
    let touches = simulation.wall_contacts();
    let forces = contacts.iter().flat_map(|contact| contact.force.into_iter().chain(contact.spring));
    let at_walls = touches.iter().flat_map(|touch| touch.force.into_iter().chain(touch.spring));
    let seed = simulation.state().fingerprint() ^ contacts.len() as u64;
    forces
        .chain(at_walls)
        .fold(seed, |hash, number| (hash ^ number.to_bits()).wrapping_mul(0x100_0000_01b3).rotate_left(17))
}
