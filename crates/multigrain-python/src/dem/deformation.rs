//! `Deformation`: how a periodic box changes its shape.

use super::columns::{Rows, by_id};
use super::inner::{Inner, each};
use super::simulation::Simulation;
use multigrain_dem::{Deformation as Engine, STRESS_BAND};
use numpy::PyArray2;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::collections::BTreeMap;

/// Components of a tensor by name.
type Components = BTreeMap<String, f64>;

/// How a periodic box changes its shape, from the end of the one before until a time. Each component of the velocity gradient is
/// given, or found by the box so that a stress comes to its target.
///
/// Parameters
/// ----------
/// rates : dict of str to float, optional
///     Velocity gradient by components: ``{"xy": 0.5}`` is simple shear, the velocity along x growing along y.
/// stress : dict of str to float, optional
///     Stresses to be reached, by components; pressure is positive.
/// pressure : float, optional
///     Mean stress along the periodic axes to be reached, by growing or shrinking alike.
/// max_rate : float, optional
///     The fastest rate for that; needed with stresses and pressure.
/// band : float, default 0.1
///     Difference of stress, as a share of the largest target, at which the rate is the fastest.
/// until : float, optional
///     When it ends; for ever by default.
/// flowing : bool, default False
///     Whether grains that are there at the start move with the box already.
///
/// Examples
/// --------
/// >>> import multigrain as mg
/// >>> glass = mg.dem.Material(1, stiffness=100, restitution=0.5)
/// >>> shear = mg.dem.Deformation(rates={"xy": 0.5}, stress={"yy": 1.0}, max_rate=0.1)
/// >>> centers = [[x, y] for x in range(4) for y in range(4)]
/// >>> sim = mg.dem.Simulation(centers, 0.5, glass, domain=mg.Domain([0, 0], [4, 4]), deformations=[shear])
/// >>> sim.run(round(1 / sim.time_step))
/// >>> round(float(sim.strain[0, 1]), 2)
/// 0.5
#[pyclass(frozen, module = "multigrain.dem")]
#[derive(Clone)]
pub struct Deformation {
    rates: Components,
    stress: Components,
    pressure: Option<f64>,
    max_rate: Option<f64>,
    band: f64,
    until: Option<f64>,
    flowing: bool,
}

#[pymethods]
impl Deformation {
    #[new]
    #[pyo3(signature = (*, rates=None, stress=None, pressure=None, max_rate=None, band=STRESS_BAND, until=None, flowing=false), text_signature = "(*, rates=None, stress=None, pressure=None, max_rate=None, band=0.1, until=None, flowing=False)")]
    fn new(
        rates: Option<Components>,
        stress: Option<Components>,
        pressure: Option<f64>,
        max_rate: Option<f64>,
        band: f64,
        until: Option<f64>,
        flowing: bool,
    ) -> PyResult<Self> {
        let (rates, stress) = (rates.unwrap_or_default(), stress.unwrap_or_default());
        for name in rates.keys().chain(stress.keys()) {
            place::<3>(name)?;
        }
        Ok(Self { rates, stress, pressure, max_rate, band, until, flowing })
    }

    fn __getnewargs_ex__<'py>(&self, py: Python<'py>) -> PyResult<((), Bound<'py, PyDict>)> {
        let keywords = PyDict::new(py);
        keywords.set_item("rates", self.rates.clone())?;
        keywords.set_item("stress", self.stress.clone())?;
        keywords.set_item("pressure", self.pressure)?;
        keywords.set_item("max_rate", self.max_rate)?;
        keywords.set_item("band", self.band)?;
        keywords.set_item("until", self.until)?;
        keywords.set_item("flowing", self.flowing)?;
        Ok(((), keywords))
    }

    fn __repr__(&self) -> String {
        let named = |what: &str, all: &Components| {
            all.iter().map(|(name, value)| format!(" {what} {name} {value}")).collect::<String>()
        };
        let pressure = self.pressure.map_or(String::new(), |pressure| format!(" pressure {pressure}"));
        let until = self.until.map_or(String::new(), |until| format!(" until {until}"));
        format!("<Deformation:{}{}{pressure}{until}>", named("rate", &self.rates), named("stress", &self.stress))
    }
}

impl Deformation {
    /// As the simulator takes it, for grains with `D` axes.
    pub fn inner<const D: usize>(&self) -> PyResult<Engine<D>> {
        let mut made = Engine {
            pressure: self.pressure,
            max_rate: self.max_rate.unwrap_or(0.0),
            band: self.band,
            until: self.until.unwrap_or(f64::INFINITY),
            flowing: self.flowing,
            ..Engine::rest()
        };
        for (name, &rate) in &self.rates {
            let [i, j] = place::<D>(name)?;
            made.gradient[i][j] = rate;
        }
        for (name, &target) in &self.stress {
            let [i, j] = place::<D>(name)?;
            made.stress[i][j] = Some(target);
        }
        Ok(made)
    }
}

impl<const D: usize> From<&Engine<D>> for Deformation {
    fn from(made: &Engine<D>) -> Self {
        let all = || (0..D * D).map(|k| [k / D, k % D]);
        let name = |[i, j]: [usize; 2]| format!("{}{}", AXES[i], AXES[j]);
        let is_free = |[i, j]: [usize; 2]| made.stress[i][j].is_none() && made.gradient[i][j] != 0.0;
        Self {
            rates: all().filter(|&at| is_free(at)).map(|at| (name(at), made.gradient[at[0]][at[1]])).collect(),
            stress: all().filter_map(|at| made.stress[at[0]][at[1]].map(|target| (name(at), target))).collect(),
            pressure: made.pressure,
            max_rate: Some(made.max_rate),
            band: made.band,
            until: Some(made.until).filter(|until| until.is_finite()),
            flowing: made.flowing,
        }
    }
}

/// Names of the axes.
const AXES: [char; 3] = ['x', 'y', 'z'];

/// The component with this name.
fn place<const D: usize>(name: &str) -> PyResult<[usize; 2]> {
    let axes: Vec<Option<usize>> = name.chars().map(|axis| AXES[..D].iter().position(|&known| known == axis)).collect();
    match axes[..] {
        [Some(i), Some(j)] => Ok([i, j]),
        _ => Err(PyValueError::new_err(format!(
            "there is no component {name:?} in {D} dimensions: name two axes, as \"xy\""
        ))),
    }
}

#[pymethods]
impl Simulation {
    /// Mean stress in the box now, shape (D, D), by Love and Weber: contacts between grains, and motion beside the flow of the box.
    /// Pressure is positive; walls are not in it.
    fn stress<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let stress =
            self.look(|inner| Ok(each!(inner, s => s.stress().map(|stress| Rows::new(stress.total().to_vec())))))?;
        let no_box = || PyValueError::new_err("there is no box that a mean stress could be in; give `domain`");
        stress.ok_or_else(no_box)?.into_array(py)
    }

    /// Stress of each grain, shape (N, D, D), in the order of ids, pressure positive: of its contacts with others and with walls, and of its
    /// motion, over its volume. Members of a clump have that of the whole clump.
    fn stresses<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let (rows, axes) = self.look(|inner| {
            Ok(each!(inner, s => {
                let all: Vec<_> = s.stresses().iter().map(|stress| stress.total()).collect();
                (Rows::new(by_id(s.state(), &all).into_flattened()), s.gravity().len())
            }))
        })?;
        rows.into_array(py)?.call_method1("reshape", (-1, axes, axes))
    }

    /// Velocity gradient of the box now, shape (D, D); None for a box that does not deform.
    #[getter]
    fn velocity_gradient<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let rows =
            self.look(|inner| Ok(each!(inner, s => s.velocity_gradient().map(|rows| Rows::new(rows.to_vec())))))?;
        rows.map(|rows| rows.into_array(py)).transpose()
    }

    /// The velocity gradient of the box summed over time, shape (D, D); None for a box that does not deform.
    #[getter]
    fn strain<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyArray2<f64>>>> {
        let rows = self.look(|inner| Ok(each!(inner, s => s.strain().map(|rows| Rows::new(rows.to_vec())))))?;
        rows.map(|rows| rows.into_array(py)).transpose()
    }
}
