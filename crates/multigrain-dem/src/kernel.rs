//! How numbers go between rows in memory and packs: with the widest instructions that the processor has, and the same bits with all.
#![allow(unsafe_code)]

mod at_places;

use crate::number::{LANES, Pack};
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) use at_places::{AtPlaces, Places};

// Loops and plain expressions: closures and adapters of iterators would be functions of their own, without the instructions.

/// What a processor does with rows of four numbers, and with lanes. [`Portable`] defines the meaning; others agree.
pub(crate) trait Kernel: Copy {
    /// Runs work as a function of its own, compiled for the instructions of the kernel, of which a value is the proof that the processor
    /// has them. Everything else is only used, inlined, in such work.
    fn run(self, work: impl FnOnce());

    /// Rows of four numbers, column by column.
    fn columns(self, rows: [&[f64; 4]; LANES]) -> [Pack; 4];

    /// Four columns, row by row.
    fn rows(self, columns: [Pack; 4]) -> [[f64; 4]; LANES];

    /// A bit for each lane: whether it is below that of `limits`.
    fn below(self, numbers: Pack, limits: Pack) -> u8;

    /// Those of the lanes whose bit is set, in order, in the first lanes; what the others hold means nothing.
    fn keep(self, numbers: Pack, mask: u8) -> Pack;

    /// The same of places. Lanes behind those that are kept hold one of the places, or 0.
    fn keep_places(self, places: [u32; LANES], mask: u8) -> [u32; LANES];

    /// `places`, where those of the set bits are `first` and what follows it.
    fn number(self, places: [u32; LANES], mask: u8, first: u32) -> [u32; LANES];
}

/// The names of all kernels, from the narrowest to the widest.
const NAMES: [&str; 3] = ["portable", "avx2", "avx512"];

/// Number of the widest kernel that may be used.
static WIDEST: AtomicUsize = AtomicUsize::new(NAMES.len() - 1);

/// Lets simulations of this process use no wider kernel than the one of that name (`portable`, `avx2`, `avx512`), if there is one of
/// that name and this processor can run it. No result depends on it; for tests and measurements.
pub fn use_kernels_up_to(name: &str) -> bool {
    let Some(number) = NAMES.iter().position(|known| *known == name) else { return false };
    let before = WIDEST.swap(number, Ordering::Relaxed);
    let is_there = widest_kernel() == name;
    if !is_there {
        WIDEST.store(before, Ordering::Relaxed);
    }
    is_there
}

/// The name of the kernel that simulations of this process use.
pub fn widest_kernel() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    {
        if Avx512::new().is_some() {
            return NAMES[2];
        }
        if Avx2::new().is_some() {
            return NAMES[1];
        }
    }
    NAMES[0]
}

/// Whether the kernel of this number may be used.
#[cfg(target_arch = "x86_64")]
fn may_use(number: usize) -> bool {
    WIDEST.load(Ordering::Relaxed) >= number
}

/// Plain loops.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Portable;

impl Kernel for Portable {
    #[inline(always)]
    fn run(self, work: impl FnOnce()) {
        work();
    }

    #[inline(always)]
    fn columns(self, rows: [&[f64; 4]; LANES]) -> [Pack; 4] {
        let mut columns = [Pack([0.0; LANES]); 4];
        for column in 0..4 {
            for lane in 0..LANES {
                columns[column].0[lane] = rows[lane][column];
            }
        }
        columns
    }

    #[inline(always)]
    fn rows(self, columns: [Pack; 4]) -> [[f64; 4]; LANES] {
        let mut rows = [[0.0; 4]; LANES];
        for lane in 0..LANES {
            for column in 0..4 {
                rows[lane][column] = columns[column].0[lane];
            }
        }
        rows
    }

    #[inline(always)]
    fn below(self, numbers: Pack, limits: Pack) -> u8 {
        (0..LANES).fold(0, |mask, lane| mask | u8::from(numbers.0[lane] < limits.0[lane]) << lane)
    }

    #[inline(always)]
    fn keep(self, numbers: Pack, mask: u8) -> Pack {
        Pack(kept(numbers.0, mask))
    }

    #[inline(always)]
    fn keep_places(self, places: [u32; LANES], mask: u8) -> [u32; LANES] {
        kept(places, mask)
    }

    #[inline(always)]
    fn number(self, mut places: [u32; LANES], mask: u8, first: u32) -> [u32; LANES] {
        let mut next = first;
        for (lane, place) in places.iter_mut().enumerate() {
            let is_set = u32::from(mask >> lane & 1);
            *place = if is_set == 1 { next } else { *place };
            next += is_set;
        }
        places
    }
}

/// Without a branch, for nobody can guess which bits are set.
#[inline(always)]
fn kept<T: Copy + Default>(items: [T; LANES], mask: u8) -> [T; LANES] {
    let (mut result, mut count) = ([T::default(); LANES], 0);
    for lane in 0..LANES {
        // Never more than there were lanes before.
        result[count & (LANES - 1)] = items[lane];
        count += usize::from(mask >> lane & 1);
    }
    result
}

#[cfg(target_arch = "x86_64")]
pub(crate) use x86::{Avx2, Avx512};

#[cfg(target_arch = "x86_64")]
mod x86 {
    use super::{Kernel, LANES, Pack};
    use std::arch::x86_64::*;

    /// Proof of AVX2. Everything but [`run`](Kernel::run) is only used inside work that was run by a value; that is the safety condition
    /// of every intrinsic below.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Avx2(());

    impl Avx2 {
        pub fn new() -> Option<Self> {
            let is_there = super::may_use(1)
                && is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("popcnt");
            is_there.then_some(Self(()))
        }
    }

    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt")]
    fn with_avx2(work: impl FnOnce()) {
        work();
    }

    impl Kernel for Avx2 {
        #[inline(always)]
        fn run(self, work: impl FnOnce()) {
            // SAFETY: the value is there only where the processor has the instructions.
            // GAIN: `beside_lammps` under perf: the law falls from 12 to 5 % of the samples.
            unsafe { with_avx2(work) }
        }

        #[inline(always)]
        fn columns(self, rows: [&[f64; 4]; LANES]) -> [Pack; 4] {
            let mut packs = [Pack([0.0; LANES]); 4];
            for from in [0, 4] {
                // SAFETY: used only where it is available; loads are of the four numbers of a row, stores of four lanes of eight.
                unsafe {
                    let (a, b) = (_mm256_loadu_pd(rows[from].as_ptr()), _mm256_loadu_pd(rows[from + 1].as_ptr()));
                    let (c, d) = (_mm256_loadu_pd(rows[from + 2].as_ptr()), _mm256_loadu_pd(rows[from + 3].as_ptr()));
                    let columns = transposed([a, b, c, d]);
                    for k in 0..4 {
                        _mm256_storeu_pd(packs[k].0[from..from + 4].as_mut_ptr(), columns[k]);
                    }
                }
            }
            packs
        }

        #[inline(always)]
        fn rows(self, columns: [Pack; 4]) -> [[f64; 4]; LANES] {
            let mut rows = [[0.0; 4]; LANES];
            for from in [0, 4] {
                // SAFETY: used only where it is available; loads and stores are of four numbers that are there.
                unsafe {
                    let a = _mm256_loadu_pd(columns[0].0[from..from + 4].as_ptr());
                    let b = _mm256_loadu_pd(columns[1].0[from..from + 4].as_ptr());
                    let c = _mm256_loadu_pd(columns[2].0[from..from + 4].as_ptr());
                    let d = _mm256_loadu_pd(columns[3].0[from..from + 4].as_ptr());
                    let turned = transposed([a, b, c, d]);
                    for k in 0..4 {
                        _mm256_storeu_pd(rows[from + k].as_mut_ptr(), turned[k]);
                    }
                }
            }
            rows
        }

        #[inline(always)]
        fn below(self, numbers: Pack, limits: Pack) -> u8 {
            let mut mask = 0;
            for from in [0, 4] {
                // SAFETY: used only where it is available; loads are of four lanes of eight.
                unsafe {
                    let a = _mm256_loadu_pd(numbers.0[from..from + 4].as_ptr());
                    let b = _mm256_loadu_pd(limits.0[from..from + 4].as_ptr());
                    mask |= (_mm256_movemask_pd(_mm256_cmp_pd::<_CMP_LT_OQ>(a, b)) as u8) << from;
                }
            }
            mask
        }

        #[inline(always)]
        fn keep(self, numbers: Pack, mask: u8) -> Pack {
            let mut kept = Pack([0.0; LANES]);
            let count = (mask & 15).count_ones() as usize;
            // SAFETY: used only where it is available; loads and stores are of four lanes of eight, the last ones from the fifth on at
            // most, and of the eight numbers of a row of the table.
            unsafe {
                let (low, high) = (_mm256_loadu_pd(numbers.0[..4].as_ptr()), _mm256_loadu_pd(numbers.0[4..].as_ptr()));
                let first = _mm256_loadu_si256(KEPT_FOURS[usize::from(mask & 15)].as_ptr().cast());
                let second = _mm256_loadu_si256(KEPT_FOURS[usize::from(mask >> 4)].as_ptr().cast());
                let low = _mm256_permutevar8x32_ps(_mm256_castpd_ps(low), first);
                let high = _mm256_permutevar8x32_ps(_mm256_castpd_ps(high), second);
                _mm256_storeu_pd(kept.0[..4].as_mut_ptr(), _mm256_castps_pd(low));
                _mm256_storeu_pd(kept.0[count..count + 4].as_mut_ptr(), _mm256_castps_pd(high));
            }
            kept
        }

        #[inline(always)]
        fn keep_places(self, mut places: [u32; LANES], mask: u8) -> [u32; LANES] {
            // SAFETY: used only where it is available; load and store are of eight places, as is a row of the table.
            unsafe {
                let all = _mm256_loadu_si256(places.as_ptr().cast());
                let which = _mm256_loadu_si256(KEPT[usize::from(mask)].as_ptr().cast());
                _mm256_storeu_si256(places.as_mut_ptr().cast(), _mm256_permutevar8x32_epi32(all, which));
            }
            places
        }

        #[inline(always)]
        fn number(self, mut places: [u32; LANES], mask: u8, first: u32) -> [u32; LANES] {
            // SAFETY: used only where it is available; load and store are of eight places, as is a row of the table.
            unsafe {
                let all = _mm256_loadu_si256(places.as_ptr().cast());
                let before = _mm256_loadu_si256(BEFORE[usize::from(mask)].as_ptr().cast());
                let numbers = _mm256_add_epi32(_mm256_set1_epi32(first as i32), before);
                let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
                let is_set = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(i32::from(mask)), bits), bits);
                _mm256_storeu_si256(places.as_mut_ptr().cast(), _mm256_blendv_epi8(all, numbers, is_set));
            }
            places
        }
    }

    /// For each mask: the lanes whose bits are set, then the first.
    static KEPT: [[u32; LANES]; 256] = {
        let mut table = [[0; LANES]; 256];
        let mut mask = 0;
        while mask < 256 {
            let (mut lane, mut count) = (0, 0);
            while lane < LANES {
                if mask >> lane & 1 == 1 {
                    table[mask][count] = lane as u32;
                    count += 1;
                }
                lane += 1;
            }
            mask += 1;
        }
        table
    };

    /// The same for lanes of two halves each.
    static KEPT_FOURS: [[u32; LANES]; 16] = {
        let mut table = [[0; LANES]; 16];
        let mut mask = 0;
        while mask < 16 {
            let mut k = 0;
            while k < 4 {
                (table[mask][2 * k], table[mask][2 * k + 1]) = (2 * KEPT[mask][k], 2 * KEPT[mask][k] + 1);
                k += 1;
            }
            mask += 1;
        }
        table
    };

    /// For each mask and lane: how many bits before it are set.
    static BEFORE: [[u32; LANES]; 256] = {
        let mut table = [[0; LANES]; 256];
        let mut mask = 0;
        while mask < 256 {
            let mut lane = 1;
            while lane < LANES {
                table[mask][lane] = table[mask][lane - 1] + (mask >> (lane - 1) & 1) as u32;
                lane += 1;
            }
            mask += 1;
        }
        table
    };

    /// Rows of four as columns of four.
    #[inline(always)]
    pub(super) fn transposed([a, b, c, d]: [__m256d; 4]) -> [__m256d; 4] {
        // SAFETY: used only where it is available.
        unsafe {
            let (low, high) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
            let (other_low, other_high) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
            [
                _mm256_permute2f128_pd::<0x20>(low, other_low),
                _mm256_permute2f128_pd::<0x20>(high, other_high),
                _mm256_permute2f128_pd::<0x31>(low, other_low),
                _mm256_permute2f128_pd::<0x31>(high, other_high),
            ]
        }
    }

    /// Proof of AVX-512, with the same condition.
    #[derive(Debug, Clone, Copy)]
    pub(crate) struct Avx512(());

    impl Avx512 {
        pub fn new() -> Option<Self> {
            let is_there = super::may_use(2)
                && Avx2::new().is_some()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            is_there.then_some(Self(()))
        }
    }

    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,popcnt")]
    fn with_avx512(work: impl FnOnce()) {
        work();
    }

    #[inline(always)]
    fn load(pack: &Pack) -> __m512d {
        // SAFETY: used only where it is available; a pack is as long as the vector.
        unsafe { _mm512_loadu_pd(pack.0.as_ptr()) }
    }

    /// Two rows in one vector.
    #[inline(always)]
    fn two_rows(low: &[f64; 4], high: &[f64; 4]) -> __m512d {
        // SAFETY: used only where it is available; each load is of the four numbers of a row.
        unsafe {
            let low = _mm512_castpd256_pd512(_mm256_loadu_pd(low.as_ptr()));
            _mm512_insertf64x4::<1>(low, _mm256_loadu_pd(high.as_ptr()))
        }
    }

    #[inline(always)]
    pub(super) fn packed(vector: __m512d) -> Pack {
        let mut pack = Pack([0.0; LANES]);
        // SAFETY: used only where it is available; a pack is as long as the vector.
        unsafe { _mm512_storeu_pd(pack.0.as_mut_ptr(), vector) };
        pack
    }

    impl Kernel for Avx512 {
        #[inline(always)]
        fn run(self, work: impl FnOnce()) {
            // SAFETY: the value is there only where the processor has the instructions.
            unsafe { with_avx512(work) }
        }

        #[inline(always)]
        fn columns(self, rows: [&[f64; 4]; LANES]) -> [Pack; 4] {
            // SAFETY: used only where it is available; each load is of the four numbers of a row.
            unsafe {
                // Rows k and k + 4 in one vector.
                let (a, b) = (two_rows(rows[0], rows[4]), two_rows(rows[1], rows[5]));
                let (c, d) = (two_rows(rows[2], rows[6]), two_rows(rows[3], rows[7]));
                let (low, high) = (_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
                let (other_low, other_high) = (_mm512_unpacklo_pd(c, d), _mm512_unpackhi_pd(c, d));
                let first = _mm512_setr_epi64(0, 1, 8, 9, 4, 5, 12, 13);
                let second = _mm512_setr_epi64(2, 3, 10, 11, 6, 7, 14, 15);
                [
                    packed(_mm512_permutex2var_pd(low, first, other_low)),
                    packed(_mm512_permutex2var_pd(high, first, other_high)),
                    packed(_mm512_permutex2var_pd(low, second, other_low)),
                    packed(_mm512_permutex2var_pd(high, second, other_high)),
                ]
            }
        }

        #[inline(always)]
        fn rows(self, columns: [Pack; 4]) -> [[f64; 4]; LANES] {
            let mut rows = [[0.0; 4]; LANES];
            let [a, b, c, d] = [load(&columns[0]), load(&columns[1]), load(&columns[2]), load(&columns[3])];
            // SAFETY: used only where it is available; each store is of the four numbers of a row.
            unsafe {
                let even = (_mm512_unpacklo_pd(a, b), _mm512_unpacklo_pd(c, d));
                let odd = (_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d));
                let first = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11);
                let second = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
                let fours = [
                    _mm512_permutex2var_pd(even.0, first, even.1),
                    _mm512_permutex2var_pd(odd.0, first, odd.1),
                    _mm512_permutex2var_pd(even.0, second, even.1),
                    _mm512_permutex2var_pd(odd.0, second, odd.1),
                ];
                for k in 0..4 {
                    let from = k % 2 + k / 2 * 4;
                    _mm256_storeu_pd(rows[from].as_mut_ptr(), _mm512_castpd512_pd256(fours[k]));
                    _mm256_storeu_pd(rows[from + 2].as_mut_ptr(), _mm512_extractf64x4_pd::<1>(fours[k]));
                }
            }
            rows
        }

        #[inline(always)]
        fn below(self, numbers: Pack, limits: Pack) -> u8 {
            // SAFETY: used only where it is available.
            unsafe { _mm512_cmp_pd_mask::<_CMP_LT_OQ>(load(&numbers), load(&limits)) }
        }

        #[inline(always)]
        fn keep(self, numbers: Pack, mask: u8) -> Pack {
            // SAFETY: used only where it is available.
            unsafe { packed(_mm512_maskz_compress_pd(mask, load(&numbers))) }
        }

        #[inline(always)]
        fn keep_places(self, mut places: [u32; LANES], mask: u8) -> [u32; LANES] {
            // SAFETY: used only where it is available; load and store are of eight places.
            unsafe {
                let all = _mm256_loadu_si256(places.as_ptr().cast());
                _mm256_storeu_si256(places.as_mut_ptr().cast(), _mm256_maskz_compress_epi32(mask, all));
            }
            places
        }

        #[inline(always)]
        fn number(self, mut places: [u32; LANES], mask: u8, first: u32) -> [u32; LANES] {
            // SAFETY: used only where it is available; load and store are of eight places.
            unsafe {
                let all = _mm256_loadu_si256(places.as_ptr().cast());
                let from = _mm256_set1_epi32(first as i32);
                let numbers = _mm256_add_epi32(from, _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7));
                _mm256_storeu_si256(places.as_mut_ptr().cast(), _mm256_mask_expand_epi32(all, mask, numbers));
            }
            places
        }
    }
}

/// Works out an expression with the widest vectors that the processor has, with a name for the kernel or without. It rounds alike with
/// all of them.
macro_rules! fastest {
    ($kernel:ident => $work:expr) => {{
        use crate::kernel::Kernel as _;
        #[cfg(target_arch = "x86_64")]
        {
            if let Some($kernel) = crate::kernel::Avx512::new() {
                $kernel.run(
                    #[inline(always)]
                    || {
                        $work;
                    },
                );
            } else if let Some($kernel) = crate::kernel::Avx2::new() {
                $kernel.run(
                    #[inline(always)]
                    || {
                        $work;
                    },
                );
            } else {
                let $kernel = crate::kernel::Portable;
                $kernel.run(|| {
                    $work;
                });
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let $kernel = crate::kernel::Portable;
            $kernel.run(|| {
                $work;
            });
        }
    }};
    ($work:expr) => {
        crate::kernel::fastest!(kernel => $work)
    };
}
pub(crate) use fastest;

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows, packs, places and masks that a kernel makes.
    type Made = (Vec<[f64; 4]>, Vec<Pack>, Vec<[u32; LANES]>, Vec<u8>);

    /// What kernels do with some numbers.
    fn all(kernel: impl Kernel) -> Made {
        let (mut rows, mut packs, mut places, mut masks) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let number = |k: usize| ((k * 37 % 101) as f64 - 50.0) * 0.25;
        kernel.run(|| {
            for start in 0..50 {
                let given: [[f64; 4]; LANES] =
                    std::array::from_fn(|k| std::array::from_fn(|c| number(start + 4 * k + c)));
                let columns = kernel.columns(std::array::from_fn(|k| &given[k]));
                assert_eq!(kernel.rows(columns), given);
                rows.extend(kernel.rows(columns));
                packs.extend(columns);
                let mask = kernel.below(columns[0], columns[1]);
                masks.push(mask);
                let mine: [u32; LANES] = std::array::from_fn(|k| (start * 8 + k) as u32);
                let count = mask.count_ones() as usize;
                let (mut kept, mut few) = (kernel.keep(columns[2], mask), kernel.keep_places(mine, mask));
                assert!(few[count..].iter().all(|place| *place == 0 || mine.contains(place)));
                kept.0[count..].fill(0.0);
                few[count..].fill(0);
                packs.push(kept);
                places.extend([few, kernel.number(mine, mask, 1000)]);
            }
        });
        (rows, packs, places, masks)
    }

    #[test]
    fn every_kernel_moves_numbers_as_plain_loops_do() {
        let expected = all(Portable);
        assert!(expected.3.iter().any(|mask| mask.count_ones() > 2));
        #[cfg(target_arch = "x86_64")]
        {
            Avx2::new().into_iter().for_each(|kernel| assert_eq!(all(kernel), expected));
            Avx512::new().into_iter().for_each(|kernel| assert_eq!(all(kernel), expected));
        }
    }

    #[test]
    fn columns_are_columns() {
        let rows: [[f64; 4]; LANES] = std::array::from_fn(|k| std::array::from_fn(|c| (10 * k + c) as f64));
        let columns = Portable.columns(std::array::from_fn(|k| &rows[k]));
        assert_eq!(columns[2].0, std::array::from_fn(|k| (10 * k + 2) as f64));
        assert_eq!(Portable.keep_places([5, 6, 7, 8, 9, 10, 11, 12], 0b1000_0110)[..3], [6, 7, 12]);
        assert_eq!(Portable.number([9; LANES], 0b101, 40), [40, 9, 41, 9, 9, 9, 9, 9]);
    }
}
