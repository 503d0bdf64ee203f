//! Where and with what a point was measured.

use std::fs;
use std::thread::available_parallelism;

/// The processor and its cores, as far as the system tells.
pub fn machine() -> String {
    let cores = available_parallelism().map_or(1, usize::from);
    let processor = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let processor = processor.unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let plural = if cores == 1 { "" } else { "s" };
    format!("{processor}, {cores} core{plural}, {}", std::env::consts::OS)
}

/// The revision of the sources.
pub const REVISION: &str = env!("MULTIGRAIN_REVISION");
