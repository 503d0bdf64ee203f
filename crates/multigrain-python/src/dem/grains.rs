//! Grains from arrays, and their way into a simulation.

use super::refused;
use crate::arrays::{Bodies, floats, shown};
use multigrain::{Axes, Dimension};
use multigrain_dem::{Grain, Simulation as Engine};
use numpy::{PyArrayMethods, PyUntypedArrayMethods};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Grains of one material, at rest where there are no velocities.
pub fn grains<const D: usize>(
    bodies: &Bodies<'_>,
    velocities: Option<&Bound<'_, PyAny>>,
    material: u16,
) -> PyResult<Vec<Grain<D>>> {
    // Converted before anything is borrowed: it may run Python code.
    let velocities = velocities.map(|values| floats(values, "velocities")).transpose()?;
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
        Grain::at(center, radius).velocity(velocities.get(k).copied().unwrap_or([0.0; D])).material(material)
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
