//! Scenes: what is to be simulated, from a TOML file.
//!
//! [`document`] is what the file may say, [`change`] alters it, [`source`] reports mistakes with their place, [`physics`], [`boxes`], [`particles`],
//! [`walls`], [`polygons`], [`clumps`], [`flows`], [`body_forces`] and [`from_file`] say what it means.

mod body_forces;
mod boxes;
mod change;
mod clumps;
mod document;
mod flows;
mod from_file;
mod particles;
mod physics;
mod polygons;
mod source;
mod wall_document;
mod walls;
mod words;

pub use document::every_key;
pub use document::{ColorBy, FrameFormat};
pub use physics::Reader;
pub use source::{Source, nearest};

use anyhow::Result;
use document::SceneDocument;
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
    /// What colors tell, where the scene says so: sizes in pictures, and what differs in pages, otherwise.
    pub color: Option<ColorBy>,
    /// What the run is called.
    pub name: String,
    /// Whether a page of the run is written at its end; small runs have one by default.
    pub page: Option<bool>,
}

impl Scene {
    /// Reads a scene file, and changes keys of it as `--change` says.
    pub fn read(path: &Path, changes: &[String]) -> Result<Self> {
        Self::of(Source::read(path)?.changed(changes)?)
    }

    /// What a text says.
    pub fn of(source: Source) -> Result<Self> {
        let document: SceneDocument = source.parse()?;
        if !matches!(document.dimension.get_ref(), 2 | 3) {
            let message = format!("`dimension` is {}", document.dimension.get_ref());
            return Err(source.mistake(document.dimension.span(), message, "it is 2 or 3"));
        }
        source.positive("duration", &document.duration)?;
        let scene = Self { source, document };
        scene.refuse_misplaced_keys()?;
        Ok(scene)
    }

    /// Whether there are polygons among its grains.
    pub fn has_polygons(&self) -> bool {
        self.document.has_polygons()
    }

    /// Keys that say nothing without polygons are mistakes, and polygons in space.
    fn refuse_misplaced_keys(&self) -> Result<()> {
        let SceneDocument { dimension, wall, .. } = &self.document;
        let has_polygons = self.has_polygons();
        if has_polygons && *dimension.get_ref() == 3 {
            return Err(self.source.mistake(dimension.span(), "polygons lie in the plane", "set `dimension` to 2"));
        }
        let thickness = wall.iter().filter_map(|wall| wall.get_ref().thickness.as_ref());
        let segments = wall.iter().filter_map(|wall| wall.get_ref().segments.as_ref());
        let found = thickness.map(|key| ("thickness", key.span())).chain(segments.map(|key| ("segments", key.span())));
        match found.into_iter().next().filter(|_| !has_polygons) {
            None => Ok(()),
            Some((key, span)) => {
                let message = format!("`{key}` is for scenes with polygons");
                Err(self.source.mistake(span, message, "remove it, or add `[[polygons]]`"))
            }
        }
    }

    /// 2 or 3.
    pub fn dimension(&self) -> u8 {
        *self.document.dimension.get_ref()
    }

    /// Files that it reads, itself among them.
    pub fn inputs(&self) -> Vec<PathBuf> {
        let SceneDocument { particles, polygons, insert, .. } = &self.document;
        let files = particles.iter().filter_map(|block| Some(block.get_ref().file.as_ref()?.get_ref()));
        let tables = particles.iter().filter_map(|block| block.get_ref().table.as_ref());
        let tables = tables.chain(polygons.iter().filter_map(|block| block.get_ref().table.as_ref()));
        let tables = tables.chain(insert.iter().filter_map(|block| block.get_ref().table.as_ref()));
        let named = files.chain(tables).map(|file| self.source.folder().join(file));
        named.chain([self.source.path().to_owned()]).collect()
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
