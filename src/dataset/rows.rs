//! Rows and batches of all parts, in order.

use super::{Dataset, DatasetPart};
use crate::batch::Batch;
use crate::error::Result;
use crate::reader::{Batches, Reader, Rows};
use serde::de::DeserializeOwned;
use std::fmt;
use std::iter::FusedIterator;
use std::sync::Arc;

/// An iterator over one part.
trait OfPart<'s>: Iterator<Item = Result<Self::Each>> + Sized {
    type Each;

    fn open(reader: &Reader<'s>) -> Result<Self>;

    /// Whether iteration may continue after an error.
    fn goes_on(&self) -> bool;
}

impl<'s, T: DeserializeOwned> OfPart<'s> for Rows<'s, T> {
    type Each = T;

    fn open(reader: &Reader<'s>) -> Result<Self> {
        reader.rows()
    }

    fn goes_on(&self) -> bool {
        !self.failed()
    }
}

impl<'s> OfPart<'s> for Batches<'s> {
    type Each = Batch;

    fn open(reader: &Reader<'s>) -> Result<Self> {
        reader.batches()
    }

    fn goes_on(&self) -> bool {
        false
    }
}

/// An iterator over all parts.
struct Walk<'s, I> {
    parts: Arc<[DatasetPart<'s>]>,
    /// Number of the part being read.
    number: usize,
    current: Option<I>,
}

impl<'s, I: OfPart<'s>> Walk<'s, I> {
    fn new(dataset: &Dataset<'s>) -> Result<Self> {
        let mut walk = Self { parts: Arc::clone(&dataset.parts), number: 0, current: None };
        walk.open()?;
        Ok(walk)
    }

    /// Opens the current part; does nothing after the last.
    fn open(&mut self) -> Result<()> {
        if let Some(part) = self.parts.get(self.number) {
            self.current = Some(I::open(&part.reader).map_err(|error| error.in_file(part.path()))?);
        }
        Ok(())
    }

    #[inline]
    fn next(&mut self) -> Option<Result<I::Each>> {
        match self.current.as_mut()?.next() {
            Some(Ok(item)) => Some(Ok(item)),
            other => self.next_elsewhere(other),
        }
    }

    /// Handles an error or the end of a part.
    #[cold]
    fn next_elsewhere(&mut self, mut next: Option<Result<I::Each>>) -> Option<Result<I::Each>> {
        loop {
            match next {
                Some(Ok(item)) => return Some(Ok(item)),
                Some(Err(error)) => {
                    self.current = self.current.take().filter(I::goes_on);
                    return Some(Err(match self.parts.get(self.number) {
                        Some(part) => error.in_file(part.path()),
                        None => error,
                    }));
                }
                None => {
                    self.current = None;
                    self.number += 1;
                    if let Err(error) = self.open() {
                        return Some(Err(error));
                    }
                    next = self.current.as_mut()?.next();
                }
            }
        }
    }

    /// Number of rows in the parts after the current one.
    fn rows_behind(&self) -> Option<usize> {
        // None after the last part.
        let mut behind = self.parts.iter().skip(self.number + 1);
        let rows = behind.try_fold(0u64, |rows, part| rows.checked_add(part.reader.row_count()))?;
        usize::try_from(rows).ok()
    }
}

/// Iterator over the rows of all parts; see [`Dataset::rows`].
///
/// A row that does not fit the type is an error; iteration may continue with the next row. After bytes
/// that cannot be decoded, or a part that cannot be opened, there are no more rows.
pub struct DatasetRows<'s, T>(Walk<'s, Rows<'s, T>>);

impl<'s, T: DeserializeOwned> DatasetRows<'s, T> {
    pub(super) fn new(dataset: &Dataset<'s>) -> Result<Self> {
        Walk::new(dataset).map(Self)
    }
}

impl<T: DeserializeOwned> Iterator for DatasetRows<'_, T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let Some(current) = &self.0.current else {
            return (0, Some(0));
        };
        let (least, most) = current.size_hint();
        (least, most.and_then(|most| most.checked_add(self.0.rows_behind()?)))
    }
}

impl<T: DeserializeOwned> FusedIterator for DatasetRows<'_, T> {}

impl<T> fmt::Debug for DatasetRows<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatasetRows").field("part", &self.0.number).finish_non_exhaustive()
    }
}

/// Iterator over the batches of all parts; see [`Dataset::batches`].
pub struct DatasetBatches<'s>(Walk<'s, Batches<'s>>);

impl<'s> DatasetBatches<'s> {
    pub(super) fn new(dataset: &Dataset<'s>) -> Result<Self> {
        Walk::new(dataset).map(Self)
    }
}

impl Iterator for DatasetBatches<'_> {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        self.0.next()
    }
}

impl FusedIterator for DatasetBatches<'_> {}

impl fmt::Debug for DatasetBatches<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DatasetBatches").field("part", &self.0.number).finish_non_exhaustive()
    }
}
