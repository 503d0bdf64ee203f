//! Ranks that take the steps of a run together. The first is at the helm: it reads, writes and says what is next; the others serve.

use super::checkpoint::Checkpoint;
use crate::commands::ranks::together;
use crate::failure::{ToldElsewhere, hinted};
use crate::flags::SimulateFlags;
use crate::scene::{Reader, Scene};
use anyhow::{Context, Result, anyhow};
use multigrain::{Axes, Dimension};
use multigrain_dem::{Setup, Simulation};
use multigrain_distributed::{DistributedSimulation, Parcel, Transport, Why, first_failed};
use signal_hook::consts::{SIGINT, SIGTERM};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// What is next.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Order {
    /// This many steps.
    Run(u64),
    /// All parts to the first rank.
    Gather,
    /// All ranks write the state to the disk.
    Save,
    /// The run is over, or has failed.
    End { has_failed: bool },
}

impl Order {
    fn words(self) -> [u64; 2] {
        match self {
            Self::Run(steps) => [0, steps],
            Self::Gather => [1, 0],
            Self::Save => [2, 0],
            Self::End { has_failed } => [3, has_failed.into()],
        }
    }

    fn of(words: [u64; 2]) -> Self {
        match words {
            [0, steps] => Self::Run(steps),
            [1, _] => Self::Gather,
            [2, _] => Self::Save,
            [_, failed] => Self::End { has_failed: failed > 0 },
        }
    }

    /// Told by the first rank, heard by all others: the largest of what all say.
    fn tell(self, transport: &mut dyn Transport) {
        transport.all_max(&mut self.words());
    }

    fn hear(transport: &mut dyn Transport) -> Self {
        let mut words = [0; 2];
        transport.all_max(&mut words);
        Self::of(words)
    }
}

/// The first rank's way to the others.
pub struct Post<'a> {
    transport: &'a mut dyn Transport,
    others: Others,
}

/// What the other ranks are at.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Others {
    /// They have read the scene, and wait for whether the first can do something with it.
    WaitForScene,
    WaitForOrders,
    Gone,
}

impl<'a> Post<'a> {
    pub fn new(transport: &'a mut dyn Transport) -> Self {
        Self { transport, others: Others::WaitForScene }
    }

    /// The others may go, whatever they wait for.
    pub fn leave(self, has_failed: bool) {
        match self.others {
            Others::WaitForScene => drop(first_failed(self.transport, true)),
            Others::WaitForOrders => Order::End { has_failed }.tell(self.transport),
            Others::Gone => (),
        }
    }
}

/// The ranks, as the first of them sees them.
pub struct Crew<'a, const D: usize> {
    transport: &'a mut dyn Transport,
    part: DistributedSimulation<D>,
}

impl<'a, const D: usize> Crew<'a, D>
where
    Axes: Dimension<D>,
{
    /// Hands the simulation to all ranks, each of which keeps its part.
    pub fn assemble(post: &'a mut Post<'_>, simulation: &Simulation<D>, setup: Setup<D>) -> Result<Self> {
        let bytes = simulation.encode();
        let transport = &mut *post.transport;
        // Should one of them fail from here on, all have left.
        post.others = Others::Gone;
        together(transport, anyhow::Ok(()))?;
        together(transport, anyhow::Ok(()))?;
        let part = part_of(transport, setup, &bytes)?;
        post.others = Others::WaitForOrders;
        let mut crew = Self { part, transport };
        // What parts do not know how to carry shows at once, not as another course.
        if crew.gather()?.encode() != bytes {
            return Err(hinted("this scene cannot be cut into parts for several ranks", "start it without mpirun"));
        }
        Ok(crew)
    }

    /// Takes steps; what stops the simulation stops it on all ranks.
    pub fn run(&mut self, steps: u64) -> Result<Result<(), multigrain_dem::Error>> {
        Order::Run(steps).tell(self.transport);
        match self.part.run(self.transport, steps) {
            Ok(()) => Ok(Ok(())),
            Err(multigrain_distributed::Error::Simulation(error)) => Ok(Err(error)),
            Err(error) => Err(anyhow!("{error}").context("the simulation cannot go on")),
        }
    }

    /// Saves the state: every rank writes a range of ids.
    pub fn save(&mut self, checkpoint: &Checkpoint) -> Result<()> {
        Order::Save.tell(self.transport);
        save(self.transport, &mut self.part, checkpoint)
    }

    /// The simulation as one.
    pub fn gather(&mut self) -> Result<Simulation<D>> {
        Order::Gather.tell(self.transport);
        self.part.gather(self.transport)?.context("the first rank has all parts")
    }
}

/// A rank that serves, to the end of the run.
pub fn serve(flags: &SimulateFlags, transport: &mut dyn Transport) -> Result<()> {
    // Signals go to all ranks; the first hears them for all.
    for signal in [SIGINT, SIGTERM] {
        signal_hook::flag::register(signal, Arc::new(AtomicBool::new(false))).context("cannot watch for signals")?;
    }
    let scene = Scene::read(&flags.scene, &flags.change);
    let scene = together(transport, scene)?;
    // What is wrong with it the first rank tells.
    let folder = scene.output(flags.output.as_deref()).map(|output| output.folder).unwrap_or_default();
    let checkpoint = Checkpoint::in_folder(&folder);
    match scene.dimension() {
        2 => serve_in::<2>(&scene, &checkpoint, transport),
        _ => serve_in::<3>(&scene, &checkpoint, transport),
    }
}

fn save<const D: usize>(
    transport: &mut dyn Transport,
    part: &mut DistributedSimulation<D>,
    checkpoint: &Checkpoint,
) -> Result<()>
where
    Axes: Dimension<D>,
{
    let pieces = part.saved(transport)?;
    checkpoint.write_together(transport, &pieces)
}

fn serve_in<const D: usize>(scene: &Scene, checkpoint: &Checkpoint, transport: &mut dyn Transport) -> Result<()>
where
    Axes: Dimension<D>,
{
    let setup = Reader::<D>::new(&scene.source, &scene.document).and_then(|reader| reader.setup());
    let setup = together(transport, setup)?;
    let mut part = part_of(transport, setup, &[])?;
    let mut saved = Ok(());
    loop {
        match Order::hear(transport) {
            // The first rank knows too, and says what is next.
            Order::Run(steps) => drop(part.run(transport, steps)),
            Order::Gather => drop(part.gather(transport)?),
            Order::Save => saved = save(transport, &mut part, checkpoint),
            // A disk may fail where the first rank does not see it.
            Order::End { has_failed: true } => return saved.and(Err(ToldElsewhere.into())),
            Order::End { has_failed: false } => return Ok(()),
        }
    }
}

/// A rank's part of the simulation that the first rank has as bytes.
fn part_of<const D: usize>(
    transport: &mut dyn Transport,
    setup: Setup<D>,
    bytes: &[u8],
) -> Result<DistributedSimulation<D>>
where
    Axes: Dimension<D>,
{
    let everyone = if transport.rank() == 0 { 0..transport.size() } else { 0..0 };
    let parcels = everyone.map(|rank| Parcel { rank, bytes: bytes.to_vec() }).collect();
    let came = transport.exchange(Why::Files, parcels);
    let whole = setup.resume(&came[0].bytes).map_err(anyhow::Error::from);
    let whole = together(transport, whole)?;
    Ok(DistributedSimulation::resume(transport, whole, None)?)
}
