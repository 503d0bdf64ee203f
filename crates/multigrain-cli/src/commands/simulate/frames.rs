//! Snapshots of a run for other programs.

use super::course::Stage;
use super::picture;
use crate::commands::sharing::{share, write_in_order, write_shared};
use crate::scene::{FrameFormat, OutputPlan};
use anyhow::Result;
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{Carried, Simulation};
use multigrain_distributed::{IdRange, Transport};
use multigrain_files::view::PageFrame;
use multigrain_files::{ContactLine, Frame, FrameDetails, Target};
use std::collections::{HashMap, HashSet};
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
    let (state, places) = (simulation.state(), places_by_id(simulation));
    let frame = frame(simulation, *simulation.domain());
    let of_id: HashMap<u64, usize> = frame.ids.iter().copied().zip(0..).collect();
    let mut contacts = vec![0; places.len()];
    carried.iter().flat_map(|contact| contact.ids).filter_map(|id| of_id.get(&id)).for_each(|&k| contacts[k] += 1);
    let mut wall_contacts = vec![0; places.len()];
    let touches = simulation.wall_contacts();
    touches.iter().filter_map(|touch| of_id.get(&touch.id)).for_each(|&k| wall_contacts[k] += 1);
    let of_places = simulation.stresses_by(carried, mean);
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
            [] => None,
            all => Some(places.iter().map(|&place| all[place]).collect()),
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

/// Contacts as lines between centers.
fn lines<'a, const D: usize>(carried: impl IntoIterator<Item = &'a Carried<D>>) -> Vec<ContactLine<D>> {
    let line = |contact: &Carried<D>| {
        let &Carried { ids, ends, force, overlap, .. } = contact;
        ContactLine { ids, ends, force, overlap }
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
    let lines = lines(&simulation.carried());
    let contacts = lines.iter().map(|line| (line.ids, line.ends.map(in_space), norm(line.force)));
    PageFrame::of_frame(&frame(simulation, domain)).with_contacts_by_id(contacts)
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
    let mut is_warm = [u64::from(frame.details.as_ref().is_some_and(|details| details.temperatures.is_some()))];
    transport.all_max(&mut is_warm);
    if let Some(details) = &mut frame.details {
        details.temperatures = details.temperatures.take().or((is_warm[0] > 0).then(Vec::new));
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
