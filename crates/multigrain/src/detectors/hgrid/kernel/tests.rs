//! The kernels agree: what one decides far enough from doubt, the other decides too, and both write the same pairs.

use super::{Kernel, LANES, MAX_WIDTH, Portable, Query};
use crate::detectors::hgrid::columns::Columns;
use crate::detectors::hgrid::hits::CHUNK;
use crate::rng::Rng;

const BODIES: usize = 500;

fn columns<const D: usize>(rng: &mut Rng) -> Columns<D> {
    let mut columns = Columns::new();
    columns.resize(BODIES);
    for p in 0..BODIES {
        for axis in 0..D {
            columns.position[axis][p] = rng.uniform() as f32 * 5.0;
        }
        columns.radius[p] = rng.uniform() as f32;
        columns.ids[p] = (p * 7919 % BODIES) as u32;
    }
    columns
}

/// All that a kernel says of a body and the eight from `first` on: `d² - s²`, the masks made of it, and the pairs.
fn answers<K: Kernel<D>, const D: usize>(columns: &Columns<D>, p: usize, first: usize, left: usize) -> Answers {
    let bodies = columns.view();
    let query = Query { position: bodies.position_of(p).map(K::splat), radius: K::splat(bodies.radius[p]) };
    let lanes = K::test(&bodies, first, &query);
    let touching = K::lanes_left(K::negative(lanes), left);
    let band = K::splat(1e-4);
    let doubtful = K::within(K::size(lanes), band) | K::within(K::smaller(K::size(lanes), band), K::splat(-1.0));
    let mut pairs = vec![[9; 2]; 3 + 2 * LANES];
    let count = K::write(bodies.ids, p, first, touching as u8, &mut pairs, 3);
    pairs.truncate(count);
    let mut masks = [0; CHUNK];
    masks[first % CHUNK] = touching as u8;
    masks[p % CHUNK] |= doubtful as u8;
    let kept = K::keep(std::array::from_fn(|lane| (p * LANES + lane) as u32), touching);
    let kept = kept[..touching.count_ones() as usize].to_vec();
    Answers { touching, doubtful, pairs, kept, any: K::touching(&masks), masks }
}

#[derive(Debug, PartialEq)]
struct Answers {
    touching: u32,
    doubtful: u32,
    pairs: Vec<[u32; 2]>,
    kept: Vec<u32>,
    masks: [u8; CHUNK],
    any: u64,
}

fn compare<K: Kernel<D>, const D: usize>() {
    let mut rng = Rng::new(D as u64);
    let columns = columns::<D>(&mut rng);
    let (mut touching, mut compared) = (0, 0);
    for p in 0..BODIES {
        for first in (0..BODIES).step_by(3) {
            let left = (p + first) % (LANES + 3);
            let plain = answers::<Portable, D>(&columns, p, first, left);
            let vector = answers::<K, D>(&columns, p, first, left);
            assert_eq!(plain.touching & !0xff, 0);
            assert_eq!(plain.pairs.len(), 3 + plain.touching.count_ones() as usize);
            if plain.doubtful == 0 {
                assert_eq!(plain, vector, "body {p} against {left} from {first}");
                compared += 1;
                touching += plain.touching.count_ones();
            }
        }
    }
    assert!(compared > 50_000 && touching > 1_000, "{compared} compared, {touching} touching");
}

/// All that a kernel says of a body and the sixteen from `first` on when it is tested with wide vectors.
fn wide_answers<K: Kernel<D>, const D: usize>(
    columns: &Columns<D>,
    p: usize,
    first: usize,
    left: usize,
) -> WideAnswers {
    let bodies = columns.view();
    let query = Query { position: bodies.position_of(p).map(K::wide_splat), radius: K::wide_splat(bodies.radius[p]) };
    let mut nearest = K::wide_splat(f32::INFINITY);
    let mut touching = 0;
    for v in 0..MAX_WIDTH / K::WIDTH {
        let test = K::wide_test(&K::wide_load(&bodies, first + v * K::WIDTH), &query);
        let skipped = if v == 0 { p % 4 } else { 0 };
        nearest = K::wide_nearer(nearest, K::wide_without(test, skipped));
        let lanes = K::wide_lanes(left.saturating_sub(v * K::WIDTH), skipped);
        touching |= K::wide_negative(test, lanes) << (v * K::WIDTH);
    }
    let is_doubtful = K::wide_any_within(nearest, K::wide_splat(1e-4));
    let mut pairs = vec![[9; 2]; 3 + 2 * MAX_WIDTH];
    let count = K::wide_write(bodies.ids, p, first, touching, &mut pairs, 3);
    pairs.truncate(count);
    let mut masks = [0; CHUNK];
    masks[first % CHUNK] = touching;
    masks[p % CHUNK] |= p as u16;
    WideAnswers { touching, is_doubtful, pairs, any: K::wide_touching(&masks) }
}

#[derive(Debug, PartialEq)]
struct WideAnswers {
    touching: u16,
    is_doubtful: bool,
    pairs: Vec<[u32; 2]>,
    any: u64,
}

fn compare_wide<K: Kernel<D>, const D: usize>() {
    let mut rng = Rng::new(D as u64);
    let columns = columns::<D>(&mut rng);
    let bodies = columns.view();
    let (mut touching, mut compared, mut many) = (0, 0, 0);
    for p in 0..BODIES {
        for first in (0..BODIES).step_by(3) {
            let left = [(p + first) % (MAX_WIDTH + 3), 200][usize::from(p % 7 == 0)];
            let plain = wide_answers::<Portable, D>(&columns, p, first, left);
            let vector = wide_answers::<K, D>(&columns, p, first, left);
            if plain.is_doubtful {
                continue;
            }
            assert_eq!(plain, vector, "body {p} against {left} from {first}");
            let others =
                (0..MAX_WIDTH).filter(|lane| plain.touching >> lane & 1 == 1).map(|lane| bodies.ids[first + lane]);
            let own = bodies.ids[p];
            let pairs: Vec<_> = others.map(|other| [own.min(other), own.max(other)]).collect();
            assert_eq!(plain.pairs[3..], pairs);
            assert_eq!(
                plain.any >> (first % CHUNK) & 1 == 1,
                plain.touching != 0 || p % CHUNK == first % CHUNK && p > 0
            );
            compared += 1;
            touching += pairs.len();
            many += usize::from(pairs.len() > LANES / 2);
        }
    }
    assert!(
        compared > 50_000 && touching > 1_000 && many > 20,
        "{compared} compared, {touching} touching, {many} many"
    );
}

#[test]
fn the_vector_kernel_decides_and_writes_as_the_portable_one() {
    compare::<Portable, 3>();
    compare_wide::<Portable, 3>();
    #[cfg(target_arch = "x86_64")]
    if super::Avx2::is_available() {
        compare::<super::Avx2, 2>();
        compare::<super::Avx2, 3>();
        compare_wide::<super::Avx2, 2>();
        compare_wide::<super::Avx2, 3>();
    }
    #[cfg(target_arch = "x86_64")]
    if super::Avx512::is_available() {
        compare::<super::Avx512, 2>();
        compare::<super::Avx512, 3>();
        compare_wide::<super::Avx512, 2>();
        compare_wide::<super::Avx512, 3>();
    }
}
