//! `Detector`: any method by name, kept from call to call.

use crate::arguments;
use crate::domain::Domain;
use crate::errors::{refused, too_new, unknown};
use crate::kept::{Keeper, KeptDetectors};
use crate::pairs::Pairs;
use crate::search::{EngineSpace, SearchOptions, Space, method_of};
use crate::threads::Size;
use multigrain::detectors::WithSkin;
use multigrain::{Axes, Dimension, Settings};
use multigrain_dem::Skin;
use multigrain_methods::Method;
use multigrain_papers::{Mmr, MmrLists, Mr, MrCoordinates, MrOptions, MrSteps};
use pyo3::IntoPyObjectExt;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Any method, kept from call to call: those that remember mend what they built in the last call, so that bodies that moved
/// little take less time.
///
/// Any call is right for any bodies, after any other. For which pairs came and went see :class:`Changes`.
///
/// Parameters
/// ----------
/// method : str, default "auto"
///     One of :func:`methods`.
/// cell_sizes, levels, direction, factor
///     As for :func:`find_pairs`.
/// variant : str, optional
///     Of ``mr`` ``"quick-sort"`` (sorted again in every call) or ``"binary-search"`` (and searched row by row), of ``mmr`` ``"per-step"``
///     (for each group also a list of all smaller bodies), of both ``"computed-coordinates"`` (smaller lists): what the papers compare.
/// skin : float or "auto", optional
///     Pairs within this gap of touching are found once and tested again at every call, until bodies have moved so far that
///     others may touch (a Verlet list). The pairs are the same with and without one. ``"auto"`` chooses its width by how fast
///     bodies move.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> detector = mg.Detector("mmr", factor=2)
/// >>> detector.find_pairs([[0, 0], [1.5, 0]], [1.0, 0.8])
/// <Pairs: 1 contacts of 2 particles in 2D>
/// >>> detector
/// Detector('mmr', factor=2.0)
/// >>> mg.Detector(skin=0.5).find_pairs([[0, 0], [2.1, 0]], 1.0)
/// <Pairs: 0 contacts of 2 particles in 2D>
#[pyclass(frozen, module = "multigrain")]
pub struct Detector {
    method: Method,
    settings: Settings,
    cell_sizes: Option<Vec<f64>>,
    levels: Option<usize>,
    skin: Skin,
    variant: Option<Variant>,
    kept: KeptDetectors,
}

/// What the papers compare a method with.
#[derive(Clone, Copy, PartialEq)]
enum Variant {
    QuickSort,
    BinarySearch,
    ComputedCoordinates,
    PerStep,
}

impl Variant {
    const ALL: [(&str, Self); 4] = [
        ("quick-sort", Self::QuickSort),
        ("binary-search", Self::BinarySearch),
        ("computed-coordinates", Self::ComputedCoordinates),
        ("per-step", Self::PerStep),
    ];

    /// The variant of that name, if the method has it.
    fn of(name: &str, method: Method) -> PyResult<Self> {
        let of_method: &[usize] = match method {
            Method::Mr => &[0, 1, 2],
            Method::Mmr => &[3, 2],
            _ => return Err(PyValueError::new_err(format!("method {} has no variants", method.name()))),
        };
        let known: Vec<_> = of_method.iter().map(|&k| Self::ALL[k]).collect();
        let found = known.iter().find(|(other, _)| *other == name);
        found
            .map(|(_, variant)| *variant)
            .ok_or_else(|| unknown("variant", name, known.iter().map(|(other, _)| *other)))
    }

    fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, other)| *other == self).map_or("", |(name, _)| name)
    }
}

/// A skin as users write it: a width, "auto", or None.
pub fn skin_of(given: Option<&Bound<'_, PyAny>>) -> PyResult<Skin> {
    let Some(skin) = given else { return Ok(Skin::None) };
    if let Ok(width) = skin.extract::<f64>() {
        return Ok(Skin::Width(width));
    }
    match skin.extract::<&str>() {
        Ok("auto") => Ok(Skin::Chosen),
        _ => Err(PyTypeError::new_err("skin must be a width, 'auto', or None")),
    }
}

#[pymethods]
impl Detector {
    #[new]
    #[pyo3(signature = (method="auto", *, cell_sizes=None, levels=None, direction=None, factor=None, variant=None, skin=None))]
    fn new(
        #[pyo3(from_py_with = arguments::method)] method: &str,
        cell_sizes: Option<&Bound<'_, PyAny>>,
        #[pyo3(from_py_with = arguments::levels)] levels: Option<usize>,
        #[pyo3(from_py_with = arguments::direction)] direction: Option<&str>,
        factor: Option<f64>,
        variant: Option<&str>,
        skin: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let settings = SearchOptions::new(cell_sizes, levels, direction, factor, None)?.settings;
        let method = method_of(method)?;
        // What the method does not take is refused at once.
        let nobody = multigrain::Snapshot::<3>::new(&[], &[]).map_err(refused)?;
        let cell_sizes = cell_sizes.map(|sizes| sizes.extract()).transpose()?;
        let skin = skin_of(skin)?;
        let variant = variant.map(|name| Variant::of(name, method)).transpose()?;
        let made = Self { method, settings, cell_sizes, levels, skin, variant, kept: KeptDetectors::default() };
        made.build(nobody).map_err(refused)?;
        Ok(made)
    }

    /// Name of the method.
    #[getter]
    fn method(&self) -> &'static str {
        self.method.name()
    }

    /// Every touching pair, exactly once.
    ///
    /// Parameters
    /// ----------
    /// centers, radii, margin, domain, groups
    ///     As for :func:`find_pairs`.
    ///
    /// Returns
    /// -------
    /// Pairs
    #[pyo3(signature = (centers, radii, margin=0.0, domain=None, *, groups=None))]
    fn find_pairs<'py>(
        &self,
        centers: &Bound<'py, PyAny>,
        radii: &Bound<'py, PyAny>,
        #[pyo3(from_py_with = arguments::margin)] margin: f64,
        #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'py, Domain>>,
        groups: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Pairs> {
        self.find(centers, radii, Space::new(margin, domain), groups)
    }

    fn __repr__(&self) -> String {
        let mut text = format!("Detector('{}'", self.method.name());
        if let Some(sizes) = &self.cell_sizes {
            text += &format!(", cell_sizes={sizes:?}");
        }
        if let Some(levels) = self.levels {
            text += &format!(", levels={levels}");
        }
        if let Some(direction) = self.settings.direction {
            text += &format!(", direction='{}'", direction.name());
        }
        if let Some(factor) = self.settings.factor {
            text += &format!(", factor={factor:?}");
        }
        if let Some(variant) = self.variant {
            text += &format!(", variant='{}'", variant.name());
        }
        match self.skin {
            Skin::Chosen => text += ", skin='auto'",
            Skin::Width(width) => text += &format!(", skin={width:?}"),
            Skin::None => (),
            _ => text += ", skin=...",
        }
        text + ")"
    }

    /// A copy has seen nothing yet.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let direction = self.settings.direction.map(|direction| direction.name());
        let skin = match self.skin {
            Skin::Chosen => Some("auto".into_bound_py_any(py)?),
            Skin::Width(width) => Some(width.into_bound_py_any(py)?),
            Skin::None => None,
            _ => return Err(too_new("skin")),
        };
        let variant = self.variant.map(Variant::name);
        let parts =
            (self.method.name(), self.cell_sizes.clone(), self.levels, direction, self.settings.factor, variant, skin)
                .into_pyobject(py)?;
        Ok((py.import("multigrain._core")?.getattr("_detector_of")?, parts))
    }
}

/// A detector as it was made.
#[pyfunction]
pub fn _detector_of(
    method: &str,
    cell_sizes: Option<&Bound<'_, PyAny>>,
    levels: Option<usize>,
    direction: Option<&str>,
    factor: Option<f64>,
    variant: Option<&str>,
    skin: Option<&Bound<'_, PyAny>>,
) -> PyResult<Detector> {
    Detector::new(method, cell_sizes, levels, direction, factor, variant, skin)
}

impl Keeper for Detector {
    fn kept(&self) -> &KeptDetectors {
        &self.kept
    }

    fn size<const D: usize>(&self, _: &EngineSpace<D>, _: &[[f64; D]], _: &[f64]) -> Size
    where
        Axes: Dimension<D>,
    {
        Size::UNKNOWN
    }

    fn build<const D: usize>(
        &self,
        now: multigrain::Snapshot<'_, D>,
    ) -> Result<Box<dyn multigrain::Detector<D>>, multigrain::Error>
    where
        Axes: Dimension<D>,
    {
        let usual = self.method.build_with(now, &self.settings)?;
        let mmr = || self.settings.factor.map_or(Ok(Mmr::new()), Mmr::with_factor);
        let mr = |options| -> Box<dyn multigrain::Detector<D>> { Box::new(Mr::new(options)) };
        let detector = match (self.variant, self.method) {
            (None, _) => usual,
            (Some(Variant::QuickSort), _) => {
                mr(MrOptions { steps: MrSteps::QuickSortAndMrSearch, ..MrOptions::default() })
            }
            (Some(Variant::BinarySearch), _) => {
                mr(MrOptions { steps: MrSteps::QuickSortAndBinarySearch, ..MrOptions::default() })
            }
            (Some(Variant::PerStep), _) => Box::new(mmr()?.with_lists(MmrLists::PerStep)),
            (Some(Variant::ComputedCoordinates), Method::Mmr) => {
                Box::new(mmr()?.with_coordinates(MrCoordinates::Computed))
            }
            (Some(Variant::ComputedCoordinates), _) => {
                mr(MrOptions { coordinates: MrCoordinates::Computed, ..MrOptions::default() })
            }
        };
        Ok(match self.skin {
            Skin::Chosen => Box::new(WithSkin::automatic(detector)),
            Skin::Width(width) => Box::new(WithSkin::new(detector, width)?),
            _ => detector,
        })
    }
}
