//! Numbers: none, one, zero, tiny, huge, and those that are refused.

use crate::scene::{Scene, point_in};
use crate::settings;
use multigrain::Rng;
use multigrain::limits::{MAX_LENGTH, MIN_LENGTH};
use multigrain::{Axes, Dimension, Domain, Error, Pairs, Snapshot, Work};
use multigrain_methods::Method;

pub fn scenes<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut all = Vec::new();
    all.extend(few_bodies());
    all.extend(zero_radii());
    all.extend(scaled_to_the_limits());
    all.extend(one_stray_number());
    all.push(a_stray_that_touches_its_own_images());
    all.push(subnormal_coordinates());
    all
}

/// No body, one body, one body that touches only its own images.
fn few_bodies<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut all = Scene::new("no bodies", vec![], vec![]).in_every_domain([0.0; D], [1.0; D]);
    for radius in [0.0, 0.3, 0.5, 0.5f64.next_up(), 2.0] {
        let scene = Scene::new(format!("one body of radius {radius:?}"), vec![[0.4; D]], vec![radius]);
        all.extend(scene.in_every_domain([0.0; D], [1.0; D]));
    }
    all
}

/// Points: they touch what covers them, and one another only with a margin.
fn zero_radii<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(1);
    let mut centers: Vec<[f64; D]> = (0..60).map(|_| point_in(&mut rng, 0.0, 4.0)).collect();
    centers.extend([[1.0; D]; 3]);
    let points = vec![0.0; centers.len()];
    let mixed: Vec<f64> = (0..centers.len()).map(|body| if body % 4 == 0 { 0.6 } else { 0.0 }).collect();
    let mut all = Vec::new();
    for margin in [0.0, 0.4] {
        let scene = Scene::new(format!("points only, margin {margin}"), centers.clone(), points.clone());
        all.extend(scene.with_margin(margin).in_every_domain([0.0; D], [4.0; D]));
        let scene = Scene::new(format!("points and bodies, margin {margin}"), centers.clone(), mixed.clone());
        all.extend(scene.with_margin(margin).in_every_domain([0.0; D], [4.0; D]));
    }
    all
}

/// The same bodies at the smallest and largest scales that are taken.
fn scaled_to_the_limits<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(2);
    let mut centers: Vec<[f64; D]> = (0..60).map(|_| point_in(&mut rng, -1.0, 1.0)).collect();
    centers.extend([[-1.0; D], [1.0; D]]);
    let mut radii: Vec<f64> = (0..60).map(|_| 0.1 + 0.2 * rng.uniform()).collect();
    radii.extend([1.0, 0.1]);
    let mut all = Vec::new();
    for scale in [MAX_LENGTH, 1e100, 1e-13, 1e-18, 1e-23, 1e-100, 10.0 * MIN_LENGTH] {
        let centers = centers.iter().map(|center| center.map(|x| x * scale)).collect();
        let radii = radii.iter().map(|radius| radius * scale).collect();
        // Cells may be much larger than all bodies together: their size says nothing of how small squares become.
        let scene = Scene::new(format!("everything times {scale:e}"), centers, radii).cell_sizes(&[1e6 * scale]);
        all.extend(scene.in_every_domain([-scale; D], [scale; D]));
    }
    all
}

/// Ordinary bodies among which one number is as large or as small as can be: the other contacts must still be found.
fn one_stray_number<const D: usize>() -> Vec<Scene<D>>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(3);
    let centers: Vec<[f64; D]> = (0..80).map(|_| point_in(&mut rng, 0.0, 5.0)).collect();
    let radii: Vec<f64> = (0..80).map(|_| 0.2 + 0.4 * rng.uniform()).collect();
    let mut all = Vec::new();
    for far in [1e6, 1e15, 1e17, 1e40, MAX_LENGTH, -MAX_LENGTH] {
        let mut centers = centers.clone();
        centers[40][D - 1] = far;
        let scene = Scene::new(format!("one coordinate {far:e}"), centers, radii.clone());
        // Rounding along the open axis is no reason for images along the others.
        let others = std::array::from_fn(|axis| axis + 1 < D);
        all.push(
            Scene { name: format!("{}, other axes periodic", scene.name), ..scene.copy() }
                .within([0.0; D], [5.0; D], others),
        );
        all.push(scene);
    }
    let mut lengths = [5.0; D];
    lengths[D - 1] = 1e24;
    let in_long_box = Scene::new("a box much longer than wide", centers.clone(), radii.clone());
    all.push(in_long_box.within([0.0; D], lengths, [true; D]));
    for radius in [1e9, 1e16, 1e40, MAX_LENGTH, MIN_LENGTH, 0.0] {
        let mut radii = radii.clone();
        radii[40] = radius;
        all.push(Scene::new(format!("one radius {radius:e}"), centers.clone(), radii));
    }
    let tiny = vec![MIN_LENGTH; 80];
    let mut same_spots = centers;
    for body in 40..80 {
        same_spots[body] = same_spots[body - 40];
    }
    same_spots[3] = [MAX_LENGTH; D];
    all.push(Scene::new("smallest radii over the largest extent", same_spots, tiny));
    all
}

/// A body far away along the open axis, and a margin longer than the periods of the others: it touches its own images,
/// which are contacts of the distant body alone.
fn a_stray_that_touches_its_own_images<const D: usize>() -> Scene<D>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(5);
    let mut centers: Vec<[f64; D]> = (0..64).map(|_| point_in(&mut rng, 0.0, 1.0)).collect();
    for (height, center) in centers.iter_mut().enumerate() {
        center[D - 1] = if height == 32 { 1e5 } else { height as f64 };
    }
    Scene::new("a stray touches its own images", centers, vec![0.1; 64])
        .within([0.0; D], [1.0; D], std::array::from_fn(|axis| axis + 1 < D))
        .with_margin(1.5)
}

fn subnormal_coordinates<const D: usize>() -> Scene<D>
where
    Axes: Dimension<D>,
{
    let mut rng = Rng::new(4);
    let tiny = f64::MIN_POSITIVE;
    let mut centers: Vec<[f64; D]> = (0..30).map(|_| point_in(&mut rng, -tiny, tiny)).collect();
    centers.extend((0..30).map(|_| point_in::<D>(&mut rng, -1.0, 1.0)));
    Scene::new("subnormal coordinates", centers, (0..60).map(|body| 0.1 + 0.001 * f64::from(body)).collect())
}

#[test]
fn nothing_is_done_where_nothing_can_touch() {
    let centers = [[1.0; 3]; 40];
    let domain = Domain::periodic([0.0; 3], [2.0; 3]).unwrap();
    for now in [
        Snapshot::new(&centers, &[0.0; 40]).unwrap(),
        Snapshot::new(&centers, &[0.0; 40]).unwrap().within(domain).unwrap(),
        Snapshot::new(&[], &[]).unwrap().within(domain).unwrap().with_margin(1.0).unwrap(),
    ] {
        for &method in Method::ALL {
            for settings in settings::to_try(now, &[]) {
                let Some(mut detector) = settings::build(method, now, &settings) else { continue };
                let mut pairs = Pairs::new();
                assert_eq!(detector.count_work(now, &mut pairs), Work::default(), "{}", method.name());
                assert!(pairs.is_empty(), "{}", method.name());
            }
        }
    }
}

#[test]
fn bad_numbers_are_refused_by_name_before_any_work() {
    let good = ([0.5, 0.5], 1.0);
    let refusals: [([f64; 2], f64, &str); 10] = [
        ([f64::NAN, 0.0], 1.0, "x of particle 2 is NaN, must be finite"),
        ([0.0, f64::INFINITY], 1.0, "y of particle 2 is inf, must be finite"),
        ([f64::NEG_INFINITY, 0.0], 1.0, "x of particle 2 is -inf, must be finite"),
        ([0.0, 1.1e150], 1.0, "y of particle 2 is 1.1e150, must lie within ±1e150"),
        ([0.0, 0.0], f64::NAN, "radius of particle 2 is NaN, must be finite"),
        ([0.0, 0.0], f64::INFINITY, "radius of particle 2 is inf, must be finite"),
        ([0.0, 0.0], -1e-300, "radius of particle 2 is -1e-300, must not be negative"),
        ([0.0, 0.0], -3.5, "radius of particle 2 is -3.5, must not be negative"),
        ([0.0, 0.0], 1e151, "radius of particle 2 is 1e151, must be 0 or between 1e-150 and 1e150"),
        ([0.0, 0.0], 9e-151, "radius of particle 2 is 9e-151, must be 0 or between 1e-150 and 1e150"),
    ];
    for (center, radius, text) in refusals {
        let error = Snapshot::new(&[good.0, good.0, center, good.0], &[good.1, good.1, radius, good.1]).unwrap_err();
        assert!(error.to_string().starts_with(text), "{error}");
    }
    let now = Snapshot::new(&[[0.0; 3]; 2], &[1.0; 2]).unwrap();
    let refused = [(-1.0, "-1"), (-1e-300, "-1e-300"), (f64::NAN, "NaN"), (1e151, "1e151"), (9e-151, "9e-151")];
    for (margin, shown) in refused {
        let error = now.with_margin(margin).unwrap_err();
        assert!(error.to_string().starts_with(&format!("margin is {shown}, must be 0 or between")), "{error}");
    }
}

#[test]
fn boxes_that_are_none_are_refused() {
    for (lo, hi, shown) in [
        (0.0, 0.0, "0 to 0"),
        (1.0, 0.0, "1 to 0"),
        (f64::NAN, 1.0, "NaN to 1"),
        (0.0, f64::INFINITY, "0 to inf"),
        (-2e150, 0.0, "-2e150 to 0"),
        (0.0, 1e-151, "0 to 1e-151"),
    ] {
        let error = Domain::periodic([0.0, lo], [1.0, hi]).unwrap_err();
        assert!(matches!(error, Error::Box { axis: 1, .. }), "{error}");
        assert!(error.to_string().starts_with(&format!("box along y runs from {shown}: ")), "{error}");
    }
}

#[test]
fn cell_sizes_that_cannot_hold_the_largest_body_are_refused_by_every_method_that_takes_them() {
    let now = Snapshot::new(&[[0.0; 3], [9.0; 3]], &[1.0, 5.0]).unwrap();
    for &method in Method::ALL {
        for (sizes, text) in
            [(vec![2.0, 9.9], "largest cell size is 9.9, but particle 1 has diameter 10"), (vec![], "cell sizes []")]
        {
            let settings = multigrain::Settings::default().with_levels(multigrain::LevelChoice::CellSizes(sizes));
            match method.build_with(now, &settings) {
                Err(Error::NoSuchSetting { .. }) => {}
                Err(error) => assert!(error.to_string().starts_with(text), "{}: {error}", method.name()),
                Ok(_) => panic!("{} takes cells that cannot hold the largest body", method.name()),
            }
        }
    }
}
