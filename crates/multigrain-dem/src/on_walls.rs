//! What grains do to walls in a step: forces that servos follow, and wear.

use crate::codec::stream::{Sink, Source};
use crate::codec::{read_list, write_list};
use crate::contacts::Entry;
use crate::exact_sum::ExactSum;
use crate::felt::{Felt, Worn};
use crate::simulation::Simulation;
use crate::vector::{add_scaled, dot, length, scale, sub, turned};
use crate::walls::{Drive, Servo, Steering, Wall};
use multigrain::{Axes, Dimension};

/// What walls remember.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct OnWalls {
    /// Of every servo, in the order of walls.
    pub steering: Vec<Steering>,
    /// Volume that each face has lost; empty where no wall wears off.
    pub worn: Vec<f64>,
}

impl OnWalls {
    /// Of walls with this many faces, as they begin.
    pub fn new<const D: usize>(walls: &[Wall<D>], faces: usize) -> Self {
        let wears = walls.iter().any(|wall| wall.wear.is_some());
        Self {
            steering: vec![Steering::default(); servos(walls).count()],
            worn: vec![0.0; if wears { faces } else { 0 }],
        }
    }

    /// The same after other walls have come: servos of walls that are what they were, and faces that are `again` others.
    pub fn handed_on<const D: usize>(
        &self,
        [before, now]: [&[Wall<D>]; 2],
        faces: usize,
        again: &[Option<u32>],
    ) -> Self {
        let mut new = Self::new(now, faces);
        for (steering, (wall, _)) in new.steering.iter_mut().zip(servos(now)) {
            let same = servos(before).zip(&self.steering).find(|((old, _), _)| *old == wall);
            *steering = same.map_or(*steering, |(_, known)| *known);
        }
        for (&worn, face) in self.worn.iter().zip(again) {
            if let Some(place) = face.and_then(|face| new.worn.get_mut(face as usize)) {
                *place = worn;
            }
        }
        new
    }

    pub fn write(&self, out: &mut Sink<'_>) {
        let numbers: Vec<f64> = self.steering.iter().flat_map(|s| [s.offset, s.speed, s.force]).collect();
        write_list(&numbers, out);
        write_list(&self.worn, out);
    }

    /// Reads what must be as long as what is there.
    pub fn read(&mut self, input: &mut Source<'_>) -> Option<()> {
        let numbers: Vec<f64> = read_list(input)?;
        let worn: Vec<f64> = read_list(input)?;
        if numbers.len() != 3 * self.steering.len() || worn.len() != self.worn.len() {
            return None;
        }
        for (steering, numbers) in self.steering.iter_mut().zip(numbers.as_chunks::<3>().0) {
            let &[offset, speed, force] = numbers;
            *steering = Steering { offset, speed, force };
        }
        self.worn = worn;
        Some(())
    }
}

/// Walls that servos steer.
fn servos<const D: usize>(walls: &[Wall<D>]) -> impl Iterator<Item = (&Wall<D>, &Servo<D>)> {
    walls.iter().filter_map(|wall| match &wall.drive {
        Drive::Servo(servo) => Some((wall, servo)),
        _ => None,
    })
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Moves the walls of servos on by a step.
    pub(crate) fn steer(&mut self) {
        let step = self.time_step;
        self.on_walls.steering.iter_mut().for_each(|steering| steering.offset += step * steering.speed);
    }

    /// What contacts do to walls: force and mass for every servo, and over `time` what faces lose. The sums do not depend on the order of
    /// particles.
    pub(crate) fn felt_by_walls(&self, time: f64) -> (Vec<ExactSum>, Option<Vec<Worn>>) {
        let wears = !self.on_walls.worn.is_empty();
        if self.on_walls.steering.is_empty() && !wears {
            return (Vec::new(), None);
        }
        let walls = &self.setup.physics.walls;
        let mut number = 0;
        let servo_of: Vec<Option<(usize, [f64; D])>> = (walls.iter())
            .map(|wall| match &wall.drive {
                Drive::Servo(servo) => {
                    number += 1;
                    Some((number - 1, servo.unit()))
                }
                _ => None,
            })
            .collect();
        let mut sums = vec![ExactSum::default(); 2 * self.on_walls.steering.len()];
        let mut worn = Vec::new();
        let (state, obstacles) = (&self.state, &self.obstacles);
        for (b, block) in self.contacts.blocks.iter().enumerate() {
            let rows = &self.candidates.blocks[b];
            for (k, row) in block.rows.windows(2).enumerate() {
                let place = (b << self.candidates.bits) + k;
                for contact in row[0] as usize..row[1] as usize {
                    let Entry::Face(face) = rows.entry(block.slots[contact] as usize) else { break };
                    let (surface, force) = (obstacles.surface(face), block.effects[contact].force());
                    let (servo, wear) = (servo_of[surface.wall], walls[surface.wall].wear.filter(|_| time > 0.0));
                    if servo.is_none() && wear.is_none() {
                        continue;
                    }
                    let (x, radius) = (state.positions[place], state.radii[place]);
                    if let Some((servo, direction)) = servo {
                        sums[2 * servo].add(-dot(force, direction));
                        // Members have no mass of their own.
                        let clump = self.clump_of(place);
                        sums[2 * servo + 1].add(clump.map_or(state.masses[place], |clump| clump.mass));
                    }
                    if let Some(wear) = wear {
                        let touch = obstacles.touch(face, x, radius);
                        let push = dot(force, touch.normal).abs();
                        let there = surface.velocity_at(add_scaled(x, touch.normal, radius - touch.overlap));
                        let velocity = sub(there, state.velocities[place]);
                        let along = add_scaled(velocity, touch.normal, -dot(velocity, touch.normal));
                        let rolling = scale(state.spins[place], radius - 0.5 * touch.overlap);
                        let sliding = length(sub(along, turned(rolling, touch.normal)));
                        let volume = wear.coefficient / wear.hardness * push * sliding * time;
                        worn.push(Worn { face, id: state.ids[place], volume });
                    }
                }
            }
        }
        (sums, wears.then_some(worn))
    }

    /// Lets servos choose their speeds, and faces wear off.
    pub(crate) fn steer_by(&mut self, felt: &Felt<D>) {
        let mut worn = felt.worn.clone().unwrap_or_default();
        worn.sort_unstable_by_key(|worn| (worn.face, worn.id));
        worn.iter().for_each(|worn| self.on_walls.worn[worn.face as usize] += worn.volume);
        let (walls, sums) = (&self.setup.physics.walls, felt.sums.as_chunks().0);
        for ((steering, sums), (_, servo)) in self.on_walls.steering.iter_mut().zip(sums).zip(servos(walls)) {
            let [force, mass] = sums.each_ref().map(ExactSum::value);
            steering.force = force;
            steering.speed = servo.speed(steering.speed, force, mass, self.time_step);
        }
    }

    /// All walls as they stand now.
    pub fn walls(&self) -> Vec<Wall<D>> {
        let mut steering = self.on_walls.steering.iter();
        let place = |wall: &Wall<D>| match wall.drive {
            Drive::Servo(_) => {
                let steered = steering.next().copied().unwrap_or_default();
                wall.placed(&wall.moment(self.time(), steered))
            }
            _ => wall.at(self.time()),
        };
        self.setup.physics.walls.iter().map(place).collect()
    }

    /// How far every wall is shifted from where it was put.
    pub fn wall_shifts(&self) -> Vec<[f64; D]> {
        let walls = self.setup.physics.walls.iter();
        walls.zip(self.walls()).map(|(put, now)| sub(now.about, put.about)).collect()
    }

    /// Volume that each wall has lost by wear so far.
    pub fn wall_wear(&self) -> Vec<f64> {
        let mut sums: Vec<ExactSum> = self.setup.physics.walls.iter().map(|_| Default::default()).collect();
        for (face, &worn) in (0..).zip(&self.on_walls.worn) {
            sums[self.obstacles.surface(face).wall].add(worn);
        }
        sums.iter().map(ExactSum::value).collect()
    }

    /// Volume that each face of a wall has lost by wear so far, in the order of its faces; nothing where no wall wears off.
    pub fn face_wear(&self, wall: usize) -> Vec<f64> {
        let worn = (0..).zip(&self.on_walls.worn);
        worn.filter(|&(face, _)| self.obstacles.surface(face).wall == wall).map(|(_, &worn)| worn).collect()
    }
}
