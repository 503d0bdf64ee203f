//! Boxes that are sheared, and how they change their shape, from the file.

use super::document::{ComponentsDocument, DeformDocument, Vector};
use super::physics::Reader;
use super::source::Source;
use anyhow::Result;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Deformation, STRESS_BAND};
use toml::Spanned;

impl<const D: usize> Reader<'_, D>
where
    Axes: Dimension<D>,
{
    /// How the box changes its shape, until a time.
    pub(super) fn deformation(&self, deform: &Spanned<DeformDocument>) -> Result<Deformation<D>> {
        let keys = deform.get_ref();
        let mut made = Deformation {
            stress: self.components(keys.stress.as_ref())?,
            pressure: keys.pressure,
            max_rate: keys.max_rate.unwrap_or(0.0),
            band: keys.band.unwrap_or(STRESS_BAND),
            until: keys.until.unwrap_or(f64::INFINITY),
            flowing: keys.flowing,
            ..Deformation::rest()
        };
        let rates = self.components(keys.rates.as_ref())?;
        for i in 0..D {
            for j in 0..D {
                if let (Some(_), Some(_), Some(rates)) = (rates[i][j], made.stress[i][j], &keys.rates) {
                    let message = format!("{}{} has a rate and a stress", NAMES[i], NAMES[j]);
                    return Err(self.source.mistake(rates.span(), message, "give one of them"));
                }
                made.gradient[i][j] = rates[i][j].unwrap_or(0.0);
            }
        }
        let has_targets = made.pressure.is_some() || made.stress.iter().flatten().any(Option::is_some);
        if has_targets && keys.max_rate.is_none() {
            return Err(self.missing(deform.span(), "a box that goes by stress", "max_rate"));
        }
        Ok(made)
    }

    /// Components that the scene has.
    fn components(&self, given: Option<&Spanned<ComponentsDocument>>) -> Result<[[Option<f64>; D]; D]> {
        let rows = given.map_or([[None; 3]; 3], |given| given.get_ref().rows());
        let beyond = (0..9).map(|k| (k / 3, k % 3)).find(|&(i, j)| (i >= D || j >= D) && rows[i][j].is_some());
        if let (Some((i, j)), Some(given)) = (beyond, given) {
            let message = format!("the scene has two dimensions, there is no {}{}", NAMES[i], NAMES[j]);
            return Err(self.source.mistake(given.span(), message, "name xx, xy, yx and yy only"));
        }
        Ok(std::array::from_fn(|i| std::array::from_fn(|j| rows[i][j])))
    }
}

/// Edges of a box between two corners that leans: the second edge along x, the third along x and y.
pub(super) fn tilted<const D: usize>(
    source: &Source,
    tilt: &Vector,
    lo: [f64; D],
    hi: [f64; D],
) -> Result<[[f64; D]; D]> {
    let mut edges = [[0.0; D]; D];
    (0..D).for_each(|axis| edges[axis][axis] = hi[axis] - lo[axis]);
    match (tilt.get_ref().as_slice(), D) {
        (&[xy], 2) => edges[1][0] = xy,
        (&[xy, xz, yz], 3) => {
            edges[1][0] = xy;
            edges[D - 1][0] = xz;
            edges[D - 1][1] = yz;
        }
        (given, _) => {
            let message = format!("`tilt` has {} numbers", given.len());
            let hint = if D == 2 { "in the plane it is one: [0.1]" } else { "in space it has three: xy, xz, yz" };
            return Err(source.mistake(tilt.span(), message, hint));
        }
    }
    Ok(edges)
}

/// Names of the axes.
const NAMES: [&str; 3] = ["x", "y", "z"];
