//! How this process was started, by what launchers leave in the environment.

/// Variables with the number of ranks that a launcher started, and whose they are. Of Slurm that of `srun`: scripts of `sbatch`
/// have the number of tasks too, but run once.
const SIZES: [(&str, &str); 3] =
    [("OMPI_COMM_WORLD_SIZE", "OpenMPI"), ("PMI_SIZE", "MPICH"), ("SLURM_STEP_NUM_TASKS", "srun")];

/// Variables with the number of this rank among them; where there are any of these alone, there is a launcher that does not say how many
/// ranks it started.
const RANKS: [&str; 4] = ["OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"];

/// A launcher that started this process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Launched {
    /// How many ranks it started; 0 where it does not say.
    pub ranks: usize,
    /// Which of them this process is; the first where it does not say.
    pub rank: usize,
    /// Whose it is.
    pub by: &'static str,
}

/// The launcher that started this process, if one did.
pub fn launched() -> Option<Launched> {
    launched_as(|name| std::env::var(name).ok())
}

/// The same by any environment.
pub fn launched_as(variable: impl Fn(&str) -> Option<String>) -> Option<Launched> {
    let number = |name: &str| variable(name).and_then(|value| value.parse().ok());
    let rank = RANKS.iter().find_map(|name| number(name)).unwrap_or(0);
    for (name, by) in SIZES {
        if let Some(ranks) = number(name) {
            return Some(Launched { ranks, rank, by });
        }
    }
    // Of Slurm's processes each has a number, also the script of a job.
    let is_rank = RANKS[..3].iter().any(|name| variable(name).is_some());
    is_rank.then_some(Launched { ranks: 0, rank, by: "an MPI launcher" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_is_noticed() {
        let with = |given: &[(&str, &str)]| {
            launched_as(|asked| given.iter().find(|(name, _)| *name == asked).map(|(_, value)| (*value).to_owned()))
        };
        let launched = |ranks, rank, by| Some(Launched { ranks, rank, by });
        assert_eq!(with(&[("OMPI_COMM_WORLD_SIZE", "8")]), launched(8, 0, "OpenMPI"));
        assert_eq!(with(&[("OMPI_COMM_WORLD_SIZE", "8"), ("OMPI_COMM_WORLD_RANK", "5")]), launched(8, 5, "OpenMPI"));
        assert_eq!(with(&[("PMI_SIZE", "3"), ("PMI_RANK", "2")]), launched(3, 2, "MPICH"));
        assert_eq!(with(&[("SLURM_STEP_NUM_TASKS", "2"), ("SLURM_PROCID", "1")]), launched(2, 1, "srun"));
        assert_eq!(with(&[("PMIX_RANK", "4")]), launched(0, 4, "an MPI launcher"));
        assert_eq!(with(&[("SLURM_NTASKS", "8"), ("SLURM_PROCID", "0")]), None, "a script of sbatch runs once");
        assert_eq!(with(&[("PMI_SIZE", "many")]), None);
    }
}
