//! The pass over all rows where there are polygons, or laws that look at what bodies have in common: that is worked out once for
//! each pair, since it takes long, and read by both of its rows.

use super::bodies::{Bodies, Met, OF_SHAPES};
use super::candidates::{Candidates, Entry};
use super::memory::{Key, Kind};
use super::pass::Sums;
use super::table::{ContactBlock, ContactTable};
use crate::state::State;
use crate::threads;
use crate::vector::{Spin, add, scale};
use crate::walls::Touch;
use multigrain::{Axes, Dimension};
use multigrain_polygons::{Features, Frame};
use rayon::prelude::*;
use std::ops::Range;

/// No contact.
const NONE: u32 = u32::MAX;

/// What is kept from step to step while a list of candidates lasts.
#[derive(Debug, Default)]
pub(crate) struct Shaped<const D: usize> {
    frames: Vec<Frame>,
    blocks: Vec<PairBlock<D>>,
    /// Number of the list that the blocks are made for.
    list: u64,
}

/// Pairs of the particles of one block: those that they are the first of, and those with faces.
#[derive(Debug, Default)]
struct PairBlock<const D: usize> {
    /// For each candidate that is the first of a pair, or a face: which contact it is now.
    found: Vec<u32>,
    /// For each candidate that is the second of a pair: the same pair among the candidates of the first.
    twins: Vec<u32>,
    /// For each candidate that is the first of a pair: features that were closest when bodies were apart last. They save work and
    /// change no result.
    closest: Vec<Features>,
    contacts: Vec<Met<D>>,
    history: Vec<f64>,
}

/// Room to work in.
pub(super) struct Room<const D: usize> {
    pub polygon: Vec<[f64; 2]>,
    pub touches: Vec<Touch<D>>,
    pub merged: Vec<[u32; 2]>,
    /// Contacts of a row with walls.
    walls: Vec<(u32, Met<D>, Vec<f64>)>,
}

/// Columns of one block, to be written.
struct Columns<'a, const D: usize> {
    forces: &'a mut [[f64; D]],
    torques: &'a mut [Spin],
    lost: &'a mut [f64],
    given: &'a mut [f64],
}

impl<const D: usize> Shaped<D>
where
    Axes: Dimension<D>,
{
    /// Finds all contacts among the candidates and sums what they do, weight included, as [`Pass`](super::Pass) does for spheres.
    /// The place of a particle that cannot be turned, if there is one.
    pub fn run(
        &mut self,
        bodies: &Bodies<'_, D>,
        candidates: &Candidates<D>,
        gravity: [f64; D],
        table: &mut ContactTable<D>,
        sums: &mut Sums<D>,
        [lost, given]: [&mut Vec<f64>; 2],
    ) -> Result<(), usize> {
        let state = bodies.state;
        let (particles, size) = (state.len(), 1 << candidates.bits);
        self.take_frames(bodies)?;
        self.follow(state, candidates);
        let Self { frames, blocks, .. } = self;
        let (former, stride) = (&table.blocks, table.stride);
        threads::for_each(blocks, |b, block| {
            block.meet(b, bodies, frames, candidates, &former[b], stride);
        });
        let blocks = &self.blocks;
        sums.forces.resize(particles, [0.0; D]);
        sums.torques.resize(particles, [0.0; 3]);
        let columns = (
            sums.forces.par_chunks_mut(size),
            sums.torques.par_chunks_mut(size),
            lost.par_chunks_mut(size),
            given.par_chunks_mut(size),
        );
        let columns = columns.into_par_iter().with_max_len(1).enumerate();
        table.blocks.par_iter_mut().with_max_len(1).zip(columns).for_each(
            |(now, (b, (forces, torques, lost, given)))| {
                gather(b, bodies, candidates, blocks, gravity, stride, now, Columns { forces, torques, lost, given });
            },
        );
        Ok(())
    }

    /// Where all particles are and how they are turned.
    fn take_frames(&mut self, bodies: &Bodies<'_, D>) -> Result<(), usize> {
        let state = bodies.state;
        self.frames.clear();
        self.frames.resize(state.len(), Frame::WORLD);
        let lost = |(place, frame): (usize, &mut Frame)| match bodies.frame(place) {
            Some(now) => {
                *frame = now;
                None
            }
            None => Some(place),
        };
        let frames = self.frames.par_iter_mut().enumerate().with_min_len(256);
        match frames.filter_map(lost).min_by_key(|&place| state.ids[place]) {
            Some(place) => Err(place),
            None => Ok(()),
        }
    }

    /// Makes room for a new list of candidates, and finds the two rows of each of its pairs.
    fn follow(&mut self, state: &State<D>, candidates: &Candidates<D>) {
        if self.list == candidates.lists && self.blocks.len() == candidates.blocks.len() {
            return;
        }
        self.list = candidates.lists;
        self.blocks.resize_with(candidates.blocks.len(), PairBlock::default);
        let bits = candidates.bits;
        threads::for_each(&mut self.blocks, |b, block| {
            let rows = &candidates.blocks[b];
            let slots = rows.rows.last().copied().unwrap_or(0) as usize;
            threads::refill(&mut block.found, slots, NONE);
            threads::refill(&mut block.twins, slots, NONE);
            threads::refill(&mut block.closest, slots, Features::default());
            for (k, row) in rows.rows.windows(2).enumerate() {
                let place = (b << bits) + k;
                for slot in row[0] as usize..row[1] as usize {
                    if let Entry::Second(first) = rows.entry(slot) {
                        block.twins[slot] = twin(state, candidates, place, slot, first as usize);
                    }
                }
            }
        });
    }
}

/// A pair of the row of its second, among the candidates of its first.
fn twin<const D: usize>(state: &State<D>, candidates: &Candidates<D>, place: usize, slot: usize, first: usize) -> u32
where
    Axes: Dimension<D>,
{
    let image = candidates.key(state, place, slot).image;
    let wanted = Key { kind: Kind::First, other: state.ids[place], image };
    let row = row_of(candidates, first);
    let (mut low, mut high) = (row.start, row.end);
    while low < high {
        let middle = (low + high) / 2;
        if candidates.key(state, first, middle) < wanted {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low as u32
}

/// Candidates of the particle in this place.
fn row_of<const D: usize>(candidates: &Candidates<D>, place: usize) -> Range<usize> {
    let (block, k) = (&candidates.blocks[place >> candidates.bits], place & ((1 << candidates.bits) - 1));
    block.rows[k] as usize..block.rows[k + 1] as usize
}

impl<const D: usize> PairBlock<D>
where
    Axes: Dimension<D>,
{
    /// Finds which candidates touch and what they do.
    fn meet(
        &mut self,
        b: usize,
        bodies: &Bodies<'_, D>,
        frames: &[Frame],
        candidates: &Candidates<D>,
        former: &ContactBlock,
        stride: usize,
    ) {
        let rows = &candidates.blocks[b];
        let mut room = Room { polygon: Vec::new(), touches: Vec::new(), merged: Vec::new(), walls: Vec::new() };
        let mut memory = vec![0.0; stride];
        self.contacts.clear();
        self.history.clear();
        self.found.fill(NONE);
        for (k, row) in rows.rows.windows(2).enumerate() {
            let place = (b << candidates.bits) + k;
            let old = former.rows[k] as usize..former.rows[k + 1] as usize;
            let known = |slot: usize| {
                let at = former.slots[old.clone()].binary_search(&(slot as u32)).ok()? + old.start;
                Some(&former.history[at * stride..][..stride])
            };
            let mut slot = row[0] as usize;
            let end = row[1] as usize;
            room.touches.clear();
            while slot < end {
                let Entry::Face(face) = rows.entry(slot) else { break };
                if bodies.meets_face_by_patch(place, face) {
                    let is_old = recall(&mut memory, known(slot));
                    if let Some(met) =
                        bodies.patch_with_face(frames, place, face, &mut memory, is_old, &mut room.polygon)
                    {
                        room.walls.push((slot as u32, met, memory.clone()));
                    }
                } else {
                    room.touches.extend(bodies.touch(place, face, slot));
                }
                slot += 1;
            }
            if !room.touches.is_empty() {
                let faces = old.clone().filter_map(|contact| match rows.entry(former.slots[contact] as usize) {
                    Entry::Face(face) => Some((face, contact)),
                    _ => None,
                });
                let faces: Vec<(u32, usize)> = faces.collect();
                let (touches, merged) = (&mut room.touches, &mut room.merged);
                bodies.obstacles.merge(touches, bodies.state.radii[place], merged);
                for touch in touches.iter() {
                    let slot_of = |contact: usize| former.slots[contact];
                    let same = faces.iter().find(|(_, contact)| slot_of(*contact) == touch.slot);
                    // Where a contact has gone over an edge to the next face of the same wall, it keeps what it remembers.
                    let handed_on = || {
                        faces.iter().find(|(face, contact)| {
                            touches.iter().all(|other| other.slot != slot_of(*contact))
                                && bodies.obstacles.are_joined(*face, touch.face)
                        })
                    };
                    let from = same.or_else(handed_on).map(|(_, at)| &former.history[at * stride..][..stride]);
                    recall(&mut memory, from);
                    let met = bodies.point_with_face(place, touch, merged, &mut memory);
                    room.walls.push((touch.slot, met, memory.clone()));
                }
            }
            room.walls.sort_unstable_by_key(|wall| wall.0);
            for (slot, met, memory) in room.walls.drain(..) {
                self.add(slot as usize, met, &memory);
            }
            for slot in slot..end {
                let Entry::First(second) = rows.entry(slot) else { continue };
                let pair = [place, second as usize];
                let shift = candidates.shift_now(bodies.state, rows, slot, pair);
                let is_old = recall(&mut memory, known(slot));
                let closest = &mut self.closest[slot];
                if let Some(met) = bodies.pair(frames, pair, shift, &mut memory, is_old, closest, &mut room.polygon) {
                    self.add(slot, met, &memory);
                }
            }
        }
    }

    fn add(&mut self, slot: usize, met: Met<D>, memory: &[f64]) {
        self.found[slot] = self.contacts.len() as u32;
        self.contacts.push(met);
        self.history.extend_from_slice(memory);
    }
}

/// What a contact remembers, nothing if it is new. Whether it is old.
fn recall(memory: &mut [f64], known: Option<&[f64]>) -> bool {
    match known {
        Some(known) => memory.copy_from_slice(known),
        None => memory.fill(0.0),
    }
    known.is_some()
}

/// Sums what contacts do to each particle of a block, and makes its rows of contacts.
#[expect(clippy::too_many_arguments)]
fn gather<const D: usize>(
    b: usize,
    bodies: &Bodies<'_, D>,
    candidates: &Candidates<D>,
    blocks: &[PairBlock<D>],
    gravity: [f64; D],
    stride: usize,
    now: &mut ContactBlock,
    columns: Columns<'_, D>,
) {
    let rows = &candidates.blocks[b];
    now.clear();
    now.rows.push(0);
    for k in 0..columns.forces.len() {
        let place = (b << candidates.bits) + k;
        let (mut force, mut torque) = (scale(gravity, bodies.state.masses[place]), [0.0; 3]);
        for slot in rows.rows[k] as usize..rows.rows[k + 1] as usize {
            let (block, at, is_first) = match rows.entry(slot) {
                Entry::Face(_) | Entry::First(_) => (&blocks[b], slot, true),
                Entry::Second(first) => {
                    (&blocks[first as usize >> candidates.bits], blocks[b].twins[slot] as usize, false)
                }
            };
            let contact = block.found[at];
            if contact == NONE {
                continue;
            }
            let met = &block.contacts[contact as usize];
            if is_first {
                force = add(force, scale(met.force, -1.0));
                torque = add(torque, met.torques[0]);
                columns.lost[k] += met.taken;
                columns.given[k] += met.given;
            } else {
                force = add(force, met.force);
                torque = add(torque, met.torques[1]);
            }
            now.slots.push(slot as u32);
            now.history.extend_from_slice(&block.history[contact as usize * stride..][..stride]);
        }
        (columns.forces[k], columns.torques[k]) = (force, torque);
        now.rows.push(now.slots.len() as u32);
    }
}

/// Features as numbers that a contact remembers: the last of them.
pub(super) fn write_features(memory: &mut [f64], features: &Features) {
    use multigrain_polygons::Feature::{Edge, Vertex};
    let at = memory.len() - OF_SHAPES;
    for (number, feature) in memory[at..].iter_mut().zip([features.a, features.b]) {
        *number = match feature {
            Vertex(k) => 2.0 * f64::from(k),
            Edge(k) => 2.0 * f64::from(k) + 1.0,
        };
    }
}

/// Features from what a contact remembers.
pub(super) fn read_features(memory: &[f64]) -> Features {
    use multigrain_polygons::Feature::{Edge, Vertex};
    let at = memory.len() - OF_SHAPES;
    let feature = |number: f64| match number as u64 {
        code if code % 2 == 1 => Edge((code / 2) as u32),
        code => Vertex((code / 2) as u32),
    };
    Features::new(feature(memory[at]), feature(memory[at + 1]))
}
