//! Runs that go on with other numbers, and runs that begin from snapshots of others.

use super::Folder;
use super::simulate::SMALL;

/// The last row of a run's table, by column.
fn last_row(folder: &Folder, run: &str) -> std::collections::HashMap<String, f64> {
    let text = String::from_utf8(folder.read(&format!("{run}/energies.csv"))).unwrap();
    let (head, row) = (text.lines().next().unwrap(), text.lines().last().unwrap());
    head.split(',').map(str::to_owned).zip(row.split(',').map(|value| value.parse().unwrap_or(f64::NAN))).collect()
}

#[test]
fn a_run_goes_on_with_other_numbers_and_notes_them() {
    let folder = Folder::with("a.toml", SMALL);
    folder.ok("simulate a.toml --duration 0.1 --json");
    let refused = folder.fails("simulate a.toml --change gravity=[0,0]");
    assert!(refused[0].contains("--resume"), "{refused:?}");
    // A run that begins again has nothing to go on with: what it is to be is written in the scene.
    let refused = folder.fails("simulate a.toml --overwrite --change gravity=[0,0]");
    assert_eq!(refused[0], "error: the argument '--overwrite' cannot be used with '--change <KEY=VALUE>'");
    folder.ok("simulate a.toml --resume --change gravity=[0,9.81] --change material.friction=0.1 --json");
    let notes = String::from_utf8(folder.read("a/changes.txt")).unwrap();
    assert_eq!(notes.lines().count(), 2, "{notes}");
    assert!(notes.contains("gravity was `0e0 -9.81e0`, is `0e0 9.81e0`"), "{notes}");
    let table = String::from_utf8(folder.read("a/energies.csv")).unwrap();
    let column = table.lines().next().unwrap().split(',').position(|name| name == "changes").unwrap();
    let changes: Vec<&str> = table.lines().skip(1).map(|row| row.split(',').nth(column).unwrap()).collect();
    assert_eq!((changes[0], *changes.last().unwrap()), ("0", "2"));
    assert!(last_row(&folder, "a")["py"] > 0.0, "grains fall upwards");
    assert!(last_row(&folder, "a")["energy_drift"].is_nan(), "with another gravity energy is another one");
    // The state now has these numbers: the scene alone is another one.
    let refused = folder.fails("simulate a.toml --resume --duration 0.21");
    assert!(refused[0].contains("gravity was `0e0 9.81e0`") && refused[1].contains("--change"), "{refused:?}");
    for (change, word) in [
        ("material.name=steel", "nothing"),
        ("time.step=1e-7", "time step"),
        ("particles.count=3", "how the run began"),
        ("domain.walls=false", "wall"),
        ("material.stiffness=1e9", "time step"),
    ] {
        let same = "--change gravity=[0,9.81] --change material.friction=0.1";
        let outcome = folder.run(&format!("simulate a.toml --resume --duration 0.2 {same} --change {change}"));
        assert!(outcome.stderr.contains(word), "{change}: {}", outcome.stderr);
    }
    for (change, problem) in [
        ("nosuch=1", "unknown field `nosuch`"),
        ("material.friction=-1", "friction of material `grain` is -1"),
        ("time.step=fast", "the text \"fast\" must be a number"),
    ] {
        let lines = folder.fails(&format!("simulate a.toml --resume --change {change}"));
        assert!(lines[0].starts_with(&format!("error: --change {change}: {problem}")), "{lines:?}");
    }
    folder.write("b.toml", SMALL.replace("restitution = 0.5", "restitution = 7"));
    let lines = folder.fails("simulate b.toml --resume --change gravity=[0,-1] --change material.density=9");
    assert!(lines[0].starts_with("error: b.toml:15: "), "a mistake of the file itself: {lines:?}");
}

#[test]
fn a_snapshot_begins_another_run_with_its_velocities_and_spins() {
    let folder = Folder::with("a.toml", SMALL);
    folder.ok("simulate a.toml --json");
    let mut names: Vec<String> = std::fs::read_dir(folder.path("a"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("snapshot-") && name.ends_with(".dump"))
        .collect();
    names.sort();
    let middle = &names[2];
    folder.ok("convert a -o all.xyz");
    let block = SMALL.find("[[particles]]").unwrap();
    let end = SMALL.find("[output]").unwrap();
    let kinetic = |keys: &str| {
        let text = format!("{}allow_overlap = true\n{}[[particles]]\n{keys}\n", &SMALL[..1], &SMALL[1..block]);
        folder.write("b.toml", text + &SMALL[end..]);
        folder.ok("simulate b.toml --overwrite --duration 1e-9 --json");
        let text = String::from_utf8(folder.read("b/energies.csv")).unwrap();
        text.lines().nth(1).unwrap().split(',').skip(3).take(4).map(str::to_owned).collect::<Vec<_>>()
    };
    let dump = kinetic(&format!("file = \"a/{middle}\""));
    let vtp = kinetic(&format!("file = \"a/{}\"", middle.replace(".dump", ".vtp")));
    let frame = kinetic("file = \"all.xyz\"\nframe = 2");
    assert!(dump == vtp && dump == frame, "{dump:?} {vtp:?} {frame:?}");
    // The step is in the name; the row of that step has the same energies of motion to rounding of sums.
    let step = middle.trim_start_matches("snapshot-").trim_end_matches(".dump").trim_start_matches('0');
    let table = String::from_utf8(folder.read("a/energies.csv")).unwrap();
    let row: Vec<f64> = match table.lines().find(|row| row.starts_with(&format!("{step},"))) {
        Some(row) => row.split(',').skip(3).take(2).map(|value| value.parse().unwrap()).collect(),
        None => panic!("no row of step {step}"),
    };
    for (own, written) in row.iter().zip(&dump) {
        let written: f64 = written.parse().unwrap();
        assert!(written > 0.0 && (own - written).abs() <= 1e-12 * own.abs(), "{own} {written}");
    }
    let still = kinetic(&format!("file = \"a/{middle}\"\nvelocity = [0.0, 0.0]"));
    assert_eq!((still[0].as_str(), still[1].as_str()), ("0", "0"));
    let refused = {
        folder.write("c.toml", format!("{}[[particles]]\nfile = \"all.xyz\"\nframe = 99\n", &SMALL[..block]));
        folder.fails("simulate c.toml")
    };
    assert!(refused[0].starts_with("error: c.toml:") && refused[0].contains("no frame 99"), "{refused:?}");
}
