//! What happens next: the time of one event per ball, the earliest on top.

/// Children of a place in the heap: four share a cache line, and the tree is half as deep as a binary one.
const CHILDREN: usize = 4;

/// The next event of every ball, in a heap that knows where each ball stands: a time is changed in O(log N), the earliest
/// read in O(1). Of equal times the ball with the smaller index comes first.
#[derive(Debug, Clone, Default)]
pub(super) struct Calendar {
    heap: Vec<CalendarEntry>,
    /// Where each ball stands in the heap.
    place: Vec<u32>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct CalendarEntry {
    time: f64,
    ball: u32,
}

impl CalendarEntry {
    #[inline]
    fn is_before(&self, other: &Self) -> bool {
        self.time < other.time || (self.time == other.time && self.ball < other.ball)
    }
}

impl Calendar {
    /// Nothing is to happen to any of `count` balls.
    pub fn reset(&mut self, count: usize) {
        self.heap.clear();
        self.heap.extend((0..count as u32).map(|ball| CalendarEntry { time: f64::INFINITY, ball }));
        self.place.clear();
        self.place.extend(0..count as u32);
    }

    /// The earliest event: its time and its ball.
    #[inline]
    pub fn first(&self) -> Option<(f64, u32)> {
        self.heap.first().map(|entry| (entry.time, entry.ball))
    }

    /// The next event of `ball` is at `time`, whatever it was before.
    #[inline]
    pub fn set(&mut self, ball: u32, time: f64) {
        let place = self.place[ball as usize] as usize;
        let entry = CalendarEntry { time, ball };
        if entry.is_before(&self.heap[place]) {
            self.rise(place, entry);
        } else {
            self.sink(place, entry);
        }
    }

    fn rise(&mut self, mut place: usize, entry: CalendarEntry) {
        while place > 0 {
            let parent = (place - 1) / CHILDREN;
            if !entry.is_before(&self.heap[parent]) {
                break;
            }
            self.put(place, self.heap[parent]);
            place = parent;
        }
        self.put(place, entry);
    }

    fn sink(&mut self, mut place: usize, entry: CalendarEntry) {
        loop {
            let first = CHILDREN * place + 1;
            let last = (first + CHILDREN).min(self.heap.len());
            if first >= last {
                break;
            }
            let mut earliest = first;
            for child in first + 1..last {
                if self.heap[child].is_before(&self.heap[earliest]) {
                    earliest = child;
                }
            }
            if !self.heap[earliest].is_before(&entry) {
                break;
            }
            self.put(place, self.heap[earliest]);
            place = earliest;
        }
        self.put(place, entry);
    }

    #[inline]
    fn put(&mut self, place: usize, entry: CalendarEntry) {
        self.heap[place] = entry;
        self.place[entry.ball as usize] = place as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Rng;

    #[test]
    fn the_earliest_event_is_on_top_after_any_change() {
        let mut rng = Rng::new(5);
        for count in [1, 2, 5, 6, 100] {
            let mut calendar = Calendar::default();
            calendar.reset(count);
            let mut times = vec![f64::INFINITY; count];
            for _ in 0..2000 {
                let ball = rng.below(count as u64) as usize;
                // Few different times, so that many are equal.
                times[ball] = if rng.below(9) == 0 { f64::INFINITY } else { rng.below(50) as f64 };
                calendar.set(ball as u32, times[ball]);
                let expected = (0..count).min_by(|&i, &j| times[i].total_cmp(&times[j]).then(i.cmp(&j))).unwrap();
                assert_eq!(calendar.first(), Some((times[expected], expected as u32)));
            }
        }
        let mut calendar = Calendar::default();
        calendar.reset(0);
        assert_eq!(calendar.first(), None);
    }
}
