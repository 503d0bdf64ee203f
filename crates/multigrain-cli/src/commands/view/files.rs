//! A page of particle files.

use super::{decide_contacts, same_dimension};
use crate::flags::WithContacts;
use crate::progress::Progress;
use anyhow::{Context, Result};
use multigrain_files::view::{Page, PageFrame, find_contacts};
use multigrain_files::{Input, Mesh, Moment, read_moments};
use std::path::Path;

/// A frame for each moment of each file.
pub fn page(inputs: &[Input], contacts: WithContacts) -> Result<Page> {
    let mut moments = Vec::new();
    let bar = Progress::steps("reading", inputs.len() as u64);
    for input in inputs {
        let label = name(input);
        match polygons(input) {
            Some(frame) => moments.push((label, Err(Box::new(frame)))),
            None => moments.extend(read(input)?.into_iter().map(|moment| (label.clone(), Ok(moment)))),
        }
        bar.advance(1);
    }
    drop(bar);
    let grains: usize = moments.iter().map(|(_, moment)| moment.as_ref().map_or(0, count)).sum();
    let mut notes = Vec::new();
    let has_contacts = decide_contacts(contacts, grains, &mut notes);
    let bar = Progress::steps("finding contacts", moments.len() as u64);
    let mut frames = Vec::new();
    for (label, moment) in moments {
        frames.push(match moment {
            Ok(moment) => {
                let found = has_contacts.then(|| find_contacts(&moment.system).with_context(|| label.clone()));
                let contacts = found.transpose()?;
                PageFrame { label, contacts, ..PageFrame::of_moment(moment) }
            }
            Err(frame) => PageFrame { label, ..*frame },
        });
        bar.advance(1);
    }
    let page = Page { notes, ..Page::new(title(inputs), frames) };
    same_dimension(&page)?;
    Ok(page)
}

/// The frames of a file of particles.
fn read(input: &Input) -> Result<Vec<Moment>> {
    Ok(read_moments(input, &|length| Box::new(Progress::bytes("reading", length)))?)
}

/// The frame of a file of polygons, if it is one.
pub fn polygons(input: &Input) -> Option<PageFrame> {
    let Input::File(path) = input else { return None };
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("vtp")) {
        return None;
    }
    // What is wrong with a file is reported by the reader of particles.
    let mesh = Mesh::read(path).ok()?;
    PageFrame::of_polygons(&mesh)
}

fn count(moment: &Moment) -> usize {
    moment.system.len()
}

fn name(input: &Input) -> String {
    match input {
        Input::Stdin => "standard input".to_owned(),
        Input::File(path) => file_name(path),
        _ => "input".to_owned(),
    }
}

pub fn file_name(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn title(inputs: &[Input]) -> String {
    match inputs {
        [] => String::new(),
        [input] => name(input),
        [first, .., last] => format!("{} to {}", name(first), name(last)),
    }
}
