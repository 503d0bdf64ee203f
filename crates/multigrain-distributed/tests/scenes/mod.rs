//! Scenes for ranks: what moves, comes, goes, leans, deforms, is bonded, made of triangles or of several spheres.

use super::Scene;
use super::mixture::{Mixture, side, walled};
use multigrain::{Axes, Dimension, Domain, Rng};
use multigrain_dem::{
    Bond, ClumpShape, ContactLaw, Drive, Generator, Grain, Integrator, Material, Meter, Oscillation, Outflow, Pace,
    Region, Servo, Setup, TimeStep, Wall,
};
use multigrain_meshes::Surface;

/// Friction in a periodic box or between walls, with a boulder among grains of several sizes.
pub fn mixture<const D: usize>(count: usize, periodic: [bool; D], integrator: Integrator) -> Scene<D>
where
    Axes: Dimension<D>,
{
    let side = side::<D>(count);
    let grains = Mixture { seed: 17, radii: (0.33, 0.25), boulder: 1.9, speed: 1.0 }.grains(count);
    let warm = |(k, grain): (usize, Grain<D>)| grain.temperature(280.0 + 5.0 * (k % 9) as f64);
    let grains = grains.into_iter().enumerate().map(warm).collect();
    let setup = Setup::new()
        .domain(Domain::new([0.0; D], [side; D], periodic).unwrap())
        .material(Material::new(1.0, ContactLaw::linear(100.0).damping(0.4).friction(0.5)).heat(2.0, 5.0))
        .material(Material::new(2.0, ContactLaw::linear(150.0).damping(0.2).friction(0.2)).heat(1.0, 9.0))
        .gravity(std::array::from_fn(|axis| if axis == D - 1 { -0.4 } else { 0.0 }))
        .integrator(integrator);
    (walled(setup, side, periodic), grains)
}

/// Grains come from two generators, flow over a chute and go.
pub fn chute() -> Scene<2> {
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
pub fn images() -> Scene<2> {
    let setup = Setup::new()
        .domain(Domain::periodic([0.0; 2], [2.0, 1.7]).unwrap())
        .material(Material::new(1.0, ContactLaw::linear(50.0).damping(0.1).friction(0.5)));
    let grains = vec![
        Grain::at([0.1, 0.2], 0.7).velocity([0.5, 0.1]).spin([0.0, 0.0, 1.0]),
        Grain::at([1.0, 1.0], 0.9).velocity([-0.2, 0.3]).spin([0.0, 0.0, -2.0]),
    ];
    (setup, grains)
}

/// The same grains in a cell that leans, with its edges along no axis but one; thinner than the boulder where `count` is small.
pub fn leaning<const D: usize>(count: usize) -> Scene<D>
where
    Axes: Dimension<D>,
{
    let (setup, grains) = mixture::<D>(count, [true; D], Integrator::Verlet);
    let side = setup.domain_at_start().length(0);
    let edges = std::array::from_fn(|k| {
        std::array::from_fn(|axis| match axis {
            _ if axis == k => side,
            0 => 0.37 * side,
            _ if axis < k => -0.21 * side,
            _ => 0.0,
        })
    });
    (setup.domain(Domain::from_cell([0.3; D], edges, [true; D]).unwrap()), grains)
}

/// Clumps of two to four spheres among grains, some of them held, all of several sizes.
pub fn clumps<const D: usize>(count: usize, periodic: [bool; D]) -> Scene<D>
where
    Axes: Dimension<D>,
{
    let (setup, grains) = mixture::<D>(count, periodic, Integrator::Verlet);
    let shapes: Vec<ClumpShape<D>> = (2..5)
        .map(|members| {
            let along = |k: i32| -> [f64; D] {
                std::array::from_fn(|axis| {
                    f64::from(k) * [0.35, 0.12, 0.2][axis] * if axis == 1 { f64::from(k) } else { 1.0 }
                })
            };
            let spheres: Vec<([f64; D], f64)> = (0..members).map(|k| (along(k), 0.3 - 0.04 * f64::from(k))).collect();
            ClumpShape::new(&spheres).unwrap()
        })
        .collect();
    let mut rng = Rng::new(29);
    let turned = |(k, grain): (usize, Grain<D>)| {
        if k % 3 != 1 {
            return grain;
        }
        let mut draw = || 2.0 * rng.uniform() - 1.0;
        let turn = if D == 2 { [draw(), 0.0, 0.0, draw()] } else { [draw(), draw(), draw(), draw()] };
        let clump = Grain::clump((k % 4) as u32 % 3, grain.position).turned(turn);
        let clump = clump.velocity(grain.velocity).spin(grain.spin).material(grain.material);
        let clump = Grain { temperature: grain.temperature, ..clump };
        if k % 31 == 1 { clump.held() } else { clump }
    };
    let grains = grains.into_iter().enumerate().map(turned).collect();
    (setup.with_clump_shapes(shapes), grains)
}

/// A lid that a servo presses on the grains, over a floor that wears off.
pub fn pressed() -> Scene<2> {
    let (setup, grains) = mixture::<2>(150, [true, false], Integrator::Verlet);
    let side = setup.domain_at_start().length(0);
    let lid = Wall::plane([0.0, side + 0.2], [0.0, -1.0]).driven(Drive::Servo(Servo::new([0.0, -1.0], 6.0, 2.0)));
    let rough = Wall::plane([0.0, 0.05], [0.0, 1.0]).wearing(1e-3, 50.0);
    (setup.wall(lid).wall(rough), grains)
}

/// Grains in a box of triangles that is shaken, beside a blade of a triangle that turns.
pub fn mixer() -> Scene<3> {
    let (_, grains) = mixture::<3>(216, [false; 3], Integrator::Verlet);
    let side = side::<3>(216);
    let grains = grains.into_iter().filter(|grain| grain.position[2] > 2.2).collect();
    let corners = (0..8).map(|k: usize| [0, 1, 2].map(|axis| side * (k >> axis & 1) as f64)).collect();
    let sides = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let tub = Surface::new(corners, sides.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])).unwrap().0;
    let blade =
        vec![[0.2 * side, 0.5 * side, 0.2], [0.8 * side, 0.5 * side, 0.2], [0.5 * side, 0.5 * side, 0.4 * side]];
    let shaken = Drive::Oscillating(Oscillation::along([0.1, 0.0, 0.05], 2.0));
    let setup = Setup::new()
        .material(Material::new(1.0, ContactLaw::linear(100.0).damping(0.4).friction(0.5)))
        .material(Material::new(2.0, ContactLaw::linear(150.0).damping(0.2).friction(0.2)))
        .wall(Wall::mesh(tub).driven(shaken).wearing(0.01, 1e3))
        .wall(
            Wall::mesh(Surface::new(blade, [[0, 1, 2]]).unwrap().0).turning([0.0, 0.0, 2.0], [0.5 * side; 3]).moving(),
        )
        .gravity([0.0, 0.0, -2.0]);
    (setup, grains)
}

/// A row of lumps of bonded grains that are thrown at a wall, where some bonds break.
pub fn lumps() -> Scene<2> {
    let bond = Bond { damping: 0.1, gap: 0.05, ..Bond::new(200.0, 4.0) };
    let setup = Setup::new()
        .material(Material::new(1.0, ContactLaw::linear(100.0).damping(0.3).friction(0.5).bond(bond)))
        .wall(Wall::plane([0.0; 2], [0.0, 1.0]));
    let lump = |k: i32| {
        let at = [3.0 * f64::from(k), 1.0 + 0.6 * f64::from(k % 3)];
        (0..9).map(move |n| {
            let place = [at[0] + 0.8 * f64::from(n % 3), at[1] + 0.8 * f64::from(n / 3)];
            Grain::at(place, 0.4).velocity([0.3 * f64::from(k % 2), -4.0]).spin([0.0, 0.0, 0.2 * f64::from(k)])
        })
    };
    (setup, (0..12).flat_map(lump).collect())
}
