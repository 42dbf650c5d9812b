//! The files of a dataset, with a limit on how many are open.

use crate::storage::source::Source;
use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

/// The maximum number of open files per dataset: systems allow a process about a thousand.
const OPEN_FILES_MAX: usize = 256;

/// Open files, most recently used first.
#[derive(Default)]
pub(super) struct OpenFiles(Mutex<Vec<(usize, Arc<File>)>>);

/// A file that is opened on demand, and may be closed when others are read.
#[derive(Clone)]
pub(super) struct PartFile {
    number: usize,
    path: PathBuf,
    len: u64,
    /// To detect that the file was replaced.
    modified: Option<SystemTime>,
    open: Arc<OpenFiles>,
}

impl PartFile {
    /// Opens a file, number `number` in `open`.
    pub(super) fn open(number: usize, path: PathBuf, open: &Arc<OpenFiles>) -> io::Result<Self> {
        let file = File::open(&path)?;
        let metadata = file.metadata()?;
        open.put(number, Arc::new(file));
        let (len, modified) = (metadata.len(), metadata.modified().ok());
        Ok(Self { number, path, len, modified, open: Arc::clone(open) })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// When the file was written, where the system knows.
    pub(super) fn modified(&self) -> Option<SystemTime> {
        self.modified
    }

    /// The file, reopened if it was closed.
    fn file(&self) -> io::Result<Arc<File>> {
        if let Some(file) = self.open.take(self.number) {
            self.open.put(self.number, Arc::clone(&file));
            return Ok(file);
        }
        let file = Arc::new(File::open(&self.path)?);
        if !self.is_same(&file.metadata()?) {
            return Err(io::Error::other("the file has changed since it was opened"));
        }
        self.open.put(self.number, Arc::clone(&file));
        Ok(file)
    }

    fn is_same(&self, metadata: &Metadata) -> bool {
        metadata.len() == self.len && metadata.modified().ok() == self.modified
    }
}

impl OpenFiles {
    fn take(&self, number: usize) -> Option<Arc<File>> {
        let mut files = self.0.lock().ok()?;
        let place = files.iter().position(|(other, _)| *other == number)?;
        Some(files.remove(place).1)
    }

    /// Moves a file to the front, and closes the least recently used one if too many are open.
    fn put(&self, number: usize, file: Arc<File>) {
        if let Ok(mut files) = self.0.lock() {
            files.truncate(OPEN_FILES_MAX - 1);
            files.insert(0, (number, file));
        }
    }
}

impl Source for PartFile {
    fn size(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file()?.read_at(offset, buffer)
    }
}
