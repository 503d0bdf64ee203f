//! What each kind of work of the fast grid takes: numbers, not a clock.

use super::row_model::RowWork;

/// Seconds for one of each kind of work of the fast grid.
///
/// The engine chooses levels with [`BUILT_IN`](Self::BUILT_IN), so that the same bodies get the same levels on every machine.
/// Those of a machine come from [`fit`](Self::fit) and turn predicted work into predicted seconds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficients {
    /// Sorting a body and searching its own level, apart from what follows.
    pub body: f64,
    /// Beginning to search another level.
    pub search: f64,
    /// Looking up a row of cells on another level.
    pub row: f64,
    /// Testing a vector of eight candidates quickly, on the own level.
    pub quick_vector: f64,
    /// Testing any other vector of eight candidates.
    pub vector: f64,
    /// A body with more neighbours in a row than the quick search of its own level tests.
    pub left_over: f64,
    /// A cell of the array over all cells.
    pub cell: f64,
}

impl Coefficients {
    /// As measured where the engine was written, in nanoseconds: only their ratios matter to the choice of levels. A quick
    /// vector is what the second one of a range adds; the first ones, which every body has, are part of the body.
    pub const BUILT_IN: Self = Self {
        body: 20e-9,
        search: 24e-9,
        row: 8e-9,
        quick_vector: 1.3e-9,
        vector: 4e-9,
        left_over: 35e-9,
        cell: 1e-9,
    };

    /// Whether every one is a number of seconds.
    pub fn are_sound(&self) -> bool {
        self.as_array().iter().all(|seconds| seconds.is_finite() && *seconds >= 0.0)
    }

    /// Seconds per particle.
    pub fn seconds(&self, work: &RowWork) -> f64 {
        self.body
            + self.search * work.searches
            + self.row * work.other_rows
            + self.quick_vector * work.quick_vectors
            + self.vector * work.vectors
            + self.left_over * work.left_over
            + self.cell * work.index_cells
    }
}

/// Work of a detection and the seconds per particle that it took.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// Predicted work.
    pub work: RowWork,
    /// Measured seconds per particle.
    pub seconds: f64,
}

impl Coefficients {
    /// The coefficients, none below 0, that come closest to the measured times, by relative error. `None` if there are
    /// fewer measurements than coefficients.
    ///
    /// Where the measurements do not tell kinds of work apart, their ratios stay close to the built-in ones.
    pub fn fit(measured: &[Measured]) -> Option<Self> {
        let sound = |entry: &&Measured| entry.seconds > 0.0 && entry.seconds.is_finite();
        let rows: Vec<[f64; KINDS]> = measured
            .iter()
            .filter(sound)
            .map(|entry| Self::kinds(&entry.work).map(|kind| kind / entry.seconds))
            .collect();
        if rows.len() < KINDS {
            return None;
        }
        // The built-in ones, made as fast or slow as this machine, are the best guess before any measurement.
        let built_in = Self::BUILT_IN.as_array();
        let guess = |row: &[f64; KINDS]| (0..KINDS).map(|k| row[k] * built_in[k]).sum::<f64>();
        let scale = rows.iter().map(guess).sum::<f64>() / rows.iter().map(|row| guess(row) * guess(row)).sum::<f64>();
        let guessed = built_in.map(|seconds| seconds * scale);
        let trust = TRUST * rows.len() as f64;
        let mut fitted = guessed;
        // One after the other to its best value, again and again: the problem is convex, and small.
        for _ in 0..SWEEPS {
            for k in 0..KINDS {
                let others =
                    |row: &[f64; KINDS]| (0..KINDS).filter(|&j| j != k).map(|j| row[j] * fitted[j]).sum::<f64>();
                let weight = trust / (guessed[k] * guessed[k]);
                let pull: f64 = rows.iter().map(|row| row[k] * (1.0 - others(row))).sum();
                let stiffness: f64 = rows.iter().map(|row| row[k] * row[k]).sum();
                fitted[k] = ((pull + weight * guessed[k]) / (stiffness + weight)).max(0.0);
            }
        }
        Some(Self::from_array(fitted))
    }

    fn kinds(work: &RowWork) -> [f64; KINDS] {
        [1.0, work.searches, work.other_rows, work.quick_vectors, work.vectors, work.left_over, work.index_cells]
    }

    fn as_array(&self) -> [f64; KINDS] {
        [self.body, self.search, self.row, self.quick_vector, self.vector, self.left_over, self.cell]
    }

    fn from_array([body, search, row, quick_vector, vector, left_over, cell]: [f64; KINDS]) -> Self {
        Self { body, search, row, quick_vector, vector, left_over, cell }
    }
}

/// Kinds of work.
const KINDS: usize = 7;

/// What a coefficient twice as large as guessed weighs, against measurements that are wrong by their own size.
const TRUST: f64 = 3e-5;

/// Rounds of the fit; it settles in far fewer.
const SWEEPS: usize = 2_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fit_finds_the_coefficients_that_made_the_times() {
        let truth = Coefficients {
            body: 30e-9,
            search: 5e-9,
            row: 3e-9,
            quick_vector: 2e-9,
            vector: 1e-9,
            left_over: 4e-9,
            cell: 2e-9,
        };
        let measured: Vec<Measured> = (0..40u32)
            .map(|k| {
                let value = |step: u32| f64::from(k.wrapping_mul(step) % 17);
                let work = RowWork {
                    searches: value(3),
                    rows: 5.0 + value(5),
                    other_rows: value(5),
                    quick_vectors: 5.0 * f64::from(1 + k % 2),
                    left_over: value(2) / 17.0,
                    vectors: 5.0 + value(11),
                    candidates: 0.0,
                    index_cells: value(13) / 8.0,
                };
                Measured { work, seconds: truth.seconds(&work) }
            })
            .collect();
        let fitted = Coefficients::fit(&measured).unwrap();
        for entry in &measured {
            let error = fitted.seconds(&entry.work) / entry.seconds - 1.0;
            assert!(error.abs() < 0.05, "{error} {fitted:?}");
        }
        assert_eq!(Coefficients::fit(&measured[..KINDS - 1]), None);
    }
}
