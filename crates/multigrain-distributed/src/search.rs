//! What one rank searches: its own bodies, and guests behind them.

use crate::coordinates::Coordinates;
use crate::detection::Options;
use crate::error::Error;
use crate::halo::reports;
use crate::octaves::Octaves;
use crate::wire::{Packer, Unpacker};
use multigrain::{Axes, Dimension, Domain, Pairs, Snapshot, Work};

/// Bodies in columns, with the indices that all ranks know them by.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bodies<const D: usize> {
    pub centers: Vec<[f64; D]>,
    pub radii: Vec<f64>,
    pub indices: Vec<u64>,
    pub groups: Option<Vec<u32>>,
}

/// One of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Body<const D: usize> {
    pub center: [f64; D],
    pub radius: f64,
    pub index: u64,
    pub group: Option<u32>,
}

impl<const D: usize> Body<D> {
    pub fn pack(&self, packer: &mut Packer) {
        packer.f64s(&self.center);
        packer.f64(self.radius);
        packer.u64(self.index);
        if let Some(group) = self.group {
            packer.u32(group);
        }
    }
}

impl<const D: usize> Bodies<D> {
    pub fn new(has_groups: bool) -> Self {
        Self { groups: has_groups.then(Vec::new), ..Self::default() }
    }

    pub fn len(&self) -> usize {
        self.indices.len()
    }

    pub fn body(&self, k: usize) -> Body<D> {
        let group = self.groups.as_ref().map(|groups| groups[k]);
        Body { center: self.centers[k], radius: self.radii[k], index: self.indices[k], group }
    }

    pub fn push(&mut self, body: Body<D>) {
        self.centers.push(body.center);
        self.radii.push(body.radius);
        self.indices.push(body.index);
        if let (Some(groups), Some(group)) = (&mut self.groups, body.group) {
            groups.push(group);
        }
    }

    pub fn take(&mut self, bytes: &[u8]) {
        let mut unpacker = Unpacker { bytes };
        while !unpacker.is_empty() {
            let (center, radius, index) = (unpacker.f64s(), unpacker.f64(), unpacker.u64());
            let group = self.groups.is_some().then(|| unpacker.u32());
            self.push(Body { center, radius, index, group });
        }
    }
}

/// Finds the pairs that a rank reports, by the places of its bodies, of which the first `own` are its own.
pub(crate) fn search<const D: usize>(
    bodies: &Bodies<D>,
    own: usize,
    octaves: &Octaves,
    coordinates: &Coordinates<D>,
    options: &Options<D>,
) -> Result<(Pairs<D>, Work), Error>
where
    Axes: Dimension<D>,
{
    let mut pairs = Pairs::new();
    if own == 0 {
        return Ok((pairs, Work::default()));
    }
    let domain = around(&options.domain, coordinates, &bodies.centers[..own]);
    let now = Snapshot::new(&bodies.centers, &bodies.radii)?.within(domain)?.with_margin(options.margin)?;
    let now = bodies.groups.as_ref().map_or(Ok(now), |groups| now.in_groups(groups))?;
    let named = |mut error: multigrain::Error| {
        if let Some(particle) = error.particle_mut() {
            *particle = bodies.indices[*particle] as usize;
        }
        error
    };
    let mut detector = options.method.build_with(now, &options.settings).map_err(named)?;
    let mut work = Work::default();
    if options.counts_work {
        work = detector.count_work(now, &mut pairs);
    } else {
        detector.find_pairs(now, &mut pairs);
    }
    drop(detector);
    let body = |place: u32| (bodies.radii[place as usize], bodies.indices[place as usize]);
    let own = own as u32;
    pairs.retain(|pair| pair.j < own || (pair.i < own && reports(octaves, body(pair.i), body(pair.j))));
    Ok((pairs, work))
}

/// The domain with its border as far away from these bodies as can be: a grid over them and their guests then meets no images,
/// unless the rank has bodies all along a period.
fn around<const D: usize>(domain: &Domain<D>, coordinates: &Coordinates<D>, own: &[[f64; D]]) -> Domain<D> {
    if !domain.has_images() {
        return *domain;
    }
    let (mut lo, mut hi) = ([f64::INFINITY; D], [f64::NEG_INFINITY; D]);
    for &center in own {
        let place = coordinates.place(center);
        for k in 0..D {
            lo[k] = lo[k].min(place[k]);
            hi[k] = hi[k].max(place[k]);
        }
    }
    let away = |center: &[f64; D]| {
        let place = coordinates.place(*center);
        (0..D).map(|k| (place[k] - 0.5 * (lo[k] + hi[k])).abs()).fold(0.0, f64::max)
    };
    let middle = own.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
    middle.map_or(*domain, |&middle| domain.centred_on(domain.wrap(middle).0))
}
