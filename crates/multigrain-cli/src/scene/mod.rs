//! Scenes: what is to be simulated, from a TOML file.
//!
//! [`document`] is what the file may say, [`change`] alters it, [`source`] tells mistakes with their place, [`physics`], [`particles`] and [`from_file`] say what
//! it means, [`polygons`] what it means where grains are polygons.

mod change;
mod document;
mod from_file;
mod particles;
mod physics;
mod polygons;
mod source;
mod words;

pub use document::{ColorBy, FrameFormat};
pub use physics::Reader;
pub use source::{Source, nearest};

use anyhow::Result;
use document::{Leaving, SceneDocument};
use std::path::{Path, PathBuf};
use toml::Spanned;

/// Seconds between two checkpoints by default.
const CHECKPOINT_EVERY: f64 = 30.0;

/// Rows of the table by default.
const TABLE_ROWS: f64 = 200.0;

/// A scene that was read.
pub struct Scene {
    pub source: Source,
    pub document: SceneDocument,
}

/// What is written, when and where.
#[derive(Debug, Clone)]
pub struct OutputPlan {
    /// Where all goes.
    pub folder: PathBuf,
    /// Time simulated between two rows of the table.
    pub table_every: f64,
    /// Time simulated between two snapshots, if any are wanted.
    pub snapshot_every: Option<f64>,
    pub formats: Vec<FrameFormat>,
    /// Seconds of real time between two checkpoints.
    pub checkpoint_every: f64,
    pub picture: bool,
    /// A page that plays all snapshots.
    pub film: bool,
    pub color: ColorBy,
    /// What the run is called.
    pub name: String,
    /// Whether a page of the run is written at its end; small runs have one by default.
    pub page: Option<bool>,
}

impl Scene {
    /// Reads a scene file, and changes keys of it as `--change` says.
    pub fn read(path: &Path, changes: &[String]) -> Result<Self> {
        let source = Source::read(path)?.changed(changes)?;
        let document: SceneDocument = source.parse()?;
        if !matches!(document.dimension.get_ref(), 2 | 3) {
            let message = format!("`dimension` is {}", document.dimension.get_ref());
            return Err(source.mistake(document.dimension.span(), message, "it is 2 or 3"));
        }
        source.positive("duration", &document.duration)?;
        let scene = Self { source, document };
        if !scene.has_polygons() {
            scene.refuse_keys_of_polygons()?;
        }
        Ok(scene)
    }

    /// Whether its grains are polygons.
    pub fn has_polygons(&self) -> bool {
        !self.document.polygons.is_empty()
    }

    /// Keys that say nothing where grains are spheres are mistakes.
    fn refuse_keys_of_polygons(&self) -> Result<()> {
        let SceneDocument { material, wall, output, .. } = &self.document;
        let repulsion = material.iter().filter_map(|material| material.get_ref().repulsion.as_ref());
        let thickness = wall.iter().filter_map(|wall| wall.get_ref().thickness.as_ref());
        let segments = wall.iter().filter_map(|wall| wall.get_ref().segments.as_ref());
        let is_drawn = |format: &&Spanned<FrameFormat>| matches!(format.get_ref(), FrameFormat::Svg | FrameFormat::Png);
        let drawn = output.formats.iter().flatten().filter(is_drawn);
        let found = (repulsion.map(|key| ("repulsion", key.span())))
            .chain(thickness.map(|key| ("thickness", key.span())))
            .chain(segments.map(|key| ("segments", key.span())))
            .chain(drawn.map(|key| ("svg` or `png", key.span())))
            .next();
        match found {
            None => Ok(()),
            Some((key, span)) => {
                let message = format!("`{key}` is for scenes of polygons");
                Err(self.source.mistake(span, message, "remove it, or add `[[polygons]]`"))
            }
        }
    }

    /// 2 or 3.
    pub fn dimension(&self) -> u8 {
        *self.document.dimension.get_ref()
    }

    /// Names of the materials, by number.
    pub fn materials(&self) -> Vec<String> {
        self.document.material.iter().map(|material| material.get_ref().name.get_ref().clone()).collect()
    }

    /// Time to be simulated.
    pub fn duration(&self) -> f64 {
        *self.document.duration.get_ref()
    }

    /// Whether a time step may be longer than half of the shortest contact.
    pub fn allows_long_step(&self) -> bool {
        self.document.time.allow_long_step
    }

    /// Whether grains may overlap deeply at the start.
    pub fn allows_overlap(&self) -> bool {
        self.document.allow_overlap
    }

    /// Whether grains that leave the box end the run.
    pub fn grains_must_stay(&self) -> bool {
        self.document.domain.leaving == Leaving::Error
    }

    /// What is written; `folder` from the command line comes first.
    pub fn output(&self, folder: Option<&Path>) -> Result<OutputPlan> {
        let keys = &self.document.output;
        for (name, value) in [
            ("table_every", &keys.table_every),
            ("snapshot_every", &keys.snapshot_every),
            ("checkpoint_every", &keys.checkpoint_every),
        ] {
            value.as_ref().map(|value| self.source.positive(name, value)).transpose()?;
        }
        let value = |given: &Option<Spanned<f64>>| given.as_ref().map(|given| *given.get_ref());
        let folder = folder.map(Path::to_owned).or_else(|| keys.folder.clone());
        Ok(OutputPlan {
            folder: folder.unwrap_or_else(|| PathBuf::from(self.source.name())),
            table_every: value(&keys.table_every).unwrap_or(self.duration() / TABLE_ROWS),
            snapshot_every: value(&keys.snapshot_every),
            formats: match &keys.formats {
                Some(formats) => formats.iter().map(|format| *format.get_ref()).collect(),
                None if self.has_polygons() => vec![FrameFormat::Vtp],
                None => vec![FrameFormat::Vtp, FrameFormat::Dump],
            },
            checkpoint_every: value(&keys.checkpoint_every).unwrap_or(CHECKPOINT_EVERY),
            picture: keys.picture,
            film: keys.film.as_ref().is_some_and(|film| *film.get_ref()),
            color: keys.color,
            name: self.source.name(),
            page: keys.page,
        })
    }
}
