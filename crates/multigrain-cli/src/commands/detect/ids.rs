//! Ids of particles in the file that they are from: each rank has those of its rows, and asks for those that its contacts are of.

use multigrain_distributed::{Parcel, Transport, Why};
use multigrain_files::ListIds;

/// Ids of some particles.
#[derive(Debug, Default, PartialEq)]
pub struct SomeIds {
    indices: Vec<u64>,
    ids: Vec<i64>,
}

impl SomeIds {
    /// Those of the particles with these indices. This rank has the ids of its rows, from the first on; collective.
    pub fn look_up(transport: &mut dyn Transport, first: u64, own: &[i64], mut indices: Vec<u64>) -> Self {
        indices.sort_unstable();
        indices.dedup();
        let starts: Vec<u64> =
            transport.all_gather(&first.to_le_bytes()).iter().flat_map(|bytes| words(bytes)).collect();
        // Of ranks that start at the same row all but the last have none.
        let owner = |index: u64| starts.partition_point(|&start| start <= index) - 1;
        let questions = indices.chunk_by(|&a, &b| owner(a) == owner(b)).map(|indices| Parcel {
            rank: owner(indices[0]),
            bytes: indices.iter().flat_map(|index| index.to_le_bytes()).collect(),
        });
        let questions = transport.exchange(Why::Files, questions.collect());
        let answer = |question: &Parcel| Parcel {
            rank: question.rank,
            bytes: words(&question.bytes).flat_map(|index| own[(index - first) as usize].to_le_bytes()).collect(),
        };
        // By rank, as the indices are.
        let answers = transport.exchange(Why::Files, questions.iter().map(answer).collect());
        let ids = answers.iter().flat_map(|answer| words(&answer.bytes)).map(|word| word as i64).collect();
        Self { indices, ids }
    }

    /// For the list.
    pub fn shown(&self) -> ListIds<'_> {
        ListIds::Some { indices: &self.indices, ids: &self.ids }
    }
}

fn words(bytes: &[u8]) -> impl Iterator<Item = u64> + '_ {
    bytes.as_chunks().0.iter().map(|&word| u64::from_le_bytes(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain_distributed::run_ranks;

    #[test]
    fn each_rank_gets_the_ids_that_it_asks_for_and_no_others() {
        let starts = [0, 3, 3, 7, 12];
        let found = run_ranks(4, |transport| {
            let rank = transport.rank();
            let own: Vec<i64> = (starts[rank]..starts[rank + 1]).map(|row| -100 * row as i64).collect();
            let wanted = [vec![11, 0, 11, 3], vec![], vec![5, 2], vec![8, 7, 6]][rank].clone();
            let before = transport.sent().bytes;
            let ids = SomeIds::look_up(transport, starts[rank], &own, wanted);
            (ids, transport.sent().bytes - before)
        });
        let expected = [vec![0, 3, 11], vec![], vec![2, 5], vec![6, 7, 8]];
        for ((ids, _), indices) in found.iter().zip(expected) {
            assert_eq!(ids.ids, indices.iter().map(|&row| -100 * row as i64).collect::<Vec<_>>());
            assert_eq!(ids.indices, indices);
        }
        // Two words for each that another rank has: 3 and 11, 2, 6.
        assert_eq!(found.iter().map(|rank| rank.1).sum::<u64>(), 16 * 4);
    }
}
