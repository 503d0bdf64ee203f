//! A simulation in parts, one on each rank: the bits of one that was never cut.

use crate::agreement::agree;
use crate::bisection::cut_space;
use crate::coordinates::Coordinates;
use crate::cut_tree::CutTree;
use crate::error::Error;
use crate::halo::Halo;
use crate::lanes::Lanes;
use crate::octaves::Octaves;
use crate::transport::{Transport, Why};
use crate::wire::{Packer, Unpacker, parcels};
use multigrain::{Axes, Dimension, Domain};
use multigrain_dem::{Cause, Census, Ending, Grain, Phase, Setup, Simulation};

/// Halos between two looks at whether ranks have as much to do as each other.
const BALANCE_EVERY: u64 = 10;

/// The largest weight of a rank, over the mean, before space is cut again: 23 over 20.
const UNEVEN: [u128; 2] = [23, 20];

/// Skin of the halo, in radii of the middle body, unless it is given.
const SKIN: f64 = 0.3;

/// What a run hears of while it goes on, and what it is asked.
pub struct Listener<'a> {
    /// Asked after every step: whether this rank was asked to stop.
    pub must_stop: &'a dyn Fn() -> bool,
    /// Called when each phase of a step begins; what ranks wait for each other is in the phase that needs it.
    pub hook: &'a mut (dyn FnMut(Phase) + Send),
}

/// One rank's part of a simulation. Every method is collective.
pub struct DistributedSimulation<const D: usize> {
    pub(crate) part: Simulation<D>,
    domain: Domain<D>,
    tree: CutTree<D>,
    lanes: Lanes,
    /// How far bodies may come, two of them together, before guests are chosen again; chosen with them where it is not given.
    skin: f64,
    given_skin: Option<f64>,
    /// More than rounding does to distances.
    slack: f64,
    /// No two bodies act on each other whose centers are further apart.
    largest_reach: f64,
    /// Whether any body is a giant.
    has_giants: bool,
    must_choose: bool,
    /// Whether guests are who was chosen last: nothing has come or gone since.
    pub(crate) has_guests: bool,
    will_be_lost: bool,
    halos: u64,
    cut_at: u64,
    cuts: u64,
    /// Steps after which space is cut again come what may.
    cut_every: Option<u64>,
}

impl<const D: usize> DistributedSimulation<D>
where
    Axes: Dimension<D>,
{
    /// From grains that all ranks know, with ids in their order.
    pub fn start(
        transport: &mut dyn Transport,
        setup: Setup<D>,
        grains: &[Grain<D>],
        skin: Option<f64>,
    ) -> Result<Self, Error> {
        let (rank, ranks) = (transport.rank(), transport.size());
        let empty = setup.clone().part(&[], 0, |_, _| true).map_err(Error::from);
        let domain = *agree(transport, empty)?.domain();
        let share = grains.iter().skip(rank).step_by(ranks);
        let tree = cut(transport, &domain, share.map(|grain| (grain.position, 1)));
        let part = setup.part(grains, 0, |_, grain| tree.owner(grain.position) == rank);
        let mut part = agree(transport, part.map_err(Error::from))?;
        let census = merged_census(transport, &part.census());
        let begun = part.begin(&census).map_err(Error::from);
        agree(transport, begun)?;
        let mut all = Self::of(part, domain, tree, skin);
        let chosen = all.choose_guests(transport);
        agree(transport, chosen)?;
        let started = all.evaluate(transport, Ending::Start, Ok(()), &mut |_| ());
        agree(transport, started)?;
        all.agree_on_next(transport, [false; 2], Ok(()))?;
        Ok(all)
    }

    /// From a simulation that the first rank has whole, and deals out: the others never have more than their parts.
    pub fn deal_out(
        transport: &mut dyn Transport,
        setup: Setup<D>,
        whole: Option<Simulation<D>>,
        skin: Option<f64>,
    ) -> Result<Self, Error> {
        // What all know of it, without any particle.
        let empty = whole.as_ref().map_or(Ok(Vec::new()), |whole| whole.empty_like().map(|empty| empty.encode()));
        let empty = agree(transport, empty.map_err(Error::from))?;
        let empty = transport.all_gather(&empty).swap_remove(0);
        let part = setup.resume(&empty).map(|empty| empty.into_part(|_, _| true, false));
        let mut part = agree(transport, part.map_err(Error::from))?;
        if let Some(whole) = &whole {
            part.settle(&whole.gone());
        }
        let domain = *part.domain();
        let weights = whole.iter().flat_map(|whole| whole.weights().into_iter().enumerate().map(move |of| (whole, of)));
        let tree = cut(transport, &domain, weights.map(|(whole, (place, weight))| (whole.home(place), weight)));
        let mut packed = Vec::new();
        if let Some(mut whole) = whole {
            let mut places: Vec<Vec<u32>> = vec![Vec::new(); transport.size()];
            for place in 0..whole.state().own() {
                places[tree.owner(whole.home(place))].push(place as u32);
            }
            packed.extend(whole.pack_each(&places).into_iter().map(|bytes| Packer { bytes }));
        }
        let came = transport.exchange(Why::Owners, parcels(packed));
        let joined = came.iter().try_for_each(|parcel| part.join(&parcel.bytes));
        agree(transport, joined.map_err(Error::from))?;
        Ok(Self::of(part, domain, tree, skin))
    }

    fn of(part: Simulation<D>, domain: Domain<D>, tree: CutTree<D>, given_skin: Option<f64>) -> Self {
        Self {
            part,
            domain,
            tree,
            lanes: Lanes::default(),
            skin: 0.0,
            given_skin,
            slack: 0.0,
            largest_reach: 0.0,
            has_giants: false,
            must_choose: true,
            has_guests: false,
            will_be_lost: true,
            halos: 0,
            cut_at: 0,
            cuts: 0,
            cut_every: None,
        }
    }

    /// This rank's part.
    pub fn part(&self) -> &Simulation<D> {
        &self.part
    }

    /// How often guests were chosen.
    pub fn halos(&self) -> u64 {
        self.halos
    }

    /// How often space was cut again.
    pub fn cuts(&self) -> u64 {
        self.cuts
    }

    /// Cuts space again after every so many steps, by weights that are drawn anew each time: to show that no cut changes anything.
    #[doc(hidden)]
    pub fn cut_every(mut self, steps: u64) -> Self {
        self.cut_every = Some(steps);
        self
    }

    /// Guests of this rank.
    pub fn guests(&self) -> usize {
        self.lanes.guests()
    }

    /// This many time steps. An error of one rank is an error of all, in the same step; the lowest particle that is lost is named.
    pub fn run(&mut self, transport: &mut dyn Transport, steps: u64) -> Result<(), Error> {
        self.run_with(transport, steps, Listener { must_stop: &|| false, hook: &mut |_| () }).map(drop)
    }

    /// Up to so many time steps: all ranks stop after the one in which any of them is asked to. How many there were, and whether any was asked.
    pub fn run_with(
        &mut self,
        transport: &mut dyn Transport,
        steps: u64,
        mut listener: Listener<'_>,
    ) -> Result<(u64, bool), Error> {
        for step in 1..=steps {
            match self.step(transport, &mut listener) {
                Ok(false) => (),
                Ok(true) => return Ok((step, true)),
                Err(error) => return Err(reported(transport, error)),
            }
        }
        Ok((steps, false))
    }

    /// One step; whether any rank was asked to stop.
    fn step(&mut self, transport: &mut dyn Transport, listener: &mut Listener<'_>) -> Result<bool, Error> {
        (listener.hook)(Phase::Move);
        if self.part.is_deformation_due() {
            self.change_box(transport)?;
        }
        let has_come = self.pour(transport)?;
        let mut outcome = self.part.advance().map_err(Error::from);
        if self.will_be_lost {
            agree(transport, outcome)?;
            outcome = Ok(());
        }
        self.has_guests &= !has_come;
        self.must_choose |= has_come || self.part.has_lost_marks();
        let brought = self.bring_guests(transport);
        let outcome = self.evaluate(transport, Ending::Step, outcome.and(brought), listener.hook);
        let gone = outcome.and_then(|()| Ok(self.part.flow_out()?));
        let (has_gone, outcome) = match gone {
            Ok(has_gone) => (has_gone, Ok(())),
            Err(error) => (false, Err(error)),
        };
        let must_stop = self.agree_on_next(transport, [has_gone, (listener.must_stop)()], outcome)?;
        (listener.hook)(Phase::Done);
        Ok(must_stop)
    }

    /// Guests are where their owners have them; others are chosen where it is time.
    fn bring_guests(&mut self, transport: &mut dyn Transport) -> Result<(), Error> {
        if self.must_choose {
            return self.choose_guests(transport);
        }
        Ok(self.lanes.send_motions(transport, &mut self.part)?)
    }

    /// Works out forces, if all went well so far. What walls and box feel of all particles is put together, where anything of it is asked
    /// for.
    fn evaluate(
        &mut self,
        transport: &mut dyn Transport,
        ending: Ending,
        so_far: Result<(), Error>,
        hook: &mut (dyn FnMut(Phase) + Send),
    ) -> Result<(), Error> {
        let pushed = so_far.and_then(|()| Ok(self.part.push_step_with(ending, hook)?));
        let handed = match self.has_giants {
            true => self.lanes.push_giants(transport, &mut self.part, pushed.is_ok()),
            false => Ok(()),
        };
        let pushed = pushed.and_then(|()| Ok(handed?));
        let mut felt = match pushed {
            Ok(()) => self.part.felt(ending),
            Err(_) => self.part.felt_by_nobody(),
        };
        let mut words = felt.addends();
        if !words.is_empty() {
            transport.all_sum(&mut words);
            felt.set_addends(&words);
        }
        if let Some(worn) = felt.worn() {
            let mut packer = Packer::default();
            worn.into_iter().for_each(|word| packer.u64(word));
            let all = transport.all_gather(&packer.bytes).concat();
            let all: Vec<u64> = all.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
            felt.set_worn(&all);
        }
        pushed?;
        hook(Phase::Gather);
        Ok(self.part.end_step(ending, &felt)?)
    }

    /// Another deformation begins: particles go along with it, and forces are worked out once more.
    fn change_box(&mut self, transport: &mut dyn Transport) -> Result<(), Error> {
        let begun = self.part.begin_deformation();
        agree(transport, begun.map_err(Error::from))?;
        let brought = self.bring_guests(transport);
        agree(transport, brought)?;
        let evaluated = self.evaluate(transport, Ending::Start, Ok(()), &mut |_| ());
        // Nobody has said how far velocities that have changed will bring anyone.
        (self.must_choose, self.will_be_lost) = (true, true);
        agree(transport, evaluated)
    }

    /// What all ranks must know before the next step, in a few words: how far bodies will have come, whether any came or went or will be
    /// lost, and whether a rank has failed or was asked to stop, which is what it gives.
    fn agree_on_next(
        &mut self,
        transport: &mut dyn Transport,
        [has_changed, must_stop]: [bool; 2],
        outcome: Result<(), Error>,
    ) -> Result<bool, Error> {
        let next = self.part.next_way();
        let mut words = [
            next.way.to_bits(),
            u64::from(has_changed),
            // A way that is no number is longer than any.
            u64::from(next.will_be_lost || !next.way.is_finite()),
            u64::from(outcome.is_err()),
            u64::from(must_stop),
        ];
        transport.all_max(&mut words);
        self.has_guests &= words[1] == 0;
        if words[3] > 0 {
            return agree(transport, outcome).map(|()| false);
        }
        let way = f64::from_bits(words[0]);
        // Everything is stretched with a box that deforms, which is the same for all ranks; bodies then move on their own.
        let lost = (1.0 - next.shortest) * self.largest_reach;
        let lasts = 2.0 * way * (1.0 + 1e-9) + self.slack + lost <= next.shortest * self.skin;
        self.must_choose = words[1] > 0 || !lasts || self.must_cut(self.part.steps() + 1);
        self.will_be_lost = words[2] > 0;
        Ok(words[4] > 0)
    }

    /// Grains that are due come, to those who own their places. Whether any did.
    fn pour(&mut self, transport: &mut dyn Transport) -> Result<bool, Error> {
        if !self.part.is_due() {
            return Ok(false);
        }
        let mut packer = Packer::default();
        for (position, radius) in self.part.near_generators() {
            packer.f64s(&position);
            packer.f64(radius);
        }
        let mut near = Vec::new();
        for bytes in transport.all_gather(&packer.bytes) {
            let mut unpacker = Unpacker { bytes: &bytes };
            while !unpacker.is_empty() {
                near.push((unpacker.f64s(), unpacker.f64()));
            }
        }
        let rank = transport.rank();
        let poured = self.part.pour(&near).and_then(|poured| {
            let mut own = poured.iter().filter(|poured| self.tree.owner(poured.grain.position) == rank);
            own.try_for_each(|poured| self.part.adopt(poured.id, &poured.grain))?;
            Ok(!poured.is_empty())
        });
        agree(transport, poured.map_err(Error::from))
    }

    /// Bodies go to their owners, and guests are chosen again.
    fn choose_guests(&mut self, transport: &mut dyn Transport) -> Result<(), Error> {
        self.halos += 1;
        self.has_guests = false;
        if self.domain != *self.part.domain() {
            self.domain = *self.part.domain();
            self.tree.follow(Coordinates::of(&self.domain));
        }
        if let Some(weights) = self.uneven_weights(transport) {
            self.cut_at = self.halos;
            self.cuts += 1;
            let homes = weights.into_iter().enumerate().map(|(place, weight)| (self.part.home(place), weight));
            self.tree = cut(transport, &self.domain, homes);
        }
        let moved = self.migrate(transport);
        agree(transport, moved)?;
        self.part.sort_own();
        let radii = self.part.state().radii();
        let octaves = Octaves::agree(transport, radii);
        self.skin = match self.given_skin {
            Some(skin) => skin,
            None => SKIN * octaves.middle(transport, radii),
        };
        let largest = radii.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let largest = transport.all_gather(&largest.to_le_bytes());
        let largest: Vec<f64> = largest.iter().map(|bytes| Unpacker { bytes }.f64()).collect();
        // Neither is negative, so their bits are in their order.
        let farthest = self.tree.coordinates.farthest(self.part.state().positions());
        let mut agreed = [farthest, self.part.reach(), self.overhang(transport.rank())].map(f64::to_bits);
        transport.all_max(&mut agreed);
        let [farthest, reach, overhang] = agreed.map(f64::from_bits);
        self.slack = self.tree.coordinates.slack(farthest);
        let of_all = largest.iter().copied().fold(0.0, f64::max);
        self.largest_reach = 2.0 * of_all + reach;
        self.has_giants = of_all > self.part.giant_radius();
        let margin = self.skin + reach + self.slack;
        let halo = Halo::new(&self.tree, &octaves, &largest, margin + overhang);
        let lanes = Lanes::choose(transport, &mut self.part, &halo, &octaves, margin);
        self.lanes = agree(transport, lanes.map_err(Error::from))?;
        self.has_guests = true;
        Ok(())
    }

    /// Guests are there, as they are at the end of the step, so that it can be looked at. Nothing of the course changes.
    pub(crate) fn call_guests(&mut self, transport: &mut dyn Transport) -> Result<(), Error> {
        if self.has_guests {
            let sent = self.lanes.send_motions(transport, &mut self.part);
            return agree(transport, sent.map_err(Error::from));
        }
        self.choose_guests(transport)?;
        // How far anyone will come from here, nobody has said.
        self.must_choose = true;
        self.part.meet();
        Ok(())
    }

    /// How far members of clumps, which belong where the center is, stick out of the box of their rank.
    fn overhang(&self, rank: usize) -> f64 {
        let (state, coordinates) = (self.part.state(), &self.tree.coordinates);
        if self.part.clumps().is_empty() {
            return 0.0;
        }
        let (lo, hi) = self.tree.box_of(rank);
        let positions = state.positions()[..state.own()].iter();
        positions.map(|&x| coordinates.distance(coordinates.place(x), &lo, &hi)).fold(0.0, f64::max)
    }

    /// Bodies of others go to them, with all they remember.
    fn migrate(&mut self, transport: &mut dyn Transport) -> Result<(), Error> {
        let rank = transport.rank();
        let mut leaving: Vec<Vec<u32>> = vec![Vec::new(); transport.size()];
        for place in 0..self.part.state().own() {
            let owner = self.tree.owner(self.part.home(place));
            if owner != rank {
                leaving[owner].push(place as u32);
            }
        }
        let packed = self.part.pack_each(&leaving).into_iter().map(|bytes| Packer { bytes }).collect();
        let all: Vec<u32> = leaving.into_iter().flatten().collect();
        self.part.leave(&all);
        let came = transport.exchange(Why::Owners, parcels(packed));
        Ok(came.iter().try_for_each(|parcel| self.part.join(&parcel.bytes))?)
    }

    /// Whether space is cut again in this step come what may.
    fn must_cut(&self, step: u64) -> bool {
        self.cut_every.is_some_and(|every| step.is_multiple_of(every))
    }

    /// What own particles cost in a step, if a rank has so much more to do than others that space is to be cut again. Counts decide, not
    /// clocks.
    fn uneven_weights(&self, transport: &mut dyn Transport) -> Option<Vec<u64>> {
        if self.must_cut(self.part.steps()) {
            let (state, seed) = (self.part.state(), self.part.steps());
            let drawn = |&id: &u64| 1 + (id ^ seed << 7).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(20) % 8;
            return Some(state.ids()[..state.own()].iter().map(drawn).collect());
        }
        if self.halos < self.cut_at + BALANCE_EVERY {
            return None;
        }
        let weights = self.part.weights();
        let own: u64 = weights.iter().sum();
        let (mut most, mut sum) = ([own], [own]);
        transport.all_max(&mut most);
        transport.all_sum(&mut sum);
        let is_uneven = u128::from(most[0]) * transport.size() as u128 * UNEVEN[1] > UNEVEN[0] * u128::from(sum[0]);
        is_uneven.then_some(weights)
    }
}

/// A particle that is lost, as the rank that lost it knows it; collective.
fn reported(transport: &mut dyn Transport, error: Error) -> Error {
    let mut packer = Packer::default();
    if let Error::Simulation(multigrain_dem::Error::Lost { id, step, position, cause }) = &error {
        packer.u64(*id);
        packer.u64(*step);
        packer.u64(CAUSES.iter().position(|known| known == cause).unwrap_or(0) as u64);
        packer.f64s(position);
    }
    let all = transport.all_gather(&packer.bytes);
    let Some(bytes) = all.iter().find(|bytes| !bytes.is_empty()) else { return error };
    let mut unpacker = Unpacker { bytes };
    let (id, step, cause) = (unpacker.u64(), unpacker.u64(), CAUSES[unpacker.u64() as usize]);
    let position = unpacker.bytes.as_chunks().0.iter().map(|&word| f64::from_le_bytes(word)).collect();
    Error::Simulation(multigrain_dem::Error::Lost { id, step, position, cause })
}

/// All of them, by numbers that are sent.
const CAUSES: [Cause; 4] = [Cause::TooFar, Cause::NotFinite, Cause::SpinNotFinite, Cause::LeftBounds];

/// Cuts for all ranks, by positions and weights of which each rank has some.
fn cut<const D: usize>(
    transport: &mut dyn Transport,
    domain: &Domain<D>,
    bodies: impl Iterator<Item = ([f64; D], u64)>,
) -> CutTree<D> {
    let ranks = transport.size();
    cut_space(transport, Coordinates::of(domain), ranks, bodies)
}

fn merged_census(transport: &mut dyn Transport, own: &Census) -> Census {
    let mut packer = Packer::default();
    packer.f64s(&own.to_numbers());
    let of_rank = |bytes: &Vec<u8>| {
        let numbers: Vec<f64> = bytes.as_chunks().0.iter().map(|&word| f64::from_le_bytes(word)).collect();
        Census::from_numbers(&numbers).expect("ranks have the same program")
    };
    let all = transport.all_gather(&packer.bytes);
    let merged = all.iter().map(of_rank).reduce(|mut all, more| {
        all.merge(&more);
        all
    });
    merged.unwrap_or_else(|| own.clone())
}
