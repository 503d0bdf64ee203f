//! A page of a run: what `multigrain simulate` has left in its folder.

use super::files::{file_name, polygons};
use super::{decide_contacts, same_dimension};
use crate::failure::hinted;
use crate::flags::WithContacts;
use crate::progress::Progress;
use anyhow::{Context, Result};
use multigrain_files::view::{Page, PageFrame, PageTable, PageWalls, find_contacts};
use multigrain_files::{Column, ContactList, Input, Mesh, Moment, read_moments};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Rows of the table that a page holds.
const MAX_ROWS: usize = 1000;

/// The column that differs between runs: without it a page is the same for the same run.
const BY_THE_CLOCK: &str = "detection_share";

/// Vectors of snapshots that a page shows by their lengths; and the tensor, which it leaves to other programs.
const VECTORS: [(&str, &str); 2] = [("angular_velocity", "spin"), ("force", "force")];
const TENSOR: &str = "stress_";

/// The folder of a run, and its snapshots by step.
pub struct RecordedRun {
    folder: PathBuf,
    snapshots: BTreeMap<u64, PathBuf>,
}

impl RecordedRun {
    /// A folder that must hold snapshots.
    pub fn open(folder: &Path) -> Result<Self> {
        let run = Self::list(folder)?;
        if run.snapshots.is_empty() {
            return Err(hinted(
                format!("{} holds no run: there is no snapshot-*.vtp or snapshot-*.dump in it", folder.display()),
                "set `snapshot_every` in the scene and run it again, or name particle files",
            ));
        }
        Ok(run)
    }

    /// Whatever snapshots a folder holds; of a step in several formats the one that has more.
    pub fn list(folder: &Path) -> Result<Self> {
        let cannot = || format!("cannot read {}", folder.display());
        let mut snapshots = BTreeMap::new();
        for entry in fs::read_dir(folder).with_context(cannot)? {
            let path = entry.with_context(cannot)?.path();
            let name = file_name(&path);
            let Some((step, ending)) = name.strip_prefix("snapshot-").and_then(|rest| rest.split_once('.')) else {
                continue;
            };
            let Ok(step) = step.parse::<u64>() else { continue };
            if ending == "vtp" || (ending == "dump" && !snapshots.contains_key(&step)) {
                snapshots.insert(step, path);
            }
        }
        Ok(Self { folder: folder.to_owned(), snapshots })
    }

    /// Only the snapshots of these steps.
    pub fn keep(&mut self, keeps: impl Fn(u64) -> bool) {
        self.snapshots.retain(|&step, _| keeps(step));
    }

    /// Steps of the snapshots.
    pub fn steps(&self) -> Vec<u64> {
        self.snapshots.keys().copied().collect()
    }

    /// The snapshot of a step as particles, with its time.
    pub fn moment(&self, step: u64) -> Result<Moment> {
        let path = self.snapshots.get(&step).with_context(|| format!("there is no snapshot of step {step}"))?;
        let moments = read_moments(&Input::File(path.clone()), &|_| Box::new(()))?;
        let mut moment = moments.into_iter().next().with_context(|| format!("{} is empty", path.display()))?;
        moment.step = Some(step);
        moment.time = moment.time.or_else(|| self.times().get(&file_name(path)).copied());
        Ok(moment)
    }

    /// Contacts of a step with their forces, if the run has written them.
    pub fn contacts(&self, step: u64) -> Result<Option<ContactList>> {
        let path = self.folder.join(format!("contacts-{step:09}.vtp"));
        if path.exists() { Ok(ContactList::read(&path)?) } else { Ok(None) }
    }

    pub fn len(&self) -> usize {
        self.snapshots.len()
    }

    /// The page of all snapshots.
    pub fn page(&self, contacts: WithContacts) -> Result<Page> {
        let table = self.table();
        let (times, still) = (self.times(), self.still_walls());
        let bar = Progress::steps("reading", self.snapshots.len() as u64);
        let (mut frames, mut systems) = (Vec::new(), Vec::new());
        for (&step, path) in &self.snapshots {
            let input = Input::File(path.clone());
            let mut frame = match polygons(&input) {
                Some(frame) => frame,
                None => {
                    let moments = read_moments(&input, &|_| Box::new(()))?;
                    let moment = moments.into_iter().next().with_context(|| format!("{} is empty", path.display()))?;
                    systems.push((frames.len(), moment.system.clone()));
                    PageFrame::of_moment(moment)
                }
            };
            norms_for_vectors(&mut frame.columns);
            let name = file_name(path);
            frame.time = frame.time.or_else(|| times.get(&name).copied()).or_else(|| time_of(step, table.as_ref()));
            let moving = self.walls(&format!("walls-{step:09}.vtp"));
            if let Some(walls) = moving.or_else(|| still.clone()) {
                frame.walls = walls;
            }
            frames.push(PageFrame { label: name, step: Some(step), ..frame });
            bar.advance(1);
        }
        let mut page = Page::new(file_name(&self.folder.canonicalize().unwrap_or(self.folder.clone())), frames);
        page.table = table;
        if decide_contacts(contacts, page.grains(), &mut page.notes) {
            self.add_contacts(&mut page, systems)?;
        }
        same_dimension(&page)?;
        Ok(page)
    }

    /// Contacts with the forces that the run has written, or else with overlaps.
    fn add_contacts(&self, page: &mut Page, systems: Vec<(usize, multigrain::AnySystem)>) -> Result<()> {
        let steps: Vec<u64> = self.snapshots.keys().copied().collect();
        let path = |step: u64| self.folder.join(format!("contacts-{step:09}.vtp"));
        if !steps.iter().all(|&step| path(step).exists()) {
            for (k, system) in systems {
                page.frames[k].contacts = Some(find_contacts(&system)?);
            }
            return Ok(());
        }
        page.contact_value = "force".to_owned();
        for (frame, step) in page.frames.iter_mut().zip(steps) {
            let mesh = Mesh::read(&path(step))?;
            let array = |name: &str| mesh.cell_array(name).map_or(&[][..], |array| &array.values);
            let (ids, forces) = (array("ids"), array("force_norm"));
            let contact = |(k, line): (usize, &Vec<usize>)| {
                let &[first, second] = &line[..] else { return None };
                let ids = [*ids.get(2 * k)? as u64, *ids.get(2 * k + 1)? as u64];
                Some((ids, [mesh.points[first], mesh.points[second]], *forces.get(k)?))
            };
            *frame = std::mem::take(frame).with_contacts_by_id(mesh.lines.iter().enumerate().filter_map(contact));
        }
        Ok(())
    }

    /// Times by the names of files, as `snapshots.pvd` lists them.
    fn times(&self) -> BTreeMap<String, f64> {
        let text = fs::read_to_string(self.folder.join("snapshots.pvd")).unwrap_or_default();
        let entry = |line: &str| {
            let attribute = |name: &str| Some(line.split_once(&format!("{name}=\""))?.1.split_once('"')?.0.to_owned());
            Some((attribute("file")?, attribute("timestep")?.parse().ok()?))
        };
        text.lines().filter_map(entry).collect()
    }

    /// Walls that stay where they are.
    pub fn still_walls(&self) -> Option<PageWalls> {
        self.walls("walls.vtp")
    }

    /// Walls of a file, if it is there and whole.
    fn walls(&self, name: &str) -> Option<PageWalls> {
        let path = self.folder.join(name);
        path.exists().then(|| Mesh::read(&path).ok()).flatten().map(|mesh| PageWalls::of_mesh(&mesh))
    }

    /// The table of the run, evenly thinned.
    pub fn table(&self) -> Option<PageTable> {
        let text = fs::read_to_string(self.folder.join("energies.csv")).ok()?;
        let mut lines = text.lines();
        let names: Vec<String> = lines.next()?.split(',').map(str::to_owned).collect();
        let rows: Vec<Vec<f64>> = lines
            .map(|line| line.split(',').map(|value| value.parse().unwrap_or(f64::NAN)).collect())
            .filter(|row: &Vec<f64>| row.len() == names.len())
            .collect();
        let every = rows.len().div_ceil(MAX_ROWS).max(1);
        let last = rows.len().saturating_sub(1);
        let kept: Vec<&Vec<f64>> =
            rows.iter().enumerate().filter(|(k, _)| k % every == 0 || *k == last).map(|(_, row)| row).collect();
        let shown: Vec<usize> = (0..names.len()).filter(|&column| names[column] != BY_THE_CLOCK).collect();
        let values = |&column: &usize| kept.iter().map(|row| row[column]).collect();
        Some(PageTable {
            columns: shown.iter().map(values).collect(),
            names: shown.iter().map(|&column| names[column].clone()).collect(),
        })
    }
}

/// Pages are small where components of vectors are not among their columns.
fn norms_for_vectors(columns: &mut Vec<Column>) {
    columns.retain(|column| !column.name.starts_with(TENSOR));
    for (vector, name) in VECTORS {
        let is_part = |column: &Column| column.name.strip_prefix(vector).is_some_and(|rest| rest.starts_with('_'));
        let (parts, others): (Vec<Column>, Vec<Column>) = columns.drain(..).partition(is_part);
        *columns = others;
        if let Some(first) = parts.first() {
            let norm = |k: usize| parts.iter().map(|part| part.values[k] * part.values[k]).sum::<f64>().sqrt();
            let values = (0..first.values.len()).map(norm).collect();
            columns.push(Column { name: name.to_owned(), values });
        }
    }
}

/// The time of a step, from the rows of the table around it.
fn time_of(step: u64, table: Option<&PageTable>) -> Option<f64> {
    let table = table?;
    let column = |name: &str| Some(&table.columns[table.names.iter().position(|own| own == name)?]);
    let (steps, times) = (column("step")?, column("time")?);
    let (last_step, last_time) = (steps.last()?, times.last()?);
    // Steps are all equally long.
    (*last_step > 0.0).then(|| step as f64 * last_time / last_step)
}
