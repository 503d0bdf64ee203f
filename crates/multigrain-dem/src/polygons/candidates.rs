//! Which polygons might overlap: pairs of bounding boxes.

use crate::error::Error;
use multigrain::detectors::SortAndUpdate;
use multigrain::{Boxes, Detector, Method, Pairs, Snapshot};

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
    Boxes(SortAndUpdate<2>),
    Circles(Method, Option<Box<dyn Detector<2>>>),
}

/// All bodies as the search sees them.
pub(super) struct Outlines<'a> {
    pub(super) centers: &'a [[f64; 2]],
    pub(super) radii: &'a [f64],
    pub(super) lo: &'a [[f64; 2]],
    pub(super) hi: &'a [[f64; 2]],
}

impl Search {
    pub(super) fn new(kind: CandidateSearch) -> Self {
        match kind {
            CandidateSearch::SortAndUpdate => Self::Boxes(SortAndUpdate::new()),
            CandidateSearch::Circles(method) => Self::Circles(method, None),
        }
    }

    /// Every pair whose boxes and circles both overlap, sorted: the same for every search.
    pub(super) fn find(&mut self, outlines: &Outlines<'_>, pairs: &mut Pairs<2>) -> Result<(), Error> {
        let boxes = Boxes::new(outlines.lo, outlines.hi)?;
        let circles = Snapshot::new(outlines.centers, outlines.radii)?;
        match self {
            Self::Boxes(sweep) => {
                sweep.find_box_pairs(boxes, pairs);
                keep(pairs, |i, j| circles.overlaps(i, j, [0; 2]));
            }
            Self::Circles(method, detector) => {
                let detector = match detector {
                    Some(detector) => detector,
                    None => detector.insert(method.build(circles)?),
                };
                detector.find_pairs(circles, pairs);
                pairs.sort();
                keep(pairs, |i, j| boxes.overlap(i, j, [0; 2]));
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

fn keep(pairs: &mut Pairs<2>, is_kept: impl Fn(usize, usize) -> bool) {
    let kept: Vec<[u32; 2]> =
        pairs.as_slice().iter().copied().filter(|&[i, j]| is_kept(i as usize, j as usize)).collect();
    pairs.clear();
    pairs.extend(&kept, &[]);
}
