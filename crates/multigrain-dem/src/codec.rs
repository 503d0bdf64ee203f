//! A simulation as bytes, and back, bit for bit.
//!
//! ```text
//! magic 8 bytes | version u32 | dimension u32 | hash of the physics u64 | time step, steps, counts
//! columns of the state | contacts | contacts with walls | checksum u64 of all before
//! ```
//!
//! All numbers are little-endian; a list is its length (u64) and its items.

use crate::contacts::{Push, Saved};
use crate::error::Error;
use crate::integrator::Integrator;
use crate::setup::Setup;
use crate::simulation::Simulation;
use crate::state::{Derivatives, State};
use crate::threads;
use crate::walls::WallContact;

const MAGIC: [u8; 8] = *b"mgraindm";

/// Grows with every change of the format.
const VERSION: u32 = 1;

impl<const D: usize> Simulation<D> {
    /// Everything that changes while a simulation runs, contact history included, with a checksum. What the simulation was told
    /// is not in it: [`Setup::resume`] takes the setup again, and refuses one with other physics.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(64 + self.state.len() * (D * 24 + 96) + self.contacts.len() * 96);
        MAGIC.write(&mut out);
        VERSION.write(&mut out);
        (D as u32).write(&mut out);
        physics_hash(&self.setup).write(&mut out);
        self.time_step.write(&mut out);
        self.steps.write(&mut out);
        self.removed.write(&mut out);
        write_list(&self.made, &mut out);
        self.state.write(&mut out);
        (self.contacts.len() as u64).write(&mut out);
        self.contacts.saved().for_each(|contact| contact.write(&mut out));
        let touches: Vec<WallContact<D>> = self.wall_contacts.contacts().copied().collect();
        write_list(&touches, &mut out);
        checksum(&out).write(&mut out);
        out
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
        if checksum(body) != u64::from_le_bytes(*sum) {
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
        input.is_empty().then_some(())
    }
}

impl<const D: usize> State<D> {
    fn write(&self, out: &mut Vec<u8>) {
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

/// What is written as a fixed number of bytes.
pub(crate) trait Value: Sized {
    fn write(&self, out: &mut Vec<u8>);
    fn read(input: &mut &[u8]) -> Option<Self>;
}

macro_rules! number {
    ($($type:ty)*) => {$(
        impl Value for $type {
            fn write(&self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
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
    fn write(&self, out: &mut Vec<u8>) {
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
            fn write(&self, out: &mut Vec<u8>) {
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
    fn write(&self, out: &mut Vec<u8>) {
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

pub(crate) fn write_list<T: Value>(list: &[T], out: &mut Vec<u8>) {
    (list.len() as u64).write(out);
    list.iter().for_each(|item| item.write(out));
}

pub(crate) fn read_list<T: Value>(input: &mut &[u8]) -> Option<Vec<T>> {
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

/// A hash of bytes, eight at a time: a changed, lost or exchanged byte changes it.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, word: u64| {
        let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
    };
    let (words, rest) = bytes.as_chunks::<8>();
    let hash = words.iter().fold(bytes.len() as u64, |hash, &word| mix(hash, u64::from_le_bytes(word)));
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let hash = mix(hash, u64::from_le_bytes(last));
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_see_every_changed_lost_and_exchanged_byte() {
        let bytes: Vec<u8> = (0..100).map(|k| (k * 7) as u8).collect();
        let sum = checksum(&bytes);
        for k in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[k] ^= 1;
            assert_ne!(checksum(&changed), sum);
            assert_ne!(checksum(&bytes[..k]), sum);
            if k > 0 {
                let mut exchanged = bytes.clone();
                exchanged.swap(k - 1, k);
                assert_ne!(checksum(&exchanged), sum);
            }
        }
    }

    #[test]
    fn a_list_that_claims_more_than_there_is_asks_for_no_memory() {
        let mut bytes = Vec::new();
        u64::MAX.write(&mut bytes);
        assert_eq!(read_list::<u32>(&mut &bytes[..]), None);
    }
}
