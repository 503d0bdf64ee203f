//! Files of multigrain: particle systems and contact lists, read and written in several formats.
//!
//! What the command line and the Python package share. [`read`] finds the format by extension and content;
//! [`SystemFormat`] and [`ListFormat`] write; a [`Target`] is a file that appears complete or not at all. Errors are one
//! line that names file, line and column, and may know a way out ([`Error::hint`]).
//!
//! ```
//! use multigrain::{Domain, System};
//! use multigrain_files::SystemFormat;
//! let particles = System { centers: vec![[0.5, 1.0]], radii: vec![0.25], domain: Domain::open() };
//! let mut text = Vec::new();
//! SystemFormat::Csv.write(&mut text, &particles)?;
//! assert_eq!(text, b"x,y,r\n0.5,1,0.25\n");
//! # Ok::<(), multigrain_files::Error>(())
//! ```

mod collection;
mod error;
mod formats;
mod frame;
mod packed;
mod poly_data;
mod progress;
mod shared_file;
mod system;
mod target;
pub mod view;

pub use collection::collection;
pub use error::{Error, Result, hinted};
pub use formats::{
    Column, ContactList, ContactRow, FrameChoice, Frames, Input, ListFormat, ListIds, ListLabels, Mesh, MeshArray,
    Moment, Raw, RowPiece, SystemFormat, read, read_bytes, read_elements, read_frames, read_full_frames, read_moments,
    read_moments_of_bytes, read_row_piece, read_surface, read_weights, surface_of_bytes,
};
pub use frame::{ContactLine, Frame, FrameDetails};
pub use packed::{extension, read_plain};
pub use poly_data::Share;
pub use progress::Progress;
pub use shared_file::SharedFile;
pub use system::AXES;
#[doc(hidden)]
pub use target::refuse_stdout;
pub use target::{Target, write_durably};
