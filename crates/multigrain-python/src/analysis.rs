//! `analyze`: what grains and their contacts say.

use crate::arguments;
use crate::arrays::{Bodies, floats, rows, table};
use crate::domain::Domain;
use crate::errors::refused;
use crate::pairs::Pairs;
use crate::search::Space;
use crate::system::System;
use crate::threads;
use multigrain::{Axes, Dimension};
use multigrain_analysis::{
    Contact, Coordination, Fabric, ForceStatistics, Grains, PairCorrelation, Profile, Slice, Stress, coordination,
    fabric, force_statistics, pair_correlation, profile, segregation, stress, touching,
};
use numpy::{PyArray1, PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Analyze grains and their contacts: coordination, fabric and stress tensors, pair correlation, profiles, forces, segregation.
///
/// The box is that of the domain along periodic axes; along others it reaches from the lowest to the highest point of the grains.
///
/// Parameters
/// ----------
/// system : System
///     Or centers, as for :func:`find_pairs`, followed by radii.
/// radii : array_like, shape (N,), or float, optional
///     With centers.
/// domain : Domain, optional
///     With centers.
/// velocities : array_like, shape (N, D), optional
///     For velocity and granular temperature in the profile.
/// pairs : Pairs, optional
///     Contacts; by default all with a gap below ``margin``.
/// forces : array_like, shape (M, D), optional
///     With ``pairs``: force of each on its second body, for the stress.
/// wall_contacts : array_like of int, shape (N,), optional
///     Contacts of each grain with walls, which coordination counts too.
/// stiffness : float, optional
///     Instead of forces: linear springs that push with the overlap times this.
/// margin : float, default 0.0
/// axis : int, optional
///     Of the profile; the last by default.
/// bins : int, default 40
///     Of profile and histograms.
///
/// Returns
/// -------
/// dict
///     ``packing_fraction``, ``contacts``, ``coordination`` (``mean``, ``mechanical``, ``rattlers``, ``of_grain``, ``histogram``),
///     ``fabric`` (``tensor``, ``eigenvalues``, ``anisotropy``), ``stress`` (``tensor``, ``eigenvalues``, ``pressure``, ``shear``),
///     ``forces`` (``mean``, ``max``, ``strong_share``, ``force_over_mean``, ``density``), ``pair_correlation`` (``r``, ``g``),
///     ``profile`` (``from``, ``to``, ``packing_fraction`` and so on), ``segregation`` (for each axis). What is not known is None.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> system = mg.pack(law="mono", count=200, packing_fraction=0.6, placement="growth", periodic="xyz")
/// >>> found = mg.analyze(system, margin=0.05, stiffness=1000.0)
/// >>> round(found["packing_fraction"], 6), found["coordination"]["mean"] > 2
/// (0.6, True)
/// >>> found["fabric"]["tensor"].shape, found["stress"]["pressure"] >= 0
/// ((3, 3), True)
#[pyfunction]
#[pyo3(signature = (
    system, radii=None, domain=None, *, velocities=None, pairs=None, forces=None, wall_contacts=None, stiffness=None, margin=0.0,
    axis=None, bins=40
))]
#[expect(clippy::too_many_arguments, reason = "keyword arguments of Python")]
pub fn analyze<'py>(
    py: Python<'py>,
    system: &Bound<'py, PyAny>,
    radii: Option<&Bound<'py, PyAny>>,
    #[pyo3(from_py_with = arguments::domain)] domain: Option<Bound<'py, Domain>>,
    velocities: Option<&Bound<'py, PyAny>>,
    pairs: Option<&Bound<'py, Pairs>>,
    forces: Option<&Bound<'py, PyAny>>,
    wall_contacts: Option<&Bound<'py, PyAny>>,
    stiffness: Option<f64>,
    #[pyo3(from_py_with = arguments::margin)] margin: f64,
    axis: Option<usize>,
    bins: usize,
) -> PyResult<Bound<'py, PyDict>> {
    let (bodies, space) = grains_of(system, radii, domain, margin)?;
    if bins == 0 || bins > 1_000_000 {
        return Err(PyValueError::new_err(format!("bins is {bins}, must be between 1 and 1000000")));
    }
    if forces.is_some() && (pairs.is_none() || stiffness.is_some()) {
        return Err(PyValueError::new_err("forces belong to pairs, and exclude stiffness"));
    }
    if let Some(stiffness) = stiffness.filter(|stiffness| !(*stiffness > 0.0 && stiffness.is_finite())) {
        return Err(PyValueError::new_err(format!("stiffness is {stiffness}, must be positive")));
    }
    let vectors = |object: Option<&Bound<'py, PyAny>>, what: &str| -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let Some(object) = object else { return Ok(None) };
        let array = floats(object, what)?;
        match array.shape() {
            &[_, axes] if axes == bodies.dimension() => Ok(Some(array.cast_into::<PyArray2<f64>>()?)),
            shape => {
                Err(PyValueError::new_err(format!("{what} have shape {shape:?}, must be (N, {})", bodies.dimension())))
            }
        }
    };
    let options = AnalysisOptions {
        velocities: vectors(velocities, "velocities")?,
        forces: vectors(forces, "forces")?,
        pairs: pairs.cloned(),
        wall_contacts: wall_contacts.map(|object| counts(object, bodies.radii.len())).transpose()?,
        stiffness,
        axis: axis.unwrap_or(bodies.dimension() - 1),
        bins,
    };
    if options.axis >= bodies.dimension() {
        return Err(PyValueError::new_err(format!("axis is {}, must be below {}", options.axis, bodies.dimension())));
    }
    match bodies.dimension() {
        2 => analyzed::<2>(py, &bodies, &space, &options),
        _ => analyzed::<3>(py, &bodies, &space, &options),
    }
}

/// A whole number for each grain.
fn counts(object: &Bound<'_, PyAny>, grains: usize) -> PyResult<Vec<u32>> {
    let array = floats(object, "wall_contacts")?;
    if array.shape() != [grains] {
        let shape = array.shape();
        return Err(PyValueError::new_err(format!("wall_contacts have shape {shape:?}, must be ({grains},)")));
    }
    let count = |(grain, value): (usize, f64)| match value.fract() == 0.0
        && (0.0..=f64::from(u32::MAX)).contains(&value)
    {
        true => Ok(value as u32),
        false => Err(PyValueError::new_err(format!("wall_contacts of particle {grain} is {value}, must be a count"))),
    };
    array.to_vec()?.into_iter().enumerate().map(count).collect()
}

/// Centers and radii, or a system.
pub fn grains_of<'py>(
    system: &Bound<'py, PyAny>,
    radii: Option<&Bound<'py, PyAny>>,
    domain: Option<Bound<'py, Domain>>,
    margin: f64,
) -> PyResult<(Bodies<'py>, Space)> {
    match (system.cast::<System>(), radii, domain) {
        (Ok(system), None, None) => {
            let own = system.get();
            Ok((own.bodies(system.py()), Space { margin, domain: own.domain_ref().cloned() }))
        }
        (Ok(_), _, _) => {
            Err(PyTypeError::new_err("a System has radii and domain of its own: leave these arguments out"))
        }
        (Err(_), Some(radii), domain) => {
            let space = Space::new(margin, domain);
            Ok((space.bodies(system, radii)?, space))
        }
        (Err(_), None, _) => Err(PyTypeError::new_err("give a System, or centers and radii")),
    }
}

struct AnalysisOptions<'py> {
    velocities: Option<Bound<'py, PyArray2<f64>>>,
    forces: Option<Bound<'py, PyArray2<f64>>>,
    pairs: Option<Bound<'py, Pairs>>,
    wall_contacts: Option<Vec<u32>>,
    stiffness: Option<f64>,
    axis: usize,
    bins: usize,
}

/// All that is computed without the interpreter.
struct Analysed<const D: usize> {
    packing_fraction: f64,
    contacts: usize,
    coordination: Coordination,
    fabric: Option<Fabric<D>>,
    stress: Option<Stress<D>>,
    forces: Option<ForceStatistics>,
    correlation: PairCorrelation,
    profile: Profile<D>,
    segregation: [Option<f64>; D],
}

fn analyzed<'py, const D: usize>(
    py: Python<'py>,
    bodies: &Bodies<'py>,
    space: &Space,
    options: &AnalysisOptions<'py>,
) -> PyResult<Bound<'py, PyDict>>
where
    Axes: Dimension<D>,
{
    space.check::<D>(bodies)?;
    let domain = Domain::for_axes::<D>(space.domain.as_ref())?;
    let lent = bodies.lend()?;
    let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
    let velocities = options.velocities.as_ref().map(|array| array.readonly());
    let velocities = velocities.as_ref().map(rows::<f64, D>).transpose()?;
    if velocities.is_some_and(|velocities| velocities.len() != radii.len()) {
        return Err(PyValueError::new_err("velocities and centers differ in length"));
    }
    let forces = options.forces.as_ref().map(|array| array.readonly());
    let forces = forces.as_ref().map(rows::<f64, D>).transpose()?;
    let given = options.pairs.as_ref().map(|pairs| pairs.get().branches::<D>(py)).transpose()?;
    if let (Some(forces), Some(given)) = (forces, &given)
        && forces.len() != given.len()
    {
        return Err(PyValueError::new_err("forces and pairs differ in length"));
    }
    let last = given.iter().flatten().flat_map(|contact| contact.pair).max();
    if let Some(last) = last.filter(|&last| last as usize >= radii.len()) {
        return Err(PyValueError::new_err(format!("pairs name particle {last}, but there are {}", radii.len())));
    }
    let walls = options.wall_contacts.as_deref();
    let (stiffness, axis, bins, margin) = (options.stiffness, options.axis, options.bins, space.margin);
    let found = threads::run(py, |_| -> Result<Analysed<D>, multigrain::Error> {
        let mut grains = Grains::new(centers, radii, domain)?;
        if let Some(velocities) = velocities {
            grains = grains.moving(velocities);
        }
        let mut contacts = match given {
            Some(given) => {
                let force = |k: usize| forces.map(|forces| forces[k]);
                given.into_iter().enumerate().map(|(k, contact)| Contact { force: force(k), ..contact }).collect()
            }
            None => touching(&grains, margin)?,
        };
        if let Some(stiffness) = stiffness {
            contacts = contacts.into_iter().map(|contact| contact.with_spring(stiffness)).collect();
        }
        Ok(Analysed {
            packing_fraction: grains.packing_fraction(),
            contacts: contacts.len(),
            coordination: coordination(grains.len(), &contacts, walls),
            fabric: fabric(&contacts),
            stress: stress(&grains, &contacts),
            forces: force_statistics(&contacts, bins),
            correlation: pair_correlation(&grains, None, bins)?,
            profile: profile(&grains, axis, bins),
            segregation: std::array::from_fn(|axis| segregation(&grains, axis)),
        })
    })?;
    found.map_err(refused)?.dict(py)
}

impl<const D: usize> Analysed<D> {
    fn dict<'py>(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let all = PyDict::new(py);
        all.set_item("packing_fraction", self.packing_fraction)?;
        all.set_item("contacts", self.contacts)?;
        let part = PyDict::new(py);
        part.set_item("mean", self.coordination.mean)?;
        part.set_item("mechanical", self.coordination.mechanical)?;
        part.set_item("rattlers", self.coordination.rattlers)?;
        part.set_item("of_grain", PyArray1::from_vec(py, self.coordination.of_grain))?;
        part.set_item("histogram", PyArray1::from_vec(py, self.coordination.histogram))?;
        all.set_item("coordination", part)?;
        let tensor = |tensor: [[f64; D]; D]| table(py, tensor.to_vec());
        let part = self.fabric.map(|fabric| -> PyResult<Bound<'py, PyDict>> {
            let part = PyDict::new(py);
            part.set_item("tensor", tensor(fabric.tensor)?)?;
            part.set_item("eigenvalues", PyArray1::from_slice(py, &fabric.eigenvalues))?;
            part.set_item("anisotropy", fabric.anisotropy)?;
            Ok(part)
        });
        all.set_item("fabric", part.transpose()?)?;
        let part = self.stress.map(|stress| -> PyResult<Bound<'py, PyDict>> {
            let part = PyDict::new(py);
            part.set_item("tensor", tensor(stress.tensor)?)?;
            part.set_item("eigenvalues", PyArray1::from_slice(py, &stress.eigenvalues))?;
            part.set_item("pressure", stress.pressure)?;
            part.set_item("shear", stress.shear)?;
            Ok(part)
        });
        all.set_item("stress", part.transpose()?)?;
        let part = self.forces.map(|forces| -> PyResult<Bound<'py, PyDict>> {
            let (over_mean, density): (Vec<f64>, Vec<f64>) = forces.density.into_iter().unzip();
            let part = PyDict::new(py);
            part.set_item("mean", forces.mean)?;
            part.set_item("max", forces.max)?;
            part.set_item("strong_share", forces.strong_share)?;
            part.set_item("force_over_mean", PyArray1::from_vec(py, over_mean))?;
            part.set_item("density", PyArray1::from_vec(py, density))?;
            Ok(part)
        });
        all.set_item("forces", part.transpose()?)?;
        let (r, g): (Vec<f64>, Vec<f64>) = self.correlation.values.into_iter().unzip();
        let part = PyDict::new(py);
        part.set_item("r", PyArray1::from_vec(py, r))?;
        part.set_item("g", PyArray1::from_vec(py, g))?;
        all.set_item("pair_correlation", part)?;
        all.set_item("profile", profile_of(py, &self.profile)?)?;
        all.set_item("segregation", self.segregation.to_vec())?;
        Ok(all)
    }
}

fn profile_of<'py, const D: usize>(py: Python<'py>, profile: &Profile<D>) -> PyResult<Bound<'py, PyDict>> {
    let part = PyDict::new(py);
    let column = |value: &dyn Fn(&Slice<D>) -> f64| PyArray1::from_vec(py, profile.slices.iter().map(value).collect());
    part.set_item("axis", profile.axis)?;
    part.set_item("from", column(&|slice| slice.from))?;
    part.set_item("to", column(&|slice| slice.to))?;
    part.set_item("packing_fraction", column(&|slice| slice.packing_fraction))?;
    part.set_item("mean_radius", column(&|slice| slice.mean_radius.unwrap_or(f64::NAN)))?;
    if profile.slices.iter().any(|slice| slice.velocity.is_some()) {
        let velocity = |slice: &Slice<D>| slice.velocity.unwrap_or([f64::NAN; D]);
        part.set_item("velocity", table(py, profile.slices.iter().map(velocity).collect())?)?;
        part.set_item("temperature", column(&|slice| slice.temperature.unwrap_or(f64::NAN)))?;
    }
    Ok(part)
}
