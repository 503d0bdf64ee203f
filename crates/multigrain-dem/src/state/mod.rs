//! The one owner of all particles: a column per quantity.

mod order;

use crate::checksum::Checksum;
use crate::error::Error;
use crate::grain::Grain;
use crate::vector::Spin;
use multigrain::sizes::ball_volume;
use multigrain::{Domain, Snapshot};

/// No particle: where a table of places has nothing to name.
pub(crate) const NOBODY: u32 = u32::MAX;

/// All particles, a column per quantity. The place of a particle in the columns changes when they are sorted anew; its id
/// never does.
///
/// Columns are sorted by cells of space, by a rule that looks at the state alone. Nothing computed depends on the order:
/// sums over contacts go by id.
#[derive(Debug, Clone, PartialEq)]
pub struct State<const D: usize> {
    pub(crate) ids: Vec<u32>,
    pub(crate) positions: Vec<[f64; D]>,
    pub(crate) velocities: Vec<[f64; D]>,
    pub(crate) forces: Vec<[f64; D]>,
    pub(crate) spins: Vec<Spin>,
    pub(crate) torques: Vec<Spin>,
    pub(crate) radii: Vec<f64>,
    pub(crate) masses: Vec<f64>,
    /// 0 for particles that are held.
    pub(crate) inverse_masses: Vec<f64>,
    pub(crate) inverse_inertias: Vec<f64>,
    pub(crate) materials: Vec<u16>,
    /// Whole periods by which positions were wrapped; empty in open domains.
    pub(crate) periods: Vec<[i32; D]>,
    /// Higher derivatives of the Gear integrator; empty with Verlet.
    pub(crate) derivatives: Vec<Derivatives<D>>,
    pub(crate) next_id: u32,
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

/// What contacts look at of a particle.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body<const D: usize> {
    pub position: [f64; D],
    pub velocity: [f64; D],
    pub spin: Spin,
    /// By how much the velocity exceeds that of the middle of the step.
    pub gained: [f64; D],
    /// The same of the spin.
    pub gained_spin: Spin,
    pub radius: f64,
    pub inverse_mass: f64,
    pub material: u16,
}

impl<const D: usize> Body<D> {
    pub const NONE: Self = Self {
        position: [0.0; D],
        velocity: [0.0; D],
        spin: [0.0; 3],
        gained: [0.0; D],
        gained_spin: [0.0; 3],
        radius: 0.0,
        inverse_mass: 0.0,
        material: 0,
    };
}

impl<const D: usize> State<D> {
    pub(crate) fn new() -> Self {
        Self {
            ids: Vec::new(),
            positions: Vec::new(),
            velocities: Vec::new(),
            forces: Vec::new(),
            spins: Vec::new(),
            torques: Vec::new(),
            radii: Vec::new(),
            masses: Vec::new(),
            inverse_masses: Vec::new(),
            inverse_inertias: Vec::new(),
            materials: Vec::new(),
            periods: Vec::new(),
            derivatives: Vec::new(),
            next_id: 0,
        }
    }

    /// Number of particles.
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are no particles.
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// Permanent id of each particle.
    pub fn ids(&self) -> &[u32] {
        &self.ids
    }

    /// Centers; along periodic axes inside the box.
    pub fn positions(&self) -> &[[f64; D]] {
        &self.positions
    }

    /// Velocities of the centers.
    pub fn velocities(&self) -> &[[f64; D]] {
        &self.velocities
    }

    /// Angular velocities; in the plane only the third component is used.
    pub fn spins(&self) -> &[Spin] {
        &self.spins
    }

    /// Forces at the end of the last step, weight included.
    pub fn forces(&self) -> &[[f64; D]] {
        &self.forces
    }

    /// Torques at the end of the last step.
    pub fn torques(&self) -> &[Spin] {
        &self.torques
    }

    /// Radii.
    pub fn radii(&self) -> &[f64] {
        &self.radii
    }

    /// Masses, also of particles that are held.
    pub fn masses(&self) -> &[f64] {
        &self.masses
    }

    /// Numbers of their materials.
    pub fn materials(&self) -> &[u16] {
        &self.materials
    }

    /// Whole periods by which each position was wrapped so far: the way travelled is the position and so many periods.
    /// Empty in open domains.
    pub fn periods(&self) -> &[[i32; D]] {
        &self.periods
    }

    /// Whether the particle in this place keeps its velocity whatever pushes it.
    pub fn is_held(&self, place: usize) -> bool {
        self.inverse_masses[place] == 0.0
    }

    /// Moment of inertia of the particle in this place: that of a solid sphere, in the plane of a solid disc.
    pub fn inertia(&self, place: usize) -> f64 {
        inertia::<D>(self.masses[place], self.radii[place])
    }

    /// The place of the particle with this id.
    pub fn place_of(&self, id: u32) -> Option<usize> {
        self.ids.iter().position(|&other| other == id)
    }

    /// All places by id: the order in which users and files see particles.
    pub fn places_by_id(&self) -> Vec<u32> {
        let mut places: Vec<u32> = (0..self.len() as u32).collect();
        places.sort_unstable_by_key(|&place| self.ids[place as usize]);
        places
    }

    /// A hash of all ids, positions, velocities, spins and radii, bit for bit, whatever the order of the columns.
    pub fn fingerprint(&self) -> u64 {
        let bytes_each = size_of::<u32>() + size_of::<f64>() * (2 * D + 4);
        let mut sum = Checksum::new((self.len() * bytes_each) as u64);
        for place in self.places_by_id().into_iter().map(|place| place as usize) {
            sum.add(&self.ids[place].to_le_bytes());
            let radius = &[self.radii[place]][..];
            for numbers in [&self.positions[place][..], &self.velocities[place], &self.spins[place], radius] {
                numbers.iter().for_each(|number| sum.add(&number.to_le_bytes()));
            }
        }
        sum.end()
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
            material: self.materials[place],
            held: self.is_held(place),
        }
    }

    /// What contacts look at of the particle in this place.
    #[inline]
    pub(crate) fn body(&self, place: usize, (gained, gained_spin): ([f64; D], Spin)) -> Body<D> {
        Body {
            position: self.positions[place],
            velocity: self.velocities[place],
            spin: self.spins[place],
            gained,
            gained_spin,
            radius: self.radii[place],
            inverse_mass: self.inverse_masses[place],
            material: self.materials[place],
        }
    }

    /// Adds a valid grain of a material with this density, in the last place, and returns its id.
    pub(crate) fn push(&mut self, grain: &Grain<D>, density: f64, shape: Columns) -> Result<u32, Error> {
        let id = self.next_id;
        if id == NOBODY {
            return Err(Error::TooManyParticles);
        }
        self.next_id += 1;
        let mass = density * ball_volume(grain.radius, D);
        self.ids.push(id);
        self.positions.push(grain.position);
        self.velocities.push(grain.velocity);
        self.forces.push([0.0; D]);
        self.spins.push(grain.spin);
        self.torques.push([0.0; 3]);
        self.radii.push(grain.radius);
        self.masses.push(mass);
        self.inverse_masses.push(if grain.held { 0.0 } else { 1.0 / mass });
        self.inverse_inertias.push(if grain.held { 0.0 } else { 1.0 / inertia::<D>(mass, grain.radius) });
        self.materials.push(grain.material);
        if shape.periodic {
            self.periods.push([0; D]);
        }
        if shape.gear {
            self.derivatives.push(Derivatives::ZERO);
        }
        Ok(id)
    }

    /// Brings the particles into another order: `from[k]` is the present place of what will be in place `k`. Particles that
    /// are not named are removed.
    pub(crate) fn take(&mut self, from: &[u32]) {
        take(&mut self.ids, from);
        take(&mut self.positions, from);
        take(&mut self.velocities, from);
        take(&mut self.forces, from);
        take(&mut self.spins, from);
        take(&mut self.torques, from);
        take(&mut self.radii, from);
        take(&mut self.masses, from);
        take(&mut self.inverse_masses, from);
        take(&mut self.inverse_inertias, from);
        take(&mut self.materials, from);
        take(&mut self.periods, from);
        take(&mut self.derivatives, from);
    }
}

/// Which optional columns a state has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Columns {
    pub periodic: bool,
    pub gear: bool,
}

/// A column in another order; one that the state does not have stays empty.
fn take<T: Copy>(column: &mut Vec<T>, from: &[u32]) {
    if !column.is_empty() {
        *column = from.iter().map(|&place| column[place as usize]).collect();
    }
}

/// Moment of inertia of a solid disc or sphere.
fn inertia<const D: usize>(mass: f64, radius: f64) -> f64 {
    let factor = if D == 2 { 0.5 } else { 0.4 };
    factor * mass * radius * radius
}
