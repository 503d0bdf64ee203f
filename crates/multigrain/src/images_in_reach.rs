//! How many contacts with images there will be at least, before anything is searched: a periodic box far smaller than the bodies in it
//! makes more of them than any list can hold.

use crate::limits::MAX_CONTACTS_WITH_IMAGES;
use crate::sizes::ball_volume;
use crate::{Error, Snapshot};

/// Bodies that fill the periodic box so many times over overlap wherever they are.
const CROWDED: f64 = 4.0;

impl<const D: usize> Snapshot<'_, D> {
    /// The same bodies, refused where the periodic box is so small that it makes more contacts of them than a list should hold: for those
    /// who take boxes from others. A search that is not asked this takes any memory. Boxes that are not far smaller than what bodies
    /// reach are taken, however many contacts there are.
    ///
    /// ```
    /// use multigrain::{Domain, Error, Snapshot};
    /// let tiny = Domain::periodic([0.0; 3], [1e-3; 3])?;
    /// let now = Snapshot::new(&[[0.0; 3]], &[1.0])?.within(tiny)?;
    /// assert!(matches!(now.with_few_images(), Err(Error::TooManyImages { .. })));
    /// # Ok::<(), Error>(())
    /// ```
    pub fn with_few_images(self) -> Result<Self, Error> {
        if self.largest_reach() <= 2.0 * self.periodic_lengths().fold(f64::INFINITY, f64::min) {
            return Ok(self);
        }
        match self.contacts_with_images() {
            contacts if contacts > MAX_CONTACTS_WITH_IMAGES => Err(Error::TooManyImages { contacts }),
            _ => Ok(self),
        }
    }

    /// Lengths of the periodic edges of the box.
    fn periodic_lengths(&self) -> impl Iterator<Item = f64> + '_ {
        let domain = self.domain();
        let length = |k: usize| domain.edges()[k].iter().map(|x| x * x).sum::<f64>().sqrt();
        (0..D).filter(|&k| domain.is_periodic(k)).map(length)
    }

    /// About how many contacts there are because the periodic box is too small for the bodies; 0 in boxes that are not. The images in
    /// reach of a body that is wider than the box are as many as boxes fit into a ball; where bodies fill a box several times over, that
    /// is so of all of them.
    pub fn contacts_with_images(&self) -> f64 {
        let domain = self.domain();
        let lengths: Vec<f64> = self.periodic_lengths().collect();
        let longest = lengths.iter().copied().fold(0.0, f64::max);
        if lengths.is_empty() || self.is_empty() {
            return 0.0;
        }
        let is_wide = |reach: &f64| *reach > 2.0 * longest;
        let reaches = || self.radii().iter().map(|radius| 2.0 * radius + self.margin());
        if lengths.len() < D {
            if !is_wide(&self.largest_reach()) {
                return 0.0;
            }
            // Others may be far away along an open axis: images of their own alone.
            let volume: f64 = lengths.iter().product();
            return 0.5
                * reaches().filter(is_wide).map(|reach| ball_volume(reach, lengths.len()) / volume).sum::<f64>();
        }
        let volume = domain.volume();
        // An upper bound first: it takes no look at all bodies.
        let most = self.len() as f64 * ball_volume(0.5 * self.largest_reach(), D);
        if most <= CROWDED * volume {
            return 0.0;
        }
        let is_crowded = reaches().map(|reach| ball_volume(0.5 * reach, D)).sum::<f64>() > CROWDED * volume;
        // The sum of (a + b)^D over all pairs, from sums of powers.
        let powers = reaches()
            .filter(|reach| is_crowded || is_wide(reach))
            .fold([0.0; 4], |sum, reach| std::array::from_fn(|k| sum[k] + (0.5 * reach).powi(k as i32)));
        let sum = match D {
            2 => 2.0 * (powers[0] * powers[2] + powers[1] * powers[1]),
            _ => 2.0 * (powers[0] * powers[3] + 3.0 * powers[1] * powers[2]),
        };
        0.5 * ball_volume(1.0, D) * sum / volume
    }
}

#[cfg(test)]
mod tests {
    use crate::{Domain, Error, Rng, Snapshot, find_pairs};

    fn found_and_foretold<const D: usize>(radius: f64, count: usize, periodic: [bool; D]) -> [f64; 2]
    where
        crate::Axes: crate::Dimension<D>,
    {
        let mut rng = Rng::new(5);
        let centers: Vec<[f64; D]> = (0..count).map(|_| std::array::from_fn(|_| rng.uniform())).collect();
        let radii: Vec<f64> = (0..count).map(|_| radius * (1.0 + rng.uniform())).collect();
        let unit = Domain::new([0.0; D], [1.0; D], periodic).unwrap();
        let now = Snapshot::new(&centers, &radii).unwrap().within(unit).unwrap();
        [find_pairs(now).len() as f64, now.contacts_with_images()]
    }

    #[test]
    fn contacts_with_images_are_foretold() {
        for [found, foretold] in [
            found_and_foretold(2.0, 20, [true; 2]),
            found_and_foretold(2.0, 5, [true; 3]),
            found_and_foretold(0.2, 400, [true; 2]),
            found_and_foretold(0.2, 400, [true; 3]),
        ] {
            assert!((foretold / found - 1.0).abs() < 0.1, "{found} found, {foretold} foretold");
        }
        let [found, foretold] = found_and_foretold(20.0, 3, [true, false, false]);
        assert!(foretold > 50.0 && foretold < found, "own images alone: {found} found, {foretold} foretold");
    }

    #[test]
    fn boxes_that_are_wide_are_never_refused() {
        let mut rng = Rng::new(6);
        // Some 1.5e8 contacts of points over a wide margin, as for a pair correlation: many, but none because the box is small.
        let centers: Vec<[f64; 3]> = (0..500_000).map(|_| std::array::from_fn(|_| 84.0 * rng.uniform())).collect();
        let radii = vec![0.0; centers.len()];
        let within = |side: f64| {
            let domain = Domain::periodic([0.0; 3], [side; 3]).unwrap();
            Snapshot::new(&centers, &radii).unwrap().within(domain).unwrap().with_margin(5.5).unwrap()
        };
        assert!(within(84.0).contacts_with_images() > crate::limits::MAX_CONTACTS_WITH_IMAGES);
        assert!(within(84.0).with_few_images().is_ok());
        assert!(matches!(within(2.0).with_few_images(), Err(Error::TooManyImages { .. })));
    }

    #[test]
    fn boxes_wider_than_their_bodies_foretell_nothing() {
        assert_eq!(found_and_foretold(0.05, 400, [true; 3])[1], 0.0);
        assert_eq!(found_and_foretold(0.2, 40, [false; 3])[1], 0.0);
        assert_eq!(found_and_foretold(0.2, 40, [true, false, true])[1], 0.0);
    }
}
