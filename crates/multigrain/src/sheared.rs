//! Sheared boxes for every method: bodies are brought into the cell, images of them are put around it, and the method
//! searches all of these in open space.
//!
//! Which images are needed: a contact is found by the smaller body of the two, in the cell, and an image of the larger one (of
//! equals, of the one with the higher number). So a body needs images only as far from the cell as it reaches itself; one
//! boulder does not surround the cell with images of dust. What the method finds are candidates; the overlap test decides,
//! on positions as given.

use crate::grid::{BodyTree, Lattice, ShiftRange, emit_confirmed};
use crate::overlap::reach;
use crate::pairs::{Pair, Pairs, is_positive};
use crate::snapshot::Snapshot;

/// Images of one body that are searched among all others; a body with more, larger than the cell, looks for its partners
/// image by image.
const MAX_IMAGES: usize = 80;

/// Clears `pairs` and fills it with every touching pair of a sheared cell; `search` finds pairs in open space.
pub(crate) fn find_pairs<const D: usize>(
    now: &Snapshot<'_, D>,
    pairs: &mut Pairs<D>,
    search: &mut dyn FnMut(Snapshot<'_, D>, &mut Pairs<D>),
) {
    let around = Surroundings::of(now);
    let mut found = Pairs::new();
    let open = Snapshot::in_open_space(&around.centers, &around.radii, around.margin);
    search(open.expect("bodies of a checked cell have valid images"), &mut found);
    pairs.clear();
    let list = found.as_slice();
    emit_confirmed(list.len(), true, pairs, |k| {
        let [a, b] = list[k].map(|place| place as usize);
        let (pair, is_pair) = around.candidate(now, a, b);
        ([pair.i, pair.j], pair.shift, is_pair)
    });
    around.search_large(now, pairs);
}

/// Bodies in the cell, and images of them around it.
struct Surroundings<'a, const D: usize> {
    radii_given: &'a [f64],
    lattice: Lattice<D>,
    /// Bodies in the cell by number, then images.
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    /// Body and short edges of each image.
    images: Vec<(u32, [i32; D])>,
    /// Bodies with too many images to be listed.
    large: Vec<u32>,
    /// Margin of the search, with room for rounding.
    margin: f64,
    /// How far fractions may lie outside 0 to 1 by rounding, along each edge.
    blur: [f64; D],
}

impl<'a, const D: usize> Surroundings<'a, D> {
    fn of(now: &Snapshot<'a, D>) -> Self {
        let lattice = Lattice::of(now).expect("only periodic cells are searched by images");
        let far = lattice.farthest();
        let mut around = Self {
            radii_given: now.radii(),
            centers: Vec::with_capacity(now.len() + now.len() / 2),
            radii: Vec::with_capacity(now.len() + now.len() / 2),
            images: Vec::new(),
            large: Vec::new(),
            margin: now.margin() + lattice.slack_of_bodies(),
            blur: std::array::from_fn(|k| 64.0 * f64::EPSILON * (lattice.cell().spanned(k, far) + 1.0)),
            lattice,
        };
        around.centers.extend_from_slice(around.lattice.homes());
        around.radii.extend_from_slice(now.radii());
        for body in 0..now.len() {
            around.add_images(body);
        }
        around
    }

    /// All images of a body that may touch a smaller one in the cell.
    fn needed(&self, body: usize) -> ShiftRange<D> {
        let reach = 2.0 * self.radii_given[body] + 2.0 * self.margin;
        let cell = self.lattice.cell();
        let fractions = cell.fractions(self.centers[body]);
        let mut range = ShiftRange { first: [0; D], last: [0; D] };
        for k in 0..D {
            let spanned = cell.spanned(k, reach);
            if spanned > 0.0 {
                let spanned = spanned + self.blur[k];
                range.first[k] = (-spanned - fractions[k]).ceil() as i32;
                range.last[k] = (1.0 + spanned - fractions[k]).floor() as i32;
            }
        }
        range
    }

    fn add_images(&mut self, body: usize) {
        let needed = self.needed(body);
        if needed.is_home_only() {
            return;
        }
        let count = (0..D).map(|k| (needed.last[k] - needed.first[k] + 1).max(0) as f64).product::<f64>();
        if count > MAX_IMAGES as f64 {
            self.large.push(body as u32);
            return;
        }
        let center = self.centers[body];
        for shift in needed.iter().filter(|&shift| shift != [0; D]) {
            let way = self.lattice.cell().translation(shift);
            self.centers.push(std::array::from_fn(|axis| center[axis] + way[axis]));
            self.radii.push(self.radii_given[body]);
            self.images.push((body as u32, shift));
        }
    }

    /// The pair of what stands at two places of the list, the first of them lower, and whether it is one to report.
    #[inline]
    fn candidate(&self, now: &Snapshot<'_, D>, a: usize, b: usize) -> (Pair<D>, bool) {
        let bodies = self.radii_given.len();
        if b < bodies {
            return self.pair(now, a, b, [0; D]);
        }
        let (body, shift) = self.images[b - bodies];
        if a >= bodies {
            return (Pair { i: 0, j: 0, shift: [0; D] }, false);
        }
        self.pair(now, a, body as usize, shift)
    }

    /// The contact of body `i` in the cell with the image of body `j` by this many short edges, and whether it is one to report.
    #[inline]
    fn pair(&self, now: &Snapshot<'_, D>, i: usize, j: usize, shift: [i32; D]) -> (Pair<D>, bool) {
        let given = self.lattice.reported(self.lattice.wrap_of(i), j as u32, shift);
        let is_finder = if i == j {
            is_positive(given)
        } else {
            shift == [0; D] || (self.radii_given[j], j) > (self.radii_given[i], i)
        };
        (
            Pair::canonical(i as u32, j as u32, given),
            is_finder && !now.groups().has_both([i as u32, j as u32]) && now.overlaps(i, j, given),
        )
    }

    /// The contacts of images that are not listed.
    fn search_large(&self, now: &Snapshot<'_, D>, pairs: &mut Pairs<D>) {
        if self.large.is_empty() {
            return;
        }
        let bodies = self.radii_given.len();
        let tree = BodyTree::new(&self.centers[..bodies], &self.radii[..bodies]);
        for &large in &self.large {
            let j = large as usize;
            for shift in self.needed(j).iter().filter(|&shift| shift != [0; D]) {
                let way = self.lattice.cell().translation(shift);
                let center = std::array::from_fn(|axis| self.centers[j][axis] + way[axis]);
                tree.visit_near(center, reach(0.0, self.radii_given[j], self.margin), |i| {
                    let (pair, is_pair) = self.pair(now, i as usize, j, shift);
                    if is_pair {
                        pairs.extend(&[[pair.i, pair.j]], &[pair.shift]);
                    }
                });
            }
        }
    }
}
