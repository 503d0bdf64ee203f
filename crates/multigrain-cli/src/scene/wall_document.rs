//! Walls as they are written in a scene.

use super::document::Vector;
use serde::Deserialize;
use std::path::PathBuf;
use toml::Spanned;

/// A wall.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WallDocument {
    pub name: Option<Spanned<String>>,
    pub shape: ShapeName,
    pub point: Option<Vector>,
    pub normal: Option<Vector>,
    pub lo: Option<Vector>,
    pub hi: Option<Vector>,
    pub axis: Option<Vector>,
    pub radius: Option<f64>,
    pub corners: Option<Vec<Vector>>,
    pub ends: Option<Vec<Vector>>,
    pub radii: Option<[f64; 2]>,
    pub thickness: Option<Spanned<f64>>,
    pub segments: Option<Spanned<usize>>,
    pub material: Option<Spanned<String>>,
    pub velocity: Option<Vector>,
    pub spin: Option<Spanned<Vec<f64>>>,
    pub about: Option<Vector>,
    pub temperature: Option<f64>,
    #[serde(default)]
    pub moves: bool,
    pub closed: Option<Spanned<ClosedDocument>>,
    pub file: Option<Spanned<PathBuf>>,
    pub scale: Option<Spanned<f64>>,
    pub rotate: Option<Spanned<RotateDocument>>,
    pub translate: Option<Vector>,
    pub motion: Option<Spanned<MotionDocument>>,
    pub wear: Option<Spanned<WearDocument>>,
}

/// What of a wall is closed: a line, all ends, or each end.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum ClosedDocument {
    All(bool),
    Ends([bool; 2]),
}

/// How a mesh is turned.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RotateDocument {
    pub axis: Option<Vector>,
    pub degrees: f64,
}

/// How a wall moves beside a steady velocity and spin.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MotionDocument {
    pub kind: MotionName,
    pub direction: Option<Vector>,
    pub amplitude: Option<Spanned<f64>>,
    pub angle: Option<f64>,
    pub axis: Option<Vector>,
    pub frequency: Option<Spanned<f64>>,
    pub phase: Option<f64>,
    pub file: Option<Spanned<PathBuf>>,
    pub rows: Option<Spanned<Vec<Vec<f64>>>>,
    pub force: Option<Spanned<f64>>,
    pub pressure: Option<Spanned<f64>>,
    pub area: Option<Spanned<f64>>,
    pub max_speed: Option<Spanned<f64>>,
    pub gain: Option<Spanned<f64>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum MotionName {
    Oscillation,
    Table,
    Servo,
}

/// Wear after Archard.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WearDocument {
    pub coefficient: Spanned<f64>,
    pub hardness: Spanned<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ShapeName {
    Plane,
    Box,
    Cylinder,
    Plate,
    Funnel,
    Cone,
    Polygon,
    Mesh,
}

/// A fluid that drags grains along.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FluidDocument {
    pub drag: Option<Spanned<DragName>>,
    pub viscosity: Option<f64>,
    #[serde(default)]
    pub density: f64,
    pub coefficient: Option<f64>,
    pub velocity: Option<Vector>,
    #[serde(default)]
    pub buoyancy: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DragName {
    Stokes,
    Linear,
    SchillerNaumann,
}

/// An acceleration that depends on the place.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FieldDocument {
    pub acceleration: Option<Vector>,
    pub gradient: Option<Vec<Vector>>,
    pub about: Option<Vector>,
}

/// Which grains are bonded at the start.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum BondsDocument {
    Word(String),
    Pairs(Vec<[u64; 2]>),
}
