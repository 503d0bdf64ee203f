//! Grains from a file: where they are, and of a snapshot also how they move and what they are made of.

use super::document::{FrameDocument, ParticlesDocument};
use super::physics::Reader;
use crate::failure::say;
use anyhow::Result;
use multigrain::{Axes, CheckedSystem, Dimension};
use multigrain_dem::Grain;
use multigrain_files::{FrameChoice, Input, Moment, read_full_frames};
use std::path::Path;
use toml::Spanned;

impl<const D: usize> Reader<'_, D>
where
    Axes: Dimension<D>,
{
    /// The grains of a file. What the block says itself (material, velocity) comes before what the file says.
    pub(super) fn grains_of_file(
        &self,
        file: &Spanned<std::path::PathBuf>,
        keys: &ParticlesDocument,
    ) -> Result<Vec<Grain<D>>> {
        let path = self.source.folder().join(file.get_ref());
        let moment = self.read_frame(&path, keys.frame.as_ref())?;
        let own_material = keys.material.is_none() && self.document.material.len() > 1;
        let materials = if own_material { moment.materials() } else { None };
        if let Some(&number) =
            materials.iter().flatten().find(|&&number| usize::from(number) >= self.document.material.len())
        {
            let (number, known) = (number + 1, self.document.material.len());
            let message = format!("{} has particles of type {number}, the scene has {known} materials", path.display());
            return Err(self.source.mistake(
                file.span(),
                message,
                "add `[[material]]`, or say with `material` what all of them are",
            ));
        }
        let is_given = keys.velocity.is_some() || keys.speed.is_some();
        let velocities = if is_given { None } else { moment.velocities::<D>() };
        let spins = if is_given { None } else { moment.spins::<D>() };
        let dimension = moment.system.dimension();
        let particles = moment.system.in_dimension::<D>().map(CheckedSystem::into_inner);
        let Some(particles) = particles else {
            let message = format!("{} has {dimension} dimensions, the scene has {D}", path.display());
            let hint = format!("set `dimension` to {dimension}, or take another file");
            return Err(self.source.mistake(file.span(), message, hint));
        };
        let grain = |(k, (&center, &radius)): (usize, (&[f64; D], &f64))| {
            let mut grain = Grain::at(center, radius);
            if let Some(velocities) = &velocities {
                grain = grain.velocity(velocities[k]);
            }
            if let Some(spins) = &spins {
                grain = grain.spin(spins[k]);
            }
            match &materials {
                Some(materials) => grain.material(materials[k]),
                None => grain,
            }
        };
        Ok(particles.centers.iter().zip(&particles.radii).enumerate().map(grain).collect())
    }

    pub(super) fn read_frame(&self, path: &Path, wish: Option<&Spanned<FrameDocument>>) -> Result<Moment> {
        let choice = match wish.map(|wish| (wish.get_ref(), wish.span())) {
            None => 0,
            Some((FrameDocument::Number(number), _)) => *number,
            Some((FrameDocument::Word(word), _)) if word == "last" => -1,
            Some((FrameDocument::Word(word), span)) => {
                let message = format!("`frame` is `{word}`");
                return Err(self.source.mistake(span, message, "give its number, counted from 0, or \"last\""));
            }
        };
        let input = Input::from_flag(path);
        let frames = read_full_frames(&input, FrameChoice::At(choice), &|_| Box::new(()));
        let mut frames = frames.map_err(|error| match (wish, error.hint().map(str::to_owned)) {
            (Some(wish), Some(hint)) => self.source.mistake(wish.span(), format!("{error:#}"), hint),
            _ => error.into(),
        })?;
        if frames.total > 1 && wish.is_none() {
            say(&format!(
                "note: {input} has {} frames, the first is taken; `frame = \"last\"` takes the last",
                frames.total
            ));
        }
        Ok(frames.chosen.remove(0).1)
    }
}
