//! Numbers of some particles, straight from columns of the state into packs.

use super::{Kernel, Portable};
use crate::number::{LANES, Pack};

/// What a processor does with the entries of columns that lie anywhere. [`Portable`] defines the meaning; others agree. As with
/// [`Kernel`], only used in work that the kernel runs.
pub(crate) trait AtPlaces: Kernel {
    /// The vectors of two or three components in these places of a column, component by component. All places must be in the column.
    fn vectors_at<const K: usize>(self, column: &[[f64; K]], places: &Places) -> [Pack; K];

    /// The numbers in these places of a column. All places must be in the column.
    fn numbers_at(self, column: &[f64], places: &Places) -> Pack;
}

impl AtPlaces for Portable {
    #[inline(always)]
    fn vectors_at<const K: usize>(self, column: &[[f64; K]], places: &Places) -> [Pack; K] {
        let mut packs = [Pack([0.0; LANES]); K];
        for lane in 0..LANES {
            let vector = &column[places.all[lane] as usize];
            for component in 0..K {
                packs[component].0[lane] = vector[component];
            }
        }
        packs
    }

    #[inline(always)]
    fn numbers_at(self, column: &[f64], places: &Places) -> Pack {
        let mut pack = Pack([0.0; LANES]);
        for lane in 0..LANES {
            pack.0[lane] = column[places.all[lane] as usize];
        }
        pack
    }
}

/// Places in columns, and the highest of them: one comparison tells whether all are in a column.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Places {
    all: [u32; LANES],
    highest: u32,
}

impl Places {
    #[inline(always)]
    pub fn new(all: [u32; LANES]) -> Self {
        let mut highest = [0; LANES / 2];
        for lane in 0..LANES / 2 {
            highest[lane] = all[lane].max(all[lane + LANES / 2]);
        }
        Self { all, highest: highest[0].max(highest[1]).max(highest[2].max(highest[3])) }
    }

    /// The places, all of them in a column of this length.
    #[inline(always)]
    fn within(&self, length: usize) -> [u32; LANES] {
        assert!((self.highest as usize) < length, "a place behind the column");
        self.all
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::super::x86::{Avx2, Avx512, packed, transposed};
    use super::{AtPlaces, LANES, Pack, Places};
    use std::arch::x86_64::*;

    /// Two or three numbers from there on, then zeros.
    ///
    /// # Safety
    ///
    /// A value of [`Avx2`] or [`Avx512`] runs this work, and there are `K` numbers in this place of the column.
    #[inline(always)]
    unsafe fn row<const K: usize>(column: &[[f64; K]], place: u32) -> __m256d {
        // SAFETY: lanes that are masked are not read.
        unsafe {
            let mask = _mm256_setr_epi64x(-1, -1, if K > 2 { -1 } else { 0 }, 0);
            _mm256_maskload_pd(column.as_ptr().add(place as usize).cast(), mask)
        }
    }

    /// Four numbers of a column.
    ///
    /// # Safety
    ///
    /// As of [`row`].
    #[inline(always)]
    unsafe fn four(column: &[f64], places: [u32; 4]) -> __m256d {
        let all = column.as_ptr();
        // SAFETY: these places are in the column.
        unsafe {
            _mm256_setr_pd(
                *all.add(places[0] as usize),
                *all.add(places[1] as usize),
                *all.add(places[2] as usize),
                *all.add(places[3] as usize),
            )
        }
    }

    impl AtPlaces for Avx2 {
        #[inline(always)]
        fn vectors_at<const K: usize>(self, column: &[[f64; K]], places: &Places) -> [Pack; K] {
            const { assert!(K == 2 || K == 3) }
            let places = places.within(column.len());
            let mut packs = [Pack([0.0; LANES]); K];
            for from in [0, 4] {
                // SAFETY: used only where it is available; all places were checked; stores are of four lanes of eight.
                // GAIN: 160 bytes a particle, a fifth of all: without it all are copied in rows of four numbers in every step. In time it
                // gains where contacts are few and loses where there are four each, see Speed in docs/simulation.md.
                unsafe {
                    let (a, b) = (row(column, places[from]), row(column, places[from + 1]));
                    let (c, d) = (row(column, places[from + 2]), row(column, places[from + 3]));
                    let columns = transposed([a, b, c, d]);
                    for k in 0..K {
                        _mm256_storeu_pd(packs[k].0[from..from + 4].as_mut_ptr(), columns[k]);
                    }
                }
            }
            packs
        }

        #[inline(always)]
        fn numbers_at(self, column: &[f64], places: &Places) -> Pack {
            let (mut pack, [a, b, c, d, e, f, g, h]) = (Pack([0.0; LANES]), places.within(column.len()));
            // SAFETY: used only where it is available; all places were checked; stores are of four lanes of eight.
            unsafe {
                _mm256_storeu_pd(pack.0[..4].as_mut_ptr(), four(column, [a, b, c, d]));
                _mm256_storeu_pd(pack.0[4..].as_mut_ptr(), four(column, [e, f, g, h]));
            }
            pack
        }
    }

    impl AtPlaces for Avx512 {
        #[inline(always)]
        fn vectors_at<const K: usize>(self, column: &[[f64; K]], places: &Places) -> [Pack; K] {
            const { assert!(K == 2 || K == 3) }
            let places = places.within(column.len());
            let mut packs = [Pack([0.0; LANES]); K];
            // SAFETY: used only where it is available; all places were checked.
            unsafe {
                // Lanes k and k + 4 in one vector.
                let mut pairs = [_mm512_setzero_pd(); 4];
                for k in 0..4 {
                    let low = _mm512_castpd256_pd512(row(column, places[k]));
                    pairs[k] = _mm512_insertf64x4::<1>(low, row(column, places[k + 4]));
                }
                let [a, b, c, d] = pairs;
                let (low, other_low) = (_mm512_unpacklo_pd(a, b), _mm512_unpacklo_pd(c, d));
                let (high, other_high) = (_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d));
                let first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
                let second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
                packs[0] = packed(_mm512_permutex2var_pd(low, first, other_low));
                packs[1] = packed(_mm512_permutex2var_pd(high, first, other_high));
                if K > 2 {
                    packs[2] = packed(_mm512_permutex2var_pd(low, second, other_low));
                }
            }
            packs
        }

        #[inline(always)]
        fn numbers_at(self, column: &[f64], places: &Places) -> Pack {
            let [a, b, c, d, e, f, g, h] = places.within(column.len());
            // SAFETY: used only where it is available; all places were checked.
            unsafe {
                let low = _mm512_castpd256_pd512(four(column, [a, b, c, d]));
                packed(_mm512_insertf64x4::<1>(low, four(column, [e, f, g, h])))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a kernel finds in columns, the last entry among it.
    fn found(kernel: impl AtPlaces) -> (Vec<[Pack; 3]>, Vec<[Pack; 2]>, Vec<Pack>) {
        let (mut threes, mut twos, mut ones) = (Vec::new(), Vec::new(), Vec::new());
        let number = |k: usize, c: usize| (10 * k + c) as f64 * 0.25;
        let in_space: Vec<[f64; 3]> = (0..37).map(|k| std::array::from_fn(|c| number(k, c))).collect();
        let in_plane: Vec<[f64; 2]> = (0..37).map(|k| std::array::from_fn(|c| number(k, c))).collect();
        let numbers: Vec<f64> = (0..37).map(|k| number(k, 0)).collect();
        kernel.run(|| {
            for start in 0..37 {
                let places = Places::new(std::array::from_fn(|lane| ((start + 11 * lane) % 37) as u32));
                threes.push(kernel.vectors_at(&in_space, &places));
                twos.push(kernel.vectors_at(&in_plane, &places));
                ones.push(kernel.numbers_at(&numbers, &places));
            }
        });
        (threes, twos, ones)
    }

    #[test]
    fn every_kernel_finds_what_stands_in_columns() {
        let expected = found(Portable);
        // Component 2 of place (5 + 33) % 37.
        assert_eq!(expected.0[5][2].0[3], 0.25 * 12.0);
        #[cfg(target_arch = "x86_64")]
        {
            crate::kernel::Avx2::new().into_iter().for_each(|kernel| assert_eq!(found(kernel), expected));
            crate::kernel::Avx512::new().into_iter().for_each(|kernel| assert_eq!(found(kernel), expected));
        }
    }

    #[test]
    fn a_place_behind_a_column_is_no_place() {
        let behind = |lane: usize| {
            let mut places = [0; LANES];
            places[lane] = 4;
            std::panic::catch_unwind(|| Places::new(places).within(4)).is_err()
        };
        assert!((0..LANES).all(behind));
        assert_eq!(Places::new([4; LANES]).within(5), [4; LANES]);
    }
}
