//! How many keys the cells of a leaf may take. All leaves share one array of keys, and keys have 32 bits: beyond some 5e8 bodies
//! there are fewer for each.

use super::layout::{KEYS_OF_A_CELL, MAX_LEVELS, MAX_REGIONS, MIN_ON_LEVEL};

/// What a leaf may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    /// Keys per body, the empty cells around levels included.
    pub keys_per_body: usize,
    /// Regions that a leaf is cut into, at most.
    pub max_regions: usize,
    /// Levels that a region has, at most; if one, all sizes share it.
    pub max_levels: usize,
}

/// From ample to what always fits: a cell for each leaf. With less room more bodies are tested that do not touch; a leaf holds
/// some thousand at most.
const ROOMS: [Room; 4] = [
    Room { keys_per_body: 5, max_regions: MAX_REGIONS, max_levels: MAX_LEVELS },
    Room { keys_per_body: 3, max_regions: 1, max_levels: MAX_LEVELS },
    Room { keys_per_body: 2, max_regions: 1, max_levels: 1 },
    Room { keys_per_body: 0, max_regions: 1, max_levels: 1 },
];

impl Room {
    /// The most ample room with which leaves of this many bodies take at most `max_keys` together. Where `given` levels were
    /// asked for, there are this many.
    pub fn fitting(leaves: impl Iterator<Item = usize> + Clone, given: Option<usize>, max_keys: usize) -> Self {
        let fits = |room: &Room| leaves.clone().map(|bodies| room.keys(bodies, given)).sum::<usize>() <= max_keys;
        ROOMS.into_iter().find(fits).unwrap_or(ROOMS[ROOMS.len() - 1])
    }

    /// Keys of a leaf with this many bodies.
    pub fn keys(&self, bodies: usize, given: Option<usize>) -> usize {
        let levels = match given {
            _ if self.max_levels == 1 => self.max_regions,
            None => self.max_regions + bodies / MIN_ON_LEVEL,
            Some(given) => bodies.min(self.max_regions * given),
        };
        self.keys_per_body * bodies + KEYS_OF_A_CELL * levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_fit_where_there_are_few() {
        let leaves = [1000, 0, 1024, 3];
        for given in [None, Some(3), Some(64)] {
            let keys = |room: Room| leaves.iter().map(|&bodies| room.keys(bodies, given)).sum::<usize>();
            for room in ROOMS {
                let found = Room::fitting(leaves.into_iter(), given, keys(room));
                assert!(keys(found) <= keys(room) && found.keys_per_body >= room.keys_per_body, "{given:?} {room:?}");
            }
            assert_eq!(Room::fitting(leaves.into_iter(), given, usize::MAX), ROOMS[0]);
            assert_eq!(Room::fitting(leaves.into_iter(), given, 1), ROOMS[3]);
        }
    }

    #[test]
    fn as_many_bodies_as_there_are_ids_get_keys_of_32_bits() {
        let max = u32::MAX as usize;
        for bodies in [1 << 20, 500_000_000, 600_000_000, 1 << 30, 1 << 31, max] {
            for given in [None, Some(1), Some(64)] {
                let leaves = std::iter::repeat_n(1024, bodies.div_ceil(1024));
                let room = Room::fitting(leaves.clone(), given, max);
                let keys = leaves.map(|bodies| room.keys(bodies, given)).sum::<usize>();
                assert!(keys <= max, "{bodies} bodies, {given:?}: {keys}");
            }
        }
        let ample = |bodies: usize| Room::fitting(std::iter::repeat_n(1024, bodies / 1024), None, max) == ROOMS[0];
        assert!(ample(500_000_000) && !ample(600_000_000));
    }
}
