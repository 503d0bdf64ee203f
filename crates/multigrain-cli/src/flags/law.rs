//! Flags of a size law, shared by commands that make or judge one.

use clap::{Args, ValueEnum};
use serde::Deserialize;
use std::path::PathBuf;

/// A distribution of radii.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum LawName {
    /// All the same
    Mono,
    /// Every radius from 1 to W equally likely
    Uniform,
    /// Density r^A from 1 to W
    Power,
    /// Radii 1 and W with equal total volumes
    Bidisperse,
    /// Normal in ln r, cut off at 1 and W
    LogNormal,
    /// Radii and weights from a file
    Table,
}

/// Parameters of a law.
#[derive(Debug, Args)]
pub struct LawParameters {
    /// Exponent of the density r^A of a power law: 0 for uniform sizes, -3 for uniform volumes
    #[arg(long, value_name = "A", allow_hyphen_values = true)]
    pub exponent: Option<f64>,

    /// Largest radius over smallest
    #[arg(long, value_name = "W", allow_hyphen_values = true)]
    pub ratio: Option<f64>,

    /// Standard deviation of ln r of a log-normal law; by default a sixth of ln W
    #[arg(long, value_name = "S", allow_hyphen_values = true)]
    pub sigma: Option<f64>,

    /// Table of a law: CSV with the columns radius,weight
    #[arg(long, value_name = "FILE")]
    pub table: Option<PathBuf>,
}

impl LawName {
    /// The name on the command line.
    pub fn name(self) -> String {
        self.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
    }
}
