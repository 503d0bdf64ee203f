//! Contacts of a frame of spheres or discs, found by the engine.

use super::frame::{PageContact, PageFrame};
use crate::error::Result;
use multigrain::{AnySystem, Axes, CheckedSystem, Dimension, each_dimension};

/// Grains of all frames up to which pages have contacts by default.
pub const MAX_WITH_CONTACTS: usize = 300_000;

/// All contacts of a system, with their overlaps, in the order of the list.
pub fn find_contacts(system: &AnySystem) -> Result<Vec<PageContact>> {
    each_dimension!(system, AnySystem, particles => found(particles))
}

fn found<const D: usize>(particles: &CheckedSystem<D>) -> Result<Vec<PageContact>>
where
    Axes: Dimension<D>,
{
    let now = particles.snapshot().within(particles.domain)?;
    let mut pairs = multigrain::find_pairs(now);
    pairs.sort();
    let shifts = pairs.shifts();
    let contact = |(k, &[i, j]): (usize, &[u32; 2])| {
        let shift: [i32; D] = shifts.get(k).copied().unwrap_or([0; D]);
        let value = now.overlap_depth(i as usize, j as usize, shift);
        PageContact { pair: [i, j], shift: std::array::from_fn(|axis| if axis < D { shift[axis] } else { 0 }), value }
    };
    Ok(pairs.as_slice().iter().enumerate().map(contact).collect())
}

impl PageFrame {
    /// The same with contacts given by ids, such as a simulation writes them: both ids, the ends of the line between the centers,
    /// and what they carry. Those of grains that are not there are left out.
    pub fn with_contacts_by_id(mut self, contacts: impl Iterator<Item = ([u64; 2], [[f64; 3]; 2], f64)>) -> Self {
        let Some(ids) = &self.ids else { return self };
        let place: std::collections::HashMap<u64, u32> =
            ids.iter().zip(0..).map(|(&id, k)| (u64::from(id), k)).collect();
        let domain = self.bounds.as_ref().and_then(|bounds| bounds.domain());
        // How far the second end is from its own grain, in edges of the box.
        let shift = |pair: [u32; 2], ends: [[f64; 3]; 2]| -> [i32; 3] {
            let center = self.centers[pair[1] as usize];
            let way = std::array::from_fn(|axis| ends[1][axis] - center[axis]);
            domain.map_or([0; 3], |domain| domain.whole_periods(way))
        };
        let found = contacts.filter_map(|(ids, ends, value)| {
            let pair = [*place.get(&ids[0])?, *place.get(&ids[1])?];
            Some(PageContact { pair, shift: shift(pair, ends), value })
        });
        self.contacts = Some(found.collect());
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::{Domain, System};

    #[test]
    fn contacts_cross_periodic_borders() {
        let domain = Domain::periodic([0.0; 2], [10.0; 2]).unwrap();
        let particles = System { centers: vec![[0.5, 5.0], [9.5, 5.0]], radii: vec![0.75; 2], domain };
        let contacts = find_contacts(&particles.clone().checked().unwrap().into()).unwrap();
        assert_eq!(contacts, [PageContact { pair: [0, 1], shift: [-1, 0, 0], value: 0.5 }]);
        let frame = PageFrame { ids: Some(vec![4, 9]), ..PageFrame::of_particles(&particles) };
        let line = ([4, 9], [[0.5, 5.0, 0.0], [-0.5, 5.0, 0.0]], 0.5);
        let lost = ([4, 7], [[0.0; 3]; 2], 1.0);
        assert_eq!(frame.with_contacts_by_id([line, lost].into_iter()).contacts, Some(contacts));
    }

    #[test]
    fn boxes_that_lean_are_drawn_so_and_contacts_cross_their_edges() {
        let (origin, edges) = ([0.0; 2], [[10.0, 0.0], [4.0, 10.0]]);
        let domain = Domain::from_cell(origin, edges, [true; 2]).unwrap();
        // The second lies one leaning edge above the first, but for 1 along y.
        let particles = System { centers: vec![[1.0, 0.5], [5.0, 9.5]], radii: vec![0.75; 2], domain };
        let contacts = find_contacts(&particles.clone().checked().unwrap().into()).unwrap();
        assert_eq!(contacts, [PageContact { pair: [0, 1], shift: [0, -1, 0], value: 0.5 }]);
        let frame = PageFrame { ids: Some(vec![4, 9]), ..PageFrame::of_particles(&particles) };
        let drawn = frame.bounds.clone().unwrap();
        assert_eq!((drawn.origin, drawn.edges), ([0.0; 3], vec![[10.0, 0.0, 0.0], [4.0, 10.0, 0.0]]));
        let line = ([4, 9], [[1.0, 0.5, 0.0], [1.0, -0.5, 0.0]], 0.5);
        assert_eq!(frame.with_contacts_by_id([line].into_iter()).contacts, Some(contacts));
    }
}
