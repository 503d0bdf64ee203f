//! Wall time as it can be compared: contenders take turns in one process, the median of their rounds counts.

use multigrain::Pairs;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// One way to do a job on the scene `S`, to be timed against others.
pub struct Contender<'a, S> {
    name: String,
    turn: Box<dyn FnMut(&S) -> Turn + 'a>,
}

impl<'a, S> Contender<'a, S> {
    /// A contender that times its own job, so that what belongs to checking stays outside.
    pub fn new(name: impl Into<String>, turn: impl FnMut(&S) -> Turn + 'a) -> Self {
        Self { name: name.into(), turn: Box::new(turn) }
    }

    /// Does the job once.
    pub fn take_turn(&mut self, scene: &S) -> Turn {
        (self.turn)(scene)
    }
}

/// One run of a job: how long it took and what it found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Turn {
    /// Wall time of the job.
    pub elapsed: Duration,
    /// Its result, for comparison with the other contenders.
    pub found: Found,
}

/// A set of pairs, in short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Found {
    /// How many pairs.
    pub pairs: usize,
    /// A hash that does not depend on their order.
    pub fingerprint: u64,
}

impl Found {
    /// The set that a detector found.
    pub fn in_pairs<const D: usize>(pairs: &Pairs<D>) -> Self {
        Self { pairs: pairs.len(), fingerprint: pairs.fingerprint() }
    }

    /// The set in a peer's list, its pairs in either orientation.
    pub fn in_list(list: &[[u32; 2]]) -> Self {
        let mut pairs = Pairs::<3>::new();
        for &[i, j] in list {
            pairs.extend(&[[i.min(j), i.max(j)]], &[]);
        }
        Self::in_pairs(&pairs)
    }
}

/// Runs the job and takes the time.
pub fn timed<T>(job: impl FnOnce() -> T) -> (Duration, T) {
    let start = Instant::now();
    let result = black_box(job());
    (start.elapsed(), result)
}

/// How often contenders take turns.
#[derive(Debug, Clone, Copy)]
pub struct Rounds {
    /// Rounds that count, after one that warms up.
    pub count: usize,
    /// A contender whose first turn takes longer has no other turn: that first one counts.
    pub patience: Duration,
}

/// The times of one contender.
#[derive(Debug, Clone)]
pub struct Timing {
    /// Name of the contender.
    pub name: String,
    /// What it found in each round it took part in, the warming one first.
    pub found: Vec<Found>,
    seconds: Vec<f64>,
    /// Whether its first turn outlasted the patience.
    slow: bool,
}

impl Timing {
    /// Median time of a turn, in nanoseconds per item.
    pub fn ns_per(&self, items: usize) -> f64 {
        median(&self.seconds) * 1e9 / items as f64
    }
}

/// Lets the contenders take turns on a scene that `prepare` may change before every round, the warming one (0) included.
pub fn alternate<S>(
    scene: &mut S,
    rounds: Rounds,
    contenders: &mut [Contender<'_, S>],
    mut prepare: impl FnMut(usize, &mut S),
) -> Vec<Timing> {
    let untimed = |contender: &Contender<'_, S>| {
        let name = contender.name.clone();
        Timing { name, found: Vec::new(), seconds: Vec::new(), slow: false }
    };
    let mut timings: Vec<Timing> = contenders.iter().map(untimed).collect();
    for round in 0..=rounds.count {
        prepare(round, scene);
        for (contender, timing) in contenders.iter_mut().zip(&mut timings) {
            if timing.slow {
                continue;
            }
            let turn = contender.take_turn(scene);
            timing.found.push(turn.found);
            timing.slow |= round == 0 && turn.elapsed > rounds.patience;
            if round > 0 || timing.slow {
                timing.seconds.push(turn.elapsed.as_secs_f64());
            }
        }
    }
    timings
}

/// Fails where two contenders did not find the same in the same round.
pub fn all_agree(timings: &[Timing]) -> Result<(), Disagreement> {
    let rounds = timings.iter().map(|timing| timing.found.len()).max();
    let Some(reference) = timings.iter().find(|timing| Some(timing.found.len()) == rounds) else { return Ok(()) };
    for timing in timings {
        for (&expected, &found) in reference.found.iter().zip(&timing.found) {
            if found != expected {
                let names = [reference.name.clone(), timing.name.clone()];
                return Err(Disagreement { names, found: [expected, found] });
            }
        }
    }
    Ok(())
}

/// Two contenders that did not find the same pairs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    names: [String; 2],
    found: [Found; 2],
}

impl std::fmt::Display for Disagreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [(a, found_a), (b, found_b)] = [0, 1].map(|k| (&self.names[k], self.found[k]));
        write!(f, "{a} finds {} pairs (fingerprint {:016x}), ", found_a.pairs, found_a.fingerprint)?;
        write!(f, "{b} {} ({:016x})", found_b.pairs, found_b.fingerprint)
    }
}

impl std::error::Error for Disagreement {}

/// The middle value, or the mean of the two middle ones; NaN of nothing.
pub fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    match sorted.len() {
        0 => f64::NAN,
        n if n % 2 == 1 => sorted[n / 2],
        n => (sorted[n / 2 - 1] + sorted[n / 2]) / 2.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUNDS: Rounds = Rounds { count: 3, patience: Duration::from_secs(1) };

    fn turn(milliseconds: u64, list: &[[u32; 2]]) -> Turn {
        Turn { elapsed: Duration::from_millis(milliseconds), found: Found::in_list(list) }
    }

    #[test]
    fn median_is_the_middle() {
        assert_eq!(median(&[5.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 9.0]), 3.0);
        assert!(median(&[]).is_nan());
    }

    #[test]
    fn the_warming_round_does_not_count() {
        let mut next = 100;
        let contender = Contender::new("a", |_: &()| {
            next /= 2;
            turn(next, &[])
        });
        let timings = alternate(&mut (), ROUNDS, &mut [contender], |_, _| ());
        assert_eq!(timings[0].seconds, [0.025, 0.012, 0.006]);
        assert_eq!(timings[0].ns_per(1000), 12_000.0);
    }

    #[test]
    fn a_slow_contender_has_one_turn() {
        let mut turns = 0;
        let slow = Contender::new("slow", |_: &()| {
            turns += 1;
            turn(2000, &[])
        });
        let mut contenders = [slow, Contender::new("quick", |_: &()| turn(1, &[]))];
        let timings = alternate(&mut (), ROUNDS, &mut contenders, |_, _| ());
        assert_eq!((timings[0].seconds.len(), timings[1].seconds.len()), (1, 3));
        drop(contenders);
        assert_eq!(turns, 1);
    }

    #[test]
    fn orientation_and_order_do_not_matter_but_pairs_do() {
        let mut contenders = [
            Contender::new("a", |_: &()| turn(1, &[[0, 1], [2, 5]])),
            Contender::new("b", |_: &()| turn(1, &[[5, 2], [0, 1]])),
        ];
        assert_eq!(all_agree(&alternate(&mut (), ROUNDS, &mut contenders, |_, _| ())), Ok(()));
        contenders[1] = Contender::new("b", |_: &()| turn(1, &[[5, 3], [0, 1]]));
        let error = all_agree(&alternate(&mut (), ROUNDS, &mut contenders, |_, _| ())).unwrap_err().to_string();
        assert!(error.starts_with("a finds 2 pairs"), "{error}");
    }
}
