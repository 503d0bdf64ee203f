//! Laws of contact: from a point where two bodies meet to force and couple. A file each.
//!
//! A law is a type with the trait [`Law`]. Those that setups name stand in [`area`], [`hertz_mindlin`] and [`linear`], or are composed of
//! parts ([`composed`]); a law of one's own is given to [`Setup::law_between`](crate::Setup::law_between).

mod adhesion;
mod area;
mod bond;
mod bridge;
mod cohesion;
mod composed;
mod hertz_mindlin;
mod jkr;
mod linear;
mod luding;
mod normal;
mod resistance;
mod spring;
mod table;

pub use bond::{BOND_RATIO, Bond};
pub use cohesion::{Bridge, Cohesion};
pub use luding::Plastic;
pub use resistance::{RESISTANCE_DAMPING, RESISTANCE_STIFFNESS, Resistance, ResistanceKind};
pub(crate) use table::LawTable;

use crate::material::{ContactLaw, Elasticity};
use crate::number::{LANES, Pack};
use multigrain_polygons::Overlap;
use normal::Normal;
use std::fmt::Debug;
use std::sync::Arc;

/// How two bodies push each other where they meet.
///
/// Two bodies are shown to the law in the same order in every step; force and couple are those on the second, and the first
/// feels the opposite. The same numbers must always give the same result.
///
/// ```
/// use multigrain_dem::{Grain, Law, Material, ContactLaw, Point, Setup, Wrench};
/// use std::sync::Arc;
///
/// /// Bodies that pull each other with a steady force up to a gap, and are elastic below it.
/// #[derive(Debug)]
/// struct Sticky {
///     stiffness: f64,
///     pull: f64,
///     gap: f64,
/// }
///
/// impl<const D: usize> Law<D> for Sticky {
///     fn reach(&self, _radius: f64) -> f64 {
///         self.gap
///     }
///
///     fn act(&self, point: &Point<D>, _: &mut [f64], _: f64) -> Wrench<D> {
///         let push = if point.gap < 0.0 { -self.stiffness * point.gap } else { 0.0 };
///         Wrench::along(point.normal, push - self.pull)
///     }
///
///     fn energy(&self, point: &Point<D>, _: &[f64]) -> f64 {
///         let overlap = (-point.gap).max(0.0);
///         0.5 * self.stiffness * overlap * overlap - self.pull * (self.gap - point.gap)
///     }
///
///     fn duration(&self, inverse_mass: f64, _: f64, _: f64) -> f64 {
///         std::f64::consts::PI / (self.stiffness * inverse_mass).sqrt()
///     }
///
///     fn describe(&self) -> String {
///         format!("sticky 1: {} {} {}", self.stiffness, self.pull, self.gap)
///     }
/// }
///
/// let mut simulation = Setup::<2>::new()
///     .material(Material::new(1.0, ContactLaw::linear(1e4)))
///     .law_between(0, 0, Arc::new(Sticky { stiffness: 1e4, pull: 10.0, gap: 0.1 }))
///     .build([Grain::at([0.0, 0.0], 0.5), Grain::at([1.05, 0.0], 0.5)])?;
/// simulation.run_until(0.1)?;
/// assert!(simulation.state().positions()[1][0] < 1.05, "they come closer");
/// # Ok::<(), multigrain_dem::Error>(())
/// ```
pub trait Law<const D: usize>: Debug + Send + Sync {
    /// How many numbers a contact remembers, 0 when it begins. At most [`MAX_HISTORY`].
    fn history(&self) -> usize {
        0
    }

    /// The largest gap over which bodies of this effective radius act on each other. It must not fall with the radius.
    fn reach(&self, _radius: f64) -> f64 {
        0.0
    }

    /// Whether the law pushes along the contact plane or has a couple. If no law does, particles do not turn, and points have
    /// neither sliding nor slide nor turning.
    fn turns(&self) -> bool {
        false
    }

    /// Whether the law has a couple, beside the torque of its force.
    fn has_couple(&self) -> bool {
        true
    }

    /// Force and couple. What is remembered may change; springs grow by the way slid. `time` is the length of the step that
    /// ends now, 0 when a simulation starts or is looked at.
    fn act(&self, point: &Point<D>, history: &mut [f64], time: f64) -> Wrench<D>;

    /// The same for several points at once, of which the first `lanes.count` mean something.
    fn act_on(&self, lanes: &mut Lanes<D>, time: f64) {
        let remembers = self.history();
        for lane in 0..lanes.count {
            let mut history = [0.0; MAX_HISTORY];
            for (number, column) in history[..remembers].iter_mut().zip(&lanes.history) {
                *number = column.0[lane];
            }
            let wrench = self.act(&lanes.point(lane), &mut history[..remembers], time);
            for (number, column) in history[..remembers].iter().zip(&mut lanes.history) {
                column.0[lane] = *number;
            }
            lanes.put(lane, &wrench);
        }
    }

    /// The same for many.
    fn act_on_many(&self, many: &mut [Lanes<D>], time: f64) {
        many.iter_mut().for_each(|lanes| self.act_on(lanes, time));
    }

    /// Energy stored in a contact.
    fn energy(&self, point: &Point<D>, history: &[f64]) -> f64;

    /// Of that, the energy in what is remembered: it counts as taken from motion until it is given back.
    fn remembered_energy(&self, _point: &Point<D>, _history: &[f64]) -> f64 {
        0.0
    }

    /// Whether bodies within reach of each other do act on each other now: others are no contacts to those who look.
    fn is_there(&self, _point: &Point<D>, _history: &[f64]) -> bool {
        true
    }

    /// Bonds two grains of which the smaller has this radius, if the law has bonds, they are near enough and are not bonded. Whether it
    /// did.
    fn make_bond(&self, _point: &Point<D>, _smaller: f64, _history: &mut [f64]) -> bool {
        false
    }

    /// The largest stress in a bond over what it bears; `None` where there is no bond, or it is broken.
    fn bond_load(&self, _point: &Point<D>, _history: &[f64]) -> Option<f64> {
        None
    }

    /// Whether the law is of patches: it must see what bodies have in common, of discs too. In the plane only.
    fn needs_patch(&self) -> bool {
        false
    }

    /// Where and along which line a patch repels. By default in its middle, across the contact line.
    fn action(&self, patch: &Patch) -> Action {
        Action { at: patch.overlap.centroid, normal: patch.overlap.normal, push: 0.0 }
    }

    /// Force and couple of bodies that are no spheres: `point` is where they act on each other, with the depth of the patch as
    /// overlap. By default the law sees the point alone.
    fn act_on_patch(
        &self,
        _patch: &Patch,
        _action: &Action,
        point: &Point<D>,
        history: &mut [f64],
        time: f64,
    ) -> Wrench<D> {
        self.act(point, history, time)
    }

    /// Energy stored in a patch.
    fn patch_energy(&self, _patch: &Patch, point: &Point<D>, history: &[f64]) -> f64 {
        self.energy(point, history)
    }

    /// How long an impact lasts, of bodies with this sum of inverse masses and effective radius, at this speed.
    fn duration(&self, inverse_mass: f64, radius: f64, speed: f64) -> f64;

    /// Whether the duration depends on the speed.
    fn is_speed_needed(&self) -> bool {
        false
    }

    /// Name, version and every number of the law: what a checkpoint is tied to.
    fn describe(&self) -> String;
}

/// What two bodies in the plane have in common, as a law sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Patch {
    /// Area, centroid, contact line, and how they change as the second body moves.
    pub overlap: Overlap,
    /// Characteristic length of both bodies: `4 r s / (r + s)`, r and s being the radii of discs of the same areas. A wall is as
    /// large as what meets it.
    pub length: f64,
}

/// Where a patch repels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Action {
    /// A point of the line that the force acts along.
    pub at: [f64; 2],
    /// Unit vector from the first body to the second.
    pub normal: [f64; 2],
    /// Force along the normal before damping, where the law has worked it out already.
    pub push: f64,
}

/// The most numbers that a contact may remember.
pub const MAX_HISTORY: usize = 20;

/// Two bodies that meet, as a law sees them. The second may be a wall. With packs of numbers it is several such points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point<const D: usize, N = f64> {
    /// Unit vector from the first to the second.
    pub normal: [N; D],
    /// Distance of the surfaces; below 0 where they overlap.
    pub gap: N,
    /// Speed with which the centers part.
    pub apart: N,
    /// Velocity of the second's surface against the first's, along the contact plane.
    pub sliding: [N; D],
    /// How far the second's surface has slid on the first's in this step.
    pub slide: [N; D],
    /// Angular velocity of the second against the first; 0 where no law has a couple.
    pub turning: [N; 3],
    /// By which angles the second has turned against the first in this step; 0 where no law has a couple.
    pub turn: [N; 3],
    /// Sum of the inverse masses; 0 for a wall and for what is held.
    pub inverse_mass: N,
    /// `r_1 r_2 / (r_1 + r_2)`; the radius itself at a wall.
    pub radius: N,
}

/// What a contact does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wrench<const D: usize, N = f64> {
    /// Force on the second body, where the surfaces meet.
    pub force: [N; D],
    /// Torque on the second body beside that of the force.
    pub couple: [N; 3],
    /// Energy taken from motion in this step, what the contact remembers included.
    pub taken: N,
}

impl<const D: usize> Wrench<D> {
    /// A force along the normal that pushes the bodies apart if it is positive.
    pub fn along(normal: [f64; D], push: f64) -> Self {
        Self { force: normal.map(|component| component * push), couple: [0.0; 3], taken: 0.0 }
    }
}

/// Several points at once, what their contacts remember, and what they do.
#[derive(Debug, Clone)]
pub struct Lanes<const D: usize> {
    /// How many of the lanes mean something.
    pub count: usize,
    /// The points.
    pub points: Point<D, Pack>,
    /// What contacts remember.
    pub history: [Pack; MAX_HISTORY],
    /// What contacts do.
    pub wrench: Wrench<D, Pack>,
}

impl<const D: usize> Lanes<D> {
    pub(crate) const EMPTY: Self = {
        let (none, one) = (Pack([0.0; LANES]), Pack([1.0; LANES]));
        Self {
            count: 0,
            points: Point {
                normal: [none; D],
                gap: none,
                apart: none,
                sliding: [none; D],
                slide: [none; D],
                turning: [none; 3],
                turn: [none; 3],
                inverse_mass: one,
                radius: one,
            },
            history: [none; MAX_HISTORY],
            wrench: Wrench { force: [none; D], couple: [none; 3], taken: none },
        }
    };

    /// One of the points.
    pub fn point(&self, lane: usize) -> Point<D> {
        let points = &self.points;
        Point {
            normal: lane_of(&points.normal, lane),
            gap: points.gap.0[lane],
            apart: points.apart.0[lane],
            sliding: lane_of(&points.sliding, lane),
            slide: lane_of(&points.slide, lane),
            turning: lane_of(&points.turning, lane),
            turn: lane_of(&points.turn, lane),
            inverse_mass: points.inverse_mass.0[lane],
            radius: points.radius.0[lane],
        }
    }

    /// Puts one of the points.
    pub fn put_point(&mut self, lane: usize, point: &Point<D>) {
        let points = &mut self.points;
        set_lane(&mut points.normal, lane, point.normal);
        points.gap.0[lane] = point.gap;
        points.apart.0[lane] = point.apart;
        set_lane(&mut points.sliding, lane, point.sliding);
        set_lane(&mut points.slide, lane, point.slide);
        set_lane(&mut points.turning, lane, point.turning);
        set_lane(&mut points.turn, lane, point.turn);
        points.inverse_mass.0[lane] = point.inverse_mass;
        points.radius.0[lane] = point.radius;
    }

    /// Puts the result for one of the points.
    pub fn put(&mut self, lane: usize, wrench: &Wrench<D>) {
        set_lane(&mut self.wrench.force, lane, wrench.force);
        set_lane(&mut self.wrench.couple, lane, wrench.couple);
        self.wrench.taken.0[lane] = wrench.taken;
    }
}

/// One lane of a vector.
#[inline(always)]
pub(crate) fn lane_of<const N: usize>(columns: &[Pack; N], lane: usize) -> [f64; N] {
    std::array::from_fn(|k| columns[k].0[lane])
}

#[inline(always)]
pub(crate) fn set_lane<const N: usize>(columns: &mut [Pack; N], lane: usize, values: [f64; N]) {
    for k in 0..N {
        columns[k].0[lane] = values[k];
    }
}

/// The registry of laws that setups can name: one line each. What is more than plain repulsion with friction is composed.
pub(crate) fn build<const D: usize>(law: &ContactLaw) -> Arc<dyn Law<D>> {
    match law.elasticity {
        Elasticity::Area { .. } => Arc::new(area::Area::new(law)),
        _ if law.is_composed() => Arc::new(composed::Composed::new(law)),
        Elasticity::Hertz { .. } => Arc::new(hertz_mindlin::HertzMindlin::new(law)),
        _ => Arc::new(linear::Linear::new(law)),
    }
}

/// The registry of repulsions that laws are composed with.
fn repulsion_of(law: &ContactLaw) -> Box<dyn Normal> {
    match (law.elasticity, law.cohesion) {
        (Elasticity::Hertz { .. }, Some(Cohesion::Jkr { energy })) => Box::new(jkr::Jkr::new(law, energy)),
        (Elasticity::Hertz { .. }, _) => Box::new(hertz_mindlin::HertzMindlin::new(law)),
        (Elasticity::Plastic(plastic), _) => Box::new(luding::Luding::new(law, plastic)),
        _ => Box::new(linear::Linear::new(law)),
    }
}

/// The registry of cohesion that is added to a repulsion.
fn cohesion_of(law: &ContactLaw) -> Option<Box<dyn Normal>> {
    Some(match law.cohesion? {
        Cohesion::Linear { force, range } => Box::new(adhesion::Adhesion { force, range }),
        Cohesion::Dmt { energy } => Box::new(adhesion::Dmt { energy }),
        // It is one with the repulsion.
        Cohesion::Jkr { .. } => return None,
        Cohesion::Willett(given) => Box::new(bridge::LiquidBridge::new(&given, bridge::Fall::Willett)),
        Cohesion::Rabinovich(given) => Box::new(bridge::LiquidBridge::new(&given, bridge::Fall::Rabinovich)),
    })
}
