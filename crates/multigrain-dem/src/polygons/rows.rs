//! Which pairs each body is in, so that every body can sum what they do to it.

use std::ops::Range;

/// Pairs by body.
#[derive(Debug, Clone, Default)]
pub(super) struct Rows {
    /// Where the pairs begin in which a body is the first; the last number is where all end.
    firsts: Vec<u32>,
    /// Where in `seconds` the pairs begin in which a body is the second; the last number is where all end.
    starts: Vec<u32>,
    /// Pairs by their second body, then by their first.
    seconds: Vec<u32>,
}

impl Rows {
    /// Number of bodies; 0 before any pairs came.
    pub(super) fn bodies(&self) -> usize {
        self.firsts.len().saturating_sub(1)
    }

    /// Takes pairs that are sorted.
    pub(super) fn fill(&mut self, bodies: usize, pairs: &[[u32; 2]]) {
        for (starts, side) in [(&mut self.firsts, 0), (&mut self.starts, 1)] {
            starts.clear();
            starts.resize(bodies + 1, 0);
            pairs.iter().for_each(|pair| starts[pair[side] as usize] += 1);
            let mut sum = 0;
            for start in starts {
                sum += *start;
                *start = sum;
            }
        }
        self.seconds.clear();
        self.seconds.resize(pairs.len(), 0);
        // Until here the numbers say where pairs end; put in from behind, they come to say where pairs begin.
        for (k, pair) in pairs.iter().enumerate().rev() {
            let [i, j] = pair.map(|body| body as usize);
            self.firsts[i] -= 1;
            self.starts[j] -= 1;
            self.seconds[self.starts[j] as usize] = k as u32;
        }
    }

    /// Pairs in which a body is the first.
    pub(super) fn as_first(&self, body: usize) -> Range<usize> {
        self.firsts[body] as usize..self.firsts[body + 1] as usize
    }

    /// Pairs in which a body is the second, in their order.
    pub(super) fn as_second(&self, body: usize) -> &[u32] {
        &self.seconds[self.starts[body] as usize..self.starts[body + 1] as usize]
    }
}
