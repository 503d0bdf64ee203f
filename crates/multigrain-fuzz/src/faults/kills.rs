//! Kills at random moments.

use super::Row;
use super::program::{Program, contents, differences, end, signal};
use super::scenes::ROOF;
use multigrain::Rng;
use std::fs;
use std::io;
use std::path::Path;
use std::time::Duration;

/// Longest wait before a kill.
const LONGEST: f64 = 0.6;

/// Runs of one scene, killed and resumed until they are at their end, each compared with one that was left alone.
pub fn simulations(
    program: &Program,
    folder: &Path,
    name: &str,
    scene: &str,
    kills: u64,
    rng: &mut Rng,
) -> io::Result<Row> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("scene.toml"), scene)?;
    fs::write(folder.join("roof.stl"), ROOF)?;
    let mut row = Row::new(format!("simulate {name}: SIGKILL and SIGTERM"));
    let whole = program.run(folder, "simulate scene.toml -o whole --threads 1")?;
    row.check(whole.code == Some(0), || format!("the run that is left alone fails: {}", whole.stderr));
    if !row.losses.is_empty() {
        return Ok(row);
    }
    let expected = contents(&folder.join("whole"))?;
    while row.kills < kills && row.losses.len() < 20 {
        let run = folder.join("run");
        let _ = fs::remove_dir_all(&run);
        loop {
            row.tries += 1;
            let is_begun = ["checkpoint.bin", "checkpoint.previous.bin"].iter().any(|name| run.join(name).exists());
            row.resumed += u64::from(is_begun);
            let how = if is_begun { "--resume" } else { "--overwrite" };
            let threads = 1 + rng.below(3);
            let flags = format!("simulate scene.toml -o run --threads {threads} {how}");
            let child = program.start(folder, &flags)?;
            let is_last = row.kills >= kills;
            let hard = rng.below(4) != 0;
            if !is_last {
                let wait = LONGEST * rng.uniform().powi(2);
                std::thread::sleep(Duration::from_secs_f64(wait));
                signal(&child, if hard { "KILL" } else { "TERM" })?;
            }
            let ended = end(child)?;
            match ended.code {
                Some(0) => break,
                // Saved, and said so; before signals are watched, or after the last step, it just ends.
                Some(130) | None if !is_last => row.kills += 1,
                _ => {
                    row.losses.push(format!("{flags} ends with {:?}: {}", ended.code, ended.stderr));
                    break;
                }
            }
        }
        row.finished += 1;
        if let Some(differing) = differences(&expected, &contents(&run)?) {
            row.losses.push(format!("{name} after kills: {differing}"));
        }
    }
    Ok(row)
}

/// Packing over an older file: the old file or the new one, never half of one.
pub fn packing(program: &Program, folder: &Path, kills: u64, rng: &mut Rng) -> io::Result<Row> {
    fs::create_dir_all(folder)?;
    let mut row = Row::new("pack over an older file: SIGKILL and SIGTERM");
    let flags = |file: &str| {
        format!(
            "pack --law uniform --ratio 2 --count 400 --placement growth --packing-fraction 0.5 -o {file} --threads 1"
        )
    };
    let whole = program.run(folder, &flags("whole.xyz"))?;
    row.check(whole.code == Some(0), || format!("packing fails: {}", whole.stderr));
    let expected = fs::read(folder.join("whole.xyz")).unwrap_or_default();
    let run = folder.join("run");
    fs::create_dir_all(&run)?;
    while row.kills < kills && row.losses.len() < 20 {
        fs::write(run.join("a.xyz"), "old")?;
        row.tries += 1;
        let child = program.start(&run, &flags("a.xyz"))?;
        std::thread::sleep(Duration::from_secs_f64(LONGEST * rng.uniform()));
        signal(&child, if rng.below(2) == 0 { "KILL" } else { "TERM" })?;
        let ended = end(child)?;
        let found = fs::read(run.join("a.xyz"))?;
        match ended.code {
            Some(0) => row.finished += 1,
            _ => row.kills += 1,
        }
        let is_whole = found == expected || (ended.code != Some(0) && found == b"old");
        row.check(is_whole, || format!("the file has {} bytes after {:?}", found.len(), ended.code));
    }
    // What kills left is gone after the next run that is left alone.
    let last = program.run(&run, &flags("a.xyz"))?;
    let names: Vec<String> = contents(&run)?.into_keys().collect();
    row.check(last.code == Some(0) && names == ["a.xyz"], || format!("left behind: {names:?}"));
    Ok(row)
}

/// An experiment of a paper: finished points never change, and it comes to the same end.
pub fn experiment(program: &Program, folder: &Path, kills: u64, rng: &mut Rng) -> io::Result<Row> {
    fs::create_dir_all(folder)?;
    let mut row = Row::new("reproduce polygon-corners --quick: SIGKILL and SIGTERM");
    let mut flags = "reproduce polygon-corners --quick --threads 1 --output run".to_owned();
    let kills = kills.min(30);
    while row.kills < kills && row.losses.len() < 20 {
        row.tries += 1;
        let child = program.start(folder, &flags)?;
        std::thread::sleep(Duration::from_secs_f64(0.5 * rng.uniform()));
        let before = points(folder)?;
        signal(&child, if rng.below(2) == 0 { "KILL" } else { "TERM" })?;
        let ended = end(child)?;
        match ended.code {
            Some(0) => {
                row.finished += 1;
                fs::remove_dir_all(folder.join("run"))?;
                flags = "reproduce polygon-corners --quick --threads 1 --output run".to_owned();
                continue;
            }
            Some(2) => row.losses.push(format!("it fails: {}", ended.stderr)),
            _ => row.kills += 1,
        }
        let after = points(folder)?;
        row.resumed += u64::from(!before.is_empty());
        let is_kept = before.iter().all(|(name, bytes)| after.get(name) == Some(bytes));
        row.check(is_kept, || "a finished point was changed or lost".to_owned());
    }
    let last = program.run(folder, &flags)?;
    row.check(last.code == Some(0), || format!("it does not come to its end: {}", last.stderr));
    row.finished += 1;
    let left: Vec<String> = contents(&folder.join("run"))?.into_keys().filter(|name| name.ends_with(".tmp")).collect();
    row.check(left.is_empty(), || format!("left behind: {left:?}"));
    Ok(row)
}

/// Files of finished points; tables, plots and pages are made of them again.
fn points(folder: &Path) -> io::Result<std::collections::BTreeMap<String, Vec<u8>>> {
    let run = folder.join("run");
    if !run.exists() {
        return Ok(Default::default());
    }
    let mut all = contents(&run)?;
    all.retain(|name, _| name.contains("points") && !name.ends_with(".tmp"));
    Ok(all)
}
