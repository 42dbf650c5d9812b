//! Names and makes hidden files that live as long as something is being written.

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// Creates a file beside `path`, whose name no other has: `.name.<process>-<number>` and `end`.
/// `options` say what it is opened for.
pub(crate) fn create_beside(
    path: &Path,
    end: &str,
    options: &mut OpenOptions,
) -> io::Result<(File, PathBuf)> {
    static COUNTER: AtomicU64 = AtomicU64::new(0);
    let name = path.file_name().ok_or_else(|| {
        io::Error::new(io::ErrorKind::InvalidInput, format!("{} has no file name", path.display()))
    })?;
    loop {
        let number = COUNTER.fetch_add(1, Ordering::Relaxed);
        let mut own = OsString::from(".");
        own.push(name);
        own.push(format!(".{}-{number}{end}", std::process::id()));
        let own = path.with_file_name(own);
        match options.create_new(true).open(&own) {
            Ok(file) => return Ok((file, own)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
}

/// A file for this process alone, removed when it is dropped.
#[derive(Debug)]
pub(crate) struct TemporaryFile {
    file: Option<File>,
    path: PathBuf,
}

impl TemporaryFile {
    /// Creates one beside `path`, to be written and read.
    pub(crate) fn create_beside(path: &Path, end: &str) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        // Folders for temporary files are shared with others, who shall not read it.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let (file, path) = create_beside(path, end, &mut options)?;
        Ok(Self { file: Some(file), path })
    }

    /// The open file.
    pub(crate) fn file(&self) -> io::Result<&File> {
        self.file.as_ref().ok_or_else(|| io::Error::other("the temporary file is closed"))
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        // Some systems remove no file that is open.
        drop(self.file.take());
        let _ = fs::remove_file(&self.path);
    }
}
