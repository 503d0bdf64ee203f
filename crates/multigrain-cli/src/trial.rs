//! A scene read, built and run for a few steps without any file: for those who look for mistakes in the program.

use crate::scene::{Reader, Scene, Source, every_key};
use anyhow::{Result, ensure};
use multigrain::detectors::HierarchicalGrid;
use multigrain::{Axes, Dimension, PairSink, Search, Snapshot};
use multigrain_dem::{Grain, Setup, Simulation};
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

/// Reads the text of a scene as if it stood in a file, builds it if it makes at most `most` grains and corners, takes a few steps, saves it, and goes on from what was
/// saved. Scenes that are refused, and grains that are lost on the way, are errors.
///
/// # Panics
/// Where what was saved goes on otherwise than what was not.
pub fn try_scene(path: &Path, text: &str, most: u64) -> Result<Trial> {
    let scene = Scene::of(Source::of_text(path, text.to_owned()))?;
    if scene.document.size() > most {
        return Ok(Trial::TooLarge);
    }
    scene.output(None)?;
    match scene.dimension() {
        2 => try_in::<2>(&scene),
        _ => try_in::<3>(&scene),
    }
}

/// What finds and works out contacts: so many threads, with this kernel of the fast grid and of the simulation, or as the scene says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CourseWay {
    /// Threads of the pool.
    pub threads: usize,
    /// `portable`, `avx2` or `avx512`.
    pub kernel: Option<&'static str>,
}

/// What a scene has come to after so many steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneCourse {
    /// Grains there are.
    pub grains: usize,
    /// Contacts between them and with walls.
    pub contacts: usize,
    /// Every bit of the state and of contacts, forces and what they remember.
    pub fingerprint: u64,
}

/// The course of a scene for so many steps, for each of several ways; none where the processor lacks the kernel. The scene is that of a
/// file in the folder whose other files it names.
pub fn courses_of_scene(path: &Path, text: &str, steps: u64, ways: &[CourseWay]) -> Result<Vec<Option<SceneCourse>>> {
    let scene = Scene::of(Source::of_text(path, text.to_owned()))?;
    match scene.dimension() {
        2 => courses_in::<2>(&scene, steps, ways),
        _ => courses_in::<3>(&scene, steps, ways),
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

fn courses_in<const D: usize>(scene: &Scene, steps: u64, ways: &[CourseWay]) -> Result<Vec<Option<SceneCourse>>>
where
    Axes: Dimension<D>,
{
    let reader = Reader::<D>::new(&scene.source, &scene.document)?;
    let (setup, grains) = (reader.setup()?, reader.grains()?);
    let course = |way: &CourseWay| -> Result<Option<SceneCourse>> {
        let mut setup = setup.clone();
        if let Some(kernel) = way.kernel {
            let (center, radius) = ([[0.0; D]], [1.0]);
            let grid = HierarchicalGrid::tuned_for(Snapshot::new(&center, &radius)?)?;
            if grid.with_kernel(kernel).is_none() || !multigrain_dem::use_kernels_up_to(kernel) {
                return Ok(None);
            }
            setup = setup.detector(move || Box::new(WithKernel { kernel, grid: None }));
        }
        let pool = rayon::ThreadPoolBuilder::new().num_threads(way.threads).build()?;
        pool.install(|| {
            let mut simulation = setup.build(grains.clone())?;
            simulation.run(steps)?;
            Ok(Some(course_of(&simulation)))
        })
    };
    let courses = ways.iter().map(course).collect();
    // The widest there is, again.
    ["portable", "avx2", "avx512"].into_iter().for_each(|name| {
        multigrain_dem::use_kernels_up_to(name);
    });
    courses
}

fn course_of<const D: usize>(simulation: &Simulation<D>) -> SceneCourse
where
    Axes: Dimension<D>,
{
    let (contacts, touches) = (simulation.contacts(), simulation.wall_contacts());
    let of_grains = contacts.iter().flat_map(|contact| contact.force.into_iter().chain(contact.spring));
    let of_walls = touches.iter().flat_map(|touch| touch.force.into_iter().chain(touch.spring));
    let state = simulation.state();
    let fingerprint = of_grains.chain(of_walls).fold(state.fingerprint(), |hash, number| {
        (hash ^ number.to_bits()).wrapping_mul(0x100_0000_01b3).rotate_left(17)
    });
    SceneCourse { grains: state.len(), contacts: contacts.len() + touches.len(), fingerprint }
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

/// The setup and the grains of a scene.
pub fn setup_of_scene<const D: usize>(path: &Path, text: &str) -> Result<(Setup<D>, Vec<Grain<D>>)>
where
    Axes: Dimension<D>,
{
    let scene = Scene::of(Source::of_text(path, text.to_owned()))?;
    let reader = Reader::<D>::new(&scene.source, &scene.document)?;
    Ok((reader.setup()?, reader.grains()?))
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
