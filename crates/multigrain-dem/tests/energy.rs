//! Where energy goes: what dashpots and friction take and moving walls give makes up what motion, springs and weight lose.

use multigrain::{Axes, Dimension};
use multigrain_dem::{
    ContactLaw, Friction, Grain, Integrator, Material, STIFFNESS_RATIO, Setup, Simulation, TimeStep, Wall,
};

/// All energy that there ever was, less what walls gave.
fn balance<const D: usize>(simulation: &Simulation<D>) -> f64
where
    Axes: Dimension<D>,
{
    simulation.energies().total() + simulation.dissipated() - simulation.wall_work()
}

fn close(a: f64, b: f64, share: f64, what: &str) {
    assert!((a - b).abs() <= share * b.abs(), "{what}: {a} instead of {b}");
}

#[test]
fn an_impact_dissipates_what_its_restitution_takes() {
    let laws = [ContactLaw::linear(1e3), ContactLaw::hertz(1e5, 0.25)];
    for law in laws {
        for integrator in [Integrator::Verlet, Integrator::PlainVerlet, Integrator::Gear] {
            let mut simulation = Setup::new()
                .material(Material::new(1.0, law.restitution(0.6)))
                .integrator(integrator)
                .impact_speed(2.0)
                .time_step(TimeStep::Fraction(0.005))
                .build([
                    Grain::at([0.0, 0.0, 0.0], 0.5).velocity([1.0, 0.0, 0.0]),
                    Grain::at([1.05, 0.0, 0.0], 0.5).velocity([-1.0, 0.0, 0.0]),
                ])
                .unwrap();
            let before = balance(&simulation);
            assert_eq!(simulation.dissipated(), 0.0);
            simulation.run_until(0.5).unwrap();
            assert_eq!(simulation.contact_count(), 0, "the impact is over");
            let lost = before * (1.0 - 0.6 * 0.6);
            close(simulation.dissipated(), lost, 0.02, &format!("{law:?} {integrator:?}"));
            close(balance(&simulation), before, 0.005, &format!("{law:?} {integrator:?}"));
        }
    }
}

/// Sliding friction takes 2/7 of the energy of a sphere that starts to roll (1/3 of a disc's), the rest stays in motion.
#[test]
fn a_sliding_grain_that_starts_to_roll_dissipates_what_sliding_takes() {
    fn slide<const D: usize>(share: f64)
    where
        Axes: Dimension<D>,
    {
        let up: [f64; D] = std::array::from_fn(|axis| f64::from(axis == D - 1));
        // Little tangential damping: otherwise the spring starts wound up against the dashpot, and that energy is lost too.
        let friction = Friction { coefficient: 0.3, stiffness_ratio: STIFFNESS_RATIO, damping_ratio: 0.02 };
        let law = ContactLaw::linear(1e5).restitution(0.5).with_friction(friction);
        let mass_over_pi = if D == 2 { 1.0 } else { 4.0 / 3.0 };
        let sunk = 10.0 * mass_over_pi * std::f64::consts::PI / 1e5;
        let mut simulation = Setup::new()
            .material(Material::new(1.0, law))
            .wall(Wall::plane([0.0; D], up))
            .gravity(up.map(|x| -10.0 * x))
            .build([
                Grain::at(up.map(|x| x * (1.0 - sunk)), 1.0).velocity(std::array::from_fn(|axis| f64::from(axis == 0)))
            ])
            .unwrap();
        let before = balance(&simulation);
        let motion = simulation.energies().kinetic();
        simulation.run_until(0.5).unwrap();
        close(simulation.dissipated(), share * motion, 0.01, "taken by sliding");
        close(simulation.energies().kinetic(), (1.0 - share) * motion, 0.01, "left in motion");
        assert!((balance(&simulation) - before).abs() < 0.002 * motion);
        assert_eq!(simulation.wall_work(), 0.0);
    }
    slide::<3>(2.0 / 7.0);
    slide::<2>(1.0 / 3.0);
}

/// Many grains that fall, rub and come to rest on a conveyor and in front of a piston.
#[test]
fn a_heap_between_moving_walls_keeps_its_balance() {
    let grains = (0..120).map(|k| Grain::at([0.11 + 0.2 * f64::from(k % 10), 0.15 + 0.22 * f64::from(k / 10)], 0.08));
    let setup = Setup::new()
        .material(Material::new(1.0, ContactLaw::linear(1e3).restitution(0.5).friction(0.4)))
        .wall(Wall::plane([0.0, 0.0], [0.0, 1.0]).carrying([0.3, 0.0]))
        .wall(Wall::plane([0.0, 0.0], [1.0, 0.0]).carrying([0.2, 0.0]).moving())
        .wall(Wall::plane([2.2, 0.0], [-1.0, 0.0]))
        .wall(Wall::plate(vec![[1.0, 0.5], [1.3, 0.5]]).turning([0.0, 0.0, 5.0], [1.15, 0.5]).moving())
        .gravity([0.0, -10.0]);
    let mut simulation = setup.clone().build(grains).unwrap();
    let before = balance(&simulation);
    simulation.run_until(1.0).unwrap();
    let half = simulation.encode();
    simulation.run_until(2.0).unwrap();
    assert!(simulation.dissipated() > 0.3 * before && simulation.wall_work() != 0.0);
    close(balance(&simulation), before, 0.01, "balance");
    // The piston has come on, and nothing is behind it.
    let piston = 0.2 * simulation.time();
    assert!(simulation.state().positions().iter().all(|x| x[0] > piston), "a grain is behind the piston");
    let mut resumed = setup.resume(&half).unwrap();
    resumed.run_until(2.0).unwrap();
    assert_eq!(resumed.state(), simulation.state());
    assert_eq!(resumed.dissipated().to_bits(), simulation.dissipated().to_bits());
    assert_eq!(resumed.wall_work().to_bits(), simulation.wall_work().to_bits());
}

/// A piston that meets a grain at rest throws it ahead: with restitution e at (1 + e) times its own speed.
#[test]
fn a_moving_wall_throws_a_grain_ahead() {
    let mut simulation = Setup::new()
        .material(Material::new(1.0, ContactLaw::linear(1e4).restitution(0.5)))
        .wall(Wall::plane([0.0, 0.0], [1.0, 0.0]).carrying([2.0, 0.0]).moving())
        .build([Grain::at([1.0, 0.0], 0.5)])
        .unwrap();
    simulation.run_until(0.5).unwrap();
    let velocity = simulation.state().velocities()[0];
    close(velocity[0], 3.0, 0.01, "speed");
    close(simulation.wall_work(), simulation.energies().kinetic() + simulation.dissipated(), 0.01, "work");
}
