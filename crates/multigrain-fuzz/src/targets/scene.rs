//! Scenes: read, built, run for a few steps, saved and resumed.

use super::Outcome;
use crate::seeds::SCENE_FILE;
use multigrain_cli::{Trial, try_scene};
use std::path::Path;

/// Grains, corners and pieces that are built.
const MAX_GRAINS: u64 = 3000;

pub fn run(input: &[u8]) -> Outcome {
    let Ok(text) = std::str::from_utf8(input) else { return Outcome::refused("no text") };
    // Growth of crowded grains goes on for long, and has tests of its own.
    if text.contains("growth") {
        return Outcome::refused("growth");
    }
    match try_scene(Path::new(SCENE_FILE), text, MAX_GRAINS) {
        Ok(Trial::TooLarge) => Outcome::refused("too large"),
        Ok(Trial::Ran(grains)) => Outcome::accepted(grains),
        Err(error) => Outcome::refused(&format!("{error:#}")),
    }
}
