//! Files of a dataset, of which only some are open at a time.

use crate::storage::source::Source;
use std::fs::{File, Metadata};
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;

/// The most files of a dataset that are open at a time: systems allow a process about a thousand.
const MOST: usize = 256;

/// Files that are open, those used last in front.
#[derive(Default)]
pub(super) struct OpenFiles(Mutex<Vec<(usize, Arc<File>)>>);

/// A file that is opened when it is read, and closed where others are read after it.
pub(super) struct PartFile {
    number: usize,
    path: PathBuf,
    len: u64,
    /// To notice that another file has taken its name.
    modified: Option<SystemTime>,
    open: Arc<OpenFiles>,
}

impl PartFile {
    /// Opens a file, the `number`th of those in `open`.
    pub(super) fn open(number: usize, path: PathBuf, open: &Arc<OpenFiles>) -> io::Result<Self> {
        let file = File::open(&path)?;
        let metadata = file.metadata()?;
        open.put(number, Arc::new(file));
        let (len, modified) = (metadata.len(), metadata.modified().ok());
        Ok(Self { number, path, len, modified, open: Arc::clone(open) })
    }

    /// The file, opened again if it has been closed.
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

    /// Puts a file in front; the one that was used longest ago is closed where there are too many.
    fn put(&self, number: usize, file: Arc<File>) {
        if let Ok(mut files) = self.0.lock() {
            files.truncate(MOST - 1);
            files.insert(0, (number, file));
        }
    }
}

impl Source for PartFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.len)
    }

    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file()?.read_at(offset, buffer)
    }
}
