//! Candidates become contacts: one table of rows for grains and walls, with what they remember, and what they do.
//!
//! Every particle has a row of candidates, other particles and faces of walls that come within the skin, and of them those that
//! touch now. A contact of two particles stands in the row of the one with the lower id and is worked out once ([`Push`]); then every
//! particle sums what its contacts do, of its own row and of others' ([`Candidates`] knows where), so that no particle writes where
//! another reads. Rows are sorted by [`Key`]: faces, then particles by id.

mod bodies;
mod candidates;
mod geometry;
mod loose;
mod memory;
mod push;
mod room;
mod scatter;
mod shaped;
mod table;
mod working_out;

pub(crate) use bodies::{Bodies, OF_SHAPES};
pub(crate) use candidates::{Candidates, Entry, MAX_PARTICLES};
pub(crate) use geometry::{Growth, Side, SideColumns, Slide};
pub(crate) use loose::Loose;
pub(crate) use memory::{Key, Kind, Memory, flip};
pub(crate) use push::Push;
pub(crate) use shaped::Shaped;
pub(crate) use table::{ContactBlock, ContactTable, NONE, Seconds, Touching, lock};
