//! Small square matrices: edges of boxes, and maps of space.

/// Rows, each a vector: edges of a box, or a map whose entry `[i][j]` is how much of component `j` goes into component `i`.
pub type Matrix<const D: usize> = [[f64; D]; D];

/// No edge, no map.
pub(crate) const fn zero<const D: usize>() -> Matrix<D> {
    [[0.0; D]; D]
}

/// The vector that a map makes of this one.
#[inline(always)]
pub(crate) fn map<const D: usize>(map: &Matrix<D>, x: [f64; D]) -> [f64; D] {
    std::array::from_fn(|i| {
        let mut sum = map[i][0] * x[0];
        for j in 1..D {
            sum += map[i][j] * x[j];
        }
        sum
    })
}

/// Rows whose products with the rows of `edges` are 1 for their own and 0 for the others; nothing where edges span no space.
pub(crate) fn dual<const D: usize>(edges: &Matrix<D>) -> Option<Matrix<D>> {
    // Gauss and Jordan on the matrix with edges as columns, the largest pivot first.
    let mut a: Matrix<D> = std::array::from_fn(|i| std::array::from_fn(|k| edges[k][i]));
    let mut inverse: Matrix<D> = std::array::from_fn(|i| std::array::from_fn(|k| f64::from(u8::from(i == k))));
    for column in 0..D {
        let largest = (column..D).max_by(|&p, &q| a[p][column].abs().total_cmp(&a[q][column].abs()))?;
        a.swap(column, largest);
        inverse.swap(column, largest);
        let pivot = a[column][column];
        if !(pivot.abs() > 0.0 && pivot.is_finite()) {
            return None;
        }
        for k in 0..D {
            a[column][k] /= pivot;
            inverse[column][k] /= pivot;
        }
        for row in (0..D).filter(|&row| row != column) {
            let factor = a[row][column];
            if factor != 0.0 {
                for k in 0..D {
                    a[row][k] -= factor * a[column][k];
                    inverse[row][k] -= factor * inverse[column][k];
                }
            }
        }
    }
    inverse.iter().flatten().all(|value| value.is_finite()).then_some(inverse)
}

/// The map that makes of every edge, given by the dual rows, the vector in the same row of `images`.
pub(crate) fn map_of_edges<const D: usize>(images: &Matrix<D>, dual: &Matrix<D>) -> Matrix<D> {
    std::array::from_fn(|i| {
        std::array::from_fn(|j| {
            let mut sum = images[0][i] * dual[0][j];
            for k in 1..D {
                sum += images[k][i] * dual[k][j];
            }
            sum
        })
    })
}

/// Length of a matrix as a vector of all its entries: no vector is made longer than this many times its length.
pub(crate) fn norm<const D: usize>(matrix: &Matrix<D>) -> f64 {
    matrix.iter().flatten().map(|value| value * value).sum::<f64>().sqrt()
}

/// Sum, the second one scaled.
pub(crate) fn plus<const D: usize>(a: &Matrix<D>, b: &Matrix<D>, factor: f64) -> Matrix<D> {
    std::array::from_fn(|i| std::array::from_fn(|j| a[i][j] + factor * b[i][j]))
}

/// The mean of both entries that stand across the diagonal from each other.
pub(crate) fn symmetric<const D: usize>(a: &Matrix<D>) -> Matrix<D> {
    std::array::from_fn(|i| std::array::from_fn(|j| 0.5 * (a[i][j] + a[j][i])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dual_rows_undo_edges() {
        for edges in
            [[[2.0, 0.0, 0.0], [0.7, 3.0, 0.0], [-0.4, 0.2, 1.5]], [[0.0, 2.0, 0.0], [0.0, 0.3, -1.0], [4.0, 0.0, 0.1]]]
        {
            let found = dual(&edges).unwrap();
            for (k, row) in found.iter().enumerate() {
                for (m, edge) in edges.iter().enumerate() {
                    let product: f64 = (0..3).map(|axis| row[axis] * edge[axis]).sum();
                    assert!((product - f64::from(u8::from(k == m))).abs() < 1e-14, "{edges:?} {found:?}");
                }
            }
            let same = map_of_edges(&edges, &found);
            assert!(norm(&plus(&same, &[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], -1.0)) < 1e-14);
        }
        assert_eq!(dual(&[[1.0, 2.0], [2.0, 4.0]]), None);
    }
}
