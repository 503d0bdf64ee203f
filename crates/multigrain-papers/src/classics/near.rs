//! Bodies in columns, one for each coordinate, so that several of them are tested at a time.

use super::contacts::{Body, Contacts};
use multigrain::PairSink;
use multigrain::Snapshot;
use multigrain::overlap::reach;
use std::ops::Range;

/// Bodies that are tested together. A row of cells has about two.
const LANES: usize = 4;

/// The bodies. Behind them the columns have room for as many bodies as are tested together.
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

    /// Makes room for this many bodies, exactly.
    pub fn reserve_exact(&mut self, bodies: usize) {
        self.along.iter_mut().for_each(|column| column.reserve_exact(bodies + LANES));
        self.radii.reserve_exact(bodies + LANES);
        self.ids.reserve_exact(bodies);
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

    /// Fills up the columns, so that as many can be tested together from any body on.
    pub fn fill_up(&mut self) {
        let lanes = self.ids.len() + LANES;
        self.along.iter_mut().for_each(|column| column.resize(lanes, f64::INFINITY));
        self.radii.resize(lanes, 0.0);
    }

    /// Number of bodies.
    #[inline]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// The body in a place.
    #[inline]
    pub fn body(&self, place: usize) -> Body<D> {
        let center = std::array::from_fn(|axis| self.along[axis][place]);
        Body { center, radius: self.radii[place], id: self.ids[place] }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        let columns: usize = self.along.iter().map(Vec::capacity).sum();
        (columns + self.radii.capacity()) * size_of::<f64>() + self.ids.capacity() * size_of::<u32>()
    }

    /// Tests the bodies in these places against one more, where they are stored.
    #[inline(always)]
    pub fn test<S: PairSink<D>>(
        &self,
        places: Range<usize>,
        target: &Body<D>,
        contacts: &mut Contacts<'_, D>,
        sink: &mut S,
    ) {
        if contacts.any_outside() {
            places.for_each(|place| contacts.test(&self.body(place), target, sink));
            return;
        }
        let margin = contacts.margin();
        let mut place = places.start;
        // A row without bodies takes a turn too: one that is always the same is faster than one that nobody can foresee.
        loop {
            // Columns are filled up, so that there are always so many.
            let lanes =
                |column: &[f64]| -> [f64; LANES] { *column[place..].first_chunk().unwrap_or(&[f64::INFINITY; LANES]) };
            // The sums of `touches`, term by term.
            let mut squared = [0.0; LANES];
            for axis in 0..D {
                let column = lanes(&self.along[axis]);
                for lane in 0..LANES {
                    let difference = target.center[axis] - column[lane];
                    squared[lane] += difference * difference;
                }
            }
            let reaches = lanes(&self.radii).map(|radius| reach(radius, target.radius, margin));
            let mut hits = 0u32;
            for lane in 0..LANES {
                hits |= u32::from(squared[lane] < reaches[lane] * reaches[lane]) << lane;
            }
            hits &= (1 << (places.end - place).min(LANES)) - 1;
            while hits != 0 {
                contacts.push(self.ids[place + hits.trailing_zeros() as usize], target.id, sink);
                hits &= hits - 1;
            }
            place += LANES;
            if place >= places.end {
                return;
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
    struct Collected(Vec<[u32; 2]>);

    impl PairSink<3> for Collected {
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
            let mut found = Collected::default();
            let mut contacts = Contacts::new(&now, &images);
            for id in count..90 {
                // In parts, so that what lies behind a part is not taken for a part of it.
                let middle = count as usize / 3;
                near.test(0..middle, &Body::of(&now, id), &mut contacts, &mut found);
                near.test(middle..count as usize, &Body::of(&now, id), &mut contacts, &mut found);
            }
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
