//! Snapshots of a run for other programs.

use crate::scene::FrameFormat;
use anyhow::Result;
use multigrain::Domain;
use multigrain_dem::Simulation;
use multigrain_files::{ContactLine, Frame, Target};
use std::path::Path;

/// All particles of this moment, in the order of ids.
pub fn frame<const D: usize>(simulation: &Simulation<D>, domain: Domain<D>) -> Frame<D> {
    let state = simulation.state();
    let places: Vec<usize> = state.places_by_id().into_iter().map(|place| place as usize).collect();
    Frame {
        step: simulation.steps(),
        time: simulation.time(),
        ids: places.iter().map(|&place| state.ids()[place]).collect(),
        centers: places.iter().map(|&place| state.positions()[place]).collect(),
        velocities: places.iter().map(|&place| state.velocities()[place]).collect(),
        radii: places.iter().map(|&place| state.radii()[place]).collect(),
        materials: places.iter().map(|&place| state.materials()[place]).collect(),
        domain,
    }
}

/// Contacts of this moment as lines between centers.
pub fn contact_lines<const D: usize>(simulation: &Simulation<D>, domain: &Domain<D>) -> Vec<ContactLine<D>> {
    let (positions, lengths) = (simulation.state().positions(), domain.lengths());
    let line = |contact: multigrain_dem::Contact<D>| {
        let [first, second] = contact.places.map(|place| positions[place as usize]);
        let image = std::array::from_fn(|axis| second[axis] + f64::from(contact.shift[axis]) * lengths[axis]);
        ContactLine { ids: contact.ids, ends: [first, image], force: contact.force, overlap: contact.overlap }
    };
    simulation.contacts().into_iter().map(line).collect()
}

/// Writes this moment in all formats, as files that begin with `name`.
pub fn write<const D: usize>(
    simulation: &Simulation<D>,
    domain: Domain<D>,
    folder: &Path,
    name: &str,
    formats: &[FrameFormat],
) -> Result<()> {
    let frame = frame(simulation, domain);
    let target = |name: String| Target::File(folder.join(name));
    for format in formats {
        match format {
            FrameFormat::Vtp => {
                target(format!("{name}.vtp")).write(|out| frame.write_vtp(out))?;
                let lines = contact_lines(simulation, &domain);
                target(name.replacen("snapshot", "contacts", 1) + ".vtp")
                    .write(|out| frame.write_contacts_vtp(out, &lines))?;
            }
            FrameFormat::Dump => target(format!("{name}.dump")).write(|out| frame.write_dump(out))?,
            // Scenes of spheres refuse them when they are read.
            FrameFormat::Svg | FrameFormat::Png => {}
        }
    }
    Ok(())
}
