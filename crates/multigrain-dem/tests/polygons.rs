//! Polygons, and discs among them, that collide, stack and settle.

use multigrain::{Domain, Rng};
use multigrain_dem::{
    Cause, ContactLaw, Error, Generator, Grain, Integrator, Material, Outflow, Repulsion, Setup, Simulation, Skin,
    TimeStep, Wall,
};
use multigrain_methods::Method;
use multigrain_papers::{Boxes, SortAndUpdate};
use multigrain_polygons::{ConvexPolygon, Extremes};

const GRAVITY: [f64; 2] = [0.0, -9.81];

/// A share of the shortest contact, as scenes of polygons have it.
const STEP: TimeStep = TimeStep::Fraction(0.025);

fn plastic() -> ContactLaw {
    ContactLaw::area(1e6).damping_share(0.3).friction(0.5)
}

fn setup(law: ContactLaw) -> Setup<2> {
    Setup::new().material(Material::new(1000.0, law)).integrator(Integrator::Gear).time_step(STEP)
}

/// Grains in rows between a floor and two side walls: every third a disc, if there are to be discs.
fn heap(law: ContactLaw, columns: usize, rows: usize, seed: u64, discs: bool) -> (Setup<2>, Vec<Grain<2>>) {
    let mut rng = Rng::new(seed);
    let (radius, spacing) = (0.01, 0.021);
    let half = 0.5 * spacing * columns as f64;
    let height = 4.0 * spacing * rows as f64;
    let mut made = setup(law)
        .gravity(GRAVITY)
        .wall(Wall::slab([-2.0 * half, 0.0], [2.0 * half, 0.0], 0.05))
        .wall(Wall::plane([-half, 0.0], [1.0, 0.0]))
        .wall(Wall::plate(vec![[half, -0.1], [half, height]]));
    let mut grains = Vec::new();
    for k in 0..columns * rows {
        let (column, row) = ((k % columns) as f64, (k / columns) as f64);
        let place = [(column + 0.5) * spacing - half, (row + 0.6) * spacing];
        let angle = 6.0 * rng.uniform();
        if discs && k % 3 == 0 {
            grains.push(Grain::at(place, 0.8 * radius).angle(angle));
        } else {
            let shape = made.shapes().len() as u32;
            made = made.shape(ConvexPolygon::random(4 + rng.below(9) as usize, radius, &mut rng).unwrap());
            grains.push(Grain::polygon(shape, place).angle(angle));
        }
    }
    (made, grains)
}

fn threads(count: usize) -> rayon::ThreadPool {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap()
}

fn place_of(simulation: &Simulation<2>, id: u64) -> ([f64; 2], f64) {
    let place = simulation.state().place_of(id).unwrap();
    (simulation.state().positions()[place], simulation.state().angle(place))
}

/// What may collide: a polygon of this many corners, or a disc for 0.
fn body(corners: usize, radius: f64, place: [f64; 2], angle: f64, rng: &mut Rng, setup: &mut Setup<2>) -> Grain<2> {
    if corners == 0 {
        return Grain::at(place, radius).angle(angle);
    }
    let shape = setup.shapes().len() as u32;
    *setup = setup.clone().shape(ConvexPolygon::random(corners, radius, rng).unwrap());
    Grain::polygon(shape, place).angle(angle)
}

/// Relative changes of energy in elastic collisions of random polygons of 3 to 40 corners and discs, most of them oblique,
/// both spinning: the largest last. Momentum must be kept to rounding.
fn energy_changes(law: ContactLaw, integrator: Integrator, rounds: usize, discs: [bool; 2]) -> Vec<f64> {
    let mut rng = Rng::new(3);
    let mut changes = Vec::new();
    for round in 0..rounds {
        let corners = discs.map(|is_disc| if is_disc { 0 } else { 3 + rng.below(38) as usize });
        let shift = 0.015 * (2.0 * rng.uniform() - 1.0);
        let angles = [0, 1].map(|_| 6.3 * rng.uniform());
        let spins = [0, 1].map(|_| [0.0, 0.0, 30.0 * rng.normal()]);
        let mut made = setup(law).integrator(integrator);
        let a = body(corners[0], 0.01, [0.0; 2], angles[0], &mut rng, &mut made).spin(spins[0]);
        let b = body(corners[1], 0.008, [0.025, shift], angles[1], &mut rng, &mut made);
        let b = b.velocity([-1.0, 0.0]).spin(spins[1]);
        let mut simulation = made.build([a, b]).unwrap();
        let before = (simulation.momentum(), simulation.angular_momentum()[2]);
        let energy = simulation.energies().total();
        let mut has_touched = false;
        while simulation.time() < 0.035 {
            simulation.run(10).unwrap();
            has_touched |= simulation.contact_count() > 0;
        }
        assert_eq!(simulation.contact_count(), 0, "{round}: they have parted");
        if !has_touched {
            continue;
        }
        let (after, scale) = (simulation.momentum(), simulation.state().masses()[0]);
        for k in 0..2 {
            assert!((after[k] - before.0[k]).abs() < 1e-13 * scale, "{round}: {before:?} {after:?}");
        }
        let turned = simulation.angular_momentum()[2];
        assert!((turned - before.1).abs() < 1e-6 * scale * 0.02, "{round}: {before:?} {turned}");
        changes.push((simulation.energies().total() - energy).abs() / energy);
    }
    assert!(changes.len() > 8 * rounds / 10, "{} of {rounds} have met", changes.len());
    changes.sort_by(f64::total_cmp);
    changes
}

#[test]
fn elastic_collisions_keep_momentum_to_rounding_and_energy_to_a_percent() {
    // Overlaps of up to a tenth of the bodies, then of a few hundredths.
    for modulus in [1e6, 1e7] {
        for integrator in [Integrator::Gear, Integrator::Verlet] {
            let changes = energy_changes(ContactLaw::area(modulus), integrator, 250, [false, false]);
            // So far below a percent that it is no matter of luck.
            let [median, largest] = [changes[changes.len() / 2], changes[changes.len() - 1]];
            assert!(median < 1e-4 && largest < 1e-3, "{modulus:e} {integrator:?}: {median} {largest}");
        }
    }
}

#[test]
fn elastic_collisions_of_discs_with_polygons_and_discs_keep_their_energy_too() {
    for discs in [[true, false], [false, true], [true, true]] {
        let changes = energy_changes(ContactLaw::area(1e6), Integrator::Verlet, 100, discs);
        let [median, largest] = [changes[changes.len() / 2], changes[changes.len() - 1]];
        assert!(median < 1e-4 && largest < 1e-3, "{discs:?}: {median} {largest}");
    }
}

/// Why force from area alone is not the default.
#[test]
fn force_from_area_alone_changes_the_energy_of_collisions_by_percents() {
    let law = ContactLaw::area(1e6).repulsion(Repulsion::Area);
    let changes = energy_changes(law, Integrator::Gear, 300, [false, false]);
    let [median, largest] = [changes[changes.len() / 2], changes[changes.len() - 1]];
    assert!(median < 0.01 && (0.01..0.2).contains(&largest), "{median} {largest}");
}

#[test]
fn a_stack_of_ten_blocks_comes_to_rest_and_stays() {
    let law = ContactLaw::area(1e7).damping_share(0.5).friction(0.5);
    for floor in [Wall::plane([0.0; 2], [0.0, 1.0]), Wall::plate(vec![[-0.5, 0.0], [0.5, 0.0]])] {
        let block = |k: u32| Grain::polygon(0, [0.002 * f64::from(k % 3), 0.025 + 0.0502 * f64::from(k)]);
        let made = setup(law).gravity(GRAVITY).wall(floor).shape(ConvexPolygon::rectangle(0.1, 0.05).unwrap());
        let mut simulation = made.build((0..10).map(block)).unwrap();
        let per_second = (1.0 / simulation.time_step()) as u64;
        simulation.run(4 * per_second).unwrap();
        let rest: Vec<[f64; 2]> = (0..10).map(|id| place_of(&simulation, id).0).collect();
        simulation.run(2 * per_second).unwrap();
        let energies = simulation.energies();
        assert!(energies.kinetic() < 1e-7 * energies.gravitational, "{energies:?}");
        for id in 0..10 {
            let (now, angle) = place_of(&simulation, id);
            let then = rest[id as usize];
            let moved = (now[0] - then[0]).hypot(now[1] - then[1]);
            assert!(moved < 2e-4, "block {id} moved by {moved}");
            assert!(angle.abs() < 0.01, "block {id} leans by {angle}");
            let height = 0.025 + 0.05 * id as f64;
            assert!((now[1] - height).abs() < 2e-3, "block {id} is at {}", now[1]);
        }
    }
}

#[test]
fn force_does_not_depend_on_the_number_of_corners_and_is_that_of_discs_in_the_end() {
    let force = |grain: &dyn Fn(f64) -> Grain<2>, shape: Option<ConvexPolygon>| {
        let made = setup(ContactLaw::area(1e7)).with_shapes(shape);
        let simulation = made.build([grain(0.0), grain(0.0199)]).unwrap();
        simulation.contacts()[0].force[0]
    };
    let cornered = |corners| {
        let shape = ConvexPolygon::regular(corners, 0.01).unwrap();
        force(&|x| Grain::polygon(0, [x, 0.0]).angle(0.1), Some(shape))
    };
    let [coarse, fine, finest] = [200, 400, 1000].map(cornered);
    assert!((coarse / finest - 1.0).abs() < 0.05, "{coarse} {finest}");
    assert!((fine / finest - 1.0).abs() < 0.02, "{fine} {finest}");
    let round = force(&|x| Grain::at([x, 0.0], 0.01), None);
    assert!((finest / round - 1.0).abs() < 5e-3, "{finest} {round}");
}

#[test]
fn a_block_on_a_slope_stays_below_the_angle_of_friction_and_slides_above_it() {
    for (angle, friction, slides) in [(0.3f64, 0.5, false), (0.55, 0.5, true), (0.15, 0.1, true)] {
        let law = ContactLaw::area(1e7).damping_share(0.3).friction(friction);
        let (sin, cos) = angle.sin_cos();
        let made = setup(law)
            .gravity(GRAVITY)
            .wall(Wall::plane([0.0; 2], [-sin, cos]))
            .shape(ConvexPolygon::rectangle(0.2, 0.05).unwrap());
        let mut simulation = made.build([Grain::polygon(0, [-0.025 * sin, 0.025 * cos]).angle(angle)]).unwrap();
        simulation.run((0.5 / simulation.time_step()) as u64).unwrap();
        let ([x, y], _) = place_of(&simulation, 0);
        let travelled = -(x + 0.025 * sin) * cos - (y - 0.025 * cos) * sin;
        let expected = 0.5 * 9.81 * (sin - friction * cos).max(0.0) * simulation.time() * simulation.time();
        assert!((travelled - expected).abs() < 1e-3 + 0.03 * expected, "{angle}: {travelled} {expected}");
        assert_eq!(expected > 0.0, slides);
    }
}

/// Discs and polygons, stirred, for some steps.
fn stirred(change: &(dyn Fn(Setup<2>) -> Setup<2> + Sync), count: usize, periodic: bool) -> Simulation<2> {
    threads(count).install(|| {
        let (made, grains) = heap(plastic(), 20, 20, 5, true);
        let domain = Domain::new([-0.3, -0.1], [0.3, 1.0], [periodic, false]).unwrap();
        let mut rng = Rng::new(2);
        let grains = grains.into_iter().map(|grain| {
            let spin = 10.0 * rng.normal();
            grain.velocity([0.5 * rng.normal(), 0.5 * rng.normal()]).spin([0.0, 0.0, spin])
        });
        let mut simulation = change(made.domain(domain)).build(grains).unwrap();
        simulation.run(400).unwrap();
        assert!(simulation.contact_count() > 0);
        simulation
    })
}

#[test]
fn bits_depend_neither_on_threads_nor_on_the_method_nor_on_the_skin() {
    for periodic in [false, true] {
        let expected = stirred(&|setup| setup, 1, periodic).encode();
        for count in [2, 3, 8] {
            assert!(stirred(&|setup| setup, count, periodic).encode() == expected, "{count} threads");
        }
        for &method in Method::ALL {
            assert!(stirred(&|setup| setup.method(method), 2, periodic).encode() == expected, "{method:?}");
        }
        for skin in [Skin::Chosen, Skin::Width(0.002), Skin::Width(0.01)] {
            let found = stirred(&|setup| setup.skin(skin).sort_every(7), 2, periodic).encode();
            assert!(found == expected, "{skin:?}");
        }
    }
}

#[test]
fn a_saved_simulation_goes_on_bit_for_bit() {
    for integrator in [Integrator::Gear, Integrator::Verlet] {
        let (made, grains) = heap(plastic(), 6, 5, 4, true);
        let drum = Wall::ring([0.0, 0.2], 0.5, 0.02, 12);
        let drum = drum.into_iter().map(|piece| piece.turning([0.0, 0.0, 1.0], [0.0, 0.2]).moving());
        let made = drum.fold(made.integrator(integrator).skin(Skin::Chosen), |made, piece| made.wall(piece));
        let mut whole = made.clone().build(grains).unwrap();
        whole.run(3000).unwrap();
        assert!(whole.contact_count() > 0);
        let saved = whole.encode();
        let mut resumed = made.clone().resume(&saved).unwrap();
        assert_eq!((resumed.steps(), resumed.contact_count()), (3000, whole.contact_count()));
        assert!(resumed.encode() == saved);
        let seen = |simulation: &Simulation<2>| {
            let contacts =
                simulation.contacts().into_iter().map(|contact| multigrain_dem::Contact { places: [0; 2], ..contact });
            contacts.collect::<Vec<_>>()
        };
        assert_eq!(seen(&resumed), seen(&whole));
        whole.run(700).unwrap();
        resumed.run(700).unwrap();
        assert!(whole.encode() == resumed.encode(), "{integrator:?}");
        let other = made.shape(ConvexPolygon::regular(5, 0.1).unwrap());
        let problem = other.resume(&saved).err().expect("other shapes").to_string();
        assert!(problem.contains("shapes was"), "{problem}");
    }
}

/// What is lost, given and left makes up what there was.
#[test]
fn energy_is_accounted_for_in_a_heap_of_discs_and_polygons() {
    let (made, grains) = heap(plastic(), 8, 8, 3, true);
    let mut simulation = made.integrator(Integrator::Verlet).skin(Skin::Chosen).build(grains).unwrap();
    let before = simulation.energies().total();
    simulation.run((0.3 / simulation.time_step()) as u64).unwrap();
    let (after, lost) = (simulation.energies(), simulation.dissipated());
    assert!(lost > 0.1 * before.abs(), "{lost} of {before}");
    assert!((after.total() + lost - before).abs() < 0.01 * lost, "{} + {lost}, {before}", after.total());
}

#[test]
fn polygons_settle_in_a_periodic_box() {
    let (radius, mut rng) = (0.01, Rng::new(8));
    let domain = Domain::new([0.0, -1.0], [0.16, 1.0], [true, false]).unwrap();
    let mut made = setup(plastic()).domain(domain).gravity(GRAVITY).wall(Wall::plane([0.0; 2], [0.0, 1.0]));
    made = made.skin(Skin::Chosen);
    let mut grains = Vec::new();
    for k in 0..40u32 {
        made = made.shape(ConvexPolygon::random(4 + (k as usize) % 5, radius, &mut rng).unwrap());
        let place = [0.02 * f64::from(k % 8) + 0.01, 0.012 + 0.021 * f64::from(k / 8)];
        let velocity = [0.3 + 0.1 * rng.normal(), 0.0];
        grains.push(Grain::polygon(k, place).angle(6.0 * rng.uniform()).velocity(velocity));
    }
    let mut simulation = made.build(grains).unwrap();
    simulation.run((1.0 / simulation.time_step()) as u64).unwrap();
    let energies = simulation.energies();
    assert!(energies.kinetic() < 1e-3 * energies.gravitational, "{energies:?}");
    assert!(simulation.state().periods().iter().any(|periods| periods[0] > 0), "some have gone round");
    let is_across = |contact: &multigrain_dem::Contact<2>| contact.shift != [0, 0];
    assert!(simulation.contacts().iter().any(is_across), "some touch across the border");
    assert!(simulation.overlaps().largest < 0.05, "{:?}", simulation.overlaps());
    let lies_in = |position: &[f64; 2]| (0.0..0.16).contains(&position[0]) && (0.0..0.2).contains(&position[1]);
    assert!(simulation.state().positions().iter().all(lies_in));
}

#[test]
fn grains_stay_in_a_drum_pass_a_hopper_and_follow_a_lid() {
    let grains = |count: usize, width: f64, bottom: f64, made: Setup<2>| {
        let mut rng = Rng::new(1);
        let columns = (width / 0.022) as usize;
        let shapes = (0..count).map(|_| ConvexPolygon::random(5, 0.01, &mut rng).unwrap());
        let shapes: Vec<_> = shapes.collect();
        let grain = |k: usize| {
            let x = (k % columns) as f64 * 0.022 - 0.5 * width + 0.011;
            Grain::polygon(k as u32, [x, bottom + (k / columns) as f64 * 0.022]).angle(6.0 * rng.uniform())
        };
        let grains: Vec<Grain<2>> = (0..count).map(grain).collect();
        made.with_shapes(shapes).build(grains).unwrap()
    };
    let simulate = |walls: Vec<Wall<2>>, count: usize, [width, bottom]: [f64; 2], time: f64| {
        let made = walls.into_iter().fold(setup(plastic()).gravity(GRAVITY), |made, wall| made.wall(wall));
        let mut simulation = grains(count, width, bottom, made.skin(Skin::Chosen));
        simulation.run((time / simulation.time_step()) as u64).unwrap();
        simulation.state().positions().to_vec()
    };
    let drum = Wall::ring([0.0; 2], 0.15, 0.03, 40).into_iter();
    let turned =
        simulate(drum.map(|piece| piece.turning([0.0, 0.0, 3.0], [0.0; 2]).moving()).collect(), 60, [0.18, -0.08], 0.5);
    assert!(turned.iter().all(|[x, y]| x.hypot(*y) < 0.15));
    assert!(turned.iter().any(|&[x, y]| x > 0.03 && y > -0.1), "carried up on the right");

    let reach = 0.2 / 1f64.tan();
    let hopper =
        vec![Wall::slab([-0.05 - reach, 0.2], [-0.05, 0.0], 0.03), Wall::slab([0.05, 0.0], [0.05 + reach, 0.2], 0.03)];
    let poured = simulate(hopper, 60, [0.12, 0.15], 0.6);
    assert!(poured.iter().filter(|[_, y]| *y < 0.0).count() > 20);

    // The shear cell of the paper: a lid with teeth is dragged over a box with teeth.
    let tooth = |x: f64, y: f64, up: f64| Wall::polygon(vec![[x - 0.01, y], [x + 0.01, y], [x, y + 0.01 * up]]);
    let drag = |wall: Wall<2>| wall.carrying([0.1, 0.0]).moving();
    let mut cell = vec![Wall::plane([-0.1, 0.0], [1.0, 0.0]), Wall::plane([0.1, 0.0], [-1.0, 0.0])];
    cell.push(Wall::plane([0.0, 0.0], [0.0, 1.0]));
    cell.push(drag(Wall::plane([0.0, 0.11], [0.0, -1.0])));
    for k in 0..5 {
        let x = -0.1 + (f64::from(k) + 0.5) * 0.04;
        cell.extend([tooth(x, 0.0, 1.0), drag(tooth(x, 0.11, -1.0))]);
    }
    let sheared = simulate(cell, 32, [0.176, 0.022], 0.4);
    assert!(sheared.iter().all(|[x, y]| x.abs() < 0.1 && (0.0..0.11).contains(y)));
}

#[test]
fn polygons_come_from_generators_and_go_by_outflows() {
    let shapes = [3, 5, 8].map(|corners| ConvexPolygon::regular(corners, 0.01).unwrap());
    let mut generator = Generator::new([-0.05, 0.2], [0.05, 0.3], 200.0, Vec::new());
    generator.shapes = vec![0, 1, 2];
    generator.limit = Some(40);
    let made = setup(plastic())
        .gravity(GRAVITY)
        .with_shapes(shapes)
        .wall(Wall::slab([-0.1, 0.1], [0.02, 0.0], 0.02))
        .generator(generator)
        .outflow(Outflow::Beyond { point: [0.0, -0.1], normal: [0.0, -1.0] });
    let mut simulation = made.build([]).unwrap();
    simulation.run_until(0.6).unwrap();
    assert!(simulation.generated() == 40 && simulation.removed() > 10, "{}", simulation.removed());
    assert_eq!(simulation.state().len() as u64, 40 - simulation.removed());
    let angles = simulation.state().angles();
    assert!(angles.windows(2).any(|pair| pair[0] != pair[1]));
}

/// Any law works on polygons: where it knows nothing of areas, it sees the depth of the overlap.
#[test]
fn polygons_take_the_laws_of_spheres() {
    for law in [ContactLaw::linear(1e5).restitution(0.5).friction(0.5), ContactLaw::hertz(1e7, 0.3).restitution(0.5)] {
        let (made, grains) = heap(law, 5, 4, 3, true);
        let mut simulation = made.integrator(Integrator::Verlet).impact_speed(1.0).build(grains).unwrap();
        simulation.run((0.6 / simulation.time_step()) as u64).unwrap();
        let energies = simulation.energies();
        assert!(energies.kinetic() < 0.02 * energies.gravitational, "{law:?}: {energies:?}");
        assert!(simulation.overlaps().largest < 0.1, "{law:?}: {:?}", simulation.overlaps());
    }
}

/// Discs that meet walls and each other by a law of points do so bit for bit as where there are no polygons.
#[test]
fn a_polygon_far_away_changes_nothing_for_discs() {
    let law = ContactLaw::linear(1e4).restitution(0.6).friction(0.4);
    let grains = |k: u32| Grain::at([0.021 * f64::from(k % 7), 0.011 + 0.0201 * f64::from(k / 7)], 0.01);
    let made = Setup::new()
        .material(Material::new(1000.0, law))
        .gravity(GRAVITY)
        .wall(Wall::inside_box([-0.015, 0.0], [0.15, 9.0]))
        .wall(Wall::plate(vec![[0.0, 0.005], [0.05, 0.0]]));
    let mut alone = made.clone().build((0..35).map(grains)).unwrap();
    let polygon = Grain::polygon(0, [0.1, 5.0]).held();
    let shape = ConvexPolygon::regular(5, 0.1).unwrap();
    let mut among = made.shape(shape).build((0..35).map(grains).chain([polygon])).unwrap();
    alone.run(2000).unwrap();
    among.run(2000).unwrap();
    assert!(alone.contact_count() > 10);
    for id in 0..35 {
        let (found, expected) = (place_of(&among, id).0, place_of(&alone, id).0);
        for axis in 0..2 {
            assert!((found[axis] - expected[axis]).abs() < 1e-12, "{id}: {found:?} {expected:?}");
        }
    }
}

#[test]
fn bad_setups_are_named() {
    let shape = || ConvexPolygon::regular(5, 0.1).unwrap();
    let problem = |made: Setup<2>, grain: Grain<2>| made.build([grain]).err().expect("an error").to_string();
    let made = || setup(plastic()).shape(shape());
    let unknown = problem(made(), Grain::polygon(1, [0.0; 2]));
    assert_eq!(unknown, "shape of grain 0 is 1, must be the number of a shape of the setup");
    let turned = problem(made(), Grain::polygon(0, [0.0; 2]).angle(f64::NAN));
    assert_eq!(turned, "angle of grain 0 is NaN, must be finite, within 1e12");
    let drum = problem(made().wall(Wall::cylinder([0.0; 2], [0.0; 2], 1.0)), Grain::polygon(0, [0.0; 2]));
    assert_eq!(drum, "wall 0 is a cylinder, which polygons cannot meet: take a ring of plates or polygons");
    let bent = Wall::polygon(vec![[0.0, 0.0], [1.0, 0.0], [0.2, 0.2], [0.0, 1.0]]);
    assert!(problem(made().wall(bent), Grain::polygon(0, [0.0; 2])).starts_with("wall 0 is a polygon that needs"));
    let negative = problem(setup(ContactLaw::area(-1.0)), Grain::at([0.0; 2], 1.0));
    assert_eq!(negative, "Young's modulus of material 0 is -1, must be positive and below 1e100");
    let share = problem(setup(ContactLaw::linear(1.0).damping_share(0.1)), Grain::at([0.0; 2], 1.0));
    assert_eq!(share, "share of the critical damping of material 0 is 0.1, belongs to the law of areas");
    let solid = Setup::<3>::new().material(Material::new(1.0, ContactLaw::area(1.0)));
    let solid = solid.build([Grain::at([0.0; 3], 1.0)]).err().expect("an error");
    assert_eq!(solid, Error::NotInSpace { what: "the law of areas" });
}

#[test]
fn a_lost_polygon_is_the_first_one_and_reported_where_it_was_last() {
    // Two fly too far in their second step, in different blocks.
    let speed = |k: u32| if [310, 700].contains(&k) { 0.6e150 } else { 1.0 };
    let grain = |k: u32| Grain::polygon(0, [0.0, 10.0 * f64::from(k)]).velocity([speed(k), 0.0]);
    let lost = |count: usize| {
        let made = setup(ContactLaw::area(1e7)).time_step(TimeStep::Given(1.0));
        let made = made.shape(ConvexPolygon::rectangle(1.0, 1.0).unwrap());
        let mut simulation = made.build((0..1000).map(grain)).unwrap();
        let error = threads(count).install(|| simulation.run(5)).unwrap_err();
        (error, simulation.state().fingerprint())
    };
    let (error, fingerprint) = lost(1);
    let position = vec![0.6e150, 3100.0];
    assert_eq!(error, Error::Lost { id: 310, step: 2, position, cause: Cause::TooFar });
    assert_eq!(lost(4), (error, fingerprint));
}

/// Sort-and-update beside a simulation, on the boxes around its polygons.
#[test]
fn exchanges_go_to_near_zero_as_a_heap_settles() {
    let (made, grains) = heap(plastic(), 16, 12, 9, false);
    let mut simulation = made.skin(Skin::Chosen).build(grains).unwrap();
    let (mut sweep, mut pairs) = (SortAndUpdate::<2>::new(), multigrain::Pairs::new());
    let mut extremes = vec![Extremes::default(); simulation.state().len()];
    let [mut lo, mut hi] = [vec![[0.0; 2]; extremes.len()], vec![[0.0; 2]; extremes.len()]];
    let mut exchanges = |steps: u64, simulation: &mut Simulation<2>| {
        let mut sum = 0;
        for _ in 0..steps {
            simulation.step().unwrap();
            for (place, &id) in simulation.state().ids().iter().enumerate() {
                let (polygon, k) = (simulation.polygon(place).unwrap(), id as usize);
                [lo[k], hi[k]] = polygon.bounding_box(&mut extremes[k]);
            }
            sweep.find_box_pairs(Boxes::new(&lo, &hi).unwrap(), &mut pairs);
            sum += sweep.exchanges();
        }
        sum as f64 / steps as f64
    };
    exchanges(1, &mut simulation);
    let falling = exchanges((0.3 / simulation.time_step()) as u64, &mut simulation);
    simulation.run((1.0 / simulation.time_step()) as u64).unwrap();
    exchanges(1, &mut simulation);
    let resting = exchanges(2000, &mut simulation);
    assert!(falling > 0.1, "{falling}");
    assert!(resting < 0.05 * falling && resting < 0.01, "{falling} exchanges per step, then {resting}");
}
