//! What an experiment is.

use crate::chart::Figure;
use crate::choices::Choices;
use crate::error::{Result, fault};
use crate::row::{Row, Table};
use crate::verdict::Verdict;
use std::path::Path;

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Size {
    /// Seconds for everything: to test the code, not the claims.
    Tiny,
    /// Minutes for everything, on two cores.
    Quick,
    /// The papers' own sizes: hours for everything.
    Full,
}

impl Size {
    /// Its name in folders and texts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Tiny => "tiny",
            Self::Quick => "quick",
            Self::Full => "full",
        }
    }

    /// The one of three values that is meant for it.
    pub fn pick<T>(self, tiny: T, quick: T, full: T) -> T {
        match self {
            Self::Tiny => tiny,
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// The papers, by the names they have in `docs/papers.md`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    /// Krijgsman, Ogarko, Luding: optimal parameters of the hierarchical grid.
    OptimalHgrid,
    /// Ogarko, Luding: the hierarchical grid with constant particles per cell.
    FastMultilevel,
    /// Schinner: sort-and-update, closest features, threads.
    Polygons,
    /// Schiava d'Albano and others: the classics compared.
    Comparison,
    /// Munjiza, Rougier, John: MR and MMR.
    Mr,
}

impl Paper {
    /// All of them, in the order of the catalogue.
    pub const ALL: [Self; 5] = [Self::OptimalHgrid, Self::FastMultilevel, Self::Mr, Self::Comparison, Self::Polygons];

    /// Its short name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::OptimalHgrid => "optimal-hgrid",
            Self::FastMultilevel => "fast-multilevel",
            Self::Polygons => "polygons",
            Self::Comparison => "comparison",
            Self::Mr => "mr",
        }
    }

    /// Its authors.
    pub const fn authors(self) -> &'static str {
        match self {
            Self::OptimalHgrid => "Krijgsman, Ogarko, Luding",
            Self::FastMultilevel => "Ogarko, Luding",
            Self::Polygons => "Schinner",
            Self::Comparison => "Schiava d'Albano and others",
            Self::Mr => "Munjiza, Rougier, John",
        }
    }
}

/// About how long an experiment takes on two cores, in words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cost {
    /// With `--quick`.
    pub quick: &'static str,
    /// At full size.
    pub full: &'static str,
}

/// An experiment of a paper.
#[derive(Debug)]
pub struct Experiment {
    /// Its name on the command line and of its files.
    pub name: &'static str,
    /// Where it comes from.
    pub paper: Paper,
    /// The figure or section.
    pub figure: &'static str,
    /// What is done, in a few sentences.
    pub about: &'static str,
    /// How long it takes.
    pub cost: Cost,
    /// Parameters of [`PARAMETERS`](crate::PARAMETERS) that may be set to others than the paper's.
    pub parameters: &'static [&'static str],
    /// What is to be measured.
    pub points: fn(&Choices) -> Vec<Point>,
    /// The figure of what was measured.
    pub draw: fn(&Table) -> Figure,
    /// The paper's claims against what was measured.
    pub judge: fn(&Table) -> Vec<Verdict>,
}

/// What may go on beside the measurement of a point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Its result is a count or follows from formulas: anything may.
    Counted,
    /// It is timed: no other point that is.
    Timed,
    /// It is timed on all processors: nothing.
    Alone,
}

/// What is measured at once, and kept.
pub struct Point {
    /// Tells it from all other points of the experiment, and holds every parameter: a point of the same key is the same
    /// measurement. Letters, digits, `.`, `,`, `=`, `-` and `_` only, for it is the name of a file.
    pub key: String,
    /// Seed of all that is random in it; 0 where nothing is.
    pub seed: u64,
    /// Seconds it is expected to take on two cores, to tell the time to go.
    pub seconds: f64,
    /// What may go on beside it.
    pub kind: Kind,
    /// Measures it.
    pub measure: Box<Measure>,
    /// What is made for it before, such as packings for the cache, and how many seconds that is expected to take.
    pub preparation: Option<(f64, Box<Prepare>)>,
}

type Measure = dyn Fn(&Context<'_>) -> Result<Vec<Row>> + Send + Sync;
type Prepare = dyn Fn(&Context<'_>) -> Result<()> + Send + Sync;

impl Point {
    /// A point without chance, which is timed.
    pub fn new(
        key: String,
        seconds: f64,
        measure: impl Fn(&Context<'_>) -> Result<Vec<Row>> + Send + Sync + 'static,
    ) -> Self {
        Self { key, seed: 0, seconds, kind: Kind::Timed, measure: Box::new(measure), preparation: None }
    }

    /// The same with a seed, which its measurement must use.
    pub fn seeded(self, seed: u64) -> Self {
        Self { seed, ..self }
    }

    /// The same where nothing is timed.
    pub fn counted(self) -> Self {
        Self { kind: Kind::Counted, ..self }
    }

    /// The same where nothing else may go on.
    pub fn alone(self) -> Self {
        Self { kind: Kind::Alone, ..self }
    }

    /// The same with something that is made before, in so many seconds.
    pub fn prepared(self, seconds: f64, prepare: impl Fn(&Context<'_>) -> Result<()> + Send + Sync + 'static) -> Self {
        Self { preparation: Some((seconds, Box::new(prepare))), ..self }
    }

    /// Seconds of preparation and measurement.
    pub fn all_seconds(&self) -> f64 {
        self.seconds + self.preparation.as_ref().map_or(0.0, |preparation| preparation.0)
    }
}

/// What a measurement may use.
pub struct Context<'a> {
    /// A folder for what takes long to make and may be used again.
    pub cache: &'a Path,
    /// Seed of the point.
    pub seed: u64,
    /// Hears what is going on.
    pub watch: &'a dyn Watch,
}

impl Context<'_> {
    /// Does it on one thread, as the papers did.
    pub fn on_one_thread<T: Send>(&self, work: impl FnOnce() -> T + Send) -> Result<T> {
        on_threads(1, work)
    }
}

/// Does it on this many threads.
pub(crate) fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> Result<T> {
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| fault!("cannot start threads: {error}"))?;
    Ok(pool.install(work))
}

/// Hears how a run goes.
pub trait Watch: Sync {
    /// The run begins: so many points, so many seconds of work that is timed, by expectation, and of work beside it, in so many lanes.
    fn begin(&self, _points: usize, _timed: f64, _beside: f64, _lanes: usize) {}

    /// A point begins; this many seconds of work are done out of those that this run has to do, by expectation.
    fn point(&self, experiment: &str, key: &str, done: f64, all: f64);

    /// Within the point: what is going on.
    fn note(&self, what: &str);
}

/// Does not care.
#[derive(Debug, Clone, Copy)]
pub struct Silent;

impl Watch for Silent {
    fn point(&self, _experiment: &str, _key: &str, _done: f64, _all: f64) {}

    fn note(&self, _what: &str) {}
}
