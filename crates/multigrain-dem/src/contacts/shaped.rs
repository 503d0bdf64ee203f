//! Contacts where there are polygons, or laws that look at what bodies have in common: found and worked out as in
//! [`Push`](super::Push), one at a time, since each takes long.

use super::bodies::{Bodies, OF_SHAPES, Response};
use super::candidates::{Candidates, Entry};
use super::table::{ContactBlock, ContactTable, Effect, NONE, lock};
use crate::threads;
use crate::walls::Touch;
use multigrain::{Axes, Dimension};
use multigrain_polygons::{Features, Frame};
use rayon::prelude::*;

/// Particles that are worked on by one thread where each takes little.
const FEW: usize = 256;

/// What is kept from step to step while a list of candidates lasts.
#[derive(Debug, Default)]
pub(crate) struct Shaped<const D: usize> {
    frames: Vec<Frame>,
    /// For each candidate of a block: features that were closest when bodies were apart last. They save work and change no result.
    closest: Vec<Vec<Features>>,
    /// Number of the list that these are made for.
    list: u64,
}

/// Room to work in.
struct Room<const D: usize> {
    polygon: Vec<[f64; 2]>,
    touches: Vec<Touch<D>>,
    merged: Vec<[u32; 2]>,
    /// Contacts of a row with walls.
    walls: Vec<(u32, Response<D>, Vec<f64>)>,
}

/// One block, with what it may change.
struct Block<'a, const D: usize> {
    contacts: &'a mut ContactBlock,
    closest: &'a mut Vec<Features>,
    lost: &'a mut [f64],
    given: &'a mut [f64],
}

impl<const D: usize> Shaped<D>
where
    Axes: Dimension<D>,
{
    /// Finds all contacts among the candidates and what they do, as [`Push`](super::Push) does for spheres. The place of a
    /// particle that cannot be turned, if there is one.
    pub fn run(
        &mut self,
        bodies: &Bodies<'_, D>,
        candidates: &Candidates<D>,
        table: &mut ContactTable<D>,
        lost: &mut [f64],
        given: &mut [f64],
    ) -> Result<(), usize> {
        self.take_frames(bodies)?;
        let is_new = self.follow(candidates);
        let (frames, size) = (&self.frames, 1 << candidates.bits);
        let ContactTable { blocks, formers, stride, .. } = table;
        let mut columns = lost.chunks_mut(size).zip(given.chunks_mut(size));
        let mut blocks: Vec<Block<'_, D>> = (blocks.iter_mut().zip(&mut self.closest))
            .map(|(contacts, closest)| {
                let (lost, given) = columns.next().unwrap_or_default();
                Block { contacts, closest, lost, given }
            })
            .collect();
        threads::for_each(&mut blocks, |b, block| {
            let mut former = lock(formers).pop().unwrap_or_default();
            std::mem::swap(&mut former, block.contacts);
            if is_new {
                threads::refill(block.closest, candidates.blocks[b].len(), Features::default());
            }
            block.meet(b, bodies, frames, candidates, &former, *stride);
            lock(formers).push(former);
        });
        Ok(())
    }

    /// Where all particles are and how they are turned.
    fn take_frames(&mut self, bodies: &Bodies<'_, D>) -> Result<(), usize> {
        let state = bodies.state;
        // Each is written below.
        self.frames.resize(state.len(), Frame::WORLD);
        let lost = |(place, frame): (usize, &mut Frame)| match bodies.frame(place) {
            Some(now) => {
                *frame = now;
                None
            }
            None => Some(place),
        };
        let first = |place: &usize| state.ids[*place];
        let found = if state.len() <= FEW {
            self.frames.iter_mut().enumerate().filter_map(lost).min_by_key(first)
        } else {
            self.frames.par_iter_mut().enumerate().with_min_len(FEW).filter_map(lost).min_by_key(first)
        };
        match found {
            Some(place) => Err(place),
            None => Ok(()),
        }
    }

    /// Whether there is a new list of candidates, for which each block must forget what it knew.
    fn follow(&mut self, candidates: &Candidates<D>) -> bool {
        if self.list == candidates.lists && self.closest.len() == candidates.blocks.len() {
            return false;
        }
        self.list = candidates.lists;
        self.closest.resize_with(candidates.blocks.len(), Vec::new);
        true
    }
}

impl<const D: usize> Block<'_, D>
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
        self.contacts.effects.clear();
        self.contacts.torques.clear();
        self.contacts.rows.push(0);
        threads::refill(&mut self.contacts.contact_of, rows.len(), NONE);
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
                self.add(slot as usize, k, met, &memory);
            }
            for slot in slot..end {
                let Entry::Particle(second) = rows.entry(slot) else { continue };
                let pair = [place, second as usize];
                let shift = candidates.shift_now(bodies.state, rows, slot, pair);
                let is_old = recall(&mut memory, known(slot));
                let closest = &mut self.closest[slot];
                if let Some(met) = bodies.pair(frames, pair, shift, &mut memory, is_old, closest, &mut room.polygon) {
                    self.add(slot, k, met, &memory);
                }
            }
            self.contacts.rows.push(self.contacts.slots.len() as u32);
        }
    }

    /// Notes a contact of a particle of the block.
    fn add(&mut self, slot: usize, particle: usize, met: Response<D>, memory: &[f64]) {
        let contacts = &mut *self.contacts;
        contacts.contact_of[slot] = contacts.slots.len() as u32;
        contacts.slots.push(slot as u32);
        contacts.history.extend_from_slice(memory);
        contacts.effects.push(Effect::of_force(met.force));
        contacts.torques.push(met.torques);
        self.lost[particle] += met.taken;
        self.given[particle] += met.given;
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
