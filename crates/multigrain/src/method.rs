//! The registry: every method by name, built and iterated the same way.

use crate::detector::{Detector, Direction, Search};
use crate::detectors::{
    Auto, Bbts, BruteForce, HGridCells, HierarchicalGrid, LinkedCell, Mmr, Mr, MrS, Nbs, SortAndUpdate,
};
use crate::error::Error;
use crate::snapshot::Snapshot;
use std::any::Any;

/// Parameters that a method may take. The default leaves everything to the method.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Settings {
    /// Which of two bodies on different levels searches for the other.
    pub direction: Option<Direction>,
    /// Levels of a hierarchical grid.
    pub levels: LevelChoice,
}

/// How the levels of a hierarchical grid are chosen.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum LevelChoice {
    /// Number and sizes from the bodies.
    #[default]
    Tuned,
    /// So many levels, sizes from the bodies.
    Count(usize),
    /// Cell sizes as given, ascending.
    CellSizes(Vec<f64>),
}

impl Settings {
    /// For methods without levels: an error if any were asked for.
    pub(crate) fn refuse_levels(&self, method: &'static str) -> Result<(), Error> {
        match (&self.levels, self.direction) {
            (LevelChoice::Count(_), _) => Err(Error::NoSuchSetting { method, setting: "number of levels" }),
            (LevelChoice::CellSizes(_), _) => Err(Error::NoSuchSetting { method, setting: "cell sizes" }),
            (LevelChoice::Tuned, Some(_)) => Err(Error::NoSuchSetting { method, setting: "direction" }),
            (LevelChoice::Tuned, None) => Ok(()),
        }
    }
}

/// What makes a detector part of the registry.
pub(crate) trait Build<const D: usize>: Search<D> + Sized {
    /// A detector for snapshots like `now`; it works for any other snapshot too.
    fn build(now: Snapshot<'_, D>, settings: &Settings) -> Result<Self, Error>;
}

/// One line per method: variant, name, what it is, detector type.
macro_rules! methods {
    ($($variant:ident $name:literal $about:literal $detector:ty;)*) => {
        /// A method of contact detection.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Method {
            $(#[doc = $about] $variant,)*
        }

        impl Method {
            /// Every method. Tests, benches, command line and Python iterate this list.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The name on the command line and in Python.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$variant => $name,)* }
            }

            /// One line on what the method is.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$variant => $about,)* }
            }

            fn build_in<const D: usize>(self, now: Snapshot<'_, D>, settings: &Settings) -> Result<Box<dyn Detector<D>>, Error> {
                match self { $(Self::$variant => Ok(Box::new(<$detector as Build<D>>::build(now, settings)?)),)* }
            }
        }
    };
}

methods! {
    Auto "auto" "The method and levels that suit the bodies." Auto<D>;
    BruteForce "brute-force" "Every pair tested. The oracle; only for small systems." BruteForce;
    LinkedCell "linked-cell" "One grid with cells of the largest diameter. The reference of the papers." LinkedCell<D>;
    HGrid "hgrid" "Hierarchical grid, bodies sorted by cell, rows of cells tested eight bodies at a time." HierarchicalGrid<D>;
    HGridCells "hgrid-cells" "Hierarchical grid of the papers: a hash of occupied cells, searched one by one." HGridCells<D>;
    SortAndUpdate "sort-and-update" "Ends of boxes kept sorted along every axis; pairs come and go as ends change places." SortAndUpdate<D>;
    Nbs "nbs" "No binary search: lists by layer, row and cell, rebuilt every step. For bodies of similar size." Nbs<D>;
    Mr "mr" "Munjiza-Rougier: a doubly linked list sorted by cell, mended every step. For bodies of similar size." Mr<D>;
    MrS "mr-s" "A list sorted by cell in plain arrays, mended every step. For bodies of similar size." MrS<D>;
    Mmr "mmr" "Multi-step MR: groups by size, each sorted and searched with cells of its size." Mmr<D>;
    Bbts "bbts" "A height-balanced binary tree of occupied cells. For bodies of similar size." Bbts<D>;
}

impl Method {
    /// A detector of this method with the given settings, suited to snapshots like `now`.
    pub fn build_with<const D: usize>(
        self,
        now: Snapshot<'_, D>,
        settings: &Settings,
    ) -> Result<Box<dyn Detector<D>>, Error> {
        match D {
            2 => self.build_in_the_plane(now.with_axes(), settings).map(same_type),
            3 => self.build_in_space(now.with_axes(), settings).map(same_type),
            _ => self.build_in(now, settings),
        }
    }

    // All detectors for two and for three axes are compiled here, once, and not again in every crate that uses them.

    #[inline(never)]
    fn build_in_the_plane(self, now: Snapshot<'_, 2>, settings: &Settings) -> Result<Box<dyn Detector<2>>, Error> {
        self.build_in(now, settings)
    }

    #[inline(never)]
    fn build_in_space(self, now: Snapshot<'_, 3>, settings: &Settings) -> Result<Box<dyn Detector<3>>, Error> {
        self.build_in(now, settings)
    }

    /// A detector of this method that chooses its own settings, suited to snapshots like `now`.
    pub fn build<const D: usize>(self, now: Snapshot<'_, D>) -> Result<Box<dyn Detector<D>>, Error> {
        self.build_with(now, &Settings::default())
    }

    /// The method of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|method| method.name() == name)
    }
}

/// The same value, where both types are the same.
fn same_type<A: 'static, B: 'static>(value: A) -> B {
    let mut value = Some(value);
    let same = (&mut value as &mut dyn Any).downcast_mut::<Option<B>>();
    same.and_then(Option::take).expect("both types are the same")
}
