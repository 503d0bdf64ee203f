//! Where bodies were when a list was made, and how far they have come since.

use crate::snapshot::Snapshot;
use crate::threads;
use std::ops::Range;

/// Bodies that are looked at together: if all of them stayed in their box and none came as far as two others already have,
/// squares of ways are all that is worked out.
const GROUP: usize = 16;

/// Where bodies were and how large, and by how many periods each was moved since.
#[derive(Debug, Clone, Default)]
pub(super) struct ListOrigin<const D: usize> {
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    /// Whole periods that each body was moved by; empty where none was.
    periods: Vec<[i32; D]>,
    /// Groups with bodies that were moved by whole periods.
    moved: Vec<usize>,
}

/// By how much two bodies may have come closer.
#[derive(Debug, Clone, Copy)]
pub(super) struct Approach {
    /// The largest and the second largest way of a body, growth of its radius included.
    largest: [f64; 2],
    largest_growth: f64,
}

impl<const D: usize> ListOrigin<D> {
    /// Remembers the bodies of `now`.
    pub fn remember(&mut self, now: &Snapshot<'_, D>) {
        self.centers.clear();
        self.centers.extend_from_slice(now.centers());
        self.radii.clear();
        self.radii.extend_from_slice(now.radii());
        self.periods.clear();
        self.moved.clear();
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.centers.len()
    }

    /// Whole periods that each body was moved by; empty where none was.
    pub fn periods(&self) -> &[[i32; D]] {
        &self.periods
    }

    /// How far the same bodies have come by `now`, which has as many.
    pub fn approach(&mut self, now: &Snapshot<'_, D>) -> Approach {
        let domain = now.domain();
        let blocks = threads::map_blocks(now.len(), |range| self.approach_of(range, now));
        let mut approach = Approach::NONE;
        let before = std::mem::take(&mut self.moved);
        for (block, moved) in blocks {
            approach = approach.or(block);
            self.moved.extend(moved);
        }
        if self.moved.is_empty() {
            self.periods.clear();
            return approach;
        }
        self.periods.resize(now.len(), [0; D]);
        for group in before {
            self.periods[range_of(group, now.len())].fill([0; D]);
        }
        for &group in &self.moved {
            for i in range_of(group, now.len()) {
                self.periods[i] = domain.whole_periods(way(self.centers[i], now.centers()[i]));
            }
        }
        approach
    }

    /// The same of some bodies, from the first of a group on, and the groups in which bodies were moved by whole periods.
    fn approach_of(&self, bodies: Range<usize>, now: &Snapshot<'_, D>) -> (Approach, Vec<usize>) {
        let domain = now.domain();
        let half = domain.half_periods();
        let (mut approach, mut moved) = (Approach::NONE, Vec::new());
        let (centers, radii) = (&self.centers[bodies.clone()], &self.radii[bodies.clone()]);
        let (now_centers, now_radii) = (&now.centers()[bodies.clone()], &now.radii()[bodies.clone()]);
        let groups = centers.chunks(GROUP).zip(now_centers.chunks(GROUP));
        let sizes = radii.chunks(GROUP).zip(now_radii.chunks(GROUP));
        for (k, ((then, now), (then_radii, now_radii))) in groups.zip(sizes).enumerate() {
            let (mut largest, mut has_moved) = (0.0, false);
            for (then, now) in then.iter().zip(now) {
                let mut squared = 0.0;
                for axis in 0..D {
                    let way = now[axis] - then[axis];
                    has_moved |= way.abs() > half[axis];
                    squared += way * way;
                }
                largest = if squared > largest { squared } else { largest };
            }
            let has_grown = then_radii.iter().zip(now_radii).fold(false, |any, (then, now)| any | (then != now));
            if has_moved {
                moved.push(bodies.start / GROUP + k);
            }
            if !has_moved && !has_grown && approach.is_settled_by(largest) {
                continue;
            }
            for i in 0..then.len() {
                let way = way(then[i], now[i]);
                let rest = domain.less(way, domain.whole_periods(way));
                approach.add(rest.iter().map(|x| x * x).sum::<f64>().sqrt(), now_radii[i] - then_radii[i]);
            }
        }
        (approach, moved)
    }
}

impl Approach {
    const NONE: Self = Self { largest: [f64::NEG_INFINITY; 2], largest_growth: f64::NEG_INFINITY };

    /// By how much the gap of any two bodies can have shrunk; with images also that of a body and its own.
    pub fn closer(&self, has_images: bool) -> f64 {
        let two = self.largest[0] + self.largest[1];
        let own = if has_images { 2.0 * self.largest_growth } else { f64::NEG_INFINITY };
        two.max(own)
    }

    /// Whether bodies that neither grew nor came further than this, squared, change nothing.
    #[inline]
    fn is_settled_by(&self, squared: f64) -> bool {
        let second = self.largest[1];
        second >= 0.0 && squared <= second * second && self.largest_growth >= 0.0
    }

    /// Takes a body's way and the growth of its radius.
    #[inline]
    fn add(&mut self, way: f64, growth: f64) {
        self.add_sum(way + growth);
        self.largest_growth = self.largest_growth.max(growth);
    }

    #[inline]
    fn add_sum(&mut self, closer: f64) {
        let [first, second] = &mut self.largest;
        if closer > *second {
            *second = closer.min(*first);
            *first = closer.max(*first);
        }
    }

    fn or(mut self, other: Self) -> Self {
        other.largest.into_iter().for_each(|closer| self.add_sum(closer));
        self.largest_growth = self.largest_growth.max(other.largest_growth);
        self
    }
}

/// Bodies of a group.
fn range_of(group: usize, bodies: usize) -> Range<usize> {
    group * GROUP..((group + 1) * GROUP).min(bodies)
}

#[inline]
fn way<const D: usize>(then: [f64; D], now: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| now[axis] - then[axis])
}
