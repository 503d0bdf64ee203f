//! A checksum of bytes that can be put together from those of their parts, so that parts can be written apart.

/// `2^61 - 1`, a prime.
const PRIME: u64 = (1 << 61) - 1;

/// The point at which the polynomial is taken.
const POINT: u64 = 0x0d1b_54a3_2d19_2ed0;

/// Marks the length, so that zeros in front are seen.
const LENGTH: u64 = 0x1357_9bdf_0246_8ace;

/// The checksum of whole words of eight bytes: halves of the words are coefficients of a polynomial modulo `2^61 - 1`. A changed,
/// lost or exchanged byte changes it, but for one chance in `2^61` or so.
///
/// ```
/// use multigrain_dem::Checksum;
/// let bytes: Vec<u8> = (0..48).collect();
/// let mut parts = Checksum::of(&bytes[..16]);
/// parts.append(&Checksum::of(&bytes[16..]));
/// assert_eq!(parts, Checksum::of(&bytes));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Checksum {
    /// The value of the polynomial so far.
    value: u64,
    /// Bytes so far.
    length: u64,
}

impl Checksum {
    /// Of these bytes. Where their number is no multiple of eight, zeros are added.
    pub fn of(bytes: &[u8]) -> Self {
        let mut sum = Self::default();
        sum.add(bytes);
        sum
    }

    /// Takes more bytes; what came before must have been whole words.
    pub fn add(&mut self, bytes: &[u8]) {
        debug_assert!(self.length.is_multiple_of(8));
        let (words, rest) = bytes.as_chunks::<8>();
        words.iter().for_each(|&word| self.add_word(u64::from_le_bytes(word)));
        if !rest.is_empty() {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            self.add_word(u64::from_le_bytes(word));
        }
        self.length += bytes.len() as u64;
    }

    #[inline]
    fn add_word(&mut self, word: u64) {
        for half in [word >> 32, word & u64::from(u32::MAX)] {
            self.value = reduced(u128::from(self.value) * u128::from(POINT) + u128::from(half));
        }
    }

    /// Takes what stands behind, of which the checksum is known.
    pub fn append(&mut self, behind: &Self) {
        let shift = power(POINT, 2 * behind.length.div_ceil(8));
        self.value = reduced(u128::from(self.value) * u128::from(shift) + u128::from(behind.value));
        self.length += behind.length;
    }

    /// The number that stands behind all bytes.
    pub fn end(&self) -> u64 {
        reduced(u128::from(self.length + 1) * u128::from(LENGTH) + u128::from(self.value))
    }

    /// Both numbers that a checksum is, to be sent.
    pub fn to_words(&self) -> [u64; 2] {
        [self.value, self.length]
    }

    /// From [`to_words`](Self::to_words).
    pub fn from_words([value, length]: [u64; 2]) -> Self {
        Self { value, length }
    }
}

/// The rest of a division by the prime, for numbers below `2^122` or so.
#[inline]
fn reduced(number: u128) -> u64 {
    let folded = (number & u128::from(PRIME)) + (number >> 61);
    let once = (folded as u64 & PRIME) + (folded >> 61) as u64;
    if once >= PRIME { once - PRIME } else { once }
}

fn power(mut base: u64, mut exponent: u64) -> u64 {
    let mut result = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = reduced(u128::from(result) * u128::from(base));
        }
        base = reduced(u128::from(base) * u128::from(base));
        exponent >>= 1;
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_see_every_changed_lost_and_exchanged_byte() {
        let bytes: Vec<u8> = (0..104).map(|k| (k * 7) as u8).collect();
        let sum = Checksum::of(&bytes).end();
        for k in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[k] ^= 1;
            assert_ne!(Checksum::of(&changed).end(), sum);
            assert_ne!(Checksum::of(&bytes[..k]).end(), sum);
            if k > 0 {
                let mut exchanged = bytes.clone();
                exchanged.swap(k - 1, k);
                assert_ne!(Checksum::of(&exchanged).end(), sum);
            }
        }
        let zeros = [[0; 64]; 2];
        assert_ne!(Checksum::of(&zeros[0]).end(), Checksum::of(zeros.as_flattened()).end());
    }

    #[test]
    fn checksums_of_parts_make_up_that_of_the_whole() {
        let bytes: Vec<u8> = (0..160).map(|k| (k * k) as u8).collect();
        for cut in (0..=bytes.len()).step_by(8) {
            let (left, right) = bytes.split_at(cut);
            let mut parts = Checksum::of(left);
            parts.append(&Checksum::of(right));
            assert_eq!(parts, Checksum::of(&bytes));
            let mut running = Checksum::of(left);
            running.add(right);
            assert_eq!(running, parts);
        }
    }

    /// By the definition, with plain remainders.
    #[test]
    fn values_are_those_of_the_polynomial() {
        let words: Vec<u64> = (1..50_u64).map(|k| k.wrapping_mul(0x9e37_79b9_7f4a_7c15)).collect();
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        let expected = words
            .iter()
            .flat_map(|word| [word >> 32, word & 0xffff_ffff])
            .fold(0_u128, |sum, half| (sum * u128::from(POINT) + u128::from(half)) % u128::from(PRIME));
        assert_eq!(u128::from(Checksum::of(&bytes).value), expected);
    }
}
