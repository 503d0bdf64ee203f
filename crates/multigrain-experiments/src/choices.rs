//! What a run measures: how much, and with which parameters of one's own.

use crate::error::{Error, Result};
use crate::experiment::{Experiment, Size};
use std::str::FromStr;

/// The size of a run, and values for parameters of its experiments.
#[derive(Debug, Clone, PartialEq)]
pub struct Choices {
    /// How much is measured.
    pub size: Size,
    /// How many points are at work at once. Points that are timed never share the machine with each other.
    pub jobs: usize,
    set: Vec<(String, String)>,
}

/// The parameters that experiments may take, and what they mean.
pub const PARAMETERS: [(&str, &str); 8] = [
    ("n", "numbers of particles"),
    ("w", "size ratios, largest over smallest"),
    ("alpha", "exponents of the size distribution"),
    ("phi", "packing fractions"),
    ("k", "K, the cost of a cell over that of a test"),
    ("methods", "methods, by name"),
    ("factor", "factors between groups of MMR"),
    ("corners", "corners of polygons"),
];

impl From<Size> for Choices {
    fn from(size: Size) -> Self {
        Self { size, jobs: 1, set: Vec::new() }
    }
}

impl Choices {
    /// Everything of this size, with these settings, each `key=value` or `key=value,value`.
    pub fn new(size: Size, settings: &[String]) -> Result<Self> {
        let mut set: Vec<(String, String)> = Vec::new();
        for setting in settings {
            let Some((key, value)) = setting.split_once('=').filter(|(_, value)| !value.is_empty()) else {
                return Err(Error::hinted(
                    format!("`{setting}` is not key=value"),
                    "such as --set w=20 or --set alpha=-3,-2",
                ));
            };
            if !PARAMETERS.iter().any(|(known, _)| *known == key) {
                let known = PARAMETERS.map(|(known, meaning)| format!("{known} ({meaning})")).join(", ");
                return Err(Error::hinted(format!("no parameter is called `{key}`"), format!("there are {known}")));
            }
            if set.iter().any(|(known, _)| known == key) {
                return Err(Error::hinted(format!("{key} is set twice"), "several values: --set w=10,20"));
            }
            for one in value.split(',') {
                check(key, one)?;
            }
            set.push((key.to_owned(), value.to_owned()));
        }
        Ok(Self { size, jobs: 1, set })
    }

    /// The same with so many points at work at once.
    pub fn with_jobs(self, jobs: usize) -> Self {
        Self { jobs: jobs.max(1), ..self }
    }

    /// Refuses settings that an experiment does not take.
    pub fn must_suit(&self, experiment: &Experiment) -> Result<()> {
        match self.set.iter().find(|(key, _)| !experiment.parameters.contains(&key.as_str())) {
            None => Ok(()),
            Some((key, _)) if experiment.parameters.is_empty() => {
                Err(Error::hinted(format!("{} does not take {key}", experiment.name), "it takes no parameters"))
            }
            Some((key, _)) => Err(Error::hinted(
                format!("{} does not take {key}", experiment.name),
                format!("it takes {}", experiment.parameters.join(", ")),
            )),
        }
    }

    /// Whether nothing is set: the paper's own parameters.
    pub fn are_of_papers(&self) -> bool {
        self.set.is_empty()
    }

    /// The settings in one word, for folders and pages.
    pub fn text(&self) -> String {
        self.set.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>().join("_")
    }

    /// The one of three values that is meant for the size.
    pub fn pick<T>(&self, tiny: T, quick: T, full: T) -> T {
        self.size.pick(tiny, quick, full)
    }

    /// The values of a parameter: those set, or else the usual ones.
    pub fn list<T: FromStr + Clone>(&self, key: &str, usual: &[T]) -> Vec<T> {
        match self.set.iter().find(|(known, _)| known == key) {
            // All values were looked at when they were set.
            Some((_, value)) => value.split(',').filter_map(|one| one.parse().ok()).collect(),
            None => usual.to_vec(),
        }
    }

    /// The value of a parameter: the first one set, or else the usual one.
    pub fn one<T: FromStr + Clone>(&self, key: &str, usual: T) -> T {
        self.list(key, std::slice::from_ref(&usual)).first().cloned().unwrap_or(usual)
    }
}

/// Whether a value may be meant for a parameter.
fn check(key: &str, value: &str) -> Result<()> {
    let number = || value.parse::<f64>().ok().filter(|number| number.is_finite());
    let (is_good, must) = match key {
        "n" => (value.parse::<usize>().is_ok_and(|count| (1..=200_000_000).contains(&count)), "a number from 1 to 2e8"),
        "w" => (number().is_some_and(|ratio| (1.0..=1e6).contains(&ratio)), "a number from 1 to 1e6"),
        "alpha" => (number().is_some_and(|alpha| alpha.abs() <= 20.0), "a number from -20 to 20"),
        "phi" => (number().is_some_and(|phi| phi > 0.0 && phi <= 1.0), "a number above 0 and at most 1"),
        "k" => (number().is_some_and(|k| (0.0..=1e6).contains(&k)), "a number from 0 to 1e6"),
        "factor" => (number().is_some_and(|factor| (1.001..=1e6).contains(&factor)), "a number from 1.001 to 1e6"),
        "corners" => {
            (value.parse::<usize>().is_ok_and(|corners| (3..=1 << 20).contains(&corners)), "a number from 3 on")
        }
        _ => (multigrain_methods::Method::from_name(value).is_some(), "the name of a method"),
    };
    if is_good {
        Ok(())
    } else {
        Err(Error::hinted(format!("{key} cannot be `{value}`"), format!("it must be {must}")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::find;

    fn choices(settings: &[&str]) -> Result<Choices> {
        Choices::new(Size::Quick, &settings.iter().map(|&text| text.to_owned()).collect::<Vec<_>>())
    }

    #[test]
    fn values_that_are_set_take_the_place_of_the_usual_ones() {
        let set = choices(&["w=20,50", "n=1000"]).unwrap();
        assert_eq!((set.list("w", &[3.0]), set.one("n", 5usize), set.one("phi", 0.5)), (vec![20.0, 50.0], 1000, 0.5));
        assert_eq!((set.text().as_str(), set.are_of_papers()), ("w=20,50_n=1000", false));
        assert!(Choices::from(Size::Full).are_of_papers());
    }

    #[test]
    fn mistakes_are_named() {
        for (settings, message) in [
            (["w"], "`w` is not key=value"),
            (["speed=1"], "no parameter is called `speed`"),
            (["phi=2"], "phi cannot be `2`"),
            (["n=1e3"], "n cannot be `1e3`"),
            (["methods=mr,fast"], "methods cannot be `fast`"),
        ] {
            assert_eq!(choices(&settings).unwrap_err().to_string(), message);
        }
        assert_eq!(choices(&["w=1", "w=2"]).unwrap_err().to_string(), "w is set twice");
        let foreign = choices(&["corners=5"]).unwrap().must_suit(find("hgrid-ratio").unwrap()).unwrap_err();
        assert_eq!(foreign.to_string(), "hgrid-ratio does not take corners");
        assert!(foreign.hint().unwrap().starts_with("it takes "));
    }
}
