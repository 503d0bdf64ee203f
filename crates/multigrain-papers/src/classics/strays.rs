//! Bodies far away from all others. Cells over a space with them in it would be so large, or coordinates so coarse, that the
//! others all lay in one cell: they are searched apart.

use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::grid::Batch;
use multigrain::grid::{test_every_image, test_every_image_but};

/// How many times wider than its bodies, side by side, a space is that may have strays in it.
const EMPTY_WIDTH: f64 = 1024.0;

/// Most strays that are searched apart: each is tested against every body.
const MAX_STRAYS: usize = 64;

/// Bodies that are looked at to find out where most are.
const SAMPLE: usize = 1024;

/// Fewer bodies are not worth the trouble.
const MIN_BODIES: usize = 64;

/// Searches a snapshot by `search`, strays apart. `search` sees them as points next to the others that touch
/// nothing but images of their own.
pub fn with_strays_removed<S: PairSink<D>, const D: usize>(
    now: Snapshot<'_, D>,
    sink: &mut S,
    search: impl FnOnce(Snapshot<'_, D>, &mut S),
) {
    let Some(strays) = strays(&now) else { return search(now, sink) };
    let (centers, radii) = put_near(&now, &strays);
    let Ok(near) = now.with_bodies(&centers, &radii) else { return search(now, sink) };
    if near.nothing_can_touch() {
        sink.mapped();
    } else {
        search(near, sink);
    }
    let mut batch = Batch::new(now.domain().has_images());
    for (number, &stray) in strays.iter().enumerate() {
        // Strays before this one have been tested against it.
        let others = (0..now.len()).filter(|other| strays[..=number].binary_search(other).is_err());
        for other in others {
            test_every_image(&now, stray.min(other), stray.max(other), &mut batch, sink);
        }
        // With a margin longer than a period even a point touches images of its own, which the search has found.
        let found = |shift: [i32; D]| near.overlaps(stray, stray, shift);
        test_every_image_but(&now, stray, stray, found, &mut batch, sink);
    }
    batch.flush(sink);
}

/// The strays in ascending order, if there are any and not too many.
fn strays<const D: usize>(now: &Snapshot<'_, D>) -> Option<Vec<usize>> {
    let side = (now.len() as f64).powf(1.0 / D as f64);
    let open: Vec<usize> = (0..D).filter(|&axis| !now.domain().is_periodic(axis)).collect();
    let width = open.iter().map(|&axis| now.extent().hi[axis] - now.extent().lo[axis]).fold(0.0, f64::max);
    let is_empty = |size: f64| width > EMPTY_WIDTH * side * size;
    if now.len() < MIN_BODIES || !is_empty(2.0 * now.extent().min_radius + now.margin()) {
        return None;
    }
    let sample: Vec<usize> = (0..SAMPLE.min(now.len())).map(|k| k * now.len() / SAMPLE.min(now.len())).collect();
    let [_, radius, _] = quartiles(sample.iter().map(|&body| now.radii()[body]));
    let size = 2.0 * radius + now.margin();
    if !is_empty(size) {
        return None;
    }
    let mut near = [(f64::NEG_INFINITY, f64::INFINITY); D];
    for axis in open {
        let [first, middle, third] = quartiles(sample.iter().map(|&body| now.centers()[body][axis]));
        let far = EMPTY_WIDTH * (third - first).max(side * size);
        near[axis] = (middle - far, middle + far);
    }
    let is_stray = |center: &[f64; D]| (0..D).any(|axis| center[axis] < near[axis].0 || center[axis] > near[axis].1);
    let found = now.centers().iter().enumerate().filter(|(_, center)| is_stray(center)).map(|(body, _)| body);
    let strays: Vec<usize> = found.take(MAX_STRAYS + 1).collect();
    (1..=MAX_STRAYS).contains(&strays.len()).then_some(strays)
}

/// A quarter, half and three quarters of the values are not above these.
fn quartiles(values: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    [1, 2, 3].map(|quarter| values[quarter * (values.len() - 1) / 4])
}

/// Centers and radii with the strays as points behind the others, along an open axis, apart from them and from each other.
fn put_near<const D: usize>(now: &Snapshot<'_, D>, strays: &[usize]) -> (Vec<[f64; D]>, Vec<f64>) {
    let (mut centers, mut radii) = (now.centers().to_vec(), now.radii().to_vec());
    strays.iter().for_each(|&stray| radii[stray] = 0.0);
    let others = || (0..centers.len()).filter(|body| strays.binary_search(body).is_err());
    let reach = 2.0 * others().map(|body| radii[body]).fold(0.0, f64::max) + now.margin();
    let axis = (0..D).find(|&axis| !now.domain().is_periodic(axis)).unwrap_or(0);
    let mut next = others().map(|body| centers[body]).reduce(|a, b| if a[axis] > b[axis] { a } else { b });
    for &stray in strays {
        if let Some(center) = &mut next {
            // Twice as far as anything reaches, and always another number.
            center[axis] = (center[axis] + 2.0 * reach).max(center[axis].next_up());
            centers[stray] = *center;
        }
    }
    (centers, radii)
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;
    use multigrain::Rng;

    /// Bodies of diameter 1 in a cube of side 10, some of them as far out as told, along one axis after the other.
    fn bodies(far: &[f64]) -> (Vec<[f64; 3]>, Vec<f64>) {
        let mut rng = Rng::new(5);
        let mut centers: Vec<[f64; 3]> = (0..500).map(|_| [(); 3].map(|()| 10.0 * rng.uniform())).collect();
        for (k, &far) in far.iter().enumerate() {
            centers[7 * k + 3][k % 3] = far;
        }
        (centers, vec![0.5; 500])
    }

    fn strays_among(far: &[f64]) -> Option<Vec<usize>> {
        let (centers, radii) = bodies(far);
        strays(&Snapshot::new(&centers, &radii).unwrap())
    }

    #[test]
    fn strays_are_those_far_from_the_middle_of_all() {
        assert_eq!(strays_among(&[]), None);
        assert_eq!(strays_among(&[1e3, -1e3]), None, "not so far");
        assert_eq!(strays_among(&[1e6, -1e30, 1e150]), Some(vec![3, 10, 17]));
        assert_eq!(strays_among(&[1e9; 65]), None, "too many");
        let (mut centers, radii) = bodies(&[1e9]);
        centers.iter_mut().for_each(|center| *center = center.map(|x| 1e5 * x));
        assert_eq!(strays(&Snapshot::new(&centers, &radii).unwrap()), Some(vec![3]), "in thin gas");
        let few = Snapshot::new(&centers[..10], &radii[..10]).unwrap();
        assert_eq!(strays(&few), None);
    }

    #[test]
    fn periodic_axes_have_no_strays() {
        let (centers, radii) = bodies(&[1e7]);
        let along = |periodic| Domain::new([0.0; 3], [10.0; 3], periodic).unwrap();
        let now = Snapshot::new(&centers, &radii).unwrap();
        assert_eq!(strays(&now.within(along([true, false, false])).unwrap()), None);
        assert_eq!(strays(&now.within(along([false, true, true])).unwrap()), Some(vec![3]));
    }

    #[test]
    fn put_near_they_are_points_that_touch_nothing() {
        let (centers, radii) = bodies(&[1e12, 1e12, -1e12, 1e40]);
        let now = Snapshot::new(&centers, &radii).unwrap().with_margin(0.1).unwrap();
        let strays = strays(&now).unwrap();
        let (centers, radii) = put_near(&now, &strays);
        let near = Snapshot::new(&centers, &radii).unwrap().with_margin(0.1).unwrap();
        assert!(near.extent().hi.iter().all(|&x| x < 30.0) && near.extent().lo.iter().all(|&x| x >= 0.0));
        for &stray in &strays {
            assert_eq!(radii[stray], 0.0);
            assert!((0..500).all(|other| other == stray || !near.overlaps(stray, other, [0; 3])));
        }
    }
}
