//! All contacts: of the candidates in every row those that touch now, with what they remember.

use super::bodies::{Bodies, Seen};
use super::candidates::{Candidates, Entry};
use super::memory::{Key, Kind, Memory};
use super::push::Room;
use crate::laws::Law;
use crate::state::State;
use crate::threads;
use crate::vector::Spin;
use multigrain::{Axes, Dimension};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All contacts, of particles with each other and with walls.
#[derive(Debug)]
pub(crate) struct ContactTable<const D: usize> {
    /// Numbers that each contact remembers.
    pub stride: usize,
    /// As long as the rows of candidates stay what they are.
    pub blocks: Vec<ContactBlock<D>>,
    /// While there are no rows of candidates: contacts by ids.
    pub memory: Option<Memory<D>>,
    /// Memory for what was before, one for each thread that works on blocks.
    pub(super) formers: Mutex<Vec<ContactBlock<D>>>,
    /// Memory to work in, likewise.
    pub(super) rooms: Mutex<Vec<Room<D>>>,
}

/// No contact.
pub(crate) const NONE: u32 = u32::MAX;

/// Contacts of the particles of one block, each of two particles once, in the row of its first.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactBlock<const D: usize> {
    /// Where the contacts of each particle begin; one more than the block has particles.
    pub rows: Vec<u32>,
    /// Which candidates they are, by their places in the block: growing.
    pub slots: Vec<u32>,
    pub history: Vec<f64>,
    /// Which contact each candidate is, or [`NONE`]; of candidates that are faces it means nothing.
    pub contact_of: Vec<u32>,
    /// What the contacts do.
    pub effects: Vec<Effect<D>>,
    /// Torques on both bodies beside those of the moments; empty where no law has any.
    pub torques: Vec<[Spin; 2]>,
}

/// What a contact does to its two bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Effect<const D: usize> {
    /// On the second body; the first feels the opposite.
    pub force: [f64; D],
    /// Torque of the force for an arm of length 1 along the normal, the same for both bodies.
    pub moment: Spin,
    /// Distance of the surfaces: arms end in the middle of the overlap.
    pub gap: f64,
}

impl<const D: usize> Effect<D> {
    pub const NONE: Self = Self { force: [0.0; D], moment: [0.0; 3], gap: 0.0 };
}

impl<const D: usize> ContactBlock<D> {
    pub fn clear(&mut self) {
        self.rows.clear();
        self.slots.clear();
        self.history.clear();
    }
}

/// A contact as it is now, to be looked at.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Touching<'a, const D: usize> {
    /// Place of the first particle.
    pub place: usize,
    pub other: Entry,
    pub shift: [i32; D],
    pub history: &'a [f64],
}

impl<const D: usize> ContactTable<D>
where
    Axes: Dimension<D>,
{
    pub fn new(stride: usize) -> Self {
        Self {
            stride,
            blocks: Vec::new(),
            memory: Some(Memory::new(stride)),
            formers: Mutex::default(),
            rooms: Mutex::default(),
        }
    }

    /// Lets go of the rows of candidates, which must still be what they were.
    pub fn remember(&mut self, candidates: &Candidates<D>, state: &State<D>) {
        if self.memory.is_some() {
            return;
        }
        self.memory = Some(self.by_ids(candidates, state));
    }

    /// All contacts by ids.
    pub fn by_ids(&self, candidates: &Candidates<D>, state: &State<D>) -> Memory<D> {
        let mut memory = Memory::new(self.stride);
        for place in 0..state.len() {
            let (block, k) = (&self.blocks[place >> candidates.bits], place & ((1 << candidates.bits) - 1));
            for contact in block.rows[k] as usize..block.rows[k + 1] as usize {
                let key = candidates.key(state, place, block.slots[contact] as usize);
                memory.push(key, &block.history[contact * self.stride..][..self.stride]);
            }
            memory.end_row();
        }
        memory
    }

    /// Finds the contacts that are remembered among new rows of candidates.
    pub fn recall(&mut self, candidates: &Candidates<D>, state: &State<D>) {
        let Some(memory) = self.memory.take() else { return };
        let (particles, bits, stride) = (state.len(), candidates.bits, self.stride);
        self.blocks.resize_with(candidates.blocks.len(), ContactBlock::default);
        threads::for_each(&mut self.blocks, |b, block| {
            block.clear();
            let first = b << bits;
            let inside = (particles - first).min(1 << bits);
            block.rows.push(0);
            for k in 0..inside {
                let place = first + k;
                let mut old = memory.row(place);
                let row = &candidates.blocks[b].rows;
                for slot in row[k]..row[k + 1] {
                    if old.is_empty() {
                        break;
                    }
                    let wanted = candidates.key(state, place, slot as usize);
                    while !old.is_empty() && memory.keys[old.start] < wanted {
                        old.start += 1;
                    }
                    if !old.is_empty() && memory.keys[old.start] == wanted {
                        block.slots.push(slot);
                        block.history.extend_from_slice(&memory.history[old.start * stride..][..stride]);
                    }
                }
                block.rows.push(block.slots.len() as u32);
            }
        });
    }

    /// Shows every contact once: particles from the first one, and faces.
    pub fn visit(&self, candidates: &Candidates<D>, state: &State<D>, mut visit: impl FnMut(Touching<'_, D>)) {
        match &self.memory {
            Some(memory) => visit_memory(memory, state, visit),
            None => {
                for place in 0..state.len() {
                    let b = place >> candidates.bits;
                    let (block, k) = (&self.blocks[b], place & ((1 << candidates.bits) - 1));
                    for contact in block.rows[k] as usize..block.rows[k + 1] as usize {
                        let (rows, slot) = (&candidates.blocks[b], block.slots[contact] as usize);
                        let other = rows.entry(slot);
                        let shift = match other {
                            Entry::Face(_) => [0; D],
                            Entry::Particle(second) => {
                                candidates.shift_now(state, rows, slot, [place, second as usize])
                            }
                        };
                        let history = &block.history[contact * self.stride..][..self.stride];
                        visit(Touching { place, other, shift, history });
                    }
                }
            }
        }
    }

    /// Number of contacts between particles.
    pub fn count(&self, candidates: &Candidates<D>) -> usize {
        if let Some(memory) = &self.memory {
            return memory.keys.iter().filter(|key| key.kind == Kind::Particle).count();
        }
        let is_pair = |(b, slot): (usize, u32)| matches!(candidates.blocks[b].entry(slot as usize), Entry::Particle(_));
        let slots =
            self.blocks.iter().enumerate().flat_map(|(b, block)| block.slots.iter().map(move |&slot| (b, slot)));
        slots.filter(|&slot| is_pair(slot)).count()
    }
}

/// The same of contacts that are known by ids alone.
fn visit_memory<const D: usize>(memory: &Memory<D>, state: &State<D>, mut visit: impl FnMut(Touching<'_, D>))
where
    Axes: Dimension<D>,
{
    let by_id = state.places_by_id();
    let place_of = |id: u32| by_id.binary_search_by_key(&id, |&place| state.ids[place as usize]).ok();
    for place in 0..state.len() {
        for contact in memory.row(place) {
            let Key { kind, other, image } = memory.keys[contact];
            let (other, shift) = match kind {
                Kind::Face => (Entry::Face(other), [0; D]),
                Kind::Particle => {
                    let Some(at) = place_of(other) else { continue };
                    let second = by_id[at];
                    let shift = match (state.periods.get(place), state.periods.get(second as usize)) {
                        (Some(a), Some(b)) => std::array::from_fn(|axis| image[axis] + b[axis] - a[axis]),
                        _ => [0; D],
                    };
                    (Entry::Particle(second), shift)
                }
            };
            visit(Touching { place, other, shift, history: memory.numbers(contact) });
        }
    }
}

impl<const D: usize> Touching<'_, D>
where
    Axes: Dimension<D>,
{
    /// The contact as it is now, and its law. Nothing has slid.
    pub fn look<'l>(&self, bodies: &Bodies<'l, D>) -> (Seen<D>, &'l dyn Law<D>) {
        match self.other {
            Entry::Face(face) => {
                let seen = bodies.look_at_face(self.place, face, self.history);
                (seen, bodies.law_with_face(self.place, face))
            }
            Entry::Particle(second) => {
                let pair = [self.place, second as usize];
                (bodies.look_at_pair(pair, self.shift, self.history), bodies.law_of_pair(pair))
            }
        }
    }
}

/// The way from `a` to the image of `b`.
#[inline(always)]
pub(super) fn away<const D: usize>(a: [f64; D], b: [f64; D], shift: [i32; D], lengths: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| {
        let difference = b[axis] - a[axis];
        match shift[axis] {
            0 => difference,
            shift => difference + f64::from(shift) * lengths[axis],
        }
    })
}

/// A panic while memory was lent out ends the step anyway.
pub(super) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
