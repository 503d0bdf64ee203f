//! Heat of clumps: one temperature for each, which all of its members say.

use super::Clumps;
use crate::material::Material;
use crate::state::State;
use multigrain::{Axes, Dimension};

impl<const D: usize> Clumps<D>
where
    Axes: Dimension<D>,
{
    /// Turns what flows into members, by place, into the temperatures of their clumps after a step of this length. As masses, capacities are
    /// of the material of the first member; flows are summed in the order of members.
    pub fn warm(&mut self, materials: &[Material], state: &State<D>, time: f64, column: &mut [f64]) {
        self.find_places(state);
        let mut at = 0;
        for body in &self.bodies {
            let places = &self.places[at..at + body.members as usize];
            at += places.len();
            let first = places[0] as usize;
            let flow: f64 = places.iter().map(|&place| column[place as usize]).sum();
            let heat = materials[usize::from(state.materials[first])].heat;
            let change = heat.map_or(0.0, |heat| flow * time / (heat.capacity * body.mass));
            let temperature = state.temperatures[first] + change;
            places.iter().for_each(|&place| column[place as usize] = temperature);
        }
    }
}
