//! What pairs and domains look like when they are written by serde. Reading checks them again.

use crate::domain::Domain;
use crate::error::Error;
use crate::pairs::Pairs;
use serde::{Deserialize, Serialize};

/// Indices and image shifts.
#[derive(Serialize, Deserialize)]
#[serde(bound(serialize = "[i32; D]: Serialize", deserialize = "[i32; D]: Deserialize<'de>"))]
pub struct WrittenPairs<const D: usize> {
    pairs: Vec<[u32; 2]>,
    /// Left out in open domains.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    shifts: Vec<[i32; D]>,
}

/// Origin and edges of the box, where there is one, and periodic edges.
#[derive(Serialize, Deserialize)]
#[serde(bound(
    serialize = "[f64; D]: Serialize, [bool; D]: Serialize, [[f64; D]; D]: Serialize",
    deserialize = "[f64; D]: Deserialize<'de>, [bool; D]: Deserialize<'de>, [[f64; D]; D]: Deserialize<'de>"
))]
pub struct WrittenDomain<const D: usize> {
    space: Option<([f64; D], [[f64; D]; D])>,
    periodic: [bool; D],
}

impl<const D: usize> From<Pairs<D>> for WrittenPairs<D> {
    fn from(pairs: Pairs<D>) -> Self {
        let (pairs, shifts) = pairs.into_parts();
        Self { pairs, shifts }
    }
}

impl<const D: usize> TryFrom<WrittenPairs<D>> for Pairs<D> {
    type Error = &'static str;

    fn try_from(written: WrittenPairs<D>) -> Result<Self, Self::Error> {
        let WrittenPairs { pairs, shifts } = written;
        if !shifts.is_empty() && shifts.len() != pairs.len() {
            return Err("there must be a shift for each pair, or none at all");
        }
        if pairs.iter().any(|[i, j]| i > j || (i == j && shifts.is_empty())) {
            return Err("the first body of a pair must be the one with the smaller number");
        }
        let mut list = Self::new();
        list.extend(&pairs, &shifts);
        Ok(list)
    }
}

impl<const D: usize> From<Domain<D>> for WrittenDomain<D> {
    fn from(domain: Domain<D>) -> Self {
        let space = domain.bounded().map(|domain| (domain.origin(), domain.edges()));
        Self { space, periodic: std::array::from_fn(|axis| domain.is_periodic(axis)) }
    }
}

impl<const D: usize> TryFrom<WrittenDomain<D>> for Domain<D> {
    type Error = Error;

    fn try_from(written: WrittenDomain<D>) -> Result<Self, Error> {
        match written.space {
            Some((origin, edges)) => Self::from_cell(origin, edges, written.periodic),
            None => Ok(Self::open()),
        }
    }
}
