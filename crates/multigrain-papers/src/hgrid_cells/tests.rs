//! The papers' grid against brute force, and its counts against counts by hand.

use super::*;
use multigrain::Rng;
use multigrain::detectors::BruteForce;
use multigrain::sizes::SizeLaw;
use multigrain::{Axes, Build, Dimension, LevelChoice, Settings};
use multigrain::{Detector, Domain, Pairs, Work};

fn sorted<const D: usize>(detector: &mut impl Detector<D>, now: Snapshot<'_, D>) -> Pairs<D> {
    let mut pairs = Pairs::new();
    detector.find_pairs(now, &mut pairs);
    pairs.sort();
    pairs
}

/// Compares with brute force for many choices of levels, both directions, with and without margin.
fn agrees<const D: usize>(centers: &[[f64; D]], radii: &[f64], domain: Domain<D>)
where
    Axes: Dimension<D>,
{
    let now = Snapshot::new(centers, radii).unwrap().within(domain).unwrap();
    for margin in [0.0, 0.3 * now.extent().max_radius.max(1e-100)] {
        let now = now.with_margin(margin).unwrap();
        let expected = sorted(&mut BruteForce, now);
        let largest = now.largest_reach();
        let mut choices = vec![LevelChoice::Tuned, LevelChoice::Count(1), LevelChoice::Count(3), LevelChoice::Count(9)];
        choices.push(LevelChoice::CellSizes(vec![largest / 7.0, largest / 3.0, largest]));
        choices.push(LevelChoice::CellSizes(vec![largest / 2.0, 3.0 * largest, 100.0 * largest]));
        for levels in choices {
            for direction in Direction::ALL {
                let settings = Settings::default().with_direction(direction).with_levels(levels.clone());
                let mut grid = HGridCells::build(now, &settings).unwrap();
                let found = sorted(&mut grid, now);
                assert_eq!(found.as_slice(), expected.as_slice(), "{levels:?} {direction:?} margin {margin}");
                assert_eq!(found.shifts(), expected.shifts(), "{levels:?} {direction:?} margin {margin}");
                let particles: u64 = Detector::<D>::layout(&grid).particles_per_level.iter().sum();
                assert_eq!(particles, centers.len() as u64);
            }
        }
    }
}

fn random_points<const D: usize>(count: usize, lo: f64, hi: f64, rng: &mut Rng) -> Vec<[f64; D]> {
    (0..count).map(|_| std::array::from_fn(|_| lo + (hi - lo) * rng.uniform())).collect()
}

/// Sizes over two decades, some of them equal, some 0.
fn random_radii(count: usize, rng: &mut Rng) -> Vec<f64> {
    let size = |rng: &mut Rng| match rng.below(10) {
        0 => 0.0,
        1 => 0.02,
        _ => 0.003 * 100f64.powf(rng.uniform().powi(3)),
    };
    (0..count).map(|_| size(rng)).collect()
}

#[test]
fn agrees_with_brute_force_in_open_and_periodic_boxes() {
    let mut rng = Rng::new(1);
    for periodic in [[false; 3], [true; 3], [true, false, true]] {
        let domain = Domain::new([-0.2; 3], [0.8; 3], periodic).unwrap();
        // Bodies outside the box, too, up to a few boxes away.
        for (lo, hi) in [(-0.2, 0.8), (-2.1, 2.5)] {
            let radii = random_radii(400, &mut rng);
            agrees(&random_points::<3>(400, lo, hi, &mut rng), &radii, domain);
            let flat = Domain::new([-0.2; 2], [0.8; 2], [periodic[0], periodic[1]]).unwrap();
            agrees(&random_points::<2>(400, lo, hi, &mut rng), &radii, flat);
        }
    }
}

#[test]
fn agrees_with_brute_force_in_boxes_smaller_than_the_bodies() {
    let mut rng = Rng::new(2);
    for scale in [0.15, 0.4, 1.0, 2.0, 5.0] {
        let radii: Vec<f64> = (0..6).map(|_| scale * rng.uniform()).collect();
        let flat = Domain::new([0.0; 2], [0.9, 1.0], [true; 2]).unwrap();
        agrees(&random_points::<2>(6, 0.0, 1.0, &mut rng), &radii, flat);
        let slab = Domain::new([0.0; 3], [0.3, 1.0, 1.0], [true, false, true]).unwrap();
        agrees(&random_points::<3>(6, -1.0, 1.0, &mut rng), &radii, slab);
    }
}

#[test]
fn agrees_with_brute_force_on_lattices_that_touch_exactly() {
    for spacing in [0.25, 0.1, 1.0 / 3.0] {
        let line = |k: usize| k as f64 * spacing - 1.0;
        let centers: Vec<[f64; 3]> = (0..216).map(|k| [line(k % 6), line(k / 6 % 6), line(k / 36)]).collect();
        for radius in [spacing / 2.0, (spacing / 2.0).next_up(), (spacing / 2.0).next_down(), spacing] {
            let radii = vec![radius; centers.len()];
            agrees(&centers, &radii, Domain::open());
            for length in [6.0 * spacing, (6.0 * spacing).next_up(), (6.0 * spacing).next_down()] {
                agrees(&centers, &radii, Domain::periodic([-1.0; 3], [length - 1.0; 3]).unwrap());
            }
        }
    }
}

#[test]
fn agrees_with_brute_force_at_hostile_extents_and_sizes() {
    let mut rng = Rng::new(3);
    agrees(&[[0.0, 0.0], [1e7, -1e7], [0.5, 0.0]], &[1.0, 1.0, 1e-8], Domain::open());
    agrees(&[[1e150; 3], [-1e150; 3], [0.0; 3]], &[1e150, 1e-150, 1.0], Domain::open());
    agrees(&[[1e9, 1.0], [1e9 + 1e-6, 1.0], [1e9 + 2e-7, 1.0]], &[1e-6, 2e-7, 1e-12], Domain::open());
    let mut centers = random_points::<3>(150, 1e6, 1e6 + 1.0, &mut rng);
    centers.extend(random_points::<3>(150, -1e9, 1e9, &mut rng));
    let radii: Vec<f64> = (0..300).map(|k| if k == 7 { 1e8 } else { 0.1 * rng.uniform() }).collect();
    agrees(&centers, &radii, Domain::open());
    agrees(&[[0.3; 3]; 40], &[0.1; 40], Domain::open());
    agrees(
        &[[0.0, -0.0], [-4e-52, 1.0], [1f64.next_down(), 0.0], [1.0, 1.0]],
        &[0.3; 4],
        Domain::periodic([0.0; 2], [1.0; 2]).unwrap(),
    );
    let line: Vec<[f64; 3]> = (0..100).map(|k| [k as f64, 0.0, 0.0]).collect();
    agrees(&line, &[0.6; 100], Domain::open());
}

/// Two bodies that touch by an ulp or just not, with their centers an ulp around borders of cells: here the order of
/// roundings decides what lies in which cell.
#[test]
fn rounding_at_the_borders_of_cells_hides_no_contact() {
    let mut rng = Rng::new(8);
    let nudged = |x: f64, rng: &mut Rng| {
        let ulp = (x.abs().next_up() - x.abs()) * 2f64.powi(rng.below(3) as i32);
        x + (rng.below(5) as f64 - 2.0) * ulp
    };
    let mut contacts = 0;
    for case in 0..40_000 {
        let cells = if rng.below(2) == 0 { 1 + rng.below(6) } else { 1 + rng.below(1 << 24) };
        let length = 2f64.powi(rng.below(20) as i32 - 10) * (1.0 + rng.uniform());
        let lo = length * (rng.uniform() - 0.5) * 2f64.powi(rng.below(30) as i32 - 10);
        let hi = lo + length;
        let size = (hi - lo) / cells as f64;
        let domain =
            if case % 2 == 0 { Domain::open() } else { Domain::periodic([lo, 0.0], [hi, 1e3 * size]).unwrap() };
        let first = lo + rng.below(cells) as f64 * size;
        let away = if case % 4 == 3 { (rng.below(2000) as f64 - 1000.0) * length } else { 0.0 };
        let centers = [[nudged(first, &mut rng), 0.0], [nudged(first + size + away, &mut rng), 0.0]];
        let radii = [nudged(size / 2.0, &mut rng), nudged(size / 2.0, &mut rng)];
        let now = Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap();
        let expected = sorted(&mut BruteForce, now);
        contacts += expected.len();
        for sizes in [vec![2.0 * radii[0].max(radii[1])], vec![2.0 * radii[0], 2.0 * radii[0].max(radii[1]).next_up()]]
        {
            for direction in Direction::ALL {
                let mut grid = HGridCells::with_levels(Levels::from_cell_sizes(&sizes).unwrap(), direction);
                let found = sorted(&mut grid, now);
                let what = format!("{centers:?} {radii:?} {domain:?} {sizes:?}");
                assert_eq!((found.as_slice(), found.shifts()), (expected.as_slice(), expected.shifts()), "{what}");
            }
        }
    }
    assert!(contacts > 10_000, "{contacts}");
}

#[test]
fn later_snapshots_with_larger_bodies_are_searched_right() {
    let mut rng = Rng::new(4);
    let centers = random_points::<3>(300, 0.0, 1.0, &mut rng);
    let radii = random_radii(300, &mut rng);
    let mut grid = HGridCells::build(Snapshot::new(&centers, &radii).unwrap(), &Settings::default()).unwrap();
    for (factor, count) in [(1.0, 300), (7.0, 300), (0.1, 200), (3.0, 1), (1.0, 300)] {
        let radii: Vec<f64> = radii[..count].iter().map(|radius| factor * radius).collect();
        let now = Snapshot::new(&centers[..count], &radii).unwrap();
        assert_eq!(sorted(&mut grid, now).as_slice(), sorted(&mut BruteForce, now).as_slice(), "{factor}");
    }
}

#[test]
fn pairs_their_order_and_the_work_do_not_depend_on_threads() {
    let radii = SizeLaw::power(-3.0, 20.0).unwrap().sample(30_000, 3);
    let system = multigrain_packings::random::<3>(radii, 0.6, [true, false, true], 5).unwrap();
    let now = system.snapshot().unwrap();
    let mut grid = HGridCells::build(now, &Settings::default()).unwrap();
    let mut run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let mut pairs = Pairs::new();
        let work = pool.install(|| grid.count_work(now, &mut pairs));
        (pairs.into_parts(), work)
    };
    let expected = run(1);
    for threads in [2, 3, 8] {
        assert!(run(threads) == expected, "{threads} threads");
    }
    let mut visited = Vec::new();
    grid.visit_pairs(now, &mut |pair| visited.push([pair.i, pair.j]));
    assert!(visited == expected.0.0);
}

fn work_of<const D: usize>(sizes: &[f64], direction: Direction, now: Snapshot<'_, D>) -> Work {
    let mut grid = HGridCells::with_levels(Levels::from_cell_sizes(sizes).unwrap(), direction);
    grid.count_work(now, &mut Pairs::new())
}

/// Figure 1 of both papers: B of radius 4 searches the fine cells (1, 2) to (5, 6), C of radius 1.5 the coarse cells
/// (1, 1) to (2, 2).
#[test]
fn counts_the_cells_of_the_papers_figure() {
    let now = Snapshot::new(&[[10.3, 14.4], [14.0, 14.0]], &[4.0, 1.5]).unwrap();
    let own = 2 * (1 + 4);
    let top_down = work_of(&[3.0, 8.0], Direction::TopDown, now);
    assert_eq!(top_down, Work { candidates: 1, cells: own + 5 * 5 });
    let bottom_up = work_of(&[3.0, 8.0], Direction::BottomUp, now);
    assert_eq!(bottom_up, Work { candidates: 1, cells: own + 2 * 2 });
    let shifted = Snapshot::new(&[[10.3, 14.4], [12.5, 12.5]], &[4.0, 1.5]).unwrap();
    assert_eq!(work_of(&[3.0, 8.0], Direction::BottomUp, shifted).cells, own + 3 * 3);
}

#[test]
fn counts_every_candidate_once_and_every_cell_of_the_stencil() {
    // Cells of 1: bodies in cells 0, 0, 1, 3 along a line. Pairs in the same or neighbouring cells: three.
    let now = Snapshot::new(&[[0.1, 0.0], [0.2, 0.0], [1.5, 0.0], [3.5, 0.0]], &[0.5; 4]).unwrap();
    assert_eq!(work_of(&[1.0], Direction::TopDown, now), Work { candidates: 3, cells: 4 * 5 });
    // Around a box of four cells the last cell neighbours the first: two more.
    let wrapped = now.within(Domain::new([0.0; 2], [4.0; 2], [true, false]).unwrap()).unwrap();
    assert_eq!(work_of(&[1.0], Direction::TopDown, wrapped), Work { candidates: 5, cells: 4 * 5 });
    // A reach of a whole cell on a lattice of cells stays within the stencil: each cell has two neighbours.
    let line: Vec<[f64; 2]> = (0..8).map(|k| [f64::from(k), 0.0]).collect();
    let ring = Snapshot::new(&line, &[0.5; 8]).unwrap();
    assert_eq!(work_of(&[1.0], Direction::TopDown, ring).candidates, 7);
}

#[test]
fn a_body_over_a_billion_cells_is_counted_but_not_walked_cell_by_cell() {
    let mut rng = Rng::new(6);
    let mut centers = random_points::<3>(3000, 0.0, 1000.0, &mut rng);
    let mut radii = vec![0.5; centers.len()];
    centers.push([500.0; 3]);
    radii.push(1e4);
    let now = Snapshot::new(&centers, &radii).unwrap();
    let mut grid = HGridCells::with_levels(Levels::from_cell_sizes(&[1.0, 2e4]).unwrap(), Direction::TopDown);
    let mut pairs = Pairs::new();
    let work = grid.count_work(now, &mut pairs);
    assert!(pairs.len() >= 3000);
    assert!(work.cells > 8_000_000_000_000 && work.cells < 8_100_000_000_000, "{work:?}");
    assert!(work.candidates < 2 * 3000, "{work:?}");
}

#[test]
fn cells_beyond_counting_are_counted_as_the_most_that_can_be() {
    let now = Snapshot::new(&[[0.0; 3], [1.0; 3]], &[1e-9, 1e9]).unwrap();
    assert_eq!(work_of(&[2e-9, 2e9], Direction::TopDown, now), Work { candidates: 1, cells: u64::MAX });
}

#[test]
fn settings_are_checked_and_obeyed() {
    let radii = SizeLaw::power(-3.0, 50.0).unwrap().sample(5000, 3);
    let system = multigrain_packings::random::<3>(radii, 0.62, [true; 3], 7).unwrap();
    let now = system.snapshot().unwrap();
    let build =
        |levels| HGridCells::build(now, &Settings::default().with_direction(Direction::BottomUp).with_levels(levels));
    let mut grid = build(LevelChoice::Count(4)).unwrap();
    sorted(&mut grid, now);
    let layout = Detector::<3>::layout(&grid);
    assert_eq!((layout.direction, layout.cell_sizes.len()), (Some(Direction::BottomUp), 4));
    assert!(layout.particles_per_level.iter().all(|&particles| particles > 0), "{layout:?}");
    let side = system.domain.length(0);
    for size in layout.cell_sizes {
        let cells = side / size;
        assert!((cells - cells.round()).abs() < 1e-9, "{cells}");
    }
    assert!(build(LevelChoice::Count(0)).is_err());
    assert!(
        build(LevelChoice::CellSizes(vec![2.0, 3.0])).unwrap_err().to_string().starts_with("largest cell size is 3")
    );
    for (centers, radii) in [(vec![], vec![]), (vec![[0.0; 2]; 3], vec![0.0; 3])] {
        let now = Snapshot::new(&centers, &radii).unwrap();
        let mut grid = HGridCells::build(now, &Settings::default()).unwrap();
        assert!(sorted(&mut grid, now).is_empty());
        let now = now.with_margin(0.1).unwrap();
        assert_eq!(sorted(&mut grid, now).len(), centers.len());
    }
}
