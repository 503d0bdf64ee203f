//! The smallest sphere around points.

use multigrain::Sphere;

/// Rounds after which the sphere so far is made large enough and taken. Each finds a larger support; point sets need about ten.
const MAX_ROUNDS: usize = 200;

/// By how much radii are enlarged, so that no point is outside by rounding.
const ROUNDING: f64 = 1.0 + 4.0 * f64::EPSILON;

/// The smallest sphere that holds all points; nothing for none. Exact up to rounding, on the safe side: no point is outside.
///
/// It is found from few points that hold it on all sides (at most D + 1): as long as a point is outside, the farthest joins
/// them, and the smallest sphere of these few is sought among the spheres around each choice of them.
///
/// ```
/// use multigrain_meshes::enclosing_sphere;
/// let flat = enclosing_sphere(&[[0.0, 0.0], [4.0, 0.0], [2.0, 0.5]]).unwrap();
/// assert_eq!(flat.center, [2.0, 0.0]); // the longest side is a diameter
/// assert!((flat.radius - 2.0).abs() < 1e-12);
/// ```
pub fn enclosing_sphere<const D: usize>(points: &[[f64; D]]) -> Option<Sphere<D>> {
    let mut center = *points.first()?;
    let mut support = vec![center];
    let mut radius = 0.0;
    for _ in 0..MAX_ROUNDS {
        let (far, distance) = farthest(points, center);
        if distance <= radius * ROUNDING {
            break;
        }
        support.push(far);
        let found = smallest(&mut support);
        // A sphere around more points is larger, but for rounding.
        if found.radius <= radius {
            break;
        }
        Sphere { center, radius } = found;
    }
    Some(Sphere { center, radius: farthest(points, center).1 * ROUNDING })
}

/// The point farthest from `center`, and its distance.
fn farthest<const D: usize>(points: &[[f64; D]], center: [f64; D]) -> ([f64; D], f64) {
    let mut far = (center, 0.0);
    for &point in points {
        let distance = norm(difference(point, center));
        if distance > far.1 {
            far = (point, distance);
        }
    }
    far
}

/// The smallest sphere around at most D + 2 points; those that hold it stay. Every center gets the radius that holds all points,
/// so that rounding never leaves one outside.
fn smallest<const D: usize>(points: &mut Vec<[f64; D]>) -> Sphere<D> {
    let mut best = (Sphere { center: points[0], radius: f64::INFINITY }, 1u32);
    for chosen in 1u32..1 << points.len() {
        if chosen.count_ones() as usize > D + 1 {
            continue;
        }
        let some: Vec<[f64; D]> = (0..points.len()).filter(|k| chosen >> k & 1 == 1).map(|k| points[k]).collect();
        if let Some(center) = circumcenter(&some) {
            let radius = farthest(points, center).1;
            if radius < best.0.radius {
                best = (Sphere { center, radius }, chosen);
            }
        }
    }
    let mut k = 0;
    points.retain(|_| {
        k += 1;
        best.1 >> (k - 1) & 1 == 1
    });
    best.0
}

/// The point of the line, plane or space through these points that is equally far from all; nothing if they do not span one.
fn circumcenter<const D: usize>(points: &[[f64; D]]) -> Option<[f64; D]> {
    let base = points[0];
    let scale = points.iter().map(|&point| norm(difference(point, base))).fold(0.0, f64::max);
    if scale == 0.0 {
        return (points.len() == 1).then_some(base);
    }
    let edges: Vec<[f64; D]> =
        points[1..].iter().map(|&point| difference(point, base).map(|along| along / scale)).collect();
    // The center is base + sum of weight * edge, with edge . (2 center - edge) = 0 for each.
    let mut rows: Vec<Vec<f64>> = edges
        .iter()
        .map(|&edge| edges.iter().map(|&other| dot(edge, other)).chain([0.5 * dot(edge, edge)]).collect())
        .collect();
    let count = rows.len();
    for column in 0..count {
        let pivot = (column..count).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        if rows[column][column].abs() < 1e-14 {
            return None;
        }
        for row in 0..count {
            if row != column {
                let factor = rows[row][column] / rows[column][column];
                for k in column..=count {
                    rows[row][k] -= factor * rows[column][k];
                }
            }
        }
    }
    let weight = |k: usize| rows[k][count] / rows[k][k];
    Some(std::array::from_fn(|axis| base[axis] + scale * (0..count).map(|k| weight(k) * edges[k][axis]).sum::<f64>()))
}

fn difference<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|axis| a[axis] * b[axis]).sum()
}

fn norm<const D: usize>(vector: [f64; D]) -> f64 {
    dot(vector, vector).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::Rng;

    fn assert_sphere<const D: usize>(points: &[[f64; D]], center: [f64; D], radius: f64) {
        let found = enclosing_sphere(points).unwrap();
        let scale = radius.max(1e-300);
        assert!((found.radius - radius).abs() <= 1e-12 * scale, "{points:?}: radius {}, not {radius}", found.radius);
        assert!(norm(difference(found.center, center)) <= 1e-7 * scale, "{points:?}: {:?}", found.center);
    }

    #[test]
    fn few_points_have_their_smallest_sphere() {
        assert_eq!(enclosing_sphere::<3>(&[]), None);
        assert_sphere(&[[1.0, 2.0, 3.0]], [1.0, 2.0, 3.0], 0.0);
        assert_sphere(&[[1.0, 2.0, 3.0]; 4], [1.0, 2.0, 3.0], 0.0);
        assert_sphere(&[[0.0, 0.0, 0.0], [2.0, 0.0, 0.0]], [1.0, 0.0, 0.0], 1.0);
        // Obtuse, right and acute triangles.
        assert_sphere(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [1.0, 0.5, 0.0]], [2.0, 0.0, 0.0], 2.0);
        assert_sphere(&[[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [0.0, 3.0, 0.0]], [2.0, 1.5, 0.0], 2.5);
        let height = 0.75f64.sqrt();
        assert_sphere(&[[0.0, 0.0], [1.0, 0.0], [0.5, height]], [0.5, height / 3.0], 2.0 * height / 3.0);
        // On a line, and a regular tetrahedron.
        assert_sphere(&[[0.0, 0.0, 0.0], [1.0, 1.0, 1.0], [4.0, 4.0, 4.0]], [2.0, 2.0, 2.0], 12f64.sqrt());
        let corners = [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]];
        assert_sphere(&corners, [0.0; 3], 3f64.sqrt());
        // A flat one, whose longest edge is a diameter.
        assert_sphere(&[[0.0, 0.0, 0.0], [10.0, 0.0, 0.0], [5.0, 1.0, 0.0], [5.0, 0.0, 1.0]], [5.0, 0.0, 0.0], 5.0);
        for scale in [1e-120, 1e120] {
            assert_sphere(&corners.map(|corner| corner.map(|x| x * scale)), [0.0; 3], 3f64.sqrt() * scale);
        }
    }

    /// Every point is inside, and no sphere around two, three or four of them that holds all is smaller.
    #[test]
    fn point_sets_have_no_smaller_sphere() {
        let mut rng = Rng::new(1);
        for round in 0..300 {
            let count = 2 + round % 11;
            let mut points: Vec<[f64; 3]> = (0..count).map(|_| std::array::from_fn(|_| rng.normal())).collect();
            match round % 4 {
                1 => points.iter_mut().for_each(|point| point[2] = 0.25),
                2 => points.iter_mut().for_each(|point| *point = point.map(|x| x.round())),
                3 => {
                    let on_sphere = |point: &mut [f64; 3]| {
                        let length = norm(*point);
                        *point = point.map(|x| x / length);
                    };
                    points.iter_mut().for_each(on_sphere);
                }
                _ => (),
            }
            let found = enclosing_sphere(&points).unwrap();
            assert!(points.iter().all(|&point| norm(difference(point, found.center)) <= found.radius));
            let mut least = f64::INFINITY;
            for chosen in (1u32..1 << count).filter(|chosen| chosen.count_ones() <= 4) {
                let some: Vec<[f64; 3]> = (0..count).filter(|k| chosen >> k & 1 == 1).map(|k| points[k]).collect();
                if let Some(center) = circumcenter(&some) {
                    least = least.min(farthest(&points, center).1);
                }
            }
            assert!(found.radius <= least * (1.0 + 1e-10), "{points:?}: {} above {least}", found.radius);
        }
    }

    #[test]
    fn many_points_end_soon() {
        let mut rng = Rng::new(2);
        let points: Vec<[f64; 3]> = (0..100_000).map(|_| std::array::from_fn(|_| rng.uniform() - 0.5)).collect();
        let found = enclosing_sphere(&points).unwrap();
        assert!(points.iter().all(|&point| norm(difference(point, found.center)) <= found.radius));
        assert!(found.radius < 0.75f64.sqrt() && found.radius > 0.84, "{}", found.radius);
    }
}
