//! `multigrain convert`: particles in another format, several frames in one file.

use super::simulate::is_of_a_run;
use super::view::RecordedRun;
use crate::failure::{hinted, say};
use crate::flags::ConvertFlags;
use crate::progress::Progress;
use crate::table::count;
use anyhow::Result;
use multigrain::{AnySystem, each_dimension};
use multigrain_files::{FrameChoice, Input, Moment, SystemFormat, Target, read_full_frames};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Reads and writes frame by frame.
pub fn run(flags: &ConvertFlags) -> Result<()> {
    let target = Target::from_flag(&flags.output);
    let format = SystemFormat::for_target(&target)?;
    target.check()?;
    for input in &flags.inputs {
        target.check_against(input, "the frames")?;
        if let Target::File(path) = &target
            && input.is_dir()
            && is_in_run(path, input)
        {
            let message = format!("the frames would replace {}, a file of the run that is read", path.display());
            return Err(hinted(message, "write them to another file"));
        }
    }
    let choice = flags.frame.unwrap_or(FrameChoice::All);
    if !format.has_frames() {
        return one(flags, choice, &target, format);
    }
    // What cannot be read is reported as that, and not as what kept the frames from being written.
    let mut unread = None;
    let frames = format.save_moments(&target, |add| {
        let mut written = Ok(());
        let read = each(&flags.inputs, choice, &mut |moment| {
            written = add(&moment);
            anyhow::ensure!(written.is_ok(), "a frame cannot be written");
            Ok(())
        });
        written?;
        read.map_err(|error| multigrain_files::Error::new(unread.insert(error).to_string()))
    });
    let frames = match unread {
        Some(error) => return Err(error),
        None => frames?,
    };
    if let Target::File(path) = &target {
        let plural = if frames == 1 { "" } else { "s" };
        say(&format!("{} frame{plural} written to {}", count(frames), path.display()));
    }
    Ok(())
}

/// Whether a path is that of a file which a run in this folder writes.
fn is_in_run(path: &Path, run: &Path) -> bool {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let is_there = matches!((folder.canonicalize(), run.canonicalize()), (Ok(folder), Ok(run)) if folder == run);
    is_there && path.file_name().and_then(OsStr::to_str).is_some_and(is_of_a_run)
}

/// A format that holds one frame.
fn one(flags: &ConvertFlags, choice: FrameChoice, target: &Target, format: SystemFormat) -> Result<()> {
    let mut moments = Vec::new();
    each(&flags.inputs, choice, &mut |moment| {
        moments.push(moment);
        Ok(())
    })?;
    let [moment] = &moments[..] else {
        return Err(hinted(
            format!("there are {} frames, and the file holds one", moments.len()),
            "choose one with --frame, or write .dump, .lammpstrj, .xyz or .h5",
        ));
    };
    each_dimension!(&moment.system, AnySystem, particles => format.save(target, particles))?;
    if let Target::File(path) = target {
        say(&format!("1 frame written to {}", path.display()));
    }
    Ok(())
}

/// Hands on every frame of every input, in order.
fn each(inputs: &[PathBuf], choice: FrameChoice, take: &mut dyn FnMut(Moment) -> Result<()>) -> Result<()> {
    for input in inputs {
        if input.is_dir() {
            let run = RecordedRun::open(input)?;
            let steps = run.steps();
            let chosen = match choice {
                FrameChoice::All => 0..steps.len(),
                FrameChoice::At(number) => {
                    let at = if number < 0 { number + steps.len() as i64 } else { number };
                    let is_there = (0..steps.len() as i64).contains(&at);
                    anyhow::ensure!(is_there, "there is no snapshot {number}: the run has {}", steps.len());
                    at as usize..at as usize + 1
                }
                _ => anyhow::bail!("--frame chooses snapshots in a way that runs do not know"),
            };
            let bar = Progress::steps("converting", chosen.len() as u64);
            for step in &steps[chosen] {
                take(run.moment(*step)?)?;
                bar.advance(1);
            }
            continue;
        }
        let watch = |length| -> Box<dyn multigrain_files::Progress> { Box::new(Progress::bytes("reading", length)) };
        for (_, moment) in read_full_frames(&Input::from_flag(input), choice, &watch)?.chosen {
            take(moment)?;
        }
    }
    Ok(())
}
