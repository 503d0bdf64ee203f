//! Rigid bodies of spheres that overlap.

use multigrain::{Axes, Dimension, Domain, Rng};
use multigrain_dem::{
    ClumpShape, ContactLaw, Deformation, Drive, Field, Fluid, Friction, Grain, Integrator, Material, Outflow, Servo,
    Setup, Simulation, Skin, TimeStep, Wall,
};
use multigrain_methods::Method;
use std::f64::consts::PI;

fn dumbbell<const D: usize>(half: f64, radius: f64) -> ClumpShape<D> {
    let end = |side: f64| -> [f64; D] { std::array::from_fn(|axis| if axis == 0 { side * half } else { 0.0 }) };
    ClumpShape::new(&[(end(-1.0), radius), (end(1.0), radius)]).unwrap()
}

/// An L of four spheres: no two moments of inertia are equal.
fn crooked() -> ClumpShape<3> {
    ClumpShape::new(&[([0.0, 0.0, 0.0], 0.3), ([0.4, 0.0, 0.0], 0.3), ([0.8, 0.0, 0.1], 0.25), ([0.0, 0.5, 0.0], 0.2)])
        .unwrap()
}

/// A turn by this angle about the third axis.
fn about_third(angle: f64) -> [f64; 4] {
    [(0.5 * angle).cos(), 0.0, 0.0, (0.5 * angle).sin()]
}

/// A dumbbell that meets a floor with one end: impulse, spin and restitution of a rigid body, whose mass at the point is
/// `1 / (1/M + a^2/I)` with the arm `a` along the floor.
#[test]
fn a_dumbbell_leaves_an_oblique_impact_as_rigid_bodies_do() {
    for (angle, damping) in [(0.3, 0.0), (0.8, 0.0), (0.3, 2.0), (1.1, 4.0), (0.0, 1.0)] {
        let (half, radius, stiffness, speed) = (0.5, 0.3, 1e6, 0.7);
        let shape = dumbbell::<3>(half, radius);
        let (mass, inertia) = (shape.volume(), shape.inertia()[1][1]);
        let setup = Setup::new()
            .clump_shape(shape)
            .material(Material::new(1.0, ContactLaw::linear(stiffness).damping(damping)))
            .wall(Wall::plane([0.0; 3], [0.0, 1.0, 0.0]))
            .time_step(TimeStep::Given(1e-6));
        let ends: &[f64] = if angle == 0.0 { &[-1.0, 1.0] } else { &[-1.0] };
        // Turned by the angle, its first end is the lower one.
        let height = half * f64::sin(angle) + radius + 1e-5;
        let grain = Grain::clump(0, [0.0, height, 0.0]).turned(about_third(angle)).velocity([0.2, -speed, 0.0]);
        let mut simulation = setup.build([grain]).unwrap();
        simulation.run(20_000).unwrap();
        assert!(simulation.wall_contacts().is_empty());
        let clump = simulation.clumps()[0];
        let arm = half * f64::cos(angle);
        let at_point = if ends.len() == 2 { 0.5 * mass } else { 1.0 / (1.0 / mass + arm * arm / inertia) };
        // Of two ends each carries half, and nothing turns.
        let pulse = (stiffness / at_point - (0.5 * damping / at_point).powi(2)).sqrt();
        let restitution = (-0.5 * damping / at_point * PI / pulse).exp();
        let impulse = (1.0 + restitution) * speed * at_point * ends.len() as f64;
        let (velocity, spin) = (impulse / mass - speed, if ends.len() == 2 { 0.0 } else { -arm * impulse / inertia });
        assert!((clump.velocity[0] - 0.2).abs() < 1e-9, "nothing rubs");
        assert!((clump.velocity[1] - velocity).abs() < 2e-3 * speed, "{} is not {velocity}", clump.velocity[1]);
        assert!((clump.spin[2] - spin).abs() < 3e-3 * speed / half, "{} is not {spin}", clump.spin[2]);
    }
}

#[test]
fn a_free_top_keeps_energy_and_angular_momentum() {
    let setup = Setup::new()
        .clump_shape(crooked())
        .material(Material::new(2.0, ContactLaw::linear(1.0).friction(0.5)))
        .time_step(TimeStep::Given(0.01));
    let grain =
        Grain::clump(0, [1.0, 2.0, 3.0]).turned([0.5, 0.5, -0.5, 0.1]).spin([0.1, 1.0, 0.3]).velocity([0.1, 0.0, 0.0]);
    let mut simulation = setup.build([grain]).unwrap();
    let before = (simulation.energies(), simulation.angular_momentum(), simulation.clumps()[0].angular_momentum());
    simulation.run(50_000).unwrap();
    let clump = simulation.clumps()[0];
    assert_eq!(clump.angular_momentum(), before.2, "nothing touches it");
    assert!((simulation.energies().rotational / before.0.rotational - 1.0).abs() < 1e-4);
    for axis in 0..3 {
        assert!((simulation.angular_momentum()[axis] - before.1[axis]).abs() < 1e-9);
    }
    // Members stay where they belong: distances are those of the shape.
    let (shape, positions) = (crooked(), simulation.state().positions());
    let place = |member: u64| positions[simulation.state().place_of(member).unwrap()];
    let distance = |a: [f64; 3], b: [f64; 3]| (0..3).map(|k| (a[k] - b[k]).powi(2)).sum::<f64>().sqrt();
    for k in 1..4 {
        let given = distance(shape.members()[0].0, shape.members()[k].0);
        assert!((distance(place(0), place(k as u64)) - given).abs() < 1e-12);
    }
}

/// A clump of one sphere is a sphere.
#[test]
fn one_sphere_moves_as_a_sphere() {
    let setup = Setup::new()
        .material(Material::new(1.0, ContactLaw::linear(1e4).restitution(0.7).friction(0.5)))
        .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
        .gravity([0.0, 0.0, -9.81])
        .time_step(TimeStep::Given(1e-4));
    let motion = |grain: Grain<3>| grain.velocity([1.0, 0.3, -1.0]).spin([2.0, -1.0, 5.0]);
    let mut sphere = setup.clone().build([motion(Grain::at([0.0, 0.0, 0.35], 0.3))]).unwrap();
    let one = ClumpShape::new(&[([0.0; 3], 0.3)]).unwrap();
    let mut clump = setup.clump_shape(one).build([motion(Grain::clump(0, [0.0, 0.0, 0.35]))]).unwrap();
    sphere.run(8000).unwrap();
    clump.run(8000).unwrap();
    for (a, b) in
        [(sphere.state().positions(), clump.state().positions()), (sphere.state().spins(), clump.state().spins())]
    {
        assert!((0..3).all(|axis| (a[0][axis] - b[0][axis]).abs() < 1e-9), "{a:?} {b:?}");
    }
    let [a, b] = [&sphere, &clump].map(|simulation| simulation.energies().total() + simulation.dissipated());
    assert!((a - b).abs() < 1e-9);
}

/// Clumps of several shapes among spheres, shaken up.
fn mixture<const D: usize>(shapes: Vec<ClumpShape<D>>, along: usize) -> (Setup<D>, Vec<Grain<D>>)
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(5);
    let grains = (0..along.pow(D as u32)).map(|k| {
        let mut cell = k;
        let position = std::array::from_fn(|_| {
            let here = cell % along;
            cell /= along;
            here as f64 + 0.5
        });
        let grain = match k % (shapes.len() + 1) {
            0 => Grain::at(position, 0.42),
            shape => {
                let turned =
                    if D == 2 { about_third(7.0 * rng.uniform()) } else { std::array::from_fn(|_| rng.normal()) };
                Grain::clump(shape as u32 - 1, position).turned(turned)
            }
        };
        let spin = if D == 2 { [0.0, 0.0, rng.normal()] } else { std::array::from_fn(|_| rng.normal()) };
        grain.velocity(std::array::from_fn(|_| rng.normal())).spin(spin)
    });
    let grains = grains.collect();
    let setup = Setup::new()
        .with_clump_shapes(shapes)
        .domain(Domain::periodic([0.0; D], [along as f64; D]).unwrap())
        .material(Material::new(1.0, ContactLaw::linear(300.0).restitution(0.7).friction(0.4)));
    (setup, grains)
}

fn small_crooked() -> ClumpShape<3> {
    crooked().scaled(0.5 / crooked().radius()).unwrap()
}

fn fingerprint<const D: usize>(simulation: &Simulation<D>) -> u64
where
    Axes: Dimension<D>,
{
    let turns = simulation.clumps().iter().flat_map(|clump| simulation.orientation(clump));
    turns.fold(simulation.state().fingerprint(), |hash, part| {
        (hash ^ part.to_bits()).rotate_left(7).wrapping_mul(0x100_0000_01b3)
    })
}

#[test]
fn every_method_skin_and_resumed_run_gives_one_course() {
    fn check<const D: usize>(setup: Setup<D>, grains: Vec<Grain<D>>, steps: u64)
    where
        Axes: Dimension<D>,
    {
        let run = |setup: Setup<D>| {
            let mut simulation = setup.build(grains.clone()).unwrap();
            simulation.run(steps).unwrap();
            simulation
        };
        let one = run(setup.clone());
        assert!(one.contact_count() > 3, "{}", one.contact_count());
        for contact in one.contacts() {
            let [a, b] = contact.places.map(|place| one.clump_of(place as usize).map(|clump| clump.number));
            assert!(a.is_none() || a != b, "members of one clump touch");
        }
        let expected = fingerprint(&one);
        for &method in Method::ALL {
            for skin in [Skin::None, Skin::Width(0.2), Skin::Chosen] {
                let other = run(setup.clone().method(method).skin(skin).sort_every(37));
                assert_eq!(fingerprint(&other), expected, "{} with {skin:?}", method.name());
            }
        }
        let mut half = setup.clone().build(grains.clone()).unwrap();
        half.run(steps / 3).unwrap();
        let bytes = half.encode();
        let mut resumed = setup.clone().skin(Skin::Chosen).resume(&bytes).unwrap();
        assert_eq!(resumed.encode(), bytes);
        resumed.run(steps - steps / 3).unwrap();
        assert_eq!(fingerprint(&resumed), expected, "resumed");
        assert_eq!(resumed.clumps(), one.clumps());
    }
    let (setup, grains) = mixture(vec![dumbbell::<2>(0.22, 0.25), dumbbell::<2>(0.1, 0.35)], 8);
    check(setup, grains, 150);
    let (setup, grains) = mixture(vec![small_crooked(), dumbbell::<3>(0.22, 0.25)], 5);
    check(setup.deformation(Deformation::rest().rate(0, 1, 0.5).pressure(3.0).max_rate(0.3)), grains, 80);
}

/// More members than two blocks hold, so that threads share the work.
#[test]
fn thousands_of_clumps_have_one_course_on_any_threads() {
    fn check<const D: usize>((setup, grains): (Setup<D>, Vec<Grain<D>>), steps: u64)
    where
        Axes: Dimension<D>,
    {
        let run = |threads: usize, steps: u64, saved: Option<Vec<u8>>| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let begun = saved.map(|saved| setup.clone().resume(&saved).unwrap());
                let mut simulation = begun.unwrap_or_else(|| setup.clone().build(grains.clone()).unwrap());
                simulation.run(steps).unwrap();
                simulation
            })
        };
        let one = run(1, steps, None);
        let (members, contacts, expected) = (one.state().len(), one.contact_count(), one.encode());
        assert!(members > 4096 && contacts > 100, "{contacts} contacts of {members}");
        for threads in [2, 3, 8] {
            assert!(run(threads, steps, None).encode() == expected, "{threads} threads");
            let half = run(threads, steps / 2, None).encode();
            assert!(run(1, steps - steps / 2, Some(half)).encode() == expected, "{threads} threads, resumed on one");
        }
    }
    check(mixture(vec![dumbbell::<2>(0.22, 0.25), dumbbell::<2>(0.1, 0.35)], 56), 100);
    // Spheres around clumps overlap here: many touch at once.
    let (setup, grains) = mixture(vec![small_crooked().scaled(1.2).unwrap(), dumbbell::<3>(0.3, 0.28)], 14);
    check((setup.deformation(Deformation::rest().rate(0, 1, 0.5).pressure(3.0).max_rate(0.3)), grains), 40);
}

#[test]
fn elastic_clumps_keep_energy_and_momentum() {
    let (setup, grains) = mixture(vec![small_crooked(), dumbbell::<3>(0.22, 0.25)], 4);
    let setup = setup.material(Material::new(1.0, ContactLaw::linear(300.0))).time_step(TimeStep::Fraction(0.005));
    let grains: Vec<Grain<3>> = grains.into_iter().map(|grain| grain.material(1)).collect();
    let mut simulation = setup.build(grains).unwrap();
    let before = (simulation.energies().total(), simulation.momentum());
    simulation.run_until(2.0).unwrap();
    let drift = simulation.energies().total() / before.0 - 1.0;
    assert!(drift.abs() < 1e-3, "{drift}");
    for axis in 0..3 {
        assert!((simulation.momentum()[axis] - before.1[axis]).abs() < 1e-10);
    }
    let energies = simulation.energies();
    // Two or three axes turn where three move.
    let share = energies.rotational / energies.translational;
    assert!(share > 0.3, "{share}");
}

/// A box of clumps that a piston presses: what the box carries is the stress of centers, walls of rigid bodies included.
#[test]
fn stress_goes_by_centers_of_clumps() {
    // A column of dumbbells standing on each other in a periodic box: force over spacing, whatever their inside.
    let (half, radius, count, stiffness) = (0.3, 0.2, 3, 50.0);
    let length = 2.0 * (half + radius) - 0.01;
    let shape = dumbbell::<2>(half, radius);
    let grains = (0..count).map(|k| Grain::clump(0, [0.5, f64::from(k) * length]).turned(about_third(0.5 * PI)));
    let simulation = Setup::new()
        .clump_shape(shape)
        .domain(Domain::periodic([0.0; 2], [1.0, f64::from(count) * length]).unwrap())
        .material(Material::new(1.0, ContactLaw::linear(stiffness)))
        .build(grains)
        .unwrap();
    let stress = simulation.stress().unwrap().total();
    assert!((stress[1][1] - stiffness * 0.01).abs() < 1e-10 && stress[0][0].abs() < 1e-12, "{stress:?}");
}

/// The same column: each clump bears `f l` in its own area, and its motion is that of its whole mass; its members say so.
#[test]
fn members_have_the_stress_of_their_clump() {
    let (half, radius, count, stiffness, density) = (0.3, 0.2, 4, 50.0, 3.0);
    let length = 2.0 * (half + radius) - 0.01;
    let shape = dumbbell::<2>(half, radius);
    let area = shape.volume();
    let grains = (0..count).map(|k| {
        let velocity = [if k % 2 == 0 { 0.5 } else { -0.5 }, 0.0];
        Grain::clump(0, [0.5, f64::from(k) * length]).turned(about_third(0.5 * PI)).velocity(velocity)
    });
    let simulation = Setup::new()
        .clump_shape(shape)
        .domain(Domain::periodic([0.0; 2], [1.0, f64::from(count) * length]).unwrap())
        .material(Material::new(density, ContactLaw::linear(stiffness)))
        .build(grains)
        .unwrap();
    let expected = stiffness * 0.01 * length / area;
    let all = simulation.stresses();
    assert_eq!(all.len(), 8);
    for stress in &all {
        assert!((stress.contact[1][1] / expected - 1.0).abs() < 1e-9, "{stress:?} is not {expected}");
        assert!(stress.contact[0][0].abs() < 1e-12, "{stress:?}");
        assert!((stress.kinetic[0][0] - density * 0.25).abs() < 1e-12 && stress.kinetic[1][1] == 0.0, "{stress:?}");
    }
    // Of all clumps together it is that of the box.
    let whole = simulation.stress().unwrap();
    let share = f64::from(count) * area / (f64::from(count) * length);
    assert!((whole.contact[1][1] - all[0].contact[1][1] * share).abs() < 1e-12);
}

#[test]
fn clumps_leave_as_a_whole_and_the_rest_stays() {
    let (setup, grains) = mixture(vec![small_crooked()], 4);
    let setup =
        setup.domain(Domain::open()).outflow(Outflow::Beyond { point: [0.0, 0.0, 2.0], normal: [0.0, 0.0, 1.0] });
    let mut simulation = setup.build(grains).unwrap();
    let before = simulation.clumps().len();
    simulation.run(300).unwrap();
    let state = simulation.state();
    let clumps = simulation.clumps();
    assert!(!clumps.is_empty() && clumps.len() < before);
    let members: usize = clumps.iter().map(|clump| clump.members as usize).sum();
    let free = (0..state.len()).filter(|&place| simulation.clump_of(place).is_none()).count();
    assert_eq!(members + free, state.len());
    assert!(clumps.iter().all(|clump| clump.position[2] <= 2.0));
    // One more by hand: any of its members names it.
    let first = clumps[0].first;
    let (left, count) = (state.len(), clumps.len());
    simulation.remove(first + 2).unwrap();
    assert_eq!((simulation.state().len(), simulation.clumps().len()), (left - 4, count - 1));
    simulation.run(20).unwrap();
}

#[test]
fn clumps_that_make_no_sense_are_refused() {
    let setup = Setup::new().clump_shape(small_crooked()).material(Material::new(1.0, ContactLaw::linear(1.0)));
    let refusal = |setup: Setup<3>, grain: Grain<3>| setup.build([grain]).map(|_| ()).unwrap_err().to_string();
    let text = refusal(setup.clone(), Grain::clump(1, [0.0; 3]));
    assert_eq!(text, "shape of clump 0 is 1, must be the number of a clump shape of the setup");
    let text = refusal(setup.clone(), Grain::clump(0, [0.0; 3]).turned([0.0; 4]));
    assert!(text.starts_with("orientation of clump 0 is 0, must be a turn"), "{text}");
    let text = refusal(setup.integrator(Integrator::Gear), Grain::clump(0, [0.0; 3]));
    assert!(text.contains("Verlet"), "{text}");
}

/// Where a dumbbell is sent by an impact on a floor, and how far that is off at longer and longer steps: root of the mean square over
/// some heights, since errors swing with when it touches within a step.
fn errors_of_impacts(law: ContactLaw) -> [f64; 3] {
    let fly = |height: f64, step: f64| {
        let setup = Setup::<2>::new()
            .clump_shape(dumbbell(0.5, 0.3))
            .material(Material::new(1.0, law))
            .wall(Wall::plane([0.0; 2], [0.0, 1.0]))
            .time_step(TimeStep::Given(step));
        let lowest = 0.5 * f64::sin(0.6) + 0.3;
        let grain = Grain::clump(0, [0.0, lowest + height]).turned(about_third(0.6)).velocity([0.3, -0.7]);
        let mut simulation = setup.build([grain]).unwrap();
        simulation.run((0.2 / step).round() as u64).unwrap();
        assert!(simulation.wall_contacts().is_empty());
        let clump = simulation.clumps()[0];
        [clump.velocity[0], clump.velocity[1], clump.spin[2]]
    };
    let heights: Vec<f64> = (0..12).map(|k| 0.01 + 0.000_089_3 * f64::from(k)).collect();
    let best: Vec<[f64; 3]> = heights.iter().map(|&height| fly(height, 1.25e-5)).collect();
    [8e-4, 4e-4, 2e-4].map(|step| {
        let off = heights.iter().zip(&best).map(|(&height, best)| {
            let found = fly(height, step);
            (0..3).map(|k| (found[k] - best[k]).powi(2)).sum::<f64>()
        });
        (off.sum::<f64>() / heights.len() as f64).sqrt()
    })
}

/// A dashpot pushes with all of its force as soon as bodies touch, somewhere within a step: that alone makes impacts of clumps, as those
/// of spheres, right to first order only. Springs and sliding begin with nothing.
#[test]
fn impacts_of_clumps_with_friction_are_of_second_order_but_for_dashpots() {
    let law = ContactLaw::linear(1e4);
    let friction = |damping_ratio| Friction { coefficient: 0.4, stiffness_ratio: 0.5, damping_ratio };
    let order = |errors: [f64; 3]| 0.5 * (errors[0] / errors[2]).log2();
    let springs = errors_of_impacts(law.with_friction(friction(0.0)));
    let dashpots = errors_of_impacts(law.restitution(0.5).with_friction(friction(0.5)));
    println!("springs {springs:?} order {}, dashpots {dashpots:?} order {}", order(springs), order(dashpots));
    assert!(order(springs) > 1.7, "{springs:?}");
    assert!(order(dashpots) < 1.6 && dashpots[2] > 10.0 * springs[2], "{dashpots:?}");
}

/// A stiff servo, whose gain is cut by the mass of what it touches, presses a clump of one sphere as it presses a sphere.
#[test]
fn servos_feel_the_mass_of_clumps() {
    let servo = Servo { gain: Some(1e3), ..Servo::new([0.0, 0.0, -1.0], 20.0, 1.0) };
    let setup = Setup::new()
        .material(Material::new(1000.0, ContactLaw::linear(1e4).restitution(0.5)))
        .wall(Wall::plane([0.0; 3], [0.0, 0.0, 1.0]))
        .wall(Wall::plane([0.0, 0.0, 0.201], [0.0, 0.0, -1.0]).driven(Drive::Servo(servo)))
        .time_step(TimeStep::Given(1e-4));
    let one = ClumpShape::new(&[([0.0; 3], 0.1)]).unwrap();
    let mut sphere = setup.clone().build([Grain::at([0.0, 0.0, 0.1], 0.1)]).unwrap();
    let mut clump = setup.clump_shape(one).build([Grain::clump(0, [0.0, 0.0, 0.1])]).unwrap();
    for _ in 0..50 {
        sphere.run(20).unwrap();
        clump.run(20).unwrap();
        let [a, b] = [&sphere, &clump].map(|simulation| simulation.wall_shifts()[1][2]);
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }
    assert!(sphere.wall_forces()[1][2] > 1.0, "{:?}", sphere.wall_forces());
}

#[test]
fn fields_pull_at_clumps_as_gravity_does() {
    let down = [0.0, 0.0, -2.0];
    let fallen = |setup: Setup<3>| {
        let setup = setup.material(Material::new(3.0, ContactLaw::linear(100.0))).clump_shape(crooked());
        let mut simulation = setup.build(vec![Grain::clump(0, [1.0, 2.0, 3.0]).velocity([0.1, 0.0, 0.5])]).unwrap();
        simulation.run(200).unwrap();
        let account = simulation.energies().kinetic() - simulation.wall_work();
        (simulation.clumps()[0].position, simulation.clumps()[0].velocity, account, simulation.time())
    };
    let (by_gravity, by_field) = (fallen(Setup::new().gravity(down)), fallen(Setup::new().field(Field::uniform(down))));
    assert!((by_field.1[2] - (0.5 - 2.0 * by_field.3)).abs() < 1e-9, "{by_field:?}");
    assert_eq!((by_gravity.0, by_gravity.1), (by_field.0, by_field.1));
}

/// A field that pulls apart along x turns a dumbbell into x, as gravity does with a pendulum: `w^2 = g (along - across) / I`, with the
/// moments of its mass along and across, whose sum is its inertia `I`.
fn pendulum<const D: usize>()
where
    Axes: Dimension<D>,
{
    let (first, apart) = (0.01, 2.0);
    let shape = dumbbell::<D>(0.5, 0.6);
    // Moments of the mass along the axis of the dumbbell and across it, from inertia about its axes.
    let inertia = shape.inertia();
    let along = 0.5 * (inertia[1][1] + inertia[2][2] - inertia[0][0]);
    let frequency = f64::sqrt(apart * (2.0 * along - inertia[2][2]) / inertia[2][2]);
    let mut gradient = [[0.0; D]; D];
    gradient[0][0] = apart;
    let steps = 4000;
    let mut simulation = Setup::<D>::new()
        .material(Material::new(3.0, ContactLaw::linear(100.0)))
        .clump_shape(shape)
        .field(Field { acceleration: [0.0; D], gradient, about: [0.0; D] })
        .time_step(TimeStep::Given(PI / frequency / f64::from(steps)))
        .build(vec![Grain::clump(0, [0.0; D]).turned(about_third(first))])
        .unwrap();
    let angle = |simulation: &Simulation<D>| 2.0 * simulation.orientation(&simulation.clumps()[0])[3].asin();
    simulation.run(steps as u64 / 2).unwrap();
    let account = simulation.energies().kinetic() / simulation.wall_work();
    assert!((account - 1.0).abs() < 1e-3, "the field gives the energy of turning: {account}");
    assert!(angle(&simulation).abs() < 1e-3 * first, "{} after a quarter", angle(&simulation));
    simulation.run(steps as u64 / 2).unwrap();
    assert!((angle(&simulation) / first + 1.0).abs() < 1e-3, "{} after a half", angle(&simulation));
    assert!(simulation.clumps()[0].position.iter().all(|x| x.abs() < 1e-12));
}

#[test]
fn a_field_that_changes_with_place_turns_clumps() {
    pendulum::<2>();
    pendulum::<3>();
}

/// What members have in common displaces the fluid once.
#[test]
fn clumps_as_dense_as_a_fluid_float_in_it() {
    let fluid = Fluid { density: 3.0, buoyancy: true, ..Fluid::new(1e-3) };
    let setup = Setup::new().material(Material::new(3.0, ContactLaw::linear(100.0))).clump_shape(crooked());
    let setup = setup.gravity([0.0, 0.0, -9.81]).fluid(fluid).time_step(TimeStep::Given(1e-3));
    let mut simulation = setup.build(vec![Grain::clump(0, [1.0, 2.0, 3.0])]).unwrap();
    simulation.run(1000).unwrap();
    let clump = simulation.clumps()[0];
    assert!((clump.position[2] - 3.0).abs() < 1e-9 && clump.velocity[2].abs() < 1e-9, "{clump:?}");
}
