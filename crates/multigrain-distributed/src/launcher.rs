//! How this process was started, by what launchers leave in the environment.

/// Variables with the number of ranks that a launcher started, and whose they are. Of Slurm that of `srun`: scripts of `sbatch`
/// have the number of tasks too, but run once.
const SIZES: [(&str, &str); 3] =
    [("OMPI_COMM_WORLD_SIZE", "OpenMPI"), ("PMI_SIZE", "MPICH"), ("SLURM_STEP_NUM_TASKS", "srun")];

/// Variables that say that there is a launcher, but not how many ranks it started.
const SIGNS: [&str; 2] = ["PMIX_RANK", "PMI_RANK"];

/// A launcher that started this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launched {
    /// How many ranks it started; 0 where it does not say.
    pub ranks: usize,
    /// Whose it is.
    pub by: &'static str,
}

/// The launcher that started this process, if one did.
pub fn launched() -> Option<Launched> {
    launched_as(|name| std::env::var(name).ok())
}

/// The same by any environment.
pub fn launched_as(variable: impl Fn(&str) -> Option<String>) -> Option<Launched> {
    for (name, by) in SIZES {
        if let Some(ranks) = variable(name).and_then(|value| value.parse().ok()) {
            return Some(Launched { ranks, by });
        }
    }
    SIGNS.iter().any(|name| variable(name).is_some()).then_some(Launched { ranks: 0, by: "an MPI launcher" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_is_noticed() {
        let with = |name: &'static str, value: &'static str| {
            launched_as(move |asked| (asked == name).then(|| value.to_owned()))
        };
        assert_eq!(with("OMPI_COMM_WORLD_SIZE", "8"), Some(Launched { ranks: 8, by: "OpenMPI" }));
        assert_eq!(with("PMI_SIZE", "3"), Some(Launched { ranks: 3, by: "MPICH" }));
        assert_eq!(with("SLURM_STEP_NUM_TASKS", "2"), Some(Launched { ranks: 2, by: "srun" }));
        assert_eq!(with("PMIX_RANK", "0"), Some(Launched { ranks: 0, by: "an MPI launcher" }));
        assert_eq!(with("SLURM_NTASKS", "8"), None, "a script of sbatch runs once");
        assert_eq!(with("PMI_SIZE", "many"), None);
    }
}
