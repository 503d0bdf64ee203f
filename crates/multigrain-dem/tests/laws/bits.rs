//! Laws of all parts: the same bits for every method, skin and number of threads, and after saving and resuming.

use multigrain::{Axes, Dimension, Domain, Rng};
use multigrain_dem::{
    Bond, Bridge, Cohesion, ContactLaw, Drag, Field, Fluid, Grain, Material, Plastic, Resistance, Setup, Simulation,
    Skin, Wall,
};
use multigrain_methods::Method;

/// Every law that is composed, all parts of it.
fn laws() -> Vec<ContactLaw> {
    let rough = |law: ContactLaw| {
        law.restitution(0.5).friction(0.4).rolling(Resistance::spring(0.1)).twisting(Resistance::constant(0.05))
    };
    let bridge = Bridge { tension: 0.2, angle: 20.0, volume: 1e-2 };
    vec![
        rough(ContactLaw::linear(100.0)).cohesion(Cohesion::Linear { force: 0.5, range: 0.05 }),
        rough(ContactLaw::hertz(400.0, 0.3)).cohesion(Cohesion::Jkr { energy: 0.5 }),
        rough(ContactLaw::hertz(400.0, 0.3)).cohesion(Cohesion::Dmt { energy: 0.5 }),
        rough(ContactLaw::linear(100.0)).cohesion(Cohesion::Willett(bridge)),
        rough(ContactLaw::plastic(Plastic { loading: 50.0, unloading: 150.0, cohesive: 40.0, depth: 0.1 }))
            .cohesion(Cohesion::Rabinovich(bridge)),
        rough(ContactLaw::linear(100.0)).bond(Bond { damping: 0.1, gap: 0.05, ..Bond::new(200.0, 5.0) }),
    ]
}

fn setup<const D: usize>(law: ContactLaw) -> Setup<D>
where
    Axes: Dimension<D>,
{
    let mut periodic = [false; D];
    periodic[0] = true;
    let up = |sign: f64| std::array::from_fn(|axis| if axis == D - 1 { sign } else { 0.0 });
    Setup::new()
        .domain(Domain::new([0.0; D], [6.0; D], periodic).unwrap())
        .material(Material::new(1.0, law).heat(2.0, 3.0))
        .wall(Wall::plane([0.0; D], up(1.0)).temperature(320.0))
        .wall(Wall::plane([6.0; D], up(-1.0)).carrying(std::array::from_fn(|axis| if axis == 0 { 0.2 } else { 0.0 })))
        .gravity(up(-0.2))
        .fluid(Fluid { drag: Drag::SchillerNaumann, density: 0.1, ..Fluid::new(0.01) })
        .field(Field { gradient: [[0.01; D]; D], ..Field::uniform([0.01; D]) })
        .temperature(300.0)
        .impact_speed(1.0)
}

fn grains<const D: usize>(side: usize) -> Vec<Grain<D>> {
    let mut rng = Rng::new(5);
    let mut draw = move || 2.0 * rng.uniform() - 1.0;
    (0..side.pow(D as u32))
        .map(|k| {
            let mut left = k;
            let position = std::array::from_fn(|_| {
                let along = (left % side) as f64;
                left /= side;
                (6.0 / side as f64) * (along + 0.5) + 0.02 * draw()
            });
            Grain::at(position, 3.0 / side as f64 * (1.0 + 0.05 * draw()))
                .velocity(std::array::from_fn(|_| 0.3 * draw()))
                .temperature(300.0 + 10.0 * draw())
                .spin(if D == 2 { [0.0, 0.0, draw()] } else { [draw(), draw(), draw()] })
        })
        .collect()
}

fn started<const D: usize>(setup: Setup<D>, side: usize) -> Simulation<D>
where
    Axes: Dimension<D>,
{
    let mut simulation = setup.build(grains(side)).unwrap();
    simulation.bond_touching().unwrap();
    simulation
}

/// Everything that goes on, as bytes, and energies.
fn course<const D: usize>(mut simulation: Simulation<D>, steps: u64) -> (Vec<u8>, [u64; 2])
where
    Axes: Dimension<D>,
{
    simulation.run(steps).unwrap();
    let energies = [simulation.energies().total(), simulation.dissipated()].map(f64::to_bits);
    (simulation.encode(), energies)
}

fn same<const D: usize>(side: usize, steps: u64)
where
    Axes: Dimension<D>,
{
    for law in laws() {
        let expected = course(started(setup::<D>(law), side), steps);
        for method in [Method::BruteForce, Method::LinkedCell, Method::HGrid] {
            for skin in [Skin::None, Skin::Width(0.3), Skin::Chosen] {
                let had = course(started(setup(law).method(method).skin(skin), side), steps);
                assert!(had == expected, "{} with {skin:?}, {law:?}", method.name());
            }
        }
        for before in [0, 1, steps / 2] {
            let mut simulation = started(setup::<D>(law).skin(Skin::Chosen), side);
            simulation.run(before).unwrap();
            let resumed = setup(law).resume(&simulation.encode()).unwrap();
            assert_eq!(resumed.bonds(), simulation.bonds());
            assert!(course(resumed, steps - before) == expected, "resumed after {before}, {law:?}");
        }
    }
}

#[test]
fn every_law_has_the_same_bits_in_the_plane() {
    same::<2>(12, 120);
}

#[test]
fn every_law_has_the_same_bits_in_space() {
    same::<3>(5, 60);
}

#[test]
fn every_number_of_threads_gives_the_same_bits() {
    for law in laws() {
        let on = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| course(started(setup::<3>(law).skin(Skin::Chosen), 13), 8))
        };
        let one = on(1);
        assert!([2, 3, 8].into_iter().all(|threads| on(threads) == one), "{law:?}");
    }
}

/// What bodies have and have lost, less what walls gave, stays what it was.
#[test]
fn every_law_keeps_account_of_its_energy() {
    for law in laws() {
        let mut simulation = started(setup::<3>(law).time_step(multigrain_dem::TimeStep::Fraction(5e-3)), 5);
        let account = |simulation: &Simulation<3>| {
            simulation.energies().total() + simulation.dissipated() - simulation.wall_work()
        };
        let (before, kinetic) = (account(&simulation), simulation.energies().kinetic());
        simulation.run(2000).unwrap();
        let drift = (account(&simulation) - before).abs() / (kinetic + simulation.dissipated().abs());
        assert!(drift < 0.02, "{drift} of the energy, {law:?}");
    }
}
