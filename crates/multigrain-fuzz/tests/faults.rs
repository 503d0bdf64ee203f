//! Every fault for a moment: nothing is lost. `docs/reliability.md` reports longer runs.

use multigrain_fuzz::faults::{Extent, Program, campaign};
use std::fs;

#[test]
fn a_few_kills_full_disks_and_limits_lose_nothing() {
    // This program plays the program under test.
    let program = Program::at(env!("CARGO_BIN_EXE_faults"));
    let folder = std::env::temp_dir().join(format!("multigrain-few-faults-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let extent = Extent { kills: 4, damages: 8, rounds: 1, seed: 1 };
    let rows = campaign(&program, &folder.canonicalize().unwrap(), extent).unwrap();
    fs::remove_dir_all(&folder).unwrap();
    let losses: Vec<String> =
        rows.iter().flat_map(|row| row.losses.iter().map(|loss| format!("{}: {loss}", row.what))).collect();
    assert!(losses.is_empty(), "{}", losses.join("\n"));
    assert!(rows.iter().map(|row| row.kills).sum::<u64>() >= 20);
    assert!(rows.iter().map(|row| row.tries).sum::<u64>() >= 60);
}
