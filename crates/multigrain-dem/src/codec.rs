//! A simulation as bytes, and back, bit for bit.
//!
//! ```text
//! magic 8 bytes | version u32 | dimension u32 | hash of the physics u64 | time step, steps, counts, energies lost and given
//! columns of the state | contacts | contacts with walls | checksum u64 of all before
//! ```
//!
//! All numbers are little-endian; a list is its length (u64) and its items.

use crate::checksum::{Checksum, checksum};
use crate::contacts::{Push, Saved};
use crate::error::Error;
use crate::integrator::Integrator;
use crate::setup::Setup;
use crate::simulation::Simulation;
use crate::state::{Derivatives, State};
use crate::threads;
use crate::walls::WallContact;
use std::io::{self, Write};

const MAGIC: [u8; 8] = *b"mgraindm";

/// Grows with every change of the format.
const VERSION: u32 = 2;

/// Bytes that are gathered before they are handed on.
const BLOCK: usize = 1 << 16;

impl<const D: usize> Simulation<D> {
    /// Everything that changes while a simulation runs, contact history included, with a checksum. What the simulation was told
    /// is not in it: [`Setup::resume`] takes the setup again, and refuses one with other physics.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if let Err(error) = self.encode_to(&mut bytes) {
            unreachable!("memory takes all bytes: {error}");
        }
        bytes
    }

    /// The same bytes, handed on in small blocks: of a large simulation no second copy is made.
    pub fn encode_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut sink = Sink::new(out);
        MAGIC.write(&mut sink);
        VERSION.write(&mut sink);
        (D as u32).write(&mut sink);
        physics_hash(&self.setup).write(&mut sink);
        self.time_step.write(&mut sink);
        self.steps.write(&mut sink);
        self.removed.write(&mut sink);
        self.dissipated.write(&mut sink);
        self.stored.write(&mut sink);
        self.wall_work.write(&mut sink);
        write_list(&self.made, &mut sink);
        self.state.write(&mut sink);
        (self.contacts.len() as u64).write(&mut sink);
        self.contacts.saved().for_each(|contact| contact.write(&mut sink));
        (self.wall_contacts.contacts().count() as u64).write(&mut sink);
        self.wall_contacts.contacts().for_each(|touch| touch.write(&mut sink));
        sink.end()
    }

    pub(crate) fn decode(setup: Setup<D>, bytes: &[u8]) -> Result<Self, Error> {
        let mut simulation = Self::prepare(setup)?;
        let refuse = |problem: &str| Error::Saved { problem: problem.to_owned() };
        let Some((body, sum)) = bytes.split_last_chunk::<8>().filter(|(body, _)| body.len() >= 16) else {
            return Err(refuse("it is too short to be one"));
        };
        if body[..8] != MAGIC {
            return Err(refuse("it does not begin as one; is it another kind of file?"));
        }
        let mut input = &body[8..];
        let version = u32::read(&mut input);
        if version != Some(VERSION) {
            let problem = format!("it has version {}, this program reads {VERSION}", version.unwrap_or(0));
            return Err(Error::Saved { problem });
        }
        if sum_of(body) != u64::from_le_bytes(*sum) {
            return Err(refuse("its checksum is wrong: it was cut short or changed; take an earlier one"));
        }
        let dimension = u32::read(&mut input);
        if dimension != Some(D as u32) {
            let problem = format!("it has {} dimensions, the setup has {D}", dimension.unwrap_or(0));
            return Err(Error::Saved { problem });
        }
        if u64::read(&mut input) != Some(physics_hash(&simulation.setup)) {
            return Err(refuse(
                "it was made with other materials, walls, gravity or other physics than this setup has",
            ));
        }
        simulation.read_rest(&mut input).ok_or_else(|| refuse("its contents do not fit together"))?;
        Ok(simulation)
    }

    fn read_rest(&mut self, input: &mut &[u8]) -> Option<()> {
        self.time_step = f64::read(input)?;
        self.steps = u64::read(input)?;
        self.removed = u64::read(input)?;
        self.dissipated = f64::read(input)?;
        self.stored = f64::read(input)?;
        self.wall_work = f64::read(input)?;
        let made = read_list(input)?;
        if made.len() != self.made.len() {
            return None;
        }
        self.made = made;
        self.state = State::read(input)?;
        let physics = &self.setup.physics;
        let has_images = physics.domain.has_images();
        let is_gear = physics.integrator == Integrator::Gear;
        if !self.state.is_whole(has_images, is_gear, physics.materials.len()) {
            return None;
        }
        let particles = self.state.len() as u32;
        let contacts: Vec<Saved<D>> = read_list(input)?;
        if contacts.iter().any(|contact| contact.owner >= particles || contact.partner >= particles)
            || !contacts.is_sorted_by_key(|contact| contact.owner)
        {
            return None;
        }
        self.contacts.fill(&self.state, has_images, self.laws.has_friction(), &contacts);
        let touches: Vec<WallContact<D>> = read_list(input)?;
        let surfaces = self.obstacles.len() as u32;
        if touches.iter().any(|touch| touch.place >= particles || touch.feature >= surfaces) {
            return None;
        }
        let bits = threads::block_bits(self.state.len());
        self.wall_contacts.fill(touches, bits, self.state.len().div_ceil(1 << bits));
        self.obstacles.move_to(self.time());
        input.is_empty().then_some(())
    }
}

impl<const D: usize> State<D> {
    fn write(&self, out: &mut Sink<'_>) {
        self.next_id.write(out);
        write_list(&self.ids, out);
        write_list(&self.positions, out);
        write_list(&self.velocities, out);
        write_list(&self.forces, out);
        write_list(&self.spins, out);
        write_list(&self.torques, out);
        write_list(&self.radii, out);
        write_list(&self.masses, out);
        write_list(&self.inverse_masses, out);
        write_list(&self.inverse_inertias, out);
        write_list(&self.materials, out);
        write_list(&self.periods, out);
        write_list(&self.derivatives, out);
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        Some(Self {
            next_id: u32::read(input)?,
            ids: read_list(input)?,
            positions: read_list(input)?,
            velocities: read_list(input)?,
            forces: read_list(input)?,
            spins: read_list(input)?,
            torques: read_list(input)?,
            radii: read_list(input)?,
            masses: read_list(input)?,
            inverse_masses: read_list(input)?,
            inverse_inertias: read_list(input)?,
            materials: read_list(input)?,
            periods: read_list(input)?,
            derivatives: read_list(input)?,
        })
    }

    /// Whether all columns have an entry for each particle, and every particle a material.
    fn is_whole(&self, has_images: bool, is_gear: bool, materials: usize) -> bool {
        let lengths = [
            self.positions.len(),
            self.velocities.len(),
            self.forces.len(),
            self.spins.len(),
            self.torques.len(),
            self.radii.len(),
            self.masses.len(),
            self.inverse_masses.len(),
            self.inverse_inertias.len(),
            self.materials.len(),
        ];
        let optional = |has: bool| if has { self.len() } else { 0 };
        lengths.iter().all(|&length| length == self.len())
            && self.periods.len() == optional(has_images)
            && self.derivatives.len() == optional(is_gear)
            && self.materials.iter().all(|&material| usize::from(material) < materials)
            && self.ids.iter().all(|&id| id < self.next_id)
    }
}

/// Takes bytes, adds them up, and hands them on in blocks.
struct Sink<'a> {
    out: &'a mut dyn Write,
    block: Vec<u8>,
    sum: Checksum,
    length: u64,
    /// The first failure: nothing is handed on after it.
    result: io::Result<()>,
}

impl<'a> Sink<'a> {
    fn new(out: &'a mut dyn Write) -> Self {
        Self { out, block: Vec::with_capacity(BLOCK + 64), sum: Checksum::new(0), length: 0, result: Ok(()) }
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.block.extend_from_slice(bytes);
        if self.block.len() >= BLOCK {
            self.hand_on();
        }
    }

    fn hand_on(&mut self) {
        self.sum.add(&self.block);
        self.length += self.block.len() as u64;
        if self.result.is_ok() {
            self.result = self.out.write_all(&self.block);
        }
        self.block.clear();
    }

    /// Hands on what is left, and the checksum of all.
    fn end(mut self) -> io::Result<()> {
        self.hand_on();
        self.result?;
        self.out.write_all(&end_of(self.sum, self.length).to_le_bytes())
    }
}

/// The checksum of bytes as it stands behind them: their number is known only at their end.
fn end_of(mut sum: Checksum, length: u64) -> u64 {
    sum.add(&length.to_le_bytes());
    sum.end()
}

fn sum_of(bytes: &[u8]) -> u64 {
    let mut sum = Checksum::new(0);
    sum.add(bytes);
    end_of(sum, bytes.len() as u64)
}

/// What is written as a fixed number of bytes.
trait Value: Sized {
    fn write(&self, out: &mut Sink<'_>);
    fn read(input: &mut &[u8]) -> Option<Self>;
}

macro_rules! number {
    ($($type:ty)*) => {$(
        impl Value for $type {
            fn write(&self, out: &mut Sink<'_>) {
                out.put(&self.to_le_bytes());
            }

            fn read(input: &mut &[u8]) -> Option<Self> {
                let (bytes, rest) = input.split_first_chunk()?;
                *input = rest;
                Some(Self::from_le_bytes(*bytes))
            }
        }
    )*};
}

number! { u8 u16 u32 u64 i32 f64 }

impl<T: Value + Copy + Default, const N: usize> Value for [T; N] {
    fn write(&self, out: &mut Sink<'_>) {
        self.iter().for_each(|item| item.write(out));
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
        let mut array = [T::default(); N];
        for item in &mut array {
            *item = T::read(input)?;
        }
        Some(array)
    }
}

/// Structs are written field after field.
macro_rules! fields {
    ($type:ident<$D:ident> { $($field:ident),* }) => {
        impl<const $D: usize> Value for $type<$D> {
            fn write(&self, out: &mut Sink<'_>) {
                $(self.$field.write(out);)*
            }

            fn read(input: &mut &[u8]) -> Option<Self> {
                Some(Self { $($field: Value::read(input)?),* })
            }
        }
    };
}

fields! { Push<D> { force, moment, half_overlap } }
fields! { Saved<D> { owner, partner, shift, image, spring, push } }
fields! { WallContact<D> { place, feature, normal, overlap, spring, force } }

impl<const D: usize> Value for Derivatives<D> {
    fn write(&self, out: &mut Sink<'_>) {
        self.position.iter().for_each(|item| item.write(out));
        self.angle.iter().for_each(|item| item.write(out));
    }

    fn read(input: &mut &[u8]) -> Option<Self> {
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

fn write_list<T: Value>(list: &[T], out: &mut Sink<'_>) {
    (list.len() as u64).write(out);
    list.iter().for_each(|item| item.write(out));
}

fn read_list<T: Value>(input: &mut &[u8]) -> Option<Vec<T>> {
    let length = u64::read(input)?;
    // Every item takes a byte at least: a longer list cannot be there, and must not be asked memory for.
    if length > input.len() as u64 {
        return None;
    }
    (0..length).map(|_| T::read(input)).collect()
}

/// A hash of what decides the course of a simulation. Its debug text has every number in full.
fn physics_hash<const D: usize>(setup: &Setup<D>) -> u64 {
    checksum(format!("{:?}", setup.physics).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_claims_more_than_there_is_asks_for_no_memory() {
        let bytes = u64::MAX.to_le_bytes();
        assert_eq!(read_list::<u32>(&mut &bytes[..]), None);
    }
}
