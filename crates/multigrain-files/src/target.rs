//! Where output goes: standard output, or a file that appears complete or not at all.

use crate::error::{Context, Result, hinted};
use crate::packed::Packing;
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// Bytes gathered before they go to the operating system.
const BUFFER: usize = 1 << 20;

/// Links that are followed one after another, as systems have it.
const MAX_LINKS: usize = 40;

/// Folders that this process has looked through for what dead processes left behind.
static TIDIED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Whether there is no standard output: what is written to it then goes nowhere, and no system says so.
static STDOUT_IS_CLOSED: AtomicBool = AtomicBool::new(false);

/// Whatever is written to standard output from now on is an error: it was closed when the program was started.
#[doc(hidden)]
pub fn refuse_stdout() {
    STDOUT_IS_CLOSED.store(true, Relaxed);
}

/// Where output goes.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Target {
    /// Standard output.
    Stdout,
    /// A file.
    File(PathBuf),
}

impl Target {
    /// `-` is standard output, everything else a file.
    pub fn from_flag(path: &Path) -> Self {
        if path.as_os_str() == "-" { Self::Stdout } else { Self::File(path.to_owned()) }
    }

    /// An error, before any work is done, if the file cannot be written.
    pub fn check(&self) -> Result<()> {
        let Self::File(path) = self else { return Ok(()) };
        if path.is_dir() {
            return Err(hinted(format!("cannot write {}: it is a folder", path.display()), "name a file in it"));
        }
        let folder = folder_of(path);
        if !folder.is_dir() {
            return Err(hinted(
                format!("cannot write {}: there is no folder {}", path.display(), folder.display()),
                "make the folder first, or write elsewhere",
            ));
        }
        Ok(())
    }

    /// An error if this is the file `input`, which `what` would replace.
    pub fn check_against(&self, input: &Path, what: &str) -> Result<()> {
        if !self.is_same_file(input) {
            return Ok(());
        }
        Err(hinted(format!("{what} would replace {}, which is read", input.display()), "write it to another file"))
    }

    /// Whether this is the same file as `path`.
    pub fn is_same_file(&self, path: &Path) -> bool {
        let Self::File(own) = self else { return false };
        matches!((fs::canonicalize(own), fs::canonicalize(path)), (Ok(own), Ok(path)) if own == path)
    }

    /// Writes all that `write` gives, compressed where the name ends in .gz or .zst. A file appears under its name only when it is
    /// complete.
    pub fn write(&self, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
        match self {
            Self::Stdout if STDOUT_IS_CLOSED.load(Relaxed) => {
                Err(hinted("cannot write to standard output: it is closed", "write to a file with -o"))
            }
            Self::Stdout => buffered(io::stdout().lock(), None, write).context("cannot write to standard output"),
            Self::File(path) => write_file(path, write).with_context(|| format!("cannot write {}", path.display())),
        }
    }
}

/// Writes a file as [`Target::write`] does, and waits until the disk has all of it before it takes its name: whatever happens to
/// the machine, there is the old file or the new one. `make_room` is called in between, with the old one still there.
pub fn write_durably(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
    make_room: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let write = || -> Result<()> {
        let temporary = Temporary::for_file(path)?;
        buffered(&temporary.file, None, write)?;
        temporary.file.sync_all()?;
        make_room()?;
        let folder = folder_of(&temporary.to).to_owned();
        temporary.rename()?;
        // The new name itself is on the disk only when the folder is.
        Ok(File::open(folder)?.sync_all()?)
    };
    write().with_context(|| format!("cannot write {}", path.display()))
}

#[cfg(feature = "hdf5")]
impl Target {
    /// Lets `write` make a file in a place, for libraries that open files themselves. It appears under its name only when it is
    /// complete.
    pub(crate) fn write_by_path(&self, write: impl FnOnce(&Path) -> Result<()>) -> Result<()> {
        let Self::File(path) = self else {
            return Err(hinted("this format cannot be written to standard output", "write to a file with -o"));
        };
        let write = || -> Result<()> {
            if fs::metadata(path).is_ok_and(|existing| !existing.is_file()) {
                return Err(hinted("it is no plain file", "write elsewhere"));
            }
            if Packing::of(path).is_some() {
                return Err(hinted("files of this format are compressed by themselves", "leave .gz or .zst away"));
            }
            let temporary = Temporary::for_file(path)?;
            // The library takes the lock itself.
            temporary.file.unlock()?;
            write(&temporary.path)?;
            temporary.rename()
        };
        write().with_context(|| format!("cannot write {}", path.display()))
    }
}

fn buffered(
    target: impl Write,
    packing: Option<Packing>,
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<()> {
    let mut out = BufWriter::with_capacity(BUFFER, target);
    match packing {
        Some(packing) => packing.write(&mut out, write)?,
        None => write(&mut out)?,
    }
    Ok(out.flush()?)
}

fn write_file(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let packing = Packing::of(path);
    let existing = fs::metadata(path).ok();
    if existing.as_ref().is_some_and(|existing| !existing.is_file()) {
        // A device or a pipe cannot be replaced by a file; it takes bytes as they come.
        return buffered(OpenOptions::new().write(true).open(path)?, packing, write);
    }
    let temporary = Temporary::for_file(path)?;
    buffered(&temporary.file, packing, write)?;
    temporary.rename()
}

/// A file under a temporary name; removed again unless it is renamed.
pub(crate) struct Temporary {
    pub file: File,
    pub path: PathBuf,
    /// The name that it is to have.
    to: PathBuf,
    is_renamed: bool,
}

impl Temporary {
    /// For a file that is to be replaced, or made. A link stays a link: that is done to what it points at.
    pub fn for_file(path: &Path) -> Result<Self> {
        let existing = fs::metadata(path).ok();
        let path = if existing.is_some() { fs::canonicalize(path)? } else { followed(path)? };
        tidy(folder_of(&path));
        let temporary = Self::beside(&path)?;
        if let Some(existing) = existing {
            temporary.file.set_permissions(existing.permissions())?;
        }
        Ok(temporary)
    }

    fn beside(to: &Path) -> Result<Self> {
        let path = to;
        let name = path.file_name().context("it is not the name of a file")?.to_string_lossy();
        for attempt in 0.. {
            let path = folder_of(path).join(format!(".{name}.{}-{attempt}.tmp", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    // Says that somebody still writes to it, on other machines too; where there are no locks, the process does.
                    let _ = file.try_lock();
                    return Ok(Self { file, path, to: to.to_owned(), is_renamed: false });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < 100 => continue,
                Err(error) => return Err(error.into()),
            }
        }
        unreachable!("the last attempt returns")
    }

    pub fn rename(mut self) -> Result<()> {
        fs::rename(&self.path, &self.to)?;
        self.is_renamed = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_renamed {
            // There is an error on its way already.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Where links lead, whether there is something or not.
fn followed(path: &Path) -> io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        match fs::read_link(&path) {
            Ok(to) => path = folder_of(&path).join(to),
            Err(_) => return Ok(path),
        }
    }
    Err(io::Error::other("its links lead to each other"))
}

/// Removes temporary files whose process is dead, once for each folder. What cannot be removed is in nobody's way.
fn tidy(folder: &Path) {
    let Ok(folder) = fs::canonicalize(folder) else { return };
    let mut tidied = TIDIED.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if tidied.contains(&folder) {
        return;
    }
    for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
        let is_stale = entry.file_name().to_str().and_then(writer_of).is_some_and(|process| !is_alive(process));
        // Only a lock that nobody holds shows that no process of another machine is at it.
        if is_stale && File::open(entry.path()).is_ok_and(|file| file.try_lock().is_ok()) {
            let _ = fs::remove_file(entry.path());
        }
    }
    tidied.push(folder);
}

/// The process that a temporary file belongs to, by its name: `.NAME.PROCESS-ATTEMPT.tmp`.
fn writer_of(name: &str) -> Option<u32> {
    let (_, numbers) = name.strip_prefix('.')?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let (process, attempt) = numbers.split_once('-')?;
    attempt.parse::<u32>().ok()?;
    process.parse().ok()
}

/// Whether a process of this machine has this number; where that is not known, all have.
fn is_alive(process: u32) -> bool {
    !Path::new("/proc/self").exists() || Path::new("/proc").join(process.to_string()).exists()
}

fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names_in(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_failed_write_leaves_the_old_file_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        let target = Target::File(path.clone());
        let failed = target.write(|out| {
            out.write_all(&[b'x'; 3 << 20])?;
            Err(crate::Error::new("no more"))
        });
        assert!(format!("{:#}", failed.unwrap_err()).ends_with("out.csv: no more"));
        assert_eq!(names_in(folder.path()), ["out.csv"]);
        assert_eq!(fs::read(&path).unwrap(), b"old");
        target.write(|out| Ok(out.write_all(b"new")?)).unwrap();
        assert_eq!(names_in(folder.path()), ["out.csv"]);
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_links_and_devices_stay_devices() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("file.csv"), folder.path().join("link.csv"));
        fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        Target::File(link.clone()).write(|out| Ok(out.write_all(b"new")?)).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&file).unwrap(), b"new");
        Target::File("/dev/null".into()).write(|out| Ok(out.write_all(b"new")?)).unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn what_dead_processes_left_is_removed_and_what_others_write_is_not() {
        let folder = tempfile::tempdir().unwrap();
        let alive = format!(".a.csv.{}-0.tmp", std::process::id());
        // No process has a number as large.
        for name in [".a.csv.4294967295-0.tmp", ".b.4294967295-3.tmp", &alive, ".c.tmp", "a.csv.4294967295-0.tmp"] {
            fs::write(folder.path().join(name), "").unwrap();
        }
        let held = File::create(folder.path().join(".held.4294967295-0.tmp")).unwrap();
        held.lock().unwrap();
        Target::File(folder.path().join("x.csv")).write(|out| Ok(out.write_all(b"new")?)).unwrap();
        let expected = [&alive, ".c.tmp", ".held.4294967295-0.tmp", "a.csv.4294967295-0.tmp", "x.csv"];
        assert_eq!(names_in(folder.path()), expected);
    }

    #[cfg(unix)]
    #[test]
    fn links_to_nothing_stay_links_and_links_to_themselves_are_refused() {
        let folder = tempfile::tempdir().unwrap();
        let [link, end, one, other] =
            ["link.csv", "end.csv", "one.csv", "other.csv"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink("end.csv", &link).unwrap();
        Target::File(link.clone()).write(|out| Ok(out.write_all(b"new")?)).unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read(&end).unwrap(), b"new");
        std::os::unix::fs::symlink(&one, &other).unwrap();
        std::os::unix::fs::symlink(&other, &one).unwrap();
        let error = Target::File(one.clone()).write(|out| Ok(out.write_all(b"new")?)).unwrap_err();
        assert!(format!("{error:#}").ends_with("its links lead to each other"), "{error:#}");
        assert!(fs::symlink_metadata(&one).unwrap().is_symlink());
    }

    #[test]
    fn a_file_is_itself_by_any_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv");
        fs::write(&path, "").unwrap();
        assert!(Target::File(folder.path().join(".").join("a.csv")).is_same_file(&path));
        assert!(!Target::Stdout.is_same_file(&path));
    }
}
