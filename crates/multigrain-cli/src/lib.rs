//! The `multigrain` command: contact detection for grains of every size, from file to file.
//!
//! `flags` is what was typed, `plan` what it means, `commands` do it. Files are read and written by `multigrain-files`.
//! It is a library so that scenes can be read and run without a program around them, by those who look for mistakes in it.

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
mod runtime;
mod scene;
mod table;
mod topics;
mod trial;

pub use runtime::EndingAllocator;
#[doc(hidden)]
pub use trial::{
    CourseWay, SceneCourse, Trial, check_scene, courses_of_scene, keys_of_scenes, setup_of_scene, try_scene,
};

use std::process::ExitCode;

/// The whole program: reads the command line, does what it says, and gives the exit code.
pub fn run() -> ExitCode {
    memory::return_large_blocks();
    if runtime::stdout_is_closed() {
        multigrain_files::refuse_stdout();
    }
    if let Some(answer) = topics::answer(std::env::args_os()) {
        return match answer {
            Ok(()) => ExitCode::SUCCESS,
            Err(error) => failure::report(&error),
        };
    }
    let flags = match flags::Flags::typed() {
        Ok(flags) => flags,
        Err(error) => return failure::report_usage(&error),
    };
    match commands::run(flags) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error),
    }
}
