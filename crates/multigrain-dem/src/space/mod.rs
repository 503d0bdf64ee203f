//! The space that grains live in as it is now: open, periodic, sheared, and where it deforms how fast.
//!
//! A box that deforms is moved as grains are, by velocity Verlet: its edges have velocities and accelerations, and a grain's image
//! that many edges away moves as the grain and the edges do. So images are as good as what they are images of, whatever border
//! lies between: the velocity of an image is that of the grain and of the edges, and a grain that is brought back across a
//! border loses theirs.

mod deformation;
mod matrix;
mod stepping;
mod wrapping;

pub use deformation::{Deformation, STRESS_BAND};
pub use matrix::Matrix;
pub(crate) use matrix::{dual, map, map_of_edges, norm, plus, symmetric, zero};

use crate::error::Error;
use crate::vector::{add_scaled, dot, sub};
use multigrain::Domain;

/// The part of an edge along another one, in units of the other, from which on whole ones are taken off.
const MAX_TILT: f64 = 0.55;

/// Space as it is now.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Space<const D: usize> {
    domain: Domain<D>,
    /// If it deforms.
    moving: Option<Moving<D>>,
}

/// How a box moves. Vectors of edges are in the rows of matrices.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moving<const D: usize> {
    /// The point that stays where it is.
    pub center: [f64; D],
    pub edges: Matrix<D>,
    pub velocities: Matrix<D>,
    pub accelerations: Matrix<D>,
    /// The velocity gradient summed over time.
    pub strain: Matrix<D>,
    /// Which deformation acts; as many as there are when all are over.
    pub phase: u32,
    /// What follows from these: the velocity gradient, and the same of accelerations.
    flow: Matrix<D>,
    pull: Matrix<D>,
}

impl<const D: usize> Space<D> {
    /// At rest.
    pub fn new(domain: Domain<D>, deformations: &[Deformation<D>]) -> Result<Self, Error> {
        for (number, deformation) in deformations.iter().enumerate() {
            deformation.check(number, &domain)?;
            if number > 0 && deformations[number - 1].until >= deformation.until {
                return Err(Error::Deformation { number, problem: "ends no later than the one before it".to_owned() });
            }
        }
        if deformations.is_empty() {
            return Ok(Self { domain, moving: None });
        }
        let edges = domain.edges();
        let center =
            std::array::from_fn(|axis| domain.origin()[axis] + 0.5 * edges.iter().map(|edge| edge[axis]).sum::<f64>());
        Self::moved(
            domain,
            Moving {
                center,
                edges,
                velocities: zero(),
                accelerations: zero(),
                strain: zero(),
                phase: 0,
                flow: zero(),
                pull: zero(),
            },
        )
    }

    /// The same with a box that moves so.
    pub fn moved(domain: Domain<D>, mut moving: Moving<D>) -> Result<Self, Error> {
        moving.follow()?;
        let domain = moving.domain(&domain)?;
        Ok(Self { domain, moving: Some(moving) })
    }

    pub fn domain(&self) -> &Domain<D> {
        &self.domain
    }

    pub fn moving(&self) -> Option<&Moving<D>> {
        self.moving.as_ref()
    }

    /// Whether borders lie along the axes and stay where they are.
    pub fn is_plain(&self) -> bool {
        self.moving.is_none() && !self.domain.is_sheared()
    }

    /// How far along this axis periodic edges go; 0 where none does.
    pub fn period_along(&self, axis: usize) -> f64 {
        if !self.domain.is_sheared() {
            return self.domain.length(axis);
        }
        let edges = self.domain.edges();
        (0..D).filter(|&k| self.domain.is_periodic(k)).map(|k| edges[k][axis].abs()).sum()
    }

    /// The way from `a` to the image of `b`.
    #[inline(always)]
    pub fn away(&self, a: [f64; D], b: [f64; D], shift: [i32; D]) -> [f64; D] {
        self.image(sub(b, a), shift)
    }

    /// A place, or a way, that many edges on.
    #[inline(always)]
    pub fn image(&self, x: [f64; D], shift: [i32; D]) -> [f64; D] {
        if shift == [0; D] {
            return x;
        }
        let moved = self.domain.translation(shift);
        std::array::from_fn(|axis| if moved[axis] == 0.0 { x[axis] } else { x[axis] + moved[axis] })
    }

    /// By how much an image that many edges on is faster, and by how much more than in the middle of a step of this length.
    #[inline(always)]
    pub fn faster(&self, shift: [i32; D], time: f64) -> Option<([f64; D], [f64; D])> {
        let moving = self.moving.as_ref().filter(|_| shift != [0; D])?;
        let gained = times(shift, &moving.accelerations).map(|component| 0.5 * time * component);
        Some((times(shift, &moving.velocities), gained))
    }

    /// Velocity of the flow of the box at this place.
    #[inline(always)]
    pub fn flow_at(&self, x: [f64; D]) -> [f64; D] {
        match &self.moving {
            Some(moving) => map(&moving.flow, sub(x, moving.center)),
            None => [0.0; D],
        }
    }

    /// Which deformation should act at this time.
    pub fn due_phase(&self, deformations: &[Deformation<D>], time: f64) -> Option<u32> {
        let now = self.moving.as_ref()?.phase as usize;
        let due = now + deformations[now.min(deformations.len())..].iter().take_while(|one| one.until <= time).count();
        (due != now).then_some(due as u32)
    }

    /// Lets this deformation act from now on. Returns the change of the velocity gradient, which all grains follow.
    pub fn begin(&mut self, deformations: &[Deformation<D>], phase: u32) -> Result<Matrix<D>, Error> {
        let Some(moving) = &mut self.moving else { return Ok(zero()) };
        let rest = Deformation::rest();
        let deformation = deformations.get(phase as usize).unwrap_or(&rest);
        let before = moving.flow;
        let flow = deformation.first_gradient(&before, &self.domain);
        moving.phase = phase;
        moving.velocities = moving.edges.map(|edge| map(&flow, edge));
        moving.accelerations = moving.velocities.map(|velocity| map(&flow, velocity));
        moving.follow()?;
        Ok(plus(&moving.flow, &before, -1.0))
    }

    /// Edges after the next step, as they are moved; nothing of a box that does not move.
    pub fn next_edges(&self, dt: f64) -> Option<Matrix<D>> {
        let moving = self.moving.as_ref()?;
        let half = |k: usize| add_scaled(moving.velocities[k], moving.accelerations[k], 0.5 * dt);
        Some(std::array::from_fn(|k| add_scaled(moving.edges[k], half(k), dt)))
    }

    /// Moves the box by a step, and its velocities to what forces are to be worked out with. Returns which edges lost whole other
    /// ones, `[i, j, n]` for edge `j` and `n` times edge `i`.
    pub fn advance(&mut self, dt: f64) -> Result<Vec<(usize, usize, i32)>, Error> {
        let Some(moving) = &mut self.moving else { return Ok(Vec::new()) };
        let before = moving.flow;
        for k in 0..D {
            let half = add_scaled(moving.velocities[k], moving.accelerations[k], 0.5 * dt);
            moving.edges[k] = add_scaled(moving.edges[k], half, dt);
            moving.velocities[k] = add_scaled(half, moving.accelerations[k], 0.5 * dt);
        }
        let periodic = std::array::from_fn(|k| self.domain.is_periodic(k));
        let flips = moving.take_off_tilt(periodic);
        moving.follow()?;
        let mean = plus(&before, &moving.flow, 1.0);
        moving.strain = plus(&moving.strain, &mean, 0.5 * dt);
        self.domain = moving.domain(&self.domain)?;
        Ok(flips)
    }

    /// How the box is accelerated with this stress, and its velocities at the end of the step that led here.
    pub fn accelerate(
        &mut self,
        deformations: &[Deformation<D>],
        stress: Option<&Matrix<D>>,
        dt: f64,
        ends_step: bool,
    ) -> Result<(), Error> {
        let Some(moving) = &mut self.moving else { return Ok(()) };
        let change = match (deformations.get(moving.phase as usize), stress) {
            (Some(deformation), Some(stress)) => deformation.change(&moving.flow, stress, &self.domain, dt),
            _ => zero(),
        };
        for k in 0..D {
            let wanted = add_scaled(map(&change, moving.edges[k]), map(&moving.flow, moving.velocities[k]), 1.0);
            let before = std::mem::replace(&mut moving.accelerations[k], wanted);
            if ends_step {
                moving.velocities[k] = add_scaled(moving.velocities[k], sub(wanted, before), 0.5 * dt);
            }
        }
        moving.follow()
    }
}

impl<const D: usize> Moving<D> {
    /// Acceleration of the flow of the box at this place.
    #[inline(always)]
    pub fn pull_at(&self, x: [f64; D]) -> [f64; D] {
        map(&self.pull, sub(x, self.center))
    }

    /// Velocity and acceleration of this many edges.
    pub fn of_edges(&self, shift: [i32; D]) -> ([f64; D], [f64; D]) {
        (times(shift, &self.velocities), times(shift, &self.accelerations))
    }

    /// The velocity gradient.
    pub fn flow(&self) -> &Matrix<D> {
        &self.flow
    }

    /// Whether the box is accelerated.
    pub fn is_pulled(&self) -> bool {
        self.pull != zero()
    }

    /// From these parts; what follows from them is worked out when it is put into a space.
    pub fn from_parts(center: [f64; D], matrices: [Matrix<D>; 4], phase: u32) -> Self {
        let [edges, velocities, accelerations, strain] = matrices;
        Self { center, edges, velocities, accelerations, strain, phase, flow: zero(), pull: zero() }
    }

    /// The parts that it is saved as.
    pub fn parts(&self) -> ([f64; D], [Matrix<D>; 4], u32) {
        (self.center, [self.edges, self.velocities, self.accelerations, self.strain], self.phase)
    }

    /// Works out what follows from edges and their motion.
    fn follow(&mut self) -> Result<(), Error> {
        let Some(dual) = dual(&self.edges) else { return Err(collapsed()) };
        self.flow = map_of_edges(&self.velocities, &dual);
        self.pull = map_of_edges(&self.accelerations, &dual);
        let is_finite = self.flow.iter().chain(&self.pull).flatten().all(|value| value.is_finite());
        if is_finite { Ok(()) } else { Err(collapsed()) }
    }

    /// The domain of these edges, periodic as before.
    fn domain(&self, before: &Domain<D>) -> Result<Domain<D>, Error> {
        let origin =
            std::array::from_fn(|axis| self.center[axis] - 0.5 * self.edges.iter().map(|edge| edge[axis]).sum::<f64>());
        let periodic = std::array::from_fn(|k| before.is_periodic(k));
        Domain::from_cell(origin, self.edges, periodic).map_err(|_| collapsed())
    }

    /// Takes whole edges off others that have come to lie along them: the same lattice with a cell that is not as thin.
    fn take_off_tilt(&mut self, periodic: [bool; D]) -> Vec<(usize, usize, i32)> {
        let mut flips = Vec::new();
        for i in (0..D).filter(|&i| periodic[i]) {
            for j in (0..D).filter(|&j| periodic[j] && j != i) {
                let (a, b) = (self.edges[i], self.edges[j]);
                let tilt = dot(a, b) / dot(a, a);
                if dot(a, a) <= dot(b, b) && tilt.abs() > MAX_TILT && tilt.abs() < f64::from(i32::MAX) {
                    let whole = tilt.round();
                    for rows in [&mut self.edges, &mut self.velocities, &mut self.accelerations] {
                        rows[j] = add_scaled(rows[j], rows[i], -whole);
                    }
                    flips.push((i, j, whole as i32));
                }
            }
        }
        flips
    }
}

/// The sum of the rows, each taken as many times as `shift` says.
#[inline(always)]
pub(crate) fn times<const D: usize>(shift: [i32; D], rows: &Matrix<D>) -> [f64; D] {
    let mut sum = [0.0; D];
    for k in (0..D).filter(|&k| shift[k] != 0) {
        sum = add_scaled(sum, rows[k], f64::from(shift[k]));
    }
    sum
}

fn collapsed() -> Error {
    Error::Deformation {
        number: 0,
        problem: "has left the box without room, or with edges that are no numbers: its rates are too fast, or go on too long"
            .to_owned(),
    }
}
