//! A hash of what particles are and where: equal states have equal hashes, in whatever order their columns are.

use super::State;
use multigrain::{Axes, Dimension};

impl<const D: usize> State<D>
where
    Axes: Dimension<D>,
{
    /// A hash of all ids, positions, velocities, spins and radii, and of angles where there are polygons, bit for bit, whatever the
    /// order of the columns. Guests are left out.
    pub fn fingerprint(&self) -> u64 {
        let mut hash = Fingerprint::new(self.fingerprint_bytes());
        self.add_to(&mut hash);
        hash.end()
    }

    /// How much a fingerprint takes of it.
    pub fn fingerprint_bytes(&self) -> u64 {
        let turned = if self.angles.is_empty() { 0 } else { 1 };
        (self.own() * (size_of::<u32>() + size_of::<f64>() * (2 * D + 4 + turned))) as u64
    }

    /// Adds it to the fingerprint of particles with lower ids.
    pub fn add_to(&self, hash: &mut Fingerprint) {
        for place in self.places_by_id().into_iter().map(|place| place as usize) {
            // Ids of 32 bits take no more: hashes are as old as they.
            match u32::try_from(self.ids[place]) {
                Ok(id) => hash.add(&id.to_le_bytes()),
                Err(_) => hash.add(&self.ids[place].to_le_bytes()),
            }
            let radius = &[self.radii[place]][..];
            for numbers in [&self.positions[place][..], &self.velocities[place], &self.spins[place], radius] {
                numbers.iter().for_each(|number| hash.add(&number.to_le_bytes()));
            }
            if let Some(angle) = self.angles.get(place) {
                hash.add(&angle.to_le_bytes());
            }
        }
    }
}

/// The fingerprint of particles so far, in the order of ids: a hash of eight bytes at a time.
#[derive(Debug, Clone, Copy)]
pub struct Fingerprint {
    hash: u64,
    /// Bytes that do not make eight yet.
    rest: [u8; 8],
    held: usize,
}

impl Fingerprint {
    /// Of no particle yet, but of as many [bytes](State::fingerprint_bytes) in the end.
    pub fn new(bytes: u64) -> Self {
        Self { hash: bytes, rest: [0; 8], held: 0 }
    }

    /// As words, to be handed to whoever has the next particles.
    pub fn to_words(&self) -> [u64; 3] {
        [self.hash, u64::from_le_bytes(self.rest), self.held as u64]
    }

    /// From [`to_words`](Self::to_words).
    pub fn from_words([hash, rest, held]: [u64; 3]) -> Self {
        Self { hash, rest: rest.to_le_bytes(), held: (held % 8) as usize }
    }

    /// Takes more bytes. It does not matter how they are cut.
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.rest[self.held] = byte;
            self.held += 1;
            if self.held == 8 {
                self.hash = mix(self.hash, u64::from_le_bytes(self.rest));
                self.held = 0;
            }
        }
    }

    /// The hash of all.
    pub fn end(mut self) -> u64 {
        self.rest[self.held..].fill(0);
        let hash = mix(self.hash, u64::from_le_bytes(self.rest));
        hash ^ (hash >> 32)
    }
}

fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
}
