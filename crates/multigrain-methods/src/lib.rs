//! The registry: every method of contact detection by name, built and iterated the same way.
//!
//! The engine has the fast methods, [`multigrain_papers`] those of the papers. What each of them is stands here, once, in
//! one line per method; command line, Python, tests and benches iterate [`Method::ALL`].
//!
//! ```
//! use multigrain::{Pairs, Snapshot};
//! use multigrain_methods::Method;
//! let (centers, radii) = ([[0.0, 0.0], [1.5, 0.0]], [1.0, 0.8]);
//! let now = Snapshot::new(&centers, &radii)?;
//! for method in Method::ALL {
//!     let mut pairs = Pairs::new();
//!     method.build(now)?.find_pairs(now, &mut pairs);
//!     assert_eq!(pairs.as_slice(), [[0, 1]], "{method}");
//! }
//! # Ok::<(), multigrain::Error>(())
//! ```

use multigrain::detectors::{Auto, BruteForce, HierarchicalGrid};
use multigrain::{Axes, Build, Detector, Dimension, Error, Family, LevelChoice, Settings, Snapshot};
use multigrain_papers::{Bbts, HGridCells, LinkedCell, Mmr, Mr, MrS, Nbs, SortAndUpdate};
use std::fmt::{Display, Formatter};
use std::marker::PhantomData;
use std::str::FromStr;

/// What makes a search with a method long.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Candidates {
    /// Every pair is tested: for small systems.
    EveryPair,
    /// Cells of one size: quadratic where sizes differ much, or where bodies crowd.
    OneSize,
    /// Order along the axes: quadratic where bodies overlap along every axis but do not touch.
    Axes,
    /// Few for bodies of any size.
    AnySize,
}

/// What a method may be given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// Levels and a direction.
    Levels,
    /// The factor between groups of sizes.
    Factor,
}

/// How a detector is made: by the engine, which has compiled it already, by its `Build`, or as its default where it has nothing
/// to look at.
macro_rules! make {
    (boxed $detector:ty, $now:ident, $settings:ident) => {
        <$detector>::build_boxed($now, $settings)
    };
    (build $detector:ty, $now:ident, $settings:ident) => {
        Ok(Box::new(<$detector as Build<D>>::build($now, $settings)?))
    };
    (default $detector:ty, $now:ident, $settings:ident) => {
        Ok(Box::new(<$detector>::default()))
    };
}

/// One line per method: variant, name, what its candidates are, what it takes, whether it shares a search among threads,
/// whether it mends its index from call to call, how it is made, and what it is in words.
macro_rules! methods {
    ($($variant:ident $name:literal $candidates:ident $takes:ident threads:$threads:literal remembers:$remembers:literal $make:ident $detector:ty, $about:literal;)*) => {
        /// A method of contact detection.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(try_from = "String", into = "&'static str"))]
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

            /// What makes a search long.
            pub const fn candidates(self) -> Candidates {
                match self { $(Self::$variant => Candidates::$candidates,)* }
            }

            /// What the method may be given.
            pub const fn takes(self) -> Takes {
                match self { $(Self::$variant => Takes::$takes,)* }
            }

            /// Whether it shares one search among threads.
            pub const fn uses_threads(self) -> bool {
                match self { $(Self::$variant => $threads,)* }
            }

            /// Whether it mends what it built in the last call, so that bodies that moved little take less time.
            pub const fn remembers(self) -> bool {
                match self { $(Self::$variant => $remembers,)* }
            }

            fn build_in<const D: usize>(self, now: Snapshot<'_, D>, settings: &Settings) -> Result<Box<dyn Detector<D>>, Error>
            where
                Axes: Dimension<D>,
            {
                match self { $(Self::$variant => make!($make $detector, now, settings),)* }
            }
        }
    };
}

methods! {
    Auto "auto" AnySize Levels threads:true remembers:false boxed Auto<D>,
        "The method and levels that suit the bodies.";
    BruteForce "brute-force" EveryPair Nothing threads:false remembers:false default BruteForce,
        "Every pair tested. The oracle; only for small systems.";
    LinkedCell "linked-cell" OneSize Nothing threads:false remembers:false default LinkedCell<D>,
        "One grid with cells of the largest diameter. The reference of the papers.";
    HGrid "hgrid" AnySize Levels threads:true remembers:false boxed HierarchicalGrid<D>,
        "Hierarchical grid, bodies sorted by cell, rows of cells tested eight bodies at a time.";
    HGridCells "hgrid-cells" AnySize Levels threads:true remembers:false build HGridCells<D>,
        "Hierarchical grid of the papers: a hash of occupied cells, searched one by one.";
    SortAndUpdate "sort-and-update" Axes Nothing threads:true remembers:true build SortAndUpdate<D>,
        "Ends of boxes kept sorted along every axis; pairs come and go as ends change places.";
    Nbs "nbs" OneSize Nothing threads:true remembers:false default Nbs<D>,
        "No binary search: lists by layer, row and cell, rebuilt every step. For bodies of similar size.";
    Mr "mr" OneSize Nothing threads:true remembers:true default Mr<D>,
        "Munjiza-Rougier: a doubly linked list sorted by cell, mended every step. For bodies of similar size.";
    MrS "mr-s" OneSize Nothing threads:true remembers:true default MrS<D>,
        "A list sorted by cell in plain arrays, mended every step. For bodies of similar size.";
    Mmr "mmr" AnySize Factor threads:true remembers:true build Mmr<D>,
        "Multi-step MR: groups by size, each sorted and searched with cells of its size.";
    Bbts "bbts" OneSize Nothing threads:true remembers:false default Bbts<D>,
        "A height-balanced binary tree of occupied cells. For bodies of similar size.";
}

impl Method {
    /// A detector of this method with the given settings, suited to snapshots like `now`.
    pub fn build_with<const D: usize>(
        self,
        now: Snapshot<'_, D>,
        settings: &Settings,
    ) -> Result<Box<dyn Detector<D>>, Error>
    where
        Axes: Dimension<D>,
    {
        self.refuse_foreign(settings)?;
        Axes::map::<Snapshots<'_>, Detectors>(
            now,
            |now| self.build_2d(now, settings),
            |now| self.build_3d(now, settings),
        )
    }

    // All detectors for two and for three axes are compiled here, once, and not again in every crate that uses them.

    #[inline(never)]
    fn build_2d(self, now: Snapshot<'_, 2>, settings: &Settings) -> Result<Box<dyn Detector<2>>, Error> {
        self.build_in(now, settings)
    }

    #[inline(never)]
    fn build_3d(self, now: Snapshot<'_, 3>, settings: &Settings) -> Result<Box<dyn Detector<3>>, Error> {
        self.build_in(now, settings)
    }

    /// A detector of this method that chooses its own settings, suited to snapshots like `now`.
    pub fn build<const D: usize>(self, now: Snapshot<'_, D>) -> Result<Box<dyn Detector<D>>, Error>
    where
        Axes: Dimension<D>,
    {
        self.build_with(now, &Settings::default())
    }

    /// The method of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|method| method.name() == name)
    }

    /// An error if something is set that the method does not take.
    fn refuse_foreign(self, settings: &Settings) -> Result<(), Error> {
        let takes = self.takes();
        let levels = match (&settings.levels, settings.direction) {
            (LevelChoice::Count(_), _) => Some("number of levels"),
            (LevelChoice::CellSizes(_), _) => Some("cell sizes"),
            (LevelChoice::Tuned, Some(_)) => Some("direction"),
            (LevelChoice::Tuned, None) => None,
            _ => Some("levels of this kind"),
        };
        let factor = settings.factor.map(|_| "factor between groups of sizes");
        let foreign = levels.filter(|_| takes != Takes::Levels).or(factor.filter(|_| takes != Takes::Factor));
        match foreign {
            Some(setting) => Err(Error::NoSuchSetting { method: self.name(), setting }),
            None => Ok(()),
        }
    }
}

impl Display for Method {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.pad(self.name())
    }
}

/// No method has that name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no method `{0}`")]
pub struct NoSuchMethod(String);

impl FromStr for Method {
    type Err = NoSuchMethod;

    fn from_str(name: &str) -> Result<Self, NoSuchMethod> {
        Self::from_name(name).ok_or_else(|| NoSuchMethod(name.to_owned()))
    }
}

#[cfg(feature = "serde")]
impl From<Method> for &'static str {
    fn from(method: Method) -> Self {
        method.name()
    }
}

#[cfg(feature = "serde")]
impl TryFrom<String> for Method {
    type Error = NoSuchMethod;

    fn try_from(name: String) -> Result<Self, NoSuchMethod> {
        name.parse()
    }
}

struct Snapshots<'a>(PhantomData<&'a ()>);

impl<'a> Family for Snapshots<'a> {
    type Of<const D: usize> = Snapshot<'a, D>;
}

struct Detectors;

impl Family for Detectors {
    type Of<const D: usize> = Result<Box<dyn Detector<D>>, Error>;
}
