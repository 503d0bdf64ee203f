//! What contacts do: several of one law at a time, in vectors.

use super::geometry::{Growth, Meeting};
use super::push::{Found, Push, Room, SPECIAL, Special};
use super::table::{ContactBlock, Effect, NONE};
use crate::integrator::Integrator;
use crate::laws::{Lanes, MAX_HISTORY, lane_of};
use crate::number::{LANES, Pack, fastest};
use crate::vector::{add, scale, torque};
use multigrain::{Axes, Dimension};

/// Vectors of contacts that are shown to a law at once.
pub(super) const BATCH: usize = 8;

/// What a contact that is new remembers.
const NOTHING: &[f64; MAX_HISTORY] = &[0.0; MAX_HISTORY];

impl<const D: usize> Push<'_, D>
where
    Axes: Dimension<D>,
{
    /// What all contacts of a block do, several of one law at a time.
    pub(super) fn work_out(&self, room: &mut Room<D>, former: &ContactBlock, now: &mut ContactBlock, stride: usize) {
        let count = now.slots.len();
        now.history.resize(count * stride, 0.0);
        now.effects.resize(count, Effect::NONE);
        now.torques.resize(if self.laws.has_couples() { count } else { 0 }, [[0.0; 3]; 2]);
        if room.by_law.is_empty() {
            for start in (0..count).step_by(BATCH * LANES) {
                let part = (count - start).min(BATCH * LANES);
                self.together(room, former, now, stride, 0, part, |k| start + k);
            }
            return;
        }
        for law in 0..room.by_law.len() {
            let contacts = std::mem::take(&mut room.by_law[law]);
            for part in contacts.chunks(BATCH * LANES) {
                self.together(room, former, now, stride, law as u8, part.len(), |k| part[k] as usize);
            }
            room.by_law[law] = contacts;
        }
    }

    /// Works out `count` contacts of one law together, at most a batch; the `k`th of them is `contact(k)`.
    #[expect(clippy::too_many_arguments)]
    fn together(
        &self,
        room: &mut Room<D>,
        former: &ContactBlock,
        now: &mut ContactBlock,
        stride: usize,
        number: u8,
        count: usize,
        contact: impl Fn(usize) -> usize,
    ) {
        let law = self.laws.law(number);
        let remembers = law.history();
        let Room { found, special, handed_on, batch, .. } = room;
        let batch = &mut batch[..count.div_ceil(LANES)];
        self.look(found, special, batch, count, &contact);
        if remembers > 0 {
            for (k, it) in (0..count).map(|k| (k, &found[contact(k)])) {
                // Who was in contact then is noted beside the candidates, but for contacts that have gone on to another face.
                let old = match former.contact_of[it.slot as usize] {
                    NONE if it.is_special() => {
                        let at = handed_on.binary_search_by_key(&(contact(k) as u32), |&[new, _]| new);
                        at.map_or(NONE, |at| handed_on[at][1])
                    }
                    known => known,
                };
                let row = if old == NONE {
                    &NOTHING[..remembers]
                } else {
                    &former.history[old as usize * stride..][..remembers]
                };
                let history = &mut batch[k / LANES].history;
                // Springs are what most contacts remember.
                match <&[f64; D]>::try_from(row) {
                    Ok(spring) => (0..D).for_each(|axis| history[axis].0[k % LANES] = spring[axis]),
                    Err(_) => row.iter().zip(history).for_each(|(number, column)| column.0[k % LANES] = *number),
                }
            }
        }
        law.act_on_many(batch, self.grows.time);
        write(batch, now, law.turns(), remembers, stride, contact);
    }

    /// Looks at the points of contacts.
    #[inline(always)]
    fn look(
        &self,
        found: &[Found<D>],
        special: &[Special<D>],
        batch: &mut [Lanes<D>],
        count: usize,
        contact: &impl Fn(usize) -> usize,
    ) {
        let (grows, sides) = (self.grows, &self.sides.sides[..]);
        // What lies elsewhere in memory is asked for all at once, before it is needed one by one: waiting for it took half of the time.
        let mut asked = 0.0;
        for it in (0..count).map(|k| &found[contact(k)]) {
            asked += if it.is_special() { 0.0 } else { sides[it.second as usize].touch() };
        }
        std::hint::black_box(asked);
        let is_usual = grows.is_usual();
        fastest!({
            // Known beforehand, so that nothing has to be asked between vectors.
            let usual = Growth { turns: true, couples: false, whole: false, integrator: Integrator::Verlet, ..grows };
            for (pack, lanes) in batch.iter_mut().enumerate() {
                lanes.count = LANES.min(count - pack * LANES);
                // Lanes that are left over repeat the last contact.
                let mut its = [&found[contact(pack * LANES)]; LANES];
                for lane in 1..LANES {
                    its[lane] = &found[contact((pack * LANES + lane).min(count - 1))];
                }
                if (its[0].second | its[1].second | its[2].second | its[3].second) & SPECIAL != 0 {
                    self.look_at_each(its, special, lanes);
                    continue;
                }
                let (mut away, mut bodies) = ([&its[0].away; LANES], [[&sides[its[0].first as usize]; LANES]; 2]);
                for lane in 0..LANES {
                    away[lane] = &its[lane].away;
                    bodies[0][lane] = &sides[its[lane].first as usize];
                    bodies[1][lane] = &sides[its[lane].second as usize];
                }
                lanes.points = match is_usual {
                    true => Meeting::of_lanes(away, bodies, true).point(&usual),
                    false => Meeting::of_lanes(away, bodies, grows.turns).point(&grows),
                };
            }
        });
    }

    /// The same where more is known of some of the contacts.
    #[cold]
    #[inline(never)]
    fn look_at_each(&self, its: [&Found<D>; LANES], special: &[Special<D>], lanes: &mut Lanes<D>) {
        let sides = &self.sides.sides[..];
        for (lane, it) in its.into_iter().enumerate() {
            let first = &sides[it.first as usize];
            let point = match it.special(special) {
                None => Meeting::new(it.away, first, &sides[it.second as usize]).point(&self.grows),
                Some(Special::Faster(second, (velocity, gained))) => {
                    let mut second = sides[*second as usize];
                    (second.velocity, second.gained) = (add(second.velocity, *velocity), add(second.gained, *gained));
                    Meeting::new(it.away, first, &second).point(&self.grows)
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
    batch: &[Lanes<D>],
    now: &mut ContactBlock,
    turns: bool,
    remembers: usize,
    stride: usize,
    contact: impl Fn(usize) -> usize,
) {
    let mut moments = [[Pack([0.0; LANES]); 3]; BATCH];
    if turns {
        fastest!(for (moment, lanes) in moments.iter_mut().zip(batch) {
            *moment = torque(lanes.points.normal, lanes.wrench.force);
        });
    }
    for (pack, (lanes, moment)) in batch.iter().zip(&moments).enumerate() {
        let Lanes { points, wrench, history: numbers, .. } = lanes;
        for lane in 0..lanes.count.min(LANES) {
            let at = contact(pack * LANES + lane);
            let effect = &mut now.effects[at];
            for axis in 0..D {
                effect.force_and_gap[axis] = wrench.force[axis].0[lane];
            }
            effect.force_and_gap[3] = points.gap.0[lane];
            for axis in 0..3 {
                effect.moment_and_taken[axis] = moment[axis].0[lane];
            }
            effect.moment_and_taken[3] = wrench.taken.0[lane];
            if let Some(torques) = now.torques.get_mut(at) {
                let couple = lane_of(&wrench.couple, lane);
                *torques = [scale(couple, -1.0), couple];
            }
            let history = &mut now.history[at * stride..][..stride];
            // Springs are what most contacts remember.
            if let (true, Ok(spring)) = (remembers == D, <&mut [f64; D]>::try_from(&mut *history)) {
                (0..D).for_each(|axis| spring[axis] = numbers[axis].0[lane]);
                continue;
            }
            let (history, others) = history.split_at_mut(remembers);
            history.iter_mut().zip(numbers).for_each(|(number, column)| *number = column.0[lane]);
            others.fill(0.0);
        }
    }
}
