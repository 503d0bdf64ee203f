//! The one owner of all particles: a column per quantity.

#[macro_use]
mod columns;
mod fingerprint;
mod order;

pub use fingerprint::Fingerprint;

use crate::clumps::UPRIGHT;
use crate::codec::stream::{Sink, Source};
use crate::codec::{Value, read_list, write_in_order};
use crate::contacts::MAX_PARTICLES;
use crate::error::Error;
use crate::grain::Grain;
use crate::threads;
use crate::vector::Spin;
use multigrain::sizes::ball_volume;
use multigrain::{Axes, Dimension, Domain, Snapshot};
use multigrain_polygons::ConvexPolygon;

/// The shape of discs, which have no number.
pub const ROUND: u32 = u32::MAX;

/// No particle: where a table of places has nothing to name.
pub(crate) const NOBODY: u32 = u32::MAX;

columns! {
    /// Permanent id of each particle.
    [fixed] ids: u64 = |new| new.id;
    /// Centers; along periodic axes inside the box.
    positions: [f64; D] = |new| new.grain.position;
    /// Velocities of the centers.
    velocities: [f64; D] = |new| new.grain.velocity;
    /// Forces at the end of the last step, weight included.
    [turning] forces: [f64; D] = |_| [0.0; D];
    /// Angular velocities; in the plane only the third component is used.
    [turning] spins: Spin = |new| new.grain.spin;
    /// Torques at the end of the last step.
    [turning] torques: Spin = |_| [0.0; 3];
    /// Radii.
    [fixed] radii: f64 = |new| new.grain.radius;
    /// Masses, also of particles that are held.
    [fixed] masses: f64 = |new| new.mass;
    /// Inverse masses; 0 for particles that are held.
    [fixed] inverse_masses: f64 = |new| if new.grain.held { 0.0 } else { 1.0 / new.mass };
    /// Inverse moments of inertia; 0 for particles that are held.
    [fixed] inverse_inertias: f64 = |new| if new.grain.held { 0.0 } else { 1.0 / new.inertia };
    /// Numbers of their materials.
    [fixed] materials: u16 = |new| new.grain.material;
    /// Energy that contacts took from motion: with others counted for the one with the lower id.
    [fixed] lost: f64 = |_| 0.0;
    /// Energy that walls gave.
    [fixed] given: f64 = |_| 0.0;
    /// Whole periods by which each position was wrapped so far: the way travelled is the position and this many periods. Empty in
    /// open domains.
    periods: [i32; D] = |_| [0; D], if periodic;
    /// Numbers of shapes, `u32::MAX` for discs; empty where there are no polygons.
    [fixed] shapes: u32 = |new| new.grain.shape.unwrap_or(ROUND), if shaped;
    /// By how much particles are turned, counter-clockwise; empty where there are no polygons.
    angles: f64 = |new| new.grain.angle, if shaped;
    /// Moments of inertia, also of particles that are held; empty where there are no polygons.
    [fixed] inertias: f64 = |new| new.inertia, if shaped;
    /// Numbers of the clumps that particles are members of, `u32::MAX` for others; empty where there are no clump shapes.
    [fixed] clumps: u32 = |_| NOBODY, if clumped;
    /// Temperatures; empty where no material conducts heat.
    temperatures: f64 = |new| new.temperature, if heated;
    /// Higher derivatives of the Gear integrator; empty with Verlet.
    derivatives: Derivatives<D> = |_| Derivatives::ZERO, if gear;
}

/// A particle that is about to join.
pub(crate) struct New<'a, const D: usize> {
    id: u64,
    grain: &'a Grain<D>,
    mass: f64,
    inertia: f64,
    temperature: f64,
}

/// Scaled derivatives `dt^k/k! x^(k)` of positions, and of angles, as the Gear integrator keeps them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Derivatives<const D: usize> {
    /// Second, third and fourth derivative of the position.
    pub position: [[f64; D]; 3],
    /// Second, third and fourth derivative of the angle.
    pub angle: [Spin; 3],
}

impl<const D: usize> Derivatives<D> {
    pub const ZERO: Self = Self { position: [[0.0; D]; 3], angle: [[0.0; 3]; 3] };
}

impl<const D: usize> State<D>
where
    Axes: Dimension<D>,
{
    /// Number of particles, guests included.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no particles.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Number of particles that are no guests: those in the places before this one.
    pub fn own(&self) -> usize {
        self.ids.len() - self.guests
    }

    /// Whether the particle in this place keeps its velocity whatever pushes it.
    pub fn is_held(&self, place: usize) -> bool {
        self.inverse_masses[place] == 0.0
    }

    /// Moment of inertia of the particle in this place: that of a solid sphere, in the plane of a solid disc or polygon.
    pub fn inertia(&self, place: usize) -> f64 {
        match self.inertias.get(place) {
            Some(inertia) => *inertia,
            None => inertia::<D>(self.masses[place], self.radii[place]),
        }
    }

    /// The number of the shape of the particle in this place; `None` for spheres and discs.
    pub fn shape(&self, place: usize) -> Option<u32> {
        self.shapes.get(place).copied().filter(|&shape| shape != ROUND)
    }

    /// By how much the particle in this place is turned; 0 where nobody keeps account of it.
    pub fn angle(&self, place: usize) -> f64 {
        self.angles.get(place).copied().unwrap_or(0.0)
    }

    /// The place of the particle with this id, no guest.
    pub fn place_of(&self, id: u64) -> Option<usize> {
        self.ids[..self.own()].iter().position(|&other| other == id)
    }

    /// All places by id, guests left out: the order in which users and files see particles.
    pub fn places_by_id(&self) -> Vec<u32> {
        // Where most ids are there, no sorting is needed.
        let own = &self.ids[..self.own()];
        if self.next_id <= 4 * own.len() as u64 {
            let mut place_of = vec![NOBODY; self.next_id as usize];
            own.iter().zip(0..).for_each(|(&id, place)| place_of[id as usize] = place);
            place_of.retain(|&place| place != NOBODY);
            return place_of;
        }
        let mut places: Vec<u32> = (0..own.len() as u32).collect();
        places.sort_unstable_by_key(|&place| self.ids[place as usize]);
        places
    }

    /// The particles as a detector takes them.
    pub fn snapshot(&self, domain: Domain<D>) -> Result<Snapshot<'_, D>, multigrain::Error> {
        Snapshot::new(&self.positions, &self.radii)?.within(domain)
    }

    /// The particle in this place as a grain.
    pub fn grain(&self, place: usize) -> Grain<D> {
        Grain {
            position: self.positions[place],
            velocity: self.velocities[place],
            spin: self.spins[place],
            radius: self.radii[place],
            shape: self.shape(place),
            angle: self.angle(place),
            clump: None,
            turned: UPRIGHT,
            material: self.materials[place],
            held: self.is_held(place),
            temperature: self.temperatures.get(place).copied(),
        }
    }

    /// Lets the particle in this place have the mass that its size or shape and this density give.
    pub(crate) fn weigh(&mut self, place: usize, density: f64, shape: Option<&ConvexPolygon>) {
        let inertia;
        (self.masses[place], inertia) = weight::<D>(density, self.radii[place], shape);
        if let Some(known) = self.inertias.get_mut(place) {
            *known = inertia;
        }
        self.hold(place, self.is_held(place));
    }

    /// Holds the particle in this place, or lets it go.
    pub(crate) fn hold(&mut self, place: usize, held: bool) {
        let inverse = |value: f64| if held { 0.0 } else { 1.0 / value };
        self.inverse_masses[place] = inverse(self.masses[place]);
        self.inverse_inertias[place] = inverse(self.inertia(place));
    }

    /// Adds a valid grain with this id, of a material with this density, in the last place.
    pub(crate) fn push(
        &mut self,
        id: u64,
        grain: &Grain<D>,
        density: f64,
        shape: Option<&ConvexPolygon>,
        there: Columns,
    ) -> Result<(), Error> {
        if self.len() >= MAX_PARTICLES {
            return Err(Error::TooManyParticles);
        }
        let (mass, inertia) = weight::<D>(density, grain.radius, shape);
        let temperature = grain.temperature.unwrap_or(0.0);
        self.push_new(&New { id, grain, mass, inertia, temperature }, there);
        Ok(())
    }
}

/// Which optional columns a state has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Columns {
    pub periodic: bool,
    pub gear: bool,
    /// Whether there are polygons, or laws that see discs as they see polygons.
    pub shaped: bool,
    /// Whether there are clumps.
    pub clumped: bool,
    /// Whether a material conducts heat.
    pub heated: bool,
}

/// A column in another order; one that the state does not have stays empty.
fn take<T: Copy + Send + Sync>(column: &mut Vec<T>, from: &[u32]) {
    if !column.is_empty() {
        *column = threads::list(from.len(), |k| column[from[k] as usize]);
    }
}

/// Mass and moment of inertia.
fn weight<const D: usize>(density: f64, radius: f64, shape: Option<&ConvexPolygon>) -> (f64, f64) {
    match shape {
        Some(shape) => (density * shape.area(), density * shape.inertia()),
        None => {
            let mass = density * ball_volume(radius, D);
            (mass, inertia::<D>(mass, radius))
        }
    }
}

/// Moment of inertia of a solid disc or sphere.
fn inertia<const D: usize>(mass: f64, radius: f64) -> f64 {
    let factor = if D == 2 { 0.5 } else { 0.4 };
    factor * mass * radius * radius
}
