//! Ranks that are processes under MPI. Nothing blocks inside MPI: where ranks are more than cores, a rank that waits must let
//! others run.

use crate::beats;
use crate::transport::{Parcel, Sent, Transport, Why, signed, unsigned};
use crate::watchdog::{Waiting, watch};
use mpi::Threading;
use mpi::collective::SystemOperation;
use mpi::environment::Universe;
use mpi::request::{Request, StaticScope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::*;
use std::sync::MutexGuard;
use std::time::Duration;

/// Bytes of one message; what is longer goes as several, for MPI counts with 31 bits.
const LONGEST: usize = 1 << 30;

/// Tags are counted up to here, then from 0 again: MPI promises as many, and one for beats.
const TAGS: i32 = beats::TAG;

/// Seconds that ranks wait for each other, unless `MULTIGRAIN_PATIENCE` says otherwise.
const PATIENCE: f64 = 600.0;

/// Naps between two looks at whether the first rank has said that it is at work: some milliseconds.
const NAPS_TO_LISTEN: u32 = 64;

/// A rank under MPI.
pub struct MpiRank {
    communicator: SimpleCommunicator,
    rank: usize,
    size: usize,
    tag: i32,
    sent: Sent,
    /// Ends MPI when it is dropped; only the first one has it.
    universe: Option<Universe>,
    /// Held while the communicator of a part goes: fields end in this order.
    leaving: Option<Call>,
}

impl MpiRank {
    /// Begins with MPI, once in a process and on its main thread. A panic from then on, until MPI is over, ends all ranks.
    pub fn start() -> Option<Self> {
        // One thread at a time: the main thread, or the one that says that it is at work.
        let (universe, provided) = mpi::initialize_with_threading(Threading::Serialized)?;
        let this = Self::of(universe.world(), Some(universe));
        let (rank, before) = (this.rank, std::panic::take_hook());
        std::panic::set_hook(Box::new(move |panic| {
            if mpi::environment::is_finalized() {
                return before(panic);
            }
            eprintln!("error: rank {rank} has failed");
            before(panic);
            SimpleCommunicator::world().abort(101);
        }));
        let patience = std::env::var("MULTIGRAIN_PATIENCE").ok().and_then(|text| text.parse().ok());
        let patience = patience.filter(|&seconds: &f64| seconds > 0.0 && seconds < 1e9).unwrap_or(PATIENCE);
        let patience = Duration::from_secs_f64(patience);
        // Without a rank that can say that it is at work, nobody knows who hangs.
        if this.size > 1 && provided >= Threading::Serialized {
            watch(rank, patience);
            if rank == 0 {
                beats::start(patience);
            }
        }
        Some(this)
    }

    fn of(communicator: SimpleCommunicator, universe: Option<Universe>) -> Self {
        let (rank, size) = (communicator.rank() as usize, communicator.size() as usize);
        Self { communicator, rank, size, tag: 0, sent: Sent::default(), universe, leaving: None }
    }

    /// The MPI that the program runs with.
    pub fn library() -> String {
        let version = mpi::environment::library_version().unwrap_or_default();
        let line = version.lines().next().unwrap_or_default();
        line.split(',').next().unwrap_or_default().trim_end_matches('\0').to_owned()
    }

    /// How many ranks are on this machine.
    pub fn on_this_machine(&self) -> usize {
        let _call = Call::begin(None);
        self.communicator.split_shared(0).size() as usize
    }

    fn reduce<T: Equivalence + Clone>(&self, words: &mut [T], operation: SystemOperation) {
        let _call = Call::begin(None);
        let own = words.to_vec();
        mpi::request::scope(|scope| {
            let mut request = self.communicator.immediate_all_reduce_into(scope, &own[..], words, operation);
            let mut nap = Nap::default();
            while let Err(waiting) = request.test() {
                request = waiting;
                nap.take();
            }
        });
    }

    fn all_gather_words(&self, word: u64) -> Vec<u64> {
        let mut all = vec![0u64; self.size];
        self.gather_into(&[word], &mut all);
        all
    }

    fn gather_into<T: Equivalence>(&self, own: &[T], all: &mut [T]) {
        mpi::request::scope(|scope| {
            let mut request = self.communicator.immediate_all_gather_into(scope, own, all);
            let mut nap = Nap::default();
            while let Err(waiting) = request.test() {
                request = waiting;
                nap.take();
            }
        });
    }
}

/// From here to its end this thread calls MPI, and may wait for other ranks.
struct Call {
    _waiting: Waiting,
    _turn: MutexGuard<'static, ()>,
}

impl Call {
    /// Begins; without a reason for what all ranks agree on.
    fn begin(why: Option<Why>) -> Self {
        let turn = beats::take_turn();
        Self { _waiting: Waiting::begin(why), _turn: turn }
    }
}

impl Drop for MpiRank {
    /// The first one ends MPI, when nobody has anything to say any more.
    fn drop(&mut self) {
        let Some(universe) = self.universe.take() else {
            self.leaving = Some(Call::begin(None));
            return;
        };
        let _call = Call::begin(None);
        let mut barrier = self.communicator.immediate_barrier();
        let mut nap = Nap::default();
        while let Err(waiting) = barrier.test() {
            barrier = waiting;
            nap.take();
        }
        // Nothing that was said is on its way when MPI ends.
        beats::listen();
        drop(universe);
    }
}

/// A rank that waits: at full speed for a moment, then letting others run, then asleep for a moment at a time.
#[derive(Default)]
struct Nap {
    turns: u32,
}

impl Nap {
    fn take(&mut self) {
        self.turns = self.turns.checked_add(1).unwrap_or(220);
        match self.turns {
            0..20 => std::hint::spin_loop(),
            20..220 => std::thread::yield_now(),
            turns => {
                if turns.is_multiple_of(NAPS_TO_LISTEN) {
                    beats::listen();
                }
                std::thread::sleep(Duration::from_micros(20));
            }
        }
    }
}

impl Transport for MpiRank {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    /// The consensus of Hoefler, Siebert and Lumsdaine (2010): synchronous sends; who has seen all of its own arrive enters a
    /// barrier; when that ends, nothing is on its way any more. Tags tell one exchange from the next.
    fn exchange(&mut self, why: Why, parcels: Vec<Parcel>) -> Vec<Parcel> {
        let _call = Call::begin(Some(why));
        let me = self.rank();
        self.sent.count(me, &parcels);
        self.tag = (self.tag + 1) % TAGS;
        let tag = self.tag;
        let (to_self, to_others): (Vec<Parcel>, Vec<Parcel>) =
            parcels.into_iter().partition(|parcel| parcel.rank == me);
        let mut came = to_self;
        mpi::request::scope(|scope| {
            let mut sends: Vec<Request<'_, [u8], _>> = Vec::new();
            for parcel in &to_others {
                let to = self.communicator.process_at_rank(parcel.rank as i32);
                for piece in parcel.bytes.chunks(LONGEST) {
                    sends.push(to.immediate_synchronous_send_with_tag(scope, piece, tag));
                }
            }
            let mut barrier: Option<Request<'static, (), StaticScope>> = None;
            let mut nap = Nap::default();
            loop {
                let any = self.communicator.any_process();
                while let Some((message, status)) = any.immediate_matched_probe_with_tag(tag) {
                    let mut bytes = vec![0u8; status.count(u8::equivalent_datatype()) as usize];
                    message.matched_receive_into(&mut bytes[..]);
                    came.push(Parcel { rank: status.source_rank() as usize, bytes });
                    nap = Nap::default();
                }
                match barrier.take() {
                    Some(request) => match request.test() {
                        Ok(_) => break,
                        Err(request) => barrier = Some(request),
                    },
                    None => {
                        sends = sends.into_iter().filter_map(|send| send.test().err()).collect();
                        if sends.is_empty() {
                            barrier = Some(self.communicator.immediate_barrier());
                        }
                    }
                }
                nap.take();
            }
        });
        joined(came)
    }

    fn swap(&mut self, why: Why, parcels: Vec<Parcel>, expected: usize) -> Vec<Parcel> {
        let _call = Call::begin(Some(why));
        self.sent.count(self.rank(), &parcels);
        self.tag = (self.tag + 1) % TAGS;
        let tag = self.tag;
        let mut came = Vec::new();
        mpi::request::scope(|scope| {
            let mut sends: Vec<Request<'_, [u8], _>> = Vec::new();
            for parcel in &parcels {
                assert!(parcel.bytes.len() <= LONGEST, "a step sends less to a rank");
                let to = self.communicator.process_at_rank(parcel.rank as i32);
                sends.push(to.immediate_send_with_tag(scope, &parcel.bytes[..], tag));
            }
            let mut nap = Nap::default();
            while came.len() < expected || !sends.is_empty() {
                nap.take();
                let any = self.communicator.any_process();
                while let Some((message, status)) = any.immediate_matched_probe_with_tag(tag) {
                    let mut bytes = vec![0u8; status.count(u8::equivalent_datatype()) as usize];
                    message.matched_receive_into(&mut bytes[..]);
                    came.push(Parcel { rank: status.source_rank() as usize, bytes });
                    nap = Nap::default();
                }
                sends = sends.into_iter().filter_map(|send| send.test().err()).collect();
            }
        });
        joined(came)
    }

    fn all_max(&mut self, words: &mut [u64]) {
        let mut numbers: Vec<i64> = words.iter().map(|&word| signed(word)).collect();
        self.reduce(&mut numbers, SystemOperation::max());
        words.iter_mut().zip(numbers).for_each(|(word, largest)| *word = unsigned(largest));
    }

    fn all_sum(&mut self, words: &mut [u64]) {
        self.reduce(words, SystemOperation::sum());
    }

    /// As many bytes of every rank as the longest has: what is gathered is short, or of about the same length everywhere.
    fn all_gather(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let _call = Call::begin(None);
        let lengths = self.all_gather_words(bytes.len() as u64);
        let longest = lengths.iter().copied().max().unwrap_or(0) as usize;
        if longest == 0 {
            return vec![Vec::new(); self.size()];
        }
        let mut own = bytes.to_vec();
        own.resize(longest, 0);
        let mut all = vec![0u8; longest * self.size()];
        self.gather_into(&own, &mut all);
        all.chunks_exact(longest).zip(lengths).map(|(bytes, length)| bytes[..length as usize].to_vec()).collect()
    }

    fn split(&mut self, part: usize) -> Box<dyn Transport> {
        let _call = Call::begin(None);
        let color = mpi::topology::Color::with_value(part as i32);
        let communicator = self.communicator.split_by_color(color).expect("every rank is of a part");
        Box::new(Self::of(communicator, None))
    }

    fn sent(&self) -> Sent {
        self.sent
    }
}

/// By sender, messages of one sender put together as they came: MPI keeps their order.
fn joined(mut came: Vec<Parcel>) -> Vec<Parcel> {
    came.sort_by_key(|parcel| parcel.rank);
    let mut whole: Vec<Parcel> = Vec::with_capacity(came.len());
    for parcel in came {
        match whole.last_mut() {
            Some(last) if last.rank == parcel.rank => last.bytes.extend(parcel.bytes),
            _ => whole.push(parcel),
        }
    }
    whole
}
