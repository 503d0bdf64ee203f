//! `multigrain new`: a scene to begin with.

use crate::failure::{hinted, say};
use crate::flags::{NewFlags, SceneKind};
use anyhow::Result;
use multigrain_files::Target;
use std::path::PathBuf;

/// Writes the scene.
pub fn run(flags: &NewFlags) -> Result<()> {
    let name = flags.kind.name();
    let path = flags.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.toml")));
    let target = Target::from_flag(&path);
    if let (Target::File(path), false) = (&target, flags.overwrite)
        && path.is_file()
    {
        return Err(hinted(
            format!("{} is there already", path.display()),
            "name another file with -o, or replace it with --overwrite",
        ));
    }
    target.check()?;
    target.write(|out| Ok(out.write_all(template(flags.kind).as_bytes())?))?;
    if let Target::File(path) = &target {
        say(&format!("{0} written; run it with: multigrain simulate {0}", path.display()));
    }
    Ok(())
}

fn template(kind: SceneKind) -> &'static str {
    match kind {
        SceneKind::Hopper => include_str!("../../templates/hopper.toml"),
        SceneKind::Drum => include_str!("../../templates/drum.toml"),
        SceneKind::Settling => include_str!("../../templates/settling.toml"),
        SceneKind::Slope => include_str!("../../templates/slope.toml"),
        SceneKind::Polygons => include_str!("../../templates/polygons.toml"),
    }
}
