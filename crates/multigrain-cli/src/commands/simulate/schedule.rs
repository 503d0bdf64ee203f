//! At which steps something is due.

/// Once in the given number of steps, which need not be whole: the first step at or after each multiple. It depends on the step
/// alone, so that a resumed run does the same.
#[derive(Debug, Clone, Copy)]
pub struct Schedule {
    every: f64,
}

impl Schedule {
    /// Never more often than in every step.
    pub fn new(steps: f64) -> Self {
        Self { every: steps.max(1.0) }
    }

    /// Whether something is due at this step.
    pub fn has(self, step: u64) -> bool {
        self.of(self.count_until(step)) == step
    }

    /// The first step after this one at which something is due.
    pub fn next_after(self, step: u64) -> u64 {
        self.of(self.count_until(step) + 1.0).max(step.saturating_add(1))
    }

    fn count_until(self, step: u64) -> f64 {
        (step as f64 / self.every).floor()
    }

    fn of(self, count: f64) -> u64 {
        (self.every * count).ceil() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_the_first_at_or_after_each_multiple() {
        let schedule = Schedule::new(2.5);
        let due: Vec<u64> = (0..12).filter(|&step| schedule.has(step)).collect();
        assert_eq!(due, [0, 3, 5, 8, 10]);
        let mut step = 0;
        let mut visited = vec![0];
        while visited.len() < 5 {
            step = schedule.next_after(step);
            visited.push(step);
        }
        assert_eq!(visited, due);
        assert!((0..5).all(|step| Schedule::new(0.1).has(step)));
    }

    #[test]
    fn steps_beyond_what_can_be_counted_are_never_reached() {
        for every in [1e300, f64::INFINITY] {
            let schedule = Schedule::new(every);
            assert!(schedule.has(0) && !schedule.has(1));
            assert_eq!([0, 7, u64::MAX].map(|step| schedule.next_after(step)), [u64::MAX; 3]);
        }
    }
}
