//! Contacts, found or given.

use crate::Grains;
use multigrain::{Axes, Dimension, Error, Snapshot, find_pairs};

/// A contact of two grains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact<const D: usize> {
    /// Both grains.
    pub pair: [u32; 2],
    /// From the center of the first to that of the second, as the image that touches.
    pub branch: [f64; D],
    /// How deep they overlap.
    pub overlap: f64,
    /// Force on the second, where it is known.
    pub force: Option<[f64; D]>,
}

/// Contacts with a gap below `margin`, without forces.
pub fn touching<const D: usize>(grains: &Grains<'_, D>, margin: f64) -> Result<Vec<Contact<D>>, Error>
where
    Axes: Dimension<D>,
{
    let domain = grains.domain();
    let now = Snapshot::new(grains.centers, grains.radii)?.within(domain)?.with_margin(margin)?;
    let mut pairs = find_pairs(now);
    pairs.sort();
    let has_images = domain.has_images();
    let contact = |(k, &[i, j]): (usize, &[u32; 2])| {
        let shift = if has_images { pairs.shifts()[k] } else { [0; D] };
        Contact {
            pair: [i, j],
            branch: now.contact_vector(i as usize, j as usize, shift),
            overlap: now.overlap_depth(i as usize, j as usize, shift),
            force: None,
        }
    };
    Ok(pairs.as_slice().iter().enumerate().map(contact).collect())
}

impl<const D: usize> Contact<D> {
    /// The same with the force of a linear spring, which only pushes.
    pub fn with_spring(self, stiffness: f64) -> Self {
        let push = stiffness * self.overlap.max(0.0);
        let normal = self.normal().unwrap_or([0.0; D]);
        Self { force: Some(normal.map(|component| push * component)), ..self }
    }

    /// Unit vector from the first to the second; none where the centers coincide.
    pub fn normal(&self) -> Option<[f64; D]> {
        let length = dot(self.branch, self.branch).sqrt();
        (length > 0.0).then(|| self.branch.map(|component| component / length))
    }
}

pub(crate) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|axis| a[axis] * b[axis]).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;

    #[test]
    fn branches_go_to_the_image_that_touches() {
        let (centers, radii) = ([[0.5, 5.0], [9.5, 5.0]], [0.6; 2]);
        let domain = Domain::new([0.0; 2], [10.0; 2], [true, false]).unwrap();
        let grains = Grains::new(&centers, &radii, domain).unwrap();
        let contacts = touching(&grains, 0.0).unwrap();
        assert_eq!(contacts.len(), 1);
        assert_eq!(contacts[0].branch, [-1.0, 0.0]);
        assert!((contacts[0].overlap - 0.2).abs() < 1e-12);
        let pushed = contacts[0].with_spring(10.0);
        assert!((pushed.force.unwrap()[0] + 2.0).abs() < 1e-12);
    }
}
