//! Grains that are clumps, from the file.

use super::document::{ClumpsDocument, PlacementDocument};
use super::particles::Placing;
use super::physics::{Reader, located};
use anyhow::Result;
use multigrain::{Axes, Dimension, Rng};
use multigrain_dem::{ClumpShape, Grain};
use toml::Spanned;

impl<const D: usize> Reader<'_, D>
where
    Axes: Dimension<D>,
{
    /// Shapes and grains of all blocks of clumps. Clumps of one size share their shape.
    pub fn clumps(&self) -> Result<(Vec<ClumpShape<D>>, Vec<Grain<D>>)> {
        let (mut shapes, mut grains) = (Vec::new(), Vec::new());
        for (number, block) in self.document.clumps.iter().enumerate() {
            // Every block has random numbers of its own, as blocks of spheres have.
            let seed = self.document.seed.wrapping_add((number as u64) << 32);
            self.clump_block(block, seed, &mut shapes, &mut grains)?;
        }
        Ok((shapes, grains))
    }

    fn clump_block(
        &self,
        block: &Spanned<ClumpsDocument>,
        seed: u64,
        shapes: &mut Vec<ClumpShape<D>>,
        grains: &mut Vec<Grain<D>>,
    ) -> Result<()> {
        let (keys, span) = (block.get_ref(), block.span());
        let radii = self.radii(&keys.size_keys(), keys.count as usize, span.clone())?;
        let shape = self.clump_shape(&keys.spheres)?;
        let wish = Placing {
            placement: keys.placement.as_ref().map_or(PlacementDocument::Random, |placement| *placement.get_ref()),
            spacing: keys.spacing.as_ref(),
            lo: keys.lo.as_ref(),
            hi: keys.hi.as_ref(),
        };
        let (centers, radii) = self.places(radii, &wish, span.clone(), seed)?;
        let material = self.material(keys.material.as_ref())?;
        let velocity = keys.velocity.as_ref().map_or(Ok([0.0; D]), |velocity| self.vector(velocity))?;
        let speed = keys.speed.as_ref().map_or(Ok(0.0), |speed| self.source.not_negative("speed", speed))?;
        // Another sequence than that of places.
        let mut rng = Rng::new(!seed);
        let first = shapes.len();
        for (center, radius) in centers.into_iter().zip(radii) {
            let factor = radius / shape.radius();
            let made = shape.scaled(factor).map_err(|error| located(self.source, &span, &error))?;
            let number =
                match shapes[first..].iter().position(|known| *known == made).filter(|_| shapes.len() < first + 64) {
                    Some(known) => first + known,
                    None => {
                        shapes.push(made);
                        shapes.len() - 1
                    }
                };
            let random: [f64; D] = if speed > 0.0 { std::array::from_fn(|_| speed * rng.normal()) } else { [0.0; D] };
            let velocity = std::array::from_fn(|axis| velocity[axis] + random[axis]);
            let turned = match keys.upright {
                true => [1.0, 0.0, 0.0, 0.0],
                // Four normal numbers have no direction before others.
                false if D == 3 => std::array::from_fn(|_| rng.normal()),
                false => [rng.normal(), 0.0, 0.0, rng.normal()],
            };
            let grain = Grain::clump(number as u32, center).turned(turned).velocity(velocity).material(material);
            grains.push(Grain { held: keys.held, ..grain });
        }
        Ok(())
    }

    /// The clump of the spheres given.
    pub(super) fn clump_shape(&self, spheres: &Spanned<Vec<Vec<f64>>>) -> Result<ClumpShape<D>> {
        let mut members = Vec::new();
        for numbers in spheres.get_ref() {
            let Some((&radius, place)) = numbers.split_last().filter(|(_, place)| place.len() == D) else {
                let message = format!("a sphere with {} numbers", numbers.len());
                let hint = if D == 2 { "give x, y and radius of each" } else { "give x, y, z and radius of each" };
                return Err(self.source.mistake(spheres.span(), message, hint));
            };
            members.push((std::array::from_fn(|axis| place[axis]), radius));
        }
        ClumpShape::new(&members).map_err(|error| located(self.source, &spheres.span(), &error))
    }
}
