//! The papers' cost model against its definition, its closed forms and counts in random systems.

use multigrain::Rng;
use multigrain::sizes::{SizeLaw, ball_volume};
use multigrain::tuning::Distribution;
use multigrain::{Direction, Levels};
use multigrain_papers::tuning::{CostModel, Prediction};

fn of_law(law: Result<SizeLaw, multigrain::sizes::Error>, dimension: usize) -> Distribution {
    Distribution::of_law(&law.unwrap(), dimension).unwrap()
}

/// Equations 9 to 27 as they are written: a sum over pairs of levels.
fn by_definition(model: &CostModel, sizes: &[f64], dimension: usize, phi: f64) -> (f64, f64) {
    let distribution = model.sizes();
    let mean_volume = ball_volume(1.0, dimension) * distribution.between(0.0, f64::INFINITY)[dimension];
    let neighbors = (3f64.powi(dimension as i32) - 1.0) / 2.0;
    let border = |h: usize| if h == 0 { 0.0 } else { sizes[h - 1] / 2.0 };
    let share = |h: usize| distribution.between(border(h), border(h + 1))[0];
    let per_cell = |h: usize| phi * sizes[h].powi(dimension as i32) / mean_volume * share(h);
    let (mut candidates, mut cells) = (0.0, 0.0);
    for h in 0..sizes.len() {
        let partners = match model.direction() {
            Direction::TopDown => 0..h,
            Direction::BottomUp => h + 1..sizes.len(),
        };
        let searched = |j: usize| model.cells_searched(sizes[j], border(h), border(h + 1));
        let found: f64 = partners.clone().map(|j| per_cell(j) * searched(j)).sum();
        candidates += share(h) * ((0.5 + neighbors) * per_cell(h) + found);
        cells += share(h) * (1.0 + neighbors + partners.map(searched).sum::<f64>());
    }
    (candidates, cells)
}

#[test]
fn work_is_the_papers_sum_over_pairs_of_levels() {
    let mut rng = Rng::new(31);
    for dimension in [2, 3] {
        for distribution in [
            of_law(SizeLaw::power(-3.0, 100.0), dimension),
            of_law(SizeLaw::power(-1.0, 100.0), dimension),
            of_law(SizeLaw::power(-1.0 - dimension as f64, 100.0), dimension),
            of_law(SizeLaw::log_normal_within(0.8, 100.0), dimension),
            of_law(SizeLaw::bidisperse(100.0), dimension),
            of_law(SizeLaw::table(&[(1.0, 50.0), (3.0, 20.0), (70.0, 1.0), (100.0, 0.5)]), dimension),
            Distribution::of_radii(&(0..500).map(|_| 100f64.powf(rng.uniform())).collect::<Vec<_>>()).unwrap(),
        ] {
            for direction in Direction::ALL {
                let phi = 0.1 + 0.6 * rng.uniform();
                let k = rng.uniform();
                let model = CostModel::packed(&distribution, dimension, phi).unwrap();
                let model = model.with_direction(direction).with_k(k).unwrap();
                let mut sizes: Vec<f64> = (0..6).map(|_| 2.0 * 100f64.powf(rng.uniform())).collect();
                sizes.push(200.0);
                sizes.sort_by(f64::total_cmp);
                let (candidates, cells) = by_definition(&model, &sizes, dimension, phi);
                let found = model.predict(&sizes).unwrap();
                let close = |value: f64, expected: f64| {
                    assert!((value / expected - 1.0).abs() < 1e-12, "{value} {expected} {sizes:?} {distribution:?}");
                };
                close(found.candidates_per_particle, candidates);
                close(found.cells_per_particle, cells);
                close(found.work, candidates + k * cells);
                close(found.share_of_particles.iter().sum(), 1.0);
            }
        }
    }
}

#[test]
fn cells_searched_lie_between_their_bounds() {
    for dimension in [2, 3] {
        let distribution = of_law(SizeLaw::power(-2.5, 50.0), dimension);
        let model = CostModel::packed(&distribution, dimension, 0.5).unwrap();
        for (cell_size, from, to) in [(2.5, 1.25, 7.0), (2.5, 20.0, 50.0), (60.0, 1.0, 1.25), (8.0, 10.0, 10.001)] {
            let (lower, upper) = model.cells_searched_bounds(cell_size, from, to);
            let cells = model.cells_searched(cell_size, from, to);
            assert!(lower <= cells && cells <= upper, "{lower} {cells} {upper}");
            let expected = (2.0 + 2.0 * to / cell_size).powi(dimension as i32);
            assert!((upper / expected - 1.0).abs() < 1e-12, "{upper} {expected}");
        }
        assert_eq!(model.cells_searched(2.5, 60.0, 70.0), 0.0);
    }
}

#[test]
fn single_level_has_its_closed_form() {
    for dimension in [2, 3] {
        let d = dimension as f64;
        for exponent in [-7.3, -5.0, -2.0, -0.5, 0.0, 1.0, 3.0] {
            for ratio in [1.5, 10.0, 1e3] {
                let distribution = of_law(SizeLaw::power(exponent, ratio), dimension);
                let model = CostModel::packed(&distribution, dimension, 0.7).unwrap();
                let found = model.predict(&[2.0 * ratio]).unwrap();
                let (a, b) = (1.0 + exponent, 1.0 + d + exponent);
                let per_cell =
                    (2.0 * ratio).powf(d) * 0.7 / ball_volume(1.0, dimension) * (b / a) * (ratio.powf(a) - 1.0)
                        / (ratio.powf(b) - 1.0);
                let m = found.particles_per_cell[0];
                assert!((m / per_cell - 1.0).abs() < 1e-10, "{exponent} {ratio}: {m} {per_cell}");
                let neighbors = (3f64.powf(d) - 1.0) / 2.0;
                let work = (0.5 + neighbors) * per_cell + 0.2 * (1.0 + neighbors);
                assert!((found.work / work - 1.0).abs() < 1e-10);
            }
        }
    }
}

#[test]
fn single_level_has_its_limits_for_wide_distributions() {
    let work = |exponent: f64, ratio: f64| {
        let distribution = of_law(SizeLaw::power(exponent, ratio), 3);
        CostModel::packed(&distribution, 3, 0.7).unwrap().predict(&[2.0 * ratio]).unwrap().work
    };
    assert_eq!(format!("{:.1}", work(0.0, 1e6)), "75.0");
    // Beyond that it grows as w^(-1-alpha), at most as w^d.
    for (exponent, power) in [(-2.0, 1.0), (-3.0, 2.0), (-6.0, 3.0)] {
        let growth = (work(exponent, 1e6) / work(exponent, 1e5)).log10();
        assert!((growth - power).abs() < 1e-3, "{exponent}: {growth}");
    }
}

/// Counts candidates and cells of one random system, as the papers' algorithm does.
fn count<const D: usize>(
    rng: &mut Rng,
    radii: &[f64],
    lengths: [f64; D],
    sizes: &[f64],
    direction: Direction,
) -> (u64, u64) {
    let levels = Levels::from_cell_sizes(sizes).unwrap();
    let counts: Vec<[i64; D]> =
        sizes.iter().map(|size| lengths.map(|length| (length / size).floor().max(1.0) as i64)).collect();
    let cell = |level: usize, axis: usize, x: f64| (x / lengths[axis] * counts[level][axis] as f64).floor() as i64;
    let wrapped = |level: usize, place: [i64; D]| {
        std::array::from_fn::<i64, D, _>(|axis| place[axis].rem_euclid(counts[level][axis]))
    };
    let mut held: Vec<std::collections::HashMap<[i64; D], u64>> = vec![Default::default(); sizes.len()];
    let bodies: Vec<([f64; D], f64, usize)> = radii
        .iter()
        .map(|&radius| {
            let center: [f64; D] = std::array::from_fn(|axis| rng.uniform() * lengths[axis]);
            let level = levels.level_of(radius);
            *held[level].entry(std::array::from_fn(|axis| cell(level, axis, center[axis]))).or_default() += 1;
            (center, radius, level)
        })
        .collect();
    let (mut candidates, mut cells) = (0, 0);
    let mut visit = |level: usize, first: [i64; D], last: [i64; D], skip: &dyn Fn([i64; D]) -> bool| {
        let mut place = first;
        loop {
            if !skip(place) {
                cells += 1;
                candidates += held[level].get(&wrapped(level, place)).copied().unwrap_or(0);
            }
            let Some(axis) = (0..D).find(|&axis| place[axis] < last[axis]) else { return };
            place[axis] += 1;
            place[..axis].copy_from_slice(&first[..axis]);
        }
    };
    for &(center, radius, level) in &bodies {
        let own: [i64; D] = std::array::from_fn(|axis| cell(level, axis, center[axis]));
        // Half of the neighbours: those after the own cell in reading order.
        visit(level, own.map(|i| i - 1), own.map(|i| i + 1), &|place| place.iter().rev().le(own.iter().rev()));
        let others = match direction {
            Direction::TopDown => 0..level,
            Direction::BottomUp => level + 1..sizes.len(),
        };
        for other in others {
            let reach = radius + sizes[other] / 2.0;
            let at = |sign: f64| std::array::from_fn(|axis| cell(other, axis, center[axis] + sign * reach));
            visit(other, at(-1.0), at(1.0), &|_| false);
        }
    }
    // Pairs within a cell, each once, and the cell itself.
    candidates += held.iter().flat_map(|level| level.values()).map(|&held| held * (held - 1) / 2).sum::<u64>();
    (candidates, cells + bodies.len() as u64)
}

fn assert_counted<const D: usize>(radii: &[f64], lengths: [f64; D], sizes: &[f64], tolerance: f64) {
    let distribution = Distribution::of_radii(radii).unwrap();
    let mut rng = Rng::new(5);
    for direction in Direction::ALL {
        let model = CostModel::in_box(&distribution, radii.len(), lengths, [true; D]).unwrap();
        let predicted: Prediction = model.with_direction(direction).predict(sizes).unwrap();
        let runs = 60_000 / radii.len();
        let (mut candidates, mut cells) = (0.0, 0.0);
        for _ in 0..runs {
            let counted = count(&mut rng, radii, lengths, sizes, direction);
            candidates += counted.0 as f64 / (runs * radii.len()) as f64;
            cells += counted.1 as f64 / (runs * radii.len()) as f64;
        }
        let off = |counted: f64, predicted: f64| (counted / predicted - 1.0).abs();
        let text = format!("{candidates} {cells} {predicted:?}");
        assert!(off(candidates, predicted.candidates_per_particle) < tolerance, "{text}");
        assert!(off(cells, predicted.cells_per_particle) < tolerance, "{text}");
    }
}

#[test]
fn random_systems_need_the_predicted_work() {
    let radii = SizeLaw::power(-2.5, 20.0).unwrap().sample(3000, 3);
    assert_counted(&radii, [93.0, 121.0, 150.0], &[4.0, 11.0, 40.0], 0.02);
    let radii = SizeLaw::power(-2.0, 10.0).unwrap().sample(3000, 2);
    assert_counted(&radii, [205.0, 333.0], &[3.0, 7.0, 20.0], 0.02);
}

#[test]
fn few_bodies_meet_fewer_others_than_the_endless_form_says() {
    let radii = vec![1.0; 40];
    // Cells of 2.25 x 2.5: stretched along both axes.
    assert_counted(&radii, [9.0, 10.0], &[2.2], 0.04);
    let distribution = Distribution::of_radii(&radii).unwrap();
    let few = CostModel::in_box(&distribution, 40, [8.0, 10.0], [true; 2]).unwrap().predict(&[2.0]).unwrap();
    let packing_fraction = ball_volume(1.0, 2) * 40.0 / 80.0;
    let endless = CostModel::packed(&distribution, 2, packing_fraction).unwrap().predict(&[2.0]).unwrap();
    let difference = endless.candidates_per_particle - few.candidates_per_particle;
    assert!((difference - 0.5 / 20.0).abs() < 1e-12, "{difference}");
}

#[test]
fn open_axes_keep_their_cell_size() {
    let distribution = Distribution::of_radii(&[1.0; 40]).unwrap();
    let per_cell = |periodic| {
        CostModel::in_box(&distribution, 40, [9.0, 10.0], periodic).unwrap().predict(&[2.0]).unwrap().particles_per_cell
            [0]
    };
    assert!((per_cell([false; 2]) - 40.0 / 22.5).abs() < 1e-12);
    assert!((per_cell([true; 2]) - 40.0 / 20.0).abs() < 1e-12);
}

#[test]
fn names_the_parameter_that_is_wrong() {
    let distribution = of_law(SizeLaw::uniform(3.0), 3);
    let packed = |dimension, phi| CostModel::packed(&distribution, dimension, phi).map(|_| ()).unwrap_err().to_string();
    assert_eq!(packed(4, 0.5), "dimension is 4, must be 2 or 3");
    assert_eq!(packed(3, -0.5), "packing fraction is -0.5, must be above 0 (and at most 1e6)");
    assert!(packed(3, f64::NAN).starts_with("packing fraction is NaN"));
    let model = CostModel::packed(&distribution, 3, 0.5).unwrap();
    assert!(model.with_k(-1.0).map(|_| ()).unwrap_err().to_string().contains("is -1, must be between 0 and 1e9"));
    let sizes = |sizes: &[f64]| model.predict(sizes).unwrap_err().to_string();
    assert_eq!(sizes(&[2.0, 5.0]), "largest cell size is 5, must be at least the largest diameter");
    assert!(sizes(&[7.0, 6.0]).starts_with("cell sizes [7.0, 6.0] must be finite"));
    let boxed = |count, length| {
        CostModel::in_box(&distribution, count, [1.0, length], [true; 2]).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(boxed(0, 1.0), "number of particles is 0, must be at least 1");
    assert!(boxed(1, -1.0).starts_with("box along y runs from 0 to -1"));
}
