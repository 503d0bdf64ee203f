//! The papers' cost model, their levels, and the work that their grid counts.

mod hgrid_cells_work;
mod tuning_figures;
mod tuning_model;
mod tuning_optimum;
