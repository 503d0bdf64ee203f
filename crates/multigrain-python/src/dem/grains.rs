//! Grains from arrays, and their way into a simulation.

use super::refused;
use crate::arguments;
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
    /// Shapes and angles of so many grains. Where nothing is said, as many shapes as grains are one for each.
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
                Err(_) => arguments::taken(given, "shape")?,
            },
        };
        let angles: Vec<f64> = match self.angles {
            None => vec![0.0; grains],
            Some(given) => match given.extract::<f64>() {
                Ok(all) => vec![all; grains],
                Err(_) => arguments::taken(given, "angles")?,
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

/// Grains of one material, at rest where there are no velocities.
pub fn grains<const D: usize>(
    bodies: &Bodies<'_>,
    velocities: Option<&Bound<'_, PyAny>>,
    material: u16,
    shapes: Shapes<'_, '_>,
) -> PyResult<Vec<Grain<D>>> {
    // Converted before anything is borrowed: it may run Python code.
    let velocities = velocities.map(|values| floats(values, "velocities")).transpose()?;
    let outlines = shapes.of(bodies.centers.shape()[0])?;
    let lent = bodies.lend()?;
    let (centers, radii) = (lent.centers::<D>()?, lent.radii()?);
    if centers.len() != radii.len() {
        return Err(refused(multigrain::Error::LengthMismatch { centers: centers.len(), radii: radii.len() }.into()));
    }
    let wanted = [centers.len(), D];
    let borrowed = match &velocities {
        Some(array) if array.shape() != wanted => {
            return Err(PyValueError::new_err(format!(
                "velocities have shape {}, must be {}",
                shown(array.shape()),
                shown(&wanted)
            )));
        }
        Some(array) => Some(array.readonly()),
        None => None,
    };
    let velocities = borrowed.as_ref().map_or(Ok(&[][..]), |array| array.as_slice())?.as_chunks::<D>().0;
    let grain = |(k, (&center, &radius)): (usize, (&[f64; D], &f64))| {
        let grain = Grain::at(center, radius).velocity(velocities.get(k).copied().unwrap_or([0.0; D]));
        let (shape, angle) = outlines.get(k).copied().unwrap_or((None, 0.0));
        Grain { shape, angle, ..grain.material(material) }
    };
    Ok(centers.iter().zip(radii).enumerate().map(grain).collect())
}

/// Adds all or, where one cannot be added, none.
pub fn inserted<const D: usize>(simulation: &mut Engine<D>, grains: &[Grain<D>]) -> PyResult<Vec<u32>>
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
