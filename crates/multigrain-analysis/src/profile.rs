//! Packing fraction, velocity and size along an axis.

use crate::Grains;
use multigrain::{Axes, Dimension};
use std::f64::consts::PI;

/// Slices of the box across an axis.
#[derive(Debug, Clone, PartialEq)]
pub struct Profile<const D: usize> {
    /// The axis.
    pub axis: usize,
    /// From low to high.
    pub slices: Vec<Slice<D>>,
}

/// What a slice of the box holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slice<const D: usize> {
    /// Lower and upper end.
    pub from: f64,
    /// Upper end.
    pub to: f64,
    /// Grains whose center is in it.
    pub centers: usize,
    /// Volume of grains in it, to the exact part of each, over its volume.
    pub packing_fraction: f64,
    /// Mean radius of what is in it, by volume; none where it is empty.
    pub mean_radius: Option<f64>,
    /// Mean velocity, by volume.
    pub velocity: Option<[f64; D]>,
    /// Granular temperature: mean square of the velocity apart from its mean, over the number of axes.
    pub temperature: Option<f64>,
}

/// The profile along an axis, in this many slices of equal thickness.
pub fn profile<const D: usize>(grains: &Grains<'_, D>, axis: usize, slices: usize) -> Profile<D>
where
    Axes: Dimension<D>,
{
    let slices = slices.max(1);
    let (lo, hi) = grains.bounds();
    let thickness = (hi[axis] - lo[axis]) / slices as f64;
    let is_periodic = grains.domain().is_periodic(axis);
    let mut sums = vec![Sums::<D>::default(); slices];
    for grain in 0..grains.len() {
        let (center, radius) = (grains.wrapped(grain)[axis] - lo[axis], grains.radii[grain]);
        let slot = |at: f64| (at / thickness).floor() as i64;
        let count = slices as i64;
        sums[slot(center).clamp(0, count - 1) as usize].centers += 1;
        let velocity = grains.velocities.map(|velocities| velocities[grain]);
        let (first, last) = (slot(center - radius), slot(center + radius));
        // A grain larger than the box covers each slice several times; more often than that is no news.
        for k in first.max(-8 * count)..=last.min(8 * count) {
            let at = if is_periodic { k.rem_euclid(count) } else { k };
            if !(0..count).contains(&at) {
                continue;
            }
            let (from, to) = (k as f64 * thickness - center, (k + 1) as f64 * thickness - center);
            let part = volume_below::<D>(radius, to) - volume_below::<D>(radius, from);
            sums[at as usize].add(part, radius, velocity);
        }
    }
    let volume = grains.box_volume() / slices as f64;
    let slice = |(k, sums): (usize, &Sums<D>)| Slice {
        from: lo[axis] + k as f64 * thickness,
        to: lo[axis] + (k + 1) as f64 * thickness,
        centers: sums.centers,
        packing_fraction: sums.volume / volume,
        mean_radius: (sums.volume > 0.0).then(|| sums.radius / sums.volume),
        velocity: sums.velocity(),
        temperature: sums.temperature(),
    };
    Profile { axis, slices: sums.iter().enumerate().map(slice).collect() }
}

/// Volume of a ball below a plane at height `at` over its center.
fn volume_below<const D: usize>(radius: f64, at: f64) -> f64 {
    let at = at.clamp(-radius, radius);
    match D {
        2 => {
            let share = if radius > 0.0 { at / radius } else { 0.0 };
            radius * radius * (PI - share.acos()) + at * (radius * radius - at * at).max(0.0).sqrt()
        }
        _ => PI * (radius + at).powi(2) * (2.0 * radius - at) / 3.0,
    }
}

#[derive(Debug, Clone)]
struct Sums<const D: usize> {
    centers: usize,
    volume: f64,
    radius: f64,
    moving: f64,
    velocity: [f64; D],
    squares: f64,
}

impl<const D: usize> Default for Sums<D> {
    fn default() -> Self {
        Self { centers: 0, volume: 0.0, radius: 0.0, moving: 0.0, velocity: [0.0; D], squares: 0.0 }
    }
}

impl<const D: usize> Sums<D> {
    fn add(&mut self, volume: f64, radius: f64, velocity: Option<[f64; D]>) {
        self.volume += volume;
        self.radius += volume * radius;
        if let Some(velocity) = velocity {
            self.moving += volume;
            for axis in 0..D {
                self.velocity[axis] += volume * velocity[axis];
                self.squares += volume * velocity[axis] * velocity[axis];
            }
        }
    }

    fn velocity(&self) -> Option<[f64; D]> {
        (self.moving > 0.0).then(|| self.velocity.map(|sum| sum / self.moving))
    }

    fn temperature(&self) -> Option<f64> {
        let mean = self.velocity()?;
        let square: f64 = mean.iter().map(|component| component * component).sum();
        Some(((self.squares / self.moving - square) / D as f64).max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;

    #[test]
    fn parts_of_balls_are_exact() {
        assert!((volume_below::<3>(2.0, 0.0) - 16.0 / 3.0 * PI).abs() < 1e-12);
        assert!((volume_below::<2>(2.0, 0.0) - 2.0 * PI).abs() < 1e-12);
        assert!((volume_below::<2>(2.0, 5.0) - 4.0 * PI).abs() < 1e-12);
        assert_eq!((volume_below::<3>(2.0, -2.0), volume_below::<2>(0.0, 1.0)), (0.0, 0.0));
    }

    #[test]
    fn slices_hold_what_the_box_holds() {
        let centers = [[0.1, 0.5, 0.2], [0.5, 0.5, 0.9], [0.9, 0.1, 0.4]];
        let radii = [0.3, 0.2, 0.25];
        let velocities = [[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [1.0, 0.0, 0.0]];
        let domain = Domain::periodic([0.0; 3], [1.0; 3]).unwrap();
        let grains = Grains::new(&centers, &radii, domain).unwrap().moving(&velocities);
        for slices in [1, 2, 7, 50] {
            let profile = profile(&grains, 2, slices);
            let mean = profile.slices.iter().map(|slice| slice.packing_fraction).sum::<f64>() / slices as f64;
            assert!((mean - grains.packing_fraction()).abs() < 1e-12, "{slices}");
            assert_eq!(profile.slices.iter().map(|slice| slice.centers).sum::<usize>(), 3);
        }
        let whole = profile(&grains, 2, 1).slices[0];
        let [a, b, c] = [0, 1, 2].map(|grain| grains.volume(grain));
        let mean = (a + 3.0 * b + c) / (a + b + c);
        assert!((whole.velocity.unwrap()[0] - mean).abs() < 1e-12);
        assert!(whole.temperature.unwrap() > 0.0);
    }

    #[test]
    fn without_velocities_there_are_none() {
        let grains = Grains::new(&[[0.0, 0.0]], &[1.0], Domain::open()).unwrap();
        let profile = profile(&grains, 1, 4);
        assert!(profile.slices.iter().all(|slice| slice.velocity.is_none() && slice.packing_fraction > 0.0));
        assert_eq!((profile.slices[0].from, profile.slices[3].to), (-1.0, 1.0));
    }
}
