//! The C interface: any numbers, null pointers, wrong dimensions and names, in any order. Its answers are those of brute force.

use super::Outcome;
use crate::bytes::Bytes;
use multigrain::detectors::BruteForce;
use multigrain::{Axes, Detector, Dimension, Domain, Error, Pairs, Snapshot};
use multigrain_c::{
    MgDetector, MgPairs, MgStatus, MgSystem, mg_detector_free, mg_detector_new, mg_find_pairs, mg_find_pairs_between,
    mg_last_error, mg_pairs_count, mg_pairs_free, mg_pairs_indices, mg_pairs_new, mg_pairs_shifts, mg_version,
};
use multigrain_methods::Method;
use std::ffi::{CStr, CString};
use std::ptr::{null, null_mut};

/// More images than this are not asked for.
const MAX_IMAGES: f64 = 500.0;

/// A system with arrays of its own.
struct Own {
    dimension: u32,
    centers: Vec<f64>,
    radii: Vec<f64>,
    origin: Vec<f64>,
    edges: Vec<f64>,
    periodic: Vec<u8>,
    groups: Vec<u32>,
    margin: f64,
    has: [bool; 4],
}

pub fn run(input: &[u8]) -> Outcome {
    let mut bytes = Bytes::new(input);
    let dimension = bytes.pick(&[2, 3, 2, 3, 2, 3, 0, 7]);
    let name = match bytes.below(14) {
        0 => None,
        1 => Some(CString::new("no such method").expect("no zeros in it")),
        k => Some(CString::new(Method::ALL[k as usize % Method::ALL.len()].name()).expect("no zeros in it")),
    };
    // SAFETY: null or text that ends with a zero.
    #[allow(unsafe_code)]
    let detector = unsafe { mg_detector_new(dimension, name.as_ref().map_or(null(), |name| name.as_ptr())) };
    let pairs = mg_pairs_new();
    let mut checked = 0;
    for _ in 0..1 + bytes.below(4) {
        let own_dimension = if bytes.is_one_in(10) { bytes.pick(&[2, 3]) } else { dimension };
        let [a, b] = [(); 2].map(|()| Own::random(&mut bytes, own_dimension));
        if !a.is_feasible() || !b.is_feasible() {
            continue;
        }
        checked += call(detector, &a, &b, pairs, &mut bytes);
    }
    let is_made = !detector.is_null();
    // SAFETY: both came from the library, and are not used again; null is fine.
    #[allow(unsafe_code)]
    unsafe {
        mg_detector_free(detector);
        mg_pairs_free(pairs);
        assert!(!CStr::from_ptr(mg_version()).is_empty());
    }
    Outcome { is_accepted: is_made, behaviour: checked, checked }
}

/// One call, of one set or two, with what C programs get wrong now and then.
fn call(detector: *mut MgDetector, a: &Own, b: &Own, pairs: *mut MgPairs, bytes: &mut Bytes<'_>) -> u64 {
    let (mut first, second) = (a.system(), b.system());
    let breaks = bytes.below(24);
    match breaks {
        0 => first.centers = null(),
        1 => first.radii = null(),
        _ => (),
    }
    let (detector, list) = if breaks == 2 { (null_mut(), pairs) } else { (detector, pairs) };
    let (system, list) = match breaks {
        3 => (null(), list),
        4 => (&raw const first, null_mut()),
        _ => (&raw const first, list),
    };
    let is_between = breaks == 5;
    // SAFETY: pointers are null, or came from the library, or lead to arrays that live as long as the call.
    #[allow(unsafe_code)]
    let (status, text) = unsafe {
        let status = match is_between {
            true => mg_find_pairs_between(detector, system, &raw const second, list),
            false => mg_find_pairs(detector, system, list),
        };
        (status, CStr::from_ptr(mg_last_error()).to_string_lossy().into_owned())
    };
    assert_ne!(status, MgStatus::Internal, "{text}");
    if status != MgStatus::Ok {
        assert!(!text.is_empty());
        return 0;
    }
    if is_between {
        return 1;
    }
    let expected = match a.dimension {
        2 => a.expected::<2>(),
        _ => a.expected::<3>(),
    };
    let (indices, shifts) = expected.unwrap_or_else(|error| panic!("it was taken, though {error}"));
    // SAFETY: the list was filled by the call, and is as long as it says.
    #[allow(unsafe_code)]
    let found = unsafe {
        let count = mg_pairs_count(list);
        let length = if mg_pairs_shifts(list).is_null() { 0 } else { count * a.dimension as usize };
        let of = |data: *const i32, length: usize| match length {
            0 => Vec::new(),
            _ => std::slice::from_raw_parts(data, length).to_vec(),
        };
        let indices = match count {
            0 => Vec::new(),
            _ => std::slice::from_raw_parts(mg_pairs_indices(list), 2 * count).to_vec(),
        };
        (indices, of(mg_pairs_shifts(list), length))
    };
    assert_eq!(found, (indices, shifts), "indices and shifts");
    1
}

impl Own {
    fn random(bytes: &mut Bytes<'_>, dimension: u32) -> Self {
        let d = if dimension == 2 { 2 } else { 3 };
        let count = bytes.below(20) as usize;
        let mut number = |scale: f64| match bytes.below(60) {
            0 => bytes.pick(&[f64::NAN, f64::INFINITY, -1.0, 1e151, 1e-160, -0.0]),
            _ => scale * bytes.uniform(),
        };
        let centers = (0..count * d).map(|_| number(4.0)).collect();
        let radii = (0..count).map(|_| number(0.8)).collect();
        let origin = (0..d).map(|_| number(1.0)).collect();
        let mut edges: Vec<f64> = (0..d * d).map(|_| number(1.0)).collect();
        (0..d).for_each(|k| edges[k * d + k] += 3.0);
        let is_sheared = bytes.is_one_in(2);
        (0..d * d).filter(|k| !is_sheared && k % (d + 1) != 0).for_each(|k| edges[k] = 0.0);
        let periodic = (0..d).map(|_| bytes.byte() % 3).collect();
        let groups = (0..count).map(|_| u32::from(bytes.byte() % 5)).collect();
        let margin = bytes.pick(&[0.0, 0.0, 0.1, -1.0, f64::NAN]);
        let has = [(); 4].map(|()| !bytes.is_one_in(3));
        Self { dimension, centers, radii, origin, edges, periodic, groups, margin, has }
    }

    /// Whether its box is not so small that images have no end.
    fn is_feasible(&self) -> bool {
        let d = if self.dimension == 2 { 2 } else { 3 };
        let largest = self.radii.iter().copied().filter(|r| r.is_finite() && *r < 1e150).fold(0.0, f64::max);
        let shortest = (0..d).map(|k| self.edges[k * d + k].abs()).fold(f64::INFINITY, f64::min);
        !self.has[1] || ((2.0 * largest + 1.0) / shortest).powi(d as i32) < MAX_IMAGES
    }

    fn system(&self) -> MgSystem {
        let [has_origin, has_edges, has_periodic, has_groups] = self.has;
        fn given<T>(is_given: bool, of: &[T]) -> *const T {
            if is_given { of.as_ptr() } else { null() }
        }
        MgSystem {
            dimension: self.dimension,
            count: self.radii.len(),
            centers: self.centers.as_ptr(),
            radii: self.radii.as_ptr(),
            origin: given(has_origin, &self.origin),
            edges: given(has_edges, &self.edges),
            periodic: given(has_periodic, &self.periodic),
            margin: self.margin,
            groups: given(has_groups, &self.groups),
        }
    }

    /// Indices and shifts, by brute force.
    fn expected<const D: usize>(&self) -> Result<(Vec<u32>, Vec<i32>), Error>
    where
        Axes: Dimension<D>,
    {
        let [has_origin, has_edges, has_periodic, has_groups] = self.has;
        let mut now = Snapshot::new(self.centers.as_chunks::<D>().0, &self.radii)?;
        if has_edges {
            let origin = std::array::from_fn(|axis| if has_origin { self.origin[axis] } else { 0.0 });
            let edges = std::array::from_fn(|k| std::array::from_fn(|axis| self.edges[k * D + axis]));
            let periodic = std::array::from_fn(|k| !has_periodic || self.periodic[k] != 0);
            now = now.within(Domain::from_cell(origin, edges, periodic)?)?;
        }
        now = now.with_margin(self.margin)?;
        if has_groups {
            now = now.in_groups(&self.groups)?;
        }
        let mut pairs = Pairs::new();
        BruteForce.find_pairs(now, &mut pairs);
        pairs.sort();
        Ok((pairs.as_slice().as_flattened().to_vec(), pairs.shifts().as_flattened().to_vec()))
    }
}
