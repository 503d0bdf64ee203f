//! What ranks do together.

/// The ranks of a run, seen by one of them. Every method but [`rank`](Self::rank), [`size`](Self::size) and
/// [`sent`](Self::sent) is collective: all ranks call it, in the same order. There is no sum of floats, on purpose: its
/// rounding would depend on how many ranks there are.
pub trait Transport {
    /// The number of this rank, from 0.
    fn rank(&self) -> usize;

    /// How many ranks there are.
    fn size(&self) -> usize;

    /// Sends each parcel to the rank that it names; gives those that came, which name their senders, by sender. Who sends to
    /// whom, and how much, need not be known. A rank may send to itself.
    fn exchange(&mut self, why: Why, parcels: Vec<Parcel>) -> Vec<Parcel>;

    /// The same where each rank knows how many parcels will come: nobody has to find out whether that is all.
    fn swap(&mut self, why: Why, parcels: Vec<Parcel>, _expected: usize) -> Vec<Parcel> {
        self.exchange(why, parcels)
    }

    /// The largest of each word over all ranks. Floats go as whole numbers in their order, minima as their complements.
    fn all_max(&mut self, words: &mut [u64]);

    /// The sum of each word over all ranks, without its overflow.
    fn all_sum(&mut self, words: &mut [u64]);

    /// The bytes of every rank, by rank.
    fn all_gather(&mut self, bytes: &[u8]) -> Vec<Vec<u8>>;

    /// The ranks that give the same `part`, among themselves, in the same order.
    fn split(&mut self, part: usize) -> Box<dyn Transport>;

    /// What this rank has sent to others by [`exchange`](Self::exchange).
    fn sent(&self) -> Sent;
}

/// Bytes for a rank, or from one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parcel {
    /// Where it goes; of one that has come, where it is from.
    pub rank: usize,
    /// What is in it.
    pub bytes: Vec<u8>,
}

/// What an exchange is for; a rank that waits too long says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// Finding out where to cut space.
    Cuts,
    /// Bodies go to their owners.
    Owners,
    /// Copies of bodies go where they may touch others.
    Guests,
    /// Guests move with their owners.
    Motions,
    /// What others do to giants goes to the owners of these.
    Giants,
    /// Pairs go to the ranks that list them.
    Report,
    /// What is read or written goes through a rank that does it.
    Files,
}

/// Messages and their bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Sent {
    /// Parcels that were not empty.
    pub messages: u64,
    /// Bytes in them.
    pub bytes: u64,
}

impl Sent {
    /// Counts parcels that leave `rank`.
    pub(crate) fn count(&mut self, rank: usize, parcels: &[Parcel]) {
        for parcel in parcels.iter().filter(|parcel| parcel.rank != rank) {
            self.messages += 1;
            self.bytes += parcel.bytes.len() as u64;
        }
    }
}

/// A number whose order is that of the float; both zeros are one.
#[inline]
pub fn ordered(value: f64) -> u64 {
    let bits = (value + 0.0).to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// The float of an ordered number.
#[inline]
pub fn unordered(number: u64) -> f64 {
    f64::from_bits(if number >> 63 == 1 { number & !(1 << 63) } else { !number })
}

/// A signed number for a word, in the same order: MPICH 4.0 compares unsigned numbers as if they had a sign.
#[inline]
pub fn signed(word: u64) -> i64 {
    (word ^ 1 << 63) as i64
}

/// The word of a signed number.
#[inline]
pub fn unsigned(number: i64) -> u64 {
    number as u64 ^ 1 << 63
}

/// A rank without others.
#[derive(Debug, Clone, Copy, Default)]
pub struct Alone;

impl Transport for Alone {
    fn rank(&self) -> usize {
        0
    }

    fn size(&self) -> usize {
        1
    }

    fn exchange(&mut self, _: Why, parcels: Vec<Parcel>) -> Vec<Parcel> {
        parcels
    }

    fn all_max(&mut self, _: &mut [u64]) {}

    fn all_sum(&mut self, _: &mut [u64]) {}

    fn all_gather(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        vec![bytes.to_vec()]
    }

    fn split(&mut self, _: usize) -> Box<dyn Transport> {
        Box::new(Self)
    }

    fn sent(&self) -> Sent {
        Sent::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordered_numbers_compare_as_floats_do() {
        let values = [-1e150, -2.0, -1e-300, 0.0, 1e-300, 1.0, 1.0 + f64::EPSILON, 3e7];
        for pair in values.windows(2) {
            assert!(ordered(pair[0]) < ordered(pair[1]), "{pair:?}");
        }
        for value in values {
            assert_eq!(unordered(ordered(value)), value);
        }
        assert_eq!(ordered(-0.0), ordered(0.0));
    }

    #[test]
    fn signed_numbers_compare_as_words_do() {
        let words = [0, 1, (1 << 63) - 1, 1 << 63, (1 << 63) + 1, u64::MAX];
        for pair in words.windows(2) {
            assert!(signed(pair[0]) < signed(pair[1]), "{pair:?}");
        }
        for word in words {
            assert_eq!(unsigned(signed(word)), word);
        }
    }
}
