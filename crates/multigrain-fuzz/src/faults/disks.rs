//! Disks that are full or read-only, and writes that take less than they are given.

use super::program::{Program, contents, differences};
use super::{Row, scenes};
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

/// A library that is loaded before the C library and writes a few bytes at a time.
const SHORT_WRITES: &str = "#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>
ssize_t write(int file, const void *bytes, size_t count) {
    static ssize_t (*real)(int, const void *, size_t);
    if (!real) real = (ssize_t (*)(int, const void *, size_t))dlsym(RTLD_NEXT, \"write\");
    return real(file, bytes, count > 7 ? 1 + count / 3 : count);
}
";

/// Things that write, by what they write to.
const WRITERS: [(&str, &str); 4] = [
    ("detect ../grains.csv -o disk/out.csv", "out.csv"),
    ("detect ../grains.csv -o disk/out.npy", "out.npy"),
    ("pack --law mono --count 20000 --placement random --packing-fraction 0.1 -o disk/out.xyz", "out.xyz"),
    ("pack --law mono --count 20000 --placement random --packing-fraction 0.1 -o disk/out.vtp", "out.vtp"),
];

/// A run that fills its disk says so, keeps what it had, and goes on when there is room; others keep the older file.
pub fn full_and_read_only(program: &Program, folder: &Path) -> io::Result<Vec<Row>> {
    let mut full = Row::new("full disk: detect, pack, simulate");
    let mut closed = Row::new("read-only disk: detect, pack, simulate");
    let disk = folder.join("disk");
    fs::create_dir_all(&disk)?;
    let text: String = (0..30_000).map(|k| format!("{},{},1\n", k % 200, k / 200)).collect();
    fs::write(folder.join("../grains.csv"), "x,y,r\n".to_owned() + &text)?;
    fs::write(folder.join("scene.toml"), scenes::lasting(scenes::POLYGONS, "0.03"))?;
    let whole = program.run(folder, "simulate scene.toml -o whole --threads 1")?;
    full.check(whole.code == Some(0), || format!("the run that is left alone fails: {}", whole.stderr));
    if !mount(&disk, "size=64k") {
        for row in [&mut full, &mut closed] {
            row.skipped = Some("no right to mount".to_owned());
        }
        return Ok(vec![full, closed]);
    }
    let tried = (|| -> io::Result<()> {
        for (flags, name) in WRITERS {
            keeps_the_older_file(program, folder, flags, &disk.join(name), &mut full)?;
            fs::remove_file(disk.join(name))?;
        }
        fills_up(program, folder, &disk, &mut full)?;
        fs::write(disk.join("out.csv"), "old")?;
        remount(&disk, "ro");
        for (flags, name) in &WRITERS[..1] {
            keeps_the_older_file(program, folder, flags, &disk.join(name), &mut closed)?;
        }
        closed.tries += 1;
        let ended = program.run(folder, "simulate scene.toml -o disk/other --threads 1")?;
        closed
            .check(ended.is_in_words(), || format!("simulate on a read-only disk: {:?} {}", ended.code, ended.stderr));
        Ok(())
    })();
    let _ = Command::new("umount").arg(&disk).stderr(Stdio::null()).status();
    tried?;
    Ok(vec![full, closed])
}

fn keeps_the_older_file(program: &Program, folder: &Path, flags: &str, file: &Path, row: &mut Row) -> io::Result<()> {
    row.tries += 1;
    if !file.exists() {
        fs::write(file, "old")?;
    }
    let ended = program.run(folder, &format!("{flags} --threads 1"))?;
    row.check(ended.is_in_words(), || format!("{flags}: {:?} {}", ended.code, ended.stderr));
    let names: Vec<String> =
        contents(&folder.join("disk"))?.into_keys().filter(|name| name.ends_with(".tmp")).collect();
    row.check(fs::read(file)? == b"old" && names.is_empty(), || {
        format!("{flags}: the older file is gone, or {names:?}")
    });
    Ok(())
}

/// A run that fills up a disk again and again, which grows each time.
fn fills_up(program: &Program, folder: &Path, disk: &Path, row: &mut Row) -> io::Result<()> {
    let mut size = 64;
    let mut how = "";
    loop {
        row.tries += 1;
        let ended = program.run(folder, &format!("simulate scene.toml -o disk/run --threads 1 {how}"))?;
        if ended.code == Some(0) {
            break;
        }
        row.check(ended.is_in_words(), || format!("simulate on a full disk: {:?} {}", ended.code, ended.stderr));
        size *= 2;
        if size > 1 << 20 || !row.losses.is_empty() {
            row.losses.push("the run does not come to its end".to_owned());
            return Ok(());
        }
        remount(disk, &format!("size={size}k"));
        how = if disk.join("run/checkpoint.bin").exists() { "--resume" } else { "--overwrite" };
        row.resumed += u64::from(how == "--resume");
    }
    row.finished += 1;
    let wrong = differences(&contents(&folder.join("whole"))?, &contents(&disk.join("run"))?);
    row.check(wrong.is_none(), || format!("after a full disk: {wrong:?}"));
    Ok(())
}

/// The same files, though every write takes a part of what it is given.
pub fn short_writes(program: &Program, folder: &Path) -> io::Result<Row> {
    fs::create_dir_all(folder)?;
    let mut row = Row::new("short writes: pack, detect, simulate");
    fs::write(folder.join("short.c"), SHORT_WRITES)?;
    let library = folder.canonicalize()?.join("short.so");
    let built = Command::new("cc")
        .current_dir(folder)
        .args(["-shared", "-fPIC", "-O1", "short.c", "-o"])
        .arg(&library)
        .args(["-ldl"])
        .status();
    if !built.is_ok_and(|status| status.success()) {
        row.skipped = Some("no C compiler".to_owned());
        return Ok(row);
    }
    for (number, (_, scene)) in scenes::SCENES.iter().enumerate() {
        fs::write(folder.join(format!("scene{number}.toml")), scenes::lasting(scene, "0.02"))?;
    }
    fs::write(folder.join("roof.stl"), scenes::ROOF)?;
    let preload: [(&str, OsString); 1] = [("LD_PRELOAD", library.into_os_string())];
    for (name, environment) in [("plain", &[][..]), ("short", &preload[..])] {
        fs::create_dir_all(folder.join(name))?;
        for flags in [
            "pack --law uniform --ratio 2 --count 3000 --placement random --packing-fraction 0.5 -o a.xyz --threads 1",
            "detect a.xyz -o list.csv --threads 1",
            "detect a.xyz -o list.npy --threads 1",
            "convert a.xyz -o a.dump.gz --threads 1",
        ]
        .map(str::to_owned)
        .into_iter()
        .chain(
            (0..scenes::SCENES.len())
                .map(|number| format!("simulate ../scene{number}.toml -o run{number} --threads 1")),
        ) {
            let ended = program.run_behind(&folder.join(name), ":", &flags, environment)?;
            row.tries += 1;
            row.check(ended.code == Some(0), || format!("{name}, {flags}: {:?} {}", ended.code, ended.stderr));
        }
    }
    row.finished += 1;
    let wrong = differences(&contents(&folder.join("plain"))?, &contents(&folder.join("short"))?);
    row.check(wrong.is_none(), || format!("{wrong:?}"));
    Ok(row)
}

fn mount(disk: &Path, options: &str) -> bool {
    let mut command = Command::new("mount");
    command.args(["-t", "tmpfs", "-o", options, "tmpfs"]).arg(disk).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn remount(disk: &Path, options: &str) {
    let _ = Command::new("mount").args(["-o", &format!("remount,{options}")]).arg(disk).stderr(Stdio::null()).status();
}
