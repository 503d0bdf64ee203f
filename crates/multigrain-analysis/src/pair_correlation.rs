//! How likely other grains are at a distance, against chance.

use crate::Grains;
use multigrain::{Axes, Dimension, Error, Snapshot, find_pairs};
use std::f64::consts::PI;

/// The pair correlation function g(r) of centers.
#[derive(Debug, Clone, PartialEq)]
pub struct PairCorrelation {
    /// Distances are counted up to this.
    pub max_distance: f64,
    /// Middle of each bin, and g there.
    pub values: Vec<(f64, f64)>,
}

/// Pairs that are counted at once: distances are cut where there would be more.
const MAX_PAIRS: f64 = 2e7;

/// Directions over which the part of a shell inside the box is averaged, per axis.
const DIRECTIONS: usize = 64;

/// g(r) in this many bins up to `max_distance`, or up to five mean diameters; in periodic boxes at most half of their length. It tends
/// to 1 at distances over which grains do not know of each other. At the ends of axes that are not periodic, what a box that is
/// evenly filled would lack there is made up for.
pub fn pair_correlation<const D: usize>(
    grains: &Grains<'_, D>,
    max_distance: Option<f64>,
    bins: usize,
) -> Result<PairCorrelation, Error>
where
    Axes: Dimension<D>,
{
    let (count, bins) = (grains.len() as f64, bins.max(1));
    let density = count / grains.box_volume();
    let mut reach = max_distance.unwrap_or(5.0 * grains.mean_diameter());
    for axis in 0..D {
        let share = if grains.domain().is_periodic(axis) { 0.5 } else { 1.0 };
        reach = reach.min(share * grains.length(axis));
    }
    // This many pairs are expected: N times those in a ball, each once.
    let pairs_within = |reach: f64| 0.5 * count * density * ball::<D>(reach);
    if pairs_within(reach) > MAX_PAIRS {
        reach *= (MAX_PAIRS / pairs_within(reach)).powf(1.0 / D as f64);
    }
    let width = reach / bins as f64;
    let middle = |bin: usize| (bin as f64 + 0.5) * width;
    if grains.len() < 2 || reach <= 0.0 {
        return Ok(PairCorrelation { max_distance: reach, values: (0..bins).map(|bin| (middle(bin), 0.0)).collect() });
    }
    let mut counts = vec![0u64; bins];
    // Balls of half the reach touch where centers are closer than it.
    let radii = vec![0.5 * reach; grains.len()];
    let now = Snapshot::new(grains.centers, &radii)?.within(grains.domain())?;
    let pairs = find_pairs(now);
    let has_images = grains.domain().has_images();
    for (k, &[i, j]) in pairs.as_slice().iter().enumerate() {
        if i == j {
            continue;
        }
        let shift = if has_images { pairs.shifts()[k] } else { [0; D] };
        let distance = reach - now.overlap_depth(i as usize, j as usize, shift);
        counts[((distance / width).max(0.0) as usize).min(bins - 1)] += 1;
    }
    let value = |(bin, &found): (usize, &u64)| {
        let (from, to) = (bin as f64 * width, (bin + 1) as f64 * width);
        let shell = ball::<D>(to) - ball::<D>(from);
        let expected = 0.5 * count * (count - 1.0) / grains.box_volume() * shell * share_inside(grains, middle(bin));
        (middle(bin), found as f64 / expected)
    };
    Ok(PairCorrelation { max_distance: reach, values: counts.iter().enumerate().map(value).collect() })
}

/// Volume of a ball.
fn ball<const D: usize>(radius: f64) -> f64 {
    if D == 2 { PI * radius * radius } else { 4.0 / 3.0 * PI * radius.powi(3) }
}

/// Of all places in the box and directions from there, the share that is still in the box after a distance: the product of
/// 1 - |component| / length over axes that are not periodic, averaged over directions.
fn share_inside<const D: usize>(grains: &Grains<'_, D>, distance: f64) -> f64
where
    Axes: Dimension<D>,
{
    let open: Vec<usize> = (0..D).filter(|&axis| !grains.domain().is_periodic(axis)).collect();
    if open.is_empty() {
        return 1.0;
    }
    let share = |direction: [f64; D]| -> f64 {
        open.iter().map(|&axis| (1.0 - distance * direction[axis].abs() / grains.length(axis)).max(0.0)).product()
    };
    let middle = |k: usize| (k as f64 + 0.5) / DIRECTIONS as f64;
    // A quarter of the circle, or an eighth of the sphere, is like all others.
    let mut sum = 0.0;
    let heights = if D == 2 { 1 } else { DIRECTIONS };
    for k in 0..DIRECTIONS {
        let (sin, cos) = (0.5 * PI * middle(k)).sin_cos();
        for h in 0..heights {
            let z = if D == 2 { 0.0 } else { middle(h) };
            let across = (1.0 - z * z).sqrt();
            sum += share(std::array::from_fn(|axis| [across * cos, across * sin, z][axis]));
        }
    }
    sum / (DIRECTIONS * heights) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;
    use multigrain::Rng;

    #[test]
    fn chance_has_no_correlation_with_walls_or_without() {
        let mut rng = Rng::new(5);
        let centers: Vec<[f64; 3]> = (0..20_000).map(|_| [rng.uniform(), rng.uniform(), 2.0 * rng.uniform()]).collect();
        let radii = vec![1e-4; centers.len()];
        for periodic in [[true; 3], [false; 3], [true, true, false]] {
            let domain = Domain::new([0.0; 3], [1.0, 1.0, 2.0], periodic).unwrap();
            let grains = Grains::new(&centers, &radii, domain).unwrap();
            let found = pair_correlation(&grains, Some(0.2), 10).unwrap();
            assert_eq!(found.max_distance, 0.2);
            for (distance, value) in &found.values[2..] {
                assert!((value - 1.0).abs() < 0.03, "{value} at {distance}, {periodic:?}");
            }
        }
    }

    #[test]
    fn a_square_lattice_has_its_first_peak_at_its_spacing() {
        let centers: Vec<[f64; 2]> = (0..400).map(|k| [f64::from(k % 20), f64::from(k / 20)]).collect();
        let radii = vec![0.5; 400];
        let domain = Domain::periodic([0.0; 2], [20.0; 2]).unwrap();
        let grains = Grains::new(&centers, &radii, domain).unwrap();
        let found = pair_correlation(&grains, None, 50).unwrap();
        assert_eq!(found.max_distance, 5.0);
        let values: Vec<f64> = found.values.iter().map(|(_, value)| *value).collect();
        assert!(values[..9].iter().all(|&value| value == 0.0));
        // Four neighbours in the ring that holds the distance 1.
        let peak = values[9] + values[10];
        let (ring_a, ring_b) = (PI * (1.0 - 0.81), PI * (1.21 - 1.0));
        let expected = 4.0 / if values[9] > 0.0 { ring_a } else { ring_b } * 400.0 / 399.0;
        assert!((peak - expected).abs() < 1e-9, "{peak} is not {expected}");
    }
}
