//! Coordinates that space is cut along: places across the faces of a periodic cell, so that images lie whole periods apart along
//! each of them, whether the cell is sheared or not.

use multigrain::Domain;

/// Along each coordinate a unit vector and a period.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Coordinates<const D: usize> {
    origin: [f64; D],
    across: [[f64; D]; D],
    /// 0 where space is open.
    periods: [f64; D],
    /// Whether the vectors are perpendicular, so that gaps along them make up a distance.
    is_square: bool,
}

impl<const D: usize> Coordinates<D> {
    /// Those of a domain: the axes, if it is not sheared.
    pub fn of(domain: &Domain<D>) -> Self {
        let mut across = [[0.0; D]; D];
        let mut periods = [0.0; D];
        let is_square = !(domain.is_sheared() && domain.has_images());
        if is_square {
            for axis in 0..D {
                across[axis][axis] = 1.0;
                periods[axis] = domain.length(axis);
            }
        } else {
            let dual = domain.dual_edges();
            let mut taken: Vec<[f64; D]> = Vec::new();
            for k in (0..D).filter(|&k| domain.is_periodic(k)) {
                let length = norm(dual[k]);
                across[k] = dual[k].map(|x| x / length);
                periods[k] = 1.0 / length;
                taken.push(across[k]);
            }
            // What is left is open: any direction that is not among them.
            for k in (0..D).filter(|&k| !domain.is_periodic(k)) {
                across[k] = apart_from(&taken);
                taken.push(across[k]);
            }
        }
        let origin = if domain.has_images() { domain.origin() } else { [0.0; D] };
        let origin = origin.map(|x| if x.is_finite() { x } else { 0.0 });
        Self { origin, across, periods, is_square }
    }

    /// Where a body stands, within the period of each coordinate.
    #[inline]
    pub fn place(&self, x: [f64; D]) -> [f64; D] {
        std::array::from_fn(|k| {
            let row = self.across[k];
            let along: f64 = (0..D).map(|axis| row[axis] * (x[axis] - self.origin[axis])).sum();
            match self.periods[k] {
                0.0 => along,
                period => {
                    let home = along - (along / period).floor() * period;
                    if (0.0..period).contains(&home) { home } else { 0.0 }
                }
            }
        })
    }

    /// By how much a period has grown in these coordinates; 1 where space is open.
    pub fn growth(&self, now: &Self, k: usize) -> f64 {
        if self.periods[k] > 0.0 { now.periods[k] / self.periods[k] } else { 1.0 }
    }

    /// Bounds of all places.
    pub fn bounds(&self) -> ([f64; D], [f64; D]) {
        let bound = |open: f64, k: usize, periodic: f64| if self.periods[k] == 0.0 { open } else { periodic };
        (
            std::array::from_fn(|k| bound(f64::NEG_INFINITY, k, 0.0)),
            std::array::from_fn(|k| bound(f64::INFINITY, k, self.periods[k])),
        )
    }

    /// No image of what is at this place is nearer to the box, rounding aside.
    #[inline]
    pub fn distance(&self, place: [f64; D], lo: &[f64; D], hi: &[f64; D]) -> f64 {
        let gap = |k: usize| {
            let gap = |x: f64| (lo[k] - x).max(x - hi[k]).max(0.0);
            match self.periods[k] {
                0.0 => gap(place[k]),
                period => gap(place[k]).min(gap(place[k] + period)).min(gap(place[k] - period)),
            }
        };
        if self.is_square {
            (0..D).map(|k| gap(k) * gap(k)).sum::<f64>().sqrt()
        } else {
            (0..D).map(gap).fold(0.0, f64::max)
        }
    }

    /// The farthest that a body lies from zero, along axes whose rounding shows in distances across periods. Along open ones a
    /// difference is exact but for an error relative to itself.
    pub fn farthest(&self, centers: &[[f64; D]]) -> f64 {
        let counts = |axis: &usize| !self.is_square || self.periods[*axis] > 0.0;
        let along = |axis: usize| centers.iter().fold(0.0f64, |most, center| most.max(center[axis].abs()));
        (0..D).filter(counts).map(along).fold(0.0, f64::max)
    }

    /// More than rounding does to places and distances of bodies that lie this far from zero.
    pub fn slack(&self, farthest: f64) -> f64 {
        let most = |values: &[f64]| values.iter().fold(0.0f64, |most, x| most.max(x.abs()));
        256.0 * f64::EPSILON * (farthest + most(&self.origin) + most(&self.periods))
    }
}

/// A unit vector perpendicular to all of these: what is left of the axis that has most left.
fn apart_from<const D: usize>(taken: &[[f64; D]]) -> [f64; D] {
    let mut basis: Vec<[f64; D]> = Vec::new();
    let perpendicular = |vector: [f64; D], basis: &[[f64; D]]| {
        let mut rest = vector;
        for other in basis.iter().chain(basis) {
            let part: f64 = (0..D).map(|axis| rest[axis] * other[axis]).sum();
            rest = std::array::from_fn(|axis| rest[axis] - part * other[axis]);
        }
        rest
    };
    for &vector in taken {
        let rest = perpendicular(vector, &basis);
        let length = norm(rest);
        basis.push(rest.map(|x| x / length));
    }
    let rest_of = |axis: usize| perpendicular(std::array::from_fn(|k| f64::from(u8::from(k == axis))), &basis);
    let best = (0..D).map(rest_of).max_by(|a, b| norm(*a).total_cmp(&norm(*b)));
    let best = best.expect("space has axes");
    let length = norm(best);
    best.map(|x| x / length)
}

fn norm<const D: usize>(vector: [f64; D]) -> f64 {
    let largest = vector.iter().fold(0.0f64, |most, x| most.max(x.abs()));
    if largest == 0.0 {
        0.0
    } else {
        largest * vector.iter().map(|x| (x / largest) * (x / largest)).sum::<f64>().sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Rng;

    #[test]
    fn no_image_is_nearer_than_the_distance_says() {
        let domains = [
            Domain::<3>::periodic([-1.0, 2.0, 0.0], [3.0, 4.0, 5.0]).unwrap(),
            Domain::from_cell([0.5, 0.0, -1.0], [[4.0, 0.0, 0.0], [1.5, 3.0, 0.0], [0.3, -2.0, 5.0]], [true; 3])
                .unwrap(),
            Domain::from_cell([0.0; 3], [[4.0, 1.0, 0.0], [9.0, 3.0, 0.5], [0.0; 3]], [true, true, false]).unwrap(),
        ];
        let mut rng = Rng::new(5);
        for domain in domains {
            let coordinates = Coordinates::of(&domain);
            let (lo, hi) = coordinates.bounds();
            for _ in 0..300 {
                let mut point = || std::array::from_fn(|_| 16.0 * rng.uniform() - 8.0);
                let (a, b): ([f64; 3], [f64; 3]) = (point(), point());
                // The least box that has the second place in it.
                let place = coordinates.place(b);
                assert!((0..3).all(|k| lo[k] <= place[k] && place[k] < hi[k]), "{place:?}");
                let bound = coordinates.distance(coordinates.place(a), &place, &place);
                let mut nearest = f64::INFINITY;
                for shift in 0..11 * 11 * 11 {
                    let shift = [shift % 11 - 5, shift / 11 % 11 - 5, shift / 121 - 5];
                    let shift = std::array::from_fn(|k| if domain.is_periodic(k) { shift[k] } else { 0 });
                    let way = domain.translation(shift);
                    let squared: f64 = (0..3).map(|k| (b[k] - a[k] + way[k]).powi(2)).sum();
                    nearest = nearest.min(squared.sqrt());
                }
                assert!(bound <= nearest + 1e-9, "{bound} {nearest} {domain:?}");
            }
        }
    }
}
