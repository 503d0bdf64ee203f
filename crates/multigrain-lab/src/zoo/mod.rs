//! The zoo: arrangements of bodies in space that a search of linear time must get through in linear time, however the
//! bodies are spread and sized.
//!
//! Each is a function of a number of bodies and a seed. Whatever the number, there are at most about 20 contacts per body,
//! so that time can be proportional to bodies and contacts. `even` is the yardstick: equal spheres, evenly spread.

mod clusters;
mod crowded;
mod even;
mod far_apart;
mod flat;
mod fractal;
mod giants;
mod heap;
mod nested;
mod placed;
mod settled;
mod surfaces;
mod thin;
mod unequal;

pub use placed::Placed;

use heap::Heap;
use multigrain::Rng;

/// A named arrangement.
pub struct Arrangement {
    /// Its name in tables and after `--only`.
    pub name: &'static str,
    /// What it looks like, and what grows with the number of bodies.
    pub what: &'static str,
    build: Build,
    /// Whether its box is thinner than a body, so that every body meets many images.
    pub is_thin: bool,
}

/// How an arrangement is made: this many bodies, random numbers.
#[derive(Clone, Copy)]
enum Build {
    Space(fn(usize, &mut Rng) -> Heap<3>),
    Plane(fn(usize, &mut Rng) -> Heap<2>),
}

/// The bodies of an arrangement.
pub enum Bodies {
    /// Spheres.
    Space(Placed<3>),
    /// Discs.
    Plane(Placed<2>),
}

impl Arrangement {
    const fn space(name: &'static str, what: &'static str, build: fn(usize, &mut Rng) -> Heap<3>) -> Self {
        Self { name, what, build: Build::Space(build), is_thin: false }
    }

    const fn plane(name: &'static str, what: &'static str, build: fn(usize, &mut Rng) -> Heap<2>) -> Self {
        Self { name, what, build: Build::Plane(build), is_thin: false }
    }

    const fn thin(self) -> Self {
        Self { is_thin: true, ..self }
    }

    /// `count` bodies in random order. The same count and seed give the same bodies.
    pub fn build(&self, count: usize, seed: u64) -> Bodies {
        let mut rng = Rng::new(seed);
        match self.build {
            Build::Space(build) => Bodies::Space(build(count, &mut rng).placed(count, &mut rng)),
            Build::Plane(build) => Bodies::Plane(build(count, &mut rng).placed(count, &mut rng)),
        }
    }
}

/// Every arrangement, `even` first.
pub fn all() -> impl Iterator<Item = &'static Arrangement> {
    let families = [
        even::ALL,
        far_apart::ALL,
        nested::ALL,
        crowded::ALL,
        thin::ALL,
        fractal::ALL,
        clusters::ALL,
        unequal::ALL,
        surfaces::ALL,
        giants::ALL,
        settled::ALL,
        flat::ALL,
    ];
    families.into_iter().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::{Error, find_pairs};
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_even_is_first() {
        let names: Vec<&str> = all().map(|arrangement| arrangement.name).collect();
        assert_eq!(names[0], "even");
        assert_eq!(names.iter().collect::<BTreeSet<_>>().len(), names.len());
        assert!(names.len() >= 30);
    }

    #[test]
    fn contacts_per_body_are_few_however_many_bodies() -> Result<(), Error> {
        for arrangement in all() {
            for count in [301, 3000] {
                let (bodies, contacts) = match arrangement.build(count, 1) {
                    Bodies::Space(placed) => (placed.len(), find_pairs(placed.snapshot()?).len()),
                    Bodies::Plane(placed) => (placed.len(), find_pairs(placed.snapshot()?).len()),
                };
                assert_eq!(bodies, count, "{}", arrangement.name);
                assert!(contacts <= 20 * count, "{}: {contacts} contacts of {count} bodies", arrangement.name);
            }
        }
        Ok(())
    }

    #[test]
    fn a_seed_names_the_same_bodies() {
        for arrangement in all() {
            let [a, b, c] = [1, 1, 2].map(|seed| match arrangement.build(50, seed) {
                Bodies::Space(placed) => placed.system.centers.into_flattened(),
                Bodies::Plane(placed) => placed.system.centers.into_flattened(),
            });
            assert_eq!(a, b, "{}", arrangement.name);
            assert_ne!(a, c, "{}", arrangement.name);
        }
    }
}
