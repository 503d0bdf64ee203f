//! Short edges for a lattice. Nothing hangs on their being the shortest but time.

use super::cell::{dot, norm};

/// Rounds after which edges are taken as they are.
const MAX_ROUNDS: usize = 200;

/// Sums of edges beyond which numbers would not fit.
const MAX_SUM: f64 = (1 << 24) as f64;

/// Vectors of the same lattice that are short, and row by row how many of each given one make them up.
pub(super) fn reduce<const D: usize>(mut vectors: Vec<[f64; D]>) -> (Vec<[f64; D]>, Vec<Vec<i32>>) {
    let count = vectors.len();
    let mut sums: Vec<Vec<i32>> = (0..count).map(|k| (0..count).map(|other| i32::from(k == other)).collect()).collect();
    for _ in 0..MAX_ROUNDS {
        let mut changed = false;
        for k in 0..count {
            for other in (0..count).filter(|&other| other != k) {
                changed |= shorten(&mut vectors, &mut sums, k, other);
            }
        }
        if !changed {
            break;
        }
    }
    (vectors, sums)
}

/// Takes as many of vector `other` from vector `k` as make it shorter.
fn shorten<const D: usize>(vectors: &mut [[f64; D]], sums: &mut [Vec<i32>], k: usize, other: usize) -> bool {
    let (long, short) = (norm(vectors[k]), norm(vectors[other]));
    let unit = vectors[other].map(|x| x / short);
    let times = (dot(vectors[k], unit) / short).round();
    if times == 0.0 || times.abs() > MAX_SUM {
        return false;
    }
    let rest: [f64; D] = std::array::from_fn(|axis| vectors[k][axis] - times * vectors[other][axis]);
    let sum: Vec<f64> = (0..sums.len()).map(|m| f64::from(sums[k][m]) - times * f64::from(sums[other][m])).collect();
    // By so much that rounding cannot make it go round in circles.
    if norm(rest) > 0.999_999 * long || sum.iter().any(|sum| sum.abs() > MAX_SUM) {
        return false;
    }
    vectors[k] = rest;
    sums[k] = sum.into_iter().map(|sum| sum as i32).collect();
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    #[test]
    fn short_vectors_are_sums_of_the_given_ones_and_span_the_same_volume() {
        let mut rng = Rng::new(3);
        for _ in 0..200 {
            let mut given = [[0.0; 3]; 3];
            for k in 0..3 {
                for axis in 0..3 {
                    given[k][axis] = 6.0 * rng.uniform() - 3.0 + f64::from(u8::from(k == axis));
                }
            }
            // A tilt of many edges.
            let times = (40.0 * rng.uniform() - 20.0).round();
            given[2] = std::array::from_fn(|axis| given[2][axis] + times * given[0][axis]);
            let (short, sums) = reduce(given.to_vec());
            for k in 0..3 {
                for axis in 0..3 {
                    let sum: f64 = (0..3).map(|m| f64::from(sums[k][m]) * given[m][axis]).sum();
                    assert!((sum - short[k][axis]).abs() < 1e-9, "{given:?} {short:?} {sums:?}");
                }
            }
            let whole = determinant(&sums);
            assert_eq!(whole.abs(), 1, "{sums:?}");
            let longest = |vectors: &[[f64; 3]]| vectors.iter().map(|&v| norm(v)).fold(0.0, f64::max);
            assert!(longest(&short) <= longest(&given) + 1e-12);
        }
    }

    fn determinant(m: &[Vec<i32>]) -> i32 {
        m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0])
            + m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])
    }
}
