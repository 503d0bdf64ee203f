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
        let turned = if self.angles.is_empty() { 0 } else { 1 };
        let bytes_each = size_of::<u32>() + size_of::<f64>() * (2 * D + 4 + turned);
        let mut hash = Hash::new((self.own() * bytes_each) as u64);
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
        hash.end()
    }
}

/// The hash of bytes so far, eight at a time.
#[derive(Debug, Clone)]
struct Hash {
    hash: u64,
    /// Bytes that do not make eight yet.
    rest: [u8; 8],
    held: usize,
}

impl Hash {
    fn new(seed: u64) -> Self {
        Self { hash: seed, rest: [0; 8], held: 0 }
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

    fn end(mut self) -> u64 {
        self.rest[self.held..].fill(0);
        let hash = mix(self.hash, u64::from_le_bytes(self.rest));
        hash ^ (hash >> 32)
    }
}

fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
}
