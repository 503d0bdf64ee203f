//! `pack`: makes particle systems.

use crate::arguments;
use crate::arrays::{floats, table};
use crate::dem::ClumpShape;
use crate::domain::{Domain, periodic_axes};
use crate::errors::{refused, unknown};
use crate::laws::LawParameters;
use crate::system::System;
use crate::threads::{self, Stop};
use multigrain::{Axes, Dimension};
use multigrain_packings as scenes;
use numpy::{PyArray1, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Where particles go.
enum Placement {
    Random { packing_fraction: f64 },
    Lattice { packing_fraction: f64 },
    SpacedLattice { spacing: Vec<f64> },
    Growth { packing_fraction: f64 },
}

/// Make a particle system: sizes from a law or from an array, places at random, on a lattice, or by growth without
/// overlap. The same seed gives the same system for ever.
///
/// Parameters
/// ----------
/// law : {"mono", "uniform", "power", "bidisperse", "log-normal"}, optional
///     Distribution of the radii, whose smallest is 1: all the same; equally frequent up to ``ratio``; density
///     r**exponent up to ``ratio``; two sizes 1 and ``ratio`` of equal total volumes; normal in ln r.
/// exponent, ratio, sigma : float, optional
///     Parameters of the law: exponent of the density, largest radius over smallest, standard deviation of ln r.
/// count : int, optional
///     Number of particles; with a law.
/// radii : array_like, shape (N,), optional
///     Sizes instead of a law; they are shuffled.
/// packing_fraction : float, optional
///     Volume of the particles over volume of the box.
/// dimension : {3, 2}
/// placement : {"random", "lattice", "growth"}
///     At random, overlaps allowed; on a cubic lattice; or grown from random points as hard spheres that collide, between
///     walls on axes that are not periodic, which gives no overlaps and takes a while.
/// spacing : array_like, shape (D,), optional
///     Of a lattice, in units of the largest diameter, instead of the packing fraction.
/// periodic : bool, sequence of bools, or str, default False
///     Periodic axes of the box, as for :class:`Domain`.
/// seed : int, default 1
/// clump : dem.ClumpShape, optional
///     Grains are clumps of this shape, each in a sphere of the system: sizes are those of the spheres around clumps, the packing fraction
///     is that of the clumps.
/// upright : bool, default False
///     Whether clumps lie as their shape has them; turned at random otherwise.
///
/// Returns
/// -------
/// System
///     With ``clump`` a dict, arguments of :class:`multigrain.dem.Simulation`: ``centers``, ``radii``, ``clump``, ``clump_shapes`` (one for each
///     size), ``orientations``, ``domain``.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> system = mg.pack(law="power", exponent=-3, ratio=50, count=1000, packing_fraction=0.6, periodic="xyz")
/// >>> system.centers.shape, system.radii.shape
/// ((1000, 3), (1000,))
/// >>> round(system.packing_fraction, 12)
/// 0.6
/// >>> pair = mg.dem.ClumpShape([[0, 0, 0], [1.2, 0, 0]], 1.0)
/// >>> clumps = mg.pack(law="mono", count=50, packing_fraction=0.2, placement="growth", periodic="xyz", clump=pair)
/// >>> sim = mg.dem.Simulation(**clumps, materials=mg.dem.Material(1, stiffness=1e3))
/// >>> len(sim.clumps()["positions"]), len(sim)
/// (50, 100)
#[pyfunction]
#[pyo3(signature = (
    *, law=None, exponent=None, ratio=None, sigma=None, count=None, radii=None, packing_fraction=None, dimension=3,
    placement="random", spacing=None, periodic=None, seed=1, clump=None, upright=false
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn pack(
    py: Python<'_>,
    #[pyo3(from_py_with = arguments::law)] law: Option<&str>,
    exponent: Option<f64>,
    ratio: Option<f64>,
    sigma: Option<f64>,
    #[pyo3(from_py_with = arguments::count)] count: Option<usize>,
    radii: Option<&Bound<'_, PyAny>>,
    packing_fraction: Option<f64>,
    #[pyo3(from_py_with = arguments::dimension)] dimension: usize,
    #[pyo3(from_py_with = arguments::placement)] placement: &str,
    spacing: Option<Vec<f64>>,
    periodic: Option<&Bound<'_, PyAny>>,
    #[pyo3(from_py_with = arguments::seed)] seed: u64,
    clump: Option<&Bound<'_, ClumpShape>>,
    upright: bool,
) -> PyResult<Py<PyAny>> {
    check_dimension(dimension)?;
    let parameters = LawParameters { exponent, ratio, sigma };
    let radii = sizes(law, &parameters, count, radii, dimension)?;
    let placement = placement_of(placement, packing_fraction, spacing, dimension)?;
    let periodic = periodic.map_or(Ok(vec![false; dimension]), |wish| periodic_axes(wish, dimension))?;
    if upright && clump.is_none() {
        return Err(PyValueError::new_err("upright is for clumps: give clump, their shape"));
    }
    let clump = clump.map(|clump| (clump.get(), upright));
    match dimension {
        2 => place::<2>(py, radii, placement, &periodic, seed, clump),
        _ => place::<3>(py, radii, placement, &periodic, seed, clump),
    }
}

/// An error for anything but two and three axes.
pub fn check_dimension(dimension: usize) -> PyResult<()> {
    match dimension {
        2 | 3 => Ok(()),
        _ => Err(PyValueError::new_err(format!("dimension is {dimension}, must be 2 or 3"))),
    }
}

fn sizes(
    law: Option<&str>,
    parameters: &LawParameters,
    count: Option<usize>,
    radii: Option<&Bound<'_, PyAny>>,
    dimension: usize,
) -> PyResult<Vec<f64>> {
    match (law, radii, count) {
        (Some(_), Some(_), _) => Err(PyValueError::new_err("law and radii both set the sizes: give one of them")),
        (None, None, _) => Err(PyValueError::new_err("there are no sizes: give law, such as law='mono', or radii")),
        (Some(_), None, None) => Err(PyValueError::new_err("a law needs count, the number of particles")),
        (None, Some(_), Some(_)) => Err(PyValueError::new_err("count belongs to a law, but radii are given")),
        (Some(law), None, Some(count)) => {
            if count >= u32::MAX as usize {
                return Err(refused(multigrain::Error::TooManyParticles { count }));
            }
            Ok(parameters.law(law)?.sample(count, dimension))
        }
        (None, Some(radii), None) => {
            parameters.refuse("radii are given")?;
            let radii = floats(radii, "radii")?;
            if radii.ndim() != 1 {
                return Err(PyValueError::new_err(format!("radii have {} dimensions, must be (N,)", radii.ndim())));
            }
            Ok(radii.readonly().as_slice()?.to_vec())
        }
    }
}

fn placement_of(
    name: &str,
    packing_fraction: Option<f64>,
    spacing: Option<Vec<f64>>,
    dimension: usize,
) -> PyResult<Placement> {
    let refuse = |text: &str| Err(PyValueError::new_err(text.to_owned()));
    match (name, packing_fraction, spacing) {
        ("random", Some(packing_fraction), None) => Ok(Placement::Random { packing_fraction }),
        ("random", None, None) => refuse("placement 'random' needs packing_fraction, such as 0.6"),
        ("random", _, Some(_)) => refuse("spacing is for placement 'lattice': give packing_fraction instead"),
        ("growth", Some(packing_fraction), None) => Ok(Placement::Growth { packing_fraction }),
        ("growth", None, None) => refuse("placement 'growth' needs packing_fraction, such as 0.6"),
        ("growth", _, Some(_)) => refuse("spacing is for placement 'lattice': give packing_fraction instead"),
        ("lattice", Some(packing_fraction), None) => Ok(Placement::Lattice { packing_fraction }),
        ("lattice", None, Some(spacing)) if spacing.len() == dimension => Ok(Placement::SpacedLattice { spacing }),
        ("lattice", None, Some(spacing)) => Err(PyValueError::new_err(format!(
            "spacing has {} numbers, but the system has {dimension} dimensions",
            spacing.len()
        ))),
        ("lattice", Some(_), Some(_)) => {
            refuse("spacing and packing_fraction both set how dense the lattice is: give one of them")
        }
        ("lattice", None, None) => refuse("placement 'lattice' needs packing_fraction or spacing"),
        _ => Err(unknown("placement", name, ["random", "lattice", "growth"])),
    }
}

fn place<const D: usize>(
    py: Python<'_>,
    radii: Vec<f64>,
    placement: Placement,
    periodic: &[bool],
    seed: u64,
    clump: Option<(&ClumpShape, bool)>,
) -> PyResult<Py<PyAny>>
where
    Axes: Dimension<D>,
{
    let periodic: [bool; D] = std::array::from_fn(|axis| periodic[axis]);
    let clump = clump.map(|(shape, upright)| Ok::<_, PyErr>((shape.inner::<D>()?, upright))).transpose()?;
    // The spheres around clumps fill more than clumps do.
    let share = clump.as_ref().map_or(1.0, |(shape, _)| shape.share());
    let made = threads::run(py, |stop| match placement {
        Placement::Random { packing_fraction } => {
            scenes::random(radii, packing_fraction / share, periodic, seed).map_err(refused)
        }
        Placement::Lattice { packing_fraction } => {
            scenes::lattice_at_packing_fraction(radii, packing_fraction / share, periodic, seed).map_err(refused)
        }
        Placement::SpacedLattice { spacing } => {
            scenes::lattice(radii, std::array::from_fn(|axis| spacing[axis]), periodic, seed).map_err(refused)
        }
        Placement::Growth { packing_fraction } => grown(radii, packing_fraction, share, periodic, seed, stop),
    })?;
    let system = made?;
    match clump {
        Some((shape, upright)) => clumps(py, &system, &shape, upright, seed),
        None => {
            let multigrain::System { centers, radii, domain } = system;
            Ok(Py::new(py, System::of_lists(py, centers, radii, Some(&domain))?)?.into_any())
        }
    }
}

/// Clumps in the spheres of a system, as arguments of a simulation.
fn clumps<const D: usize>(
    py: Python<'_>,
    around: &multigrain::System<D>,
    shape: &multigrain_dem::ClumpShape<D>,
    upright: bool,
    seed: u64,
) -> PyResult<Py<PyAny>>
where
    Axes: Dimension<D>,
{
    let (shapes, grains) = shape.fill(around, upright, seed).map_err(crate::dem::refused)?;
    let named = PyDict::new(py);
    named.set_item("centers", table(py, grains.iter().map(|grain| grain.position).collect())?)?;
    named.set_item("radii", PyArray1::from_slice(py, &around.radii))?;
    let numbers = grains.iter().map(|grain| grain.clump.map_or(-1, i64::from)).collect();
    named.set_item("clump", PyArray1::from_vec(py, numbers))?;
    named.set_item("clump_shapes", shapes.iter().map(ClumpShape::of_engine).collect::<PyResult<Vec<_>>>()?)?;
    named.set_item("orientations", table(py, grains.iter().map(|grain| grain.turned).collect())?)?;
    named.set_item("domain", Domain::of_engine(&around.domain)?)?;
    Ok(named.into_any().unbind())
}

fn grown<const D: usize>(
    radii: Vec<f64>,
    packing_fraction: f64,
    share: f64,
    periodic: [bool; D],
    seed: u64,
    stop: &Stop,
) -> PyResult<multigrain::System<D>>
where
    Axes: Dimension<D>,
{
    // Where it was stopped the error is the interrupt, which is on its way already.
    let grown =
        scenes::growth(radii, packing_fraction / share, periodic, seed, |_| !stop.is_asked()).map_err(refused)?;
    if grown.is_jammed {
        let reached = share * grown.progress.packing_fraction;
        return Err(PyValueError::new_err(format!(
            "growth jams at a packing fraction of {reached:.4}, short of {packing_fraction}\nhint: ask for less, at most \
             {:.2}, or take another mixture of sizes",
            (reached - 0.01).max(0.0)
        )));
    }
    Ok(grown.system)
}
