//! Rows and batches of a file, one after the other.

use super::Reader;
use crate::batch::Batch;
use crate::de::{Context, Load, Plan, Transient};
use crate::dialect::trevni::decode::{Decoder, File};
use crate::error::{Category, Error, ErrorKind, Result};
use crate::shape::Shape;
use crate::vector::Vector;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use std::cell::RefCell;
use std::marker::PhantomData;
use std::sync::Arc;

/// The most rows of a batch.
const BATCH_ROWS: u64 = 4096;
/// Rows of the first batch, which shows what is asked for; what it lacks is decoded one by one.
const FIRST_ROWS: u64 = 64;
/// Bytes of the file that the rows of a batch take, about, at most.
const BATCH_BYTES: u64 = 4 << 20;

/// The number of rows, if the file has the bytes for so many.
pub(super) fn checked_rows(file: &File<'_>) -> Result<u64> {
    let (value, limit) = (file.header.rows, file.limits.entries(file.len));
    if value > limit {
        return Err(
            ErrorKind::Limit { what: "the number of rows in a file of this size", value, limit }.into()
        );
    }
    // No column is read for no rows, so nothing else would notice that some are there.
    if value == 0
        && !file.header.columns.is_empty()
        && let Err(error) = file.table(0)
        && error.category() != Category::Unsupported
    {
        return Err(error);
    }
    Ok(value)
}

/// Where reading stands.
struct Progress {
    /// Number of the next row.
    next: u64,
    /// Rows in all.
    rows: u64,
    /// Rows of a batch.
    batch: u64,
}

impl Progress {
    fn of(file: &File<'_>) -> Result<Self> {
        let rows = checked_rows(file)?;
        let row_bytes = (file.len / rows.max(1)).max(1);
        Ok(Self { next: 0, rows, batch: (BATCH_BYTES / row_bytes).clamp(1, BATCH_ROWS) })
    }

    /// First row and number of rows of the next batch; none at the end.
    fn advance(&mut self) -> Option<(u64, usize)> {
        let first = self.next;
        let batch = if first == 0 { self.batch.min(FIRST_ROWS) } else { self.batch };
        let rows = batch.min(self.rows - first);
        self.next += rows;
        (rows > 0).then_some((first, rows as usize))
    }
}

/// The columns of a file that rows are made of.
struct Columns<'s> {
    file: Arc<File<'s>>,
    decoder: RefCell<Decoder>,
}

impl Load for Columns<'_> {
    fn load(&self, node: u32) -> Result<Vector> {
        self.decoder.borrow_mut().load(&self.file, node)
    }
}

/// The rows of a file, one after the other, decoded batch by batch.
struct Cursor {
    plan: Plan,
    progress: Progress,
    vector: Vector,
    /// First row and number of rows of the current batch.
    batch: (u64, usize),
    /// Position within the batch.
    index: usize,
}

impl Cursor {
    fn new<'s>(reader: &Reader<'s>) -> Result<(Self, Columns<'s>)> {
        let decoder = RefCell::new(Decoder::new(&reader.file, &reader.shape, &reader.layout)?);
        let cursor = Self {
            plan: Plan::of(&reader.shape),
            progress: Progress::of(&reader.file)?,
            vector: Vector::Null(0),
            batch: (0, 0),
            index: 0,
        };
        Ok((cursor, Columns { file: Arc::clone(&reader.file), decoder }))
    }

    /// Moves to the next row; false at the end.
    #[inline]
    fn advance(&mut self, columns: &Columns<'_>, context: &Context<'_>) -> Result<bool> {
        if self.index + 1 < self.batch.1 {
            self.index += 1;
            return Ok(true);
        }
        self.next_batch(columns, context.names_only())
    }

    #[cold]
    fn next_batch(&mut self, columns: &Columns<'_>, names_only: bool) -> Result<bool> {
        let Some((first, rows)) = self.progress.advance() else {
            self.batch = (self.progress.next, 0);
            return Ok(false);
        };
        let mut decoder = columns.decoder.borrow_mut();
        if self.batch.0 == 0 && first > 0 && !names_only {
            // The first batch has shown what the rows are read as.
            decoder.reorder(&self.plan.straighten());
        }
        (self.batch, self.index) = ((first, rows), 0);
        let done = decoder.batch(&columns.file, first, rows, &mut self.vector);
        if done.is_err() {
            (self.batch, self.progress.rows) = ((0, 0), self.progress.next);
        }
        done.map(|()| true)
    }

    /// The current row.
    #[inline]
    fn row<T: DeserializeOwned>(&self, context: &Context<'_>) -> Result<T> {
        context
            .entry::<Transient, T>(&self.plan, &self.vector, self.index)
            .map_err(|error| self.in_row(error))
    }

    /// Adds to an error which row it comes from.
    #[cold]
    fn in_row(&self, error: Error) -> Error {
        error.in_row(self.batch.0 + self.index as u64)
    }

    /// Rows behind the current one.
    fn left(&self) -> u64 {
        let batch = self.batch.1.saturating_sub(self.index + 1) as u64;
        self.progress.rows - self.progress.next + batch
    }
}

/// Iterator over the rows of a file; see [`Reader::rows`].
///
/// A row that does not fit the type is an error, and the next row may be fine; after bytes that
/// cannot be decoded there are no more rows.
pub struct Rows<'s, T> {
    columns: Columns<'s>,
    cursor: Cursor,
    names_only: bool,
    rows: PhantomData<fn() -> T>,
}

impl<'s, T: DeserializeOwned> Rows<'s, T> {
    pub(super) fn new(reader: &Reader<'s>) -> Result<Self> {
        let (cursor, columns) = Cursor::new(reader)?;
        Ok(Self { columns, cursor, names_only: false, rows: PhantomData })
    }
}

impl<T: DeserializeOwned> Iterator for Rows<'_, T> {
    type Item = Result<T>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let context = Context::new(Some(&self.columns), self.names_only);
        match self.cursor.advance(&self.columns, &context) {
            Ok(true) => {
                let row = self.cursor.row(&context);
                self.names_only = context.names_only();
                Some(row)
            }
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.cursor.left()).unwrap_or(usize::MAX);
        (left.min(BATCH_ROWS as usize), Some(left))
    }
}

impl<T: DeserializeOwned> std::iter::FusedIterator for Rows<'_, T> {}

/// One row, by its number.
pub(super) fn row<T: DeserializeOwned>(reader: &Reader<'_>, number: u64) -> Result<T> {
    let (mut cursor, columns) = Cursor::new(reader)?;
    let rows = cursor.progress.rows;
    if number >= rows {
        return Err(ErrorKind::NoSuchRow { row: number, rows }.into());
    }
    (cursor.progress.next, cursor.progress.rows) = (number, number + 1);
    let context = Context::new(Some(&columns), false);
    match cursor.advance(&columns, &context)? {
        true => cursor.row(&context),
        false => Err(Error::value("the file ends before its last row")),
    }
}

/// All rows at once, as any type that deserializes from a sequence.
pub(crate) fn collect<C: DeserializeOwned>(reader: &Reader<'_>) -> Result<C> {
    let (rows, positions_used) = collect_by(reader, false)?;
    match rows {
        // A type may not like its fields by position: once more, by name.
        Err(_) if positions_used => collect_by(reader, true)?.0,
        rows => rows,
    }
}

/// All rows, and whether structs took their fields by position.
fn collect_by<C: DeserializeOwned>(reader: &Reader<'_>, names_only: bool) -> Result<(Result<C>, bool)> {
    let (mut cursor, columns) = Cursor::new(reader)?;
    let context = Context::new(Some(&columns), names_only);
    let rows = C::deserialize(All { cursor: &mut cursor, columns: &columns, context: &context });
    Ok((rows, context.positions_used()))
}

/// The rows as a sequence.
struct All<'a, 's> {
    cursor: &'a mut Cursor,
    columns: &'a Columns<'s>,
    context: &'a Context<'a>,
}

impl<'de> Deserializer<'de> for All<'_, '_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_seq(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<'de> SeqAccess<'de> for All<'_, '_> {
    type Error = Error;

    #[inline]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Self { cursor, columns, context } = self;
        if !cursor.advance(columns, context)? {
            return Ok(None);
        }
        match context.seed(seed, &cursor.plan, &cursor.vector, cursor.index) {
            Ok(row) => Ok(Some(row)),
            Err(error) => Err(cursor.in_row(error)),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        usize::try_from(self.cursor.left()).ok()
    }
}

/// Iterator over the batches of a file; see [`Reader::batches`].
pub struct Batches<'s> {
    file: Arc<File<'s>>,
    shape: Arc<Shape>,
    decoder: Decoder,
    progress: Progress,
}

impl<'s> Batches<'s> {
    pub(super) fn new(reader: &Reader<'s>) -> Result<Self> {
        let mut decoder = Decoder::new(&reader.file, &reader.shape, &reader.layout)?;
        decoder.want_all();
        Ok(Self {
            file: Arc::clone(&reader.file),
            shape: Arc::clone(&reader.shape),
            decoder,
            progress: Progress::of(&reader.file)?,
        })
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        let (first, rows) = self.progress.advance()?;
        let mut vector = Vector::Null(0);
        let done = self.decoder.batch(&self.file, first, rows, &mut vector);
        if done.is_err() {
            self.progress.rows = self.progress.next;
        }
        Some(done.map(|()| Batch::new(Arc::clone(&self.shape), vector, first)))
    }
}
