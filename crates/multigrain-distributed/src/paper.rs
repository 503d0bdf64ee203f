//! Ranks that exist on paper: how space would be cut for thousands of them, what each would have to do and to send. Everything
//! is counted, by the code that real ranks run.

use crate::bisection::cut_space;
use crate::coordinates::Coordinates;
use crate::counters::Counters;
use crate::cut_tree::CutTree;
use crate::detection::Options;
use crate::error::Error;
use crate::halo::Halo;
use crate::octaves::Octaves;
use crate::search::{Bodies, Body, search};
use crate::transport::Alone;
use multigrain::{Axes, Dimension, Pairs, Snapshot, find_pairs};
use multigrain_dem::{ContactLaw, GIANT_RATIO, Material, OF_CONTACT, OF_PARTICLE, Setup};
use rayon::prelude::*;

/// A system to be cut for many ranks.
pub struct Paper<'a, const D: usize> {
    centers: &'a [[f64; D]],
    radii: &'a [f64],
    options: Options<D>,
    octaves: Octaves,
    /// What one rank would do.
    serial: Counters,
    /// What each body costs in a step of a simulation.
    weights: Vec<u64>,
    /// Contacts within the skin, for simulations.
    near: Pairs<D>,
    skin: f64,
}

/// What one rank would have and do.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct RankOnPaper {
    /// Counts of a detection; messages and bytes are those of guests.
    pub detection: Counters,
    /// Counts of a step of a simulation, for which space is cut by what bodies cost there.
    pub step: StepOnPaper,
}

/// What one rank would have and do in a step of a simulation.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct StepOnPaper {
    /// Bodies that it owns.
    pub bodies: u64,
    /// What these cost, in units of some 50 ns: 3 each and 2 for each of their contacts.
    pub weight: u64,
    /// Bodies of others that touch its own within the skin.
    pub guests: u64,
    /// Copies of its own bodies that it sends in every step.
    pub copies: u64,
    /// Ranks that it exchanges them with.
    pub partners: u64,
    /// Contacts that it works out.
    pub contacts: u64,
}

/// A number of ranks on paper.
#[derive(Debug, Clone, PartialEq)]
pub struct OnPaper {
    /// By rank.
    pub ranks: Vec<RankOnPaper>,
    /// Bytes of the tree of cuts, which every rank has.
    pub tree_bytes: usize,
    /// Whether the pairs of all ranks together are those of one.
    pub is_whole: bool,
}

impl<'a, const D: usize> Paper<'a, D>
where
    Axes: Dimension<D>,
{
    /// Bodies in the space of the options; contacts of a simulation count from a gap of `skin` on.
    pub fn new(centers: &'a [[f64; D]], radii: &'a [f64], options: &Options<D>, skin: f64) -> Result<Self, Error> {
        let mut options = options.clone();
        options.counts_work = true;
        let octaves = Octaves::agree(&mut Alone, radii);
        let now = Snapshot::new(centers, radii)?.within(options.domain)?.with_margin(options.margin)?;
        let mut pairs = Pairs::new();
        let work = options.method.build_with(now, &options.settings)?.count_work(now, &mut pairs);
        let serial = Counters {
            bodies: centers.len() as u64,
            pairs: pairs.len() as u64,
            candidates: work.candidates,
            cells: work.cells,
            ..Counters::default()
        };
        let near = find_pairs(now.with_margin(options.margin + skin)?);
        let weights = weights(radii, &pairs);
        Ok(Self { centers, radii, options, octaves, serial, weights, near, skin })
    }

    /// What one rank does.
    pub fn serial(&self) -> Counters {
        self.serial
    }

    /// What a step of a simulation costs one rank, in the units of [`StepOnPaper::weight`].
    pub fn step_weight(&self) -> u64 {
        self.weights.iter().sum()
    }

    /// Bytes that a copy of a body takes in a step, with friction and the usual integrator.
    pub fn motion_bytes(&self) -> Result<u64, Error> {
        let law = ContactLaw::linear(1.0).friction(0.5);
        let setup = Setup::new().domain(self.options.domain).material(Material::new(1.0, law));
        Ok(setup.part(&[], 0, |_, _| true)?.motion_bytes() as u64)
    }

    /// Contacts within the skin.
    pub fn contacts(&self) -> u64 {
        self.near.len() as u64
    }

    /// The system on this many ranks.
    pub fn cut(&self, ranks: usize) -> Result<OnPaper, Error> {
        let coordinates = Coordinates::of(&self.options.domain);
        let (tree, owners) = self.owners(ranks, |_| 1);
        let mut own: Vec<Vec<u32>> = vec![Vec::new(); ranks];
        for (k, &owner) in owners.iter().enumerate() {
            own[owner as usize].push(k as u32);
        }
        let ghosts = self.ghosts(&tree, &owners, &own);
        let mut counted = own
            .par_iter()
            .zip(&ghosts)
            .map(|(own, ghosts)| self.detect(&coordinates, own, ghosts))
            .collect::<Result<Vec<RankOnPaper>, Error>>()?;
        for (rank, ghosts) in ghosts.iter().enumerate() {
            let mut from: Vec<u32> = ghosts.iter().map(|&ghost| owners[ghost as usize]).collect();
            from.sort_unstable();
            from.dedup();
            counted[rank].detection.partners = from.len() as u64;
            for sender in from {
                counted[sender as usize].detection.messages += 1;
            }
            for &ghost in ghosts {
                counted[owners[ghost as usize] as usize].detection.bytes += 8 * (D as u64 + 2);
            }
        }
        let found: u64 = counted.iter().map(|rank| rank.detection.pairs).sum();
        let (_, owners) = self.owners(ranks, |k| self.weights[k]);
        self.simulate(&owners, &mut counted);
        Ok(OnPaper { ranks: counted, tree_bytes: tree.memory_bytes(), is_whole: found == self.serial.pairs })
    }

    /// Space cut so that all ranks have the same weight, and who owns each body.
    fn owners(&self, ranks: usize, weight: impl Fn(usize) -> u64) -> (CutTree<D>, Vec<u32>) {
        let weighed = self.centers.iter().enumerate().map(|(k, &center)| (center, weight(k)));
        let tree = cut_space(&mut Alone, Coordinates::of(&self.options.domain), ranks, weighed);
        let owners = self.centers.par_iter().map(|&center| tree.owner(center) as u32).collect();
        (tree, owners)
    }

    /// Who is a guest of whom when all pairs are to be found, by host.
    fn ghosts(&self, tree: &CutTree<D>, owners: &[u32], own: &[Vec<u32>]) -> Vec<Vec<u32>> {
        let largest = |own: &Vec<u32>| own.iter().map(|&k| self.radii[k as usize]).fold(f64::NEG_INFINITY, f64::max);
        let largest: Vec<f64> = own.iter().map(largest).collect();
        let gap = self.options.margin + self.skin + tree.coordinates.slack(tree.coordinates.farthest(self.centers));
        let halo = Halo::new(tree, &self.octaves, &largest, gap);
        let mut ghosts = vec![Vec::new(); own.len()];
        for k in 0..self.centers.len() {
            halo.hosts(owners[k] as usize, self.centers[k], self.radii[k], |host| ghosts[host].push(k as u32));
        }
        ghosts
    }

    fn detect(&self, coordinates: &Coordinates<D>, own: &[u32], ghosts: &[u32]) -> Result<RankOnPaper, Error> {
        let mut bodies = Bodies::new(false);
        for &k in own.iter().chain(ghosts) {
            let (center, radius) = (self.centers[k as usize], self.radii[k as usize]);
            bodies.push(Body { center, radius, index: k.into(), group: None });
        }
        let (pairs, work) = search(&bodies, own.len(), &self.octaves, coordinates, &self.options)?;
        let detection = Counters {
            bodies: own.len() as u64,
            ghosts: ghosts.len() as u64,
            pairs: pairs.len() as u64,
            candidates: work.candidates,
            cells: work.cells,
            ..Counters::default()
        };
        Ok(RankOnPaper { detection, ..RankOnPaper::default() })
    }

    /// Guests of a simulation: those that touch within the skin. Both owners work out a contact, of a giant the other one alone.
    fn simulate(&self, owners: &[u32], counted: &mut [RankOnPaper]) {
        for (k, &owner) in owners.iter().enumerate() {
            let step = &mut counted[owner as usize].step;
            step.bodies += 1;
            step.weight += self.weights[k];
        }
        let is_giant = giants(self.radii);
        let mut guests: Vec<(u32, u32)> = Vec::new();
        for pair in &self.near {
            let (i, j) = (pair.i as usize, pair.j as usize);
            let (a, b) = (owners[i], owners[j]);
            if a == b {
                counted[a as usize].step.contacts += 1;
                continue;
            }
            for (host, body, guest) in [(a, i, j), (b, j, i)] {
                if !is_giant(body) || is_giant(guest) {
                    counted[host as usize].step.contacts += 1;
                    guests.push((host, guest as u32));
                }
            }
        }
        guests.par_sort_unstable();
        guests.dedup();
        let mut partners: Vec<(u32, u32)> = Vec::new();
        for (host, guest) in guests {
            let owner = owners[guest as usize];
            counted[host as usize].step.guests += 1;
            counted[owner as usize].step.copies += 1;
            partners.extend([(host, owner), (owner, host)]);
        }
        partners.par_sort_unstable();
        partners.dedup();
        for (rank, _) in partners {
            counted[rank as usize].step.partners += 1;
        }
    }
}

/// Which bodies are so large that their contacts are worked out by the owners of the others.
fn giants(radii: &[f64]) -> impl Fn(usize) -> bool + use<'_> {
    let mean = radii.iter().sum::<f64>() / radii.len().max(1) as f64;
    move |k| radii[k] > GIANT_RATIO * mean
}

/// What each body costs in a step, as simulations count it.
fn weights<const D: usize>(radii: &[f64], pairs: &Pairs<D>) -> Vec<u64> {
    let is_giant = giants(radii);
    let mut weights = vec![OF_PARTICLE; radii.len()];
    for pair in pairs {
        let (i, j) = (pair.i as usize, pair.j as usize);
        for (body, other) in [(i, j), (j, i)] {
            if !is_giant(body) || is_giant(other) {
                weights[body] += OF_CONTACT;
            }
        }
    }
    weights
}

impl OnPaper {
    /// Bodies of others in detection, over all bodies.
    pub fn ghosts_per_body(&self) -> f64 {
        self.per_body(|rank| rank.detection.ghosts)
    }

    /// Guests in a simulation, over all bodies.
    pub fn guests_per_body(&self) -> f64 {
        self.per_body(|rank| rank.step.guests)
    }

    fn per_body(&self, count: impl Fn(&RankOnPaper) -> u64) -> f64 {
        let bodies: u64 = self.ranks.iter().map(|rank| rank.detection.bodies).sum();
        self.ranks.iter().map(count).sum::<u64>() as f64 / bodies.max(1) as f64
    }

    /// The most of something that a rank has.
    pub fn most(&self, count: impl Fn(&RankOnPaper) -> u64) -> u64 {
        self.ranks.iter().map(count).max().unwrap_or(0)
    }

    /// The cost of detection on all ranks together.
    pub fn total_cost(&self) -> f64 {
        self.ranks.iter().map(|rank| rank.detection.cost()).sum()
    }

    /// The cost of detection on the rank that has most to do.
    pub fn largest_cost(&self) -> f64 {
        self.ranks.iter().map(|rank| rank.detection.cost()).fold(0.0, f64::max)
    }
}
