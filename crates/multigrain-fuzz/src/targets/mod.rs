//! The targets, one line each.

mod boxes;
mod c_interface;
mod checkpoint;
mod engine;
mod files;
mod living;
mod polygons;
mod scene;

use crate::seeds;

/// What became of an input. What went wrong is a panic instead.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Whether it was taken, and not refused in words.
    pub is_accepted: bool,
    /// A number for what happened: inputs for which it is new are kept, and changed further.
    pub behaviour: u64,
    /// How many answers were compared with what they must be.
    pub checked: u64,
}

/// A function that bytes must not break.
pub struct Target {
    /// Its name, on the command line and for libFuzzer.
    pub name: &'static str,
    /// What it does with them.
    pub run: fn(&[u8]) -> Outcome,
    /// Inputs to begin with.
    pub seeds: fn() -> Vec<Vec<u8>>,
    /// Words that its inputs are made of.
    pub words: &'static [&'static str],
    /// Longest input.
    pub longest: usize,
    /// Whether inputs are a source of choices, so that random bytes are as good as any.
    pub takes_any: bool,
}

macro_rules! targets {
    ($($name:literal $run:path, $seeds:expr, $words:expr, $longest:literal $(, $any:ident)?;)*) => {
        /// Every target.
        pub const ALL: &[Target] = &[$(Target {
            name: $name,
            run: $run,
            seeds: $seeds,
            words: $words,
            longest: $longest,
            takes_any: targets!(@any $($any)?),
        },)*];
    };
    (@any any) => { true };
    (@any) => { false };
}

targets! {
    "csv" files::csv, seeds::csv, seeds::CSV_WORDS, 99_999;
    "npy" files::npy, seeds::npy, seeds::NPY_WORDS, 99_999;
    "xyz" files::xyz, seeds::xyz, seeds::XYZ_WORDS, 99_999;
    "dump" files::dump, seeds::dump, seeds::DUMP_WORDS, 99_999;
    "vtp" files::vtp, seeds::vtp, seeds::VTK_WORDS, 99_999;
    "stl" files::stl, seeds::stl, seeds::STL_WORDS, 99_999;
    "vtu" files::vtu, seeds::vtu, seeds::VTK_WORDS, 99_999;
    "contacts" files::contacts, seeds::contacts, seeds::CSV_WORDS, 99_999;
    "packed" files::packed, seeds::packed, &[], 99_999;
    "surface" files::surface, seeds::surfaces, seeds::SURFACE_WORDS, 99_999;
    "scene" scene::run, seeds::scenes, seeds::SCENE_WORDS, 32_768;
    "checkpoint" checkpoint::run, checkpoint::seeds, &[], 65536;
    "engine" engine::run, seeds::random, &[], 4096, any;
    "living" living::run, seeds::random, &[], 4096, any;
    "boxes" boxes::run, seeds::random, &[], 4096, any;
    "polygons" polygons::run, seeds::random, &[], 512, any;
    "c" c_interface::run, seeds::random, &[], 2048, any;
}

/// The target of this name.
///
/// # Panics
/// Where there is none: names come from programs.
pub fn target(name: &str) -> &'static Target {
    let known = || ALL.iter().map(|target| target.name).collect::<Vec<_>>().join(", ");
    ALL.iter().find(|target| target.name == name).unwrap_or_else(|| panic!("no target `{name}`; there are {}", known()))
}

/// A number for a text, whatever numbers and quoted words stand in it.
fn kind_of(text: &str) -> u64 {
    let (mut plain, mut quote, mut last) = (Vec::new(), None, b' ');
    for byte in text.bytes() {
        match quote {
            Some(_) if quote == Some(byte) => quote = None,
            Some(_) => continue,
            // An apostrophe within a word begins nothing.
            None if matches!(byte, b'\'' | b'`' | b'"') && !last.is_ascii_alphanumeric() => quote = Some(byte),
            None if !byte.is_ascii_digit() && byte != b'-' => plain.push(byte),
            None => (),
        }
        last = byte;
        if plain.len() == 80 {
            break;
        }
    }
    crate::bytes::hash(&plain)
}

impl Outcome {
    /// Refused in these words.
    fn refused(words: &str) -> Self {
        Self { is_accepted: false, behaviour: kind_of(words), checked: 0 }
    }

    /// Taken, with this many of something.
    fn accepted(amount: usize) -> Self {
        Self { is_accepted: true, behaviour: u64::from(amount.checked_ilog2().map_or(0, |bits| bits + 1)), checked: 1 }
    }
}
