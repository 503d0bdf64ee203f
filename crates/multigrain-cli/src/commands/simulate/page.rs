//! The page of a run, written at its end.

use crate::commands::view::RunFolder;
use crate::flags::WithContacts;
use anyhow::Result;
use multigrain_files::Target;
use multigrain_files::view::{Page, PageFrame};
use std::path::Path;

/// The page.
pub const PAGE: &str = "page.html";

/// Grains of all snapshots up to which a run writes a page where nothing is said.
const MAX_GRAINS: usize = 200_000;

/// Writes the page of all snapshots that `has` names, or of the last moment where there are none. `wanted` is what the scene says;
/// where it says nothing, small runs have a page. Whether there is one now.
pub fn write(
    folder: &Path,
    title: &str,
    wanted: Option<bool>,
    has: impl Fn(u64) -> bool,
    last: impl FnOnce() -> PageFrame,
) -> Result<bool> {
    if wanted == Some(false) {
        return Ok(false);
    }
    let mut run = RunFolder::list(folder)?;
    run.keep(has);
    let last = last();
    if wanted.is_none() && last.len() * run.len().max(1) > MAX_GRAINS {
        return Ok(false);
    }
    let page = match run.len() {
        0 => Page {
            table: run.table(),
            contact_value: "force".to_owned(),
            ..Page::new("", vec![PageFrame { walls: run.still_walls().unwrap_or(last.walls), ..last }])
        },
        _ => run.page(WithContacts::Auto)?,
    };
    let html = Page { title: title.to_owned(), ..page }.html()?;
    Target::File(folder.join(PAGE)).write(|out| Ok(out.write_all(html.as_bytes())?))?;
    Ok(true)
}
