//! Which polygons might overlap: pairs of bounding boxes.

use crate::error::Error;
use crate::threads::both;
use multigrain::{Detector, Pairs, Snapshot};
use multigrain_methods::Method;
use multigrain_papers::Boxes;
use multigrain_papers::SortAndUpdate;

/// Bodies from which on two checks of all of them are worth a thread each.
const WORTH_A_THREAD: usize = 1 << 10;

/// How candidates are found. No result depends on it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CandidateSearch {
    /// Sort-and-update on bounding boxes: next to no work where little moves.
    #[default]
    SortAndUpdate,
    /// Any method on the circles around the bodies, then boxes.
    Circles(Method),
}

/// The search at work, with what it remembers.
pub(super) enum Search {
    Boxes(Box<SortAndUpdate<2>>),
    Circles(Method, Option<Box<dyn Detector<2>>>),
}

/// All bodies as the search sees them.
pub(super) struct Outlines<'a> {
    boxes: Boxes<'a, 2>,
    circles: Snapshot<'a, 2>,
}

impl<'a> Outlines<'a> {
    pub(super) fn new(
        centers: &'a [[f64; 2]],
        radii: &'a [f64],
        lo: &'a [[f64; 2]],
        hi: &'a [[f64; 2]],
    ) -> Result<Self, Error> {
        let is_worth = centers.len() >= WORTH_A_THREAD;
        let (boxes, circles) = both(is_worth, || Boxes::new(lo, hi), || Snapshot::new(centers, radii));
        Ok(Self { boxes: boxes?, circles: circles? })
    }

    /// Whether both the boxes and the circles of two bodies overlap: they are candidates, whatever the search.
    pub(super) fn overlap(&self, [i, j]: [u32; 2]) -> bool {
        let (i, j) = (i as usize, j as usize);
        self.boxes.overlap(i, j, [0; 2]) && self.circles.overlaps(i, j, [0; 2])
    }
}

impl Search {
    pub(super) fn new(kind: CandidateSearch) -> Self {
        match kind {
            CandidateSearch::SortAndUpdate => Self::Boxes(Box::default()),
            CandidateSearch::Circles(method) => Self::Circles(method, None),
        }
    }

    /// Every pair whose boxes and circles both overlap, sorted, among others of which only one kind does.
    pub(super) fn find(&mut self, outlines: &Outlines<'_>, pairs: &mut Pairs<2>) -> Result<(), Error> {
        let circles = outlines.circles;
        match self {
            Self::Boxes(sweep) => sweep.find_box_pairs(outlines.boxes, pairs),
            Self::Circles(method, detector) => {
                let detector = match detector {
                    Some(detector) => detector,
                    None => detector.insert(method.build(circles)?),
                };
                detector.find_pairs(circles, pairs);
                pairs.sort();
            }
        }
        Ok(())
    }

    /// Exchanges of sorted ends in the last call; nothing for other methods.
    pub(super) fn exchanges(&self) -> Option<u64> {
        match self {
            Self::Boxes(sweep) => Some(sweep.exchanges()),
            Self::Circles(..) => None,
        }
    }
}
