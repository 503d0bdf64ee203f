//! Sums of numbers that do not depend on the order in which they are added, nor on how they are shared out.

use std::fmt;

/// Digits of 32 bits that hold any finite number, and room for carries above them.
const DIGITS: usize = 68;

/// Bits of a digit.
const BITS: u32 = 32;

/// What is no finite number, by kind.
const SPECIAL: usize = 3;

/// Words of a sum that can be added up, one by one.
const ADDENDS: usize = DIGITS + SPECIAL;

/// Exponent of the lowest bit of the lowest digit: that of the smallest number.
const LOWEST: i32 = -1074;

/// Additions that no digit can overflow in: each adds less than `2^32` to a digit of 63 bits.
const MAX_PENDING: u32 = 1 << 30;

/// A sum of `f64` that is exact: a fixed-point number long enough for all of them. It rounds once, when it is read.
///
/// ```
/// use multigrain_dem::ExactSum;
///
/// let mut sum = ExactSum::default();
/// [1e100, 1.0, -1e100, 1e-20].iter().for_each(|&number| sum.add(number));
/// assert_eq!(sum.value(), 1.0);
/// ```
#[derive(Clone)]
pub struct ExactSum {
    /// Lowest first. Each may be above or below a digit until carries are handed on.
    digits: [i64; DIGITS],
    /// Additions since carries were handed on.
    pending: u32,
    /// Bit 0: infinity, 1: minus infinity, 2: not a number was added.
    special: u8,
}

impl Default for ExactSum {
    fn default() -> Self {
        Self { digits: [0; DIGITS], pending: 0, special: 0 }
    }
}

impl fmt::Debug for ExactSum {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "ExactSum({:e})", self.value())
    }
}

/// Sums are equal if their values are, before any rounding.
impl PartialEq for ExactSum {
    fn eq(&self, other: &Self) -> bool {
        self.to_words() == other.to_words()
    }
}

impl Eq for ExactSum {}

impl ExactSum {
    /// Adds a number.
    pub fn add(&mut self, number: f64) {
        let bits = number.to_bits();
        let (exponent, fraction) = ((bits >> 52) as i32 & 0x7ff, bits & ((1 << 52) - 1));
        if exponent == 0x7ff {
            self.special |= if fraction != 0 { 4 } else { 1 << (bits >> 63) };
            return;
        }
        let (mantissa, place) = if exponent == 0 { (fraction, 0) } else { (fraction | 1 << 52, exponent as u32 - 1) };
        let (digit, wide) = ((place / BITS) as usize, u128::from(mantissa) << (place % BITS));
        let sign = if bits >> 63 == 0 { 1 } else { -1 };
        for k in 0..3 {
            self.digits[digit + k] += sign * i64::from((wide >> (BITS * k as u32)) as u32);
        }
        self.pending += 1;
        if self.pending == MAX_PENDING {
            self.carry();
        }
    }

    /// Adds another sum.
    pub fn merge(&mut self, other: &Self) {
        let mut other = other.clone();
        other.carry();
        self.carry();
        for (digit, added) in self.digits.iter_mut().zip(other.digits) {
            *digit += added;
        }
        self.special |= other.special;
        self.carry();
    }

    /// Hands carries on: every digit but the highest comes into its range, so that equal sums have equal digits.
    fn carry(&mut self) {
        for k in 0..DIGITS - 1 {
            let carry = self.digits[k] >> BITS;
            self.digits[k] -= carry << BITS;
            self.digits[k + 1] += carry;
        }
        self.pending = 0;
    }

    /// The sum, rounded to the nearest number, ties to even.
    pub fn value(&self) -> f64 {
        match self.special {
            0 => {}
            1 => return f64::INFINITY,
            2 => return f64::NEG_INFINITY,
            _ => return f64::NAN,
        }
        let mut sum = self.clone();
        sum.carry();
        let is_negative = sum.digits[DIGITS - 1] < 0;
        if is_negative {
            sum.digits.iter_mut().for_each(|digit| *digit = -*digit);
            sum.carry();
        }
        let value = sum.magnitude();
        if is_negative { -value } else { value }
    }

    /// The value of digits that are all in their range and not negative.
    fn magnitude(&self) -> f64 {
        let Some(top) = self.digits.iter().rposition(|&digit| digit != 0) else { return 0.0 };
        let digit = |k: usize| self.digits[k] as u128;
        let highest = BITS * top as u32 + self.digits[top].ilog2();
        // The highest 96 bits or more, and whether anything is below them.
        let low = top.saturating_sub(2);
        let leading = (low..=top).rev().fold(0, |sum, k| sum << BITS | digit(k));
        let is_more_below = self.digits[..low].iter().any(|&digit| digit != 0);
        if highest <= 52 {
            return f64::from_bits(leading as u64);
        }
        // The place of the last bit that a number with this highest one has.
        let last = highest - 52;
        let dropped = last - BITS * low as u32;
        let (kept, rest) = ((leading >> dropped) as u64, leading & ((1 << dropped) - 1));
        let half = 1_u128 << (dropped - 1);
        let rounds_up = rest > half || (rest == half && (is_more_below || kept & 1 == 1));
        if last >= 2046 {
            return f64::INFINITY;
        }
        // Fraction and exponent stand side by side, so that a carry of the one raises the other.
        f64::from_bits((u64::from(last) << 52) + kept + u64::from(rounds_up))
    }

    /// The sum as words, the same for equal sums.
    pub fn to_words(&self) -> [u64; DIGITS + 1] {
        let mut sum = self.clone();
        sum.carry();
        std::array::from_fn(|k| if k < DIGITS { sum.digits[k] as u64 } else { u64::from(sum.special) })
    }

    /// As words whose sums, one by one and without overflow, are those of the sum of all: for up to `2^30` of them.
    pub fn to_addends(&self) -> [u64; ADDENDS] {
        let words = self.to_words();
        std::array::from_fn(|k| if k < DIGITS { words[k] } else { words[DIGITS] >> (k - DIGITS) & 1 })
    }

    /// From [`to_addends`](Self::to_addends), added up.
    pub fn from_addends(words: &[u64; ADDENDS]) -> Self {
        let special = (0..SPECIAL).map(|k| u8::from(words[DIGITS + k] > 0) << k).sum();
        let mut sum = Self { digits: std::array::from_fn(|k| words[k] as i64), pending: 0, special };
        sum.carry();
        sum
    }

    /// The next of several that stand behind each other as [`to_addends`](Self::to_addends).
    pub(crate) fn next_of(words: &mut impl Iterator<Item = u64>) -> Self {
        Self::from_addends(&std::array::from_fn(|_| words.next().unwrap_or_default()))
    }

    /// From [`to_words`](Self::to_words); nothing if the words are none of it.
    pub fn from_words(words: &[u64; DIGITS + 1]) -> Option<Self> {
        let digits: [i64; DIGITS] = std::array::from_fn(|k| words[k] as i64);
        let in_range = digits[..DIGITS - 1].iter().all(|digit| (0..1 << BITS).contains(digit));
        (in_range && words[DIGITS] < 8).then_some(Self { digits, pending: 0, special: words[DIGITS] as u8 })
    }
}

impl Extend<f64> for ExactSum {
    fn extend<T: IntoIterator<Item = f64>>(&mut self, numbers: T) {
        numbers.into_iter().for_each(|number| self.add(number));
    }
}

impl FromIterator<f64> for ExactSum {
    fn from_iter<T: IntoIterator<Item = f64>>(numbers: T) -> Self {
        let mut sum = Self::default();
        sum.extend(numbers);
        sum
    }
}

const _: () = assert!(LOWEST == f64::MIN_EXP - 53, "the lowest digit begins with the smallest number");

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Rng;

    fn sum(numbers: &[f64]) -> f64 {
        numbers.iter().copied().collect::<ExactSum>().value()
    }

    /// Numbers of many sizes, multiples of 2^-60, whose exact sum fits into 128 bits; conversion of those rounds as we should.
    #[test]
    fn sums_are_those_of_integers_rounded_once() {
        let mut rng = Rng::new(1);
        for _ in 0..2000 {
            let whole: Vec<i128> = (0..1 + rng.below(20))
                .map(|_| {
                    let number = i128::from(rng.below(1 << 53) as i64 - (1 << 52));
                    number << rng.below(60)
                })
                .collect();
            let scale = 2f64.powi(-60);
            let numbers: Vec<f64> = whole.iter().map(|&number| number as f64 * scale).collect();
            let exact: i128 = whole.iter().sum();
            assert_eq!(sum(&numbers), exact as f64 * scale, "{numbers:?}");
        }
    }

    #[test]
    fn sums_do_not_depend_on_order_or_parts() {
        let mut rng = Rng::new(2);
        for _ in 0..200 {
            let mut numbers: Vec<f64> =
                (0..50).map(|_| (rng.uniform() - 0.5) * 2f64.powi(rng.below(2000) as i32 - 1000)).collect();
            let whole: ExactSum = numbers.iter().copied().collect();
            numbers.reverse();
            let (left, right) = numbers.split_at(rng.below(51) as usize);
            let mut parts: ExactSum = left.iter().copied().collect();
            parts.merge(&right.iter().copied().collect());
            assert_eq!(parts, whole);
            assert_eq!(parts.to_words(), whole.to_words());
            assert_eq!(ExactSum::from_words(&whole.to_words()).map(|sum| sum.value()), Some(whole.value()));
        }
    }

    #[test]
    fn single_numbers_come_back_as_they_were() {
        let ends = [0.0, f64::MIN_POSITIVE, 5e-324, f64::MAX, 1.0, 1.0 + f64::EPSILON, 2.225e-308];
        for number in ends.into_iter().flat_map(|number| [number, -number]) {
            assert_eq!(sum(&[number]), number);
            assert_eq!(sum(&[number, number, -number]), number);
        }
    }

    #[test]
    fn ends_of_the_range_are_those_of_plain_sums() {
        assert_eq!(sum(&[f64::MAX, f64::MAX]), f64::INFINITY);
        assert_eq!(sum(&[f64::MAX, f64::MAX, -f64::MAX]), f64::MAX);
        assert_eq!(sum(&[f64::INFINITY, 1.0]), f64::INFINITY);
        assert!(sum(&[f64::INFINITY, f64::NEG_INFINITY]).is_nan() && sum(&[f64::NAN]).is_nan());
        assert_eq!(sum(&[]), 0.0);
        assert_eq!(ExactSum::from_words(&[u64::MAX; DIGITS + 1]), None);
    }

    #[test]
    fn halves_round_to_even_unless_there_is_more() {
        let (one, half) = (1.0, 0.5 * f64::EPSILON);
        assert_eq!(sum(&[one, half]), one);
        assert_eq!(sum(&[one + f64::EPSILON, half]), one + 2.0 * f64::EPSILON);
        assert_eq!(sum(&[one, half, 1e-300]), one + f64::EPSILON);
        assert_eq!(sum(&[one, half, -1e-300]), one);
    }
}
