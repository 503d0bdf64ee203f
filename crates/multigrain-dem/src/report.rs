//! What there is to see of a simulation: contacts, energies, momentum.

use crate::contacts::{Bodies, Entry, Growth, Seen, Touching};
use crate::exact_sum::ExactSum;
use crate::laws::{Law, MAX_HISTORY, Point};
use crate::simulation::Simulation;
use crate::vector::{Spin, add, add_scaled, dot, scale, sub, torque};
use multigrain::{Axes, Dimension};
use multigrain_polygons::Placed;

/// Two particles that touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact<const D: usize> {
    /// Ids of both, the lower first.
    pub ids: [u32; 2],
    /// Places of both in the state.
    pub places: [u32; 2],
    /// How many periods the image of the second lies from where it is.
    pub shift: [i32; D],
    /// Unit vector from the first to the second.
    pub normal: [f64; D],
    /// How deep they overlap.
    pub overlap: f64,
    /// Force on the second; the first feels the opposite. It is that of positions, velocities and memory as they are now.
    pub force: [f64; D],
    /// Tangential displacement that the contact remembers: the first numbers of its history.
    pub spring: [f64; D],
}

/// A particle that touches a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallTouch<const D: usize> {
    /// Id of the particle.
    pub id: u32,
    /// Its place in the state.
    pub place: u32,
    /// Number of the wall.
    pub wall: usize,
    /// Unit vector from the particle to the wall.
    pub normal: [f64; D],
    /// How deep they overlap.
    pub overlap: f64,
    /// Force on the particle.
    pub force: [f64; D],
    /// Tangential displacement that the contact remembers: the first numbers of its history.
    pub spring: [f64; D],
}

/// How deep particles overlap each other and walls. Pairs of which nothing can move are left out.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Overlaps {
    /// Number of contacts, those with walls included.
    pub count: usize,
    /// The largest overlap as a share of the smaller radius, with a wall of the only one.
    pub largest: f64,
    /// Ids of those that overlap most; no second one if it is a wall.
    pub ids: Option<(u32, Option<u32>)>,
}

impl Overlaps {
    fn add(&mut self, share: f64, ids: (u32, Option<u32>)) {
        self.count += 1;
        // The lower ids of equals, in whatever order contacts come.
        if share > self.largest || (share == self.largest && self.ids.is_some_and(|known| ids < known)) {
            (self.largest, self.ids) = (share, Some(ids));
        }
    }
}

/// Energies of a simulation. What held particles have is left out: it cannot be had from them.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Energies {
    /// Of the motion of centers.
    pub translational: f64,
    /// Of turning.
    pub rotational: f64,
    /// Stored in contacts, walls included.
    pub elastic: f64,
    /// Of weight, from the origin up; along periodic axes by the way travelled.
    pub gravitational: f64,
}

impl Energies {
    /// All of it.
    pub fn total(&self) -> f64 {
        self.translational + self.rotational + self.elastic + self.gravitational
    }

    /// All motion.
    pub fn kinetic(&self) -> f64 {
        self.translational + self.rotational
    }
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Corners of the particles in these places where they are now, none of those that are round; nothing where all of them are.
    pub fn outlines(&self, places: &[usize]) -> Option<Vec<Vec<[f64; D]>>> {
        let corners = |&place: &usize| -> Vec<[f64; D]> {
            let polygon = self.polygon(place);
            let corners = polygon.iter().flat_map(|polygon| polygon.corners().collect::<Vec<_>>());
            corners.map(|[x, y]| std::array::from_fn(|axis| if axis == 0 { x } else { y })).collect()
        };
        let has_polygons = places.iter().any(|&place| self.state.shape(place).is_some());
        has_polygons.then(|| places.iter().map(corners).collect())
    }

    /// Every contact between particles, sorted by ids and image, with the force that it has now.
    pub fn contacts(&self) -> Vec<Contact<D>> {
        let mut all = Vec::with_capacity(self.contact_count());
        self.visit_contacts(|touching, point, force, spring| {
            if let Entry::Particle(second) = touching.other {
                let places = [touching.place as u32, second];
                all.push(Contact {
                    ids: places.map(|place| self.state.ids[place as usize]),
                    places,
                    shift: touching.shift,
                    normal: point.normal,
                    overlap: -point.gap,
                    force,
                    spring,
                });
            }
        });
        all.sort_by_key(|contact| (contact.ids, contact.shift));
        all
    }

    /// Every contact with a wall, sorted by id and wall, with the force that it has now.
    pub fn wall_contacts(&self) -> Vec<WallTouch<D>> {
        let mut all = Vec::new();
        self.visit_contacts(|touching, point, force, spring| {
            if let Entry::Face(face) = touching.other {
                all.push(WallTouch {
                    id: self.state.ids[touching.place],
                    place: touching.place as u32,
                    wall: self.obstacles.surface(face).wall,
                    normal: point.normal,
                    overlap: -point.gap,
                    force: scale(force, -1.0),
                    spring,
                });
            }
        });
        all.sort_by_key(|touch| (touch.id, touch.wall));
        all
    }

    /// Shows every contact once: the point where bodies meet now, the force on the second body, or on the wall, and the first
    /// numbers that it remembers.
    fn visit_contacts(&self, mut visit: impl FnMut(&Touching<'_, D>, &Point<D>, [f64; D], [f64; D])) {
        let bodies = self.bodies();
        self.contacts.visit(&self.candidates, &self.state, |touching| {
            let (seen, law) = touching.look(&bodies);
            let (mut history, remembers) = ([0.0; MAX_HISTORY], law.history());
            history[..remembers].copy_from_slice(&touching.history[..remembers]);
            let spring = spring(&history[..remembers]);
            let force = seen.act(law, &mut history, 0.0).force;
            visit(&touching, &seen.point, force, spring);
        });
    }

    /// What contacts look at, with nothing that grows.
    fn bodies(&self) -> Bodies<'_, D> {
        Bodies {
            state: &self.state,
            shapes: &self.setup.physics.shapes,
            obstacles: &self.obstacles,
            laws: &self.laws,
            lengths: self.setup.physics.domain.lengths(),
            grows: Growth { integrator: Default::default(), time: 0.0, turns: self.laws.turns() },
        }
    }

    /// The polygon in this place, where it is and turned as it is now; `None` for spheres and discs.
    pub fn polygon(&self, place: usize) -> Option<Placed<'_>> {
        let shape = &self.setup.physics.shapes[self.state.shape(place)? as usize];
        Some(shape.at(self.bodies().frame(place)?))
    }

    /// Force of all grains on each wall now.
    pub fn wall_forces(&self) -> Vec<[f64; D]> {
        let mut sums = vec![[0.0; D]; self.setup.physics.walls.len()];
        for touch in self.wall_contacts() {
            sums[touch.wall] = sub(sums[touch.wall], touch.force);
        }
        sums
    }

    /// Torque of all grains on each wall now, about the point that it turns about: the origin where none was given.
    pub fn wall_torques(&self) -> Vec<Spin> {
        let walls = self.walls();
        let mut sums = vec![[0.0; 3]; walls.len()];
        for touch in self.wall_contacts() {
            let place = touch.place as usize;
            let point = add_scaled(self.state.positions[place], touch.normal, self.state.radii[place] - touch.overlap);
            let on_wall = torque(sub(point, walls[touch.wall].about), scale(touch.force, -1.0));
            sums[touch.wall] = add(sums[touch.wall], on_wall);
        }
        sums
    }

    /// Particles whose center lies behind a plane, or outside a box or cylinder, with the number of that wall; sorted by id.
    pub fn behind_walls(&self) -> Vec<(u32, usize)> {
        let mut all = Vec::new();
        for (number, wall) in self.walls().iter().enumerate() {
            let behind = self.state.positions.iter().zip(&self.state.ids).filter(|(x, _)| wall.shape.is_behind(**x));
            all.extend(behind.map(|(_, &id)| (id, number)));
        }
        all.sort_unstable();
        all
    }

    /// Number of contacts between particles.
    pub fn contact_count(&self) -> usize {
        self.contacts.count(&self.candidates)
    }

    /// How deep particles overlap now.
    pub fn overlaps(&self) -> Overlaps {
        let (state, bodies) = (&self.state, self.bodies());
        let mut overlaps = Overlaps::default();
        self.contacts.visit(&self.candidates, state, |touching| {
            let place = touching.place;
            let point = touching.look(&bodies).0.point;
            match touching.other {
                Entry::Particle(second) => {
                    let second = second as usize;
                    if !(state.is_held(place) && state.is_held(second)) {
                        let share = -point.gap / state.radii[place].min(state.radii[second]);
                        overlaps.add(share, (state.ids[place], Some(state.ids[second])));
                    }
                }
                Entry::Face(_) if state.is_held(place) => {}
                Entry::Face(_) => overlaps.add(-point.gap / state.radii[place], (state.ids[place], None)),
            }
        });
        overlaps
    }

    /// Energies now. Sums are exact before they are rounded, so that no order shows.
    pub fn energies(&self) -> Energies {
        let (state, physics) = (&self.state, &self.setup.physics);
        let lengths = physics.domain.lengths();
        let mut sums: [ExactSum; 3] = Default::default();
        for place in self.free_places() {
            let (mass, velocity, spin) = (state.masses[place], state.velocities[place], state.spins[place]);
            let mut travelled = state.positions[place];
            if let Some(periods) = state.periods.get(place) {
                travelled = std::array::from_fn(|axis| travelled[axis] + f64::from(periods[axis]) * lengths[axis]);
            }
            sums[0].add(0.5 * mass * dot(velocity, velocity));
            sums[1].add(0.5 * state.inertia(place) * dot(spin, spin));
            sums[2].add(-mass * dot(physics.gravity, travelled));
        }
        let [translational, rotational, gravitational] = sums.map(|sum| sum.value());
        let elastic = self.stored(|law, seen, history| seen.energy(law, history));
        Energies { translational, rotational, elastic, gravitational }
    }

    /// Places of the particles that are not held.
    fn free_places(&self) -> impl Iterator<Item = usize> {
        (0..self.state.len()).filter(|&place| !self.state.is_held(place))
    }

    /// What all contacts store.
    fn stored(&self, energy: impl Fn(&dyn Law<D>, &Seen<D>, &[f64]) -> f64) -> f64 {
        let (state, bodies) = (&self.state, self.bodies());
        let mut sum = ExactSum::default();
        self.contacts.visit(&self.candidates, state, |touching| {
            let (seen, law) = touching.look(&bodies);
            sum.add(energy(law, &seen, touching.history));
        });
        sum.value()
    }

    /// Energy that dashpots and sliding friction have taken so far. With [`energies`](Self::energies) it makes up what a closed
    /// system had at the start, as closely as the time step allows; where walls move, they add [`wall_work`](Self::wall_work).
    pub fn dissipated(&self) -> f64 {
        let springs = self.stored(|law, seen, history| law.remembered_energy(&seen.point, &history[..law.history()]));
        self.with_gone(0, &self.state.lost) - springs
    }

    /// Energy that moving walls, and surfaces that carry or turn, have given to grains so far.
    pub fn wall_work(&self) -> f64 {
        self.with_gone(1, &self.state.given)
    }

    /// The sum of a column and of what particles that are gone had in it.
    fn with_gone(&self, number: usize, column: &[f64]) -> f64 {
        let mut sum = self.gone[number].clone();
        sum.extend(column.iter().copied());
        sum.value()
    }

    /// Momentum of all particles that are not held.
    pub fn momentum(&self) -> [f64; D] {
        self.sum_of_free(|place| scale(self.state.velocities[place], self.state.masses[place]))
    }

    /// Angular momentum about the origin of all particles that are not held, their spin included.
    pub fn angular_momentum(&self) -> Spin {
        let state = &self.state;
        self.sum_of_free(|place| {
            let of_center = torque(state.positions[place], scale(state.velocities[place], state.masses[place]));
            add_scaled(of_center, state.spins[place], state.inertia(place))
        })
    }

    fn sum_of_free<const N: usize>(&self, of_particle: impl Fn(usize) -> [f64; N]) -> [f64; N] {
        let mut sums: [ExactSum; N] = std::array::from_fn(|_| ExactSum::default());
        for place in self.free_places() {
            sums.iter_mut().zip(of_particle(place)).for_each(|(sum, number)| sum.add(number));
        }
        sums.map(|sum| sum.value())
    }
}

/// The first numbers of a history.
fn spring<const D: usize>(history: &[f64]) -> [f64; D] {
    std::array::from_fn(|k| history.get(k).copied().unwrap_or(0.0))
}
