//! A scene as it is written: every key of the file. What keys mean is decided in the other files of this folder; all of
//! them are described in `docs/scenes.md`.

use crate::flags::LawName;
use multigrain_dem::LawKeys;
use serde::Deserialize;
use std::path::PathBuf;
use toml::Spanned;

pub use super::wall_document::*;

/// Sizes that a generator draws from, for a law.
pub const DRAWN_SIZES: usize = 1024;

/// A vector in the file, with its place.
pub type Vector = Spanned<Vec<f64>>;

/// All of a scene.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SceneDocument {
    pub dimension: Spanned<u8>,
    pub duration: Spanned<f64>,
    #[serde(default = "one")]
    pub seed: u64,
    pub gravity: Option<Vector>,
    #[serde(default)]
    pub allow_overlap: bool,
    pub domain: DomainDocument,
    #[serde(default)]
    pub deform: Vec<Spanned<DeformDocument>>,
    pub material: Vec<Spanned<MaterialDocument>>,
    #[serde(default)]
    pub between: Vec<Spanned<BetweenDocument>>,
    #[serde(default)]
    pub particles: Vec<Spanned<ParticlesDocument>>,
    #[serde(default)]
    pub polygons: Vec<Spanned<PolygonsDocument>>,
    #[serde(default)]
    pub clumps: Vec<Spanned<ClumpsDocument>>,
    #[serde(default)]
    pub wall: Vec<Spanned<WallDocument>>,
    #[serde(default)]
    pub insert: Vec<Spanned<InsertDocument>>,
    #[serde(default)]
    pub remove: Vec<Spanned<RemoveDocument>>,
    #[serde(default)]
    pub meter: Vec<Spanned<MeterDocument>>,
    pub bonds: Option<Spanned<BondsDocument>>,
    #[serde(default)]
    pub temperature: f64,
    pub fluid: Option<Spanned<FluidDocument>>,
    #[serde(default)]
    pub field: Vec<Spanned<FieldDocument>>,
    #[serde(default)]
    pub detection: DetectionDocument,
    #[serde(default)]
    pub time: TimeDocument,
    #[serde(default)]
    pub output: OutputDocument,
}

impl SceneDocument {
    /// Grains that it asks for, each corner of a polygon and each piece of a wall counted as one.
    pub fn size(&self) -> u64 {
        let of = |count: u64, corners: u64| count.saturating_mul(corners.max(1));
        let particles = self.particles.iter().map(|block| block.get_ref().count.map_or(0, u64::from));
        let polygons = self.polygons.iter().map(|block| {
            let block = block.get_ref();
            of(block.count.into(), block.corners.get_ref()[1] as u64)
        });
        let inserted = self.insert.iter().filter_map(|insert| insert.get_ref().corners.as_ref());
        let inserted = inserted.map(|corners| of(DRAWN_SIZES as u64, corners.get_ref()[1] as u64));
        let segments = self.wall.iter().filter_map(|wall| wall.get_ref().segments.as_ref());
        let pieces = segments.map(|given| *given.get_ref() as u64);
        particles.chain(polygons).chain(inserted).chain(pieces).fold(0, u64::saturating_add)
    }

    /// Grains that it has at the start, where it says how many; not of clumps, whose members count one by one.
    pub fn grains_at_start(&self) -> Option<u64> {
        let has_clumps = !self.clumps.is_empty() || self.insert.iter().any(|insert| insert.get_ref().spheres.is_some());
        let particles = self.particles.iter().map(|block| block.get_ref().count.map(u64::from));
        let polygons = self.polygons.iter().map(|block| Some(u64::from(block.get_ref().count)));
        if has_clumps { None } else { particles.chain(polygons).sum() }
    }

    /// Whether there are polygons among the grains, or will be.
    pub fn has_polygons(&self) -> bool {
        !self.polygons.is_empty() || self.insert.iter().any(|insert| insert.get_ref().corners.is_some())
    }
}

/// The box, and what its borders are.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DomainDocument {
    pub lo: Vector,
    pub hi: Vector,
    pub tilt: Option<Vector>,
    #[serde(default)]
    pub periodic: Vec<Spanned<AxisName>>,
    #[serde(default)]
    pub walls: bool,
    pub material: Option<Spanned<String>>,
    #[serde(default)]
    pub leaving: Leaving,
}

/// How the box changes its shape, until a time.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DeformDocument {
    pub rates: Option<Spanned<ComponentsDocument>>,
    pub stress: Option<Spanned<ComponentsDocument>>,
    pub pressure: Option<f64>,
    pub max_rate: Option<f64>,
    pub band: Option<f64>,
    pub until: Option<f64>,
    #[serde(default)]
    pub flowing: bool,
}

/// Components of a tensor by name.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ComponentsDocument {
    xx: Option<f64>,
    xy: Option<f64>,
    xz: Option<f64>,
    yx: Option<f64>,
    yy: Option<f64>,
    yz: Option<f64>,
    zx: Option<f64>,
    zy: Option<f64>,
    zz: Option<f64>,
}

impl ComponentsDocument {
    /// Row by row.
    pub fn rows(&self) -> [[Option<f64>; 3]; 3] {
        [[self.xx, self.xy, self.xz], [self.yx, self.yy, self.yz], [self.zx, self.zy, self.zz]]
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum AxisName {
    X,
    Y,
    Z,
}

/// What happens when a particle leaves the box where it is neither periodic nor walled.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Leaving {
    /// The run stops and names it.
    #[default]
    Error,
    /// It flies on.
    Allow,
}

/// A table that has keys shared with other tables, and a method that gives those alone, as a new struct or one that is there.
/// (Flattening structs, serde's own way,
/// would lose the places of keys in the file.)
macro_rules! sharing {
    (@keys $keys:ident { $($common:ident: $type:ty,)* }) => {
        /// Keys that several tables share.
        #[derive(Debug, Clone, Default)]
        pub struct $keys {
            $(pub $common: $type,)*
        }
    };
    (
        @table $method:ident $keys:ident { $($common:ident: $common_type:ty,)* }
        $(#[$about:meta])* $name:ident { $($(#[$of:meta])* $key:ident: $type:ty,)* }
    ) => {
        $(#[$about])*
        #[derive(Debug, Deserialize)]
        #[serde(deny_unknown_fields)]
        pub struct $name {
            $($(#[$of])* pub $key: $type,)*
            $(pub $common: $common_type,)*
        }

        impl $name {
            /// The keys that it shares with other tables.
            #[allow(clippy::needless_update, reason = "some of those that are there have words too")]
            pub fn $method(&self) -> $keys {
                $keys { $($common: self.$common.clone(),)* ..Default::default() }
            }
        }
    };
    ($method:ident gives new $keys:ident $common:tt $($tables:tt)*) => {
        sharing!(@keys $keys $common);
        sharing!($method gives $keys $common $($tables)*);
    };
    ($method:ident gives $keys:ident $common:tt $($(#[$about:meta])* $name:ident $own:tt)*) => {
        $(sharing!(@table $method $keys $common $(#[$about])* $name $own);)*
    };
}

/// How overlapping polygons push each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RepulsionName {
    Area,
    Energy,
}

sharing! {
    law_keys gives LawKeys {
        stiffness: Option<f64>,
        modulus: Option<f64>,
        poisson: Option<f64>,
        restitution: Option<f64>,
        damping: Option<f64>,
        friction: Option<f64>,
        tangential_stiffness: Option<f64>,
        tangential_damping: Option<f64>,
        rolling_friction: Option<f64>,
        rolling_stiffness: Option<f64>,
        rolling_damping: Option<f64>,
        twisting_friction: Option<f64>,
        twisting_stiffness: Option<f64>,
        twisting_damping: Option<f64>,
        unloading_stiffness: Option<f64>,
        cohesive_stiffness: Option<f64>,
        plastic_depth: Option<f64>,
        adhesion: Option<f64>,
        adhesion_range: Option<f64>,
        adhesion_energy: Option<f64>,
        surface_tension: Option<f64>,
        contact_angle: Option<f64>,
        liquid_volume: Option<f64>,
        bond_modulus: Option<f64>,
        bond_strength: Option<f64>,
        bond_shear_strength: Option<f64>,
        bond_radius: Option<f64>,
        bond_ratio: Option<f64>,
        bond_damping: Option<f64>,
        bond_gap: Option<f64>,
    }

    /// A material.
    MaterialDocument {
        name: Spanned<String>,
        density: f64,
        conductivity: Option<f64>,
        heat_capacity: Option<f64>,
        repulsion: Option<RepulsionName>,
        cohesion: Option<Spanned<String>>,
        rolling: Option<Spanned<String>>,
        dashpot: Option<Spanned<String>>,
    }

    /// The law between two materials.
    BetweenDocument {
        materials: [Spanned<String>; 2],
        repulsion: Option<RepulsionName>,
        cohesion: Option<Spanned<String>>,
        rolling: Option<Spanned<String>>,
        dashpot: Option<Spanned<String>>,
    }
}

sharing! {
    size_keys gives new SizeKeys {
        law: Option<Spanned<LawName>>,
        exponent: Option<f64>,
        ratio: Option<f64>,
        sigma: Option<f64>,
        table: Option<PathBuf>,
        radius: Option<Spanned<f64>>,
    }

    /// Particles that are there from the beginning.
    ParticlesDocument {
        file: Option<Spanned<PathBuf>>,
        frame: Option<Spanned<FrameDocument>>,
        count: Option<u32>,
        placement: Option<Spanned<PlacementDocument>>,
        lo: Option<Vector>,
        hi: Option<Vector>,
        spacing: Option<Spanned<f64>>,
        material: Option<Spanned<String>>,
        velocity: Option<Vector>,
        speed: Option<Spanned<f64>>,
        spin: Option<Vector>,
        temperature: Option<f64>,
        #[serde(default)]
        held: bool,
    }

    /// Polygons that are there from the beginning.
    PolygonsDocument {
        count: u32,
        corners: Spanned<[usize; 2]>,
        #[serde(default)]
        regular: bool,
        placement: Option<Spanned<PolygonPlacement>>,
        lo: Option<Vector>,
        hi: Option<Vector>,
        spacing: Option<Spanned<f64>>,
        material: Option<Spanned<String>>,
        velocity: Option<Vector>,
        speed: Option<Spanned<f64>>,
        spin: Option<f64>,
        #[serde(default)]
        held: bool,
    }

    /// Rigid bodies of spheres that are there from the beginning.
    ClumpsDocument {
        file: Option<Spanned<PathBuf>>,
        frame: Option<Spanned<FrameDocument>>,
        count: Option<u32>,
        spheres: Option<Spanned<Vec<Vec<f64>>>>,
        center: Option<Vector>,
        volume: Option<Spanned<f64>>,
        inertia: Option<Spanned<Vec<Vec<f64>>>>,
        #[serde(default)]
        upright: bool,
        placement: Option<Spanned<PlacementDocument>>,
        lo: Option<Vector>,
        hi: Option<Vector>,
        spacing: Option<Spanned<f64>>,
        material: Option<Spanned<String>>,
        velocity: Option<Vector>,
        speed: Option<Spanned<f64>>,
        spin: Option<Vector>,
        temperature: Option<f64>,
        #[serde(default)]
        held: bool,
    }

    /// Particles that come while the scene runs.
    InsertDocument {
        name: Option<Spanned<String>>,
        lo: Option<Vector>,
        hi: Option<Vector>,
        region: Option<Spanned<RegionDocument>>,
        rate: Option<f64>,
        mass_rate: Option<f64>,
        limit: Option<u64>,
        mass_limit: Option<f64>,
        start: Option<f64>,
        until: Option<f64>,
        corners: Option<Spanned<[usize; 2]>>,
        #[serde(default)]
        regular: bool,
        spheres: Option<Spanned<Vec<Vec<f64>>>>,
        center: Option<Vector>,
        volume: Option<Spanned<f64>>,
        inertia: Option<Spanned<Vec<Vec<f64>>>>,
        #[serde(default)]
        upright: bool,
        material: Option<Spanned<String>>,
        velocity: Option<Vector>,
        speed: Option<Spanned<f64>>,
        spin: Option<Vector>,
        temperature: Option<f64>,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PlacementDocument {
    Random,
    Lattice,
    Growth,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PolygonPlacement {
    Rows,
    Random,
}

/// Where particles leave.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RemoveDocument {
    pub name: Option<Spanned<String>>,
    #[serde(rename = "where")]
    pub place: RemovePlace,
    pub lo: Option<Vector>,
    pub hi: Option<Vector>,
    pub region: Option<Spanned<RegionDocument>>,
    pub point: Option<Vector>,
    pub normal: Option<Vector>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RemovePlace {
    Inside,
    Outside,
    Beyond,
}

/// A plane at which grains that pass are counted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MeterDocument {
    pub name: Option<Spanned<String>>,
    pub point: Option<Vector>,
    pub normal: Option<Vector>,
    pub lo: Option<Vector>,
    pub hi: Option<Vector>,
    pub region: Option<Spanned<RegionDocument>>,
}

/// A part of space.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RegionDocument {
    pub shape: RegionName,
    pub lo: Option<Vector>,
    pub hi: Option<Vector>,
    pub point: Option<Vector>,
    pub ends: Option<Vec<Vector>>,
    pub corners: Option<Vec<Vector>>,
    pub radius: Option<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RegionName {
    Box,
    Ball,
    Cylinder,
    Face,
}

/// How contacts are found.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DetectionDocument {
    pub method: Option<Spanned<String>>,
    pub skin: Option<Spanned<SkinDocument>>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum SkinDocument {
    Width(f64),
    Word(String),
}

/// Which frame of a file is meant.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub enum FrameDocument {
    Number(i64),
    Word(String),
}

/// How time goes.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimeDocument {
    pub step: Option<f64>,
    pub fraction: Option<f64>,
    pub integrator: Option<IntegratorName>,
    pub impact_speed: Option<f64>,
    #[serde(default)]
    pub allow_long_step: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum IntegratorName {
    Verlet,
    PlainVerlet,
    Gear,
}

/// What is written.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutputDocument {
    pub folder: Option<PathBuf>,
    pub table_every: Option<Spanned<f64>>,
    pub snapshot_every: Option<Spanned<f64>>,
    pub formats: Option<Vec<Spanned<FrameFormat>>>,
    pub checkpoint_every: Option<Spanned<f64>>,
    #[serde(default)]
    pub picture: bool,
    pub film: Option<Spanned<bool>>,
    pub page: Option<bool>,
    pub color: Option<ColorBy>,
}

/// A format of snapshots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FrameFormat {
    /// VTK, for ParaView.
    Vtp,
    /// LAMMPS dump, for OVITO.
    Dump,
    /// A drawing.
    Svg,
    /// A picture.
    Png,
}

impl FrameFormat {
    /// Whether it is drawn, by one rank.
    pub fn is_drawn(self) -> bool {
        matches!(self, Self::Svg | Self::Png)
    }
}

/// What colors of a picture mean.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ColorBy {
    #[default]
    Size,
    Speed,
    Material,
    Temperature,
    Pressure,
}

impl ColorBy {
    /// The column of a page that tells the same.
    pub fn column(self) -> &'static str {
        match self {
            Self::Size => "radius",
            Self::Speed => "speed",
            Self::Material => "material",
            Self::Temperature => "temperature",
            Self::Pressure => "pressure",
        }
    }
}

fn one() -> u64 {
    1
}

/// Every key that scenes know, table by table, from what each says about one that it does not.
pub fn every_key() -> Vec<String> {
    fn keys<T: serde::de::DeserializeOwned>() -> Vec<String> {
        let message = toml::from_str::<T>("no_such_key = 1").err().map(|error| error.message().to_owned());
        message.unwrap_or_default().split('`').skip(3).step_by(2).map(str::to_owned).collect()
    }
    [
        keys::<SceneDocument>(),
        keys::<DomainDocument>(),
        keys::<DeformDocument>(),
        keys::<MaterialDocument>(),
        keys::<BetweenDocument>(),
        keys::<ParticlesDocument>(),
        keys::<PolygonsDocument>(),
        keys::<ClumpsDocument>(),
        keys::<WallDocument>(),
        keys::<RotateDocument>(),
        keys::<MotionDocument>(),
        keys::<WearDocument>(),
        keys::<InsertDocument>(),
        keys::<FluidDocument>(),
        keys::<FieldDocument>(),
        keys::<RemoveDocument>(),
        keys::<MeterDocument>(),
        keys::<RegionDocument>(),
        keys::<DetectionDocument>(),
        keys::<TimeDocument>(),
        keys::<OutputDocument>(),
    ]
    .concat()
}
