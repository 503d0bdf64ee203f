//! What the classic detectors for bodies of similar size share: the test of two bodies, images across periodic borders,
//! cells as numbers, and the sorted list of MR with its sorts and its search.

mod body_list;
mod borders;
mod cell_key;
mod contacts;
mod copied_bodies;
mod kept_grid;
mod mr_engine;
mod mr_sort;
mod near;
mod quick_sort;
mod row_search;
mod strays;
mod targets;

pub(crate) use body_list::{BodyList, BothWays, CellMap, OneWay, Stop};
pub(crate) use borders::{BorderFrame, Borders};
pub(crate) use cell_key::CellKey;
pub(crate) use contacts::{Body, Contacts};
pub(crate) use copied_bodies::CopiedBodies;
pub(crate) use kept_grid::KeptGrid;
pub(crate) use mr_engine::{MrEngine, Steps};
pub(crate) use near::NearBodies;
pub(crate) use row_search::{Finding, rows_of_half_mask, search_within};
pub(crate) use strays::with_strays_removed;
pub(crate) use targets::{Contactors, Targets, search_from_targets};
