//! Detection on several ranks: the bytes that one would write.

use super::ids::SomeIds;
use super::{DetectReport, Seconds};
use crate::commands::ranks::together;
use crate::commands::sharing::write_in_order;
use crate::failure::{ReportedElsewhere, hinted, say};
use crate::input;
use crate::memory::PeakMeter;
use crate::output;
use crate::plan::DetectPlan;
use crate::table::count;
use anyhow::Result;
use multigrain::{AnySystem, Axes, CheckedSystem, Dimension, Domain, Snapshot, System, each_dimension};
use multigrain_distributed::{Counters, Found, Options, Parcel, Rows, Transport, Why, find_pairs, first_failed};
use multigrain_files::{
    ContactRow, FrameChoice, ListFormat, ListLabels, Moment, Raw, RowPiece, SharedFile, Target, read_elements,
    read_row_piece,
};
use serde::Serialize;
use std::time::Instant;

/// What the JSON object says of ranks.
#[derive(Debug, Serialize)]
pub struct RankReport {
    pub ranks: usize,
    pub ghosts: u64,
    pub messages: u64,
    pub bytes: u64,
    /// The largest work of a rank over the mean.
    pub imbalance: f64,
    pub per_rank: Vec<CountersReport>,
}

/// One rank.
#[derive(Debug, Serialize)]
pub struct CountersReport {
    pub particles: u64,
    pub ghosts: u64,
    pub partners: u64,
    pub contacts: u64,
    pub candidates: u64,
    pub cells: u64,
    pub messages: u64,
    pub bytes: u64,
    /// The most memory that its process took for detection at once.
    pub peak_memory_bytes: u64,
}

/// That ranks can do it.
pub fn check(plan: &DetectPlan) -> Result<()> {
    let flag = match plan {
        _ if plan.against.is_some() => "--against",
        _ if plan.frame == Some(FrameChoice::All) => "--frame all",
        _ if plan.explain => "--explain",
        _ if plan.repeat > 1 => "--repeat",
        _ => return Ok(()),
    };
    Err(hinted(format!("{flag} works on one rank, but there are several"), format!("leave out {flag}, or mpirun")))
}

/// Reads, cuts, detects, writes, reports.
pub fn run(plan: &DetectPlan, transport: &mut dyn Transport) -> Result<()> {
    let start = Instant::now();
    if let Some(RowPiece { first, particles }) = read_piece(plan, transport) {
        return match particles {
            Raw::D2(rows) => {
                let dealt = in_space(plan, transport, first, rows)?;
                detect(plan, transport, dealt, start)
            }
            Raw::D3(rows) => {
                let dealt = in_space(plan, transport, first, rows)?;
                detect(plan, transport, dealt, start)
            }
        };
    }
    // One rank reads, and says what all must know.
    let is_first = transport.rank() == 0;
    let read = if is_first { read(plan).map(Some) } else { Ok(None) };
    let read = together(transport, read)?;
    let dimension =
        read.as_ref().map_or(0, |moment| each_dimension!(&moment.system, AnySystem, system => dimension_of(system)));
    match transport.all_gather(&[dimension])[0][0] {
        2 => {
            let whole = read.and_then(|moment| {
                parts(moment, |system| if let AnySystem::D2(all) = system { Some(all) } else { None })
            });
            let dealt = deal_out::<2>(plan, transport, whole)?;
            detect(plan, transport, dealt, start)
        }
        _ => {
            let whole = read.and_then(|moment| {
                parts(moment, |system| if let AnySystem::D3(all) = system { Some(all) } else { None })
            });
            let dealt = deal_out::<3>(plan, transport, whole)?;
            detect(plan, transport, dealt, start)
        }
    }
}

/// This rank's piece of the file, if all ranks can read theirs and nothing is wrong with them. Otherwise one reads all, and reports what is.
fn read_piece(plan: &DetectPlan, transport: &mut dyn Transport) -> Option<RowPiece> {
    let piece = read_row_piece(&plan.input, transport.rank() as u64, transport.size() as u64);
    let piece = piece.ok().flatten().filter(|piece| match &piece.particles {
        Raw::D2(rows) => Snapshot::new(&rows.centers, &rows.radii).is_ok(),
        Raw::D3(rows) => Snapshot::new(&rows.centers, &rows.radii).is_ok(),
    });
    let piece = piece.filter(|_| plan.frame.is_none());
    if first_failed(transport, piece.is_none()).is_some() { None } else { piece }
}

/// Rows of an array, which knows of no box.
fn in_space<const D: usize>(
    plan: &DetectPlan,
    transport: &mut dyn Transport,
    first: u64,
    mut rows: System<D>,
) -> Result<Dealt<D>> {
    rows.domain = together(transport, plan.space.domain(None))?;
    Ok(Dealt { first, rows, ids: None })
}

type Whole<const D: usize> = (CheckedSystem<D>, Option<Vec<i64>>);

fn parts<const D: usize>(moment: Moment, of: impl Fn(AnySystem) -> Option<CheckedSystem<D>>) -> Option<Whole<D>> {
    Some((of(moment.system)?, moment.ids))
}

fn dimension_of<const D: usize>(_: &CheckedSystem<D>) -> u8 {
    D as u8
}

fn read(plan: &DetectPlan) -> Result<Moment> {
    if read_elements(&plan.input)?.is_some() {
        return Err(hinted(format!("{} is a mesh, which one rank searches", plan.input), "start it without mpirun"));
    }
    Ok(input::frames(&plan.input, plan.frame)?.chosen.remove(0).1)
}

fn detect<const D: usize>(
    plan: &DetectPlan,
    transport: &mut dyn Transport,
    dealt: Dealt<D>,
    start: Instant,
) -> Result<()>
where
    Axes: Dimension<D>,
{
    let read = start.elapsed().as_secs_f64();
    let memory = PeakMeter::start();
    let begun = Instant::now();
    let mut options = Options::within(dealt.rows.domain);
    options.margin = plan.space.margin;
    options.method = plan.method;
    options.settings = plan.settings.clone();
    options.gives_overlaps = matches!(plan.list, Some((_, ListFormat::Csv)));
    let rows = Rows::new(dealt.first, &dealt.rows.centers, &dealt.rows.radii);
    let mut find = |options: &Options<D>| {
        find_pairs(transport, rows, options).map_err(|error| match error {
            multigrain_distributed::Error::Engine(error) => error.into(),
            error if error.is_elsewhere() => ReportedElsewhere.into(),
            error => anyhow::Error::from(error),
        })
    };
    let found = find(&options)?;
    let search = begun.elapsed().as_secs_f64();
    let peak_memory_bytes = memory.bytes();
    // Counting takes its time: it is not in that of the search.
    let mut counters = found.counters;
    if plan.count_work || plan.json {
        (options.counts_work, options.gives_overlaps) = (true, false);
        counters = find(&options)?.counters;
    }
    let begun = Instant::now();
    if let Some((target, format)) = &plan.list {
        let indices = || found.pairs.as_flattened().to_vec();
        let ids = match (&dealt.ids, format) {
            (Some(own), ListFormat::Csv) => Some(SomeIds::look_up(transport, dealt.first, own, indices())),
            _ => None,
        };
        let piece = Piece { found: &found, is_periodic: options.domain.has_images(), ids };
        write_list(transport, target, *format, &piece)?;
    }
    let write = begun.elapsed().as_secs_f64();
    let counted = counters.gather(transport);
    let peaks = transport.all_gather(&peak_memory_bytes.to_le_bytes());
    let peaks: Vec<u64> =
        peaks.iter().filter_map(|bytes| bytes.first_chunk()).map(|&word| u64::from_le_bytes(word)).collect();
    let mut contacts = [found.pairs.len() as u64];
    transport.all_sum(&mut contacts);
    if transport.rank() > 0 {
        return Ok(());
    }
    let sum = |of: fn(&Counters) -> u64| counted.iter().map(of).sum::<u64>();
    let report = DetectReport {
        particles: sum(|rank| rank.bodies) as usize,
        dimension: D,
        contacts: contacts[0] as usize,
        method: plan.method.name(),
        direction: None,
        cell_sizes: Vec::new(),
        particles_per_level: Vec::new(),
        regions: 0,
        candidates: plan.count_work.then(|| sum(|rank| rank.candidates)),
        cells: plan.count_work.then(|| sum(|rank| rank.cells)),
        seconds: Seconds { read, map: 0.0, search, write, total: read + search + write },
        peak_memory_bytes: peaks.iter().copied().max().unwrap_or(peak_memory_bytes),
        threads: rayon::current_num_threads(),
        version: crate::commands::VERSION,
        on_ranks: Some(rank_report(&counted, &peaks)),
    };
    if plan.json {
        return output::print(&serde_json::to_string(&report)?);
    }
    if let Some((Target::File(path), _)) = &plan.list {
        let (contacts, ranks) = (count(contacts[0]), counted.len());
        say(&format!("{contacts} contacts found on {ranks} ranks, written to {}", path.display()));
    }
    Ok(())
}

fn rank_report(counted: &[Counters], peaks: &[u64]) -> RankReport {
    let sum = |of: fn(&Counters) -> u64| counted.iter().map(of).sum();
    let one = |(rank, &peak_memory_bytes): (&Counters, &u64)| CountersReport {
        particles: rank.bodies,
        ghosts: rank.ghosts,
        partners: rank.partners,
        contacts: rank.pairs,
        candidates: rank.candidates,
        cells: rank.cells,
        messages: rank.messages,
        bytes: rank.bytes,
        peak_memory_bytes,
    };
    RankReport {
        ranks: counted.len(),
        ghosts: sum(|rank| rank.ghosts),
        messages: sum(|rank| rank.messages),
        bytes: sum(|rank| rank.bytes),
        imbalance: Counters::imbalance(counted),
        per_rank: counted.iter().zip(peaks).map(one).collect(),
    }
}

/// What a rank works with.
struct Dealt<const D: usize> {
    first: u64,
    rows: System<D>,
    /// Those of its rows.
    ids: Option<Vec<i64>>,
}

/// Particles in as many pieces as there are ranks, from the one that has them all.
fn deal_out<const D: usize>(
    plan: &DetectPlan,
    transport: &mut dyn Transport,
    whole: Option<Whole<D>>,
) -> Result<Dealt<D>> {
    // What is wrong with particles and space is reported in the words of one rank, which sees all of them.
    let checked = match &whole {
        Some((system, _)) => plan.space.snapshot(system).map(|now| Some(*now.domain())),
        None => Ok(None),
    };
    let domain = together(transport, checked)?;
    let parcels = match (&whole, &domain) {
        (Some(whole), Some(domain)) => parcels_of(whole, domain, transport.size()),
        _ => Vec::new(),
    };
    let has_ids = transport.all_gather(&[u8::from(whole.as_ref().is_some_and(|(_, ids)| ids.is_some()))])[0][0] == 1;
    drop(whole);
    let came = transport.exchange(Why::Files, parcels);
    let mut words = came[0].bytes.as_chunks::<8>().0.iter().copied();
    let domain = domain_of(&mut words)?;
    let mut word = || words.next().unwrap_or_default();
    let (first, count) = (u64::from_le_bytes(word()), u64::from_le_bytes(word()) as usize);
    let centers = (0..count).map(|_| std::array::from_fn(|_| f64::from_le_bytes(word()))).collect();
    let radii = (0..count).map(|_| f64::from_le_bytes(word())).collect();
    let ids = has_ids.then(|| words.map(i64::from_le_bytes).collect());
    Ok(Dealt { first, rows: System { centers, radii, domain }, ids })
}

/// The rows of each rank, with their ids.
fn parcels_of<const D: usize>((system, ids): &Whole<D>, domain: &Domain<D>, ranks: usize) -> Vec<Parcel> {
    let parcel = |rank: usize| {
        let rows = system.len() * rank / ranks..system.len() * (rank + 1) / ranks;
        let mut bytes = domain_bytes(domain);
        bytes.extend((rows.start as u64).to_le_bytes());
        bytes.extend((rows.len() as u64).to_le_bytes());
        let numbers = system.centers[rows.clone()].iter().flatten().chain(&system.radii[rows.clone()]);
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        bytes.extend(ids.iter().flat_map(|ids| &ids[rows.clone()]).flat_map(|id| id.to_le_bytes()));
        Parcel { rank, bytes }
    };
    (0..ranks).map(parcel).collect()
}

/// Whether there is a box, whether it is sheared, periodic axes, then corners, or origin and edges.
fn domain_bytes<const D: usize>(domain: &Domain<D>) -> Vec<u8> {
    let kind = if domain.bounded().is_none() { 0 } else { 1 + u64::from(domain.is_sheared()) };
    let periodic = (0..D).map(|axis| u64::from(domain.is_periodic(axis)) << axis).sum::<u64>();
    let mut bytes = [kind, periodic].iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>();
    let numbers: Vec<f64> = match kind {
        2 => domain.origin().into_iter().chain(domain.edges().into_iter().flatten()).collect(),
        _ => domain.lo().into_iter().chain(domain.hi()).collect(),
    };
    bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
    bytes
}

fn domain_of<const D: usize>(words: &mut impl Iterator<Item = [u8; 8]>) -> Result<Domain<D>> {
    let mut word = || words.next().unwrap_or_default();
    let (kind, periodic) = (u64::from_le_bytes(word()), u64::from_le_bytes(word()));
    let periodic = std::array::from_fn(|axis| periodic >> axis & 1 == 1);
    let mut point = || std::array::from_fn(|_| f64::from_le_bytes(word()));
    Ok(match kind {
        2 => Domain::from_cell(point(), std::array::from_fn(|_| point()), periodic)?,
        1 => Domain::new(point(), point(), periodic)?,
        _ => {
            let _: [[f64; D]; 2] = [point(), point()];
            Domain::open()
        }
    })
}

/// What a rank has of the list.
struct Piece<'a, const D: usize> {
    found: &'a Found<D>,
    is_periodic: bool,
    /// Ids of the particles that the contacts are of.
    ids: Option<SomeIds>,
}

impl<const D: usize> Piece<'_, D> {
    /// The bytes of its part of the file; the first rank has the head too.
    fn bytes(&self, format: ListFormat, head: Option<usize>) -> Result<Vec<u8>> {
        let labels = ListLabels { ids: self.ids.as_ref().map(SomeIds::shown), ..ListLabels::default() };
        let mut bytes = Vec::new();
        if let Some(contacts) = head {
            format.write_head::<D>(&mut bytes, contacts, self.is_periodic, labels)?;
        }
        let Found { pairs, shifts, overlaps, .. } = self.found;
        format.write_piece(&mut bytes, pairs.len(), self.is_periodic, labels, |k| ContactRow {
            i: pairs[k][0],
            j: pairs[k][1],
            shift: shifts.get(k).copied().unwrap_or([0; D]),
            overlap: overlaps.get(k).copied().unwrap_or(0.0),
        })?;
        Ok(bytes)
    }
}

/// Writes the list: all ranks into one file, or, where bytes must come in order, through the first.
fn write_list<const D: usize>(
    transport: &mut dyn Transport,
    target: &Target,
    format: ListFormat,
    piece: &Piece<'_, D>,
) -> Result<()> {
    let rank = transport.rank();
    let mut contacts = [piece.found.pairs.len() as u64];
    transport.all_sum(&mut contacts);
    let bytes = together(transport, piece.bytes(format, (rank == 0).then_some(contacts[0] as usize)))?;
    let suits = transport.all_gather(&[u8::from(rank == 0 && SharedFile::suits(target))])[0][0] == 1;
    match target {
        Target::File(path) if suits => write_in_order(transport, path, &bytes),
        _ => write_in_turn(transport, target, bytes),
    }
}

fn write_in_turn(transport: &mut dyn Transport, target: &Target, bytes: Vec<u8>) -> Result<()> {
    let (rank, ranks) = (transport.rank(), transport.size());
    let mut own = Some(bytes);
    let mut next = |transport: &mut dyn Transport, sender: usize| {
        let bytes = if sender == rank { own.take() } else { None };
        let parcels = bytes.map(|bytes| Parcel { rank: 0, bytes }).into_iter().collect();
        transport.exchange(Why::Files, parcels)
    };
    if rank > 0 {
        (0..ranks).for_each(|sender| drop(next(transport, sender)));
        return together(transport, anyhow::Ok(()));
    }
    let mut sender = 0;
    let written = target.write(|out| {
        while sender < ranks {
            let came = next(transport, sender);
            sender += 1;
            for parcel in came {
                out.write_all(&parcel.bytes)?;
            }
        }
        Ok(())
    });
    // The others go on sending, whatever has become of it here.
    (sender..ranks).for_each(|sender| drop(next(transport, sender)));
    together(transport, written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_rank_is_dealt_the_ids_of_its_rows_alone() {
        let system = System { centers: vec![[0.5; 3]; 100], radii: vec![1.0; 100], domain: Domain::open() };
        let whole = (system.checked().unwrap(), Some((0..100).collect()));
        let length = |ranks: usize| -> usize {
            parcels_of(&whole, &Domain::open(), ranks).iter().map(|parcel| parcel.bytes.len()).sum()
        };
        let head = domain_bytes(&Domain::<3>::open()).len() + 16;
        assert_eq!((length(1), length(8)), (head + 100 * 40, 8 * head + 100 * 40));
    }
}
