//! Several files that are read as one table.

use super::{DataFile, Input, Opened, open};
use crate::failure::Failure;
use crate::progress::Progress;
use std::path::Path;
use trevni::Shape;
use trevni_query::Condition;

#[cfg(feature = "parquet")]
mod parquet;

/// Files of which more need not be open than a system allows.
pub struct Several(Vec<One>);

/// What is known of a file.
struct One {
    shape: Shape,
    rows: u64,
    place: Place,
}

/// Where rows are.
enum Place {
    /// In a file that stays open.
    Open(Input),
    /// In one that is opened again when it is wanted.
    Closed(DataFile),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::RowGroups>),
}

/// What is wanted of the files.
#[cfg_attr(not(feature = "parquet"), allow(dead_code, reason = "columns are read when they are needed"))]
pub struct Wanted<'a> {
    /// Patterns of fields; all fields where there are none.
    pub columns: &'a [String],
    /// The condition of rows.
    pub condition: Option<&'a Condition>,
    /// The most rows.
    pub rows: u64,
}

/// Files that stay open.
const OPEN: usize = 200;

impl Several {
    /// Opens files for what is wanted of them.
    ///
    /// # Errors
    ///
    /// Files that cannot be read.
    pub fn open(files: &[DataFile], wanted: &Wanted<'_>) -> Result<Self, Failure> {
        let mut all: Vec<One> = Vec::with_capacity(files.len());
        for file in files {
            let input = match file.open_first(wanted.rows, Progress::default())? {
                Opened::Columns(input) => input,
                #[cfg(feature = "parquet")]
                Opened::Parquet(own) => {
                    let before = all.iter().fold(0u64, |sum, one| sum.saturating_add(one.rows));
                    all.extend(parquet::parts(&own, wanted, before, files.len() > 1)?);
                    continue;
                }
            };
            let (shape, rows) = (input.reader.shape().clone(), input.reader.row_count());
            // What is no file can be read only once.
            let stays = all.len() < OPEN || !file.path().is_file();
            let place = if stays { Place::Open(input) } else { Place::Closed(file.clone()) };
            all.push(One { shape, rows, place });
        }
        Ok(Self(all))
    }

    /// Files that are open.
    pub fn of(inputs: Vec<Input>) -> Self {
        let one = |input: Input| One {
            shape: input.reader.shape().clone(),
            rows: input.reader.row_count(),
            place: Place::Open(input),
        };
        Self(inputs.into_iter().map(one).collect())
    }

    /// Number of files; row groups of Parquet are as files.
    pub fn count(&self) -> usize {
        self.0.len()
    }

    /// The shapes of all files' rows.
    pub fn shapes(&self) -> impl Iterator<Item = &Shape> {
        self.0.iter().map(|one| &one.shape)
    }

    /// The numbers of rows of all files.
    pub fn rows(&self) -> impl Iterator<Item = u64> {
        self.0.iter().map(|one| one.rows)
    }

    /// A file by its number.
    pub fn input(&self, number: usize) -> Result<Input, Failure> {
        match self.0.get(number).map(|one| &one.place) {
            Some(Place::Open(input)) => Ok(input.clone()),
            Some(Place::Closed(file)) => file.open(Progress::default())?.columns(),
            #[cfg(feature = "parquet")]
            Some(Place::Parquet(groups)) => groups.columns(),
            None => open(Path::new("")),
        }
    }
}
