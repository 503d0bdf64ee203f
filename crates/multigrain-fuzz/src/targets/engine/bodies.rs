//! Bodies of every kind, placed in every way, that change from call to call.

use crate::bytes::Bytes;
use multigrain::{Axes, Dimension, Domain, Error, Snapshot};

/// Fewest bodies of those that are many: tasks of searches are of 4,096 to 16,384.
const FEWEST_OF_MANY: f64 = 5000.0;

/// And how many times as many there may be.
const MOST_TIMES_AS_MANY: f64 = 8.0;

/// Bodies in their space.
#[derive(Clone)]
pub struct Bodies<const D: usize> {
    centers: Vec<[f64; D]>,
    radii: Vec<f64>,
    groups: Option<Vec<u32>>,
    domain: Domain<D>,
    margin: f64,
    /// About how wide the space is that they are in.
    scale: f64,
}

impl<const D: usize> Bodies<D>
where
    Axes: Dimension<D>,
{
    pub fn random(bytes: &mut Bytes<'_>) -> Self {
        let scale = match bytes.below(8) {
            0 => 10f64.powi(bytes.below(250) as i32 - 125),
            1 => 2f64.powi(bytes.below(40) as i32 - 20),
            _ => 1.0,
        } * (0.5 + 4.0 * bytes.uniform());
        let count = match bytes.below(16) {
            0 | 1 => bytes.below(3),
            2 => 100 + bytes.below(200),
            _ => 2 + bytes.below(30),
        } as usize;
        let domain = random_domain(bytes, scale);
        let mut bodies = Self { centers: Vec::new(), radii: Vec::new(), groups: None, domain, margin: 0.0, scale };
        let (place, size) = (bytes.below(8), bytes.below(8));
        let typical = scale * (0.2 + bytes.uniform()) / (count.max(1) as f64).powf(1.0 / D as f64);
        for _ in 0..count {
            bodies.centers.push(center(bytes, &bodies.domain, scale, place, &bodies.centers));
            bodies.radii.push(radius(bytes, typical, size));
        }
        bodies.margin = margin(bytes, typical, scale);
        if bytes.is_one_in(4) {
            let groups = 1 + bytes.below(12);
            bodies.groups = Some((0..count).map(|_| bytes.below(groups) as u32).collect());
        }
        bodies
    }

    /// So many that searches are cut into tasks; with few contacts each, mostly.
    pub fn many(bytes: &mut Bytes<'_>) -> Self {
        let scale = 2f64.powi(bytes.below(40) as i32 - 20) * (0.5 + bytes.uniform());
        let count = (FEWEST_OF_MANY * MOST_TIMES_AS_MANY.powf(bytes.uniform())) as usize;
        let domain = random_domain(bytes, scale);
        let mut bodies = Self { centers: Vec::new(), radii: Vec::new(), groups: None, domain, margin: 0.0, scale };
        let (place, size) = (bytes.below(8), bytes.below(10));
        let volume = match domain.bounded() {
            Some(domain) => domain.volume() / scale.powi(D as i32),
            None => 1.0,
        };
        let spread = match place {
            // All in one plane, or along one line.
            2 => (count as f64).powf(-1.0 / (D as f64 - 1.0)),
            _ => (volume / count as f64).powf(1.0 / D as f64),
        };
        let typical = scale * (0.1 + 0.6 * bytes.uniform()) * spread;
        let is_wholly_placed = matches!(place, 2 | 5);
        for _ in 0..count {
            let place = if is_wholly_placed || bytes.is_one_in(64) { place } else { 7 };
            bodies.centers.push(center(bytes, &bodies.domain, scale, place, &bodies.centers));
            bodies.radii.push(match size {
                3 => radius(bytes, 0.3 * typical, 3),
                8 if bytes.is_one_in(200) && bytes.is_one_in(20) => 8.0 * typical,
                9 => typical * 0.1 * bytes.uniform().powf(-0.4).min(100.0),
                size => radius(bytes, typical, size),
            });
        }
        bodies.margin = if bytes.is_one_in(2) { 0.2 * typical * bytes.uniform() } else { 0.0 };
        if bytes.is_one_in(6) {
            let groups = 2 + bytes.below(200);
            bodies.groups = Some((0..count).map(|_| bytes.below(groups) as u32).collect());
        }
        bodies
    }

    pub fn scale(&self) -> f64 {
        self.scale
    }

    pub fn snapshot(&self) -> Result<Snapshot<'_, D>, Error> {
        let now = Snapshot::new(&self.centers, &self.radii)?.within(self.domain)?.with_margin(self.margin)?;
        match &self.groups {
            Some(groups) => now.in_groups(groups),
            None => Ok(now),
        }
    }

    /// What may happen between two calls.
    pub fn change(&mut self, bytes: &mut Bytes<'_>) {
        let (scale, count) = (self.scale, self.centers.len() as u64);
        match bytes.below(9) {
            0 if count > 0 => {
                let who = bytes.below(count) as usize;
                self.centers[who] = self.centers[who].map(|x| x + 3.0 * scale * bytes.signed());
            }
            1 => self.radii.iter_mut().for_each(|radius| *radius *= 0.5 + 1.5 * bytes.uniform()),
            2 if count > 0 => {
                let left = bytes.below(count) as usize;
                self.truncate(left);
            }
            3 if count > 0 => {
                for _ in 0..1 + bytes.below(8) {
                    let model = bytes.below(count) as usize;
                    self.centers.push(self.centers[model].map(|x| x + 0.1 * scale * bytes.signed()));
                    self.radii.push(self.radii[model]);
                    if let Some(groups) = &mut self.groups {
                        groups.push(groups[model]);
                    }
                }
            }
            4 => {
                self.centers.reverse();
                self.radii.reverse();
            }
            5 => self.margin = margin(bytes, 0.1 * scale, scale),
            6 => self.domain = random_domain(bytes, scale),
            _ => {
                let way = scale * bytes.pick(&[0.0, 1e-12, 1e-3, 0.03, 0.3]);
                self.centers.iter_mut().for_each(|center| *center = center.map(|x| x + way * bytes.signed()));
            }
        }
    }

    fn truncate(&mut self, count: usize) {
        self.centers.truncate(count);
        self.radii.truncate(count);
        if let Some(groups) = &mut self.groups {
            groups.truncate(count);
        }
    }
}

/// Open space, a box or a sheared cell, periodic along some of its edges; thin along some at times.
fn random_domain<const D: usize>(bytes: &mut Bytes<'_>, scale: f64) -> Domain<D> {
    let kind = bytes.below(6);
    if kind < 2 {
        return Domain::open();
    }
    let origin = std::array::from_fn(|_| if bytes.is_one_in(3) { 0.0 } else { 3.0 * scale * bytes.signed() });
    let mut edges = [[0.0; D]; D];
    for k in 0..D {
        let thin = if bytes.is_one_in(6) { 0.02 + 0.2 * bytes.uniform() } else { 1.0 };
        edges[k][k] = thin * scale * bytes.pick(&[1.0, 0.5, 0.75, 1.3, 2.0]);
        for axis in (0..D).filter(|&axis| axis != k && kind == 5) {
            edges[k][axis] = if bytes.is_one_in(3) { 0.0 } else { 1.5 * scale * bytes.signed() };
        }
    }
    let periodic = std::array::from_fn(|_| !bytes.is_one_in(4));
    let made = match kind {
        5 => Domain::from_cell(origin, edges, periodic),
        _ => Domain::new(origin, std::array::from_fn(|k| origin[k] + edges[k][k]), periodic),
    };
    made.unwrap_or_else(|_| Domain::open())
}

/// A place: anywhere, on a lattice, in clusters, in a plane, on borders of the box and an ulp beside them, or far away.
fn center<const D: usize>(
    bytes: &mut Bytes<'_>,
    domain: &Domain<D>,
    scale: f64,
    kind: u64,
    others: &[[f64; D]],
) -> [f64; D] {
    let (lo, hi) = match domain.bounded() {
        Some(domain) => (domain.lo(), domain.hi()),
        None => ([0.0; D], [scale; D]),
    };
    let inside: [f64; D] = std::array::from_fn(|axis| lo[axis] + (hi[axis] - lo[axis]) * bytes.uniform());
    match kind {
        0 => std::array::from_fn(|axis| lo[axis] + scale * f64::from(bytes.byte() % 9) / 8.0),
        1 if !others.is_empty() => {
            let near = bytes.pick(others);
            let way = scale * bytes.pick(&[0.0, 1e-9, 0.01, 0.1]);
            near.map(|x| x + way * bytes.signed())
        }
        2 => std::array::from_fn(|axis| if axis == 0 { lo[0] } else { inside[axis] }),
        3 => std::array::from_fn(|axis| match bytes.below(6) {
            0 => lo[axis],
            1 => hi[axis],
            2 => lo[axis].next_down(),
            3 => hi[axis].next_up(),
            4 => 0.0,
            _ => inside[axis],
        }),
        4 if bytes.is_one_in(4) => inside.map(|x| x + scale * 10f64.powi(bytes.below(10) as i32) * bytes.signed()),
        5 => inside.map(|x| -x),
        _ => inside,
    }
}

fn radius(bytes: &mut Bytes<'_>, typical: f64, kind: u64) -> f64 {
    match kind {
        0 => 0.5 * typical,
        1 if bytes.is_one_in(3) => 0.0,
        2 => typical * 10f64.powf(-8.0 * bytes.uniform()),
        3 if bytes.is_one_in(12) => 6.0 * typical,
        4 => typical * 2f64.powi(-(bytes.below(6) as i32)),
        5 => 0.25 * typical * f64::from(1 + bytes.byte() % 4),
        _ => typical * bytes.uniform(),
    }
}

fn margin(bytes: &mut Bytes<'_>, typical: f64, scale: f64) -> f64 {
    match bytes.below(8) {
        0 | 1 => 0.2 * typical * bytes.uniform(),
        2 => 1.5 * scale * bytes.uniform(),
        _ => 0.0,
    }
}
