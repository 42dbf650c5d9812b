//! Hidden files that live as long as something is being written.
//!
//! Each is locked while its writer lives. A lock ends with its process, however that ends, so the next file that is
//! made in a folder removes those whose writers are gone. Names are short, whatever the file is for.
//!
//! There is no feature for them: the linker drops them where nobody calls `create`, and what is left is 6 KB.

use crate::storage::source::Source;
use std::collections::hash_map::RandomState;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// How the names of temporary files begin.
const START: &str = ".trevni.";
/// How they end.
const END: &str = ".tmp";
/// How the names of claims end.
const CLAIM_END: &str = ".claim.tmp";
/// The end of the names of files that are read again.
const BLOCKS_END: &str = ".blocks.tmp";

/// The path of a temporary file whose place is the system's folder for these. That is asked for when a file is made, since not all
/// systems have one.
pub(crate) const ANYWHERE: &str = "";

/// A path in the system's folder for temporary files.
///
/// # Errors
///
/// A system without files.
fn anywhere() -> io::Result<PathBuf> {
    if cfg!(all(target_family = "wasm", target_os = "unknown")) {
        return Err(io::Error::new(io::ErrorKind::Unsupported, "this system has no temporary files"));
    }
    Ok(std::env::temp_dir().join("trevni"))
}

/// Creates a file in the folder of `path`, under a name that no other has: `.trevni.<16 hex digits>` and `end`,
/// which ends in `.tmp`. `options` say what it is opened for.
///
/// # Errors
///
/// A path without a file name, and a folder in which no file can be made.
pub(crate) fn create_beside(
    path: &Path,
    end: &str,
    options: &mut OpenOptions,
) -> io::Result<(File, PathBuf)> {
    if path.file_name().is_none() {
        let message = format!("{} has no file name", path.display());
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    look_once(folder_of(path));
    loop {
        let number = RandomState::new().build_hasher().finish();
        let own = path.with_file_name(format!("{START}{number:016x}{end}"));
        match options.create_new(true).open(&own) {
            Ok(file) if is_kept(&file, &own)? => return Ok((file, own)),
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// The folder that a path is in.
pub(crate) fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    }
}

/// Locks a new file; whether it still has its name, which another process may have removed before it was locked.
fn is_kept(file: &File, path: &Path) -> io::Result<bool> {
    match file.try_lock() {
        // Where the file system has no locks, nobody can remove it.
        Ok(()) | Err(TryLockError::Error(_)) => is_named(file, path),
        Err(TryLockError::WouldBlock) => Ok(false),
    }
}

#[cfg(unix)]
fn is_named(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let own = file.metadata()?;
    Ok(fs::symlink_metadata(path).is_ok_and(|named| (named.dev(), named.ino()) == (own.dev(), own.ino())))
}

#[cfg(not(unix))]
fn is_named(_: &File, path: &Path) -> io::Result<bool> {
    path.try_exists()
}

/// Calls [`remove_abandoned`] the first time that this process writes to a folder, and after it wrote to another.
fn look_once(folder: &Path) {
    static LAST: Mutex<Option<PathBuf>> = Mutex::new(None);
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    if last.as_deref() == Some(folder) {
        return;
    }
    *last = Some(folder.to_owned());
    drop(last);
    remove_abandoned(folder);
}

/// Removes temporary files whose writers are gone. What cannot be removed stays: that is no fault of the file that is
/// about to be made.
fn remove_abandoned(folder: &Path) {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| is_temporary(&entry.file_name())) {
        let is_file = entry.file_type().is_ok_and(|kind| kind.is_file());
        let path = entry.path();
        if is_file
            && let Ok(file) = OpenOptions::new().write(true).open(&path)
            && file.try_lock().is_ok()
        {
            remove_locked(&file, &path);
        }
    }
}

/// Removes a file that this process has locked, unless another has its name by now.
fn remove_locked(file: &File, path: &Path) {
    if is_named(file, path).unwrap_or_default() {
        let _ = fs::remove_file(path);
    }
}

fn is_temporary(name: &std::ffi::OsStr) -> bool {
    let digits = name.to_str().and_then(|name| name.strip_prefix(START)?.strip_suffix(END));
    let digits = digits
        .map(|name| name.strip_suffix(".blocks").or_else(|| name.strip_suffix(".claim")).unwrap_or(name));
    digits.is_some_and(|digits| digits.len() == 16 && digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// A file for this process alone, removed when it is dropped.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    file: Option<File>,
    path: PathBuf,
}

impl TemporaryFile {
    /// Creates one beside `path`, to be written and read; beside [`ANYWHERE`], in the system's folder for these.
    pub(crate) fn create_beside(path: &Path) -> io::Result<Self> {
        let path = if path == Path::new(ANYWHERE) { anywhere()? } else { path.to_owned() };
        let (file, path) = create_beside(&path, BLOCKS_END, &mut own_options())?;
        Ok(Self { file: Some(file), path })
    }

    /// Claims a number among the names in the folder of `path`, until it is dropped; `None` where another writer has
    /// claimed it.
    pub(crate) fn claim(path: &Path, number: u64) -> io::Result<Option<Self>> {
        let path = path.with_file_name(format!("{START}{number:016x}{CLAIM_END}"));
        loop {
            match own_options().create_new(true).open(&path) {
                Ok(file) => {
                    // Who has locked it takes it for abandoned, and removes it. Where the file system has no locks,
                    // nobody can.
                    let _ = file.lock();
                    if is_named(&file, &path)? {
                        return Ok(Some(Self { file: Some(file), path }));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    // What a killed process has left is removed; where there are no locks, it stays.
                    match File::open(&path) {
                        Ok(file) if file.try_lock().is_ok() => remove_locked(&file, &path),
                        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                        _ => return Ok(None),
                    }
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// The open file.
    pub(crate) fn file(&self) -> io::Result<&File> {
        self.file.as_ref().ok_or_else(|| io::Error::other("the temporary file is closed"))
    }
}

/// Bytes that are written once and read again: in memory, or in a temporary file where there are many.
#[derive(Debug)]
pub struct TemporaryBytes {
    bytes: Vec<u8>,
    file: Option<TemporaryFile>,
    memory: u64,
    beside: PathBuf,
}

impl TemporaryBytes {
    /// No bytes yet. More than `memory` go to a file beside a path.
    pub(crate) fn new(memory: u64, beside: &Path) -> Self {
        Self { bytes: Vec::new(), file: None, memory, beside: beside.to_owned() }
    }
}

impl Write for TemporaryBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.file.is_none() && (self.bytes.len() + bytes.len()) as u64 > self.memory {
            let file = TemporaryFile::create_beside(&self.beside)?;
            file.file()?.write_all(&std::mem::take(&mut self.bytes))?;
            self.file = Some(file);
        }
        match &self.file {
            Some(file) => file.file()?.write(bytes),
            None => self.bytes.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Source for TemporaryBytes {
    fn size(&self) -> io::Result<u64> {
        match &self.file {
            Some(file) => Source::size(file),
            None => Source::size(&self.bytes),
        }
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        match &self.file {
            Some(file) => file.read_at(offset, buffer),
            None => self.bytes.read_at(offset, buffer),
        }
    }
}

impl Source for TemporaryFile {
    fn size(&self) -> io::Result<u64> {
        Source::size(self.file()?)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file()?.read_at(offset, buffer)
    }
}

/// To write and read a file for this process alone.
fn own_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    // Other users share the folder for temporary files, and must not read it.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // While it is locked: afterwards the name may be that of another's file. Some systems remove no file that is open.
        if fs::remove_file(&self.path).is_err_and(|error| error.kind() != io::ErrorKind::NotFound) {
            drop(self.file.take());
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn files_of_living_writers_stay_and_others_go() {
        let folder = std::env::temp_dir().join(format!("trevni-abandoned-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let make = |name: &str| fs::write(folder.join(name), "").unwrap();
        let left = [
            ".trevni.0123456789abcdef.tmp",
            ".trevni.0123456789abcdef.blocks.tmp",
            ".trevni.0000000000000003.claim.tmp",
        ];
        left.iter().for_each(|name| make(name));
        let others = [".trevni.012345678.tmp", ".trevni.0123456789abcdef", "trevni.0123456789abcdef.tmp"];
        others.iter().for_each(|name| make(name));
        let (file, own) =
            create_beside(&folder.join("x".repeat(255)), END, OpenOptions::new().write(true)).unwrap();
        let names = || {
            let mut names: Vec<_> =
                fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
            names.sort();
            names
        };
        let mut expected: Vec<_> = others.iter().map(|name| folder.join(name)).chain([own.clone()]).collect();
        expected.sort();
        assert_eq!(names(), expected);
        // Another process looks at the folder for the first time.
        remove_abandoned(&folder);
        assert_eq!(names(), expected, "the lock keeps it");
        drop(file);
        remove_abandoned(&folder);
        assert!(!own.exists());
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn many_bytes_are_in_a_file_whose_name_tells_that_it_may_go() {
        let folder = std::env::temp_dir().join(format!("trevni-many-bytes-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut bytes = TemporaryBytes::new(4, &folder.join("merged"));
        bytes.write_all(b"1234").unwrap();
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        bytes.write_all(b"56").unwrap();
        let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert!(names.len() == 1 && is_temporary(&names[0]), "{names:?}");
        let mut read = [0; 4];
        bytes.read_at(2, &mut read).unwrap();
        assert_eq!((Source::size(&bytes).unwrap(), &read), (6, b"3456"));
        drop(bytes);
        fs::remove_dir(folder).unwrap();
    }

    #[test]
    fn a_number_is_claimed_by_one() {
        let folder = std::env::temp_dir().join(format!("trevni-claims-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let claim = |number| TemporaryFile::claim(&folder.join("part"), number).unwrap();
        let (three, four) = (claim(3), claim(4));
        assert!(three.is_some() && four.is_some() && claim(3).is_none());
        drop(three);
        assert!(claim(3).is_some() && claim(4).is_none());
        drop(four);
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        let holders = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for held in (0..1000).filter_map(|_| claim(5)) {
                        assert_eq!(holders.fetch_add(1, Ordering::SeqCst), 0, "two have claimed it");
                        std::thread::yield_now();
                        holders.fetch_sub(1, Ordering::SeqCst);
                        drop(held);
                    }
                });
            }
        });
        fs::remove_dir_all(folder).unwrap();
    }
}
