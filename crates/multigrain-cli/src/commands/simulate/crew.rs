//! Ranks that take the steps of a run together. The first is at the helm: it reads, writes and says what is next; the others serve.

use super::checkpoint::Checkpoint;
use super::frames::{LOST, LOST_FORMATS};
use super::stopping::StopRequest;
use super::stopwatch::Stopwatch;
use super::{frames, series};
use crate::commands::ranks::together;
use crate::failure::{ReportedElsewhere, hinted};
use crate::flags::SimulateFlags;
use crate::scene::{OutputPlan, Reader, Scene};
use anyhow::{Context, Result, anyhow};
use multigrain::{Axes, Dimension};
use multigrain_dem::{Setup, Simulation, Summary};
use multigrain_distributed::{DistributedSimulation, Listener, Transport, first_failed};

/// What is next.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Order {
    /// This many steps.
    Run(u64),
    /// All parts in few numbers.
    Sum,
    /// All ranks write the snapshot of this moment, or of one at which a particle was lost.
    Snapshot { is_lost: bool },
    /// All ranks write the state to the disk.
    Save,
    /// All parts to the first rank.
    Gather,
    /// The fingerprint of all parts.
    Fingerprint,
    /// The run is over, or has failed.
    End { has_failed: bool },
}

impl Order {
    fn words(self) -> [u64; 2] {
        match self {
            Self::Run(steps) => [0, steps],
            Self::Sum => [1, 0],
            Self::Snapshot { is_lost } => [2, is_lost.into()],
            Self::Save => [3, 0],
            Self::Gather => [4, 0],
            Self::Fingerprint => [5, 0],
            Self::End { has_failed } => [6, has_failed.into()],
        }
    }

    fn of(words: [u64; 2]) -> Self {
        match words {
            [0, steps] => Self::Run(steps),
            [1, _] => Self::Sum,
            [2, is_lost] => Self::Snapshot { is_lost: is_lost > 0 },
            [3, _] => Self::Save,
            [4, _] => Self::Gather,
            [5, _] => Self::Fingerprint,
            [_, failed] => Self::End { has_failed: failed > 0 },
        }
    }

    /// Sent by the first rank, heard by all others: the largest of what all say.
    fn send(self, transport: &mut dyn Transport) {
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
            Others::WaitForOrders => Order::End { has_failed }.send(self.transport),
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
    /// Deals the simulation out to all ranks, each of which keeps its part.
    pub fn assemble(post: &'a mut Post<'_>, simulation: Simulation<D>, setup: Setup<D>) -> Result<Self> {
        let checksum = simulation.checksum();
        let transport = &mut *post.transport;
        // Should one of them fail from here on, all have left.
        post.others = Others::Gone;
        together(transport, anyhow::Ok(()))?;
        together(transport, anyhow::Ok(()))?;
        let mut part = DistributedSimulation::deal_out(transport, setup, Some(simulation), None)?;
        // What parts do not know how to carry shows at once, not as another course.
        let is_whole = part.checksum(transport)? == checksum;
        post.others = Others::WaitForOrders;
        if !is_whole {
            return Err(hinted("this scene cannot be cut into parts for several ranks", "start it without mpirun"));
        }
        Ok(Self { part, transport })
    }

    /// The part of the first rank: what it says of walls, box and generators is the same for all.
    pub fn part(&self) -> &Simulation<D> {
        self.part.part()
    }

    /// Takes steps, until one of the ranks is asked to stop; says how many. What stops the simulation stops it on all ranks.
    pub fn run(
        &mut self,
        steps: u64,
        stopwatch: &mut Stopwatch,
        stop: &StopRequest,
    ) -> Result<Result<u64, multigrain_dem::Error>> {
        Order::Run(steps).send(self.transport);
        let listener = Listener { must_stop: &|| stop.is_made(), hook: &mut |phase| stopwatch.begin(phase) };
        match self.part.run_with(self.transport, steps, listener) {
            Ok((taken, must_stop)) => {
                if must_stop {
                    stop.make();
                }
                Ok(Ok(taken))
            }
            Err(multigrain_distributed::Error::Simulation(error)) => Ok(Err(error)),
            Err(error) => Err(anyhow!("{error}").context("the simulation cannot go on")),
        }
    }

    /// All parts in few numbers.
    pub fn summary(&mut self) -> Result<Summary<D>> {
        Order::Sum.send(self.transport);
        Ok(self.part.summary(self.transport)?)
    }

    /// Writes the snapshot of this moment: every rank writes a range of ids. What is drawn is left out.
    pub fn write_snapshot(&mut self, output: &OutputPlan, is_lost: bool) -> Result<()> {
        Order::Snapshot { is_lost }.send(self.transport);
        write_snapshot(self.transport, &mut self.part, output, is_lost)
    }

    /// Saves the state: every rank writes a range of ids.
    pub fn save(&mut self, checkpoint: &Checkpoint) -> Result<()> {
        Order::Save.send(self.transport);
        save(self.transport, &mut self.part, checkpoint)
    }

    /// The simulation as one.
    pub fn gather(&mut self) -> Result<Simulation<D>> {
        Order::Gather.send(self.transport);
        self.part.gather(self.transport)?.context("the first rank has all parts")
    }

    /// The fingerprint of the simulation as one.
    pub fn fingerprint(&mut self) -> Result<u64> {
        Order::Fingerprint.send(self.transport);
        Ok(self.part.fingerprint(self.transport)?)
    }
}

/// A rank that serves, to the end of the run.
pub fn serve(flags: &SimulateFlags, transport: &mut dyn Transport) -> Result<()> {
    let stop = StopRequest::of_one_who_serves().context("cannot watch for signals")?;
    let scene = Scene::read(&flags.scene, &flags.change);
    let scene = together(transport, scene)?;
    // What is wrong with it the first rank reports, before it has work for the others.
    let output = scene.output(flags.output.as_deref());
    match scene.dimension() {
        2 => serve_in::<2>(&scene, output, &stop, transport),
        _ => serve_in::<3>(&scene, output, &stop, transport),
    }
}

fn write_snapshot<const D: usize>(
    transport: &mut dyn Transport,
    part: &mut DistributedSimulation<D>,
    output: &OutputPlan,
    is_lost: bool,
) -> Result<()>
where
    Axes: Dimension<D>,
{
    let range = part.by_id(transport)?;
    let (name, formats) = match is_lost {
        true => (LOST.to_owned(), &LOST_FORMATS[..]),
        false => (series::name(part.part().steps()), &output.formats[..]),
    };
    frames::write_together(transport, &range, &output.folder, &name, formats)
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

fn serve_in<const D: usize>(
    scene: &Scene,
    output: Result<OutputPlan>,
    stop: &StopRequest,
    transport: &mut dyn Transport,
) -> Result<()>
where
    Axes: Dimension<D>,
{
    let setup = Reader::<D>::new(&scene.source, &scene.document).and_then(|reader| Ok((reader.setup()?, output?)));
    let (setup, output) = together(transport, setup)?;
    let checkpoint = Checkpoint::in_folder(&output.folder);
    let mut part = DistributedSimulation::deal_out(transport, setup, None, None)?;
    part.checksum(transport)?;
    let mut failed = Ok(());
    loop {
        // The first rank knows of every error too, and says what is next.
        let outcome = match Order::hear(transport) {
            Order::Run(steps) => {
                let listener = Listener { must_stop: &|| stop.is_made(), hook: &mut |_| () };
                let _ = part.run_with(transport, steps, listener);
                Ok(())
            }
            Order::Sum => part.summary(transport).map(drop).map_err(known),
            Order::Snapshot { is_lost } => write_snapshot(transport, &mut part, &output, is_lost),
            Order::Save => save(transport, &mut part, &checkpoint),
            Order::Gather => part.gather(transport).map(drop).map_err(known),
            Order::Fingerprint => part.fingerprint(transport).map(drop).map_err(known),
            // A disk may fail where the first rank does not see it.
            Order::End { has_failed: true } => return failed.and(Err(ReportedElsewhere.into())),
            Order::End { has_failed: false } => return Ok(()),
        };
        if outcome.is_err() {
            failed = outcome;
        }
    }
}

/// The first rank has the words of an error of the simulation.
fn known(_: multigrain_distributed::Error) -> anyhow::Error {
    ReportedElsewhere.into()
}
