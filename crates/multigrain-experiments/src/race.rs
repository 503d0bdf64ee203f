//! Detectors that take turns on the same moving bodies, and the time and work of each.

use crate::bodies::{CellBodies, Motion};
use crate::error::{Result, fault};
use crate::fit::median;
use crate::processor_time::ProcessorTime;
use crate::row::Row;
use multigrain::{Detector, Pairs, Snapshot, Work};

/// A detector in a race.
pub struct Contender {
    /// Its name.
    pub name: &'static str,
    /// The detector under test.
    pub detector: Box<dyn Detector<3>>,
    /// Seconds of sorting and of searching, by cycle.
    seconds: Vec<[f64; 2]>,
    work: Work,
    contacts: usize,
}

impl Contender {
    /// One that has not run yet.
    pub fn new(name: &'static str, detector: Box<dyn Detector<3>>) -> Self {
        Self { name, detector, seconds: Vec::new(), work: Work::default(), contacts: 0 }
    }

    /// One detection, timed in two phases. The pairs are in `pairs`.
    pub fn detect(&mut self, now: Snapshot<'_, 3>, pairs: &mut Pairs<3>) {
        let start = ProcessorTime::now();
        let mut sorted = None;
        self.detector.find_pairs_in_phases(now, pairs, &mut || sorted = Some(ProcessorTime::now()), &|| false);
        let end = ProcessorTime::now();
        let sorted = sorted.unwrap_or(end);
        self.seconds.push([sorted - start, end - sorted].map(|time| time.as_secs_f64()));
    }

    /// What it did, counted, on these positions.
    pub fn count(&mut self, now: Snapshot<'_, 3>, pairs: &mut Pairs<3>) {
        self.work = self.detector.count_work(now, pairs);
        self.contacts = pairs.len();
    }

    /// Times and counts: all cycles together, the first one, and the median of the later ones, sort and search apart.
    pub fn row(&self) -> Row {
        let later = if self.seconds.len() > 1 { &self.seconds[1..] } else { &self.seconds[..] };
        let of = |part: usize| median(&later.iter().map(|times| times[part]).collect::<Vec<_>>());
        let both: Vec<f64> = later.iter().map(|times| times[0] + times[1]).collect();
        let total: f64 = self.seconds.iter().flatten().sum();
        let first: f64 = self.seconds.first().map_or(f64::NAN, |times| times[0] + times[1]);
        Row::new()
            .with("method", self.name)
            .with("cycles", self.seconds.len())
            .with("seconds_of_all_cycles", total)
            .with("seconds_of_first", first)
            .with("seconds", median(&both))
            .with("seconds_of_sort", of(0))
            .with("seconds_of_search", of(1))
            .with("candidates", self.work.candidates)
            .with("cells", self.work.cells)
            .with("work", self.work.candidates + self.work.cells)
            .with("contacts", self.contacts)
            .with("index_bytes", self.detector.index_bytes().map_or(String::new(), |bytes| bytes.to_string()))
    }
}

/// All contenders detect, in turns, then the bodies move, this many times. They must agree.
pub fn race(
    contenders: &mut [Contender],
    bodies: &mut CellBodies,
    motion: Motion,
    cycles: usize,
    note: &dyn Fn(String),
) -> Result<()> {
    let mut pairs = Pairs::new();
    let count = contenders.len();
    for cycle in 0..cycles {
        if cycle > 0 {
            bodies.advance(motion);
        }
        let mut found: Vec<(&'static str, [u64; 2])> = Vec::new();
        for turn in 0..count {
            note(format!("cycle {} of {cycles}", cycle + 1));
            let contender = &mut contenders[(turn + cycle) % count];
            contender.detect(bodies.snapshot()?, &mut pairs);
            found.push((contender.name, fingerprint(&pairs)));
        }
        must_agree(&found)?;
    }
    Ok(())
}

/// Counts the work of all contenders on these bodies.
pub fn count(contenders: &mut [Contender], bodies: &CellBodies) -> Result<()> {
    let mut pairs = Pairs::new();
    for contender in contenders {
        contender.count(bodies.snapshot()?, &mut pairs);
    }
    Ok(())
}

/// The number of pairs, and a hash of their set.
fn fingerprint(pairs: &Pairs<3>) -> [u64; 2] {
    [pairs.len() as u64, pairs.fingerprint()]
}

fn must_agree(found: &[(&'static str, [u64; 2])]) -> Result<()> {
    for (name, pairs) in found {
        if *pairs != found[0].1 {
            return Err(fault!(
                "{name} finds {} contacts, {} finds {}: one of them is wrong",
                pairs[0],
                found[0].0,
                found[0].1[0]
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use multigrain::{PairSink, Search};
    use multigrain_dem::{ContactLaw, Grain, Material, Setup};
    use multigrain_methods::Method;

    /// A detector as a user may write it: bodies sorted along x, each tested against those that begin before it ends.
    #[derive(Default)]
    struct SweepAlongX {
        order: Vec<u32>,
    }

    impl<const D: usize> Search<D> for SweepAlongX {
        fn search<S: PairSink<D>>(&mut self, now: Snapshot<'_, D>, sink: &mut S) {
            let (centers, radii) = (now.centers(), now.radii());
            let start = |k: u32| centers[k as usize][0] - radii[k as usize];
            self.order.clear();
            self.order.extend(0..now.len() as u32);
            self.order.sort_by(|&a, &b| start(a).total_cmp(&start(b)));
            sink.mapped();
            for (place, &a) in self.order.iter().enumerate() {
                let end = centers[a as usize][0] + radii[a as usize] + now.margin();
                for &b in self.order[place + 1..].iter().take_while(|&&b| start(b) <= end) {
                    sink.candidates(1);
                    let (i, j) = (a.min(b), a.max(b));
                    if now.overlaps(i as usize, j as usize, [0; D]) {
                        sink.pairs(&[[i, j]], &[]);
                    }
                }
            }
        }
    }

    #[test]
    fn a_detector_of_a_users_own_runs_in_the_comparison_and_the_simulator() {
        let mut bodies = CellBodies::raster(300, [0.9; 3], [0, 1, 2], 1);
        let hgrid = Method::HGrid.build(bodies.snapshot().unwrap()).unwrap();
        let own: Box<dyn Detector<3>> = Box::new(SweepAlongX::default());
        let mut contenders = [Contender::new("hgrid", hgrid), Contender::new("sweep", own)];
        race(&mut contenders, &mut bodies, Motion::OneCell, 3, &|_| ()).unwrap();
        count(&mut contenders, &bodies).unwrap();
        let rows = contenders.each_ref().map(Contender::row);
        assert!(rows[0].number("contacts") > 100.0);
        assert_eq!(rows[0].number("contacts"), rows[1].number("contacts"));
        let setup = Setup::new().material(Material::new(1.0, ContactLaw::linear(1e4))).gravity([0.0, 0.0, -1.0]);
        let grains: Vec<Grain<3>> = bodies.centers[..80].iter().map(|&center| Grain::at(center, 0.4)).collect();
        let mut usual = setup.clone().build(grains.clone()).unwrap();
        let mut own = setup.detector(|| Box::new(SweepAlongX::default())).build(grains).unwrap();
        usual.run(50).unwrap();
        own.run(50).unwrap();
        assert_eq!(usual.state(), own.state());
    }

    #[test]
    fn contenders_take_turns_and_are_counted() {
        let mut bodies = CellBodies::raster(1000, [1.0; 3], [0, 1, 2], 1);
        let names = ["nbs", "mr", "mr-s", "bbts", "linked-cell"];
        let mut contenders = names.map(|name| {
            let method = Method::from_name(name).unwrap();
            Contender::new(name, method.build(bodies.snapshot().unwrap()).unwrap())
        });
        race(&mut contenders, &mut bodies, Motion::OneCell, 4, &|_| ()).unwrap();
        count(&mut contenders, &bodies).unwrap();
        for contender in &contenders {
            let row = contender.row();
            assert_eq!((row.number("cycles"), row.number("contacts")), (4.0, contenders[0].row().number("contacts")));
            assert!(row.number("seconds") > 0.0 && row.number("candidates") > 5000.0, "{row:?}");
            let parts = row.number("seconds_of_sort") + row.number("seconds_of_search");
            assert!(parts > 0.0 && row.number("seconds_of_all_cycles") > parts);
        }
    }

    #[test]
    fn contenders_that_differ_are_reported() {
        let error = must_agree(&[("a", [2, 5]), ("b", [3, 5])]).unwrap_err().to_string();
        assert_eq!(error, "b finds 3 contacts, a finds 2: one of them is wrong");
    }
}
