use multigrain::scenes::DataSet;
use multigrain::*;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let n: usize = args[1].parse::<f64>().unwrap() as usize;
    let names: Vec<&str> = args[2].split(',').collect();
    let threads: usize = args.get(3).map_or(1, |v| v.parse().unwrap());
    let sizes: Vec<f64> =
        args.get(4).map_or(vec![], |v| v.split(',').filter(|s| !s.is_empty()).map(|v| v.parse().unwrap()).collect());
    let rounds: usize = args.get(5).map_or(7, |v| v.parse().unwrap());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        for set in DataSet::ALL {
            if !names.contains(&set.name) && names[0] != "all" { continue; }
            let system = set.build(n, 1).unwrap();
            let now = system.snapshot().unwrap();
            let settings = Settings { direction: None, levels: if sizes.is_empty() { LevelChoice::Tuned } else { LevelChoice::CellSizes(sizes.clone()) } };
            let mut grid = Method::HGrid.build_with(now, &settings).unwrap();
            let mut pairs = Pairs::new();
            let mut times = vec![]; let mut maps = vec![]; let mut snaps = vec![];
            for _ in 0..rounds {
                let t = Instant::now();
                let now = Snapshot::new(&system.centers, &system.radii).unwrap();
                let ts = t.elapsed();
                let mut mapped = ts;
                grid.find_pairs_in_phases(now, &mut pairs, &mut || mapped = t.elapsed());
                times.push(t.elapsed()); maps.push(mapped - ts); snaps.push(ts);
            }
            times.sort(); maps.sort(); snaps.sort();
            let work = grid.count_work(now, &mut pairs);
            let ns = |d: std::time::Duration| d.as_secs_f64() * 1e9 / n as f64;
            println!("{:7} total {:6.1} min {:6.1} | snap {:4.1} map {:5.1} search {:5.1} | pairs/N {:.2} cand/N {:.1} rows/N {:.2} fp {:x} {:?} {:?}", set.name, ns(times[rounds/2]), ns(times[0]), ns(snaps[rounds/2]), ns(maps[rounds/2]), ns(times[rounds/2]) - ns(maps[rounds/2]) - ns(snaps[rounds/2]), pairs.len() as f64 / n as f64, work.candidates as f64 / n as f64, work.cells as f64 / n as f64, pairs.fingerprint(), grid.layout().cell_sizes, grid.layout().particles_per_level);
        }
    });
}
