//! Contacts in rows, and what they remember of the last step.

use super::push::Push;
use super::scatter::Link;
use crate::state::State;
use crate::threads;
use multigrain::Pairs;
use std::ops::Range;

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
    /// What each contact does, in one place, for it is fetched from afar.
    pub pushes: Vec<Push<D>>,
    /// Energy that dashpots and friction took from motion in the last step.
    pub taken: f64,
    /// Energy in the tangential springs.
    pub stored: f64,
}

/// What is remembered of a block's contacts of the last step, while those of this one are arranged.
#[derive(Debug, Clone, Default)]
pub(super) struct Former<const D: usize> {
    rows: Vec<u32>,
    partner_ids: Vec<u32>,
    images: Vec<[i32; D]>,
    springs: Vec<[f64; D]>,
}

/// What of contacts there is, or what of it is needed in another order.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Kept {
    /// Shifts and images, in periodic domains.
    pub images: bool,
    /// Tangential springs, where there is friction.
    pub springs: bool,
    /// What contacts do, until that is worked out anew.
    pub pushes: bool,
}

/// A contact as it is saved: by ids and images, with all that it carries.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Saved<const D: usize> {
    pub owner: u32,
    pub partner: u32,
    pub shift: [i32; D],
    pub image: [i32; D],
    pub spring: [f64; D],
    pub push: Push<D>,
}

impl<const D: usize> RowBlock<D> {
    /// What the contacts of this particle of the block do that it owns.
    #[inline]
    pub fn pushes(&self, particle: usize) -> &[Push<D>] {
        if self.pushes.is_empty() {
            return &[];
        }
        &self.pushes[self.rows[particle] as usize..self.rows[particle + 1] as usize]
    }

    /// Slots of the contacts that this particle of the block owns; none if it has joined since.
    pub fn row(&self, particle: usize) -> Range<usize> {
        match self.rows.get(particle..particle + 2) {
            Some(&[start, end]) if !self.links.is_empty() => start as usize..end as usize,
            _ => 0..0,
        }
    }

    /// Copies what has to be remembered.
    pub(super) fn remember(&self, former: &mut Former<D>) {
        let Former { rows, partner_ids, images, springs } = former;
        rows.clone_from(&self.rows);
        partner_ids.clear();
        partner_ids.extend(self.links.iter().map(|link| link.other_id));
        images.clone_from(&self.images);
        springs.clone_from(&self.springs);
    }

    /// Sorts every row by the id of the partner and by image.
    pub fn sort_rows(&mut self, state: &State<D>, pairs: &Pairs<D>, has_images: bool) {
        self.shifts.clear();
        self.images.clear();
        if self.links.is_empty() {
            return;
        }
        for row in self.rows.windows(2).filter(|row| row[1] - row[0] > 1) {
            let row = &mut self.links[row[0] as usize..row[1] as usize];
            if has_images {
                row.sort_unstable_by_key(|link| (link.other_id, image(state, link, shift(link, pairs))));
            } else {
                row.sort_unstable_by_key(|link| link.other_id);
            }
        }
        if has_images {
            self.shifts.extend(self.links.iter().map(|link| shift(link, pairs)));
            let shifts = self.links.iter().zip(&self.shifts);
            self.images.extend(shifts.map(|(link, &shift)| image(state, link, shift)));
        }
    }

    /// Springs of contacts that were there in the last step; others start without.
    pub(super) fn recall(&mut self, former: &Former<D>, particles: usize) {
        threads::refill(&mut self.springs, self.links.len(), [0.0; D]);
        if former.partner_ids.is_empty() || self.links.is_empty() {
            return;
        }
        let image = |images: &[[i32; D]], slot: usize| images.get(slot).copied().unwrap_or([0; D]);
        let old_key = |slot: usize| (former.partner_ids[slot], image(&former.images, slot));
        // Particles that have joined since have no row yet.
        for particle in 0..particles.min(former.rows.len() - 1) {
            let mut old = former.rows[particle] as usize;
            let end = former.rows[particle + 1] as usize;
            for slot in self.rows[particle] as usize..self.rows[particle + 1] as usize {
                let wanted = (self.links[slot].other_id, image(&self.images, slot));
                while old < end && old_key(old) < wanted {
                    old += 1;
                }
                if old < end && old_key(old) == wanted {
                    self.springs[slot] = former.springs[old];
                }
            }
        }
    }

    pub fn saved(&self, slot: usize) -> Saved<D> {
        Saved {
            owner: self.links[slot].place,
            partner: self.links[slot].other,
            shift: self.shifts.get(slot).copied().unwrap_or([0; D]),
            image: self.images.get(slot).copied().unwrap_or([0; D]),
            spring: self.springs.get(slot).copied().unwrap_or([0.0; D]),
            push: self.pushes.get(slot).copied().unwrap_or(Push::NONE),
        }
    }

    /// Room for so many contacts to be pushed.
    pub fn make_room(&mut self, contacts: usize, kept: Kept) {
        threads::make_room(&mut self.links, contacts);
        if kept.pushes {
            threads::make_room(&mut self.pushes, contacts);
        }
        if kept.images {
            threads::make_room(&mut self.shifts, contacts);
            threads::make_room(&mut self.images, contacts);
        }
        if kept.springs {
            threads::make_room(&mut self.springs, contacts);
        }
    }

    pub fn push_saved(&mut self, contact: &Saved<D>, partner_id: u32, kept: Kept) {
        self.links.push(Link { place: contact.owner, other: contact.partner, other_id: partner_id, at: 0 });
        if kept.pushes {
            self.pushes.push(contact.push);
        }
        if kept.images {
            self.shifts.push(contact.shift);
            self.images.push(contact.image);
        }
        if kept.springs {
            self.springs.push(contact.spring);
        }
    }
}

/// Which image of the partner touches the owner, from the detector's list.
fn shift<const D: usize>(link: &Link, pairs: &Pairs<D>) -> [i32; D] {
    let shift = pairs.shifts()[link.at as usize];
    if pairs.as_slice()[link.at as usize][0] == link.place { shift } else { shift.map(|component| -component) }
}

/// The same for positions that were never wrapped.
fn image<const D: usize>(state: &State<D>, link: &Link, shift: [i32; D]) -> [i32; D] {
    let (a, b) = (state.periods[link.place as usize], state.periods[link.other as usize]);
    std::array::from_fn(|axis| shift[axis] - b[axis] + a[axis])
}
