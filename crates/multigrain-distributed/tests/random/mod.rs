//! Random systems for ranks: whether those together find what one finds.

use multigrain::{Axes, Dimension, Domain, Pair, Rng, Snapshot, find_pairs};
use multigrain_distributed::{Options, Rows, Transport, run_ranks};
use multigrain_methods::Method;

/// Contacts with images beyond which bodies are made smaller: one in a thousand systems would have a hundred million of them, and take
/// longer than all others together.
const MAX_WITH_IMAGES: f64 = 3e4;

/// Bodies, the space they are in, and how ranks are to search them.
pub struct RankSystem<const D: usize> {
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    groups: Option<Vec<u32>>,
    options: Options<D>,
    /// First row of each rank.
    starts: Vec<usize>,
}

impl<const D: usize> RankSystem<D>
where
    Axes: Dimension<D>,
{
    /// Up to 16 ranks; open, periodic and sheared space; radii up to 1e4 apart, points, clusters, lattices that just touch,
    /// bodies larger than the box, outside of it, and none at all; every method.
    pub fn random(rng: &mut Rng) -> Self {
        let domain = random_domain::<D>(rng);
        let count = (rng.uniform().powi(2) * 120.0) as usize;
        let span = [0.5, 1.0, 1.0, 3.0][rng.below(4) as usize];
        let smallest = 0.3 * 10f64.powf(-4.0 * rng.uniform());
        let ratio = 10f64.powf(4.0 * rng.uniform() * rng.uniform());
        let clusters: Vec<[f64; D]> = (0..1 + rng.below(4)).map(|_| std::array::from_fn(|_| rng.uniform())).collect();
        let kind = rng.below(4);
        let (mut centers, mut radii) = (Vec::new(), Vec::new());
        for k in 0..count {
            let part: [f64; D] = match kind {
                // On a lattice, where neighbours just touch and cuts go through centers.
                0 => std::array::from_fn(|axis| (k / 5usize.pow(axis as u32) % 5) as f64 / 5.0),
                1 => {
                    let cluster = clusters[rng.below(clusters.len() as u64) as usize];
                    std::array::from_fn(|axis| cluster[axis] + 0.02 * (rng.uniform() - 0.5))
                }
                _ => std::array::from_fn(|_| span * (rng.uniform() - 0.5) + 0.5),
            };
            let (origin, edges) = (domain.bounded().map_or([0.0; D], |domain| domain.origin()), edges(&domain));
            centers
                .push(std::array::from_fn(|axis| origin[axis] + (0..D).map(|e| part[e] * edges[e][axis]).sum::<f64>()));
            radii.push(match (kind, rng.below(20)) {
                (0, _) => 0.5,
                (_, 0) => 0.0,
                (_, 1) if rng.below(4) == 0 => 4.0 * rng.uniform(),
                _ => smallest * ratio.powf(rng.uniform()),
            });
        }
        let mut options = Options::within(domain);
        options.margin = if rng.below(3) == 0 { 0.2 * rng.uniform() } else { 0.0 };
        if rng.below(3) == 0 {
            options.method = Method::ALL[rng.below(Method::ALL.len() as u64) as usize];
        }
        let groups = (rng.below(5) == 0).then(|| (0..count).map(|_| rng.below(4) as u32).collect());
        let ranks = 1 + rng.below(16) as usize;
        let mut starts: Vec<usize> = (1..ranks).map(|_| rng.below(count as u64 + 1) as usize).collect();
        starts.push(0);
        starts.sort_unstable();
        let mut system = Self { centers, radii, groups, options, starts };
        while system.snapshot().contacts_with_images() > MAX_WITH_IMAGES {
            system.radii.iter_mut().for_each(|radius| *radius *= 0.5);
        }
        system
    }

    /// Number of ranks.
    pub fn ranks(&self) -> usize {
        self.starts.len()
    }

    /// What it is, for messages.
    pub fn shown(&self) -> String {
        format!("{} bodies on {} ranks, {:?}", self.centers.len(), self.ranks(), self.options)
    }

    fn snapshot(&self) -> Snapshot<'_, D> {
        let now = Snapshot::new(&self.centers, &self.radii).and_then(|now| {
            let now = now.within(self.options.domain)?.with_margin(self.options.margin)?;
            self.groups.as_ref().map_or(Ok(now), |groups| now.in_groups(groups))
        });
        now.expect("the bodies are valid")
    }

    /// The pairs of one machine, sorted.
    pub fn alone(&self) -> Vec<([u64; 2], [i32; D])> {
        let mut pairs = find_pairs(self.snapshot());
        pairs.sort();
        pairs.iter().map(|Pair { i, j, shift }| ([i.into(), j.into()], shift)).collect()
    }

    /// The pairs of all ranks, one after the other.
    pub fn on_ranks(&self) -> Vec<([u64; 2], [i32; D])> {
        let found = run_ranks(self.ranks(), |transport| {
            let rank = transport.rank();
            let end = self.starts.get(rank + 1).copied().unwrap_or(self.centers.len());
            let range = self.starts[rank]..end;
            let rows = Rows::new(range.start as u64, &self.centers[range.clone()], &self.radii[range.clone()]);
            let rows = self.groups.as_ref().map_or(rows, |groups| rows.in_groups(&groups[range.clone()]));
            multigrain_distributed::find_pairs(transport, rows, &self.options).expect("the bodies are valid")
        });
        let mut all = Vec::new();
        for found in found {
            for (k, &pair) in found.pairs.iter().enumerate() {
                all.push((pair, found.shifts.get(k).copied().unwrap_or([0; D])));
            }
        }
        all
    }
}

fn edges<const D: usize>(domain: &Domain<D>) -> [[f64; D]; D] {
    match domain.bounded() {
        Some(domain) => domain.edges(),
        None => std::array::from_fn(|k| std::array::from_fn(|axis| if axis == k { 5.0 } else { 0.0 })),
    }
}

fn random_domain<const D: usize>(rng: &mut Rng) -> Domain<D>
where
    Axes: Dimension<D>,
{
    let periodic: [bool; D] = std::array::from_fn(|_| rng.below(3) > 0);
    let origin: [f64; D] = std::array::from_fn(|_| if rng.below(2) == 0 { 0.0 } else { 20.0 * rng.uniform() - 10.0 });
    let mut edges = [[0.0; D]; D];
    for k in 0..D {
        edges[k][k] = if rng.below(3) == 0 { 5.0 } else { 1.5 + 5.0 * rng.uniform() };
    }
    match rng.below(4) {
        0 => return Domain::open(),
        1 => {
            for k in 1..D {
                for axis in 0..k {
                    edges[k][axis] = 8.0 * rng.uniform() - 4.0;
                }
            }
        }
        _ => (),
    }
    Domain::from_cell(origin, edges, periodic).expect("the edges span a space")
}
