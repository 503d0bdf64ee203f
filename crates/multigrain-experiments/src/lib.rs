//! The experiments of the papers behind `multigrain`, each repeated by one name.
//!
//! An [`Experiment`] is a list of [`Point`]s that are measured one by one and kept in a folder, a [`Figure`] in the shape of
//! the paper's, and [`Verdict`]s: what the paper claims, what was measured, what became of it in four words. [`run`] measures what is missing,
//! so that a stopped run goes on where it was, and writes tables, plots and a report.
//!
//! ```
//! use multigrain_experiments::{Choices, Silent, Size, find, run};
//! let folder = std::env::temp_dir().join("multigrain-experiments-example");
//! let reports = run(&[find("hgrid-linked-cell")?], &folder, &Choices::from(Size::Quick), &Silent)?;
//! assert!(reports[0].verdicts.iter().all(|verdict| verdict.is_as_printed()));
//! assert!(folder.join("report.html").exists());
//! # std::fs::remove_dir_all(folder)?;
//! # Ok::<(), multigrain_experiments::Error>(())
//! ```

mod bodies;
mod catalog;
pub mod chart;
mod choices;
pub mod drawing;
mod error;
mod experiment;
mod fit;
mod lanes;
mod machine;
mod packings;
mod packs_of_sizes;
pub mod polygon_beds;
mod processor_time;
mod race;
mod report;
mod row;
mod run;
mod steps;
mod store;
mod verdict;

pub use catalog::{ALL, find};
pub use chart::Figure;
pub use choices::{Choices, PARAMETERS};
pub use error::{Error, Result};
pub use experiment::{Context, Cost, Experiment, Kind, Paper, Point, Silent, Size, Watch};
pub use fit::median;
pub use report::tally_table;
pub use row::{Row, Table};
pub use run::{Report, run};
pub use verdict::{Outcome, Verdict, verdict_table};
