//! Grains without overlap to start simulations from, and where the time of their steps goes.

use multigrain::Rng;
use multigrain::sizes::{SizeLaw, ball_volume};
use multigrain::{Axes, Dimension, Domain, Error, Levels};
use multigrain_dem::{Grain, Phase, Simulation};
use multigrain_living_grid::LivingGrid;
use std::time::Instant;

/// Grains at random places without overlap in a box from 0, and the sides of that box.
#[derive(Debug, Clone)]
pub struct Gas<const D: usize> {
    /// The grains, of the first material.
    pub grains: Vec<Grain<D>>,
    /// Sides of the box.
    pub sides: [f64; D],
}

impl<const D: usize> Gas<D> {
    /// This many grains of the law, with smallest radius 1, that fill a cube to this fraction. Periodic, or held by walls.
    pub fn new(law: &SizeLaw, count: usize, fraction: f64, periodic: bool, seed: u64) -> Result<Self, Error> {
        let volume = |radius: &f64| ball_volume(*radius, D);
        let radii = law.sample(count, D);
        let side = (radii.iter().map(volume).sum::<f64>() / fraction).powf(1.0 / D as f64);
        Self::in_box(radii, [side; D], periodic, seed)
    }

    /// These grains in a box with these sides: the largest first, each at the first random place that is free.
    pub fn in_box(mut radii: Vec<f64>, sides: [f64; D], periodic: bool, seed: u64) -> Result<Self, Error> {
        radii.sort_by(|a, b| b.total_cmp(a));
        let domain = Domain::new([0.0; D], sides, [periodic; D])?;
        let (largest, smallest) = (radii.first().copied().unwrap_or(1.0), radii.last().copied().unwrap_or(1.0));
        let levels = std::iter::successors(Some(2.0 * smallest), |size| Some(2.0 * size));
        let sizes: Vec<f64> = levels.take_while(|&size| size < 2.0 * largest).chain([2.0 * largest]).collect();
        let mut grid = LivingGrid::new(Levels::from_cell_sizes(&sizes)?, domain)?;
        let mut rng = Rng::new(seed);
        let mut grains = Vec::with_capacity(radii.len());
        for (id, radius) in radii.into_iter().enumerate() {
            let clear = if periodic { 0.0 } else { radius };
            let position = loop {
                let place = std::array::from_fn(|axis| clear + (sides[axis] - 2.0 * clear) * rng.uniform());
                let mut is_free = true;
                grid.touching_sphere(place, radius, |_, _| is_free = false)?;
                if is_free {
                    break place;
                }
            };
            grid.insert(id as u32, position, radius)?;
            grains.push(Grain::at(position, radius));
        }
        rng.shuffle(&mut grains);
        Ok(Self { grains, sides })
    }

    /// Gives every grain random velocities of the same mean energy: each component has this spread for a grain of radius 1,
    /// less for larger ones.
    pub fn heat(&mut self, spread: f64, seed: u64) {
        let mut rng = Rng::new(seed);
        for grain in &mut self.grains {
            let spread = spread / grain.radius.powi(D as i32).sqrt();
            grain.velocity = std::array::from_fn(|_| spread * rng.normal());
        }
    }
}

/// Seconds of a run, by phase.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Seconds {
    /// Motion, sorting, new grains.
    pub moving: f64,
    /// Detection.
    pub detecting: f64,
    /// Order and memory of contacts.
    pub arranging: f64,
    /// Forces of contacts.
    pub pushing: f64,
    /// Sums, walls, velocities.
    pub gathering: f64,
}

impl Seconds {
    /// Takes this many steps and says where their time went.
    pub fn of<const D: usize>(simulation: &mut Simulation<D>, steps: u64) -> Result<Self, multigrain_dem::Error>
    where
        Axes: Dimension<D>,
    {
        let mut seconds = Self::default();
        let (mut phase, mut since) = (Phase::Done, Instant::now());
        simulation.run_with(steps, &mut |next| {
            let now = Instant::now();
            let passed = (now - since).as_secs_f64();
            match phase {
                Phase::Move => seconds.moving += passed,
                Phase::Detect => seconds.detecting += passed,
                Phase::Arrange => seconds.arranging += passed,
                Phase::Push => seconds.pushing += passed,
                Phase::Gather => seconds.gathering += passed,
                _ => {}
            }
            (phase, since) = (next, now);
        })?;
        Ok(seconds)
    }

    /// All of it.
    pub fn total(&self) -> f64 {
        self.moving + self.detecting + self.arranging + self.pushing + self.gathering
    }

    /// One line: nanoseconds per particle and step, in all and by phase.
    pub fn line(&self, particle_steps: f64) -> String {
        let ns = |seconds: f64| seconds * 1e9 / particle_steps;
        format!(
            "{:.1} ns per particle and step: move {:.1}, detect {:.1}, arrange {:.1}, push {:.1}, gather {:.1}; \
             {:.1} million particle-steps per second, detection {:.0} %",
            ns(self.total()),
            ns(self.moving),
            ns(self.detecting),
            ns(self.arranging),
            ns(self.pushing),
            ns(self.gathering),
            particle_steps / self.total() * 1e-6,
            100.0 * self.detecting / self.total(),
        )
    }
}
