//! What shells and `man` know of the command, from its flags.

use crate::failure::say;
use crate::flags::{CompletionsFlags, Flags, ManPagesFlags};
use anyhow::{Context, Result};
use clap::CommandFactory;
use multigrain_files::Target;

/// Prints a script of completions.
pub fn completions(flags: &CompletionsFlags) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(flags.shell, &mut Flags::command(), "multigrain", &mut script);
    Ok(Target::Stdout.write(|out| Ok(out.write_all(&script)?))?)
}

/// Writes `multigrain.1` and a page for each command.
pub fn man_pages(flags: &ManPagesFlags) -> Result<()> {
    let cannot = || format!("cannot write manual pages to {}", flags.folder.display());
    std::fs::create_dir_all(&flags.folder).with_context(cannot)?;
    clap_mangen::generate_to(Flags::command(), &flags.folder).with_context(cannot)?;
    say(&format!("manual pages written to {}", flags.folder.display()));
    Ok(())
}
