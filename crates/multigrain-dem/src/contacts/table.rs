//! All contacts: of the candidates in every row those that touch now, with what they remember.

use super::bodies::{Bodies, Seen};
use super::candidates::{Candidates, Entry};
use super::memory::{Key, Kind, Memory};
use super::room::Room;
use crate::laws::Law;
use crate::number::LANES;
use crate::state::State;
use crate::threads;
use crate::vector::Spin;
use multigrain::{Axes, Dimension};
use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// All contacts, of particles with each other and with walls.
#[derive(Debug)]
pub(crate) struct ContactTable<const D: usize> {
    /// Numbers that each contact remembers.
    pub stride: usize,
    /// As long as the rows of candidates stay what they are.
    pub blocks: Vec<ContactBlock>,
    /// While there are no rows of candidates: contacts by ids.
    pub memory: Option<Memory<D>>,
    /// Memory for what was before, one for each thread that works on blocks of polygons.
    pub(super) formers: Mutex<Vec<ContactBlock>>,
    /// Memory to work in, likewise.
    pub(super) rooms: Mutex<Vec<Room<D>>>,
    /// Memory for what contacts of a block do, where it is not kept until all have pushed.
    pub(super) effects: Mutex<Vec<Vec<Effect>>>,
    /// Memory for what seconds of pairs find, likewise.
    pub seconds: Mutex<Vec<Seconds>>,
}

/// Numbers behind what all contacts of a block remember, so that the last can be looked at in a row of four.
pub(super) const BEHIND: usize = 4;

/// No contact.
pub(crate) const NONE: u32 = u32::MAX;

/// Contacts of the particles of one block, each of two particles once, in the row of its first.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactBlock {
    /// Where the contacts of each particle begin; one more than the block has particles.
    pub rows: Vec<u32>,
    /// Which candidates they are, by their places in the block: growing.
    pub slots: Vec<u32>,
    /// What they remember; then numbers that mean nothing.
    pub history: Vec<f64>,
    /// Which contact each candidate is, or [`NONE`]; then lanes that mean nothing.
    pub contact_of: Vec<u32>,
    /// What the contacts do.
    pub effects: Vec<Effect>,
    /// Torques on both bodies beside those of the moments; empty where no law has any.
    pub torques: Vec<[Spin; 2]>,
}

/// Contacts that the particles of a block find in the rows of others.
#[derive(Debug, Default)]
pub(crate) struct Seconds {
    /// Block, and number in it; there may be more behind those that count.
    pub contacts: Vec<[u32; 2]>,
    /// Where those of each particle end.
    pub ends: Vec<u32>,
}

/// What a contact does to its two bodies: one line of the cache, in two halves that are added to what else pushes as they are.
#[derive(Debug, Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Effect {
    /// The force on the second body, the first feels the opposite; in the last place the distance of the surfaces: arms end in the
    /// middle of the overlap.
    pub force_and_gap: [f64; 4],
    /// Torque of the force for an arm of length 1 along the normal, the same for both bodies; in the last place the energy taken from
    /// motion.
    pub moment_and_taken: [f64; 4],
}

impl Effect {
    pub const NONE: Self = Self { force_and_gap: [0.0; 4], moment_and_taken: [0.0; 4] };

    /// A force alone.
    pub fn of_force<const D: usize>(force: [f64; D]) -> Self {
        let mut effect = Self::NONE;
        effect.force_and_gap[..D].copy_from_slice(&force);
        effect
    }

    #[inline(always)]
    pub fn force<const D: usize>(&self) -> [f64; D] {
        std::array::from_fn(|axis| self.force_and_gap[axis])
    }

    #[inline(always)]
    pub fn gap(&self) -> f64 {
        self.force_and_gap[3]
    }

    #[inline(always)]
    pub fn taken(&self) -> f64 {
        self.moment_and_taken[3]
    }
}

impl ContactBlock {
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
            effects: Mutex::default(),
            seconds: Mutex::default(),
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
        let (particles, stride) = (state.len(), self.stride);
        let count: usize = self.blocks.iter().map(|block| block.slots.len()).sum();
        let nothing = Key { kind: Kind::Face, other: 0, image: [0; D] };
        let mut memory = Memory {
            rows: vec![0; particles + 1],
            keys: vec![nothing; count],
            history: vec![0.0; count * stride],
            stride,
        };
        let (mut ends, mut keys, mut history) = (&mut memory.rows[1..], &mut memory.keys[..], &mut memory.history[..]);
        let mut parts = Vec::with_capacity(self.blocks.len());
        let mut before = 0;
        for block in &self.blocks {
            let contacts = block.slots.len();
            parts.push(Part {
                before,
                ends: cut(&mut ends, block.rows.len() - 1),
                keys: cut(&mut keys, contacts),
                history: cut(&mut history, contacts * stride),
            });
            before += contacts as u32;
        }
        threads::for_each(&mut parts, |b, part| {
            let (block, first) = (&self.blocks[b], b << candidates.bits);
            part.history.copy_from_slice(&block.history[..block.slots.len() * stride]);
            for (k, row) in block.rows.windows(2).enumerate() {
                part.ends[k] = part.before + row[1];
                for contact in row[0] as usize..row[1] as usize {
                    part.keys[contact] = candidates.key(state, first + k, block.slots[contact] as usize);
                }
            }
        });
        memory
    }

    /// Finds the contacts that are remembered among new rows of candidates.
    pub fn recall(&mut self, candidates: &Candidates<D>, state: &State<D>) {
        let Some(memory) = self.memory.take() else { return };
        let (particles, bits, stride) = (state.len(), candidates.bits, self.stride);
        self.blocks.resize_with(candidates.blocks.len(), ContactBlock::default);
        threads::for_each(&mut self.blocks, |b, block| {
            block.clear();
            threads::refill(&mut block.contact_of, candidates.blocks[b].len() + LANES, NONE);
            let first = b << bits;
            let inside = (particles - first).min(1 << bits);
            threads::refill(&mut block.rows, 1, 0);
            block.rows.reserve_exact(inside);
            let known = (first..first + inside).map(|place| memory.row(place).len()).sum();
            threads::make_room(&mut block.slots, known);
            threads::make_room(&mut block.history, known * stride + BEHIND);
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
                        block.contact_of[slot as usize] = block.slots.len() as u32;
                        block.slots.push(slot);
                        block.history.extend_from_slice(&memory.history[old.start * stride..][..stride]);
                    }
                }
                block.rows.push(block.slots.len() as u32);
            }
            block.history.extend([0.0; BEHIND]);
        });
    }

    /// Shows every contact of these places once: of particles those that have it in their row, and faces.
    pub fn visit(
        &self,
        places: Range<usize>,
        candidates: &Candidates<D>,
        state: &State<D>,
        mut visit: impl FnMut(Touching<'_, D>),
    ) {
        if let Some(memory) = &self.memory {
            return visit_memory(memory, places, state, visit);
        }
        for place in places {
            let b = place >> candidates.bits;
            let (block, k) = (&self.blocks[b], place & ((1 << candidates.bits) - 1));
            for contact in block.rows[k] as usize..block.rows[k + 1] as usize {
                let (rows, slot) = (&candidates.blocks[b], block.slots[contact] as usize);
                let other = rows.entry(slot);
                let shift = match other {
                    Entry::Face(_) => [0; D],
                    Entry::Particle(second) => candidates.shift_now(state, rows, slot, [place, second as usize]),
                };
                let history = &block.history[contact * self.stride..][..self.stride];
                visit(Touching { place, other, shift, history });
            }
        }
    }

    /// Lets other blocks have the memory for what contacts do of those blocks that nobody will look at in this step.
    pub fn give_back(&mut self, unread: impl Iterator<Item = bool>) {
        let spare = self.effects.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (block, _) in self.blocks.iter_mut().zip(unread).filter(|(_, is_unread)| *is_unread) {
            spare.push(std::mem::take(&mut block.effects));
        }
    }

    /// Number of contacts between particles in the rows of this many first places.
    pub fn count(&self, candidates: &Candidates<D>, own: usize) -> usize {
        if let Some(memory) = &self.memory {
            let end = memory.rows[own.min(memory.rows.len() - 1)] as usize;
            return memory.keys[..end].iter().filter(|key| key.kind != Kind::Face).count();
        }
        let mut count = 0;
        for (b, block) in self.blocks.iter().enumerate() {
            let inside = own.saturating_sub(b << candidates.bits).min(block.rows.len() - 1);
            let slots = &block.slots[..block.rows[inside] as usize];
            count += slots.iter().filter(|&&slot| !candidates.blocks[b].is_face(slot as usize)).count();
        }
        count
    }
}

/// What becomes of the contacts of one block in a memory of all.
struct Part<'a, const D: usize> {
    /// Contacts of the blocks before it.
    before: u32,
    ends: &'a mut [u32],
    keys: &'a mut [Key<D>],
    history: &'a mut [f64],
}

/// The first so many items, which are no longer in the list then.
fn cut<'a, T>(list: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    let (first, rest) = std::mem::take(list).split_at_mut(count);
    *list = rest;
    first
}

/// The same of contacts that are known by ids alone.
fn visit_memory<const D: usize>(
    memory: &Memory<D>,
    places: Range<usize>,
    state: &State<D>,
    mut visit: impl FnMut(Touching<'_, D>),
) where
    Axes: Dimension<D>,
{
    let mut by_id: Vec<u32> = (0..state.len() as u32).collect();
    by_id.sort_unstable_by_key(|&place| state.ids[place as usize]);
    let place_of = |id: u64| by_id.binary_search_by_key(&id, |&place| state.ids[place as usize]).ok();
    for place in places {
        for contact in memory.row(place) {
            let Key { kind, other, image } = memory.keys[contact];
            let (other, shift) = match kind {
                Kind::Face => (Entry::Face(other as u32), [0; D]),
                Kind::Particle | Kind::Giant => {
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

/// A panic while memory was lent out ends the step anyway.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
