//! Contacts per grain.

use crate::Contact;

/// How many contacts grains have.
#[derive(Debug, Clone, PartialEq)]
pub struct Coordination {
    /// Contacts of each grain, those with walls included.
    pub of_grain: Vec<u32>,
    /// Contacts per grain, (2 C + W) / N: those between grains have two ends, those with walls one.
    pub mean: f64,
    /// The same of the grains that carry force, those with two contacts or more: (2 C + W - N1) / (N - N0 - N1), the mechanical
    /// coordination number of Thornton (2000).
    pub mechanical: f64,
    /// Grains without a contact and with one: rattlers.
    pub rattlers: usize,
    /// Grains with 0, 1, 2 ... contacts.
    pub histogram: Vec<u64>,
}

/// Contacts per grain; a contact with the own image counts twice. `walls` has the contacts of each grain with walls, where they
/// are known.
///
/// # Panics
///
/// If `walls` has another length than the number of grains.
pub fn coordination<const D: usize>(grains: usize, contacts: &[Contact<D>], walls: Option<&[u32]>) -> Coordination {
    let mut of_grain = walls.map_or_else(|| vec![0u32; grains], <[u32]>::to_vec);
    assert_eq!(of_grain.len(), grains, "walls have a number for each grain");
    for &grain in contacts.iter().flat_map(|contact| &contact.pair) {
        of_grain[grain as usize] += 1;
    }
    let mut histogram = vec![0u64; of_grain.iter().max().map_or(0, |&most| most as usize + 1)];
    for &own in &of_grain {
        histogram[own as usize] += 1;
    }
    let having = |number: usize| histogram.get(number).copied().unwrap_or(0) as usize;
    let rattlers = having(0) + having(1);
    let ends: usize = of_grain.iter().map(|&own| own as usize).sum();
    let ratio = |ends: usize, grains: usize| if grains == 0 { 0.0 } else { ends as f64 / grains as f64 };
    Coordination {
        mean: ratio(ends, grains),
        mechanical: ratio(ends - having(1), grains - rattlers),
        rattlers,
        histogram,
        of_grain,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contact(pair: [u32; 2]) -> Contact<2> {
        Contact { pair, branch: [1.0, 0.0], overlap: 0.1, force: None }
    }

    #[test]
    fn rattlers_are_left_out_of_the_mechanical_number() {
        // A triangle, a grain that hangs on it, and one alone.
        let found = coordination(5, &[[0, 1], [1, 2], [0, 2], [2, 3]].map(contact), None);
        assert_eq!(found.of_grain, [2, 2, 3, 1, 0]);
        assert_eq!(found.histogram, [1, 1, 2, 1]);
        assert_eq!((found.mean, found.rattlers), (8.0 / 5.0, 2));
        assert_eq!(found.mechanical, 7.0 / 3.0);
    }

    #[test]
    fn contacts_with_walls_have_one_end() {
        // The grain that hangs on the triangle leans on a wall, the one alone lies in a corner: neither is a rattler any more.
        let found = coordination(5, &[[0, 1], [1, 2], [0, 2], [2, 3]].map(contact), Some(&[0, 0, 0, 1, 2]));
        assert_eq!(found.of_grain, [2, 2, 3, 2, 2]);
        assert_eq!((found.mean, found.mechanical, found.rattlers), (11.0 / 5.0, 11.0 / 5.0, 0));
    }

    #[test]
    fn nothing_has_no_contacts() {
        let none = coordination::<3>(0, &[], None);
        assert_eq!((none.mean, none.mechanical, none.histogram.len()), (0.0, 0.0, 0));
    }
}
