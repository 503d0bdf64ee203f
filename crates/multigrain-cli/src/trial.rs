//! A scene read, built and run for a few steps without any file: for those who look for mistakes in the program.

use crate::scene::{Reader, Scene, Source, every_key};
use anyhow::{Result, ensure};
use multigrain::detectors::HierarchicalGrid;
use multigrain::{Axes, Dimension, PairSink, Search, Snapshot};
use std::path::Path;

/// Steps that are taken, before and after saving.
const STEPS: u64 = 2;

/// What became of a scene.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Trial {
    /// It makes more grains, corners or pieces of walls than are wanted here.
    TooLarge,
    /// It was run, with this many grains.
    Ran(usize),
}

/// Reads a scene, builds it if it makes at most `most` grains and corners, takes a few steps, saves it, and goes on from what was
/// saved. Scenes that are refused, and grains that are lost on the way, are errors.
///
/// # Panics
/// Where what was saved goes on otherwise than what was not.
pub fn try_scene(text: &str, most: u64) -> Result<Trial> {
    let scene = Scene::of(Source::of_text(Path::new("nowhere/scene.toml"), text.to_owned()))?;
    if scene.document.size() > most {
        return Ok(Trial::TooLarge);
    }
    scene.output(None)?;
    match scene.dimension() {
        2 => try_in::<2>(&scene),
        _ => try_in::<3>(&scene),
    }
}

/// The fingerprint of a scene after this many steps, with contacts found by the fast grid with this kernel, or as the scene says;
/// none where the processor lacks the kernel.
pub fn fingerprint_of_scene(text: &str, steps: u64, kernel: Option<&'static str>) -> Result<Option<u64>> {
    let scene = Scene::of(Source::of_text(Path::new("nowhere/scene.toml"), text.to_owned()))?;
    match scene.dimension() {
        2 => fingerprint_in::<2>(&scene, steps, kernel),
        _ => fingerprint_in::<3>(&scene, steps, kernel),
    }
}

/// Reads a scene file with all that it names, without growing its grains. Scenes that are refused are errors.
pub fn check_scene(path: &Path) -> Result<()> {
    let scene = Scene::read(path, &[])?;
    scene.output(None)?;
    match scene.dimension() {
        2 => Reader::<2>::new(&scene.source, &scene.document)?.setup().map(|_| ()),
        _ => Reader::<3>::new(&scene.source, &scene.document)?.setup().map(|_| ()),
    }
}

/// Every key that scenes know.
pub fn keys_of_scenes() -> Vec<String> {
    every_key()
}

fn fingerprint_in<const D: usize>(scene: &Scene, steps: u64, kernel: Option<&'static str>) -> Result<Option<u64>>
where
    Axes: Dimension<D>,
{
    let reader = Reader::<D>::new(&scene.source, &scene.document)?;
    let mut setup = reader.setup()?;
    if let Some(kernel) = kernel {
        let one = Snapshot::new(&[[0.0; D]], &[1.0])?;
        if HierarchicalGrid::tuned_for(one)?.with_kernel(kernel).is_none() {
            return Ok(None);
        }
        setup = setup.detector(move || Box::new(WithKernel { kernel, grid: None }));
    }
    let mut simulation = setup.build(reader.grains()?)?;
    simulation.run(steps)?;
    Ok(Some(simulation.state().fingerprint()))
}

/// The fast grid with one of its kernels, whichever is the fastest.
struct WithKernel<const D: usize> {
    kernel: &'static str,
    grid: Option<HierarchicalGrid<D>>,
}

impl<const D: usize> Search<D> for WithKernel<D> {
    fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
        let kernel = self.kernel;
        let make = || HierarchicalGrid::tuned_for(now).ok().and_then(|grid| grid.with_kernel(kernel));
        if let Some(grid) = self.grid.take().or_else(make) {
            self.grid.insert(grid).search(now, sink);
        }
    }
}

fn try_in<const D: usize>(scene: &Scene) -> Result<Trial>
where
    Axes: Dimension<D>,
{
    let reader = Reader::<D>::new(&scene.source, &scene.document)?;
    let setup = reader.setup()?;
    let mut simulation = setup.clone().build(reader.grains()?).map_err(|error| reader.explain(error))?;
    let step = simulation.time_step();
    assert!(step > 0.0 && step.is_finite(), "the time step is {step}");
    let grains = simulation.state().len();
    simulation.run(STEPS)?;
    let mut resumed = setup.resume(&simulation.encode())?;
    let (one, other) = (simulation.run(STEPS), resumed.run(STEPS));
    ensure!(one.is_ok() == other.is_ok(), "only one of the two could go on: {one:?}, {other:?}");
    let prints = [&simulation, &resumed].map(|simulation| simulation.state().fingerprint());
    assert!(prints[0] == prints[1], "what was saved goes on otherwise");
    one?;
    Ok(Trial::Ran(grains))
}
