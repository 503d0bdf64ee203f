//! Coarse-grained fields on a plane.

use crate::Grains;
use multigrain::{Axes, Dimension};

/// Packing fraction and velocity on a grid of pixels across the box.
#[derive(Debug, Clone, PartialEq)]
pub struct Map {
    /// The two axes of the plane.
    pub axes: [usize; 2],
    /// Pixels along each.
    pub pixels: [usize; 2],
    /// Lower corner.
    pub lo: [f64; 2],
    /// Upper corner.
    pub hi: [f64; 2],
    /// Width of the Gaussian that spreads each grain.
    pub width: f64,
    /// Packing fraction of each pixel, averaged through the box; the first axis runs fastest.
    pub packing_fraction: Vec<f64>,
    /// Mean velocity along both axes, by volume; NaN where nothing is near. Empty without velocities.
    pub velocity: Vec<[f64; 2]>,
}

/// Gaussians end at this many widths.
const REACH: f64 = 3.0;

/// Packing fraction and velocity on the plane of two axes, `pixels` along the longer one, coarse-grained by a Gaussian of the given
/// width. Each grain counts with its whole volume, wherever the Gaussian is cut off.
pub fn map<const D: usize>(grains: &Grains<'_, D>, axes: [usize; 2], pixels: usize, width: f64) -> Map
where
    Axes: Dimension<D>,
{
    let (lo, hi) = grains.bounds();
    let lengths = axes.map(|axis| hi[axis] - lo[axis]);
    let size = lengths[0].max(lengths[1]) / pixels.max(1) as f64;
    let counts = lengths.map(|length| ((length / size).round() as usize).max(1));
    let steps: [f64; 2] = std::array::from_fn(|k| lengths[k] / counts[k] as f64);
    let mut volumes = vec![0.0; counts[0] * counts[1]];
    let mut momenta = vec![[0.0; 2]; volumes.len()];
    for grain in 0..grains.len() {
        let center = grains.wrapped(grain);
        let weights: [Vec<(usize, f64)>; 2] = std::array::from_fn(|k| {
            let axis = axes[k];
            let is_periodic = grains.domain().is_periodic(axis);
            along(center[axis] - lo[axis], counts[k], steps[k], width, is_periodic)
        });
        // What lies beyond walls comes back to those pixels that are inside.
        let total: f64 = weights.iter().map(|of_axis| of_axis.iter().map(|(_, weight)| weight).sum::<f64>()).product();
        if total == 0.0 {
            continue;
        }
        let volume = grains.volume(grain) / total;
        let velocity = grains.velocities.map(|velocities| axes.map(|axis| velocities[grain][axis]));
        for &(row, across) in &weights[1] {
            for &(column, along) in &weights[0] {
                let (pixel, part) = (row * counts[0] + column, volume * along * across);
                volumes[pixel] += part;
                if let Some(velocity) = velocity {
                    for k in 0..2 {
                        momenta[pixel][k] += part * velocity[k];
                    }
                }
            }
        }
    }
    let of_pixel = grains.box_volume() / volumes.len() as f64;
    let mean = |(momentum, &volume): (&[f64; 2], &f64)| momentum.map(|component| component / volume);
    Map {
        axes,
        pixels: counts,
        lo: axes.map(|axis| lo[axis]),
        hi: axes.map(|axis| hi[axis]),
        width,
        velocity: match grains.velocities {
            Some(_) => momenta.iter().zip(&volumes).map(mean).collect(),
            None => Vec::new(),
        },
        packing_fraction: volumes.iter().map(|volume| volume / of_pixel).collect(),
    }
}

/// Pixels near a place along one axis, with the weight of each.
fn along(at: f64, count: usize, step: f64, width: f64, is_periodic: bool) -> Vec<(usize, f64)> {
    let reach = (REACH * width).max(step);
    let (first, last) = (((at - reach) / step).floor() as i64, ((at + reach) / step).floor() as i64);
    let pixel = |k: i64| {
        let distance = (k as f64 + 0.5) * step - at;
        let weight = (-0.5 * (distance / width).powi(2)).exp();
        let slot = if is_periodic { k.rem_euclid(count as i64) } else { k };
        (0..count as i64).contains(&slot).then_some((slot as usize, weight))
    };
    // Not further than once around.
    let last = last.min(first + count as i64 - 1);
    (first..=last).filter_map(pixel).filter(|(_, weight)| *weight > 0.0).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;

    #[test]
    fn all_volume_is_on_the_map() {
        let centers = [[0.1, 0.5, 0.2], [0.5, 0.5, 0.9], [0.95, 0.1, 0.4]];
        let (radii, velocities) = ([0.1, 0.2, 0.15], [[2.0, 0.0, -1.0]; 3]);
        for periodic in [[true; 3], [false; 3]] {
            let domain = Domain::new([0.0; 3], [1.0, 1.0, 2.0], periodic).unwrap();
            let grains = Grains::new(&centers, &radii, domain).unwrap().in_container().moving(&velocities);
            let map = map(&grains, [0, 2], 20, 0.1);
            assert_eq!(map.pixels, [10, 20]);
            let mean = map.packing_fraction.iter().sum::<f64>() / 200.0;
            assert!((mean - grains.packing_fraction()).abs() < 1e-12);
            let moving = map.velocity.iter().filter(|velocity| !velocity[0].is_nan());
            assert!(moving.clone().count() > 50);
            assert!(
                moving.into_iter().all(|velocity| (velocity[0] - 2.0).abs() < 1e-9 && (velocity[1] + 1.0).abs() < 1e-9)
            );
        }
    }
}
