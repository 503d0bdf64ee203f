//! A simulation on ranks has the bits of one that was never cut, for any ranks, skins and cuts, and after it was resumed on
//! another number of ranks.

mod golden;
mod mixture;

mod guests;
mod scenes;

use golden::fingerprint;
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{ContactLaw, Deformation, Grain, Integrator, Material, Outflow, Phase, Setup, Simulation, Skin};
use multigrain_distributed::{DistributedSimulation, IdRange, Listener, ThreadRank, Transport, run_ranks};
use multigrain_methods::Method;
use scenes::*;
use std::cell::Cell;

type Scene<const D: usize> = (Setup<D>, Vec<Grain<D>>);

/// Everything larger than this many times the mean is a giant.
fn with_giants<const D: usize>((setup, grains): Scene<D>, ratio: f64) -> Scene<D>
where
    Axes: Dimension<D>,
{
    (setup.giant_ratio(ratio), grains)
}

fn alone<const D: usize>((setup, grains): &Scene<D>, steps: u64) -> Simulation<D>
where
    Axes: Dimension<D>,
{
    let mut whole = setup.clone().build(grains.clone()).unwrap();
    whole.run(steps).unwrap();
    whole
}

/// The bytes that ranks write apart, put together.
fn assembled(pieces: impl Iterator<Item = (u64, Vec<u8>)>) -> Vec<u8> {
    let mut pieces: Vec<(u64, Vec<u8>)> = pieces.collect();
    pieces.sort();
    let mut bytes = Vec::new();
    for (offset, piece) in pieces {
        assert_eq!(offset, bytes.len() as u64, "pieces follow each other");
        bytes.extend(piece);
    }
    bytes
}

/// What a rank has at the end.
struct End<const D: usize> {
    whole: Option<Simulation<D>>,
    range: IdRange<D>,
    fingerprint: u64,
    pieces: Vec<(u64, Vec<u8>)>,
    halos: u64,
    cuts: u64,
    guests: usize,
}

/// How it was run: the bytes of all parts as one, how often guests were chosen and space was cut again, and how many guests there were.
struct Run {
    bytes: Vec<u8>,
    fingerprint: u64,
    halos: u64,
    cuts: u64,
    guests: usize,
}

/// What ranks do together.
fn on_ranks<const D: usize>(
    ranks: usize,
    start: impl Fn(&mut ThreadRank) -> DistributedSimulation<D> + Sync,
    steps: u64,
) -> Run
where
    Axes: Dimension<D>,
{
    let mut ends = run_ranks(ranks, |transport| {
        let mut part = start(transport);
        // Looking at it on the way changes nothing.
        part.run(transport, steps / 3).unwrap();
        part.gather(transport).unwrap();
        let mut guests = part.guests();
        part.run(transport, steps / 3).unwrap();
        part.by_id(transport).unwrap();
        guests += part.guests();
        part.run(transport, steps - 2 * (steps / 3)).unwrap();
        let (halos, cuts, guests) = (part.halos(), part.cuts(), guests + part.guests());
        let pieces = part.saved(transport).unwrap();
        let range = part.by_id(transport).unwrap();
        let fingerprint = part.fingerprint(transport).unwrap();
        End { whole: part.gather(transport).unwrap(), range, fingerprint, pieces, halos, cuts, guests }
    });
    let whole = ends[0].whole.take().unwrap();
    let bytes = whole.encode();
    let (halos, cuts, guests) = (ends[0].halos, ends[0].cuts, ends.iter().map(|end| end.guests).sum());
    let summary = whole.summary();
    for end in &ends {
        assert_eq!(end.range.summary, summary);
        assert_eq!(end.fingerprint, whole.state().fingerprint());
    }
    check_ranges(&whole, &ends);
    assert!(assembled(ends.into_iter().flat_map(|end| end.pieces)) == bytes, "slices make up the whole");
    Run { bytes, fingerprint: fingerprint(&whole), halos, cuts, guests }
}

/// Ranges of ids one behind the other are all particles, each with all of its contacts, and none has much more than its share.
fn check_ranges<const D: usize>(whole: &Simulation<D>, ends: &[End<D>])
where
    Axes: Dimension<D>,
{
    let in_order = |simulation: &Simulation<D>| -> Vec<usize> {
        simulation.state().places_by_id().into_iter().map(|place| place as usize).collect()
    };
    let stresses = whole.stresses();
    let mut expected = in_order(whole).into_iter();
    let (mut all, share) = (Vec::new(), whole.state().len() / ends.len());
    for IdRange { particles, carried, summary } in ends.iter().map(|end| &end.range) {
        let (state, mean) = (particles.state(), summary.mean_motion());
        // A sixteenth, and what a clump has.
        assert!(state.len() <= share + whole.next_id() as usize / (16 * ends.len()) + 5, "{} of {share}", state.len());
        let here = particles.stresses_by(carried, mean);
        for place in in_order(particles) {
            let there = expected.next().unwrap();
            assert_eq!(state.ids()[place], whole.state().ids()[there]);
            assert_eq!(state.positions()[place], whole.state().positions()[there]);
            assert_eq!(here[place], stresses[there]);
            let number = |simulation: &Simulation<D>, place| simulation.clump_of(place).map(|clump| clump.number);
            assert_eq!(number(particles, place), number(whole, there));
        }
        all.extend(carried.iter().filter(|contact| state.ids().contains(&contact.ids[0])).copied());
    }
    assert_eq!(expected.next(), None);
    assert_eq!(all, whole.carried());
}

fn compare<const D: usize>(name: &str, scene: &Scene<D>, steps: u64, cases: &[(usize, Option<f64>)])
where
    Axes: Dimension<D>,
{
    let whole = alone(scene, steps);
    assert!(whole.mean_temperature().is_none_or(|mean| (280.0..320.0).contains(&mean)), "{name}");
    let expected = whole.encode();
    for &(ranks, skin) in cases {
        let start = |transport: &mut ThreadRank| {
            DistributedSimulation::start(transport, scene.0.clone(), &scene.1, skin).unwrap()
        };
        let Run { bytes, halos, guests, .. } = on_ranks(ranks, start, steps);
        assert!(bytes == expected, "{name} on {ranks} ranks with skin {skin:?}");
        assert!(halos > 1 && (guests > 0 || ranks == 1), "{name} on {ranks} ranks: {halos} halos, {guests} guests");
    }
}

/// A scene on some ranks, cut again every so many steps by other weights.
fn cut_again<const D: usize>(scene: &Scene<D>, ranks: usize, every: u64, steps: u64) -> Run
where
    Axes: Dimension<D>,
{
    let start = |transport: &mut ThreadRank| {
        let start = DistributedSimulation::start(transport, scene.0.clone(), &scene.1, None);
        start.unwrap().cut_every(every)
    };
    let run = on_ranks(ranks, start, steps);
    assert!(run.cuts >= steps / every, "{} cuts in {steps} steps", run.cuts);
    run
}

#[test]
fn every_number_of_ranks_gives_the_golden_course() {
    use golden::*;
    let (plane, space) = (shaken_mixture::<2>(400, Integrator::Verlet), shaken_mixture::<3>(400, Integrator::Gear));
    for (ranks, every) in [(2, 64), (3, 7), (8, 7)] {
        assert_eq!(cut_again(&plane, ranks, every, 400).fingerprint, GOLDEN_2D, "{ranks} ranks");
        assert_eq!(cut_again(&space, ranks, every, 200).fingerprint, GOLDEN_3D, "{ranks} ranks");
    }
    assert_eq!(cut_again(&chute(), 3, 64, CHUTE_STEPS).fingerprint, GOLDEN_CHUTE);
    for (ranks, every) in [(2, 7), (5, 64)] {
        assert_eq!(cut_again(&polygons(), ranks, every, 400).fingerprint, GOLDEN_POLYGONS, "{ranks} ranks");
    }
}

#[test]
fn ranks_of_two_threads_each_give_the_golden_course() {
    // Each rank has more than one block of particles.
    let scene = golden::shaken_mixture::<3>(6000, Integrator::Verlet);
    let ends = run_ranks(2, |transport| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| {
            let start = DistributedSimulation::start(transport, scene.0.clone(), &scene.1, None);
            let mut part = start.unwrap();
            part.run(transport, 40).unwrap();
            (part.part().state().own(), part.gather(transport).unwrap().map(|whole| fingerprint(&whole)))
        })
    });
    assert!(ends.iter().all(|&(own, _)| own > 2048), "{ends:?}");
    assert_eq!(ends[0].1, Some(golden::GOLDEN_THREADS));
}

#[test]
fn every_method_finds_the_same_contacts_on_ranks() {
    let (setup, grains) = golden::shaken_mixture::<2>(400, Integrator::Verlet);
    for &method in Method::ALL {
        for skin in [Skin::None, Skin::Chosen] {
            let scene = (setup.clone().method(method).skin(skin), grains.clone());
            let start = |transport: &mut ThreadRank| {
                DistributedSimulation::start(transport, scene.0.clone(), &scene.1, None).unwrap()
            };
            let found = on_ranks(3, start, 400).fingerprint;
            assert_eq!(found, golden::GOLDEN_2D, "{} with {skin:?}", method.name());
        }
    }
}

#[test]
fn space_that_is_cut_again_and_again_has_the_bits_of_one_rank() {
    fn compare<const D: usize>(name: &str, scene: &Scene<D>, steps: u64)
    where
        Axes: Dimension<D>,
    {
        let expected = alone(scene, steps).encode();
        for (ranks, every) in [(3, 7), (6, 64)] {
            assert!(cut_again(scene, ranks, every, steps).bytes == expected, "{name}, {ranks} ranks, every {every}");
        }
    }
    compare("periodic", &mixture::<3>(250, [true; 3], Integrator::Verlet), 130);
    compare("leaning", &leaning::<2>(160), 130);
    compare("clumps", &clumps::<2>(120, [true; 2]), 130);
    compare("giants", &with_giants(mixture::<2>(200, [false; 2], Integrator::Verlet), 1.3), 130);
    compare("images", &images(), 130);
    compare("pressed", &pressed(), 130);
}

#[test]
fn meshes_have_the_bits_of_one_rank() {
    let end = alone(&mixer(), 150);
    assert!(end.wall_contacts().len() > 20 && end.wall_wear().iter().any(|&worn| worn > 0.0));
    compare("mixer", &mixer(), 150, &[(2, None), (6, Some(0.1))]);
}

#[test]
fn lumps_of_bonded_grains_have_the_bits_of_one_rank() {
    let (setup, grains) = lumps();
    let glued = || {
        let mut whole = setup.clone().build(grains.clone()).unwrap();
        whole.bond_touching().unwrap();
        whole
    };
    let mut whole = glued();
    whole.run(400).unwrap();
    let (held, broken) = (whole.bonds().len(), whole.bonds_broken());
    assert!(held > 10 && broken > 10, "{held} bonds hold, {broken} are broken");
    let expected = whole.encode();
    for (ranks, every) in [(2, 1000), (5, 7)] {
        let start = |transport: &mut ThreadRank| {
            let whole = (transport.rank() == 0).then(glued);
            let part = DistributedSimulation::deal_out(transport, setup.clone(), whole, None);
            part.unwrap().cut_every(every)
        };
        assert!(on_ranks(ranks, start, 400).bytes == expected, "{ranks} ranks");
    }
}

#[test]
fn polygons_have_the_bits_of_one_rank() {
    let scene = golden::polygons();
    compare("polygons", &scene, 400, &[(3, Some(0.002)), (7, Some(0.003))]);
}

#[test]
fn every_number_of_ranks_has_the_bits_of_one_in_the_plane() {
    let cases = [(1, None), (2, None), (3, Some(0.02)), (5, None), (8, Some(0.5)), (13, None)];
    compare("between walls", &mixture::<2>(240, [false; 2], Integrator::Verlet), 240, &cases);
    compare("half periodic", &mixture::<2>(180, [true, false], Integrator::Gear), 160, &cases[1..5]);
}

#[test]
fn every_number_of_ranks_has_the_bits_of_one_in_space() {
    let cases = [(2, None), (7, Some(0.1)), (27, None)];
    compare("periodic", &mixture::<3>(300, [true; 3], Integrator::Verlet), 100, &cases);
}

#[test]
fn cells_that_lean_have_the_bits_of_one_rank() {
    compare("leaning in the plane", &leaning::<2>(160), 160, &[(2, None), (5, Some(0.05)), (8, None)]);
    compare("leaning in space", &leaning::<3>(250), 80, &[(3, None), (9, Some(0.2))]);
}

#[test]
fn boxes_that_deform_have_the_bits_of_one_rank() {
    // Sheared so far that edges are taken off each other, then squeezed, then at rest.
    let shear = Deformation::<2>::rest().rate(0, 1, 0.9).until(1.1);
    let squeeze = Deformation::rest().gradient([[-0.2, 0.3], [-0.1, 0.1]]).until(1.7);
    let (setup, grains) = mixture::<2>(160, [true; 2], Integrator::Verlet);
    let sheared = (setup.deformation(shear).deformation(squeeze), grains);
    let steps = (2.0 / alone(&sheared, 0).time_step()) as u64;
    let end = alone(&sheared, steps);
    assert!(end.domain().is_sheared() && end.velocity_gradient() == Some([[0.0; 2]; 2]));
    compare("sheared in the plane", &sheared, steps, &[(2, None), (3, Some(0.1)), (7, None)]);
    let (setup, grains) = mixture::<3>(220, [true; 3], Integrator::Verlet);
    let shear = Deformation::<3>::rest().rate(0, 1, 2.5).rate(2, 2, -0.4);
    compare("sheared in space", &(setup.deformation(shear), grains), 120, &[(2, None), (6, Some(0.3))]);
}

#[test]
fn boxes_that_follow_a_stress_have_the_bits_of_one_rank() {
    let pressed = Deformation::<2>::rest().rate(0, 1, 0.5).stress(1, 1, 8.0).max_rate(0.4).until(0.6);
    let held = Deformation::rest().pressure(5.0).max_rate(0.3);
    let (setup, grains) = mixture::<2>(150, [true; 2], Integrator::Verlet);
    let scene = (setup.deformation(pressed).deformation(held), grains);
    compare("pressed", &scene, 200, &[(2, None), (5, Some(0.1))]);
    let (setup, grains) = clumps::<2>(120, [true; 2]);
    compare("pressed clumps", &(setup.deformation(pressed).deformation(held), grains), 160, &[(2, None), (6, None)]);
}

#[test]
fn clumps_have_the_bits_of_one_rank() {
    compare("clumps between walls", &clumps::<2>(150, [false; 2]), 240, &[(1, None), (2, None), (7, Some(0.1))]);
    compare("clumps in a periodic box", &clumps::<3>(150, [true; 3]), 100, &[(3, None), (12, None)]);
    let (setup, grains) = clumps::<2>(100, [true, false]);
    let drained = setup.outflow(Outflow::Beyond { point: [0.0, 3.0], normal: [0.0, -1.0] });
    let end = alone(&(drained.clone(), grains.clone()), 200);
    assert!(end.removed() > 5 && end.clumps().len() > 5, "{} {}", end.removed(), end.clumps().len());
    compare("clumps that go", &(drained, grains), 200, &[(2, None), (5, Some(0.2))]);
}

#[test]
fn walls_that_servos_press_and_that_wear_off_have_the_bits_of_one_rank() {
    let end = alone(&pressed(), 200);
    assert!(end.wall_shifts().iter().any(|shift| shift[1] != 0.0) && end.wall_wear().iter().any(|&worn| worn > 0.0));
    compare("pressed by a lid", &pressed(), 200, &[(2, None), (4, Some(0.1)), (9, None)]);
}

#[test]
fn giants_have_the_bits_of_one_rank() {
    let cases = [(1, None), (2, None), (5, Some(0.05)), (9, None)];
    // Only the boulder; then a good part of all.
    for ratio in [4.0, 1.3] {
        let scene = with_giants(mixture::<2>(240, [false; 2], Integrator::Verlet), ratio);
        let giants = alone(&scene, 0);
        let count = giants.state().radii().iter().filter(|&&radius| radius > giants.giant_radius()).count();
        assert!(if ratio > 2.0 { count == 1 } else { count > 30 }, "{count} giants");
        compare("giants between walls", &scene, 240, &cases);
        compare(
            "giants in space",
            &with_giants(mixture::<3>(250, [true; 3], Integrator::Gear), ratio),
            80,
            &cases[1..3],
        );
        compare("giants and clumps", &with_giants(clumps::<2>(120, [true; 2]), ratio), 120, &cases[1..3]);
    }
    compare("giants that come and go", &with_giants(chute(), 0.25), 1000, &cases[1..3]);
    compare("giants that touch images", &with_giants(images(), 1.05), 300, &[(2, None), (5, Some(0.3))]);
    // Nor does it matter how one rank finds contacts, and in which order it has particles.
    let (setup, grains) = with_giants(mixture::<2>(200, [true, false], Integrator::Verlet), 1.3);
    let expected = alone(&(setup.clone(), grains.clone()), 150).encode();
    for (skin, sort_every) in [(Skin::None, 1), (Skin::Width(0.2), 0), (Skin::Chosen, 7)] {
        let scene = (setup.clone().skin(skin).sort_every(sort_every), grains.clone());
        assert!(alone(&scene, 150).encode() == expected, "{skin:?}");
    }
}

/// Grains that touch the boulder alone are no guests of its rank.
#[test]
fn the_owner_of_a_giant_need_not_have_those_that_touch_it() {
    let (setup, mut grains) = mixture::<2>(900, [false; 2], Integrator::Verlet);
    grains[450] = Grain::at([15.0, 15.0], 9.0);
    let guests = |ratio: f64| {
        run_ranks(12, |transport| {
            let setup = setup.clone().giant_ratio(ratio);
            let mut part = DistributedSimulation::start(transport, setup, &grains, None).unwrap();
            part.run(transport, 3).unwrap();
            let has_giant = part.part().state().radii()[..part.part().state().own()].contains(&9.0);
            (has_giant, part.guests())
        })
    };
    let of_owner = |ends: Vec<(bool, usize)>| ends.iter().find(|end| end.0).unwrap().1;
    let (usual, giant) = (of_owner(guests(1e9)), of_owner(guests(8.0)));
    assert!(usual > 150 && giant < 60, "{usual} guests, as a giant {giant}");
}

#[test]
fn ranks_may_be_more_than_bodies_and_bodies_larger_than_the_box() {
    compare("images", &images(), 300, &[(2, None), (5, Some(0.3))]);
}

#[test]
fn grains_that_come_and_go_have_the_bits_of_one_rank() {
    compare("chute", &chute(), 1500, &[(2, None), (6, Some(0.05))]);
}

#[test]
fn a_run_that_was_saved_goes_on_with_other_ranks() {
    goes_on("periodic", &mixture::<2>(150, [true; 2], Integrator::Verlet));
    goes_on("leaning", &leaning::<2>(120));
    goes_on("giants", &with_giants(mixture::<2>(150, [true; 2], Integrator::Verlet), 1.3));
    goes_on("pressed by a lid", &pressed());
    let (setup, grains) = clumps::<2>(100, [true; 2]);
    let press = Deformation::rest().rate(0, 1, 0.8).stress(1, 1, 8.0).max_rate(0.4).until(0.5);
    goes_on("clumps in a box that deforms", &(setup.deformation(press).deformation(Deformation::rest()), grains));
}

fn goes_on(name: &str, scene: &Scene<2>) {
    let half = alone(scene, 100).encode();
    let expected = alone(scene, 220).encode();
    for ranks in [1, 3, 4] {
        let resume = |transport: &mut ThreadRank| {
            let whole = (transport.rank() == 0).then(|| scene.0.clone().resume(&half).unwrap());
            DistributedSimulation::deal_out(transport, scene.0.clone(), whole, None).unwrap()
        };
        assert!(on_ranks(ranks, resume, 0).bytes == half, "{name}: {ranks} ranks, cut and put together again");
        assert!(on_ranks(ranks, resume, 120).bytes == expected, "{name}: {ranks} ranks");
    }
}

#[test]
fn ranks_share_contacts_as_well_as_particles() {
    // Half of the grains touch six others, half of them nobody.
    let law = ContactLaw::linear(100.0).damping(0.4).friction(0.5);
    let setup = Setup::new().domain(Domain::periodic([0.0; 2], [80.0; 2]).unwrap()).material(Material::new(1.0, law));
    let crowd = (0..400).map(|k| (k % 20, k / 20)).map(|(x, y)| {
        let row = f64::from(y);
        Grain::at([0.95 * (f64::from(x) + 0.5 * (row % 2.0)), 0.82 * row], 0.5)
    });
    let gas = (0..400).map(|k| Grain::at([45.0 + 1.5 * f64::from(k % 20), 3.9 * f64::from(k / 20)], 0.5));
    let scene = (setup, crowd.chain(gas.map(|grain| grain.velocity([0.1, 0.2]))).collect::<Vec<_>>());
    let weights = run_ranks(4, |transport| {
        let start = DistributedSimulation::start(transport, scene.0.clone(), &scene.1, Some(1e-9));
        let mut part = start.unwrap();
        let before: u64 = part.part().weights().iter().sum();
        part.run(transport, 12).unwrap();
        [before, part.part().weights().iter().sum()]
    });
    let unevenness = |k: usize| {
        let of_ranks = weights.iter().map(|both| both[k]);
        4.0 * of_ranks.clone().max().unwrap() as f64 / of_ranks.sum::<u64>() as f64
    };
    assert!(unevenness(0) > 1.3 && unevenness(1) < 1.15, "{weights:?}");
}

#[test]
fn all_ranks_stop_after_the_step_in_which_one_is_asked_to() {
    let scene = mixture::<2>(120, [true; 2], Integrator::Verlet);
    let expected = alone(&scene, 17).encode();
    let ends = run_ranks(3, |transport| {
        let mut part = DistributedSimulation::start(transport, scene.0.clone(), &scene.1, None).unwrap();
        let (asked, rank, mut phases) = (Cell::new(0), transport.rank(), Vec::new());
        let must_stop = || {
            asked.set(asked.get() + 1);
            rank == 2 && asked.get() == 17
        };
        let listener = Listener { must_stop: &must_stop, hook: &mut |phase| phases.push(phase) };
        let steps = part.run_with(transport, 64, listener).unwrap();
        let whole = part.gather(transport).unwrap();
        // Steps one by one: the last of those that were asked for may be the one that is stopped after.
        let listener = Listener { must_stop: &|| rank == 1, hook: &mut |_| () };
        assert_eq!(part.run_with(transport, 1, listener).unwrap(), (1, true));
        (steps, phases, whole.map(|whole| whole.encode()))
    });
    for (steps, phases, _) in &ends {
        assert_eq!(*steps, (17, true));
        assert_eq!(phases.iter().filter(|phase| **phase == Phase::Done).count(), 17);
        assert_eq!(phases[..2], [Phase::Move, Phase::Detect]);
    }
    assert!(ends[0].2.as_ref() == Some(&expected));
}

#[test]
fn the_lowest_particle_that_is_lost_is_named_by_all_ranks() {
    let (setup, mut grains) = mixture::<2>(60, [false; 2], Integrator::Verlet);
    for (k, speed) in [(17, 1e3), (41, 4e3), (5, -2e3)] {
        grains[k] = grains[k].velocity([speed, 0.0]);
    }
    let scene = (setup.bounds([-50.0; 2], [50.0; 2]), grains);
    let mut whole = scene.0.clone().build(scene.1.clone()).unwrap();
    let expected = (0..5000).find_map(|_| whole.step().err()).unwrap().to_string();
    for ranks in [2, 4] {
        let ends = run_ranks(ranks, |transport| {
            let mut part = DistributedSimulation::start(transport, scene.0.clone(), &scene.1, None).unwrap();
            part.run(transport, 5000).unwrap_err()
        });
        assert!(ends.iter().all(|error| error.to_string() == expected), "{expected}: {ends:?}");
    }
}
