//! Sizes: borders of levels, huge spreads, bodies larger than the box.

use crate::scene::{Scene, direction, log_uniform, point_in};
use multigrain::{Axes, Dimension, Rng};
use multigrain_packings::random;

pub fn scenes<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut all = Vec::new();
    all.extend(radii_around_level_borders());
    all.extend(wide_spreads());
    all.push(bodies_on_the_skin_of_a_giant());
    all.extend(one_body_over_all_cells(150));
    all.push(one_body_over_every_integer());
    all.extend(body_bigger_than_the_box());
    all.extend(reach_from_half_to_three_boxes());
    all
}

/// Radii that fill the cells of a level exactly, and one ulp to either side, some pairs touching exactly.
fn radii_around_level_borders<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let borders = [1.0, 2.0, 4.0, 8.0];
    let mut all = Vec::new();
    for margin in [0.0, 0.5] {
        let mut rng = Rng::new(1);
        let mut radii = Vec::new();
        let mut centers: Vec<[f64; D]> = Vec::new();
        for border in borders {
            let radius: f64 = border - 0.5 * margin;
            for radius in [radius.next_down(), radius, radius.next_up()] {
                for _ in 0..6 {
                    // A pair along one axis at the distance of touch, between sizes next to the border.
                    let center = point_in::<D>(&mut rng, 0.0, 40.0).map(|x| (8.0 * x).round() / 8.0);
                    let mut partner = center;
                    partner[rng.below(D as u64) as usize] += 2.0 * border;
                    centers.extend([center, partner]);
                    radii.extend([radius, border - 0.5 * margin]);
                }
            }
        }
        let scene =
            Scene::new(format!("radii around level borders, margin {margin}"), centers, radii).with_margin(margin);
        let largest = scene.now().largest_reach();
        let scene = scene.cell_sizes(&[2.0, 4.0, 8.0, largest]).cell_sizes(&[2.0, 4.0, 8.0, 16.0, 32.0]);
        all.extend(scene.in_every_domain([0.0; D], [40.0; D]));
    }
    all
}

fn wide_spreads<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut all = Vec::new();
    for ratio in [1e4, 1e8] {
        let mut rng = Rng::new(2);
        let radii: Vec<f64> = (0..200).map(|_| log_uniform(&mut rng, 1.0, ratio)).collect();
        for periodic in [[false; D], [true; D]] {
            let system = random(radii.clone(), 0.5, periodic, 3).unwrap();
            all.push(Scene::of(format!("spread 1:{ratio:e}, periodic {periodic:?}"), system));
        }
    }
    all
}

/// Bodies 1e8 times smaller all around a giant, at the distance of touch up to rounding, and in touch with each other.
fn bodies_on_the_skin_of_a_giant<const D: usize>() -> Scene<D>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(3);
    let giant = 1e8;
    let (mut centers, mut radii) = (vec![[0.0; D]], vec![giant]);
    for _ in 0..60 {
        let outwards = direction::<D>(&mut rng);
        let radius = log_uniform(&mut rng, 1.0, 10.0);
        let ulps = rng.below(7) as f64 - 3.0;
        let distance = (giant + radius) * (1.0 + ulps * f64::EPSILON);
        let center = outwards.map(|x| x * distance);
        centers.push(center);
        radii.push(radius);
        centers.push(center.map(|x| x + 0.8 * radius));
        radii.push(radius);
    }
    Scene::new("bodies on the skin of a giant", centers, radii)
}

/// A body over more than 1e9 cells of the finest level, among `count` small ones.
pub fn one_body_over_all_cells<const D: usize>(count: usize) -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    // The fine cells have size 2, so a radius R covers at least R^D of them.
    let giant = 2e9f64.powf(1.0 / D as f64).ceil();
    let mut rng = Rng::new(4);
    let mut all = Vec::new();
    for (name, spread) in
        [("spread through it", giant), ("crowded in one place", 2.0 * (count as f64).powf(1.0 / D as f64))]
    {
        let mut centers: Vec<[f64; D]> = (0..count).map(|_| point_in(&mut rng, 0.0, spread)).collect();
        centers.push([0.5 * spread; D]);
        let mut radii = vec![1.0; count];
        radii.push(giant);
        let name = format!("one body over 1e9 cells, {count} bodies {name}");
        all.push(Scene::new(name.clone(), centers.clone(), radii.clone()).cell_sizes(&[2.0, 2.0 * giant]));
        let side = 2.0 * giant;
        all.push(Scene::new(name + ", periodic", centers, radii).within([0.0; D], [side; D], [true; D]));
    }
    all
}

/// Small bodies so small against a large one that no integer counts the cells it covers.
fn one_body_over_every_integer<const D: usize>() -> Scene<D>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(5);
    let mut centers: Vec<[f64; D]> = (0..80).map(|_| point_in(&mut rng, 0.0, 1e-2)).collect();
    centers.push([1e11; D]);
    centers.extend((0..20).map(|_| point_in::<D>(&mut rng, -1e12, 1e12)));
    let mut radii = vec![1e-3; 80];
    radii.push(1e12);
    radii.extend([1e-3; 20]);
    Scene::new("one body over more cells than integers", centers, radii).cell_sizes(&[2e-3, 2e12])
}

fn body_bigger_than_the_box<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(6);
    let centers = (0..30).map(|_| point_in(&mut rng, -0.5, 0.5)).collect();
    let mut radii: Vec<f64> = (0..30).map(|_| log_uniform(&mut rng, 0.01, 0.1)).collect();
    radii[11] = 1.3;
    radii[23] = 0.7;
    Scene::new("bodies bigger than the box", centers, radii).in_every_domain([-0.5; D], [0.5; D])
}

/// Several images of one pair, and images of oneself.
fn reach_from_half_to_three_boxes<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(7);
    let length = 1.75;
    let mut all = Vec::new();
    for boxes in [0.5, 0.5f64.next_up(), 0.75, 1.0, 1.0f64.next_up(), 1.5, 2.0, 3.0] {
        for share in [0.5, 0.9, 1.0] {
            let reach = boxes * length;
            let mut centers = vec![[0.0; D], [0.5 * length; D], [0.0; D], point_in(&mut rng, 0.0, length)];
            centers[2][0] = 0.5 * length;
            let radii = vec![share * reach, (1.0 - share) * reach, 0.1, 0.0];
            let name = format!("reach of {boxes:?} boxes, the larger body having {share} of it");
            all.extend(Scene::new(name, centers, radii).in_every_domain([0.0; D], [length; D]).split_off(1));
        }
    }
    all
}
