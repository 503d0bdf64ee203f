//! An error of one rank is an error of all.

use crate::error::Error;
use crate::transport::Transport;

/// The lowest rank that has failed, if one has; collective.
pub fn first_failed(transport: &mut dyn Transport, has_failed: bool) -> Option<usize> {
    let mut lowest = [if has_failed { !(transport.rank() as u64) } else { 0 }];
    transport.all_max(&mut lowest);
    (lowest[0] > 0).then_some(!lowest[0] as usize)
}

/// What all ranks have, or the error of one of them: that of the lowest particle, then of the lowest rank that has one
/// of its own.
pub(crate) fn agree<T>(transport: &mut dyn Transport, outcome: Result<T, Error>) -> Result<T, Error> {
    let mut outcome = outcome;
    // Complements, so that the lowest wins and 0 stands for no error.
    let key = match &mut outcome {
        Ok(_) => 0,
        Err(error) => !error.particle().unwrap_or(u64::MAX - 2 + u64::from(error.is_elsewhere())),
    };
    let mut lowest = [key];
    transport.all_max(&mut lowest);
    if lowest[0] == 0 {
        return outcome;
    }
    let rank = transport.rank();
    let winner = first_failed(transport, key == lowest[0]).expect("a rank has this key");
    let words = match &outcome {
        Err(error) if rank == winner => error.to_string(),
        _ => String::new(),
    };
    let message = String::from_utf8_lossy(&transport.all_gather(words.as_bytes())[winner]).into_owned();
    match outcome {
        Err(error) if rank == winner => Err(error),
        _ => Err(Error::Elsewhere { rank: winner, message }),
    }
}

/// That all ranks were given the same.
pub(crate) fn agree_on(transport: &mut dyn Transport, what: &'static str, given: &str) -> Result<(), Error> {
    let hash = given
        .bytes()
        .fold(0xcbf2_9ce4_8422_2325u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
    let mut bounds = [hash, !hash];
    transport.all_max(&mut bounds);
    if bounds[0] == !bounds[1] { Ok(()) } else { Err(Error::Differ { what }) }
}
