//! The plain driver of all targets, on stable Rust.
//!
//! ```text
//! cargo run --release -p multigrain-fuzz -- --targets readers --executions 1e6
//! cargo run --release -p multigrain-fuzz -- --targets engine,living --seconds 600 --seed 7
//! cargo run --release -p multigrain-fuzz -- --targets csv --input artifacts/csv-0123456789abcdef
//! cargo run --release -p multigrain-fuzz -- --seeds fuzz
//! ```

use multigrain_fuzz::campaign::{Plan, execute, input_of, quiet_panics, run};
use multigrain_fuzz::{ALL, Target, target};
use multigrain_lab::arguments::Arguments;
use multigrain_lab::counting_allocator::CountingAllocator;
use multigrain_lab::program::{self, Outcome, verdict};
use multigrain_lab::table::Table;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

const USAGE: &str = "\
Bytes of any kind, and what they must not break

    --targets NAMES     separated by commas; also all, or readers (all)
    --executions N      inputs for each target (1e5)
    --seconds S         time for each target, whichever comes first (600)
    --seed N            of the random numbers (1)
    --artifacts FOLDER  where inputs go that break something (artifacts)
    --input FILE        runs this input alone
    --seeds FOLDER      writes corpora and dictionaries for libFuzzer, and runs nothing";

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

fn main() -> ExitCode {
    program::run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let names: Vec<String> = arguments.take_list("targets").unwrap_or_else(|| vec!["all".to_owned()]);
    let executions = arguments.take("executions").unwrap_or(1e5) as u64;
    let seconds = arguments.take("seconds").unwrap_or(600.0);
    let seed = arguments.take("seed").unwrap_or(1);
    let artifacts: PathBuf = arguments.take("artifacts").unwrap_or_else(|| PathBuf::from("artifacts"));
    let input: Option<PathBuf> = arguments.take("input");
    let seeds: Option<PathBuf> = arguments.take("seeds");
    arguments.finish();
    if let Some(folder) = seeds {
        return write_seeds(&folder);
    }
    let targets: Vec<&Target> = names.iter().flat_map(|name| named(name)).collect();
    if let Some(input) = input {
        return again(&targets, &input_of(&input)?);
    }
    quiet_panics();
    let plan = Plan { executions, time: Duration::from_secs_f64(seconds), seed, artifacts: Some(artifacts) };
    let head = ["target", "inputs", "taken", "answers", "kinds", "most MB", "slowest s", "seconds", "broken"];
    let mut table = Table::new(head);
    let mut failures = Vec::new();
    // One thread: what readers share among threads stays on this one, and memory is that of one input.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build()?;
    for target in targets {
        let tally = pool.install(|| run(target, &plan, &|job| ALLOCATOR.peak_of(job).0.in_place))?;
        table.row([
            target.name.to_owned(),
            tally.executions.to_string(),
            tally.accepted.to_string(),
            tally.checked.to_string(),
            tally.behaviours.to_string(),
            format!("{:.1}", tally.memory as f64 * 1e-6),
            format!("{:.3}", tally.slowest),
            format!("{:.0}", tally.seconds),
            tally.failures.len().to_string(),
        ]);
        eprintln!("{}: {} inputs, {} broken", target.name, tally.executions, tally.failures.len());
        for failure in tally.failures {
            eprintln!("{failure}");
            failures.push(failure);
        }
    }
    print!("{table}");
    Ok(verdict(failures.is_empty()))
}

/// The targets that a name stands for.
fn named(name: &str) -> Vec<&'static Target> {
    match name {
        "all" => ALL.iter().collect(),
        "readers" => ALL.iter().take_while(|target| target.name != "scene").collect(),
        _ => vec![target(name)],
    }
}

/// One input again, panics and all.
fn again(targets: &[&Target], input: &[u8]) -> Outcome {
    let mut is_sound = true;
    for target in targets {
        match execute(target, input, &|job| ALLOCATOR.peak_of(job).0.in_place) {
            Ok((outcome, memory, seconds)) => {
                println!("{}: {outcome:?}, {:.1} MB, {seconds:.3} s", target.name, memory as f64 * 1e-6);
            }
            Err(failure) => {
                println!("{}: broken {failure}", target.name);
                is_sound = false;
            }
        }
    }
    Ok(verdict(is_sound))
}

/// Corpora and dictionaries as libFuzzer takes them.
fn write_seeds(folder: &Path) -> Outcome {
    for target in ALL {
        let corpus = folder.join("corpus").join(target.name);
        fs::create_dir_all(&corpus)?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            fs::write(corpus.join(format!("seed-{number:02}")), seed)?;
        }
        let escaped = |word: &str| -> String {
            word.bytes()
                .map(|byte| match byte {
                    b'"' | b'\\' => format!("\\{}", char::from(byte)),
                    b' '..=b'~' => char::from(byte).to_string(),
                    _ => format!("\\x{byte:02X}"),
                })
                .collect()
        };
        let lines: String = target.words.iter().map(|word| format!("\"{}\"\n", escaped(word))).collect();
        let dictionaries = folder.join("dictionaries");
        fs::create_dir_all(&dictionaries)?;
        // Where inputs are choices there are no words, and libFuzzer takes no dictionary without any.
        if lines.is_empty() {
            continue;
        }
        fs::write(dictionaries.join(format!("{}.dict", target.name)), lines)?;
    }
    println!("corpora and dictionaries of {} targets written to {}", ALL.len(), folder.display());
    Ok(ExitCode::SUCCESS)
}
