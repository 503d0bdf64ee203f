//! One detection, measured.

use crate::memory::PeakMeter;
use anyhow::Result;
use multigrain::{Axes, Detector, Dimension, Layout, Pairs, Settings, Snapshot, Work};
use multigrain_methods::Method;
use std::time::Instant;

/// What a detection found and took.
pub struct Run<const D: usize> {
    /// The detector, warm.
    pub detector: Box<dyn Detector<D>>,
    /// The contacts, in the detector's order.
    pub pairs: Pairs<D>,
    /// Seconds until every particle was in its cell, the choice of levels included.
    pub map: f64,
    /// Seconds from there to the complete list.
    pub search: f64,
    /// Most memory taken at once, the particles themselves excluded.
    pub peak_bytes: u64,
}

/// Builds a detector and runs it once, nothing known before.
pub fn detect_once<const D: usize>(now: Snapshot<'_, D>, method: Method, settings: &Settings) -> Result<Run<D>>
where
    Axes: Dimension<D>,
{
    let memory = PeakMeter::start();
    let start = Instant::now();
    let mut pairs = Pairs::new();
    let mut detector = method.build_with(now, settings)?;
    let mut mapped = start;
    detector.find_pairs_in_phases(now, &mut pairs, &mut || mapped = Instant::now(), &|| false);
    let search = mapped.elapsed().as_secs_f64();
    let peak_bytes = memory.bytes();
    Ok(Run { detector, pairs, map: (mapped - start).as_secs_f64(), search, peak_bytes })
}

impl<const D: usize> Run<D>
where
    Axes: Dimension<D>,
{
    /// Detects once more with the same detector and list; gives the seconds that took.
    pub fn step(&mut self, now: Snapshot<'_, D>) -> f64 {
        let start = Instant::now();
        self.detector.find_pairs(now, &mut self.pairs);
        start.elapsed().as_secs_f64()
    }

    /// Detects once more with a new detector of the method, and counts the work: what a first search takes.
    pub fn count_work(&mut self, now: Snapshot<'_, D>, method: Method, settings: &Settings) -> Result<Work> {
        self.detector = method.build_with(now, settings)?;
        Ok(self.detector.count_work(now, &mut self.pairs))
    }

    /// How the particles were laid out; empty where nothing could touch and nothing was built.
    pub fn layout(&self, now: &Snapshot<'_, D>) -> Layout {
        if now.nothing_can_touch() { Layout::default() } else { self.detector.layout() }
    }
}
