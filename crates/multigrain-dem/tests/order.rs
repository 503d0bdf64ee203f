//! Motion along the contact plane is of second order in the time step, and loses nothing of itself.

use multigrain_dem::{ContactLaw, Friction, Grain, Integrator, Material, Setup, Simulation, TimeStep, Wall};

const SYNCHRONISED: [Integrator; 2] = [Integrator::Verlet, Integrator::Gear];

/// Friction without tangential damping.
const fn dry(coefficient: f64, stiffness_ratio: f64) -> Friction {
    Friction { coefficient, stiffness_ratio, damping_ratio: 0.0 }
}

/// Tangential velocity and spin, times the radius, after an impact.
type Outcome = [f64; 2];

/// An impact at this angle from the normal, `gap` of a step before touch; the law decides whether it sticks or slides.
trait Impact {
    fn build(&self, angle: f64, gap: f64, integrator: Integrator, fraction: f64) -> Simulation<3>;
    fn outcome(&self, angle: f64, gap: f64, integrator: Integrator, fraction: f64) -> Outcome {
        let mut simulation = self.build(angle, gap, integrator, fraction);
        simulation.run((1.5 / fraction) as u64).unwrap();
        assert!(simulation.contact_count() == 0 && simulation.wall_contacts().is_empty(), "they have parted");
        let place = simulation.state().place_of(0).unwrap();
        [simulation.state().velocities()[place][0], 0.01 * simulation.state().spins()[place][1]]
    }
}

struct OnAWall(ContactLaw);
struct OfTwo(ContactLaw);

impl Impact for OnAWall {
    fn build(&self, angle: f64, gap: f64, integrator: Integrator, fraction: f64) -> Simulation<3> {
        let (sin, cos) = angle.to_radians().sin_cos();
        let setup = Setup::new()
            .material(Material::new(1000.0, self.0))
            .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
            .integrator(integrator)
            .impact_speed(1.0)
            .time_step(TimeStep::Fraction(fraction));
        let thrown = |height: f64| Grain::at([0.0, 0.0, height], 0.01).velocity([sin, 0.0, -cos]);
        let step = setup.clone().build([thrown(1.0)]).unwrap().time_step();
        setup.build([thrown(0.01 + gap * step * cos)]).unwrap()
    }
}

impl Impact for OfTwo {
    fn build(&self, angle: f64, gap: f64, integrator: Integrator, fraction: f64) -> Simulation<3> {
        let (sin, cos) = angle.to_radians().sin_cos();
        let setup = Setup::new()
            .material(Material::new(1000.0, self.0))
            .integrator(integrator)
            .impact_speed(1.0)
            .time_step(TimeStep::Fraction(fraction));
        let before_touch = |time: f64| {
            let one = Grain::at([-sin * time, 0.0, -cos * time], 0.01).velocity([sin, 0.0, cos]);
            [one, Grain::at([0.0, 0.0, 0.03], 0.02).spin([0.0, 3.0, 0.0])]
        };
        let step = setup.clone().build(before_touch(1.0)).unwrap().time_step();
        setup.build(before_touch(gap * step)).unwrap()
    }
}

/// Root of the mean square of errors over angles, and over when in a step the bodies touch.
fn error(impact: &dyn Impact, exact: &[Outcome], integrator: Integrator, fraction: f64) -> f64 {
    let (mut sum, mut count) = (0.0, 0);
    for (angle, exact) in ANGLES.into_iter().zip(exact) {
        for gap in [0.1, 0.3, 0.5, 0.7, 0.9] {
            let found = impact.outcome(angle, gap, integrator, fraction);
            sum += (found[0] - exact[0]).powi(2) + (found[1] - exact[1]).powi(2);
            count += 1;
        }
    }
    (sum / f64::from(count)).sqrt()
}

const ANGLES: [f64; 4] = [5.0, 20.0, 40.0, 60.0];

#[test]
fn oblique_impacts_converge_with_the_square_of_the_step() {
    let linear = ContactLaw::linear(1e4).with_friction(dry(0.4, 0.8));
    let hertz = ContactLaw::hertz(1e7, 0.3).with_friction(dry(0.4, 0.8));
    let impacts: [&dyn Impact; 4] = [&OnAWall(linear), &OnAWall(hertz), &OfTwo(linear), &OfTwo(hertz)];
    for (number, impact) in impacts.into_iter().enumerate() {
        let exact: Vec<Outcome> =
            ANGLES.iter().map(|&angle| impact.outcome(angle, 0.5, Integrator::Verlet, 1.0 / 12_800.0)).collect();
        for integrator in SYNCHRONISED {
            let errors = [50.0, 100.0, 200.0, 400.0].map(|steps| error(impact, &exact, integrator, 1.0 / steps));
            // Three halvings of the step.
            let order = (errors[0] / errors[3]).log2() / 3.0;
            println!("impact {number} {integrator:?}: order {order:.2}, {errors:?}");
            assert!(order > 1.7, "impact {number}, {integrator:?}: order {order}, errors {errors:?}");
            assert!(errors[0] < 5e-3, "impact {number}, {integrator:?}: errors {errors:?}");
        }
    }
}

/// A sphere held down on a floor by its weight swings on its tangential spring, rolling and sliding against each other so that
/// it stays in its place.
fn swinging(integrator: Integrator, fraction: f64) -> Simulation<3> {
    let (radius, stiffness, pull) = (0.01, 1e4, 10.0);
    let law = ContactLaw::linear(stiffness).with_friction(dry(10.0, 0.8));
    let mass = 1000.0 * 4.0 / 3.0 * std::f64::consts::PI * radius * radius * radius;
    let overlap = mass * pull / stiffness;
    Setup::new()
        .material(Material::new(1000.0, law))
        .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
        .gravity([0.0, 0.0, -pull])
        .integrator(integrator)
        .time_step(TimeStep::Fraction(fraction))
        .build([Grain::at([0.0, 0.0, radius - overlap], radius).velocity([1e-4, 0.0, 0.0]).spin([
            0.0,
            -2.5 * 1e-4 / (radius - 0.5 * overlap),
            0.0,
        ])])
        .unwrap()
}

#[test]
fn a_tangential_spring_swings_without_loss() {
    let motion = |simulation: &Simulation<3>| {
        let energies = simulation.energies();
        let touch = simulation.wall_contacts()[0];
        energies.kinetic() + 0.5 * 0.8 * 1e4 * touch.spring.iter().map(|way| way * way).sum::<f64>()
    };
    for (integrator, fraction, steps) in [(Integrator::Verlet, 0.02, 500_000), (Integrator::Gear, 0.005, 20_000)] {
        let mut simulation = swinging(integrator, fraction);
        let before = motion(&simulation);
        let mut turns = 0;
        let mut last = 1.0;
        for _ in 0..steps / 100 {
            simulation.run(100).unwrap();
            let kept = motion(&simulation) / before;
            assert!((kept - 1.0).abs() < 2e-3, "{integrator:?}: {kept} of its energy after {}", simulation.steps());
            let now = simulation.state().velocities()[0][0];
            turns += usize::from(now * last < 0.0);
            last = now;
        }
        assert!(turns > 50, "{integrator:?}: it swings");
        let kept = motion(&simulation) / before;
        println!("{integrator:?}: {kept}");
        assert!((kept - 1.0).abs() < 1e-3, "{integrator:?}: {kept} of its energy is left");
        assert!(simulation.dissipated().abs() < 1e-3 * before, "{integrator:?}: {}", simulation.dissipated());
    }
}
