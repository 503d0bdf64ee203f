//! Flags of `multigrain completions` and `multigrain man-pages`.

use clap::Args;
use clap_complete::Shell;
use std::path::PathBuf;

/// Print what a shell needs to complete commands and flags.
#[derive(Debug, Args)]
#[command(after_long_help = "\
bash   multigrain completions bash > ~/.local/share/bash-completion/completions/multigrain
zsh    multigrain completions zsh > a folder of $fpath, as _multigrain
fish   multigrain completions fish > ~/.config/fish/completions/multigrain.fish")]
pub struct CompletionsFlags {
    /// The shell
    pub shell: Shell,
}

/// Write a manual page for each command.
#[derive(Debug, Args)]
pub struct ManPagesFlags {
    /// Folder that they go to; made if it is not there
    pub folder: PathBuf,
}
