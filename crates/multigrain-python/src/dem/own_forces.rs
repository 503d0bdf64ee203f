//! Forces of the user's own, from an array or a Python function.

use super::columns::by_id;
use super::grains::vectors;
use crate::arrays::table;
use crate::threads::lock;
use multigrain::{Axes, Dimension};
use multigrain_dem::{OwnForces, State};
use pyo3::prelude::*;
use std::sync::{Arc, Mutex};

/// What a Python function raised in the middle of a step, until the step is over.
pub type Raised = Arc<Mutex<Option<PyErr>>>;

/// Forces as the simulator takes them; None for None.
pub fn of<const D: usize>(
    forces: &Bound<'_, PyAny>,
    count: usize,
    raised: Raised,
) -> PyResult<Option<Box<OwnForces<D>>>>
where
    Axes: Dimension<D>,
{
    if forces.is_none() {
        return Ok(None);
    }
    if forces.is_callable() {
        let function = forces.clone().unbind();
        return Ok(Some(Box::new(move |time, state, sums, _| {
            Python::attach(|py| add_called(py, &function, time, state, sums)).map_err(|error| {
                let words = error.to_string();
                *lock(&raised) = Some(error);
                words
            })
        })));
    }
    // The order of ids may change its length: those that are here now are told apart by their ids.
    let steady = vectors::<D>(forces, "forces", count)?;
    let mut by_id: Option<Vec<[f64; D]>> = None;
    Ok(Some(Box::new(move |_, state: &State<D>, sums: &mut [[f64; D]], _: &mut [_]| {
        let by_id = by_id.get_or_insert_with(|| {
            let last = state.ids().iter().max().map_or(0, |&id| id as usize + 1);
            let mut by_id = vec![[0.0; D]; last];
            for (place, force) in state.places_by_id().into_iter().zip(&steady) {
                by_id[state.ids()[place as usize] as usize] = *force;
            }
            by_id
        });
        for (sum, &id) in sums.iter_mut().zip(state.ids()) {
            if let Some(force) = by_id.get(id as usize) {
                add(sum, force);
            }
        }
        Ok(())
    })))
}

fn add_called<const D: usize>(
    py: Python<'_>,
    function: &Py<PyAny>,
    time: f64,
    state: &State<D>,
    sums: &mut [[f64; D]],
) -> PyResult<()>
where
    Axes: Dimension<D>,
{
    let (positions, velocities) = (by_id(state, state.positions()), by_id(state, state.velocities()));
    let answer = function.bind(py).call1((time, table(py, positions)?, table(py, velocities)?))?;
    let forces = vectors::<D>(&answer, "forces", state.len())?;
    for (place, force) in state.places_by_id().into_iter().zip(&forces) {
        add(&mut sums[place as usize], force);
    }
    Ok(())
}

fn add<const D: usize>(sum: &mut [f64; D], force: &[f64; D]) {
    sum.iter_mut().zip(force).for_each(|(sum, force)| *sum += force);
}
