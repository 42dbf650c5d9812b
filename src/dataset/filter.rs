//! The rows of all parts that a predicate selects.

use super::Dataset;
use crate::error::{Error, ErrorKind, Result};
use crate::path::parse;
use crate::predicate::{Missing, Predicate};
use crate::reader::Reader;
use crate::selection::RowSelection;
use crate::tree::{Tree, has_values};

impl<'s> Dataset<'s> {
    /// A dataset of the rows for which a predicate is true; see [`Reader::filter`].
    ///
    /// A field that a part lacks is null in all its rows: comparisons are neither true nor false, and
    /// `is_null` is true. Where the values of a part have a logical type, and those of others are texts, their texts are
    /// compared, without zone maps. Of parts that zone maps exclude, only the header is read.
    ///
    /// # Errors
    ///
    /// A path that is in no part, or a literal that cannot be compared with the values of a part; the error
    /// names the part.
    pub fn filter(&self, predicate: Predicate) -> Result<Self> {
        match predicate.bind(&self.whole, &Tree::of(&self.whole), Missing::Refused) {
            Err(error) if matches!(error.kind(), ErrorKind::NoSuchPath { .. }) => return Err(error),
            // Each part checks whether it fits.
            _ => {}
        }
        self.map(|part| {
            let (texts, predicate) = (part.reader.texts_in(&self.whole), predicate.clone());
            match part.reader.filter_by(predicate.clone(), Missing::Refused, &texts) {
                Err(error) => match error.kind() {
                    ErrorKind::NoSuchPath { path, .. } if !self.has_other(&part.reader, path) => {
                        part.reader.filter_by(predicate, Missing::Null, &texts)
                    }
                    ErrorKind::NoSuchPath { path, .. } => Err(Error::option(format!(
                        "{path:?} is not a union in this part, but a variant of one in others"
                    ))),
                    _ => Err(error),
                },
                filtered => filtered,
            }
        })
    }

    /// Whether a part has the values of a path under another path.
    fn has_other(&self, reader: &Reader<'s>, path: &str) -> bool {
        let whole = Self { shape: self.whole.clone(), ..self.clone() };
        let target = parse(path).and_then(|path| whole.projected(&[path]));
        target.is_ok_and(|target| has_values(reader.whole_fields().pruned(&target).shape()))
    }

    /// The numbers of the matching rows, across all parts; see [`Reader::matching`].
    ///
    /// # Errors
    ///
    /// As [`Dataset::rows`].
    pub fn matching(&self) -> Result<RowSelection> {
        let mut ranges = Vec::new();
        for part in self.parts.iter() {
            let rows = part.reader.matching().map_err(|error| error.in_file(&part.path))?;
            let shifted =
                |range: &std::ops::Range<u64>| range.start + part.first_row..range.end + part.first_row;
            ranges.extend(rows.ranges().iter().map(shifted));
        }
        Ok(ranges.into_iter().collect())
    }
}
