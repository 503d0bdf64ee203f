//! A polygon simulation as bytes, and back, bit for bit.
//!
//! ```text
//! magic 8 bytes | version u32 | hash of setup and bodies u64 | time step, steps, exchanges | motions | pairs | checksum u64 of all before
//! ```
//!
//! Shapes are not in it: the setup and the bodies are given again.

use super::contacts::{Met, Near};
use super::motion::Motion;
use super::simulation::PolygonSimulation;
use crate::checksum::checksum;
use crate::codec::stream::{Sink, Source, open};
use crate::codec::{Value, read_list, write_list};
use crate::error::Error;
use multigrain_polygons::{Feature, Features, Frame};
use std::io::Cursor;

const MAGIC: [u8; 8] = *b"mgrainpg";

/// Grows with every change of the format.
const VERSION: u32 = 2;

impl PolygonSimulation {
    /// Everything that changes while the simulation runs, with a checksum; for
    /// [`PolygonSetup::resume`](super::PolygonSetup::resume).
    pub fn encode(&self) -> Vec<u8> {
        in_memory(|sink| {
            MAGIC.write(sink);
            VERSION.write(sink);
            self.hash().write(sink);
            self.dt.write(sink);
            self.steps.write(sink);
            self.exchanged.write(sink);
            (self.bodies.len() as u64).write(sink);
            self.bodies.iter().for_each(|body| (body.motion, body.frame).write(sink));
            write_list(&self.near.now, sink);
            write_list(&self.near.met, sink);
        })
    }

    /// A hash of where all bodies are and how they move: equal for equal bits.
    pub fn fingerprint(&self) -> u64 {
        checksum(&in_memory(|sink| self.bodies.iter().for_each(|body| (body.motion, body.frame).write(sink))))
    }

    /// This simulation, just built, in the state of saved bytes.
    pub(super) fn restored(mut self, bytes: &[u8]) -> Result<Self, Error> {
        let refuse = |problem: &str| Error::Saved { problem: problem.to_owned() };
        let mut input = Cursor::new(bytes);
        let mut source = open(&mut input, MAGIC, VERSION)?;
        if u64::read(&mut source) != Some(self.hash()) {
            return Err(refuse("it was made with other bodies, material, gravity or integrator than this setup has"));
        }
        self.read_rest(&mut source).ok_or_else(|| refuse("its contents do not fit together"))?;
        self.show_search()?;
        Ok(self)
    }

    fn read_rest(&mut self, input: &mut Source<'_>) -> Option<()> {
        self.dt = f64::read(input)?;
        self.steps = u64::read(input)?;
        self.exchanged = u64::read(input)?;
        let states: Vec<BodyState> = read_list(input)?;
        let near: Vec<Near> = read_list(input)?;
        let met: Vec<Met> = read_list(input)?;
        let count = self.bodies.len();
        let is_sound =
            states.len() == count && near.iter().all(|near| near.bodies.iter().all(|&k| (k as usize) < count));
        if !is_sound || met.len() != near.len() || !near.is_sorted_by_key(|near| near.bodies) {
            return None;
        }
        for (body, (motion, frame)) in self.bodies.iter_mut().zip(states) {
            (body.motion, body.frame) = (motion, frame);
        }
        self.near.restore(count, near, met);
        (input.left == 0).then_some(())
    }

    /// What decides the course. Debug text has every number in full.
    fn hash(&self) -> u64 {
        let setup = &self.setup;
        let mut text = format!("{:?} {:?} {:?} {:?}", setup.material, setup.gravity, setup.integrator, self.dt);
        for body in &self.bodies {
            text.push_str(&format!("{:?} {:?} {:?}", body.shape, body.start, body.drive));
        }
        checksum(text.as_bytes())
    }
}

/// All that is written, with its checksum.
fn in_memory(write: impl FnOnce(&mut Sink<'_>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut sink = Sink::new(&mut bytes);
    write(&mut sink);
    if let Err(error) = sink.end() {
        unreachable!("memory takes all bytes: {error}");
    }
    bytes
}

/// Motion of a body, and where forces have seen it last.
type BodyState = (Motion, Frame);

impl Value for BodyState {
    fn write(&self, out: &mut Sink<'_>) {
        let (motion, frame) = self;
        [motion.place, motion.velocity, motion.acceleration, motion.higher[0], motion.higher[1]].write(out);
        (frame.position()).write(out);
        frame.angle().write(out);
    }

    fn read(input: &mut Source<'_>) -> Option<Self> {
        let [place, velocity, acceleration, third, fourth] = Value::read(input)?;
        let position = Value::read(input)?;
        let frame = Frame::new(position, f64::read(input)?).ok()?;
        Some((Motion { place, velocity, acceleration, higher: [third, fourth] }, frame))
    }
}

impl Value for Near {
    fn write(&self, out: &mut Sink<'_>) {
        self.bodies.write(out);
        for feature in [self.features.a, self.features.b] {
            let (kind, k) = match feature {
                Feature::Vertex(k) => (0u8, k),
                Feature::Edge(k) => (1, k),
            };
            kind.write(out);
            k.write(out);
        }
        self.features.toward().write(out);
        self.slip.write(out);
    }

    fn read(input: &mut Source<'_>) -> Option<Self> {
        let bodies = Value::read(input)?;
        let mut feature = || {
            let (kind, k) = (u8::read(input)?, u32::read(input)?);
            match kind {
                0 => Some(Feature::Vertex(k)),
                1 => Some(Feature::Edge(k)),
                _ => None,
            }
        };
        let (a, b) = (feature()?, feature()?);
        let features = Features::facing(a, b, Value::read(input)?);
        Some(Self { bodies, features, slip: f64::read(input)? })
    }
}

impl Value for Met {
    fn write(&self, out: &mut Sink<'_>) {
        self.force.write(out);
        self.steps.write(out);
        u8::from(self.overlaps).write(out);
    }

    fn read(input: &mut Source<'_>) -> Option<Self> {
        Some(Self { force: Value::read(input)?, steps: u32::read(input)?, overlaps: u8::read(input)? == 1 })
    }
}
