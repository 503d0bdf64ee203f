//! An entry of a list of neighbours as one number that sorts by (row, partner, shift).

use std::ops::Range;

/// How entries are packed into non-negative numbers: from the top row, partner, shift.
#[derive(Debug, Clone)]
pub(crate) struct Packing<const D: usize> {
    /// Rows of a bucket: bits, and bodies are this many bits beyond the number of their bucket.
    pub row_bits: u32,
    body_bits: u32,
    pub shifts: ShiftCode<D>,
}

/// Bits of an entry that can be used.
const BITS: u32 = 63;

impl<const D: usize> Packing<D> {
    /// For this many bodies with these shifts. A bucket has at most `2^row_bits` rows, fewer where bits do not suffice.
    pub fn new(particles: usize, row_bits: u32, shifts: &[[i32; D]]) -> Self {
        let body_bits = bits(particles);
        let room = BITS - body_bits;
        let shifts = ShiftCode::new(shifts, room.saturating_sub(row_bits));
        Self { row_bits: row_bits.min(room - shifts.bits), body_bits, shifts }
    }

    /// The bucket that holds the row of a body.
    #[inline]
    pub fn bucket(&self, body: u32) -> usize {
        (u64::from(body) >> self.row_bits) as usize
    }

    #[inline]
    pub fn pack(&self, row: u32, partner: u32, code: u64) -> i64 {
        let row = u64::from(row) & ((1 << self.row_bits) - 1);
        ((((row << self.body_bits) | u64::from(partner)) << self.shifts.bits) | code) as i64
    }

    /// Row in its bucket.
    #[inline]
    pub fn row(&self, entry: i64) -> u32 {
        (entry >> (self.body_bits + self.shifts.bits)) as u32
    }

    #[inline]
    pub fn partner(&self, entry: i64) -> u32 {
        ((entry >> self.shifts.bits) & ((1 << self.body_bits) - 1)) as u32
    }

    #[inline]
    pub fn shift(&self, entry: i64) -> [i32; D] {
        self.shifts.decode((entry & ((1 << self.shifts.bits) - 1)) as u64)
    }

    /// The bits that tell row and partner.
    pub fn pair_bits(&self) -> Range<u32> {
        self.shifts.bits..self.shifts.bits + self.body_bits + self.row_bits
    }
}

/// Shifts as small numbers in the same order.
#[derive(Debug, Clone)]
pub(crate) struct ShiftCode<const D: usize> {
    pub bits: u32,
    /// Largest component along each axis, either sign.
    largest: [i64; D],
    /// Number of shifts within those.
    count: u64,
    /// Shifts by code: of all codes where they are few, or of those alone that occur, which then are looked up.
    table: Vec<[i32; D]>,
    is_dictionary: bool,
}

/// Codes up to which all shifts are kept in a table.
const FEW: u64 = 1 << 12;

impl<const D: usize> ShiftCode<D> {
    /// Codes of `shifts` and their opposites that take at most `room` bits; or one for each that occurs.
    fn new(shifts: &[[i32; D]], room: u32) -> Self {
        let mut largest = [0i64; D];
        for shift in shifts {
            for axis in 0..D {
                largest[axis] = largest[axis].max(i64::from(shift[axis]).abs());
            }
        }
        let count = largest.iter().try_fold(1u64, |count, &largest| count.checked_mul(2 * largest as u64 + 1));
        let mut code = Self { bits: 0, largest, count: count.unwrap_or(0), table: Vec::new(), is_dictionary: false };
        match count {
            Some(count) if bits_of(count - 1) <= room || count <= FEW => {
                code.bits = bits_of(count - 1);
                if count <= FEW {
                    code.table = (0..count).map(|number| code.by_division(number)).collect();
                }
            }
            _ => {
                code.table = shifts.iter().flat_map(|&shift| [shift, opposite(shift)]).collect();
                code.table.sort_unstable();
                code.table.dedup();
                code.bits = bits(code.table.len());
                code.is_dictionary = true;
            }
        }
        code
    }

    /// Codes of a shift and of its opposite.
    #[inline]
    pub fn encode(&self, shift: [i32; D]) -> (u64, u64) {
        if self.is_dictionary {
            return (self.look_up(shift), self.look_up(opposite(shift)));
        }
        let mut code = 0;
        for axis in 0..D {
            code = code * (2 * self.largest[axis] + 1) + (i64::from(shift[axis]) + self.largest[axis]);
        }
        (code as u64, self.count - 1 - code as u64)
    }

    #[inline]
    fn decode(&self, code: u64) -> [i32; D] {
        match self.table.get(code as usize) {
            Some(&shift) => shift,
            None => self.by_division(code),
        }
    }

    #[cold]
    fn look_up(&self, shift: [i32; D]) -> u64 {
        self.table.partition_point(|other| *other < shift) as u64
    }

    fn by_division(&self, mut code: u64) -> [i32; D] {
        let mut shift = [0; D];
        for axis in (0..D).rev() {
            let span = 2 * self.largest[axis] as u64 + 1;
            shift[axis] = ((code % span) as i64 - self.largest[axis]) as i32;
            code /= span;
        }
        shift
    }
}

fn opposite<const D: usize>(shift: [i32; D]) -> [i32; D] {
    shift.map(|component| -component)
}

/// Bits that numbers below `count` take.
pub(crate) fn bits(count: usize) -> u32 {
    bits_of(count.saturating_sub(1) as u64)
}

fn bits_of(largest: u64) -> u32 {
    u64::BITS - largest.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const D: usize>(particles: usize, row_bits: u32, shifts: &[[i32; D]]) -> Packing<D> {
        let packing = Packing::new(particles, row_bits, shifts);
        let last = particles as u32 - 1;
        let mut all = Vec::new();
        for &shift in shifts.iter().chain(&[[0; D]][..usize::from(shifts.is_empty())]) {
            let (there, back) = packing.shifts.encode(shift);
            for (row, partner, code, shift) in
                [(0, last, there, shift), (last, 0, back, opposite(shift)), (last, last, back, opposite(shift))]
            {
                let entry = packing.pack(row, partner, code);
                assert!(entry >= 0);
                let rows = (packing.bucket(row) as u32) << packing.row_bits;
                assert_eq!((packing.row(entry) + rows, packing.partner(entry)), (row, partner));
                assert_eq!(packing.shift(entry), shift);
                all.push((packing.row(entry), partner, shift, entry));
            }
        }
        for a in &all {
            for b in &all {
                assert_eq!((a.0, a.1, a.2).cmp(&(b.0, b.1, b.2)), a.3.cmp(&b.3));
            }
        }
        packing
    }

    #[test]
    fn entries_keep_row_partner_and_shift_and_their_order() {
        check::<2>(1, 0, &[]);
        check(1, 3, &[[1, 0], [0, 2]]);
        check(1000, 10, &[[1, 0, -1], [0, 0, 0], [0, 1, 1]]);
        let divided = check(100_000, 9, &[[300, -20, 7], [0, 0, 0], [1, 2, 3]]);
        assert!(divided.shifts.table.is_empty());
    }

    #[test]
    fn shifts_too_many_to_count_get_a_dictionary() {
        let far = [[1 << 29, -(1 << 29), 1], [0, 0, 1], [i32::MAX, 0, 0], [1, 0, 0]];
        let packing = check(u32::MAX as usize - 1, 20, &far);
        assert!(packing.shifts.is_dictionary);
        assert_eq!(packing.shifts.bits, 3);
    }
}
