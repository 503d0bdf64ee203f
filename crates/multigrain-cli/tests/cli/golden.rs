//! The course of every scene of the house is the same, bit for bit, on any number of threads and with every kernel that the processor has,
//! and the one that it was when its numbers were last accepted.

use multigrain_cli::{CourseWay, SceneCourse, courses_of_scene};
use std::fs;
use std::path::Path;

/// Steps of each scene.
const STEPS: u64 = 150;

/// Gravity is so many times that of the scenes, so that grains meet within these steps.
const HEAVIER: f64 = 100.0;

/// The first is that of the table.
const WAYS: [CourseWay; 7] = [
    CourseWay { threads: 1, kernel: None },
    CourseWay { threads: 2, kernel: None },
    CourseWay { threads: 3, kernel: None },
    CourseWay { threads: 8, kernel: None },
    CourseWay { threads: 2, kernel: Some("portable") },
    CourseWay { threads: 1, kernel: Some("avx2") },
    CourseWay { threads: 1, kernel: Some("avx512") },
];

#[test]
fn every_scene_takes_its_golden_course_on_any_threads_and_kernels() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes");
    let mut paths: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    let (mut table, mut touching) = (String::new(), 0);
    for path in &paths {
        let name = path.file_stem().unwrap().to_str().unwrap();
        let text = fs::read_to_string(path).unwrap().replace("-9.81]", &format!("{}]", -9.81 * HEAVIER));
        let courses = courses_of_scene(path, &text, STEPS, &WAYS).unwrap();
        let golden = courses[0].expect("any processor can do as the scene says");
        for (way, course) in WAYS.iter().zip(&courses) {
            assert!(course.is_none_or(|course| course == golden), "{name}, {way:?}: {course:x?}, not {golden:x?}");
        }
        assert!(courses[4].is_some(), "plain loops run anywhere");
        let SceneCourse { grains, contacts, fingerprint } = golden;
        touching += usize::from(contacts > 5);
        table += &format!("{name:<18} {grains:>5} grains {contacts:>5} contacts  {fingerprint:016x}\n");
    }
    assert!(paths.len() >= 20 && touching >= 10, "{table}");
    insta::assert_snapshot!(table);
}
