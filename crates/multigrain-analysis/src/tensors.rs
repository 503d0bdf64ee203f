//! Fabric and stress.

use crate::contacts::dot;
use crate::{Contact, Grains};
use multigrain::{Axes, Dimension};

/// Where contacts point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Fabric<const D: usize> {
    /// Mean of n n over contacts, n being the unit vector between the centers; its trace is 1.
    pub tensor: [[f64; D]; D],
    /// From the largest to the smallest.
    pub eigenvalues: [f64; D],
    /// Largest minus smallest eigenvalue: 0 where contacts point everywhere alike, 1 where all are parallel.
    pub anisotropy: f64,
}

/// Mean stress in the box; pressure is positive.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stress<const D: usize> {
    /// Love and Weber: the sum of f l over contacts, over the volume of the box; l goes from the first center to the second, f
    /// acts on the second.
    pub tensor: [[f64; D]; D],
    /// Of the symmetric part, from the largest to the smallest.
    pub eigenvalues: [f64; D],
    /// Mean of the diagonal.
    pub pressure: f64,
    /// Half of the largest minus the smallest eigenvalue: the largest shear stress in any direction.
    pub shear: f64,
}

/// The fabric of contacts; none where there are no contacts.
pub fn fabric<const D: usize>(contacts: &[Contact<D>]) -> Option<Fabric<D>> {
    let mut tensor = [[0.0; D]; D];
    let mut count = 0.0;
    for normal in contacts.iter().filter_map(Contact::normal) {
        count += 1.0;
        add(&mut tensor, normal, normal, 1.0);
    }
    if count == 0.0 {
        return None;
    }
    let tensor = tensor.map(|row| row.map(|value| value / count));
    let eigenvalues = eigenvalues(tensor);
    Some(Fabric { tensor, eigenvalues, anisotropy: eigenvalues[0] - eigenvalues[D - 1] })
}

/// The mean stress of contacts in the box of the grains; none where a force is not known or there are no contacts.
pub fn stress<const D: usize>(grains: &Grains<'_, D>, contacts: &[Contact<D>]) -> Option<Stress<D>>
where
    Axes: Dimension<D>,
{
    if contacts.is_empty() {
        return None;
    }
    let mut tensor = [[0.0; D]; D];
    for contact in contacts {
        add(&mut tensor, contact.force?, contact.branch, 1.0 / grains.box_volume());
    }
    let eigenvalues = eigenvalues(tensor);
    let pressure = (0..D).map(|axis| tensor[axis][axis]).sum::<f64>() / D as f64;
    Some(Stress { tensor, eigenvalues, pressure, shear: 0.5 * (eigenvalues[0] - eigenvalues[D - 1]) })
}

fn add<const D: usize>(tensor: &mut [[f64; D]; D], a: [f64; D], b: [f64; D], weight: f64) {
    for row in 0..D {
        for column in 0..D {
            tensor[row][column] += weight * a[row] * b[column];
        }
    }
}

/// Eigenvalues of the symmetric part of a tensor, from the largest to the smallest, by rotations (Jacobi).
pub fn eigenvalues<const D: usize>(tensor: [[f64; D]; D]) -> [f64; D] {
    let mut a = tensor;
    for row in 0..D {
        for column in 0..D {
            a[row][column] = 0.5 * (tensor[row][column] + tensor[column][row]);
        }
    }
    // Each sweep squares what is off the diagonal: a few are enough, for any tensor.
    for _ in 0..30 {
        for p in 0..D {
            for q in p + 1..D {
                rotate(&mut a, p, q);
            }
        }
    }
    let mut values: [f64; D] = std::array::from_fn(|axis| a[axis][axis]);
    values.sort_by(|x, y| y.total_cmp(x));
    values
}

/// Makes the entry (p, q) vanish.
fn rotate<const D: usize>(a: &mut [[f64; D]; D], p: usize, q: usize) {
    if a[p][q] == 0.0 {
        return;
    }
    let angle = 0.5 * (2.0 * a[p][q]).atan2(a[p][p] - a[q][q]);
    let (sin, cos) = angle.sin_cos();
    for k in 0..D {
        (a[k][p], a[k][q]) = (cos * a[k][p] + sin * a[k][q], cos * a[k][q] - sin * a[k][p]);
    }
    for k in 0..D {
        (a[p][k], a[q][k]) = (cos * a[p][k] + sin * a[q][k], cos * a[q][k] - sin * a[p][k]);
    }
}

/// Force along the line between the centers, positive where it pushes.
pub(crate) fn normal_force<const D: usize>(contact: &Contact<D>) -> Option<f64> {
    Some(dot(contact.force?, contact.normal()?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Domain;

    #[test]
    fn eigenvalues_are_those_of_the_symmetric_part() {
        assert_eq!(eigenvalues([[3.0, 0.0], [0.0, 5.0]]), [5.0, 3.0]);
        let [a, b, c] = eigenvalues([[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]]);
        let root = 2f64.sqrt();
        for (value, expected) in [(a, 2.0 + root), (b, 2.0), (c, 2.0 - root)] {
            assert!((value - expected).abs() < 1e-12, "{value} is not {expected}");
        }
        let [a, b] = eigenvalues([[1.0, 1.0], [0.0, 1.0]]);
        assert!((a - 1.5).abs() < 1e-12 && (b - 0.5).abs() < 1e-12);
    }

    #[test]
    fn sheared_cells_have_their_own_volume() {
        let (centers, radii) = ([[0.5, 0.5], [0.5, 1.5]], [0.6; 2]);
        let cell = Domain::from_cell([0.0; 2], [[2.0, 0.0], [1.0, 4.0]], [true; 2]).unwrap();
        let grains = Grains::new(&centers, &radii, cell).unwrap();
        assert!((grains.box_volume() - 8.0).abs() < 1e-12);
        let contact = Contact { pair: [0, 1], branch: [0.0, 1.0], overlap: 0.2, force: Some([0.0, 16.0]) };
        assert!((stress(&grains, &[contact]).unwrap().tensor[1][1] - 2.0).abs() < 1e-12);
    }

    #[test]
    fn a_pressed_column_has_the_stress_of_its_weight() {
        // Squares of side 1 in a box 1 wide and 3 high, pressed along y with force 6: stress 6 / 1.
        let (centers, radii) = ([[0.5, 0.5], [0.5, 1.5], [0.5, 2.5]], [0.5; 3]);
        let domain = Domain::new([0.0; 2], [1.0, 3.0], [true; 2]).unwrap();
        let grains = Grains::new(&centers, &radii, domain).unwrap();
        let contact = |pair| Contact { pair, branch: [0.0, 1.0], overlap: 0.1, force: Some([0.0, 6.0]) };
        // The third one is across the periodic border.
        let contacts = [[0, 1], [1, 2], [2, 0]].map(contact);
        let found = stress(&grains, &contacts).unwrap();
        assert_eq!(found.tensor, [[0.0, 0.0], [0.0, 6.0]]);
        assert_eq!((found.pressure, found.shear), (3.0, 3.0));
        let fabric = fabric(&contacts).unwrap();
        assert_eq!((fabric.tensor[1][1], fabric.anisotropy), (1.0, 1.0));
        let unknown = [Contact { force: None, ..contacts[0] }];
        assert_eq!(stress(&grains, &unknown), None);
    }
}
