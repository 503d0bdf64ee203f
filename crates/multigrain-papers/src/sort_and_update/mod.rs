//! Incremental sort-and-update: ends of bounding boxes kept sorted along every axis; pairs come and go as ends change
//! places. See the README of this folder.

mod box_changes;
mod end_list;
mod index;
mod pair_list;
mod spans;
mod sweep;
#[cfg(test)]
mod tests;

use crate::boxes::Boxes;
use index::Index;
use multigrain::Error;
use multigrain::Search;
use multigrain::Snapshot;
use multigrain::grid::emit_confirmed;
use multigrain::limits::MAX_BODIES_WITH_ENDS;
use multigrain::overlap::{reach, touches};
use multigrain::{Build, Settings};
use multigrain::{Pair, PairSink, Pairs};
use spans::Ends;

/// Keeps the ends of all bounding boxes sorted along every axis from call to call, and with them the pairs of boxes that
/// overlap. What a call costs follows from how many ends change places, and is next to nothing where nothing moves.
///
/// Body `i` is taken to be body `i` of the last call. Where it is not, or where everything moves at once, a call costs
/// more: at most little more than a start from scratch.
///
/// ```
/// use multigrain_papers::SortAndUpdate;
/// use multigrain::{Detector, Pairs, Snapshot};
/// let (mut detector, mut pairs) = (SortAndUpdate::new(), Pairs::new());
/// detector.find_pairs(Snapshot::new(&[[0.0, 0.0], [3.0, 0.0], [9.0, 0.0]], &[1.0; 3])?, &mut pairs);
/// assert!(pairs.is_empty());
/// detector.find_pairs(Snapshot::new(&[[1.5, 0.0], [3.0, 0.0], [9.0, 0.0]], &[1.0; 3])?, &mut pairs);
/// assert_eq!(pairs.as_slice(), [[0, 1]]);
/// assert_eq!(detector.exchanges(), 1); // the upper end of 0 has passed the lower end of 1
/// # Ok::<(), multigrain::Error>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct SortAndUpdate<const D: usize> {
    index: Index<D>,
}

impl<const D: usize> SortAndUpdate<D> {
    /// A detector that has seen nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Clears `pairs` and fills it with every pair of overlapping boxes, sorted by (i, j, shift). Boxes that touch overlap.
    pub fn find_box_pairs(&mut self, boxes: Boxes<'_, D>, pairs: &mut Pairs<D>) {
        self.find_box_pairs_until(boxes, pairs, &|| false);
    }

    /// As [`find_box_pairs`](Self::find_box_pairs), but asks `stop` now and then, on any thread, and ends soon after it says yes.
    /// Whether it went through to the end; where it did not, `pairs` is empty.
    pub fn find_box_pairs_until(
        &mut self,
        boxes: Boxes<'_, D>,
        pairs: &mut Pairs<D>,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> bool {
        pairs.clear();
        let domain = *boxes.domain();
        let slack = slack_of(&boxes);
        self.index.update(
            boxes.len(),
            &domain,
            |i| std::array::from_fn(|axis| [boxes.lo()[i][axis] - slack[axis], boxes.hi()[i][axis] + slack[axis]]),
            stop,
        );
        if stop() {
            return false;
        }
        // Without periods there is no rounding: the boxes are as given.
        self.deliver(pairs, |i, j, shift| !domain.has_images() || boxes.overlap(i, j, shift));
        true
    }

    /// The same, and it notes which pairs of boxes begin and end to overlap: what the exchanges say anyhow.
    pub fn with_box_changes(mut self) -> Self {
        self.index.box_changes = Some(Box::default());
        self
    }

    /// Pairs of boxes that overlap since the last call, sorted: boxes as given, or around bodies, where [`find_pairs`] was
    /// called, a few ulps larger than they are. Empty unless made by [`with_box_changes`](Self::with_box_changes).
    ///
    /// [`find_pairs`]: multigrain::Detector::find_pairs
    pub fn begun_box_pairs(&self) -> &[Pair<D>] {
        self.index.box_changes.as_ref().map_or(&[], |changes| &changes.begun)
    }

    /// Pairs of boxes that overlap no more, sorted; see [`begun_box_pairs`](Self::begun_box_pairs). Shifts are those between
    /// bodies as given now; of bodies that are gone, those of the call before.
    pub fn ended_box_pairs(&self) -> &[Pair<D>] {
        self.index.box_changes.as_ref().map_or(&[], |changes| &changes.ended)
    }

    /// How often two neighbours in the sorted lists changed places in the last call, also where that led to a new start.
    pub fn exchanges(&self) -> u64 {
        self.index.exchanges()
    }

    /// Whether the last call started from scratch: the first one, one with another domain, one with too many exchanges.
    pub fn started_afresh(&self) -> bool {
        self.index.started_afresh()
    }

    /// Number of pairs of boxes that overlapped in the last call, every image counted.
    pub fn box_pairs(&self) -> usize {
        self.index.pairs().len()
    }

    /// Hands on the pairs of boxes that `is_pair` confirms, in their order.
    fn deliver<S: PairSink<D>>(&self, sink: &mut S, is_pair: impl Fn(usize, usize, [i32; D]) -> bool + Sync) {
        let pairs = self.index.pairs();
        emit_confirmed(pairs.len(), pairs.have_shifts(), sink, |k| {
            let ([i, j], shift) = pairs.get(k);
            let shift = self.index.reported_shift(i as usize, j as usize, shift);
            ([i, j], shift, is_pair(i as usize, j as usize, shift))
        });
    }
}

impl<const D: usize> Build<D> for SortAndUpdate<D> {
    fn build(now: Snapshot<'_, D>, _settings: &Settings) -> Result<Self, Error> {
        if now.len() > MAX_BODIES_WITH_ENDS {
            let (count, most) = (now.len(), MAX_BODIES_WITH_ENDS);
            return Err(Error::TooManyForMethod { method: "sort-and-update", count, most });
        }
        Ok(Self::new())
    }
}

impl<const D: usize> Search<D> for SortAndUpdate<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        let slack = periodic_slack(&now);
        let (centers, radii, margin) = (now.centers(), now.radii(), now.margin());
        self.index.update(
            now.len(),
            now.domain(),
            |i| box_around(centers[i], radii[i] + 0.5 * margin, slack),
            sink.stop(),
        );
        if sink.stop_requested() {
            return;
        }
        sink.cells(self.index.exchanges() + self.index.compared());
        sink.mapped();
        if now.domain().has_images() {
            self.deliver(sink, |i, j, shift| now.overlaps(i, j, shift));
            return;
        }
        self.deliver(sink, |i, j, _| {
            let vector = std::array::from_fn::<_, D, _>(|axis| centers[j][axis] - centers[i][axis]);
            touches(vector, reach(radii[i], radii[j], margin))
        });
    }
}

/// A box that overlaps those of all bodies that the overlap test may find in touch: a few ulps larger than the sphere, and
/// by `slack` along periodic axes.
#[inline]
fn box_around<const D: usize>(center: [f64; D], radius: f64, slack: [f64; D]) -> Ends<D> {
    const ULPS: f64 = 8.0 * f64::EPSILON;
    let radius = radius * (1.0 + ULPS);
    std::array::from_fn(|axis| {
        let lo = center[axis] - radius - slack[axis];
        let hi = center[axis] + radius + slack[axis];
        [lo - ULPS * lo.abs(), hi + ULPS * hi.abs()]
    })
}

/// What boxes are widened by: on periodic axes wrapped coordinates and image shifts are rounded.
fn periodic_slack<const D: usize>(now: &Snapshot<'_, D>) -> [f64; D] {
    let slack = now.rounding_slack();
    std::array::from_fn(|axis| if now.domain().is_periodic(axis) { slack[axis] } else { 0.0 })
}

/// A bound for each axis, several times over, on the rounding of wrapped ends of boxes: none on open axes.
fn slack_of<const D: usize>(boxes: &Boxes<'_, D>) -> [f64; D] {
    let domain = boxes.domain();
    let borders = [domain.lo(), domain.hi()];
    std::array::from_fn(|axis| {
        if !domain.is_periodic(axis) {
            return 0.0;
        }
        let corners = boxes.lo().iter().chain(boxes.hi()).chain(&borders);
        16.0 * f64::EPSILON * corners.fold(0.0, |largest: f64, corner| largest.max(corner[axis].abs()))
    })
}
