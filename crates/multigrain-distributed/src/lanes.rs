//! Who is whose guest in a simulation, and what goes along from step to step.

use crate::halo::Halo;
use crate::octaves::Octaves;
use crate::transport::{Parcel, Transport, Why};
use crate::wire::{Packer, Unpacker};
use multigrain::{Axes, Dimension};
use multigrain_dem::{Error, Simulation};

/// Fixed until guests are chosen again: own bodies that others have as guests, and guests by whose they are.
#[derive(Debug, Clone, Default)]
pub(crate) struct Lanes {
    /// Places of own bodies, by the rank that they are guests of.
    sends: Vec<(usize, Vec<u32>)>,
    /// First place and number of guests, by the rank that they are from.
    receives: Vec<(usize, usize, usize)>,
}

impl Lanes {
    /// Guests of this rank.
    pub fn guests(&self) -> usize {
        self.receives.iter().map(|&(_, _, count)| count).sum()
    }

    /// Chooses guests: those that touch an own body within `margin`, and no others. Three rounds: bodies are offered where
    /// the halo says; each rank searches, and says which offers it needs, and which of its own bodies touch offered ones of larger
    /// octaves, which were not offered to their owner; both sides then know both lists.
    pub fn choose<const D: usize>(
        transport: &mut dyn Transport,
        part: &mut Simulation<D>,
        halo: &Halo<'_, D>,
        octaves: &Octaves,
        margin: f64,
    ) -> Result<Self, Error>
    where
        Axes: Dimension<D>,
    {
        let (rank, ranks) = (transport.rank(), transport.size());
        let own = part.state().own();
        let mut offers: Vec<Vec<u32>> = vec![Vec::new(); ranks];
        for place in 0..own {
            let (center, radius) = (part.state().positions()[place], part.state().radii()[place]);
            halo.hosts(rank, center, radius, |host| offers[host].push(place as u32));
        }
        let offered = transport.exchange(Why::Guests, parcels_of(part, &offers));
        let counts: Vec<usize> =
            offered.iter().map(|parcel| Unpacker { bytes: &parcel.bytes }.u64() as usize).collect();
        let rows: Vec<u8> = offered.iter().flat_map(|parcel| &parcel.bytes[8..]).copied().collect();
        part.set_guests(&rows)?;
        // Which offer is whose.
        let source: Vec<usize> =
            counts.iter().enumerate().flat_map(|(k, &count)| std::iter::repeat_n(k, count)).collect();
        let mut is_needed = vec![false; source.len()];
        let mut extras: Vec<Vec<u32>> = vec![Vec::new(); offered.len()];
        let radii = part.state().radii().to_vec();
        for pair in &part.near_guests(margin)? {
            let (place, guest) = (pair.i as usize, pair.j as usize);
            if guest < own {
                continue;
            }
            is_needed[guest - own] = true;
            // What others do to a giant, their owners work out alone.
            let has_giant = radii[guest] > part.giant_radius() && radii[place] <= part.giant_radius();
            if octaves.of(radii[guest]) > octaves.of(radii[place]) && !has_giant {
                extras[source[guest - own]].push(pair.i);
            }
        }
        let mut first = 0;
        let mut replies = Vec::new();
        for (k, parcel) in offered.iter().enumerate() {
            extras[k].sort_unstable();
            extras[k].dedup();
            extras[k].retain(|place| offers[parcel.rank].binary_search(place).is_err());
            let mut packer = Packer::default();
            is_needed[first..first + counts[k]].iter().for_each(|&needed| packer.bytes.push(needed.into()));
            first += counts[k];
            packer.bytes.extend(rows_of(part, &extras[k]));
            replies.push(Parcel { rank: parcel.rank, bytes: packer.bytes });
        }
        let replied = transport.exchange(Why::Guests, replies);
        Self::set(part, own, &offers, &offered, &counts, &is_needed, extras, &replied)
    }

    /// The lists that both sides know: needed offers in their order, then what was sent along with the reply.
    #[allow(clippy::too_many_arguments)]
    fn set<const D: usize>(
        part: &mut Simulation<D>,
        own: usize,
        offers: &[Vec<u32>],
        offered: &[Parcel],
        counts: &[usize],
        is_needed: &[bool],
        extras: Vec<Vec<u32>>,
        replied: &[Parcel],
    ) -> Result<Self, Error>
    where
        Axes: Dimension<D>,
    {
        let ranks = offers.len();
        let mut sends: Vec<Vec<u32>> = vec![Vec::new(); ranks];
        let mut received: Vec<(Vec<u8>, usize)> = vec![(Vec::new(), 0); ranks];
        for reply in replied {
            let offers = &offers[reply.rank];
            let (needed, rows) = reply.bytes.split_at(offers.len());
            sends[reply.rank] =
                offers.iter().zip(needed).filter(|(_, needed)| **needed == 1).map(|(&place, _)| place).collect();
            received[reply.rank].0 = rows.get(8..).unwrap_or_default().to_vec();
            received[reply.rank].1 = if rows.is_empty() { 0 } else { Unpacker { bytes: rows }.u64() as usize };
        }
        let mut first = 0;
        for ((parcel, &count), extras) in offered.iter().zip(counts).zip(extras) {
            sends[parcel.rank].extend(extras);
            let rows = &parcel.bytes[8..];
            let stride = rows.len() / count.max(1);
            let needed = is_needed[first..first + count].iter().enumerate().filter(|(_, needed)| **needed);
            first += count;
            let mut kept: Vec<u8> = Vec::new();
            let mut number = 0;
            for (k, _) in needed {
                kept.extend_from_slice(&rows[k * stride..(k + 1) * stride]);
                number += 1;
            }
            let (extra_rows, extra_count) = std::mem::take(&mut received[parcel.rank]);
            kept.extend(extra_rows);
            received[parcel.rank] = (kept, number + extra_count);
        }
        let rows: Vec<u8> = received.iter().flat_map(|(rows, _)| rows).copied().collect();
        part.set_guests(&rows)?;
        let mut place = own;
        let mut receives = Vec::new();
        for (rank, (_, count)) in received.into_iter().enumerate().filter(|(_, (_, count))| *count > 0) {
            receives.push((rank, place, count));
            place += count;
        }
        let sends = sends.into_iter().enumerate().filter(|(_, places)| !places.is_empty()).collect();
        Ok(Self { sends, receives })
    }

    /// Hands what own bodies did to giants that are guests to the owners of these, if all went well on this rank.
    pub fn push_giants<const D: usize>(
        &self,
        transport: &mut dyn Transport,
        part: &mut Simulation<D>,
        went_well: bool,
    ) -> Result<(), Error>
    where
        Axes: Dimension<D>,
    {
        let mut parcels = Vec::new();
        for &(rank, first, count) in self.receives.iter().filter(|_| went_well) {
            let mut packer = Packer::default();
            let words = part.pushes_at(first as u32..(first + count) as u32);
            words.into_iter().for_each(|word| packer.u64(word));
            if !packer.bytes.is_empty() {
                parcels.push(Parcel { rank, bytes: packer.bytes });
            }
        }
        for parcel in transport.exchange(Why::Giants, parcels).iter().filter(|_| went_well) {
            let words: Vec<u64> = parcel.bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word)).collect();
            let known = self.sends.binary_search_by_key(&parcel.rank, |(rank, _)| *rank);
            let places = known.map_or(&[][..], |at| &self.sends[at].1[..]);
            part.add_pushes(places.iter().copied(), &words)?;
        }
        Ok(())
    }

    /// Sends motions: guests are where their owners have them.
    pub fn send_motions<const D: usize>(
        &self,
        transport: &mut dyn Transport,
        part: &mut Simulation<D>,
    ) -> Result<(), Error>
    where
        Axes: Dimension<D>,
    {
        let parcel = |(rank, places): &(usize, Vec<u32>)| {
            let mut bytes = Vec::with_capacity(places.len() * part.motion_bytes());
            part.motions(places, &mut bytes);
            Parcel { rank: *rank, bytes }
        };
        let parcels = self.sends.iter().map(parcel).collect();
        let came = transport.swap(Why::Motions, parcels, self.receives.len());
        for (parcel, &(rank, first, _)) in came.iter().zip(&self.receives) {
            debug_assert_eq!(parcel.rank, rank);
            part.move_guests(first, &parcel.bytes)?;
        }
        Ok(())
    }
}

/// The number of rows, then the rows.
fn rows_of<const D: usize>(part: &Simulation<D>, places: &[u32]) -> Vec<u8>
where
    Axes: Dimension<D>,
{
    if places.is_empty() {
        return Vec::new();
    }
    let mut bytes = (places.len() as u64).to_le_bytes().to_vec();
    bytes.extend(part.rows(places));
    bytes
}

fn parcels_of<const D: usize>(part: &Simulation<D>, places: &[Vec<u32>]) -> Vec<Parcel>
where
    Axes: Dimension<D>,
{
    let filled = places.iter().enumerate().filter(|(_, places)| !places.is_empty());
    filled.map(|(rank, places)| Parcel { rank, bytes: rows_of(part, places) }).collect()
}
