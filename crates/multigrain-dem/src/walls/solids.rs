//! Faces as something solid that polygons overlap.

use super::features::Feature;
use super::obstacles::Obstacles;
use crate::error::Error;
use crate::vector::{add_scaled, dot, length, sub, unit};
use multigrain_polygons::{ConvexPolygon, Frame, Outline};

/// A polygon in its place.
#[derive(Debug, Clone)]
pub(super) struct Solid {
    shape: ConvexPolygon,
    frame: Frame,
}

impl Solid {
    fn new<const D: usize>(corners: &[[f64; D]]) -> Option<Self> {
        let flat: Vec<[f64; 2]> = corners.iter().map(|corner| [corner[0], corner[1]]).collect();
        let shape = ConvexPolygon::new(&flat).ok()?;
        let frame = shape.as_given().frame();
        Some(Self { shape, frame })
    }

    /// A polygon is itself. A plate is as thick as it is long, behind the side that is touched: on its own normal's side first.
    pub fn of<const D: usize>(feature: &Feature<D>) -> [Option<Self>; 2] {
        match feature {
            Feature::Polygon { corners } => [Self::new(corners), None],
            Feature::Plate { corners, normal } => match corners[..] {
                [a, b] => [1.0, -1.0].map(|side: f64| {
                    let back = -side * length(sub(b, a));
                    Self::new(&[a, b, add_scaled(b, *normal, back), add_scaled(a, *normal, back)])
                }),
                _ => [None, None],
            },
            Feature::Plane { .. } | Feature::Cylinder { .. } | Feature::Funnel { .. } | Feature::Disc { .. } => {
                [None, None]
            }
        }
    }

    fn outline(&self) -> Outline<'_> {
        Outline::Polygon(self.shape.at(self.frame))
    }
}

impl<const D: usize> Obstacles<D> {
    /// Makes faces solid, for bodies that overlap them. An error where there are polygons, and a wall that they cannot meet.
    pub fn make_solids(&mut self, has_polygons: bool) -> Result<(), Error> {
        let is_round = |feature: &Feature<D>| matches!(feature, Feature::Cylinder { .. });
        if let Some(k) = self.others.iter().position(is_round).filter(|_| has_polygons) {
            let wall = self.surface((self.faces.len() + k) as u32).wall;
            let problem = "is a cylinder, which polygons cannot meet: take a ring of plates or polygons";
            return Err(Error::Wall { wall, problem });
        }
        if let Some(wall) = self.first_mesh() {
            let problem = "is a mesh, which polygons and laws of areas cannot meet: take plates or polygons";
            return Err(Error::Wall { wall, problem });
        }
        self.solids = Some(self.others.iter().map(Solid::of).collect());
        Ok(())
    }

    /// A face as a body whose center is here overlaps it; nothing where there is no one side of it.
    pub fn outline(&self, face: u32, x: [f64; D]) -> Option<Outline<'_>> {
        let flat = |x: [f64; D]| [x[0], x[1]];
        if let Some(face) = self.faces.get(face as usize) {
            let (mut point, mut normal) = ([0.0; 2], [0.0; 2]);
            (point[face.axis], normal[face.axis]) = (face.at, face.side);
            // The point next to the body, so that nothing is lost to rounding along the face.
            point[1 - face.axis] = x[1 - face.axis];
            return Some(Outline::HalfPlane { point, normal });
        }
        let k = face as usize - self.faces.len();
        let solids = &self.solids.as_ref()?[k];
        match &self.others[k] {
            Feature::Plane { normal, at } => {
                let point = add_scaled(x, *normal, at - dot(*normal, x));
                Some(Outline::HalfPlane { point: flat(point), normal: flat(*normal) })
            }
            // A disc meets it as it meets the plane through the nearest point.
            Feature::Cylinder { point, radius, .. } => {
                let out = unit(sub(x, *point))?;
                let nearest = add_scaled(*point, out, *radius);
                Some(Outline::HalfPlane { point: flat(nearest), normal: flat(out).map(|component| -component) })
            }
            Feature::Plate { corners, normal } => {
                let side = usize::from(dot(*normal, sub(x, corners[0])) < 0.0);
                solids[side].as_ref().map(Solid::outline)
            }
            Feature::Polygon { .. } => solids[0].as_ref().map(Solid::outline),
            Feature::Funnel { .. } | Feature::Disc { .. } => None,
        }
    }
}
