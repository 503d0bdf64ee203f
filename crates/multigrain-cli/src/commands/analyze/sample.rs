//! What is analyzed: a frame of a file, or the snapshots of a run.

use crate::commands::view::RecordedRun;
use crate::failure::{hinted, say};
use crate::progress::Progress;
use anyhow::{Result, bail};
use multigrain_files::{ContactList, FrameChoice, Input, Moment, read_full_frames};
use std::path::Path;

/// Grains at one moment, and their contacts where the input has them.
pub struct Sample {
    pub name: String,
    pub moment: Moment,
    pub contacts: Option<ContactList>,
}

/// Where samples come from.
pub enum SampleSource {
    Frame(Box<Sample>),
    Run(RecordedRun, Vec<u64>),
}

impl SampleSource {
    pub fn open(input: &Path, frame: Option<FrameChoice>) -> Result<Self> {
        if input.is_dir() {
            let run = RecordedRun::open(input)?;
            let steps = run.steps();
            let steps = match frame {
                None | Some(FrameChoice::All) => steps,
                Some(FrameChoice::At(number)) => {
                    let at = if number < 0 { number + steps.len() as i64 } else { number };
                    match usize::try_from(at).ok().and_then(|at| steps.get(at)) {
                        Some(&step) => vec![step],
                        None => bail!("there is no snapshot {number}: the run has {}", steps.len()),
                    }
                }
                Some(_) => bail!("--frame chooses snapshots in a way that runs do not know"),
            };
            return Ok(Self::Run(run, steps));
        }
        if frame == Some(FrameChoice::All) {
            return Err(hinted("a file is analyzed one frame at a time", "give --frame a number, or last"));
        }
        let choice = frame.unwrap_or(FrameChoice::At(-1));
        let input = Input::from_flag(input);
        let frames = read_full_frames(&input, choice, &|length| Box::new(Progress::bytes("reading", length)))?;
        if frames.total > 1 && frame.is_none() {
            say(&format!("note: {input} has {} frames, the last is analyzed", frames.total));
        }
        match frames.chosen.into_iter().next() {
            Some((_, moment)) => Ok(Self::Frame(Box::new(Sample { name: input.to_string(), moment, contacts: None }))),
            None => bail!("{input} has no frames"),
        }
    }

    /// One after another.
    pub fn samples(self) -> Box<dyn Iterator<Item = Result<Sample>>> {
        match self {
            Self::Frame(sample) => Box::new(std::iter::once(Ok(*sample))),
            Self::Run(run, steps) => {
                let bar = Progress::steps("analyzing", steps.len() as u64);
                Box::new(steps.into_iter().map(move |step| {
                    bar.advance(1);
                    let name = format!("step {step}");
                    Ok(Sample { name, moment: run.moment(step)?, contacts: run.contacts(step)? })
                }))
            }
        }
    }
}
