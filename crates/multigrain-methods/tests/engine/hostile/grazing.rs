//! Pairs that touch, or do not, by an ulp or two: where search ranges, wrapped positions and the choice of images must
//! leave room for rounding, and only the overlap test may decide.

use crate::scene::{Scene, direction, point_in};
use multigrain::{Axes, Dimension, Rng};
use std::ops::Range;

/// Pairs per scene.
const MANY: u64 = 60;

/// Pairs that get a scene of their own.
const ALONE: u64 = 20;

pub fn scenes<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut all = Vec::new();
    for corner in [0.0, -17.3, 1e3, 1e6, 1e9] {
        for sizes in [Sizes::Equal, Sizes::Two, Sizes::Different] {
            for way in [Way::AlongAnAxis, Way::Anywhere] {
                all.push(in_open_space(0..MANY, corner, sizes, way, 0.0));
            }
        }
        all.push(in_open_space(0..MANY, corner, Sizes::Two, Way::Anywhere, 0.5));
        // Alone, a pair is also its extent, and each partner that of its level: nothing but slack is left around them.
        for pair in 0..ALONE {
            all.push(in_open_space(pair..pair + 1, corner, Sizes::Two, Way::AlongAnAxis, 0.0));
        }
    }
    all.extend([1e4, 1e5].map(|length| on_a_long_line(100, length)));
    for boxes_away in [0.0, 1.0, 1000.0, 1e8] {
        for side in [10.0, 9.7, 1.0 / 3.0] {
            all.push(across_periodic_borders(0..MANY, side, boxes_away, Sizes::Equal, 0.0));
        }
        all.push(across_periodic_borders(0..MANY, 7.9, boxes_away, Sizes::Two, 0.5));
        for pair in 0..ALONE {
            all.push(across_periodic_borders(pair..pair + 1, 9.7, boxes_away, Sizes::Equal, 0.0));
        }
    }
    all
}

/// Pairs on a line so long against its cells that single precision barely tells the cells apart.
pub fn on_a_long_line<const D: usize>(pairs: usize, length: f64) -> Scene<D>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(3);
    let mut scene = Scene::new(format!("{pairs} pairs that graze on a line {length} long"), vec![], vec![]);
    for _ in 0..pairs {
        let a: [f64; D] = std::array::from_fn(|axis| if axis == 0 { length * rng.uniform() } else { 0.5 });
        let mut b = a;
        b[0] += if rng.below(2) == 0 { 1.0 } else { -1.0 };
        graze(&mut rng, &mut scene, [a, b], [0; D], Sizes::Two);
    }
    scene
}

#[derive(Debug, Clone, Copy)]
enum Sizes {
    Equal,
    /// One partner nine times the other, so that pairs across levels reach as far as levels assume.
    Two,
    /// One partner up to 65,536 times the other.
    Different,
}

#[derive(Debug, Clone, Copy)]
enum Way {
    AlongAnAxis,
    Anywhere,
}

/// Pairs, by number, about a distance of 1 apart, of which `margin` is the margin, somewhere in a box at `corner`.
fn in_open_space<const D: usize>(pairs: Range<u64>, corner: f64, sizes: Sizes, way: Way, margin: f64) -> Scene<D>
where
    Axes: Dimension<D>,
{
    let name = format!("grazing {pairs:?} at {corner}, {sizes:?} sizes, {way:?}, margin {margin}");
    let mut scene = Scene::new(name, vec![], vec![]).with_margin(margin);
    for pair in pairs {
        let mut rng = Rng::new(pair);
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

/// Pairs, by number, about a tenth of the box apart, one partner before a border and one behind it, moved by whole boxes. A `margin`
/// is a share of the distance at which a pair is made.
fn across_periodic_borders<const D: usize>(
    pairs: Range<u64>,
    side: f64,
    boxes_away: f64,
    sizes: Sizes,
    margin: f64,
) -> Scene<D>
where
    Axes: Dimension<D>,
{
    let (lo, hi) = ([-0.3 * side; D], [0.7 * side; D]);
    let name = format!("grazing {pairs:?} across a box {side} wide, up to {boxes_away} boxes away, margin {margin}");
    let scene = Scene::new(name, vec![], vec![]).within(lo, hi, [true; D]);
    let mut scene = scene.with_margin(0.1 * side * margin);
    for pair in pairs {
        let mut rng = Rng::new(pair);
        let axis = pair as usize % D;
        let mut a: [f64; D] = point_in(&mut rng, lo[0], hi[0]);
        let mut b = a;
        a[axis] = hi[axis] - 0.1 * side * (0.5 + 0.5 * rng.uniform());
        b[axis] = lo[axis] + 0.1 * side * rng.uniform();
        let mut shift = [0; D];
        shift[axis] = 1;
        for along in 0..D {
            let [for_a, for_b] = [(); 2].map(|()| (2.0 * boxes_away * (rng.uniform() - 0.5)).round());
            a[along] += for_a * scene.domain.length(along);
            b[along] += for_b * scene.domain.length(along);
            shift[along] += for_a as i32 - for_b as i32;
        }
        graze(&mut rng, &mut scene, [a, b], shift, sizes);
    }
    scene
}

/// Adds bodies at `a` and `b` whose radii and margin add up to their distance, give or take two ulps.
fn graze<const D: usize>(rng: &mut Rng, scene: &mut Scene<D>, [a, b]: [[f64; D]; 2], shift: [i32; D], sizes: Sizes) {
    let lengths = scene.domain.lengths();
    let squares = (0..D).map(|axis| ((b[axis] - a[axis]) + f64::from(shift[axis]) * lengths[axis]).powi(2));
    let reach = squares.sum::<f64>().sqrt() * (1.0 + (rng.below(5) as f64 - 2.0) * f64::EPSILON);
    let radii = reach - scene.margin;
    let larger = match sizes {
        Sizes::Equal => 0.5 * radii,
        Sizes::Two => 0.9 * radii,
        Sizes::Different => radii * (1.0 - 0.5f64.powi(1 + rng.below(16) as i32)),
    };
    scene.centers.extend([a, b]);
    scene.radii.extend([larger, radii - larger]);
}

fn unit<const D: usize>(along: usize) -> [f64; D] {
    std::array::from_fn(|axis| if axis == along { 1.0 } else { 0.0 })
}
