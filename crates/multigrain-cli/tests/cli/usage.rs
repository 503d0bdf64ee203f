use super::{Folder, GRAINS};

#[test]
fn shells_and_manuals_know_every_command() {
    let folder = Folder::new();
    for shell in ["bash", "zsh", "fish"] {
        let script = folder.ok(&format!("completions {shell}"));
        for word in ["detect", "analyze", "packing-fraction"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    folder.ok("man-pages man");
    let pages: Vec<_> = std::fs::read_dir(folder.path("man")).unwrap().collect();
    assert!(pages.len() > 10, "{pages:?}");
    assert!(String::from_utf8(folder.read("man/multigrain-detect.1")).unwrap().contains("margin"));
}

#[test]
fn usage_errors_are_one_line_with_a_hint() {
    let folder = Folder::with("grains.csv", GRAINS);
    for (args, start, hint) in [
        ("detect", "the following required arguments were not provided: <INPUT>", "Usage: multigrain detect <INPUT>"),
        (
            "detect grains.csv --method magic",
            "invalid value 'magic' for '--method <NAME>' [possible values: ",
            "multigrain detect --help lists its flags",
        ),
        (
            "detect grains.csv --methud hgrid",
            "unexpected argument '--methud' found",
            "a similar argument exists: '--method'",
        ),
        (
            "detect grains.csv --direction up",
            "invalid value 'up' for '--direction <DIRECTION>' [possible values: top-down, bottom-up]",
            "multigrain detect --help lists its flags",
        ),
        (
            "detect grains.csv --levels 2 --cell-sizes 3",
            "the argument '--levels <L>' cannot be used with '--cell-sizes <SIZES>'",
            "Usage: multigrain detect --levels <L> <INPUT>",
        ),
        (
            "detect grains.csv --cell-sizes 3,x",
            "invalid value '3,x' for '--cell-sizes <SIZES>': 'x' is not a number",
            "multigrain detect --help lists its flags",
        ),
        (
            "detect grains.csv --periodic w",
            "invalid value 'w' for '--periodic <AXES>': 'w' is not an axis: name x, y, z separated by commas, or none",
            "multigrain detect --help lists its flags",
        ),
        (
            "detect grains.csv --box 1,2,3",
            "invalid value '1,2,3' for '--box <BOUNDS>': 3 numbers, must be 4 or 6: xlo,xhi,ylo,yhi[,zlo,zhi]",
            "multigrain detect --help lists its flags",
        ),
        (
            "detect grains.csv --repeat 0",
            "invalid value '0' for '--repeat <N>': must be at least 1",
            "multigrain detect --help lists its flags",
        ),
        (
            "detect grains.csv --threads 100000",
            "invalid value '100000' for '--threads <N>': must be from 0 to 1024",
            "multigrain detect --help lists its flags",
        ),
        ("detect grains.csv --threads -1", "invalid value '-1' for '--threads <N>': must be from 0 to 1024", ""),
        ("scale grains.csv --skin -1", "--skin is -1", "give a positive number"),
        (
            "scale grains.csv --ranks x",
            "invalid value 'x' for '--ranks <N,N,...>': must be a whole number",
            "multigrain scale --help",
        ),
        (
            "scale grains.csv --ranks 0",
            "invalid value '0' for '--ranks <N,N,...>': must be from 1 to 1000000",
            "multigrain scale --help",
        ),
        (
            "detect grains.csv --margin x",
            "invalid value 'x' for '--margin <X>': must be a number",
            "multigrain detect --help",
        ),
        (
            "detect grains.csv --skin 3",
            "unexpected argument '--skin' found",
            "multigrain detect --help lists its flags",
        ),
        (
            "detect .",
            "cannot read .: Is a directory",
            "name a file; view, analyze and convert also take the folder of a run",
        ),
        (
            "simulate grains.csv",
            "grains.csv:1: key with no value, expected `=`",
            "a scene is a TOML file; multigrain new writes one",
        ),
        (
            "compare grains.csv --methods magic",
            "invalid value 'magic' for '--methods <NAMES>' [possible values: ",
            "multigrain compare --help lists its flags",
        ),
        (
            "pack --law magic --count 1",
            "invalid value 'magic' for '--law <LAW>' [possible values: mono, ",
            "multigrain pack --help lists its flags",
        ),
        (
            "pack --count 1",
            "the following required arguments were not provided: --law <LAW>",
            "Usage: multigrain pack ",
        ),
        (
            "pack --law mono --count 1 --dimension 4",
            "invalid value '4' for '--dimension <D>': must be from 2 to 3",
            "multigrain pack --help lists its flags",
        ),
        (
            "tune grains.csv --k much",
            "invalid value 'much' for '--k <K>': must be a number or auto",
            "multigrain tune --help lists its flags",
        ),
        (
            "tune grains.csv --law mono",
            "the argument '[INPUT]' cannot be used with '--law <LAW>'",
            "Usage: multigrain tune ",
        ),
        ("dettect grains.csv", "unrecognized subcommand 'dettect'", "a similar subcommand exists: 'detect'"),
    ] {
        let lines = folder.fails(args);
        assert!(lines[0].starts_with(&format!("error: {start}")), "{args}: {lines:?}");
        assert!(lines[1].starts_with(&format!("hint: {hint}")), "{args}: {lines:?}");
    }
}

#[test]
fn help_and_version_go_to_standard_output() {
    let folder = Folder::new();
    assert_eq!(folder.ok("--version"), format!("multigrain {}\n", env!("CARGO_PKG_VERSION")));
    let help = folder.ok("--help");
    for command in ["demo", "detect", "tune", "pack", "calibrate", "compare"] {
        assert!(help.contains(&format!("\n  {command} ")), "{help}");
        assert!(folder.ok(&format!("{command} --help")).contains(&format!("Usage: multigrain {command}")));
        assert!(folder.ok(&format!("help {command}")).contains("--threads <N>"));
    }
    let detect = folder.ok("detect --help");
    for method in multigrain_methods::Method::ALL {
        assert!(detect.contains(&format!("- {}:", method.name())), "{detect}");
    }
    let outcome = folder.run("");
    assert_eq!(outcome.code, 2);
    assert!(outcome.stdout.is_empty() && outcome.stderr.contains("Usage: multigrain"));
}
