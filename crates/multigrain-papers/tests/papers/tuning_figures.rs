//! Figures of the papers on hierarchical grids, recomputed.

use multigrain::Direction;
use multigrain::sizes::SizeLaw;
use multigrain::tuning::Distribution;
use multigrain_papers::tuning::{CostModel, Spacing, Tuning};

const CONSTANT: Spacing = Spacing::ConstantRatio(1.0);

/// A power law in three dimensions at packing fraction 0.7, with K = 0.2.
fn tune(spacing: Spacing, exponent: f64, ratio: f64, direction: Direction, levels: Option<usize>) -> Tuning {
    let law = SizeLaw::power(exponent, ratio).unwrap();
    let distribution = Distribution::of_law(&law, 3).unwrap();
    let model = CostModel::packed(&distribution, 3, 0.7).unwrap().with_direction(direction);
    spacing.tune(&model, levels).unwrap()
}

/// Uniform volumes, sizes 1 to 100, Top-Down: the example of section 5.3.
fn example(spacing: Spacing, levels: Option<usize>) -> Tuning {
    tune(spacing, -3.0, 100.0, Direction::TopDown, levels)
}

fn levels_and_work(tuning: &Tuning) -> (usize, String) {
    (tuning.cell_sizes.len(), format!("{:.2}", tuning.work))
}

/// How much more a number of levels costs than the best, in percent.
fn percent_more(spacing: Spacing, levels: usize) -> f64 {
    100.0 * (example(spacing, Some(levels)).work / example(spacing, None).work - 1.0)
}

#[test]
fn linear_spacing_is_best_with_43_levels() {
    assert_eq!(levels_and_work(&example(Spacing::Linear, None)), (43, "12.40".into()));
}

#[test]
fn exponential_spacing_is_best_with_4_levels_and_sensitive_to_them() {
    assert_eq!(levels_and_work(&example(Spacing::Exponential, None)), (4, "12.13".into()));
    assert_eq!(percent_more(Spacing::Exponential, 3).round(), 47.0);
    assert_eq!(percent_more(Spacing::Exponential, 6).round(), 24.0);
}

#[test]
fn constant_particles_per_cell_are_best_with_12_levels_and_insensitive_to_them() {
    let best = example(CONSTANT, None);
    assert_eq!(levels_and_work(&best), (12, "11.60".into()));
    assert!(best.particles_per_cell.iter().all(|m| (m / best.particles_per_cell[0] - 1.0).abs() < 1e-9));
    assert_eq!(format!("{:.1}", percent_more(CONSTANT, 8)), "10.0");
    assert_eq!(format!("{:.1}", percent_more(CONSTANT, 19)), "10.1");
}

#[test]
fn growing_particles_per_cell_cost_a_little_more() {
    for (ratio, work) in [(1.0, "11.60"), (2.0, "11.72"), (5.0, "13.81")] {
        assert_eq!(format!("{:.2}", example(Spacing::ConstantRatio(ratio), None).work), work, "{ratio}");
    }
}

#[test]
fn optimal_spacing_has_8_levels_and_is_flat_beyond() {
    let best = example(Spacing::Optimal, None);
    assert_eq!(levels_and_work(&best), (8, "11.57".into()));
    let unbounded = example(Spacing::Optimal, Some(64));
    assert!(unbounded.work <= best.work && best.work <= unbounded.work * (1.0 + 1e-5), "{unbounded:?}");
    assert!(example(Spacing::Optimal, Some(7)).work > unbounded.work * (1.0 + 1e-5));
    // Less sensitive to the number of levels than constant particles per cell.
    assert!(example(Spacing::Optimal, Some(5)).work < 1.01 * best.work);
    // Section 5.3: mostly less than one particle per cell.
    assert!(best.particles_per_cell.iter().all(|&m| m < 1.0), "{best:?}");
}

#[test]
fn free_cooling_example_has_five_levels_and_saves_a_factor_of_35() {
    let distribution = Distribution::of_law(&SizeLaw::power(-3.0, 20.0).unwrap(), 2).unwrap();
    let model = CostModel::packed(&distribution, 2, 0.4).unwrap();
    let best = Spacing::Optimal.tune(&model, None).unwrap();
    // The paper prints 4.0, 7.9, 15.1, 27.2 and 40.
    let printed: Vec<String> = best.cell_sizes.iter().map(|size| format!("{size:.2}")).collect();
    assert_eq!(printed, ["4.01", "7.88", "15.05", "27.22", "40.00"]);
    for (size, printed) in best.cell_sizes.iter().zip([4.0, 7.9, 15.1, 27.2, 40.0]) {
        assert!((size - printed).abs() < 0.06, "{size} {printed}");
    }
    assert_eq!((best.linked_cell_work / best.work).round(), 35.0);
}

#[test]
fn linear_spacing_searched_bottom_up_gets_worse_with_the_size_ratio() {
    for (ratio, work) in [(10.0, 44.0), (100.0, 67.0), (1000.0, 158.0)] {
        let best = tune(Spacing::Linear, -3.0, ratio, Direction::BottomUp, None);
        assert_eq!(best.work.round(), work, "{ratio}");
    }
}

#[test]
fn optimal_work_never_rises_with_the_size_ratio() {
    let mut before = f64::INFINITY;
    for step in 0..=50 {
        let ratio = 10f64.powf(1.0 + 0.1 * f64::from(step));
        let work = tune(Spacing::Optimal, -3.0, ratio, Direction::TopDown, None).work;
        assert!(work <= before * (1.0 + 1e-5), "{ratio}: {work} after {before}");
        before = work;
    }
    assert!(before < 8.0, "{before}");
}

#[test]
fn optimal_work_stays_below_30_and_falls_with_exponent_and_packing_fraction() {
    for ratio in [2.0, 10.0, 1000.0] {
        let mut before = f64::INFINITY;
        for exponent in [0.0, -1.0, -2.0, -3.0] {
            let work = tune(Spacing::Optimal, exponent, ratio, Direction::TopDown, None).work;
            assert!(work < 30.0 && work < before, "{exponent} {ratio}: {work} after {before}");
            before = work;
        }
    }
    let distribution = Distribution::of_law(&SizeLaw::power(-3.0, 100.0).unwrap(), 3).unwrap();
    let at = |phi| Spacing::Optimal.tune(&CostModel::packed(&distribution, 3, phi).unwrap(), None).unwrap().work;
    assert!(at(0.1) < at(0.3) && at(0.3) < at(0.5) && at(0.5) < at(0.7));
}

#[test]
fn top_down_is_the_better_direction_where_the_paper_says_so() {
    let work = |spacing, exponent, direction| tune(spacing, exponent, 50.0, direction, None).work;
    for exponent in [0.0, -1.0, -2.0, -3.0] {
        let [top_down, bottom_up] = Direction::ALL.map(|direction| work(CONSTANT, exponent, direction));
        assert!(top_down < bottom_up, "constant {exponent}: {top_down} {bottom_up}");
    }
    for (exponent, top_down_is_better) in [(0.0, false), (-2.0, true), (-3.0, true)] {
        let [top_down, bottom_up] = Direction::ALL.map(|direction| work(Spacing::Exponential, exponent, direction));
        assert_eq!(top_down < bottom_up, top_down_is_better, "exponential {exponent}: {top_down} {bottom_up}");
    }
    for (exponent, top_down_is_better) in [(0.0, false), (-3.0, true)] {
        let [top_down, bottom_up] = Direction::ALL.map(|direction| work(Spacing::Linear, exponent, direction));
        assert_eq!(top_down < bottom_up, top_down_is_better, "linear {exponent}: {top_down} {bottom_up}");
    }
}
