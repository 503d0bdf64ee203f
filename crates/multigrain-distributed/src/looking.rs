//! What there is to see of a simulation in parts, and to save: in few numbers, by ranges of ids, or as one.

use crate::agreement::agree;
use crate::error::Error;
use crate::simulation::DistributedSimulation;
use crate::transport::{Parcel, Transport, Why};
use crate::wire::{Packer, Unpacker, parcels};
use multigrain::{Axes, Dimension};
use multigrain_dem::{Carried, Fingerprint, Simulation, Summary, Totals};

/// Parts of all ids for each rank that particles are counted in, to find ranges with as many in each.
const BINS: usize = 16;

/// The particles of a range of ids, higher ones than those of the ranks before, with what files say of them. Members of a clump are together.
pub struct IdRange<const D: usize> {
    /// The particles; their contacts with others are not in it.
    pub particles: Simulation<D>,
    /// Contacts of which either is here, by ids and image.
    pub carried: Vec<Carried<D>>,
    /// Of all ranks.
    pub summary: Summary<D>,
}

/// Every method is collective.
impl<const D: usize> DistributedSimulation<D>
where
    Axes: Dimension<D>,
{
    /// All parts in few numbers.
    pub fn summary(&mut self, transport: &mut dyn Transport) -> Result<Summary<D>, Error> {
        self.call_guests(transport)?;
        let mut summary = self.part.summary();
        let mut words = summary.addends();
        transport.all_sum(&mut words);
        summary.set_addends(&words);
        // It is not negative, so that its bits are in its order.
        let mut overlap = [summary.largest_overlap.to_bits()];
        transport.all_max(&mut overlap);
        summary.largest_overlap = f64::from_bits(overlap[0]);
        Ok(summary)
    }

    /// All parts in one, on the first rank: to be looked at and saved as if it had never been cut.
    pub fn gather(&mut self, transport: &mut dyn Transport) -> Result<Option<Simulation<D>>, Error> {
        let own: Vec<u32> = (0..self.part.state().own() as u32).collect();
        let bytes = self.part.pack(&own);
        let came = transport.exchange(Why::Files, vec![Parcel { rank: 0, bytes }]);
        let gone = self.all_gone(transport);
        if transport.rank() > 0 {
            return agree(transport, Ok(None));
        }
        let whole = self.joined(&came);
        let mut whole = agree(transport, whole.map(Some))?;
        if let Some(whole) = &mut whole {
            whole.settle(&gone);
        }
        Ok(whole)
    }

    /// All parts as they are saved: the bytes that this rank is to write, and where in the file. Those of all ranks make up the bytes of one
    /// that was never cut; no rank has more than a range of ids.
    pub fn saved(&mut self, transport: &mut dyn Transport) -> Result<Vec<(u64, Vec<u8>)>, Error> {
        let gone = self.all_gone(transport);
        let firsts = self.id_ranges(transport);
        let slice = self.particles_by_id(transport, &firsts)?.into_slice(&gone);
        let mut packer = Packer::default();
        slice.outline().into_iter().flatten().for_each(|word| packer.u64(word));
        let outlines: Vec<Vec<[u64; 4]>> =
            transport.all_gather(&packer.bytes).iter().map(|bytes| words_of(bytes)).collect();
        Ok(slice.pieces(transport.rank(), &outlines))
    }

    /// The checksum of all parts as one ([`Simulation::checksum`]).
    pub fn checksum(&mut self, transport: &mut dyn Transport) -> Result<u64, Error> {
        let pieces = self.saved(transport)?;
        // It stands behind all else, and the first rank has it.
        let last = pieces.last().and_then(|(_, bytes)| bytes.last_chunk()).filter(|_| transport.rank() == 0);
        let mut sum = [last.map_or(0, |&word| u64::from_le_bytes(word))];
        transport.all_sum(&mut sum);
        Ok(sum[0])
    }

    /// The fingerprint of all parts as one ([`State::fingerprint`](multigrain_dem::State::fingerprint)): handed from rank to rank.
    pub fn fingerprint(&mut self, transport: &mut dyn Transport) -> Result<u64, Error> {
        let (rank, ranks) = (transport.rank(), transport.size());
        let firsts = self.id_ranges(transport);
        let particles = self.particles_by_id(transport, &firsts)?;
        let mut bytes = [particles.state().fingerprint_bytes()];
        transport.all_sum(&mut bytes);
        let mut hash = Fingerprint::new(bytes[0]);
        for next in 0..ranks {
            let mut words = [0; 3];
            if next == rank {
                particles.state().add_to(&mut hash);
                words = hash.to_words();
            }
            transport.all_sum(&mut words);
            hash = Fingerprint::from_words(words);
        }
        Ok(hash.end())
    }

    /// Particles by ranges of ids, one for each rank, with all that files say of them.
    pub fn by_id(&mut self, transport: &mut dyn Transport) -> Result<IdRange<D>, Error> {
        let summary = self.summary(transport)?;
        let firsts = self.id_ranges(transport);
        let mut packers = vec![Packer::default(); transport.size()];
        for contact in self.part.carried() {
            let writers = contact.ids.map(|id| range_of(&firsts, id));
            put(&contact, &mut packers[writers[0]]);
            if writers[1] != writers[0] {
                put(&contact, &mut packers[writers[1]]);
            }
        }
        let mut carried = Vec::new();
        for parcel in transport.exchange(Why::Files, parcels(packers)) {
            let mut unpacker = Unpacker { bytes: &parcel.bytes };
            while !unpacker.is_empty() {
                carried.push(take(&mut unpacker));
            }
        }
        carried.sort_by_key(|contact| (contact.ids, contact.shift));
        let mut particles = self.particles_by_id(transport, &firsts)?;
        // Those with walls are all here.
        particles.meet();
        Ok(IdRange { particles, carried, summary })
    }

    /// The first id of each rank's range: about as many particles in each, and no clump in two of them.
    fn id_ranges(&self, transport: &mut dyn Transport) -> Vec<u64> {
        let (ranks, state) = (transport.size(), self.part.state());
        let (bins, last) = ((BINS * ranks) as u128, u128::from(self.part.next_id().max(1)));
        let mut counts = vec![0; BINS * ranks];
        state.ids()[..state.own()].iter().for_each(|&id| counts[(u128::from(id) * bins / last) as usize] += 1);
        transport.all_sum(&mut counts);
        let total: u64 = counts.iter().sum();
        let mut firsts = vec![0; ranks];
        let (mut bin, mut below) = (0, 0);
        for (rank, first) in firsts.iter_mut().enumerate().skip(1) {
            let share = (u128::from(total) * rank as u128 / ranks as u128) as u64;
            while below < share {
                below += counts[bin];
                bin += 1;
            }
            *first = (bin as u128 * last).div_ceil(bins) as u64;
        }
        // Complements, so that the lowest counts and 0 stands for none.
        let mut moved = vec![0; ranks];
        for clump in self.part.clumps() {
            let cut = |id: u64| firsts.partition_point(|&first| first < id);
            moved[cut(clump.first + 1)..cut(clump.first + u64::from(clump.members))].fill(!clump.first);
        }
        transport.all_max(&mut moved);
        firsts.iter_mut().zip(moved).filter(|(_, moved)| *moved > 0).for_each(|(first, moved)| *first = !moved);
        firsts
    }

    /// Particles by ranges of ids, one for each rank.
    fn particles_by_id(&mut self, transport: &mut dyn Transport, firsts: &[u64]) -> Result<Simulation<D>, Error> {
        let state = self.part.state();
        let mut places: Vec<Vec<u32>> = vec![Vec::new(); transport.size()];
        for (place, &id) in (0..).zip(&state.ids()[..state.own()]) {
            places[range_of(firsts, id)].push(place);
        }
        let packed = self.part.pack_each(&places).into_iter().map(|bytes| Packer { bytes }).collect();
        let came = transport.exchange(Why::Files, parcels(packed));
        let joined = self.joined(&came);
        agree(transport, joined)
    }

    /// Packed particles in a simulation like this part.
    fn joined(&self, packed: &[Parcel]) -> Result<Simulation<D>, Error> {
        let mut joined = self.part.empty_like()?;
        packed.iter().try_for_each(|parcel| joined.join(&parcel.bytes))?;
        Ok(joined)
    }

    /// What is gone of all parts.
    fn all_gone(&self, transport: &mut dyn Transport) -> Totals<D> {
        let mut gone = self.part.gone();
        let mut words = gone.addends();
        transport.all_sum(&mut words);
        gone.set_addends(&words);
        gone
    }
}

/// In which range an id is.
fn range_of(firsts: &[u64], id: u64) -> usize {
    firsts.partition_point(|&first| first <= id) - 1
}

/// Words in fours.
fn words_of(bytes: &[u8]) -> Vec<[u64; 4]> {
    let words: Vec<u64> = bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
    words.as_chunks().0.to_vec()
}

fn put<const D: usize>(contact: &Carried<D>, packer: &mut Packer) {
    let Carried { ids, shift, ends, force, overlap, bond_load, moments } = contact;
    ids.iter().for_each(|&id| packer.u64(id));
    packer.i32s(shift);
    packer.f64s(ends.as_flattened());
    packer.f64s(force);
    packer.f64(*overlap);
    packer.f64(bond_load.unwrap_or(f64::NAN));
    packer.f64s(moments.as_flattened().as_flattened());
}

fn take<const D: usize>(unpacker: &mut Unpacker<'_>) -> Carried<D> {
    Carried {
        ids: std::array::from_fn(|_| unpacker.u64()),
        shift: unpacker.i32s(),
        ends: std::array::from_fn(|_| unpacker.f64s()),
        force: unpacker.f64s(),
        overlap: unpacker.f64(),
        bond_load: Some(unpacker.f64()).filter(|load| !load.is_nan()),
        moments: std::array::from_fn(|_| std::array::from_fn(|_| unpacker.f64s())),
    }
}
