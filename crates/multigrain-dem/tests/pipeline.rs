//! The one pipeline of contacts: walls made of faces, laws of one's own, physics that changes on the way.

use multigrain::{Axes, Dimension, Rng};
use multigrain_dem::{ContactLaw, Grain, Law, Material, Point, Setup, Simulation, Skin, TimeStep, Wall, Wrench};
use multigrain_meshes::Surface;
use std::io::Cursor;
use std::sync::Arc;

fn rough() -> Material {
    Material::new(1000.0, ContactLaw::linear(1e4).restitution(0.6).friction(0.4))
}

/// A ball thrown along a floor that is made of these walls, and where it is after every step.
fn course<const D: usize>(
    walls: Vec<Wall<D>>,
    start: [f64; D],
    velocity: [f64; D],
) -> Vec<([f64; D], [f64; D], [f64; 3])>
where
    Axes: Dimension<D>,
{
    let mut gravity = [0.0; D];
    gravity[D - 1] = -9.81;
    let mut setup = Setup::new().material(rough()).gravity(gravity).time_step(TimeStep::Given(2e-5));
    for wall in walls {
        setup = setup.wall(wall);
    }
    let mut simulation = setup.build([Grain::at(start, 0.01).velocity(velocity)]).unwrap();
    (0..4000)
        .map(|_| {
            simulation.step().unwrap();
            let state = simulation.state();
            (state.positions()[0], state.velocities()[0], state.spins()[0])
        })
        .collect()
}

fn assert_same_course<const D: usize>(
    floor: &[([f64; D], [f64; D], [f64; 3])],
    seam: &[([f64; D], [f64; D], [f64; 3])],
) {
    assert!(floor.last().unwrap().0[0] > 0.02, "it has come past the seam");
    for (step, (one, other)) in floor.iter().zip(seam).enumerate() {
        let numbers = |course: &([f64; D], [f64; D], [f64; 3])| {
            course.0.iter().chain(&course.1).chain(course.2.iter()).copied().collect::<Vec<f64>>()
        };
        for (a, b) in numbers(one).into_iter().zip(numbers(other)) {
            assert!((a - b).abs() < 1e-12 * a.abs().max(1.0), "step {step}: {a} {b}");
        }
    }
}

#[test]
fn a_ball_over_the_seam_of_two_plates_feels_one_plane() {
    let (start, velocity) = ([-0.03, 0.0, 0.0101], [1.0, 0.2, -0.1]);
    let floor = course(vec![Wall::plane([0.0; 3], [0.0, 0.0, 1.0])], start, velocity);
    let plate =
        |from: f64, to: f64| Wall::plate(vec![[from, -1.0, 0.0], [to, -1.0, 0.0], [to, 1.0, 0.0], [from, 1.0, 0.0]]);
    assert_same_course(&floor, &course(vec![plate(-1.0, 0.0), plate(0.0, 1.0)], start, velocity));
    let in_the_plane = ([-0.03, 0.0101], [1.0, -0.1]);
    let floor = course(vec![Wall::plane([0.0; 2], [0.0, 1.0])], in_the_plane.0, in_the_plane.1);
    let plates = vec![Wall::plate(vec![[-1.0, 0.0], [0.0, 0.0]]), Wall::plate(vec![[0.0, 0.0], [1.0, 0.0]])];
    assert_same_course(&floor, &course(plates, in_the_plane.0, in_the_plane.1));
}

/// A fan of twenty triangles, enough to be looked up in a grid, around a point that the ball rolls over.
#[test]
fn a_ball_over_a_corner_of_many_triangles_feels_one_plane() {
    let (start, velocity) = ([-0.03, 0.0, 0.0101], [1.0, 0.0, -0.1]);
    let floor = course(vec![Wall::plane([0.0; 3], [0.0, 0.0, 1.0])], start, velocity);
    let corner = |k: usize| {
        let angle = (k % 20) as f64 * std::f64::consts::TAU / 20.0;
        [angle.cos(), angle.sin(), 0.0]
    };
    let fan = (0..20).map(|k| Wall::plate(vec![[0.0; 3], corner(k), corner(k + 1)])).collect();
    assert_same_course(&floor, &course(fan, start, velocity));
}

/// An irregular triangulation of the floor, with edges and corners under the way of the ball, some far smaller than it.
fn irregular_floor(fine: f64) -> Surface<3> {
    let side = 41;
    let mut rng = Rng::new(3);
    let mut vertices = Vec::new();
    for k in 0..side * side {
        let mut place = |cell: usize| (cell as f64 - 20.0 + 0.6 * (rng.uniform() - 0.5)) * fine;
        let (x, y) = (place(k % side), place(k / side));
        // One row of corners lies exactly under the ball.
        vertices.push([x, if k / side == 20 { 0.0 } else { y }, 0.0]);
    }
    let corner = |x: usize, y: usize| (y * side + x) as u32;
    let faces = (0..(side - 1) * (side - 1)).flat_map(|k| {
        let (x, y) = (k % (side - 1), k / (side - 1));
        let [a, b, c, d] = [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y + 1)];
        // Some are turned over: it does not matter.
        if k % 3 == 0 { [[a, b, d], [b, d, c]] } else { [[a, b, c], [a, d, c]] }
    });
    Surface::new(vertices, faces).unwrap().0
}

#[test]
fn a_ball_over_seams_and_corners_of_a_mesh_feels_one_plane() {
    for (start, velocity) in [([-0.03, 0.0, 0.0101], [1.0, 0.0, -0.1]), ([-0.03, -0.01, 0.0101], [1.0, 0.3, -0.1])] {
        let floor = course(vec![Wall::plane([0.0; 3], [0.0, 0.0, 1.0])], start, velocity);
        for fine in [0.01, 0.004] {
            assert_same_course(&floor, &course(vec![Wall::mesh(irregular_floor(fine))], start, velocity));
        }
    }
    let in_the_plane = ([-0.03, 0.0101], [1.0, -0.1]);
    let floor = course(vec![Wall::plane([0.0; 2], [0.0, 1.0])], in_the_plane.0, in_the_plane.1);
    let corners = (0..300).map(|k| [-0.2 + 0.0013 * f64::from(k), 0.0]).collect();
    let (line, _) = Surface::polyline(corners, false).unwrap();
    assert_same_course(&floor, &course(vec![Wall::mesh(line)], in_the_plane.0, in_the_plane.1));
}

/// A slope that is turned and moves, against the same mesh where it is then: the frame of a mesh is no more than that.
#[test]
fn a_mesh_that_moves_pushes_as_a_plane_that_moves() {
    let (start, velocity) = ([-0.03, 0.0, 0.0101], [1.0, 0.2, -0.1]);
    let lift = [0.0, 0.0, 0.05];
    let floor = course(vec![Wall::plane([0.0; 3], [0.0, 0.0, 1.0]).carrying(lift).moving()], start, velocity);
    let mesh = Wall::mesh(irregular_floor(0.01)).carrying(lift).moving();
    assert_same_course(&floor, &course(vec![mesh], start, velocity));
    // Turning about its own normal changes nothing where there is no friction to carry the ball along: the surface is turned under it.
    let turned = Wall::mesh(irregular_floor(0.01)).turning([0.0, 0.0, 3.0], [0.0; 3]).moving();
    let still = Wall::plane([0.0; 3], [0.0, 0.0, 1.0]).turning([0.0, 0.0, 3.0], [0.0; 3]);
    let (one, other) = (course(vec![still], start, velocity), course(vec![turned], start, velocity));
    assert_same_course(&one, &other);
}

#[test]
fn a_ball_in_a_groove_touches_both_sides_and_on_a_ridge_one_edge() {
    let sides =
        |height: f64| [Wall::plate(vec![[0.0, 0.0], [-1.0, height]]), Wall::plate(vec![[0.0, 0.0], [1.0, height]])];
    let touches = |height: f64, y: f64| {
        let [left, right] = sides(height);
        let setup = Setup::new().material(rough()).wall(left).wall(right).time_step(TimeStep::Given(1e-5));
        setup.build([Grain::at([0.0, y], 0.1)]).unwrap().wall_contacts().len()
    };
    assert_eq!(touches(1.0, 0.14), 2);
    assert_eq!(touches(-1.0, 0.099), 1);
}

/// A force that remembers how long a contact has lasted, and a couple against turning.
#[derive(Debug)]
struct Ageing;

impl<const D: usize> Law<D> for Ageing {
    fn history(&self) -> usize {
        2
    }

    fn reach(&self, _: f64) -> f64 {
        0.05
    }

    fn turns(&self) -> bool {
        true
    }

    fn act(&self, point: &Point<D>, history: &mut [f64], time: f64) -> Wrench<D> {
        history[0] += time;
        history[1] = history[1].max(-point.gap);
        let push = if point.gap < 0.0 { -100.0 * point.gap } else { -0.1 };
        let couple = point.turning.map(|turning| -1e-2 * turning);
        Wrench { couple, ..Wrench::along(point.normal, push) }
    }

    fn energy(&self, point: &Point<D>, _: &[f64]) -> f64 {
        50.0 * point.gap.min(0.0).powi(2) + 0.1 * point.gap.max(0.0)
    }

    fn duration(&self, inverse_mass: f64, _: f64, _: f64) -> f64 {
        std::f64::consts::PI / (100.0 * inverse_mass).sqrt()
    }

    fn describe(&self) -> String {
        "ageing 1".to_owned()
    }
}

#[test]
fn a_law_of_ones_own_reaches_beyond_touch_remembers_and_turns() {
    let setup =
        Setup::<2>::new().material(Material::new(1.0, ContactLaw::linear(100.0))).law_between(0, 0, Arc::new(Ageing));
    let grains =
        [Grain::at([0.0, 0.0], 0.5).spin([0.0, 0.0, 2.0]), Grain::at([1.04, 0.0], 0.5), Grain::at([5.0, 5.0], 0.5)];
    let mut simulation = setup.clone().build(grains).unwrap();
    let turning = simulation.angular_momentum()[2];
    assert_eq!(simulation.contact_count(), 1, "they reach each other");
    simulation.run(500).unwrap();
    let contact = simulation.contacts()[0];
    assert!((contact.spring[0] - simulation.time()).abs() < 1e-12, "it knows its age");
    assert!(contact.spring[1] > 0.0, "they have come to touch");
    let spins = simulation.state().spins();
    assert!(spins.iter().any(|spin| spin[2] > 0.1 && spin[2] < 1.9), "{spins:?}");
    assert!((simulation.angular_momentum()[2] - turning).abs() < 1e-9);
    for skin in [Skin::Width(0.2), Skin::Chosen] {
        let mut other = setup.clone().skin(skin).build(grains).unwrap();
        other.run(500).unwrap();
        assert_eq!(other.state(), simulation.state());
    }
    let mut resumed = setup.resume(&simulation.encode()).unwrap();
    resumed.run(100).unwrap();
    simulation.run(100).unwrap();
    assert_eq!(resumed.state(), simulation.state());
}

#[test]
fn a_saved_run_goes_on_with_other_numbers_and_says_which() {
    let setup = |friction: f64, pull: f64| {
        Setup::new()
            .material(Material::new(1.0, ContactLaw::linear(1e4).restitution(0.5).friction(friction)))
            .wall(Wall::plane([0.0; 2], [0.1, 1.0]))
            .gravity([0.0, -pull])
    };
    let grains = (0..20).map(|k| Grain::at([f64::from(k % 5) * 0.9, 0.6 + f64::from(k / 5)], 0.5));
    let mut simulation = setup(0.5, 10.0).build(grains).unwrap();
    simulation.run(500).unwrap();
    let bytes = simulation.encode();
    let changed = setup(0.1, 20.0).resume_changed(&mut Cursor::new(&bytes)).unwrap();
    assert_eq!(changed.state().fingerprint(), simulation.state().fingerprint());
    assert_eq!(changed.changes().len(), 2);
    assert!(changed.changes()[0].starts_with("gravity was `0e0 -1e1`, is `0e0 -2e1`"), "{:?}", changed.changes());
    let more = setup(0.5, 10.0).wall(Wall::plane([0.0, 9.0], [0.0, -1.0]));
    assert!(more.resume_changed(&mut Cursor::new(&bytes)).is_err());
    let same = setup(0.5, 10.0).resume_changed(&mut Cursor::new(&bytes)).unwrap();
    assert!(same.changes().is_empty());
}

/// The bytes of a checkpoint do not tell in which order the state was.
#[test]
fn checkpoints_are_sorted_by_id() {
    let run = |every: u64| -> Simulation<2> {
        let setup = Setup::new().material(rough()).wall(Wall::inside_box([0.0; 2], [1.0; 2])).sort_every(every);
        let grains =
            (0..100).map(|k| Grain::at([0.05 + 0.1 * f64::from(k % 10), 0.05 + 0.1 * f64::from(k / 10)], 0.051));
        let mut simulation = setup.build(grains).unwrap();
        simulation.run(100).unwrap();
        simulation
    };
    let (sorted, unsorted) = (run(1), run(0));
    assert_ne!(sorted.state().ids(), unsorted.state().ids());
    assert_eq!(sorted.encode(), unsorted.encode());
    assert_eq!(sorted.energies(), unsorted.energies());
    assert_eq!(sorted.dissipated().to_bits(), unsorted.dissipated().to_bits());
}
