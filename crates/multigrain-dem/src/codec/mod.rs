//! A simulation as bytes, and back, bit for bit.
//!
//! ```text
//! magic 8 bytes | version u32 | dimension u32 | hash of the physics u64 | time step, steps, counts, energies lost and given
//! columns of the state | contacts | contacts with walls | checksum u64 of all before
//! ```
//!
//! All numbers are little-endian; a list is its length (u64) and its items.

pub(crate) mod stream;

use crate::checksum::checksum;
use crate::contacts::{Push, Saved};
use crate::error::Error;
use crate::integrator::Integrator;
use crate::setup::Setup;
use crate::simulation::Simulation;
use crate::state::{Derivatives, State};
use crate::threads;
use crate::walls::WallContact;
use std::io::{self, Read, Seek, Write};
use stream::{Sink, Source, open};

const MAGIC: [u8; 8] = *b"mgraindm";

/// Grows with every change of the format.
const VERSION: u32 = 2;

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

    /// From what [`encode_to`](Self::encode_to) wrote: read twice, once for the checksum and once for what it says, a block at a
    /// time.
    pub(crate) fn decode(setup: Setup<D>, input: &mut (impl Read + Seek)) -> Result<Self, Error> {
        let mut simulation = Self::prepare(setup)?;
        let refuse = |problem: &str| Error::Saved { problem: problem.to_owned() };
        let mut source = open(input, MAGIC, VERSION)?;
        let dimension = u32::read(&mut source);
        if dimension != Some(D as u32) {
            let problem = format!("it has {} dimensions, the setup has {D}", dimension.unwrap_or(0));
            return Err(Error::Saved { problem });
        }
        if u64::read(&mut source) != Some(physics_hash(&simulation.setup)) {
            return Err(refuse(
                "it was made with other materials, walls, gravity or other physics than this setup has",
            ));
        }
        simulation.read_rest(&mut source).ok_or_else(|| refuse("its contents do not fit together"))?;
        Ok(simulation)
    }

    fn read_rest(&mut self, input: &mut Source<'_>) -> Option<()> {
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
        let contacts = u64::read(input)?;
        self.contacts.fill(&self.state, self.kept(), contacts, || Saved::read(input))?;
        let particles = self.state.len() as u32;
        let touches: Vec<WallContact<D>> = read_list(input)?;
        let surfaces = self.obstacles.len() as u32;
        if touches.iter().any(|touch| touch.place >= particles || touch.feature >= surfaces) {
            return None;
        }
        let bits = threads::block_bits(self.state.len());
        self.wall_contacts.fill(touches, bits, self.state.len().div_ceil(1 << bits));
        self.obstacles.move_to(self.time());
        (input.left == 0).then_some(())
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

    fn read(input: &mut Source<'_>) -> Option<Self> {
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

/// Structs are written field after field.
macro_rules! fields {
    ($type:ident<$D:ident> { $($field:ident),* }) => {
        impl<const $D: usize> Value for $type<$D> {
            fn write(&self, out: &mut Sink<'_>) {
                $(self.$field.write(out);)*
            }

            fn read(input: &mut Source<'_>) -> Option<Self> {
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

pub(crate) fn read_list<T: Value>(input: &mut Source<'_>) -> Option<Vec<T>> {
    let length = u64::read(input)?;
    // Every item takes a byte at least: a longer list cannot be there, and must not be asked memory for.
    if length > input.left {
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
        assert_eq!(read_list::<u32>(&mut Source::new(&mut &bytes[..], 8)), None);
    }
}
