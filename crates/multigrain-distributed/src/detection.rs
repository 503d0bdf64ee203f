//! Every touching pair of bodies that no single rank has all of.

use crate::agreement::{agree, agree_on};
use crate::bisection::cut_space;
use crate::coordinates::Coordinates;
use crate::counters::Counters;
use crate::cut_tree::CutTree;
use crate::error::Error;
use crate::halo::Halo;
use crate::octaves::Octaves;
use crate::pair_slices::deal_out;
use crate::search::{Bodies, Body, search};
use crate::transport::{Transport, Why};
use crate::wire::{Packer, Unpacker, parcels};
use multigrain::{Axes, Dimension, Domain, Settings, Snapshot};
use multigrain_methods::Method;

/// The bodies that a rank brings: those whose numbers follow each other from the first on.
#[derive(Debug, Clone, Copy)]
pub struct Rows<'a, const D: usize> {
    first: u64,
    centers: &'a [[f64; D]],
    radii: &'a [f64],
    groups: Option<&'a [u32]>,
}

impl<'a, const D: usize> Rows<'a, D> {
    /// Bodies from number `first` on. Ranks bring them one after the other: the first of a rank follows the last of the rank
    /// before. Some may bring none.
    pub fn new(first: u64, centers: &'a [[f64; D]], radii: &'a [f64]) -> Self {
        Self { first, centers, radii, groups: None }
    }

    /// The same in groups, whose bodies do not touch each other; then all ranks have groups.
    pub fn in_groups(self, groups: &'a [u32]) -> Self {
        Self { groups: Some(groups), ..self }
    }
}

/// How to detect: the same on all ranks.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Options<const D: usize> {
    /// The space that bodies live in.
    pub domain: Domain<D>,
    /// Gap below which bodies touch.
    pub margin: f64,
    /// How each rank searches.
    pub method: Method,
    /// What the method is given.
    pub settings: Settings,
    /// Whether to count work.
    pub counts_work: bool,
    /// Whether to give overlaps.
    pub gives_overlaps: bool,
}

impl<const D: usize> Options<D> {
    /// In this space, by the method that suits the bodies.
    pub fn within(domain: Domain<D>) -> Self {
        Self {
            domain,
            margin: 0.0,
            method: Method::Auto,
            settings: Settings::default(),
            counts_work: false,
            gives_overlaps: false,
        }
    }
}

/// The pairs that a rank lists: those whose lower index is among its rows, sorted by indices and shift. Those of all ranks, one
/// after the other, are the sorted list of one machine.
#[derive(Debug, Clone, PartialEq)]
pub struct Found<const D: usize> {
    /// Indices `[i, j]`, `i < j`, or `i = j` for an own image.
    pub pairs: Vec<[u64; 2]>,
    /// How many periods the image of `j` lies from `j`; empty in open space.
    pub shifts: Vec<[i32; D]>,
    /// How deep bodies overlap, where it was asked for; else empty.
    pub overlaps: Vec<f64>,
    /// What this rank did.
    pub counters: Counters,
}

/// Finds every touching pair of the bodies of all ranks; collective.
pub fn find_pairs<const D: usize>(
    transport: &mut dyn Transport,
    rows: Rows<'_, D>,
    options: &Options<D>,
) -> Result<Found<D>, Error>
where
    Axes: Dimension<D>,
{
    let before = transport.sent();
    agree_on(transport, "settings", &format!("{D} {options:?} {}", rows.groups.is_some()))?;
    let starts = row_starts(transport, &rows)?;
    check(transport, &rows, options)?;
    let coordinates = Coordinates::of(&options.domain);
    // Bodies weigh the same: what a large one's search costs is done where the small ones are.
    let ranks = transport.size();
    let tree = cut_space(transport, coordinates, ranks, rows.centers.iter().map(|&center| (center, 1)));
    let mut bodies = hand_over(transport, &tree, rows);
    let own = bodies.len();
    let octaves = Octaves::agree(transport, &bodies.radii);
    let partners = invite(transport, &tree, &octaves, &mut bodies, options);
    let outcome = search(&bodies, own, &octaves, &coordinates, options);
    let (found, work) = agree(transport, outcome)?;
    let now = Snapshot::new(&bodies.centers, &bodies.radii)?.within(options.domain)?;
    let listed = deal_out(transport, &bodies, &found, &now, &starts, options.gives_overlaps);
    let sent = transport.sent();
    let counters = Counters {
        bodies: own as u64,
        ghosts: (bodies.len() - own) as u64,
        partners,
        pairs: found.len() as u64,
        candidates: work.candidates,
        cells: work.cells,
        messages: sent.messages - before.messages,
        bytes: sent.bytes - before.bytes,
    };
    let has_images = options.domain.has_images();
    Ok(Found {
        pairs: listed.iter().map(|pair| [pair.i, pair.j]).collect(),
        shifts: listed.iter().filter(|_| has_images).map(|pair| pair.shift).collect(),
        overlaps: listed.iter().filter(|_| options.gives_overlaps).map(|pair| pair.overlap).collect(),
        counters,
    })
}

/// The first row of every rank.
fn row_starts<const D: usize>(transport: &mut dyn Transport, rows: &Rows<'_, D>) -> Result<Vec<u64>, Error> {
    let mut packer = Packer::default();
    packer.u64(rows.first);
    packer.u64(rows.centers.len() as u64);
    let (mut starts, mut end) = (Vec::new(), 0);
    for (rank, bytes) in transport.all_gather(&packer.bytes).iter().enumerate() {
        let mut unpacker = Unpacker { bytes };
        let (first, count) = (unpacker.u64(), unpacker.u64());
        if first != end {
            return Err(Error::RowsApart { rank, first, end });
        }
        starts.push(first);
        end += count;
    }
    Ok(starts)
}

/// That all bodies can be worked with; the lowest that cannot is named.
fn check<const D: usize>(transport: &mut dyn Transport, rows: &Rows<'_, D>, options: &Options<D>) -> Result<(), Error>
where
    Axes: Dimension<D>,
{
    let named = |mut error: multigrain::Error| {
        if let Some(particle) = error.particle_mut() {
            *particle += rows.first as usize;
        }
        Error::from(error)
    };
    let now = agree(transport, Snapshot::new(rows.centers, rows.radii).map_err(named))?;
    let now = agree(transport, now.within(options.domain).map_err(named))?;
    let now = agree(transport, now.with_margin(options.margin).map_err(named))?;
    let groups = rows.groups.map_or(Ok(now), |groups| now.in_groups(groups));
    agree(transport, groups.map(|_| ()).map_err(named))
}

/// Rows to the owners of their bodies; gives what this rank owns.
fn hand_over<const D: usize>(transport: &mut dyn Transport, tree: &CutTree<D>, rows: Rows<'_, D>) -> Bodies<D> {
    let mut packers = vec![Packer::default(); transport.size()];
    for (k, (&center, &radius)) in rows.centers.iter().zip(rows.radii).enumerate() {
        let group = rows.groups.map(|groups| groups[k]);
        let body = Body { center, radius, index: rows.first + k as u64, group };
        body.pack(&mut packers[tree.owner(center)]);
    }
    let mut bodies = Bodies::new(rows.groups.is_some());
    transport.exchange(Why::Owners, parcels(packers)).iter().for_each(|parcel| bodies.take(&parcel.bytes));
    bodies
}

/// Guests behind the own bodies; how many ranks they are from.
fn invite<const D: usize>(
    transport: &mut dyn Transport,
    tree: &CutTree<D>,
    octaves: &Octaves,
    bodies: &mut Bodies<D>,
    options: &Options<D>,
) -> u64 {
    let largest = bodies.radii.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let largest_of_ranks = transport.all_gather(&largest.to_le_bytes());
    let largest_of_ranks: Vec<f64> = largest_of_ranks.iter().map(|bytes| Unpacker { bytes }.f64()).collect();
    let mut farthest = [tree.coordinates.farthest(&bodies.centers).to_bits()];
    transport.all_max(&mut farthest);
    let gap = options.margin + tree.coordinates.slack(f64::from_bits(farthest[0]));
    let halo = Halo::new(tree, octaves, &largest_of_ranks, gap);
    let mut packers = vec![Packer::default(); transport.size()];
    for k in 0..bodies.len() {
        let body = bodies.body(k);
        halo.hosts(transport.rank(), body.center, body.radius, |host| body.pack(&mut packers[host]));
    }
    let came = transport.exchange(Why::Guests, parcels(packers));
    came.iter().for_each(|parcel| bodies.take(&parcel.bytes));
    came.len() as u64
}
