//! One set of bodies against another.

use super::Auto;
use crate::detector::Detector;
use crate::dimension::{Axes, Dimension};
use crate::error::Error;
use crate::pairs::{Pair, Pairs};
use crate::snapshot::Snapshot;

/// Every body of `a` that touches one of `b`: pairs of a body of `a` and one of `b`, none within a set. Both must have the same
/// domain and margin. Sorted. As fast as one search of all of them.
///
/// ```
/// use multigrain::{Snapshot, find_pairs_between};
/// let grains = Snapshot::new(&[[0.0, 0.0], [0.5, 0.0], [9.0, 0.0]], &[0.5; 3])?;
/// let probes = Snapshot::new(&[[9.4, 0.0], [0.9, 0.0]], &[0.1; 2])?;
/// let pairs = find_pairs_between(grains, probes)?;
/// assert_eq!(pairs.as_slice(), [[1, 1], [2, 0]]);
/// # Ok::<(), multigrain::Error>(())
/// ```
pub fn find_pairs_between<const D: usize>(a: Snapshot<'_, D>, b: Snapshot<'_, D>) -> Result<PairsBetween<D>, Error>
where
    Axes: Dimension<D>,
{
    let mut pairs = PairsBetween::default();
    Between::new(Auto::boxed()).find_pairs(a, b, &mut pairs)?;
    pairs.sort();
    Ok(pairs)
}

/// A detector that searches one set of bodies against another. Keeps its memory from call to call.
#[derive(Debug, Clone)]
pub struct Between<T, const D: usize> {
    detector: T,
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
}

/// Pairs of a body of one set and a body of another, with image shifts in periodic domains. In the order of the detector;
/// [`sort`](Self::sort) brings them into that of written files.
#[derive(Debug, Clone, Default)]
pub struct PairsBetween<const D: usize>(Pairs<D>);

impl<T: Detector<D>, const D: usize> Between<T, D> {
    /// Searches with `detector`.
    pub fn new(detector: T) -> Self {
        Self { detector, centers: Vec::new(), radii: Vec::new() }
    }

    /// Clears `pairs` and fills it with every touching pair of a body of `a` and one of `b`. Fails if the two have different
    /// domains or margins, are too many, or have a periodic box far too small for them.
    pub fn find_pairs(
        &mut self,
        a: Snapshot<'_, D>,
        b: Snapshot<'_, D>,
        pairs: &mut PairsBetween<D>,
    ) -> Result<(), Error> {
        self.find_pairs_until(a, b, pairs, &|| false).map(|_| ())
    }

    /// As [`find_pairs`](Self::find_pairs), but asks `stop` now and then, on any thread, and ends soon after it says yes. Whether it
    /// went through to the end; where it did not, `pairs` is empty.
    pub fn find_pairs_until(
        &mut self,
        a: Snapshot<'_, D>,
        b: Snapshot<'_, D>,
        pairs: &mut PairsBetween<D>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<bool, Error> {
        if a.domain() != b.domain() {
            return Err(Error::SetsDiffer { what: "domains" });
        }
        if a.margin() != b.margin() {
            return Err(Error::SetsDiffer { what: "margins" });
        }
        self.centers.clear();
        self.radii.clear();
        for set in [a, b] {
            self.centers.extend_from_slice(set.centers());
            self.radii.extend_from_slice(set.radii());
        }
        let both = a.with_bodies(&self.centers, &self.radii)?.with_few_images()?;
        let first = a.len() as u32;
        let is_whole = self.detector.find_pairs_until(both.in_two_sets(first), &mut pairs.0, stop);
        pairs.0.renumber(|[i, j]| [i, j - first]);
        Ok(is_whole)
    }
}

impl<const D: usize> PairsBetween<D> {
    /// Body of the first set and body of the second, by pair.
    pub fn as_slice(&self) -> &[[u32; 2]] {
        self.0.as_slice()
    }

    /// Sorts by (i, j, shift).
    pub fn sort(&mut self) {
        self.0.sort();
    }

    /// How many periods the second body's image lies from it, by pair; empty in open domains.
    pub fn shifts(&self) -> &[[i32; D]] {
        self.0.shifts()
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether nothing touches.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Every pair: `i` of the first set, `j` of the second.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Pair<D>> {
        self.0.iter()
    }
}
