//! Bodies around a cell, a column for each coordinate, so that several of them are tested at a time.

use super::contacts::{Body, Contacts};
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::overlap::reach;

/// Bodies that are tested together.
const LANES: usize = 8;

/// The bodies. Columns are filled up to a whole number of lanes with bodies that are nowhere.
#[derive(Debug, Clone)]
pub(crate) struct NearBodies<const D: usize> {
    along: [Vec<f64>; D],
    radii: Vec<f64>,
    ids: Vec<u32>,
}

impl<const D: usize> Default for NearBodies<D> {
    fn default() -> Self {
        Self { along: std::array::from_fn(|_| Vec::new()), radii: Vec::new(), ids: Vec::new() }
    }
}

impl<const D: usize> NearBodies<D> {
    /// Forgets all bodies.
    pub fn clear(&mut self) {
        self.along.iter_mut().for_each(Vec::clear);
        self.radii.clear();
        self.ids.clear();
    }

    /// Adds a body. Afterwards the columns must be [filled up](Self::fill_up).
    #[inline]
    pub fn push(&mut self, now: &Snapshot<'_, D>, id: u32) {
        let Body { center, radius, .. } = Body::of(now, id);
        for axis in 0..D {
            self.along[axis].push(center[axis]);
        }
        self.radii.push(radius);
        self.ids.push(id);
    }

    /// Fills the columns up to a whole number of lanes.
    pub fn fill_up(&mut self) {
        let lanes = self.ids.len().next_multiple_of(LANES);
        self.along.iter_mut().for_each(|column| column.resize(lanes, f64::INFINITY));
        self.radii.resize(lanes, 0.0);
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Tests all bodies against one more, where they are stored.
    #[inline]
    pub fn test<S: PairSink<D>>(&self, target: &Body<D>, contacts: &mut Contacts<'_, D>, sink: &mut S) {
        if contacts.any_outside() {
            for (place, &id) in self.ids.iter().enumerate() {
                let center = std::array::from_fn(|axis| self.along[axis][place]);
                contacts.test(&Body { center, radius: self.radii[place], id }, target, sink);
            }
            return;
        }
        let margin = contacts.margin();
        let (radii, _) = self.radii.as_chunks::<LANES>();
        let along: [&[[f64; LANES]]; D] = std::array::from_fn(|axis| &self.along[axis].as_chunks().0[..radii.len()]);
        for (number, radii) in radii.iter().enumerate() {
            // The sums of `touches`, term by term.
            let mut squared = [0.0; LANES];
            for axis in 0..D {
                let column = &along[axis][number];
                for lane in 0..LANES {
                    let difference = target.center[axis] - column[lane];
                    squared[lane] += difference * difference;
                }
            }
            let reaches = radii.map(|radius| reach(radius, target.radius, margin));
            let mut any = false;
            for lane in 0..LANES {
                any |= squared[lane] < reaches[lane] * reaches[lane];
            }
            if any {
                for lane in (0..LANES).filter(|&lane| squared[lane] < reaches[lane] * reaches[lane]) {
                    contacts.push(self.ids[LANES * number + lane], target.id, sink);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::grid::Images;
    use multigrain::{PairSink, Rng};

    #[derive(Default)]
    struct Listed(Vec<[u32; 2]>);

    impl PairSink<3> for Listed {
        fn pairs(&mut self, pairs: &[[u32; 2]], _shifts: &[[i32; 3]]) {
            self.0.extend(pairs);
        }

        fn split(&mut self) -> Option<Self> {
            None
        }

        fn join(&mut self, _parts: Vec<Self>) {}
    }

    #[test]
    fn lanes_decide_as_the_one_overlap_test_does() {
        let mut rng = Rng::new(4);
        // On a raster, so that many touch exactly.
        let centers: Vec<[f64; 3]> = (0..90).map(|_| [(); 3].map(|()| rng.below(5) as f64)).collect();
        let radii: Vec<f64> = (0..90).map(|_| 0.5 * rng.below(3) as f64).collect();
        let now = Snapshot::new(&centers, &radii).unwrap();
        let mut images = Images::default();
        images.update(&now);
        for count in [0, 1, 7, 8, 9, 40] {
            let mut near = NearBodies::default();
            (0..count).for_each(|id| near.push(&now, id));
            near.fill_up();
            let mut found = Listed::default();
            let mut contacts = Contacts::new(&now, &images);
            (count..90).for_each(|id| near.test(&Body::of(&now, id), &mut contacts, &mut found));
            contacts.finish(&mut found);
            let touching = |&[i, j]: &[u32; 2]| now.overlaps(i as usize, j as usize, [0; 3]);
            let mut expected: Vec<[u32; 2]> =
                (count..90).flat_map(|j| (0..count).map(move |i| [i, j])).filter(touching).collect();
            expected.sort_unstable();
            found.0.sort_unstable();
            assert_eq!(found.0, expected);
            assert!(count < 9 || !expected.is_empty());
        }
    }
}
