//! Pairs that touch, or do not, by an ulp or two: where search ranges, wrapped positions and the choice of images must
//! leave room for rounding, and only the overlap test may decide.

use crate::scene::{Scene, direction, point_in};
use multigrain::Domain;
use multigrain::scenes::Rng;

const PAIRS: usize = 60;

pub fn scenes<const D: usize>() -> Vec<Scene<D>> {
    let mut all = Vec::new();
    for corner in [0.0, -17.3, 1e3, 1e6, 1e9] {
        for sizes in [Sizes::Equal, Sizes::Different] {
            for way in [Way::AlongAnAxis, Way::Anywhere] {
                all.push(in_open_space(corner, sizes, way));
            }
        }
    }
    for boxes_away in [0.0, 1.0, 1000.0, 1e8] {
        for side in [10.0, 9.7, 1.0 / 3.0] {
            all.push(across_periodic_borders(side, boxes_away));
        }
    }
    all
}

#[derive(Debug, Clone, Copy)]
enum Sizes {
    Equal,
    Different,
}

#[derive(Debug, Clone, Copy)]
enum Way {
    AlongAnAxis,
    Anywhere,
}

/// Pairs about a distance of 1 apart, somewhere in a box at `corner`.
fn in_open_space<const D: usize>(corner: f64, sizes: Sizes, way: Way) -> Scene<D> {
    let mut rng = Rng::new(1);
    let mut scene = Scene::new(format!("grazing at {corner}, {sizes:?} sizes, {way:?}"), vec![], vec![]);
    for _ in 0..PAIRS {
        let a: [f64; D] = point_in(&mut rng, corner, corner + 9.0);
        let towards: [f64; D] = match way {
            Way::Anywhere => direction(&mut rng),
            Way::AlongAnAxis => unit(rng.below(D as u64) as usize),
        };
        let b: [f64; D] = std::array::from_fn(|axis| a[axis] + towards[axis]);
        graze(&mut rng, &mut scene, [a, b], [0; D], sizes);
    }
    scene
}

/// Pairs about a tenth of the box apart, one partner before a border and one behind it, moved by whole boxes.
fn across_periodic_borders<const D: usize>(side: f64, boxes_away: f64) -> Scene<D> {
    let mut rng = Rng::new(2);
    let (lo, hi) = ([-0.3 * side; D], [0.7 * side; D]);
    let name = format!("grazing across borders of a box {side} wide, up to {boxes_away} boxes away");
    let mut scene = Scene { domain: Domain::periodic(lo, hi).unwrap(), ..Scene::new(name, vec![], vec![]) };
    for pair in 0..PAIRS {
        let axis = pair % D;
        let mut a: [f64; D] = point_in(&mut rng, lo[0], hi[0]);
        let mut b = a;
        a[axis] = hi[axis] - 0.1 * side * rng.uniform();
        b[axis] = lo[axis] + 0.1 * side * rng.uniform();
        let mut shift = [0; D];
        shift[axis] = 1;
        for along in 0..D {
            let [for_a, for_b] = [(); 2].map(|()| (2.0 * boxes_away * (rng.uniform() - 0.5)).round());
            a[along] += for_a * scene.domain.length(along);
            b[along] += for_b * scene.domain.length(along);
            shift[along] += for_a as i32 - for_b as i32;
        }
        graze(&mut rng, &mut scene, [a, b], shift, Sizes::Equal);
    }
    scene
}

/// Adds bodies at `a` and `b` with radii that add up to their distance, give or take two ulps.
fn graze<const D: usize>(rng: &mut Rng, scene: &mut Scene<D>, [a, b]: [[f64; D]; 2], shift: [i32; D], sizes: Sizes) {
    let lengths = scene.domain.lengths();
    let squares = (0..D).map(|axis| ((b[axis] - a[axis]) + f64::from(shift[axis]) * lengths[axis]).powi(2));
    let reach = squares.sum::<f64>().sqrt() * (1.0 + (rng.below(5) as f64 - 2.0) * f64::EPSILON);
    let larger = match sizes {
        Sizes::Equal => 0.5 * reach,
        Sizes::Different => reach * (1.0 - 0.5f64.powi(1 + rng.below(16) as i32)),
    };
    scene.centers.extend([a, b]);
    scene.radii.extend([larger, reach - larger]);
}

fn unit<const D: usize>(along: usize) -> [f64; D] {
    std::array::from_fn(|axis| if axis == along { 1.0 } else { 0.0 })
}
