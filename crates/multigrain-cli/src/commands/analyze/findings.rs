//! All numbers of one moment, and how they are printed.

use super::sample::Sample;
use crate::plan::Space;
use crate::table::{count, four_digits};
use anyhow::{Context, Result};
use multigrain::{Axes, CheckedSystem, Dimension};
use multigrain_analysis::{
    Contact, Coordination, Fabric, ForceStatistics, Grains, Map, PairCorrelation, Profile, Stress, coordination,
    fabric, force_statistics, map, pair_correlation, profile, segregation, stress, touching,
};
use multigrain_files::{AXES, ContactList, Moment};
use serde_json::{Value, json};
use std::collections::HashMap;

/// Pixels of the map along its longer side.
const PIXELS: usize = 60;

/// What the flags ask for.
pub struct AnalysisOptions {
    pub bins: usize,
    pub axis: Option<usize>,
    pub stiffness: Option<f64>,
}

/// What was found, without the number of dimensions in its type.
pub struct Findings {
    pub name: String,
    pub time: Option<f64>,
    pub coordination: Coordination,
    pub correlation: PairCorrelation,
    pub forces: Option<ForceStatistics>,
    pub map: Map,
    /// The axis of the profile.
    pub axis: usize,
    /// Names of the columns of the profile, and its rows; NaN where there is nothing.
    pub profile: (Vec<String>, Vec<Vec<f64>>),
    /// The JSON object.
    pub json: Value,
    lines: Vec<(&'static str, String)>,
}

impl Findings {
    pub fn of<const D: usize>(
        particles: &CheckedSystem<D>,
        sample: &Sample,
        space: &Space,
        options: &AnalysisOptions,
    ) -> Result<Self>
    where
        Axes: Dimension<D>,
    {
        let axis = options.axis.unwrap_or(D - 1);
        anyhow::ensure!(axis < D, "--axis z, but the particles are in the plane");
        // Says what is wrong with box and particles, as for every search.
        space.snapshot(particles)?;
        let domain = space.domain(particles.domain.bounded())?;
        let velocities = sample.moment.velocities::<D>();
        let mut grains = Grains::new(&particles.centers, &particles.radii, domain)?;
        if let Some(velocities) = &velocities {
            grains = grains.moving(velocities);
        }
        let contacts = match &sample.contacts {
            Some(list) => given(list, &sample.moment).with_context(|| format!("contacts of {}", sample.name))?,
            None => touching(&grains, space.margin)?,
        };
        let contacts: Vec<Contact<D>> = match options.stiffness {
            Some(stiffness) if sample.contacts.is_none() => {
                contacts.into_iter().map(|contact| contact.with_spring(stiffness)).collect()
            }
            _ => contacts,
        };
        let walls = sample.moment.wall_contacts();
        let found = Found {
            wall_contacts: walls.as_ref().map(|walls| walls.iter().map(|&own| u64::from(own)).sum()),
            coordination: coordination(grains.len(), &contacts, walls.as_deref()),
            fabric: fabric(&contacts),
            stress: stress(&grains, &contacts),
            forces: force_statistics(&contacts, options.bins),
            correlation: pair_correlation(&grains, None, options.bins)?,
            profile: profile(&grains, axis, options.bins),
            map: map(&grains, [0, D - 1], PIXELS, grains.mean_diameter().max(f64::MIN_POSITIVE)),
            segregation: std::array::from_fn(|axis| segregation(&grains, axis)),
            contacts: contacts.len(),
            max_overlap: contacts.iter().map(|contact| contact.overlap).fold(0.0, f64::max),
        };
        let (json, lines) = (found.json(&grains, sample), found.lines(&grains));
        let profile = found.profile_table();
        let Found { coordination, correlation, forces, map, .. } = found;
        let (name, time) = (sample.name.clone(), sample.moment.time);
        Ok(Self { name, time, coordination, correlation, forces, map, axis, profile, json, lines })
    }

    /// What people read.
    pub fn summary(&self) -> String {
        let line = |(name, text): &(&str, String)| format!("{name:<17} {text}");
        self.lines.iter().map(line).collect::<Vec<_>>().join("\n")
    }

    /// Numbers of a row of a series.
    pub fn row(&self) -> Value {
        let json = &self.json;
        json!({
            "step": json["step"], "time": json["time"], "particles": json["particles"], "contacts": json["contacts"],
            "wall_contacts": json["wall_contacts"],
            "packing_fraction": json["packing_fraction"], "coordination": json["coordination"]["mean"],
            "mechanical_coordination": json["coordination"]["mechanical"], "anisotropy": json["fabric"]["anisotropy"],
            "pressure": json["stress"]["pressure"], "shear": json["stress"]["shear"],
            "max_overlap": json["max_overlap"], "segregation": json["segregation"][AXES[self.axis]],
        })
    }
}

/// What was found.
struct Found<const D: usize> {
    /// Where the input has them.
    wall_contacts: Option<u64>,
    coordination: Coordination,
    fabric: Option<Fabric<D>>,
    stress: Option<Stress<D>>,
    forces: Option<ForceStatistics>,
    correlation: PairCorrelation,
    profile: Profile<D>,
    map: Map,
    segregation: [Option<f64>; D],
    contacts: usize,
    max_overlap: f64,
}

impl<const D: usize> Found<D>
where
    Axes: Dimension<D>,
{
    fn json(&self, grains: &Grains<'_, D>, sample: &Sample) -> Value {
        let (lo, hi) = grains.bounds();
        let bounds: Vec<f64> = (0..D).flat_map(|axis| [lo[axis], hi[axis]]).collect();
        let tensor = |tensor: &[[f64; D]; D]| tensor.iter().map(|row| row.to_vec()).collect::<Vec<_>>();
        let columns = |pairs: &[(f64, f64)], names: [&str; 2]| {
            let (first, second): (Vec<f64>, Vec<f64>) = pairs.iter().copied().unzip();
            json!({names[0]: first, names[1]: second})
        };
        let (names, rows) = self.profile_table();
        let column = |k: usize| rows.iter().map(|row| row[k]).collect::<Vec<f64>>();
        let profile: serde_json::Map<String, Value> =
            names.iter().enumerate().map(|(k, name)| (name.clone(), json!(column(k)))).collect();
        let segregation: serde_json::Map<String, Value> =
            (0..D).map(|axis| (AXES[axis].to_owned(), json!(self.segregation[axis]))).collect();
        let (smallest, largest) = extremes(grains.radii);
        json!({
            "input": sample.name,
            "step": sample.moment.step,
            "time": sample.moment.time,
            "particles": grains.len(),
            "dimension": D,
            "box": bounds,
            "volume": grains.box_volume(),
            "packing_fraction": grains.packing_fraction(),
            "radius": {"min": smallest, "mean": 0.5 * grains.mean_diameter(), "max": largest},
            "contacts": self.contacts,
            "wall_contacts": self.wall_contacts,
            "max_overlap": self.max_overlap,
            "coordination": {
                "mean": self.coordination.mean,
                "mechanical": self.coordination.mechanical,
                "rattlers": self.coordination.rattlers,
                "histogram": self.coordination.histogram,
            },
            "fabric": self.fabric.map(|fabric| json!({
                "tensor": tensor(&fabric.tensor),
                "eigenvalues": fabric.eigenvalues.to_vec(),
                "anisotropy": fabric.anisotropy,
            })),
            "stress": self.stress.map(|stress| json!({
                "tensor": tensor(&stress.tensor),
                "eigenvalues": stress.eigenvalues.to_vec(),
                "pressure": stress.pressure,
                "shear": stress.shear,
            })),
            "forces": self.forces.as_ref().map(|forces| json!({
                "mean": forces.mean,
                "max": forces.max,
                "strong_share": forces.strong_share,
                "density": columns(&forces.density, ["force_over_mean", "density"]),
            })),
            "pair_correlation": columns(&self.correlation.values, ["r", "g"]),
            "profile": {"axis": AXES[self.profile.axis], "columns": profile},
            "segregation": segregation,
            "version": crate::commands::VERSION,
        })
    }

    fn lines(&self, grains: &Grains<'_, D>) -> Vec<(&'static str, String)> {
        let number = four_digits;
        let list = |values: &[f64]| values.iter().map(|&value| number(value)).collect::<Vec<_>>().join(", ");
        let (smallest, largest) = extremes(grains.radii);
        let (lo, hi) = grains.bounds();
        let sides: Vec<String> =
            (0..D).map(|axis| format!("{} {} to {}", AXES[axis], number(lo[axis]), number(hi[axis]))).collect();
        let total = grains.len().max(1) as f64;
        let mut lines = vec![
            (
                "grains",
                format!(
                    "{} in {D} dimensions, radii {} to {}",
                    count(grains.len() as u64),
                    number(smallest),
                    number(largest)
                ),
            ),
            ("box", sides.join(", ")),
            ("packing fraction", format!("{:.4}", grains.packing_fraction())),
            (
                "contacts",
                format!(
                    "{}{}, largest overlap {}",
                    count(self.contacts as u64),
                    self.wall_contacts.map_or_else(String::new, |walls| format!(" and {} with walls", count(walls))),
                    number(self.max_overlap)
                ),
            ),
            (
                "coordination",
                format!(
                    "{:.3} per grain, {:.3} without rattlers, which are {:.1} %",
                    self.coordination.mean,
                    self.coordination.mechanical,
                    100.0 * self.coordination.rattlers as f64 / total
                ),
            ),
        ];
        if let Some(fabric) = &self.fabric {
            let values = list(&fabric.eigenvalues);
            lines.push(("fabric", format!("eigenvalues {values}, anisotropy {}", number(fabric.anisotropy))));
        }
        lines.push((
            "stress",
            match &self.stress {
                Some(stress) => format!(
                    "pressure {}, largest shear {}, eigenvalues {}",
                    number(stress.pressure),
                    number(stress.shear),
                    list(&stress.eigenvalues)
                ),
                None if self.contacts == 0 => "none: no contacts".to_owned(),
                None => "unknown: the input has no forces; --stiffness K makes springs of the overlaps".to_owned(),
            },
        ));
        if let Some(forces) = &self.forces {
            lines.push((
                "normal forces",
                format!(
                    "mean {}, largest {}, {:.1} % above the mean",
                    number(forces.mean),
                    number(forces.max),
                    100.0 * forces.strong_share
                ),
            ));
        }
        let peak = self.correlation.values.iter().copied().fold((0.0, 0.0), |a, b| if b.1 > a.1 { b } else { a });
        lines.push(("pair correlation", format!("largest g(r) {} at r = {}", number(peak.1), number(peak.0))));
        let parts: Vec<String> = (0..D)
            .filter_map(|axis| self.segregation[axis].map(|value| format!("{} {}", AXES[axis], number(value))))
            .collect();
        if !parts.is_empty() {
            lines.push(("segregation", parts.join(", ")));
        }
        lines
    }

    fn profile_table(&self) -> (Vec<String>, Vec<Vec<f64>>) {
        let mut names: Vec<String> =
            ["from", "to", "centers", "packing_fraction", "mean_radius"].map(str::to_owned).to_vec();
        let is_moving = self.profile.slices.iter().any(|slice| slice.velocity.is_some());
        if is_moving {
            names.extend(AXES[..D].iter().map(|axis| format!("v{axis}")));
            names.push("temperature".to_owned());
        }
        let row = |slice: &multigrain_analysis::Slice<D>| {
            let mut row = vec![slice.from, slice.to, slice.centers as f64, slice.packing_fraction];
            row.push(slice.mean_radius.unwrap_or(f64::NAN));
            if is_moving {
                row.extend(slice.velocity.unwrap_or([f64::NAN; D]));
                row.push(slice.temperature.unwrap_or(f64::NAN));
            }
            row
        };
        (names, self.profile.slices.iter().map(row).collect())
    }
}

fn extremes(radii: &[f64]) -> (f64, f64) {
    match radii.is_empty() {
        true => (0.0, 0.0),
        false => (radii.iter().copied().fold(f64::INFINITY, f64::min), radii.iter().copied().fold(0.0, f64::max)),
    }
}

/// Contacts that a run has written.
fn given<const D: usize>(list: &ContactList, moment: &Moment) -> Result<Vec<Contact<D>>> {
    let column = |name: &str, components: usize| {
        let found = list.column(name).filter(|column| column.components == components);
        found.map(|column| &column.values[..]).with_context(|| format!("there is no array {name}"))
    };
    let (ids, ends, forces, overlaps) =
        (column("ids", 2)?, column("ends", 6)?, column("force", 3)?, column("overlap", 1)?);
    let own = moment.ids.as_ref().context("the snapshot has no ids")?;
    let places: HashMap<i64, u32> = own.iter().zip(0..).map(|(&id, place)| (id, place)).collect();
    let contact = |k: usize| {
        let place = |end: usize| {
            let id = ids[2 * k + end] as i64;
            places.get(&id).copied().with_context(|| format!("there is no grain with id {id}"))
        };
        Ok(Contact {
            pair: [place(0)?, place(1)?],
            branch: std::array::from_fn(|axis| ends[6 * k + 3 + axis] - ends[6 * k + axis]),
            overlap: overlaps[k],
            force: Some(std::array::from_fn(|axis| forces[3 * k + axis])),
        })
    };
    (0..list.count).map(contact).collect()
}
