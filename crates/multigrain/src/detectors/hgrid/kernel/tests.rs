//! Every kernel does what is written down here in plain loops: what is far enough from doubt is decided so, and the pairs are
//! these.

use super::{Chosen, Kernel, LANES, MAX_WIDTH, Query};
use crate::Rng;
use crate::detector::Detector;
use crate::detectors::HierarchicalGrid;
use crate::detectors::hgrid::columns::Columns;
use crate::detectors::hgrid::hits::CHUNK;
use crate::pairs::Pairs;
use crate::samples::mixture;
use crate::system::System;

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

/// `d² - s²` between a body and each of `N` others, one after the other.
fn plain_test<const N: usize, const D: usize>(columns: &Columns<D>, p: usize, first: usize) -> [f64; N] {
    let bodies = columns.view();
    std::array::from_fn(|lane| {
        let other = first + lane;
        let squared = (0..D)
            .map(|axis| (f64::from(bodies.position[axis][p]) - f64::from(bodies.position[axis][other])).powi(2))
            .sum::<f64>();
        squared - (f64::from(bodies.radius[p]) + f64::from(bodies.radius[other])).powi(2)
    })
}

/// The pairs of a body and some others, behind three that were there.
fn plain_pairs<const D: usize>(columns: &Columns<D>, p: usize, first: usize, mask: u32) -> Vec<[u32; 2]> {
    let ids = &columns.ids;
    let others = (0..MAX_WIDTH).filter(|lane| mask >> lane & 1 == 1).map(|lane| ids[first + lane]);
    [[9; 2]; 3].into_iter().chain(others.map(|other| [ids[p].min(other), ids[p].max(other)])).collect()
}

/// A bit for each value that is true.
fn bits(values: impl Iterator<Item = bool>) -> u64 {
    values.enumerate().filter(|(_, value)| *value).map(|(lane, _)| 1 << lane).sum()
}

/// What [`answers`] should be.
fn plain_answers<const D: usize>(columns: &Columns<D>, p: usize, first: usize, left: usize) -> Answers {
    let test = plain_test::<LANES, D>(columns, p, first);
    let touching = bits((0..LANES).map(|lane| lane < left && test[lane] < 0.0)) as u32;
    let doubtful = bits(test.iter().map(|t| t.abs() <= 1e-4)) as u32;
    let mut masks = [0; CHUNK];
    masks[first % CHUNK] = touching as u8;
    masks[p % CHUNK] |= doubtful as u8;
    let kept = (0..LANES).filter(|lane| touching >> lane & 1 == 1).map(|lane| (p * LANES + lane) as u32).collect();
    let any = bits(masks.iter().map(|&mask| mask != 0));
    Answers { touching, doubtful, pairs: plain_pairs(columns, p, first, touching), kept, any, masks }
}

fn compare<K: Kernel<D>, const D: usize>(_: K) {
    let mut rng = Rng::new(D as u64);
    let columns = columns::<D>(&mut rng);
    let (mut touching, mut compared) = (0, 0);
    for p in 0..BODIES {
        for first in (0..BODIES).step_by(3) {
            let left = (p + first) % (LANES + 3);
            let plain = plain_answers::<D>(&columns, p, first, left);
            if plain.doubtful == 0 {
                assert_eq!(answers::<K, D>(&columns, p, first, left), plain, "body {p} against {left} from {first}");
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
    let is_doubtful = K::wide_within(nearest, K::wide_splat(1e-4), K::wide_lanes(K::WIDTH, 0)) != 0;
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

/// What [`wide_answers`] should be.
fn plain_wide_answers<const D: usize>(columns: &Columns<D>, p: usize, first: usize, left: usize) -> WideAnswers {
    let test = plain_test::<MAX_WIDTH, D>(columns, p, first);
    let skipped = p % 4;
    let touching = bits((0..MAX_WIDTH).map(|lane| (skipped..left).contains(&lane) && test[lane] < 0.0)) as u16;
    let mut masks = [0; CHUNK];
    masks[first % CHUNK] = touching;
    masks[p % CHUNK] |= p as u16;
    WideAnswers {
        touching,
        is_doubtful: test[skipped..].iter().any(|t| t.abs() <= 1e-4),
        pairs: plain_pairs(columns, p, first, u32::from(touching)),
        any: bits(masks.iter().map(|&mask| mask != 0)),
    }
}

fn compare_wide<K: Kernel<D>, const D: usize>(_: K) {
    let mut rng = Rng::new(D as u64);
    let columns = columns::<D>(&mut rng);
    let (mut touching, mut compared, mut many) = (0, 0, 0);
    for p in 0..BODIES {
        for first in (0..BODIES).step_by(3) {
            let left = [(p + first) % (MAX_WIDTH + 3), 200][usize::from(p % 7 == 0)];
            let plain = plain_wide_answers::<D>(&columns, p, first, left);
            if plain.is_doubtful {
                continue;
            }
            assert_eq!(wide_answers::<K, D>(&columns, p, first, left), plain, "body {p} against {left} from {first}");
            compared += 1;
            touching += plain.pairs.len() - 3;
            many += usize::from(plain.pairs.len() > 3 + LANES / 2);
        }
    }
    assert!(
        compared > 50_000 && touching > 1_000 && many > 20,
        "{compared} compared, {touching} touching, {many} many"
    );
}

fn compare_all<K: Kernel<2> + Kernel<3>>(kernel: K) {
    compare::<K, 2>(kernel);
    compare::<K, 3>(kernel);
    compare_wide::<K, 2>(kernel);
    compare_wide::<K, 3>(kernel);
}

#[test]
fn every_kernel_decides_and_writes_as_plain_loops_do() {
    for name in Chosen::NAMES {
        match Chosen::named(name) {
            Some(Chosen::Portable(kernel)) => compare_all(kernel),
            #[cfg(target_arch = "x86_64")]
            Some(Chosen::Avx2(kernel)) => compare_all(kernel),
            #[cfg(target_arch = "x86_64")]
            Some(Chosen::Avx512(kernel)) => compare_all(kernel),
            None => {}
        }
    }
    assert!(Chosen::named("portable").is_some() && Chosen::named("none").is_none());
}

fn pairs_of(kernel: &str, system: &System<3>) -> Option<Pairs<3>> {
    let now = system.snapshot().unwrap();
    let mut grid = HierarchicalGrid::tuned_for(now).unwrap().with_kernel(kernel)?;
    let mut pairs = Pairs::new();
    grid.find_pairs(now, &mut pairs);
    Some(pairs)
}

/// In one grid and in regions, open and periodic. Kernels that test eight bodies at once give the pairs in the same order, too.
#[test]
fn every_kernel_finds_the_same_pairs() {
    let mut systems = Vec::new();
    for (exponent, ratio) in [(0.0, 1.0), (0.0, 50.0), (-3.0, 100.0)] {
        let set = |periodic, seed| mixture(exponent, ratio, 0.65, periodic, 20_000, seed);
        systems.extend([set(false, 1), set(true, 2)]);
        let mut heaps = set(false, 3);
        for (body, center) in heaps.centers.iter_mut().enumerate().filter(|(body, _)| body % 2 == 0) {
            *center = center.map(|x| 1e-3 * x);
            heaps.radii[body] *= 1e-3;
        }
        systems.push(heaps);
    }
    for system in &systems {
        let plain = pairs_of("portable", system).unwrap();
        assert!(plain.len() > 1000);
        for name in Chosen::NAMES {
            let Some(pairs) = pairs_of(name, system) else { continue };
            assert_eq!((pairs.len(), pairs.fingerprint()), (plain.len(), plain.fingerprint()), "{name}");
            assert!(name == "avx512" || pairs.as_slice() == plain.as_slice(), "{name}: in another order");
        }
    }
}
