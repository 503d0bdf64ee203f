//! Two bodies and every image of them that may be in reach, tested one by one.

use super::{Batch, ShiftRange};
use crate::domain::Cell;
use crate::overlap::reach;
use crate::pairs::is_positive;
use crate::sink::PairSink;
use crate::snapshot::Snapshot;

/// Tests bodies `i <= j`, or a body and its own images, and hands on every contact.
#[inline]
pub fn test_every_image<S: PairSink<D>, const D: usize>(
    now: &Snapshot<'_, D>,
    i: usize,
    j: usize,
    batch: &mut Batch<D>,
    sink: &mut S,
) {
    test_every_image_but(now, i, j, |_| false, batch, sink);
}

/// As [`test_every_image`], but for the images of `j` at shifts that are `known`.
#[inline]
pub fn test_every_image_but<S: PairSink<D>, const D: usize>(
    now: &Snapshot<'_, D>,
    i: usize,
    j: usize,
    known: impl Fn([i32; D]) -> bool,
    batch: &mut Batch<D>,
    sink: &mut S,
) {
    if !now.domain().has_images() {
        if i != j {
            sink.candidates(1);
            if now.overlaps(i, j, [0; D]) {
                batch.push(i as u32, j as u32, [0; D], sink);
            }
        }
        return;
    }
    let mut tested = 0;
    for shift in images_in_reach(now, i, j).iter() {
        if i == j && !is_positive(shift) {
            continue;
        }
        tested += 1;
        if now.overlaps(i, j, shift) && !known(shift) {
            batch.push(i as u32, j as u32, shift, sink);
        }
    }
    // Two bodies of which no image is in reach have been tested too.
    sink.candidates(tested.max(u64::from(i != j)));
}

/// The same along the edges of a sheared cell.
fn images_in_cell<const D: usize>(now: &Snapshot<'_, D>, cell: &Cell<D>, i: usize, j: usize) -> ShiftRange<D> {
    let reach = reach(now.radii()[i], now.radii()[j], now.margin()) + now.cell_slack(cell);
    let (a, b) = (now.centers()[i], now.centers()[j]);
    let away = cell.components(std::array::from_fn(|axis| b[axis] - a[axis]));
    let mut range = ShiftRange { first: [0; D], last: [0; D] };
    for k in (0..D).filter(|&k| now.domain().is_periodic(k)) {
        let spanned = cell.spanned(k, reach);
        range.first[k] = (-spanned - away[k]).ceil() as i32;
        range.last[k] = (spanned - away[k]).floor() as i32;
    }
    range
}

/// All shifts for which the image of `j` may touch `i`, from the positions as given. An axis without any is enough for none.
fn images_in_reach<const D: usize>(now: &Snapshot<'_, D>, i: usize, j: usize) -> ShiftRange<D> {
    if let Some(cell) = now.domain().cell() {
        return images_in_cell(now, cell, i, j);
    }
    let (reach, slack) = (reach(now.radii()[i], now.radii()[j], now.margin()), now.rounding_slack());
    let mut range = ShiftRange { first: [0; D], last: [0; D] };
    for axis in (0..D).filter(|&axis| now.domain().is_periodic(axis)) {
        let length = now.domain().length(axis);
        let difference = now.centers()[j][axis] - now.centers()[i][axis];
        let reach = reach + slack[axis];
        range.first[axis] = ((-reach - difference) / length).ceil() as i32;
        range.last[axis] = ((reach - difference) / length).floor() as i32;
        if range.first[axis] > range.last[axis] {
            break;
        }
    }
    range
}
