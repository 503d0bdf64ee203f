//! Pairs become contacts: in an order that goes by id, with what they remember, and a place for their force.

mod scatter;
mod table;

pub(crate) use table::{ContactTable, Saved, Twist};
