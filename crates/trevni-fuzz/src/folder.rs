//! Folders of files for one input.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder for the files of one input, removed at the end.
pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static FOLDER: OnceLock<PathBuf> = OnceLock::new();
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let folder = FOLDER.get_or_init(|| {
            // A disk would be waited for after each file.
            let memory = PathBuf::from("/dev/shm");
            if memory.is_dir() { memory } else { std::env::temp_dir() }
        });
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("trevni-fuzz-{}-{number}", std::process::id()));
        fs::create_dir_all(&path).expect("there is a folder for temporary files");
        Self(path)
    }

    /// The path of a file in it.
    pub(crate) fn with(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    /// Writes a file in it, or in a folder in it.
    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&self.0)).expect("a folder is made");
        fs::write(path, bytes).expect("a file is written");
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
