//! What cannot be simulated is refused by name; what goes wrong on the way is named and leaves a state behind.

use multigrain::Domain;
use multigrain_dem::{
    Cause, ContactLaw, Error, Generator, Grain, Integrator, Material, Outflow, Setup, Simulation, Skin, TimeStep, Wall,
};

fn material() -> Material {
    Material::new(1.0, ContactLaw::linear(100.0).restitution(0.8).friction(0.3))
}

fn error<const D: usize>(result: Result<Simulation<D>, Error>) -> String {
    result.err().expect("it is refused").to_string()
}

#[test]
fn setups_that_make_no_sense_are_refused_with_the_value_and_what_it_must_be() {
    let grain = Grain::at([0.0, 0.0], 1.0);
    let with = |law| Setup::new().material(Material::new(1.0, law)).build([grain]);
    let message = error(with(ContactLaw::linear(-5.0)));
    assert_eq!(message, "stiffness of material 0 is -5, must be positive and finite");
    assert_eq!(
        error(with(ContactLaw::linear(5.0).restitution(1.5))),
        "restitution of material 0 is 1.5, must be above 0 and at most 1"
    );
    assert!(error(with(ContactLaw::hertz(1e5, 0.7))).starts_with("Poisson's ratio of material 0 is 0.7"));
    assert!(error(with(ContactLaw::hertz(1e5, 0.3).damping(1.0))).contains("with Hertz give a restitution"));
    assert!(error(with(ContactLaw::linear(1.0).friction(-0.1))).starts_with("friction of material 0 is -0.1"));
    assert!(error(Setup::<2>::new().build([grain])).starts_with("no material was given"));
    let setup = || Setup::new().material(material());
    assert_eq!(
        error(setup().build([grain, Grain::at([0.0, 0.0], -1.0)])),
        "radius of grain 1 is -1, must be positive and finite, from 1e-150 to 1e150"
    );
    assert_eq!(
        error(setup().build([grain.material(3)])),
        "grain 0 is of material 3, but there are only 1, numbered from 0"
    );
    assert!(error(setup().build([grain.velocity([f64::NAN, 0.0])])).starts_with("velocity of grain 0 is NaN"));
    assert!(error(setup().build([Grain::at([0.0, 1e200], 1.0)])).starts_with("position of grain 0 is 1000"));
    assert_eq!(
        error(setup().skin(Skin::Width(-1.0)).build([grain])),
        "skin is -1, must be 0 or between 1e-150 and 1e150"
    );
    let periodic = Domain::new([0.0; 2], [9.0, 4.0], [true, true]).unwrap();
    let message = error(setup().domain(periodic).skin(Skin::Width(4.5)).build([grain]));
    assert!(message.starts_with("skin is 4.5, must be no longer than the periodic box"), "{message}");
    assert!(setup().skin(Skin::Width(4.5)).build([grain]).is_ok());
    let wrong_unit = Domain::new([0.0; 2], [9e-3, 4e-3], [true, true]).unwrap();
    let message = error(setup().domain(wrong_unit).build([grain, Grain::at([3.0, 0.0], 1.0)]));
    assert!(message.starts_with("the periodic box is far smaller than the grains: 2 of them would have"), "{message}");
    let sheared = Domain::from_cell([0.0; 2], [[4.0, 0.0], [1.0, 4.0]], [true; 2]).unwrap();
    let pouring = setup().domain(sheared).generator(Generator::new([0.0; 2], [1.0; 2], 1.0, vec![0.1]));
    assert!(error(pouring.build([grain])).contains("takes no sheared cell"));
    let mut simulation = setup().build([grain]).unwrap();
    assert!(simulation.insert(Grain::at([f64::INFINITY, 0.0], 1.0)).is_err());
    assert_eq!(simulation.state().len(), 1);
    simulation.run(5).unwrap();
    assert!(error(setup().time_step(TimeStep::Given(0.0)).build([grain])).starts_with("time step is 0"));
    assert!(error(setup().build([])).starts_with("no time step can be chosen: there are no grains yet"));
    assert!(
        error(setup().wall(Wall::plane([0.0; 2], [0.0, 1.0]).material(1)).build([grain])).starts_with("wall 0 is of")
    );
    let generator = Generator::new([0.0; 2], [1.0; 2], 5.0, vec![0.8]);
    assert!(error(setup().generator(generator).build([grain])).starts_with("width of generator 0 is 1"));
}

#[test]
fn a_periodic_box_may_lie_far_from_the_origin() {
    let lo = 1e9;
    let domain = Domain::new([lo; 2], [lo + 1.0; 2], [true; 2]).unwrap();
    let build = |x: f64| Setup::new().material(material()).domain(domain).build([Grain::at([x, lo + 0.5], 0.1)]);
    let mut simulation = build(lo + 0.5).unwrap();
    simulation.run(5).unwrap();
    assert_eq!(simulation.state().positions(), [[lo + 0.5; 2]]);
    assert!(build(lo + 1e6).is_ok());
    assert!(error(build(0.0)).starts_with("position of grain 0 is 0, must be finite, and not absurdly far"));
}

#[test]
fn a_particle_that_turns_non_finite_is_named_and_the_state_can_be_saved() {
    // Two grains in nearly the same place, pushed so hard that their velocities overflow.
    let setup = Setup::new().material(Material::new(1e-300, ContactLaw::linear(1e300))).time_step(TimeStep::Given(1.0));
    let grains = [Grain::at([5.0, 5.0], 0.1), Grain::at([0.0, 0.0], 1.0), Grain::at([0.5, 0.0], 1.0)];
    let mut simulation = setup.clone().build(grains).unwrap();
    let error = simulation.run(10).unwrap_err();
    let Error::Lost { id, step, ref position, cause } = error else { panic!("{error}") };
    assert_eq!((id, position.len()), (1, 2));
    assert!(position.iter().all(|x| x.is_finite()), "the last good one: {position:?}");
    assert!(step == simulation.steps() && (1..=2).contains(&step));
    assert!(matches!(cause, Cause::NotFinite | Cause::TooFar));
    assert!(error.to_string().starts_with(&format!("particle 1 was lost in step {step}: ")), "{error}");
    assert_eq!(simulation.state().len(), 3);
    assert_eq!(setup.resume(&simulation.encode()).unwrap().state().len(), 3);
}

#[test]
fn a_particle_that_leaves_the_bounds_is_named_with_its_position() {
    let mut simulation = Setup::new()
        .material(material())
        .bounds([-1.0; 2], [1.0; 2])
        .time_step(TimeStep::Given(0.1))
        .build([Grain::at([0.0, 0.0], 0.1), Grain::at([0.5, 0.5], 0.1).velocity([0.0, 1.0])])
        .unwrap();
    let error = simulation.run(100).unwrap_err();
    let Error::Lost { id, step, ref position, cause } = error else { panic!("{error}") };
    assert_eq!((id, step, cause), (1, 6, Cause::LeftBounds));
    assert!((position[1] - 1.0).abs() < 1e-9, "the step before led to the border: {position:?}");
    assert_eq!(simulation.steps(), 6);
    assert!(error.to_string().contains("it left the bounds of the simulation; last good position [0.5, "), "{error}");
}

/// Far beyond what can be worked with in open space, in a periodic box, and with every integrator.
#[test]
fn a_particle_that_flies_too_far_is_named_with_its_last_good_position() {
    let periodic = Domain::periodic([0.0; 2], [1.0; 2]).unwrap();
    for domain in [Domain::open(), periodic] {
        for integrator in [Integrator::Verlet, Integrator::PlainVerlet, Integrator::Gear] {
            let fast = Grain::at([0.25, 0.5], 0.1).velocity([9e149, 0.0]);
            let mut simulation = Setup::new()
                .material(material())
                .domain(domain)
                .integrator(integrator)
                .time_step(TimeStep::Given(1.0))
                .build([Grain::at([0.75, 0.5], 0.1), fast])
                .unwrap();
            let error = simulation.run(10).unwrap_err();
            let Error::Lost { id, step, ref position, cause } = error else { panic!("{error}") };
            assert_eq!((id, cause, step), (1, Cause::TooFar, simulation.steps()));
            let steps_before = (step - 1) as f64;
            assert_eq!(position, &[0.25 + steps_before * 9e149, 0.5]);
            assert_eq!(step, if domain.has_images() { 1 } else { 2 });
            let place = simulation.state().place_of(1).unwrap();
            assert_eq!(&simulation.state().positions()[place][..], position);
        }
    }
}

#[test]
fn saved_bytes_that_are_damaged_or_belong_elsewhere_are_refused_in_words() {
    let setup = Setup::new().material(material()).wall(Wall::plane([0.0; 2], [0.0, 1.0])).gravity([0.0, -1.0]);
    let mut simulation = setup.clone().build([Grain::at([0.0, 0.9], 1.0), Grain::at([0.5, 2.0], 0.5)]).unwrap();
    simulation.run(20).unwrap();
    let bytes = simulation.encode();
    assert!(setup.clone().resume(&bytes).is_ok());
    let mut written = Vec::new();
    simulation.encode_to(&mut written).unwrap();
    assert_eq!(written, bytes);
    let resumed = setup.clone().resume_from(&mut std::io::Cursor::new(&bytes)).unwrap();
    assert_eq!((resumed.state(), resumed.contacts()), (simulation.state(), simulation.contacts()));
    let refused = |bytes: &[u8]| error(setup.clone().resume(bytes));
    assert!(refused(&[]).ends_with("it is too short to be one"));
    assert!(refused(b"PK\x03\x04 something else entirely").contains("does not begin like a multigrain checkpoint"));
    for cut in [40, 80, bytes.len() / 2, bytes.len() - 1] {
        assert!(refused(&bytes[..cut]).contains("checksum is wrong"), "cut at {cut}");
    }
    for changed in [20, 100, bytes.len() / 2, bytes.len() - 1] {
        let mut bytes = bytes.clone();
        bytes[changed] ^= 0x10;
        assert!(refused(&bytes).contains("checksum is wrong"), "changed at {changed}");
    }
    let mut later = bytes.clone();
    later[8] = 9;
    assert!(refused(&later).contains("it has version 9, this program reads 8"));
    let heavier = setup.clone().gravity([0.0, -2.0]);
    let told = error(heavier.resume(&bytes));
    assert!(told.contains("made with other materials, walls, gravity"), "{told}");
    assert!(told.ends_with("gravity was `0e0 -1e0`, is `0e0 -2e0`"), "{told}");
    let in_space = Setup::<3>::new().material(material());
    assert!(error(in_space.resume(&bytes)).contains("it has 2 dimensions, the setup has 3"));
}

/// Bytes with a right checksum, too.
#[test]
fn a_saved_time_step_that_is_no_number_is_refused() {
    let setup = Setup::new().material(material());
    let simulation = setup.clone().build([Grain::at([0.0; 2], 1.0)]).unwrap();
    let (bytes, step) = (simulation.encode(), simulation.time_step().to_le_bytes());
    let at = bytes.windows(8).position(|window| window == step).unwrap();
    for wrong in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let mut bytes = bytes.clone();
        bytes[at..at + 8].copy_from_slice(&f64::to_le_bytes(wrong));
        multigrain_dem::seal(&mut bytes);
        let message = error(setup.clone().resume(&bytes));
        assert!(message.ends_with("its contents do not fit together"), "{wrong}: {message}");
    }
}

/// A million steps more would be more than can be counted.
#[test]
fn a_saved_number_of_steps_that_nothing_reaches_is_refused() {
    let setup = Setup::new().material(material());
    let mut simulation = setup.clone().build([Grain::at([0.0; 2], 1.0)]).unwrap();
    simulation.run(0x1_0203).unwrap();
    let bytes = simulation.encode();
    let at = bytes.windows(8).position(|window| window == 0x1_0203u64.to_le_bytes()).unwrap();
    for (steps, is_taken) in [(u64::MAX, false), (1 << 53, false), ((1 << 53) - 1, true)] {
        let mut bytes = bytes.clone();
        bytes[at..at + 8].copy_from_slice(&u64::to_le_bytes(steps));
        multigrain_dem::seal(&mut bytes);
        let resumed = setup.clone().resume(&bytes);
        assert_eq!(resumed.is_ok(), is_taken, "{steps}");
        assert!(resumed.is_err() || resumed.unwrap().run(5).is_ok());
    }
}

/// Places so far off that the periods to them cannot be counted.
#[test]
fn saved_places_that_nothing_reaches_are_refused() {
    let periodic = Domain::new([0.0; 2], [1.0; 2], [true; 2]).unwrap();
    let setup = Setup::new().material(material()).domain(periodic);
    let simulation = setup.clone().build([Grain::at([0.3, 0.123_456_7], 0.1)]).unwrap();
    let bytes = simulation.encode();
    let at = bytes.windows(8).position(|window| window == 0.123_456_7f64.to_le_bytes()).unwrap();
    for (place, is_taken) in [(1e20, false), (-3e9, false), (f64::NAN, false), (1e5, true)] {
        let mut bytes = bytes.clone();
        bytes[at..at + 8].copy_from_slice(&f64::to_le_bytes(place));
        multigrain_dem::seal(&mut bytes);
        let resumed = setup.clone().resume(&bytes);
        assert_eq!(resumed.is_ok(), is_taken, "{place}");
        assert!(resumed.is_err() || resumed.unwrap().run(5).is_ok());
    }
}

#[test]
fn grains_are_inserted_without_overlap_at_their_rate_and_removed_where_they_leave() {
    let radii = vec![0.05, 0.1];
    let mut simulation = Setup::new()
        .material(material())
        .generator(Generator {
            velocity: [0.0, -2.0],
            limit: Some(150),
            ..Generator::new([0.0, 4.0], [3.0, 5.0], 100.0, radii)
        })
        .outflow(Outflow::Beyond { point: [0.0, 0.0], normal: [0.0, -1.0] })
        .time_step(TimeStep::Given(1e-3))
        .build([])
        .unwrap();
    simulation.run(1000).unwrap();
    let made = simulation.generated();
    assert!((97..=100).contains(&made), "{made} grains after a second");
    assert_eq!(simulation.contact_count(), 0, "grains that all move alike never touch");
    simulation.run(3000).unwrap();
    assert_eq!((simulation.generated(), simulation.removed(), simulation.state().len()), (150, 150, 0));
    simulation.run(10).unwrap();
    let id = simulation.insert(Grain::at([0.5, 3.0], 0.1)).unwrap();
    assert_eq!(id, 150);
    simulation.set_motion(id, [0.0, 5.0], [0.0; 3]).unwrap();
    simulation.step().unwrap();
    assert!(simulation.remove(id).unwrap().velocity[1] > 4.9);
    assert_eq!(simulation.remove(id), Err(Error::NoSuchParticle { id }));
}

/// A generator in a full box waits, and goes on when there is room.
#[test]
fn a_grain_without_a_free_place_waits() {
    let mut simulation = Setup::new()
        .material(material())
        .generator(Generator::new([0.0; 2], [1.0; 2], 1e4, vec![0.2]))
        .time_step(TimeStep::Given(1e-3))
        .build([])
        .unwrap();
    simulation.run(200).unwrap();
    let fitting = simulation.generated();
    assert!((2..=5).contains(&fitting), "{fitting}");
    simulation.remove(0).unwrap();
    simulation.run(200).unwrap();
    assert!(simulation.generated() >= fitting);
}

#[test]
fn held_grains_keep_their_velocity_and_hold_others_up() {
    let mut simulation = Setup::new()
        .material(material())
        .gravity([0.0, -1.0])
        .build([Grain::at([0.0, 0.0], 1.0).velocity([0.0, 0.25]).held(), Grain::at([0.0, 1.5], 0.5)])
        .unwrap();
    simulation.run_until(10.0).unwrap();
    let place = |id| simulation.state().place_of(id).unwrap();
    assert!((simulation.state().positions()[place(0)][1] - 0.25 * simulation.time()).abs() < 1e-9);
    assert!((simulation.state().velocities()[place(1)][1] - 0.25).abs() < 1e-3);
}

#[test]
fn a_time_step_that_is_no_number_is_refused_with_what_caused_it() {
    let with = |density: f64, stiffness: f64| {
        Setup::new().material(Material::new(density, ContactLaw::linear(stiffness))).build([Grain::at([0.0; 3], 1e-2)])
    };
    let message = error(with(1e-305, 1e4));
    assert!(
        message.starts_with("duration of the shortest contact, with materials 0 and 0 and a mass of "),
        "{message}"
    );
    assert!(message.ends_with("check density, radius and stiffness, or give a time step"), "{message}");
    assert!(error(with(1e300, 1e-300)).contains("must be positive and finite"));
    assert!(with(1e-290, 1e4).is_ok());
}

/// The moment of inertia underflows: nothing can be turned by a finite amount.
#[test]
fn a_spin_that_is_no_number_is_a_lost_particle() {
    let grains = [Grain::at([0.0, 0.0], 1e-100), Grain::at([3.0, 0.0], 1.0)];
    let setup = Setup::new().material(material()).time_step(TimeStep::Given(1e-3));
    let mut simulation = setup.build(grains).unwrap();
    let Err(Error::Lost { id, cause, step, .. }) = simulation.run(3) else { panic!("it is lost") };
    assert_eq!((id, step, cause), (0, 1, Cause::SpinNotFinite));
}

#[test]
fn overlaps_are_reported_as_a_share_of_the_smaller_radius() {
    let build = |grains: Vec<Grain<2>>| {
        let setup = Setup::new().material(material()).wall(Wall::plane([0.0, 0.0], [0.0, 1.0]));
        setup.build(grains).unwrap().overlaps()
    };
    let apart = build(vec![Grain::at([0.0, 1.5], 1.0), Grain::at([4.0, 1.5], 1.0)]);
    assert_eq!((apart.count, apart.largest, apart.ids), (0, 0.0, None));
    let pair = build(vec![Grain::at([0.0, 4.0], 2.0), Grain::at([2.75, 4.0], 1.0), Grain::at([9.0, 0.875], 1.0)]);
    assert_eq!((pair.count, pair.largest, pair.ids), (2, 0.25, Some((0, Some(1)))));
    let wall = build(vec![Grain::at([0.0, 0.5], 1.0), Grain::at([9.0, 0.875], 1.0)]);
    assert_eq!((wall.count, wall.largest, wall.ids), (2, 0.5, Some((0, None))));
    let held = build(vec![Grain::at([0.0, 4.0], 2.0).held(), Grain::at([2.75, 4.0], 1.0).held()]);
    assert_eq!(held.count, 0);
}
