//! Flags of `multigrain reproduce`.

use clap::Args;
use std::path::PathBuf;

/// Repeat the papers' experiments.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Writes into the folder, for every experiment: all measured points (.csv), a figure in the shape of the paper's (.svg, \
.png); and for all together report.html and experiments.md, with the paper's claims and what became of them. A run that \
was stopped goes on where it was: finished points are kept in the folder. Remove the folder to measure anew. For times \
that mean something the machine should have nothing else to do.

multigrain reproduce list
multigrain reproduce hgrid-optimal
multigrain reproduce all --quick --output reproduced")]
pub struct ReproduceFlags {
    /// Names of experiments, all, or list to see what there is
    #[arg(value_name = "NAME", default_value = "list")]
    pub names: Vec<String>,

    /// Smaller systems: minutes for everything, not hours
    #[arg(long)]
    pub quick: bool,

    /// Folder for results and finished points; by default multigrain-quick or multigrain-full
    #[arg(long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}
