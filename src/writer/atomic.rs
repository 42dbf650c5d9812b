//! A file that is written under a temporary name and renamed when it is complete.

use crate::error::Result;
use crate::storage::temporary::create_beside;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A file that is written under a temporary name, next to its final one. Dropping it before it is
/// complete removes it. A path that is a device or a pipe is written to directly and never replaced. On
/// Unix, a file that replaces another has the permissions of that file from the start.
#[derive(Debug)]
pub struct AtomicFile {
    file: Option<io::BufWriter<File>>,
    /// None for a device or a pipe.
    temporary: Option<PathBuf>,
    path: PathBuf,
}

impl AtomicFile {
    /// The file to replace: the target of a link, not the link.
    pub(crate) fn target(path: &Path) -> PathBuf {
        fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
    }

    /// Whether a path is a device or a pipe.
    pub(crate) fn is_special(path: &Path) -> bool {
        fs::metadata(path).is_ok_and(|kind| !kind.is_file() && !kind.is_dir())
    }

    /// Creates the temporary file of a target.
    pub(crate) fn create(path: PathBuf) -> Result<Self> {
        let (file, temporary) = if Self::is_special(&path) {
            (OpenOptions::new().write(true).open(&path)?, None)
        } else {
            let (file, temporary) = create_beside(&path, ".tmp", OpenOptions::new().write(true))?;
            (file, Some(temporary))
        };
        let created = Self { file: Some(io::BufWriter::new(file)), temporary, path };
        created.keep_permissions()?;
        Ok(created)
    }

    /// Gives the temporary file the permissions of the file that it will replace, if there is one.
    #[cfg(unix)]
    fn keep_permissions(&self) -> io::Result<()> {
        match (&self.temporary, fs::metadata(&self.path)) {
            (Some(temporary), Ok(replaced)) if replaced.is_file() => {
                fs::set_permissions(temporary, replaced.permissions())
            }
            _ => Ok(()),
        }
    }

    #[cfg(not(unix))]
    fn keep_permissions(&self) -> io::Result<()> {
        Ok(())
    }

    /// The final path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the file, after all its bytes are on disk.
    pub(crate) fn commit(&mut self) -> Result<()> {
        if let Some(file) = self.file.take() {
            let file = file.into_inner().map_err(io::IntoInnerError::into_error);
            let Some(temporary) = &self.temporary else {
                file?;
                return Ok(());
            };
            let done = file.and_then(|file| file.sync_all()).and_then(|()| fs::rename(temporary, &self.path));
            if done.is_err() {
                let _ = fs::remove_file(temporary);
            }
            done?;
        }
        Ok(())
    }

    fn file(&mut self) -> io::Result<&mut io::BufWriter<File>> {
        self.file.as_mut().ok_or_else(|| io::Error::other("the file is complete"))
    }
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
        if let (Some(_), Some(temporary)) = (self.file.take(), &self.temporary) {
            let _ = fs::remove_file(temporary);
        }
    }
}
