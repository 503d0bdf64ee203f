//! Two runs in one folder at once.

use super::program::{Program, contents, differences, end};
use super::{Row, scenes};
use std::fs;
use std::io;
use std::path::Path;

/// One of them runs as if it were alone, the other says why it does not.
pub fn two_runs(program: &Program, folder: &Path, rounds: u64) -> io::Result<Row> {
    let mut row = Row::new("simulate: two runs in one folder at once");
    for (number, (_, scene)) in scenes::SCENES.iter().enumerate() {
        let each = rounds.div_ceil(scenes::SCENES.len() as u64);
        of_scene(program, &folder.join(number.to_string()), scene, each, &mut row)?;
    }
    Ok(row)
}

fn of_scene(program: &Program, folder: &Path, scene: &str, rounds: u64, row: &mut Row) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("scene.toml"), scenes::lasting(scene, "0.03"))?;
    fs::write(folder.join("roof.stl"), scenes::ROOF)?;
    let whole = program.run(folder, "simulate scene.toml -o whole --threads 1")?;
    row.check(whole.code == Some(0), || format!("the run that is left alone fails: {}", whole.stderr));
    let expected = contents(&folder.join("whole"))?;
    for _ in 0..rounds {
        row.tries += 1;
        let _ = fs::remove_dir_all(folder.join("run"));
        let flags = "simulate scene.toml -o run --threads 1";
        let both = [program.start(folder, flags)?, program.start(folder, flags)?].map(end);
        let [one, other] = both;
        let (one, other) = (one?, other?);
        let (winner, loser) = if one.code == Some(0) { (one, other) } else { (other, one) };
        row.check(winner.code == Some(0), || format!("neither runs: {} {}", winner.stderr, loser.stderr));
        row.check(loser.is_in_words(), || format!("both seem to run: {:?} {}", loser.code, loser.stderr));
        row.finished += u64::from(winner.code == Some(0));
        let wrong = differences(&expected, &contents(&folder.join("run"))?);
        row.check(wrong.is_none(), || format!("{wrong:?}"));
    }
    Ok(())
}
