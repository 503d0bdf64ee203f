//! `Region`: a part of space that grains come from, go to, or are counted in.

use super::vector_of;
use crate::arrays::shown;
use crate::errors::too_new;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// A part of space: where grains come from, leave, or are counted. Make one with ``box``, ``ball``, ``cylinder`` or ``face``.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> mg.dem.Region.cylinder([[0, 0, 1], [0, 0, 2]], 0.5)
/// <Region: cylinder in 3D>
#[pyclass(frozen, module = "multigrain.dem")]
#[derive(Clone, PartialEq)]
pub struct Region {
    kind: RegionKind,
    points: Vec<Vec<f64>>,
    radius: f64,
}

#[derive(Clone, Copy, PartialEq)]
enum RegionKind {
    Box,
    Ball,
    Cylinder,
    Face,
}

/// How a region is made, and of what.
type RegionParts = (&'static str, Vec<Vec<f64>>, f64);

#[pymethods]
impl Region {
    /// A box along the axes.
    ///
    /// Parameters
    /// ----------
    /// lo, hi : array_like, shape (D,)
    #[staticmethod]
    #[pyo3(name = "box")]
    pub fn aligned(lo: Vec<f64>, hi: Vec<f64>) -> PyResult<Self> {
        Self::of(RegionKind::Box, vec![lo, hi], 0.0)
    }

    /// A ball, in the plane a disc.
    ///
    /// Parameters
    /// ----------
    /// center : array_like, shape (D,)
    /// radius : float
    #[staticmethod]
    fn ball(center: Vec<f64>, radius: f64) -> PyResult<Self> {
        Self::of(RegionKind::Ball, vec![center], radius)
    }

    /// A cylinder with ends, in the plane a rectangle of any direction.
    ///
    /// Parameters
    /// ----------
    /// ends : array_like, shape (2, D)
    ///     Where its axis begins and ends.
    /// radius : float
    #[staticmethod]
    fn cylinder(ends: Vec<Vec<f64>>, radius: f64) -> PyResult<Self> {
        match ends.len() {
            2 => Self::of(RegionKind::Cylinder, ends, radius),
            count => Err(PyValueError::new_err(format!("ends are {count} points, must be 2"))),
        }
    }

    /// A flat convex polygon, in the plane a line: grains come with their centers on it.
    ///
    /// Parameters
    /// ----------
    /// corners : array_like, shape (n, D)
    #[staticmethod]
    fn face(corners: Vec<Vec<f64>>) -> PyResult<Self> {
        Self::of(RegionKind::Face, corners, 0.0)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, RegionParts)> {
        Ok((py.import("multigrain._made")?.getattr("region")?, (self.name(), self.points.clone(), self.radius)))
    }

    fn __repr__(&self) -> String {
        format!("<Region: {} in {}D>", self.name(), self.axes())
    }
}

impl Region {
    fn of(kind: RegionKind, points: Vec<Vec<f64>>, radius: f64) -> PyResult<Self> {
        let axes = points.first().map_or(0, Vec::len);
        if !matches!(axes, 2 | 3) {
            let given = shown(&[axes]);
            return Err(PyValueError::new_err(format!("points of a region have shape {given}, must be (2,) or (3,)")));
        }
        Ok(Self { kind, points, radius })
    }

    pub fn axes(&self) -> usize {
        self.points[0].len()
    }

    pub fn name(&self) -> &'static str {
        match self.kind {
            RegionKind::Box => "box",
            RegionKind::Ball => "ball",
            RegionKind::Cylinder => "cylinder",
            RegionKind::Face => "face",
        }
    }

    /// A region, or the box of two corners.
    pub fn either(first: &Bound<'_, PyAny>, hi: Option<Vec<f64>>) -> PyResult<Self> {
        match (first.cast::<Self>(), hi) {
            (Ok(region), None) => Ok(region.get().clone()),
            (Err(_), Some(hi)) => Self::aligned(first.extract()?, hi),
            _ => Err(PyTypeError::new_err("give a Region alone, or both corners of a box")),
        }
    }

    /// As the simulator takes it, for grains with `D` axes.
    pub fn inner<const D: usize>(&self, of: &str) -> PyResult<multigrain_dem::Region<D>> {
        let name = |k: usize| if self.kind == RegionKind::Box { ["lo", "hi"][k] } else { "a point of the region" };
        let point = |k: usize| vector_of(&self.points[k], || format!("{} of {of}", name(k)));
        Ok(match self.kind {
            RegionKind::Box => multigrain_dem::Region::Box { lo: point(0)?, hi: point(1)? },
            RegionKind::Ball => multigrain_dem::Region::Ball { center: point(0)?, radius: self.radius },
            RegionKind::Cylinder => {
                multigrain_dem::Region::Cylinder { ends: [point(0)?, point(1)?], radius: self.radius }
            }
            RegionKind::Face => {
                let corners: PyResult<Vec<[f64; D]>> = (0..self.points.len()).map(point).collect();
                multigrain_dem::Region::Face { corners: corners? }
            }
        })
    }
}

impl Region {
    /// As Python knows it.
    pub fn of_engine<const D: usize>(made: &multigrain_dem::Region<D>) -> PyResult<Self> {
        let (kind, points, radius): (RegionKind, &[[f64; D]], f64) = match made {
            multigrain_dem::Region::Box { lo, hi } => (RegionKind::Box, &[*lo, *hi], 0.0),
            multigrain_dem::Region::Ball { center, radius } => (RegionKind::Ball, &[*center], *radius),
            multigrain_dem::Region::Cylinder { ends, radius } => (RegionKind::Cylinder, ends, *radius),
            multigrain_dem::Region::Face { corners } => (RegionKind::Face, corners, 0.0),
            _ => return Err(too_new("region")),
        };
        Ok(Self { kind, points: points.iter().map(|point| point.to_vec()).collect(), radius })
    }
}
