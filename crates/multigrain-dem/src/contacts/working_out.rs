//! What contacts do: several of one law at a time, in vectors.

use super::geometry::{Growth, Meeting, four};
use super::push::{LARGE, Push};
use super::room::{Room, SPECIAL, Special, special};
use super::table::{BEHIND, ContactBlock, Effect, NONE};
use crate::integrator::Integrator;
use crate::kernel::{AtPlaces, Kernel, fastest};
use crate::laws::{Lanes, MAX_HISTORY};
use crate::number::{LANES, Number, Pack};
use crate::threads;
use crate::vector::{add, scale, torque};
use multigrain::{Axes, Dimension};

/// Vectors of contacts that are shown to a law at once.
pub(super) const BATCH: usize = 4;

/// What a contact that is new remembers.
const NOTHING: &[f64; MAX_HISTORY] = &[0.0; MAX_HISTORY];

/// Contacts remember few numbers if they are at most as many as there are in a row.
const FEW: usize = BEHIND;

/// Contacts that are worked out together.
#[derive(Clone, Copy)]
enum Together<'a> {
    /// So many from this one on.
    From(usize, usize),
    These(&'a [u32]),
}

impl Together<'_> {
    fn len(self) -> usize {
        match self {
            Self::From(_, count) => count,
            Self::These(contacts) => contacts.len(),
        }
    }

    #[inline(always)]
    fn contact(self, k: usize) -> usize {
        match self {
            Self::From(first, _) => first + k,
            Self::These(contacts) => contacts[k] as usize,
        }
    }

    /// Those of one pack. Lanes that are left over are behind all contacts, or repeat the last one.
    #[inline(always)]
    fn lanes(self, pack: usize) -> [usize; LANES] {
        let mut lanes = [0; LANES];
        for lane in 0..LANES {
            lanes[lane] = match self {
                Self::From(first, _) => first + pack * LANES + lane,
                Self::These(contacts) => contacts[(pack * LANES + lane).min(contacts.len() - 1)] as usize,
            };
        }
        lanes
    }

    /// What stands in a column for those of one pack.
    #[inline(always)]
    fn of<T: Copy + Default>(self, column: &[T], pack: usize) -> [T; LANES] {
        if let (Self::From(first, _), lanes) = (self, pack * LANES)
            && let Some(items) = column[first + lanes..].first_chunk()
        {
            return *items;
        }
        let (contacts, mut items) = (self.lanes(pack), [T::default(); LANES]);
        for lane in 0..LANES {
            items[lane] = column[contacts[lane]];
        }
        items
    }
}

impl<const D: usize> Push<'_, D>
where
    Axes: Dimension<D>,
{
    /// What all contacts of a block do, several of one law at a time. What they remembered is in the room, or where it was if they are
    /// the same as before.
    pub(super) fn work_out(&self, room: &mut Room<D>, now: &mut ContactBlock, stride: usize, are_same: bool) {
        let count = now.slots.len();
        threads::set_length(&mut now.history, count * stride + BEHIND, 0.0);
        threads::set_length(&mut now.effects, count, Effect::NONE);
        threads::set_length(&mut now.torques, if self.laws.has_couples() { count } else { 0 }, [[0.0; 3]; 2]);
        if room.by_law.is_empty() {
            for start in (0..count).step_by(BATCH * LANES) {
                let part = (count - start).min(BATCH * LANES);
                // What lies elsewhere in memory is asked for before it is needed: waiting for it took half of the time.
                if self.state.len() > LARGE {
                    let next = start + part..(start + part + BATCH * LANES).min(count);
                    room.seconds[next].iter().for_each(|&second| self.columns.prefetch(second as usize));
                }
                self.together(room, now, stride, are_same, 0, Together::From(start, part));
            }
            return;
        }
        for law in 0..room.by_law.len() {
            let contacts = std::mem::take(&mut room.by_law[law]);
            for part in contacts.chunks(BATCH * LANES) {
                self.together(room, now, stride, are_same, law as u8, Together::These(part));
            }
            room.by_law[law] = contacts;
        }
    }

    /// Works out contacts of one law together, at most a batch.
    fn together(
        &self,
        room: &mut Room<D>,
        now: &mut ContactBlock,
        stride: usize,
        are_same: bool,
        number: u8,
        these: Together<'_>,
    ) {
        let law = self.laws.law(number);
        let remembers = law.history();
        let mut batch = std::mem::take(&mut room.batch);
        let before = if are_same { &now.history } else { &room.history };
        let packs = &mut batch[..these.len().div_ceil(LANES)];
        fastest!(kernel => {
            self.look(kernel, room, packs, these);
            if (1..=FEW).contains(&remembers) {
                for (pack, lanes) in packs.iter_mut().enumerate() {
                    let (olds, mut rows) = (these.of(&room.olds, pack), [&[0.0; FEW]; LANES]);
                    for lane in 0..LANES {
                        if olds[lane] != NONE
                            && let Some(row) = before[olds[lane] as usize * stride..].first_chunk()
                        {
                            rows[lane] = row;
                        }
                    }
                    lanes.history[..FEW].copy_from_slice(&kernel.columns(rows));
                }
            }
        });
        if remembers > FEW {
            for k in 0..these.len() {
                let row = match room.olds[these.contact(k)] {
                    NONE => &NOTHING[..remembers],
                    old => &before[old as usize * stride..][..remembers],
                };
                let history = &mut packs[k / LANES].history;
                row.iter().zip(history).for_each(|(number, column)| column.0[k % LANES] = *number);
            }
        }
        law.act_on_many(packs, self.grows.time);
        fastest!(kernel => write(kernel, packs, now, law.turns(), remembers, stride, these));
        room.batch = batch;
    }

    /// Looks at the points of contacts.
    #[inline(always)]
    fn look(&self, kernel: impl AtPlaces, room: &Room<D>, packs: &mut [Lanes<D>], these: Together<'_>) {
        let (grows, columns) = (self.grows, &self.columns);
        let is_usual = grows.is_usual() && grows.integrator == Integrator::Verlet;
        // Known beforehand, so that nothing has to be asked between vectors.
        let usual = Growth { turns: true, couples: false, whole: false, integrator: Integrator::Verlet, ..grows };
        for (pack, lanes) in packs.iter_mut().enumerate() {
            lanes.count = LANES.min(these.len() - pack * LANES);
            let (firsts, seconds) = (these.of(&room.firsts, pack), these.of(&room.seconds, pack));
            let mut all = 0;
            for lane in 0..LANES {
                all |= seconds[lane];
            }
            if all & SPECIAL != 0 {
                self.look_at_each(room, these.lanes(pack), lanes);
                continue;
            }
            let mut away = [Pack::splat(0.0); D];
            for axis in 0..D {
                away[axis] = Pack(these.of(&room.away[axis], pack));
            }
            lanes.points = if is_usual {
                let (first, second) =
                    (usual.sides_in(kernel, columns, firsts), usual.sides_in(kernel, columns, seconds));
                Meeting::new(away, &first, &second).point(&usual)
            } else {
                let (first, second) =
                    (grows.sides_in(kernel, columns, firsts), grows.sides_in(kernel, columns, seconds));
                Meeting::new(away, &first, &second).point(&grows)
            };
        }
    }

    /// The same where more is known of some of the contacts.
    #[cold]
    #[inline(never)]
    fn look_at_each(&self, room: &Room<D>, contacts: [usize; LANES], lanes: &mut Lanes<D>) {
        let side = |place: u32| self.grows.side_in(&self.columns, place as usize);
        for (lane, at) in contacts.into_iter().enumerate() {
            let (first, second) = (side(room.firsts[at]), room.seconds[at]);
            let away = std::array::from_fn(|axis| room.away[axis][at]);
            let point = match special(second, &room.special) {
                None => Meeting::new(away, &first, &side(second)).point(&self.grows),
                Some(Special::Faster(second, (velocity, gained))) => {
                    let mut second = side(*second);
                    (second.velocity, second.gained) = (add(second.velocity, *velocity), add(second.gained, *gained));
                    Meeting::new(away, &first, &second).point(&self.grows)
                }
                Some(Special::Wall(point, _)) => *point,
            };
            lanes.put_point(lane, &point);
        }
    }
}

/// Writes what contacts do and remember.
#[inline(always)]
fn write<const D: usize>(
    kernel: impl Kernel,
    packs: &[Lanes<D>],
    now: &mut ContactBlock,
    turns: bool,
    remembers: usize,
    stride: usize,
    these: Together<'_>,
) {
    let zero = Pack::splat(0.0);
    for (pack, Lanes { count, points, wrench, history: numbers, .. }) in packs.iter().enumerate() {
        let moment = if turns { torque(points.normal, wrench.force) } else { [zero; 3] };
        let forces = kernel.rows(four(wrench.force, points.gap));
        let moments = kernel.rows(four(moment, wrench.taken));
        let contacts = these.lanes(pack);
        for lane in 0..(*count).min(LANES) {
            let effect = &mut now.effects[contacts[lane]];
            (effect.force_and_gap, effect.moment_and_taken) = (forces[lane], moments[lane]);
        }
        if !now.torques.is_empty() {
            for lane in 0..*count {
                let couple = std::array::from_fn(|axis| wrench.couple[axis].0[lane]);
                now.torques[contacts[lane]] = [scale(couple, -1.0), couple];
            }
        }
        if stride == 0 {
            continue;
        }
        // One after the other, whole rows: what is written too much is the next one's. Not so the last one's, for the next may not have
        // been looked at.
        let mut last = 0;
        if let (Together::From(..), true) = (these, (1..=FEW).contains(&remembers) && remembers == stride) {
            let [a, b, c, d] = [numbers[0], numbers[1], numbers[2], numbers[3]];
            let rows = kernel.rows([a, b, c, d]);
            last = (*count).min(LANES) - 1;
            for lane in 0..last {
                if let Some(history) = now.history[contacts[lane] * stride..].first_chunk_mut() {
                    *history = rows[lane];
                }
            }
        }
        for lane in last..*count {
            let (history, others) = now.history[contacts[lane] * stride..][..stride].split_at_mut(remembers);
            history.iter_mut().zip(numbers).for_each(|(number, column)| *number = column.0[lane]);
            others.fill(0.0);
        }
    }
}
