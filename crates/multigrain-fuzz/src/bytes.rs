//! Choices and numbers out of bytes.

use multigrain::Rng;

/// Bytes as a source of choices. Where they are used up, random numbers that they are the seed of follow: few bytes make rich
/// cases too, and the same bytes always the same.
pub struct Bytes<'a> {
    rest: &'a [u8],
    rng: Rng,
}

impl<'a> Bytes<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes, rng: Rng::new(hash(bytes)) }
    }

    /// Choices apart from those that the bytes make: what is chosen by them since leaves the meaning of inputs that were kept as it was.
    pub fn apart(bytes: &'a [u8]) -> Self {
        Self { rest: &[], rng: Rng::new(!hash(bytes)) }
    }

    pub fn byte(&mut self) -> u8 {
        match self.rest.split_first() {
            Some((&byte, rest)) => {
                self.rest = rest;
                byte
            }
            None => self.rng.next_u64() as u8,
        }
    }

    pub fn number(&mut self) -> u64 {
        u64::from_le_bytes(std::array::from_fn(|_| self.byte()))
    }

    /// A number below `n`, which is not 0.
    pub fn below(&mut self, n: u64) -> u64 {
        if n <= 256 { u64::from(self.byte()) % n } else { self.number() % n }
    }

    /// Whether a choice of one in `n` came out.
    pub fn is_one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// From 0 to 1.
    pub fn uniform(&mut self) -> f64 {
        let bits = u32::from_le_bytes(std::array::from_fn(|_| self.byte()));
        f64::from(bits) / (f64::from(u32::MAX) + 1.0)
    }

    /// From -1 to 1.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.uniform() - 1.0
    }

    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize]
    }
}

/// A hash of bytes.
pub fn hash(bytes: &[u8]) -> u64 {
    let step = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
