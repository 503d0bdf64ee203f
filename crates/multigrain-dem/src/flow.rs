//! Particles that come and go while a simulation runs, and how many pass.

use crate::error::Error;
use crate::exact_sum::ExactSum;
use crate::region::Region;
use crate::setup::Physics;
use crate::vector::{Spin, dot, sub, unit};

/// Puts grains into a region at a steady rate, at random places where they touch nothing. A grain for which no place is found
/// waits for the next try, with the size that was drawn for it: however crowded it is, sizes are those of the law.
#[derive(Debug, Clone, PartialEq)]
pub struct Generator<const D: usize> {
    /// Where new grains lie.
    pub region: Region<D>,
    /// How fast they come.
    pub pace: Pace,
    /// Radii, of which one is drawn for each grain; not used where there are shapes or clumps.
    pub radii: Vec<f64>,
    /// Numbers of shapes, of which one is drawn for each grain; empty for spheres and discs.
    pub shapes: Vec<u32>,
    /// Numbers of clump shapes, of which one is drawn for each grain; empty for what is no clump.
    pub clumps: Vec<u32>,
    /// Whether polygons and clumps lie as their shapes have them; turned at random otherwise.
    pub upright: bool,
    /// Velocity of new grains.
    pub velocity: [f64; D],
    /// Standard deviation of each component of a velocity that is added at random.
    pub speed: f64,
    /// Angular velocity of new grains; in the plane only the third component is used.
    pub spin: Spin,
    /// Their temperature, where their material conducts heat; that of the setup by default.
    pub temperature: Option<f64>,
    /// Number of their material.
    pub material: u16,
    /// Most grains in all; `None` for no end.
    pub limit: Option<u64>,
    /// It ends when the mass of all that it made has reached this; `None` for no end.
    pub mass_limit: Option<f64>,
    /// When it begins.
    pub start: f64,
    /// When it ends.
    pub until: f64,
    /// Names the sequence of places and radii.
    pub seed: u64,
}

/// How fast a generator makes grains.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Pace {
    /// Grains per time.
    Grains(f64),
    /// Mass per time.
    Mass(f64),
    /// As many as find a place.
    AsManyAsFit,
}

/// What a generator has made so far.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Made {
    /// Grains; a clump is one.
    pub grains: u64,
    /// Their mass.
    pub mass: f64,
}

impl<const D: usize> Generator<D> {
    /// Grains of the first material, at rest, in a box, without end.
    pub fn new(lo: [f64; D], hi: [f64; D], rate: f64, radii: Vec<f64>) -> Self {
        Self::in_region(Region::Box { lo, hi }, Pace::Grains(rate), radii)
    }

    /// Grains of the first material, at rest, without end.
    pub fn in_region(region: Region<D>, pace: Pace, radii: Vec<f64>) -> Self {
        Self {
            region,
            pace,
            radii,
            shapes: Vec::new(),
            clumps: Vec::new(),
            upright: false,
            velocity: [0.0; D],
            speed: 0.0,
            spin: [0.0; 3],
            temperature: None,
            material: 0,
            limit: None,
            mass_limit: None,
            start: 0.0,
            until: f64::INFINITY,
            seed: 1,
        }
    }

    pub(crate) fn check(&self, number: usize, physics: &Physics<D>) -> Result<(), Error> {
        let of = format!("generator {number}");
        let refuse = |what: &str, value, must| Err(Error::Parameter { what: format!("{what} of {of}"), value, must });
        if let Pace::Grains(rate) | Pace::Mass(rate) = self.pace
            && !(rate > 0.0 && rate.is_finite())
        {
            return refuse("rate", rate, "must be positive and finite");
        }
        if let Some(&shape) = self.shapes.iter().find(|&&shape| shape as usize >= physics.shapes.len()) {
            return refuse("shape", f64::from(shape), "must be the number of a shape of the setup");
        }
        if let Some(&shape) = self.clumps.iter().find(|&&shape| shape as usize >= physics.clump_shapes.len()) {
            return refuse("clump shape", f64::from(shape), "must be the number of a clump shape of the setup");
        }
        if let Some(&radius) = self.radii.iter().find(|&&radius| !(radius > 0.0 && radius.is_finite())) {
            return refuse("radius", radius, "must be positive and finite");
        }
        let bodies = self.bodies(physics);
        if bodies.is_empty() {
            return refuse("number of radii", 0.0, "must be 1 or more");
        }
        self.region.check(&of, bodies.iter().map(|body| body.radius).fold(0.0, f64::max))?;
        if let Some(&value) = self.velocity.iter().find(|value| !value.is_finite()) {
            return refuse("velocity", value, "must be finite");
        }
        if let Some(&value) = self.spin.iter().chain(&self.temperature).find(|value| !value.is_finite()) {
            return refuse("spin or temperature", value, "must be finite");
        }
        for (what, value) in [("speed", self.speed), ("start", self.start)] {
            if !(value >= 0.0 && value.is_finite()) {
                return refuse(what, value, "must be finite and not negative");
            }
        }
        if self.until.is_nan() || self.until <= self.start {
            return refuse("end", self.until, "must be after its start");
        }
        if let Some(mass) = self.mass_limit.filter(|mass| !(*mass > 0.0 && mass.is_finite())) {
            return refuse("largest mass", mass, "must be positive and finite");
        }
        Ok(())
    }

    /// All that it may make, in the order in which they are drawn. Shapes and the material must be there.
    pub(crate) fn bodies(&self, physics: &Physics<D>) -> Vec<NewGrain> {
        let density = physics.materials.get(usize::from(self.material)).map_or(0.0, |material| material.density);
        let body = |radius: f64, volume: f64| NewGrain { radius, mass: density * volume };
        if !self.clumps.is_empty() {
            let shapes = self.clumps.iter().map(|&shape| &physics.clump_shapes[shape as usize]);
            return shapes.map(|shape| body(shape.radius(), shape.volume())).collect();
        }
        if !self.shapes.is_empty() {
            let shapes = self.shapes.iter().map(|&shape| &physics.shapes[shape as usize]);
            return shapes.map(|shape| body(shape.radius(), shape.area())).collect();
        }
        self.radii.iter().map(|&radius| body(radius, multigrain::sizes::ball_volume(radius, D))).collect()
    }

    /// Whether it should make one more grain by this time.
    pub(crate) fn wants(&self, time: f64, made: Made) -> bool {
        let is_over = time < self.start
            || time > self.until
            || self.limit.is_some_and(|limit| made.grains >= limit)
            || self.mass_limit.is_some_and(|limit| made.mass >= limit);
        !is_over
            && match self.pace {
                Pace::Grains(rate) => made.grains < (rate * (time - self.start)).floor() as u64,
                Pace::Mass(rate) => made.mass < rate * (time - self.start),
                Pace::AsManyAsFit => true,
            }
    }

    /// In words that stay the same.
    pub(crate) fn describe(&self) -> String {
        let numbers = crate::describe::numbers;
        let pace = match self.pace {
            Pace::Grains(rate) => format!("rate {rate:e}"),
            Pace::Mass(rate) => format!("mass rate {rate:e}"),
            Pace::AsManyAsFit => "as many as fit".to_owned(),
        };
        let limit = self.limit.map_or("no limit".to_owned(), |limit| format!("limit {limit}"));
        let mass = self.mass_limit.map_or(String::new(), |limit| format!(", mass limit {limit:e}"));
        let kinds = [("shapes", &self.shapes), ("clump shapes", &self.clumps)];
        let kinds: String = kinds
            .iter()
            .filter(|(_, list)| !list.is_empty())
            .map(|(name, list)| format!(", {name} {list:?}"))
            .collect();
        let turning = if self.spin == [0.0; 3] { String::new() } else { format!(", spin {}", numbers(&self.spin)) };
        let warm = self.temperature.map_or(String::new(), |warm| format!(", temperature {warm:e}"));
        format!(
            "{}, {pace}, velocity {}, speed {:e}{turning}{warm}, material {}, {limit}{mass}, from {:e} until {:e}, seed {}{}, radii {}{kinds}",
            self.region.describe(),
            numbers(&self.velocity),
            self.speed,
            self.material,
            self.start,
            self.until,
            self.seed,
            if self.upright { ", upright" } else { "" },
            numbers(&self.radii),
        )
    }
}

/// Something that a generator makes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct NewGrain {
    /// Of the circle or sphere around it.
    pub radius: f64,
    pub mass: f64,
}

/// Where particles leave the simulation: those whose center comes there are removed.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Outflow<const D: usize> {
    /// Inside a region.
    Inside(Region<D>),
    /// Outside a region.
    Outside(Region<D>),
    /// Behind a plane, on the side that the normal points to.
    Beyond {
        /// A point of the plane.
        point: [f64; D],
        /// The direction outwards, of any length.
        normal: [f64; D],
    },
}

impl<const D: usize> Outflow<D> {
    /// Whether a center there is out.
    #[inline]
    pub fn takes(&self, x: [f64; D]) -> bool {
        match self {
            Self::Inside(region) => region.contains(x),
            Self::Outside(region) => !region.contains(x),
            Self::Beyond { point, normal } => dot(sub(x, *point), *normal) > 0.0,
        }
    }

    pub(crate) fn check(&self, number: usize) -> Result<(), Error> {
        let of = format!("outflow {number}");
        match self {
            Self::Inside(region) | Self::Outside(region) => check_inside(region, &of),
            Self::Beyond { point, normal } => check_plane(*point, *normal, &of),
        }
    }

    /// In words that stay the same.
    pub(crate) fn describe(&self) -> String {
        match self {
            Self::Inside(region) => format!("inside {}", region.describe()),
            Self::Outside(region) => format!("outside {}", region.describe()),
            Self::Beyond { point, normal } => {
                let numbers = crate::describe::numbers;
                format!("beyond {} normal {}", numbers(point), numbers(normal))
            }
        }
    }
}

/// Counts what passes through a plane: grains whose center comes to the side that the normal points to, less those that come back.
#[derive(Debug, Clone, PartialEq)]
pub struct Meter<const D: usize> {
    /// A point of the plane.
    pub point: [f64; D],
    /// The direction in which passing counts, of any length.
    pub normal: [f64; D],
    /// Where centers must be when they have passed; everywhere if it is not given.
    pub region: Option<Region<D>>,
}

impl<const D: usize> Meter<D> {
    /// One that counts all over the plane.
    pub fn new(point: [f64; D], normal: [f64; D]) -> Self {
        Self { point, normal, region: None }
    }

    pub(crate) fn check(&self, number: usize) -> Result<(), Error> {
        let of = format!("meter {number}");
        check_plane(self.point, self.normal, &of)?;
        self.region.as_ref().map_or(Ok(()), |region| check_inside(region, &of))
    }

    /// Whether a point is on the side that the normal points to.
    #[inline]
    pub(crate) fn is_ahead(&self, x: [f64; D]) -> bool {
        dot(sub(x, self.point), self.normal) >= 0.0
    }

    /// In words that stay the same.
    pub(crate) fn describe(&self) -> String {
        let numbers = crate::describe::numbers;
        let region = self.region.as_ref().map_or(String::new(), |region| format!(", in {}", region.describe()));
        format!("plane {} normal {}{region}", numbers(&self.point), numbers(&self.normal))
    }
}

/// Grains that passed somewhere so far, and their mass; a clump is one.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Passed {
    /// How many; less than 0 where more came back.
    pub grains: i64,
    /// Their mass, exactly, so that no order shows.
    pub mass: ExactSum,
}

impl Passed {
    pub(crate) fn add(&mut self, grains: i64, mass: f64) {
        self.grains += grains;
        self.mass.add(grains as f64 * mass);
    }
}

fn check_inside<const D: usize>(region: &Region<D>, of: &str) -> Result<(), Error> {
    if !region.has_inside() {
        let must = "must have an inside: a box, a ball or a cylinder";
        return Err(Error::Parameter { what: format!("volume of the region of {of}"), value: 0.0, must });
    }
    match region {
        // No border is a border too.
        Region::Box { lo, hi } => {
            match (0..D).find(|&axis| lo[axis].is_nan() || hi[axis].is_nan() || lo[axis] >= hi[axis]) {
                Some(axis) => {
                    let what = format!("width of {of}");
                    Err(Error::Parameter { what, value: hi[axis] - lo[axis], must: "must be positive" })
                }
                None => Ok(()),
            }
        }
        _ => region.check(of, 0.0),
    }
}

fn check_plane<const D: usize>(point: [f64; D], normal: [f64; D], of: &str) -> Result<(), Error> {
    if let Some(&value) = point.iter().find(|value| !value.is_finite()) {
        return Err(Error::Parameter { what: format!("point of {of}"), value, must: "must be finite" });
    }
    match unit(normal) {
        Some(_) => Ok(()),
        None => {
            let (what, must) = (format!("normal of {of}"), "must be finite, and not all 0");
            Err(Error::Parameter { what, value: normal[0], must })
        }
    }
}
