//! Soft relaxation after growth (fast-multilevel, section 4.2): balls fly on and collide as elastic spheres, so that the
//! system is one of a soft simulation rather than one of hard balls that just do not touch.

use crate::progress::Progress;
use anyhow::{Context, Result};
use multigrain::{Axes, Dimension, System};
use multigrain_dem::{Contact, Simulation};
use multigrain_experiments::soft_gas;

/// The same bodies after so many soft collisions each, between hard walls where axes are not periodic.
pub fn relax<const D: usize>(system: System<D>, collisions_each: f64, seed: u64) -> Result<System<D>>
where
    Axes: Dimension<D>,
{
    let count = system.radii.len();
    if count < 2 || collisions_each == 0.0 {
        return Ok(system);
    }
    let wanted = (0.5 * collisions_each * count as f64).ceil() as u64;
    // Another sequence than that of growth.
    let mut simulation = soft_gas(&system, !seed).context("cannot relax the system")?;
    let bar = Progress::steps("relaxing", wanted);
    let mut touching = Touching::default();
    let mut seen = 0;
    while seen < wanted {
        simulation.step().context("cannot relax the system")?;
        let begun = touching.begun(&simulation);
        seen += begun;
        bar.advance(begun);
    }
    let state = simulation.state();
    let centers = state.places_by_id().into_iter().map(|place| state.positions()[place as usize]).collect();
    Ok(System { centers, ..system })
}

/// Who touched whom in the last step, each with the image as if nobody had ever been wrapped: a contact that was not there is a
/// collision, one that crosses a border is not.
#[derive(Default)]
struct Touching<const D: usize> {
    before: Vec<([u32; 2], [i32; D])>,
}

impl<const D: usize> Touching<D>
where
    Axes: Dimension<D>,
{
    /// How many contacts have begun in this step.
    fn begun(&mut self, simulation: &Simulation<D>) -> u64 {
        let periods = |place: u32| simulation.state().periods().get(place as usize).copied().unwrap_or([0; D]);
        let unwrapped = |contact: Contact<D>| {
            let [own, others] = contact.places.map(periods);
            (contact.ids, std::array::from_fn(|axis| contact.shift[axis] - others[axis] + own[axis]))
        };
        let mut now: Vec<([u32; 2], [i32; D])> = simulation.contacts().into_iter().map(unwrapped).collect();
        now.sort_unstable();
        let begun = now.iter().filter(|contact| self.before.binary_search(contact).is_err()).count();
        self.before = now;
        begun as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;
    use multigrain_dem::{ContactLaw, Grain, Material, Setup, TimeStep};

    #[test]
    fn a_contact_that_crosses_a_border_has_not_begun_again() {
        let setup = Setup::new()
            .domain(Domain::periodic([0.0; 2], [1.0; 2]).unwrap())
            .material(Material::new(1.0, ContactLaw::linear(1e-9)))
            .time_step(TimeStep::Given(0.01));
        let grains = [0.81, 0.89].map(|x| Grain::at([x, 0.5], 0.05).velocity([1.0, 0.0]));
        let mut simulation = setup.build(grains).unwrap();
        let mut touching = Touching::default();
        let mut begun = 0;
        for _ in 0..50 {
            simulation.step().unwrap();
            begun += touching.begun(&simulation);
        }
        assert!(simulation.state().periods().contains(&[1, 0]));
        assert_eq!(begun, 1);
    }
}
