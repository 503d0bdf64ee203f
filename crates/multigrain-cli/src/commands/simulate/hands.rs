//! Who takes the steps of a run: one simulation, or parts of it on several ranks.

use super::checkpoint::Checkpoint;
use super::course::Stage;
use super::crew::Crew;
use super::frames::{self, LOST, LOST_FORMATS};
use super::series;
use super::stopping::StopRequest;
use super::stopwatch::Stopwatch;
use crate::failure::say;
use crate::scene::{FrameFormat, OutputPlan};
use crate::table::count;
use anyhow::Result;
use multigrain::{Axes, Dimension};
use multigrain_dem::{Cause, Error, Simulation, Summary};

/// Particles up to which parts are put together on the first rank to be drawn.
const MAX_DRAWN: u64 = 10_000_000;

/// The one, or the many.
pub enum Hands<'a, const D: usize> {
    Alone(Box<Simulation<D>>),
    Crew(Box<Crew<'a, D>>),
}

impl<const D: usize> Hands<'_, D>
where
    Axes: Dimension<D>,
{
    /// All particles, or those of the first rank: for what is the same on all ranks, such as walls, box, steps and generators.
    pub fn shared(&self) -> &Simulation<D> {
        match self {
            Self::Alone(simulation) => simulation,
            Self::Crew(crew) => crew.part(),
        }
    }

    /// All particles in few numbers.
    pub fn summary(&mut self) -> Result<Summary<D>> {
        match self {
            Self::Alone(simulation) => Ok(simulation.summary()),
            Self::Crew(crew) => crew.summary(),
        }
    }

    /// Takes steps, and says how many: ranks stop sooner where one of them is asked to. The inner error is what stops the simulation.
    pub fn run(&mut self, steps: u64, stopwatch: &mut Stopwatch, stop: &StopRequest) -> Result<Result<u64, Error>> {
        match self {
            Self::Alone(simulation) => {
                Ok(simulation.run_with(steps, &mut |phase| stopwatch.begin(phase)).map(|()| steps))
            }
            Self::Crew(crew) => crew.run(steps, stopwatch, stop),
        }
    }

    /// Writes the snapshot of this moment in all formats.
    pub fn write_snapshot(&mut self, stage: &Stage, output: &OutputPlan) -> Result<()> {
        let name = series::name(self.shared().steps());
        match self {
            Self::Alone(simulation) => frames::write(simulation, &output.folder, &name, &output.formats)?,
            Self::Crew(crew) => crew.write_snapshot(output, false)?,
        }
        self.draw(stage, output, &name, &output.formats)
    }

    /// Draws this moment, in those of the formats that are drawn.
    pub fn draw(&mut self, stage: &Stage, output: &OutputPlan, name: &str, formats: &[FrameFormat]) -> Result<()> {
        if !formats.iter().any(|format| format.is_drawn()) {
            return Ok(());
        }
        if let Self::Crew(crew) = self {
            let particles = crew.summary()?.totals.particles;
            if particles > MAX_DRAWN {
                let [most, particles] = [MAX_DRAWN, particles].map(count);
                say(&format!(
                    "note: {name} is not drawn: one rank draws up to {most} particles, there are {particles}"
                ));
                return Ok(());
            }
        }
        self.look(|whole| frames::draw(whole, stage, output, name, formats))?
    }

    /// Writes the moment at which a particle was lost.
    pub fn write_lost(&mut self, cause: Cause, output: &OutputPlan) -> Result<()> {
        match self {
            // Who is where nobody can say where finds no guests.
            Self::Crew(crew) if cause != Cause::TooFar => crew.write_snapshot(output, true),
            _ => self.look(|whole| frames::write(whole, &output.folder, LOST, &LOST_FORMATS))?,
        }
    }

    /// Shows all particles as one simulation, which the first rank must have room for.
    pub fn look<T>(&mut self, see: impl FnOnce(&Simulation<D>) -> T) -> Result<T> {
        Ok(match self {
            Self::Alone(simulation) => see(simulation),
            Self::Crew(crew) => see(&crew.gather()?),
        })
    }

    /// Saves the state.
    pub fn save(&mut self, checkpoint: &Checkpoint) -> Result<()> {
        match self {
            Self::Alone(simulation) => checkpoint.write(|out| simulation.encode_to(out)),
            Self::Crew(crew) => crew.save(checkpoint),
        }
    }

    /// The fingerprint of all particles.
    pub fn fingerprint(&mut self) -> Result<u64> {
        match self {
            Self::Alone(simulation) => Ok(simulation.state().fingerprint()),
            Self::Crew(crew) => crew.fingerprint(),
        }
    }
}
