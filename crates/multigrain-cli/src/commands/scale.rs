//! `multigrain scale`: a particle system on many ranks, on paper.

use crate::failure::{hinted, say};
use crate::flags::ScaleFlags;
use crate::input;
use crate::output;
use crate::plan::Space;
use crate::progress::Progress;
use crate::table::{TextTable, count};
use anyhow::Result;
use multigrain::{AnySystem, Axes, CheckedSystem, Dimension, each_dimension};
use multigrain_distributed::{OnPaper, Options, Paper, RankOnPaper};
use multigrain_files::Input;
use serde::Serialize;

/// Nanoseconds of a unit of weight in a step of a simulation, and of a guest.
const STEP: [f64; 2] = [50.0, 90.0];

/// The JSON object.
#[derive(Debug, Serialize)]
struct ScaleReport {
    particles: usize,
    dimension: usize,
    contacts: u64,
    contacts_within_skin: u64,
    latency: f64,
    bandwidth: f64,
    cuts: Vec<CutReport>,
    version: &'static str,
}

/// One number of ranks.
#[derive(Debug, Serialize)]
struct CutReport {
    ranks: usize,
    /// Whether all ranks together find what one finds.
    whole: bool,
    tree_bytes: usize,
    ghosts_per_particle: f64,
    guests_per_particle: f64,
    most_guests: u64,
    mean_partners: f64,
    most_partners: u64,
    most_bytes_per_step: u64,
    /// Counted work of all ranks over that of one.
    work: f64,
    imbalance: f64,
    detection_speedup: f64,
    detection_efficiency: f64,
    /// The most that the particles of a rank cost in a step, over the mean.
    step_imbalance: f64,
    step_efficiency: f64,
    per_rank: Vec<ForecastOfRank>,
}

#[derive(Debug, Serialize)]
struct ForecastOfRank {
    particles: u64,
    ghosts: u64,
    /// Particles in a simulation, where space is cut by what they cost in a step.
    particles_in_steps: u64,
    guests: u64,
    partners: u64,
    messages: u64,
    bytes: u64,
    bytes_per_step: u64,
    contacts: u64,
    step_weight: u64,
    candidates: u64,
    cells: u64,
}

/// Reads, cuts for each number of ranks, counts, reports.
pub fn run(flags: &ScaleFlags) -> Result<()> {
    for (what, value) in [("skin", flags.skin), ("latency", flags.latency), ("bandwidth", flags.bandwidth)] {
        if !(value.is_finite() && value >= 0.0) || (what == "bandwidth" && value == 0.0) {
            return Err(hinted(format!("--{what} is {value}"), "give a positive number"));
        }
    }
    let system = input::read(&Input::from_flag(&flags.input))?;
    each_dimension!(&system, AnySystem, particles => scale(flags, particles))
}

fn scale<const D: usize>(flags: &ScaleFlags, particles: &CheckedSystem<D>) -> Result<()>
where
    Axes: Dimension<D>,
{
    let space = Space::from_flags(&flags.space);
    let now = space.snapshot(particles)?;
    let mut options = Options::within(*now.domain());
    options.margin = now.margin();
    options.method = flags.method;
    let smallest = particles.radii.iter().copied().filter(|&radius| radius > 0.0).fold(f64::INFINITY, f64::min);
    let skin = if smallest.is_finite() { flags.skin * smallest } else { 0.0 };
    let progress = Progress::steps("cutting", flags.ranks.len() as u64 + 1);
    let paper = Paper::new(now.centers(), now.radii(), &options, skin)?;
    progress.advance(1);
    let mut cuts = Vec::new();
    for &ranks in &flags.ranks {
        let cut = paper.cut(ranks as usize)?;
        cuts.push(report::<D>(flags, &paper, &cut, paper.motion_bytes()?));
        progress.advance(1);
    }
    drop(progress);
    if flags.json {
        let report = ScaleReport {
            particles: now.len(),
            dimension: D,
            contacts: paper.serial().pairs,
            contacts_within_skin: paper.contacts(),
            latency: flags.latency,
            bandwidth: flags.bandwidth,
            cuts,
            version: super::VERSION,
        };
        return output::print(&serde_json::to_string(&report)?);
    }
    let (particles, contacts) = (count(now.len() as u64), count(paper.serial().pairs));
    output::print(&format!("{particles} particles, {contacts} contacts, {} within the skin", count(paper.contacts())))?;
    output::print(&table(&cuts).to_string())?;
    if cuts.iter().any(|cut| !cut.whole) {
        say("error: ranks together did not find what one finds: this is a bug");
    }
    Ok(())
}

fn report<const D: usize>(flags: &ScaleFlags, paper: &Paper<'_, D>, cut: &OnPaper, motion_bytes: u64) -> CutReport
where
    Axes: Dimension<D>,
{
    let ranks = cut.ranks.len();
    let serial = paper.serial();
    let seconds = |messages: u64, bytes: u64| flags.latency * messages as f64 + bytes as f64 / flags.bandwidth;
    // All ranks agree on a few words: twice the height of a tree.
    let agreement = 2.0 * (ranks as f64).log2().ceil() * flags.latency;
    let detection = |rank: &RankOnPaper| {
        1e-9 * rank.detection.cost() + seconds(rank.detection.messages, rank.detection.bytes) + agreement
    };
    let bytes_per_step = |rank: &RankOnPaper| rank.step.copies * motion_bytes;
    let step = |rank: &RankOnPaper| {
        let busy = STEP[0] * rank.step.weight as f64 + STEP[1] * rank.step.guests as f64;
        1e-9 * busy + seconds(rank.step.partners, bytes_per_step(rank)) + agreement
    };
    let longest = |of: &dyn Fn(&RankOnPaper) -> f64| cut.ranks.iter().map(of).fold(f64::MIN_POSITIVE, f64::max);
    let alone = 1e-9 * serial.cost();
    let step_alone = 1e-9 * STEP[0] * paper.step_weight() as f64;
    let heaviest = cut.most(|rank| rank.step.weight);
    CutReport {
        ranks,
        whole: cut.is_whole,
        tree_bytes: cut.tree_bytes,
        ghosts_per_particle: cut.ghosts_per_body(),
        guests_per_particle: cut.guests_per_body(),
        most_guests: cut.most(|rank| rank.step.guests),
        mean_partners: cut.ranks.iter().map(|rank| rank.step.partners).sum::<u64>() as f64 / ranks as f64,
        most_partners: cut.most(|rank| rank.step.partners),
        most_bytes_per_step: cut.most(bytes_per_step),
        work: cut.total_cost() / serial.cost().max(f64::MIN_POSITIVE),
        imbalance: cut.largest_cost() * ranks as f64 / cut.total_cost().max(f64::MIN_POSITIVE),
        detection_speedup: serial.cost() / cut.largest_cost().max(f64::MIN_POSITIVE),
        detection_efficiency: alone / ranks as f64 / longest(&detection),
        step_imbalance: (heaviest * ranks as u64) as f64 / paper.step_weight().max(1) as f64,
        step_efficiency: step_alone / ranks as f64 / longest(&step),
        per_rank: cut.ranks.iter().map(|rank| per_rank(rank, bytes_per_step(rank))).collect(),
    }
}

fn per_rank(rank: &RankOnPaper, bytes_per_step: u64) -> ForecastOfRank {
    ForecastOfRank {
        particles: rank.detection.bodies,
        ghosts: rank.detection.ghosts,
        particles_in_steps: rank.step.bodies,
        guests: rank.step.guests,
        partners: rank.step.partners,
        messages: rank.detection.messages,
        bytes: rank.detection.bytes,
        bytes_per_step,
        contacts: rank.step.contacts,
        step_weight: rank.step.weight,
        candidates: rank.detection.candidates,
        cells: rank.detection.cells,
    }
}

fn table(cuts: &[CutReport]) -> TextTable {
    let mut table = TextTable::new([
        "ranks",
        "ghosts each",
        "guests each",
        "most guests",
        "partners",
        "most",
        "kB a step",
        "work",
        "imbalance",
        "speed-up",
        "detection",
        "step imbalance",
        "step",
        "",
    ]);
    for cut in cuts {
        table.row([
            count(cut.ranks as u64),
            format!("{:.3}", cut.ghosts_per_particle),
            format!("{:.3}", cut.guests_per_particle),
            count(cut.most_guests),
            format!("{:.1}", cut.mean_partners),
            count(cut.most_partners),
            format!("{:.1}", cut.most_bytes_per_step as f64 / 1e3),
            format!("{:.2}", cut.work),
            format!("{:.2}", cut.imbalance),
            format!("{:.1}", cut.detection_speedup),
            format!("{:.0} %", 100.0 * cut.detection_efficiency),
            format!("{:.2}", cut.step_imbalance),
            format!("{:.0} %", 100.0 * cut.step_efficiency),
            if cut.whole { "same pairs".into() } else { "PAIRS DIFFER".into() },
        ]);
    }
    table
}
