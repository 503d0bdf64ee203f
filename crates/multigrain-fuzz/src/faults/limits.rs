//! Limits on memory, files, descriptors and time.

use super::program::{Program, contents};
use super::{Row, scenes};
use std::fs;
use std::io;
use std::path::Path;

/// Limits as shells set them.
const LIMITS: [&str; 12] = [
    "ulimit -v 60000",
    "ulimit -v 90000",
    "ulimit -v 130000",
    "ulimit -v 200000",
    "ulimit -v 400000",
    "ulimit -n 4",
    "ulimit -n 6",
    "ulimit -n 9",
    "ulimit -f 0; trap '' XFSZ",
    "ulimit -f 8; trap '' XFSZ",
    "ulimit -f 40; trap '' XFSZ",
    "ulimit -t 1000",
];

/// What is done under them.
const COMMANDS: [&str; 4] = [
    "detect ../grains.csv -o out.csv --threads 2",
    "pack --law uniform --ratio 2 --count 50000 --placement random --packing-fraction 0.3 -o out.csv --threads 2",
    "simulate ../scene.toml -o run --threads 2",
    "tune --law uniform --ratio 4 --packing-fraction 0.5 --plot out.svg --threads 1",
];

/// All goes well, or it is an error in words; a file that was there is the old one or a whole new one.
pub fn limited(program: &Program, folder: &Path) -> io::Result<Row> {
    fs::create_dir_all(folder)?;
    let mut row = Row::new("limits on memory, files and descriptors");
    let text: String = (0..20_000).map(|k| format!("{},{},0.6\n", k % 200, k / 200)).collect();
    fs::write(folder.join("grains.csv"), "x,y,r\n".to_owned() + &text)?;
    fs::write(folder.join("scene.toml"), scenes::lasting(scenes::POLYGONS, "0.01"))?;
    let run = folder.join("run");
    for flags in COMMANDS {
        let _ = fs::remove_dir_all(&run);
        fs::create_dir_all(&run)?;
        let whole = program.run(&run, flags)?;
        row.check(whole.code == Some(0), || format!("{flags} fails by itself: {}", whole.stderr));
        let expected = contents(&run)?;
        for limit in LIMITS {
            row.tries += 1;
            fs::remove_dir_all(&run)?;
            fs::create_dir_all(&run)?;
            for name in ["out.csv", "out.svg"] {
                fs::write(run.join(name), "old")?;
            }
            let ended = program.run_behind(&run, limit, flags, &[])?;
            // Where not even the program itself can be loaded, its loader ends it.
            let is_loaded = !ended.stderr.contains("error while loading shared libraries") && ended.code != Some(127);
            if !is_loaded {
                continue;
            }
            let found = contents(&run)?;
            match ended.code {
                Some(0) => row.finished += 1,
                _ => {
                    let words = ended.is_in_words();
                    row.check(words, || format!("{limit}: {flags} ends with {:?}: {}", ended.code, ended.stderr));
                }
            }
            for name in ["out.csv", "out.svg"] {
                let is_whole =
                    found.get(name).is_some_and(|bytes| bytes == b"old" || Some(bytes) == expected.get(name));
                row.check(is_whole, || format!("{limit}: {flags} left half of {name}"));
            }
        }
    }
    Ok(row)
}
