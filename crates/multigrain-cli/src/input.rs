//! Reading particles, with a bar where that is long.

use crate::progress::Progress;
use anyhow::Result;
use multigrain_files::{Input, System};

/// Reads a particle system. Every error names the file.
pub fn read(input: &Input) -> Result<System> {
    multigrain_files::read(input, &|length| Box::new(Progress::bytes("reading", length)))
}
