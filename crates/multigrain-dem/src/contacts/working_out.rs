//! What contacts do: several of one law at a time, in vectors.

use super::geometry::{Meeting, Side};
use super::push::{Found, Push, Room, Special};
use super::table::{ContactBlock, Effect, NONE};
use crate::laws::MAX_HISTORY;
use crate::number::{LANES, fastest};
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
        let (law, grows, sides) = (self.laws.law(number), self.grows, &self.sides.sides[..]);
        let (remembers, law_turns) = (law.history(), law.turns());
        let Room { found, special, handed_on, batch, .. } = room;
        let (found, special) = (&found[..], &special[..]);
        let batch = &mut batch[..count.div_ceil(LANES)];
        // What lies elsewhere in memory is asked for all at once, before it is needed one by one: waiting for it took half of the time.
        let ask_for = |it: &Found<D>| if it.is_special() { 0.0 } else { sides[it.second as usize].touch() };
        std::hint::black_box((0..count).map(|k| ask_for(&found[contact(k)])).sum::<f64>());
        // Lanes that are left over repeat the last contact.
        let lanes_of = |pack: usize| {
            let mut its = [0; LANES];
            for lane in 0..LANES {
                its[lane] = contact((pack * LANES + lane).min(count - 1));
            }
            its
        };
        let look = |its: [usize; LANES], turns: bool| {
            let its = its.map(|contact| &found[contact]);
            let away = its.map(|it| &it.away);
            if its.iter().any(|it| it.is_special()) {
                let pairs = its.map(|it| sides_of(it, sides, special));
                let [first, second] = [0, 1].map(|body| [0, 1, 2, 3].map(|lane: usize| &pairs[lane][body]));
                return Meeting::of_lanes(away, [first, second], turns).point(&grows);
            }
            let first = its.map(|it| &sides[it.first as usize]);
            let second = its.map(|it| &sides[it.second as usize]);
            Meeting::of_lanes(away, [first, second], turns).point(&grows)
        };
        fastest!(for (pack, lanes) in batch.iter_mut().enumerate() {
            lanes.points = look(lanes_of(pack), grows.turns);
        });
        for (pack, lanes) in batch.iter_mut().enumerate() {
            lanes.count = LANES.min(count - pack * LANES);
            if remembers > 0 {
                let its = lanes_of(pack);
                let rows = its.map(|contact| {
                    let it = &found[contact];
                    // Who was in contact then is noted beside the candidates, but for contacts that have gone on to another face.
                    let old = match former.contact_of[it.slot as usize] {
                        NONE if it.is_special() => {
                            let at = handed_on.binary_search_by_key(&(contact as u32), |&[new, _]| new);
                            at.map_or(NONE, |at| handed_on[at][1])
                        }
                        known => known,
                    };
                    if old == NONE { &NOTHING[..remembers] } else { &former.history[old as usize * stride..][..remembers] }
                });
                for (k, column) in lanes.history[..remembers].iter_mut().enumerate() {
                    column.0 = rows.map(|row| row[k]);
                }
            }
        }
        if !special.is_empty() {
            for k in 0..count {
                if let Some(Special::Wall(point, _)) = found[contact(k)].special(special) {
                    batch[k / LANES].put_point(k % LANES, point);
                }
            }
        }
        law.act_on_many(batch, grows.time);
        for (pack, lanes) in batch.iter().enumerate() {
            let mut moments = [crate::number::Pack([0.0; LANES]); 3];
            if law_turns {
                moments = torque(lanes.points.normal, lanes.wrench.force);
            }
            for lane in 0..lanes.count {
                let at = contact(pack * LANES + lane);
                let effect = &mut now.effects[at];
                for axis in 0..D {
                    effect.force_and_gap[axis] = lanes.wrench.force[axis].0[lane];
                }
                effect.force_and_gap[3] = lanes.points.gap.0[lane];
                for axis in 0..3 {
                    effect.moment_and_taken[axis] = moments[axis].0[lane];
                }
                effect.moment_and_taken[3] = lanes.wrench.taken.0[lane];
                if let Some(torques) = now.torques.get_mut(at) {
                    let couple = crate::laws::lane_of(&lanes.wrench.couple, lane);
                    *torques = [scale(couple, -1.0), couple];
                }
                let (history, others) = now.history[at * stride..][..stride].split_at_mut(remembers);
                history.iter_mut().zip(&lanes.history).for_each(|(number, column)| *number = column.0[lane]);
                others.fill(0.0);
            }
        }
    }
}

/// The two bodies of a contact; a wall is as what touches it, for its point is known already.
#[cold]
fn sides_of<const D: usize>(it: &Found<D>, sides: &[Side<D>], special: &[Special<D>]) -> [Side<D>; 2] {
    let first = sides[it.first as usize];
    let second = match it.special(special) {
        None => sides[it.second as usize],
        Some(Special::Faster(second, (velocity, gained))) => {
            let mut side = sides[*second as usize];
            (side.velocity, side.gained) = (add(side.velocity, *velocity), add(side.gained, *gained));
            side
        }
        Some(Special::Wall(..)) => first,
    };
    [first, second]
}
