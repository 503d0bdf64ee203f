//! Flags of `multigrain simulate`.

use clap::Args;
use std::path::PathBuf;

/// Run a scene.
#[derive(Debug, Args)]
#[command(after_long_help = "\
A scene is a TOML file: domain, materials, particles, walls, gravity, what comes and goes, outputs. multigrain help scene explains \
every key, and multigrain new writes one to begin with.

Everything is written to one folder: energies.csv, snapshots for ParaView (.vtp) and OVITO (.dump), a picture, for small \
runs page.html, which shows them in the browser, and checkpoint.bin. A run that was killed continues from there with --resume, \
bit for bit. A folder that holds a run is left as it is, unless --resume or --overwrite says what to do with it. The course does not depend on method, skin or threads.")]
pub struct SimulateFlags {
    /// The scene
    #[arg(value_name = "SCENE.toml")]
    pub scene: PathBuf,

    /// Continue from the last checkpoint
    #[arg(long, conflicts_with = "overwrite")]
    pub resume: bool,

    /// With --resume: continue with another value of a key, such as gravity=[0,0,-1.6] or material.glass.friction=0.3; of a table
    /// that is there several times say which by name or number from 0. What there is must stay: materials, walls, grains, the time step.
    /// Noted in changes.txt and the table
    #[arg(long, value_name = "KEY=VALUE", requires = "resume", conflicts_with = "overwrite")]
    pub change: Vec<String>,

    /// Remove the run that the folder holds, and begin again
    #[arg(long)]
    pub overwrite: bool,

    /// Folder for all output; by default as the scene says, or named like it
    #[arg(short, long, value_name = "FOLDER")]
    pub output: Option<PathBuf>,

    /// Simulate this long instead of what the scene says
    #[arg(long, value_name = "TIME", allow_hyphen_values = true)]
    pub duration: Option<f64>,

    /// Print one JSON object about the run
    #[arg(long)]
    pub json: bool,

    /// Simulate on this many ranks, each a thread, as under mpirun; 1: alone, whatever launcher there is
    #[arg(long, value_name = "N", hide = true, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub ranks: Option<u32>,
}
