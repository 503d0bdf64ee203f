//! What there is to see of a simulation: contacts, outlines, walls.

use crate::compiled;
use crate::contacts::{Bodies, Entry, Growth, Touching};
use crate::exact_sum::ExactSum;
use crate::laws::{MAX_HISTORY, Point};
use crate::simulation::Simulation;
use crate::summary;
use crate::vector::{Spin, add_scaled, scale, sub, torque};
use multigrain::{Axes, Dimension};
use multigrain_polygons::Placed;

/// Two particles that touch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact<const D: usize> {
    /// Ids of both, the lower first.
    pub ids: [u64; 2],
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

impl<const D: usize> Contact<D> {
    /// The same seen from the lower id: of a contact with a giant, that may be the giant.
    fn lower_first(self) -> Self {
        let ([i, j], [a, b]) = (self.ids, self.places);
        if i <= j {
            return self;
        }
        let back = |vector: [f64; D]| vector.map(|component| -component);
        Self {
            ids: [j, i],
            places: [b, a],
            shift: self.shift.map(|periods| -periods),
            normal: back(self.normal),
            overlap: self.overlap,
            force: back(self.force),
            spring: back(self.spring),
        }
    }
}

/// A particle that touches a wall.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WallTouch<const D: usize> {
    /// Id of the particle.
    pub id: u64,
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
    pub ids: Option<(u64, Option<u64>)>,
}

impl Overlaps {
    fn add(&mut self, share: f64, ids: (u64, Option<u64>)) {
        self.count += 1;
        // The lower ids of equals, in whatever order contacts come.
        if share > self.largest || (share == self.largest && self.ids.is_some_and(|known| ids < known)) {
            (self.largest, self.ids) = (share, Some(ids));
        }
    }
}

/// What a contact does.
pub(crate) struct Acts<const D: usize> {
    /// Where bodies meet.
    pub point: Point<D>,
    /// From the centers of both to where the force acts; of a wall nothing.
    pub arms: [[f64; D]; 2],
    /// Force on the second body, or on the wall.
    pub force: [f64; D],
    /// The first numbers that it remembers.
    pub spring: [f64; D],
    /// The largest stress in a bond over what it bears, if one holds.
    pub bond_load: Option<f64>,
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
        compiled::contacts(self)
    }

    pub(crate) fn contacts_here(&self) -> Vec<Contact<D>> {
        let mut all = Vec::with_capacity(self.contact_count());
        self.visit_contacts(|touching, acts| {
            let Acts { point, force, spring, .. } = acts;
            if let Entry::Particle(second) = touching.other {
                let places = [touching.place as u32, second];
                let contact = Contact {
                    ids: places.map(|place| self.state.ids[place as usize]),
                    places,
                    shift: touching.shift,
                    normal: point.normal,
                    overlap: -point.gap,
                    force,
                    spring,
                };
                all.push(contact.lower_first());
            }
        });
        all.sort_by_key(|contact| (contact.ids, contact.shift));
        all
    }

    /// Every contact with a wall, sorted by id and wall, with the force that it has now.
    pub fn wall_contacts(&self) -> Vec<WallTouch<D>> {
        compiled::wall_contacts(self)
    }

    pub(crate) fn wall_contacts_here(&self) -> Vec<WallTouch<D>> {
        let mut all = Vec::new();
        self.visit_contacts(|touching, acts| {
            let Acts { point, force, spring, .. } = acts;
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

    /// Shows every contact once, and what it does now.
    pub(crate) fn visit_contacts(&self, mut visit: impl FnMut(&Touching<'_, D>, Acts<D>)) {
        let bodies = self.bodies();
        self.contacts.visit(0..self.state.own(), &self.candidates, &self.state, |touching| {
            let (seen, law) = touching.look(&bodies);
            if !seen.is_there(law, touching.history) {
                return;
            }
            let (mut history, remembers) = ([0.0; MAX_HISTORY], law.history());
            history[..remembers].copy_from_slice(&touching.history[..remembers]);
            let spring = spring(&history[..remembers]);
            let bond_load = law.bond_load(&seen.point, &history[..remembers]);
            let force = seen.act(law, &mut history, 0.0).force;
            visit(&touching, Acts { point: seen.point, arms: seen.arms, force, spring, bond_load });
        });
    }

    /// What contacts look at, with nothing that grows.
    pub(crate) fn bodies(&self) -> Bodies<'_, D> {
        Bodies {
            state: &self.state,
            shapes: &self.setup.physics.shapes,
            obstacles: &self.obstacles,
            laws: &self.laws,
            space: &self.space,
            grows: Growth::new(Default::default(), 0.0, &self.laws),
        }
    }

    /// The polygon in this place, where it is and turned as it is now; `None` for spheres and discs.
    pub fn polygon(&self, place: usize) -> Option<Placed<'_>> {
        let shape = &self.setup.physics.shapes[self.state.shape(place)? as usize];
        Some(shape.at(self.bodies().frame(place)?))
    }

    /// Force of all grains on each wall now.
    pub fn wall_forces(&self) -> Vec<[f64; D]> {
        summary::wall_forces(&self.wall_sums())
    }

    /// Torque of all grains on each wall now, about the point that it turns about: the origin where none was given.
    pub fn wall_torques(&self) -> Vec<Spin> {
        summary::wall_torques::<D>(&self.wall_sums())
    }

    /// Of each wall force and torque on it by own particles: exact, so that no order shows.
    pub(crate) fn wall_sums(&self) -> Vec<ExactSum> {
        let walls = self.walls();
        let mut sums = vec![ExactSum::default(); (D + 3) * walls.len()];
        self.visit_contacts(|touching, Acts { point, force, .. }| {
            let Entry::Face(face) = touching.other else { return };
            let (number, place) = (self.obstacles.surface(face).wall, touching.place);
            let there = add_scaled(self.state.positions[place], point.normal, self.state.radii[place] + point.gap);
            let turning = torque(sub(there, walls[number].about), force);
            let of_wall = &mut sums[(D + 3) * number..][..D + 3];
            of_wall.iter_mut().zip(force.iter().chain(&turning)).for_each(|(sum, &number)| sum.add(number));
        });
        sums
    }

    /// Particles whose center lies behind a plane, or outside a box or cylinder, with the number of that wall; sorted by id.
    pub fn behind_walls(&self) -> Vec<(u64, usize)> {
        let mut all = Vec::new();
        for (number, wall) in self.walls().iter().enumerate() {
            let behind = self
                .state
                .positions
                .iter()
                .zip(&self.state.ids)
                .take(self.state.own())
                .filter(|(x, _)| wall.shape.is_behind(**x));
            all.extend(behind.map(|(_, &id)| (id, number)));
        }
        all.sort_unstable();
        all
    }

    /// Number of contacts between particles; with a guest only where the guest has the higher id.
    pub fn contact_count(&self) -> usize {
        if !self.laws.reaches() {
            return self.contacts.count(&self.candidates, self.state.own());
        }
        let (bodies, mut count) = (self.bodies(), 0);
        self.contacts.visit(0..self.state.own(), &self.candidates, &self.state, |touching| {
            let (seen, law) = touching.look(&bodies);
            count += usize::from(matches!(touching.other, Entry::Particle(_)) && seen.is_there(law, touching.history));
        });
        count
    }

    /// How deep particles overlap now.
    pub fn overlaps(&self) -> Overlaps {
        compiled::overlaps(self)
    }

    pub(crate) fn overlaps_here(&self) -> Overlaps {
        let (state, bodies) = (&self.state, self.bodies());
        let mut overlaps = Overlaps::default();
        self.contacts.visit(0..state.own(), &self.candidates, state, |touching| {
            let place = touching.place;
            let (seen, law) = touching.look(&bodies);
            let point = seen.point;
            if point.gap > 0.0 && !seen.is_there(law, touching.history) {
                return;
            }
            match touching.other {
                Entry::Particle(second) => {
                    let second = second as usize;
                    if !(state.is_held(place) && state.is_held(second)) {
                        let share = -point.gap / state.radii[place].min(state.radii[second]);
                        let (a, b) = (state.ids[place], state.ids[second]);
                        overlaps.add(share, (a.min(b), Some(a.max(b))));
                    }
                }
                Entry::Face(_) if state.is_held(place) => {}
                Entry::Face(_) => overlaps.add(-point.gap / state.radii[place], (state.ids[place], None)),
            }
        });
        overlaps
    }
}

/// The first numbers of a history.
fn spring<const D: usize>(history: &[f64]) -> [f64; D] {
    std::array::from_fn(|k| history.get(k).copied().unwrap_or(0.0))
}
