//! Instructions, counted by valgrind: the same on every run and under any load.

use std::error::Error;
use std::io::ErrorKind;
use std::process::Command;

/// Set for the runs under valgrind: how far to go.
pub const STOP: &str = "MULTIGRAIN_LAB_STOP";

/// Runs this program under valgrind, with [`STOP`] set to `stop`, and returns how many instructions it took.
pub fn instructions(arguments: &[&str], stop: &str) -> Result<f64, Box<dyn Error>> {
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(std::env::current_exe()?);
    let output = valgrind.args(arguments).env(STOP, stop).output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => "valgrind is not installed; on Debian: apt install valgrind".to_owned(),
        _ => format!("cannot run valgrind: {error}"),
    })?;
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok());
    match collected {
        Some(instructions) if output.status.success() => Ok(instructions),
        _ => Err(format!("valgrind failed ({}):\n{said}", output.status).into()),
    }
}
