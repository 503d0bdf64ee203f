//! The systems that everything is measured on.

use crate::arguments::Arguments;
use multigrain::System;
use multigrain_packings::DataSet;

/// Particles in memory, unsorted, as a user has them.
pub type Scene = System<3>;

/// One seed for all measurements, so that they are of the same systems.
const SEED: u64 = 1;

/// The data set with this many particles.
pub fn scene(set: &DataSet, count: usize) -> Scene {
    set.build(count, SEED).unwrap_or_else(|error| panic!("data set {} with {count} particles: {error}", set.name))
}

/// The data sets that `--sets` names, or else all.
pub fn chosen_sets(arguments: &mut Arguments) -> Vec<&'static DataSet> {
    chosen_sets_or(arguments, &DataSet::ALL.iter().map(|set| set.name).collect::<Vec<_>>())
}

/// The data sets that `--sets` names, or else those of these names.
pub fn chosen_sets_or(arguments: &mut Arguments, or_else: &[&str]) -> Vec<&'static DataSet> {
    let names = arguments.take_list("sets").unwrap_or_else(|| or_else.iter().map(|&name| name.to_owned()).collect());
    let unknown = |name: &str| {
        let all: Vec<_> = DataSet::ALL.iter().map(|set| set.name).collect();
        arguments.refuse(format!("no data set is called `{name}`; there are {}", all.join(", ")))
    };
    names.iter().map(|name: &String| DataSet::from_name(name).unwrap_or_else(|| unknown(name))).collect()
}
