//! Flags of `multigrain reproduce`.

use clap::Args;
use std::path::PathBuf;

/// Repeat the papers' experiments.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Writes into the folder, for every experiment: all measured points (.csv), a figure in the shape of the paper's (.svg, \
.png); and for all together report.html and experiments.md, with the paper's claims and what became of them. A run that \
was stopped continues where it was: finished points are kept in the folder. Remove the folder to measure again. For times \
that mean something the machine should have nothing else to do.

With --set an experiment is repeated for parameters of one's own: n, w, alpha, phi, k, methods, factor, corners, as far as it \
takes them (see list), one value or several with commas between them. Nothing in such a report is a claim of a paper.

multigrain reproduce list
multigrain reproduce hgrid-optimal
multigrain reproduce hgrid-optimal --set alpha=-2.5,-1.5 --set phi=0.6
multigrain reproduce all --quick --output reproduced")]
pub struct ReproduceFlags {
    /// Names of experiments, all, or list to see what there is
    #[arg(value_name = "NAME", default_value = "list")]
    pub names: Vec<String>,

    /// Smaller systems: minutes for everything, not hours
    #[arg(long)]
    pub quick: bool,

    /// A parameter of one's own, such as w=20 or alpha=-3,-2; may be given several times
    #[arg(long, value_name = "KEY=VALUE", allow_hyphen_values = true)]
    pub set: Vec<String>,

    /// Points at work at once: what is only counted, and the growth of packings, goes on beside what is timed; by default 2 where there are
    /// two processors
    #[arg(short, long, value_name = "N")]
    pub jobs: Option<std::num::NonZeroUsize>,

    /// Folder for results and finished points; by default multigrain-quick or multigrain-full, with what is set behind it
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
}
