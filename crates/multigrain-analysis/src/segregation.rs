//! How far large grains are apart from small ones.

use crate::Grains;
use multigrain::{Axes, Dimension};

/// Along an axis, the center of mass of the larger half of the grains minus that of the smaller half, halves by volume, over half
/// of the length they fill: 1 where all large ones are above all small ones, -1 the other way round, 0 where they are mixed.
/// None for grains of one size, or where one grain is more than half of the volume.
pub fn segregation<const D: usize>(grains: &Grains<'_, D>, axis: usize) -> Option<f64>
where
    Axes: Dimension<D>,
{
    let mut order: Vec<usize> = (0..grains.len()).collect();
    order.sort_by(|&a, &b| grains.radii[a].total_cmp(&grains.radii[b]));
    let (first, last) = (*order.first()?, *order.last()?);
    if grains.radii[first] == grains.radii[last] {
        return None;
    }
    let total: f64 = order.iter().map(|&grain| grains.volume(grain)).sum();
    let mut small = Half::default();
    let mut large = Half::default();
    let mut below = 0.0;
    for &grain in &order {
        let volume = grains.volume(grain);
        // The one in the middle belongs to both.
        let to_small = (0.5 * total - below).clamp(0.0, volume);
        let at = grains.wrapped(grain)[axis];
        small.add(to_small, at);
        large.add(volume - to_small, at);
        below += volume;
    }
    let places = || (0..grains.len()).map(|grain| grains.wrapped(grain)[axis]);
    let reach = places().fold(f64::NEG_INFINITY, f64::max) - places().fold(f64::INFINITY, f64::min);
    (reach > 0.0 && grains.volume(last) < 0.5 * total).then(|| 2.0 * (large.center() - small.center()) / reach)
}

#[derive(Default)]
struct Half {
    volume: f64,
    moment: f64,
}

impl Half {
    fn add(&mut self, volume: f64, at: f64) {
        self.volume += volume;
        self.moment += volume * at;
    }

    fn center(&self) -> f64 {
        self.moment / self.volume
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;

    /// 8,000 small grains and 1,000 of twice their radius: equal volumes, at the height that is asked for.
    fn index(height: impl Fn(bool, f64) -> f64) -> f64 {
        let of = |is_large: bool, count: usize| (0..count).map(move |k| (is_large, (k as f64 + 0.5) / count as f64));
        let grains: Vec<(bool, f64)> = of(false, 8000).chain(of(true, 1000)).collect();
        let centers: Vec<[f64; 3]> = grains.iter().map(|&(is_large, at)| [0.0, 0.0, height(is_large, at)]).collect();
        let radii: Vec<f64> = grains.iter().map(|&(is_large, _)| if is_large { 0.002 } else { 0.001 }).collect();
        segregation(&Grains::new(&centers, &radii, Domain::open()).unwrap(), 2).unwrap()
    }

    #[test]
    fn it_is_one_where_large_ones_are_above_and_nothing_where_all_are_mixed() {
        assert!((index(|is_large, at| at + f64::from(is_large)) - 1.0).abs() < 1e-3);
        assert!((index(|is_large, at| at - f64::from(is_large)) + 1.0).abs() < 1e-3);
        assert!(index(|_, at| at).abs() < 1e-3);
    }

    #[test]
    fn grains_of_one_size_have_none() {
        let grains = Grains::new(&[[0.0, 0.0], [0.0, 3.0]], &[1.0, 1.0], Domain::open()).unwrap();
        assert_eq!(segregation(&grains, 1), None);
    }
}
