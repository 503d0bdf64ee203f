//! Contacts push: who touches among the candidates, and what each contact does, worked out once for both of its bodies.

use super::candidates::{CandidateBlock, Candidates, Entry};
use super::geometry::{Ball, Growth, Sides};
use super::table::{ContactBlock, ContactTable, NONE, lock};
use super::working_out::BATCH;
use crate::laws::{Lanes, LawTable, Point};
use crate::number::fastest;
use crate::space::Space;
use crate::state::State;
use crate::threads;
use crate::vector::{add, dot, sub};
use crate::walls::{Obstacles, Touch};
use multigrain::{Axes, Dimension};
use std::ops::Range;

/// Marks a contact that more is known of than its two places: see [`Special`].
pub(super) const SPECIAL: u32 = 1 << 31;

/// What all blocks look at.
pub(crate) struct Push<'a, const D: usize> {
    pub state: &'a State<D>,
    pub sides: &'a Sides<D>,
    pub candidates: &'a Candidates<D>,
    pub laws: &'a LawTable<D>,
    pub obstacles: &'a Obstacles<D>,
    pub space: &'a Space<D>,
    pub grows: Growth,
}

/// One block, with what it may change.
struct Block<'a, const D: usize> {
    contacts: &'a mut ContactBlock,
    lost: &'a mut [f64],
    given: &'a mut [f64],
}

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

/// A contact that was found.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found<const D: usize> {
    /// From the first to the second; nothing for walls.
    pub away: [f64; D],
    pub slot: u32,
    /// Place of the first.
    pub first: u32,
    /// Place of the second, or which of the special ones it is, marked.
    pub second: u32,
}

impl<const D: usize> Found<D> {
    const NONE: Self = Self { away: [0.0; D], slot: 0, first: 0, second: 0 };

    #[inline(always)]
    pub fn is_special(&self) -> bool {
        self.second & SPECIAL != 0
    }

    #[inline(always)]
    pub fn special<'a>(&self, all: &'a [Special<D>]) -> Option<&'a Special<D>> {
        if self.is_special() { all.get((self.second & !SPECIAL) as usize) } else { None }
    }
}

/// All contacts of a block while they are worked out, and room to do it in, kept from block to block.
#[derive(Debug)]
pub(super) struct Room<const D: usize> {
    /// Room for all candidates, of which the first ones are contacts.
    pub found: Vec<Found<D>>,
    pub count: usize,
    pub special: Vec<Special<D>>,
    /// Contacts with walls that go on with what another face of the wall remembers, in the order of contacts.
    pub handed_on: Vec<[u32; 2]>,
    /// Contacts by their law; empty where there is one law.
    pub by_law: Vec<Vec<u32>>,
    touches: Vec<Touch<D>>,
    merged: Vec<[u32; 2]>,
    pub batch: Vec<Lanes<D>>,
}

impl<const D: usize> Room<D> {
    fn new(laws: usize) -> Self {
        Self {
            found: Vec::new(),
            count: 0,
            special: Vec::new(),
            handed_on: Vec::new(),
            by_law: vec![Vec::new(); if laws > 1 { laws } else { 0 }],
            touches: Vec::new(),
            merged: Vec::new(),
            batch: vec![Lanes::EMPTY; BATCH],
        }
    }

    fn clear(&mut self, candidates: usize) {
        if self.found.len() < candidates {
            self.found.resize(candidates, Found::NONE);
        }
        self.count = 0;
        self.special.clear();
        self.handed_on.clear();
        self.by_law.iter_mut().for_each(Vec::clear);
    }

    fn add(&mut self, slot: usize, first: usize, special: Special<D>, away: [f64; D]) {
        let second = self.special.len() as u32 | SPECIAL;
        self.found[self.count] = Found { away, slot: slot as u32, first: first as u32, second };
        self.count += 1;
        self.special.push(special);
    }
}

impl<const D: usize> Push<'_, D>
where
    Axes: Dimension<D>,
{
    /// Finds all contacts among the candidates and what they do. `lost` and `given` grow by what contacts took of each particle's
    /// energy, with others counted for the first, and what walls gave it.
    pub fn run(&self, table: &mut ContactTable<D>, lost: &mut [f64], given: &mut [f64]) {
        let ContactTable { blocks, formers, rooms, stride, .. } = table;
        let size = 1 << self.candidates.bits;
        let mut blocks: Vec<Block<'_, D>> = (blocks.iter_mut().zip(lost.chunks_mut(size)).zip(given.chunks_mut(size)))
            .map(|((contacts, lost), given)| Block { contacts, lost, given })
            .collect();
        threads::for_each(&mut blocks, |b, block| {
            let mut former = lock(formers).pop().unwrap_or_default();
            let mut room = lock(rooms).pop().unwrap_or_else(|| Room::new(self.laws.len()));
            std::mem::swap(&mut former, block.contacts);
            self.block(&mut room, b, &former, block, *stride);
            lock(formers).push(former);
            lock(rooms).push(room);
        });
    }

    fn block(&self, room: &mut Room<D>, b: usize, former: &ContactBlock, block: &mut Block<'_, D>, stride: usize) {
        let (rows, first) = (&self.candidates.blocks[b], b << self.candidates.bits);
        room.clear(rows.len());
        let now = &mut *block.contacts;
        now.rows.clear();
        now.slots.clear();
        now.rows.push(0);
        now.contact_of.resize(rows.len(), NONE);
        let (has_walls, ends_at_touch) = (!self.obstacles.is_empty(), !self.laws.reaches());
        let (is_plain, lengths) = (self.space.is_plain(), self.space.domain().lengths());
        fastest!(for k in 0..block.lost.len() {
            let (mut slot, end, place) = (rows.rows[k] as usize, rows.rows[k + 1] as usize, first + k);
            if has_walls {
                slot = self.walls(room, rows, slot..end, place, former, now);
            }
            if !ends_at_touch || !(is_plain || rows.is_inner(k)) {
                self.reaching(room, rows, slot..end, place, now);
            } else if rows.is_inner(k) {
                self.touching(room, rows, slot..end, place, now, |_, _, way| way);
            } else {
                let own = self.candidates.periods_since(self.state, place);
                self.touching(room, rows, slot..end, place, now, |slot, second, way| {
                    let (shift, others) = (rows.shift(slot), self.candidates.periods_since(self.state, second));
                    let mut away = way;
                    for axis in 0..D {
                        let periods = shift[axis] + others[axis] - own[axis];
                        let moved = way[axis] + f64::from(periods) * lengths[axis];
                        away[axis] = if periods == 0 { way[axis] } else { moved };
                    }
                    away
                });
            }
            now.rows.push(room.count as u32);
        });
        now.slots.extend(room.found[..room.count].iter().map(|found| found.slot));
        debug_assert!(now.slots.is_sorted());
        self.work_out(room, former, now, stride);
        for (it, effect) in room.found[..room.count].iter().zip(&now.effects) {
            block.lost[it.first as usize - first] += effect.taken();
        }
        // What moves a wall, or the image, gives its energy.
        if !room.special.is_empty() {
            for (contact, it) in room.found[..room.count].iter().enumerate() {
                let (k, force) = (it.first as usize - first, now.effects[contact].force());
                let power = match it.special(&room.special) {
                    Some(Special::Wall(point, velocity)) => {
                        let turned = now
                            .torques
                            .get(contact)
                            .map_or(0.0, |[_, couple]| dot(*couple, add(point.turning, self.state.spins[first + k])));
                        dot(force, *velocity) + turned
                    }
                    Some(Special::Faster(_, (velocity, _))) => dot(force, *velocity),
                    _ => continue,
                };
                block.given[k] -= power * self.grows.time;
            }
        }
    }

    /// Which of these candidates touch the particle in this place: `image` says how far away they are, by their slots, their places and
    /// how far away they are without images. Without a branch, for nobody can guess which of them do.
    #[inline(always)]
    fn touching(
        &self,
        room: &mut Room<D>,
        rows: &CandidateBlock<D>,
        slots: Range<usize>,
        place: usize,
        now: &mut ContactBlock,
        image: impl Fn(usize, usize, [f64; D]) -> [f64; D],
    ) {
        let balls = &self.sides.balls[..];
        let Ball { position, radius } = balls[place];
        let (before, mut count) = (room.count, room.count);
        let (from, places) = (slots.start, rows.places(slots.clone()));
        let (found, contact_of) = (&mut room.found[..], &mut now.contact_of[slots][..places.len()]);
        for k in 0..places.len() {
            let (slot, second) = (from + k, places[k]);
            let other = &balls[second as usize];
            let away = image(slot, second as usize, sub(other.position, position));
            let reach = radius + other.radius;
            let touches = dot(away, away) < reach * reach;
            found[count] = Found { away, slot: slot as u32, first: place as u32, second };
            contact_of[k] = if touches { count as u32 } else { NONE };
            count += usize::from(touches);
        }
        room.count = count;
        self.sort_by_law(room, before);
    }

    /// The same with images in boxes that lean or move, and with laws that reach further.
    #[inline(never)]
    fn reaching(
        &self,
        room: &mut Room<D>,
        rows: &CandidateBlock<D>,
        slots: Range<usize>,
        place: usize,
        now: &mut ContactBlock,
    ) {
        let (state, before, reaches) = (self.state, room.count, self.laws.reaches());
        let balls = &self.sides.balls[..];
        let own = balls[place];
        for (slot, &second) in slots.clone().zip(rows.places(slots)) {
            let other = second as usize;
            let shift = self.candidates.shift_now(state, rows, slot, [place, other]);
            let away = self.space.away(own.position, balls[other].position, shift);
            let (a, b) = (own.radius, balls[other].radius);
            let further = match reaches {
                true => self.laws.between(state.materials[place], state.materials[other]).reach(a * b / (a + b)),
                false => 0.0,
            };
            let reach = a + b + further;
            let touches = dot(away, away) < reach * reach;
            now.contact_of[slot] = if touches { room.count as u32 } else { NONE };
            if !touches {
                continue;
            }
            let faster = if shift == [0; D] { None } else { self.space.faster(shift, self.grows.time) };
            if let Some(faster) = faster {
                room.add(slot, place, Special::Faster(second, faster), away);
            } else {
                room.found[room.count] = Found { away, slot: slot as u32, first: place as u32, second };
                room.count += 1;
            }
        }
        self.sort_by_law(room, before);
    }

    /// Contacts of a particle with walls, whose faces come first in its row. Returns where its other candidates begin.
    #[inline(never)]
    fn walls(
        &self,
        room: &mut Room<D>,
        rows: &CandidateBlock<D>,
        slots: Range<usize>,
        place: usize,
        former: &ContactBlock,
        now: &mut ContactBlock,
    ) -> usize {
        let (state, obstacles) = (self.state, self.obstacles);
        let (position, radius) = (state.positions[place], state.radii[place]);
        let mut next = slots.start;
        room.touches.clear();
        while next < slots.end {
            let Entry::Face(face) = rows.entry(next) else { break };
            now.contact_of[next] = NONE;
            let law = self.laws.between(state.materials[place], obstacles.surface(face).material);
            let further = law.reach(radius);
            if !obstacles.misses(face, position, radius + further) {
                let touch = obstacles.touch(face, position, radius);
                if touch.overlap + further > 0.0 && touch.normal != [0.0; D] {
                    room.touches.push(Touch { slot: next as u32, ..touch });
                }
            }
            next += 1;
        }
        if room.touches.is_empty() {
            return next;
        }
        obstacles.merge(&mut room.touches, radius, &mut room.merged);
        let side = self.sides.sides[place];
        let face_of = |contact: usize| match rows.entry(former.slots[contact] as usize) {
            Entry::Face(face) => Some(face),
            Entry::Particle(_) => None,
        };
        let particle = now.rows.len() - 1;
        let own = former.rows[particle] as usize..former.rows[particle + 1] as usize;
        let own: Vec<usize> = own.take_while(|&contact| face_of(contact).is_some()).collect();
        let touches = std::mem::take(&mut room.touches);
        let is_there = |slot: u32| touches.iter().any(|touch| touch.slot == slot);
        for touch in &touches {
            let is_new = own.iter().all(|&contact| former.slots[contact] != touch.slot);
            // Where a contact has gone over an edge to the next face of the same wall, it keeps what it remembers.
            let handed_on = own.iter().copied().find(|&contact| {
                let is_gone = !is_there(former.slots[contact]);
                is_gone && face_of(contact).is_some_and(|face| obstacles.are_joined(face, touch.face))
            });
            if let Some(contact) = handed_on.filter(|_| is_new) {
                room.handed_on.push([room.count as u32, contact as u32]);
            }
            let law = self.laws.number(state.materials[place], obstacles.surface(touch.face).material);
            if let Some(contacts) = room.by_law.get_mut(usize::from(law)) {
                contacts.push(room.count as u32);
            }
            let (point, velocity) = obstacles.point(touch, position, &side, &self.grows, &room.merged);
            now.contact_of[touch.slot as usize] = room.count as u32;
            room.add(touch.slot as usize, place, Special::Wall(point, velocity), [0.0; D]);
        }
        room.touches = touches;
        next
    }

    /// Notes under which law the contacts of two particles from this one on are.
    #[inline(always)]
    fn sort_by_law(&self, room: &mut Room<D>, from: usize) {
        if room.by_law.is_empty() {
            return;
        }
        let materials = &self.state.materials;
        for contact in from..room.count {
            let Found { first, second, .. } = room.found[contact];
            let second = match room.found[contact].special(&room.special) {
                Some(Special::Faster(second, _)) => *second,
                _ => second,
            };
            let number = self.laws.number(materials[first as usize], materials[second as usize]);
            room.by_law[usize::from(number)].push(contact as u32);
        }
    }
}
