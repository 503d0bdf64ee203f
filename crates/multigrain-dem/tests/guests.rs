//! Parts of a simulation that exchange particles and guests by hand have the bits of one that runs by itself.

use super::mixture::{Mixture, side, walled};
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{
    Carried, Census, ContactLaw, Ending, Error, Generator, Grain, Integrator, Material, Outflow, Setup, Simulation,
    Skin, Summary, TimeStep, Totals, Wall,
};

/// Cuts space along the first axis into parts of equal width; where it is cut moves a little with every exchange.
struct Parts<const D: usize> {
    parts: Vec<Simulation<D>>,
    cuts: Vec<f64>,
    skin: f64,
    /// For each part: of which part, and in which place there, each guest is.
    guests: Vec<Vec<(usize, u32)>>,
    must_exchange: bool,
    exchanges: u64,
    moved: u64,
}

impl<const D: usize> Parts<D>
where
    Axes: Dimension<D>,
{
    fn new(setup: &Setup<D>, grains: &[Grain<D>], cuts: Vec<f64>, skin: f64, first_id: u64) -> Self {
        let count = cuts.len() + 1;
        let part = |number: usize| setup.clone().part(grains, first_id, |k, _| k % count == number).unwrap();
        let parts = (0..count).map(part).collect();
        let mut all = Self { parts, cuts, skin, guests: Vec::new(), must_exchange: true, exchanges: 0, moved: 0 };
        let mut census = all.parts[0].census();
        for part in &all.parts[1..] {
            census.merge(&Census::from_numbers(&part.census().to_numbers()).unwrap());
        }
        all.parts.iter_mut().for_each(|part| part.begin(&census).unwrap());
        all.exchange();
        all.evaluate(Ending::Start).unwrap();
        all
    }

    /// Works out forces; what walls and box feel is put together.
    fn evaluate(&mut self, ending: Ending) -> Result<(), Error> {
        self.parts.iter_mut().try_for_each(|part| part.push_step(ending))?;
        let mut all = self.parts[0].felt(ending);
        for part in &self.parts[1..] {
            let other = part.felt(ending);
            all.set_addends(&added([all.addends(), other.addends()].into_iter()));
            if let (Some(mut worn), Some(more)) = (other.worn(), all.worn()) {
                worn.extend(more);
                all.set_worn(&worn);
            }
        }
        self.parts.iter_mut().try_for_each(|part| part.end_step(ending, &all))
    }

    fn owner(&self, position: [f64; D]) -> usize {
        self.cuts.iter().filter(|&&cut| position[0] >= cut).count()
    }

    /// Particles go where they belong, and guests are chosen again: first all that come near, then those that are needed.
    fn exchange(&mut self) {
        for (k, cut) in self.cuts.iter_mut().enumerate() {
            *cut += if (self.exchanges as usize + k).is_multiple_of(2) { 0.31 } else { -0.31 };
        }
        self.exchanges += 1;
        let mut packs = Vec::new();
        for from in 0..self.parts.len() {
            let own = self.parts[from].state().own();
            let owners: Vec<usize> = (0..own).map(|place| self.owner(self.parts[from].home(place))).collect();
            let leaving: Vec<u32> = (0..own as u32).filter(|&place| owners[place as usize] != from).collect();
            self.moved += leaving.len() as u64;
            for to in (0..self.parts.len()).filter(|&to| to != from) {
                let there: Vec<u32> = leaving.iter().copied().filter(|&place| owners[place as usize] == to).collect();
                packs.push((to, self.parts[from].pack(&there)));
            }
            self.parts[from].leave(&leaving);
        }
        packs.iter().for_each(|(to, pack)| self.parts[*to].join(pack).unwrap());
        self.parts.iter_mut().for_each(Simulation::sort_own);
        // Offers: everybody else. Guests: those near an own particle.
        for to in 0..self.parts.len() {
            let mut offers = Vec::new();
            for from in (0..self.parts.len()).filter(|&from| from != to) {
                offers.extend((0..self.parts[from].state().own() as u32).map(|place| (from, place)));
            }
            self.set_guests(to, &offers);
            let own = self.parts[to].state().own();
            let mut used = vec![false; offers.len()];
            for pair in self.parts[to].near_guests(self.skin).unwrap().iter() {
                for place in [pair.i, pair.j].map(|place| place as usize).into_iter().filter(|&place| place >= own) {
                    used[place - own] = true;
                }
            }
            let needed: Vec<(usize, u32)> =
                offers.iter().zip(&used).filter(|(_, used)| **used).map(|(offer, _)| *offer).collect();
            self.set_guests(to, &needed);
            self.guests.resize(self.parts.len(), Vec::new());
            self.guests[to] = needed;
        }
        self.must_exchange = false;
    }

    fn set_guests(&mut self, to: usize, guests: &[(usize, u32)]) {
        let rows: Vec<u8> = guests.iter().flat_map(|&(from, place)| self.parts[from].rows(&[place])).collect();
        self.parts[to].set_guests(&rows).unwrap();
    }

    fn step(&mut self) -> Result<(), Error> {
        if self.parts[0].is_deformation_due() {
            for part in &mut self.parts {
                assert!(part.begin_deformation()?);
            }
            match self.must_exchange {
                true => self.exchange(),
                false => self.tell_motions()?,
            }
            self.evaluate(Ending::Start)?;
            self.must_exchange = true;
        }
        if self.parts[0].is_due() {
            let near: Vec<_> = self.parts.iter().rev().flat_map(|part| part.near_generators()).collect();
            for number in 0..self.parts.len() {
                for poured in self.parts[number].pour(&near)? {
                    if self.owner(poured.grain.position) == number {
                        self.parts[number].adopt(poured.id, &poured.grain)?;
                        self.must_exchange = true;
                    }
                }
            }
        }
        self.parts.iter_mut().try_for_each(Simulation::advance)?;
        if self.must_exchange || self.parts[0].has_lost_marks() {
            self.exchange();
        } else {
            self.tell_motions()?;
        }
        self.evaluate(Ending::Step)?;
        for part in &mut self.parts {
            self.must_exchange |= part.flow_out()?;
        }
        let next: Vec<_> = self.parts.iter().map(|part| part.next_way()).collect();
        let way = next.iter().map(|next| next.way).fold(0.0, f64::max);
        let largest = self.parts.iter().flat_map(|part| part.state().radii()).copied().fold(0.0, f64::max);
        let shortest = next[0].shortest;
        assert!(next.iter().all(|next| next.shortest == shortest));
        let closer = 2.0 * way * (1.0 + 1e-9) + (1.0 - shortest) * 2.0 * largest;
        self.must_exchange |= closer > shortest * self.skin;
        Ok(())
    }

    fn tell_motions(&mut self) -> Result<(), Error> {
        for to in 0..self.parts.len() {
            let mut bytes = Vec::new();
            for &(from, place) in &self.guests[to] {
                self.parts[from].motions(&[place], &mut bytes);
            }
            assert_eq!(bytes.len(), self.guests[to].len() * self.parts[to].motion_bytes());
            let own = self.parts[to].state().own();
            // Those that an outflow sent away are set again in the next step.
            if self.parts[to].state().len() > own {
                self.parts[to].move_guests(own, &bytes)?;
            }
        }
        Ok(())
    }

    /// All of them in one.
    fn joined(&mut self) -> Simulation<D> {
        let mut all = self.parts[0].empty_like().unwrap();
        for part in self.parts.iter_mut().rev() {
            let own: Vec<u32> = (0..part.state().own() as u32).collect();
            all.join(&part.pack(&own)).unwrap();
        }
        all.settle(&self.totals());
        all
    }

    fn totals(&self) -> Totals<D> {
        let mut all = self.parts[0].totals();
        all.set_addends(&added(self.parts.iter().map(|part| part.totals().addends())));
        all
    }

    fn summary(&self) -> Summary<D> {
        let all: Vec<Summary<D>> = self.parts.iter().map(Simulation::summary).collect();
        let mut together = all[0].clone();
        together.set_addends(&added(all.iter().map(Summary::addends)));
        together.largest_overlap = all.iter().map(|part| part.largest_overlap).fold(0.0, f64::max);
        together
    }

    /// What contacts of all parts carry, as the whole lists it.
    fn carried(&self) -> Vec<Carried<D>> {
        let mut all: Vec<Carried<D>> = self.parts.iter().flat_map(Simulation::carried).collect();
        all.sort_by_key(|contact| (contact.ids, contact.shift));
        all
    }
}

/// Words of parts, added up one by one.
fn added(parts: impl Iterator<Item = Vec<u64>>) -> Vec<u64> {
    let both = |a: Vec<u64>, b: Vec<u64>| a.iter().zip(&b).map(|(a, b)| a.wrapping_add(*b)).collect();
    parts.reduce(both).unwrap_or_default()
}

/// Particles of very different sizes in a box that is periodic along the first axis or all of them, with friction and walls.
fn mixture<const D: usize>(count: usize, periodic: [bool; D], law: ContactLaw) -> (Setup<D>, Vec<Grain<D>>)
where
    Axes: Dimension<D>,
{
    let side = side::<D>(count);
    let grains = Mixture { seed: 11, radii: (0.4, 0.25), boulder: 1.6, speed: 0.8 }.grains(count);
    let setup = Setup::new()
        .domain(Domain::new([0.0; D], [side; D], periodic).unwrap())
        .material(Material::new(1.0, law))
        .material(Material::new(2.0, law))
        .gravity(std::array::from_fn(|axis| if axis == D - 1 { -0.2 } else { 0.0 }));
    (walled(setup, side, periodic), grains)
}

/// Runs parts and the whole side by side, and compares all that there is.
fn compare<const D: usize>(scene: &(Setup<D>, Vec<Grain<D>>), cuts: Vec<f64>, skin: f64, steps: u64) -> Parts<D>
where
    Axes: Dimension<D>,
{
    let (setup, grains) = scene;
    let mut whole = setup.clone().build(grains.clone()).unwrap();
    let mut parts = Parts::new(setup, grains, cuts, skin, 0);
    assert_eq!(parts.parts[0].time_step(), whole.time_step());
    let mut compared = 0;
    for step in 1..=steps {
        whole.step().unwrap();
        parts.step().unwrap();
        if step >= (compared + 1) * steps / 4 && !parts.must_exchange {
            compared += 1;
            parts.tell_motions().unwrap();
            assert_eq!(parts.summary(), whole.summary(), "step {step}");
            assert_eq!(parts.carried(), whole.carried(), "step {step}");
            assert!(parts.joined().encode() == whole.encode(), "step {step}");
        }
    }
    assert!(compared >= 3);
    assert!(parts.joined().encode() == whole.encode(), "the end");
    assert!(parts.exchanges > 3 && parts.exchanges < steps, "{} exchanges in {steps} steps", parts.exchanges);
    assert!(parts.moved > 10);
    assert!(parts.guests.iter().any(|guests| !guests.is_empty()));
    parts
}

const FRICTION: ContactLaw = ContactLaw::linear(100.0).damping(0.4).friction(0.5);

#[test]
fn parts_have_the_bits_of_the_whole_in_the_plane() {
    let scene = mixture::<2>(220, [false; 2], FRICTION);
    compare(&scene, vec![7.0], 0.3, 200);
    compare(&scene, vec![4.0, 5.0, 11.0], 0.15, 120);
}

#[test]
fn parts_have_the_bits_of_the_whole_in_space_without_friction() {
    let scene = mixture::<3>(300, [false; 3], ContactLaw::linear(100.0).damping(0.2));
    let parts = compare(&scene, vec![3.0], 0.3, 120);
    assert_eq!(parts.parts[0].motion_bytes(), 8 * 6);
}

#[test]
fn parts_have_the_bits_of_the_whole_in_periodic_boxes_with_both_integrators() {
    for integrator in [Integrator::Verlet, Integrator::Gear] {
        let scene = mixture::<2>(160, [true, false], FRICTION);
        compare(&(scene.0.integrator(integrator).skin(Skin::Chosen), scene.1), vec![6.0, 9.0], 0.2, 160);
        let scene = mixture::<3>(200, [true; 3], FRICTION);
        compare(&(scene.0.integrator(integrator).skin(Skin::Width(0.1)), scene.1), vec![2.5], 0.25, 80);
    }
}

#[test]
fn parts_have_the_bits_of_the_whole_where_bodies_touch_several_images() {
    let setup = Setup::new()
        .domain(Domain::periodic([0.0; 2], [2.0, 1.7]).unwrap())
        .material(Material::new(1.0, ContactLaw::linear(50.0).damping(0.1).friction(0.5)));
    let grains = [
        Grain::at([0.1, 0.2], 0.7).velocity([0.5, 0.1]).spin([0.0, 0.0, 1.0]),
        Grain::at([1.0, 1.0], 0.9).velocity([-0.2, 0.3]).spin([0.0, 0.0, -2.0]),
    ];
    let mut whole = setup.clone().build(grains).unwrap();
    let mut parts = Parts::new(&setup, &grains, vec![1.0], 0.2, 0);
    for _ in 0..400 {
        whole.step().unwrap();
        parts.step().unwrap();
    }
    assert!(parts.joined().encode() == whole.encode() && whole.contact_count() > 2);
}

/// Grains come, flow over a chute whose wall moves, and go.
#[test]
fn parts_have_the_bits_of_the_whole_where_grains_come_and_go() {
    let setup = Setup::new()
        .material(Material::new(1.0, ContactLaw::linear(500.0).damping(0.02).friction(0.2)))
        .wall(Wall::plate(vec![[0.0, 2.0], [4.0, 0.5]]))
        .wall(Wall::plate(vec![[4.5, 0.5], [4.5, 2.0]]).carrying([0.0, 0.5]))
        .gravity([0.0, -20.0])
        .generator(Generator {
            velocity: [0.2, -2.0],
            seed: 3,
            ..Generator::new([0.0, 3.0], [1.5, 3.8], 120.0, vec![0.05, 0.08, 0.12])
        })
        .generator(Generator { seed: 4, ..Generator::new([0.5, 3.0], [2.5, 3.8], 40.0, vec![0.07]) })
        .time_step(TimeStep::Fraction(0.08))
        .outflow(Outflow::Beyond { point: [0.0, 0.0], normal: [0.0, -1.0] });
    let grains = vec![Grain::at([1.0, 3.2], 0.3), Grain::at([2.5, 1.0], 0.15).held()];
    let scene = (setup, grains);
    let mut parts = compare(&scene, vec![1.2, 2.6], 0.1, 3000);
    let whole = parts.joined();
    assert!(whole.generated() > 100 && whole.removed() > 10, "{} {}", whole.generated(), whole.removed());
    // Cut again in another way, after it was saved.
    let bytes = whole.encode();
    let resumed = |takes_gone: bool| {
        let part = scene.0.clone().resume(&bytes).unwrap();
        part.into_part(|_, x| (x[1] < 1.5) == takes_gone, takes_gone)
    };
    let (low, high) = (resumed(true), resumed(false));
    assert!(low.state().own() > 2 && high.state().own() > 2);
    parts.parts = vec![low, high];
    parts.cuts = vec![2.0];
    parts.guests.clear();
    parts.must_exchange = true;
    let mut whole = scene.0.clone().resume(&bytes).unwrap();
    for _ in 0..300 {
        whole.step().unwrap();
        parts.step().unwrap();
    }
    assert!(parts.joined().encode() == whole.encode());
}

#[test]
fn ids_beyond_32_bits_change_nothing_but_themselves() {
    let (setup, grains) = mixture::<2>(150, [true, false], FRICTION);
    let start = (1 << 40) - 70;
    let mut low = Parts::new(&setup, &grains, vec![6.0], 0.2, 0);
    let mut high = Parts::new(&setup, &grains, vec![6.0], 0.2, start);
    for _ in 0..100 {
        low.step().unwrap();
        high.step().unwrap();
    }
    let (low, high) = (low.joined(), high.joined());
    assert_eq!(low.totals(), high.totals());
    assert!(low.contact_count() > 20);
    let contacts: Vec<_> = low
        .contacts()
        .iter()
        .map(|contact| (contact.ids.map(|id| id + start), contact.force, contact.spring))
        .collect();
    let found: Vec<_> = high.contacts().iter().map(|contact| (contact.ids, contact.force, contact.spring)).collect();
    assert_eq!(found, contacts);
    let bytes = high.encode();
    assert!(setup.resume(&bytes).unwrap().encode() == bytes);
}

#[test]
fn bytes_of_another_setup_are_refused() {
    let (setup, grains) = mixture::<2>(20, [true, false], FRICTION);
    let mut part = setup.clone().part(&grains, 0, |_, _| true).unwrap();
    let packed = part.pack(&[1, 2]);
    let mut other = setup.part(&[], 20, |_, _| true).unwrap();
    assert!(other.join(&packed[..packed.len() - 8]).unwrap_err().to_string().contains("same setup"));
    assert!(other.set_guests(&packed[..24]).is_err());
    assert!(other.move_guests(0, &[0; 64]).is_err());
}
