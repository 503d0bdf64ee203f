//! What a detection was predicted to need, beside what it needed.

use super::detect::DetectReport;
use crate::coefficients::Calibration;
use crate::plan::DetectPlan;
use crate::table::{TextTable, count, seconds};
use anyhow::Result;
use multigrain::tuning::{BodySample, Distribution};
use multigrain::{Direction, LevelChoice, Levels, Snapshot, Work};
use multigrain_methods::Method;
use multigrain_papers::tuning::CostModel;

/// Predictions of one detection.
pub struct Forecast {
    cells: f64,
    candidates: f64,
    /// Seconds for map and search, and where the coefficients come from; `None` where only work is predicted.
    seconds: Option<(f64, &'static str)>,
}

impl Forecast {
    /// The prediction for a method with a cost model; `None` for the others, and where there is nothing to search.
    pub fn of<const D: usize>(plan: &DetectPlan, report: &DetectReport, now: &Snapshot<'_, D>) -> Result<Option<Self>> {
        // Regions choose their levels from what is in them; no model foresees that.
        if report.cell_sizes.is_empty() || report.regions > 0 || now.nothing_can_touch() {
            return Ok(None);
        }
        let direction = Direction::ALL.into_iter().find(|direction| Some(direction.name()) == report.direction);
        match (plan.method, direction) {
            (Method::Auto | Method::HGrid, Some(direction)) => of_rows(plan, report, now, direction),
            (Method::HGridCells, Some(direction)) => of_cells(report, now, direction),
            _ => Ok(None),
        }
    }

    /// A table: predicted, counted or measured, and the difference.
    pub fn table(&self, work: Work, measured: f64) -> String {
        let off = |predicted: f64, real: f64| match real > 0.0 {
            true => format!("{:+.1} %", 100.0 * (predicted / real - 1.0)),
            false => "-".to_owned(),
        };
        let mut table = TextTable::new(["", "predicted", "counted or measured", "off", ""]);
        for (what, predicted, counted) in
            [("candidates", self.candidates, work.candidates), ("cells or rows", self.cells, work.cells)]
        {
            let difference = off(predicted, counted as f64);
            table.row([what.into(), count(predicted as u64), count(counted), difference, String::new()]);
        }
        if let Some((predicted, source)) = self.seconds {
            table.row(["time".into(), seconds(predicted), seconds(measured), off(predicted, measured), source.into()]);
        }
        table.to_string()
    }
}

/// By the fast grid's own model: levels as a sample of the particles chooses them, their work from the sizes of all.
fn of_rows<const D: usize>(
    plan: &DetectPlan,
    report: &DetectReport,
    now: &Snapshot<'_, D>,
    direction: Direction,
) -> Result<Option<Forecast>> {
    let (Some(sample), Some(all)) = (BodySample::of(now), BodySample::of_all(now)) else { return Ok(None) };
    let choice = sample.model()?.with_direction(direction);
    let model = all.model()?.with_direction(direction);
    let as_laid_out = || Levels::from_cell_sizes(&report.cell_sizes);
    let levels = match &plan.settings.levels {
        LevelChoice::CellSizes(sizes) => Levels::from_cell_sizes(sizes)?,
        // The choice depends on the particles alone, so it can be made again; a few particles have theirs from a table.
        LevelChoice::Count(count) => choice.tune(Some(*count))?.levels,
        LevelChoice::Tuned => choice.tune(None)?.levels,
        _ => as_laid_out()?,
    };
    let alike = |predicted: &[f64]| {
        predicted.len() == report.cell_sizes.len()
            && predicted.iter().zip(&report.cell_sizes).all(|(a, b)| (a / b - 1.0).abs() < 0.05)
    };
    let mut prediction = model.predict(&levels);
    if !alike(&prediction.cell_sizes) {
        prediction = model.predict(&as_laid_out()?);
    }
    let particles = report.particles as f64;
    let (calibration, source) = match Calibration::load() {
        Some(calibration) => (calibration, "by this machine's coefficients"),
        None => (Calibration::built_in(), "by built-in coefficients; multigrain calibrate measures this machine's"),
    };
    let shared = calibration.threads as f64 / report.threads as f64;
    let seconds = calibration.coefficients().seconds(&prediction.work) * particles * shared;
    Ok(Some(Forecast {
        cells: prediction.work.rows * particles,
        candidates: prediction.work.candidates * particles,
        seconds: Some((seconds, source)),
    }))
}

/// By the papers' model, from all particles.
fn of_cells<const D: usize>(
    report: &DetectReport,
    now: &Snapshot<'_, D>,
    direction: Direction,
) -> Result<Option<Forecast>> {
    let radii: Vec<f64> = now.radii().iter().map(|radius| radius + now.margin() / 2.0).collect();
    let sizes = Distribution::of_radii(&radii)?;
    let periodic: [bool; D] = std::array::from_fn(|axis| now.domain().is_periodic(axis));
    let lengths: [f64; D] = std::array::from_fn(|axis| match periodic[axis] {
        true => now.domain().length(axis),
        false => (now.extent().hi[axis] - now.extent().lo[axis]).max(now.largest_reach()),
    });
    let model = CostModel::in_box(&sizes, now.len(), lengths, periodic)?.with_direction(direction);
    // Stretched to fit a small periodic box, levels may come to have the same cells; the model knows no such levels.
    let Ok(prediction) = model.predict(&report.cell_sizes) else { return Ok(None) };
    let particles = report.particles as f64;
    Ok(Some(Forecast {
        cells: prediction.cells_per_particle * particles,
        candidates: prediction.candidates_per_particle * particles,
        seconds: None,
    }))
}
