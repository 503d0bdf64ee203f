//! From space to the picture.

use multigrain::Domain;

/// Pixels around the box.
const MARGIN: f64 = 12.0;

/// How far the view of a scene in space is turned about the vertical axis, and from how far above it is seen.
const TURN: f64 = 0.5;
const ABOVE: f64 = 0.28;

/// A parallel projection: the plane as it is; space from the front, turned a little and from somewhat above, z up.
pub struct View<const D: usize> {
    /// Directions of the picture to the right, up, and away from the eye.
    axes: [[f64; D]; 3],
    /// The point of the plane of the picture at its lower left corner.
    corner: [f64; 2],
    pixels_per_length: f64,
    size: [f64; 2],
}

impl<const D: usize> View<D> {
    /// The whole box, the longer side this many pixels, in the middle of a picture of some width at least.
    /// `beyond`: how far grains reach over its borders.
    pub fn new(domain: &Domain<D>, beyond: f64, longest: f64, min_width: f64) -> Self {
        let axes = axes();
        let (lo, hi) = (domain.lo().map(|x| x - beyond), domain.hi().map(|x| x + beyond));
        let (mut first, mut last) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for bits in 0..1usize << D {
            let corner: [f64; D] = std::array::from_fn(|axis| if bits >> axis & 1 == 1 { hi[axis] } else { lo[axis] });
            for side in 0..2 {
                let along = dot(axes[side], corner);
                first[side] = first[side].min(along);
                last[side] = last[side].max(along);
            }
        }
        let extent = [last[0] - first[0], last[1] - first[1]];
        let pixels_per_length = (longest - 2.0 * MARGIN) / extent[0].max(extent[1]);
        let mut size = extent.map(|length| (length * pixels_per_length + 2.0 * MARGIN).ceil());
        if size[0] < min_width {
            first[0] -= 0.5 * (min_width - size[0]) / pixels_per_length;
            size[0] = min_width;
        }
        Self { axes, corner: first, pixels_per_length, size }
    }

    pub fn width(&self) -> usize {
        self.size[0] as usize
    }

    pub fn height(&self) -> usize {
        self.size[1] as usize
    }

    /// A length in pixels.
    pub fn pixels(&self, length: f64) -> f64 {
        length * self.pixels_per_length
    }

    /// Where a point is in the picture, from its upper left corner.
    pub fn project(&self, point: [f64; D]) -> [f64; 2] {
        let right = MARGIN + self.pixels(dot(self.axes[0], point) - self.corner[0]);
        let up = MARGIN + self.pixels(dot(self.axes[1], point) - self.corner[1]);
        [right, self.size[1] - up]
    }

    /// How far a point is from the eye.
    pub fn depth(&self, point: [f64; D]) -> f64 {
        dot(self.axes[2], point)
    }
}

fn axes<const D: usize>() -> [[f64; D]; 3] {
    let shaped = |vector: [f64; 3]| -> [f64; D] { std::array::from_fn(|axis| vector[axis]) };
    if D == 2 {
        return [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0; 3]].map(shaped);
    }
    let ((sin, cos), (sin_above, cos_above)) = (f64::sin_cos(TURN), f64::sin_cos(ABOVE));
    [[cos, sin, 0.0], [-sin * sin_above, cos * sin_above, cos_above], [-sin * cos_above, cos * cos_above, -sin_above]]
        .map(shaped)
}

fn dot<const D: usize>(u: [f64; D], v: [f64; D]) -> f64 {
    u.iter().zip(v).map(|(x, y)| x * y).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_box_fills_the_picture() {
        let domain = Domain::new([-1.0, 0.0], [3.0, 2.0], [false; 2]).unwrap();
        let view = View::new(&domain, 0.0, 424.0, 0.0);
        assert_eq!((view.width(), view.height()), (424, 224));
        assert_eq!(view.project([-1.0, 0.0]), [12.0, 212.0]);
        assert_eq!(view.project([3.0, 2.0]), [412.0, 12.0]);
        assert_eq!(view.pixels(0.5), 50.0);
        let wide = View::new(&domain, 0.0, 424.0, 624.0);
        assert_eq!((wide.width(), wide.height()), (624, 224));
        assert_eq!(wide.project([1.0, 0.0]), [312.0, 212.0]);
    }

    #[test]
    fn in_space_up_is_up_and_the_front_is_near() {
        let view = View::new(&Domain::new([0.0; 3], [1.0; 3], [false; 3]).unwrap(), 0.0, 300.0, 0.0);
        assert!(view.project([0.5, 0.5, 1.0])[1] < view.project([0.5, 0.5, 0.0])[1]);
        assert!(view.depth([0.5, 0.0, 0.5]) < view.depth([0.5, 1.0, 0.5]));
        assert!(view.project([1.0, 0.5, 0.5])[0] > view.project([0.0, 0.5, 0.5])[0]);
    }
}
