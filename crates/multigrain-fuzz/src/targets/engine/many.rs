//! Many bodies: searches are cut into tasks, so that threads share them. What is found must be what a plain search of sorted cells finds, in the
//! same order on any number of threads.

use super::bodies::Bodies;
use super::sorted_cells::oracle_by_cells;
use super::{KERNELS, Named, Outcome, THREADS, compare, on, settings, with_kernel};
use crate::bytes::Bytes;
use multigrain::{Axes, Dimension, Pair, Pairs, Settings, Snapshot};
use multigrain_methods::{Candidates, Method};
use std::collections::HashMap;

/// Most calls one after another.
const MAX_CALLS: u64 = 3;

/// Most pairs that a method may have to test in one call: it takes part of a second.
const MAX_CANDIDATES: f64 = 2e7;

pub fn run(bytes: &mut Bytes<'_>) -> Outcome {
    if bytes.is_one_in(2) { story::<2>(bytes) } else { story::<3>(bytes) }
}

/// The bodies at a moment, and their contacts.
struct Moment<const D: usize> {
    bodies: Bodies<D>,
    expected: Vec<Pair<D>>,
}

fn story<const D: usize>(bytes: &mut Bytes<'_>) -> Outcome
where
    Axes: Dimension<D>,
{
    let mut bodies = Bodies::<D>::many(bytes);
    let mut moments: Vec<Moment<D>> = Vec::new();
    for _ in 0..1 + bytes.below(MAX_CALLS) {
        // What cannot be answered ends the story.
        let Some(expected) = bodies.snapshot().ok().and_then(oracle_by_cells) else { break };
        moments.push(Moment { bodies: bodies.clone(), expected });
        bodies.change(bytes);
    }
    let Some(first) = moments.first() else { return Outcome::refused("too many contacts of many") };
    let now = first.bodies.snapshot().expect("it was taken before");
    let mut checked = 0;
    // One detector after another: all at once take more memory than one input may.
    for &method in Method::ALL.iter().filter(|method| moments.iter().all(|moment| can_finish(**method, moment))) {
        let given = settings(method, now, bytes).filter(|_| bytes.is_one_in(2)).unwrap_or_default();
        let threads = bytes.pick(&THREADS);
        let other_threads = bytes.pick(&THREADS);
        let mut lists = Vec::new();
        for threads in [threads, other_threads] {
            let Ok(detector) = method.build_with(now, &given) else { continue };
            let named = Named { name: format!("{method} with {given:?} on {threads} threads"), detector };
            lists.push(tell(named, &moments, threads));
            checked += moments.len() as u64;
        }
        assert!(lists.iter().all(|list| *list == lists[0]), "{method} with {given:?}: threads change the list");
    }
    let (kernel, threads) = (bytes.pick(&KERNELS), bytes.pick(&THREADS));
    if let Some(named) = with_kernel(now, &Settings::default(), kernel) {
        tell(named, &moments, threads);
        checked += moments.len() as u64;
    }
    // Behaviour of its own, so that it is kept beside those of few bodies.
    let outcome = Outcome::accepted(moments.iter().map(|moment| moment.expected.len()).sum());
    Outcome { checked, behaviour: outcome.behaviour + 1000, ..outcome }
}

/// The whole story seen by one detector: a hash of each list as it came.
fn tell<const D: usize>(mut named: Named<D>, moments: &[Moment<D>], threads: usize) -> Vec<u64>
where
    Axes: Dimension<D>,
{
    let mut hashes = Vec::new();
    for (call, moment) in (0..).zip(moments) {
        let now = moment.bodies.snapshot().expect("it was taken before");
        let mut pairs = Pairs::new();
        on(threads, || named.detector.find_pairs(now, &mut pairs));
        let found: Vec<Pair<D>> = pairs.iter().collect();
        let numbers = found.iter().flat_map(|pair| [pair.i, pair.j].into_iter().chain(pair.shift.map(|x| x as u32)));
        hashes.push(
            numbers.fold(0, |hash: u64, x| (hash ^ u64::from(x)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23)),
        );
        compare(&named.name, call, now, &moment.expected, found);
    }
    hashes
}

/// Whether a method gets through in part of a second.
fn can_finish<const D: usize>(method: Method, moment: &Moment<D>) -> bool
where
    Axes: Dimension<D>,
{
    let now = moment.bodies.snapshot().expect("it was taken before");
    match method.candidates() {
        Candidates::EveryPair => false,
        Candidates::AnySize => true,
        _ => candidates_of_one_grid(now) < MAX_CANDIDATES,
    }
}

/// About how many pairs share neighbouring cells of the largest diameter.
fn candidates_of_one_grid<const D: usize>(now: Snapshot<'_, D>) -> f64 {
    let size = now.largest_reach();
    let mut crowds: HashMap<[i64; D], f64> = HashMap::new();
    for center in now.centers() {
        *crowds.entry(center.map(|x| (x / size).floor() as i64)).or_default() += 1.0;
    }
    0.5 * 3f64.powi(D as i32) * crowds.values().map(|crowd| crowd * crowd).sum::<f64>()
}

#[cfg(test)]
mod tests {
    use super::super::oracle::{is_too_long, oracle};
    use super::*;

    #[test]
    fn both_ways_to_the_answer_agree_on_few_bodies() {
        fn agree<const D: usize>(compared: &mut [usize; 2])
        where
            Axes: Dimension<D>,
        {
            for seed in 0..150u32 {
                let seed = seed.to_le_bytes();
                let mut bytes = Bytes::new(&seed);
                let mut bodies = Bodies::<D>::random(&mut bytes);
                for _ in 0..3 {
                    if let Ok(now) = bodies.snapshot()
                        && !is_too_long(&now)
                        && let Some(found) = oracle_by_cells(now)
                    {
                        assert_eq!(found, oracle(now), "seed {seed:?}, {:?}", now.domain());
                        *compared = [compared[0] + 1, compared[1] + found.len()];
                    }
                    bodies.change(&mut bytes);
                }
            }
        }
        let mut compared = [0; 2];
        agree::<2>(&mut compared);
        agree::<3>(&mut compared);
        assert!(compared[0] > 500 && compared[1] > 10_000, "{compared:?} moments and contacts");
    }

    #[test]
    fn many_bodies_are_searched_in_several_tasks_with_one_answer() {
        let outcomes: Vec<Outcome> = (0..6u8).map(|seed| run(&mut Bytes::new(&[seed]))).collect();
        let taken = outcomes.iter().filter(|outcome| outcome.is_accepted).count();
        assert!(taken >= 3, "{outcomes:?}");
    }
}
