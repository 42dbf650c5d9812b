//! One file of a dataset, and the common shape of all files.

use super::tree::Keys;
use crate::error::{Error, ErrorKind, Result, place};
use crate::reader::{FromColumn, Reader};
use crate::shape::unify::unify_shown;
use crate::shape::{Shape, Shown};
use crate::tree::has_values;
use std::path::{Path, PathBuf};

/// One file of a [`Dataset`](crate::Dataset).
#[derive(Clone, Debug)]
pub struct DatasetPart<'s> {
    pub(super) path: PathBuf,
    pub(super) keys: Keys,
    pub(super) reader: Reader<'s>,
    pub(super) first_row: u64,
}

impl<'s> DatasetPart<'s> {
    /// The path of the file; `part 0`, `part 1`, … for [`Dataset::from_readers`](crate::Dataset::from_readers).
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The keys and values of the partition that the file is in; see [`DatasetFile::partition`](crate::DatasetFile::partition).
    #[must_use]
    pub fn partition(&self) -> &[(String, Option<String>)] {
        &self.keys
    }

    /// The reader of the file; after [`Dataset::project`](crate::Dataset::project), a projected one.
    #[must_use]
    pub fn reader(&self) -> &Reader<'s> {
        &self.reader
    }

    /// The number of the first row of this part within the dataset, from 0.
    #[must_use]
    pub fn first_row(&self) -> u64 {
        self.first_row
    }

    /// Appends the values at a path; `target` is the projection of the common shape to it.
    pub(super) fn extend_column<T: FromColumn>(
        &self,
        path: &str,
        target: &Shape,
        column: &mut T::Column,
    ) -> Result<()> {
        if self.reader.row_count() == 0 {
            return self.reader.checked_rows().map(|_| ());
        }
        let missing = |found: &str, expected| {
            let path = format!("{path:?}");
            Err(ErrorKind::ColumnType { path, found: found.to_owned(), expected }.into())
        };
        match self.reader.extend_column::<T>(path, column) {
            Err(error) if matches!(error.kind(), ErrorKind::NoSuchPath { .. }) => {
                if has_values(self.reader.pruned(target).shape()) {
                    missing("not a union in this part", "a variant of one in all parts")
                } else if T::append_missing(self.reader.matching_count()?, column) {
                    Ok(())
                } else {
                    missing("missing in this part", "always there: use Option")
                }
            }
            done => done,
        }
    }
}

/// The common shape of all parts.
pub(super) fn unified(parts: &[DatasetPart<'_>]) -> Result<Shape> {
    // A part without rows may have an unknown shape.
    let blank = |part: &DatasetPart<'_>| part.reader.row_count() == 0 && *part.reader.shape() == Shape::Null;
    let shown = shown(parts);
    let mut shape: Option<Shape> = None;
    for (number, part) in parts.iter().enumerate().filter(|(_, part)| !blank(part)) {
        let own = part.reader.shape();
        let Some(before) = &mut shape else {
            shape = Some(own.clone());
            continue;
        };
        if before == own {
            continue;
        }
        *before = unify_shown(before, own, shown).map_err(|mismatch| {
            let earlier = parts.iter().take(number).filter(|part| !blank(part));
            let pair = earlier
                .filter_map(|one| Some((one, unify_shown(one.reader.shape(), own, shown).err()?)))
                .next();
            let other = pair.as_ref().map(|(one, _)| one.path.display().to_string());
            let mismatch = pair.map_or(mismatch, |(_, mismatch)| mismatch);
            Error::from(ErrorKind::PartMismatch {
                place: place(&mismatch.path),
                found: mismatch.two.to_owned(),
                expected: mismatch.one.to_owned(),
                other: other.unwrap_or_else(|| "the parts before".to_owned()),
            })
            .in_file(&part.path)
        })?;
    }
    Ok(shape.unwrap_or(Shape::Null))
}

/// What all parts show of logical types: texts, unless one that has such types shows what is stored.
fn shown(parts: &[DatasetPart<'_>]) -> Shown {
    let is_text =
        |part: &DatasetPart<'_>| part.reader.shown() == Shown::Texts || !has_logical(part.reader.shape());
    if parts.iter().all(is_text) { Shown::Texts } else { Shown::Stored }
}

fn has_logical(shape: &Shape) -> bool {
    matches!(shape, Shape::Logical(_)) || shape.children().any(|child| has_logical(child.shape))
}
