//! Grains from arrays, and their way into a simulation.

use super::refused;
use crate::arguments::{named, taken};
use crate::arrays::{Bodies, floats, shown};
use multigrain::{Axes, Dimension};
use multigrain_dem::{Grain, Simulation as Engine};
use numpy::{PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// What there is to say of the shapes of grains.
#[derive(Clone, Copy)]
pub struct Shapes<'a, 'py> {
    /// Number of the shape of each grain, or of all, -1 for those that are round.
    pub shape: Option<&'a Bound<'py, PyAny>>,
    pub angles: Option<&'a Bound<'py, PyAny>>,
    /// How many shapes there are.
    pub count: usize,
}

impl Shapes<'_, '_> {
    /// Shapes and angles of the given number of grains. By default as many shapes as grains are one for each.
    fn of(&self, grains: usize) -> PyResult<Vec<(Option<u32>, f64)>> {
        let fits = |length: usize, name: &str| match length == grains {
            true => Ok(()),
            false => Err(PyValueError::new_err(format!("{name} has shape ({length},), must be ({grains},)"))),
        };
        let numbers: Vec<i64> = match self.shape {
            None if self.count == grains && grains > 0 => (0..grains as i64).collect(),
            None if self.count == 1 => vec![0; grains],
            None => vec![-1; grains],
            Some(given) => match given.extract::<i64>() {
                Ok(all) => vec![all; grains],
                Err(_) => taken(given, "shape")?,
            },
        };
        let angles: Vec<f64> = match self.angles {
            None => vec![0.0; grains],
            Some(given) => match given.extract::<f64>() {
                Ok(all) => vec![all; grains],
                Err(_) => taken(given, "angles")?,
            },
        };
        fits(numbers.len(), "shape")?;
        fits(angles.len(), "angles")?;
        let number = |number: i64| match u32::try_from(number) {
            Ok(shape) => Ok(Some(shape)),
            Err(_) if number == -1 => Ok(None),
            Err(_) => Err(PyValueError::new_err(format!("shape is {number}, must be the number of a shape, or -1"))),
        };
        numbers.into_iter().zip(angles).map(|(shape, angle)| Ok((number(shape)?, angle))).collect()
    }
}

/// What grains have beside center and radius, as a caller gives it.
pub struct Given<'a, 'py> {
    pub velocities: Option<&'a Bound<'py, PyAny>>,
    pub spins: Option<&'a Bound<'py, PyAny>>,
    /// One number for all, or one for each.
    pub material: Option<&'a Bound<'py, PyAny>>,
    /// One bool for all, or one for each.
    pub held: Option<&'a Bound<'py, PyAny>>,
    /// Number of the clump shape of each grain, or of all, -1 for those that are none.
    pub clump: Option<&'a Bound<'py, PyAny>>,
    /// Quaternions of clumps.
    pub orientations: Option<&'a Bound<'py, PyAny>>,
    /// How many clump shapes there are.
    pub clump_shapes: usize,
}

/// Grains from arrays: at rest, of the first material and free where nothing else is given.
pub fn grains<const D: usize>(
    bodies: &Bodies<'_>,
    given: &Given<'_, '_>,
    shapes: Shapes<'_, '_>,
) -> PyResult<Vec<Grain<D>>> {
    // Converted before anything is borrowed: it may run Python code.
    let count = bodies.centers.shape()[0];
    let outlines = shapes.of(count)?;
    let velocities = given.velocities.map(|values| vectors::<D>(values, "velocities", count)).transpose()?;
    let spins = given.spins.map(|values| spins_of(values, count)).transpose()?;
    let materials = given.material.map(|values| each(values, "material", count)).transpose()?;
    let held = given.held.map(|values| each(values, "held", count)).transpose()?;
    let clumps: Vec<i64> = match given.clump {
        Some(values) => each(values, "clump", count)?,
        None => vec![if given.clump_shapes == 1 { 0 } else { -1 }; count],
    };
    let turned = given.orientations.map(|values| vectors::<4>(values, "orientations", count)).transpose()?;
    let lent = bodies.lend()?;
    let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
    if centers.len() != radii.len() {
        return Err(refused(multigrain::Error::LengthMismatch { centers: centers.len(), radii: radii.len() }.into()));
    }
    let mut grains: Vec<Grain<D>> =
        centers.iter().zip(radii).map(|(&center, &radius)| Grain::at(center, radius)).collect();
    for (k, grain) in grains.iter_mut().enumerate() {
        grain.velocity = velocities.as_ref().map_or(grain.velocity, |all| all[k]);
        grain.spin = spins.as_ref().map_or(grain.spin, |all| all[k]);
        grain.material = materials.as_ref().map_or(grain.material, |all| all[k]);
        (grain.shape, grain.angle) = outlines[k];
        grain.held = held.as_ref().map_or(grain.held, |all| all[k]);
        grain.turned = turned.as_ref().map_or(grain.turned, |all| all[k]);
        grain.clump = match u32::try_from(clumps[k]) {
            Ok(shape) => Some(shape),
            Err(_) if clumps[k] == -1 => None,
            Err(_) => {
                let text = format!("clump is {}, must be the number of a clump shape, or -1", clumps[k]);
                return Err(PyValueError::new_err(text));
            }
        };
    }
    Ok(grains)
}

/// A vector for each of the grains.
pub fn vectors<const D: usize>(values: &Bound<'_, PyAny>, what: &str, count: usize) -> PyResult<Vec<[f64; D]>> {
    let array = floats(values, what)?;
    if array.shape() != [count, D] {
        let (given, wanted) = (shown(array.shape()), shown(&[count, D]));
        return Err(PyValueError::new_err(format!("{what} have shape {given}, must be {wanted}")));
    }
    let array = array.readonly();
    Ok(array.as_slice()?.as_chunks::<D>().0.to_vec())
}

/// Angular velocities: (N, 3), or in the plane also (N,), which is the third component.
pub fn spins_of(values: &Bound<'_, PyAny>, count: usize) -> PyResult<Vec<[f64; 3]>> {
    let array = floats(values, "spins")?;
    if array.shape() == [count] {
        let array = array.readonly();
        return Ok(array.as_slice()?.iter().map(|&spin| [0.0, 0.0, spin]).collect());
    }
    vectors::<3>(values, "spins", count)
}

/// One value for each grain, from one for all or one for each.
pub fn each<'py, T>(values: &Bound<'py, PyAny>, what: &str, count: usize) -> PyResult<Vec<T>>
where
    T: Copy + for<'a> FromPyObject<'a, 'py>,
{
    if let Ok(one) = values.extract::<T>() {
        return Ok(vec![one; count]);
    }
    // Arrays of numpy have a method that makes plain numbers of them.
    let plain = values.call_method0("tolist").unwrap_or_else(|_| values.clone());
    let items: Vec<Bound<'py, PyAny>> =
        plain.try_iter().map_err(|error| named(error, what, values))?.collect::<PyResult<_>>()?;
    if items.len() != count {
        let (given, wanted) = (shown(&[items.len()]), shown(&[count]));
        return Err(PyValueError::new_err(format!("{what} has shape {given}, must be {wanted}, or one for all")));
    }
    items.iter().map(|item| taken(item, what)).collect()
}

/// Adds all or, where one cannot be added, none.
pub fn inserted<const D: usize>(simulation: &mut Engine<D>, grains: &[Grain<D>]) -> PyResult<Vec<u64>>
where
    Axes: Dimension<D>,
{
    let mut ids = Vec::with_capacity(grains.len());
    for grain in grains {
        match simulation.insert(*grain) {
            Ok(id) => ids.push(id),
            Err(error) => {
                simulation.remove_all(&ids).map_err(refused)?;
                return Err(refused(error));
            }
        }
    }
    Ok(ids)
}
