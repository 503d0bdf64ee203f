//! Memory of pairs that were needed in between, kept from call to call: to ask the system for it again takes longer than to
//! fill it.

use multigrain::Pairs;
use std::sync::{Mutex, MutexGuard};

/// Bytes that are kept, at most, for each dimension.
const MAX_KEPT: usize = 64 << 20;

/// One list for each dimension.
#[derive(Default)]
pub struct Memory {
    plane: Option<Pairs<2>>,
    space: Option<Pairs<3>>,
}

static MEMORY: Mutex<Memory> = Mutex::new(Memory { plane: None, space: None });

/// The list kept for bodies with `D` axes.
pub trait Kept<const D: usize> {
    /// Where it is.
    fn slot(&mut self) -> &mut Option<Pairs<D>>;
}

impl Kept<2> for Memory {
    fn slot(&mut self) -> &mut Option<Pairs<2>> {
        &mut self.plane
    }
}

impl Kept<3> for Memory {
    fn slot(&mut self) -> &mut Option<Pairs<3>> {
        &mut self.space
    }
}

/// An empty list, with the memory of an earlier one if no other thread has it.
pub fn take<const D: usize>() -> Pairs<D>
where
    Memory: Kept<D>,
{
    let mut pairs: Pairs<D> = lock().slot().take().unwrap_or_default();
    pairs.clear();
    pairs
}

/// Keeps the memory of a list that is not too large.
pub fn keep<const D: usize>(pairs: Pairs<D>)
where
    Memory: Kept<D>,
{
    if pairs.memory_bytes() <= MAX_KEPT {
        *lock().slot() = Some(pairs);
    }
}

/// Only held with the interpreter attached, for moments: no fork can find it taken.
fn lock() -> MutexGuard<'static, Memory> {
    crate::threads::lock(&MEMORY)
}
