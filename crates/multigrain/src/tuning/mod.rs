//! From sizes of bodies to levels and cell sizes.

pub(crate) mod occupancy;
