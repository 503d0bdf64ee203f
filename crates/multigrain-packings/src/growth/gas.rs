//! The gas of growing balls, one stage at a time: flights, collisions and changes of neighbourhood, in their order.

use super::ball::{Ball, CLEARANCE, Scale, dot, time_to_leave, time_to_touch, time_to_wall};
use super::calendar::Calendar;
use super::neighbourhoods::{Neighbour, Neighbourhoods};
use multigrain::Error;
use multigrain::grid::{periods_along, translation_along};
use multigrain::{Axes, Dimension, Domain};

/// Slowest parting after a collision, in units of the thermal speed: balls that graze, or overlap by rounding, part for
/// certain.
const SLOWEST_PARTING: f64 = 1e-6;

/// Growing balls in a box from 0. Walls stand on the axes that are not periodic.
pub(super) struct Gas<const D: usize> {
    pub balls: Vec<Ball<D>>,
    /// Which ball of the caller's each is: balls are kept in an order in which neighbours are near in memory.
    pub ids: Vec<u32>,
    /// One over the mass of each ball.
    pub lightness: Vec<f64>,
    pub domain: Domain<D>,
    /// Factor of all radii, clearance not included.
    pub scale: f64,
    calendar: Calendar,
    next: Vec<Next<D>>,
    /// How often each ball has changed its flight: predictions for an earlier flight are void.
    changes: Vec<u32>,
    neighbourhoods: Neighbourhoods<D>,
    growth: Scale,
    /// End of the stage.
    end: f64,
    counts: Counts,
}

/// What a stage is to do.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stage {
    /// Factor of all radii at its end.
    pub scale: f64,
    /// Increase of the factor per time.
    pub rate: f64,
    /// How far a ball may go before it needs new neighbours.
    pub freedom: f64,
    /// Heavy balls are slow and have less, but no less than this.
    pub least_freedom: f64,
    /// The stage ends early after this many collisions.
    pub most_collisions: u64,
}

/// What has happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Collisions of two balls, or of a ball with a wall.
    pub collisions: u64,
    /// All that was taken from the calendar: collisions, new neighbourhoods, void predictions.
    pub events: u64,
}

/// What happens to a ball next.
#[derive(Debug, Clone, Copy)]
enum Next<const D: usize> {
    /// Nothing in this stage.
    Nothing,
    /// It leaves its neighbourhood.
    Leave,
    /// It hits a wall across an axis: the upper one, or the lower one.
    Wall { axis: u8, is_upper: bool },
    /// It hits a ball, if that has not changed its flight until then.
    Meet { other: Neighbour<D>, changes: u32 },
}

impl<const D: usize> Gas<D>
where
    Axes: Dimension<D>,
{
    /// Balls at rest in time, all at time 0.
    pub fn new(balls: Vec<Ball<D>>, lightness: Vec<f64>, domain: Domain<D>, scale: f64) -> Result<Self, Error> {
        Ok(Self {
            ids: (0..balls.len() as u32).collect(),
            next: vec![Next::Nothing; balls.len()],
            changes: vec![0; balls.len()],
            balls,
            lightness,
            domain,
            scale,
            calendar: Calendar::default(),
            neighbourhoods: Neighbourhoods::new(&[], domain, scale, |_| 0.0)?,
            growth: Scale { start: scale, rate: 0.0 },
            end: 0.0,
            counts: Counts::default(),
        })
    }

    /// Moves and grows the balls from event to event until they have the size of the stage, or have collided too often. All are then at the
    /// same time, which is 0 again, inside the box. `watch` is called now and then with the factor of all radii, and says whether to
    /// go on.
    pub fn run(&mut self, stage: &Stage, watch: &mut dyn FnMut(f64, Counts) -> bool) -> Result<Counts, Error> {
        self.counts = Counts::default();
        self.growth = Scale { start: self.scale * CLEARANCE, rate: stage.rate * CLEARANCE };
        self.end = (stage.scale - self.scale) / stage.rate;
        self.sort();
        // A ball's thermal speed is the root of its lightness.
        let freedom = |i: usize| (stage.freedom * self.lightness[i].sqrt().min(1.0)).max(stage.least_freedom);
        self.neighbourhoods = Neighbourhoods::new(&self.balls, self.domain, stage.scale, freedom)?;
        self.calendar.reset(self.balls.len());
        for ball in 0..self.balls.len() as u32 {
            self.predict(ball, 0.0);
        }
        let mut reached = None;
        while let Some((now, ball)) = self.calendar.first().filter(|&(time, _)| time <= self.end) {
            self.counts.events += 1;
            self.happen(ball, now);
            if self.counts.events.is_multiple_of(1 << 16) && !watch(self.scale + stage.rate * now, self.counts) {
                return Err(Error::Stopped);
            }
            if self.counts.collisions >= stage.most_collisions {
                reached = Some(now);
                break;
            }
        }
        self.scale = match reached {
            Some(now) => self.scale + stage.rate * now,
            None => stage.scale,
        };
        self.synchronise(reached.unwrap_or(self.end));
        Ok(self.counts)
    }

    /// Sorts balls along a curve through space. Between stages only: nothing refers to a place in the list then.
    fn sort(&mut self) {
        let mut order: Vec<(u64, u32)> =
            self.balls.iter().zip(0..).map(|(ball, k)| (curve(&self.domain, ball.center), k)).collect();
        order.sort_unstable();
        self.balls = order.iter().map(|&(_, k)| self.balls[k as usize]).collect();
        self.ids = order.iter().map(|&(_, k)| self.ids[k as usize]).collect();
        self.lightness = order.iter().map(|&(_, k)| self.lightness[k as usize]).collect();
    }

    /// Brings all balls to the same time, calls it 0, and puts them into the box.
    fn synchronise(&mut self, now: f64) {
        for ball in &mut self.balls {
            ball.advance(now);
            ball.time = 0.0;
            for axis in 0..D {
                ball.center[axis] += wrap(&self.domain, axis, ball.center[axis]);
            }
        }
    }

    fn happen(&mut self, ball: u32, now: f64) {
        match self.next[ball as usize] {
            Next::Nothing => {}
            Next::Leave => self.leave(ball, now),
            Next::Wall { axis, is_upper } => self.bounce(ball, usize::from(axis), is_upper, now),
            Next::Meet { other, changes } if self.changes[other.ball as usize] == changes => {
                self.collide(ball, other, now);
            }
            // The other was deflected: what comes next is open again.
            Next::Meet { .. } => self.predict(ball, now),
        }
    }

    fn leave(&mut self, ball: u32, now: f64) {
        let i = ball as usize;
        self.balls[i].advance(now);
        for axis in 0..D {
            let by = wrap(&self.domain, axis, self.balls[i].center[axis]);
            if by != 0.0 {
                // Meetings with it were predicted for another image.
                self.balls[i].center[axis] += by;
                self.changes[i] = self.changes[i].wrapping_add(1);
            }
        }
        self.neighbourhoods.renew(ball, self.balls[i].center);
        self.predict(ball, now);
    }

    /// Reflects a ball from a wall, in the frame of its growing surface.
    fn bounce(&mut self, ball: u32, axis: usize, is_upper: bool, now: f64) {
        let i = ball as usize;
        self.balls[i].advance(now);
        let sign = if is_upper { 1.0 } else { -1.0 };
        let growth = self.growth.rate * self.balls[i].radius;
        let closing = sign * self.balls[i].velocity[axis] + growth;
        let parting = closing.abs().max(SLOWEST_PARTING * self.lightness[i].sqrt());
        self.balls[i].velocity[axis] = -sign * (parting + growth);
        self.changes[i] = self.changes[i].wrapping_add(1);
        self.counts.collisions += 1;
        self.predict(ball, now);
    }

    /// An elastic collision of growing surfaces: the speed at which they close becomes that at which they part.
    fn collide(&mut self, ball: u32, other: Neighbour<D>, now: f64) {
        let (i, j) = (ball as usize, other.ball as usize);
        self.balls[i].advance(now);
        self.balls[j].advance(now);
        let (first, second) = (self.balls[i], self.balls[j]);
        let apart = self.image(second.center, other.shift, first.center);
        let distance = dot(apart, apart).sqrt();
        let normal = apart.map(|x| x / distance);
        let growth = self.growth.rate * (first.radius + second.radius);
        let closing = dot(first.velocity, normal) - dot(second.velocity, normal) + growth;
        let (light_i, light_j) = (self.lightness[i], self.lightness[j]);
        let parting = closing.abs().max(SLOWEST_PARTING * (light_i + light_j).sqrt());
        let kick = (closing + parting) / (light_i + light_j);
        for axis in 0..D {
            self.balls[i].velocity[axis] -= kick * light_i * normal[axis];
            self.balls[j].velocity[axis] += kick * light_j * normal[axis];
        }
        self.changes[i] = self.changes[i].wrapping_add(1);
        self.changes[j] = self.changes[j].wrapping_add(1);
        self.counts.collisions += 1;
        self.predict(ball, now);
        self.predict(other.ball, now);
    }

    /// Finds out what happens to a ball next. A meeting of two is found by the one that was asked last, whose calendar
    /// entry is never later; so a void prediction costs time, but no meeting is missed.
    fn predict(&mut self, ball: u32, now: f64) {
        let i = ball as usize;
        self.balls[i].advance(now);
        let me = self.balls[i];
        let scale = self.growth.at(now);
        let rate = self.growth.rate;
        let anchor = self.neighbourhoods.anchor(ball);
        let from = std::array::from_fn(|axis| me.center[axis] - anchor.center[axis]);
        let mut soonest = time_to_leave(from, me.velocity, anchor.freedom);
        let mut next = Next::Leave;
        for axis in (0..D).filter(|&axis| !self.domain.is_periodic(axis)) {
            let (radius, growth) = (scale * me.radius, rate * me.radius);
            let below = me.center[axis] - radius;
            let above = self.domain.hi()[axis] - me.center[axis] - radius;
            for (gap, speed, is_upper) in [(below, -me.velocity[axis], false), (above, me.velocity[axis], true)] {
                let time = time_to_wall(gap, speed, growth);
                if time < soonest {
                    (soonest, next) = (time, Next::Wall { axis: axis as u8, is_upper });
                }
            }
        }
        let mut met: Option<Neighbour<D>> = None;
        for &other in self.neighbourhoods.of(ball) {
            let you = &self.balls[other.ball as usize];
            let apart = self.image(you.center_at(now), other.shift, me.center);
            let speed = std::array::from_fn(|axis| you.velocity[axis] - me.velocity[axis]);
            let radii = me.radius + you.radius;
            let time = time_to_touch(apart, speed, scale * radii, rate * radii, soonest);
            let is_sooner = time < soonest || (time == soonest && met.is_some_and(|met| other.ball < met.ball));
            if is_sooner {
                (soonest, met) = (time, Some(other));
            }
        }
        if let Some(other) = met {
            next = Next::Meet { other, changes: self.changes[other.ball as usize] };
        }
        let time = now + soonest;
        let is_in_stage = time <= self.end;
        self.next[i] = if is_in_stage { next } else { Next::Nothing };
        self.calendar.set(ball, if is_in_stage { time } else { f64::INFINITY });
    }

    /// The vector from `center` to the image of `other` by `shift`.
    #[inline]
    fn image(&self, other: [f64; D], shift: [i8; D], center: [f64; D]) -> [f64; D] {
        std::array::from_fn(|axis| {
            (other[axis] - center[axis]) + translation_along(shift[axis].into(), self.domain.hi()[axis])
        })
    }
}

/// What brings a coordinate back into a periodic box from 0, or 0 where it is inside or the axis not periodic.
fn wrap<const D: usize>(domain: &Domain<D>, axis: usize, x: f64) -> f64 {
    if !domain.is_periodic(axis) {
        return 0.0;
    }
    let length = domain.hi()[axis];
    -translation_along(periods_along(x, 0.0, length), length)
}

/// Place of a center on a curve that keeps near what is near: the bits of its coordinates, interleaved.
fn curve<const D: usize>(domain: &Domain<D>, center: [f64; D]) -> u64 {
    const BITS: u32 = 16;
    let along: [u64; D] =
        std::array::from_fn(|axis| (center[axis] / domain.hi()[axis] * f64::from(1 << BITS)).max(0.0) as u64);
    (0..BITS).rev().fold(0, |key, bit| along.iter().fold(key, |key, along| (key << 1) | ((along >> bit) & 1)))
}
