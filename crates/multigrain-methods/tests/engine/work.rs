//! Counted work on fixed scenes, method by method: a change of an algorithm's work shows as a changed snapshot.

use crate::scene::Scene;
use crate::settings;
use crate::threads::{COUNTS, on_threads};
use multigrain::sizes::SizeLaw;
use multigrain::{Axes, Detector, Dimension, Direction, LevelChoice, Pairs, Settings, Snapshot, Work};
use multigrain_methods::Method;
use multigrain_packings::{DataSet, random};
use std::fmt::Write;

const BODIES: usize = 2000;

#[test]
fn counted_work_is_that_of_the_snapshots_for_any_number_of_threads() {
    for &method in Method::ALL {
        let mut table =
            format!("{:24} {:24} {:>8} {:>11} {:>8}\n", "scene", "settings", "pairs", "candidates", "cells");
        for set in DataSet::ALL {
            add_rows(&mut table, method, &Scene::of(set.name, set.build(BODIES, 1).unwrap()));
        }
        let uv50 = DataSet::from_name("uv50").unwrap();
        add_rows(&mut table, method, &Scene::of("uv50 periodic", uv50.build_periodic(BODIES, 2).unwrap()));
        let discs = SizeLaw::power(-3.0, 20.0).unwrap().sample(BODIES, 2);
        let discs = random(discs, 0.4, [true, false], 3).unwrap();
        add_rows(&mut table, method, &Scene::of("discs, x periodic", discs).with_margin(0.2));
        let mut insta = insta::Settings::clone_current();
        insta.set_prepend_module_to_snapshot(false);
        insta.set_omit_expression(true);
        insta.bind(|| insta::assert_snapshot!(format!("work-of-{}", method.name()), table));
    }
}

fn add_rows<const D: usize>(table: &mut String, method: Method, scene: &Scene<D>)
where
    Axes: Dimension<D>,
{
    let now = scene.now();
    let rows = [
        ("own", Settings::default()),
        ("3 levels, top-down", levels(3, Direction::TopDown)),
        ("3 levels, bottom-up", levels(3, Direction::BottomUp)),
    ];
    for (name, settings) in rows {
        if settings::build(method, now, &settings).is_none() {
            continue;
        }
        let counts =
            COUNTS.map(|threads| count(settings::build(method, now, &settings).expect("built before"), now, threads));
        let (contacts, work) = counts[0];
        assert!(counts.iter().all(|&other| other == counts[0]), "{}, {}: {counts:?}", method.name(), scene.name);
        let Work { candidates, cells } = work;
        writeln!(table, "{:24} {name:24} {contacts:8} {candidates:11} {cells:8}", scene.name).unwrap();
    }
}

fn levels(count: usize, direction: Direction) -> Settings {
    Settings::default().with_direction(direction).with_levels(LevelChoice::Count(count))
}

fn count<const D: usize>(mut detector: Box<dyn Detector<D>>, now: Snapshot<'_, D>, threads: usize) -> (usize, Work) {
    let mut pairs = Pairs::new();
    let work = on_threads(threads, || detector.count_work(now, &mut pairs));
    (pairs.len(), work)
}
