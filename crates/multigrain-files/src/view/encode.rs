//! From frames to bytes: arrays by name, each in the form that suits it, and only where it differs from that of the frame before.

use super::bounds::Grid;
use super::frame::PageFrame;
use super::planes::{differences, float_bits, push_planes};
use serde::Serialize;

/// What the page knows about an array.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct ArrayMeta {
    pub name: String,
    #[serde(skip_serializing_if = "is_false")]
    pub same: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub components: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lo: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step: Option<Vec<f64>>,
    #[serde(skip_serializing_if = "is_false")]
    pub delta: bool,
}

fn is_false(flag: &bool) -> bool {
    !flag
}

/// An array before it is written: its numbers, by component.
#[derive(Debug, Clone, PartialEq)]
struct PageArray {
    name: String,
    encoding: &'static str,
    /// Bytes of a number.
    width: usize,
    components: Vec<Vec<u32>>,
}

/// Writes frames one after the other.
pub struct Encoder {
    grid: Grid,
    before: Vec<PageArray>,
}

impl Encoder {
    pub fn new(grid: Grid) -> Self {
        Self { grid, before: Vec::new() }
    }

    /// The arrays of the next frame, and their bytes.
    pub fn frame(&mut self, frame: &PageFrame) -> (Vec<ArrayMeta>, Vec<u8>) {
        let arrays = self.arrays(frame);
        let find = |name: &str| self.before.iter().find(|array| array.name == name);
        // Places are written as what they have moved where the grains are the same ones.
        let mine = arrays.iter().find(|array| array.name == "id");
        let are_same = mine.map(|array| &array.components) == find("id").map(|array| &array.components);
        let (mut metas, mut bytes) = (Vec::new(), Vec::new());
        for array in &arrays {
            let earlier = find(&array.name);
            if earlier == Some(array) {
                metas.push(ArrayMeta { name: array.name.clone(), same: true, ..ArrayMeta::default() });
                continue;
            }
            let length = array.components.first().map_or(0, Vec::len);
            let base = earlier.filter(|earlier| {
                array.encoding == "fixed" && are_same && earlier.components.first().map_or(0, Vec::len) == length
            });
            self.push(&mut bytes, array, base);
            let is_fixed = array.encoding == "fixed";
            let count = array.components.len();
            metas.push(ArrayMeta {
                name: array.name.clone(),
                same: false,
                encoding: Some(array.encoding),
                length: Some(length),
                components: Some(count),
                bytes: is_fixed.then_some(array.width),
                lo: is_fixed.then(|| self.grid.lo[..count].to_vec()),
                step: is_fixed.then(|| self.grid.step[..count].to_vec()),
                delta: base.is_some(),
            });
        }
        self.before = arrays;
        (metas, bytes)
    }

    fn push(&self, bytes: &mut Vec<u8>, array: &PageArray, base: Option<&PageArray>) {
        for (k, component) in array.components.iter().enumerate() {
            match (array.encoding, base) {
                ("fixed", Some(base)) => {
                    let moved: Vec<u32> =
                        component.iter().zip(&base.components[k]).map(|(now, then)| now.wrapping_sub(*then)).collect();
                    push_planes(bytes, &moved, array.width);
                }
                ("index", _) => push_planes(bytes, &differences(component.iter().copied()), array.width),
                _ => push_planes(bytes, component, array.width),
            }
        }
    }

    fn arrays(&self, frame: &PageFrame) -> Vec<PageArray> {
        let dimension = frame.dimension;
        let is_coarse = self.grid.is_coarse();
        let float = |name: &str, is_coarse: bool, values: &mut dyn Iterator<Item = f32>| PageArray {
            name: name.to_owned(),
            encoding: "float",
            width: 4,
            components: vec![values.map(|value| float_bits(value, is_coarse)).collect()],
        };
        let index = |name: &str, values: &mut dyn Iterator<Item = u32>| PageArray {
            name: name.to_owned(),
            encoding: "index",
            width: 4,
            components: vec![values.collect()],
        };
        let mut arrays = Vec::new();
        if let Some(ids) = &frame.ids {
            arrays.push(index("id", &mut ids.iter().copied()));
        }
        arrays.push(self.fixed("position", dimension, &frame.centers));
        arrays.push(float("radius", is_coarse, &mut frame.radii.iter().map(|&radius| radius as f32)));
        for column in &frame.columns {
            arrays.push(float(
                &format!("column:{}", column.name),
                is_coarse,
                &mut column.values.iter().map(|&value| value as f32),
            ));
        }
        if let Some(corners) = &frame.corners {
            arrays.push(index("corner.count", &mut corners.iter().map(|corners| corners.len() as u32)));
            let points: Vec<[f64; 3]> = corners.iter().flatten().map(|&[x, y]| [x, y, 0.0]).collect();
            arrays.push(self.fixed("corner", 2, &points));
        }
        if let Some(contacts) = &frame.contacts {
            arrays.push(index("contact.first", &mut contacts.iter().map(|contact| contact.pair[0])));
            arrays.push(index("contact.second", &mut contacts.iter().map(|contact| contact.pair[1])));
            if contacts.iter().any(|contact| contact.shift != [0; 3]) {
                let shifts = |axis: usize| {
                    contacts
                        .iter()
                        .map(move |contact| contact.shift[axis].clamp(-128, 127) as i8 as u8 as u32)
                        .collect()
                };
                let components = (0..dimension).map(shifts).collect();
                arrays.push(PageArray { name: "contact.shift".to_owned(), encoding: "byte", width: 1, components });
            }
            arrays.push(float("contact.value", true, &mut contacts.iter().map(|contact| contact.value as f32)));
        }
        let walls = &frame.walls;
        let triangles: Vec<[f64; 3]> = walls.triangles.iter().flatten().copied().collect();
        let edges: Vec<[f64; 3]> = walls.edges.iter().flatten().copied().collect();
        for (name, points) in [("wall.triangle", triangles), ("wall.edge", edges)] {
            if !points.is_empty() {
                let component = |axis: usize| points.iter().map(|point| (point[axis] as f32).to_bits()).collect();
                arrays.push(PageArray {
                    name: name.to_owned(),
                    encoding: "float",
                    width: 4,
                    components: (0..3).map(component).collect(),
                });
            }
        }
        arrays
    }

    /// Places on the grid.
    fn fixed(&self, name: &str, dimension: usize, points: &[[f64; 3]]) -> PageArray {
        let component = |axis: usize| points.iter().map(|point| self.grid.place(point[axis], axis)).collect();
        PageArray {
            name: name.to_owned(),
            encoding: "fixed",
            width: self.grid.bytes,
            components: (0..dimension).map(component).collect(),
        }
    }
}
