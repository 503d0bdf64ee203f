//! `multigrain view`: pages from files, films and runs.

use super::{Folder, GRAINS};
use serde_json::Value;

/// What a page says of itself.
fn meta(page: &[u8]) -> Value {
    let text = std::str::from_utf8(page).unwrap();
    let behind = text.split_once("<script type=\"application/json\" id=\"meta\">").unwrap().1;
    serde_json::from_str(behind.split_once("</script>").unwrap().0).unwrap()
}

/// Names of the arrays of a frame.
fn arrays(meta: &Value, frame: usize) -> Vec<&str> {
    let arrays = meta["frames"][frame]["arrays"].as_array().unwrap();
    arrays.iter().map(|array| array["name"].as_str().unwrap()).collect()
}

#[test]
fn a_file_becomes_a_page_that_needs_nothing_else() {
    let folder = Folder::with("grains.csv", "x,y,z,r,heat,name\n0,0,0,1,5,a\n1.5,0,0,1,7,b\n9,9,9,0.5,2,c\n");
    let outcome = folder.run("view grains.csv");
    assert_eq!((outcome.code, outcome.stdout.len()), (0, 0), "{}", outcome.stderr);
    assert_eq!(outcome.stderr, "3 particles shown in multigrain.html (0.1 MB)\n");
    assert_eq!(folder.names(), ["grains.csv", "multigrain.html"]);
    let page = folder.read("multigrain.html");
    let meta = meta(&page);
    assert_eq!((meta["title"].as_str(), meta["dimension"].as_u64()), (Some("grains.csv"), Some(3)));
    assert_eq!((&meta["frames"][0]["particles"], &meta["frames"][0]["contacts"]), (&3.into(), &1.into()));
    let names = ["position", "radius", "column:heat", "contact.first", "contact.second", "contact.value"];
    assert_eq!(arrays(&meta, 0), names);
    let text = String::from_utf8(page).unwrap();
    for outside in ["http://", "https://", "src=", "@import", "url("] {
        assert!(!text.contains(outside), "the page contains {outside}");
    }
}

#[test]
fn files_and_frames_follow_each_other() {
    let folder = Folder::with("a.csv", GRAINS);
    let frame = "1\nProperties=pos:R:2:radius:R:1 time=0.5\n1 2 0.5\n";
    folder.write("film.xyz", frame.repeat(2));
    folder.ok("view a.csv film.xyz -o film.html --contacts no");
    let meta = meta(&folder.read("film.html"));
    let frames = meta["frames"].as_array().unwrap();
    let labels: Vec<&str> = frames.iter().map(|frame| frame["label"].as_str().unwrap()).collect();
    assert_eq!(labels, ["a.csv", "film.xyz", "film.xyz"]);
    assert_eq!((&frames[0]["time"], &frames[2]["time"]), (&Value::Null, &0.5.into()));
    assert_eq!(frames[0]["contacts"], 0);
}

/// In the place of what opens pages on this system, a program that notes what it was given.
#[cfg(target_os = "linux")]
#[test]
fn open_hands_the_page_to_the_browser() {
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, Instant};
    let folder = Folder::with("a.csv", GRAINS);
    std::fs::create_dir(folder.path("bin")).unwrap();
    let note = folder.path("opened.txt");
    folder.write("bin/xdg-open", format!("#!/bin/sh\necho \"$@\" > {0}.new && mv {0}.new {0}\n", note.display()));
    std::fs::set_permissions(folder.path("bin/xdg-open"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").unwrap());
    let outcome = super::Outcome::of({
        let mut command = folder.command("view a.csv -o page.html --open");
        command.env("PATH", path);
        command
    });
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    let start = Instant::now();
    while !note.exists() && start.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let opened = String::from_utf8(folder.read("opened.txt")).unwrap();
    assert_eq!(std::path::Path::new(opened.trim_end()), folder.path("page.html").canonicalize().unwrap());
    let mut command = folder.command("view a.csv -o other.html --open");
    command.env("PATH", folder.path("nothing"));
    let outcome = super::Outcome::of(command);
    assert_eq!(outcome.code, 2, "{}", outcome.stderr);
    assert!(outcome.stderr.contains("\nerror: the page is written, but cannot be opened: "), "{}", outcome.stderr);
    assert!(folder.path("other.html").exists());
}

#[test]
fn json_describes_the_page() {
    let folder = Folder::with("a.csv", GRAINS);
    let report: Value = serde_json::from_str(&folder.ok("view a.csv -o p.html --json")).unwrap();
    assert_eq!((&report["particles"], &report["dimension"], &report["frames"]), (&4.into(), &2.into(), &1.into()));
    assert_eq!(report["bytes"], folder.read("p.html").len());
}

#[test]
fn bad_input_is_one_line_and_leaves_no_page() {
    let folder = Folder::with("a.csv", GRAINS);
    folder.write("bad.csv", "x,y\n1,2\n");
    folder.write("notes.txt", "dear diary");
    folder.write("solid.csv", "x,y,z,r\n0,0,0,1\n");
    std::fs::create_dir(folder.path("nothing")).unwrap();
    for (args, expected) in [
        ("view none.csv", "error: cannot read none.csv: there is no such file or folder"),
        ("view bad.csv", "error: cannot read bad.csv: line 1: the header 'x,y' has no column r"),
        ("view notes.txt", "error: cannot read notes.txt: line 1: the header 'dear,diary' has no column x, y, r"),
        ("view nothing", "error: nothing holds no run: there is no snapshot-*.vtp or snapshot-*.dump in it"),
        ("view nothing a.csv", "error: nothing is a folder, and there are other inputs"),
        ("view a.csv solid.csv", "error: solid.csv has 3 dimensions, the first frame has 2"),
        ("view a.csv -o a.csv", "error: the page would replace the particles in a.csv"),
        ("view a.csv -o page.txt", "error: cannot write a page to page.txt"),
        ("view a.csv -o no/page.html", "error: cannot write no/page.html: there is no folder no"),
        ("view a.csv -o - --json", "error: --json and -o - both want standard output"),
        ("view a.csv -o - --open", "error: --open needs a file to open"),
        (
            "view a.csv --max-size 20apples",
            "error: invalid value '20apples' for '--max-size <SIZE>': 'apples' is not a unit: write bytes such as 20MB",
        ),
    ] {
        assert_eq!(folder.fails(args)[0], expected, "{args}");
    }
    assert!(!folder.path("multigrain.html").exists());
    assert_eq!(folder.read("a.csv"), GRAINS.as_bytes());
}

#[test]
fn a_page_is_replaced_as_a_whole_or_not_at_all() {
    let folder = Folder::with("a.csv", GRAINS);
    folder.write("page.html", "the old one");
    folder.write("bad.csv", "x,y,r\n1,2,three\n");
    folder.fails("view bad.csv -o page.html");
    assert_eq!(folder.read("page.html"), b"the old one");
    folder.ok("view a.csv -o page.html");
    assert!(folder.read("page.html").starts_with(b"<!doctype html>"));
    assert_eq!(folder.names(), ["a.csv", "bad.csv", "page.html"]);
}

#[test]
fn no_particles_are_a_page_too() {
    let folder = Folder::with("none.csv", "x,y,r\n");
    folder.ok("view none.csv -o none.html");
    assert_eq!(meta(&folder.read("none.html"))["frames"][0]["particles"], 0);
}

#[test]
fn pages_are_thinned_to_the_size_asked_for() {
    let folder = Folder::new();
    folder.ok("pack --law uniform --ratio 2 --count 20000 --packing-fraction 0.3 --placement random -o grains.npy");
    let outcome = folder.run("view grains.npy -o p.html --max-size 200kB");
    assert_eq!(outcome.code, 0, "{}", outcome.stderr);
    assert!(folder.read("p.html").len() <= 200_000);
    assert!(
        outcome.stderr.contains("note: Contacts are left out to keep the page small (--max-size)."),
        "{}",
        outcome.stderr
    );
    assert!(outcome.stderr.contains(" of 20000 grains are shown"), "{}", outcome.stderr);
    let meta = meta(&folder.read("p.html"));
    assert_eq!(meta["notes"].as_array().unwrap().len(), 2);
}

const SCENE: &str = "dimension = 3\nduration = 0.02\ngravity = [0.0, 0.0, -9.81]\n\
    [domain]\nlo = [0.0, 0.0, 0.0]\nhi = [0.1, 0.1, 0.1]\nwalls = true\n\
    [[material]]\nname = \"glass\"\ndensity = 2500.0\nstiffness = 1000.0\n\
    [[particles]]\ncount = 20\nradius = 0.008\nplacement = \"lattice\"\n\
    [[wall]]\nshape = \"plane\"\npoint = [0.05, 0.05, 0.09]\nnormal = [0.0, 0.0, -1.0]\nvelocity = [0.0, 0.0, -0.1]\nmoves = true\n";

#[test]
fn a_run_has_a_page_with_its_walls_forces_and_table() {
    let folder = Folder::with("fall.toml", format!("{SCENE}[output]\nsnapshot_every = 0.005\n"));
    folder.ok("simulate fall.toml");
    let page = folder.read("fall/page.html");
    folder.ok("view fall -o again.html");
    assert_eq!(folder.read("again.html"), page, "view of the folder is the page of the run");
    let meta = meta(&page);
    assert_eq!((meta["title"].as_str(), meta["contact_value"].as_str()), (Some("fall"), Some("force")));
    let frames = meta["frames"].as_array().unwrap();
    assert_eq!(frames.len(), 5);
    assert_eq!(frames[4]["time"].as_f64().map(|time| (1e3 * time).round()), Some(20.0));
    for name in ["id", "column:vx", "column:material", "wall.triangle", "wall.edge"] {
        assert!(arrays(&meta, 0).contains(&name), "{name} is missing: {:?}", arrays(&meta, 0));
    }
    // The moving wall is elsewhere in every frame.
    let wall = frames[1]["arrays"].as_array().unwrap().iter().find(|array| array["name"] == "wall.triangle").unwrap();
    assert_eq!(wall["same"], Value::Null);
    assert_eq!(meta["table"]["names"][0], "step");
    // Dumps alone will do: times are those of the table, contacts have overlaps.
    for entry in std::fs::read_dir(folder.path("fall")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|ending| ending == "vtp" || ending == "pvd") {
            std::fs::remove_file(path).unwrap();
        }
    }
    folder.ok("view fall -o dumps.html");
    let dumps = self::meta(&folder.read("dumps.html"));
    assert_eq!(dumps["contact_value"], "overlap");
    assert_eq!(dumps["frames"][4]["time"].as_f64().map(|time| (1e3 * time).round()), Some(20.0));
}

#[test]
fn pages_and_films_have_the_colors_that_the_scene_asks_for() {
    let folder = Folder::new();
    for (color, column) in [
        ("", None),
        ("color = \"size\"", Some("radius")),
        ("color = \"speed\"", Some("speed")),
        ("color = \"material\"", Some("material")),
    ] {
        folder.write("fall.toml", format!("{SCENE}[output]\nsnapshot_every = 0.01\nfilm = true\n{color}\n"));
        folder.ok("simulate fall.toml --overwrite");
        for (name, plays) in [("page", false), ("film", true)] {
            let start = &meta(&folder.read(&format!("fall/{name}.html")))["start"];
            assert_eq!((start["column"].as_str(), &start["plays"]), (column, &plays.into()), "{name}, {color}");
        }
    }
}

#[test]
fn runs_without_snapshots_show_their_end_and_scenes_can_do_without_a_page() {
    let folder = Folder::with("fall.toml", SCENE);
    folder.ok("simulate fall.toml");
    let meta = meta(&folder.read("fall/page.html"));
    assert_eq!(meta["frames"].as_array().unwrap().len(), 1);
    assert_eq!(meta["frames"][0]["particles"], 20);
    folder.write("bare.toml", format!("{SCENE}[output]\npage = false\n"));
    folder.ok("simulate bare.toml");
    assert!(folder.path("bare/energies.csv").exists() && !folder.path("bare/page.html").exists());
}

#[test]
fn runs_of_polygons_have_pages() {
    let scene = "dimension = 2\nduration = 0.01\ngravity = [0.0, -9.81]\n\
        [domain]\nlo = [0.0, 0.0]\nhi = [0.2, 0.2]\nwalls = true\n\
        [[material]]\nname = \"grain\"\ndensity = 1000.0\nmodulus = 2e5\n\
        [[wall]]\nshape = \"plate\"\ncorners = [[0.0, 0.0], [0.2, 0.0]]\n\
        [[polygons]]\ncount = 12\ncorners = [5, 8]\nradius = 0.01\n\
        [output]\nsnapshot_every = 0.005\n";
    let folder = Folder::with("heap.toml", scene);
    folder.ok("simulate heap.toml");
    let meta = meta(&folder.read("heap/page.html"));
    assert_eq!((meta["shape"].as_str(), &meta["frames"][0]["particles"]), (Some("polygon"), &12.into()));
    for name in ["corner", "column:speed", "wall.triangle"] {
        assert!(arrays(&meta, 0).contains(&name), "{name} is missing");
    }
    assert_eq!(meta["frames"][2]["time"].as_f64().map(|time| (1e3 * time).round()), Some(10.0));
}
