//! What contacts remember, by the ids of particles: apart from any list of candidates and any order of the state.

/// What a contact is known by in the row of a particle, whatever the order of the state. Rows are sorted by it. A contact of two
/// particles stands in the row of the first, the one with the lower id; one with a giant in that of the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key<const D: usize> {
    pub kind: Kind,
    /// Id of the second particle, or number of the face.
    pub other: u64,
    /// Which image of the second the first touches, for positions that were never wrapped: it stays the same while a contact
    /// lasts.
    pub image: [i32; D],
}

/// What a particle touches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub(crate) enum Kind {
    /// A face of a wall.
    Face,
    /// Another particle.
    Particle,
    /// One that is a giant.
    Giant,
}

/// A number of edges, where edge `j` has lost `n` times edge `i`.
pub(crate) fn flip<const D: usize>(edges: &mut [i32; D], i: usize, j: usize, n: i32) {
    edges[i] = edges[i].wrapping_add(n.wrapping_mul(edges[j]));
}

/// Keys and memories of contacts, in a row for each particle.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Memory<const D: usize> {
    /// Where the row of each particle begins; one more than there are particles.
    pub rows: Vec<u32>,
    pub keys: Vec<Key<D>>,
    /// `stride` numbers for each contact.
    pub history: Vec<f64>,
    pub stride: usize,
}

impl<const D: usize> Memory<D> {
    pub fn new(stride: usize) -> Self {
        Self { rows: vec![0], keys: Vec::new(), history: Vec::new(), stride }
    }

    /// Contacts of this particle; none if it has joined since.
    pub fn row(&self, place: usize) -> std::ops::Range<usize> {
        match self.rows.get(place..place + 2) {
            Some(&[start, end]) => start as usize..end as usize,
            _ => 0..0,
        }
    }

    pub fn numbers(&self, contact: usize) -> &[f64] {
        &self.history[contact * self.stride..][..self.stride]
    }

    pub fn push(&mut self, key: Key<D>, numbers: &[f64]) {
        self.keys.push(key);
        self.history.extend_from_slice(numbers);
    }

    pub fn end_row(&mut self) {
        self.rows.push(self.keys.len() as u32);
    }

    /// The same contacts where edge `j` of the box has lost `n` times edge `i`.
    pub fn flipped(&self, (i, j, n): (usize, usize, i32)) -> Self {
        let mut flipped = Self::new(self.stride);
        for place in 0..self.rows.len() - 1 {
            let mut row: Vec<(Key<D>, usize)> = self.row(place).map(|contact| (self.keys[contact], contact)).collect();
            row.iter_mut().for_each(|(key, _)| flip(&mut key.image, i, j, n));
            row.sort_unstable_by_key(|&(key, _)| key);
            row.into_iter().for_each(|(key, contact)| flipped.push(key, self.numbers(contact)));
            flipped.end_row();
        }
        flipped
    }

    /// Rows in another order: `from[k]` is the place so far of what will be in place `k`. Who is not named is left out, and with
    /// them go their contacts as soon as `remains` does not know the other.
    pub fn taken(&self, from: &[u32], remains: impl Fn(u64) -> bool) -> Self {
        let mut taken = Self::new(self.stride);
        for &place in from {
            for contact in self.row(place as usize) {
                let key = self.keys[contact];
                if key.kind == Kind::Face || remains(key.other) {
                    taken.push(key, self.numbers(contact));
                }
            }
            taken.end_row();
        }
        taken
    }
}
