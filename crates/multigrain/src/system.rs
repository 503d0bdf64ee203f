//! Particle systems that own their bodies.

use crate::dimension::{Axes, Dimension, Family, Same};
use crate::domain::Domain;
use crate::each_dimension;
use crate::error::Error;
use crate::sizes::ball_volume;
use crate::snapshot::{Extent, Snapshot};
use std::ops::Deref;

/// Bodies and the box they are in. Axes that are not periodic are open; their box is information only.
#[derive(Debug, Clone, Default, PartialEq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(bound(
        serialize = "[f64; D]: serde::Serialize, Domain<D>: serde::Serialize",
        deserialize = "[f64; D]: serde::Deserialize<'de>, Domain<D>: serde::Deserialize<'de>"
    ))
)]
pub struct System<const D: usize> {
    /// Centers, by particle.
    pub centers: Vec<[f64; D]>,
    /// Radii, by particle.
    pub radii: Vec<f64>,
    /// The box, each axis open or periodic; [`Domain::open`] where none is known.
    pub domain: Domain<D>,
}

/// Center and radius of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere<const D: usize> {
    /// Its center, as given.
    pub center: [f64; D],
    /// Its radius.
    pub radius: f64,
}

/// A system whose values were checked: snapshots of it cost nothing. Read-only; see [`into_inner`](Self::into_inner).
#[derive(Debug, Clone, PartialEq)]
pub struct CheckedSystem<const D: usize> {
    system: System<D>,
    extent: Extent<D>,
}

/// A checked system of two or three dimensions, as files have them.
#[derive(Debug, Clone, PartialEq)]
pub enum AnySystem {
    /// Discs in the plane.
    D2(CheckedSystem<2>),
    /// Spheres in space.
    D3(CheckedSystem<3>),
}

impl<const D: usize> System<D> {
    /// No bodies yet, with room for `count`, in open space.
    pub fn with_capacity(count: usize) -> Self {
        Self { centers: Vec::with_capacity(count), radii: Vec::with_capacity(count), domain: Domain::open() }
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        self.radii.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.radii.is_empty()
    }

    /// Volume of all bodies, overlaps counted twice, over the volume of the box.
    pub fn packing_fraction(&self) -> f64 {
        self.radii.iter().map(|&radius| ball_volume(radius, D)).sum::<f64>() / self.domain.volume()
    }
}

impl<const D: usize> System<D>
where
    Axes: Dimension<D>,
{
    /// The bodies as a detector takes them.
    pub fn snapshot(&self) -> Result<Snapshot<'_, D>, Error> {
        Snapshot::new(&self.centers, &self.radii)?.within(self.domain)
    }

    /// The system, if all its values are valid; whether its box suits the bodies is not looked at.
    pub fn checked(self) -> Result<CheckedSystem<D>, Error> {
        let extent = *Snapshot::new(&self.centers, &self.radii)?.extent();
        Ok(CheckedSystem { system: self, extent })
    }
}

impl<const D: usize> CheckedSystem<D> {
    /// The bodies in open space, whatever box they have.
    pub fn snapshot(&self) -> Snapshot<'_, D> {
        Snapshot::of_checked(&self.system.centers, &self.system.radii, self.extent)
    }

    /// These bodies and then those of `other`, in the box of these, or of the others if these have none.
    pub fn joined(mut self, other: Self) -> Result<Self, Error> {
        let count = self.len() + other.len();
        if count >= u32::MAX as usize {
            return Err(Error::TooManyParticles { count });
        }
        self.system.domain = self.system.domain.bounded().unwrap_or(other.system.domain);
        self.system.centers.extend(other.system.centers);
        self.system.radii.extend(other.system.radii);
        self.extent = self.extent.union(other.extent);
        Ok(self)
    }

    /// The system itself.
    pub fn into_inner(self) -> System<D> {
        self.system
    }
}

impl<const D: usize> Deref for CheckedSystem<D> {
    type Target = System<D>;

    fn deref(&self) -> &System<D> {
        &self.system
    }
}

impl AnySystem {
    /// Number of dimensions.
    pub fn dimension(&self) -> usize {
        match self {
            Self::D2(_) => 2,
            Self::D3(_) => 3,
        }
    }

    /// Number of bodies.
    pub fn len(&self) -> usize {
        each_dimension!(self, Self, system => system.len())
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The system, if it has `D` dimensions.
    pub fn in_dimension<const D: usize>(self) -> Option<CheckedSystem<D>>
    where
        Axes: Dimension<D>,
    {
        let in_2d = |any| if let Self::D2(system) = any { Some(system) } else { None };
        let in_3d = |any| if let Self::D3(system) = any { Some(system) } else { None };
        Axes::map::<Same<Self>, Option<CheckedSystems>>(self, in_2d, in_3d)
    }
}

struct CheckedSystems;

impl Family for CheckedSystems {
    type Of<const D: usize> = CheckedSystem<D>;
}

impl<const D: usize> From<CheckedSystem<D>> for AnySystem
where
    Axes: Dimension<D>,
{
    fn from(system: CheckedSystem<D>) -> Self {
        Axes::map::<CheckedSystems, Same<Self>>(system, Self::D2, Self::D3)
    }
}
