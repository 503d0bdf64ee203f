//! A simulation that is one part of several: what whoever runs the parts, on one machine or many, needs of it.
//!
//! A part owns some particles and has copies of others, its **guests**, behind them in the columns of its [`State`](crate::State):
//! places `..own()` are its own, the rest are guests. It knows nothing of other parts. Every contact of which one body is its own is
//! worked out here, also with a guest; the owner of the guest works it out too, from the same bits to the same bits, so nothing of it
//! is sent. Motion, walls, outflows, energies and checkpoints are of own particles alone, and contacts of two guests are left out.
//! Ids are handed in from outside and are never given twice.
//!
//! A clump belongs to one part, with all of its members, wherever these are: [`home`](Simulation::home) says where a particle belongs.
//!
//! **Life of a part.** [`Setup::part`](crate::Setup::part) takes grains; [`census`](Simulation::census) of all parts merged goes to
//! [`begin`](Simulation::begin), which chooses the time step; guests come; then the first forces: [`push_step`](Simulation::push_step), what is
//! [`felt`](Simulation::felt) of all parts put together, [`end_step`](Simulation::end_step), as in step 4. After that a step is, in this order:
//!
//! 0. [`begin_deformation`](Simulation::begin_deformation)`?` then motions are told as in step 3, and forces are worked out as at the start.
//! 1. [`is_due`](Simulation::is_due)`?` then [`near_generators`](Simulation::near_generators) of all parts, joined in any order, go to
//!    [`pour`](Simulation::pour) everywhere, which gives the same grains everywhere; each part [`adopt`](Simulation::adopt)s its own.
//! 2. [`advance`](Simulation::advance) moves own particles.
//! 3. Either what changed of guests is told: [`motions`](Simulation::motions) by their owners, [`move_guests`](Simulation::move_guests) by
//!    others; or particles change owners and guests are chosen again: [`pack`](Simulation::pack), [`leave`](Simulation::leave),
//!    [`join`](Simulation::join), [`sort_own`](Simulation::sort_own), then [`rows`](Simulation::rows), [`set_guests`](Simulation::set_guests),
//!    perhaps [`near_guests`](Simulation::near_guests) and [`set_guests`](Simulation::set_guests) once more with those that are needed.
//!    They must be chosen again where the box has [other edges](Simulation::has_lost_marks).
//! 4. [`push_step`](Simulation::push_step) finds contacts and works out forces. What all particles do to walls that are steered or wear off,
//!    and to a box that follows a stress, is [`felt`](Simulation::felt) by each part and put together. [`end_step`](Simulation::end_step) then
//!    ends the motion of own particles.
//! 5. [`flow_out`](Simulation::flow_out) removes what came into an outflow; [`next_way`](Simulation::next_way) tells how far the next step will
//!    bring anyone since guests were chosen.
//!
//! To save all parts as one would, [`pack`](Simulation::pack) all particles of all parts, let them [`join`](Simulation::join) in
//! [`empty_like`](Simulation::empty_like) and [`settle`](Simulation::settle) there: its [`encode`](Simulation::encode) has the bytes of a
//! simulation that was never cut. Back again by [`into_part`](Simulation::into_part).
//!
//! Guests are as they were when forces were worked out; where the end of the step is to be looked at ([`summary`](Simulation::summary),
//! [`contacts`](Simulation::contacts), which are those of own particles with a higher id on the other side), their motions are told once
//! more before. Where guests were sent away in the step they are chosen again, and contacts [`meet`](Simulation::meet).
//!
//! [`summary`](Simulation::summary) and [`Census`](crate::Census) merge exactly, so that no number of parts and no order shows.
//! Whatever adds or removes particles (`adopt`, `leave`, `join`, an outflow) sends all guests away: they must be set again before
//! the next `push_step`. Contacts with them are kept in mind until then; one whose other body is not there by then has ended.
//! Places of own particles stay what they are until `leave`, `join`, `adopt`, `sort_own` or an outflow.
//!
//! All that is handed from part to part is bytes, of which every item takes whole words of eight, but in motions, where periods take four
//! each: columns that are added to the
//! state go along by themselves. Parts must have the same setup.

use crate::clumps::Clump;
use crate::codec::Value;
use crate::codec::stream::Source;
use crate::compiled;
use crate::contacts::{Key, Kind, Loose};
use crate::error::Error;
use crate::felt::Felt;
use crate::flow::Passed;
use crate::integrator::Reach;
use crate::phase::Phase;
use crate::simulation::{Ending, Simulation};
use crate::space::{Matrix, Space, dual, map, map_of_edges, norm, plus, times};
use crate::totals::Totals;
use crate::vector::{add, dot, sub};
use multigrain::{Axes, Dimension, Pairs};
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

/// What a particle costs in a step, in units of some 50 ns.
pub const OF_PARTICLE: u64 = 3;

/// What each contact of a particle costs, in the same units.
pub const OF_CONTACT: u64 = 2;

/// How far the next [`advance`](Simulation::advance) will bring own particles.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NextWay {
    /// The longest way from where a particle was when guests were set last, beside being stretched with space.
    pub way: f64,
    /// The least share that a box that deforms will have left of any distance since; 1 for other boxes. The same for all parts.
    pub shortest: f64,
    /// Whether some particle will come where positions cannot be worked with.
    pub will_be_lost: bool,
}

/// Where own particles were when guests were set.
#[derive(Debug, Clone, Default)]
pub(crate) struct Marks<const D: usize> {
    positions: Vec<[f64; D]>,
    periods: Vec<[i32; D]>,
    /// Edges of the box then, if it moves.
    edges: Option<Matrix<D>>,
    /// Whether the box has other edges since, which periods count now.
    pub are_lost: bool,
}

/// How far particles will have come.
struct Way<'a, const D: usize> {
    space: &'a Space<D>,
    stretch: Option<Matrix<D>>,
    /// Edges of a box that moves, after the step.
    edges: Option<Matrix<D>>,
    marks: &'a Marks<D>,
}

impl<const D: usize> Way<'_, D> {
    /// The square of the way of the particle in this place, beside being stretched with space, if it comes there and was wrapped so often.
    fn squared(&self, place: usize, there: [f64; D], periods: Option<&[i32; D]>) -> f64 {
        let mut from = self.marks.positions[place];
        if let (Some(stretch), Some(moving)) = (&self.stretch, self.space.moving()) {
            from = add(moving.center, map(stretch, sub(from, moving.center)));
        }
        let mut way = sub(there, from);
        if let (Some(now), Some(then)) = (periods, self.marks.periods.get(place)) {
            let since = std::array::from_fn(|axis| now[axis].wrapping_sub(then[axis]));
            way = match &self.edges {
                Some(edges) => add(way, times(since, edges)),
                None => self.space.image(way, since),
            };
        }
        dot(way, way)
    }
}

/// No way is made shorter by a map of space than to this share.
fn shortest<const D: usize>(stretch: &Matrix<D>) -> f64 {
    let identity = std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))));
    1.0 - norm(&plus(stretch, &identity, -1.0))
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Chooses the time step, and who is a giant, from the census of all parts.
    pub fn begin(&mut self, census: &crate::Census) -> Result<(), Error> {
        self.time_step = self.choose_time_step(census)?;
        let mean = census.mean_radius();
        self.giant_radius = if mean > 0.0 { self.setup.giant_ratio * mean } else { f64::INFINITY };
        Ok(())
    }

    /// Finds contacts and works out what they do, when guests are there: the first forces, or those of the step that
    /// [`advance`](Self::advance) began.
    pub fn push_step(&mut self, ending: Ending) -> Result<(), Error> {
        self.push_step_with(ending, &mut |_| ())
    }

    /// The same; `hook` is called when each phase begins.
    pub fn push_step_with(&mut self, ending: Ending, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        self.push(ending, hook)
    }

    /// Ends the motion of own particles, by what particles of all parts have done to walls and box.
    pub fn end_step(&mut self, ending: Ending, felt: &Felt<D>) -> Result<(), Error> {
        self.end(ending, felt)
    }

    /// Sorts own particles by cells of space if it is time. A part does not do it by itself: whoever runs it knows places.
    pub fn sort_own(&mut self) {
        let every = self.setup.sort_every;
        if every > 0 && (self.steps - self.sorted >= every || self.steps == 0) {
            self.send_guests_away();
            self.sort();
        }
    }

    /// All of the own particles in these places and all that their contacts remember, to be handed to [`join`](Self::join). Members
    /// of a clump go together.
    pub fn pack(&mut self, places: &[u32]) -> Vec<u8> {
        self.pack_each(&[places]).swap_remove(0)
    }

    /// The same for several parts, each of which gets the particles in some places.
    pub fn pack_each(&mut self, lists: &[impl AsRef<[u32]>]) -> Vec<Vec<u8>> {
        let lists: Vec<&[u32]> = lists.iter().map(AsRef::as_ref).collect();
        compiled::pack(self, &lists)
    }

    pub(crate) fn pack_here(&mut self, lists: &[&[u32]]) -> Vec<Vec<u8>> {
        self.remember_contacts();
        let ids = &self.state.ids;
        let places = lists.iter().copied().flatten();
        let of: HashMap<u64, usize> = places.map(|&place| ids[place as usize]).zip(0..).collect();
        let contacts = match &self.contacts.memory {
            Some(memory) => memory.of_particles(ids, &of, &self.loose),
            None => Vec::new(),
        };
        let mut contacts = contacts.into_iter();
        lists.iter().map(|places| self.packed(places.as_ref(), &mut contacts)).collect()
    }

    /// Particles with their contacts, which come in the same order.
    fn packed(&self, places: &[u32], contacts: &mut impl Iterator<Item = Vec<Loose<D>>>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (&place, contacts) in places.iter().zip(contacts) {
            self.state.write_row(place as usize, &mut bytes);
            if self.columns().clumped {
                let led = self.clumps.led_by(&self.state, place as usize);
                u64::from(led.is_some()).write(&mut bytes);
                led.iter().for_each(|clump| clump.write(&mut bytes));
            }
            (contacts.len() as u64).write(&mut bytes);
            contacts.iter().for_each(|contact| contact.write(&mut bytes));
        }
        bytes
    }

    /// Lets the own particles in these places go to another part, and sends guests away. They do not count as removed.
    pub fn leave(&mut self, places: &[u32]) {
        compiled::leave(self, places);
    }

    pub(crate) fn leave_here(&mut self, places: &[u32]) {
        let own = self.state.own() as u32;
        let leaving: HashSet<u32> = places.iter().copied().chain(own..self.state.len() as u32).collect();
        if !leaving.is_empty() {
            self.let_go(&leaving);
        }
    }

    /// Takes particles that were [packed](Self::pack) by another part, behind its own, and sends guests away.
    pub fn join(&mut self, packed: &[u8]) -> Result<(), Error> {
        compiled::join(self, packed)
    }

    pub(crate) fn join_here(&mut self, packed: &[u8]) -> Result<(), Error> {
        self.send_guests_away();
        self.remember_contacts();
        let (columns, stride) = (self.columns(), self.contacts.stride);
        let mut bytes = packed;
        let mut input = Source::new(&mut bytes, packed.len() as u64);
        let mut came = Vec::new();
        while input.left > 0 {
            self.state.push_row(&mut input, columns).ok_or_else(not_packed)?;
            if columns.clumped && u64::read(&mut input).ok_or_else(not_packed)? > 0 {
                came.push(Clump::read(&mut input).ok_or_else(not_packed)?);
            }
            for _ in 0..u64::read(&mut input).ok_or_else(not_packed)? {
                self.loose.push(Loose::read(&mut input, stride).ok_or_else(not_packed)?);
            }
        }
        self.clumps.join(came);
        Ok(())
    }

    /// All of the own particles in these places, to be handed to [`set_guests`](Self::set_guests): the same number of bytes for each.
    pub fn rows(&self, places: &[u32]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for &place in places {
            self.state.write_row(place as usize, &mut bytes);
            self.write_arm(place as usize, &mut bytes);
        }
        bytes
    }

    /// Takes these [rows](Self::rows) as guests in place of those there are: they stand behind own particles in this order.
    pub fn set_guests(&mut self, rows: &[u8]) -> Result<(), Error> {
        self.send_guests_away();
        self.remember_contacts();
        let (own, columns) = (self.state.own(), self.columns());
        let mut bytes = rows;
        let mut input = Source::new(&mut bytes, rows.len() as u64);
        while input.left > 0 {
            self.state.push_row(&mut input, columns).ok_or_else(not_packed)?;
            self.state.guests += 1;
            self.read_arm(self.state.len() - 1, &mut input).ok_or_else(not_packed)?;
        }
        self.marks.positions.clear();
        self.marks.positions.extend_from_slice(&self.state.positions[..own]);
        self.marks.periods.clear();
        self.marks.periods.extend(self.state.periods.iter().take(own));
        self.marks.edges = self.space.moving().map(|moving| moving.edges);
        self.marks.are_lost = false;
        Ok(())
    }

    /// Bytes that [`motions`](Self::motions) takes for each particle.
    pub fn motion_bytes(&self) -> usize {
        let arm = if self.needs_arms() { <[f64; D]>::BYTES } else { 0 };
        self.state.motion_bytes(self.columns(), self.laws.turns()) + arm
    }

    /// Adds what a step changes of the particles in these places, for whoever has them as guests.
    pub fn motions(&self, places: &[u32], out: &mut Vec<u8>) {
        let turns = self.laws.turns();
        for &place in places {
            self.state.write_motion(place as usize, turns, out);
            self.write_arm(place as usize, out);
        }
    }

    /// Moves the guests from this place on as their owners say, all that these [motions](Self::motions) are of.
    pub fn move_guests(&mut self, first: usize, motions: &[u8]) -> Result<(), Error> {
        let turns = self.laws.turns();
        let mut bytes = motions;
        let mut input = Source::new(&mut bytes, motions.len() as u64);
        let mut place = first;
        while input.left > 0 {
            if place < self.state.own() || place >= self.state.len() {
                return Err(not_packed());
            }
            self.state.read_motion(place, turns, &mut input).ok_or_else(not_packed)?;
            self.read_arm(place, &mut input).ok_or_else(not_packed)?;
            place += 1;
        }
        // How far they came is looked at with all others.
        self.candidates.note_way(f64::INFINITY);
        Ok(())
    }

    /// What each own particle costs in a step, by place, in units that are the same for all parts: counted, not timed. A contact with a giant
    /// costs nothing where the giant is.
    pub fn weights(&self) -> Vec<u64> {
        let (ids, own) = (&self.state.ids, self.state.own());
        let memory = match &self.contacts.memory {
            Some(memory) => Cow::Borrowed(memory),
            None => Cow::Owned(self.contacts.by_ids(&self.candidates, &self.state)),
        };
        let places: HashMap<u64, usize> = ids[..own].iter().copied().zip(0..).collect();
        let mut weights = vec![OF_PARTICLE; own];
        let mut count = |first: u64, key: &Key<D>| {
            let second = (key.kind == Kind::Particle && key.other != first).then_some(key.other);
            for place in [Some(first), second].into_iter().flatten().filter_map(|id| places.get(&id)) {
                weights[*place] += OF_CONTACT;
            }
        };
        for (place, &id) in ids.iter().enumerate() {
            memory.row(place).for_each(|contact| count(id, &memory.keys[contact]));
        }
        self.loose.iter().for_each(|contact| count(contact.first, &contact.key));
        weights
    }

    /// Pairs of an own particle with anyone, guests too, within this margin, as places: those that are worked out here.
    pub fn near_guests(&mut self, margin: f64) -> Result<Pairs<D>, Error> {
        compiled::near_guests(self, margin)
    }

    pub(crate) fn near_guests_here(&mut self, margin: f64) -> Result<Pairs<D>, Error> {
        self.make_detector()?;
        let mut pairs = Pairs::default();
        let now = self.state.snapshot(*self.space.domain())?.with_margin(margin)?;
        if let Some(detector) = &mut self.detector {
            detector.find_pairs(now, &mut pairs);
        }
        pairs.retain(|pair| self.is_own_matter(pair.i as usize, pair.j as usize));
        Ok(pairs)
    }

    /// How far the next [`advance`](Self::advance) will bring own particles since guests were [set](Self::set_guests): forces are known, so
    /// it is exact. A deformation that [begins](Self::begin_deformation) before it, and one that made the box
    /// [another](Self::has_lost_marks), are not in it.
    pub fn next_way(&self) -> NextWay {
        let (state, integrator, marks) = (&self.state, self.setup.physics.integrator, &self.marks);
        let (stretch, edges) = (self.next_stretch(), self.space.next_edges(self.time_step));
        let way = Way { space: &self.space, stretch, edges, marks };
        let (reach, clumps) = (Reach::new(&self.space), self.next_clumps());
        let (mut furthest, mut will_be_lost) = (0.0_f64, false);
        for place in 0..state.own().min(marks.positions.len()) {
            let there = integrator.next_position(state, place, self.time_step);
            will_be_lost |= !reach.allows(there);
            let squared = match self.next_of_member(&clumps, place) {
                Some((there, periods)) => way.squared(place, there, Some(&periods)),
                None => way.squared(place, there, state.periods.get(place)),
            };
            furthest = furthest.max(squared);
        }
        NextWay { way: furthest.sqrt(), shortest: stretch.as_ref().map_or(1.0, shortest), will_be_lost }
    }

    /// What the box will have made of space after the next step since guests were set, if it moves.
    fn next_stretch(&self) -> Option<Matrix<D>> {
        let (next, then) = (self.space.next_edges(self.time_step)?, self.marks.edges?);
        // Edges that moved once span space.
        dual(&then).map(|dual| map_of_edges(&next, &dual))
    }

    /// Whether the last [`advance`](Self::advance) has described the periodic box by other edges, so that nobody knows how far particles have come
    /// since guests were set: they must be set again. The same for all parts.
    pub fn has_lost_marks(&self) -> bool {
        self.marks.are_lost
    }

    /// The same simulation without any particle, for those of all parts to [`join`](Self::join) and [`settle`](Self::settle) in: to be
    /// saved or looked at as one.
    pub fn empty_like(&self) -> Result<Self, Error> {
        let mut empty = Self::prepare(self.setup.clone())?;
        (empty.time_step, empty.steps, empty.is_part) = (self.time_step, self.steps, self.is_part);
        empty.made.clone_from(&self.made);
        empty.bonds_made = self.bonds_made;
        empty.state.next_id = self.state.next_id;
        empty.clumps.next = self.clumps.next;
        empty.giant_radius = self.giant_radius;
        empty.space.clone_from(&self.space);
        empty.on_walls.clone_from(&self.on_walls);
        empty.obstacles.stand_as(&self.obstacles);
        Ok(empty)
    }

    /// The id that the next particle gets, of whatever part.
    pub fn next_id(&self) -> u64 {
        self.state.next_id
    }

    /// Of all that is summed what is gone with particles that flowed out: what [`settle`](Self::settle) asks for.
    pub fn gone(&self) -> Totals<D> {
        let (gone, passed) = (self.gone.clone(), self.passed.clone());
        Totals { removed: self.removed, gone, passed, ..Totals::default() }
    }

    /// Contacts find each other where guests have come and forces are not worked out next: to be looked at.
    pub fn meet(&mut self) {
        self.attach_loose();
    }

    /// All particles are here: contacts find each other, and what is gone is what is gone of all parts.
    pub fn settle(&mut self, totals: &Totals<D>) {
        self.attach_loose();
        self.removed = totals.removed;
        self.gone.clone_from(&totals.gone);
        self.passed.clone_from(&totals.passed);
    }

    /// One part of this simulation, which is all of it, as after [`resume`](crate::Setup::resume): those particles that `is_own` says of,
    /// by id and [home](Self::home). What is gone goes with one of the parts.
    pub fn into_part(mut self, is_own: impl Fn(u64, [f64; D]) -> bool, takes_gone: bool) -> Self {
        self.is_part = true;
        let leaving = (0..self.state.own()).filter(|&place| !is_own(self.state.ids[place], self.home(place)));
        let leaving: Vec<u32> = leaving.map(|place| place as u32).collect();
        self.leave(&leaving);
        if !takes_gone {
            self.removed = 0;
            self.gone = Default::default();
            self.passed.fill(Passed::default());
        }
        self
    }

    pub(crate) fn send_guests_away(&mut self) {
        if self.state.guests > 0 {
            self.leave(&[]);
        }
    }

    /// Lets the particles in these places go, guests among them all.
    fn let_go(&mut self, leaving: &HashSet<u32>) {
        self.remember_contacts();
        let from: Vec<u32> = (0..self.state.len() as u32).filter(|place| !leaving.contains(place)).collect();
        let ids = &self.state.ids;
        let goes: HashSet<u64> = leaving.iter().map(|&place| ids[place as usize]).collect();
        if let Some(memory) = &mut self.contacts.memory {
            *memory = memory.let_go(ids, &from, &goes, &mut self.loose);
        }
        self.state.guests = 0;
        if from.last().is_none_or(|&last| last as usize + 1 == from.len()) {
            self.state.truncate(from.len());
        } else {
            self.state.take(&from);
        }
        self.clumps.forget_places();
        self.clumps.arms_of_guests.clear();
        self.part_from_clumps();
    }

    /// Contacts find their rows again, now that everybody is there.
    pub(crate) fn attach_loose(&mut self) {
        if self.loose.is_empty() {
            return;
        }
        self.remember_contacts();
        let loose = std::mem::take(&mut self.loose);
        if let Some(memory) = &mut self.contacts.memory {
            memory.attach(&self.state.ids, self.state.own(), loose);
        }
    }
}

pub(crate) fn not_packed() -> Error {
    Error::Saved { problem: "bytes of another part do not fit: parts must have the same setup".to_owned() }
}
