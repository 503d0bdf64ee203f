//! Snapshots of a run for other programs.

use super::course::Stage;
use super::picture;
use crate::scene::{FrameFormat, OutputPlan};
use anyhow::Result;
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::Simulation;
use multigrain_files::view::PageFrame;
use multigrain_files::{ContactLine, Frame, FrameDetails, Target};
use std::collections::HashMap;

/// All particles of this moment, in the order of ids.
pub fn frame<const D: usize>(simulation: &Simulation<D>, domain: Domain<D>) -> Frame<D>
where
    Axes: Dimension<D>,
{
    let state = simulation.state();
    let places = places_by_id(simulation);
    Frame {
        step: simulation.steps(),
        time: simulation.time(),
        ids: places.iter().map(|&place| state.ids()[place]).collect(),
        centers: places.iter().map(|&place| state.positions()[place]).collect(),
        velocities: places.iter().map(|&place| state.velocities()[place]).collect(),
        radii: places.iter().map(|&place| state.radii()[place]).collect(),
        materials: places.iter().map(|&place| state.materials()[place]).collect(),
        outlines: simulation.outlines(&places),
        domain,
        details: None,
    }
}

/// The same with all that the simulation knows of each particle; `lines` are its contacts.
fn detailed<const D: usize>(simulation: &Simulation<D>, domain: Domain<D>, lines: &[ContactLine<D>]) -> Frame<D>
where
    Axes: Dimension<D>,
{
    let (state, places) = (simulation.state(), places_by_id(simulation));
    let frame = frame(simulation, domain);
    let of_id: HashMap<u64, usize> = frame.ids.iter().copied().zip(0..).collect();
    let mut contacts = vec![0; places.len()];
    lines.iter().flat_map(|line| line.ids).filter_map(|id| of_id.get(&id)).for_each(|&k| contacts[k] += 1);
    let mut wall_contacts = vec![0; places.len()];
    let touches = simulation.wall_contacts();
    touches.iter().filter_map(|touch| of_id.get(&touch.id)).for_each(|&k| wall_contacts[k] += 1);
    let of_places = simulation.stresses();
    let in_space = |place: &usize| {
        let mut tensor = [0.0; 9];
        let total = of_places[*place].total();
        (0..D).for_each(|row| tensor[3 * row..][..D].copy_from_slice(&total[row]));
        tensor
    };
    let stresses = places.iter().map(in_space).collect();
    let details = FrameDetails {
        spins: places.iter().map(|&place| state.spins()[place]).collect(),
        forces: places.iter().map(|&place| state.forces()[place]).collect(),
        masses: places.iter().map(|&place| state.masses()[place]).collect(),
        contacts,
        wall_contacts,
        clumps: clumps(simulation, &places),
        stresses,
        temperatures: match state.temperatures() {
            [] => Vec::new(),
            all => places.iter().map(|&place| all[place]).collect(),
        },
    };
    Frame { details: Some(details), ..frame }
}

/// Clumps that the particles in these places are members of, and how they are turned; nothing where there are none.
fn clumps<const D: usize>(simulation: &Simulation<D>, places: &[usize]) -> Option<Vec<(i64, [f64; 4])>>
where
    Axes: Dimension<D>,
{
    let of_place = |&place: &usize| match simulation.clump_of(place) {
        Some(clump) => (i64::from(clump.number), simulation.orientation(clump)),
        None => (-1, [1.0, 0.0, 0.0, 0.0]),
    };
    (!simulation.setup().clump_shapes().is_empty()).then(|| places.iter().map(of_place).collect())
}

fn places_by_id<const D: usize>(simulation: &Simulation<D>) -> Vec<usize>
where
    Axes: Dimension<D>,
{
    simulation.state().places_by_id().into_iter().map(|place| place as usize).collect()
}

/// Contacts of this moment as lines between centers.
pub fn contact_lines<const D: usize>(simulation: &Simulation<D>, domain: &Domain<D>) -> Vec<ContactLine<D>>
where
    Axes: Dimension<D>,
{
    let positions = simulation.state().positions();
    let line = |contact: multigrain_dem::Contact<D>| {
        let [first, second] = contact.places.map(|place| positions[place as usize]);
        let moved = domain.translation(contact.shift);
        let image = std::array::from_fn(|axis| second[axis] + moved[axis]);
        ContactLine { ids: contact.ids, ends: [first, image], force: contact.force, overlap: contact.overlap }
    };
    simulation.contacts().into_iter().map(line).collect()
}

/// This moment for a page, with its contacts and their forces.
pub fn page_frame<const D: usize>(simulation: &Simulation<D>, domain: Domain<D>) -> PageFrame
where
    Axes: Dimension<D>,
{
    let in_space = |point: [f64; D]| std::array::from_fn(|axis| if axis < D { point[axis] } else { 0.0 });
    let norm = |force: [f64; D]| force.iter().map(|x| x * x).sum::<f64>().sqrt();
    let lines = contact_lines(simulation, &domain);
    let contacts = lines.iter().map(|line| (line.ids, line.ends.map(in_space), norm(line.force)));
    PageFrame::of_frame(&frame(simulation, domain)).with_contacts_by_id(contacts)
}

/// Writes this moment in all formats, as files that begin with `name`.
pub fn write<const D: usize>(
    simulation: &Simulation<D>,
    stage: &Stage,
    output: &OutputPlan,
    name: &str,
    formats: &[FrameFormat],
) -> Result<()>
where
    Axes: Dimension<D>,
{
    let target = |name: String| Target::File(output.folder.join(name));
    let domain = *simulation.domain();
    let lines = contact_lines(simulation, &domain);
    let frame = detailed(simulation, domain, &lines);
    for format in formats {
        match format {
            FrameFormat::Vtp => {
                target(format!("{name}.vtp")).write(|out| frame.write_vtp(out))?;
                target(name.replacen("snapshot", "contacts", 1) + ".vtp")
                    .write(|out| frame.write_contacts_vtp(out, &lines))?;
            }
            FrameFormat::Dump => target(format!("{name}.dump")).write(|out| frame.write_dump(out))?,
            FrameFormat::Svg => {
                let text = picture::svg(simulation, stage, output.color);
                target(format!("{name}.svg")).write(|out| Ok(out.write_all(text.as_bytes())?))?;
            }
            FrameFormat::Png => {
                let bytes = picture::png(simulation, stage, output.color)?;
                target(format!("{name}.png")).write(|out| Ok(out.write_all(&bytes)?))?;
            }
        }
    }
    Ok(())
}
