//! The grains that a scene starts with.

use super::document::{ParticlesDocument, PlacementDocument, SizeKeys, Vector};
use super::physics::{Reader, located};
use crate::commands::grow;
use crate::failure::hint_of;
use crate::flags::{LawName, LawParameters};
use crate::memory;
use crate::plan;
use anyhow::Result;
use multigrain::Rng;
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::Grain;
use multigrain_packings as scenes;
use std::ops::Range;
use toml::Spanned;

/// Spacing of a lattice by default, in units of the largest diameter.
const LATTICE_SPACING: f64 = 1.05;

/// Borders that differ by less, in units of the length of the box, are the same.
const SAME_BORDER: f64 = 1e-12;

/// Where bodies are to be placed, and how.
pub(super) struct Placing<'a> {
    pub placement: PlacementDocument,
    pub spacing: Option<&'a Spanned<f64>>,
    pub lo: Option<&'a Vector>,
    pub hi: Option<&'a Vector>,
}

impl<const D: usize> Reader<'_, D>
where
    Axes: Dimension<D>,
{
    /// All grains, block by block: spheres and discs, then polygons, then clumps.
    pub fn grains(&self) -> Result<Vec<Grain<D>>> {
        let mut grains = Vec::new();
        for (number, block) in self.document.particles.iter().enumerate() {
            // Every block has random numbers of its own, so that one more block changes nothing in the others.
            let seed = self.document.seed.wrapping_add((number as u64) << 32);
            grains.extend(self.block(block, seed)?);
        }
        grains.extend(self.polygons()?.1);
        grains.extend(self.clumps()?.1);
        Ok(grains)
    }

    fn block(&self, block: &Spanned<ParticlesDocument>, seed: u64) -> Result<Vec<Grain<D>>> {
        let keys = block.get_ref();
        let mut grains = match &keys.file {
            Some(file) => self.grains_of_file(file, keys)?,
            None => {
                let (centers, radii) = self.placed(block, seed)?;
                centers.into_iter().zip(radii).map(|(center, radius)| Grain::at(center, radius)).collect()
            }
        };
        let material = keys.material.as_ref().map(|name| self.material(Some(name))).transpose()?;
        let velocity = keys.velocity.as_ref().map_or(Ok([0.0; D]), |velocity| self.vector(velocity))?;
        let speed = keys.speed.as_ref().map_or(Ok(0.0), |speed| self.source.not_negative("speed", speed))?;
        let spin = keys.spin.as_ref().map(|spin| self.spin(spin)).transpose()?;
        // Another sequence than that of places.
        let mut rng = Rng::new(!seed);
        for grain in &mut grains {
            let random: [f64; D] = if speed > 0.0 { std::array::from_fn(|_| speed * rng.normal()) } else { [0.0; D] };
            grain.velocity = std::array::from_fn(|axis| grain.velocity[axis] + velocity[axis] + random[axis]);
            grain.material = material.unwrap_or(grain.material);
            grain.spin = spin.unwrap_or(grain.spin);
            grain.held = keys.held;
            grain.temperature = keys.temperature;
        }
        Ok(grains)
    }

    fn placed(&self, block: &Spanned<ParticlesDocument>, seed: u64) -> Result<(Vec<[f64; D]>, Vec<f64>)> {
        let keys = block.get_ref();
        let Some(count) = keys.count else {
            return Err(self.source.mistake(
                block.span(),
                "these particles have neither `count` nor `file`",
                "add `count`, `law` and `radius`, or `file`",
            ));
        };
        let radii = self.radii(&keys.size_keys(), count as usize, block.span())?;
        let wish = Placing {
            placement: keys.placement.as_ref().map_or(PlacementDocument::Random, |placement| *placement.get_ref()),
            spacing: keys.spacing.as_ref(),
            lo: keys.lo.as_ref(),
            hi: keys.hi.as_ref(),
        };
        self.places(radii, &wish, block.span(), seed)
    }

    /// Places for bodies of these radii, in another order.
    pub(super) fn places(
        &self,
        mut radii: Vec<f64>,
        wish: &Placing<'_>,
        span: Range<usize>,
        seed: u64,
    ) -> Result<(Vec<[f64; D]>, Vec<f64>)> {
        if self.domain.is_sheared() && (wish.lo.is_none() || wish.hi.is_none()) {
            let message = "particles cannot be placed in all of a box that leans";
            let hint = "give `lo` and `hi` of a box inside, or `file`, or begin with a box that `[[deform]]` shears";
            return Err(self.source.mistake(span, message, hint));
        }
        // Systematic samples are sorted; places must not go by size.
        Rng::new(seed).shuffle(&mut radii);
        let region = self.region(wish.lo, wish.hi)?;
        let at = |error: anyhow::Error| {
            let hint = hint_of(&error).unwrap_or("make the box larger, or `count` or `radius` smaller").to_owned();
            self.source.mistake(span.clone(), format!("{error:#}"), hint)
        };
        let system = match wish.placement {
            PlacementDocument::Random => {
                scenes::scattered(radii, region, seed).map_err(anyhow::Error::new).map_err(at)?
            }
            PlacementDocument::Growth => {
                let fraction =
                    multigrain::System { centers: Vec::new(), radii: radii.clone(), domain: region }.packing_fraction();
                grow(fraction, |watch| scenes::growth_within(radii, region, seed, watch)).map_err(at)?
            }
            PlacementDocument::Lattice => {
                let spacing = self.spacing(wish.spacing, LATTICE_SPACING)?;
                let Some(centers) = lattice(&radii, &region, spacing) else {
                    let message = format!("a lattice of {} particles does not fit the box", radii.len());
                    return Err(self.source.mistake(span, message, "make the box larger, or `spacing` smaller"));
                };
                return Ok((centers, radii));
            }
        };
        Ok((system.centers, system.radii))
    }

    /// The spacing given, or else this one.
    pub fn spacing(&self, given: Option<&Spanned<f64>>, default: f64) -> Result<f64> {
        given.map_or(Ok(default), |spacing| self.source.positive("spacing", spacing))
    }

    /// The box that particles are placed in: periodic where it reaches from border to border of a periodic axis.
    pub fn region(&self, lo: Option<&Vector>, hi: Option<&Vector>) -> Result<Domain<D>> {
        let whole = &self.domain;
        let span = hi.or(lo).map_or(0..0, Spanned::span);
        let lo = lo.map_or(Ok(whole.lo()), |lo| self.vector(lo))?;
        let hi = hi.map_or(Ok(whole.hi()), |hi| self.vector(hi))?;
        let is_same =
            |a: f64, b: f64, axis: usize| (a - b).abs() <= SAME_BORDER * (whole.hi()[axis] - whole.lo()[axis]);
        let periodic = std::array::from_fn(|axis| {
            whole.is_periodic(axis)
                && is_same(lo[axis], whole.lo()[axis], axis)
                && is_same(hi[axis], whole.hi()[axis], axis)
        });
        Domain::new(lo, hi, periodic).map_err(|error| located(self.source, &span, &error))
    }

    /// Radii by a law, in the unit of the scene.
    pub fn radii(&self, keys: &SizeKeys, count: usize, span: Range<usize>) -> Result<Vec<f64>> {
        let name = keys.law.as_ref().map_or(LawName::Mono, |law| *law.get_ref());
        let parameters = LawParameters {
            exponent: keys.exponent,
            ratio: keys.ratio,
            sigma: keys.sigma,
            table: keys.table.as_ref().map(|table| self.source.folder().join(table)),
        };
        let place = keys.law.as_ref().map_or(span.clone(), Spanned::span);
        let (law, unit) = plan::law(name, &parameters).map_err(|error| {
            // The same words as on the command line, but keys are not flags.
            let hint = hint_of(&error).unwrap_or("multigrain help scene lists the keys of each law").replace("--", "");
            self.source.mistake(place, format!("{error:#}").replace("--", ""), hint)
        })?;
        let unit = match (&keys.radius, name) {
            (Some(radius), LawName::Table) => {
                let message = "`radius` is not for tables, whose radii have their unit";
                return Err(self.source.mistake(radius.span(), message, "remove `radius`"));
            }
            (None, LawName::Table) => unit,
            (Some(radius), _) => self.source.positive("radius", radius)?,
            (None, _) => return Err(self.missing(span, "this table", "radius")),
        };
        // What they are made into takes more, but so much for sure.
        memory::ensure("grains", count as u64, size_of::<Grain<D>>())?;
        Ok(law.sample(count, D).into_iter().map(|radius| radius * unit).collect())
    }
}

/// Centers on a square or cubic lattice from the lower corner, the last axis filled last; nothing if they do not fit.
fn lattice<const D: usize>(radii: &[f64], region: &Domain<D>, spacing: f64) -> Option<Vec<[f64; D]>> {
    let largest = radii.iter().copied().fold(0.0, f64::max);
    let step = 2.0 * largest * spacing;
    let lengths: [f64; D] = std::array::from_fn(|axis| region.hi()[axis] - region.lo()[axis]);
    // Rounding must not cost a row that just fits.
    let counts = lengths.map(|length| (length / step + 1e-9).floor() as usize);
    // A large box has more sites than numbers can count.
    let fit = counts.iter().fold(1, |fit: usize, &count| fit.saturating_mul(count));
    (radii.len() <= fit).then(|| {
        let center = |k: usize| {
            let mut rest = k;
            std::array::from_fn(|axis| {
                let along = rest % counts[axis];
                rest /= counts[axis];
                region.lo()[axis] + step * (along as f64 + 0.5)
            })
        };
        (0..radii.len()).map(center).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_with_more_sites_than_numbers_can_count_has_room() {
        for radius in [1e-9, 1e-12, 1e-150] {
            let region = Domain::new([0.0; 2], [1e6; 2], [false; 2]).unwrap();
            assert_eq!(lattice(&[radius; 20], &region, 1.05).map(|centers| centers.len()), Some(20), "{radius}");
        }
        let region = Domain::new([0.0; 3], [1.0; 3], [false; 3]).unwrap();
        assert_eq!(lattice(&[0.25; 9], &region, 1.0), None);
    }
}
