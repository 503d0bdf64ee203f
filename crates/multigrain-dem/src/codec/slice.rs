//! A saved simulation in slices by id, each of which a part can write: put together they are the bytes of one that was never cut.

use super::stream::{List, Sink};
use crate::checksum::Checksum;
use crate::compiled;
use crate::contacts::Memory;
use crate::simulation::Simulation;
use crate::totals::Totals;
use multigrain::{Axes, Dimension};

/// The particles of a range of ids as they are saved, with what stands around them.
#[derive(Debug, Clone)]
pub struct Slice {
    bytes: Vec<u8>,
    lists: Vec<List>,
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// The slice that this simulation is, in which particles of some range of ids have [joined](Self::join) and no others: that of all
    /// parts' totals.
    pub fn into_slice(self, totals: &Totals<D>) -> Slice {
        compiled::into_slice(self, totals)
    }

    pub(crate) fn into_slice_here(mut self, totals: &Totals<D>) -> Slice {
        self.removed = totals.removed;
        self.gone.clone_from(&totals.gone);
        self.passed.clone_from(&totals.passed);
        let loose = std::mem::take(&mut self.loose);
        let mut memory = Memory::new(self.contacts.stride);
        memory.attach_firsts(&self.state.ids, loose);
        self.contacts.memory = Some(memory);
        let mut bytes = Vec::new();
        let mut sink = Sink::new(&mut bytes);
        self.write(&mut sink);
        let Ok(lists) = sink.end_slice() else { unreachable!("memory takes all bytes") };
        Slice { bytes, lists }
    }
}

impl Slice {
    /// Of every list of particles: the number of items, the bytes that they take, and their checksum. As many for each slice.
    pub fn outline(&self) -> Vec<[u64; 4]> {
        let of_list = |k: usize| {
            let items = self.items(k);
            let [value, length] = Checksum::of(items).to_words();
            [self.lists[k].count, items.len() as u64, value, length]
        };
        (0..self.lists.len()).map(of_list).collect()
    }

    fn items(&self, list: usize) -> &[u8] {
        let list = self.lists[list];
        &self.bytes[list.count_at + 8..list.end]
    }

    /// Where the bytes of slice `number` go, by the [outlines](Self::outline) of all slices in the order of ids, and which they are; the first
    /// slice has those that are the same for all.
    pub fn pieces(&self, number: usize, outlines: &[Vec<[u64; 4]>]) -> Vec<(u64, Vec<u8>)> {
        let mut pieces = Vec::new();
        let (mut at, mut sum, mut before) = (0, Checksum::default(), 0);
        for k in 0..self.lists.len() {
            let list = self.lists[k];
            let mut head = self.bytes[before..list.count_at].to_vec();
            head.extend(outlines.iter().map(|outline| outline[k][0]).sum::<u64>().to_le_bytes());
            before = list.end;
            sum.add(&head);
            let length = head.len() as u64;
            if number == 0 {
                pieces.push((at, head));
            }
            at += length;
            for (slice, outline) in outlines.iter().enumerate() {
                let [_, bytes, value, length] = outline[k];
                if slice == number && bytes > 0 {
                    pieces.push((at, self.items(k).to_vec()));
                }
                sum.append(&Checksum::from_words([value, length]));
                at += bytes;
            }
        }
        if number == 0 {
            pieces.push((at, sum.end().to_le_bytes().to_vec()));
        }
        pieces
    }
}
