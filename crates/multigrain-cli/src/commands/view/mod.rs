//! `multigrain view`: a page that shows particles.

mod browser;
mod files;
mod run_folder;

pub use run_folder::RecordedRun;

use crate::failure::say;
use crate::flags::WithContacts;
use crate::output;
use crate::plan::{ViewPlan, ViewSource};
use crate::progress::Progress;
use crate::table::count;
use anyhow::Result;
use multigrain_files::Target;
use multigrain_files::view::{MAX_WITH_CONTACTS, Page, PageFrame};
use serde::Serialize;

/// The JSON object.
#[derive(Debug, Serialize)]
struct ViewReport {
    page: String,
    frames: usize,
    particles: usize,
    dimension: usize,
    contacts: usize,
    bytes: usize,
    notes: Vec<String>,
    version: &'static str,
}

/// Reads, writes the page, opens it where that is wanted.
pub fn run(plan: &ViewPlan) -> Result<()> {
    let page = match &plan.source {
        ViewSource::Files(inputs) => files::page(inputs, plan.contacts)?,
        ViewSource::Run(folder) => RecordedRun::open(folder)?.page(plan.contacts)?,
    };
    let (frames, particles, dimension) =
        (page.frames.len(), page.frames.first().map_or(0, PageFrame::len), page.dimension);
    let contacts = page.frames.first().and_then(|frame| frame.contacts.as_ref()).map_or(0, Vec::len);
    let writing = Progress::waiting("writing the page");
    let mut notes = page.notes.clone();
    let thinned = page.html_within(plan.max_size)?;
    notes.extend(thinned.notes);
    plan.target.write(|out| Ok(out.write_all(thinned.html.as_bytes())?))?;
    drop(writing);
    let name = match &plan.target {
        Target::File(path) => path.display().to_string(),
        _ => "-".to_owned(),
    };
    let bytes = thinned.html.len();
    let report =
        ViewReport { page: name, frames, particles, dimension, contacts, bytes, notes, version: super::VERSION };
    if plan.json {
        output::print(&serde_json::to_string(&report)?)?;
    } else if plan.target != Target::Stdout {
        report.notes.iter().for_each(|note| say(&format!("note: {note}")));
        say(&report.text());
    }
    match &plan.target {
        Target::File(path) if plan.open => browser::open(path),
        _ => Ok(()),
    }
}

impl ViewReport {
    fn text(&self) -> String {
        let counted =
            |value: usize, noun: &str| format!("{} {noun}{}", count(value as u64), if value == 1 { "" } else { "s" });
        let frames = if self.frames == 1 { String::new() } else { format!("{}, ", counted(self.frames, "frame")) };
        let particles = counted(self.particles, "particle");
        format!("{frames}{particles} shown in {} ({:.1} MB)", self.page, self.bytes as f64 / 1e6)
    }
}

/// Whether a page of this many grains has contacts; if they are left out by themselves, a note that says so.
fn decide_contacts(with: WithContacts, grains: usize, notes: &mut Vec<String>) -> bool {
    if with == WithContacts::Auto && grains > MAX_WITH_CONTACTS {
        notes.push(format!("Contacts of {} grains are left out; --contacts yes adds them.", count(grains as u64)));
    }
    match with {
        WithContacts::Auto => grains <= MAX_WITH_CONTACTS,
        WithContacts::Yes => true,
        WithContacts::No => false,
    }
}

/// An error if frames are partly in the plane and partly in space.
fn same_dimension(page: &Page) -> Result<()> {
    match page.frames.iter().find(|frame| frame.dimension != page.dimension) {
        None => Ok(()),
        Some(frame) => Err(crate::failure::hinted(
            format!("{} has {} dimensions, the first frame has {}", frame.label, frame.dimension, page.dimension),
            "a page shows the plane or space, not both",
        )),
    }
}
