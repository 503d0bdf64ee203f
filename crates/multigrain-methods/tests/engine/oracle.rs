//! The answer, worked out as plainly as it can be: brute force itself is tested against this.

use multigrain::{Pair, Snapshot};

/// Every contact, sorted, from the overlap test alone. Along each periodic axis one image more than could matter is
/// tried at either end, so that rounding in the choice of images cannot hide a contact.
pub fn oracle<const D: usize>(now: Snapshot<'_, D>) -> Vec<Pair<D>> {
    let mut found = Vec::new();
    for i in 0..now.len() {
        for j in i..now.len() {
            for_each_image(&now, i, j, |shift| {
                let twice_counted = i == j && !first_nonzero_is_positive(shift);
                if !twice_counted && now.overlaps(i, j, shift) {
                    found.push(Pair { i: i as u32, j: j as u32, shift });
                }
            });
        }
    }
    found.sort_unstable();
    found
}

fn for_each_image<const D: usize>(now: &Snapshot<'_, D>, i: usize, j: usize, mut visit: impl FnMut([i32; D])) {
    let reach = now.radii()[i] + now.radii()[j] + now.margin();
    let range: [(i32, i32); D] = std::array::from_fn(|axis| {
        if !now.domain().is_periodic(axis) {
            return (0, 0);
        }
        let length = now.domain().length(axis);
        let difference = now.centers()[j][axis] - now.centers()[i][axis];
        (((-reach - difference) / length).ceil() as i32 - 1, ((reach - difference) / length).floor() as i32 + 1)
    });
    let mut shift = range.map(|(first, _)| first);
    loop {
        visit(shift);
        let Some(axis) = (0..D).find(|&axis| shift[axis] < range[axis].1) else { return };
        shift[axis] += 1;
        for lower in 0..axis {
            shift[lower] = range[lower].0;
        }
    }
}

fn first_nonzero_is_positive<const D: usize>(shift: [i32; D]) -> bool {
    shift.into_iter().find(|&component| component != 0).is_some_and(|component| component > 0)
}
