//! `multigrain.polygons`: closest features and overlap of convex polygons.

use crate::arrays::{floats, sealed, shown, table};
use multigrain_polygons::{Contact, ConvexPolygon, Feature, Features as EngineFeatures, Frame, PolygonError};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// A convex polygon somewhere in the plane.
///
/// Parameters
/// ----------
/// corners : array_like, shape (K, 2)
///     In order around the polygon, in either sense.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> square = mg.polygons.Polygon([[0, 0], [2, 0], [2, 2], [0, 2]])
/// >>> square.area, square.position
/// (4.0, array([1., 1.]))
/// >>> moved = square.at([5, 1.5])
/// >>> mg.polygons.closest_features(square, moved).distance
/// 2.0
#[pyclass(frozen, module = "multigrain.polygons")]
pub struct Polygon {
    shape: Arc<ConvexPolygon>,
    frame: Frame,
}

/// One feature of each of two polygons: what makes the next call short. Any value is right.
#[pyclass(frozen, eq, module = "multigrain.polygons")]
#[derive(Clone, Copy, PartialEq)]
pub struct Features(EngineFeatures);

/// How close two polygons are, and where.
#[pyclass(frozen, module = "multigrain.polygons")]
pub struct Closest(multigrain_polygons::Closest);

/// What two polygons have in common, as forces need it.
#[pyclass(frozen, module = "multigrain.polygons")]
pub struct Overlap {
    found: multigrain_polygons::Overlap,
    polygon: Py<PyArray2<f64>>,
}

/// The distance of two convex polygons, and the corners or edges that are closest.
///
/// Parameters
/// ----------
/// a, b : Polygon
/// features : Features, optional
///     Those of an earlier call for the same two: where they have moved little since, a step or two is all it takes.
///
/// Returns
/// -------
/// Closest
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> square = mg.polygons.Polygon([[0, 0], [2, 0], [2, 2], [0, 2]])
/// >>> found = mg.polygons.closest_features(square, square.at([5, 1]))
/// >>> found.distance, found.contact
/// (2.0, 'apart')
/// >>> mg.polygons.closest_features(square, square.at([5.1, 1]), found.features).steps
/// 1
#[pyfunction]
#[pyo3(signature = (a, b, features=None))]
pub fn closest_features(
    a: &Bound<'_, Polygon>,
    b: &Bound<'_, Polygon>,
    features: Option<&Bound<'_, Features>>,
) -> Closest {
    let (a, b) = (a.get(), b.get());
    let mut memory = features.map(|features| features.get().0).unwrap_or_default();
    Closest(multigrain_polygons::closest_features(&a.placed(), &b.placed(), &mut memory))
}

/// The common part of two convex polygons, or None where they do not overlap.
///
/// Parameters
/// ----------
/// a, b : Polygon
/// features : Features, optional
///     Those that :func:`closest_features` gave for the two as they lie now; any other value is right too.
///
/// Returns
/// -------
/// Overlap or None
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> square = mg.polygons.Polygon([[-1, -1], [1, -1], [1, 1], [-1, 1]])
/// >>> common = mg.polygons.overlap(square, square.at([0.5, 1.5]))
/// >>> common.area, common.centroid, common.polygon.shape
/// (0.75, array([0.25, 0.75]), (4, 2))
#[pyfunction]
#[pyo3(signature = (a, b, features=None))]
pub fn overlap(
    py: Python<'_>,
    a: &Bound<'_, Polygon>,
    b: &Bound<'_, Polygon>,
    features: Option<&Bound<'_, Features>>,
) -> PyResult<Option<Overlap>> {
    let (a, b) = (a.get(), b.get());
    let features = features.map(|features| features.get().0).unwrap_or_default();
    let mut polygon = Vec::new();
    let Some(found) = multigrain_polygons::overlap(&a.placed(), &b.placed(), &features, &mut polygon) else {
        return Ok(None);
    };
    Ok(Some(Overlap { found, polygon: sealed(table(py, polygon)?)?.unbind() }))
}

#[pymethods]
impl Polygon {
    #[new]
    fn new(corners: &Bound<'_, PyAny>) -> PyResult<Self> {
        let corners = floats(corners, "corners")?;
        if !matches!(*corners.shape(), [_, 2] | [0]) {
            return Err(PyValueError::new_err(format!(
                "corners have shape {}, must be (K, 2)",
                shown(corners.shape())
            )));
        }
        let corners = corners.readonly();
        let shape = ConvexPolygon::new(corners.as_slice()?.as_chunks().0).map_err(refused)?;
        Ok(Self { frame: shape.as_given().frame(), shape: Arc::new(shape) })
    }

    /// The same polygon with its centroid at another place, turned by an angle from how it was made.
    ///
    /// Parameters
    /// ----------
    /// position : (float, float)
    /// angle : float, default 0.0
    ///     In radians, counter-clockwise.
    #[pyo3(signature = (position, angle=0.0))]
    fn at(&self, position: [f64; 2], angle: f64) -> PyResult<Self> {
        Ok(Self { shape: self.shape.clone(), frame: Frame::new(position, angle).map_err(refused)? })
    }

    /// Corners where they are now, counter-clockwise, shape (K, 2).
    #[getter]
    fn corners<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.placed().corners().collect())
    }

    /// Where the centroid is, shape (2,).
    #[getter]
    fn position<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.frame.position())
    }

    /// By how much it is turned, in radians.
    #[getter]
    fn angle(&self) -> f64 {
        self.frame.angle()
    }

    /// Area.
    #[getter]
    fn area(&self) -> f64 {
        self.shape.area()
    }

    /// Second moment of area about the centroid.
    #[getter]
    fn inertia(&self) -> f64 {
        self.shape.inertia()
    }

    /// Radius of the circle around the centroid that holds it: what a search for contacts takes.
    #[getter]
    fn radius(&self) -> f64 {
        self.shape.radius()
    }

    /// Whether a point is inside or on the border.
    fn contains(&self, point: [f64; 2]) -> bool {
        self.placed().contains(point)
    }

    /// Number of corners.
    fn __len__(&self) -> usize {
        self.shape.len()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        // Where it was made, that is at its own center.
        let corners: Vec<[f64; 2]> = self.shape.at(Frame::new([0.0; 2], 0.0).map_err(refused)?).corners().collect();
        let parts = (table(py, corners)?, self.frame.position(), self.frame.angle()).into_pyobject(py)?;
        Ok((py.import("multigrain._core")?.getattr("_polygon_of")?, parts.into_any()))
    }

    fn __repr__(&self) -> String {
        let [x, y] = self.frame.position();
        format!("<Polygon: {} corners at ({x}, {y}), turned by {}>", self.shape.len(), self.frame.angle())
    }
}

impl Polygon {
    /// The shape, wherever it lies.
    pub fn shape(&self) -> &ConvexPolygon {
        &self.shape
    }

    /// A shape that a simulation has.
    pub fn of_shape(shape: &ConvexPolygon) -> PyResult<Self> {
        Ok(Self { shape: Arc::new(shape.clone()), frame: Frame::new([0.0; 2], 0.0).map_err(refused)? })
    }

    fn placed(&self) -> multigrain_polygons::Placed<'_> {
        self.shape.at(self.frame)
    }
}

#[pymethods]
impl Features {
    /// Of the first polygon: ("vertex" or "edge", index).
    #[getter]
    fn a(&self) -> (&'static str, u32) {
        named(self.0.a)
    }

    /// Of the second polygon: ("vertex" or "edge", index).
    #[getter]
    fn b(&self) -> (&'static str, u32) {
        named(self.0.b)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, (Named, Named))> {
        Ok((py.import("multigrain._core")?.getattr("_features_of")?, (self.a(), self.b())))
    }

    fn __repr__(&self) -> String {
        let ((a, i), (b, j)) = (self.a(), self.b());
        format!("<Features: {a} {i} and {b} {j}>")
    }
}

#[pymethods]
impl Closest {
    /// Distance; 0 where the polygons overlap.
    #[getter]
    fn distance(&self) -> f64 {
        self.0.distance
    }

    /// The closest point of each, shape (2, 2); where they overlap, twice a point of both.
    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.0.points.to_vec())
    }

    /// How they lie: "apart", "crossing" (boundaries cross) or "nested".
    #[getter]
    fn contact(&self) -> &'static str {
        match self.0.contact {
            Contact::Apart => "apart",
            Contact::Crossing => "crossing",
            Contact::Nested => "nested",
        }
    }

    /// The corners or edges that hold the points: to be passed to the next call.
    #[getter]
    fn features(&self) -> Features {
        Features(self.0.features)
    }

    /// Pairs of features looked at.
    #[getter]
    fn steps(&self) -> u32 {
        self.0.steps
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let parts = (self.0.distance, self.0.points, self.contact(), Bound::new(py, self.features())?, self.0.steps);
        Ok((py.import("multigrain._core")?.getattr("_closest_of")?, parts.into_pyobject(py)?.into_any()))
    }

    fn __repr__(&self) -> String {
        format!("<Closest: {}, distance {}>", self.contact(), self.0.distance)
    }
}

#[pymethods]
impl Overlap {
    /// Area of the common part.
    #[getter]
    fn area(&self) -> f64 {
        self.found.area
    }

    /// Its centroid, shape (2,).
    #[getter]
    fn centroid<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.found.centroid)
    }

    /// The contact line, shape (2, 2): from one crossing of the boundaries to the other.
    #[getter]
    fn line<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        table(py, self.found.line.to_vec())
    }

    /// Unit vector across the contact line, from the first to the second, shape (2,).
    #[getter]
    fn normal<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, &self.found.normal)
    }

    /// How far the common part reaches along the normal.
    #[getter]
    fn depth(&self) -> f64 {
        self.found.depth
    }

    /// How often the boundaries cross; 0 where one is inside the other.
    #[getter]
    fn crossings(&self) -> usize {
        self.found.crossings
    }

    /// Corners of the common part, counter-clockwise, shape (K, 2).
    #[getter]
    fn polygon<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        self.polygon.bind(py).clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let multigrain_polygons::Overlap { area, centroid, line, normal, depth, crossings, inertia, shrinking } =
            self.found;
        let parts = (area, centroid, line, normal, depth, crossings, inertia, (shrinking.area, shrinking.inertia));
        let parts = (parts, self.polygon.bind(py)).into_pyobject(py)?;
        Ok((py.import("multigrain._core")?.getattr("_overlap_of")?, parts.into_any()))
    }

    fn __repr__(&self) -> String {
        format!("<Overlap: area {}, depth {}>", self.found.area, self.found.depth)
    }
}

/// A feature by its kind and number.
type Named = (&'static str, u32);

/// Features as they were.
#[pyfunction]
pub fn _features_of(a: (String, u32), b: (String, u32)) -> Features {
    let feature = |(kind, k): (String, u32)| if kind == "vertex" { Feature::Vertex(k) } else { Feature::Edge(k) };
    Features(EngineFeatures::new(feature(a), feature(b)))
}

/// A polygon with these corners around its centroid, to the last bit.
#[pyfunction]
pub fn _polygon_of(corners: &Bound<'_, PyArray2<f64>>, position: [f64; 2], angle: f64) -> PyResult<Polygon> {
    let corners = corners.readonly();
    let shape = ConvexPolygon::centered(corners.as_slice()?.as_chunks().0).map_err(refused)?;
    Ok(Polygon { shape: Arc::new(shape), frame: Frame::new(position, angle).map_err(refused)? })
}

/// What `closest_features` gave.
#[pyfunction]
pub fn _closest_of(
    distance: f64,
    points: [[f64; 2]; 2],
    contact: &str,
    features: &Bound<'_, Features>,
    steps: u32,
) -> Closest {
    let contact = match contact {
        "crossing" => Contact::Crossing,
        "nested" => Contact::Nested,
        _ => Contact::Apart,
    };
    Closest(multigrain_polygons::Closest { distance, points, contact, features: features.get().0, steps })
}

/// All that is known of an overlap, in the order of its fields.
type OverlapParts = (f64, [f64; 2], [[f64; 2]; 2], [f64; 2], f64, usize, f64, ([f64; 3], [f64; 3]));

/// What `overlap` gave.
#[pyfunction]
pub fn _overlap_of(parts: OverlapParts, polygon: &Bound<'_, PyArray2<f64>>) -> PyResult<Overlap> {
    let (area, centroid, line, normal, depth, crossings, inertia, (shrinking_area, shrinking_inertia)) = parts;
    let shrinking = multigrain_polygons::Shrinking { area: shrinking_area, inertia: shrinking_inertia };
    let found = multigrain_polygons::Overlap { area, centroid, line, normal, depth, crossings, inertia, shrinking };
    Ok(Overlap { found, polygon: sealed(polygon.clone())?.unbind() })
}

fn refused(error: PolygonError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

fn named(feature: Feature) -> (&'static str, u32) {
    match feature {
        Feature::Vertex(k) => ("vertex", k),
        Feature::Edge(k) => ("edge", k),
    }
}
