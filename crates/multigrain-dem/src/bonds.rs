//! Bonds of grains: made between those that touch, or between given ones; what is left of them.

use crate::contacts::Entry;
use crate::error::Error;
use crate::simulation::{Ending, Simulation};
use multigrain::{Axes, Dimension};
use std::collections::HashSet;

/// A bond that holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BondNow {
    /// Ids of both grains, the lower first.
    pub ids: [u64; 2],
    /// The largest stress in it over what it bears.
    pub load: f64,
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    /// Bonds all grains that touch now, or lie within the gap of their law's [`Bond`](crate::Bond), where the law has one. Their present
    /// places are those at rest. How many bonds were made.
    ///
    /// ```
    /// use multigrain_dem::{Bond, ContactLaw, Grain, Material, Setup};
    /// let glued = ContactLaw::linear(1e6).bond(Bond { gap: 1e-6, ..Bond::new(1e8, 1e6) });
    /// let row = (0..4).map(|k| Grain::at([0.02 * f64::from(k), 0.0, 0.0], 0.01));
    /// let mut simulation = Setup::new().material(Material::new(2500.0, glued)).build(row)?;
    /// assert_eq!(simulation.bond_touching()?, 3);
    /// simulation.run(100)?;
    /// assert_eq!((simulation.bonds().len(), simulation.bonds_broken()), (3, 0));
    /// # Ok::<(), multigrain_dem::Error>(())
    /// ```
    pub fn bond_touching(&mut self) -> Result<u64, Error> {
        self.bond_where(|_| true)
    }

    /// The same between these grains alone, by their ids. An error if two of them are too far apart, or have no bonds in their law.
    pub fn bond(&mut self, pairs: &[[u64; 2]]) -> Result<u64, Error> {
        let ordered: HashSet<[u64; 2]> = pairs.iter().map(|&[a, b]| [a.min(b), a.max(b)]).collect();
        let known: HashSet<u64> = self.state.ids.iter().copied().collect();
        if let Some(&id) = pairs.iter().flatten().find(|id| !known.contains(id)) {
            return Err(Error::NoSuchParticle { id });
        }
        let mut left = ordered.clone();
        let made = self.bond_where(|ids| left.remove(&ids))?;
        match left.iter().min() {
            None => Ok(made),
            Some(&[first, second]) => Err(Error::NoBond { first, second }),
        }
    }

    fn bond_where(&mut self, mut is_wanted: impl FnMut([u64; 2]) -> bool) -> Result<u64, Error> {
        self.remember_contacts();
        let mut made = Vec::new();
        let bodies = self.bodies();
        let mut number = 0;
        self.contacts.visit(0..self.state.own(), &self.candidates, &self.state, |touching| {
            // Contacts are shown in the order of the memory.
            let contact = number;
            number += 1;
            let Entry::Particle(second) = touching.other else { return };
            let pair = [touching.place, second as usize];
            let (seen, law) = touching.look(&bodies);
            let smaller = pair.map(|place| self.state.radii[place]).into_iter().fold(f64::INFINITY, f64::min);
            let mut numbers = touching.history.to_vec();
            let ids = pair.map(|place| self.state.ids[place]);
            if law.make_bond(&seen.point, smaller, &mut numbers[..law.history()])
                && is_wanted([ids[0].min(ids[1]), ids[0].max(ids[1])])
            {
                made.push((contact, numbers));
            }
        });
        let stride = self.contacts.stride;
        if let Some(memory) = &mut self.contacts.memory {
            for (contact, numbers) in &made {
                memory.history[contact * stride..][..stride].copy_from_slice(numbers);
            }
        }
        self.bonds_made += made.len() as u64;
        self.evaluate(Ending::Start, &mut |_| ())?;
        Ok(made.len() as u64)
    }

    /// All bonds that hold, sorted by ids.
    pub fn bonds(&self) -> Vec<BondNow> {
        let bodies = self.bodies();
        let mut all = Vec::new();
        self.contacts.visit(0..self.state.own(), &self.candidates, &self.state, |touching| {
            let Entry::Particle(second) = touching.other else { return };
            let (seen, law) = touching.look(&bodies);
            if let Some(load) = law.bond_load(&seen.point, &touching.history[..law.history()]) {
                let mut ids = [touching.place, second as usize].map(|place| self.state.ids[place]);
                ids.sort_unstable();
                all.push(BondNow { ids, load });
            }
        });
        all.sort_by_key(|bond| bond.ids);
        all
    }

    /// How many bonds were made so far.
    pub fn bonds_made(&self) -> u64 {
        self.bonds_made
    }

    /// How many bonds are no more: broken, or gone with their grains.
    pub fn bonds_broken(&self) -> u64 {
        self.bonds_made - self.bonds().len() as u64
    }
}
