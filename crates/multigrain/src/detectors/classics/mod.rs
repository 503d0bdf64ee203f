//! What the classic detectors for bodies of similar size share: the test of two bodies, and the images across periodic
//! borders.

mod borders;
mod contacts;

pub(crate) use borders::{Borders, Frame};
pub(crate) use contacts::{Body, Contacts};
