//! A polygon simulation: it owns the bodies and takes time steps.

use super::body::{Drive, PolygonBody};
use super::candidates::{Outlines, Search};
use super::contacts::{Load, Met, Near, NearPairs, PolygonContact};
use super::law::{Meeting, Spring, push};
use super::motion::{Motion, PolygonIntegrator};
use super::setup::PolygonSetup;
use crate::error::{Cause, Error};
use multigrain::Pairs;
use multigrain_polygons::{Contact, ConvexPolygon, Extremes, Frame, Placed, closest_features, overlap};
use rayon::prelude::*;

/// Bodies and pairs are cut into blocks of this many, whatever the number of threads.
const BLOCK: usize = 128;

/// Convex polygons on their way.
pub struct PolygonSimulation {
    pub(super) setup: PolygonSetup,
    pub(super) dt: f64,
    pub(super) steps: u64,
    pub(super) bodies: Vec<Body>,
    radii: Vec<f64>,
    centers: Vec<[f64; 2]>,
    lo: Vec<[f64; 2]>,
    hi: Vec<[f64; 2]>,
    search: Search,
    candidates: Pairs<2>,
    pub(super) near: NearPairs,
    /// Exchanges of all steps.
    pub(super) exchanged: u64,
}

/// One body: shape and inertia, which stay, and motion.
#[derive(Debug, Clone)]
pub(super) struct Body {
    pub(super) shape: ConvexPolygon,
    /// Where it started.
    pub(super) start: Frame,
    pub(super) frame: Frame,
    pub(super) drive: Option<Drive>,
    mass: f64,
    inertia: f64,
    /// Radius of the disc of the same area.
    size: f64,
    pub(super) motion: Motion,
    extremes: Extremes,
}

/// Energies of all grains together.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct PolygonEnergies {
    /// Of motion.
    pub kinetic: f64,
    /// Of turning.
    pub rotational: f64,
    /// In the field of gravity, with 0 at the origin.
    pub potential: f64,
}

impl PolygonSimulation {
    pub(super) fn new(setup: PolygonSetup, bodies: Vec<PolygonBody>, dt: f64) -> Result<Self, Error> {
        for (k, body) in bodies.iter().enumerate() {
            let numbers = [body.velocity[0], body.velocity[1], body.spin];
            if let Some(&value) = numbers.iter().find(|value| !value.is_finite()) {
                return Err(Error::Parameter { what: format!("velocity of body {k}"), value, must: "must be finite" });
            }
        }
        let count = bodies.len();
        let radii = bodies.iter().map(|body| body.shape.radius() * (1.0 + 1e-9)).collect();
        let bodies = bodies.into_iter().map(|body| Body::new(body, &setup)).collect();
        let search = Search::new(setup.search);
        let mut simulation = Self {
            setup,
            dt,
            steps: 0,
            bodies,
            radii,
            centers: vec![[0.0; 2]; count],
            lo: vec![[0.0; 2]; count],
            hi: vec![[0.0; 2]; count],
            search,
            candidates: Pairs::new(),
            near: NearPairs::default(),
            exchanged: 0,
        };
        // Forces of the start, so that the first step knows its accelerations.
        simulation.draw_outlines();
        simulation.find_contacts()?;
        let (near, gravity) = (&simulation.near, simulation.setup.gravity);
        for (k, body) in simulation.bodies.iter_mut().enumerate() {
            body.motion.acceleration = body.acceleration(near.load_on(k), gravity);
        }
        Ok(simulation)
    }

    /// Takes one time step.
    pub fn step(&mut self) -> Result<(), Error> {
        let (integrator, dt, time) = (self.setup.integrator, self.dt, self.time() + self.dt);
        let outlines = (&mut self.centers, &mut self.lo, &mut self.hi).into_par_iter();
        let bodies = self.bodies.par_iter_mut().zip(outlines).with_min_len(BLOCK).with_max_len(BLOCK).enumerate();
        // All of them move, whoever is lost: the state after an error is the same for any number of threads.
        let lost = bodies.filter_map(|(k, (body, outline))| {
            if body.advance(integrator, time, dt).is_none() {
                return Some(k);
            }
            body.draw(outline);
            None
        });
        let lost = lost.min();
        self.steps += 1;
        if let Some(k) = lost {
            return Err(self.lost(k));
        }
        self.find_contacts()?;
        self.exchanged += self.exchanges().unwrap_or(0);
        let (near, gravity) = (&self.near, self.setup.gravity);
        self.bodies.par_iter_mut().enumerate().with_min_len(BLOCK).with_max_len(BLOCK).for_each(|(k, body)| {
            if body.drive.is_none() {
                let acceleration = body.acceleration(near.load_on(k), gravity);
                body.motion.correct(integrator, acceleration, dt);
            }
        });
        Ok(())
    }

    /// Steps taken since the start.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Takes this many time steps.
    pub fn run(&mut self, steps: u64) -> Result<(), Error> {
        (0..steps).try_for_each(|_| self.step())
    }

    /// Number of bodies, walls included.
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there are no bodies.
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// A body in its place, as forces have seen it last.
    pub fn body(&self, index: usize) -> Placed<'_> {
        self.bodies[index].placed()
    }

    /// Whether a body is a wall.
    pub fn is_wall(&self, index: usize) -> bool {
        self.bodies[index].drive.is_some()
    }

    /// Velocity of a body's centroid and its angular velocity.
    pub fn velocity(&self, index: usize) -> ([f64; 2], f64) {
        let [x, y, spin] = self.bodies[index].motion.velocity;
        ([x, y], spin)
    }

    /// Mass of a body; of a wall, what it would have as a grain.
    pub fn mass(&self, index: usize) -> f64 {
        self.bodies[index].mass
    }

    /// The time step.
    pub fn time_step(&self) -> f64 {
        self.dt
    }

    /// How long the shortest contact lasts that grains here can have; nothing without grains.
    pub fn shortest_contact(&self) -> Option<f64> {
        let grains = self.bodies.iter().filter(|body| body.drive.is_none());
        self.setup.shortest_contact(grains.map(|body| body.shape.area()))
    }

    /// Time since the start.
    pub fn time(&self) -> f64 {
        self.steps as f64 * self.dt
    }

    /// Pairs of bodies that push each other, sorted by their indices.
    pub fn contacts(&self) -> impl Iterator<Item = PolygonContact> + '_ {
        let mut polygon = Vec::new();
        let pairs = self.near.now.iter().zip(&self.near.met).filter(|(_, met)| met.overlaps);
        pairs.filter_map(move |(near, met)| {
            let [a, b] = near.bodies.map(|k| self.body(k as usize));
            let overlap = overlap(&a, &b, &near.features, &mut polygon)?;
            Some(PolygonContact { bodies: near.bodies, overlap, force: met.force, slip: near.slip })
        })
    }

    /// Number of pairs that push each other.
    pub fn contact_count(&self) -> usize {
        self.near.met.iter().filter(|met| met.overlaps).count()
    }

    /// Number of pairs whose bounding boxes and circles overlap.
    pub fn candidate_count(&self) -> usize {
        self.near.now.len()
    }

    /// Exchanges that sort-and-update made in the last step; nothing with another search.
    pub fn exchanges(&self) -> Option<u64> {
        self.search.exchanges()
    }

    /// Exchanges that sort-and-update made in all steps together; 0 with another search.
    pub fn total_exchanges(&self) -> u64 {
        self.exchanged
    }

    /// Pairs of features looked at in the last step, over all candidates.
    pub fn feature_steps(&self) -> u64 {
        self.near.met.iter().map(|met| u64::from(met.steps)).sum()
    }

    /// Energies of all grains together. What contacts store is not among them.
    pub fn energies(&self) -> PolygonEnergies {
        let mut sum = PolygonEnergies::default();
        for body in self.bodies.iter().filter(|body| body.drive.is_none()) {
            let [x, y, spin] = body.motion.velocity;
            let [height_x, height_y, _] = body.motion.place;
            sum.kinetic += 0.5 * body.mass * (x * x + y * y);
            sum.rotational += 0.5 * body.inertia * spin * spin;
            sum.potential -= body.mass * (self.setup.gravity[0] * height_x + self.setup.gravity[1] * height_y);
        }
        sum
    }

    /// Momentum along x and y of all grains, and their angular momentum around the origin.
    pub fn momentum(&self) -> [f64; 3] {
        let mut sum = [0.0; 3];
        for body in self.bodies.iter().filter(|body| body.drive.is_none()) {
            let ([x, y, spin], [px, py, _]) = (body.motion.velocity, body.motion.place);
            sum[0] += body.mass * x;
            sum[1] += body.mass * y;
            sum[2] += body.mass * (px * y - py * x) + body.inertia * spin;
        }
        sum
    }

    /// Centers and boxes of all bodies.
    fn draw_outlines(&mut self) {
        let corners = self.lo.iter_mut().zip(&mut self.hi);
        let outlines = self.centers.iter_mut().zip(corners).map(|(center, (lo, hi))| (center, lo, hi));
        self.bodies.iter_mut().zip(outlines).for_each(|(body, outline)| body.draw(outline));
    }

    /// Lets the search for candidates see bodies that were put elsewhere, so that the next step is but a step for it.
    pub(super) fn show_search(&mut self) -> Result<(), Error> {
        self.draw_outlines();
        let outlines = Outlines::new(&self.centers, &self.radii, &self.lo, &self.hi)?;
        self.search.find(&outlines, &mut self.candidates)
    }

    /// Candidates, closest features and forces.
    fn find_contacts(&mut self) -> Result<(), Error> {
        let outlines = Outlines::new(&self.centers, &self.radii, &self.lo, &self.hi)?;
        self.search.find(&outlines, &mut self.candidates)?;
        let (bodies, setup, dt) = (&self.bodies, &self.setup, self.dt);
        let is_grain = |k: u32| bodies[k as usize].drive.is_none();
        let is_wanted = |[i, j]: [u32; 2]| (is_grain(i) || is_grain(j)) && outlines.overlap([i, j]);
        self.near.carry_over(bodies.len(), self.candidates.as_slice(), is_wanted);
        let NearPairs { now, met, loads, .. } = &mut self.near;
        let found = met.par_chunks_mut(BLOCK).zip(loads.par_chunks_mut(BLOCK));
        now.par_chunks_mut(BLOCK).zip(found).with_max_len(1).for_each_init(Vec::new, |polygon, (now, (met, loads))| {
            for (near, (met, loads)) in now.iter_mut().zip(met.iter_mut().zip(loads)) {
                let [a, b] = near.bodies.map(|k| &bodies[k as usize]);
                (*met, *loads) = meet(near, a, b, setup, dt, polygon);
            }
        });
        Ok(())
    }

    fn lost(&self, k: usize) -> Error {
        let body = &self.bodies[k];
        let is_finite = body.motion.place.iter().all(|number| number.is_finite());
        let cause = if is_finite { Cause::TooFar } else { Cause::NotFinite };
        // Its frame is still that of the step before.
        Error::Lost { id: k as u32, step: self.steps, position: body.frame.position().to_vec(), cause }
    }
}

impl Body {
    fn new(body: PolygonBody, setup: &PolygonSetup) -> Self {
        let PolygonBody { shape, frame, velocity: [vx, vy], spin, drive } = body;
        let [x, y] = frame.position();
        let velocity = match drive {
            None => [vx, vy, spin],
            Some(drive) => {
                let [vx, vy] = drive.velocity_at([x, y], 0.0);
                [vx, vy, drive.spin]
            }
        };
        let density = setup.material.density;
        Self {
            mass: density * shape.area(),
            inertia: density * shape.inertia(),
            size: (shape.area() / std::f64::consts::PI).sqrt(),
            motion: Motion::new([x, y, frame.angle()], velocity, [0.0; 3]),
            shape,
            start: frame,
            frame,
            drive,
            extremes: Extremes::default(),
        }
    }

    fn placed(&self) -> Placed<'_> {
        self.shape.at(self.frame)
    }

    /// Goes to where it will be at `time`, after a step of `dt`; nothing if that is nowhere.
    fn advance(&mut self, integrator: PolygonIntegrator, time: f64, dt: f64) -> Option<()> {
        match self.drive {
            None => {
                self.motion.predict(integrator, dt);
                let [x, y, angle] = self.motion.place;
                self.frame = Frame::new([x, y], angle).ok()?;
            }
            Some(drive) => {
                self.frame = drive.frame_at(&self.start, time).ok()?;
                let [x, y] = drive.velocity_at(self.frame.position(), time);
                self.motion.velocity = [x, y, drive.spin];
            }
        }
        Some(())
    }

    /// Its center and the corners of its box, as the search for candidates takes them.
    fn draw(&mut self, (center, lo, hi): (&mut [f64; 2], &mut [f64; 2], &mut [f64; 2])) {
        *center = self.frame.position();
        [*lo, *hi] = self.shape.at(self.frame).bounding_box(&mut self.extremes);
    }

    fn acceleration(&self, load: Load, gravity: [f64; 2]) -> [f64; 3] {
        [gravity[0] + load[0] / self.mass, gravity[1] + load[1] / self.mass, load[2] / self.inertia]
    }

    /// Velocity of the point of the body that is at `point` now.
    fn velocity_at(&self, point: [f64; 2]) -> [f64; 2] {
        let [x, y, spin] = self.motion.velocity;
        let center = self.frame.position();
        [x - spin * (point[1] - center[1]), y + spin * (point[0] - center[0])]
    }
}

/// Closest features of a pair, and where they overlap the force and what it does to each.
fn meet(
    near: &mut Near,
    a: &Body,
    b: &Body,
    setup: &PolygonSetup,
    dt: f64,
    polygon: &mut Vec<[f64; 2]>,
) -> (Met, [Load; 2]) {
    let (placed_a, placed_b) = (a.placed(), b.placed());
    let closest = closest_features(&placed_a, &placed_b, &mut near.features);
    let overlap = match closest.contact {
        Contact::Apart => None,
        Contact::Crossing | Contact::Nested => overlap(&placed_a, &placed_b, &near.features, polygon),
    };
    let Some(overlap) = overlap else {
        near.slip = 0.0;
        return (Met { force: [0.0; 2], steps: closest.steps, overlaps: false }, [[0.0; 3]; 2]);
    };
    // A wall weighs endlessly much, and is as large as what meets it.
    let (mass, length) = match (a.drive, b.drive) {
        (None, None) => (a.mass * b.mass / (a.mass + b.mass), 4.0 * a.size * b.size / (a.size + b.size)),
        (None, Some(_)) => (a.mass, 2.0 * a.size),
        (Some(_), _) => (b.mass, 2.0 * b.size),
    };
    let spring = Spring::new(&setup.material, &overlap, length);
    let point = spring.point;
    let (velocity_a, velocity_b) = (a.velocity_at(point), b.velocity_at(point));
    let velocity = [velocity_b[0] - velocity_a[0], velocity_b[1] - velocity_a[1]];
    let spin = b.motion.velocity[2] - a.motion.velocity[2];
    let pushed = push(&setup.material, &Meeting { spring, velocity, spin, mass, length }, near.slip, dt);
    near.slip = pushed.slip;
    let loads = [(a, -1.0), (b, 1.0)].map(|(body, sign)| {
        let center = body.frame.position();
        let arm = [point[0] - center[0], point[1] - center[1]];
        let [x, y] = pushed.force.map(|force| sign * force);
        [x, y, arm[0] * y - arm[1] * x + sign * pushed.torque]
    });
    (Met { force: pushed.force, steps: closest.steps, overlaps: true }, loads)
}
