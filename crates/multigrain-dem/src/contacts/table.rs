//! All contacts between particles, in rows of the one with the lower id, sorted by the id of the other.

use super::scatter::{Item, Scatter};
use crate::law::{LawTable, Meeting};
use crate::state::{NOBODY, State};
use crate::threads;
use crate::vector::{Spin, add, add_scaled, dot, scale, sub, torque};
use multigrain::{Domain, Pairs};

/// Pairs that are sorted as one chunk.
const CHUNK: usize = 1 << 13;

/// All contacts between particles.
///
/// A contact belongs to the row of its particle with the lower id, its owner. Rows are sorted by the id of the partner, and by
/// image where there are several. The other particle finds it through its mates. So whatever is summed over the contacts of a
/// particle, first over mates and then over its own row, is summed by the id of the neighbour.
#[derive(Debug, Clone, Default)]
pub(crate) struct ContactTable<const D: usize> {
    bits: u32,
    pub blocks: Vec<RowBlock<D>>,
    mates: Vec<MateBlock>,
    links: Scatter<Link>,
    mate_links: Scatter<Mate>,
}

/// Contacts owned by the particles of one block.
#[derive(Debug, Clone, Default)]
pub(crate) struct RowBlock<const D: usize> {
    /// Where the row of each particle begins; one more than the block has particles.
    pub rows: Vec<u32>,
    pub links: Vec<Link>,
    /// Which image of the partner it is, for positions as they are now; empty in open domains.
    pub shifts: Vec<[i32; D]>,
    /// The same for positions that were never wrapped, so that it stays the same while a contact lasts.
    pub images: Vec<[i32; D]>,
    /// Tangential displacements; empty without friction.
    pub springs: Vec<[f64; D]>,
    /// Force on the partner.
    pub forces: Vec<[f64; D]>,
    /// What turns both; empty without friction.
    pub twists: Vec<Twist>,
    former: Former<D>,
}

/// What is remembered of the contacts of the last step.
#[derive(Debug, Clone, Default)]
struct Former<const D: usize> {
    rows: Vec<u32>,
    links: Vec<Link>,
    images: Vec<[i32; D]>,
    springs: Vec<[f64; D]>,
}

/// One contact, in the row of its owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Link {
    /// Place of the particle with the lower id.
    pub owner: u32,
    /// Place of the other.
    pub partner: u32,
    /// Id of the other.
    pub partner_id: u32,
    /// Where the detector's list has it.
    pair: u32,
}

/// Torque of a contact, for arms of length 1, and by how much the arms are shorter than the radii.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Twist {
    pub moment: Spin,
    pub half_overlap: f64,
}

/// A contact as its partner finds it.
#[derive(Debug, Clone, Copy)]
struct Mate {
    partner: u32,
    owner_id: u32,
    owner: u32,
    /// Where the contact is in the owner's block.
    slot: u32,
}

#[derive(Debug, Clone, Default)]
struct MateBlock {
    rows: Vec<u32>,
    mates: Vec<Mate>,
}

/// A contact as it is saved: by ids and images, with all that it carries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Saved<const D: usize> {
    pub owner: u32,
    pub partner: u32,
    pub shift: [i32; D],
    pub image: [i32; D],
    pub spring: [f64; D],
    pub force: [f64; D],
    pub twist: Twist,
}

impl Item for Link {
    const FILLER: Self = Self { owner: 0, partner: 0, partner_id: 0, pair: 0 };

    #[inline]
    fn place(&self) -> u32 {
        self.owner
    }
}

impl Item for Mate {
    const FILLER: Self = Self { partner: 0, owner_id: 0, owner: 0, slot: 0 };

    #[inline]
    fn place(&self) -> u32 {
        self.partner
    }
}

impl<const D: usize> ContactTable<D> {
    /// Brings the pairs of a detector into canonical order, whatever order they came in, and carries over what contacts
    /// remember from the last step if `keeps_springs`.
    pub fn arrange(&mut self, state: &State<D>, domain: &Domain<D>, pairs: &Pairs<D>, keeps_springs: bool) {
        let particles = state.len();
        self.bits = threads::block_bits(particles);
        let (bits, blocks) = (self.bits, particles.div_ceil(1 << self.bits));
        let (ids, list) = (&state.ids, pairs.as_slice());
        let chunks = list.len().div_ceil(CHUNK);
        let length = |c: usize| (list.len() - c * CHUNK).min(CHUNK);
        self.links.fill(chunks, blocks, bits, length, |c, k| {
            let pair = c * CHUNK + k;
            let [i, j] = list[pair];
            let (a, b) = (ids[i as usize], ids[j as usize]);
            let (owner, partner, partner_id) = if a <= b { (i, j, b) } else { (j, i, a) };
            Link { owner, partner, partner_id, pair: pair as u32 }
        });
        self.blocks.resize_with(blocks, RowBlock::default);
        let (links, has_images) = (&self.links, domain.has_images());
        threads::for_each(&mut self.blocks, |b, block| {
            let first = b << bits;
            let inside = (particles - first).min(1 << bits);
            block.forget_to_former(keeps_springs);
            links.sort_block(b, first as u32, inside, &mut block.rows, &mut block.links);
            block.sort_rows(state, pairs, has_images);
            if keeps_springs {
                block.recall(inside);
            }
        });
        self.find_mates(state, blocks);
    }

    fn find_mates(&mut self, state: &State<D>, blocks: usize) {
        let (particles, bits) = (state.len(), self.bits);
        let rows = &self.blocks;
        self.mate_links.fill(
            blocks,
            blocks,
            bits,
            |b| rows[b].links.len(),
            |b, slot| {
                let Link { owner, partner, .. } = rows[b].links[slot];
                Mate { partner, owner_id: state.ids[owner as usize], owner, slot: slot as u32 }
            },
        );
        self.mates.resize_with(blocks, MateBlock::default);
        let links = &self.mate_links;
        threads::for_each(&mut self.mates, |b, block| {
            let first = b << bits;
            let inside = (particles - first).min(1 << bits);
            links.sort_block(b, first as u32, inside, &mut block.rows, &mut block.mates);
            if block.mates.is_empty() {
                return;
            }
            for row in block.rows.windows(2) {
                // Several images of one owner are in the order of their images, which is that of their slots.
                block.mates[row[0] as usize..row[1] as usize].sort_unstable_by_key(|mate| (mate.owner_id, mate.slot));
            }
        });
    }

    /// Works out the force of every contact. Springs grow over `time`.
    pub fn push_apart(&mut self, state: &State<D>, domain: &Domain<D>, laws: &LawTable, time: f64) {
        let lengths = domain.lengths();
        let turns = laws.has_friction();
        threads::for_each(&mut self.blocks, |_, block| {
            block.forces.clear();
            block.twists.clear();
            for (slot, link) in block.links.iter().enumerate() {
                let shift = block.shifts.get(slot).copied().unwrap_or([0; D]);
                let meeting = meeting(state, link, shift, lengths, turns);
                let law = laws.between(state.materials[link.owner as usize], state.materials[link.partner as usize]);
                let mut none = [0.0; D];
                let spring = block.springs.get_mut(slot).unwrap_or(&mut none);
                let force = law.force(&meeting, spring, time);
                block.forces.push(force);
                if turns {
                    let moment = if law.rubs() { torque(meeting.normal, force) } else { [0.0; 3] };
                    block.twists.push(Twist { moment, half_overlap: 0.5 * meeting.overlap });
                }
            }
        });
    }

    /// Adds all contact forces of the particle in `place` to `force`, and what turns it to `twist`, by id of the neighbour.
    #[inline]
    pub fn gather(&self, place: usize, radius: f64, force: &mut [f64; D], twist: &mut Spin) {
        let (block, inside) = (place >> self.bits, place & ((1 << self.bits) - 1));
        let mates = &self.mates[block];
        if !mates.mates.is_empty() {
            for mate in &mates.mates[mates.rows[inside] as usize..mates.rows[inside + 1] as usize] {
                let (row, slot) = (&self.blocks[mate.owner as usize >> self.bits], mate.slot as usize);
                *force = add(*force, row.forces[slot]);
                if let Some(turn) = row.twists.get(slot) {
                    *twist = add_scaled(*twist, turn.moment, turn.half_overlap - radius);
                }
            }
        }
        let row = &self.blocks[block];
        if !row.links.is_empty() {
            for slot in row.rows[inside] as usize..row.rows[inside + 1] as usize {
                *force = sub(*force, row.forces[slot]);
                if let Some(turn) = row.twists.get(slot) {
                    *twist = add_scaled(*twist, turn.moment, turn.half_overlap - radius);
                }
            }
        }
    }

    /// Number of contacts.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.links.len()).sum()
    }

    /// Every contact with all that it carries, by place of the owner.
    pub fn saved(&self) -> impl Iterator<Item = Saved<D>> {
        self.blocks.iter().flat_map(|block| (0..block.links.len()).map(|slot| block.saved(slot)))
    }

    /// Takes contacts sorted by place of the owner and in the order of rows.
    pub fn fill(&mut self, state: &State<D>, has_images: bool, keeps_springs: bool, all: &[Saved<D>]) {
        let particles = state.len();
        self.bits = threads::block_bits(particles);
        let blocks = particles.div_ceil(1 << self.bits);
        self.blocks.clear();
        self.blocks.resize_with(blocks, RowBlock::default);
        let mut rest = all.iter().peekable();
        for (b, block) in self.blocks.iter_mut().enumerate() {
            let first = b << self.bits;
            let inside = (particles - first).min(1 << self.bits);
            block.rows.push(0);
            for place in first..first + inside {
                while let Some(contact) = rest.next_if(|contact| contact.owner as usize == place) {
                    block.push_saved(contact, state.ids[contact.partner as usize], has_images, keeps_springs);
                }
                block.rows.push(block.links.len() as u32);
            }
        }
    }

    /// Follows the particles into another order: `to[k]` is where the particle in place `k` goes, or nobody. `state` has the
    /// new order already.
    pub fn reorder(&mut self, state: &State<D>, has_images: bool, keeps_springs: bool, to: &[u32]) {
        let mut all: Vec<Saved<D>> = Vec::with_capacity(self.len());
        for mut contact in self.saved() {
            (contact.owner, contact.partner) = (to[contact.owner as usize], to[contact.partner as usize]);
            if contact.owner != NOBODY && contact.partner != NOBODY {
                all.push(contact);
            }
        }
        // Rows stay as they are, for they are sorted by id: a stable sort by owner.
        all.sort_by_key(|contact| contact.owner);
        self.fill(state, has_images, keeps_springs, &all);
    }

    /// Energy stored in contacts.
    pub fn energy(&self, state: &State<D>, domain: &Domain<D>, laws: &LawTable) -> f64 {
        let lengths = domain.lengths();
        let energy = |contact: Saved<D>| {
            let (owner, partner) = (contact.owner as usize, contact.partner as usize);
            let link = Link { owner: contact.owner, partner: contact.partner, partner_id: 0, pair: 0 };
            let meeting = meeting(state, &link, contact.shift, lengths, false);
            laws.between(state.materials[owner], state.materials[partner]).energy(&meeting, contact.spring)
        };
        self.saved().map(energy).sum()
    }
}

impl<const D: usize> RowBlock<D> {
    /// Keeps the rows of the last step aside.
    fn forget_to_former(&mut self, keeps_springs: bool) {
        if keeps_springs {
            std::mem::swap(&mut self.rows, &mut self.former.rows);
            std::mem::swap(&mut self.links, &mut self.former.links);
            std::mem::swap(&mut self.images, &mut self.former.images);
            std::mem::swap(&mut self.springs, &mut self.former.springs);
        }
    }

    /// Sorts every row by the id of the partner and by image.
    fn sort_rows(&mut self, state: &State<D>, pairs: &Pairs<D>, has_images: bool) {
        self.shifts.clear();
        self.images.clear();
        if self.links.is_empty() {
            return;
        }
        for row in self.rows.windows(2) {
            let row = &mut self.links[row[0] as usize..row[1] as usize];
            if has_images {
                row.sort_unstable_by_key(|link| (link.partner_id, image(state, link, shift(link, pairs))));
            } else {
                row.sort_unstable_by_key(|link| link.partner_id);
            }
        }
        if has_images {
            self.shifts.extend(self.links.iter().map(|link| shift(link, pairs)));
            let shifts = self.links.iter().zip(&self.shifts);
            self.images.extend(shifts.map(|(link, &shift)| image(state, link, shift)));
        }
    }

    /// Springs of contacts that were there in the last step; others start without.
    fn recall(&mut self, particles: usize) {
        self.springs.clear();
        self.springs.resize(self.links.len(), [0.0; D]);
        let former = &self.former;
        if former.links.is_empty() || self.links.is_empty() {
            return;
        }
        let key = |links: &[Link], images: &[[i32; D]], slot: usize| {
            (links[slot].partner_id, images.get(slot).copied().unwrap_or([0; D]))
        };
        // Particles that have joined since have no row yet.
        for particle in 0..particles.min(former.rows.len() - 1) {
            let mut old = former.rows[particle] as usize;
            let end = former.rows[particle + 1] as usize;
            for slot in self.rows[particle] as usize..self.rows[particle + 1] as usize {
                let wanted = key(&self.links, &self.images, slot);
                while old < end && key(&former.links, &former.images, old) < wanted {
                    old += 1;
                }
                if old < end && key(&former.links, &former.images, old) == wanted {
                    self.springs[slot] = former.springs[old];
                }
            }
        }
    }

    fn saved(&self, slot: usize) -> Saved<D> {
        Saved {
            owner: self.links[slot].owner,
            partner: self.links[slot].partner,
            shift: self.shifts.get(slot).copied().unwrap_or([0; D]),
            image: self.images.get(slot).copied().unwrap_or([0; D]),
            spring: self.springs.get(slot).copied().unwrap_or([0.0; D]),
            force: self.forces.get(slot).copied().unwrap_or([0.0; D]),
            twist: self.twists.get(slot).copied().unwrap_or_default(),
        }
    }

    fn push_saved(&mut self, contact: &Saved<D>, partner_id: u32, has_images: bool, keeps_springs: bool) {
        self.links.push(Link { owner: contact.owner, partner: contact.partner, partner_id, pair: 0 });
        self.forces.push(contact.force);
        if has_images {
            self.shifts.push(contact.shift);
            self.images.push(contact.image);
        }
        if keeps_springs {
            self.springs.push(contact.spring);
            self.twists.push(contact.twist);
        }
    }
}

/// Which image of the partner touches the owner, from the detector's list.
fn shift<const D: usize>(link: &Link, pairs: &Pairs<D>) -> [i32; D] {
    let shift = pairs.shifts()[link.pair as usize];
    if pairs.as_slice()[link.pair as usize][0] == link.owner { shift } else { shift.map(|component| -component) }
}

/// The same for positions that were never wrapped.
fn image<const D: usize>(state: &State<D>, link: &Link, shift: [i32; D]) -> [i32; D] {
    let (a, b) = (state.periods[link.owner as usize], state.periods[link.partner as usize]);
    std::array::from_fn(|axis| shift[axis] - b[axis] + a[axis])
}

/// Two particles in contact, as the law sees them.
#[inline]
fn meeting<const D: usize>(
    state: &State<D>,
    link: &Link,
    shift: [i32; D],
    lengths: [f64; D],
    turns: bool,
) -> Meeting<D> {
    let (i, j) = (link.owner as usize, link.partner as usize);
    let (a, b) = (state.radii[i], state.radii[j]);
    let away = sub(state.positions[j], state.positions[i]);
    let away: [f64; D] = std::array::from_fn(|k| match shift[k] {
        0 => away[k],
        shift => away[k] + f64::from(shift) * lengths[k],
    });
    let distance = dot(away, away).sqrt();
    // Centers in the same point are pushed apart along the first axis.
    let normal = if distance > 0.0 { scale(away, 1.0 / distance) } else { std::array::from_fn(|k| f64::from(k == 0)) };
    let overlap = (a + b - distance).max(0.0);
    let rolling = if turns {
        let half = 0.5 * overlap;
        add_scaled(scale(state.spins[i], a - half), state.spins[j], b - half)
    } else {
        [0.0; 3]
    };
    Meeting {
        normal,
        overlap,
        velocity: sub(state.velocities[j], state.velocities[i]),
        rolling,
        inverse_mass: state.inverse_masses[i] + state.inverse_masses[j],
        radius: a * b / (a + b),
    }
}
