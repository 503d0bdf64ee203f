//! Size laws by name and parameters, as on the command line.

use crate::errors::{refused_sizes, unknown};
use multigrain::sizes::SizeLaw;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// Names of the laws.
const NAMES: [&str; 5] = ["mono", "uniform", "power", "bidisperse", "log-normal"];

/// Parameters of a law, as far as they are given.
#[derive(Clone, Copy)]
pub struct LawParameters {
    pub exponent: Option<f64>,
    pub ratio: Option<f64>,
    pub sigma: Option<f64>,
}

impl LawParameters {
    /// An error if any is given, where there is no law to take it.
    pub fn refuse(&self, reason: &str) -> PyResult<()> {
        match self.given().into_iter().find(|(_, value)| value.is_some()) {
            Some((name, _)) => Err(PyValueError::new_err(format!("{name} belongs to a law, but {reason}"))),
            None => Ok(()),
        }
    }

    /// The law of that name.
    pub fn law(&self, name: &str) -> PyResult<SizeLaw> {
        let takes: &[&str] = match name {
            "mono" => &[],
            "uniform" | "bidisperse" => &["ratio"],
            "power" => &["exponent", "ratio"],
            "log-normal" => &["sigma", "ratio"],
            _ => return Err(unknown("law", name, NAMES)),
        };
        let spare = self.given().into_iter().find(|(parameter, value)| value.is_some() && !takes.contains(parameter));
        if let Some((parameter, _)) = spare {
            return Err(PyValueError::new_err(format!("law '{name}' takes no {parameter}")));
        }
        let need = |parameter: &str, value: Option<f64>| {
            value.ok_or_else(|| PyValueError::new_err(format!("law '{name}' needs {parameter}")))
        };
        let ratio = || need("ratio", self.ratio);
        match name {
            "uniform" => SizeLaw::uniform(ratio()?),
            "bidisperse" => SizeLaw::bidisperse(ratio()?),
            "power" => SizeLaw::power(need("exponent", self.exponent)?, ratio()?),
            "log-normal" => match (self.sigma, self.ratio) {
                (Some(sigma), Some(ratio)) => SizeLaw::log_normal_within(sigma, ratio),
                (Some(sigma), None) => SizeLaw::log_normal(sigma),
                (None, Some(ratio)) => SizeLaw::log_normal_within(ratio.ln() / 6.0, ratio),
                (None, None) => return Err(PyValueError::new_err("law 'log-normal' needs sigma or ratio")),
            },
            _ => Ok(SizeLaw::Mono),
        }
        .map_err(refused_sizes)
    }

    fn given(&self) -> [(&'static str, Option<f64>); 3] {
        [("exponent", self.exponent), ("ratio", self.ratio), ("sigma", self.sigma)]
    }
}
