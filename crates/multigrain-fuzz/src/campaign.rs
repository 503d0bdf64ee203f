//! The plain loop: inputs, changes of them, what they break. No coverage is needed: inputs that make something new happen, by what
//! they were refused with or how much was read, are kept and changed further.

use crate::mutate::{grown, mutated};
use crate::{Outcome, Target};
use multigrain::Rng;
use std::collections::HashSet;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Longest time that an input may take.
pub const MAX_SECONDS: f64 = 5.0;

/// Most memory that an input of less than [`SMALL`] bytes may take.
pub const MAX_MEMORY: usize = 100_000_000;

/// Inputs below this length must not take more than [`MAX_MEMORY`].
pub const SMALL: usize = 100_000;

/// Inputs that are kept to be changed further.
const MAX_KEPT: usize = 4000;

/// Failures after which a campaign ends.
const MAX_FAILURES: usize = 20;

/// Length that changes make of inputs; one in [`LONG_ONE_IN`] may become as long as the target takes.
const GROWN: usize = 512;

/// See [`GROWN`].
const LONG_ONE_IN: u64 = 24;

/// Longest input that changes of others make, where the target takes longer ones.
const ORDINARY: usize = 8192;

/// One input in so many grows far longer, up to what the target takes.
const GROWN_FAR_ONE_IN: u64 = 300;

/// Random bytes, where a target takes any.
const MAX_RANDOM: u64 = 300;

static LAST_PANIC: Mutex<String> = Mutex::new(String::new());

/// How long a campaign goes on, and where it begins.
#[derive(Debug, Clone)]
pub struct Plan {
    /// Inputs.
    pub executions: u64,
    /// Time, whichever comes first.
    pub time: Duration,
    /// Of the random numbers.
    pub seed: u64,
    /// Where inputs that break something are kept, and the one at work.
    pub artifacts: Option<PathBuf>,
}

/// What a campaign counted.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    /// Inputs.
    pub executions: u64,
    /// Of them, those that were taken.
    pub accepted: u64,
    /// Answers compared with what they must be.
    pub checked: u64,
    /// Kinds of what happened.
    pub behaviours: usize,
    /// Most memory that one input took.
    pub memory: usize,
    /// Seconds of the slowest.
    pub slowest: f64,
    /// Seconds in all.
    pub seconds: f64,
    /// What broke.
    pub failures: Vec<String>,
}

/// Runs a job and says how much memory it took at most.
pub type Meter<'a> = &'a dyn Fn(&mut dyn FnMut()) -> usize;

/// Panics are noted, not printed.
pub fn quiet_panics() {
    std::panic::set_hook(Box::new(|info| {
        let text = info.to_string();
        *LAST_PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = text;
    }));
}

/// Runs one input. An error is what it broke.
pub fn execute(target: &Target, input: &[u8], meter: Meter<'_>) -> Result<(Outcome, usize, f64), String> {
    let mut outcome = Ok(Outcome::default());
    let start = Instant::now();
    let memory = meter(&mut || outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(input))));
    let seconds = start.elapsed().as_secs_f64();
    let outcome = outcome.map_err(|_| LAST_PANIC.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).clone())?;
    if input.len() < SMALL && memory > MAX_MEMORY {
        return Err(format!("{} bytes took {:.0} MB of memory", input.len(), memory as f64 * 1e-6));
    }
    Ok((outcome, memory, seconds))
}

/// Runs a campaign. `quiet_panics` has been called.
pub fn run(target: &Target, plan: &Plan, meter: Meter<'_>) -> std::io::Result<Tally> {
    let mut campaign = Campaign {
        target,
        plan,
        meter,
        kept: (target.seeds)(),
        seeds: (target.seeds)().len(),
        longest_seed: (target.seeds)().iter().map(Vec::len).max().unwrap_or(0),
        taken: Vec::new(),
        behaviours: HashSet::new(),
        tally: Tally::default(),
        current: Current::new(target, plan)?,
    };
    let start = Instant::now();
    let mut rng = Rng::new(plan.seed);
    for seed in campaign.kept.clone() {
        campaign.one(seed)?;
    }
    while campaign.tally.executions < plan.executions
        && start.elapsed() < plan.time
        && campaign.tally.failures.len() < MAX_FAILURES
    {
        let input = campaign.next(&mut rng);
        campaign.one(input)?;
    }
    campaign.current.remove();
    let behaviours = campaign.behaviours.len();
    Ok(Tally { behaviours, seconds: start.elapsed().as_secs_f64(), ..campaign.tally })
}

/// Seconds that this process has run on processors so far, where the system tells.
fn processor_seconds() -> Option<f64> {
    let text = fs::read_to_string("/proc/self/stat").ok()?;
    // Behind the name in brackets: the twelfth and thirteenth number are hundredths of seconds.
    let numbers: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
    let ticks = |k: usize| numbers.get(k)?.parse::<f64>().ok();
    Some((ticks(11)? + ticks(12)?) / 100.0)
}

struct Campaign<'a> {
    target: &'a Target,
    plan: &'a Plan,
    meter: Meter<'a>,
    kept: Vec<Vec<u8>>,
    /// How many of them it began with.
    seeds: usize,
    longest_seed: usize,
    /// Those of them that were taken.
    taken: Vec<usize>,
    behaviours: HashSet<u64>,
    tally: Tally,
    current: Current,
}

impl Campaign<'_> {
    fn next(&self, rng: &mut Rng) -> Vec<u8> {
        if self.target.takes_any && rng.below(2) == 0 {
            let length = 8 + rng.below(MAX_RANDOM);
            return (0..length).map(|_| rng.next_u64() as u8).collect();
        }
        // What it began with, and what is taken, is worth more changes than what was refused in one way or another.
        let mut pick = || match rng.below(3) {
            0 => &self.kept[rng.below(self.seeds as u64) as usize],
            1 if !self.taken.is_empty() => &self.kept[self.taken[rng.below(self.taken.len() as u64) as usize]],
            _ => &self.kept[rng.below(self.kept.len() as u64) as usize],
        };
        let (input, other) = (pick(), pick());
        // What is short is run often and breaks most; some grow to the longest.
        let longest = match rng.below(LONG_ONE_IN) {
            0 => self.target.longest.min(ORDINARY),
            _ => input.len().max(GROWN).min(self.target.longest),
        };
        if self.target.longest > ORDINARY && !self.target.takes_any && rng.below(GROWN_FAR_ONE_IN) == 0 {
            let long = grown(input, ORDINARY, self.target.longest, rng);
            return mutated(&long, other, self.target.words, self.target.longest, rng);
        }
        mutated(input, other, self.target.words, longest, rng)
    }

    fn one(&mut self, input: Vec<u8>) -> std::io::Result<()> {
        self.current.write(&input)?;
        self.tally.executions += 1;
        let mut result = execute(self.target, &input, self.meter);
        if let Ok((_, _, seconds)) = &mut result
            && *seconds > MAX_SECONDS
        {
            // On a busy machine the clock goes on while others work: once more, by the time on the processor.
            let before = processor_seconds();
            if let Err(failure) = execute(self.target, &input, self.meter) {
                return self.fail(&input, failure);
            }
            if let (Some(before), Some(after)) = (before, processor_seconds()) {
                *seconds = after - before;
            }
        }
        match result {
            Ok((outcome, memory, seconds)) => {
                if seconds > MAX_SECONDS {
                    self.fail(&input, format!("it took {seconds:.1} s"))?;
                }
                self.tally.accepted += u64::from(outcome.is_accepted);
                self.tally.checked += outcome.checked;
                self.tally.memory = self.tally.memory.max(memory);
                self.tally.slowest = self.tally.slowest.max(seconds);
                let is_new = self.behaviours.insert(outcome.behaviour ^ u64::from(outcome.is_accepted) << 63);
                // What is long takes long, and so would all that is made of it.
                if is_new && self.kept.len() < MAX_KEPT && input.len() <= ORDINARY.max(self.longest_seed) {
                    if outcome.is_accepted {
                        self.taken.push(self.kept.len());
                    }
                    self.kept.push(input);
                }
                Ok(())
            }
            Err(failure) => self.fail(&input, failure),
        }
    }

    fn fail(&mut self, input: &[u8], what: String) -> std::io::Result<()> {
        let kept = match &self.plan.artifacts {
            Some(folder) => {
                let path = folder.join(format!("{}-{:016x}", self.target.name, crate::bytes::hash(input)));
                fs::write(&path, input)?;
                path.display().to_string()
            }
            None => format!("{:?}", String::from_utf8_lossy(input)),
        };
        self.tally.failures.push(format!("{}: {what}; input: {kept}", self.target.name));
        Ok(())
    }
}

/// The input at work, in a file: where the process itself is gone, this is what did it. Its length stands before it, in eight bytes: cutting
/// the file for every input takes longer than most inputs do.
struct Current {
    file: Option<(File, PathBuf)>,
    bytes: Vec<u8>,
}

/// What names of files have in them that hold the input at work.
const CURRENT: &str = ".current-";

impl Current {
    fn new(target: &Target, plan: &Plan) -> std::io::Result<Self> {
        let Some(folder) = &plan.artifacts else { return Ok(Self { file: None, bytes: Vec::new() }) };
        fs::create_dir_all(folder)?;
        let path = folder.join(format!("{}{CURRENT}{}", target.name, std::process::id()));
        Ok(Self { file: Some((File::create(&path)?, path)), bytes: Vec::new() })
    }

    fn write(&mut self, input: &[u8]) -> std::io::Result<()> {
        let Some((file, _)) = &mut self.file else { return Ok(()) };
        self.bytes.clear();
        self.bytes.extend((input.len() as u64).to_le_bytes());
        self.bytes.extend(input);
        file.write_all_at(&self.bytes, 0)
    }

    fn remove(self) {
        if let Some((_, path)) = self.file {
            // It was there a moment ago; if it is gone, all the better.
            let _ = fs::remove_file(path);
        }
    }
}

/// The input that a file holds: one that broke something, or the one at which a process ended.
pub fn input_of(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = fs::read(path)?;
    let is_current = path.file_name().is_some_and(|name| name.to_string_lossy().contains(CURRENT));
    if let (true, Some((length, rest))) = (is_current, bytes.split_first_chunk()) {
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX).min(rest.len());
        bytes = rest[..length].to_vec();
    }
    Ok(bytes)
}
