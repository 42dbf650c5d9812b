//! The rows of all parts that a predicate selects.

use super::Dataset;
use crate::error::{Error, ErrorKind, Result};
use crate::path::{PathName, format, parse};
use crate::predicate::{Missing, Predicate};
use crate::reader::Reader;
use crate::selection::RowSelection;
use crate::shape::Shape;
use crate::tree::has_values;

impl<'s> Dataset<'s> {
    /// A dataset of the rows for which a predicate is true; see [`Reader::filter`].
    ///
    /// An [optional](Dataset::optional) field that a part lacks is null in all its rows: comparisons are neither true nor
    /// false, and `is_null` is true. Where the values of a part have a logical type, and those of others are texts, their texts are
    /// compared, without zone maps. Of parts that zone maps exclude, only the header is read.
    ///
    /// # Errors
    ///
    /// A path that is in no part, or that a part with rows lacks, unless it is optional; a literal that cannot be compared with
    /// the values of a part. The error names the part.
    pub fn filter(&self, predicate: Predicate) -> Result<Self> {
        predicate.each_path(&self.whole, &mut |names| self.check_names(names))?;
        let exact = predicate.exact(&self.whole)?;
        self.map(|part| {
            let texts = part.reader.texts_in(&self.whole);
            // A part that lacks a field may have another one that the dots can be read as.
            let is_same = self.means_the_same(&predicate, part.reader.whole_shape());
            let predicate = if is_same { predicate.clone() } else { exact.clone() };
            match part.reader.filter_by(predicate.clone(), Missing::Refused, &texts) {
                Err(error) => match error.kind() {
                    ErrorKind::NoSuchPath { path, .. } if !self.has_other(&part.reader, path) => {
                        part.reader.filter_by(predicate, Missing::Null, &texts)
                    }
                    ErrorKind::NoSuchPath { path, .. } => {
                        let path = format(parse(path)?.iter().map(PathName::text));
                        let message =
                            format!("{path:?} is not a union in this part, but a variant of one in others");
                        Err(Error::option(message))
                    }
                    _ => Err(error),
                },
                filtered => filtered,
            }
        })
    }

    /// Whether paths mean in a part what they mean in all of them, as far as they are there.
    fn means_the_same(&self, predicate: &Predicate, part: &Shape) -> bool {
        let names = |shape: &Shape| {
            let mut all = Vec::new();
            let done = predicate.each_path(shape, &mut |names| {
                all.push(names.to_vec());
                Ok(())
            });
            done.ok().map(|()| all)
        };
        names(part).is_some_and(|own| names(&self.whole).is_some_and(|whole| own == whole))
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
