//! A hash of bytes, eight at a time, as they come: a changed, lost or exchanged byte changes it.

/// The hash of bytes so far.
#[derive(Debug, Clone)]
pub(crate) struct Checksum {
    hash: u64,
    /// Bytes that do not make eight yet.
    rest: [u8; 8],
    held: usize,
}

impl Checksum {
    /// Of no bytes yet. Where their number is known, it is a good seed: then a zero at the end is seen too.
    pub fn new(seed: u64) -> Self {
        Self { hash: seed, rest: [0; 8], held: 0 }
    }

    /// Takes more bytes. It does not matter how they are cut.
    pub fn add(&mut self, mut bytes: &[u8]) {
        if self.held > 0 {
            let (first, others) = bytes.split_at(bytes.len().min(8 - self.held));
            self.rest[self.held..self.held + first.len()].copy_from_slice(first);
            self.held += first.len();
            bytes = others;
            if self.held < 8 {
                return;
            }
            self.hash = mix(self.hash, u64::from_le_bytes(self.rest));
        }
        let (words, rest) = bytes.as_chunks::<8>();
        self.hash = words.iter().fold(self.hash, |hash, &word| mix(hash, u64::from_le_bytes(word)));
        self.rest[..rest.len()].copy_from_slice(rest);
        self.held = rest.len();
    }

    /// The hash of all bytes.
    pub fn end(mut self) -> u64 {
        self.rest[self.held..].fill(0);
        let hash = mix(self.hash, u64::from_le_bytes(self.rest));
        hash ^ (hash >> 32)
    }
}

/// The hash of bytes that are all there.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let mut sum = Checksum::new(bytes.len() as u64);
    sum.add(bytes);
    sum.end()
}

fn mix(hash: u64, word: u64) -> u64 {
    let mixed = (hash ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(31)
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
    fn it_does_not_matter_how_bytes_are_cut() {
        let bytes: Vec<u8> = (0..50).collect();
        for first in 0..bytes.len() {
            for second in first..bytes.len() {
                let mut sum = Checksum::new(50);
                for part in [&bytes[..first], &bytes[first..second], &bytes[second..]] {
                    sum.add(part);
                }
                assert_eq!(sum.end(), checksum(&bytes), "{first} {second}");
            }
        }
    }
}
