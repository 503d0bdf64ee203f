//! Contacts push: who touches among the candidates, and what each contact does, worked out once for both of its bodies.

use super::candidates::{CandidateBlock, Candidates, Entry, Images};
use super::geometry::{Growth, SideColumns};
use super::room::{Faster, Room, Special};
use super::table::{ContactBlock, ContactTable, NONE, lock};
use crate::kernel::{AtPlaces, Places, fastest};
use crate::laws::LawTable;
use crate::number::{LANES, Number, Pack};
use crate::space::Space;
use crate::state::State;
use crate::threads;
use crate::vector::{add, dot, sub};
use crate::walls::{Obstacles, Touch};
use multigrain::grid::prefetch;
use multigrain::{Axes, Dimension};
use std::ops::Range;

/// Candidates that memory is asked for before they are looked at.
const AHEAD: usize = 8 * LANES;

/// Candidates of a particle up to which they are looked at one by one.
const SHORT: usize = 3;

/// Particles from which on what contacts look at has to be asked for ahead.
pub(super) const LARGE: usize = 1 << 12;

/// What all blocks look at.
pub(crate) struct Push<'a, const D: usize> {
    pub state: &'a State<D>,
    /// Of the state, what contacts look at.
    pub columns: SideColumns<'a, D>,
    pub candidates: &'a Candidates<D>,
    pub laws: &'a LawTable<D>,
    pub obstacles: &'a Obstacles<D>,
    pub space: &'a Space<D>,
    pub grows: Growth,
}

/// One block, with what it may change.
struct Block<'a> {
    contacts: &'a mut ContactBlock,
    lost: &'a mut [f64],
    given: &'a mut [f64],
}

impl<const D: usize> Push<'_, D>
where
    Axes: Dimension<D>,
{
    /// Finds all contacts among the candidates of some blocks and what they do. `lost` and `given` grow by what contacts took of each particle's
    /// energy, with others counted for the first, and what walls gave it.
    pub fn run(&self, table: &mut ContactTable<D>, some: Range<usize>, lost: &mut [f64], given: &mut [f64]) {
        let ContactTable { blocks, rooms, effects, stride, .. } = table;
        let (size, first) = (1 << self.candidates.bits, some.start);
        let columns = lost.chunks_mut(size).zip(given.chunks_mut(size));
        let mut blocks: Vec<Block<'_>> = (blocks.iter_mut().zip(columns).take(some.end).skip(first))
            .map(|(contacts, (lost, given))| Block { contacts, lost, given })
            .collect();
        threads::for_each(&mut blocks, |k, block| {
            let b = first + k;
            if block.contacts.effects.capacity() == 0 {
                block.contacts.effects = lock(effects).pop().unwrap_or_default();
            }
            let mut room = lock(rooms).pop().unwrap_or_else(Room::new);
            self.block(&mut room, b, block, *stride);
            lock(rooms).push(room);
        });
    }

    fn block(&self, room: &mut Room<D>, b: usize, block: &mut Block<'_>, stride: usize) {
        let (rows, first) = (&self.candidates.blocks[b], b << self.candidates.bits);
        room.clear(block.lost.len(), rows.len(), self.laws.len());
        // Of a candidate it says which contact it was, until it is known which one it is.
        let now = &mut *block.contacts;
        let (has_walls, ends_at_touch) = (!self.obstacles.is_empty(), !self.laws.reaches());
        let is_plain = self.space.is_plain();
        fastest!(kernel => for k in 0..block.lost.len() {
            let (mut slot, end, place) = (rows.rows[k] as usize, rows.rows[k + 1] as usize, first + k);
            if has_walls {
                slot = self.walls(room, rows, slot..end, place, now);
            }
            let before = room.count;
            let images = rows.images(k);
            if !ends_at_touch || !(is_plain || images == Images::None) {
                self.reaching(room, rows, slot..end, place, now);
            } else if images == Images::None || (images == Images::Unshifted && self.is_unwrapped(rows, slot..end, place)) {
                self.touching(kernel, room, rows, slot..end, place, &mut now.contact_of);
            } else {
                self.one_by_one::<true>(room, rows, slot..end, place, &mut now.contact_of);
            }
            self.sort_by_law(room, before);
            room.rows.push(room.count as u32);
        });
        room.end();
        let slots = &room.slots[..room.count];
        debug_assert!(slots.is_sorted());
        // Mostly they are what they were, and what they remember stays where it is.
        let are_same = now.slots == slots;
        if !are_same {
            std::mem::swap(&mut now.history, &mut room.history);
            threads::make_room(&mut now.slots, room.count);
            now.slots.extend_from_slice(slots);
            now.rows.clone_from(&room.rows);
        }
        self.work_out(room, now, stride, are_same);
        for (place, effect) in room.firsts[..room.count].iter().zip(&now.effects) {
            block.lost[*place as usize - first] += effect.taken();
        }
        // What moves a wall, or the image, gives its energy.
        if !room.special.is_empty() {
            for contact in 0..room.count {
                let (k, force) = (room.firsts[contact] as usize - first, now.effects[contact].force());
                let power = match room.special(contact) {
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

    /// Which of these candidates touch the particle in this place, where images do not matter. Without a branch for each, for nobody can
    /// guess which of them do; whether any does is guessed well where most rows have some, and where most have none.
    #[inline(always)]
    fn touching(
        &self,
        kernel: impl AtPlaces,
        room: &mut Room<D>,
        rows: &CandidateBlock<D>,
        slots: Range<usize>,
        place: usize,
        contact_of: &mut [u32],
    ) {
        if slots.len() <= SHORT {
            self.one_by_one::<false>(room, rows, slots, place, contact_of);
            return;
        }
        let (positions, radii) = (&self.state.positions[..], &self.state.radii[..]);
        let (own, radius) = (positions[place], Pack::splat(radii[place]));
        let mut next = slots.start;
        while next < slots.end {
            let slot = next;
            next += LANES;
            // Lanes behind the row are the particle itself.
            let inside = u8::MAX >> (LANES - LANES.min(slots.end - slot));
            if positions.len() > LARGE {
                for other in rows.lanes(slot + AHEAD) {
                    prefetch(positions, other as usize);
                    prefetch(radii, other as usize);
                }
            }
            let mut places = rows.lanes(slot);
            for lane in 0..LANES {
                places[lane] = if inside >> lane & 1 == 1 { places[lane] } else { place as u32 };
            }
            let at = &Places::new(places);
            let mut away = kernel.vectors_at(positions, at);
            for axis in 0..D {
                away[axis] = away[axis] - Pack::splat(own[axis]);
            }
            let reach = radius + kernel.numbers_at(radii, at);
            let touches = kernel.below(dot(away, away), reach * reach) & inside;
            let Some(known) = contact_of[slot..].first_chunk_mut::<LANES>() else { continue };
            let olds = *known;
            let mut none = olds;
            for lane in 0..LANES {
                none[lane] = if inside >> lane & 1 == 1 { NONE } else { olds[lane] };
            }
            if touches == 0 {
                *known = none;
                continue;
            }
            *known = kernel.number(none, touches, room.count as u32);
            room.keep(kernel, touches, place, slot, [places, olds], away);
        }
    }

    /// Whether neither this particle nor any of these candidates was wrapped since rows were made.
    #[inline(always)]
    fn is_unwrapped(&self, rows: &CandidateBlock<D>, slots: Range<usize>, place: usize) -> bool {
        let mut any = self.candidates.is_wrapped(self.state, place);
        for &other in rows.places(slots) {
            any |= self.candidates.is_wrapped(self.state, other as usize);
        }
        !any
    }

    /// The same in plain boxes one after the other: where images matter, or candidates are too few for vectors.
    #[inline(always)]
    fn one_by_one<const IMAGES: bool>(
        &self,
        room: &mut Room<D>,
        rows: &CandidateBlock<D>,
        slots: Range<usize>,
        place: usize,
        contact_of: &mut [u32],
    ) {
        let (positions, radii, lengths) =
            (&self.state.positions[..], &self.state.radii[..], self.space.domain().lengths());
        let (position, radius) = (positions[place], radii[place]);
        let own = if IMAGES { self.candidates.periods_since(self.state, place) } else { [0; D] };
        let particle = place & ((1 << self.candidates.bits) - 1);
        for (slot, &second) in slots.clone().zip(rows.places(slots)) {
            let mut away = sub(positions[second as usize], position);
            if IMAGES {
                let shift = rows.shift(particle, slot);
                let others = self.candidates.periods_since(self.state, second as usize);
                for axis in 0..D {
                    let periods = shift[axis] + others[axis] - own[axis];
                    let moved = away[axis] + f64::from(periods) * lengths[axis];
                    away[axis] = if periods == 0 { away[axis] } else { moved };
                }
            }
            let reach = radius + radii[second as usize];
            let touches = dot(away, away) < reach * reach;
            let known = &mut contact_of[slot];
            let old = std::mem::replace(known, if touches { room.count as u32 } else { NONE });
            room.put([slot as u32, place as u32, second, old], away);
            room.count += usize::from(touches);
        }
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
        let (state, reaches) = (self.state, self.laws.reaches());
        let (position, a) = (state.positions[place], state.radii[place]);
        for (slot, &second) in slots.clone().zip(rows.places(slots)) {
            let other = second as usize;
            let shift = self.candidates.shift_now(state, rows, slot, [place, other]);
            let away = self.space.away(position, state.positions[other], shift);
            let b = state.radii[other];
            let further = match reaches {
                true => self.laws.between(state.materials[place], state.materials[other]).reach(a * b / (a + b)),
                false => 0.0,
            };
            let reach = a + b + further;
            let touches = dot(away, away) < reach * reach;
            let known = &mut now.contact_of[slot];
            let old = std::mem::replace(known, if touches { room.count as u32 } else { NONE });
            if !touches {
                continue;
            }
            let faster: Option<Faster<D>> =
                if shift == [0; D] { None } else { self.space.faster(shift, self.grows.time) };
            match faster {
                Some(faster) => room.add([slot as u32, place as u32, old], Special::Faster(second, faster), away),
                None => {
                    room.put([slot as u32, place as u32, second, old], away);
                    room.count += 1;
                }
            }
        }
    }

    /// Contacts of a particle with walls, whose faces come first in its row. Returns where its other candidates begin.
    #[inline(never)]
    fn walls(
        &self,
        room: &mut Room<D>,
        rows: &CandidateBlock<D>,
        slots: Range<usize>,
        place: usize,
        block: &mut ContactBlock,
    ) -> usize {
        // Rows and slots are still those of before.
        let ContactBlock { rows: starts, slots: known_slots, contact_of, .. } = block;
        let (state, obstacles) = (self.state, self.obstacles);
        let (position, radius) = (state.positions[place], state.radii[place]);
        let mut next = slots.start;
        room.touches.clear();
        while next < slots.end {
            let Entry::Face(face) = rows.entry(next) else { break };
            contact_of[next] = NONE;
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
        let side = self.grows.side_in(&self.columns, place);
        let face_of = |contact: usize| match rows.entry(known_slots[contact] as usize) {
            Entry::Face(face) => Some(face),
            Entry::Particle(_) => None,
        };
        let particle = room.rows.len() - 1;
        let own = starts[particle] as usize..starts[particle + 1] as usize;
        let own: Vec<usize> = own.take_while(|&contact| face_of(contact).is_some()).collect();
        let touches = std::mem::take(&mut room.touches);
        let is_there = |slot: u32| touches.iter().any(|touch| touch.slot == slot);
        for touch in &touches {
            let known = own.iter().copied().find(|&contact| known_slots[contact] == touch.slot);
            // Where a contact has gone over an edge to the next face of the same wall, it keeps what it remembers.
            let handed_on = || {
                own.iter().copied().find(|&contact| {
                    let is_gone = !is_there(known_slots[contact]);
                    is_gone && face_of(contact).is_some_and(|face| obstacles.are_joined(face, touch.face))
                })
            };
            let old = known.or_else(handed_on).map_or(NONE, |contact| contact as u32);
            let law = self.laws.number(state.materials[place], obstacles.surface(touch.face).material);
            if let Some(contacts) = room.by_law.get_mut(usize::from(law)) {
                contacts.push(room.count as u32);
            }
            let (point, velocity) = obstacles.point(touch, position, &side, &self.grows, &room.merged);
            contact_of[touch.slot as usize] = room.count as u32;
            room.add([touch.slot, place as u32, old], Special::Wall(point, velocity), [0.0; D]);
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
            let first = room.firsts[contact];
            let second = match room.special(contact) {
                Some(Special::Faster(second, _)) => *second,
                _ => room.seconds[contact],
            };
            let number = self.laws.number(materials[first as usize], materials[second as usize]);
            room.by_law[usize::from(number)].push(contact as u32);
        }
    }
}
