//! Dense systems without overlap: made by growth, kept in the cache.

use crate::error::{Result, WithContext as _, fault};
use crate::experiment::Context;
use multigrain::sizes::SizeLaw;
use multigrain::{AnySystem, System};
use multigrain_dem::relaxed;
use multigrain_files::{Input, SystemFormat, Target, read};
use multigrain_packings::growth;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::{Condvar, Mutex, PoisonError};

/// A packing that jams must have reached this share of the packing fraction asked for.
const MIN_SHARE: f64 = 0.95;

/// What a packing is made of.
#[derive(Debug, Clone, PartialEq)]
pub struct Recipe {
    /// Name of the law in keys and tables.
    pub name: String,
    /// The sizes.
    pub law: SizeLaw,
    /// The number of bodies.
    pub count: usize,
    /// Volume of the spheres over that of the box; a packing that jams may have up to a twentieth less.
    pub packing_fraction: f64,
    /// Whether the box is periodic; else there are walls.
    pub periodic: bool,
}

impl Recipe {
    /// Radii distributed as `r^alpha`.
    pub fn power(alpha: f64, ratio: f64, count: usize, packing_fraction: f64, periodic: bool) -> Result<Self> {
        let law = SizeLaw::power(alpha, ratio)?;
        Ok(Self { name: format!("alpha={alpha},w={ratio}"), law, count, packing_fraction, periodic })
    }

    /// What tells it from all others.
    pub fn key(&self) -> String {
        let Self { name, count, packing_fraction, .. } = self;
        format!("{name},n={count},phi={packing_fraction},{}", if self.periodic { "periodic" } else { "walls" })
    }

    /// The packing, from the cache if it is there.
    pub fn grow(&self, context: &Context<'_>) -> Result<System<3>> {
        let path = context.cache.join(format!("growth,{},seed={}.xyz", self.key(), context.seed));
        let _alone = Alone::with(&path);
        if let Some(kept) = kept(&path)? {
            return Ok(kept);
        }
        let radii = self.law.sample(self.count, 3);
        let share = self.packing_fraction / 100.0;
        let watch = |progress: multigrain_packings::GrowthProgress| {
            context.watch.note(&format!("growing, {:.0} %", progress.packing_fraction / share));
            true
        };
        let grown = growth::<3>(radii, self.packing_fraction, [self.periodic; 3], context.seed, watch)?;
        // Between walls few bodies may jam a little earlier; their box is then larger.
        if grown.is_jammed && grown.system.packing_fraction() < MIN_SHARE * self.packing_fraction {
            return Err(fault!(
                "growth of {} jams at a packing fraction of {:.4}",
                self.key(),
                grown.progress.packing_fraction
            ));
        }
        keep(&path, &grown.system)?;
        Ok(grown.system)
    }

    /// The packing after soft relaxation (fast-multilevel 4.2), this many collisions per body, from the cache if it is there.
    pub fn relax(&self, context: &Context<'_>, collisions: f64) -> Result<System<3>> {
        let path =
            context.cache.join(format!("relaxed,{},collisions={collisions},seed={}.xyz", self.key(), context.seed));
        let _alone = Alone::with(&path);
        if let Some(kept) = kept(&path)? {
            return Ok(kept);
        }
        let grown = self.grow(context)?;
        context.watch.note("relaxing");
        let system = relaxed(grown, collisions, !context.seed, |_| ())?;
        keep(&path, &system)?;
        Ok(system)
    }
}

/// A file of the cache that one thread makes while others that want it wait.
struct Alone<'a>(&'a Path);

static IN_WORK: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());
static MADE: Condvar = Condvar::new();

impl<'a> Alone<'a> {
    fn with(path: &'a Path) -> Self {
        let in_work = IN_WORK.lock().unwrap_or_else(PoisonError::into_inner);
        let free = MADE.wait_while(in_work, |in_work| in_work.contains(path));
        free.unwrap_or_else(PoisonError::into_inner).insert(path.to_owned());
        Self(path)
    }
}

impl Drop for Alone<'_> {
    fn drop(&mut self) {
        IN_WORK.lock().unwrap_or_else(PoisonError::into_inner).remove(self.0);
        MADE.notify_all();
    }
}

fn kept(path: &Path) -> Result<Option<System<3>>> {
    if !path.exists() {
        return Ok(None);
    }
    match read(&Input::File(path.to_owned()), &|_| Box::new(()))? {
        AnySystem::D3(packing) if packing.domain.bounded().is_some() => Ok(Some(packing.into_inner())),
        _ => Err(fault!("{} is not a packing in a box; remove it", path.display())),
    }
}

fn keep(path: &Path, system: &System<3>) -> Result<()> {
    Target::File(path.to_owned()).write(|out| SystemFormat::Xyz.write(out, system)).context("cannot keep a packing")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Silent;
    use multigrain_dem::soft_gas;

    #[test]
    fn two_that_want_the_same_packing_grow_it_once() {
        struct Counts(std::sync::atomic::AtomicUsize);
        impl crate::experiment::Watch for Counts {
            fn point(&self, _experiment: &str, _key: &str, _done: f64, _all: f64) {}

            fn note(&self, what: &str) {
                if what == "relaxing" {
                    self.0.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                }
            }
        }
        let folder = tempfile::tempdir().unwrap();
        let watch = Counts(Default::default());
        let context = Context { cache: folder.path(), seed: 3, watch: &watch };
        let recipe = Recipe::power(-3.0, 5.0, 300, 0.5, true).unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| recipe.relax(&context, 0.5).unwrap());
            }
        });
        assert_eq!(watch.0.into_inner(), 1);
    }

    #[test]
    fn packings_are_kept_to_the_last_bit() {
        let folder = tempfile::tempdir().unwrap();
        let context = Context { cache: folder.path(), seed: 3, watch: &Silent };
        for periodic in [false, true] {
            let recipe = Recipe::power(-3.0, 5.0, 300, 0.5, periodic).unwrap();
            let grown = recipe.grow(&context).unwrap();
            assert_eq!(recipe.grow(&context).unwrap(), grown);
            assert!(multigrain::find_pairs(grown.snapshot().unwrap()).is_empty());
            let relaxed = recipe.relax(&context, 0.5).unwrap();
            assert_eq!(recipe.relax(&context, 0.5).unwrap(), relaxed);
            assert_ne!(relaxed.centers, grown.centers);
            let mut gas = soft_gas(&grown, 1).unwrap();
            gas.run(200).unwrap();
            assert!(gas.contact_count() > 0);
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 4);
    }
}
