//! What `multigrain detect` is to do.

use super::Space;
use crate::failure::hinted;
use crate::flags::DetectFlags;
use anyhow::Result;
use multigrain::{LevelChoice, Settings};
use multigrain_files::{FrameChoice, Input, ListFormat, Target};
use multigrain_methods::Method;

/// A detection, from file to list.
#[derive(Debug)]
pub struct DetectPlan {
    /// Where the particles come from.
    pub input: Input,
    /// Which frames of it; without a wish the first.
    pub frame: Option<FrameChoice>,
    /// Where the other particles come from, if only pairs between the two are wanted.
    pub against: Option<Input>,
    /// How to detect.
    pub method: Method,
    /// Parameters of the method.
    pub settings: Settings,
    /// The space the particles are in.
    pub space: Space,
    /// Where the list goes and how, if it is wanted.
    pub list: Option<(Target, ListFormat)>,
    /// Whether to count work.
    pub count_work: bool,
    /// How many times to detect.
    pub repeat: u32,
    /// Whether to explain.
    pub explain: bool,
    /// Whether to print JSON.
    pub json: bool,
}

impl DetectPlan {
    /// From flags; wrong output is found before any work is done.
    pub fn from_flags(flags: DetectFlags) -> Result<Self> {
        let input = Input::from_flag(&flags.input);
        let target = match &flags.output {
            Some(path) => Some(Target::from_flag(path)),
            None => (!flags.json).then_some(Target::Stdout),
        };
        let against = flags.against.as_deref().map(Input::from_flag);
        if input == Input::Stdin && against == Some(Input::Stdin) {
            return Err(hinted("both sets of particles would come from standard input", "give one of them as a file"));
        }
        let list = target.map(|target| checked_list(target, flags.json, &input)).transpose()?;
        if let (Some(Input::File(path)), Some((target, _))) = (&against, &list)
            && target.is_same_file(path)
        {
            return Err(hinted(
                format!("the list would replace the particles in {}", path.display()),
                "write it to another file",
            ));
        }
        let levels = match (flags.cell_sizes, flags.levels) {
            (Some(sizes), _) => LevelChoice::CellSizes(sizes.0),
            (None, Some(count)) => LevelChoice::Count(count),
            (None, None) => LevelChoice::Tuned,
        };
        if flags.frame == Some(FrameChoice::All) && matches!(list, Some((_, ListFormat::Npy))) {
            return Err(hinted("an array holds the contacts of one frame", "write a list of --frame all as .csv"));
        }
        Ok(Self {
            input,
            frame: flags.frame,
            against,
            method: flags.method,
            settings: Settings::default().with_direction(flags.direction).with_levels(levels).with_factor(flags.factor),
            space: Space::from_flags(&flags.space),
            list,
            count_work: flags.count_work,
            repeat: flags.repeat,
            explain: flags.explain,
            json: flags.json,
        })
    }
}

fn checked_list(target: Target, json: bool, input: &Input) -> Result<(Target, ListFormat)> {
    no_json_on_the_same_stream(&target, json)?;
    let format = ListFormat::for_target(&target)?;
    target.check()?;
    if let Input::File(path) = input
        && target.is_same_file(path)
    {
        return Err(hinted(
            format!("the list would replace the particles in {}", path.display()),
            "write it to another file",
        ));
    }
    Ok((target, format))
}

/// Standard output holds the JSON object or data, never both.
pub fn no_json_on_the_same_stream(target: &Target, json: bool) -> Result<()> {
    if json && *target == Target::Stdout {
        return Err(hinted(
            "--json and -o - both want standard output",
            "write to a file with -o FILE, or leave one of them out",
        ));
    }
    Ok(())
}
