//! Flags of `multigrain detect`.

use super::values::{self, Numbers, PeriodicAxes};
use clap::Args;
use multigrain::Direction;
use multigrain_files::FrameChoice;
use multigrain_methods::Method;
use std::path::PathBuf;

/// Find every contact of the particles in a file.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Input, recognized by extension and content:
  .csv               a header with x,y[,z],r in any order; other columns are ignored
  .npy               an array (N,3) of x,y,r or (N,4) of x,y,z,r, float32 or float64
  .xyz               extended XYZ; Properties= with pos and radius or diameter
  .dump, .lammpstrj  LAMMPS dump with radius or diameter, sorted by id: particle 0 has the smallest id
  .vtp               VTK PolyData, not compressed: points with an array radius or diameter
  .h5, .hdf5         HDF5, where the program was built with it: frames as `multigrain convert` writes them
  .stl, .vtu         meshes: pairs of elements whose bounding spheres touch and that share no vertex
  .gz, .zst          any of these compressed, such as grains.dump.gz; lists are compressed by the same endings
  -                  any of these on standard input

The list has a row for each contact, sorted by (i, j, image shift): particles i < j counted from 0; with periodic axes \
also by how many boxes the image of j is shifted (a particle that touches its own image is a row i = j). Where the file has ids, CSV has them too, in the columns id_i and id_j. \
With --frame all the number of the frame, from 0, is the first column.

Figures of --json: seconds.map includes the choice of levels, seconds.write includes sorting the list, seconds.total \
is the sum of read, map, search and write; peak_memory_bytes is the most memory that detection takes at once on top of \
the particles themselves, in whole pages, as the operating system counts it.")]
pub struct DetectFlags {
    /// Particle file (.csv, .npy, .xyz, .dump, .lammpstrj, .vtp) or mesh (.stl, .vtu), or - for standard input
    pub input: PathBuf,

    /// How to detect
    #[arg(long, value_name = "NAME", default_value = Method::Auto.name(), value_parser = values::method())]
    pub method: Method,

    /// Which of two particles on different levels searches for the other
    #[arg(long, value_parser = values::direction())]
    pub direction: Option<Direction>,

    /// Cell sizes of the levels, from fine to coarse, such as 4,7.9,15.1
    #[arg(long, value_name = "SIZES", value_parser = values::numbers, allow_hyphen_values = true, conflicts_with = "levels")]
    pub cell_sizes: Option<Numbers>,

    /// Number of levels; their cell sizes are chosen
    #[arg(long, value_name = "L")]
    pub levels: Option<usize>,

    /// Factor between groups of sizes, for mmr
    #[arg(long, value_name = "F")]
    pub factor: Option<f64>,

    /// Another particle file: only pairs of a particle of INPUT (i) and one of this file (j)
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,

    #[command(flatten)]
    pub space: SpaceFlags,

    /// Frame of a dump or XYZ file with several: a number from 0, last, or all; the first by default
    #[arg(long, value_name = "N", value_parser = values::frame, allow_hyphen_values = true)]
    pub frame: Option<FrameChoice>,

    /// Where the list goes: .csv, .npy (with .gz or .zst behind it: compressed), or - for CSV on standard output
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,

    /// Count candidates tested and cells looked up, in an extra run
    #[arg(long)]
    pub count_work: bool,

    /// Detect this many times from the start and give median times
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub repeat: u32,

    /// Say what was done and why it took that long, on standard error
    #[arg(long)]
    pub explain: bool,

    /// Print one JSON object instead of the list
    #[arg(long)]
    pub json: bool,

    /// Search on this many ranks, each a thread, as under mpirun; 1: alone, whatever launcher there is
    #[arg(long, value_name = "N", hide = true, value_parser = clap::value_parser!(u32).range(1..=4096))]
    pub ranks: Option<u32>,
}

/// The space the particles are in.
#[derive(Debug, Args)]
pub struct SpaceFlags {
    /// Particles whose gap is below this are in contact
    #[arg(long, value_name = "X", default_value_t = 0.0, allow_hyphen_values = true)]
    pub margin: f64,

    /// Periodic axes, such as x,y, or none; by default those of the file. Needs a box
    #[arg(long, value_name = "AXES", value_parser = values::periodic_axes)]
    pub periodic: Option<PeriodicAxes>,

    /// The box, as xlo,xhi,ylo,yhi[,zlo,zhi]; by default that of the file
    #[arg(long = "box", value_name = "BOUNDS", value_parser = values::bounds, allow_hyphen_values = true)]
    pub bounds: Option<Numbers>,

    /// A sheared box by its edges, and its origin if that is not zero: ax,ay,az,bx,by,bz,cx,cy,cz[,ox,oy,oz], in 2D
    /// ax,ay,bx,by[,ox,oy]; --periodic then names edges
    #[arg(long, value_name = "EDGES", value_parser = values::cell, allow_hyphen_values = true, conflicts_with = "bounds")]
    pub cell: Option<Numbers>,
}
