//! Checkpoints with changed, lost or foreign bytes.

use super::program::{Program, contents, differences};
use super::{Row, scenes};
use multigrain::Rng;
use std::fs;
use std::io;
use std::path::Path;

/// Runs go on from the checkpoint before, or say what is wrong; they never go on with what is damaged.
pub fn damaged(program: &Program, folder: &Path, count: u64, rng: &mut Rng) -> io::Result<Row> {
    let mut row = Row::new("simulate: damaged checkpoints");
    let each = count.div_ceil(scenes::SCENES.len() as u64);
    for (number, (_, scene)) in scenes::SCENES.iter().enumerate() {
        of_scene(program, &folder.join(number.to_string()), scene, each, rng, &mut row)?;
    }
    Ok(row)
}

fn of_scene(program: &Program, folder: &Path, scene: &str, count: u64, rng: &mut Rng, row: &mut Row) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("scene.toml"), scenes::lasting(scene, "0.02"))?;
    fs::write(folder.join("roof.stl"), scenes::ROOF)?;
    let whole = program.run(folder, "simulate scene.toml -o whole --threads 1")?;
    row.check(whole.code == Some(0), || format!("the run that is left alone fails: {}", whole.stderr));
    let expected = contents(&folder.join("whole"))?;
    let (last, previous) = (folder.join("run/checkpoint.bin"), folder.join("run/checkpoint.previous.bin"));
    for number in 0..count {
        row.tries += 1;
        let _ = fs::remove_dir_all(folder.join("run"));
        copy(&folder.join("whole"), &folder.join("run"))?;
        damage(&last, rng)?;
        // A run that is over soon has written one alone.
        let has_previous = previous.exists();
        let both = number % 3 == 0 || !has_previous;
        if both && has_previous {
            damage(&previous, rng)?;
        }
        let before = contents(&folder.join("run"))?;
        let ended = program.run(folder, "simulate scene.toml -o run --threads 1 --resume")?;
        let after = contents(&folder.join("run"))?;
        match ended.code {
            Some(0) => {
                row.resumed += 1;
                row.finished += 1;
                let wrong = differences(&expected, &after);
                row.check(wrong.is_none(), || format!("it went on from damaged bytes: {wrong:?}"));
            }
            _ => {
                let is_reported = ended.is_in_words() && both;
                row.check(is_reported, || format!("it ends with {:?}: {}", ended.code, ended.stderr));
                let touched = differences(&before, &after);
                row.check(touched.is_none(), || format!("it failed and left {touched:?}"));
            }
        }
    }
    Ok(())
}

/// A bit changed, an end cut off, bytes added, zeros, or something else entirely.
fn damage(file: &Path, rng: &mut Rng) -> io::Result<()> {
    let mut bytes = fs::read(file)?;
    let at = rng.below(bytes.len() as u64) as usize;
    match rng.below(6) {
        0 => bytes.truncate(at),
        1 => bytes.extend([0; 8]),
        2 => bytes[at..].fill(0),
        3 => bytes = b"something else".to_vec(),
        _ => bytes[at] ^= 1 << rng.below(8),
    }
    // Behind the last byte that is not 0 there is nothing to lose.
    if bytes == fs::read(file)? {
        bytes[at] ^= 0xff;
    }
    fs::write(file, bytes)
}

/// Copies the files of a folder, each a file of its own.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        fs::write(to.join(entry.file_name()), fs::read(entry.path())?)?;
    }
    Ok(())
}
