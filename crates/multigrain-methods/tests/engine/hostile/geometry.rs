//! Positions: borders, planes, lines, spots, far away.

use crate::scene::{Scene, log_uniform, point_in};
use multigrain::limits::{CELL_STRETCH, MAX_BOXES_AWAY};
use multigrain::{Axes, Dimension, Rng};
use multigrain_packings::lattice;

pub fn scenes<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut all = Vec::new();
    all.extend(all_coordinates_negative());
    all.extend(points_around_borders(0.0, 4.0));
    all.extend(points_around_borders(-2.0, 2.0));
    all.extend(many_boxes_away(1000.0));
    all.extend(many_boxes_away((1u64 << 27) as f64));
    all.extend(as_many_boxes_away_as_can_be());
    all.extend(flat_systems());
    all.extend(coincident_centers());
    all.extend(lattices_that_touch());
    all.extend(two_points_in_a_wide_box());
    all.extend(clusters_far_apart());
    all
}

fn all_coordinates_negative<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(1);
    let centers = (0..120).map(|_| point_in(&mut rng, -30.0, -10.0)).collect();
    let radii = (0..120).map(|_| log_uniform(&mut rng, 0.3, 3.0)).collect();
    Scene::new("all coordinates negative", centers, radii).in_every_domain([-30.0; D], [-10.0; D])
}

/// Coordinates at exactly lo, hi, 0, -0.0, -4e-52, and one ulp inside and outside the box.
fn points_around_borders<const D: usize>(lo: f64, hi: f64) -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let around = |x: f64| [x.next_down(), x, x.next_up()];
    let mut values = vec![0.0, -0.0, -4e-52, 4e-52, 0.5 * (lo + hi), lo + 1.0];
    values.extend(around(lo).into_iter().chain(around(hi)));
    let mut rng = Rng::new(2);
    let mut pick = |from: &[f64]| from[rng.below(from.len() as u64) as usize];
    let centers = (0..100).map(|_| std::array::from_fn(|_| pick(&values))).collect();
    let radii = (0..100).map(|_| pick(&[0.0, 1e-15, 0.25, 0.5, 1.0])).collect();
    Scene::new(format!("points around the borders {lo} and {hi}"), centers, radii).in_every_domain([lo; D], [hi; D])
}

/// Bodies up to `most` boxes away along the axes that are periodic.
fn many_boxes_away<const D: usize>(most: f64) -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(3);
    let centers: Vec<[f64; D]> = (0..100).map(|_| point_in(&mut rng, 0.0, 4.0)).collect();
    let radii = (0..100).map(|_| log_uniform(&mut rng, 0.1, 1.0)).collect();
    let mut scenes = Scene::new(format!("up to {most} boxes away"), centers, radii).in_every_domain([0.0; D], [4.0; D]);
    for scene in &mut scenes {
        for center in &mut scene.centers {
            for (axis, x) in center.iter_mut().enumerate() {
                let boxes = (2.0 * most * (rng.uniform() - 0.5)).round();
                *x += boxes * scene.domain.length(axis);
            }
        }
    }
    scenes
}

/// Bodies at either end of what image shifts can name.
fn as_many_boxes_away_as_can_be<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let far = MAX_BOXES_AWAY;
    let corners = [[0.25; D], [far + 0.75; D], [-far + 0.5; D], [0.0; D], [far + 1.0; D], [-far; D]];
    vec![
        Scene::new("as many boxes away as can be", corners.to_vec(), vec![0.25; 6])
            .within([0.0; D], [1.0; D], [true; D]),
    ]
}

/// All bodies in a plane, on a line, on a diagonal.
fn flat_systems<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(4);
    let mut all = Vec::new();
    let radii: Vec<f64> = (0..100).map(|_| log_uniform(&mut rng, 0.1, 1.0)).collect();
    for (name, free_axes) in [("in a plane", D - 1), ("on a line", 1)] {
        for flipped in [false, true] {
            let centers = (0..100)
                .map(|_| {
                    let free = point_in::<D>(&mut rng, 0.0, 20.0);
                    std::array::from_fn(|axis| {
                        let rank = if flipped { D - 1 - axis } else { axis };
                        if rank < free_axes { free[axis] } else { 7.0 }
                    })
                })
                .collect();
            let name = format!("all points {name}, {}", if flipped { "last axes" } else { "first axes" });
            all.extend(Scene::new(name, centers, radii.clone()).in_every_domain([0.0; D], [20.0; D]));
        }
    }
    let diagonal = (0..100).map(|k| [0.17 * k as f64; D]).collect();
    all.extend(Scene::new("all points on the diagonal", diagonal, radii).in_every_domain([0.0; D], [17.0; D]));
    all
}

fn coincident_centers<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(5);
    let mut all = Vec::new();
    for (sizes, largest) in [("equal", 1.0), ("different", 1000.0)] {
        let radii: Vec<f64> = (0..50).map(|_| log_uniform(&mut rng, 1.0, largest)).collect();
        for spot in [[0.0; D], [-3.3; D], [1e9; D]] {
            let name = format!("50 bodies of {sizes} sizes on the spot {spot:?}");
            all.push(Scene::new(name.clone(), vec![spot; 50], radii.clone()));
            let box_at = |offset: f64| spot.map(|x| x + offset);
            let periodic = Scene::new(name + ", periodic", vec![spot; 50], radii.clone());
            all.push(periodic.within(box_at(0.0), box_at(1.5 * largest), [true; D]));
        }
    }
    all
}

/// A lattice whose bodies touch exactly, one ulp closer and one ulp apart.
fn lattices_that_touch<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut all = Vec::new();
    for (name, radius) in [("exactly", 0.5), ("one ulp deep", 0.5f64.next_up()), ("not by one ulp", 0.5f64.next_down())]
    {
        for periodic in [[false; D], [true; D]] {
            let mut system = lattice(vec![0.5; 6usize.pow(D as u32)], [1.0; D], periodic, 1).unwrap();
            system.radii.fill(radius);
            all.push(Scene::of(format!("lattice that touches {name}, periodic {periodic:?}"), system));
        }
    }
    all
}

fn two_points_in_a_wide_box<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let wide = 1e7;
    let pairs = [
        ("touching", [[1e6; D], [1e6 + 0.3; D]]),
        ("at opposite corners", [[0.1; D], [wide - 0.1; D]]),
        ("apart", [[1.0; D], [5e6; D]]),
    ];
    let mut all = Vec::new();
    for (name, centers) in pairs {
        let scene = Scene::new(format!("two points {name} in a box 1e7 wide"), centers.to_vec(), vec![0.5, 0.25]);
        all.extend(scene.in_every_domain([0.0; D], [wide; D]));
    }
    all
}

fn clusters_far_apart<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(6);
    let mut centers: Vec<[f64; D]> = Vec::new();
    for corner in [0.0, 1e9, -1e9] {
        centers.extend((0..40).map(|_| point_in::<D>(&mut rng, corner, corner + 6.0)));
    }
    let radii = (0..120).map(|_| log_uniform(&mut rng, 0.2, 2.0)).collect();
    vec![Scene::new("three clusters 1e9 apart", centers, radii)]
}

/// Periodic boxes of 1 to 4 cells: a whole number of them, one ulp less and more, and with a piece left over.
pub fn boxes_of_a_few_cells<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(7);
    let mut all = Vec::new();
    for cells in 1..=4 {
        // As users count cells, and as the engine stretches them.
        for whole in [f64::from(cells), f64::from(cells) * CELL_STRETCH] {
            for side in [whole.next_down(), whole, whole.next_up()] {
                all.extend(crowd(&mut rng, &format!("box {side:?} wide of {cells} cells"), side));
            }
        }
        let side = f64::from(cells) + 0.5;
        all.extend(crowd(&mut rng, &format!("box {side} wide with a leftover cell"), side));
    }
    all
}

/// Bodies of diameter up to 1 anywhere in a box and on its borders.
fn crowd<const D: usize>(rng: &mut Rng, name: &str, side: f64) -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut centers: Vec<[f64; D]> = (0..24).map(|_| point_in(rng, 0.0, side)).collect();
    centers.extend([[0.0; D], [side; D], [side.next_down(); D], [0.5 * side; D]]);
    let radii = (0..centers.len()).map(|body| if body % 3 == 0 { 0.5 } else { 0.5 * rng.uniform() }).collect();
    Scene::new(name, centers, radii).in_every_domain([0.0; D], [side; D])
}
