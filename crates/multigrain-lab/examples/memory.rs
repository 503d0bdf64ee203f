//! Peak memory of a detection against its bound, for every data set.
//!
//! ```text
//! cargo run --release -p multigrain-lab --example memory
//! cargo run --release -p multigrain-lab --example memory -- --count 1e7 --threads 2
//! cargo run --release -p multigrain-lab --example memory -- --huge
//! ```
//!
//! A counting allocator takes the most bytes in use at once beyond the input, while a detector is built and finds the pairs
//! twice. Two readings: with blocks resized in place, as the system does with large ones, and with blocks copied. The
//! stricter one must stay below 100 bytes per particle, 8 per pair and 1 MiB. Exit code 1 if one does not.
//!
//! `--huge` detects 1e8 particles of one size (3.2 GB of input) and wants the whole process within 20 GiB.

use multigrain::{Domain, Pairs, Snapshot};
use multigrain_lab::arguments::{Arguments, Count};
use multigrain_lab::counting_allocator::{CountingAllocator, Peak};
use multigrain_lab::engine;
use multigrain_lab::program::{Outcome, run, verdict};
use multigrain_lab::scene::{Scene, chosen_sets, scene};
use multigrain_lab::table::{Table, short};
use multigrain_methods::Method;
use multigrain_packings::DataSet;
use std::error::Error;
use std::process::ExitCode;

const USAGE: &str = "\
Peak memory of a detection against its bound

    --count N        particles per system (1e6)
    --sets A,B       data sets (all)
    --threads N      threads (1)
    --method NAME    method (hgrid)
    --huge           1e8 particles of one size instead, within 20 GiB";

#[global_allocator]
static MEMORY: CountingAllocator = CountingAllocator::new();

const BYTES_PER_PARTICLE: usize = 100;
const BYTES_PER_PAIR: usize = 8;
const BYTES_AT_LEAST: usize = 1 << 20;

const HUGE_COUNT: usize = 100_000_000;
const HUGE_BOUND: usize = 20 << 30;

fn main() -> ExitCode {
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let huge = arguments.take_switch("huge");
    let count = arguments.take("count").unwrap_or(Count(1_000_000)).0;
    let sets = chosen_sets(&mut arguments);
    let threads = arguments.take("threads").unwrap_or(1);
    let method = engine::chosen_method(&mut arguments);
    arguments.finish();
    let pool = engine::pool(threads)?;
    if huge {
        let mono = DataSet::from_name("mono").ok_or("there is no data set called mono")?;
        let scene = scene(mono, HUGE_COUNT);
        let pairs = pool.install(|| count_pairs(&scene, method))?;
        return report_huge(pairs);
    }

    let mut report = Report::new();
    for set in sets {
        let scene = scene(set, count);
        report.add(set.name, pool.install(|| Usage::of(method, scene.snapshot()?))?);
    }
    let far_apart = [[0.0; 3], [1e7; 3]];
    let far_apart = Snapshot::new(&far_apart, &[1.0; 2])?.within(Domain::new([0.0; 3], [1e7; 3], [false; 3])?)?;
    report.add("two far apart", pool.install(|| Usage::of(method, far_apart))?);
    println!("{}, threads: {threads}, bytes beyond the input", method.name());
    println!("{}", report.table);
    Ok(verdict(report.all_within))
}

/// What two detections needed.
struct Usage {
    particles: usize,
    pairs: usize,
    first: Peak,
    second: Peak,
}

impl Usage {
    fn of(method: Method, now: Snapshot<'_, 3>) -> Result<Self, multigrain::Error> {
        // The detector and its list live until both readings are taken: the second is of a warm detector.
        let before = MEMORY.in_use();
        let (first, built) = MEMORY.peak_of(|| -> Result<_, multigrain::Error> {
            let (mut detector, mut pairs) = (method.build(now)?, Pairs::new());
            detector.find_pairs(now, &mut pairs);
            Ok((detector, pairs))
        });
        let (mut detector, mut pairs) = built?;
        let kept = MEMORY.in_use() - before;
        let (again, ()) = MEMORY.peak_of(|| detector.find_pairs(now, &mut pairs));
        let second = Peak { in_place: kept + again.in_place, copying: kept + again.copying };
        Ok(Self { particles: now.len(), pairs: pairs.len(), first, second })
    }

    fn bound(&self) -> usize {
        BYTES_PER_PARTICLE * self.particles + BYTES_PER_PAIR * self.pairs + BYTES_AT_LEAST
    }

    fn is_within(&self) -> bool {
        self.first.copying.max(self.second.copying) <= self.bound()
    }
}

struct Report {
    table: Table,
    all_within: bool,
}

impl Report {
    fn new() -> Self {
        let head = [
            "set",
            "pairs",
            "first",
            "if copied",
            "second",
            "if copied",
            "bound",
            "beyond pairs, per particle",
            "within",
        ];
        Self { table: Table::new(head), all_within: true }
    }

    fn add(&mut self, name: &str, usage: Usage) {
        let (first, second) = (usage.first, usage.second);
        let largest = first.copying.max(second.copying);
        let beyond_pairs = largest.saturating_sub(BYTES_PER_PAIR * usage.pairs) as f64 / usage.particles as f64;
        let numbers = [usage.pairs, first.in_place, first.copying, second.in_place, second.copying, usage.bound()];
        let verdict = if usage.is_within() { "yes" } else { "NO" };
        let cells = numbers.map(|number| number.to_string()).into_iter();
        self.table.row([name.to_owned()].into_iter().chain(cells).chain([short(beyond_pairs), verdict.to_owned()]));
        self.all_within &= usage.is_within();
    }
}

fn count_pairs(scene: &Scene, method: Method) -> Result<usize, multigrain::Error> {
    let mut pairs = Pairs::new();
    method.build(scene.snapshot()?)?.find_pairs(scene.snapshot()?, &mut pairs);
    Ok(pairs.len())
}

fn report_huge(pairs: usize) -> Outcome {
    let resident = peak_resident_bytes()?;
    let gib = |bytes: usize| short(bytes as f64 / f64::from(1 << 30));
    println!("{HUGE_COUNT} particles, {pairs} pairs, peak {} GiB of {}", gib(resident), gib(HUGE_BOUND));
    Ok(verdict(resident <= HUGE_BOUND))
}

/// The most memory this process ever had in RAM, as Linux reports it.
fn peak_resident_bytes() -> Result<usize, Box<dyn Error>> {
    let status = std::fs::read_to_string("/proc/self/status")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes: usize =
        line.and_then(|line| line.trim().strip_suffix("kB")).ok_or("no VmHWM here")?.trim().parse()?;
    Ok(kibibytes << 10)
}
