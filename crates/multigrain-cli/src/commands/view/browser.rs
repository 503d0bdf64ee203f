//! Opening a page in the browser of the system.

use crate::failure::hinted;
use anyhow::Result;
use std::path::Path;
use std::process::{Command, Stdio};

/// Hands the page to whatever opens pages here; does not wait for it.
pub fn open(page: &Path) -> Result<()> {
    let page = page.canonicalize().unwrap_or_else(|_| page.to_owned());
    let mut command = match std::env::consts::OS {
        "macos" => Command::new("open"),
        "windows" => {
            let mut command = Command::new("cmd");
            command.args(["/c", "start", ""]);
            command
        }
        _ => Command::new("xdg-open"),
    };
    let spawned = command.arg(&page).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
    match spawned {
        Ok(_) => Ok(()),
        Err(error) => Err(hinted(
            format!("the page is written, but cannot be opened: {error}"),
            format!("open {} in a browser", page.display()),
        )),
    }
}
