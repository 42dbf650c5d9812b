//! A file that is written under a temporary name and gets its own when it is complete.

use crate::error::{Error, Result};
use crate::reader::check_written;
use crate::storage::temporary::{TemporaryFile, create_beside, folder_of};
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is written under a temporary name, next to its final one, and gets that name in
/// [`commit`](Self::commit). Dropping it before removes it; what a killed process has left is removed by the next file
/// that is made beside it.
///
/// A path that is a device or a pipe is written to directly and never replaced. A link is followed. On Unix, the
/// temporary file is for its owner alone; when it is complete it has the mode of the file that it replaces and, where
/// the system allows it, its owner and group.
#[derive(Debug)]
pub struct AtomicFile {
    file: Option<io::BufWriter<File>>,
    /// None for a device or a pipe.
    temporary: Option<PathBuf>,
    path: PathBuf,
    /// What the complete file has; `None` for what it has already.
    permissions: Option<Permissions>,
    taken: Taken,
}

/// What to do where a file has the name already.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Taken {
    /// Replace it.
    Replace,
    /// Fail.
    Refuse,
    /// Take a name that is free: the function finds one from a name on, and claims it until the file is dropped.
    Next(fn(&Path) -> Result<(PathBuf, TemporaryFile)>),
}

impl AtomicFile {
    /// Creates the temporary file for a path. A file that has the path is replaced in the end.
    ///
    /// ```
    /// use std::io::Write;
    ///
    /// let path = std::env::temp_dir().join(format!("trevni-doc-atomic-{}.txt", std::process::id()));
    /// let mut file = trevni::AtomicFile::create(&path)?;
    /// file.write_all(b"whole")?;
    /// assert!(!path.exists());
    /// file.commit()?;
    /// assert_eq!(std::fs::read(&path)?, b"whole");
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A folder that cannot be written to.
    pub fn create(path: impl AsRef<Path>) -> Result<Self> {
        Self::start(Self::target(path.as_ref()), Taken::Replace)
    }

    /// As [`create`](Self::create), but a file that has the path is never replaced, even if it appears while this one
    /// is written.
    ///
    /// # Errors
    ///
    /// A path that exists ([`AlreadyExists`](io::ErrorKind::AlreadyExists)), and a folder that cannot be written to.
    pub fn create_new(path: impl AsRef<Path>) -> Result<Self> {
        Self::start(Self::target(path.as_ref()), Taken::Refuse)
    }

    /// The file to replace: the target of a link, even if it does not exist yet. What is no file keeps its name: the
    /// links to open pipes (`/dev/fd/3`) lead to names that do not exist.
    pub(crate) fn target(path: &Path) -> PathBuf {
        let mut target = path.to_owned();
        if Self::is_special(path) {
            return target;
        }
        // As many as Linux follows.
        for _ in 0..40 {
            if let Ok(path) = fs::canonicalize(&target) {
                return path;
            }
            match fs::read_link(&target) {
                Ok(next) => target = folder_of(&target).join(next),
                Err(_) => break,
            }
        }
        target
    }

    /// Whether a path is a device or a pipe.
    pub(crate) fn is_special(path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|kind| !kind.is_file() && !kind.is_dir())
    }

    /// Creates the temporary file of a target.
    pub(crate) fn start(path: PathBuf, taken: Taken) -> Result<Self> {
        if Self::is_special(&path) {
            let file = OpenOptions::new().write(true).open(&path)?;
            return Ok(Self {
                file: Some(io::BufWriter::new(file)),
                temporary: None,
                path,
                permissions: None,
                taken,
            });
        }
        let replaced = fs::metadata(&path).ok();
        if replaced.is_some() && matches!(taken, Taken::Refuse) {
            return Err(already_exists(&path));
        }
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        let replaced = replaced.filter(fs::Metadata::is_file);
        if replaced.is_some() {
            private(&mut options);
        }
        let (file, temporary) = create_beside(&path, ".tmp", &mut options)?;
        let mut created = Self { file: None, temporary: Some(temporary), path, permissions: None, taken };
        created.permissions = permissions(&file, replaced.as_ref())?;
        created.file = Some(io::BufWriter::new(file));
        Ok(created)
    }

    /// Gives the file another path in the same folder, where it replaces what is there.
    pub(crate) fn set_path(&mut self, path: PathBuf) {
        (self.path, self.taken) = (path, Taken::Replace);
    }

    /// The final path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Gives the file its name, after all its bytes are on disk; the name is on disk too when this returns.
    ///
    /// # Errors
    ///
    /// What cannot be written, and a name that is taken where it may not be replaced; the temporary file is removed.
    pub fn commit(mut self) -> Result<()> {
        self.complete()
    }

    /// As [`commit`](Self::commit), for a file of columns, which must be one that a reader opens. Nothing can be written
    /// after it.
    pub(crate) fn complete_columns(&mut self) -> Result<()> {
        self.complete_checked(check_written)
    }

    /// As [`commit`](Self::commit); nothing can be written after it.
    pub(crate) fn complete(&mut self) -> Result<()> {
        self.complete_checked(|_| Ok(()))
    }

    fn complete_checked(&mut self, check: impl FnOnce(File) -> Result<()>) -> Result<()> {
        let Some(file) = self.file.take() else {
            return Ok(());
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error);
        let Some(temporary) = self.temporary.take() else {
            file?;
            return Ok(());
        };
        // Its lock keeps it until it has its name.
        let done = file.map_err(Error::from).and_then(|file| {
            check(file.try_clone()?)?;
            if let Some(permissions) = self.permissions.take() {
                file.set_permissions(permissions)?;
            }
            file.sync_all()?;
            self.name(&temporary)
        });
        if done.is_err() {
            let _ = fs::remove_file(temporary);
        }
        done
    }

    /// Gives the temporary file its name.
    fn name(&mut self, temporary: &Path) -> Result<()> {
        match self.taken {
            Taken::Replace => fs::rename(temporary, &self.path)?,
            Taken::Refuse => take(temporary, &self.path).map_err(|error| match error.kind() {
                io::ErrorKind::AlreadyExists => already_exists(&self.path),
                _ => error.into(),
            })?,
            Taken::Next(free) => loop {
                let (path, _claim) = free(&self.path)?;
                self.path = path;
                match take(temporary, &self.path) {
                    // Of a program that claims nothing.
                    Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                    done => break done?,
                }
            },
        }
        Ok(sync_folder(&self.path)?)
    }

    fn file(&mut self) -> io::Result<&mut io::BufWriter<File>> {
        self.file.as_mut().ok_or_else(|| io::Error::other("the file is complete"))
    }
}

/// Renames a file to a name that no other has.
fn take(temporary: &Path, path: &Path) -> io::Result<()> {
    match fs::hard_link(temporary, path) {
        Ok(()) => fs::remove_file(temporary),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Err(error),
        // Without hard links, an empty file holds the name until it is replaced.
        Err(_) => {
            OpenOptions::new().write(true).create_new(true).open(path)?;
            fs::rename(temporary, path).inspect_err(|_| drop(fs::remove_file(path)))
        }
    }
}

fn already_exists(path: &Path) -> Error {
    Error::from(io::Error::new(io::ErrorKind::AlreadyExists, "already exists")).in_file(path)
}

/// Lets a file be made for its owner alone.
#[cfg(unix)]
fn private(options: &mut OpenOptions) {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600);
}

#[cfg(not(unix))]
fn private(_: &mut OpenOptions) {}

/// What a new file is to have when it is complete: what it has, or what the file that it replaces has, whose owner it
/// gets where it can. Until then it is for its owner alone.
#[cfg(unix)]
fn permissions(file: &File, replaced: Option<&fs::Metadata>) -> io::Result<Option<Permissions>> {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
    let own = file.metadata()?;
    let Some(replaced) = replaced else {
        file.set_permissions(Permissions::from_mode(0o600))?;
        return Ok(Some(own.permissions()));
    };
    let (mut mode, gid) = (replaced.mode() & 0o7777, Some(replaced.gid()));
    let same = (replaced.uid(), replaced.gid()) == (own.uid(), own.gid());
    let is_owned = same || fchown(file, Some(replaced.uid()), gid).is_ok();
    if !is_owned && replaced.gid() != own.gid() && fchown(file, None, gid).is_err() {
        // Another group gets no more than all others.
        mode = mode & !0o070 | (mode & 0o007) << 3;
    }
    if !is_owned {
        // The program of another owner does not become one of this.
        mode &= 0o777;
    }
    Ok(Some(Permissions::from_mode(mode)))
}

#[cfg(not(unix))]
fn permissions(_: &File, _: Option<&fs::Metadata>) -> io::Result<Option<Permissions>> {
    Ok(None)
}

/// Waits until the names in the folder of a path are on disk.
#[cfg(unix)]
fn sync_folder(path: &Path) -> io::Result<()> {
    match File::open(folder_of(path))?.sync_all() {
        // Not every file system can.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => {
            Ok(())
        }
        done => done,
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file()?.write(bytes)
    }

    fn write_vectored(&mut self, parts: &[io::IoSlice<'_>]) -> io::Result<usize> {
        self.file()?.write_vectored(parts)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file()?.flush()
    }
}

impl Drop for AtomicFile {
    fn drop(&mut self) {
        if let (_, Some(temporary)) = (self.file.take(), &self.temporary) {
            let _ = fs::remove_file(temporary);
        }
    }
}
