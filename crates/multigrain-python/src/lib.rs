//! The extension module of the Python package `multigrain`: conversions and Python documentation around the engine.

mod analysis;
mod arguments;
mod arrays;
mod batch;
mod between;
mod boxes;
mod contacts;
mod dem;
mod detector;
mod distributed;
mod domain;
mod errors;
mod files;
mod grid;
mod kept;
mod laws;
mod living;
mod memory;
mod neighbor_list;
mod neighbor_table;
mod notebook;
mod packing;
mod pairs;
mod polygons;
mod queries;
mod search;
mod system;
mod threads;
mod tuning;
mod view;

/// Contact detection for grains of every size, compiled part.
#[pyo3::pymodule]
mod _core {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::analysis::analyze;
    #[pymodule_export]
    use crate::batch::find_pairs_each;
    #[pymodule_export]
    use crate::between::find_pairs_between;
    #[pymodule_export]
    use crate::boxes::find_box_pairs;
    #[pymodule_export]
    use crate::contacts::{_contacts_of, Contacts};
    #[pymodule_export]
    use crate::dem::{ClumpShape, Deformation, Generator, Law, Material, Meter, Outflow, Region, Simulation, Wall};
    #[pymodule_export]
    use crate::detector::{_detector_of, Detector};
    #[pymodule_export]
    use crate::distributed::_find_pairs_on_ranks;
    #[pymodule_export]
    use crate::domain::{_domain_of, Domain};
    #[pymodule_export]
    use crate::files::{read, write};
    #[pymodule_export]
    use crate::grid::HierarchicalGrid;
    #[pymodule_export]
    use crate::living::LivingGrid;
    #[pymodule_export]
    use crate::neighbor_list::_neighbor_list;
    #[pymodule_export]
    use crate::neighbor_table::{_neighbor_table_of, NeighborTable};
    #[pymodule_export]
    use crate::packing::pack;
    #[pymodule_export]
    use crate::pairs::{_pairs_changed, _pairs_of, Pairs};
    #[pymodule_export]
    use crate::polygons::{
        _closest_of, _features_of, _overlap_of, _polygon_of, Closest, Features, Overlap, Polygon, closest_features,
        overlap,
    };
    #[pymodule_export]
    use crate::queries::Queries;
    #[pymodule_export]
    use crate::search::{_seconds_in_rust, _work_of, Work, count_work, find_pairs, methods};
    #[pymodule_export]
    use crate::system::System;
    #[pymodule_export]
    use crate::threads::{set_threads, threads};
    #[pymodule_export]
    use crate::tuning::{_tuning_of, Tuning, tune};
    #[pymodule_export]
    use crate::view::{_view_of, View, view};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
