//! `Wall`: surfaces that hold grains back.

use super::vector_of;
use crate::arguments;
use crate::arrays::shown;
use multigrain_dem::Shape;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A surface that holds grains back, may carry them along, and may move itself. Make one with ``plane``, ``inside_box``,
/// ``cylinder``, ``plate``, ``polygon`` or ``funnel``.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> floor = mg.dem.Wall.plane([0, 0, 0], [0, 0, 1])
/// >>> belt = mg.dem.Wall.plate([[0, 0], [5, 1]]).carrying([0.3, 0.06]).of_material(1)
/// >>> piston = mg.dem.Wall.plane([0, 0, 5], [0, 0, -1]).carrying([0, 0, -0.1]).moving()
/// >>> drum = mg.dem.Wall.cylinder([0, 0], 1.0).turning([0, 0, 2], about=[0, 0])
/// >>> drum
/// <Wall: cylinder in 2D, material 0>
#[pyclass(frozen, eq, module = "multigrain.dem")]
#[derive(Clone, PartialEq)]
pub struct Wall {
    form: Form,
    material: u16,
    velocity: Option<Vec<f64>>,
    turning: Option<([f64; 3], Vec<f64>)>,
    moves: bool,
}

/// Shapes, before their dimension is a matter of types.
#[derive(Clone, PartialEq)]
enum Form {
    Plane { point: Vec<f64>, normal: Vec<f64> },
    Box { lo: Vec<f64>, hi: Vec<f64> },
    Cylinder { point: Vec<f64>, axis: Option<Vec<f64>>, radius: f64 },
    Plate { corners: Vec<Vec<f64>> },
    Polygon { corners: Vec<Vec<f64>> },
    Funnel { ends: [Vec<f64>; 2], radii: [f64; 2] },
}

#[pymethods]
impl Wall {
    /// All of space is free on the side that the normal points to, and wall on the other.
    ///
    /// Parameters
    /// ----------
    /// point, normal : array_like, shape (D,)
    ///     A point on the surface, and the direction towards the free side, of any length.
    #[staticmethod]
    fn plane(point: Vec<f64>, normal: Vec<f64>) -> PyResult<Self> {
        Self::of(Form::Plane { point, normal })
    }

    /// The inside of a box is free.
    ///
    /// Parameters
    /// ----------
    /// lo, hi : array_like, shape (D,)
    #[staticmethod]
    fn inside_box(lo: Vec<f64>, hi: Vec<f64>) -> PyResult<Self> {
        Self::of(Form::Box { lo, hi })
    }

    /// The inside of an endless cylinder is free; in the plane, where it has no axis, the inside of a circle.
    ///
    /// Parameters
    /// ----------
    /// point : array_like, shape (D,)
    ///     A point on the axis.
    /// radius : float
    /// axis : array_like, shape (3,), optional
    ///     Its direction, of any length; in space only.
    #[staticmethod]
    #[pyo3(signature = (point, radius, axis=None))]
    fn cylinder(point: Vec<f64>, radius: f64, axis: Option<Vec<f64>>) -> PyResult<Self> {
        Self::of(Form::Cylinder { point, axis, radius })
    }

    /// A thin plate with edges that holds grains back on both sides: in the plane from one point to another, in space a
    /// flat convex polygon.
    ///
    /// Parameters
    /// ----------
    /// corners : array_like, shape (K, D)
    #[staticmethod]
    fn plate(corners: Vec<Vec<f64>>) -> PyResult<Self> {
        Self::of(Form::Plate { corners })
    }

    /// A solid convex polygon, in the plane only.
    ///
    /// Parameters
    /// ----------
    /// corners : array_like, shape (K, 2)
    ///     In order, in either sense.
    #[staticmethod]
    fn polygon(corners: Vec<Vec<f64>>) -> PyResult<Self> {
        Self::of(Form::Polygon { corners })
    }

    /// A thin funnel, the side of a truncated cone, in space only.
    ///
    /// Parameters
    /// ----------
    /// ends : array_like, shape (2, 3)
    ///     Centers of both openings.
    /// radii : (float, float)
    ///     Their radii, wider than the largest grain.
    #[staticmethod]
    fn funnel(ends: [Vec<f64>; 2], radii: [f64; 2]) -> PyResult<Self> {
        Self::of(Form::Funnel { ends, radii })
    }

    /// The same of the material with this number, from 0; of the first by default.
    fn of_material(&self, #[pyo3(from_py_with = arguments::number)] number: u16) -> Self {
        Self { material: number, ..self.clone() }
    }

    /// The same with a surface that moves along with this velocity, as a conveyor belt does.
    fn carrying(&self, velocity: Vec<f64>) -> Self {
        Self { velocity: Some(velocity), ..self.clone() }
    }

    /// The same with a surface that turns about an axis through a point, as a drum does.
    fn turning(&self, spin: [f64; 3], about: Vec<f64>) -> Self {
        Self { turning: Some((spin, about)), ..self.clone() }
    }

    /// The same, going along with its surface from the start on: shifted by the velocity of ``carrying``, turned by the
    /// spin of ``turning``, as a piston or a paddle. A box may not turn.
    fn moving(&self) -> Self {
        Self { moves: true, ..self.clone() }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let made = match &self.form {
            Form::Plane { point, normal } => ("plane", (point, normal).into_pyobject(py)?),
            Form::Box { lo, hi } => ("inside_box", (lo, hi).into_pyobject(py)?),
            Form::Cylinder { point, axis, radius } => ("cylinder", (point, *radius, axis.as_ref()).into_pyobject(py)?),
            Form::Plate { corners } => ("plate", (corners,).into_pyobject(py)?),
            Form::Polygon { corners } => ("polygon", (corners,).into_pyobject(py)?),
            Form::Funnel { ends: [a, b], radii } => ("funnel", ((a, b), *radii).into_pyobject(py)?),
        };
        let parts = (made.0, made.1, self.material, self.velocity.as_ref(), self.turning.clone(), self.moves);
        Ok((py.import("multigrain._made")?.getattr("wall")?, parts.into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        format!("<Wall: {} in {}D, material {}>", self.name(), self.dimension(), self.material)
    }
}

impl<const D: usize> From<&multigrain_dem::Wall<D>> for Wall {
    fn from(made: &multigrain_dem::Wall<D>) -> Self {
        let form = match &made.shape {
            Shape::Plane { point, normal } => Form::Plane { point: point.to_vec(), normal: normal.to_vec() },
            Shape::Box { lo, hi } => Form::Box { lo: lo.to_vec(), hi: hi.to_vec() },
            Shape::Cylinder { point, axis, radius } => {
                let axis = (D == 3).then(|| axis.to_vec());
                Form::Cylinder { point: point.to_vec(), axis, radius: *radius }
            }
            Shape::Plate { corners } => Form::Plate { corners: corners.iter().map(|c| c.to_vec()).collect() },
            Shape::Polygon { corners } => Form::Polygon { corners: corners.iter().map(|c| c.to_vec()).collect() },
            Shape::Funnel { ends, radii } => Form::Funnel { ends: ends.map(|end| end.to_vec()), radii: *radii },
        };
        let turns = made.spin != [0.0; 3] || made.about != [0.0; D];
        Self {
            form,
            material: made.material,
            velocity: (made.velocity != [0.0; D]).then(|| made.velocity.to_vec()),
            turning: turns.then(|| (made.spin, made.about.to_vec())),
            moves: made.moves,
        }
    }
}

impl Wall {
    fn of(form: Form) -> PyResult<Self> {
        let wall = Self { form, material: 0, velocity: None, turning: None, moves: false };
        match wall.dimension() {
            2 | 3 => Ok(wall),
            other => Err(PyValueError::new_err(format!(
                "points of a {} have shape {}, must be (2,) or (3,)",
                wall.name(),
                shown(&[other])
            ))),
        }
    }

    fn name(&self) -> &'static str {
        match self.form {
            Form::Plane { .. } => "plane",
            Form::Box { .. } => "box",
            Form::Cylinder { .. } => "cylinder",
            Form::Plate { .. } => "plate",
            Form::Polygon { .. } => "polygon",
            Form::Funnel { .. } => "funnel",
        }
    }

    fn dimension(&self) -> usize {
        match &self.form {
            Form::Plane { point, .. } | Form::Cylinder { point, .. } => point.len(),
            Form::Box { lo, .. } => lo.len(),
            Form::Plate { corners } | Form::Polygon { corners } => corners.first().map_or(0, Vec::len),
            Form::Funnel { ends, .. } => ends[0].len(),
        }
    }

    /// As the simulator takes it, for grains with `D` axes.
    pub fn inner<const D: usize>(&self, number: usize) -> PyResult<multigrain_dem::Wall<D>> {
        let vector = |values: &Vec<f64>, what: &str| vector_of(values, || format!("{what} of wall {number}"));
        let shape = match &self.form {
            Form::Plane { point, normal } => {
                Shape::Plane { point: vector(point, "point")?, normal: vector(normal, "normal")? }
            }
            Form::Box { lo, hi } => Shape::Box { lo: vector(lo, "lo")?, hi: vector(hi, "hi")? },
            Form::Cylinder { point, axis, radius } => Shape::Cylinder {
                point: vector(point, "point")?,
                axis: axis.as_ref().map_or(Ok([0.0; D]), |axis| vector(axis, "axis"))?,
                radius: *radius,
            },
            Form::Plate { corners } => {
                Shape::Plate { corners: corners.iter().map(|c| vector(c, "a corner")).collect::<PyResult<_>>()? }
            }
            Form::Polygon { corners } => {
                Shape::Polygon { corners: corners.iter().map(|c| vector(c, "a corner")).collect::<PyResult<_>>()? }
            }
            Form::Funnel { ends: [a, b], radii } => {
                Shape::Funnel { ends: [vector(a, "an end")?, vector(b, "an end")?], radii: *radii }
            }
        };
        let mut wall = multigrain_dem::Wall::new(shape).material(self.material);
        if let Some(velocity) = &self.velocity {
            wall = wall.carrying(vector(velocity, "velocity")?);
        }
        if let Some((spin, about)) = &self.turning {
            wall = wall.turning(*spin, vector(about, "about")?);
        }
        Ok(if self.moves { wall.moving() } else { wall })
    }
}
