use super::{Folder, GRAINS, Outcome};
use std::io::Read;
use std::process::{Command, Stdio};

#[test]
fn wrong_output_is_found_before_any_work() {
    let folder = Folder::with("grains.csv", GRAINS);
    std::fs::create_dir(folder.path("folder.csv")).unwrap();
    for (args, error, hint) in [
        (
            "detect gone.csv -o list.txt",
            "cannot tell the format of list.txt by its extension",
            "contact lists are written as .csv or .npy, or as CSV to standard output with -o -",
        ),
        ("detect gone.csv -o list", "cannot tell the format of list by its extension", "contact lists are written as"),
        ("detect gone.csv -o folder.csv", "cannot write folder.csv: it is a folder", "name a file in it"),
        (
            "detect gone.csv -o no/list.csv",
            "cannot write no/list.csv: there is no folder no",
            "make the folder first, or write elsewhere",
        ),
        (
            "detect grains.csv -o ./grains.csv",
            "the list would replace the particles in grains.csv",
            "write it to another file",
        ),
    ] {
        let lines = folder.fails(args);
        assert_eq!(lines[0], format!("error: {error}"));
        assert!(lines[1].starts_with(&format!("hint: {hint}")), "{lines:?}");
    }
    assert_eq!(folder.names(), ["folder.csv", "grains.csv"]);
    assert_eq!(folder.read("grains.csv"), GRAINS.as_bytes());
}

#[test]
fn an_existing_list_is_replaced() {
    let folder = Folder::with("grains.csv", GRAINS);
    folder.write("list.csv", "something much longer than what comes to stand here in the end");
    folder.ok("detect grains.csv -o list.csv");
    assert_eq!(folder.read("list.csv"), b"i,j,overlap\n0,1,0.5\n");
    assert_eq!(folder.names(), ["grains.csv", "list.csv"]);
}

#[test]
fn a_reader_that_goes_away_ends_it_quietly() {
    let folder = Folder::new();
    folder.ok("pack --law mono --count 100000 --placement random --packing-fraction 0.6 -o system.npy");
    let mut child = Command::new(env!("CARGO_BIN_EXE_multigrain"))
        .current_dir(folder.0.path())
        .args(["detect", "system.npy"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut start = [0; 12];
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut start).unwrap();
    drop(stdout);
    let mut stderr = String::new();
    child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!((&start[..], stderr.as_str()), (&b"i,j,overlap\n"[..], ""));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_an_error() {
    let folder = Folder::with("grains.csv", GRAINS);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_multigrain"))
        .current_dir(folder.0.path())
        .args(["detect", "grains.csv"])
        .stdout(full)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr, "error: cannot write to standard output: No space left on device (os error 28)\n");
}

#[test]
fn systems_flow_through_pipes() {
    let folder = Folder::new();
    let system = folder.ok("pack --law uniform --ratio 2 --count 300 --placement random --packing-fraction 0.6");
    let mut command = folder.command("detect - --json");
    command.write_stdin(system);
    let outcome = Outcome::of(command);
    let report: serde_json::Value = serde_json::from_str(&outcome.text()).unwrap();
    assert_eq!(report["particles"], 300);
    assert!(folder.names().is_empty());
}
