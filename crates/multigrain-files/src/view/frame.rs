//! One moment of a page.

use crate::formats::{Column, Mesh, Moment};
use crate::frame::Frame;
use multigrain::{AnySystem, Domain, System, each_dimension};

/// Grains at one moment, and what is around them. Points of the plane lie at z = 0.
#[derive(Debug, Clone, Default)]
pub struct PageFrame {
    /// What it is called where it has no time.
    pub label: String,
    /// Time, where it is known.
    pub time: Option<f64>,
    /// Steps so far, where they are known.
    pub step: Option<u64>,
    /// 2 or 3.
    pub dimension: usize,
    /// Centers.
    pub centers: Vec<[f64; 3]>,
    /// Radii; of polygons those of the circles around them.
    pub radii: Vec<f64>,
    /// Permanent ids.
    pub ids: Option<Vec<u32>>,
    /// Further numbers of the grains.
    pub columns: Vec<Column>,
    /// Corners of each grain, where they are polygons.
    pub corners: Option<Vec<Vec<[f64; 2]>>>,
    /// Contacts, where they are to be shown.
    pub contacts: Option<Vec<PageContact>>,
    /// Walls.
    pub walls: PageWalls,
    /// The box.
    pub bounds: Option<BoxEdges>,
}

/// A contact of two grains.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PageContact {
    /// Places of both in the frame.
    pub pair: [u32; 2],
    /// By how many boxes the image of the second one is shifted.
    pub shift: [i32; 3],
    /// Overlap or force.
    pub value: f64,
}

/// Walls as they are drawn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PageWalls {
    /// Surfaces.
    pub triangles: Vec<[[f64; 3]; 3]>,
    /// Edges.
    pub edges: Vec<[[f64; 3]; 2]>,
}

/// A box by a corner and the edges from there: as many as there are dimensions.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct BoxEdges {
    /// The corner.
    pub origin: [f64; 3],
    /// The edges.
    pub edges: Vec<[f64; 3]>,
    /// Whether the box is periodic along each.
    pub periodic: Vec<bool>,
}

impl PageFrame {
    /// Number of grains.
    pub fn len(&self) -> usize {
        self.radii.len()
    }

    /// Whether there are no grains.
    pub fn is_empty(&self) -> bool {
        self.radii.is_empty()
    }

    /// Spheres or discs.
    pub fn of_particles<const D: usize>(particles: &System<D>) -> Self {
        Self {
            dimension: D,
            centers: particles.centers.iter().map(|&center| in_space(center)).collect(),
            radii: particles.radii.clone(),
            bounds: BoxEdges::of(&particles.domain),
            ..Self::default()
        }
    }

    /// What a file says of one moment.
    pub fn of_moment(moment: Moment) -> Self {
        let frame = each_dimension!(&moment.system, AnySystem, particles => Self::of_particles(particles));
        let Moment { time, step, ids, mut columns, .. } = moment;
        let small = |ids: &Vec<i64>| ids.iter().map(|&id| u32::try_from(id).ok()).collect::<Option<Vec<u32>>>();
        let small_ids = ids.as_ref().and_then(small);
        if let (Some(ids), None) = (ids, &small_ids) {
            // Ids that are negative or huge are numbers like others.
            columns.push(Column { name: "id".to_owned(), values: ids.iter().map(|&id| id as f64).collect() });
        }
        Self { time, step, ids: small_ids, columns, ..frame }
    }

    /// A moment of a simulation.
    pub fn of_frame<const D: usize>(frame: &Frame<D>) -> Self {
        let component = |axis: usize| Column {
            name: format!("v{}", crate::AXES[axis]),
            values: frame.velocities.iter().map(|velocity| velocity[axis]).collect(),
        };
        let more = frame.details.iter().flat_map(|details| {
            let of = |name: &str, values: Vec<f64>| Column { name: name.to_owned(), values };
            let counts = |counts: &[u32]| counts.iter().copied().map(f64::from).collect();
            let pressure = (0..frame.ids.len()).map(|k| details.pressure(k)).collect();
            let always = [
                of("contacts", counts(&details.contacts)),
                of("wall_contacts", counts(&details.wall_contacts)),
                of("pressure", pressure),
            ];
            let bonds = details.bonds.as_ref().map(|bonds| of("bonds", counts(bonds)));
            let warm = details.temperatures.as_ref().map(|warm| of("temperature", warm.clone()));
            always.into_iter().chain(bonds).chain(warm)
        });
        let materials = frame.materials.iter().map(|&material| f64::from(material)).collect();
        Self {
            label: format!("step {}", frame.step),
            time: Some(frame.time),
            step: Some(frame.step),
            dimension: D,
            centers: frame.centers.iter().map(|&center| in_space(center)).collect(),
            radii: frame.radii.clone(),
            // Pages have ids of 32 bits, or none.
            ids: frame.ids.iter().map(|&id| u32::try_from(id).ok()).collect(),
            columns: [Column { name: "material".to_owned(), values: materials }]
                .into_iter()
                .chain((0..D).map(component))
                .chain(more)
                .collect(),
            bounds: BoxEdges::of(&frame.domain),
            corners: frame.outlines.as_ref().map(|outlines| {
                let flat = |corner: [f64; D]| [corner[0], corner[1]];
                let corners = |k: usize| frame.corners(k).unwrap_or_default().into_iter().map(flat).collect();
                (0..outlines.len()).map(corners).collect()
            }),
            ..Self::default()
        }
    }

    /// Polygons in the plane, from a file that has them; those that its array `wall` names are walls. Nothing if there are none.
    pub fn of_polygons(mesh: &Mesh) -> Option<Self> {
        if mesh.polygons.is_empty() || mesh.points.iter().any(|point| point[2] != 0.0) {
            return None;
        }
        let is_wall = |cell: usize| mesh.cell_array("wall").is_some_and(|array| array.values.get(cell) == Some(&1.0));
        let first = mesh.lines.len();
        let (walls, grains): (Vec<usize>, Vec<usize>) = (0..mesh.polygons.len()).partition(|&k| is_wall(first + k));
        let corners = |&k: &usize| -> Vec<[f64; 2]> {
            mesh.polygons[k].iter().map(|&point| [mesh.points[point][0], mesh.points[point][1]]).collect()
        };
        let grain_corners: Vec<Vec<[f64; 2]>> = grains.iter().map(corners).collect();
        let mut frame = Self { dimension: 2, time: mesh.field("TimeValue"), ..Self::default() };
        for corners in &grain_corners {
            let (center, radius) = circle_around(corners);
            frame.centers.push(in_space(center));
            frame.radii.push(radius);
        }
        let of_grains =
            |values: &[f64]| grains.iter().map(|&k| values.get(first + k).copied().unwrap_or(f64::NAN)).collect();
        for array in mesh.cell_arrays.iter().filter(|array| array.components == 1 && array.name != "wall") {
            if array.name == "id" {
                frame.ids =
                    Some(grains.iter().map(|&k| array.values.get(first + k).map_or(0, |&id| id as u32)).collect());
                continue;
            }
            // Files of simulations have one value, the speed.
            let name = if array.name == "value" { "speed" } else { &array.name };
            frame.columns.push(Column { name: name.to_owned(), values: of_grains(&array.values) });
        }
        frame.corners = Some(grain_corners);
        frame.walls = PageWalls::of_polygons(walls.iter().map(|k| corners(k).into_iter().map(in_space).collect()));
        Some(frame)
    }

    /// Keeps the grains that `keeps` names, and the contacts between them.
    pub(super) fn retain(&mut self, keeps: impl Fn(usize) -> bool) {
        let kept: Vec<usize> = (0..self.len()).filter(|&k| keeps(k)).collect();
        let mut place = vec![u32::MAX; self.len()];
        for (new, &old) in kept.iter().enumerate() {
            place[old] = new as u32;
        }
        self.centers = kept.iter().map(|&k| self.centers[k]).collect();
        self.radii = kept.iter().map(|&k| self.radii[k]).collect();
        for column in &mut self.columns {
            column.values = kept.iter().map(|&k| column.values[k]).collect();
        }
        // Those that are left keep their numbers.
        let ids = self.ids.take().unwrap_or_else(|| (0..place.len() as u32).collect());
        self.ids = Some(kept.iter().map(|&k| ids[k]).collect());
        if let Some(corners) = &mut self.corners {
            *corners = kept.iter().map(|&k| std::mem::take(&mut corners[k])).collect();
        }
        if let Some(contacts) = &mut self.contacts {
            contacts.retain(|contact| contact.pair.iter().all(|&k| place[k as usize] != u32::MAX));
            contacts.iter_mut().for_each(|contact| contact.pair = contact.pair.map(|k| place[k as usize]));
        }
    }
}

impl PageWalls {
    /// Walls out of a mesh: its polygons are surfaces, its lines edges.
    pub fn of_mesh(mesh: &Mesh) -> Self {
        let surfaces = mesh.polygons.iter().map(|polygon| polygon.iter().map(|&point| mesh.points[point]).collect());
        let triangles = surfaces.flat_map(|corners: Vec<[f64; 3]>| fan(&corners)).collect();
        let ends = |line: &Vec<usize>| -> Vec<_> {
            line.windows(2).map(|pair| [mesh.points[pair[0]], mesh.points[pair[1]]]).collect()
        };
        Self { triangles, edges: mesh.lines.iter().flat_map(ends).collect() }
    }

    /// Walls that are convex polygons, with their outlines.
    pub fn of_polygons(polygons: impl Iterator<Item = Vec<[f64; 3]>>) -> Self {
        let mut walls = Self::default();
        for corners in polygons {
            walls.triangles.extend(fan(&corners));
            walls.edges.extend((0..corners.len()).map(|k| [corners[k], corners[(k + 1) % corners.len()]]));
        }
        walls
    }
}

impl BoxEdges {
    /// The box of a domain; none if it has no finite one.
    pub fn of<const D: usize>(domain: &Domain<D>) -> Option<Self> {
        let (origin, edges) = (domain.origin(), domain.edges());
        if origin.iter().chain(edges.as_flattened()).any(|number| !number.is_finite()) {
            return None;
        }
        Some(Self {
            origin: in_space(origin),
            edges: edges.map(in_space).to_vec(),
            periodic: (0..D).map(|axis| domain.is_periodic(axis)).collect(),
        })
    }

    /// The box as a domain of space; in the plane the third edge is one long, and not periodic.
    pub(super) fn domain(&self) -> Option<Domain<3>> {
        let edge = |k: usize| match self.edges.get(k) {
            Some(edge) => *edge,
            None => std::array::from_fn(|axis| f64::from(u8::from(axis == k))),
        };
        let periodic = std::array::from_fn(|k| self.periodic.get(k).copied().unwrap_or(false));
        Domain::from_cell(self.origin, std::array::from_fn(edge), periodic).ok()
    }

    /// Its corners.
    pub(super) fn corners(&self) -> impl Iterator<Item = [f64; 3]> + '_ {
        (0..1usize << self.edges.len()).map(|bits| {
            let mut corner = self.origin;
            for (_, edge) in self.edges.iter().enumerate().filter(|(k, _)| bits >> k & 1 == 1) {
                (0..3).for_each(|axis| corner[axis] += edge[axis]);
            }
            corner
        })
    }
}

/// A point of the plane lies at z = 0.
pub(super) fn in_space<const D: usize>(point: [f64; D]) -> [f64; 3] {
    std::array::from_fn(|axis| if axis < D { point[axis] } else { 0.0 })
}

/// A convex polygon as triangles.
fn fan(corners: &[[f64; 3]]) -> Vec<[[f64; 3]; 3]> {
    (2..corners.len()).map(|k| [corners[0], corners[k - 1], corners[k]]).collect()
}

/// The mean of corners, and how far they are from it.
fn circle_around(corners: &[[f64; 2]]) -> ([f64; 2], f64) {
    let count = corners.len().max(1) as f64;
    let center = [0, 1].map(|axis| corners.iter().map(|corner| corner[axis]).sum::<f64>() / count);
    let distance = |corner: &[f64; 2]| (corner[0] - center[0]).hypot(corner[1] - center[1]);
    (center, corners.iter().map(distance).fold(0.0, f64::max))
}
