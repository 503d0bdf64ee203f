//! All experiments, in the order of the papers.

mod classics;
mod compare;
mod compare_memory;
mod compare_one_cell;
mod counts;
mod covered;
mod elongated;
mod exponents;
mod free_cooling;
mod levels;
mod linked_cell;
mod mmr;
mod mmr_factor;
mod mr_density;
mod mr_linear;
mod overhead;
mod polygon_corners;
mod polygon_neighbors;
mod polygon_scaling;
mod power_law;
mod ratio;
mod scaling;
mod sensitivity;
mod spacings;
mod threads;
mod time_scales;

use crate::error::{Error, Result};
use crate::experiment::Experiment;

/// Every experiment.
pub const ALL: &[&Experiment] = &[
    &linked_cell::EXPERIMENT,
    &spacings::LINEAR,
    &spacings::EXPONENTIAL,
    &spacings::CONSTANT,
    &spacings::OPTIMAL,
    &exponents::EXPERIMENT,
    &ratio::EXPERIMENT,
    &sensitivity::EXPERIMENT,
    &counts::EXPERIMENT,
    &free_cooling::EXPERIMENT,
    &covered::EXPERIMENT,
    &time_scales::EXPERIMENT,
    &overhead::EXPERIMENT,
    &levels::EXPERIMENT,
    &scaling::EXPERIMENT,
    &elongated::EXPERIMENT,
    &mr_linear::EXPERIMENT,
    &mr_density::EXPERIMENT,
    &mmr::EXPERIMENT,
    &mmr_factor::EXPERIMENT,
    &compare::ONE,
    &compare::TWO,
    &compare::THREE,
    &compare_one_cell::EXPERIMENT,
    &compare_memory::EXPERIMENT,
    &polygon_corners::EXPERIMENT,
    &polygon_scaling::EXPERIMENT,
    &polygon_neighbors::EXPERIMENT,
    &threads::EXPERIMENT,
];

/// The experiment of that name, or an error that lists those alike.
pub fn find(name: &str) -> Result<&'static Experiment> {
    if let Some(experiment) = ALL.iter().find(|experiment| experiment.name == name) {
        return Ok(experiment);
    }
    let beginning: String = name.chars().take(3).collect();
    let alike = |known: &&str| known.contains(name) || (!beginning.is_empty() && known.starts_with(&beginning));
    let mut names: Vec<&str> = ALL.iter().map(|experiment| experiment.name).filter(alike).collect();
    if names.is_empty() {
        names = ALL.iter().map(|experiment| experiment.name).collect();
    }
    Err(Error::hinted(
        format!("no experiment is called `{name}`"),
        format!("there are list, all, {}", names.join(", ")),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::choices::Choices;
    use crate::experiment::Size;

    #[test]
    fn names_differ_and_points_too() {
        for (k, experiment) in ALL.iter().enumerate() {
            assert!(ALL[..k].iter().all(|other| other.name != experiment.name), "{}", experiment.name);
            for size in [Size::Tiny, Size::Quick, Size::Full] {
                let points = (experiment.points)(&Choices::from(size));
                assert!(!points.is_empty(), "{}", experiment.name);
                for (k, point) in points.iter().enumerate() {
                    let is_file_name = |c: char| c.is_ascii_alphanumeric() || ".,=-_".contains(c);
                    assert!(point.key.chars().all(is_file_name), "{} {}", experiment.name, point.key);
                    assert!(
                        points[..k].iter().all(|other| other.key != point.key),
                        "{} {}",
                        experiment.name,
                        point.key
                    );
                    // The full run: no point over 30 minutes.
                    assert!(point.seconds > 0.0 && point.seconds <= 1800.0, "{} {}", experiment.name, point.key);
                }
            }
        }
    }

    #[test]
    fn unknown_names_are_reported_with_similar_ones() {
        assert_eq!(find("hgrid-ratio").unwrap().name, "hgrid-ratio");
        let error = find("linear").unwrap_err();
        assert_eq!(error.to_string(), "no experiment is called `linear`");
        assert!(error.hint().unwrap().contains("hgrid-linear"));
    }
}
