//! `Wall`: surfaces that hold grains back.

use super::simulation::warn;
use super::vector_of;
use crate::arguments;
use crate::arrays::shown;
use crate::errors::too_new;
use crate::packing::check_dimension;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Drive, Oscillation, Servo, Shape, TimeTable, Wear};
use multigrain_files::read_surface;
use multigrain_meshes::{Findings, Flaw, Surface};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use std::path::{Path, PathBuf};

/// What is said of open edges, which a thin wall may have.
const OPEN: &str = "the surface is open there";

/// A surface that holds grains back, may carry them along, and may move itself. Make one with ``plane``, ``inside_box``,
/// ``cylinder``, ``plate``, ``polygon``, ``slab``, ``ring``, ``funnel``, ``mesh`` or ``from_file``.
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
/// >>> shaken = floor.oscillating([0, 0, 1e-3], frequency=50)
/// >>> lid = mg.dem.Wall.plane([0, 0, 1], [0, 0, -1]).servo([0, 0, -1], force=25, max_speed=0.1)
#[pyclass(frozen, eq, module = "multigrain.dem")]
#[derive(Clone, PartialEq)]
pub struct Wall {
    form: Form,
    material: u16,
    velocity: Option<Vec<f64>>,
    turning: Option<([f64; 3], Vec<f64>)>,
    moves: bool,
    motion: Motion,
    wear: Option<(f64, f64)>,
    temperature: Option<f64>,
    /// When its motion begins.
    start: f64,
}

/// How a wall moves beside its velocity and spin.
#[derive(Clone, PartialEq)]
enum Motion {
    None,
    Oscillating { amplitude: Vec<f64>, frequency: f64, phase: f64, swing: [f64; 3] },
    Following { times: Vec<f64>, shifts: Vec<Vec<f64>> },
    Servo { direction: Vec<f64>, force: f64, max_speed: f64, gain: Option<f64> },
}

/// Shapes, before their dimension is a matter of types.
#[derive(Clone, PartialEq)]
enum Form {
    Plane { point: Vec<f64>, normal: Vec<f64> },
    Box { lo: Vec<f64>, hi: Vec<f64> },
    Cylinder { point: Vec<f64>, axis: Option<Vec<f64>>, radius: f64 },
    Plate { corners: Vec<Vec<f64>> },
    Polygon { corners: Vec<Vec<f64>> },
    Funnel { ends: [Vec<f64>; 2], radii: [f64; 2], closed: [bool; 2] },
    Mesh { vertices: Vec<Vec<f64>>, faces: Vec<Vec<u32>> },
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

    /// A thin funnel, the side of a truncated cone or a cylinder with ends, in space only; grains are inside or outside.
    ///
    /// Parameters
    /// ----------
    /// ends : array_like, shape (2, 3)
    ///     Centers of both openings.
    /// radii : (float, float)
    ///     Their radii, wider than the largest grain where they are open; one may be 0, the point of a cone.
    /// closed : (bool, bool), default (False, False)
    ///     Which openings are closed by a flat disc.
    #[staticmethod]
    #[pyo3(signature = (ends, radii, closed=[false, false]))]
    fn funnel(ends: [Vec<f64>; 2], radii: [f64; 2], closed: [bool; 2]) -> PyResult<Self> {
        Self::of(Form::Funnel { ends, radii, closed })
    }

    /// A solid slab below the line from one point to another, seen along it: grains are on the left. In the plane only.
    ///
    /// Parameters
    /// ----------
    /// start, end : array_like, shape (2,)
    /// thickness : float
    #[staticmethod]
    fn slab(start: [f64; 2], end: [f64; 2], thickness: f64) -> PyResult<Self> {
        Self::of_engine(&multigrain_dem::Wall::slab(start, end, thickness))
    }

    /// A solid ring of flat pieces around grains, a drum once each is turning and moving. In the plane only.
    ///
    /// Parameters
    /// ----------
    /// center : array_like, shape (2,)
    /// radius : float
    ///     Of its inner sides.
    /// thickness : float
    /// pieces : int, default 48
    ///
    /// Returns
    /// -------
    /// list of Wall
    #[staticmethod]
    #[pyo3(signature = (center, radius, thickness, pieces=48))]
    fn ring(
        center: [f64; 2],
        radius: f64,
        thickness: f64,
        #[pyo3(from_py_with = arguments::number)] pieces: u16,
    ) -> PyResult<Vec<Self>> {
        multigrain_dem::Wall::ring(center, radius, thickness, usize::from(pieces)).iter().map(Self::of_engine).collect()
    }

    /// Many thin faces that hold grains back on both sides: triangles in space, pieces of a line in the plane. Where they share
    /// edges they are one surface.
    ///
    /// Parameters
    /// ----------
    /// vertices : array_like, shape (V, D)
    /// faces : array_like of int, shape (F, D)
    ///     Numbers of the vertices of each face, from 0. Faces without area and the like are left out.
    ///
    /// Warns
    /// -----
    /// RuntimeWarning
    ///     Of what is wrong with the mesh: faces that are left out, turned over and so on. Open edges are no flaw here.
    #[staticmethod]
    fn mesh(py: Python<'_>, vertices: Vec<Vec<f64>>, faces: Vec<Vec<u32>>) -> PyResult<Self> {
        let wall = Self::of(Form::Mesh { vertices, faces })?;
        let findings = match wall.dimension() {
            2 => wall.surface::<2>(0)?.map(|made| made.1),
            _ => wall.surface::<3>(0)?.map(|made| made.1),
        };
        let findings = findings.unwrap_or_default();
        let mut flaws = findings.iter().filter(|finding| finding.flaw != Flaw::Open);
        flaws.try_for_each(|finding| warn(py, &finding.to_string()))?;
        Ok(wall)
    }

    /// The triangles of an STL or OBJ file, in the plane the lines of an OBJ file.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    /// scale : float, default 1
    ///     Multiplies all coordinates, first.
    /// rotate : (axis, degrees), optional
    ///     Turns it about the origin then; the axis is array_like, shape (3,), of any length.
    /// translate : array_like, shape (D,), optional
    ///     Added to coordinates last.
    /// dimension : {3, 2}
    ///
    /// Returns
    /// -------
    /// Wall
    ///     What is wrong with the mesh is a warning, as of :meth:`mesh`, and in words with open edges what `check_mesh` returns; what cannot
    ///     be used is left out.
    #[staticmethod]
    #[pyo3(signature = (path, *, scale=1.0, rotate=None, translate=None, dimension=3))]
    fn from_file(
        py: Python<'_>,
        path: PathBuf,
        scale: f64,
        rotate: Option<([f64; 3], f64)>,
        translate: Option<Vec<f64>>,
        #[pyo3(from_py_with = arguments::dimension)] dimension: usize,
    ) -> PyResult<Self> {
        check_dimension(dimension)?;
        let turn = match rotate {
            None => [0.0; 3],
            Some((axis, degrees)) => {
                let length = axis.iter().map(|x| x * x).sum::<f64>().sqrt();
                if !(length > 0.0 && length.is_finite()) {
                    return Err(PyValueError::new_err(format!(
                        "the axis of rotate is {axis:?}, must have a direction"
                    )));
                }
                axis.map(|x| x / length * degrees.to_radians())
            }
        };
        match dimension {
            2 => Self::placed::<2>(py, &path, scale, turn, translate),
            _ => Self::placed::<3>(py, &path, scale, turn, translate),
        }
    }

    /// What is wrong with the mesh of an STL or OBJ file, in words; an empty list for a good one.
    #[staticmethod]
    fn check_mesh(path: PathBuf) -> PyResult<Vec<String>> {
        let found = read_surface::<3>(&path).map_err(|error| PyValueError::new_err(format!("{error:#}")))?;
        Ok(found.1)
    }

    /// The same of the material with this number, from 0; of the first by default.
    fn of_material(&self, #[pyo3(from_py_with = arguments::number)] number: u16) -> Self {
        Self { material: number, ..self.clone() }
    }

    /// The same, kept at this temperature: it conducts heat to grains that touch it, where their material does.
    fn of_temperature(&self, temperature: f64) -> Self {
        Self { temperature: Some(temperature), ..self.clone() }
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

    /// The same, shaken: shifted by ``amplitude * (sin(2 pi frequency t + phase) - sin(phase))``, turned by ``swing`` likewise.
    ///
    /// Parameters
    /// ----------
    /// amplitude : array_like, shape (D,)
    ///     The furthest shift.
    /// frequency : float
    ///     Per time.
    /// phase : float, default 0
    ///     Of the sine at the start.
    /// swing : array_like, shape (3,), optional
    ///     The furthest turn, as axis times angle, about the point of ``turning``.
    #[pyo3(signature = (amplitude, frequency, phase=0.0, swing=[0.0; 3]))]
    fn oscillating(&self, amplitude: Vec<f64>, frequency: f64, phase: f64, swing: [f64; 3]) -> Self {
        Self { motion: Motion::Oscillating { amplitude, frequency, phase, swing }, ..self.clone() }
    }

    /// The same, shifted along a table of times: straight and steady between its rows, at rest before and after.
    ///
    /// Parameters
    /// ----------
    /// times : array_like, shape (K,)
    ///     Growing.
    /// shifts : array_like, shape (K, D)
    ///     From where the wall was put.
    fn following(&self, times: Vec<f64>, shifts: Vec<Vec<f64>>) -> Self {
        Self { motion: Motion::Following { times, shifts }, ..self.clone() }
    }

    /// The same, moved along a direction, or back, so that it pushes grains with a force, or with a pressure on an area.
    ///
    /// Parameters
    /// ----------
    /// direction : array_like, shape (D,)
    ///     Where it pushes, of any length.
    /// force : float, optional
    ///     Needed where no pressure is given.
    /// max_speed : float
    /// gain : float, optional
    ///     Speed per force that is missing; ``max_speed / force`` by default. It is cut where the wall would ring.
    /// pressure, area : float, optional
    ///     In place of a force: their product. The area, in the plane a length, is that of the wall that grains push.
    #[pyo3(signature = (direction, force=None, max_speed=None, gain=None, *, pressure=None, area=None))]
    fn servo(
        &self,
        direction: Vec<f64>,
        force: Option<f64>,
        max_speed: Option<f64>,
        gain: Option<f64>,
        pressure: Option<f64>,
        area: Option<f64>,
    ) -> PyResult<Self> {
        let force = match (force, pressure, area) {
            (Some(force), None, None) => force,
            (None, Some(pressure), Some(area)) if area > 0.0 && area.is_finite() => pressure * area,
            (None, Some(_), Some(area)) => {
                return Err(PyValueError::new_err(format!("area is {area}, must be positive and finite")));
            }
            _ => return Err(PyTypeError::new_err("a servo needs a force, or a pressure and the area that it acts on")),
        };
        let max_speed = max_speed.ok_or_else(|| PyTypeError::new_err("a servo needs max_speed"))?;
        Ok(Self { motion: Motion::Servo { direction, force, max_speed, gain }, ..self.clone() })
    }

    /// The same, worn off by grains that slide on it, after Archard: coefficient times normal force times way over hardness.
    fn wearing(&self, coefficient: f64, hardness: f64) -> Self {
        Self { wear: Some((coefficient, hardness)), ..self.clone() }
    }

    /// The same, with a motion that begins at this time: until then the wall stands.
    fn since(&self, time: f64) -> Self {
        Self { start: time, ..self.clone() }
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let made = match &self.form {
            Form::Plane { point, normal } => ("plane", (point, normal).into_pyobject(py)?),
            Form::Box { lo, hi } => ("inside_box", (lo, hi).into_pyobject(py)?),
            Form::Cylinder { point, axis, radius } => ("cylinder", (point, *radius, axis.as_ref()).into_pyobject(py)?),
            Form::Plate { corners } => ("plate", (corners,).into_pyobject(py)?),
            Form::Polygon { corners } => ("polygon", (corners,).into_pyobject(py)?),
            Form::Funnel { ends: [a, b], radii, closed } => ("funnel", ((a, b), *radii, *closed).into_pyobject(py)?),
            Form::Mesh { vertices, faces } => ("mesh", (vertices, faces).into_pyobject(py)?),
        };
        let motion = match &self.motion {
            Motion::None => None,
            Motion::Oscillating { amplitude, frequency, phase, swing } => {
                Some(("oscillating", (amplitude, *frequency, *phase, *swing).into_pyobject(py)?))
            }
            Motion::Following { times, shifts } => Some(("following", (times, shifts).into_pyobject(py)?)),
            Motion::Servo { direction, force, max_speed, gain } => {
                Some(("servo", (direction, *force, *max_speed, *gain).into_pyobject(py)?))
            }
        };
        let moving =
            (self.velocity.as_ref(), self.turning.clone(), self.moves, motion, self.wear, self.start, self.temperature);
        let parts = (made.0, made.1, self.material, moving);
        Ok((py.import("multigrain._made")?.getattr("wall")?, parts.into_pyobject(py)?))
    }

    fn __repr__(&self) -> String {
        format!("<Wall: {} in {}D, material {}>", self.name(), self.dimension(), self.material)
    }
}

impl Wall {
    /// As Python knows it.
    pub fn of_engine<const D: usize>(made: &multigrain_dem::Wall<D>) -> PyResult<Self> {
        let form = match &made.shape {
            Shape::Plane { point, normal } => Form::Plane { point: point.to_vec(), normal: normal.to_vec() },
            Shape::Box { lo, hi } => Form::Box { lo: lo.to_vec(), hi: hi.to_vec() },
            Shape::Cylinder { point, axis, radius } => {
                let axis = (D == 3).then(|| axis.to_vec());
                Form::Cylinder { point: point.to_vec(), axis, radius: *radius }
            }
            Shape::Plate { corners } => Form::Plate { corners: corners.iter().map(|c| c.to_vec()).collect() },
            Shape::Polygon { corners } => Form::Polygon { corners: corners.iter().map(|c| c.to_vec()).collect() },
            Shape::Funnel { ends, radii, closed } => {
                Form::Funnel { ends: ends.map(|end| end.to_vec()), radii: *radii, closed: *closed }
            }
            Shape::Mesh { surface } => Form::Mesh {
                vertices: surface.vertices().iter().map(|vertex| vertex.to_vec()).collect(),
                faces: surface.faces().iter().map(|face| face.to_vec()).collect(),
            },
            _ => return Err(too_new("wall")),
        };
        let turns = made.spin != [0.0; 3] || made.about != [0.0; D];
        Ok(Self {
            form,
            material: made.material,
            velocity: (made.velocity != [0.0; D]).then(|| made.velocity.to_vec()),
            turning: turns.then(|| (made.spin, made.about.to_vec())),
            moves: made.moves,
            motion: match &made.drive {
                Drive::None => Motion::None,
                Drive::Oscillating(way) => Motion::Oscillating {
                    amplitude: way.amplitude.to_vec(),
                    frequency: way.frequency,
                    phase: way.phase,
                    swing: way.swing,
                },
                Drive::Table(table) => Motion::Following {
                    times: table.times().to_vec(),
                    shifts: table.shifts().iter().map(|shift| shift.to_vec()).collect(),
                },
                Drive::Servo(servo) => Motion::Servo {
                    direction: servo.direction.to_vec(),
                    force: servo.force,
                    max_speed: servo.max_speed,
                    gain: servo.gain,
                },
                _ => return Err(too_new("motion of a wall")),
            },
            wear: made.wear.map(|wear| (wear.coefficient, wear.hardness)),
            temperature: made.temperature,
            start: made.start,
        })
    }
}

impl Wall {
    fn of(form: Form) -> PyResult<Self> {
        let wall = Self {
            form,
            material: 0,
            velocity: None,
            turning: None,
            moves: false,
            motion: Motion::None,
            wear: None,
            temperature: None,
            start: 0.0,
        };
        match wall.dimension() {
            2 | 3 => Ok(wall),
            other => Err(PyValueError::new_err(format!(
                "points of a {} have shape {}, must be (2,) or (3,)",
                wall.name(),
                shown(&[other])
            ))),
        }
    }

    /// The surface of a file, brought to its place.
    fn placed<const D: usize>(
        py: Python<'_>,
        path: &Path,
        scale: f64,
        turn: [f64; 3],
        shift: Option<Vec<f64>>,
    ) -> PyResult<Self>
    where
        Axes: Dimension<D>,
    {
        let (surface, flaws) = read_surface::<D>(path).map_err(|error| PyValueError::new_err(format!("{error:#}")))?;
        let mut flaws = flaws.iter().filter(|words| !words.contains(OPEN));
        flaws.try_for_each(|words| warn(py, &format!("{}: {words}", path.display())))?;
        let shift = shift.map_or(Ok([0.0; D]), |shift| vector_of(&shift, || "translate".to_owned()))?;
        let placed = surface.placed(scale, turn, shift).map_err(|error| PyValueError::new_err(error.to_string()))?.0;
        let vertices = placed.vertices().iter().map(|vertex| vertex.to_vec()).collect();
        Self::of(Form::Mesh { vertices, faces: placed.faces().iter().map(|face| face.to_vec()).collect() })
    }

    /// The surface of a mesh, with what was found wrong; nothing of other walls.
    fn surface<const D: usize>(&self, number: usize) -> PyResult<Option<(Surface<D>, Findings)>> {
        let Form::Mesh { vertices, faces } = &self.form else { return Ok(None) };
        let vertex = |given: &Vec<f64>| vector_of(given, || format!("a vertex of wall {number}"));
        let vertices = vertices.iter().map(vertex).collect::<PyResult<_>>()?;
        let face = |corners: &Vec<u32>| <[u32; D]>::try_from(corners.as_slice());
        let faces = faces.iter().map(face).collect::<Result<Vec<_>, _>>().map_err(|_| {
            PyValueError::new_err(format!("faces of wall {number} must have {D} vertices each in {D}D"))
        })?;
        Surface::new(vertices, faces).map(Some).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn name(&self) -> &'static str {
        match self.form {
            Form::Plane { .. } => "plane",
            Form::Box { .. } => "box",
            Form::Cylinder { .. } => "cylinder",
            Form::Plate { .. } => "plate",
            Form::Polygon { .. } => "polygon",
            Form::Funnel { .. } => "funnel",
            Form::Mesh { .. } => "mesh",
        }
    }

    fn dimension(&self) -> usize {
        match &self.form {
            Form::Plane { point, .. } | Form::Cylinder { point, .. } => point.len(),
            Form::Box { lo, .. } => lo.len(),
            Form::Plate { corners } | Form::Polygon { corners } => corners.first().map_or(0, Vec::len),
            Form::Funnel { ends, .. } => ends[0].len(),
            Form::Mesh { vertices, .. } => vertices.first().map_or(0, Vec::len),
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
            Form::Funnel { ends: [a, b], radii, closed } => {
                Shape::Funnel { ends: [vector(a, "an end")?, vector(b, "an end")?], radii: *radii, closed: *closed }
            }
            Form::Mesh { .. } => {
                let made = self.surface::<D>(number)?;
                let (surface, _) = made.ok_or_else(|| PyValueError::new_err("a mesh has faces"))?;
                Shape::Mesh { surface: surface.into() }
            }
        };
        let mut wall = multigrain_dem::Wall::new(shape).material(self.material);
        if let Some(velocity) = &self.velocity {
            wall = wall.carrying(vector(velocity, "velocity")?);
        }
        if let Some((spin, about)) = &self.turning {
            wall = wall.turning(*spin, vector(about, "about")?);
        }
        wall.drive = match &self.motion {
            Motion::None => Drive::None,
            Motion::Oscillating { amplitude, frequency, phase, swing } => Drive::Oscillating(Oscillation {
                amplitude: vector(amplitude, "amplitude")?,
                swing: *swing,
                frequency: *frequency,
                phase: *phase,
            }),
            Motion::Following { times, shifts } => {
                let shifts = shifts.iter().map(|shift| vector(shift, "a shift")).collect::<PyResult<_>>()?;
                let table = TimeTable::new(times.clone(), shifts);
                Drive::Table(table.map_err(|why| PyValueError::new_err(format!("wall {number}: {why}")))?.into())
            }
            Motion::Servo { direction, force, max_speed, gain } => Drive::Servo(Servo {
                direction: vector(direction, "direction")?,
                force: *force,
                max_speed: *max_speed,
                gain: *gain,
            }),
        };
        wall.wear = self.wear.map(|(coefficient, hardness)| Wear { coefficient, hardness });
        wall.temperature = self.temperature;
        wall.start = self.start;
        Ok(if self.moves { wall.moving() } else { wall })
    }
}
