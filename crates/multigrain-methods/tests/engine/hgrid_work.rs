//! Counted work of `hgrid` against its own cost model, and of `hgrid-cells` with optimal levels against the papers' model,
//! for random positions.

use multigrain::System;
use multigrain::detectors::HierarchicalGrid;
use multigrain::sizes::SizeLaw;
use multigrain::tuning::{BodySample, Coefficients, Distribution, RowModel};
use multigrain::{Axes, Detector, Dimension, Direction, LevelChoice, Levels, Pairs, Settings, Snapshot, Work};
use multigrain_methods::Method;
use multigrain_packings as scenes;
use multigrain_packings::DataSet;
use multigrain_papers::tuning::{CostModel, Spacing};

const BODIES: usize = 100_000;

fn lengths<const D: usize>(now: &Snapshot<'_, D>) -> [f64; D] {
    std::array::from_fn(|axis| match now.domain().is_periodic(axis) {
        true => now.domain().length(axis),
        false => now.extent().hi[axis] - now.extent().lo[axis],
    })
}

fn assert_close(counted: u64, predicted: f64, tolerance: f64, what: &str) {
    let error = predicted * BODIES as f64 / counted as f64 - 1.0;
    assert!(error.abs() < tolerance, "{:+.2} % off: {counted} {what}", 100.0 * error);
}

/// Counts the work of given levels, or of those that the model chooses, and compares it with the model.
fn follows_its_model<const D: usize>(system: &System<D>, levels: Option<&[f64]>, direction: Direction, what: &str)
where
    Axes: Dimension<D>,
{
    let now = system.snapshot().unwrap();
    let sizes = Distribution::of_radii(&system.radii).unwrap();
    let periodic = std::array::from_fn(|axis| now.domain().is_periodic(axis));
    let model = RowModel::in_box(&sizes, BODIES, lengths(&now), periodic).unwrap().with_direction(direction);
    let levels = match levels {
        Some(cell_sizes) => Levels::from_cell_sizes(cell_sizes).unwrap(),
        None => model.tune(None).unwrap().levels,
    };
    let predicted = model.predict(&levels);
    let mut grid = HierarchicalGrid::with_levels(levels, direction);
    let Work { cells, candidates } = grid.count_work(now, &mut Pairs::new());
    let layout = Detector::layout(&grid);
    let what = format!("in {what}, {layout:?}, predicted {predicted:?}");
    assert_close(cells, predicted.work.rows, 0.05, &format!("rows {what}"));
    assert_close(candidates, predicted.work.candidates, 0.05, &format!("candidates {what}"));
    for (laid_out, predicted) in layout.cell_sizes.iter().zip(&predicted.cell_sizes) {
        assert!((laid_out / predicted - 1.0).abs() < 0.01, "{what}");
    }
    for (&bodies, share) in layout.particles_per_level.iter().zip(&predicted.share_of_particles) {
        assert!((bodies as f64 - share * BODIES as f64).abs() < 1e-6, "{what}");
    }
}

#[test]
fn every_set_in_a_periodic_box_costs_what_the_fast_grids_model_says() {
    for set in DataSet::ALL {
        follows_its_model(&set.build_periodic(BODIES, 1).unwrap(), None, Direction::TopDown, set.name);
    }
}

#[test]
fn every_set_in_open_space_costs_what_the_fast_grids_model_says() {
    for set in DataSet::ALL {
        follows_its_model(&set.build(BODIES, 1).unwrap(), None, Direction::TopDown, set.name);
    }
}

#[test]
fn given_levels_and_both_directions_cost_what_the_fast_grids_model_says() {
    let set = DataSet::from_name("us50").unwrap();
    let system = set.build_periodic(BODIES, 2).unwrap();
    for direction in Direction::ALL {
        for sizes in [&[100.0][..], &[50.0, 100.0], &[30.0, 60.0, 100.0], &[130.0]] {
            follows_its_model(&system, Some(sizes), direction, set.name);
        }
    }
}

#[test]
fn discs_cost_what_the_fast_grids_model_says() {
    for (law, packing_fraction) in [
        (SizeLaw::Mono, 0.8),
        (SizeLaw::power(-2.0, 160.0).unwrap(), 0.7),
        (SizeLaw::power(-3.0, 20.0).unwrap(), 0.4),
        (SizeLaw::log_normal(0.5).unwrap(), 0.6),
    ] {
        for periodic in [[false; 2], [true; 2], [true, false]] {
            let system = scenes::random::<2>(law.sample(BODIES, 2), packing_fraction, periodic, 3).unwrap();
            follows_its_model(&system, None, Direction::TopDown, &format!("{law:?} {periodic:?}"));
        }
    }
}

#[test]
fn optimal_levels_cost_hgrid_cells_what_the_papers_model_says() {
    for set in DataSet::ALL {
        let system = set.build_periodic(BODIES, 4).unwrap();
        let now = system.snapshot().unwrap();
        let sizes = Distribution::of_radii(&system.radii).unwrap();
        let model = CostModel::in_box(&sizes, BODIES, lengths(&now), [true; 3]).unwrap();
        let best = Spacing::Optimal.tune(&model, None).unwrap();
        let settings = Settings::default()
            .with_direction(Direction::TopDown)
            .with_levels(LevelChoice::CellSizes(best.cell_sizes.clone()));
        let mut grid = Method::HGridCells.build_with(now, &settings).unwrap();
        let Work { cells, candidates } = grid.count_work(now, &mut Pairs::new());
        assert_close(candidates, best.candidates_per_particle, 0.03, &format!("candidates of {} {best:?}", set.name));
        assert_close(cells, best.cells_per_particle, 0.03, &format!("cells of {} {best:?}", set.name));
    }
}

#[test]
fn a_sample_of_the_bodies_predicts_nearly_what_all_of_them_do() {
    for set in DataSet::ALL {
        let system = set.build(BODIES, 5).unwrap();
        let now = system.snapshot().unwrap();
        let sizes = Distribution::of_radii(&system.radii).unwrap();
        let all = RowModel::in_box(&sizes, BODIES, lengths(&now), [false; 3]).unwrap();
        let sample = BodySample::of(&now).unwrap();
        let tuned = sample.model().unwrap().tune(None).unwrap();
        let expected = all.predict(&tuned.levels).work;
        let sampled = sample.model().unwrap().predict(&tuned.levels).work;
        for (sampled, expected) in [(sampled.rows, expected.rows), (sampled.candidates, expected.candidates)] {
            assert!((sampled / expected - 1.0).abs() < 0.15, "{}: {sampled} {expected}", set.name);
        }
    }
}

#[test]
fn no_other_levels_are_predicted_to_be_faster() {
    for set in DataSet::ALL {
        let radii = set.law().sample(20_000, 3);
        let volume: f64 = radii.iter().map(|&radius| multigrain::sizes::ball_volume(radius, 3)).sum();
        let side = (volume / set.packing_fraction).cbrt();
        let sizes = Distribution::of_radii(&radii).unwrap();
        let model = RowModel::in_box(&sizes, radii.len(), [side; 3], [false; 3]).unwrap();
        let best = model.tune(None).unwrap();
        let (smallest, largest) = (2.0 * sizes.smallest(), 2.0 * sizes.largest());
        for levels in 1..=5 {
            for finest in [1.0, 1.5, 2.5, 4.0, 7.0, 12.0] {
                let finest = smallest * finest;
                let at = |level: usize| finest * (largest / finest).powf(level as f64 / (levels - 1) as f64);
                let mut cell_sizes: Vec<f64> = (0..levels - 1).map(at).filter(|&size| size < largest).collect();
                cell_sizes.push(largest);
                let other = model.predict(&Levels::from_cell_sizes(&cell_sizes).unwrap());
                let seconds = Coefficients::BUILT_IN.seconds(&other.work);
                // The path knows the budget of cells of each level only roughly, and shuns levels that gain hardly anything.
                assert!(best.seconds < 1.05 * seconds, "{}: {best:?} against {cell_sizes:?}: {seconds}", set.name);
            }
        }
    }
}
