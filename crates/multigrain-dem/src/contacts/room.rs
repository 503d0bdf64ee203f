//! Contacts of a block while they are worked out.

use super::table::NONE;
use super::working_out::BATCH;
use crate::kernel::Kernel;
use crate::laws::{Lanes, Point};
use crate::number::{LANES, Pack};
use crate::threads;
use crate::walls::Touch;

/// Marks a contact that more is known of than its two places: see [`Special`].
pub(super) const SPECIAL: u32 = 1 << 31;

/// A contact that its two places do not tell all of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Special<const D: usize> {
    /// With an image of the particle in this place that is faster than it.
    Faster(u32, Faster<D>),
    /// With a wall: the point, and the velocity of the wall there.
    Wall(Point<D>, [f64; D]),
}

/// By how much an image is faster than the particle, and by how much more than in the middle of the step.
pub(super) type Faster<const D: usize> = ([f64; D], [f64; D]);

/// All contacts of a block, column by column, and room to work in, kept from block to block. Columns are longer than there are contacts.
#[derive(Debug)]
pub(super) struct Room<const D: usize> {
    pub count: usize,
    /// Where the contacts of each particle begin; one more than the block has particles.
    pub rows: Vec<u32>,
    /// What contacts remembered before, where they are not the same any more.
    pub history: Vec<f64>,
    /// From the first to the second; nothing for walls.
    pub away: [Vec<f64>; D],
    /// Which candidates they are.
    pub slots: Vec<u32>,
    /// Places of the first.
    pub firsts: Vec<u32>,
    /// Places of the second, or which of the special ones it is, marked.
    pub seconds: Vec<u32>,
    /// Which contacts they were before, or [`NONE`].
    pub olds: Vec<u32>,
    pub special: Vec<Special<D>>,
    /// Contacts by their law; empty where there is one law.
    pub by_law: Vec<Vec<u32>>,
    pub touches: Vec<Touch<D>>,
    pub merged: Vec<[u32; 2]>,
    pub batch: Vec<Lanes<D>>,
}

impl<const D: usize> Room<D> {
    pub fn new() -> Self {
        Self {
            count: 0,
            rows: Vec::new(),
            history: Vec::new(),
            away: std::array::from_fn(|_| Vec::new()),
            slots: Vec::new(),
            firsts: Vec::new(),
            seconds: Vec::new(),
            olds: Vec::new(),
            special: Vec::new(),
            by_law: Vec::new(),
            touches: Vec::new(),
            merged: Vec::new(),
            batch: vec![Lanes::EMPTY; BATCH],
        }
    }

    /// Makes room for the contacts of so many particles, as many as there are candidates, and lanes behind them; for so many laws, which
    /// may be others than last time.
    pub fn clear(&mut self, particles: usize, candidates: usize, laws: usize) {
        threads::make_room(&mut self.rows, particles + 1);
        self.rows.push(0);
        let length = candidates + LANES;
        if self.slots.len() < length {
            self.away.iter_mut().for_each(|column| column.resize(length, 0.0));
            for column in [&mut self.slots, &mut self.firsts, &mut self.seconds, &mut self.olds] {
                column.resize(length, 0);
            }
        }
        self.count = 0;
        self.special.clear();
        self.by_law.resize_with(if laws > 1 { laws } else { 0 }, Vec::new);
        self.by_law.iter_mut().for_each(Vec::clear);
    }

    /// Adds those of eight candidates from this slot on whose bit is set: their places, and which contacts they were.
    #[inline(always)]
    pub fn keep(
        &mut self,
        kernel: impl Kernel,
        touches: u8,
        first: usize,
        slot: usize,
        [places, olds]: [[u32; LANES]; 2],
        away: [Pack; D],
    ) {
        let at = self.count..self.count + LANES;
        let mut slots = [0; LANES];
        for lane in 0..LANES {
            slots[lane] = (slot + lane) as u32;
        }
        self.slots[at.clone()].copy_from_slice(&kernel.keep_places(slots, touches));
        self.firsts[at.clone()].fill(first as u32);
        self.seconds[at.clone()].copy_from_slice(&kernel.keep_places(places, touches));
        self.olds[at.clone()].copy_from_slice(&kernel.keep_places(olds, touches));
        for axis in 0..D {
            self.away[axis][at.clone()].copy_from_slice(&kernel.keep(away[axis], touches).0);
        }
        self.count += touches.count_ones() as usize;
    }

    /// Puts a contact, by its slot, the places of both bodies and which contact it was, behind all others without counting it.
    #[inline(always)]
    pub fn put(&mut self, [slot, first, second, old]: [u32; 4], away: [f64; D]) {
        let at = self.count;
        (self.slots[at], self.firsts[at], self.seconds[at], self.olds[at]) = (slot, first, second, old);
        for axis in 0..D {
            self.away[axis][at] = away[axis];
        }
    }

    /// Adds a special contact.
    pub fn add(&mut self, [slot, first, old]: [u32; 3], special: Special<D>, away: [f64; D]) {
        self.put([slot, first, self.special.len() as u32 | SPECIAL, old], away);
        self.count += 1;
        self.special.push(special);
    }

    /// Lets lanes behind the last contact be such as nothing is wrong with.
    pub fn end(&mut self) {
        for _ in 0..LANES {
            self.put([0, 0, 0, NONE], [0.0; D]);
            self.count += 1;
        }
        self.count -= LANES;
    }

    #[inline(always)]
    pub fn special(&self, contact: usize) -> Option<&Special<D>> {
        special(self.seconds[contact], &self.special)
    }
}

/// The special contact that a second stands for.
#[inline(always)]
pub(super) fn special<const D: usize>(second: u32, all: &[Special<D>]) -> Option<&Special<D>> {
    if second & SPECIAL != 0 { all.get((second & !SPECIAL) as usize) } else { None }
}
