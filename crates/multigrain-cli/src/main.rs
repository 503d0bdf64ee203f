//! The `multigrain` command.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: multigrain_cli::EndingAllocator = multigrain_cli::EndingAllocator;

fn main() -> ExitCode {
    multigrain_cli::run()
}
