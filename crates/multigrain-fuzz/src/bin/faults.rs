//! Kills, full disks, limits and damage, counted. Any loss is exit code 1.
//!
//! ```text
//! cargo run --release -p multigrain-fuzz --bin faults -- --kills 250
//! cargo run --release -p multigrain-fuzz --bin faults -- --program target/release/multigrain
//! ```
//!
//! Without `--program` this program itself plays the program under test: it is the same code.

use multigrain_fuzz::faults::{CHILD, Extent, Program, campaign, table};
use multigrain_lab::arguments::Arguments;
use multigrain_lab::program::{Outcome, run, verdict};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
Kills, full disks, limits and damage, counted

    --kills N       kills of each kind of run (100); of reproduce at most 30
    --damages N     damaged checkpoints (100)
    --rounds N      rounds of two runs at once (20)
    --seed N        of the random numbers (1)
    --program PATH  the program under test (this one)
    --folder PATH   where it all happens; removed and made again (a folder among temporary files)";

#[global_allocator]
static ALLOCATOR: multigrain_cli::EndingAllocator = multigrain_cli::EndingAllocator;

fn main() -> ExitCode {
    if std::env::var_os(CHILD).is_some() {
        return multigrain_cli::run();
    }
    run(program)
}

fn program() -> Outcome {
    let mut arguments = Arguments::of_example(USAGE);
    let extent = Extent {
        kills: arguments.take("kills").unwrap_or(100),
        damages: arguments.take("damages").unwrap_or(100),
        rounds: arguments.take("rounds").unwrap_or(20),
        seed: arguments.take("seed").unwrap_or(1),
    };
    let path: Option<PathBuf> = arguments.take("program");
    let folder: Option<PathBuf> = arguments.take("folder");
    arguments.finish();
    let path = path.map_or_else(std::env::current_exe, |path| path.canonicalize())?;
    let folder =
        folder.unwrap_or_else(|| std::env::temp_dir().join(format!("multigrain-faults-{}", std::process::id())));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder)?;
    let rows = campaign(&Program::at(path), &folder.canonicalize()?, extent)?;
    for row in &rows {
        row.losses.iter().for_each(|loss| eprintln!("{}: {loss}", row.what));
    }
    print!("{}", table(&rows));
    println!("{} kills in all", rows.iter().map(|row| row.kills).sum::<u64>());
    for row in &rows {
        row.skipped.iter().for_each(|why| eprintln!("NOT TRIED: {}: {why}", row.what));
    }
    let is_sound = rows.iter().all(|row| row.losses.is_empty());
    if is_sound {
        std::fs::remove_dir_all(&folder)?;
    }
    Ok(verdict(is_sound))
}
