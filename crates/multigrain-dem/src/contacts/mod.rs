//! Pairs become contacts: in an order that goes by id, with what they remember, and what they do to their particles.

mod mates;
mod push;
mod rows;
mod scatter;
mod table;

pub(crate) use mates::MateBlock;
pub(crate) use push::{Growth, Push};
pub(crate) use rows::{Kept, RowBlock, Saved};
pub(crate) use table::ContactTable;
