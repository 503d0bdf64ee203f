//! Parallel bonds after Potyondy and Cundall (2004): two grains glued together by a short elastic beam that resists stretching,
//! shear, bending and twisting beside whatever else their contact does, and breaks for good where its stress exceeds what it bears.
//!
//! The beam has `radius` times the smaller radius `s` of both as radius `b`, and `2 s` as length. With the modulus `E` its stiffnesses are
//! `E A / 2s` along, `ratio` times that across, `E I / 2s` against bending and `ratio E J / 2s` against twisting, `A = pi b^2`,
//! `I = pi b^4 / 4`, `J = 2 I`; in the plane it is a plate of thickness 1, `A = 2 b`, `I = 2 b^3 / 3`. The largest tensile stress is
//! `N / A + M b / I`, the largest shear stress `Q / A + T b / J`.

use super::Point;
use super::spring::{Slider, Slip};
use crate::error::Error;
use crate::vector::{dot, length};
use std::f64::consts::PI;

/// Numbers of bonds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bond {
    /// Young's modulus of the glue.
    pub modulus: f64,
    /// Stiffness across over that along.
    pub ratio: f64,
    /// Radius of bonds over the smaller radius of both grains.
    pub radius: f64,
    /// Tensile stress at which bonds break.
    pub strength: f64,
    /// Shear stress at which bonds break.
    pub shear_strength: f64,
    /// Share of the critical damping of each of their motions.
    pub damping: f64,
    /// The largest gap over which bonds are made.
    pub gap: f64,
}

/// Stiffness of bonds across over that along, by default.
pub const BOND_RATIO: f64 = 0.4;

impl Bond {
    /// Bonds of grains that touch, as thick as the smaller of both, as strong in shear as in tension, without damping.
    pub const fn new(modulus: f64, strength: f64) -> Self {
        Self { modulus, ratio: BOND_RATIO, radius: 1.0, strength, shear_strength: strength, damping: 0.0, gap: 0.0 }
    }

    pub(crate) fn between(a: Option<Self>, b: Option<Self>) -> Option<Self> {
        let (a, b) = (a?, b?);
        let mean = |a: f64, b: f64| 0.5 * (a + b);
        Some(Self {
            modulus: 2.0 / (1.0 / a.modulus + 1.0 / b.modulus),
            ratio: mean(a.ratio, b.ratio),
            radius: a.radius.min(b.radius),
            strength: a.strength.min(b.strength),
            shear_strength: a.shear_strength.min(b.shear_strength),
            damping: mean(a.damping, b.damping),
            gap: a.gap.min(b.gap),
        })
    }

    pub(crate) fn describe(&self) -> String {
        let Self { modulus, ratio, radius, strength, shear_strength, damping, gap } = self;
        format!(
            ", bond 1, bond_modulus {modulus:e}, bond_ratio {ratio:e}, bond_radius {radius:e}, bond_strength {strength:e}, \
             bond_shear_strength {shear_strength:e}, bond_damping {damping:e}, bond_gap {gap:e}"
        )
    }

    pub(crate) fn check(&self, of: &str) -> Result<(), Error> {
        let positive = [
            ("bond_modulus", self.modulus),
            ("bond_ratio", self.ratio),
            ("bond_radius", self.radius),
            ("bond_strength", self.strength),
            ("bond_shear_strength", self.shear_strength),
        ];
        let not_negative = [("bond_damping", self.damping), ("bond_gap", self.gap)];
        let refuse = |what: &str, value, must| Err(Error::Parameter { what: format!("{what} of {of}"), value, must });
        for (what, value) in positive {
            if !(value > 0.0 && value < 1e100) {
                return refuse(what, value, "must be positive and finite");
            }
        }
        for (what, value) in not_negative {
            if !(0.0..1e100).contains(&value) {
                return refuse(what, value, "must be finite and not negative");
            }
        }
        if self.strength > 0.5 * self.modulus {
            return refuse(
                "bond_strength",
                self.strength,
                "must be at most half of `bond_modulus`: bonds are short and stiff",
            );
        }
        Ok(())
    }

    /// How far grains with this effective radius can be apart while a bond of them holds.
    pub(super) fn reach(&self, radius: f64) -> f64 {
        // The smaller radius is at most twice the effective one.
        self.gap + self.strength / self.modulus * 4.0 * radius
    }

    /// Stiffness along, of grains with this effective radius if they are equal.
    pub(super) fn stiffness<const D: usize>(&self, radius: f64) -> f64 {
        self.beam::<D>(2.0 * radius).along
    }

    fn beam<const D: usize>(&self, smaller: f64) -> Beam {
        let (radius, length) = (self.radius * smaller, 2.0 * smaller);
        let squared = radius * radius;
        let (area, second) = match D {
            2 => (2.0 * radius, 2.0 / 3.0 * squared * radius),
            _ => (PI * squared, 0.25 * PI * squared * squared),
        };
        let along = self.modulus * area / length;
        let bending = self.modulus * second / length;
        let (across, twisting) = (self.ratio * along, 2.0 * self.ratio * bending);
        Beam { radius, area, second, along, across, bending, twisting }
    }
}

/// Stiffnesses and section of one bond.
struct Beam {
    radius: f64,
    area: f64,
    second: f64,
    along: f64,
    across: f64,
    bending: f64,
    twisting: f64,
}

/// What a bond does.
pub(super) struct Bonded<const D: usize> {
    /// Along the normal, below 0 where it pulls: of the spring, then of the dashpot.
    pub push: [f64; 2],
    pub across: [f64; D],
    pub couple: [f64; 3],
    /// Energy taken, that of the spring along the normal aside.
    pub taken: f64,
}

/// What a bond remembers: the smaller radius, below 0 once it is broken, and 0 where there never was one; the gap at rest; how far it is
/// sheared, by which angles it is bent and twisted.
#[derive(Debug, Clone, Copy)]
pub(super) struct BondMemory<const D: usize> {
    pub smaller: f64,
    pub rest: f64,
    pub shear: [f64; D],
    pub bend: [f64; 3],
    pub twist: f64,
}

impl<const D: usize> BondMemory<D> {
    /// How many numbers: in the plane a bond bends about one axis, and does not twist.
    pub const LENGTH: usize = if D == 2 { 5 } else { 9 };

    pub fn read(numbers: &[f64]) -> Self {
        let bend = if D == 2 { [0.0, 0.0, numbers[2 + D]] } else { std::array::from_fn(|k| numbers[2 + D + k]) };
        Self {
            smaller: numbers[0],
            rest: numbers[1],
            shear: std::array::from_fn(|k| numbers[2 + k]),
            bend,
            twist: if D == 2 { 0.0 } else { numbers[5 + D] },
        }
    }

    pub fn write(&self, numbers: &mut [f64]) {
        (numbers[0], numbers[1]) = (self.smaller, self.rest);
        numbers[2..2 + D].copy_from_slice(&self.shear);
        if D == 2 {
            numbers[2 + D] = self.bend[2];
        } else {
            numbers[2 + D..5 + D].copy_from_slice(&self.bend);
            numbers[5 + D] = self.twist;
        }
    }
}

impl Bond {
    /// What an intact bond does; it breaks, and does nothing, where it bears no more.
    pub(super) fn act<const D: usize>(
        &self,
        point: &Point<D>,
        [normal, way, speed]: [[f64; 3]; 3],
        memory: &mut BondMemory<D>,
        time: f64,
    ) -> Option<Bonded<D>> {
        if memory.smaller <= 0.0 {
            return None;
        }
        let beam = self.beam::<D>(memory.smaller);
        let mass = if point.inverse_mass > 0.0 { 1.0 / point.inverse_mass } else { 0.0 };
        // No more than that of solid spheres of the effective radius.
        let inertia = 0.4 * mass * point.radius * point.radius;
        let dashpot = |stiffness: f64, inertia: f64| 2.0 * self.damping * (stiffness * inertia).sqrt();
        let slider = |stiffness: f64, inertia: f64| Slider {
            stiffness,
            damping: dashpot(stiffness, inertia),
            most: f64::INFINITY,
        };
        let shear = slider(beam.across, mass).slip(point.normal, memory.shear, point.slide, point.sliding, time);
        let (twist_way, twist_speed) = (dot(way, normal), dot(speed, normal));
        let aside = |turned: [f64; 3], along: f64| std::array::from_fn(|k| turned[k] - along * normal[k]);
        let bend = slider(beam.bending, inertia).slip(
            normal,
            memory.bend,
            aside(way, twist_way),
            aside(speed, twist_speed),
            time,
        );
        let twist: Slip<1, f64> =
            slider(beam.twisting, inertia).slip([0.0], [memory.twist], [twist_way], [twist_speed], time);
        (memory.shear, memory.bend, memory.twist) = (shear.spring, bend.spring, twist.spring[0]);
        let push = -beam.along * (point.gap - memory.rest);
        let [tension, along] = self.stresses(&beam, push, memory);
        if tension > self.strength || along > self.shear_strength {
            memory.smaller = -memory.smaller;
            return None;
        }
        let damping = dashpot(beam.along, mass);
        Some(Bonded {
            push: [push, -damping * point.apart],
            across: shear.force,
            couple: std::array::from_fn(|k| bend.force[k] + twist.force[0] * normal[k]),
            taken: shear.taken + bend.taken + twist.taken + damping * point.apart * point.apart * time,
        })
    }

    /// Largest tensile and shear stress.
    fn stresses<const D: usize>(&self, beam: &Beam, push: f64, memory: &BondMemory<D>) -> [f64; 2] {
        let bending = beam.bending * length(memory.bend) * beam.radius / beam.second;
        let twisting = beam.twisting * memory.twist.abs() * beam.radius / (2.0 * beam.second);
        [-push / beam.area + bending, beam.across * length(memory.shear) / beam.area + twisting]
    }

    /// The stresses of an intact bond at this gap, over what it bears.
    pub(super) fn load<const D: usize>(&self, gap: f64, memory: &BondMemory<D>) -> f64 {
        let beam = self.beam::<D>(memory.smaller);
        let [tension, shear] = self.stresses(&beam, -beam.along * (gap - memory.rest), memory);
        (tension / self.strength).max(shear / self.shear_strength)
    }

    /// Energy stored in an intact bond.
    pub(super) fn energy<const D: usize>(&self, gap: f64, memory: &BondMemory<D>) -> f64 {
        if memory.smaller <= 0.0 {
            return 0.0;
        }
        let (beam, stretch) = (self.beam::<D>(memory.smaller), gap - memory.rest);
        0.5 * (beam.along * stretch * stretch
            + beam.across * dot(memory.shear, memory.shear)
            + beam.bending * dot(memory.bend, memory.bend)
            + beam.twisting * memory.twist * memory.twist)
    }
}
