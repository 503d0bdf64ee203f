//! One pass over all rows: who touches, what it does, and the sum for every particle.

use super::candidates::{CandidateBlock, Candidates, Entry};
use super::geometry::{Growth, Meeting, Side};
use super::table::{ContactBlock, ContactTable, away, lock};
use crate::laws::{Lanes, LawTable, Point, lane_of, set_lane};
use crate::number::{LANES, Number, Pack, fastest};
use crate::state::State;
use crate::vector::{Spin, add, dot, scale, sub, torque};
use crate::walls::{Obstacles, Touch};
use multigrain::{Axes, Dimension};
use rayon::prelude::*;
use std::ops::Range;

/// Contacts that are worked out together.
const TOGETHER: usize = 256;

/// No contact of the step before.
const NEW: u32 = u32::MAX;

/// What the pass finds for every particle.
#[derive(Debug, Default)]
pub(crate) struct Sums<const D: usize> {
    pub forces: Vec<[f64; D]>,
    pub torques: Vec<Spin>,
}

/// What all blocks look at.
pub(crate) struct Pass<'a, const D: usize> {
    pub state: &'a State<D>,
    pub candidates: &'a Candidates<D>,
    pub laws: &'a LawTable<D>,
    pub obstacles: &'a Obstacles<D>,
    pub lengths: [f64; D],
    pub gravity: [f64; D],
    pub grows: Growth,
}

/// Columns of one block, to be written.
struct Columns<'a, const D: usize> {
    forces: &'a mut [[f64; D]],
    torques: &'a mut [Spin],
    lost: &'a mut [f64],
    given: &'a mut [f64],
}

/// A contact whose force is still to be worked out.
#[derive(Debug, Clone, Copy)]
struct Pending<const D: usize> {
    /// Particle of the block.
    particle: u32,
    /// Place of the other, or where in the list of wall points.
    other: u32,
    /// The same contact in the step before.
    former: u32,
    role: Role,
    law: u8,
    /// From the first to the second.
    away: [f64; D],
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Wall,
    Second,
    First,
}

/// What a contact does to the particle of the row.
#[derive(Debug, Clone, Copy)]
struct Effect<const D: usize> {
    force: [f64; D],
    torque: Spin,
    taken: f64,
}

/// Room to work in, kept from block to block.
struct Room<const D: usize> {
    pending: Vec<Pending<D>>,
    effects: Vec<Effect<D>>,
    touches: Vec<Touch<D>>,
    merged: Vec<[u32; 2]>,
    walls: Vec<(Point<D>, [f64; D])>,
    /// Candidates of a row that touch.
    hits: Vec<u32>,
    /// Both bodies of several contacts.
    meeting: Meeting<D, Pack>,
    lanes: Lanes<D>,
}

#[inline(always)]
fn put<const D: usize>(sides: &mut Side<D, Pack>, lane: usize, side: &Side<D>, turns: bool) {
    set_lane(&mut sides.velocity, lane, side.velocity);
    sides.radius.0[lane] = side.radius;
    sides.inverse_mass.0[lane] = side.inverse_mass;
    if turns {
        set_lane(&mut sides.spin, lane, side.spin);
        set_lane(&mut sides.gained, lane, side.gained);
        set_lane(&mut sides.gained_spin, lane, side.gained_spin);
    }
}

impl<const D: usize> Room<D> {
    fn new() -> Self {
        let (none, one) = (Pack::splat(0.0), Pack::splat(1.0));
        let side = Side {
            velocity: [none; D],
            spin: [none; 3],
            gained: [none; D],
            gained_spin: [none; 3],
            radius: one,
            inverse_mass: one,
        };
        let meeting = Meeting { away: [one; D], sense: one, own: side, other: side };
        Self {
            pending: Vec::with_capacity(TOGETHER),
            effects: Vec::with_capacity(TOGETHER),
            touches: Vec::new(),
            merged: Vec::new(),
            walls: Vec::new(),
            hits: Vec::new(),
            meeting,
            lanes: Lanes::EMPTY,
        }
    }
}

impl<const D: usize> Pass<'_, D>
where
    Axes: Dimension<D>,
{
    /// Finds all contacts among the candidates and sums what they do, weight included. `lost` and `given` grow by what contacts
    /// took of each particle's energy and what walls gave it.
    pub fn run(&self, table: &mut ContactTable<D>, sums: &mut Sums<D>, lost: &mut [f64], given: &mut [f64]) {
        let particles = self.state.len();
        let size = 1 << self.candidates.bits;
        sums.forces.resize(particles, [0.0; D]);
        sums.torques.resize(particles, [0.0; 3]);
        let ContactTable { blocks, formers, stride, .. } = table;
        let work = |room: &mut Room<D>, b: usize, block: &mut ContactBlock, columns: Columns<'_, D>| {
            let mut former = lock(formers).pop().unwrap_or_default();
            std::mem::swap(&mut former, block);
            self.block(room, b, &former, block, *stride, columns);
            lock(formers).push(former);
        };
        if blocks.len() > 1 && rayon::current_num_threads() > 1 {
            let columns = (
                sums.forces.par_chunks_mut(size),
                sums.torques.par_chunks_mut(size),
                lost.par_chunks_mut(size),
                given.par_chunks_mut(size),
            );
            let columns = columns.into_par_iter().with_max_len(1).enumerate();
            blocks.par_iter_mut().with_max_len(1).zip(columns).for_each_init(
                Room::new,
                |room, (block, (b, (forces, torques, lost, given)))| {
                    work(room, b, block, Columns { forces, torques, lost, given });
                },
            );
        } else {
            let room = &mut Room::new();
            for (b, block) in blocks.iter_mut().enumerate() {
                let range = b * size..((b + 1) * size).min(particles);
                let columns = Columns {
                    forces: &mut sums.forces[range.clone()],
                    torques: &mut sums.torques[range.clone()],
                    lost: &mut lost[range.clone()],
                    given: &mut given[range],
                };
                work(room, b, block, columns);
            }
        }
    }

    fn block(
        &self,
        room: &mut Room<D>,
        b: usize,
        former: &ContactBlock,
        now: &mut ContactBlock,
        stride: usize,
        mut columns: Columns<'_, D>,
    ) {
        let (state, rows) = (self.state, &self.candidates.blocks[b]);
        let first = b << self.candidates.bits;
        let (positions, materials) = (&state.positions[..], &state.materials[..]);
        let several = self.laws.len() > 1;
        now.clear();
        now.rows.push(0);
        for k in 0..columns.forces.len() {
            let place = first + k;
            columns.forces[k] = scale(self.gravity, state.masses[place]);
            columns.torques[k] = [0.0; 3];
            let position = positions[place];
            let mut old = former.rows[k] as usize..former.rows[k + 1] as usize;
            let mut slot = rows.rows[k] as usize;
            let end = rows.rows[k + 1] as usize;
            if slot < end && matches!(rows.entry(slot), Entry::Face(_)) {
                slot = self.walls(room, rows, slot..end, place, k, former, &mut old, now);
            }
            let is_plain = rows.is_inner(k) && self.laws.reach() == 0.0;
            let hits = if is_plain {
                self.touching(&mut room.hits, rows, slot..end, place)
            } else {
                self.touching_images(&mut room.hits, rows, slot..end, place)
            };
            for &slot in &room.hits[..hits] {
                let (role, sense, other) = match rows.entry(slot as usize) {
                    Entry::Second(other) => (Role::Second, -1.0, other),
                    Entry::First(other) | Entry::Face(other) => (Role::First, 1.0, other),
                };
                let partner = other as usize;
                let away = if is_plain {
                    scale(sub(positions[partner], position), sense)
                } else {
                    self.away(rows, slot as usize, place)
                };
                let law = if several { self.laws.number(materials[place], materials[partner]) } else { 0 };
                while old.start < old.end && former.slots[old.start] < slot {
                    old.start += 1;
                }
                let is_old = old.start < old.end && former.slots[old.start] == slot;
                let former = if is_old { old.start as u32 } else { NEW };
                now.slots.push(slot);
                room.pending.push(Pending { particle: k as u32, other, former, role, law, away });
            }
            now.rows.push(now.slots.len() as u32);
            if room.pending.len() >= TOGETHER {
                self.flush(room, first, former, now, stride, &mut columns);
            }
        }
        self.flush(room, first, former, now, stride, &mut columns);
    }

    /// Which of these candidates touch the particle in this place, where images do not matter. Without a branch, for nobody can
    /// guess which of them do.
    #[inline(always)]
    fn touching(&self, hits: &mut Vec<u32>, rows: &CandidateBlock<D>, slots: Range<usize>, place: usize) -> usize {
        let (positions, radii) = (&self.state.positions[..], &self.state.radii[..]);
        let (position, radius) = (positions[place], radii[place]);
        if hits.len() < slots.len() {
            hits.resize(slots.len(), 0);
        }
        let mut count = 0;
        for (slot, other) in (slots.start as u32..).zip(rows.places(slots)) {
            let way = sub(positions[other as usize], position);
            let reach = radius + radii[other as usize];
            hits[count] = slot;
            count += usize::from(dot(way, way) < reach * reach);
        }
        count
    }

    /// The same with images and laws that reach further.
    fn touching_images(
        &self,
        hits: &mut Vec<u32>,
        rows: &CandidateBlock<D>,
        slots: Range<usize>,
        place: usize,
    ) -> usize {
        let state = self.state;
        hits.clear();
        for (slot, other) in slots.clone().zip(rows.places(slots)) {
            let (radius, partner) = (state.radii[place], other as usize);
            let away = self.away(rows, slot, place);
            let law = self.laws.between(state.materials[place], state.materials[partner]);
            let reach = radius + state.radii[partner] + law.reach();
            if dot(away, away) < reach * reach {
                hits.push(slot as u32);
            }
        }
        hits.len()
    }

    /// The way from the first to the second of a pair in the row of the particle in this place.
    fn away(&self, rows: &CandidateBlock<D>, slot: usize, place: usize) -> [f64; D] {
        let pair = match rows.entry(slot) {
            Entry::Second(first) => [first as usize, place],
            Entry::First(second) | Entry::Face(second) => [place, second as usize],
        };
        let shift = self.candidates.shift_now(self.state, rows, slot, pair);
        away(self.state.positions[pair[0]], self.state.positions[pair[1]], shift, self.lengths)
    }

    /// Contacts of a particle with walls, whose faces come first in its row. Returns where its other candidates begin.
    #[expect(clippy::too_many_arguments)]
    fn walls(
        &self,
        room: &mut Room<D>,
        rows: &CandidateBlock<D>,
        slots: Range<usize>,
        place: usize,
        particle: usize,
        former: &ContactBlock,
        old: &mut Range<usize>,
        now: &mut ContactBlock,
    ) -> usize {
        let (state, obstacles) = (self.state, self.obstacles);
        let (position, radius) = (state.positions[place], state.radii[place]);
        let mut next = slots.start;
        room.touches.clear();
        while next < slots.end {
            let Entry::Face(face) = rows.entry(next) else { break };
            let touch = obstacles.touch(face, position, radius);
            let law = self.laws.between(state.materials[place], obstacles.surface(face).material);
            if touch.overlap + law.reach() > 0.0 && touch.normal != [0.0; D] {
                room.touches.push(Touch { slot: next as u32, ..touch });
            }
            next += 1;
        }
        if room.touches.is_empty() {
            return next;
        }
        obstacles.merge(&mut room.touches, radius, &mut room.merged);
        let side = self.grows.side(state, place);
        let face_of = |contact: usize| match rows.entry(former.slots[contact] as usize) {
            Entry::Face(face) => Some(face),
            _ => None,
        };
        let own: Vec<usize> = old.clone().take_while(|&contact| face_of(contact).is_some()).collect();
        let is_there = |slot: u32| room.touches.iter().any(|touch| touch.slot == slot);
        for touch in &room.touches {
            let known = own.iter().copied().find(|&contact| former.slots[contact] == touch.slot);
            // Where a contact has gone over an edge to the next face of the same wall, it keeps what it remembers.
            let handed_on = || {
                own.iter().copied().find(|&contact| {
                    let is_gone = !is_there(former.slots[contact]);
                    is_gone && face_of(contact).is_some_and(|face| obstacles.are_joined(face, touch.face))
                })
            };
            let former = known.or_else(handed_on).map_or(NEW, |contact| contact as u32);
            let material = obstacles.surface(touch.face).material;
            now.slots.push(touch.slot);
            room.pending.push(Pending {
                particle: particle as u32,
                other: room.walls.len() as u32,
                former,
                role: Role::Wall,
                law: self.laws.number(state.materials[place], material),
                away: [0.0; D],
            });
            room.walls.push(obstacles.point(touch, position, &side, &self.grows, &room.merged));
        }
        old.start += own.len();
        next
    }

    /// Works out all that is pending, in the order of particles and rows.
    fn flush(
        &self,
        room: &mut Room<D>,
        first: usize,
        former: &ContactBlock,
        now: &mut ContactBlock,
        stride: usize,
        columns: &mut Columns<'_, D>,
    ) {
        let count = room.pending.len();
        if count == 0 {
            return;
        }
        room.effects.clear();
        room.effects.resize(count, Effect { force: [0.0; D], torque: [0.0; 3], taken: 0.0 });
        // The contacts that are pending are the last of the block.
        let base = now.slots.len() - count;
        now.history.resize(now.slots.len() * stride, 0.0);
        if self.laws.len() == 1 {
            let mut from = 0;
            while from < count {
                let mut chosen = [0; LANES];
                let lanes = (count - from).min(LANES);
                (0..lanes).for_each(|lane| chosen[lane] = from + lane);
                self.together(room, first, former, now, stride, base, 0, &chosen[..lanes]);
                from += lanes;
            }
        } else {
            for law in 0..self.laws.len() as u8 {
                let (mut chosen, mut lanes) = ([0; LANES], 0);
                for k in 0..count {
                    if room.pending[k].law == law {
                        chosen[lanes] = k;
                        lanes += 1;
                    }
                    if lanes == LANES || (k + 1 == count && lanes > 0) {
                        self.together(room, first, former, now, stride, base, law, &chosen[..lanes]);
                        lanes = 0;
                    }
                }
            }
        }
        let time = self.grows.time;
        for (pending, effect) in room.pending.iter().zip(&room.effects) {
            let k = pending.particle as usize;
            columns.forces[k] = add(columns.forces[k], effect.force);
            if self.grows.turns {
                columns.torques[k] = add(columns.torques[k], effect.torque);
            }
            if pending.role != Role::Second {
                columns.lost[k] += effect.taken;
            }
            if pending.role == Role::Wall {
                let (_, velocity) = room.walls[pending.other as usize];
                columns.given[k] += dot(effect.force, velocity) * time;
            }
        }
        room.pending.clear();
        room.walls.clear();
    }

    /// Works out contacts of one law together.
    #[expect(clippy::too_many_arguments)]
    fn together(
        &self,
        room: &mut Room<D>,
        first: usize,
        former: &ContactBlock,
        now: &mut ContactBlock,
        stride: usize,
        base: usize,
        number: u8,
        chosen: &[usize],
    ) {
        let Room { pending, effects, walls, meeting, lanes, .. } = room;
        let law = self.laws.law(number);
        let (remembers, turns) = (law.history(), self.grows.turns);
        lanes.count = chosen.len();
        let mut has_walls = false;
        for (lane, &k) in chosen.iter().enumerate() {
            let contact = &pending[k];
            let place = first + contact.particle as usize;
            put(&mut meeting.own, lane, &self.grows.side(self.state, place), turns);
            meeting.sense.0[lane] = if contact.role == Role::Second { -1.0 } else { 1.0 };
            if contact.role == Role::Wall {
                has_walls = true;
            } else {
                let other = self.grows.side(self.state, contact.other as usize);
                put(&mut meeting.other, lane, &other, turns);
                set_lane(&mut meeting.away, lane, contact.away);
            }
            for number in 0..remembers {
                lanes.history[number].0[lane] = match contact.former {
                    NEW => 0.0,
                    old => former.history[old as usize * stride + number],
                };
            }
        }
        let grows = self.grows;
        fastest!(lanes.points = meeting.point(&grows));
        if has_walls {
            for (lane, &k) in chosen.iter().enumerate() {
                if pending[k].role == Role::Wall {
                    lanes.put_point(lane, &walls[pending[k].other as usize].0);
                }
            }
        }
        law.act_on(lanes, self.grows.time);
        let mut torques = [Pack::splat(0.0); 3];
        if law.turns() {
            // Arms end in the middle of the overlap.
            let moment = torque(lanes.points.normal, lanes.wrench.force);
            let arm = Pack::splat(-0.5) * lanes.points.gap - meeting.own.radius;
            torques = add(scale(moment, arm), scale(lanes.wrench.couple, -meeting.sense));
        }
        let forces = scale(lanes.wrench.force, -meeting.sense);
        for (lane, &k) in chosen.iter().enumerate() {
            effects[k] = Effect {
                force: lane_of(&forces, lane),
                torque: lane_of(&torques, lane),
                taken: lanes.wrench.taken.0[lane],
            };
            let at = (base + k) * stride;
            for number in 0..remembers {
                now.history[at + number] = lanes.history[number].0[lane];
            }
        }
    }
}
