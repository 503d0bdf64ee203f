//! Reading particles, with a bar where that is long.

use crate::failure::say;
use crate::progress::Progress;
use crate::table::count;
use anyhow::Result;
use multigrain::AnySystem;
use multigrain_files::{FrameChoice, Frames, Input, read_frames};

/// Reads a particle system: the first frame, and a note where there are more. Every error names the file.
pub fn read(input: &Input) -> Result<AnySystem> {
    let mut frames = read_frames(input, FrameChoice::At(0), &watch)?;
    if frames.total > 1 {
        say(&format!("note: {input} has {} frames, the first is read", count(frames.total as u64)));
    }
    Ok(frames.chosen.remove(0).1.system)
}

/// Reads the frames that were asked for; without a wish the first, and a note where there are more.
pub fn frames(input: &Input, choice: Option<FrameChoice>) -> Result<Frames> {
    let frames = read_frames(input, choice.unwrap_or(FrameChoice::At(0)), &watch)?;
    if frames.total > 1 && choice.is_none() {
        let total = count(frames.total as u64);
        say(&format!("note: {input} has {total} frames, the first is read; --frame takes a number, last or all"));
    }
    Ok(frames)
}

fn watch(length: u64) -> Box<dyn multigrain_files::Progress> {
    Box::new(Progress::bytes("reading", length))
}
