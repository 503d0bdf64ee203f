//! The list of snapshots of a run, for ParaView.

use super::schedule::Schedule;
use crate::scene::FrameFormat;
use anyhow::Result;
use multigrain_files::{Target, collection};
use std::path::Path;

/// The name of a snapshot, without ending.
pub fn name(step: u64) -> String {
    format!("snapshot-{step:09}")
}

/// The snapshots of a run. Which there are depends on steps alone, so that a resumed run lists the same.
#[derive(Debug, Clone, Copy)]
pub struct Series {
    snapshots: Schedule,
    time_step: f64,
    last_step: u64,
}

impl Series {
    /// One every so much time, and one of the last step.
    pub fn new(every: f64, time_step: f64, last_step: u64) -> Self {
        Self { snapshots: Schedule::new(every / time_step), time_step, last_step }
    }

    /// Whether there is a snapshot of this step.
    pub fn has(&self, step: u64) -> bool {
        self.snapshots.has(step) || step == self.last_step
    }

    /// The first step after this one that has a snapshot.
    pub fn next_after(&self, step: u64) -> u64 {
        let next = self.snapshots.next_after(step);
        if step < self.last_step { next.min(self.last_step) } else { next }
    }

    /// Writes the list of all snapshots up to a step that are in the folder.
    pub fn write(&self, folder: &Path, formats: &[FrameFormat], now: u64) -> Result<()> {
        if !formats.contains(&FrameFormat::Vtp) {
            return Ok(());
        }
        let steps = std::iter::successors(Some(0), |&step| Some(self.next_after(step)));
        let files = steps.take_while(|&step| step <= now).map(|step| {
            let file = format!("{}.vtp", name(step));
            (step as f64 * self.time_step, file)
        });
        let files: Vec<(f64, String)> = files.filter(|(_, file)| folder.join(file).exists()).collect();
        let text = collection(&files);
        Ok(Target::File(folder.join("snapshots.pvd")).write(|out| Ok(out.write_all(text.as_bytes())?))?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn snapshots_up_to_now_are_listed_if_they_are_there() {
        let folder = tempfile::tempdir().unwrap();
        for step in [0, 3, 5, 8, 9] {
            std::fs::write(folder.path().join(format!("{}.vtp", name(step))), "").unwrap();
        }
        let series = Series::new(0.625, 0.25, 9);
        let times = |now| {
            series.write(folder.path(), &[FrameFormat::Vtp], now).unwrap();
            let text = std::fs::read_to_string(folder.path().join("snapshots.pvd")).unwrap();
            text.split("timestep=\"").skip(1).map(|part| part.split('"').next().unwrap().to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(times(6), ["0.0", "0.75", "1.25"]);
        assert_eq!(times(9), ["0.0", "0.75", "1.25", "2.0", "2.25"]);
        std::fs::remove_file(folder.path().join("snapshot-000000003.vtp")).unwrap();
        assert_eq!(times(4), ["0.0"]);
    }
}
