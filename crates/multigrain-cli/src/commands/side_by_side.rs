//! Several methods on the same particles, in turns.

use super::measure::detect_once;
use crate::progress::Progress;
use anyhow::{Result, bail};
use multigrain::{Axes, Dimension, Layout, Pair, Pairs, Settings, Snapshot, Work};
use multigrain_experiments::median;
use multigrain_methods::Method;

/// What one method did.
pub struct Entry<const D: usize> {
    /// The method.
    pub method: Method,
    /// How it laid out the particles.
    pub layout: Layout,
    /// Contacts found.
    pub contacts: usize,
    /// Counted work.
    pub work: Work,
    /// Median seconds from particles to list.
    pub seconds: f64,
    /// Seconds of one more detection by the same detector, as a simulation does it in every step.
    pub step_seconds: f64,
    /// Bytes of what it keeps to find particles by their place, if it reports that.
    pub index_bytes: Option<usize>,
    /// Most memory taken at once, the particles themselves excluded.
    pub peak_bytes: u64,
    /// Where its list differs from that of the first method.
    pub difference: Option<Difference<D>>,
}

/// The first contact, in sorted order, that only one of two lists has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Difference<const D: usize> {
    /// Only the reference has it.
    Missing(Pair<D>),
    /// Only the other list has it.
    Extra(Pair<D>),
}

/// Runs every method once per round, so that a busy moment of the machine strikes all alike; methods that took more than
/// `patience` seconds so far sit out. The first method is the reference of agreement.
pub fn side_by_side<const D: usize>(
    now: Snapshot<'_, D>,
    methods: &[Method],
    rounds: u32,
    patience: f64,
) -> Result<Vec<Entry<D>>>
where
    Axes: Dimension<D>,
{
    let progress = Progress::steps("comparing", (methods.len() as u64) * (u64::from(rounds) + 1));
    let mut entries: Vec<Entry<D>> = Vec::with_capacity(methods.len());
    let mut times = vec![Vec::new(); methods.len()];
    let mut reference: Option<Pairs<D>> = None;
    for (k, &method) in methods.iter().enumerate() {
        let mut run = detect_once(now, method, &Settings::default())?;
        times[k].push(run.map + run.search);
        progress.advance(1);
        let step_seconds = run.step(now);
        let index_bytes = run.detector.index_bytes().filter(|_| !now.nothing_can_touch());
        let work = run.count_work(now, method, &Settings::default())?;
        progress.advance(1);
        run.pairs.sort();
        entries.push(Entry {
            method,
            layout: run.layout(&now),
            contacts: run.pairs.len(),
            work,
            seconds: 0.0,
            step_seconds,
            index_bytes,
            peak_bytes: run.peak_bytes,
            difference: reference.as_ref().and_then(|reference| first_difference(reference, &run.pairs)),
        });
        reference.get_or_insert(run.pairs);
    }
    for _ in 1..rounds {
        for (k, &method) in methods.iter().enumerate() {
            if times[k].iter().sum::<f64>() <= patience {
                let run = detect_once(now, method, &Settings::default())?;
                times[k].push(run.map + run.search);
            }
            progress.advance(1);
        }
    }
    for (entry, times) in entries.iter_mut().zip(&times) {
        entry.seconds = median(times);
    }
    Ok(entries)
}

/// An error that names the first contact that not all methods find, if there is one.
pub fn must_agree<const D: usize>(entries: &[Entry<D>]) -> Result<()> {
    match entries.iter().find_map(|entry| Some((entry, entry.difference?))) {
        Some((entry, difference)) => {
            bail!("methods disagree: {}", difference.describe(entries[0].method, entry.method))
        }
        None => Ok(()),
    }
}

/// The first contact that only one of two sorted lists has.
fn first_difference<const D: usize>(reference: &Pairs<D>, other: &Pairs<D>) -> Option<Difference<D>> {
    let (mut expected, mut found) = (reference.iter(), other.iter());
    loop {
        match (expected.next(), found.next()) {
            (None, None) => return None,
            (Some(pair), None) => return Some(Difference::Missing(pair)),
            (None, Some(pair)) => return Some(Difference::Extra(pair)),
            (Some(expected), Some(found)) if expected < found => return Some(Difference::Missing(expected)),
            (Some(expected), Some(found)) if expected > found => return Some(Difference::Extra(found)),
            _ => (),
        }
    }
}

impl<const D: usize> Difference<D> {
    /// A sentence on who has what.
    pub fn describe(&self, reference: Method, other: Method) -> String {
        let (pair, finder, misser) = match self {
            Self::Missing(pair) => (pair, reference, other),
            Self::Extra(pair) => (pair, other, reference),
        };
        let shift = if pair.shift == [0; D] { String::new() } else { format!(" with image shift {:?}", pair.shift) };
        format!("{} finds the pair {}, {}{shift}, {} does not", finder.name(), pair.i, pair.j, misser.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(pairs: &[[u32; 2]]) -> Pairs<2> {
        let mut list = Pairs::new();
        list.extend(pairs, &[]);
        list
    }

    #[test]
    fn names_the_first_pair_that_only_one_list_has() {
        let pair = |i, j| Pair { i, j, shift: [0, 0] };
        let reference = list(&[[0, 1], [0, 3], [2, 3]]);
        assert_eq!(first_difference(&reference, &reference), None);
        assert_eq!(first_difference(&reference, &list(&[[0, 1], [2, 3]])), Some(Difference::Missing(pair(0, 3))));
        assert_eq!(first_difference(&reference, &list(&[[0, 1], [0, 2], [0, 3]])), Some(Difference::Extra(pair(0, 2))));
        assert_eq!(first_difference(&reference, &list(&[[0, 1], [0, 3]])), Some(Difference::Missing(pair(2, 3))));
        assert_eq!(first_difference(&list(&[]), &list(&[[0, 1]])), Some(Difference::Extra(pair(0, 1))));
    }

    #[test]
    fn methods_that_disagree_are_an_error() {
        let centers = [[0.0, 0.0], [1.0, 0.0]];
        let now = Snapshot::new(&centers, &[1.0, 1.0]).unwrap();
        let mut entries = side_by_side(now, &[Method::BruteForce, Method::LinkedCell], 2, f64::INFINITY).unwrap();
        assert!(must_agree(&entries).is_ok());
        assert_eq!(entries[1].contacts, 1);
        entries[1].difference = first_difference(&list(&[[0, 1]]), &list(&[]));
        let error = must_agree(&entries).unwrap_err().to_string();
        assert_eq!(error, "methods disagree: brute-force finds the pair 0, 1, linked-cell does not");
    }

    #[test]
    fn lists_that_differ_in_a_shift_differ() {
        let (mut one, mut other) = (Pairs::<2>::new(), Pairs::<2>::new());
        one.extend(&[[0, 1]], &[[0, 1]]);
        other.extend(&[[0, 1]], &[[0, -1]]);
        let difference = first_difference(&one, &other).unwrap();
        assert_eq!(
            difference.describe(Method::BruteForce, Method::LinkedCell),
            "linked-cell finds the pair 0, 1 with image shift [0, -1], brute-force does not"
        );
    }
}
