//! Bonds of grains.

use super::inner::{Inner, each};
use super::simulation::Simulation;
use crate::arguments::taken;
use crate::arrays::table;
use numpy::PyArray1;
use pyo3::prelude::*;
use pyo3::types::PyDict;

#[pymethods]
impl Simulation {
    /// Bond grains as their law says: those that touch, or lie within its ``bond_gap``. Where they are now they are at rest.
    ///
    /// Parameters
    /// ----------
    /// pairs : array_like of int, shape (B, 2), optional
    ///     Ids of those to bond; all that touch by default.
    ///
    /// Returns
    /// -------
    /// int
    ///     How many bonds were made.
    ///
    /// Examples
    /// --------
    /// >>> import multigrain as mg
    /// >>> glued = mg.dem.Material(2500, stiffness=1e6, bond_modulus=1e8, bond_strength=1e6, bond_gap=1e-6)
    /// >>> row = mg.dem.Simulation([[0, 0], [0.02, 0], [0.04, 0]], 0.01, glued)
    /// >>> row.bond()
    /// 2
    /// >>> row.run(10)
    /// >>> row.bonds()["ids"].tolist(), row.bonds_broken
    /// ([[0, 1], [1, 2]], 0)
    #[pyo3(signature = (pairs=None))]
    fn bond(&self, py: Python<'_>, pairs: Option<&Bound<'_, PyAny>>) -> PyResult<u64> {
        let pairs: Option<Vec<[u64; 2]>> = match pairs {
            None => None,
            Some(given) => {
                let plain = given.call_method0("tolist").unwrap_or_else(|_| given.clone());
                Some(taken(&plain, "pairs")?)
            }
        };
        let mut made = 0;
        self.change(py, |inner| {
            made = each!(inner, s => match &pairs {
                None => s.bond_touching()?,
                Some(pairs) => s.bond(pairs)?,
            });
            Ok(())
        })?;
        Ok(made)
    }

    /// Bonds that hold: "ids", shape (B, 2), and "loads", the largest stress in each over what it bears, shape (B,).
    fn bonds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let bonds = self.look(|inner| Ok(each!(inner, s => s.bonds())))?;
        let arrays = PyDict::new(py);
        arrays.set_item("ids", table(py, bonds.iter().map(|bond| bond.ids).collect())?)?;
        arrays.set_item("loads", PyArray1::from_vec(py, bonds.iter().map(|bond| bond.load).collect()))?;
        Ok(arrays)
    }

    /// How many bonds are no more: broken, or gone with their grains.
    #[getter]
    fn bonds_broken(&self) -> PyResult<u64> {
        self.look(|inner| Ok(each!(inner, s => s.bonds_broken())))
    }
}
