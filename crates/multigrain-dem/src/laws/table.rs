//! The laws between all materials.

use super::{Law, MAX_HISTORY, build};
use crate::error::Error;
use crate::material::{ContactLaw, Material};
use crate::setup::Given;
use std::sync::Arc;

/// The laws between all materials, each distinct one once.
#[derive(Debug, Clone)]
pub(crate) struct LawTable<const D: usize> {
    laws: Vec<Arc<dyn Law<D>>>,
    /// Which law is between two materials.
    between: Vec<u8>,
    materials: usize,
    turns: bool,
    has_couples: bool,
    history: usize,
    reaches: bool,
}

impl<const D: usize> LawTable<D> {
    /// Laws given for a pair of materials go before those mixed from both.
    pub fn new(materials: &[Material], given: &[(u16, u16, Given<D>)]) -> Result<Self, Error> {
        let count = materials.len();
        if count == 0 {
            return Err(Error::NoMaterial);
        }
        for (number, material) in materials.iter().enumerate() {
            material.check(&format!("material {number}"))?;
        }
        for (a, b, law) in given {
            let of = format!("materials {a} and {b}");
            for material in [a, b].map(|&material| usize::from(material)) {
                if material >= count {
                    return Err(Error::NoSuchMaterial { what: format!("the law between {of}"), material, count });
                }
            }
            law.check(&of)?;
        }
        let mut table = Self {
            laws: Vec::new(),
            between: vec![0; count * count],
            materials: count,
            turns: false,
            has_couples: false,
            history: 0,
            reaches: false,
        };
        for low in 0..count {
            for high in low..count {
                let is_it = |(a, b, _): &&(u16, u16, Given<D>)| {
                    let (a, b) = (usize::from(*a), usize::from(*b));
                    (a.min(b), a.max(b)) == (low, high)
                };
                let law = match given.iter().rev().find(is_it) {
                    Some((_, _, Given::Law(law))) => law.clone(),
                    Some((_, _, Given::Known(law))) => build(law),
                    None if low == high => build(&materials[low].law),
                    None => build(
                        &ContactLaw::between(&materials[low].law, &materials[high].law)
                            .ok_or(Error::NoLawBetween { first: low, second: high })?,
                    ),
                };
                let number = table.add(law)?;
                table.between[low * count + high] = number;
                table.between[high * count + low] = number;
            }
        }
        Ok(table)
    }

    fn add(&mut self, law: Arc<dyn Law<D>>) -> Result<u8, Error> {
        let text = law.describe();
        if let Some(known) = self.laws.iter().position(|known| known.describe() == text) {
            return Ok(known as u8);
        }
        let refuse =
            |what: &str, value: f64, must| Err(Error::Parameter { what: format!("{what} of a law"), value, must });
        if D != 2 && law.needs_patch() {
            return Err(Error::NotInSpace { what: "the law of areas" });
        }
        if law.history() > MAX_HISTORY {
            return refuse("history", law.history() as f64, "must be at most 20 numbers");
        }
        let reach = law.reach(1.0);
        if !(reach >= 0.0 && reach.is_finite()) {
            return refuse("reach", reach, "must be finite and not negative");
        }
        if self.laws.len() > usize::from(u8::MAX) {
            return refuse("number", self.laws.len() as f64, "must be at most 256 different ones");
        }
        self.turns |= law.turns();
        self.has_couples |= law.has_couple();
        self.history = self.history.max(law.history());
        self.reaches |= reach > 0.0;
        self.laws.push(law);
        Ok((self.laws.len() - 1) as u8)
    }

    #[inline]
    pub fn number(&self, a: u16, b: u16) -> u8 {
        self.between[usize::from(a) * self.materials + usize::from(b)]
    }

    #[inline]
    pub fn law(&self, number: u8) -> &dyn Law<D> {
        &*self.laws[usize::from(number)]
    }

    pub fn between(&self, a: u16, b: u16) -> &dyn Law<D> {
        self.law(self.number(a, b))
    }

    /// Number of distinct laws.
    pub fn len(&self) -> usize {
        self.laws.len()
    }

    /// Whether any law must see what bodies have in common.
    pub fn need_patches(&self) -> bool {
        self.laws.iter().any(|law| law.needs_patch())
    }

    /// Particles turn whatever the laws: there are some that are not round.
    pub fn turn_always(&mut self) {
        self.turns = true;
    }

    /// Whether any law turns particles.
    pub fn turns(&self) -> bool {
        self.turns
    }

    /// Whether any law has a couple.
    pub fn has_couples(&self) -> bool {
        self.has_couples
    }

    /// How many numbers contacts remember, of whatever law.
    pub fn history(&self) -> usize {
        self.history
    }

    /// Whether any law acts over a gap.
    pub fn reaches(&self) -> bool {
        self.reaches
    }

    /// The largest gap over which any law acts on bodies of effective radii up to this one.
    pub fn reach(&self, radius: f64) -> f64 {
        self.laws.iter().map(|law| law.reach(radius)).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::{Lanes, Point};
    use crate::material::STIFFNESS_RATIO;
    use crate::number::LANES;

    /// Two bodies with this overlap, the second sliding so far in a step, at this velocity.
    fn point(overlap: f64, sliding: [f64; 3], slide: [f64; 3]) -> Point<3> {
        let normal = [1.0, 0.0, 0.0];
        let (turning, turn) = ([0.0; 3], [0.0; 3]);
        Point { normal, gap: -overlap, apart: 0.0, sliding, slide, turning, turn, inverse_mass: 2.0, radius: 0.5 }
    }

    #[test]
    fn friction_holds_up_to_coulombs_limit_and_slides_beyond() {
        let law = build::<3>(&ContactLaw::linear(100.0).friction(0.5));
        let mut spring = [0.0; 3];
        let force = law.act(&point(0.1, [0.0, 1.0, 0.0], [0.0, 0.01, 0.0]), &mut spring, 0.01).force;
        assert!((force[0] - 10.0).abs() < 1e-12 && (force[1] + 0.01 * 100.0 * STIFFNESS_RATIO).abs() < 1e-12);
        assert_eq!(spring, [0.0, 0.01, 0.0]);
        let force = law.act(&point(0.1, [0.0, 100.0, 0.0], [0.0, 1.0, 0.0]), &mut spring, 0.01).force;
        assert!((force[1] + 5.0).abs() < 1e-12);
        assert!((spring[1] - 5.0 / (100.0 * STIFFNESS_RATIO)).abs() < 1e-12);
    }

    #[test]
    fn the_spring_turns_with_the_contact_and_keeps_its_length() {
        let law = build::<3>(&ContactLaw::linear(100.0).friction(10.0));
        let mut spring = [0.003, 0.004, 0.0];
        law.act(&point(0.1, [0.0; 3], [0.0; 3]), &mut spring, 0.01);
        assert!((spring[1] - 0.005).abs() < 1e-15 && spring[0] == 0.0);
    }

    #[test]
    fn energy_is_the_work_of_the_force() {
        for law in [ContactLaw::linear(100.0), ContactLaw::hertz(100.0, 0.3)] {
            let law = build::<3>(&law);
            let steps = 10_000;
            let force = |overlap: f64| law.act(&point(overlap, [0.0; 3], [0.0; 3]), &mut [], 0.0).force[0];
            let overlaps = (0..steps).map(|k| 0.1 * (f64::from(k) + 0.5) / f64::from(steps));
            let work: f64 = overlaps.map(|overlap| force(overlap) * 0.1 / f64::from(steps)).sum();
            let energy = law.energy(&point(0.1, [0.0; 3], [0.0; 3]), &[]);
            assert!((work / energy - 1.0).abs() < 1e-6, "{work} {energy}");
        }
    }

    /// The lanes of the laws, with whatever vectors the processor has, against one point after the other.
    #[test]
    fn all_lanes_give_the_bits_of_one() {
        let linear = ContactLaw::linear(100.0).restitution(0.6).friction(0.3);
        let hertz = ContactLaw::hertz(1e4, 0.3).restitution(0.6).friction(0.3);
        for law in [linear, ContactLaw::linear(100.0).damping(2.0), hertz] {
            let law = build::<3>(&law);
            let mut lanes = Lanes::EMPTY;
            lanes.count = LANES;
            let points: Vec<Point<3>> = (0..LANES)
                .map(|k| {
                    let k = k as f64;
                    Point {
                        normal: [0.6, 0.8 * (k % 2.0), 0.8 * (1.0 - k % 2.0)],
                        apart: 0.3 * k - 1.0,
                        inverse_mass: if k == 3.0 { 0.0 } else { 1.0 + k },
                        ..point(0.01 * k, [0.1 * k, 0.2, -0.1], [1e-3 * k, 2e-3, -1e-3])
                    }
                })
                .collect();
            for (lane, point) in points.iter().enumerate() {
                lanes.put_point(lane, point);
                lanes.history[1].0[lane] = 1e-3 * lane as f64;
            }
            law.act_on(&mut lanes, 0.01);
            for (lane, point) in points.iter().enumerate() {
                let mut spring = [0.0, 1e-3 * lane as f64, 0.0];
                let wrench = law.act(point, &mut spring[..law.history()], 0.01);
                assert_eq!(wrench.force, std::array::from_fn(|axis| lanes.wrench.force[axis].0[lane]), "lane {lane}");
                assert_eq!(spring, std::array::from_fn(|axis| lanes.history[axis].0[lane]), "lane {lane}");
                assert_eq!(wrench.taken, lanes.wrench.taken.0[lane]);
            }
        }
    }

    #[test]
    fn unlike_materials_need_laws_of_one_kind() {
        let linear = Material::new(1.0, ContactLaw::linear(1.0));
        let hertz = Material::new(1.0, ContactLaw::hertz(1.0, 0.3));
        let error = LawTable::<3>::new(&[linear, hertz], &[]).unwrap_err().to_string();
        assert!(error.starts_with("materials 0 and 1 have laws of different kinds"), "{error}");
        let table = LawTable::<3>::new(&[linear, hertz], &[(1, 0, Given::Known(Box::new(linear.law)))]).unwrap();
        assert_eq!(table.len(), 2, "equal laws stand in it once");
    }
}
