//! A list that is emptied and filled again and again.

use crate::threads;
use std::ops::Deref;

/// Entries, and behind them old ones that wait to be overwritten: so several threads can write new entries into place at
/// once, without filling the memory with anything before.
#[derive(Debug, Clone)]
pub(crate) struct Refilled<T> {
    memory: Vec<T>,
    len: usize,
}

impl<T> Default for Refilled<T> {
    fn default() -> Self {
        Self { memory: Vec::new(), len: 0 }
    }
}

impl<T> Deref for Refilled<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.memory[..self.len]
    }
}

impl<T: Copy + Send + Sync> Refilled<T> {
    /// Removes all entries, keeps the memory.
    pub fn clear(&mut self) {
        self.len = 0;
    }

    /// Bytes that are taken, old entries included.
    pub fn memory_bytes(&self) -> usize {
        self.memory.capacity() * size_of::<T>()
    }

    /// Makes room for this many entries in all.
    pub fn reserve(&mut self, entries: usize) {
        if entries > self.memory.capacity() {
            self.memory.truncate(self.len);
            self.memory.reserve_exact(entries - self.len);
        }
    }

    #[inline]
    pub fn extend_from_slice(&mut self, entries: &[T]) {
        let end = self.len + entries.len();
        if let Some(place) = self.memory.get_mut(self.len..end) {
            place.copy_from_slice(entries);
        } else {
            self.memory.truncate(self.len);
            self.memory.extend_from_slice(entries);
        }
        self.len = end;
    }

    /// Appends lists one after the other, on all threads.
    pub fn append_all<'a>(&mut self, lists: impl Iterator<Item = &'a [T]> + Clone)
    where
        T: 'a,
    {
        let Some(&filler) = lists.clone().flatten().next() else { return };
        let end = self.len + lists.clone().map(<[T]>::len).sum::<usize>();
        self.memory.resize(self.memory.len().max(end), filler);
        let mut rest = &mut self.memory[self.len..end];
        let jobs = lists.map(|list| {
            let (place, others) = std::mem::take(&mut rest).split_at_mut(list.len());
            rest = others;
            (place, list)
        });
        threads::for_each(jobs, || (), |(), (place, list)| place.copy_from_slice(list));
        self.len = end;
    }

    /// The entries alone.
    pub fn into_vec(mut self) -> Vec<T> {
        self.memory.truncate(self.len);
        self.memory
    }

    /// Changes the entries as a whole.
    pub fn change(&mut self, change: impl FnOnce(&mut Vec<T>)) {
        self.memory.truncate(self.len);
        change(&mut self.memory);
        self.len = self.memory.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn holds_what_was_put_in_since_it_was_cleared() {
        let mut list = Refilled::default();
        list.extend_from_slice(&[1, 2, 3, 4, 5]);
        list.clear();
        assert!(list.is_empty());
        list.extend_from_slice(&[6, 7]);
        list.append_all([&[8][..], &[], &[9, 10]].into_iter());
        assert_eq!(*list, [6, 7, 8, 9, 10]);
        list.extend_from_slice(&[11, 12]);
        list.append_all([&[13][..]].into_iter());
        assert_eq!(*list, [6, 7, 8, 9, 10, 11, 12, 13]);
        list.clear();
        list.extend_from_slice(&[2, 1]);
        list.change(|list| list.sort_unstable());
        assert_eq!(*list, [1, 2]);
        assert_eq!(list.into_vec(), [1, 2]);
    }
}
