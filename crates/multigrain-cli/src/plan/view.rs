//! What `multigrain view` is to do.

use super::detect::no_json_on_the_same_stream;
use crate::failure::hinted;
use crate::flags::{ViewFlags, WithContacts};
use anyhow::Result;
use multigrain_files::{Input, Target};
use std::path::{Path, PathBuf};

/// A page to be written.
#[derive(Debug)]
pub struct ViewPlan {
    /// Where its frames come from.
    pub source: ViewSource,
    /// Where it goes.
    pub target: Target,
    /// Whether to open it in the browser.
    pub open: bool,
    /// Bytes it may have.
    pub max_size: Option<u64>,
    /// Whether it has contacts.
    pub contacts: WithContacts,
    /// Whether to print JSON.
    pub json: bool,
}

/// Where the frames of a page come from.
#[derive(Debug, PartialEq)]
pub enum ViewSource {
    /// Particle files, in order.
    Files(Vec<Input>),
    /// The folder of a run.
    Run(PathBuf),
}

impl ViewPlan {
    /// From flags; wrong input and output are found before any work is done.
    pub fn from_flags(flags: &ViewFlags) -> Result<Self> {
        let target = Target::from_flag(&flags.output);
        no_json_on_the_same_stream(&target, flags.json)?;
        check_target(&target, &flags.inputs)?;
        if flags.open && target == Target::Stdout {
            return Err(hinted("--open needs a file to open", "write the page with -o PAGE.html"));
        }
        Ok(Self {
            source: source(&flags.inputs)?,
            target,
            open: flags.open,
            max_size: flags.max_size,
            contacts: flags.contacts,
            json: flags.json,
        })
    }
}

fn source(inputs: &[PathBuf]) -> Result<ViewSource> {
    let missing = inputs.iter().find(|path| path.as_os_str() != "-" && !path.exists());
    if let Some(path) = missing {
        let message = format!("cannot read {}: there is no such file or folder", path.display());
        return Err(hinted(message, "name a particle file, or the folder of a run of `multigrain simulate`"));
    }
    match inputs {
        [folder] if folder.is_dir() => Ok(ViewSource::Run(folder.clone())),
        _ => match inputs.iter().find(|path| path.is_dir()) {
            Some(folder) => Err(hinted(
                format!("{} is a folder, and there are other inputs", folder.display()),
                "give one folder of a run, or particle files only",
            )),
            None => Ok(ViewSource::Files(inputs.iter().map(|path| Input::from_flag(path)).collect())),
        },
    }
}

fn check_target(target: &Target, inputs: &[PathBuf]) -> Result<()> {
    let Target::File(path) = target else { return Ok(()) };
    if let Some(input) = inputs.iter().find(|input| target.is_same_file(input)) {
        let message = format!("the page would replace the particles in {}", input.display());
        return Err(hinted(message, "write it to another file"));
    }
    if !is_page(path) {
        let message = format!("cannot write a page to {}", path.display());
        return Err(hinted(message, "pages are .html files"));
    }
    Ok(target.check()?)
}

fn is_page(path: &Path) -> bool {
    // A device takes whatever it is given.
    let is_device = path.exists() && !path.is_file() && !path.is_dir();
    is_device
        || path
            .extension()
            .is_some_and(|ending| ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm"))
}
