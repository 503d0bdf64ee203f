//! What tuning knows of the bodies of a snapshot: a sample of their sizes, and how much of space they fill.

use super::row_model::RowModel;
use crate::error::Error;
use crate::snapshot::Snapshot;
use multigrain_sizes::Distribution;

/// Most and fewest bodies looked at, and one of how many in between: the look must not cost more than it saves.
const MAX_SAMPLED: usize = 1 << 13;
const MIN_SAMPLED: usize = 1 << 10;
const ONE_OF: usize = 80;

/// Sampled bodies per cell of the space that they fill: fewer leave cells empty by chance.
const BODIES_PER_CELL: usize = 4;

/// Thinnest box, in radii of the largest body: its cube must stay a number.
const THINNEST: f64 = 1e-30;

/// Sizes that stand for the bodies larger than all sampled ones.
const SIZES_OF_TAIL: usize = 6;

/// Bodies as tuning sees them: a sample of at most a few thousand sizes and places, the exact largest size, the exact bounds.
///
/// ```
/// use multigrain::{Rng, Snapshot, sizes::SizeLaw, tuning::BodySample};
/// let radii = SizeLaw::power(-3.0, 50.0)?.sample(50_000, 3);
/// let mut rng = Rng::new(1);
/// let centers: Vec<[f64; 3]> = radii.iter().map(|_| [(); 3].map(|()| 200.0 * rng.uniform())).collect();
/// let sample = BodySample::of(&Snapshot::new(&centers, &radii)?).expect("bodies with sizes");
/// let tuning = sample.model()?.tune(None)?;
/// assert!(tuning.levels.as_slice().len() > 1);
/// # Ok::<(), multigrain::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct BodySample<const D: usize> {
    sizes: Distribution,
    particles: usize,
    lengths: [f64; D],
    periodic: [bool; D],
    filled: f64,
}

impl<const D: usize> BodySample<D> {
    /// Looks at some bodies of `now`, always the same ones. `None` if nothing has a size.
    pub fn of(now: &Snapshot<'_, D>) -> Option<Self> {
        Self::with_stride(now, stride_of(now.len()))
    }

    /// Looks at every body: for a forecast, which may take longer than a choice.
    pub fn of_all(now: &Snapshot<'_, D>) -> Option<Self> {
        Self::with_stride(now, 1)
    }

    fn with_stride(now: &Snapshot<'_, D>, stride: usize) -> Option<Self> {
        let largest = now.largest_reach() / 2.0;
        if now.is_empty() || largest == 0.0 {
            return None;
        }
        let (sizes, typical) = sizes_of(now, stride, largest);
        let domain = now.domain();
        let extent = now.extent();
        let lengths: [f64; D] = std::array::from_fn(|axis| match domain.is_periodic(axis) {
            true => domain.length(axis),
            // Bodies in a plane fill a layer. It is as thick as most of them, not as a giant among them.
            false => (extent.hi[axis] - extent.lo[axis]).max(2.0 * typical).max(THINNEST * largest),
        });
        let filled = filled_share(now, stride, lengths);
        let periodic = std::array::from_fn(|axis| domain.is_periodic(axis));
        Some(Self { sizes, particles: now.len(), lengths, periodic, filled })
    }

    /// The share of the box in which there are bodies.
    pub fn filled_share(&self) -> f64 {
        self.filled
    }

    /// The fast grid's cost model for these bodies.
    pub fn model(&self) -> Result<RowModel<'_, D>, Error> {
        RowModel::in_box(&self.sizes, self.particles, self.lengths, self.periodic)?.with_filled_share(self.filled)
    }
}

/// Distance of sampled bodies in their list: without small divisors, so that no short pattern of sizes can fool the
/// sample.
fn stride_of(bodies: usize) -> usize {
    let sampled = (bodies / ONE_OF).clamp(MIN_SAMPLED, MAX_SAMPLED);
    let mut stride = bodies.div_ceil(sampled).max(1);
    while stride > 1 && [2, 3, 5, 7].iter().any(|&divisor| stride.is_multiple_of(divisor)) {
        stride += 1;
    }
    stride
}

/// The sizes of sampled bodies, and some for those few that are larger than all of these: as many as one step of the
/// sample may pass over, fewer towards the largest of all, which is known. With them the typical size, above 0.
fn sizes_of<const D: usize>(now: &Snapshot<'_, D>, stride: usize, largest: f64) -> (Distribution, f64) {
    let half_margin = now.margin() / 2.0;
    // The bits of numbers that are not negative sort as the numbers do, and integers sort faster.
    let mut bits: Vec<u64> =
        now.radii().iter().step_by(stride).map(|radius| (radius + half_margin).to_bits()).collect();
    bits.sort_unstable();
    let mut radii: Vec<f64> = bits.into_iter().map(f64::from_bits).collect();
    let median = radii[radii.len() / 2];
    let typical = if median > 0.0 { median } else { largest };
    let mut weights = vec![stride as f64; radii.len()];
    let seen = radii[radii.len() - 1];
    if seen < largest {
        let passed_over = (stride as f64 / 2.0).max(1.0);
        let above = |step: usize| passed_over.powf(1.0 - step as f64 / SIZES_OF_TAIL as f64);
        for step in 1..SIZES_OF_TAIL {
            let radius = seen.max(largest / f64::MAX.sqrt());
            radii.push(radius * (largest / radius).powf(step as f64 / SIZES_OF_TAIL as f64));
            weights.push(above(step - 1) - above(step));
        }
        radii.push(largest);
        weights.push(1.0);
    }
    (Distribution::of_weighted(radii, weights), typical)
}

/// The share of the space in which there are bodies: of cells much larger than the distance between bodies, those that
/// are occupied.
fn filled_share<const D: usize>(now: &Snapshot<'_, D>, stride: usize, lengths: [f64; D]) -> f64 {
    let lo: [f64; D] = std::array::from_fn(|axis| match now.domain().is_periodic(axis) {
        true => now.domain().lo()[axis],
        false => now.extent().lo[axis],
    });
    // Every axis is cut into 2^BITS parts, and the bits of all axes interleaved: a prefix of the number is a coarser cell.
    const BITS: u32 = 10;
    let parts = f64::from(1 << BITS);
    let per_length = lengths.map(|length| parts / length);
    let mut places: Vec<u32> = (now.centers().iter().step_by(stride))
        .map(|center| {
            let mut place = 0;
            for axis in 0..D {
                let along = (center[axis] - lo[axis]) * per_length[axis];
                let along = if now.domain().is_periodic(axis) { along.rem_euclid(parts) } else { along };
                place |= spread::<D>((along as u32).min((1 << BITS) - 1)) << axis;
            }
            place
        })
        .collect();
    places.sort_unstable();
    let mut filled = 1.0f64;
    for depth in 1..=BITS {
        let shift = (BITS - depth) * D as u32;
        let occupied = 1 + places.windows(2).filter(|pair| pair[0] >> shift != pair[1] >> shift).count();
        if places.len() < BODIES_PER_CELL * occupied {
            break;
        }
        filled = occupied as f64 / f64::from(1 << depth).powi(D as i32);
    }
    filled
}

/// Ten bits of a number with room for the other axes between them.
fn spread<const D: usize>(bits: u32) -> u32 {
    match D {
        2 => {
            let bits = (bits | bits << 8) & 0x00ff_00ff;
            let bits = (bits | bits << 4) & 0x0f0f_0f0f;
            let bits = (bits | bits << 2) & 0x3333_3333;
            (bits | bits << 1) & 0x5555_5555
        }
        _ => {
            let bits = (bits | bits << 16) & 0x0300_00ff;
            let bits = (bits | bits << 8) & 0x0300_f00f;
            let bits = (bits | bits << 4) & 0x030c_30c3;
            (bits | bits << 2) & 0x0924_9249
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn bits_of_axes_do_not_meet() {
        for bits in [0, 1, 0b10_1101_0011, 1023] {
            let expected = |dimension: u32| (0..10).map(|bit| (bits >> bit & 1) << (bit * dimension)).sum::<u32>();
            assert_eq!((spread::<2>(bits), spread::<3>(bits)), (expected(2), expected(3)));
        }
    }

    #[test]
    fn strides_have_no_small_divisors() {
        for bodies in [1, 5000, 50_000, 100_000, 1_000_000, 10_000_000] {
            let stride = stride_of(bodies);
            assert!(stride == 1 || ![2, 3, 5, 7].iter().any(|&divisor| stride.is_multiple_of(divisor)));
            assert!(bodies / stride <= MAX_SAMPLED && bodies.div_ceil(stride) >= bodies.min(MIN_SAMPLED / 3));
        }
    }

    #[test]
    fn the_filled_share_is_that_of_the_clusters() {
        let mut rng = Rng::new(3);
        let mut cloud = |corner: f64, width: f64, count: usize| -> Vec<[f64; 3]> {
            (0..count).map(|_| std::array::from_fn(|_| corner + width * rng.uniform())).collect()
        };
        let even = cloud(0.0, 100.0, 50_000);
        let mut clustered = cloud(0.0, 10.0, 25_000);
        clustered.extend(cloud(90.0, 10.0, 25_000));
        let radii = vec![0.1; 50_000];
        let share = |centers: &[[f64; 3]]| BodySample::of(&Snapshot::new(centers, &radii).unwrap()).unwrap().filled;
        assert!((0.9..=1.0).contains(&share(&even)), "{}", share(&even));
        assert!((0.002..0.005).contains(&share(&clustered)), "{}", share(&clustered));
    }

    #[test]
    fn giants_that_the_sample_passes_over_are_known() {
        let mut radii = vec![1.0; 100_000];
        radii[77] = 500.0;
        let centers: Vec<[f64; 2]> = (0..radii.len()).map(|k| [k as f64, 0.0]).collect();
        let sampled = BodySample::of(&Snapshot::new(&centers, &radii).unwrap().with_margin(2.0).unwrap()).unwrap();
        assert_eq!(sampled.sizes.largest(), 501.0);
        let giants = sampled.sizes.between(300.0, 600.0)[0] * 100_000.0;
        assert!((0.9..4.0).contains(&giants), "{giants}");
        let all = BodySample::of_all(&Snapshot::new(&centers, &radii).unwrap()).unwrap();
        assert_eq!((all.sizes.between(1.0, 499.0)[0], all.sizes.between(499.0, 500.0)[0]), (0.0, 1e-5));
    }

    #[test]
    fn giants_larger_than_the_box_do_not_make_it_larger() {
        let mut rng = Rng::new(5);
        let centers: Vec<[f64; 3]> = (0..20_000).map(|_| std::array::from_fn(|_| 60.0 * rng.uniform())).collect();
        let mut radii = vec![1.0; centers.len()];
        let finest = |radii: &[f64]| {
            let sampled = BodySample::of(&Snapshot::new(&centers, radii).unwrap()).unwrap();
            sampled.model().unwrap().tune(None).unwrap().levels.as_slice()[0].cell_size
        };
        let without = finest(&radii);
        for giant in [100.0, 1e6, 1e12] {
            radii[77] = giant;
            assert!((finest(&radii) / without - 1.0).abs() < 0.2, "{giant}: {} and {without}", finest(&radii));
        }
    }

    #[test]
    fn nothing_has_no_sample() {
        assert!(BodySample::of(&Snapshot::<2>::new(&[], &[]).unwrap()).is_none());
        assert!(BodySample::of(&Snapshot::new(&[[0.0; 2]; 3], &[0.0; 3]).unwrap()).is_none());
    }
}
