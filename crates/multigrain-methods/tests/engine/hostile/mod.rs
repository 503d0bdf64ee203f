//! The places where contact detection goes wrong silently. Every scene here is run by every method, in 2D and 3D.

mod geometry;
mod grazing;
mod huge;
mod numbers;
mod scales;
mod sizes;

use crate::check::every_method_agrees;
use crate::scene::Scene;
use multigrain::{Axes, Dimension};

/// Scenes small enough for the oracle, which O(N²) methods finish too. One and three threads take turns: what threads
/// change is looked for elsewhere.
fn run<const D: usize>(scenes: Vec<Scene<D>>)
where
    Axes: Dimension<D>,
{
    assert!(!scenes.is_empty());
    for (number, scene) in scenes.iter().enumerate() {
        every_method_agrees(scene, if number % 2 == 0 { &[1] } else { &[3] });
    }
}

#[test]
fn every_method_agrees_on_hostile_geometry_in_2d() {
    run(geometry::scenes::<2>());
}

#[test]
fn every_method_agrees_on_hostile_geometry_in_3d() {
    run(geometry::scenes::<3>());
}

#[test]
fn every_method_agrees_on_boxes_of_a_few_cells_in_2d() {
    run(geometry::boxes_of_a_few_cells::<2>());
}

#[test]
fn every_method_agrees_on_boxes_of_a_few_cells_in_3d() {
    run(geometry::boxes_of_a_few_cells::<3>());
}

#[test]
fn every_method_agrees_on_hostile_sizes_in_2d() {
    run(sizes::scenes::<2>());
}

#[test]
fn every_method_agrees_on_hostile_sizes_in_3d() {
    run(sizes::scenes::<3>());
}

#[test]
fn every_method_agrees_on_hostile_numbers_in_2d() {
    run(numbers::scenes::<2>());
}

#[test]
fn every_method_agrees_on_hostile_numbers_in_3d() {
    run(numbers::scenes::<3>());
}

#[test]
fn every_method_agrees_on_tiny_bodies_in_huge_boxes_in_2d() {
    run(scales::scenes::<2>());
}

#[test]
fn every_method_agrees_on_tiny_bodies_in_huge_boxes_in_3d() {
    run(scales::scenes::<3>());
}

#[test]
fn every_method_agrees_on_pairs_that_graze_in_2d() {
    run(grazing::scenes::<2>());
}

#[test]
fn every_method_agrees_on_pairs_that_graze_in_3d() {
    run(grazing::scenes::<3>());
}
