//! Candidates: rows of what may touch each particle, kept as long as nothing has moved further than the skin.

use super::memory::{Key, Kind};
use super::scatter::{Link, Scatter};
use crate::error::Error;
use crate::giants::is_own_matter;
use crate::number::LANES;
use crate::setup::Skin;
use crate::space::{Matrix, Space, dual, map, map_of_edges, norm, plus};
use crate::state::{NOBODY, State};
use crate::threads;
use crate::vector::{add, dot, sub};
use crate::walls::Obstacles;
use multigrain::{Axes, Detector, Dimension, Domain, Pairs};
use rayon::prelude::*;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// Pairs that are sorted as one chunk.
const CHUNK: usize = 1 << 13;

/// Marks a link of the second of a pair to the first.
const SECOND: u32 = 1 << 30;

/// Marks an entry that is a face of a wall.
const FACE: u32 = 1 << 31;

/// More particles cannot be told apart in the entries of rows.
pub(crate) const MAX_PARTICLES: usize = SECOND as usize;

/// Particles from which on detectors give back between lists what they can do without: of fewer it is little, and asking for it again
/// takes longer than their search.
const MANY: usize = 1 << 14;

/// Skin of a first list, in mean radii: nothing is known of speeds yet.
const FIRST_SKIN: f64 = 0.1;

/// Largest skin that is chosen, in mean radii: beyond it the list grows faster than it lasts longer.
const MAX_SKIN: f64 = 1.0;

/// What a new list costs against looking through a list once, as it enters the best skin: a list lasts as many steps as fit into
/// the skin, and looking through it grows with the skin's share of the size of particles.
const COST_OF_A_LIST: f64 = 5.0;

/// Contacts of a particle with images beyond which box and particles are not of one unit, on average over all particles.
const MAX_IMAGES: f64 = 100.0;

/// Share of an edge that places next to a border of a sheared or moving box are blurred by at most.
const EDGE: f64 = 1e-9;

/// Rows of candidates.
#[derive(Default)]
pub(crate) struct Candidates<const D: usize> {
    pairs: Pairs<D>,
    /// Grows with the ids of particles, those of giants above all others, in fewer bits: what rows are sorted by.
    order: Vec<u32>,
    /// Memory to sort in.
    scatter: Scatter,
    /// Where each pair stands in the row of its first particle.
    slots: Vec<AtomicU32>,
    made: Option<Made>,
    /// Where particles were when the rows were made, and their periods.
    then: Vec<[f64; D]>,
    then_periods: Vec<[i32; D]>,
    /// Edges of the box then, if it moves.
    then_edges: Option<Matrix<D>>,
    /// By how much two particles have come closer since, as was found when last looked at, and by how much at most after that.
    closer: [f64; 2],
    /// Blocks have `2^bits` particles.
    pub bits: u32,
    pub blocks: Vec<CandidateBlock<D>>,
    /// How often the rows were looked through since they were made.
    uses: u32,
    /// How many lists were made so far.
    pub lists: u64,
    /// Particles with larger radii are giants. Said before rows are made.
    pub giant_radius: f64,
    /// Places of giants.
    pub giants: Vec<u32>,
}

/// What rows were made for.
#[derive(Debug, Clone, Copy)]
struct Made {
    skin: f64,
    /// What rounding may take from the skin.
    slack: f64,
    /// When.
    time: f64,
    /// No two particles touch that are further apart.
    largest_reach: f64,
}

/// Candidates of the particles of one block. A pair stands in the row of its first particle, the one with the lower id, or the one that
/// is no giant; its second knows where.
#[derive(Debug, Clone, Default)]
pub(crate) struct CandidateBlock<const D: usize> {
    /// Where the row of each particle begins; one more than the block has particles.
    pub rows: Vec<u32>,
    /// What is known of images in each row; empty in open domains.
    images: Vec<Images>,
    /// Places of particles and numbers of faces, marked; then lanes that mean nothing.
    others: Vec<u32>,
    /// Where the shifts of each row begin; one more than there are particles, and empty in open domains.
    shift_rows: Vec<u32>,
    /// Which image of the second the first may touch, for positions when the rows were made: of all candidates of a row of which one
    /// is shifted.
    shifts: Vec<[i32; D]>,
    /// Where the pairs of each particle begin in which it is the second; one more than the block has particles.
    pub second_rows: Vec<u32>,
    /// These pairs, by the id of the first.
    pub seconds: Vec<PairPlace>,
    /// Blocks of these firsts, and itself: those whose contacts its particles look at.
    looks_at: Vec<u32>,
    /// The last of them: when it has pushed, particles of this block may end their motion.
    pub ready: u32,
    /// After which block has pushed all have ended their motion that look at contacts of this one.
    pub unread: u32,
}

/// What is known of images in a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Images {
    /// No particle of it can be near a periodic border as long as the rows last.
    None,
    /// All are where they are seen, as long as nobody is wrapped.
    Unshifted,
    /// Some are seen across a border.
    Shifted,
}

/// Where a pair stands.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PairPlace {
    /// Place of its first particle.
    pub first: u32,
    /// Its place in the rows of that particle's block.
    pub slot: u32,
}

/// One candidate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Entry {
    /// A face of a wall.
    Face(u32),
    /// The particle in this place.
    Particle(u32),
}

impl<const D: usize> CandidateBlock<D> {
    /// What is known of images in the row of this particle of the block.
    #[inline(always)]
    pub fn images(&self, particle: usize) -> Images {
        if self.images.is_empty() { Images::None } else { self.images[particle] }
    }

    /// Number of candidates.
    pub fn len(&self) -> usize {
        self.rows.last().map_or(0, |&end| end as usize)
    }

    /// What the candidates in these slots are, and in those that follow them.
    #[inline(always)]
    pub fn lanes(&self, slot: usize) -> [u32; LANES] {
        self.others.get(slot..).and_then(|others| others.first_chunk().copied()).unwrap_or_default()
    }

    /// Places of the particles among these candidates, which are no faces.
    #[inline(always)]
    pub fn places(&self, slots: Range<usize>) -> &[u32] {
        &self.others[slots]
    }

    /// Which image of a candidate this particle of the block may touch, for positions when the rows were made.
    #[inline(always)]
    pub fn shift(&self, particle: usize, slot: usize) -> [i32; D] {
        match self.shift_rows.get(particle..particle + 2) {
            Some(&[from, end]) if from < end => self.shifts[from as usize + slot - self.rows[particle] as usize],
            _ => [0; D],
        }
    }

    #[inline(always)]
    pub fn entry(&self, slot: usize) -> Entry {
        let other = self.others[slot];
        if other & FACE != 0 { Entry::Face(other & !FACE) } else { Entry::Particle(other) }
    }

    /// Whether this candidate is a face of a wall.
    #[inline(always)]
    pub fn is_face(&self, slot: usize) -> bool {
        self.others[slot] & FACE != 0
    }
}

/// The two longest ways of particles, squared.
#[derive(Debug, Clone, Copy)]
struct Ways([f64; 2]);

impl Ways {
    #[inline(always)]
    fn add(&mut self, squared: f64) {
        let Self([first, second]) = self;
        if squared > *second {
            *second = squared.min(*first);
            *first = squared.max(*first);
        }
    }

    fn or(mut self, other: Self) -> Self {
        other.0.into_iter().for_each(|squared| self.add(squared));
        self
    }

    /// By how much two particles can have come closer.
    fn closer(self) -> f64 {
        self.0[0].sqrt() + self.0[1].sqrt()
    }
}

impl<const D: usize> Candidates<D>
where
    Axes: Dimension<D>,
{
    /// The rows mean nothing any more: particles have come, gone, or changed places.
    pub fn forget(&mut self) {
        self.made = None;
    }

    /// Particles have moved, none of them further than this.
    pub fn note_way(&mut self, way: f64) {
        // A little more than twice, for sums and roots that are rounded.
        self.closer[1] += way * (2.0 + 1e-9);
    }

    /// Whether every contact there can be now is in the rows; if not, the skin for new ones.
    pub fn lasts(
        &mut self,
        state: &State<D>,
        space: &Space<D>,
        obstacles: &Obstacles<D>,
        time: f64,
        skin: Skin,
    ) -> Result<(), f64> {
        self.uses = self.uses.saturating_add(1);
        let Some(made) = self.made else {
            let size = state.radii.iter().sum::<f64>() / state.len().max(1) as f64;
            return Err(match skin {
                Skin::None => 0.0,
                Skin::Width(width) => width,
                Skin::Chosen => FIRST_SKIN * size,
            });
        };
        if matches!(skin, Skin::None) {
            return Err(0.0);
        }
        // A wall and a particle, or two particles.
        let of_walls = obstacles.way(made.time, time);
        let stretch = self.stretch(space);
        // Everything was stretched with the box, at least to this share of what it was; particles then moved on their own.
        let shortest = stretch.as_ref().map_or(1.0, |stretch| 1.0 - norm(&plus(stretch, &identity(), -1.0)));
        let lost = (1.0 - shortest) * made.largest_reach;
        let lasts = |closer: f64| closer + of_walls + made.slack + lost <= shortest * made.skin;
        if lasts(self.closer[0] + self.closer[1]) {
            return Ok(());
        }
        let mut closer = self.ways(state, space, stretch.as_ref()).closer();
        if stretch.is_some() && !obstacles.is_empty() {
            // Walls are not stretched.
            closer = closer.max(self.ways(state, space, None).closer());
        }
        self.closer = [closer, 0.0];
        if lasts(closer) {
            return Ok(());
        }
        if let Skin::Width(width) = skin {
            return Err(width);
        }
        let size = state.radii.iter().sum::<f64>() / state.len().max(1) as f64;
        let speed = closer / f64::from(self.uses.max(1));
        if speed == 0.0 {
            return Err(FIRST_SKIN * size);
        }
        let best = (COST_OF_A_LIST * speed * size).sqrt().min(MAX_SKIN * size);
        Err(if best > speed { best } else { 0.0 })
    }

    /// What the box has made of space since the rows were made, if it moves.
    fn stretch(&self, space: &Space<D>) -> Option<Matrix<D>> {
        let (now, then) = (space.moving()?, self.then_edges?);
        // Edges that moved once span space.
        dual(&then).map(|dual| map_of_edges(&now.edges, &dual))
    }

    /// How far particles have come since the rows were made, beside being stretched with space.
    fn ways(&self, state: &State<D>, space: &Space<D>, stretch: Option<&Matrix<D>>) -> Ways {
        let center = space.moving().map_or([0.0; D], |moving| moving.center);
        let size = 1 << self.bits;
        let none = Ways([0.0; 2]);
        let of_block = |block: usize| {
            let places = block * size..((block + 1) * size).min(state.len());
            let mut ways = none;
            for place in places {
                let from = match stretch {
                    None => self.then[place],
                    Some(stretch) => add(center, map(stretch, sub(self.then[place], center))),
                };
                let mut way = sub(state.positions[place], from);
                if let (Some(now), Some(then)) = (state.periods.get(place), self.then_periods.get(place))
                    && now != then
                {
                    way = space.image(way, std::array::from_fn(|axis| now[axis].wrapping_sub(then[axis])));
                }
                ways.add(dot(way, way));
            }
            ways
        };
        let blocks = state.len().div_ceil(size);
        if blocks > 1 && rayon::current_num_threads() > 1 {
            (0..blocks).into_par_iter().with_max_len(1).map(of_block).reduce(|| none, Ways::or)
        } else {
            (0..blocks).map(of_block).fold(none, Ways::or)
        }
    }

    /// Makes the rows of all candidates within reach and skin; `found` is told when the detector is done.
    #[expect(clippy::too_many_arguments)]
    pub fn make(
        &mut self,
        detector: &mut dyn Detector<D>,
        state: &State<D>,
        space: &Space<D>,
        obstacles: &Obstacles<D>,
        reach: f64,
        skin: f64,
        time: f64,
        found: &mut dyn FnMut(),
    ) -> Result<(), Error> {
        let groups = groups(state);
        let mut now = state.snapshot(*space.domain())?;
        if !groups.is_empty() {
            now = now.in_groups(&groups)?;
        }
        // A skin that the limits of numbers do not allow is left out.
        let (skin, wider) = match now.with_margin(reach + skin) {
            Ok(wider) => (skin, wider),
            Err(_) => (0.0, now.with_margin(reach)?),
        };
        let (grains, contacts) = (state.len(), wider.contacts_with_images());
        if contacts > MAX_IMAGES * grains as f64 {
            return Err(Error::TinyBox { grains, contacts });
        }
        let slack = 2.0 * wider.rounding_slack().into_iter().fold(0.0, f64::max);
        let largest_reach = wider.largest_reach() - skin;
        detector.find_pairs(wider, &mut self.pairs);
        // With a list in every step it would only be asked for again.
        if state.len() > MANY && skin > 0.0 {
            detector.release();
        }
        if state.guests > 0 {
            // What two guests do to each other is their owners' matter.
            let (own, radius) = (state.own(), self.giant_radius);
            self.pairs.retain(|pair| is_own_matter(&state.radii, radius, own, pair.i as usize, pair.j as usize));
        }
        found();
        self.arrange(state, space.domain(), obstacles, reach, skin);
        self.then.clone_from(&state.positions);
        self.then_periods.clone_from(&state.periods);
        self.closer = [0.0; 2];
        self.then_edges = space.moving().map(|moving| moving.edges);
        self.made = Some(Made { skin, slack, time, largest_reach });
        self.uses = 0;
        self.lists += 1;
        Ok(())
    }

    /// Brings the pairs of the detector into rows, whatever order they came in.
    fn arrange(&mut self, state: &State<D>, domain: &Domain<D>, obstacles: &Obstacles<D>, reach: f64, skin: f64) {
        let (particles, own) = (state.len(), state.own());
        self.bits = match state.angles.is_empty() {
            true => threads::block_bits(particles),
            false => threads::shaped_block_bits(particles),
        };
        let (bits, blocks) = (self.bits, particles.div_ceil(1 << self.bits));
        self.giants.clear();
        self.giants.extend((0..particles as u32).filter(|&place| state.radii[place as usize] > self.giant_radius));
        order_of(&state.ids, &self.giants, &mut self.order);
        let (order, list) = (&self.order[..], self.pairs.as_slice());
        let chunks = list.len().div_ceil(CHUNK);
        let length = |c: usize| 2 * (list.len() - c * CHUNK).min(CHUNK);
        self.scatter.fill(chunks, blocks, bits, length, |c, k| {
            let at = c * CHUNK + k / 2;
            let [i, j] = list[at];
            let (a, b) = (order[i as usize], order[j as usize]);
            let [(first, first_order), (second, second_order)] =
                if a <= b { [(i, a), (j, b)] } else { [(j, b), (i, a)] };
            match k % 2 {
                0 => Link { place: first, other: second, other_order: second_order, at: at as u32 },
                _ => Link { place: second, other: first | SECOND, other_order: first_order, at: at as u32 },
            }
        });
        self.blocks.resize_with(blocks, CandidateBlock::default);
        self.slots.resize_with(list.len(), AtomicU32::default);
        let (links, pairs, slots, has_images) = (&self.scatter, &self.pairs, &self.slots, domain.has_images());
        threads::for_each(&mut self.blocks, |b, block| {
            let first = b << bits;
            let inside = (particles - first).min(1 << bits);
            let (mut rows, mut sorted, mut faces) = (Vec::new(), Vec::new(), Vec::new());
            links.sort_block(b, first as u32, inside, &mut rows, &mut sorted);
            let CandidateBlock { rows: starts, images, others, shift_rows, shifts, second_rows, seconds, .. } = block;
            let count = sorted.iter().filter(|link| link.other & SECOND == 0).count();
            threads::make_room(others, count + LANES);
            threads::make_room(seconds, sorted.len() - count);
            for ends in [&mut *starts, &mut *second_rows] {
                threads::make_room(ends, inside + 1);
                ends.push(0);
            }
            threads::make_room(images, if has_images { inside } else { 0 });
            shifts.clear();
            threads::make_room(shift_rows, if has_images { inside + 1 } else { 0 });
            shift_rows.extend(has_images.then_some(0));
            for k in 0..inside {
                let place = first + k;
                let from = others.len();
                faces.clear();
                if place < own {
                    obstacles.near(state.positions[place], state.radii[place] + reach + skin, &mut faces);
                }
                others.extend(faces.iter().map(|face| face | FACE));
                let row = if sorted.is_empty() { &mut [] } else { &mut sorted[rows[k] as usize..rows[k + 1] as usize] };
                // Those in which the particle is the second come first.
                let key = |link: &Link| u64::from(link.other & SECOND == 0) << 32 | u64::from(link.other_order);
                row.sort_unstable_by_key(key);
                if has_images {
                    // Few have several images of one neighbour.
                    for images in row.chunk_by_mut(|a, b| key(a) == key(b)).filter(|images| images.len() > 1) {
                        images.sort_unstable_by_key(|link| image(state, link, shift(link, pairs, order)));
                    }
                }
                let (lower, higher) = row.split_at(row.partition_point(|link| link.other & SECOND != 0));
                // Where these pairs stand is known when all blocks are done; until then, which they are.
                seconds.extend(lower.iter().map(|link| PairPlace { first: link.other & !SECOND, slot: link.at }));
                for link in higher {
                    slots[link.at as usize].store(others.len() as u32, Relaxed);
                    others.push(link.other);
                }
                if has_images {
                    let is_shifted = higher.iter().any(|link| shift(link, pairs, order) != [0; D]);
                    if is_shifted {
                        shifts.extend(others[from..].iter().take(others.len() - from - higher.len()).map(|_| [0; D]));
                        shifts.extend(higher.iter().map(|link| shift(link, pairs, order)));
                    }
                    shift_rows.push(shifts.len() as u32);
                    let is_inner = |place: usize| is_inner(state.positions[place], domain, skin);
                    let stay = || is_inner(place) && higher.iter().all(|link| is_inner(link.other as usize));
                    images.push(match is_shifted {
                        true => Images::Shifted,
                        false if stay() => Images::None,
                        false => Images::Unshifted,
                    });
                }
                second_rows.push(seconds.len() as u32);
                starts.push(others.len() as u32);
            }
            others.extend([0; LANES]);
        });
        threads::for_each(&mut self.blocks, |b, block| {
            let mut is_seen = [false; threads::MAX_BLOCKS];
            is_seen[b] = true;
            for pair in &mut block.seconds {
                is_seen[(pair.first >> bits) as usize] = true;
                pair.slot = slots[pair.slot as usize].load(Relaxed);
            }
            block.looks_at.clear();
            block.looks_at.extend((0..blocks as u32).filter(|&other| is_seen[other as usize]));
        });
        for b in 0..blocks {
            self.blocks[b].ready = self.blocks[b].looks_at.last().copied().unwrap_or(b as u32);
            self.blocks[b].unread = 0;
        }
        for b in 0..blocks {
            let (ready, looks_at) = (self.blocks[b].ready, std::mem::take(&mut self.blocks[b].looks_at));
            for &other in &looks_at {
                let unread = &mut self.blocks[other as usize].unread;
                *unread = ready.max(*unread);
            }
            self.blocks[b].looks_at = looks_at;
        }
        // Lists are rare, and what they are made with takes more memory than they do.
        (self.pairs, self.scatter, self.slots, self.order) = Default::default();
    }

    /// By how many periods the image of the second lies from where it is now, seen from the first.
    #[inline(always)]
    pub fn shift_now(&self, state: &State<D>, block: &CandidateBlock<D>, slot: usize, pair: [usize; 2]) -> [i32; D] {
        if block.images.is_empty() {
            return [0; D];
        }
        let shift = block.shift(pair[0] & ((1 << self.bits) - 1), slot);
        let [first, second] = pair.map(|place| self.periods_since(state, place));
        std::array::from_fn(|axis| shift[axis] + second[axis] - first[axis])
    }

    /// Whether a particle was wrapped since the rows were made, in a periodic domain.
    #[inline(always)]
    pub fn is_wrapped(&self, state: &State<D>, place: usize) -> bool {
        state.periods[place] != self.then_periods[place]
    }

    /// By how many periods a particle was wrapped since the rows were made, in a periodic domain.
    #[inline(always)]
    pub fn periods_since(&self, state: &State<D>, place: usize) -> [i32; D] {
        let (mut since, then) = (state.periods[place], &self.then_periods[place]);
        for axis in 0..D {
            since[axis] = since[axis].wrapping_sub(then[axis]);
        }
        since
    }

    /// What the contact of this candidate of the particle in this place is known by.
    pub fn key(&self, state: &State<D>, place: usize, slot: usize) -> Key<D> {
        let block = &self.blocks[place >> self.bits];
        let second = match block.entry(slot) {
            Entry::Face(face) => return Key { kind: Kind::Face, other: u64::from(face), image: [0; D] },
            Entry::Particle(second) => second as usize,
        };
        let image = match (self.then_periods.get(place), self.then_periods.get(second)) {
            (Some(a), Some(b)) => {
                let shift = block.shift(place & ((1 << self.bits) - 1), slot);
                std::array::from_fn(|axis| shift[axis] - b[axis] + a[axis])
            }
            _ => [0; D],
        };
        let kind = if state.radii[second] > self.giant_radius { Kind::Giant } else { Kind::Particle };
        Key { kind, other: state.ids[second], image }
    }
}

/// A number for each particle that members of one clump share; none where there are no clumps.
fn groups<const D: usize>(state: &State<D>) -> Vec<u32> {
    // From the other end than those of clumps.
    let alone = |place: usize| NOBODY - place as u32;
    let group = |(place, &clump): (usize, &u32)| if clump == NOBODY { alone(place) } else { clump };
    state.clumps.iter().enumerate().map(group).collect()
}

/// Space as it is.
fn identity<const D: usize>() -> Matrix<D> {
    std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j))))
}

/// Whether a particle stays away from all periodic borders on a way no longer than the skin.
fn is_inner<const D: usize>(x: [f64; D], domain: &Domain<D>, skin: f64) -> bool {
    if domain.is_sheared() {
        let (at, way) = (domain.fractions(x), domain.spanned(skin));
        return (0..D).filter(|&k| domain.is_periodic(k)).all(|k| at[k] - way[k] > EDGE && at[k] + way[k] < 1.0 - EDGE);
    }
    let (lo, hi) = (domain.lo(), domain.hi());
    let stays = |axis: usize| x[axis] - skin > lo[axis] && x[axis] + skin < hi[axis];
    (0..D).filter(|&axis| domain.is_periodic(axis)).all(stays)
}

/// Numbers of 32 bits that are ordered as the ids are, giants behind all others: the ids themselves, and numbers above them;
/// where these do not fit, their places among each other.
fn order_of(ids: &[u64], giants: &[u32], order: &mut Vec<u32>) {
    threads::make_room(order, ids.len());
    let highest = ids.iter().copied().max().unwrap_or(0);
    if highest < u64::from(u32::MAX) - giants.len() as u64 {
        order.extend(ids.iter().map(|&id| id as u32));
        let mut sorted = giants.to_vec();
        sorted.sort_unstable_by_key(|&place| ids[place as usize]);
        sorted.into_iter().zip(highest as u32 + 1..).for_each(|(place, above)| order[place as usize] = above);
        return;
    }
    let mut places: Vec<u32> = (0..ids.len() as u32).collect();
    places.sort_unstable_by_key(|&place| (giants.binary_search(&place).is_ok(), ids[place as usize]));
    order.resize(ids.len(), 0);
    places.into_iter().zip(0..).for_each(|(place, rank)| order[place as usize] = rank);
}

/// Which image of the second touches the first, from the detector's list.
fn shift<const D: usize>(link: &Link, pairs: &Pairs<D>, order: &[u32]) -> [i32; D] {
    let (shift, [i, j]) = (pairs.shifts()[link.at as usize], pairs.as_slice()[link.at as usize]);
    if order[i as usize] <= order[j as usize] { shift } else { shift.map(|component| -component) }
}

/// The same for positions that were never wrapped.
fn image<const D: usize>(state: &State<D>, link: &Link, shift: [i32; D]) -> [i32; D] {
    let other = link.other & !SECOND;
    let [first, second] = if link.other & SECOND == 0 { [link.place, other] } else { [other, link.place] };
    let (a, b) = (state.periods[first as usize], state.periods[second as usize]);
    std::array::from_fn(|axis| shift[axis] - b[axis] + a[axis])
}
