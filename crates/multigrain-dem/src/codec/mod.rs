//! A simulation as bytes, and back, bit for bit.
//!
//! ```text
//! magic 8 bytes | version u32 | dimension u32 | description of the physics, as a list of bytes
//! time step, steps, counts, energies of those that are gone | columns of the state, by id | contacts, by id | checksum u64
//! ```
//!
//! All numbers are little-endian; a list is its length (u64) and its items. Contacts are rows by particle: where each row begins,
//! then keys, then what is remembered.

pub(crate) mod stream;

use crate::contacts::{Key, Kind, Memory};
use crate::describe::differences;
use crate::error::Error;
use crate::exact_sum::ExactSum;
use crate::setup::{Changes, Setup, TimeStep};
use crate::simulation::Simulation;
use crate::state::{Derivatives, ROUND, State};
use multigrain::{Axes, Dimension};
use std::borrow::Cow;
use std::io::{self, Read, Seek, Write};
use stream::{Sink, Source, open};

const MAGIC: [u8; 8] = *b"mgraindm";

/// Grows with every change of the format.
const VERSION: u32 = 4;

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Everything that changes while a simulation runs, contact history included, with a checksum. What the simulation was told
    /// is in it as a description: [`Setup::resume`] takes the setup again, and refuses one with other physics.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Err(error) = self.encode_to(&mut bytes) {
            unreachable!("memory takes all bytes: {error}");
        }
        bytes
    }

    /// The same bytes, handed on in small blocks: of a large simulation no second copy is made but of its contacts.
    pub fn encode_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sink = Sink::new(out);
        MAGIC.write(&mut sink);
        VERSION.write(&mut sink);
        (D as u32).write(&mut sink);
        write_list(self.setup.physics.describe().as_bytes(), &mut sink);
        self.time_step.write(&mut sink);
        self.steps.write(&mut sink);
        self.removed.write(&mut sink);
        self.gone.iter().for_each(|sum| sum.to_words().write(&mut sink));
        write_list(&self.made, &mut sink);
        let order = self.state.places_by_id();
        self.state.write(&order, &mut sink);
        let memory = match &self.contacts.memory {
            Some(memory) => Cow::Borrowed(memory),
            None => Cow::Owned(self.contacts.by_ids(&self.candidates, &self.state)),
        };
        (memory.keys.len() as u64).write(&mut sink);
        for &place in &order {
            let row = memory.row(place as usize);
            (row.len() as u32).write(&mut sink);
            for contact in row {
                memory.keys[contact].write(&mut sink);
                memory.numbers(contact).iter().for_each(|number| number.write(&mut sink));
            }
        }
        sink.end()
    }

    /// From what [`encode_to`](Self::encode_to) wrote: read twice, once for the checksum and once for what it says, a block at a
    /// time.
    pub(crate) fn decode(setup: Setup<D>, input: &mut (impl Read + Seek), changes: Changes) -> Result<Self, Error> {
        let mut simulation = Self::prepare(setup)?;
        let refuse = |problem: &str| Error::Saved { problem: problem.to_owned() };
        let unfit = || refuse("its contents do not fit together");
        let mut source = open(input, MAGIC, VERSION)?;
        let dimension = u32::read(&mut source);
        if dimension != Some(D as u32) {
            let problem = format!("it has {} dimensions, the setup has {D}", dimension.unwrap_or(0));
            return Err(Error::Saved { problem });
        }
        let bytes: Vec<u8> = read_list(&mut source).ok_or_else(unfit)?;
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

    fn read_rest(&mut self, input: &mut Source<'_>) -> Option<()> {
        self.time_step = f64::read(input)?;
        self.steps = u64::read(input)?;
        self.removed = u64::read(input)?;
        for sum in &mut self.gone {
            *sum = ExactSum::from_words(&words(input)?)?;
        }
        let made = read_list(input)?;
        if made.len() != self.made.len() {
            return None;
        }
        self.made = made;
        self.state = State::read(input)?;
        let (state, materials) = (&self.state, self.setup.physics.materials.len());
        let is_sorted = state.ids.is_sorted_by(|a, b| a < b) && state.ids.last().is_none_or(|&id| id < state.next_id);
        let have_materials = state.materials.iter().all(|&material| usize::from(material) < materials);
        let shapes = self.setup.physics.shapes.len();
        let have_shapes = state.shapes.iter().all(|&shape| shape == ROUND || (shape as usize) < shapes);
        if !(state.is_whole(self.columns()) && is_sorted && have_materials && have_shapes) {
            return None;
        }
        let (faces, mut left) = (self.obstacles.len() as u32, u64::read(input)?);
        let mut memory = Memory::new(self.contacts.stride);
        for _ in 0..state.len() {
            let count = u64::from(u32::read(input)?);
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
        self.obstacles.move_to(self.time());
        (left == 0 && input.left == 0).then_some(())
    }
}

impl<const D: usize> Value for Key<D> {
    fn write(&self, out: &mut Sink<'_>) {
        (self.kind as u8).write(out);
        self.other.write(out);
        self.image.write(out);
    }

    fn read(input: &mut Source<'_>) -> Option<Self> {
        let kind = match u8::read(input)? {
            0 => Kind::Face,
            1 => Kind::Particle,
            _ => return None,
        };
        Some(Self { kind, other: Value::read(input)?, image: Value::read(input)? })
    }
}

fn words<const N: usize>(input: &mut Source<'_>) -> Option<[u64; N]> {
    let mut words = [0; N];
    for word in &mut words {
        *word = u64::read(input)?;
    }
    Some(words)
}

/// What is written as a fixed number of bytes.
pub(crate) trait Value: Sized {
    fn write(&self, out: &mut Sink<'_>);
    fn read(input: &mut Source<'_>) -> Option<Self>;
}

macro_rules! number {
    ($($type:ty)*) => {$(
        impl Value for $type {
            fn write(&self, out: &mut Sink<'_>) {
                out.put(&self.to_le_bytes());
            }

            fn read(input: &mut Source<'_>) -> Option<Self> {
                Some(Self::from_le_bytes(input.take()?))
            }
        }
    )*};
}

number! { u8 u16 u32 u64 i32 f64 }

impl<T: Value + Copy + Default, const N: usize> Value for [T; N] {
    fn write(&self, out: &mut Sink<'_>) {
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
    fn write(&self, out: &mut Sink<'_>) {
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
    (list.len() as u64).write(out);
    list.iter().for_each(|item| item.write(out));
}

/// A column in this order of places; one that is not there stays empty.
pub(crate) fn write_in_order<T: Value>(column: &[T], order: &[u32], out: &mut Sink<'_>) {
    (column.len() as u64).write(out);
    if !column.is_empty() {
        order.iter().for_each(|&place| column[place as usize].write(out));
    }
}

pub(crate) fn read_list<T: Value>(input: &mut Source<'_>) -> Option<Vec<T>> {
    let length = u64::read(input)?;
    // Every item takes a byte at least: a longer list cannot be there, and must not be asked memory for.
    if length > input.left {
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
        assert_eq!(read_list::<u32>(&mut Source::new(&mut &bytes[..], 8)), None);
    }
}
