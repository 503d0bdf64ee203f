//! The living grid against a plain list of bodies that tests everything.

use super::*;
use multigrain::Rng;
use std::collections::BTreeMap;

/// Id and image shift, sorted: what a query finds.
type Found<const D: usize> = Vec<(u32, [i32; D])>;

fn touching_sphere<const D: usize>(grid: &LivingGrid<D>, center: [f64; D], radius: f64) -> Found<D> {
    let mut found = Vec::new();
    grid.touching_sphere(center, radius, |id, shift| found.push((id, shift))).unwrap();
    found.sort_unstable();
    found
}

fn touching_box<const D: usize>(grid: &LivingGrid<D>, lo: [f64; D], hi: [f64; D]) -> Found<D> {
    let mut found = Vec::new();
    grid.touching_box(lo, hi, |id, shift| found.push((id, shift))).unwrap();
    found.sort_unstable();
    found
}

/// Every image of every body near the box `lo..hi`, judged by `touching`.
fn brute_force<const D: usize>(
    bodies: &BTreeMap<u32, Sphere<D>>,
    domain: &Domain<D>,
    (lo, hi, distance): ([f64; D], [f64; D], f64),
    touching: impl Fn(&Sphere<D>, [i32; D]) -> bool,
) -> Found<D> {
    let mut found = Vec::new();
    for (&id, body) in bodies {
        let mut shifts = multigrain::grid::ShiftRange { first: [0; D], last: [0; D] };
        for axis in (0..D).filter(|&axis| domain.is_periodic(axis)) {
            let (reach, length) = (distance + body.radius, domain.length(axis));
            shifts.first[axis] = ((lo[axis] - reach - body.center[axis]) / length).floor() as i32;
            shifts.last[axis] = ((hi[axis] + reach - body.center[axis]) / length).ceil() as i32;
        }
        found.extend(shifts.iter().filter(|&shift| touching(body, shift)).map(|shift| (id, shift)));
    }
    found.sort_unstable();
    found
}

impl<const D: usize> LivingGrid<D> {
    /// Every body is in the list of its cell, every cell has bodies in it or below it, and nothing else is there.
    fn assert_well_formed(&self) {
        let mut seen = 0;
        for (number, level) in self.levels.iter().enumerate() {
            level.assert_well_formed(&self.bodies, |body| {
                assert_eq!(body.level as usize, number);
                assert!(body.radius <= level.largest_radius() && level.largest_radius() <= level.max_radius);
                assert!(self.find(body.id).is_some());
                seen += 1;
            });
        }
        assert_eq!(seen, self.len());
    }
}

/// Inserts, removes, moves, resizes and asks, at random, with coordinates and radii that like borders.
fn random_life<const D: usize>(domain: Domain<D>, seed: u64, steps: usize, largest: f64) {
    live(domain, seed, steps, largest, &[0.25, 0.5, 1.25], 60, 1.0);
    // Cells far larger than the bodies, which crowd around a few places: they are cut again and again.
    live(domain, seed, steps, largest, &[3.0], 150, 0.05);
    live(domain, seed, steps / 2, largest, &[40.0], 300, 1e-9);
}

/// As many ids as given, coordinates and radii times `scale` but for some.
fn live<const D: usize>(
    domain: Domain<D>,
    seed: u64,
    steps: usize,
    largest: f64,
    cell_sizes: &[f64],
    ids: u64,
    scale: f64,
) {
    let levels = Levels::from_cell_sizes(cell_sizes).unwrap();
    let mut grid = LivingGrid::new(levels, domain).unwrap();
    let mut bodies: BTreeMap<u32, Sphere<D>> = BTreeMap::new();
    let mut rng = Rng::new(seed);
    let coordinate = |rng: &mut Rng| match rng.below(8) {
        0 => 0.25 * rng.below(17) as f64 - 2.0,
        1 => 20.0 * rng.uniform() - 10.0,
        2 => (0.25 * rng.below(17) as f64 - 2.0).next_down(),
        _ => scale * (4.0 * rng.uniform() - 2.0),
    };
    let size = |rng: &mut Rng| match rng.below(8) {
        0 => 0.0,
        1 => [0.125, 0.25, 0.625, 0.625f64.next_up()][rng.below(4) as usize],
        2 => largest * rng.uniform(),
        _ => scale * 0.3 * rng.uniform(),
    };
    for step in 0..steps {
        let id = rng.below(ids) as u32 * 12_582_788;
        let center: [f64; D] = std::array::from_fn(|_| coordinate(&mut rng));
        let radius = size(&mut rng);
        match (rng.below(5), bodies.contains_key(&id)) {
            (0..=2, false) => {
                grid.insert(id, center, radius).unwrap();
                bodies.insert(id, Sphere { center, radius });
            }
            (0, true) => assert_eq!(grid.remove(id), Ok(bodies.remove(&id).unwrap())),
            (1 | 2, true) => {
                grid.move_to(id, center).unwrap();
                bodies.get_mut(&id).unwrap().center = center;
            }
            (3, true) => {
                grid.resize(id, radius).unwrap();
                bodies.get_mut(&id).unwrap().radius = radius;
            }
            (_, there) => {
                let outcomes =
                    [grid.remove(id).is_ok(), grid.move_to(id, center).is_ok(), grid.resize(id, radius).is_ok()];
                assert_eq!(outcomes, [there, false, false]);
                bodies.remove(&id);
            }
        }
        assert_eq!(
            (grid.len(), grid.is_empty(), grid.get(id)),
            (bodies.len(), bodies.is_empty(), bodies.get(&id).copied())
        );
        if step % 8 != 0 {
            continue;
        }
        grid.assert_well_formed();
        let center: [f64; D] = std::array::from_fn(|_| coordinate(&mut rng));
        let radius = size(&mut rng);
        let expected = brute_force(&bodies, &domain, (center, center, radius), |body, shift| {
            touches(contact_vector(center, body.center, shift, domain.lengths()), reach(radius, body.radius, 0.0))
        });
        assert_eq!(touching_sphere(&grid, center, radius), expected, "{center:?} {radius}");
        let hi = std::array::from_fn(|axis| center[axis] + size(&mut rng));
        let expected = brute_force(&bodies, &domain, (center, hi, 0.0), |body, shift| {
            let mut beyond = [0.0; D];
            let mut inside = true;
            for axis in 0..D {
                let x = body.center[axis] + f64::from(shift[axis]) * domain.length(axis);
                beyond[axis] = (center[axis] - x).max(x - hi[axis]).max(0.0);
                inside &= center[axis] < x && x < hi[axis];
            }
            beyond.iter().map(|x| x * x).sum::<f64>() < body.radius * body.radius || inside
        });
        assert_eq!(touching_box(&grid, center, hi), expected, "{center:?} {hi:?}");
    }
}

#[test]
fn any_life_in_open_space_agrees_with_brute_force() {
    random_life::<2>(Domain::open(), 1, 6000, 5.0);
    random_life::<3>(Domain::open(), 2, 6000, 5.0);
    random_life::<3>(Domain::new([0.0; 3], [1.0; 3], [false; 3]).unwrap(), 3, 2000, 5.0);
}

#[test]
fn any_life_in_a_periodic_box_agrees_with_brute_force() {
    random_life::<2>(Domain::periodic([-2.0; 2], [2.0; 2]).unwrap(), 4, 6000, 3.0);
    random_life::<3>(Domain::periodic([-2.0; 3], [2.0; 3]).unwrap(), 5, 3000, 2.0);
    random_life::<2>(Domain::new([-1.0; 2], [2.3, 0.7], [true, false]).unwrap(), 6, 6000, 3.0);
    random_life::<3>(Domain::new([0.1; 3], [1.1, 0.7, 2.0], [true, false, true]).unwrap(), 7, 2000, 2.0);
}

#[test]
fn any_life_in_a_box_smaller_than_the_bodies_agrees_with_brute_force() {
    random_life::<2>(Domain::periodic([0.0; 2], [0.3, 0.2]).unwrap(), 8, 2000, 1.5);
    random_life::<2>(Domain::new([-1.0; 2], [-0.9, 5.0], [true, false]).unwrap(), 9, 3000, 4.0);
    random_life::<3>(Domain::periodic([0.0; 3], [0.6, 0.5, 1.3]).unwrap(), 10, 500, 1.0);
}

/// A body that a sphere touches by an ulp or just not, with its center an ulp around the border of a cell.
#[test]
fn rounding_at_the_borders_of_cells_hides_no_contact() {
    let mut rng = Rng::new(12);
    let nudged = |x: f64, rng: &mut Rng| x + (rng.below(9) as f64 - 4.0) * (x.abs().next_up() - x.abs());
    let mut contacts = 0;
    for case in 0..40_000 {
        let cells = if rng.below(2) == 0 { 1 + rng.below(6) } else { 1 + rng.below(1 << 24) };
        let lo = (rng.uniform() - 0.5) * 2f64.powi(rng.below(30) as i32 - 10);
        let hi = lo + 1.0 + rng.uniform();
        let size = (hi - lo) / cells as f64;
        let domain =
            if case % 2 == 0 { Domain::open() } else { Domain::periodic([lo, 0.0], [hi, 1e3 * size]).unwrap() };
        let mut grid = LivingGrid::new(Levels::from_cell_sizes(&[size]).unwrap(), domain).unwrap();
        let place = lo + rng.below(cells) as f64 * size;
        let away = if case % 4 == 3 { (rng.below(2000) as f64 - 1000.0) * (hi - lo) } else { 0.0 };
        let body = Sphere { center: [nudged(place + away, &mut rng), 0.0], radius: nudged(size / 2.0, &mut rng) };
        grid.insert(3, body.center, body.radius).unwrap();
        let radius = size * (0.5 + rng.below(3) as f64);
        let center = [nudged(place + size / 2.0 + radius, &mut rng), 0.0];
        let bodies = BTreeMap::from([(3, body)]);
        let expected = brute_force(&bodies, &domain, (center, center, radius), |body, shift| {
            touches(contact_vector(center, body.center, shift, domain.lengths()), reach(radius, body.radius, 0.0))
        });
        contacts += expected.len();
        assert_eq!(touching_sphere(&grid, center, radius), expected, "{body:?} {center:?} {radius} {domain:?}");
    }
    assert!(contacts > 10_000, "{contacts}");
}

#[test]
fn a_huge_body_among_small_ones_costs_no_more_than_its_contacts() {
    let mut grid = LivingGrid::new(Levels::from_cell_sizes(&[0.01]).unwrap(), Domain::<3>::open()).unwrap();
    let mut rng = Rng::new(11);
    for id in 0..2000 {
        grid.insert(id, std::array::from_fn(|_| rng.uniform()), 0.005).unwrap();
    }
    grid.insert(9999, [0.5; 3], 1e8).unwrap();
    assert_eq!(touching_sphere(&grid, [0.5; 3], 1e8).len(), 2001);
    assert_eq!(touching_sphere(&grid, [-3e7; 3], 1e-3), [(9999, [0; 3])]);
    assert_eq!(touching_box(&grid, [-1e150; 3], [1e150; 3]).len(), 2001);
    // Bodies between the given level and the huge one get cells of their own size.
    for id in 10_000..10_100 {
        grid.insert(id, [f64::from(id), 0.0, 0.0], 0.4).unwrap();
    }
    assert_eq!(grid.levels.len(), 3);
    assert_eq!(touching_sphere(&grid, [10_050.0, 0.0, 0.0], 0.5), [(9999, [0; 3]), (10_050, [0; 3])]);
}

/// How many bodies and images of them a query looks at.
fn looked_at(grid: &LivingGrid<3>, center: [f64; 3], radius: f64) -> usize {
    let mut bodies = 0;
    grid.visit_near(center, center, radius, |_, _| bodies += 1);
    bodies
}

#[test]
fn a_level_coarser_than_the_box_makes_no_images_that_its_bodies_do_not_reach() {
    let domain = Domain::periodic([0.0; 3], [10.0; 3]).unwrap();
    for coarse in [100.0, 1e4, 1e8] {
        let levels = Levels::from_cell_sizes(&[1.0, coarse]).unwrap();
        let mut grid = LivingGrid::new(levels, domain).unwrap();
        grid.insert(0, [5.0; 3], 0.6).unwrap();
        assert!(looked_at(&grid, [2.0; 3], 0.1) <= 1, "cells of {coarse}");
        assert!(looked_at(&grid, [0.0; 3], 0.1) <= 8, "cells of {coarse}, at a corner of the box");
        // A large body is looked for as far as it reaches, and no longer once it has gone or shrunk.
        grid.insert(1, [5.0; 3], 40.0).unwrap();
        let around = looked_at(&grid, [2.0; 3], 0.1);
        assert!((2 * 8usize.pow(3)..=2 * 18usize.pow(3)).contains(&around), "cells of {coarse}: {around}");
        grid.resize(1, 0.6).unwrap();
        assert!(looked_at(&grid, [2.0; 3], 0.1) <= 2, "cells of {coarse}, shrunk");
        grid.resize(1, 40.0).unwrap();
        grid.remove(1).unwrap();
        assert!(looked_at(&grid, [2.0; 3], 0.1) <= 1, "cells of {coarse}, gone");
    }
}

/// Counts what a query looks at.
struct Looks<'a> {
    bodies: &'a [LivingBody<3>],
    count: usize,
}

impl CellVisitor<3> for Looks<'_> {
    fn cell(&mut self, first: u32, _: [i32; 3]) {
        let mut slot = first;
        while slot != NOBODY {
            self.count += 1;
            slot = self.bodies[slot as usize].next;
        }
    }

    fn looks_up(&mut self) {
        self.count += 1;
    }
}

/// Bodies and cells that queries look at, per query and contact, when every body asks who touches it; and the contacts.
fn work_of_all(grid: &LivingGrid<3>) -> (f64, usize) {
    let mut looks = Looks { bodies: &grid.bodies, count: 0 };
    let mut contacts = 0;
    for id in 0..grid.len() as u32 {
        let Sphere { center, radius } = grid.get(id).unwrap();
        grid.visit_cells(center, center, radius, &mut looks);
        grid.touching_sphere(center, radius, |_, _| contacts += 1).unwrap();
    }
    (looks.count as f64 / (grid.len() + contacts) as f64, contacts)
}

/// Bodies in `clusters` of equally many, each as wide as said and full enough that bodies touch about one other; the last in a
/// wide cloud, as large as its spacing.
fn clusters(count: usize, clusters: usize, width: f64, domain: Domain<3>) -> LivingGrid<3> {
    let mut rng = Rng::new(count as u64);
    let mut grid = LivingGrid::new(Levels::from_cell_sizes(&[1.0]).unwrap(), domain).unwrap();
    let side = (count as f64).cbrt();
    let each = count / (clusters + 1);
    for id in 0..count {
        let cluster = id / each;
        let corner: [f64; 3] =
            std::array::from_fn(|axis| side * ((cluster * [7, 11, 13][axis]) as f64 * 0.137).fract());
        let radius = 0.5 * width / (each as f64).cbrt();
        let (center, radius) = if cluster < clusters {
            (corner.map(|x| x + width * rng.uniform()), radius)
        } else {
            (std::array::from_fn(|_| side * rng.uniform()), 0.5)
        };
        grid.insert(id as u32, center, radius).unwrap();
    }
    grid
}

#[test]
fn clusters_of_tiny_bodies_in_a_wide_cloud_take_work_that_is_linear() {
    for periodic in [false, true] {
        for (heaps, width) in [(1, 0.5), (1, 1e-6), (8, 1e-3), (20, 1e-10)] {
            for count in [2000, 16_000, 50_000] {
                let side = (count as f64).cbrt();
                let domain = Domain::new([0.0; 3], [side; 3], [periodic; 3]).unwrap();
                let grid = clusters(count, heaps, width, domain);
                grid.assert_well_formed();
                let (work, contacts) = work_of_all(&grid);
                let what = format!("{count} bodies, {heaps} clusters as wide as {width}, periodic: {periodic}");
                assert!(work < 100.0, "{what}: {work} per query and contact");
                assert!((2 * count..20 * count).contains(&contacts), "{what}: {contacts} contacts");
            }
        }
    }
}

#[test]
fn queries_far_larger_than_cells_pass_over_empty_space() {
    let mut rng = Rng::new(13);
    let mut grid = LivingGrid::new(Levels::from_cell_sizes(&[0.01]).unwrap(), Domain::<3>::open()).unwrap();
    for id in 0..20_000 {
        grid.insert(id, std::array::from_fn(|_| 1e4 * rng.uniform()), 0.005).unwrap();
    }
    grid.assert_well_formed();
    let mut looks = Looks { bodies: &grid.bodies, count: 0 };
    let mut found = 0;
    for _ in 0..200 {
        let center = std::array::from_fn(|_| 1e4 * rng.uniform());
        grid.visit_cells(center, center, 200.0, &mut looks);
        found += touching_sphere(&grid, center, 200.0).len();
    }
    assert!(found > 40, "{found}");
    assert!(looks.count < 200 * 300, "{} cells and bodies", looks.count);
}

#[test]
fn crowds_come_and_go_without_a_trace() {
    let mut rng = Rng::new(14);
    let mut grid = LivingGrid::new(Levels::from_cell_sizes(&[1.0]).unwrap(), Domain::<2>::open()).unwrap();
    for round in 0..4 {
        for id in 0..3000 {
            let scale = 10f64.powi(-(id as i32 % 3) * 4);
            grid.insert(id, std::array::from_fn(|_| f64::from(round) + scale * rng.uniform()), 0.01 * scale).unwrap();
        }
        grid.assert_well_formed();
        for id in 0..3000 {
            match id % 4 {
                0 => grid.resize(id, 0.5 * rng.uniform()).unwrap(),
                1 => grid.move_to(id, [30.0 * rng.uniform(), 0.0]).unwrap(),
                _ => {}
            }
        }
        grid.assert_well_formed();
        for id in 0..3000 {
            grid.remove(id).unwrap();
        }
        grid.assert_well_formed();
    }
}

#[test]
fn extents_of_any_size_are_ordinary() {
    let mut grid = LivingGrid::new(Levels::from_cell_sizes(&[1e-3]).unwrap(), Domain::<2>::open()).unwrap();
    let places = [[0.0, -0.0], [1e150, -1e150], [1e150, 1e150], [-1e7, 1e7], [1e-150, 0.0], [-4e-52, 3e9]];
    for (id, place) in (0..).zip(places) {
        grid.insert(id, place, 4e-4).unwrap();
    }
    for (id, place) in (0..).zip(places) {
        let expected: Found<2> = if id == 0 || id == 4 { vec![(0, [0; 2]), (4, [0; 2])] } else { vec![(id, [0; 2])] };
        assert_eq!(touching_sphere(&grid, place, 1e-4), expected);
    }
    grid.assert_well_formed();
}

#[test]
fn many_bodies_on_one_spot_leave_one_by_one() {
    let mut grid = LivingGrid::new(Levels::from_cell_sizes(&[1.0]).unwrap(), Domain::<2>::open()).unwrap();
    let count = 50_000;
    for id in 0..count {
        grid.insert(id, [0.5; 2], 0.1).unwrap();
    }
    for id in (0..count).step_by(2) {
        grid.move_to(id, [f64::from(id), 7.0]).unwrap();
        grid.resize(id, 3.0).unwrap();
    }
    assert_eq!(touching_sphere(&grid, [0.5; 2], 0.0).len(), count as usize / 2);
    for id in 0..count {
        grid.remove(id).unwrap();
    }
    assert!(grid.is_empty());
    grid.assert_well_formed();
}

#[test]
fn errors_name_the_body_and_leave_the_grid_as_it_was() {
    let domain = Domain::new([0.0; 2], [1.0; 2], [true, false]).unwrap();
    let mut grid = LivingGrid::new(Levels::from_cell_sizes(&[1.0]).unwrap(), domain).unwrap();
    grid.insert(3, [0.5; 2], 0.1).unwrap();
    let text = |outcome: Result<(), Error>| outcome.unwrap_err().to_string();
    assert_eq!(text(grid.insert(3, [0.1; 2], 0.1)), "particle 3 is already in the grid: remove it first, or move it");
    assert_eq!(text(grid.move_to(4, [0.1; 2])), "particle 4 is not in the grid: insert it first");
    assert_eq!(text(grid.resize(4, 0.1)), "particle 4 is not in the grid: insert it first");
    assert_eq!(text(grid.remove(4).map(drop)), "particle 4 is not in the grid: insert it first");
    assert_eq!(text(grid.insert(5, [0.1, f64::NAN], 0.1)), "y of particle 5 is NaN, must be finite");
    assert_eq!(text(grid.move_to(3, [2e9, 0.0])).split(',').next(), Some("x of particle 3 is 2000000000"));
    assert_eq!(text(grid.move_to(3, [0.0, 1e151])).split(" is ").next(), Some("y of particle 3"));
    assert_eq!(text(grid.resize(3, -0.2)), "radius of particle 3 is -0.2, must not be negative");
    assert_eq!(text(grid.resize(3, f64::INFINITY)), "radius of particle 3 is inf, must be finite");
    assert_eq!(text(grid.resize(3, 1e-200)).split(',').next(), Some("radius of particle 3 is 1e-200"));
    assert!(matches!(grid.resize(3, 1e10), Err(Error::BoxTooSmall { .. })));
    let sphere = |center, radius| text(grid.touching_sphere(center, radius, |_, _| {}));
    assert!(sphere([f64::NAN, 0.0], 1.0).starts_with("x of the sphere is NaN, must be finite"));
    assert!(sphere([0.0; 2], -1.0).starts_with("radius of the sphere is -1, must not be negative"));
    assert!(sphere([0.0; 2], f64::NAN).starts_with("radius of the sphere is NaN"));
    let in_box = |lo, hi| text(grid.touching_box(lo, hi, |_, _| {}));
    assert_eq!(in_box([0.0, 2.0], [1.0, 1.0]), "upper y of the box is 1, must not be below the lower one");
    assert!(in_box([0.0, f64::NEG_INFINITY], [1.0, 1.0]).starts_with("lower y of the box is -inf, must be finite"));
    assert_eq!((grid.len(), grid.get(3)), (1, Some(Sphere { center: [0.5; 2], radius: 0.1 })));
    grid.assert_well_formed();
}

/// Figure 1 of both papers: cells of 3 and 8, particle B of radius 4 and particle C of radius 1.5.
#[test]
fn particles_of_the_papers_figure_lie_and_search_where_they_should() {
    let levels = Levels::from_cell_sizes(&[3.0, 8.0]).unwrap();
    let mut grid = LivingGrid::new(levels, Domain::<2>::open()).unwrap();
    grid.insert(0, [10.3, 14.4], 4.0).unwrap();
    grid.insert(1, [14.0, 14.0], 1.5).unwrap();
    let [fine, coarse] = &grid.levels[..] else { panic!("two levels") };
    assert_eq!((grid.bodies[0].level, coarse.cell_of(&grid.bodies[0])), (1, [1, 1]));
    assert_eq!((grid.bodies[1].level, fine.cell_of(&grid.bodies[1])), (0, [4, 4]));
    let range = |level: &LivingLevel<2>, x: [f64; 2], radius: f64| {
        let reach = reach(radius, level.max_radius, 0.0);
        let spans: [_; 2] = std::array::from_fn(|axis| level.axes()[axis].span(x[axis] - reach, x[axis] + reach));
        (spans.map(|span| span.first), spans.map(|span| span.last))
    };
    assert_eq!(range(fine, [10.3, 14.4], 4.0), ([1, 2], [5, 6]));
    assert_eq!(range(coarse, [14.0, 14.0], 1.5), ([1, 1], [2, 2]));
    assert_eq!(range(coarse, [12.5, 12.5], 1.5), ([0, 0], [2, 2]));
}
