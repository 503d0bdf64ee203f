//! `multigrain tune`: the best levels and cell sizes for a file or a size distribution.

use crate::failure::{hinted, say};
use crate::input;
use crate::output;
use crate::plan::{LawSizes, Sizes, TunePlan, Way};
use crate::plots::{self, Curve, TuningPlot};
use crate::table::{TextTable, count, three_digits};
use anyhow::{Context, Result};
use multigrain::limits::MAX_LEVELS;
use multigrain::sizes::ball_volume;
use multigrain::tuning::Distribution;
use multigrain::{AnySystem, CheckedSystem, each_dimension};
use multigrain_files::Target;
use multigrain_papers::tuning::{CostModel, RadiiSample, Spacing, Tuning};
use serde::Serialize;

/// Said first: whoever wants contacts need not read on.
const NO_NEED: &str = "multigrain detect needs no tuning: by default it takes hgrid, which chooses levels of its own and is faster. What \
                       follows is for hgrid-cells, the papers' form of the grid.";

/// The JSON object.
#[derive(Debug, Serialize)]
struct TuneReport {
    levels: usize,
    cell_sizes: Vec<f64>,
    work: f64,
    candidates_per_particle: f64,
    cells_per_particle: f64,
    linked_cell_work: f64,
    direction: &'static str,
    k: f64,
    particles_per_cell: Vec<f64>,
}

/// What is tuned for.
struct Subject {
    /// In words.
    name: String,
    distribution: Distribution,
    /// What a unit of the distribution is in the unit of the input.
    unit: f64,
    /// Single particles, where there are any.
    sample: Option<RadiiSample>,
}

/// Tunes, draws, reports.
pub fn run(plan: &TunePlan) -> Result<()> {
    match &plan.sizes {
        Sizes::Law(sizes) => tune_for_law(plan, sizes),
        Sizes::File { input, dimension, .. } => {
            let system = input::read(input)?;
            must_be(system.dimension() as u8, *dimension)?;
            each_dimension!(&system, AnySystem, particles => tune_for_particles(plan, particles))
        }
    }
}

fn must_be(dimension: u8, typed: Option<u8>) -> Result<()> {
    match typed.filter(|&typed| typed != dimension) {
        Some(typed) => Err(hinted(
            format!("--dimension {typed}, but the particles of the file have {dimension} dimensions"),
            "leave --dimension out",
        )),
        None => Ok(()),
    }
}

fn tune_for_law(plan: &TunePlan, sizes: &LawSizes) -> Result<()> {
    let dimension = usize::from(sizes.dimension);
    let (distribution, sample) = match sizes.count {
        Some(count) => {
            crate::memory::ensure("particles", count as u64, size_of::<f64>())?;
            let radii = sizes.law.sample(count, dimension);
            let sides = cube(&radii, dimension, sizes.packing_fraction);
            (Distribution::of_radii(&radii)?, Some(RadiiSample::new(radii, &sides)))
        }
        None => (Distribution::of_law(&sizes.law, dimension)?, None),
    };
    let of = match sizes.count {
        Some(particles) => format!("{} particles of {}", count(particles as u64), sizes.name),
        None => sizes.name.clone(),
    };
    let name = format!("{of}, packing fraction {}, {dimension} dimensions", sizes.packing_fraction);
    let subject = Subject { name, distribution, unit: sizes.unit, sample };
    let model = CostModel::packed(&subject.distribution, dimension, sizes.packing_fraction)?;
    tune(plan, &subject, model)
}

fn tune_for_particles<const D: usize>(plan: &TunePlan, particles: &CheckedSystem<D>) -> Result<()> {
    let Sizes::File { input, space, packing_fraction, .. } = &plan.sizes else { return Ok(()) };
    let now = space.snapshot(particles)?;
    if now.is_empty() {
        return Err(hinted(format!("{input} has no particles to tune for"), "name another file, or use --law"));
    }
    let radii: Vec<f64> = now.radii().iter().map(|radius| radius + now.margin() / 2.0).collect();
    let distribution = Distribution::of_radii(&radii)?;
    let largest = 2.0 * distribution.largest();
    let sides: [f64; D] = std::array::from_fn(|axis| match (now.domain().is_periodic(axis), now.extent()) {
        (true, _) => now.domain().length(axis),
        (false, extent) => (extent.hi[axis] - extent.lo[axis]).max(largest),
    });
    let periodic = std::array::from_fn(|axis| now.domain().is_periodic(axis));
    let name = format!("{} particles of {input} in {D} dimensions", count(particles.len() as u64));
    let of = |name: String, sides: &[f64]| {
        let sample = RadiiSample::new(radii.clone(), sides);
        Subject { name, distribution: distribution.clone(), unit: 1.0, sample: Some(sample) }
    };
    match packing_fraction {
        Some(fraction) => {
            let model = CostModel::packed(&distribution, D, *fraction)?;
            tune(plan, &of(format!("{name}, packing fraction {fraction}"), &cube(&radii, D, *fraction)), model)
        }
        None => {
            let model = CostModel::in_box(&distribution, now.len(), sides, periodic)?;
            tune(plan, &of(name, &sides), model)
        }
    }
}

/// Sides of a cube that the bodies fill to a packing fraction.
fn cube(radii: &[f64], dimension: usize, packing_fraction: f64) -> Vec<f64> {
    let volume: f64 = radii.iter().map(|&radius| ball_volume(radius, dimension)).sum();
    vec![(volume / packing_fraction).powf(1.0 / dimension as f64); dimension]
}

fn tune(plan: &TunePlan, subject: &Subject, model: CostModel) -> Result<()> {
    let model = model.with_k(plan.k)?.with_direction(plan.direction);
    let tuning = match plan.way {
        Way::Spacing(spacing) => spacing.tune(&model, plan.levels)?,
        Way::AppendixA | Way::Quick => {
            let sample = subject.sample.as_ref().context("a rule needs single particles")?;
            let filling = match (plan.way, plan.levels) {
                (Way::Quick, _) => sample.quick_rule(plan.k),
                (_, Some(levels)) => sample.with_levels(levels)?,
                (_, None) => sample.least_work(&model)?,
            };
            let filling = filling.context("there are no particles with a size")?;
            Tuning::of_cell_sizes(&model, &filling.cell_sizes)?
        }
    };
    if let Some((target, format)) = &plan.plot {
        plots::write(&plot(subject, &model, plan.way)?, target, *format)?;
        if let (Target::File(path), false) = (target, plan.json) {
            say(&format!("plot written to {}", path.display()));
        }
    }
    let found = tuning.cell_sizes.len();
    if let Some(asked) = plan.levels.filter(|&asked| asked > found) {
        say(&format!("note: {found} of the {asked} levels asked for: more would not lessen the work"));
    }
    let shares = tuning.share_of_particles.clone();
    let report = TuneReport::new(tuning, subject.unit);
    output::print(&if plan.json { serde_json::to_string(&report)? } else { report.text(plan, subject, &shares) })
}

/// Every way to space cell sizes, with any number of levels; that which was asked for is marked.
fn plot(subject: &Subject, model: &CostModel, way: Way) -> Result<TuningPlot> {
    let ratio = match way {
        Way::Spacing(Spacing::ConstantRatio(ratio)) => ratio,
        _ => 1.0,
    };
    let ways = [
        ("linear", "equal steps of cell sizes", Spacing::Linear),
        ("exponential", "equal ratios of cell sizes", Spacing::Exponential),
        ("constant", "particles per cell in a constant ratio", Spacing::ConstantRatio(ratio)),
        ("optimal", "the least work of all", Spacing::Optimal),
    ];
    let mut curves = Vec::with_capacity(ways.len());
    for (name, meaning, spacing) in ways {
        let is_chosen = way == Way::Spacing(spacing);
        let best = spacing.tune(model, None)?;
        let mut numbers: Vec<usize> = (1..=24).chain((28..=MAX_LEVELS).step_by(4)).collect();
        numbers.push(best.cell_sizes.len());
        numbers.sort_unstable();
        numbers.dedup();
        let work = numbers.into_iter().map(|levels| Ok((levels, spacing.tune(model, Some(levels))?.work)));
        let work = work.collect::<Result<_>>()?;
        let cell_sizes = best.cell_sizes.iter().map(|size| size * subject.unit).collect();
        curves.push(Curve {
            name: name.to_owned(),
            meaning,
            is_chosen,
            work,
            best_work: best.work,
            cell_sizes,
            particles_per_cell: best.particles_per_cell,
        });
    }
    let title = format!("Cell sizes of levels for {}, K = {}, {}", subject.name, model.k(), model.direction().name());
    Ok(TuningPlot { title, curves })
}

impl TuneReport {
    fn new(tuning: Tuning, unit: f64) -> Self {
        Self {
            levels: tuning.cell_sizes.len(),
            cell_sizes: tuning.cell_sizes.iter().map(|size| size * unit).collect(),
            work: tuning.work,
            candidates_per_particle: tuning.candidates_per_particle,
            cells_per_particle: tuning.cells_per_particle,
            linked_cell_work: tuning.linked_cell_work,
            direction: tuning.direction.name(),
            k: tuning.k,
            particles_per_cell: tuning.particles_per_cell,
        }
    }

    fn text(&self, plan: &TunePlan, subject: &Subject, shares: &[f64]) -> String {
        let mut table = TextTable::new(["level", "cell size", "particles per cell", "share of particles", ""]);
        for (k, size) in self.cell_sizes.iter().enumerate() {
            let share = format!("{} %", three_digits(100.0 * shares[k]));
            let filling = three_digits(self.particles_per_cell[k]);
            table.row([(k + 1).to_string(), format!("{size:.6}"), filling, share, String::new()]);
        }
        let levels = if self.levels == 1 { "1 level".to_owned() } else { format!("{} levels", self.levels) };
        let saved = match self.linked_cell_work / self.work {
            ratio if ratio > 1.05 => format!("{} times as much", three_digits(ratio)),
            _ => "no more".to_owned(),
        };
        format!(
            "{NO_NEED}\n\nFor {}: {levels}, {} ({}).\n\n{table}\n\n\
             Predicted work per particle: {} ({} candidate pairs, and {} cells looked at that cost {} of a pair test each).\n\
             A single level (the linked cell) takes {}: {saved}.{}",
            subject.name,
            self.direction,
            plan.way.name(),
            hundredths(self.work),
            hundredths(self.candidates_per_particle),
            hundredths(self.cells_per_particle),
            self.k,
            hundredths(self.linked_cell_work),
            self.how_to_use(plan),
        )
    }

    /// The commands that find contacts, by the default and with these levels.
    fn how_to_use(&self, plan: &TunePlan) -> String {
        let Sizes::File { input, .. } = &plan.sizes else { return String::new() };
        let sizes: Vec<String> = self.cell_sizes.iter().map(f64::to_string).collect();
        format!(
            "\nTo contacts the shortest way: multigrain detect {input}\n\
             To study these levels, which takes longer: multigrain detect {input} --method hgrid-cells --direction {} --cell-sizes {}",
            self.direction,
            sizes.join(",")
        )
    }
}

/// Two decimals, as the papers print work.
fn hundredths(value: f64) -> String {
    if value < 1e4 { format!("{value:.2}") } else { count(value as u64) }
}

impl Way {
    fn name(self) -> String {
        match self {
            Self::Spacing(Spacing::Linear) => "cell sizes in equal steps".to_owned(),
            Self::Spacing(Spacing::Exponential) => "cell sizes in equal ratios".to_owned(),
            Self::Spacing(Spacing::ConstantRatio(1.0)) => "the same number of particles per cell".to_owned(),
            Self::Spacing(Spacing::ConstantRatio(q)) => format!("particles per cell in the ratio {q}"),
            Self::Spacing(Spacing::Optimal) => "the least work of all".to_owned(),
            Self::Spacing(other) => format!("{other:?}"),
            Self::AppendixA => "levels filled one after the other".to_owned(),
            Self::Quick => "levels filled one after the other, their number by the quick rule".to_owned(),
        }
    }
}
