//! Signs of life. The first rank reads, deals out, writes tables and draws alone, however long that takes, while the others wait for it: a
//! thread of its own then says to them that it is at work, so that their patience does not end. A process that hangs says nothing.

use crate::watchdog::heard;
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::time::Duration;

/// The tag of beats, which exchanges do not use.
pub(crate) const TAG: i32 = 32_767;

/// Beats in the time that ranks wait for each other.
const IN_PATIENCE: u32 = 8;

/// Who calls MPI: one thread at a time.
static TURN: Mutex<()> = Mutex::new(());

/// Waits until no other thread calls MPI, and keeps it so.
pub(crate) fn take_turn() -> MutexGuard<'static, ()> {
    TURN.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// Says to the other ranks, from now on, that this one is at work whenever it is not inside of MPI.
pub(crate) fn start(patience: Duration) {
    std::thread::spawn(move || {
        loop {
            std::thread::sleep(patience / IN_PATIENCE);
            let _turn = match TURN.try_lock() {
                Ok(turn) => turn,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => continue,
            };
            if mpi::environment::is_finalized() {
                return;
            }
            let world = SimpleCommunicator::world();
            for rank in 1..world.size() {
                world.process_at_rank(rank).send_with_tag(&[0u8; 1][..], TAG);
            }
        }
    });
}

/// Takes what the first rank has said so far, for a rank that waits; it is this one's turn.
pub(crate) fn listen() {
    let world = SimpleCommunicator::world();
    while let Some((message, _)) = world.process_at_rank(0).immediate_matched_probe_with_tag(TAG) {
        message.matched_receive_into(&mut [0u8; 1][..]);
        heard();
    }
}
