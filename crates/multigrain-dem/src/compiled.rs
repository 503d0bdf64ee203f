//! The large parts of a simulation, compiled in this crate, once for each dimension, and not again in every crate that runs
//! simulations: code that is generic over the dimension is otherwise compiled wherever it is used.

use crate::census::Census;
use crate::codec::Slice;
use crate::codec::stream::Input;
use crate::error::Error;
use crate::felt::Felt;
use crate::grain::Grain;
use crate::insertion::Poured;
use crate::phase::Phase;
use crate::report::{Contact, Overlaps, WallTouch};
use crate::setup::{Changes, Setup};
use crate::simulation::{Ending, Simulation};
use crate::stress::Stress;
use crate::totals::Totals;
use multigrain::{Axes, Dimension, Family, Pairs};
use std::io::{self, Write};
use std::marker::PhantomData;

/// Functions that call a method with the same arguments, compiled here for two and for three dimensions.
macro_rules! compiled {
    ($(fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $method:ident;)*) => {
        $(
            // Not all of them are lent something.
            #[allow(clippy::extra_unused_lifetimes)]
            pub(crate) fn $name<'a, const D: usize>($($argument: $type),*) -> $result
            where
                Axes: Dimension<D>,
            {
                struct Arguments<'a>(PhantomData<&'a ()>);

                impl<'a> Family for Arguments<'a> {
                    type Of<const D: usize> = ($($type,)*);
                }

                struct Outcome;

                impl Family for Outcome {
                    type Of<const D: usize> = $result;
                }

                #[inline(never)]
                fn in_2d<'a>(($($argument,)*): <Arguments<'a> as Family>::Of<2>) -> <Outcome as Family>::Of<2> {
                    Simulation::<2>::$method($($argument),*)
                }

                #[inline(never)]
                fn in_3d<'a>(($($argument,)*): <Arguments<'a> as Family>::Of<3>) -> <Outcome as Family>::Of<3> {
                    Simulation::<3>::$method($($argument),*)
                }

                Axes::map::<Arguments<'a>, Outcome>(($($argument,)*), in_2d, in_3d)
            }
        )*
    };
}

compiled! {
    fn start(setup: Setup<D>, grains: &'a mut (dyn Iterator<Item = Grain<D>> + 'a)) -> Result<Simulation<D>, Error> = start_here;
    fn prepare(setup: Setup<D>) -> Result<Simulation<D>, Error> = prepare_here;
    fn add(simulation: &'a mut Simulation<D>, grain: &'a Grain<D>) -> Result<u64, Error> = add_here;
    fn run(simulation: &'a mut Simulation<D>, steps: u64, hook: &'a mut (dyn FnMut(Phase) + Send + 'a)) -> Result<(), Error> = run_here;
    fn advance(simulation: &'a mut Simulation<D>) -> Result<(), Error> = advance_here;
    fn evaluate(simulation: &'a mut Simulation<D>, ending: Ending, hook: &'a mut (dyn FnMut(Phase) + Send + 'a)) -> Result<(), Error> = evaluate_here;
    fn push(simulation: &'a mut Simulation<D>, ending: Ending, hook: &'a mut (dyn FnMut(Phase) + Send + 'a)) -> Result<(), Error> = push_here;
    fn felt(simulation: &'a Simulation<D>, ending: Ending) -> Felt<D> = felt_here;
    fn end(simulation: &'a mut Simulation<D>, ending: Ending, felt: &'a Felt<D>) -> Result<(), Error> = end_here;
    fn flow_out(simulation: &'a mut Simulation<D>) -> Result<bool, Error> = flow_out_here;
    fn pour(simulation: &'a mut Simulation<D>, near: &'a [([f64; D], f64)]) -> Result<Vec<Poured<D>>, Error> = pour_here;
    fn encode_to(simulation: &'a Simulation<D>, out: &'a mut (dyn Write + 'a)) -> io::Result<()> = encode_to_here;
    fn into_slice(simulation: Simulation<D>, totals: &'a Totals<D>) -> Slice = into_slice_here;
    fn decode(setup: Setup<D>, input: &'a mut (dyn Input + 'a), changes: Changes) -> Result<Simulation<D>, Error> = decode_here;
    fn pack(simulation: &'a mut Simulation<D>, lists: &'a [&'a [u32]]) -> Vec<Vec<u8>> = pack_here;
    fn leave(simulation: &'a mut Simulation<D>, places: &'a [u32]) -> () = leave_here;
    fn join(simulation: &'a mut Simulation<D>, packed: &'a [u8]) -> Result<(), Error> = join_here;
    fn near_guests(simulation: &'a mut Simulation<D>, margin: f64) -> Result<Pairs<D>, Error> = near_guests_here;
    fn census(simulation: &'a Simulation<D>) -> Census = census_here;
    fn totals(simulation: &'a Simulation<D>) -> Totals<D> = totals_here;
    fn stresses(simulation: &'a Simulation<D>) -> Vec<Stress<D>> = stresses_here;
    fn contacts(simulation: &'a Simulation<D>) -> Vec<Contact<D>> = contacts_here;
    fn wall_contacts(simulation: &'a Simulation<D>) -> Vec<WallTouch<D>> = wall_contacts_here;
    fn overlaps(simulation: &'a Simulation<D>) -> Overlaps = overlaps_here;
}

impl<const D: usize> Simulation<D>
where
    Axes: Dimension<D>,
{
    pub(crate) fn new(setup: Setup<D>, grains: impl IntoIterator<Item = Grain<D>>) -> Result<Self, Error> {
        start(setup, &mut grains.into_iter())
    }

    pub(crate) fn prepare(setup: Setup<D>) -> Result<Self, Error> {
        prepare(setup)
    }

    pub(crate) fn add(&mut self, grain: &Grain<D>) -> Result<u64, Error> {
        add(self, grain)
    }

    pub(crate) fn push(&mut self, ending: Ending, hook: &mut (dyn FnMut(Phase) + Send)) -> Result<(), Error> {
        push(self, ending, hook)
    }

    pub(crate) fn end(&mut self, ending: Ending, felt: &Felt<D>) -> Result<(), Error> {
        end(self, ending, felt)
    }
}
