//! Faults that machines make: kills at any moment, full and read-only disks, short writes, limits, two runs at once, damaged
//! checkpoints. What was finished is never lost, what goes on ends with the same bits, and what cannot be done is said in words.

mod checkpoints;
mod disks;
mod kills;
mod limits;
mod program;
mod scenes;
mod together;

pub use program::{CHILD, Program};

use multigrain::Rng;
use multigrain_lab::table::Table;
use std::path::Path;

/// How much of everything is tried.
#[derive(Debug, Clone, Copy)]
pub struct Extent {
    /// Kills of each kind of run.
    pub kills: u64,
    /// Checkpoints that are damaged.
    pub damages: u64,
    /// Rounds of two runs at once.
    pub rounds: u64,
    /// Of the random numbers.
    pub seed: u64,
}

/// What became of one kind of fault.
#[derive(Debug, Clone, Default)]
pub struct Row {
    /// What was done.
    pub what: String,
    /// How often.
    pub tries: u64,
    /// Programs that were killed.
    pub kills: u64,
    /// Runs that went on after it.
    pub resumed: u64,
    /// Runs that came to their end, and were compared with one that was left alone.
    pub finished: u64,
    /// What was lost or changed, left behind, or ended without words.
    pub losses: Vec<String>,
    /// Why it could not be tried here.
    pub skipped: Option<String>,
}

impl Row {
    fn new(what: impl Into<String>) -> Self {
        Self { what: what.into(), ..Self::default() }
    }

    /// Notes a loss unless something holds.
    fn check(&mut self, holds: bool, loss: impl FnOnce() -> String) {
        if !holds {
            self.losses.push(loss());
        }
    }
}

/// Tries everything, in folders inside `folder`.
pub fn campaign(program: &Program, folder: &Path, extent: Extent) -> std::io::Result<Vec<Row>> {
    let mut rng = Rng::new(extent.seed);
    let mut rows = Vec::new();
    for (name, scene) in scenes::SCENES {
        rows.push(kills::simulations(
            program,
            &folder.join(name.replace(' ', "-")),
            name,
            scene,
            extent.kills,
            &mut rng,
        )?);
    }
    rows.push(kills::packing(program, &folder.join("pack"), extent.kills, &mut rng)?);
    rows.push(kills::experiment(program, &folder.join("reproduce"), extent.kills, &mut rng)?);
    rows.push(checkpoints::damaged(program, &folder.join("damaged"), extent.damages, &mut rng)?);
    rows.push(together::two_runs(program, &folder.join("together"), extent.rounds)?);
    rows.extend(disks::full_and_read_only(program, &folder.join("disks"))?);
    rows.push(disks::short_writes(program, &folder.join("short"))?);
    rows.push(limits::limited(program, &folder.join("limits"))?);
    Ok(rows)
}

/// All counts.
pub fn table(rows: &[Row]) -> Table {
    let mut table = Table::new(["fault", "tries", "kills", "resumed", "finished", "lost"]);
    for row in rows {
        let lost = row.skipped.as_ref().map_or(row.losses.len().to_string(), |why| format!("not tried: {why}"));
        let numbers = [row.tries, row.kills, row.resumed, row.finished].map(|number| number.to_string());
        table.row([row.what.clone()].into_iter().chain(numbers).chain([lost]));
    }
    table
}
