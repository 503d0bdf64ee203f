//! The living grid against a plain list of bodies.

use super::Outcome;
use crate::bytes::Bytes;
use multigrain::grid::ShiftRange;
use multigrain::overlap::{contact_vector, reach, touches};
use multigrain::{Domain, Levels, Sphere};
use multigrain_living_grid::LivingGrid;
use std::collections::BTreeMap;

/// Most changes of one life.
const MAX_STEPS: u64 = 120;

/// Most images that a question may have to look at by itself.
const MAX_IMAGES: f64 = 3000.0;

pub fn run(input: &[u8]) -> Outcome {
    let mut bytes = Bytes::new(input);
    if bytes.is_one_in(2) { life::<2>(&mut bytes) } else { life::<3>(&mut bytes) }
}

/// Id and image shift, sorted.
type Found<const D: usize> = Vec<(u32, [i32; D])>;

fn life<const D: usize>(bytes: &mut Bytes<'_>) -> Outcome {
    let side = [1.0, 4.0, 0.1][bytes.below(3) as usize] * (0.5 + bytes.uniform());
    let periodic = std::array::from_fn(|_| bytes.is_one_in(2));
    let domain = match bytes.is_one_in(3) {
        true => Domain::open(),
        false => Domain::new([-0.5 * side; D], [0.5 * side; D], periodic).expect("a box"),
    };
    let mut sizes: Vec<f64> = (0..1 + bytes.below(4)).map(|_| side * 10f64.powf(4.0 * bytes.uniform() - 3.0)).collect();
    sizes.sort_by(f64::total_cmp);
    sizes.dedup();
    let levels = Levels::from_cell_sizes(&sizes).expect("sizes ascend");
    let mut grid = LivingGrid::new(levels, domain).expect("no sheared cell");
    let mut bodies: BTreeMap<u32, Sphere<D>> = BTreeMap::new();
    let scale = side * bytes.pick(&[1.0, 1.0, 0.1, 1e-6]);
    let mut checked = 0;
    for _ in 0..bytes.below(MAX_STEPS) {
        let id = u32::from(bytes.byte() % 60) * 12_582_788;
        let center = std::array::from_fn(|_| match bytes.below(8) {
            0 => 0.125 * side * f64::from(bytes.byte() % 9) - 0.5 * side,
            1 => 3.0 * side * bytes.signed(),
            2 => (0.5 * side).next_down(),
            _ => scale * bytes.signed(),
        });
        let radius = match bytes.below(8) {
            0 => 0.0,
            1 => bytes.pick(&sizes) * 0.5,
            2 => 1.5 * side * bytes.uniform(),
            _ => 0.2 * scale * bytes.uniform(),
        };
        let is_there = bodies.contains_key(&id);
        match bytes.below(5) {
            0 => assert_eq!(grid.remove(id).ok(), bodies.remove(&id)),
            1 => {
                assert_eq!(grid.move_to(id, center).is_ok(), is_there);
                bodies.entry(id).and_modify(|body| body.center = center);
            }
            2 => {
                assert_eq!(grid.resize(id, radius).is_ok(), is_there);
                bodies.entry(id).and_modify(|body| body.radius = radius);
            }
            _ => {
                assert_eq!(grid.insert(id, center, radius).is_ok(), !is_there);
                bodies.entry(id).or_insert(Sphere { center, radius });
            }
        }
        assert_eq!((grid.len(), grid.get(id)), (bodies.len(), bodies.get(&id).copied()));
        if bytes.is_one_in(2) {
            checked += ask(&grid, &bodies, center, radius, bytes);
        }
    }
    Outcome { checked, ..Outcome::accepted(bodies.len()) }
}

/// Which bodies touch a sphere, or a box around a place.
fn ask<const D: usize>(
    grid: &LivingGrid<D>,
    bodies: &BTreeMap<u32, Sphere<D>>,
    center: [f64; D],
    radius: f64,
    bytes: &mut Bytes<'_>,
) -> u64 {
    let domain = grid.domain();
    let lengths = domain.lengths();
    let half: [f64; D] = std::array::from_fn(|_| radius * bytes.uniform());
    let (lo, hi) = (std::array::from_fn(|k| center[k] - half[k]), std::array::from_fn(|k| center[k] + half[k]));
    let mut found: [Found<D>; 2] = [Vec::new(), Vec::new()];
    grid.touching_sphere(center, radius, |id, shift| found[0].push((id, shift))).expect("a sphere");
    grid.touching_box(lo, hi, |id, shift| found[1].push((id, shift))).expect("a box");
    let mut expected: [Found<D>; 2] = [Vec::new(), Vec::new()];
    for (&id, body) in bodies {
        let mut shifts = ShiftRange { first: [0; D], last: [0; D] };
        let mut images = 1.0;
        for axis in (0..D).filter(|&axis| domain.is_periodic(axis)) {
            let reach = radius + body.radius;
            shifts.first[axis] = ((center[axis] - reach - body.center[axis]) / lengths[axis]).floor() as i32 - 1;
            shifts.last[axis] = ((center[axis] + reach - body.center[axis]) / lengths[axis]).ceil() as i32 + 1;
            images *= f64::from(shifts.last[axis] - shifts.first[axis] + 1);
        }
        if images > MAX_IMAGES {
            return 0;
        }
        for shift in shifts.iter() {
            if touches(contact_vector(center, body.center, shift, lengths), reach(radius, body.radius, 0.0)) {
                expected[0].push((id, shift));
            }
            let image = contact_vector([0.0; D], body.center, shift, lengths);
            let is_inside = (0..D).all(|axis| lo[axis] < image[axis] && image[axis] < hi[axis]);
            let beyond: [f64; D] = std::array::from_fn(|axis| image[axis] - image[axis].clamp(lo[axis], hi[axis]));
            if if body.radius == 0.0 { is_inside } else { touches(beyond, body.radius) } {
                expected[1].push((id, shift));
            }
        }
    }
    found.iter_mut().for_each(|list| list.sort_unstable());
    expected.iter_mut().for_each(|list| list.sort_unstable());
    assert_eq!(found, expected, "sphere, then box, at {center:?} with {radius} in {domain:?}");
    2
}
