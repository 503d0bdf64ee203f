//! A simulation as bytes, and back, bit for bit.
//!
//! ```text
//! magic 8 bytes | version u32 | dimension u32 | description of the physics, as a list of bytes
//! time step, steps, counts, radius from which on particles are giants, energies of those that are gone, servos and wear of walls | the box, where it moves | clumps |
//! columns of the state, by id | contacts, by id | checksum
//! ```
//!
//! All numbers are little-endian and take eight bytes each, whatever their kind in memory; a list is its length and its items, one
//! of bytes is filled up to whole words. Contacts are rows by particle: how many, then the key of each and what it remembers. So
//! every particle takes the same whole words of every column and its own of the contacts: parts can be written apart, and the
//! checksum put together ([`Checksum`](crate::Checksum)).

mod slice;
pub(crate) mod stream;

pub use slice::Slice;

use crate::clumps::Clumps;
use crate::compiled;
use crate::contacts::{Key, Kind, Memory};
use crate::describe::differences;
use crate::error::Error;
use crate::exact_sum::ExactSum;
use crate::flow::{Made, Passed};
use crate::setup::{Changes, Setup, TimeStep};
use crate::simulation::Simulation;
use crate::space::{Moving, Space, zero};
use crate::state::{Derivatives, ROUND, State};
use multigrain::{Axes, Dimension};
use std::borrow::Cow;
use std::io::{self, Read, Seek, Write};
use stream::{Input, Sink, Source, open};

const MAGIC: [u8; 8] = *b"mgraindm";

/// Grows with every change of the format.
const VERSION: u32 = 8;

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Everything that changes while a simulation runs, contact history included, with a checksum. What the simulation was given
    /// is in it as a description: [`Setup::resume`] takes the setup again, and refuses one with other physics.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Err(error) = self.encode_to(&mut bytes) {
            unreachable!("memory takes all bytes: {error}");
        }
        bytes
    }

    /// The checksum of what [`encode`](Self::encode) gives: the same for simulations that are the same.
    pub fn checksum(&self) -> u64 {
        let mut end = LastWord([0; 8]);
        if let Err(error) = self.encode_to(&mut end) {
            unreachable!("nothing is kept: {error}");
        }
        u64::from_le_bytes(end.0)
    }

    /// The same bytes, handed on in small blocks: of a large simulation no second copy is made but of its contacts.
    pub fn encode_to(&self, out: &mut dyn Write) -> io::Result<()> {
        compiled::encode_to(self, out)
    }

    pub(crate) fn encode_to_here(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sink = Sink::new(out);
        self.write(&mut sink);
        sink.end()
    }

    fn write(&self, sink: &mut Sink<'_>) {
        sink.put(&Magic(VERSION, D as u32));
        sink.put_bytes(self.setup.physics.describe().as_bytes());
        sink.put(&self.time_step);
        sink.put(&self.steps);
        sink.put(&self.removed);
        sink.put(&self.bonds_made);
        sink.put(&self.giant_radius);
        self.gone.iter().for_each(|sum| sink.put(&sum.to_words()));
        for made in &self.made {
            sink.put(&made.grains);
            sink.put(&made.mass);
        }
        for passed in &self.passed {
            sink.put(&(passed.grains as u64));
            sink.put(&passed.mass.to_words());
        }
        self.on_walls.write(sink);
        self.write_box(sink);
        sink.begin_list(self.clumps.bodies.len() as u64);
        self.clumps.bodies.iter().for_each(|clump| sink.put(clump));
        sink.end_list();
        sink.put(&self.clumps.next);
        let order = self.state.places_by_id();
        self.state.write(&order, sink);
        let memory = match &self.contacts.memory {
            Some(memory) => Cow::Borrowed(memory),
            None => Cow::Owned(self.contacts.by_ids(&self.candidates, &self.state)),
        };
        sink.begin_list(order.iter().map(|&place| memory.row(place as usize).len() as u64).sum::<u64>());
        for &place in &order {
            let row = memory.row(place as usize);
            sink.put(&(row.len() as u64));
            for contact in row {
                sink.put(&memory.keys[contact]);
                memory.numbers(contact).iter().for_each(|number| sink.put(number));
            }
        }
        sink.end_list();
    }

    /// From what [`encode_to`](Self::encode_to) wrote: read twice, once for the checksum and once for what it says, a block at a
    /// time.
    pub(crate) fn decode(setup: Setup<D>, input: &mut (impl Read + Seek), changes: Changes) -> Result<Self, Error> {
        compiled::decode(setup, input, changes)
    }

    pub(crate) fn decode_here(setup: Setup<D>, mut input: &mut dyn Input, changes: Changes) -> Result<Self, Error> {
        let mut simulation = Self::prepare(setup)?;
        let refuse = |problem: &str| Error::Saved { problem: problem.to_owned() };
        let unfit = || refuse("its contents do not fit together");
        let mut source = open(&mut input, MAGIC, VERSION)?;
        let dimension = source.take().map(u32::from_le_bytes);
        if dimension != Some(D as u32) {
            let problem = format!("it has {} dimensions, the setup has {D}", dimension.unwrap_or(0));
            return Err(Error::Saved { problem });
        }
        let bytes = read_bytes(&mut source).ok_or_else(unfit)?;
        let saved = String::from_utf8(bytes).map_err(|_| unfit())?;
        let differences = differences(&saved, &simulation.setup.physics.describe());
        if let Some(first) = differences.first() {
            let is_kept = differences.iter().all(|difference| difference.is_number);
            if changes == Changes::Refused || !is_kept {
                let worst = differences.iter().find(|difference| !difference.is_number).unwrap_or(first);
                return Err(Error::OtherPhysics { difference: worst.to_string() });
            }
            simulation.changes = differences.iter().map(ToString::to_string).collect();
        }
        simulation.read_rest(&mut source).ok_or_else(unfit)?;
        let given = simulation.setup.physics.time_step;
        // The time of a simulation is the number of its steps: other steps would be another time.
        if matches!(given, TimeStep::Given(step) if step != simulation.time_step) {
            return Err(refuse("it has another time step than this setup, which cannot change on the way"));
        }
        Ok(simulation)
    }

    /// The box, where it moves.
    fn write_box(&self, out: &mut Sink<'_>) {
        if let Some(moving) = self.space.moving() {
            let (center, matrices, phase) = moving.parts();
            out.put(&center);
            matrices.iter().flatten().for_each(|row| out.put(row));
            out.put(&phase);
        }
    }

    fn read_box(&mut self, input: &mut Source<'_>) -> Option<()> {
        if self.space.moving().is_some() {
            let center = Value::read(input)?;
            let mut matrices = [zero::<D>(); 4];
            for row in matrices.iter_mut().flatten() {
                *row = Value::read(input)?;
            }
            let moving = Moving::from_parts(center, matrices, u32::read(input)?);
            self.space = Space::moved(self.setup.physics.domain, moving).ok()?;
        }
        Some(())
    }

    fn read_rest(&mut self, input: &mut Source<'_>) -> Option<()> {
        self.time_step = Some(f64::read(input)?).filter(|&step| step > 0.0 && step.is_finite())?;
        // A step more must be a number, too.
        self.steps = Some(u64::read(input)?).filter(|&steps| steps < MAX_STEPS)?;
        self.removed = u64::read(input)?;
        self.bonds_made = u64::read(input)?;
        self.giant_radius = Some(f64::read(input)?).filter(|radius| *radius > 0.0)?;
        for sum in &mut self.gone {
            *sum = ExactSum::from_words(&Value::read(input)?)?;
        }
        // As many as the setup has: a description with other ones was refused.
        for made in &mut self.made {
            *made = Made { grains: u64::read(input)?, mass: Some(f64::read(input)?).filter(|mass| mass.is_finite())? };
        }
        for passed in &mut self.passed {
            let grains = u64::read(input)? as i64;
            *passed = Passed { grains, mass: ExactSum::from_words(&Value::read(input)?)? };
        }
        self.on_walls.read(input)?;
        self.read_box(input)?;
        self.clumps = Clumps::from_parts(read_list(input)?, u32::read(input)?)?;
        self.state = State::read(input)?;
        let (state, materials) = (&self.state, self.setup.physics.materials.len());
        let is_sorted = state.ids.is_sorted_by(|a, b| a < b) && state.ids.last().is_none_or(|&id| id < state.next_id);
        let have_materials = state.materials.iter().all(|&material| usize::from(material) < materials);
        let shapes = self.setup.physics.shapes.len();
        let have_clumps = self.clumps.are_whole(state, self.setup.physics.clump_shapes.as_slice());
        let have_shapes = state.shapes.iter().all(|&shape| shape == ROUND || (shape as usize) < shapes);
        // Differences of them must be numbers, too.
        let have_periods = state.periods.as_flattened().iter().all(|turns| turns.unsigned_abs() < MAX_PERIODS);
        let have_places = state.positions.iter().all(|&position| self.check_position(position, String::new).is_ok());
        if !(state.is_whole(self.columns())
            && is_sorted
            && have_places
            && have_materials
            && have_shapes
            && have_clumps
            && have_periods)
        {
            return None;
        }
        let (faces, mut left) = (self.obstacles.len() as u64, u64::read(input)?);
        let mut memory = Memory::new(self.contacts.stride);
        for _ in 0..state.len() {
            let count = u64::read(input)?;
            left = left.checked_sub(count)?;
            for _ in 0..count {
                let key: Key<D> = Value::read(input)?;
                if key.kind == Kind::Face && key.other >= faces {
                    return None;
                }
                memory.keys.push(key);
                for _ in 0..memory.stride {
                    memory.history.push(f64::read(input)?);
                }
            }
            memory.end_row();
        }
        self.contacts.memory = Some(memory);
        self.obstacles.move_to(self.time(), &self.on_walls.steering);
        (left == 0 && input.left == 0).then_some(())
    }
}

/// Keeps the last eight bytes that are written.
struct LastWord([u8; 8]);

impl Write for LastWord {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(last) = bytes.last_chunk() {
            self.0 = *last;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// How many steps a simulation may have taken: as many as a float counts.
const MAX_STEPS: u64 = 1 << 53;

/// How many periods a particle may have come along an axis.
const MAX_PERIODS: u32 = 1 << 29;

/// What all of it begins with.
struct Magic(u32, u32);

impl Value for Magic {
    const BYTES: usize = 16;

    fn write(&self, out: &mut Vec<u8>) {
        out.extend(MAGIC);
        out.extend(self.0.to_le_bytes());
        out.extend(self.1.to_le_bytes());
    }

    fn read(input: &mut Source<'_>) -> Option<Self> {
        (input.take()? == MAGIC).then_some(())?;
        Some(Self(u32::from_le_bytes(input.take()?), u32::from_le_bytes(input.take()?)))
    }
}

/// Marks the other of a key as a face.
const FACE: u64 = 1 << 63;

/// Marks it as a giant.
const GIANT: u64 = 1 << 62;

impl<const D: usize> Value for Key<D> {
    const BYTES: usize = 8 * (1 + D);

    fn write(&self, out: &mut Vec<u8>) {
        let mark = match self.kind {
            Kind::Face => FACE,
            Kind::Particle => 0,
            Kind::Giant => GIANT,
        };
        (self.other | mark).write(out);
        self.image.write(out);
    }

    fn read(input: &mut Source<'_>) -> Option<Self> {
        let other = u64::read(input)?;
        let kind = match (other & FACE, other & GIANT) {
            (0, 0) => Kind::Particle,
            (0, _) => Kind::Giant,
            _ => Kind::Face,
        };
        Some(Self { kind, other: other & !(FACE | GIANT), image: Value::read(input)? })
    }
}

/// What is written as a fixed number of whole words.
pub(crate) trait Value: Sized {
    /// How many bytes.
    const BYTES: usize;
    fn write(&self, out: &mut Vec<u8>);
    fn read(input: &mut Source<'_>) -> Option<Self>;

    /// How many bytes it has in messages of every step, which need no whole words.
    const NARROW: usize = Self::BYTES;

    fn write_narrow(&self, out: &mut Vec<u8>) {
        self.write(out);
    }

    fn read_narrow(input: &mut Source<'_>) -> Option<Self> {
        Self::read(input)
    }
}

macro_rules! number {
    ($($type:ty as $wide:ty),*) => {$(
        impl Value for $type {
            const BYTES: usize = 8;
            const NARROW: usize = size_of::<$type>();

            #[inline]
            fn write_narrow(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }

            #[inline]
            fn read_narrow(input: &mut Source<'_>) -> Option<Self> {
                input.take().map(<$type>::from_le_bytes)
            }

            #[inline]
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&<$wide>::from(*self).to_le_bytes());
            }

            #[inline]
            fn read(input: &mut Source<'_>) -> Option<Self> {
                <$wide>::from_le_bytes(input.take()?).try_into().ok()
            }
        }
    )*};
}

number! { u16 as u64, u32 as u64, u64 as u64, i32 as i64, f64 as f64 }

impl<T: Value + Copy + Default, const N: usize> Value for [T; N] {
    const BYTES: usize = N * T::BYTES;
    const NARROW: usize = N * T::NARROW;

    fn write_narrow(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.write_narrow(out));
    }

    fn read_narrow(input: &mut Source<'_>) -> Option<Self> {
        let mut array = [T::default(); N];
        for item in &mut array {
            *item = T::read_narrow(input)?;
        }
        Some(array)
    }

    fn write(&self, out: &mut Vec<u8>) {
        self.iter().for_each(|item| item.write(out));
    }

    fn read(input: &mut Source<'_>) -> Option<Self> {
        let mut array = [T::default(); N];
        for item in &mut array {
            *item = T::read(input)?;
        }
        Some(array)
    }
}

impl<const D: usize> Value for Derivatives<D> {
    const BYTES: usize = 24 * (D + 3);

    fn write(&self, out: &mut Vec<u8>) {
        self.position.iter().for_each(|item| item.write(out));
        self.angle.iter().for_each(|item| item.write(out));
    }

    fn read(input: &mut Source<'_>) -> Option<Self> {
        let mut derivatives = Self::ZERO;
        for item in &mut derivatives.position {
            *item = Value::read(input)?;
        }
        for item in &mut derivatives.angle {
            *item = Value::read(input)?;
        }
        Some(derivatives)
    }
}

pub(crate) fn write_list<T: Value>(list: &[T], out: &mut Sink<'_>) {
    out.put(&(list.len() as u64));
    list.iter().for_each(|item| out.put(item));
}

/// A column in this order of places; one that is not there stays empty.
pub(crate) fn write_in_order<T: Value>(column: &[T], order: &[u32], out: &mut Sink<'_>) {
    out.begin_list(if column.is_empty() { 0 } else { order.len() as u64 });
    if !column.is_empty() {
        order.iter().for_each(|&place| out.put(&column[place as usize]));
    }
    out.end_list();
}

/// What [`Sink::put_bytes`] wrote.
fn read_bytes(input: &mut Source<'_>) -> Option<Vec<u8>> {
    let length = u64::read(input)?;
    if length > input.left {
        return None;
    }
    let mut bytes = Vec::with_capacity(length as usize);
    while (bytes.len() as u64) < length {
        bytes.extend(input.take::<8>()?);
    }
    bytes.truncate(length as usize);
    Some(bytes)
}

pub(crate) fn read_list<T: Value>(input: &mut Source<'_>) -> Option<Vec<T>> {
    let length = u64::read(input)?;
    // Every item takes a word at least: a longer list cannot be there, and must not be asked memory for.
    if length > input.left / 8 {
        return None;
    }
    (0..length).map(|_| T::read(input)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_claims_more_than_there_is_asks_for_no_memory() {
        let bytes = u64::MAX.to_le_bytes();
        assert_eq!(read_list::<u64>(&mut Source::new(&mut &bytes[..], 8)), None);
    }
}
