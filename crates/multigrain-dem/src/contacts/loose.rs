//! What contacts remember whose bodies are not both at hand: while particles change owners, and guests are exchanged.

use super::memory::{Key, Kind, Memory};
use crate::codec::Value;
use crate::codec::stream::Source;
use std::collections::{HashMap, HashSet};

/// A contact that stands in no row.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Loose<const D: usize> {
    /// Id of the first particle.
    pub first: u64,
    pub key: Key<D>,
    pub numbers: Vec<f64>,
}

impl<const D: usize> Loose<D> {
    pub fn write(&self, out: &mut Vec<u8>) {
        self.first.write(out);
        self.key.write(out);
        self.numbers.iter().for_each(|number| number.write(out));
    }

    pub fn read(input: &mut Source<'_>, stride: usize) -> Option<Self> {
        let (first, key) = (u64::read(input)?, Key::read(input)?);
        let numbers = (0..stride).map(|_| f64::read(input)).collect::<Option<_>>()?;
        Some(Self { first, key, numbers })
    }
}

impl<const D: usize> Memory<D> {
    /// Every contact, with the place of its first particle.
    fn places_of_contacts(&self) -> impl Iterator<Item = (usize, usize)> {
        let places = 0..self.rows.len() - 1;
        places.flat_map(move |place| self.row(place).map(move |contact| (place, contact)))
    }

    /// All contacts of these particles, for each of them.
    pub fn of_particles(&self, ids: &[u64], of: &HashMap<u64, usize>, loose: &[Loose<D>]) -> Vec<Vec<Loose<D>>> {
        let mut found = vec![Vec::new(); of.len()];
        let mut consider = |first: u64, key: Key<D>, numbers: &[f64]| {
            let second = Some(key.other).filter(|&other| key.kind != Kind::Face && other != first);
            for number in [Some(first), second].into_iter().flatten().filter_map(|id| of.get(&id)) {
                found[*number].push(Loose { first, key, numbers: numbers.to_vec() });
            }
        };
        for (place, contact) in self.places_of_contacts() {
            consider(ids[place], self.keys[contact], self.numbers(contact));
        }
        loose.iter().for_each(|contact| consider(contact.first, contact.key, &contact.numbers));
        found
    }

    /// Rows in another order, as [`taken`](Self::taken), for particles of which some go: contacts of those with others that stay are
    /// kept as loose ones.
    pub fn let_go(&self, ids: &[u64], from: &[u32], goes: &HashSet<u64>, loose: &mut Vec<Loose<D>>) -> Self {
        for (place, contact) in self.places_of_contacts() {
            let (first, key) = (ids[place], self.keys[contact]);
            if key.kind != Kind::Face && goes.contains(&first) != goes.contains(&key.other) {
                loose.push(Loose { first, key, numbers: self.numbers(contact).to_vec() });
            }
        }
        self.taken(from, |id| !goes.contains(&id))
    }

    /// Rows of the loose contacts whose first particle is here, wherever the other is.
    pub fn attach_firsts(&mut self, ids: &[u64], loose: Vec<Loose<D>>) {
        let places: HashMap<u64, usize> = ids.iter().copied().zip(0..).collect();
        let mut rows: Vec<Vec<Loose<D>>> = vec![Vec::new(); ids.len()];
        for contact in loose {
            if let Some(&place) = places.get(&contact.first) {
                rows[place].push(contact);
            }
        }
        let mut all = Self::new(self.stride);
        for mut row in rows {
            row.sort_unstable_by_key(|contact| contact.key);
            // Whoever has the other body reports it, too.
            row.dedup_by_key(|contact| contact.key);
            row.iter().for_each(|contact| all.push(contact.key, &contact.numbers));
            all.end_row();
        }
        *self = all;
    }

    /// Puts loose contacts into rows where both of their bodies are here and one of them, by its place, is no guest. Others have
    /// ended.
    pub fn attach(&mut self, ids: &[u64], own: usize, loose: Vec<Loose<D>>) {
        let mut places: HashMap<u64, usize> = HashMap::with_capacity(2 * loose.len());
        for contact in &loose {
            places.insert(contact.first, usize::MAX);
            if contact.key.kind != Kind::Face {
                places.insert(contact.key.other, usize::MAX);
            }
        }
        for (place, id) in ids.iter().enumerate() {
            if let Some(known) = places.get_mut(id) {
                *known = place;
            }
        }
        let mut extra: Vec<(usize, Loose<D>)> = Vec::with_capacity(loose.len());
        for contact in loose {
            let first = places[&contact.first];
            let second = if contact.key.kind != Kind::Face { places[&contact.key.other] } else { first };
            if first.max(second) < ids.len() && first.min(second) < own {
                extra.push((first, contact));
            }
        }
        extra.sort_unstable_by_key(|(place, contact)| (*place, contact.key));
        let mut all = Self::new(self.stride);
        let mut extra = extra.into_iter().peekable();
        for place in 0..ids.len() {
            let row = self.row(place);
            let mut known = row.map(|contact| (self.keys[contact], self.numbers(contact))).peekable();
            loop {
                let more = extra
                    .next_if(|(at, contact)| *at == place && known.peek().is_none_or(|(key, _)| contact.key <= *key));
                let (key, numbers) = match (&more, known.peek()) {
                    (Some((_, contact)), _) => (contact.key, &contact.numbers[..]),
                    (None, Some(&(key, numbers))) => {
                        known.next();
                        (key, numbers)
                    }
                    (None, None) => break,
                };
                // Whoever had both bodies remembers the same.
                let row_start = all.rows.last().map_or(0, |&start| start as usize);
                if all.keys.len() > row_start && all.keys.last() == Some(&key) {
                    debug_assert_eq!(all.numbers(all.keys.len() - 1), numbers, "both remember the same");
                } else {
                    all.push(key, numbers);
                }
            }
            all.end_row();
        }
        *self = all;
    }
}
