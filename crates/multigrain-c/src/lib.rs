//! The C interface: find pairs, in one set or between two, with a detector that keeps its memory from call to call.
//!
//! Every function that can fail returns a [`MgStatus`]; `mg_last_error` has the text. No panic crosses the border.
//! `include/multigrain.h` is made from this file by cbindgen; a test compares.

mod detector;
mod error;
mod system;

pub use detector::{
    MgDetector, MgPairs, mg_detector_free, mg_detector_new, mg_find_pairs, mg_find_pairs_between, mg_pairs_count,
    mg_pairs_free, mg_pairs_indices, mg_pairs_new, mg_pairs_shifts,
};
pub use error::{MgStatus, mg_last_error};
pub use system::MgSystem;

use std::ffi::c_char;

/// The version of the library, as text that is never freed.
#[unsafe(no_mangle)]
pub extern "C" fn mg_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
