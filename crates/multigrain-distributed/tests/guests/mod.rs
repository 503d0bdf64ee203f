//! Who is a guest of whom, and what is said in a step.

use super::scenes::{leaning, mixture};
use super::{Scene, golden};
use multigrain::{Axes, Dimension, Pairs, Snapshot};
use multigrain_dem::Integrator;
use multigrain_distributed::{DistributedSimulation, Parcel, Sent, ThreadRank, Transport, Why, run_ranks};
use multigrain_methods::Method;
use std::collections::BTreeSet;

/// Guests of every rank are the bodies of others that touch its own within the skin, by brute force over all.
fn check_guests<const D: usize>(scene: &Scene<D>, ranks: usize, skin: f64) -> usize
where
    Axes: Dimension<D>,
{
    let (setup, grains) = scene;
    let (centers, radii): (Vec<[f64; D]>, Vec<f64>) = grains.iter().map(|grain| (grain.position, grain.radius)).unzip();
    let now = Snapshot::new(&centers, &radii).unwrap().within(*setup.domain_at_start()).unwrap();
    let now = now.with_margin(skin).unwrap();
    let mut pairs = Pairs::new();
    Method::BruteForce.build(now).unwrap().find_pairs(now, &mut pairs);
    let parts = run_ranks(ranks, |transport| {
        let part = DistributedSimulation::start(transport, setup.clone(), grains, Some(skin)).unwrap();
        let (ids, own) = (part.part().state().ids(), part.part().state().own());
        (ids[..own].iter().copied().collect(), ids[own..].iter().copied().collect())
    });
    let mut all = 0;
    for (rank, (own, guests)) in parts.iter().enumerate() {
        let (own, guests): (&BTreeSet<u64>, &BTreeSet<u64>) = (own, guests);
        let mut expected = BTreeSet::new();
        for pair in &pairs {
            let ends = [pair.i, pair.j].map(u64::from);
            for [a, b] in [ends, [ends[1], ends[0]]] {
                if own.contains(&a) && !own.contains(&b) {
                    expected.insert(b);
                }
            }
        }
        assert_eq!(*guests, expected, "rank {rank} of {ranks} with skin {skin}");
        all += guests.len();
    }
    all
}

#[test]
fn guests_are_those_that_touch_and_no_others() {
    let mut guests = 0;
    for (ranks, skin) in [(2, 0.0), (5, 0.1), (13, 0.7)] {
        guests += check_guests(&mixture::<2>(300, [true, false], Integrator::Verlet), ranks, skin);
        guests += check_guests(&mixture::<3>(300, [true; 3], Integrator::Verlet), ranks, skin);
        guests += check_guests(&leaning::<2>(200), ranks, skin);
        guests += check_guests(&golden::chute(), ranks, skin);
    }
    assert!(guests > 1000, "{guests} guests show little");
}

/// What is said through it is counted.
struct Counting<'a> {
    rank: &'a mut ThreadRank,
    /// Sizes of the messages of each exchange in which the numbers of parcels are known.
    swaps: Vec<Vec<usize>>,
    /// Exchanges of other kinds, and what all ranks agree on.
    exchanges: usize,
    agreements: usize,
}

impl Transport for Counting<'_> {
    fn rank(&self) -> usize {
        self.rank.rank()
    }

    fn size(&self) -> usize {
        self.rank.size()
    }

    fn exchange(&mut self, why: Why, parcels: Vec<Parcel>) -> Vec<Parcel> {
        self.exchanges += 1;
        self.rank.exchange(why, parcels)
    }

    fn swap(&mut self, why: Why, parcels: Vec<Parcel>, expected: usize) -> Vec<Parcel> {
        let partners: BTreeSet<usize> = parcels.iter().map(|parcel| parcel.rank).collect();
        assert_eq!(partners.len(), parcels.len(), "one message for each partner");
        self.swaps.push(parcels.iter().map(|parcel| parcel.bytes.len()).collect());
        self.rank.swap(why, parcels, expected)
    }

    fn all_max(&mut self, words: &mut [u64]) {
        self.agreements += 1;
        assert!(words.len() <= 6, "{} words", words.len());
        self.rank.all_max(words);
    }

    fn all_sum(&mut self, words: &mut [u64]) {
        self.agreements += 1;
        self.rank.all_sum(words);
    }

    fn all_gather(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        self.agreements += 1;
        self.rank.all_gather(bytes)
    }

    fn split(&mut self, part: usize) -> Box<dyn Transport> {
        self.rank.split(part)
    }

    fn sent(&self) -> Sent {
        self.rank.sent()
    }
}

/// A step in which guests stay who they are is one message for each partner, with 132 bytes for each body (position, velocity, force, spin, torque, and
/// periods), and one agreement.
#[test]
fn a_step_is_one_message_for_each_partner_and_one_agreement() {
    const STEPS: usize = 5;
    let (setup, grains) = mixture::<3>(500, [true; 3], Integrator::Verlet);
    let counted = run_ranks(6, |transport| {
        let mut part = DistributedSimulation::start(transport, setup.clone(), &grains, Some(0.4)).unwrap();
        part.run(transport, 1).unwrap();
        let halos = part.halos();
        let mut counting = Counting { rank: transport, swaps: Vec::new(), exchanges: 0, agreements: 0 };
        part.run(&mut counting, STEPS as u64).unwrap();
        let Counting { swaps, exchanges, agreements, .. } = counting;
        assert_eq!(part.halos(), halos, "guests stay who they are");
        assert_eq!((swaps.len(), exchanges, agreements), (STEPS, 0, STEPS));
        let bytes: usize = swaps[0].iter().sum();
        assert!(swaps.iter().all(|swap| *swap == swaps[0]));
        (bytes, swaps[0].len(), part.guests())
    });
    let sum = |of: fn(&(usize, usize, usize)) -> usize| counted.iter().map(of).sum::<usize>();
    assert!(sum(|rank| rank.2) > 300, "{counted:?}");
    // Eight of these bytes are the temperature.
    assert_eq!(sum(|rank| rank.0), 140 * sum(|rank| rank.2));
    assert!(counted.iter().all(|rank| (1..6).contains(&rank.1)), "{counted:?}");
}
