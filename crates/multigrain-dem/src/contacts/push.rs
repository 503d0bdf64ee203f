//! Contacts push: who touches among the candidates, and what each contact does, worked out once for both of its bodies.

use super::candidates::{CandidateBlock, Candidates, Entry};
use super::geometry::{Ball, Growth, Meeting, Sides};
use super::table::{ContactBlock, ContactTable, Effect, NONE, lock};
use crate::laws::{Lanes, LawTable, MAX_HISTORY, Point, lane_of};
use crate::number::{LANES, Pack, fastest};
use crate::space::Space;
use crate::state::State;
use crate::threads;
use crate::vector::{add, dot, scale, sub, torque};
use crate::walls::{Obstacles, Touch};
use multigrain::{Axes, Dimension};
use std::ops::Range;

/// Vectors of contacts that are worked out together: filled one after the other and only then looked at as vectors, for the processor
/// waits where a number is read in a wider piece than it has just been written in.
const BATCH: usize = 8;

/// Marks a contact that more is known of than its two places: see [`Special`].
const SPECIAL: u32 = 1 << 31;

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
    contacts: &'a mut ContactBlock<D>,
    lost: &'a mut [f64],
    given: &'a mut [f64],
}

/// A contact that its two places do not tell all of.
#[derive(Debug, Clone, Copy)]
enum Special<const D: usize> {
    /// With the particle in this place, or an image of it, this way from the first.
    Image(u32, [f64; D], Option<Faster<D>>),
    /// With a wall: the point, and the velocity of the wall there.
    Wall(Point<D>, [f64; D]),
}

/// By how much an image is faster than the particle, and by how much more than in the middle of the step.
type Faster<const D: usize> = ([f64; D], [f64; D]);

/// A contact that was found.
#[derive(Debug, Clone, Copy, Default)]
struct Found {
    slot: u32,
    /// Place of the first.
    first: u32,
    /// Place of the second, or which of the special ones it is, marked.
    second: u32,
}

impl Found {
    #[inline(always)]
    fn special<T>(self, all: &[T]) -> Option<&T> {
        if self.second & SPECIAL == 0 { None } else { all.get((self.second & !SPECIAL) as usize) }
    }
}

/// All contacts of a block while they are worked out, and room to do it in, kept from block to block.
#[derive(Debug)]
pub(super) struct Room<const D: usize> {
    /// Room for all candidates, of which the first ones are contacts.
    found: Vec<Found>,
    count: usize,
    special: Vec<Special<D>>,
    /// Contacts with walls that go on with what another face of the wall remembers, in the order of contacts.
    handed_on: Vec<[u32; 2]>,
    /// Energy taken from motion.
    taken: Vec<f64>,
    /// Contacts by their law; empty where there is one law.
    by_law: Vec<Vec<u32>>,
    touches: Vec<Touch<D>>,
    merged: Vec<[u32; 2]>,
    batch: Vec<(Meeting<D, Pack>, Lanes<D>)>,
}

impl<const D: usize> Room<D> {
    fn new(laws: usize) -> Self {
        Self {
            found: Vec::new(),
            count: 0,
            special: Vec::new(),
            handed_on: Vec::new(),
            taken: Vec::new(),
            by_law: vec![Vec::new(); if laws > 1 { laws } else { 0 }],
            touches: Vec::new(),
            merged: Vec::new(),
            batch: vec![(Meeting::EMPTY, Lanes::EMPTY); BATCH],
        }
    }

    fn clear(&mut self, candidates: usize) {
        if self.found.len() < candidates {
            self.found.resize(candidates, Found::default());
        }
        self.count = 0;
        self.special.clear();
        self.handed_on.clear();
        self.by_law.iter_mut().for_each(Vec::clear);
    }

    fn add(&mut self, slot: usize, first: usize, special: Special<D>) {
        let second = self.special.len() as u32 | SPECIAL;
        self.found[self.count] = Found { slot: slot as u32, first: first as u32, second };
        self.count += 1;
        self.special.push(special);
    }

    /// What more is known of a contact.
    #[inline(always)]
    fn special(&self, contact: usize) -> Option<&Special<D>> {
        self.found[contact].special(&self.special)
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

    fn block(&self, room: &mut Room<D>, b: usize, former: &ContactBlock<D>, block: &mut Block<'_, D>, stride: usize) {
        let (rows, first) = (&self.candidates.blocks[b], b << self.candidates.bits);
        room.clear(rows.len());
        let now = &mut *block.contacts;
        now.rows.clear();
        now.slots.clear();
        now.rows.push(0);
        now.contact_of.resize(rows.len(), NONE);
        let (has_walls, ends_at_touch) = (!self.obstacles.is_empty(), !self.laws.reaches());
        for k in 0..block.lost.len() {
            let (mut slot, end) = (rows.rows[k] as usize, rows.rows[k + 1] as usize);
            if has_walls {
                slot = self.walls(room, rows, slot..end, first + k, former, now);
            }
            if ends_at_touch && rows.is_inner(k) {
                self.touching(room, rows, slot..end, first + k, now);
            } else {
                self.touching_images(room, rows, slot..end, first + k, now);
            }
            now.rows.push(room.count as u32);
        }
        now.slots.extend(room.found[..room.count].iter().map(|found| found.slot));
        debug_assert!(now.slots.is_sorted());
        self.work_out(room, former, now, stride);
        for (it, taken) in room.found[..room.count].iter().zip(&room.taken) {
            block.lost[it.first as usize - first] += taken;
        }
        // What moves a wall, or the image, gives its energy.
        if !room.special.is_empty() {
            for (contact, it) in room.found[..room.count].iter().enumerate() {
                let (k, force) = (it.first as usize - first, now.effects[contact].force);
                let power = match it.special(&room.special) {
                    Some(Special::Wall(point, velocity)) => {
                        let turned = now
                            .torques
                            .get(contact)
                            .map_or(0.0, |[_, couple]| dot(*couple, add(point.turning, self.state.spins[first + k])));
                        dot(force, *velocity) + turned
                    }
                    Some(Special::Image(_, _, Some((velocity, _)))) => dot(force, *velocity),
                    _ => continue,
                };
                block.given[k] -= power * self.grows.time;
            }
        }
    }

    /// Which of these candidates touch the particle in this place, where images do not matter. Without a branch, for nobody can
    /// guess which of them do.
    #[inline(always)]
    fn touching(
        &self,
        room: &mut Room<D>,
        rows: &CandidateBlock<D>,
        slots: Range<usize>,
        place: usize,
        now: &mut ContactBlock<D>,
    ) {
        let balls = &self.sides.balls[..];
        let Ball { position, radius } = balls[place];
        let (before, mut count) = (room.count, room.count);
        let (found, contact_of) = (&mut room.found[..], &mut now.contact_of[slots.clone()]);
        for ((slot, &second), contact_of) in (slots.start as u32..).zip(rows.places(slots)).zip(contact_of) {
            let other = &balls[second as usize];
            let way = sub(other.position, position);
            let reach = radius + other.radius;
            let touches = dot(way, way) < reach * reach;
            found[count] = Found { slot, first: place as u32, second };
            *contact_of = if touches { count as u32 } else { NONE };
            count += usize::from(touches);
        }
        room.count = count;
        self.sort_by_law(room, before);
    }

    /// The same with images and laws that reach further.
    fn touching_images(
        &self,
        room: &mut Room<D>,
        rows: &CandidateBlock<D>,
        slots: Range<usize>,
        place: usize,
        now: &mut ContactBlock<D>,
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
            if touches && shift == [0; D] {
                room.found[room.count] = Found { slot: slot as u32, first: place as u32, second };
                room.count += 1;
            } else if touches {
                let faster = self.space.faster(shift, self.grows.time);
                room.add(slot, place, Special::Image(second, away, faster));
            }
        }
        self.sort_by_law(room, before);
    }

    /// Contacts of a particle with walls, whose faces come first in its row. Returns where its other candidates begin.
    fn walls(
        &self,
        room: &mut Room<D>,
        rows: &CandidateBlock<D>,
        slots: Range<usize>,
        place: usize,
        former: &ContactBlock<D>,
        now: &mut ContactBlock<D>,
    ) -> usize {
        let (state, obstacles) = (self.state, self.obstacles);
        let (position, radius) = (state.positions[place], state.radii[place]);
        let mut next = slots.start;
        room.touches.clear();
        while next < slots.end {
            let Entry::Face(face) = rows.entry(next) else { break };
            now.contact_of[next] = NONE;
            let touch = obstacles.touch(face, position, radius);
            let law = self.laws.between(state.materials[place], obstacles.surface(face).material);
            if touch.overlap + law.reach(radius) > 0.0 && touch.normal != [0.0; D] {
                room.touches.push(Touch { slot: next as u32, ..touch });
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
            room.add(touch.slot as usize, place, Special::Wall(point, velocity));
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
            let second = match room.special(contact) {
                Some(Special::Image(second, ..)) => *second,
                _ => second,
            };
            let number = self.laws.number(materials[first as usize], materials[second as usize]);
            room.by_law[usize::from(number)].push(contact as u32);
        }
    }

    /// What all contacts of a block do, several of one law at a time.
    fn work_out(&self, room: &mut Room<D>, former: &ContactBlock<D>, now: &mut ContactBlock<D>, stride: usize) {
        let count = now.slots.len();
        now.history.resize(count * stride, 0.0);
        now.effects.resize(count, Effect::NONE);
        now.torques.resize(if self.laws.has_couples() { count } else { 0 }, [[0.0; 3]; 2]);
        room.taken.resize(count, 0.0);
        if room.by_law.is_empty() {
            let mut all = 0..count as u32;
            while !all.is_empty() {
                let end = all.end.min(all.start + (BATCH * LANES) as u32);
                self.together(room, former, now, stride, 0, all.start..end);
                all.start = end;
            }
            return;
        }
        for law in 0..room.by_law.len() {
            let contacts = std::mem::take(&mut room.by_law[law]);
            for part in contacts.chunks(BATCH * LANES) {
                self.together(room, former, now, stride, law as u8, part.iter().copied());
            }
            room.by_law[law] = contacts;
        }
    }

    /// Works out contacts of one law together, at most a batch.
    fn together(
        &self,
        room: &mut Room<D>,
        former: &ContactBlock<D>,
        now: &mut ContactBlock<D>,
        stride: usize,
        number: u8,
        contacts: impl ExactSizeIterator<Item = u32> + Clone,
    ) {
        let (law, grows) = (self.laws.law(number), self.grows);
        let (remembers, law_turns, turns) = (law.history(), law.turns(), grows.turns);
        let Room { found, special, handed_on, taken, batch, .. } = room;
        let batch = &mut batch[..contacts.len().div_ceil(LANES)];
        let (balls, sides) = (&self.sides.balls[..], &self.sides.sides[..]);
        let mut has_walls = false;
        // What lies elsewhere in memory is asked for all at once, before it is needed one by one: waiting for it took half of the time.
        let asked: f64 = contacts
            .clone()
            .map(|contact| match found[contact as usize].second {
                second if second & SPECIAL == 0 => sides[second as usize].touch(),
                _ => 0.0,
            })
            .sum();
        std::hint::black_box(asked);
        // Who was in contact then is noted beside the candidates, but for contacts that have gone on to another face.
        let former_of = |it: Found, contact: usize| match former.contact_of[it.slot as usize] {
            NONE if it.second & SPECIAL != 0 => {
                let at = handed_on.binary_search_by_key(&(contact as u32), |&[new, _]| new);
                at.map_or(NONE, |at| handed_on[at][1])
            }
            known => known,
        };
        for (k, contact) in contacts.clone().enumerate() {
            let ((meeting, lanes), lane, contact) = (&mut batch[k / LANES], k % LANES, contact as usize);
            let it = found[contact];
            lanes.count = lane + 1;
            let first = it.first as usize;
            let (away, second, faster) = match it.special(special) {
                None => {
                    let second = it.second as usize;
                    (sub(balls[second].position, balls[first].position), second, None)
                }
                Some(Special::Image(second, away, faster)) => (*away, *second as usize, faster.as_ref()),
                Some(Special::Wall(..)) => {
                    has_walls = true;
                    ([0.0; D], first, None)
                }
            };
            match faster {
                None => meeting.put(lane, away, &sides[first], &sides[second], turns),
                Some((velocity, gained)) => {
                    let mut other = sides[second];
                    (other.velocity, other.gained) = (add(other.velocity, *velocity), add(other.gained, *gained));
                    meeting.put(lane, away, &sides[first], &other, turns);
                }
            }
            if remembers > 0 {
                let row = match former_of(it, contact) {
                    NONE => &[0.0; MAX_HISTORY][..remembers],
                    old => &former.history[old as usize * stride..][..remembers],
                };
                // Springs are what most contacts remember.
                match <&[f64; D]>::try_from(row) {
                    Ok(spring) => (0..D).for_each(|k| lanes.history[k].0[lane] = spring[k]),
                    Err(_) => row.iter().zip(&mut lanes.history).for_each(|(number, column)| column.0[lane] = *number),
                }
            }
        }
        fastest!(for (meeting, lanes) in &mut *batch {
            lanes.points = meeting.point(&grows);
        });
        if has_walls {
            for (k, contact) in contacts.clone().enumerate() {
                if let Some(Special::Wall(point, _)) = found[contact as usize].special(special) {
                    batch[k / LANES].1.put_point(k % LANES, point);
                }
            }
        }
        batch.iter_mut().for_each(|(_, lanes)| law.act_on(lanes, grows.time));
        if law_turns {
            // The room of the meetings is free by now.
            fastest!(for (meeting, lanes) in &mut *batch {
                *meeting.room() = torque(lanes.points.normal, lanes.wrench.force);
            });
        }
        for (k, contact) in contacts.enumerate() {
            let ((meeting, lanes), lane, contact) = (&mut batch[k / LANES], k % LANES, contact as usize);
            let moment = if law_turns { lane_of(meeting.room(), lane) } else { [0.0; 3] };
            let force = lane_of(&lanes.wrench.force, lane);
            now.effects[contact] = Effect { force, moment, gap: lanes.points.gap.0[lane] };
            taken[contact] = lanes.wrench.taken.0[lane];
            if let Some(torques) = now.torques.get_mut(contact) {
                let couple = lane_of(&lanes.wrench.couple, lane);
                *torques = [scale(couple, -1.0), couple];
            }
            let (history, others) = now.history[contact * stride..][..stride].split_at_mut(remembers);
            match <&mut [f64; D]>::try_from(&mut *history) {
                Ok(spring) => *spring = std::array::from_fn(|k| lanes.history[k].0[lane]),
                Err(_) => history.iter_mut().zip(&lanes.history).for_each(|(number, column)| *number = column.0[lane]),
            }
            others.fill(0.0);
        }
    }
}
