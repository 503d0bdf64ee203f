//! What contacts do: several of one law at a time, in vectors.

use super::geometry::{Growth, Meeting, four};
use super::push::Push;
use super::room::{Room, SPECIAL, Special, special};
use super::table::{BEHIND, ContactBlock, Effect, NONE};
use crate::integrator::Integrator;
use crate::kernel::{Kernel, fastest};
use crate::laws::{Lanes, MAX_HISTORY};
use crate::number::{LANES, Number, Pack};
use crate::vector::{add, scale, torque};
use multigrain::grid::prefetch;
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
    /// What all contacts of a block do, several of one law at a time.
    pub(super) fn work_out(&self, room: &mut Room<D>, former: &ContactBlock, now: &mut ContactBlock, stride: usize) {
        let count = now.slots.len();
        now.history.resize(count * stride + BEHIND, 0.0);
        now.effects.resize(count, Effect::NONE);
        now.torques.resize(if self.laws.has_couples() { count } else { 0 }, [[0.0; 3]; 2]);
        if room.by_law.is_empty() {
            for start in (0..count).step_by(BATCH * LANES) {
                let part = (count - start).min(BATCH * LANES);
                // What lies elsewhere in memory is asked for before it is needed: waiting for it took half of the time.
                let next = start + part..(start + part + BATCH * LANES).min(count);
                for &second in &room.seconds[next] {
                    if let Some(rows) = self.sides.rows.get(second as usize) {
                        prefetch(std::slice::from_ref(&rows.velocity), 0);
                        prefetch(std::slice::from_ref(&rows.gained), 0);
                    }
                }
                self.together(room, former, now, stride, 0, Together::From(start, part));
            }
            return;
        }
        for law in 0..room.by_law.len() {
            let contacts = std::mem::take(&mut room.by_law[law]);
            for part in contacts.chunks(BATCH * LANES) {
                self.together(room, former, now, stride, law as u8, Together::These(part));
            }
            room.by_law[law] = contacts;
        }
    }

    /// Works out contacts of one law together, at most a batch.
    fn together(
        &self,
        room: &mut Room<D>,
        former: &ContactBlock,
        now: &mut ContactBlock,
        stride: usize,
        number: u8,
        these: Together<'_>,
    ) {
        let law = self.laws.law(number);
        let remembers = law.history();
        let mut batch = std::mem::take(&mut room.batch);
        let packs = &mut batch[..these.len().div_ceil(LANES)];
        fastest!(kernel => {
            self.look(kernel, room, packs, these);
            if (1..=FEW).contains(&remembers) {
                for (pack, lanes) in packs.iter_mut().enumerate() {
                    let (olds, mut rows) = (these.of(&room.olds, pack), [&[0.0; FEW]; LANES]);
                    for lane in 0..LANES {
                        if olds[lane] != NONE
                            && let Some(row) = former.history[olds[lane] as usize * stride..].first_chunk()
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
                    old => &former.history[old as usize * stride..][..remembers],
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
    fn look(&self, kernel: impl Kernel, room: &Room<D>, packs: &mut [Lanes<D>], these: Together<'_>) {
        let (grows, rows) = (self.grows, &self.sides.rows[..]);
        let is_usual = grows.is_usual();
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
            let mut bodies = [[&rows[firsts[0] as usize]; LANES]; 2];
            for lane in 0..LANES {
                bodies[0][lane] = &rows[firsts[lane] as usize];
                bodies[1][lane] = &rows[seconds[lane] as usize];
            }
            lanes.points = match is_usual {
                true => Meeting::of_lanes(kernel, away, bodies, true).point(&usual),
                false => Meeting::of_lanes(kernel, away, bodies, grows.turns).point(&grows),
            };
        }
    }

    /// The same where more is known of some of the contacts.
    #[cold]
    #[inline(never)]
    fn look_at_each(&self, room: &Room<D>, contacts: [usize; LANES], lanes: &mut Lanes<D>) {
        let side = |place: u32| self.sides.rows[place as usize].side();
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
        // One after the other, whole rows: what is written too much is the next one's, or behind all.
        if let (Together::From(..), true) = (these, (1..=FEW).contains(&remembers) && remembers == stride) {
            let [a, b, c, d] = [numbers[0], numbers[1], numbers[2], numbers[3]];
            let rows = kernel.rows([a, b, c, d]);
            for lane in 0..(*count).min(LANES) {
                if let Some(history) = now.history[contacts[lane] * stride..].first_chunk_mut() {
                    *history = rows[lane];
                }
            }
            continue;
        }
        for lane in 0..*count {
            let (history, others) = now.history[contacts[lane] * stride..][..stride].split_at_mut(remembers);
            history.iter_mut().zip(numbers).for_each(|(number, column)| *number = column.0[lane]);
            others.fill(0.0);
        }
    }
}
