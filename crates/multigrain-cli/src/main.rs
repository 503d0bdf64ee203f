//! The `multigrain` command: contact detection for grains of every size, from file to file.
//!
//! [`flags`] is what was typed, [`plan`] what it means, [`commands`] do it. Files are read and written by `multigrain-files`.

mod coefficients;
mod commands;
mod failure;
mod flags;
mod input;
mod memory;
mod output;
mod plan;
mod plots;
mod progress;
mod scene;
mod table;
mod topics;

use clap::Parser;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: memory::CountingAllocator = memory::CountingAllocator;

fn main() -> ExitCode {
    memory::return_large_blocks();
    if let Some(answer) = topics::answer(std::env::args_os()) {
        return match answer {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failure::report(&error),
        };
    }
    let flags = match flags::Flags::try_parse() {
        Ok(flags) => flags,
        Err(error) => return failure::report_usage(&error),
    };
    match commands::run(flags) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}
