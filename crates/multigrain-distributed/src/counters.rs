//! What a rank had to do, counted.

use crate::Transport;
use crate::wire::{Packer, Unpacker};

/// Counts of one rank in one detection.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counters {
    /// Bodies that it owned.
    pub bodies: u64,
    /// Bodies of others that it searched with its own.
    pub ghosts: u64,
    /// Ranks that sent it some.
    pub partners: u64,
    /// Pairs that it reported.
    pub pairs: u64,
    /// Candidates that it tested, where work was counted.
    pub candidates: u64,
    /// Cells that it looked up, where work was counted.
    pub cells: u64,
    /// Messages that it sent.
    pub messages: u64,
    /// Bytes in them.
    pub bytes: u64,
}

impl Counters {
    fn words(&mut self) -> [&mut u64; 8] {
        let Self { bodies, ghosts, partners, pairs, candidates, cells, messages, bytes } = self;
        [bodies, ghosts, partners, pairs, candidates, cells, messages, bytes]
    }

    /// Those of all ranks, by rank; collective.
    pub fn gather(mut self, transport: &mut dyn Transport) -> Vec<Self> {
        let mut packer = Packer::default();
        self.words().iter().for_each(|word| packer.u64(**word));
        let gathered = transport.all_gather(&packer.bytes);
        let read = |bytes: Vec<u8>| {
            let mut unpacker = Unpacker { bytes: &bytes };
            let mut counters = Self::default();
            counters.words().into_iter().for_each(|word| *word = unpacker.u64());
            counters
        };
        gathered.into_iter().map(read).collect()
    }

    /// About the nanoseconds that its search takes: what bodies, cells, candidates and pairs cost `hgrid`.
    pub fn cost(&self) -> f64 {
        20.0 * (self.bodies + self.ghosts) as f64
            + 8.0 * self.cells as f64
            + 0.5 * self.candidates as f64
            + 5.0 * self.pairs as f64
    }

    /// The largest cost of a rank over the mean.
    pub fn imbalance(all: &[Self]) -> f64 {
        let total: f64 = all.iter().map(Self::cost).sum();
        let most = all.iter().map(Self::cost).fold(0.0, f64::max);
        if total == 0.0 { 1.0 } else { most * all.len() as f64 / total }
    }
}
