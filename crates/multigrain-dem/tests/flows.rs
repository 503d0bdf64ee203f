//! Grains that come by rate, mass or number into regions of any kind, leave, and are counted on the way.

use multigrain::Domain;
use multigrain_dem::{
    ClumpShape, ContactLaw, Generator, Grain, Made, Material, Meter, Outflow, Pace, Region, Setup, Simulation, Skin,
};
use multigrain_methods::Method;
use std::f64::consts::PI;

fn material() -> Material {
    Material::new(2.0, ContactLaw::linear(2000.0).restitution(0.5).friction(0.3))
}

fn setup() -> Setup<3> {
    Setup::new().material(material()).gravity([0.0, 0.0, -1.0])
}

fn ball(radius: f64) -> f64 {
    4.0 / 3.0 * PI * radius.powi(3) * 2.0
}

fn radii_by_id(simulation: &Simulation<3>) -> Vec<f64> {
    let state = simulation.state();
    (0..simulation.generated()).map(|id| state.radii()[state.place_of(id).unwrap()]).collect()
}

#[test]
fn sizes_follow_the_law_however_crowded_it_is() {
    let sizes = vec![0.05, 0.05, 0.05, 0.2];
    let all_of = |hi: f64, rate: f64| {
        let generator = Generator { seed: 9, ..Generator::new([0.0; 3], [hi; 3], rate, sizes.clone()) };
        let mut simulation = setup().gravity([0.0; 3]).generator(generator).build([]).unwrap();
        simulation.run(4000).unwrap();
        radii_by_id(&simulation)
    };
    // In the small box large ones must wait for a place, and small ones behind them.
    let (free, crowded) = (all_of(6.0, 600.0), all_of(1.0, 6000.0));
    assert!(crowded.len() > 15 && free.len() > 40, "{} {}", free.len(), crowded.len());
    let common = free.len().min(crowded.len());
    assert_eq!(free[..common], crowded[..common]);
    let large = free.iter().filter(|&&radius| radius > 0.1).count() as f64 / free.len() as f64;
    assert!((large - 0.25).abs() < 0.15, "{large}");
}

#[test]
fn a_rate_of_mass_is_kept_to_a_grain_and_ends_at_a_mass() {
    let (rate, limit) = (30.0 * ball(0.1), 20.0 * ball(0.1));
    let region = Region::Cylinder { ends: [[0.0, 0.0, 2.0], [0.0, 0.0, 4.0]], radius: 1.0 };
    let generator = Generator {
        velocity: [0.0, 0.0, -1.0],
        mass_limit: Some(limit),
        start: 0.1,
        ..Generator::in_region(region, Pace::Mass(rate), vec![0.08, 0.1, 0.12])
    };
    let mut simulation = setup().generator(generator).build([]).unwrap();
    let heaviest = ball(0.12);
    while simulation.time() < 2.0 {
        simulation.run(16).unwrap();
        let due = (rate * (simulation.time() - 0.1)).clamp(0.0, limit);
        let Made { mass, .. } = simulation.made()[0];
        let step = rate * 32.0 * simulation.time_step();
        assert!(mass > due - step - heaviest && mass < due + heaviest, "{mass} of {due}");
    }
    let Made { grains, mass } = simulation.made()[0];
    let there: f64 = simulation.state().masses().iter().sum();
    assert!((there - mass).abs() < 1e-12 && grains as usize == simulation.state().len());
    assert!(mass >= limit && mass < limit + heaviest);
}

#[test]
fn without_a_rate_as_many_come_as_fit_up_to_a_number_and_not_after_its_end() {
    let generator = |limit| Generator { limit, ..Generator::in_region(cube(), Pace::AsManyAsFit, vec![0.1]) };
    let mut full = setup().gravity([0.0; 3]).generator(generator(None)).build([]).unwrap();
    full.run(100).unwrap();
    let few = full.generated();
    assert!(few > 40, "{few}");
    let contacts = full.contact_count();
    assert_eq!(contacts, 0, "none touches another");
    let mut some = setup().gravity([0.0; 3]).generator(generator(Some(17))).build([]).unwrap();
    some.run(100).unwrap();
    assert_eq!(some.generated(), 17);
    let late = Generator { start: 5.0, until: 6.0, ..generator(None) };
    let mut late = setup().generator(late).build([]).unwrap();
    late.run_until(4.9).unwrap();
    assert_eq!(late.generated(), 0);
    late.run_until(6.0).unwrap();
    let made = late.generated();
    assert!(made > 0);
    late.run_until(9.0).unwrap();
    assert_eq!(late.generated(), made);
}

fn cube() -> Region<3> {
    Region::Box { lo: [0.0; 3], hi: [1.2; 3] }
}

#[test]
fn grains_come_where_the_region_is_with_the_velocities_of_the_law() {
    let corners = vec![[0.0, 0.0, 1.0], [3.0, 0.0, 2.0], [3.0, 3.0, 2.0], [0.0, 3.0, 1.0]];
    let regions = [
        Region::Ball { center: [1.0; 3], radius: 1.5 },
        Region::Cylinder { ends: [[0.0; 3], [2.0, 1.0, 0.5]], radius: 0.9 },
        Region::Face { corners },
    ];
    for region in regions {
        let generator = Generator {
            limit: Some(30),
            velocity: [1.0, 0.0, 0.0],
            speed: 0.1,
            ..Generator::in_region(region.clone(), Pace::AsManyAsFit, vec![0.1, 0.13])
        };
        let mut simulation = setup().gravity([0.0; 3]).generator(generator).build([]).unwrap();
        let dt = simulation.time_step();
        simulation.run(1).unwrap();
        let state = simulation.state();
        assert!(state.len() > 10 && simulation.contact_count() == 0, "{region:?}");
        let (mut mean, mut squares) = (0.0, 0.0);
        for (x, v) in state.positions().iter().zip(state.velocities()) {
            let at: [f64; 3] = std::array::from_fn(|k| x[k] - dt * v[k]);
            match &region {
                Region::Face { .. } => assert!((at[2] - 1.0 - at[0] / 3.0).abs() < 1e-9, "{at:?}"),
                inside => assert!(inside.contains(at), "{inside:?} {at:?}"),
            }
            mean += v[0];
            squares += v[1] * v[1] + v[2] * v[2];
        }
        let count = state.len() as f64;
        assert!((mean / count - 1.0).abs() < 0.1, "{mean}");
        assert!(((squares / (2.0 * count)).sqrt() - 0.1).abs() < 0.04, "{squares}");
    }
}

/// Spheres and clumps come in three ways, cross meters, and leave by two outflows.
fn plant() -> Setup<3> {
    let dumbbell = ClumpShape::new(&[([0.0; 3], 0.12), ([0.15, 0.0, 0.0], 0.1)]).unwrap();
    let bottom = Region::Ball { center: [1.0, 1.0, 0.3], radius: 0.8 };
    setup()
        .gravity([0.3, 0.0, -5.0])
        .domain(Domain::new([0.0; 3], [2.0, 2.0, 5.0], [true, true, false]).unwrap())
        .clump_shape(dumbbell)
        .generator(Generator {
            velocity: [0.0, 0.0, -1.0],
            ..Generator::in_region(
                Region::Cylinder { ends: [[1.0, 1.0, 3.0], [1.0, 1.0, 4.0]], radius: 0.7 },
                Pace::Mass(2.0),
                vec![0.07, 0.1],
            )
        })
        .generator(Generator {
            clumps: vec![0],
            seed: 5,
            speed: 0.2,
            ..Generator::new([0.0, 0.0, 3.0], [2.0, 2.0, 4.5], 40.0, Vec::new())
        })
        .meter(Meter::new([0.0, 0.0, 2.0], [0.0, 0.0, -1.0]))
        .meter(Meter { region: Some(cube()), ..Meter::new([0.0, 0.0, 1.0], [0.0, 0.0, -2.0]) })
        .outflow(Outflow::Inside(bottom))
        .outflow(Outflow::Beyond { point: [0.0; 3], normal: [0.0, 0.0, -1.0] })
}

#[test]
fn masses_that_come_go_and_stay_balance() {
    let mut simulation = plant().build([Grain::at([0.3, 0.3, 2.5], 0.1)]).unwrap();
    simulation.run_until(2.5).unwrap();
    let made: f64 = simulation.made().iter().map(|made| made.mass).sum::<f64>() + ball(0.1);
    let [left, metered] = [simulation.left(), simulation.metered()];
    assert!(left.iter().chain(metered).all(|passed| passed.grains > 5), "{left:?}");
    let gone: f64 = left.iter().map(|passed| passed.mass.value()).sum();
    let clumps: f64 = simulation.clumps().iter().map(|clump| clump.mass).sum();
    let stay: f64 = simulation.state().masses().iter().sum::<f64>() + clumps;
    assert!((made - gone - stay).abs() < 1e-9 * made, "{made} came, {gone} went, {stay} are there");
    // All that came is above the meter, or has passed it.
    let above = |z: f64| z > 2.0;
    let free = |place: &usize| simulation.clump_of(*place).is_none();
    let state = simulation.state();
    let spheres = (0..state.len()).filter(free).filter(|&place| above(state.positions()[place][2]));
    let clumps = simulation.clumps().iter().filter(|clump| above(clump.position[2])).count() as i64;
    let count = simulation.generated() as i64 + 1;
    assert_eq!(metered[0].grains + spheres.count() as i64 + clumps, count);
    assert!(metered[1].grains < metered[0].grains);
}

#[test]
fn threads_methods_skins_and_resuming_change_no_bit_of_what_comes_and_goes() {
    let run = |setup: Setup<3>, threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = setup.build([]).unwrap();
            simulation.run(1500).unwrap();
            simulation.encode()
        })
    };
    let whole = run(plant(), 1);
    for threads in [2, 3, 8] {
        assert!(run(plant(), threads) == whole, "{threads} threads");
    }
    assert!(run(plant().method(Method::LinkedCell).skin(Skin::Width(0.05)), 2) == whole);
    for at in [1, 700, 1499] {
        let mut begun = plant().build([]).unwrap();
        begun.run(at).unwrap();
        let mut resumed = plant().skin(Skin::Chosen).resume(&begun.encode()).unwrap();
        resumed.run(1500 - at).unwrap();
        assert!(resumed.encode() == whole, "saved after {at} steps");
    }
}

/// The same plant under a wide layer, and over another: more grains than two blocks hold, so that threads share the work.
#[test]
fn threads_change_no_bit_of_what_comes_and_goes_beside_thousands() {
    let side = 67;
    let layer = |height: f64| {
        let place = move |k: i32| [0.5 * f64::from(k % side) + 0.25, 0.5 * f64::from(k / side) + 0.25, height];
        (0..side * side).map(move |k| Grain::at(place(k), 0.2).velocity([0.0, 0.0, -1.0]))
    };
    let wide = Domain::new([0.0; 3], [0.5 * f64::from(side), 0.5 * f64::from(side), 5.0], [true, true, false]);
    let setup = plant().domain(wide.unwrap());
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = setup.clone().build(layer(0.01).chain(layer(2.01))).unwrap();
            simulation.run_until(0.04).unwrap();
            let gone: i64 = simulation.left().iter().map(|left| left.grains).sum();
            assert!(gone > 4000 && simulation.metered()[0].grains > 4000 && simulation.generated() > 0);
            assert!(simulation.state().len() > 4096);
            simulation.encode()
        })
    };
    let expected = run(1);
    for threads in [2, 3, 8] {
        assert!(run(threads) == expected, "{threads} threads");
    }
}

#[test]
fn meters_count_across_periodic_borders_and_take_back_what_returns() {
    let domain = Domain::periodic([0.0; 2], [1.0; 2]).unwrap();
    let meter = |x: f64| Meter::new([x, 0.0], [1.0, 0.0]);
    let mut simulation = Setup::new()
        .material(material())
        .domain(domain)
        .meter(meter(0.5))
        .meter(meter(1e-9))
        .meter(meter(1.0 - 1e-9))
        .meter(Meter::new([0.0, 0.5], [0.0, 1.0]))
        .meter(Meter { region: Some(Region::Box { lo: [0.0; 2], hi: [1.0, 0.3] }), ..meter(0.5) })
        .build([Grain::at([0.1, 0.2], 0.05).velocity([2.0, 0.0]), Grain::at([0.2, 0.8], 0.05).velocity([-1.0, 0.0])])
        .unwrap();
    simulation.run_until(10.0).unwrap();
    let counts: Vec<i64> = simulation.metered().iter().map(|passed| passed.grains).collect();
    // Twenty rounds forward, ten back.
    assert!((counts[0] - 10).abs() <= 1 && (counts[1] - 10).abs() <= 1 && (counts[2] - 10).abs() <= 1, "{counts:?}");
    assert_eq!(counts[3], 0);
    assert!((counts[4] - 20).abs() <= 1, "{counts:?}");
    let mass = 2.0 * PI * 0.05 * 0.05;
    assert!((simulation.metered()[4].mass.value() - counts[4] as f64 * mass).abs() < 1e-12);
}

/// Many small grains lie everywhere in a region, with all that they are.
#[test]
fn regions_are_filled_evenly_and_to_their_borders() {
    fn centers<const D: usize>(region: &Region<D>, radius: f64) -> Vec<[f64; D]>
    where
        multigrain::Axes: multigrain::Dimension<D>,
    {
        let generator =
            Generator { limit: Some(1500), ..Generator::in_region(region.clone(), Pace::AsManyAsFit, vec![radius]) };
        let mut simulation = Setup::new().material(material()).generator(generator).build([]).unwrap();
        simulation.run(1).unwrap();
        assert_eq!(simulation.generated(), 1500);
        simulation.state().positions().to_vec()
    }
    let corners = vec![[0.0, 0.0, 1.0], [4.0, 0.0, 1.0], [4.0, 2.0, 1.0], [0.0, 2.0, 1.0]];
    for region in [
        Region::Box { lo: [-1.0, 0.0, 2.0], hi: [1.0, 3.0, 4.0] },
        Region::Ball { center: [1.0, 2.0, 3.0], radius: 1.5 },
        Region::Cylinder { ends: [[0.0, 1.0, 2.0], [3.0, 2.0, 1.0]], radius: 0.8 },
        Region::Face { corners },
    ] {
        let [lo, hi] = region.bounds();
        let all = centers(&region, 0.01);
        for axis in (0..3).filter(|&axis| hi[axis] > lo[axis]) {
            let of: Vec<f64> = all.iter().map(|x| (x[axis] - lo[axis]) / (hi[axis] - lo[axis])).collect();
            let mean = of.iter().sum::<f64>() / of.len() as f64;
            let [least, most] = [f64::min, f64::max].map(|pick| of.iter().copied().reduce(pick).unwrap());
            assert!((mean - 0.5).abs() < 0.03 && least < 0.15 && most > 0.85, "{region:?}: {least} {mean} {most}");
        }
        // On all sides of each center there is room for a grain inside.
        for (x, axis) in all.iter().flat_map(|x| (0..3).map(move |axis| (x, axis))).filter(|_| region.has_inside()) {
            for side in [-0.0099, 0.0099] {
                let mut end = *x;
                end[axis] += side;
                assert!(region.contains(end), "{region:?}: {x:?}");
            }
        }
    }
    let rectangle = Region::Cylinder { ends: [[0.0, 0.0], [3.0, 4.0]], radius: 1.0 };
    assert!(rectangle.contains([1.5 + 0.79, 2.0 - 0.59]) && !rectangle.contains([1.5 + 0.81, 2.0 - 0.61]));
    assert!(centers(&rectangle, 0.01).iter().all(|&x| rectangle.contains(x)));
}

#[test]
fn regions_that_are_none_are_refused() {
    let line = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]];
    let bent = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.5], [0.0, 1.0, 0.0]];
    let hollow = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.0, 2.0, 0.0]];
    for region in [
        Region::Box { lo: [0.0; 3], hi: [1.0, 1.0, 0.5] },
        Region::Ball { center: [0.0; 3], radius: 0.29 },
        Region::Ball { center: [f64::NAN; 3], radius: 1.0 },
        Region::Cylinder { ends: [[0.0; 3]; 2], radius: 1.0 },
        Region::Cylinder { ends: [[0.0; 3], [1.0; 3]], radius: f64::INFINITY },
        Region::Face { corners: line.to_vec() },
        Region::Face { corners: bent.to_vec() },
        Region::Face { corners: hollow.to_vec() },
        Region::Face { corners: line[..2].to_vec() },
    ] {
        let generator = Generator::in_region(region.clone(), Pace::AsManyAsFit, vec![0.3]);
        assert!(setup().generator(generator).build([]).is_err(), "{region:?}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let generator = || Generator::new([0.0; 3], [1.0; 3], 5.0, vec![0.1]);
    let of = |generator: Generator<3>| setup().generator(generator).build([]).map(|_| ()).unwrap_err().to_string();
    let rate = Generator { pace: Pace::Mass(f64::NAN), ..generator() };
    assert_eq!(of(rate), "rate of generator 0 is NaN, must be positive and finite");
    let end = Generator { start: 2.0, until: 1.0, ..generator() };
    assert_eq!(of(end), "end of generator 0 is 1, must be after its start");
    let clump = Generator { clumps: vec![3], ..generator() };
    assert_eq!(of(clump), "clump shape of generator 0 is 3, must be the number of a clump shape of the setup");
    let small = Region::Ball { center: [0.0; 3], radius: 0.05 };
    let small = Generator { region: small, ..generator() };
    assert_eq!(of(small), "radius of the region of generator 0 is 0.05, must be finite and hold the largest grain");
    let face = Region::Face { corners: vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]] };
    let refusal = |setup: Setup<3>| setup.build([]).map(|_| ()).unwrap_err().to_string();
    let text = refusal(setup().outflow(Outflow::Inside(face)));
    assert_eq!(text, "volume of the region of outflow 0 is 0, must have an inside: a box, a ball or a cylinder");
    let text = refusal(setup().meter(Meter::new([0.0; 3], [0.0; 3])));
    assert_eq!(text, "normal of meter 0 is 0, must be finite, and not all 0");
}
