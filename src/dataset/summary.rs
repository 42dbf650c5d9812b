//! The summary that a folder of RedElm files may have: footers of parts, which then need not be read.

use super::files::PartFile;
use crate::dialect::redelm::RedElmSummary;
use crate::limits::Limits;
use crate::reader::{Reader, ReaderBuilder};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::time::SystemTime;

/// The names that a summary has.
const NAMES: [&str; 2] = [RedElmSummary::FILE_NAME, "RedElmSummary"];

/// The footers of the files of a folder, by name. A missing or damaged summary has no footers.
#[derive(Default)]
pub(super) struct Summary {
    /// `None` where the summary has a name twice.
    footers: HashMap<String, Option<Vec<u8>>>,
    modified: Option<SystemTime>,
}

impl Summary {
    /// The summary of a folder.
    pub(super) fn new(folder: &Path) -> Self {
        NAMES.iter().find_map(|name| Self::read(&folder.join(name))).unwrap_or_default()
    }

    fn read(path: &Path) -> Option<Self> {
        let file = File::open(path).ok()?;
        let (mut bytes, most) = (Vec::new(), Limits::DEFAULT.block_bytes);
        let modified = file.metadata().ok()?.modified().ok()?;
        let read = file.take(most + 1).read_to_end(&mut bytes).ok()?;
        let summary = RedElmSummary::from_slice(&bytes).ok().filter(|_| read as u64 <= most)?;
        let mut footers = HashMap::new();
        for file in summary.files() {
            let name = file.path().rsplit('/').next().unwrap_or_default().to_owned();
            match footers.entry(name) {
                Entry::Vacant(free) => {
                    free.insert(file.footer().ok());
                }
                Entry::Occupied(mut taken) => {
                    taken.insert(None);
                }
            }
        }
        Some(Self { footers, modified: Some(modified) })
    }

    /// A reader of a part whose footer the summary has. `None` where the part is newer, or has another size than the footer
    /// says.
    pub(super) fn open(&self, part: &PartFile, options: &ReaderBuilder) -> Option<Reader<'static>> {
        let name = part.path().file_name()?.to_str()?;
        let footer = self.footers.get(name)?.as_deref()?;
        if part.modified()? > self.modified? {
            return None;
        }
        options.clone().shared_with_footer(part.clone(), footer).ok()
    }
}
