//! Clumps as bytes.

use super::{Clump, ClumpShape, Clumps};
use crate::codec::Value;
use crate::codec::stream::Source;
use crate::state::{NOBODY, State};
use multigrain::{Axes, Dimension};

impl<const D: usize> Value for Clump<D> {
    const BYTES: usize = 8 * (4 + 2 + 4 * D + 4 * 3 + 4);

    fn write(&self, out: &mut Vec<u8>) {
        [self.number, self.shape, self.members, u32::from(self.held)].write(out);
        self.first.write(out);
        self.mass.write(out);
        [self.position, self.velocity, self.force].iter().for_each(|vector| vector.write(out));
        self.periods.write(out);
        [self.spin, self.torque, self.momentum, self.moments].iter().for_each(|vector| vector.write(out));
        self.main.write(out);
    }

    fn read(input: &mut Source<'_>) -> Option<Self> {
        let [number, shape, members, held]: [u32; 4] = Value::read(input)?;
        let (first, mass) = (Value::read(input)?, Value::read(input)?);
        let [position, velocity, force] = [vector(input)?, vector(input)?, vector(input)?];
        let periods = Value::read(input)?;
        let [spin, torque, momentum, moments] = [vector(input)?, vector(input)?, vector(input)?, vector(input)?];
        let main = Value::read(input)?;
        let held = held != 0;
        Some(Self {
            number,
            shape,
            first,
            members,
            position,
            periods,
            velocity,
            spin,
            force,
            torque,
            mass,
            held,
            main,
            momentum,
            moments,
        })
    }
}

fn vector<const N: usize>(input: &mut Source<'_>) -> Option<[f64; N]> {
    Value::read(input)
}

impl<const D: usize> Clumps<D>
where
    Axes: Dimension<D>,
{
    /// From what was saved; nothing where numbers do not grow.
    pub fn from_parts(bodies: Vec<Clump<D>>, next: u32) -> Option<Self> {
        let is_sorted = bodies.is_sorted_by(|a, b| a.number < b.number);
        let is_below = bodies.last().is_none_or(|last| last.number < next);
        (is_sorted && is_below).then(|| Self { bodies, next, ..Self::default() })
    }

    /// Whether all members of all clumps are there, and nobody says to be a member who is none.
    pub fn are_whole(&self, state: &State<D>, shapes: &[ClumpShape<D>]) -> bool {
        let fits = |body: &Clump<D>| {
            let shape = shapes.get(body.shape as usize);
            shape.is_some_and(|shape| shape.members().len() == body.members as usize) && body.mass > 0.0
        };
        let members: usize = self.bodies.iter().map(|body| body.members as usize).sum();
        let mut found = 0;
        for (&id, &number) in state.ids.iter().zip(&state.clumps).filter(|(_, number)| **number != NOBODY) {
            let Some(index) = self.index_of(number) else { return false };
            let body = &self.bodies[index];
            if !(body.first..body.first + u64::from(body.members)).contains(&id) {
                return false;
            }
            found += 1;
        }
        self.bodies.iter().all(fits) && found == members
    }
}
