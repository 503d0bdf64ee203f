//! One set of bodies against another.

use crate::detector::Detector;
use crate::detectors::Auto;
use crate::error::Error;
use crate::pairs::{Pair, Pairs};
use crate::settings::{Build, Settings};
use crate::snapshot::Snapshot;

/// Every body of `a` that touches one of `b`: pairs of a body of `a` and one of `b`, none within a set. Both must have the same
/// domain and margin. As fast as one search of all of them.
///
/// ```
/// use multigrain::{Snapshot, find_pairs_between};
/// let grains = Snapshot::new(&[[0.0, 0.0], [0.5, 0.0], [9.0, 0.0]], &[0.5; 3])?;
/// let probes = Snapshot::new(&[[9.4, 0.0], [0.9, 0.0]], &[0.1; 2])?;
/// let pairs = find_pairs_between(grains, probes)?;
/// assert_eq!(pairs.as_slice(), [[1, 1], [2, 0]]);
/// # Ok::<(), multigrain::Error>(())
/// ```
pub fn find_pairs_between<const D: usize>(a: Snapshot<'_, D>, b: Snapshot<'_, D>) -> Result<PairsBetween<D>, Error> {
    let mut pairs = PairsBetween::default();
    Between::new(Auto::build(a, &Settings::default())?).find_pairs(a, b, &mut pairs)?;
    Ok(pairs)
}

/// A detector that searches one set of bodies against another. Keeps its memory from call to call.
#[derive(Debug, Clone)]
pub struct Between<T, const D: usize> {
    detector: T,
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    groups: Vec<u32>,
}

/// Pairs of a body of one set and a body of another, sorted, with image shifts in periodic domains.
#[derive(Debug, Clone, Default)]
pub struct PairsBetween<const D: usize> {
    /// Numbers of the second set follow those of the first.
    found: Pairs<D>,
    list: Vec<[u32; 2]>,
}

impl<T: Detector<D>, const D: usize> Between<T, D> {
    /// Searches with `detector`.
    pub fn new(detector: T) -> Self {
        Self { detector, centers: Vec::new(), radii: Vec::new(), groups: Vec::new() }
    }

    /// Clears `pairs` and fills it with every touching pair of a body of `a` and one of `b`. Fails if the two have different
    /// domains or margins, or are too many.
    pub fn find_pairs(
        &mut self,
        a: Snapshot<'_, D>,
        b: Snapshot<'_, D>,
        pairs: &mut PairsBetween<D>,
    ) -> Result<(), Error> {
        if a.domain() != b.domain() {
            return Err(Error::SetsDiffer { what: "domains" });
        }
        if a.contact_margin() != b.contact_margin() {
            return Err(Error::SetsDiffer { what: "margins" });
        }
        self.centers.clear();
        self.radii.clear();
        self.groups.clear();
        for (number, set) in [a, b].into_iter().enumerate() {
            self.centers.extend_from_slice(set.centers());
            self.radii.extend_from_slice(set.radii());
            self.groups.resize(self.centers.len(), number as u32);
        }
        let both = Snapshot::new(&self.centers, &self.radii)?.within(*a.domain())?.margin(a.contact_margin())?;
        self.detector.find_pairs(both.in_groups(&self.groups)?, &mut pairs.found);
        pairs.found.sort();
        let first = a.len() as u32;
        pairs.list.clear();
        pairs.list.extend(pairs.found.as_slice().iter().map(|&[i, j]| [i, j - first]));
        Ok(())
    }
}

impl<const D: usize> PairsBetween<D> {
    /// Body of the first set and body of the second, by pair.
    pub fn as_slice(&self) -> &[[u32; 2]] {
        &self.list
    }

    /// How many periods the second body's image lies from it, by pair; empty in open domains.
    pub fn shifts(&self) -> &[[i32; D]] {
        self.found.shifts()
    }

    /// Number of pairs.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing touches.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Every pair: `i` of the first set, `j` of the second.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Pair<D>> {
        let shifts = self.shifts();
        self.list.iter().enumerate().map(|(k, &[i, j])| Pair { i, j, shift: shifts.get(k).copied().unwrap_or([0; D]) })
    }
}
