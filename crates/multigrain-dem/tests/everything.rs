//! All that a simulation may have at once, of more particles than two blocks hold: the same bits on any threads, and after it was saved.

use multigrain::{Domain, Rng};
use multigrain_dem::{
    Bond, ClumpShape, ContactLaw, Drive, Grain, Material, Oscillation, Servo, Setup, Simulation, Wall,
};
use multigrain_meshes::Surface;

/// Grains along an edge of the floor.
const SIDE: usize = 18;

/// Two layers of bonded spheres that break, and seven of warm clumps, on a mesh that is shaken and wears off, under a lid on a servo.
fn everything() -> (Setup<3>, Vec<Grain<3>>) {
    let law = ContactLaw::linear(1e4).restitution(0.5).friction(0.4);
    let bond = Bond { gap: 0.002, ..Bond::new(1e6, 2e3) };
    let (low, high, length) = (-1.0, 3.0, 0.1 * SIDE as f64);
    let corners = vec![[low, low, 0.0], [high, low, 0.0], [high, high, 0.0], [low, high, 0.0]];
    let (floor, _) = Surface::new(corners, vec![[0, 1, 2], [0, 2, 3]]).unwrap();
    let shaken = Oscillation::along([0.0, 0.0, 0.004], 20.0);
    let dumbbell = ClumpShape::new(&[([-0.02, 0.0, 0.0], 0.03), ([0.02, 0.0, 0.0], 0.03)]).unwrap();
    let mut rng = Rng::new(3);
    let mut grains = Vec::new();
    for k in 0..9 * SIDE * SIDE {
        let (layer, row, column) = (k / (SIDE * SIDE), k / SIDE % SIDE, k % SIDE);
        let place = [row, column, layer].map(|along| 0.1 * (along as f64 + 0.4995));
        let velocity = std::array::from_fn(|_| rng.normal());
        let turned = std::array::from_fn(|_| rng.normal());
        let warm = 300.0 + (k % 7) as f64;
        grains.push(match layer {
            0 | 1 => Grain::at(place, 0.05).material(1),
            _ => Grain::clump(0, place).turned(turned).velocity(velocity).temperature(warm),
        });
    }
    let setup = Setup::new()
        .domain(Domain::new([0.0; 3], [length, length, 1.5], [true, true, false]).unwrap())
        .clump_shape(dumbbell)
        .material(Material::new(2500.0, law).heat(20.0, 5.0))
        .material(Material::new(2500.0, law.bond(bond)))
        .gravity([0.0, 0.0, -9.81])
        .wall(Wall::mesh(floor).driven(Drive::Oscillating(shaken)).wearing(1e-3, 1e6))
        .wall(Wall::plane([0.0, 0.0, 0.91], [0.0, 0.0, -1.0]).driven(Drive::Servo(Servo::new(
            [0.0, 0.0, -1.0],
            5e3,
            1.0,
        ))));
    (setup, grains)
}

fn begun((setup, grains): &(Setup<3>, Vec<Grain<3>>)) -> Simulation<3> {
    let mut simulation = setup.clone().build(grains.clone()).unwrap();
    simulation.bond_touching().unwrap();
    simulation
}

#[test]
fn everything_at_once_has_the_same_bits_on_any_threads_and_after_it_was_saved() {
    const STEPS: u64 = 60;
    let scene = everything();
    let on = |threads: usize, job: &(dyn Fn() -> Vec<u8> + Sync)| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(job)
    };
    let after = |steps: u64| {
        let mut simulation = begun(&scene);
        simulation.run(steps).unwrap();
        simulation
    };
    let expected = on(1, &|| {
        let end = after(STEPS);
        assert!(end.state().len() > 2 * 2048 && end.contact_count() > 1000, "{}", end.contact_count());
        assert!(end.bonds_broken() > 0 && !end.bonds().is_empty(), "{} of {}", end.bonds_broken(), end.bonds_made());
        let lid = end.wall_shifts()[1][2];
        assert!(lid != 0.0 && end.wall_shifts()[0][2] != 0.0 && end.wall_wear()[0] > 0.0, "{lid}");
        let warm = end.state().temperatures();
        assert!(warm.iter().all(|warm| warm.is_finite()) && warm.iter().any(|warm| warm.fract() != 0.0));
        end.encode()
    });
    for threads in [2, 3, 8] {
        assert!(on(threads, &|| after(STEPS).encode()) == expected, "{threads} threads");
        let saved = on(threads, &|| after(STEPS / 3).encode());
        let goes_on = || {
            let mut resumed = scene.0.clone().resume(&saved).unwrap();
            resumed.run(STEPS - STEPS / 3).unwrap();
            resumed.encode()
        };
        assert!(on(11 - threads, &goes_on) == expected, "saved on {threads} threads");
    }
}
