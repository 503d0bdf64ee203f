//! Two and three dimensions, in the types.

use crate::detector::Detector;
use crate::error::Error;
use crate::settings::Settings;
use crate::snapshot::Snapshot;
use sealed::Sealed;

/// The axes of bodies. `where Axes: Dimension<D>` says that `D` is 2 or 3.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Axes;

/// That bodies may have `D` coordinates: 2 or 3. Generic code that makes snapshots needs `where Axes: Dimension<D>`.
///
/// ```compile_fail,E0277
/// let centers = [[0.0], [1.5]]; // one coordinate
/// multigrain::Snapshot::new(&centers, &[1.0; 2]);
/// ```
#[diagnostic::on_unimplemented(
    message = "bodies have 2 or 3 coordinates",
    label = "not 2 or 3 coordinates, or a generic number of them",
    note = "generic code needs `where Axes: Dimension<D>`"
)]
pub trait Dimension<const D: usize>: Sealed<D> + Compiled<D> {
    /// Calls the function for the dimension that `D` is: for code that is written, or compiled, for each of them by itself.
    fn map<A: Family, B: Family>(
        value: A::Of<D>,
        in_2d: impl FnOnce(A::Of<2>) -> B::Of<2>,
        in_3d: impl FnOnce(A::Of<3>) -> B::Of<3>,
    ) -> B::Of<D>;
}

/// A detector behind a pointer, or why there is none.
#[doc(hidden)]
pub type Boxed<const D: usize> = Result<Box<dyn Detector<D>>, Error>;

/// Detectors of one dimension, by functions that are not generic. Whoever has the detectors compiles them, once for each
/// dimension.
#[doc(hidden)]
pub trait Compiled<const D: usize> {
    fn auto() -> Box<dyn Detector<D>>;
    fn build_auto(now: Snapshot<'_, D>, settings: &Settings) -> Boxed<D>;
    fn build_grid(now: Snapshot<'_, D>, settings: &Settings) -> Boxed<D>;
}

/// A type for every dimension, such as snapshots.
pub trait Family {
    /// The type for dimension `D`.
    type Of<const D: usize>;
}

/// The same type in every dimension.
#[derive(Debug)]
pub struct Same<T>(std::marker::PhantomData<T>);

impl<T> Family for Same<T> {
    type Of<const D: usize> = T;
}

impl<F: Family> Family for Option<F> {
    type Of<const D: usize> = Option<F::Of<D>>;
}

impl Dimension<2> for Axes {
    fn map<A: Family, B: Family>(
        value: A::Of<2>,
        in_2d: impl FnOnce(A::Of<2>) -> B::Of<2>,
        _: impl FnOnce(A::Of<3>) -> B::Of<3>,
    ) -> B::Of<2> {
        in_2d(value)
    }
}

impl Dimension<3> for Axes {
    fn map<A: Family, B: Family>(
        value: A::Of<3>,
        _: impl FnOnce(A::Of<2>) -> B::Of<2>,
        in_3d: impl FnOnce(A::Of<3>) -> B::Of<3>,
    ) -> B::Of<3> {
        in_3d(value)
    }
}

mod sealed {
    /// Nobody else says what a dimension is.
    pub trait Sealed<const D: usize> {}
    impl Sealed<2> for super::Axes {}
    impl Sealed<3> for super::Axes {}
}

/// The same expression in two and in three dimensions: for values of an enum with the variants `D2` and `D3`, or for a number of
/// dimensions that is only known when the program runs.
///
/// ```
/// use multigrain::{AnySystem, Domain, System, each_dimension};
/// let system = System { centers: vec![[0.0; 2]], radii: vec![1.0], domain: Domain::open() };
/// let any = AnySystem::from(system.checked()?);
/// assert_eq!(each_dimension!(&any, AnySystem, system => system.len()), 1);
/// let area = |dimension: usize| each_dimension!(dimension, D => multigrain::sizes::ball_volume(1.0, D));
/// assert!(area(2) < area(3));
/// # Ok::<(), multigrain::Error>(())
/// ```
#[macro_export]
macro_rules! each_dimension {
    ($value:expr, $any:ident, $each:pat => $body:expr) => {
        match $value {
            $any::D2($each) => $body,
            $any::D3($each) => $body,
        }
    };
    ($number:expr, $D:ident => $body:expr) => {
        match $number {
            2 => {
                const $D: usize = 2;
                $body
            }
            _ => {
                const $D: usize = 3;
                $body
            }
        }
    };
}
