//! The page of a run, written at its end.

use crate::commands::view::RecordedRun;
use crate::flags::WithContacts;
use anyhow::Result;
use multigrain_files::Target;
use multigrain_files::view::{Page, PageFrame};
use std::path::Path;

/// The page.
pub const PAGE: &str = "page.html";

/// Grains of all snapshots up to which a run writes a page by default.
const MAX_GRAINS: usize = 200_000;

/// The film of spheres and discs: the page, playing.
pub const FILM: &str = "film.html";

/// What is to be written at the end of a run.
#[derive(Clone, Copy)]
pub struct Wish {
    /// What the scene says of a page; where it says nothing, small runs have one.
    pub page: Option<bool>,
    /// Whether there is to be a film.
    pub film: bool,
    /// The column that colors grains, where the scene names one.
    pub column: Option<&'static str>,
}

/// Writes the page of all snapshots that `has` names, or where there are none of the last moment, in which there are so many grains. Whether
/// there is one now.
pub fn write(
    folder: &Path,
    title: &str,
    wish: Wish,
    has: impl Fn(u64) -> bool,
    grains: usize,
    last: impl FnOnce() -> Result<PageFrame>,
) -> Result<bool> {
    if wish.page == Some(false) && !wish.film {
        return Ok(false);
    }
    let mut run = RecordedRun::list(folder)?;
    run.keep(has);
    if wish.page.is_none() && !wish.film && grains * run.len().max(1) > MAX_GRAINS {
        return Ok(false);
    }
    let page = match run.len() {
        0 => {
            let last = last()?;
            Page {
                table: run.table(),
                contact_value: "force".to_owned(),
                ..Page::new("", vec![PageFrame { walls: run.still_walls().unwrap_or(last.walls), ..last }])
            }
        }
        _ => run.page(WithContacts::Auto)?,
    };
    let mut page = Page { title: title.to_owned(), ..page };
    page.start.column = wish.column.map(str::to_owned);
    let save =
        |name: &str, html: String| Target::File(folder.join(name)).write(|out| Ok(out.write_all(html.as_bytes())?));
    if wish.page != Some(false) {
        save(PAGE, page.html()?)?;
    }
    if wish.film {
        page.start.plays = true;
        save(FILM, page.html()?)?;
    }
    Ok(true)
}
