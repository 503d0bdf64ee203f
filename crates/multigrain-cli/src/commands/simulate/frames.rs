//! Snapshots of a run for other programs.

use super::course::Stage;
use super::picture;
use crate::commands::sharing::{share, write_in_order, write_shared};
use crate::scene::{FrameFormat, OutputPlan};
use anyhow::Result;
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{Carried, Simulation, Stress};
use multigrain_distributed::{IdRange, Transport};
use multigrain_files::view::PageFrame;
use multigrain_files::{ContactLine, Frame, FrameDetails, Target};
use std::collections::HashSet;
use std::path::Path;

/// What files of a moment begin with at which a particle was lost, and which there are.
pub const LOST: &str = "lost-snapshot";
pub const LOST_FORMATS: [FrameFormat; 2] = [FrameFormat::Vtp, FrameFormat::Dump];

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

/// The same with all that the simulation knows of each particle, by what contacts carry and the mean motion of all.
fn detailed<const D: usize>(simulation: &Simulation<D>, carried: &[Carried<D>], mean: [f64; D]) -> Frame<D>
where
    Axes: Dimension<D>,
{
    let details = simulation.details_by(carried, mean);
    let details = FrameDetails {
        stresses: details.stresses.iter().map(Stress::in_space).collect(),
        spins: details.spins,
        forces: details.forces,
        masses: details.masses,
        contacts: details.contacts,
        wall_contacts: details.wall_contacts,
        bonds: details.bonds,
        clumps: details.clumps,
        temperatures: details.temperatures,
    };
    Frame { details: Some(details), ..frame(simulation, *simulation.domain()) }
}

fn places_by_id<const D: usize>(simulation: &Simulation<D>) -> Vec<usize>
where
    Axes: Dimension<D>,
{
    simulation.state().places_by_id().into_iter().map(|place| place as usize).collect()
}

/// Contacts as lines between centers.
fn lines<'a, const D: usize>(carried: impl IntoIterator<Item = &'a Carried<D>>) -> Vec<ContactLine<D>> {
    let line = |contact: &Carried<D>| {
        let &Carried { ids, ends, force, overlap, bond_load, .. } = contact;
        ContactLine { ids, ends, force, overlap, bond_load }
    };
    carried.into_iter().map(line).collect()
}

/// This moment for a page, with its contacts and their forces.
pub fn page_frame<const D: usize>(simulation: &Simulation<D>, domain: Domain<D>) -> PageFrame
where
    Axes: Dimension<D>,
{
    let in_space = |point: [f64; D]| std::array::from_fn(|axis| if axis < D { point[axis] } else { 0.0 });
    let norm = |force: [f64; D]| force.iter().map(|x| x * x).sum::<f64>().sqrt();
    let carried = simulation.carried();
    let contacts = carried.iter().map(|contact| (contact.ids, contact.ends.map(in_space), norm(contact.force)));
    let frame = Frame { domain, ..detailed(simulation, &carried, simulation.mean_motion()) };
    PageFrame::of_frame(&frame).with_contacts_by_id(contacts)
}

/// Writes this moment in all formats that are not drawn, as files that begin with `name`.
pub fn write<const D: usize>(
    simulation: &Simulation<D>,
    folder: &Path,
    name: &str,
    formats: &[FrameFormat],
) -> Result<()>
where
    Axes: Dimension<D>,
{
    if formats.iter().all(|format| format.is_drawn()) {
        return Ok(());
    }
    let target = |name: String| Target::File(folder.join(name));
    let carried = simulation.carried();
    let frame = detailed(simulation, &carried, simulation.mean_motion());
    for format in formats {
        match format {
            FrameFormat::Vtp => {
                target(format!("{name}.vtp")).write(|out| frame.write_vtp(out))?;
                target(contacts_file(name)).write(|out| frame.write_contacts_vtp(out, &lines(&carried)))?;
            }
            FrameFormat::Dump => target(format!("{name}.dump")).write(|out| frame.write_dump(out))?,
            FrameFormat::Svg | FrameFormat::Png => (),
        }
    }
    Ok(())
}

/// Draws this moment, in those of the formats that are drawn.
pub fn draw<const D: usize>(
    simulation: &Simulation<D>,
    stage: &Stage,
    output: &OutputPlan,
    name: &str,
    formats: &[FrameFormat],
) -> Result<()>
where
    Axes: Dimension<D>,
{
    let color = output.color.unwrap_or_default();
    let save = |ending: &str, bytes: &[u8]| {
        Target::File(output.folder.join(format!("{name}.{ending}"))).write(|out| Ok(out.write_all(bytes)?))
    };
    for format in formats {
        match format {
            FrameFormat::Svg => save("svg", picture::svg(simulation, stage, color).as_bytes())?,
            FrameFormat::Png => save("png", &picture::png(simulation, stage, color)?)?,
            FrameFormat::Vtp | FrameFormat::Dump => (),
        }
    }
    Ok(())
}

/// [`write`] by all ranks, each of which has a range of ids; collective.
pub fn write_together<const D: usize>(
    transport: &mut dyn Transport,
    range: &IdRange<D>,
    folder: &Path,
    name: &str,
    formats: &[FrameFormat],
) -> Result<()>
where
    Axes: Dimension<D>,
{
    let is_first = transport.rank() == 0;
    let mut frame = detailed(&range.particles, &range.carried, range.summary.mean_motion());
    let count = frame.ids.len();
    // A rank without particles does not see what columns others have.
    if let Some(details) = &mut frame.details {
        let mut has = [details.temperatures.is_some(), details.bonds.is_some()].map(u64::from);
        transport.all_max(&mut has);
        let [is_warm, has_bonds] = has.map(|has| has > 0);
        details.temperatures = details.temperatures.take().or(is_warm.then(Vec::new));
        details.bonds = details.bonds.take().or(has_bonds.then(|| vec![0; count]));
    }
    if range.summary.polygons > 0 && frame.outlines.is_none() {
        frame.outlines = Some(vec![Vec::new(); count]);
    }
    let ids: HashSet<u64> = frame.ids.iter().copied().collect();
    // A contact is written with its lower id.
    let lines = lines(range.carried.iter().filter(|contact| ids.contains(&contact.ids[0])));
    let particles = share(transport, count);
    for format in formats {
        match format {
            FrameFormat::Vtp => {
                let corners = share(transport, frame.corner_count());
                let path = folder.join(format!("{name}.vtp"));
                write_shared(transport, &path, |out| frame.write_vtp_piece(is_first, particles, corners, out))?;
                let contacts = share(transport, lines.len());
                let path = folder.join(contacts_file(name));
                write_shared(transport, &path, |out| frame.write_contacts_vtp_piece(&lines, is_first, contacts, out))?;
            }
            FrameFormat::Dump => {
                let mut text = Vec::new();
                if is_first {
                    frame.write_dump_head(&mut text, particles.all)?;
                }
                frame.write_dump_rows(&mut text)?;
                write_in_order(transport, &folder.join(format!("{name}.dump")), &text)?;
            }
            FrameFormat::Svg | FrameFormat::Png => (),
        }
    }
    Ok(())
}

fn contacts_file(name: &str) -> String {
    name.replacen("snapshot", "contacts", 1) + ".vtp"
}
