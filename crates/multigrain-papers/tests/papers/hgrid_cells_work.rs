//! Counted work of `hgrid-cells` against the papers' cost model, for random positions in a periodic box.

use multigrain::sizes::SizeLaw;
use multigrain::{Axes, Build, Detector, Dimension, Direction, Layout, LevelChoice, Pairs, Settings, Work};
use multigrain_packings as scenes;
use multigrain_papers::HGridCells;

/// The model of the papers (optimal hierarchical grid, section 3), with sums over the sample's own radii, the cells as
/// they are after stretching, and the exact form for few bodies on a level.
struct Model<const D: usize> {
    /// Radii of each level.
    radii: Vec<Vec<f64>>,
    sizes: Vec<f64>,
    side: f64,
}

impl<const D: usize> Model<D> {
    fn new(mut radii: Vec<f64>, layout: &Layout, side: f64) -> Self {
        radii.sort_unstable_by(f64::total_cmp);
        let mut rest = radii.as_slice();
        let split = layout.particles_per_level.iter().map(|&particles| {
            let (level, larger) = rest.split_at(particles as usize);
            rest = larger;
            level.to_vec()
        });
        Self { radii: split.collect(), sizes: layout.cell_sizes.clone(), side }
    }

    /// Cells searched on level `j` by all bodies of level `h`: the sum of (2 r / s_j + 2)^d.
    fn cells(&self, j: usize, h: usize) -> f64 {
        self.radii[h].iter().map(|radius| (2.0 * radius / self.sizes[j] + 2.0).powi(D as i32)).sum()
    }

    fn bodies(&self, level: usize) -> f64 {
        self.radii[level].len() as f64
    }

    /// N^c of the papers.
    fn all_cells(&self, level: usize) -> f64 {
        (self.side / self.sizes[level]).powi(D as i32)
    }

    /// T_cd and T_ca.
    fn work(&self, direction: Direction) -> (f64, f64) {
        let neighbors = f64::from((3i32.pow(D as u32) - 1) / 2);
        let levels = self.sizes.len();
        let (mut candidates, mut cells) = (0.0, 0.0);
        for h in 0..levels {
            let bodies = self.bodies(h);
            let others = (bodies - 1.0).max(0.0) / self.all_cells(h);
            candidates += bodies * (0.5 * others + neighbors * bodies / self.all_cells(h));
            cells += bodies * (1.0 + neighbors);
            let partners = match direction {
                Direction::TopDown => 0..h,
                Direction::BottomUp => h + 1..levels,
            };
            for j in partners {
                candidates += self.bodies(j) / self.all_cells(j) * self.cells(j, h);
                cells += self.cells(j, h);
            }
        }
        (candidates, cells)
    }
}

/// Counts the work on 1e5 bodies for several sets of levels and compares with the model.
fn follows_the_model<const D: usize>(law: &SizeLaw, packing_fraction: f64, seed: u64)
where
    Axes: Dimension<D>,
{
    let system = scenes::random::<D>(law.sample(100_000, D), packing_fraction, [true; D], seed).unwrap();
    let now = system.snapshot().unwrap();
    for levels in level_choices(2.0 * now.extent().min_radius, 2.0 * now.extent().max_radius) {
        for direction in Direction::ALL {
            let settings = Settings::default().with_direction(direction).with_levels(levels.clone());
            let mut grid = HGridCells::build(now, &settings).unwrap();
            let Work { candidates, cells } = grid.count_work(now, &mut Pairs::new());
            let layout = grid.layout();
            let model = Model::<D>::new(system.radii.clone(), &layout, system.domain.length(0));
            let (expected_candidates, expected_cells) = model.work(direction);
            let what = format!("{law:?} in {D}D, {levels:?}, {layout:?}");
            assert_close(candidates, expected_candidates, &format!("candidates of {what}"));
            assert_close(cells, expected_cells, &format!("cells of {what}"));
        }
    }
}

/// Levels from appendix A and from plain rules; cells of only the largest bodies where that is not too much work.
fn level_choices(smallest: f64, largest: f64) -> Vec<LevelChoice> {
    let ratio = largest / smallest;
    let mut choices = vec![LevelChoice::Tuned];
    if ratio > 1.0 && ratio < 25.0 {
        let linear = (1..4).map(|h| smallest + (largest - smallest) * f64::from(h) / 4.0).chain([largest]);
        choices.push(LevelChoice::CellSizes(linear.collect()));
    }
    if ratio < 6.0 {
        choices.push(LevelChoice::CellSizes(vec![1.3 * largest]));
    }
    if ratio > 1.0 {
        choices.push(LevelChoice::Count(4));
        let exponential = (1..5).map(|h| smallest * ratio.powf(f64::from(h) / 5.0)).chain([largest]);
        choices.push(LevelChoice::CellSizes(exponential.collect()));
    }
    choices
}

fn assert_close(counted: u64, expected: f64, what: &str) {
    let error = counted as f64 / expected - 1.0;
    assert!(error.abs() < 0.03, "{:.2} % off: {counted} for {expected} {what}", 100.0 * error);
}

#[test]
fn uniform_volumes_in_space_cost_what_the_model_says() {
    follows_the_model::<3>(&SizeLaw::power(-3.0, 50.0).unwrap(), 0.62, 1);
}

#[test]
fn uniform_volumes_of_ratio_1000_in_space_cost_what_the_model_says() {
    follows_the_model::<3>(&SizeLaw::power(-3.0, 1000.0).unwrap(), 0.7, 2);
}

#[test]
fn uniform_sizes_in_space_cost_what_the_model_says() {
    follows_the_model::<3>(&SizeLaw::uniform(5.0).unwrap(), 0.4, 3);
}

#[test]
fn two_sizes_in_space_cost_what_the_model_says() {
    follows_the_model::<3>(&SizeLaw::bidisperse(10.0).unwrap(), 0.62, 4);
}

#[test]
fn log_normal_sizes_in_space_cost_what_the_model_says() {
    follows_the_model::<3>(&SizeLaw::log_normal(0.5).unwrap(), 0.5, 5);
}

#[test]
fn one_size_in_space_costs_what_the_model_says() {
    follows_the_model::<3>(&SizeLaw::Mono, 0.6, 6);
}

#[test]
fn uniform_volumes_in_the_plane_cost_what_the_model_says() {
    follows_the_model::<2>(&SizeLaw::power(-3.0, 20.0).unwrap(), 0.4, 7);
}

#[test]
fn uniform_areas_in_the_plane_cost_what_the_model_says() {
    follows_the_model::<2>(&SizeLaw::power(-2.0, 160.0).unwrap(), 0.7, 8);
}

#[test]
fn one_size_in_the_plane_costs_what_the_model_says() {
    follows_the_model::<2>(&SizeLaw::Mono, 0.8, 9);
}
