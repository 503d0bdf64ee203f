//! Numbers as bytes, little end first.

use crate::transport::Parcel;

/// Bytes to be sent.
#[derive(Debug, Clone, Default)]
pub struct Packer {
    pub bytes: Vec<u8>,
}

impl Packer {
    pub fn u32(&mut self, value: u32) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub fn u64(&mut self, value: u64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub fn f64(&mut self, value: f64) {
        self.bytes.extend_from_slice(&value.to_le_bytes());
    }

    pub fn f64s(&mut self, values: &[f64]) {
        values.iter().for_each(|&value| self.f64(value));
    }

    pub fn i32s(&mut self, values: &[i32]) {
        values.iter().for_each(|value| self.bytes.extend_from_slice(&value.to_le_bytes()));
    }
}

/// What is not empty, as parcels for the ranks in their order.
pub fn parcels(packers: Vec<Packer>) -> Vec<Parcel> {
    let filled = packers.into_iter().enumerate().filter(|(_, packer)| !packer.bytes.is_empty());
    filled.map(|(rank, packer)| Parcel { rank, bytes: packer.bytes }).collect()
}

/// Bytes that came. What is read must be what was written, by a rank of the same program: anything else is a bug.
#[derive(Debug, Clone, Copy)]
pub struct Unpacker<'a> {
    pub bytes: &'a [u8],
}

impl Unpacker<'_> {
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (first, rest) = self.bytes.split_first_chunk().expect("a parcel is as long as its sender made it");
        self.bytes = rest;
        *first
    }

    pub fn u32(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    pub fn u64(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    pub fn f64(&mut self) -> f64 {
        f64::from_le_bytes(self.take())
    }

    pub fn f64s<const N: usize>(&mut self) -> [f64; N] {
        std::array::from_fn(|_| self.f64())
    }

    pub fn i32s<const N: usize>(&mut self) -> [i32; N] {
        std::array::from_fn(|_| i32::from_le_bytes(self.take()))
    }
}
