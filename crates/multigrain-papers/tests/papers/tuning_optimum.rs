//! The optimal levels are optimal: against the other spacings, every combination, and searches from anywhere.

use multigrain::Direction;
use multigrain::Rng;
use multigrain::limits::MAX_LEVELS;
use multigrain::sizes::{SizeLaw, ball_volume};
use multigrain::tuning::Distribution;
use multigrain_papers::tuning::{CostModel, RadiiSample, Spacing};

fn pick<T: Clone>(rng: &mut Rng, items: &[T]) -> T {
    items[rng.below(items.len() as u64) as usize].clone()
}

/// Log-uniform.
fn between(rng: &mut Rng, from: f64, to: f64) -> f64 {
    from * (to / from).powf(rng.uniform())
}

fn random_law(rng: &mut Rng, dimension: usize) -> SizeLaw {
    let ratio = between(rng, 1.0, 1e6);
    let law = match rng.below(6) {
        0 => SizeLaw::power(-8.0 + 12.0 * rng.uniform(), ratio),
        1 => SizeLaw::power(pick(rng, &[-1.0, -1.0 - dimension as f64, 0.0, -3.0]), ratio),
        2 => SizeLaw::bidisperse(ratio),
        3 => SizeLaw::log_normal(between(rng, 0.01, 2.0)),
        4 => SizeLaw::log_normal_within(between(rng, 0.05, 10.0), between(rng, 1.0, 1e3)),
        _ => {
            let count = 1 + rng.below(12);
            let entries: Vec<_> = (0..count).map(|_| (between(rng, 1.0, ratio), between(rng, 1e-6, 1.0))).collect();
            SizeLaw::table(&entries)
        }
    };
    law.unwrap()
}

fn random_sample(rng: &mut Rng, dimension: usize) -> Vec<f64> {
    let count = 1 + between(rng, 1.0, 5000.0) as usize;
    let scale = between(rng, 1e-6, 1e6);
    match rng.below(3) {
        0 => random_law(rng, dimension).sample(count, dimension).iter().map(|radius| radius * scale).collect(),
        1 => {
            // A narrow crowd and a few giants, some points among them.
            let mut radii: Vec<f64> = (0..count).map(|_| scale * (1.0 + 0.05 * rng.uniform())).collect();
            radii.extend((0..3).map(|_| scale * (50.0 + 10.0 * rng.uniform())));
            radii.push(0.0);
            radii
        }
        _ => {
            let ratio = between(rng, 1.0, 1e4);
            (0..count).map(|_| scale * ratio.powf(rng.uniform().powi(3))).collect()
        }
    }
}

/// A model of random conditions, and its packing fraction.
fn random_model<'a>(rng: &mut Rng, distribution: &'a Distribution, dimension: usize) -> (CostModel<'a>, f64) {
    let packing_fraction = between(rng, 1e-3, 0.9);
    let model = CostModel::packed(distribution, dimension, packing_fraction).unwrap();
    (model.with_k(between(rng, 0.01, 10.0)).unwrap().with_direction(pick(rng, &Direction::ALL)), packing_fraction)
}

/// Sorted radii in a cube that they fill to a packing fraction: what appendix A needs.
fn in_a_cube(radii: Vec<f64>, dimension: usize, packing_fraction: f64) -> RadiiSample {
    let volume: f64 = radii.iter().map(|&radius| ball_volume(radius, dimension)).sum();
    let side = (volume / packing_fraction).powf(1.0 / dimension as f64);
    RadiiSample::new(radii, &vec![side; dimension])
}

#[test]
fn no_other_spacing_needs_less_work() {
    let mut rng = Rng::new(2024);
    for case in 0..200 {
        let dimension = pick(&mut rng, &[2, 3]);
        let (distribution, radii) = if case % 2 == 0 {
            let law = random_law(&mut rng, dimension);
            (Distribution::of_law(&law, dimension), law.sample(3000, dimension))
        } else {
            let radii = random_sample(&mut rng, dimension);
            (Distribution::of_radii(&radii), radii)
        };
        let distribution = distribution.unwrap();
        let (model, packing_fraction) = random_model(&mut rng, &distribution, dimension);
        let best = Spacing::Optimal.tune(&model, None).unwrap();
        let at_most = Spacing::Optimal.tune(&model, Some(64)).unwrap();
        assert!(at_most.work <= best.work * (1.0 + 1e-6), "{case}");
        let no_less = |work: f64, what: &dyn std::fmt::Debug, levels: usize| {
            assert!(
                best.work <= work * (1.0 + 1.01e-5),
                "{case}: {what:?} with {levels} levels: {work} against {} with {:?}\n{model:?}",
                best.work,
                best.cell_sizes,
            );
        };
        let sample = in_a_cube(radii, dimension, packing_fraction);
        for levels in (1..=20).chain([24, 28, 32, 40, 43, 50, MAX_LEVELS]) {
            for spacing in [Spacing::Linear, Spacing::Exponential, Spacing::ConstantRatio(1.0)] {
                if !matches!(spacing, Spacing::ConstantRatio(_)) || levels <= 24 {
                    no_less(spacing.tune(&model, Some(levels)).unwrap().work, &spacing, levels);
                }
            }
            let mut sizes = sample.with_levels(levels).unwrap().unwrap().cell_sizes;
            // The largest body of a sample of a law is a little smaller than the law's.
            if let Some(last) = sizes.last_mut() {
                *last = last.max(2.0 * distribution.largest());
            }
            no_less(model.predict(&sizes).unwrap().work, &"appendix A", levels);
        }
    }
}

#[test]
fn of_a_few_sizes_no_combination_of_levels_needs_less_work() {
    let mut rng = Rng::new(77);
    for case in 0..60 {
        let dimension = pick(&mut rng, &[2, 3]);
        let ratio = between(&mut rng, 1.1, 1e3);
        let mut radii: Vec<f64> = (0..9).map(|_| between(&mut rng, 1.0, ratio)).collect();
        radii.sort_by(f64::total_cmp);
        let entries: Vec<_> = radii.iter().map(|&radius| (radius, radius.powi(-3) * rng.uniform())).collect();
        let law = SizeLaw::table(&entries).unwrap();
        let radii: Vec<f64> = entries.iter().map(|&(radius, _)| radius / entries[0].0).collect();
        let distribution = Distribution::of_law(&law, dimension).unwrap();
        let (model, _) = random_model(&mut rng, &distribution, dimension);
        let best = Spacing::Optimal.tune(&model, None).unwrap();
        for chosen in 0u32..1 << 8 {
            let mut sizes: Vec<f64> = (0..8).filter(|bit| chosen >> bit & 1 == 1).map(|bit| 2.0 * radii[bit]).collect();
            sizes.push(2.0 * radii[8]);
            let work = model.predict(&sizes).unwrap().work;
            assert!(
                best.work <= work * (1.0 + 1.01e-5),
                "{case}: {} {:?} against {work} {sizes:?}",
                best.work,
                best.cell_sizes
            );
        }
    }
}

/// Moves one size after another as long as that helps.
fn descend(model: &CostModel, mut sizes: Vec<f64>) -> f64 {
    let work_of = |sizes: &[f64]| model.predict(sizes).map_or(f64::INFINITY, |prediction| prediction.work);
    let mut work = work_of(&sizes);
    let mut step = 0.3;
    while step > 1e-6 {
        let before = work;
        for level in 0..sizes.len() - 1 {
            for factor in [f64::exp(step), f64::exp(-step)] {
                let kept = sizes[level];
                sizes[level] *= factor;
                let moved = work_of(&sizes);
                if moved < work { work = moved } else { sizes[level] = kept }
            }
        }
        if work >= before * (1.0 - 1e-9) {
            step *= 0.5;
        }
    }
    work
}

#[test]
fn a_search_from_anywhere_ends_at_the_same_optimum() {
    let mut rng = Rng::new(5);
    for (exponent, ratio, direction) in [
        (-3.0, 100.0, Direction::TopDown),
        (-3.0, 100.0, Direction::BottomUp),
        (0.0, 50.0, Direction::TopDown),
        (-4.0, 1e4, Direction::TopDown),
    ] {
        let distribution = Distribution::of_law(&SizeLaw::power(exponent, ratio).unwrap(), 3).unwrap();
        let model = CostModel::packed(&distribution, 3, 0.7).unwrap().with_direction(direction);
        let best = Spacing::Optimal.tune(&model, None).unwrap();
        let levels = best.cell_sizes.len();
        let mut starts: Vec<Vec<f64>> = [Spacing::Linear, Spacing::Exponential, Spacing::ConstantRatio(1.0)]
            .iter()
            .map(|spacing| spacing.tune(&model, Some(levels)).unwrap().cell_sizes)
            .collect();
        for _ in 0..5 {
            let mut start: Vec<f64> = (1..levels).map(|_| 2.0 * ratio.powf(rng.uniform())).collect();
            start.push(2.0 * ratio);
            start.sort_by(f64::total_cmp);
            starts.push(start);
        }
        let ends: Vec<f64> = starts.into_iter().map(|start| descend(&model, start)).collect();
        // Some get stuck where two levels have become one; the best of them ends at the optimum, none below it.
        let least = ends.iter().copied().fold(f64::INFINITY, f64::min);
        assert!((least / best.work - 1.0).abs() < 1e-6, "{} {ends:?}", best.work);
    }
}

#[test]
fn two_sizes_get_two_levels_at_their_diameters_or_one_where_that_is_cheaper() {
    let tune = |ratio: f64, k: f64| {
        let distribution = Distribution::of_law(&SizeLaw::bidisperse(ratio).unwrap(), 3).unwrap();
        let model = CostModel::packed(&distribution, 3, 0.62).unwrap().with_k(k).unwrap();
        Spacing::Optimal.tune(&model, None).unwrap().cell_sizes
    };
    for ratio in [1.5, 2.0, 8.0 / 3.0, 10.0, 100.0, 1e6] {
        assert_eq!(tune(ratio, 0.2), [2.0, 2.0 * ratio]);
    }
    assert_eq!(tune(1.01, 0.2), [2.02]);
    assert_eq!(tune(2.0, 50.0), [4.0]);
    assert_eq!(tune(1.0, 0.2), [2.0]);
}

#[test]
fn one_size_gets_one_level() {
    for radii in [vec![3.0], vec![0.7; 1000], vec![0.0, 0.0, 5e-7]] {
        let distribution = Distribution::of_radii(&radii).unwrap();
        let model = CostModel::packed(&distribution, 2, 0.5).unwrap();
        for spacing in [Spacing::Linear, Spacing::Exponential, Spacing::ConstantRatio(2.0), Spacing::Optimal] {
            for levels in [None, Some(1), Some(9)] {
                let tuning = spacing.tune(&model, levels).unwrap();
                assert_eq!(tuning.cell_sizes, [2.0 * radii[radii.len() - 1]], "{spacing:?}");
                assert_eq!(tuning.work, tuning.linked_cell_work);
            }
        }
    }
}

#[test]
fn a_large_sample_of_a_law_gets_the_levels_of_the_law() {
    let law = SizeLaw::power(-3.0, 30.0).unwrap();
    let exact = Distribution::of_law(&law, 3).unwrap();
    let sampled = Distribution::of_radii(&law.sample(200_000, 3)).unwrap();
    let tune = |distribution| Spacing::Optimal.tune(&CostModel::packed(distribution, 3, 0.6).unwrap(), None).unwrap();
    let (exact, sampled) = (tune(&exact), tune(&sampled));
    assert!((exact.work / sampled.work - 1.0).abs() < 2e-3, "{} {}", exact.work, sampled.work);
    assert_eq!(exact.cell_sizes.len(), sampled.cell_sizes.len());
    for (a, b) in exact.cell_sizes.iter().zip(&sampled.cell_sizes) {
        assert!((a / b - 1.0).abs() < 0.02, "{:?} {:?}", exact.cell_sizes, sampled.cell_sizes);
    }
}

#[test]
fn units_change_nothing() {
    let radii = SizeLaw::power(-2.0, 1000.0).unwrap().sample(3000, 3);
    let at_scale = |scale: f64| {
        let scaled: Vec<f64> = radii.iter().map(|radius| radius * scale).collect();
        let distribution = Distribution::of_radii(&scaled).unwrap();
        let sizes = Spacing::Optimal.tune(&CostModel::packed(&distribution, 3, 0.6).unwrap(), None).unwrap().cell_sizes;
        sizes.iter().map(|size| size / scale).collect::<Vec<_>>()
    };
    let expected = at_scale(1.0);
    for exponent in [-400, -30, 7, 400] {
        assert_eq!(at_scale(2f64.powi(exponent)), expected);
    }
}

#[test]
fn every_body_finds_the_level_it_was_counted_on() {
    let mut rng = Rng::new(11);
    for _ in 0..30 {
        let radii = random_sample(&mut rng, 3);
        let distribution = Distribution::of_radii(&radii).unwrap();
        let model = CostModel::packed(&distribution, 3, 0.5).unwrap();
        let tuning = Spacing::Optimal.tune(&model, None).unwrap();
        let levels = multigrain::Levels::from_cell_sizes(&tuning.cell_sizes).unwrap();
        let mut counts = vec![0.0; tuning.cell_sizes.len()];
        for &radius in &radii {
            assert!(2.0 * radius <= tuning.cell_sizes[levels.level_of(radius)]);
            counts[levels.level_of(radius)] += 1.0;
        }
        for (count, share) in counts.iter().zip(&tuning.share_of_particles) {
            assert!((count / radii.len() as f64 - share).abs() < 1e-12);
            assert!(*count > 0.0, "an empty level: {tuning:?}");
        }
    }
}

#[test]
fn hostile_samples_are_tuned_without_complaint() {
    for radii in [vec![1e-150, 1e150], vec![1e150; 5], vec![1e-150; 3], vec![1.0, 1.0f64.next_up()], vec![1.0, 1e8]] {
        let distribution = Distribution::of_radii(&radii).unwrap();
        for direction in Direction::ALL {
            for model in [
                CostModel::packed(&distribution, 3, 0.5).unwrap(),
                CostModel::in_box(&distribution, radii.len(), [1.0, 1e150, 1e-150], [true, true, false]).unwrap(),
            ] {
                for spacing in [Spacing::Linear, Spacing::Exponential, Spacing::ConstantRatio(1.0), Spacing::Optimal] {
                    let tuning = spacing.tune(&model.with_direction(direction), None).unwrap();
                    assert!(tuning.work.is_finite(), "{spacing:?} {tuning:?}");
                    assert!(tuning.cell_sizes.is_sorted_by(|a, b| a < b), "{spacing:?} {tuning:?}");
                    assert_eq!(tuning.cell_sizes.last(), Some(&(2.0 * distribution.largest())));
                }
            }
        }
    }
}

#[test]
fn in_a_periodic_box_no_other_spacing_needs_less_work_either() {
    let radii = SizeLaw::power(-3.0, 50.0).unwrap().sample(20_000, 3);
    let distribution = Distribution::of_radii(&radii).unwrap();
    let volume: f64 = radii.iter().map(|&radius| multigrain::sizes::ball_volume(radius, 3)).sum();
    let length = (volume / 0.62).cbrt();
    for direction in Direction::ALL {
        let model = CostModel::in_box(&distribution, radii.len(), [length; 3], [true; 3]).unwrap();
        let model = model.with_direction(direction);
        let best = Spacing::Optimal.tune(&model, None).unwrap();
        let cells = |size: &f64| length / size;
        for spacing in [Spacing::Linear, Spacing::Exponential, Spacing::ConstantRatio(1.0)] {
            let other = spacing.tune(&model, None).unwrap();
            assert!(best.work <= other.work * (1.0 + 1.01e-5), "{spacing:?}");
        }
        // Few large cells: sizes that fit the box lose nothing to stretching.
        let rest = best.cell_sizes.iter().rev().skip(1).map(cells).filter(|&cells| cells < 12.0);
        assert!(
            rest.clone().count() > 0 && rest.clone().all(|cells| cells.fract() < 0.1),
            "{:?}",
            rest.collect::<Vec<_>>()
        );
    }
}

#[test]
fn names_what_cannot_be_tuned() {
    let distribution = Distribution::of_radii(&[1.0, 2.0]).unwrap();
    let model = CostModel::packed(&distribution, 3, 0.5).unwrap();
    let text = |spacing: Spacing, levels| spacing.tune(&model, levels).unwrap_err().to_string();
    assert_eq!(text(Spacing::Linear, Some(0)), "0 levels asked for: between 1 and 64 are possible");
    assert_eq!(
        text(Spacing::ConstantRatio(-1.0), None),
        "ratio of particles per cell is -1, must be between 0.001 and 1000"
    );
}
