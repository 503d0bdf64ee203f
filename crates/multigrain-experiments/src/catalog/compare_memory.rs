//! `compare-memory`: an array walked as two chains, which lie in its halves or are interleaved.

use crate::chart::{Axis, Figure, Look, Panel};
use crate::choices::Choices;
use crate::experiment::{Cost, Experiment, Paper, Point};
use crate::fit::median;
use crate::processor_time::ProcessorTime;
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use std::hint::black_box;

pub const EXPERIMENT: Experiment = Experiment {
    name: "compare-memory",
    paper: Paper::Comparison,
    figure: "tables 1 and 2, figures 24 and 25",
    about: "An array whose values are the places of the next ones, walked with two heads in turn. Case A: one chain in the first \
            half, the other in the second half. Case B: one chain through the even places, the other through the odd ones. Beside \
            them, the halves of case A with a gap between them, so that they are not a power of two apart. All take turns.",
    cost: Cost { quick: "10 s", full: "1 min" },
    parameters: &[],
    points,
    draw,
    judge,
};

/// The end of a chain.
const END: u32 = u32::MAX;

/// An array of this many places fits no cache.
const IN_MEMORY: f64 = 1e7;

/// Places between the halves where they have a gap.
const GAP: usize = 300_000;

/// This many steps are walked for each measurement at least, small arrays again and again.
const MIN_STEPS: usize = 1 << 24;

fn points(size: &Choices) -> Vec<Point> {
    let lengths: &[u32] = size.pick(
        &[10, 12],
        &[10, 12, 14, 16, 18, 20, 22, 24, 25, 26],
        &[10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28],
    );
    let (rounds, steps) = (size.pick(1, 7, 15), size.pick(1 << 14, MIN_STEPS, MIN_STEPS));
    let point = |&bits: &u32| {
        let length = 1usize << bits;
        let seconds = 5e-9 * (length.max(steps) * rounds) as f64;
        Point::new(format!("length={length},rounds={rounds},steps={steps},gap={GAP}"), seconds.max(0.02), move |_| {
            let second = length as u32 / 2;
            let cases = [
                (halves(length, 0), [0, second]),
                (interleaved(length), [0, 1]),
                (halves(length, GAP), [0, second + GAP as u32]),
            ];
            let repeats = (steps / length).max(1);
            let mut times = [Vec::new(), Vec::new(), Vec::new()];
            // The first round warms up.
            for round in 0..=rounds {
                for turn in 0..cases.len() {
                    let case = (turn + round) % cases.len();
                    let (array, heads) = (&cases[case].0, cases[case].1);
                    let start = ProcessorTime::now();
                    for _ in 0..repeats {
                        black_box(walk(black_box(array), heads));
                    }
                    if round > 0 {
                        times[case].push(start.elapsed().as_secs_f64() / repeats as f64);
                    }
                }
            }
            let [a, b, apart] = times.map(|times| median(&times));
            Ok(vec![
                Row::new()
                    .with("length", length)
                    .with("seconds_of_halves", a)
                    .with("seconds_of_interleaved", b)
                    .with("seconds_of_halves_with_gap", apart)
                    .with("difference_percent", 100.0 * (a / b - 1.0))
                    .with("difference_with_gap_percent", 100.0 * (apart / b - 1.0)),
            ])
        })
    };
    lengths.iter().map(point).collect()
}

/// Case A: each value is the next place; the halves are chains, with this many unused places between them.
fn halves(length: usize, gap: usize) -> Vec<u32> {
    let ends = [length / 2, length + gap];
    (1..=length + gap).map(|next| if ends.contains(&next) { END } else { next as u32 }).collect()
}

/// Case B: each value is the next place but one; even and odd places are chains.
fn interleaved(length: usize) -> Vec<u32> {
    (0..length).map(|place| if place + 2 < length { place as u32 + 2 } else { END }).collect()
}

/// Walks two chains in turn, and sums the places.
fn walk(array: &[u32], heads: [u32; 2]) -> u64 {
    let [mut first, mut second] = heads;
    let mut sum = 0;
    while first != END && second != END {
        sum += u64::from(first) + u64::from(second);
        first = array[first as usize];
        second = array[second as usize];
    }
    sum
}

fn draw(table: &Table) -> Figure {
    let x = || Axis::log("length of the array (4-byte places)");
    let each = |column: &str| {
        table.curve("length", column).into_iter().map(|(length, time)| (length, 1e9 * time / length)).collect()
    };
    let time = Panel::new("time", x(), Axis::linear("time per place (ns)").at_least(0.0, 0.0))
        .series("case A: halves", 0, Look::Curve, each("seconds_of_halves"))
        .series("case B: even and odd places", 1, Look::Curve, each("seconds_of_interleaved"))
        .series("case A with a gap", 2, Look::Curve, each("seconds_of_halves_with_gap"));
    let difference = Panel::new("difference", x(), Axis::linear("A over B (percent more)").at_least(-12.0, 12.0))
        .series("case A: halves", 0, Look::Curve, table.curve("length", "difference_percent"))
        .series("case A with a gap", 2, Look::Curve, table.curve("length", "difference_with_gap_percent"))
        .series("about 10 % in the paper", 3, Look::Dashed, ends(table, 10.0))
        .series("about 10 % in the paper", 3, Look::Dashed, ends(table, -10.0));
    Figure::new("An array walked as two chains", "median of the rounds, one thread, all cases take turns")
        .panel(time)
        .panel(difference)
}

fn ends(table: &Table, value: f64) -> Vec<(f64, f64)> {
    let lengths = table.curve("length", "length");
    [lengths.first(), lengths.last()].into_iter().flatten().map(|point| (point.0, value)).collect()
}

fn judge(table: &Table) -> Vec<Verdict> {
    let longest = table.curve("length", "length").last().map_or(f64::NAN, |point| point.0);
    // What does not fit the caches; of short arrays, the longest.
    let long = |column: &str| -> Vec<f64> {
        let curve = table.curve("length", column).into_iter();
        curve.filter(|point| point.0 >= IN_MEMORY.min(longest)).map(|point| point.1).collect()
    };
    let differences = long("difference_percent");
    let (least, most) =
        differences.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), &x| (low.min(x), high.max(x)));
    let (middle, with_gap) = (median(&differences), median(&long("difference_with_gap_percent")));
    vec![
        Verdict::new(
            "the two ways to lay out the same chains are about 10 % apart",
            format!(
                "halves against alternate places, for arrays in no cache: {middle:+.0} % of time, from {least:+.0} % to \
                 {most:+.0} %; with a gap between them {with_gap:+.0} %"
            ),
            middle.abs() >= 7.0 && middle.abs() <= 13.0,
        )
        .paper("around 10 %")
        .same_trend_if(middle > 2.0)
        .because(format!(
            "halves of these lengths are a power of two apart; with a gap between them, measured beside it, the difference is \
             {with_gap:+.0} %"
        )),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chains_are_those_of_the_tables() {
        assert_eq!(halves(8, 0), [1, 2, 3, END, 5, 6, 7, END]);
        assert_eq!(halves(8, 2)[3..], [END, 5, 6, 7, 8, 9, END]);
        assert_eq!(interleaved(8), [2, 3, 4, 5, 6, 7, END, END]);
        assert_eq!((walk(&halves(8, 0), [0, 4]), walk(&interleaved(8), [0, 1])), (28, 28));
    }

    #[test]
    fn a_small_or_a_huge_difference_is_not_ten_percent() {
        let table = |difference: f64| Table(vec![Row::new().with("length", 8).with("difference_percent", difference)]);
        let outcomes = [0.0, 9.0, -11.0, 50.0].map(|difference| judge(&table(difference))[0].is_as_printed());
        assert_eq!(outcomes, [false, true, true, false]);
    }
}
