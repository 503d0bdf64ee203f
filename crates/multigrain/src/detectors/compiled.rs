//! The detectors of the engine behind a pointer. They are compiled here, once for each dimension, and not again in every crate that
//! searches: a search is some hundred functions.

use super::{Auto, HierarchicalGrid};
use crate::detector::Detector;
use crate::dimension::{Axes, Boxed, Compiled, Dimension};
use crate::settings::{Build, Settings};
use crate::snapshot::Snapshot;

macro_rules! compiled {
    ($D:literal) => {
        impl Compiled<$D> for Axes {
            #[inline(never)]
            fn auto() -> Box<dyn Detector<$D>> {
                Box::new(Auto::<$D>::default())
            }

            #[inline(never)]
            fn build_auto(now: Snapshot<'_, $D>, settings: &Settings) -> Boxed<$D> {
                Ok(Box::new(Auto::<$D>::build(now, settings)?))
            }

            #[inline(never)]
            fn build_grid(now: Snapshot<'_, $D>, settings: &Settings) -> Boxed<$D> {
                Ok(Box::new(HierarchicalGrid::<$D>::build(now, settings)?))
            }
        }
    };
}

compiled!(2);
compiled!(3);

impl<const D: usize> Auto<D>
where
    Axes: Dimension<D>,
{
    /// One that chooses in its first search, behind a pointer: its code is in this crate already.
    pub fn boxed() -> Box<dyn Detector<D>> {
        Axes::auto()
    }

    /// One with these settings, suited to snapshots like `now`, behind a pointer: its code is in this crate already.
    pub fn build_boxed(now: Snapshot<'_, D>, settings: &Settings) -> Boxed<D> {
        Axes::build_auto(now, settings)
    }
}

impl<const D: usize> HierarchicalGrid<D>
where
    Axes: Dimension<D>,
{
    /// One with these settings, suited to snapshots like `now`, behind a pointer: its code is in this crate already.
    pub fn build_boxed(now: Snapshot<'_, D>, settings: &Settings) -> Boxed<D> {
        Axes::build_grid(now, settings)
    }
}
