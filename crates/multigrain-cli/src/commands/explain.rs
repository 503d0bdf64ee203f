//! What a detection did, in plain words.

use super::detect::DetectReport;
use crate::table::{count, seconds, three_digits};
use multigrain::{Settings, Work};
use multigrain_files::Input;
use multigrain_methods::Method;
use std::path::Path;

/// A report and what else is worth a sentence.
pub struct Explanation<'a> {
    pub report: &'a DetectReport,
    /// Smallest and largest radius.
    pub radii: (f64, f64),
    /// How many runs the times are medians of.
    pub repeat: u32,
}

impl Explanation<'_> {
    /// The method and what it is.
    pub fn method(&self, method: Method) -> String {
        let direction = self.report.direction.map_or(String::new(), |name| format!(", {name}"));
        format!("method: {}{direction}. {}", method.name(), method.about())
    }

    /// The particles.
    pub fn input(&self, input: &Input) -> String {
        let DetectReport { particles, dimension, .. } = self.report;
        let sizes = match self.radii {
            _ if *particles == 0 => String::new(),
            (smallest, largest) if smallest == largest => format!(", all of radius {smallest}"),
            (smallest, largest) => format!(", radii from {smallest} to {largest}"),
        };
        format!("input: {input}, {} particles in {dimension} dimensions{sizes}", count(*particles as u64))
    }

    /// A line for each level.
    pub fn levels(&self) -> Vec<String> {
        let levels = self.report.cell_sizes.iter().zip(&self.report.particles_per_level).enumerate();
        let of_all = |particles: u64| 100.0 * particles as f64 / self.report.particles.max(1) as f64;
        let regions = self.report.regions;
        let up_to = if regions > 0 { "of size up to" } else { "of size" };
        let levels = levels.map(|(level, (size, &particles))| {
            let share = three_digits(of_all(particles));
            format!("level {}: cells {up_to} {size}, {} particles ({share} %)", level + 1, count(particles))
        });
        let of_regions = (regions > 0).then(|| {
            let each = three_digits(self.report.particles as f64 / regions as f64);
            format!(
                "regions: {} of about {each} particles, each with cells and levels of its own",
                count(regions as u64)
            )
        });
        of_regions.into_iter().chain(levels).collect()
    }

    /// How `auto` came to what it did, and when it would think again.
    pub fn choice(&self, method: Method, settings: &Settings) -> Option<String> {
        if method != Method::Auto || *settings != Settings::default() {
            return None;
        }
        let chosen = match self.report.cell_sizes.len() {
            _ if self.report.regions > 0 => {
                "hgrid with a grid for each region of space, as the particles are spread unevenly".to_owned()
            }
            0 => "every pair is tested: so few particles need no grid".to_owned(),
            1 => "hgrid with one level, which is predicted to be fastest".to_owned(),
            levels => format!("hgrid with {levels} levels, which are predicted to be fastest"),
        };
        Some(format!(
            "choice: {chosen}. In a moving system it is kept from call to call, and made again when pairs or occupied rows have changed by a factor of 1.5"
        ))
    }

    /// Counted work.
    pub fn work(&self, work: Work) -> String {
        let contacts = self.report.contacts as u64;
        format!(
            "work: {} candidate pairs tested ({} per particle) and {} cells or rows of cells looked up ({} per particle) to find {} contacts ({} per particle)",
            count(work.candidates),
            self.per_particle(work.candidates),
            count(work.cells),
            self.per_particle(work.cells),
            count(contacts),
            self.per_particle(contacts),
        )
    }

    /// Where the time went.
    pub fn times(&self) -> String {
        let times = self.report.seconds;
        let medians =
            if self.repeat > 1 { format!(" (medians of {} for map and search)", self.repeat) } else { String::new() };
        format!(
            "time: read {}, map {}, search {}, write {}, in all {} on {} thread{}{medians}",
            seconds(times.read),
            seconds(times.map),
            seconds(times.search),
            seconds(times.write),
            seconds(times.total),
            self.report.threads,
            if self.report.threads == 1 { "" } else { "s" },
        )
    }

    /// Memory of the detection.
    pub fn memory(&self) -> String {
        let bytes = self.report.peak_memory_bytes;
        let per_particle = self.per_particle(bytes);
        format!(
            "memory: {} bytes at the peak ({per_particle} per particle), the particles themselves excluded",
            count(bytes)
        )
    }

    /// How many there are.
    pub fn found(&self) -> String {
        let DetectReport { contacts, particles, .. } = self.report;
        format!("{} contacts of {} particles", count(*contacts as u64), count(*particles as u64))
    }

    /// Where the list went.
    pub fn written(&self, path: &Path) -> String {
        format!("{} written to {}", self.found(), path.display())
    }

    fn per_particle(&self, value: u64) -> String {
        three_digits(value as f64 / self.report.particles.max(1) as f64)
    }
}
