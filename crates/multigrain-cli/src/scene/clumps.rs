//! Grains that are clumps, from the file.

use super::document::{ClumpsDocument, PlacementDocument, Vector};
use super::particles::Placing;
use super::physics::{Reader, located};
use anyhow::Result;
use multigrain::{Axes, CheckedSystem, Dimension, Rng};
use multigrain_dem::{ClumpShape, Grain, random_turn};
use std::collections::BTreeMap;
use std::path::PathBuf;
use toml::Spanned;

/// Center of mass, volume and inertia of a clump, where a scene gives them.
type GivenBody<'a> = (Option<&'a Vector>, Option<&'a Spanned<f64>>, Option<&'a Spanned<Vec<Vec<f64>>>>);

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
        if let Some(file) = &keys.file {
            return self.clumps_of_file(file, keys, shapes, grains);
        }
        let (Some(count), Some(spheres)) = (keys.count, &keys.spheres) else {
            return Err(self.source.mistake(
                span,
                "these clumps have neither `count` and `spheres` nor `file`",
                "add `count`, `spheres` and `radius`, or `file`",
            ));
        };
        let radii = self.radii(&keys.size_keys(), count as usize, span.clone())?;
        let given = (keys.center.as_ref(), keys.volume.as_ref(), keys.inertia.as_ref());
        let shape = self.clump_shape(spheres, given)?;
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
        let spin = keys.spin.as_ref().map_or(Ok([0.0; 3]), |spin| self.spin(spin))?;
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
                false => random_turn(&mut rng, D),
            };
            let grain =
                Grain::clump(number as u32, center).turned(turned).velocity(velocity).spin(spin).material(material);
            grains.push(Grain { held: keys.held, temperature: keys.temperature, ..grain });
        }
        Ok(())
    }

    /// The clumps of a file, each in the shape that its members make; what the block says itself (material, velocity) comes before what
    /// the file says. What is in no clump is left out.
    fn clumps_of_file(
        &self,
        file: &Spanned<PathBuf>,
        keys: &ClumpsDocument,
        shapes: &mut Vec<ClumpShape<D>>,
        grains: &mut Vec<Grain<D>>,
    ) -> Result<()> {
        let path = self.source.folder().join(file.get_ref());
        let mistake = |message: String, hint: &str| self.source.mistake(file.span(), message, hint);
        let moment = self.read_frame(&path, keys.frame.as_ref())?;
        let Some(numbers) = moment.clumps().filter(|numbers| numbers.iter().any(Option::is_some)) else {
            let message = format!("{} has no clumps", path.display());
            return Err(mistake(message, "take a snapshot of clumps, or what `multigrain pack --spheres` has written"));
        };
        let (velocities, spins) = (moment.velocities::<D>(), moment.spins::<D>());
        let dimension = moment.system.dimension();
        let Some(particles) = moment.system.in_dimension::<D>().map(CheckedSystem::into_inner) else {
            let message = format!("{} has {dimension} dimensions, the scene has {D}", path.display());
            return Err(mistake(message, "change `dimension`, or take another file"));
        };
        let material = self.material(keys.material.as_ref())?;
        let given = keys.velocity.as_ref().map(|velocity| self.vector(velocity)).transpose()?;
        let given_spin = keys.spin.as_ref().map(|spin| self.spin(spin)).transpose()?;
        let mut clumps: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (place, number) in numbers.iter().enumerate().filter_map(|(place, number)| Some((place, (*number)?))) {
            clumps.entry(number).or_default().push(place);
        }
        for (number, members) in clumps {
            let first = particles.centers[members[0]];
            // Members may have come out of the box on the other side.
            let beside = |place: usize| -> [f64; D] {
                let way: [f64; D] = std::array::from_fn(|axis| particles.centers[place][axis] - first[axis]);
                let periods = self.domain.translation(self.domain.whole_periods(way));
                std::array::from_fn(|axis| particles.centers[place][axis] - periods[axis])
            };
            let spheres: Vec<_> = members.iter().map(|&place| (beside(place), particles.radii[place])).collect();
            let shape = ClumpShape::new(&spheres).map_err(|error| {
                let message = format!("clump {number} of {}: {error}", path.display());
                mistake(message, "a clump needs a member with a positive radius")
            })?;
            let arm: [f64; D] = shape.members()[0].0;
            let center: [f64; D] = std::array::from_fn(|axis| first[axis] - arm[axis]);
            let spin = spins.as_ref().filter(|_| given.is_none()).map_or([0.0; 3], |spins| spins[members[0]]);
            let arm: [f64; 3] = std::array::from_fn(|axis| if axis < D { arm[axis] } else { 0.0 });
            let turning: [f64; 3] =
                std::array::from_fn(|k| spin[(k + 1) % 3] * arm[(k + 2) % 3] - spin[(k + 2) % 3] * arm[(k + 1) % 3]);
            let moving = velocities.as_ref().map_or([0.0; D], |velocities| velocities[members[0]]);
            let velocity = given.unwrap_or_else(|| std::array::from_fn(|axis| moving[axis] - turning[axis]));
            let spin = given_spin.unwrap_or(spin);
            let grain = Grain::clump(shapes.len() as u32, center).velocity(velocity).spin(spin).material(material);
            shapes.push(shape);
            grains.push(Grain { held: keys.held, temperature: keys.temperature, ..grain });
        }
        Ok(())
    }

    /// The clump of the spheres given: as their union is, or with the center of mass, volume and inertia that are given too.
    pub(super) fn clump_shape(&self, spheres: &Spanned<Vec<Vec<f64>>>, given: GivenBody<'_>) -> Result<ClumpShape<D>> {
        let mut members = Vec::new();
        for numbers in spheres.get_ref() {
            let Some((&radius, place)) = numbers.split_last().filter(|(_, place)| place.len() == D) else {
                let message = format!("a sphere with {} numbers", numbers.len());
                let hint = if D == 2 { "give x, y and radius of each" } else { "give x, y, z and radius of each" };
                return Err(self.source.mistake(spheres.span(), message, hint));
            };
            members.push((std::array::from_fn(|axis| place[axis]), radius));
        }
        let (center, volume, inertia) = match given {
            (None, None, None) => {
                return ClumpShape::new(&members).map_err(|error| located(self.source, &spheres.span(), &error));
            }
            (Some(center), Some(volume), Some(inertia)) => (self.vector(center)?, volume, inertia),
            _ => {
                let message = "of `center`, `volume` and `inertia` some are missing";
                return Err(self.source.mistake(spheres.span(), message, "give all three of them, or none"));
            }
        };
        let rows = match (&inertia.get_ref()[..], D) {
            ([row], 2) if row.len() == 1 => [[0.0; 3], [0.0; 3], [0.0, 0.0, row[0]]],
            (rows, 3) if rows.len() == 3 && rows.iter().all(|row| row.len() == 3) => {
                std::array::from_fn(|i| std::array::from_fn(|j| rows[i][j]))
            }
            _ => {
                let hint = if D == 2 {
                    "in the plane it is one number: [[2.0]]"
                } else {
                    "in space it has three rows of three"
                };
                return Err(self.source.mistake(inertia.span(), "this is no `inertia`", hint));
            }
        };
        let made = ClumpShape::with(&members, center, self.source.positive("volume", volume)?, rows);
        made.map_err(|error| located(self.source, &inertia.span(), &error))
    }
}
