//! Every target for a moment: nothing breaks, and targets do what they are for. `docs/reliability.md` reports longer runs.

use multigrain_fuzz::campaign::{Plan, execute, quiet_panics, run};
use multigrain_fuzz::{ALL, target};
use multigrain_lab::counting_allocator::CountingAllocator;
use std::path::Path;
use std::sync::Mutex;
use std::time::Duration;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// Memory is counted for all threads together, so tests take turns.
static TURN: Mutex<()> = Mutex::new(());

/// Inputs of each target: some hundreds are enough to show that it works, thousands find what is plainly wrong.
const FEW: [(&str, u64); 7] = [
    ("scene", 1500),
    ("checkpoint", 3000),
    ("engine", 150),
    ("living", 300),
    ("boxes", 500),
    ("polygons", 500),
    ("c", 1000),
];

/// Inputs of readers.
const MANY: u64 = 4000;

#[test]
fn bytes_of_any_kind_break_nothing() {
    let _turn = TURN.lock();
    quiet_panics();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().unwrap();
    let mut broken = Vec::new();
    for target in ALL {
        let executions = FEW.iter().find(|(name, _)| *name == target.name).map_or(MANY, |(_, count)| *count);
        let plan = Plan { executions, time: Duration::from_secs(60), seed: 1, artifacts: None };
        let tally = pool.install(|| run(target, &plan, &|job| ALLOCATOR.peak_of(job).0.in_place)).unwrap();
        let is_alive = tally.accepted > 0 && tally.behaviours > 2 && tally.executions > 20;
        if !is_alive {
            broken.push(format!("{} does nothing: {tally:?}", target.name));
        }
        broken.extend(tally.failures);
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// What once broke something, named by the target: `fuzz/mended`.
#[test]
fn what_broke_something_once_no_longer_does() {
    let _turn = TURN.lock();
    quiet_panics();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/mended");
    let mut inputs = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        let (name, _) = name.split_once('-').expect("inputs are named by their target");
        let outcome = execute(target(name), &std::fs::read(&path).unwrap(), &|job| ALLOCATOR.peak_of(job).0.in_place);
        assert!(outcome.is_ok(), "{}: {}", path.display(), outcome.unwrap_err());
        inputs += 1;
    }
    assert!(inputs >= 6);
}

#[test]
fn libfuzzer_has_a_shell_for_every_target() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml")).unwrap();
    let listed: Vec<&str> = manifest.lines().filter_map(|line| line.strip_prefix("path = \"fuzz_targets/")).collect();
    let mut shells: Vec<_> =
        std::fs::read_dir(folder.join("fuzz_targets")).unwrap().map(|e| e.unwrap().path()).collect();
    shells.sort();
    for target in ALL {
        let (name, path) = (target.name, folder.join(format!("fuzz_targets/{}.rs", target.name)));
        assert!(listed.contains(&format!("{name}.rs\"").as_str()), "fuzz/Cargo.toml does not name {name}");
        let shell = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        assert!(
            shell.contains(&format!("multigrain_fuzz::target(\"{name}\")")),
            "{} runs another target",
            path.display()
        );
    }
    assert_eq!(listed.len(), ALL.len());
    assert_eq!(shells.len(), ALL.len(), "{shells:?}");
}

#[test]
fn corpora_are_there_for_every_target_and_no_dictionary_is_empty() {
    let folder = std::env::temp_dir().join(format!("multigrain-corpora-{}", std::process::id()));
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_multigrain-fuzz"));
    assert!(command.arg("--seeds").arg(&folder).output().unwrap().status.success());
    for target in ALL {
        let dictionary = std::fs::read_to_string(folder.join(format!("dictionaries/{}.dict", target.name)));
        assert_eq!(dictionary.is_ok(), !target.words.is_empty(), "{}", target.name);
        assert!(dictionary.is_err() || dictionary.unwrap().lines().count() == target.words.len());
        assert!(std::fs::read_dir(folder.join("corpus").join(target.name)).unwrap().count() > 0);
    }
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn campaigns_of_scenes_begin_with_every_scene_of_the_house() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let scenes = names.filter(|path| path.extension().is_some_and(|extension| extension == "toml")).count();
    assert!(scenes >= 20 && (target("scene").seeds)().len() >= scenes);
    assert!((target("checkpoint").seeds)().len() >= 6 * scenes);
}
