//! Ranks as threads of one process, for tests and for machines without MPI.

use crate::transport::{Parcel, Sent, Transport, Why};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};

/// A rank that is a thread.
pub struct ThreadRank {
    rank: usize,
    hub: Arc<Hub>,
    sent: Sent,
}

/// Runs `body` on this many ranks, each a thread; what they give, by rank. If one of them panics, the others end too, and the
/// panic goes on here.
pub fn run_ranks<R: Send>(ranks: usize, body: impl Fn(&mut ThreadRank) -> R + Sync) -> Vec<R> {
    let hub = Hub::of(ranks);
    let body = &body;
    let ends: Vec<Result<R, Box<dyn Any + Send>>> = std::thread::scope(|scope| {
        let start = |rank| {
            let mut transport = ThreadRank { rank, hub: Arc::clone(&hub), sent: Sent::default() };
            scope.spawn(move || catch_unwind(AssertUnwindSafe(|| body(&mut transport))))
        };
        let threads: Vec<_> = (0..ranks).map(start).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(Err)).collect()
    });
    let (mut results, mut panics) = (Vec::with_capacity(ranks), Vec::new());
    for end in ends {
        match end {
            Ok(result) => results.push(result),
            Err(panic) => panics.push(panic),
        }
    }
    // The panic that came first, not those of ranks that waited for the one that had it.
    panics.sort_by_key(|panic| panic.is::<Left>());
    if !panics.is_empty() {
        resume_unwind(panics.swap_remove(0));
    }
    results
}

/// What a rank panics with that waits for one that has gone.
struct Left;

/// Where ranks meet: each puts something down, and when all have, each takes what is for it.
struct Hub {
    size: usize,
    desk: Mutex<Desk>,
    turned: Condvar,
}

#[derive(Default)]
struct Desk {
    /// What ranks put down in this meeting.
    open: Round,
    /// What they take from the last one.
    closed: Round,
    arrived: usize,
    meetings: u64,
    /// Whether a rank has gone for good, so that no further meeting will end.
    has_left: bool,
}

#[derive(Default)]
struct Round {
    /// By receiver.
    mail: Vec<Vec<Parcel>>,
    words: Vec<u64>,
    /// By sender.
    gathered: Vec<Vec<u8>>,
    /// The part of every rank, and what each of them becomes in it.
    parts: Vec<usize>,
    seats: Vec<Option<(usize, Arc<Hub>)>>,
}

impl Hub {
    fn of(size: usize) -> Arc<Self> {
        let desk = Desk { open: Round::of(size), ..Desk::default() };
        Arc::new(Self { size, desk: Mutex::new(desk), turned: Condvar::new() })
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Puts something down; once all have, takes something.
    fn meet<R>(&self, put: impl FnOnce(&mut Round), take: impl FnOnce(&mut Round) -> R) -> R {
        let mut desk = self.desk();
        put(&mut desk.open);
        desk.arrived += 1;
        let meeting = desk.meetings;
        if desk.arrived == self.size {
            // Everybody has taken what was left of the last meeting: else they would not be here.
            desk.closed = std::mem::replace(&mut desk.open, Round::of(self.size));
            desk.closed.close();
            desk.arrived = 0;
            desk.meetings += 1;
            self.turned.notify_all();
        }
        while desk.meetings == meeting {
            if desk.has_left {
                drop(desk);
                resume_unwind(Box::new(Left));
            }
            desk = self.turned.wait(desk).unwrap_or_else(|poisoned| poisoned.into_inner());
        }
        take(&mut desk.closed)
    }
}

impl Round {
    fn of(size: usize) -> Self {
        Self {
            mail: vec![Vec::new(); size],
            words: Vec::new(),
            gathered: vec![Vec::new(); size],
            parts: vec![0; size],
            seats: Vec::new(),
        }
    }

    fn close(&mut self) {
        self.mail.iter_mut().for_each(|mail| mail.sort_by_key(|parcel| parcel.rank));
        let mut hubs: Vec<(usize, usize, Arc<Hub>)> = Vec::new();
        for &part in &self.parts {
            if !hubs.iter().any(|hub| hub.0 == part) {
                hubs.push((part, 0, Hub::of(self.parts.iter().filter(|&&other| other == part).count())));
            }
        }
        for part in &self.parts {
            let hub = hubs.iter_mut().find(|hub| hub.0 == *part);
            self.seats.push(hub.map(|(_, taken, hub)| {
                *taken += 1;
                (*taken - 1, Arc::clone(hub))
            }));
        }
    }

    fn combine(&mut self, words: &[u64], with: fn(u64, u64) -> u64) {
        if self.words.is_empty() {
            self.words = words.to_vec();
        } else {
            self.words.iter_mut().zip(words).for_each(|(sum, &word)| *sum = with(*sum, word));
        }
    }
}

impl ThreadRank {
    fn reduce(&self, words: &mut [u64], with: fn(u64, u64) -> u64) {
        let given = words.to_vec();
        self.hub.meet(|round| round.combine(&given, with), |round| words.copy_from_slice(&round.words));
    }
}

impl Transport for ThreadRank {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.hub.size
    }

    fn exchange(&mut self, _: Why, parcels: Vec<Parcel>) -> Vec<Parcel> {
        let rank = self.rank;
        self.sent.count(rank, &parcels);
        let put = |round: &mut Round| {
            for Parcel { rank: to, bytes } in parcels {
                round.mail[to].push(Parcel { rank, bytes });
            }
        };
        self.hub.meet(put, |round| std::mem::take(&mut round.mail[rank]))
    }

    fn all_max(&mut self, words: &mut [u64]) {
        self.reduce(words, u64::max);
    }

    fn all_sum(&mut self, words: &mut [u64]) {
        self.reduce(words, u64::wrapping_add);
    }

    fn all_gather(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let rank = self.rank;
        self.hub.meet(|round| round.gathered[rank] = bytes.to_vec(), |round| round.gathered.clone())
    }

    fn split(&mut self, part: usize) -> Box<dyn Transport> {
        let rank = self.rank;
        let seat = self.hub.meet(|round| round.parts[rank] = part, |round| round.seats[rank].take());
        let (rank, hub) = seat.expect("every rank has a seat in its part");
        Box::new(Self { rank, hub, sent: Sent::default() })
    }

    fn sent(&self) -> Sent {
        self.sent
    }
}

impl Drop for ThreadRank {
    fn drop(&mut self) {
        self.hub.desk().has_left = true;
        self.hub.turned.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parcels_arrive_by_sender_and_words_are_agreed() {
        let seen = run_ranks(5, |transport| {
            let me = transport.rank();
            let parcels = (0..=me).map(|rank| Parcel { rank, bytes: vec![me as u8; rank + 1] }).collect();
            let came = transport.exchange(Why::Cuts, parcels);
            let mut words = [me as u64, !(me as u64)];
            transport.all_max(&mut words);
            let mut sum = [1, me as u64];
            transport.all_sum(&mut sum);
            (came, words, sum, transport.all_gather(&[me as u8]), transport.sent())
        });
        for (me, (came, words, sum, gathered, sent)) in seen.into_iter().enumerate() {
            let expected: Vec<_> = (me..5).map(|rank| Parcel { rank, bytes: vec![rank as u8; me + 1] }).collect();
            assert_eq!(came, expected);
            assert_eq!((words, sum), ([4, !0], [5, 10]));
            assert_eq!(gathered, [[0], [1], [2], [3], [4]]);
            assert_eq!(sent, Sent { messages: me as u64, bytes: (me * (me + 1) / 2) as u64 });
        }
    }

    #[test]
    fn parts_meet_among_themselves() {
        let seen = run_ranks(7, |transport| {
            let mut part = transport.split(transport.rank() % 3);
            let mut sum = [transport.rank() as u64];
            part.all_sum(&mut sum);
            (part.rank(), part.size(), sum[0])
        });
        assert_eq!(seen, [(0, 3, 9), (0, 2, 5), (0, 2, 7), (1, 3, 9), (1, 2, 5), (1, 2, 7), (2, 3, 9)]);
    }

    #[test]
    fn a_rank_that_panics_ends_the_others() {
        let panic = catch_unwind(|| {
            run_ranks(4, |transport| {
                assert!(transport.rank() != 2, "rank 2 cannot go on");
                transport.all_sum(&mut [1]);
            })
        });
        let panic = panic.unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"rank 2 cannot go on"));
    }
}
