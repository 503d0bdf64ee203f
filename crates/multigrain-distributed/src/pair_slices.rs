//! Pairs to the ranks that list them: those that have the row of the lower index.

use crate::search::Bodies;
use crate::transport::{Transport, Why};
use crate::wire::{Packer, Unpacker, parcels};
use multigrain::pairs::is_positive;
use multigrain::{Pairs, Snapshot};
use rayon::prelude::*;

/// A pair by the indices that all ranks know. The order of fields is that of lists.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Listed<const D: usize> {
    pub i: u64,
    pub j: u64,
    pub shift: [i32; D],
    pub overlap: f64,
}

/// Sends pairs to the ranks that list them; gives those that this one lists, sorted. `starts` has the first row of every rank.
pub(crate) fn deal_out<const D: usize>(
    transport: &mut dyn Transport,
    bodies: &Bodies<D>,
    found: &Pairs<D>,
    now: &Snapshot<'_, D>,
    starts: &[u64],
    with_overlaps: bool,
) -> Vec<Listed<D>> {
    let has_images = now.domain().has_images();
    let mut packers = vec![Packer::default(); transport.size()];
    for pair in found {
        let (a, b) = (pair.i as usize, pair.j as usize);
        let (mut i, mut j, mut shift) = (bodies.indices[a], bodies.indices[b], pair.shift);
        if i > j || (i == j && !is_positive(shift)) {
            (i, j) = (j, i);
            shift = shift.map(|component| -component);
        }
        let lister = starts.partition_point(|&start| start <= i) - 1;
        let packer = &mut packers[lister];
        packer.u64(i);
        packer.u64(j);
        if has_images {
            packer.i32s(&shift);
        }
        if with_overlaps {
            // The same bits from either side.
            packer.f64(now.overlap_depth(a, b, pair.shift));
        }
    }
    let mut listed = Vec::new();
    for parcel in transport.exchange(Why::Report, parcels(packers)) {
        let mut unpacker = Unpacker { bytes: &parcel.bytes };
        while !unpacker.is_empty() {
            listed.push(Listed {
                i: unpacker.u64(),
                j: unpacker.u64(),
                shift: if has_images { unpacker.i32s() } else { [0; D] },
                overlap: if with_overlaps { unpacker.f64() } else { 0.0 },
            });
        }
    }
    listed.par_sort_unstable_by_key(|pair| (pair.i, pair.j, pair.shift));
    listed
}
