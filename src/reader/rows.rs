//! Rows of a file, one after the other.

use super::Reader;
use super::batcher::Place;
use super::columns::Columns;
use super::scan::BATCH_ROWS;
use crate::batch::Batch;
use crate::de::{Context, Plan, Transient};
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::vector::Vector;
use serde::de::{DeserializeOwned, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

/// A position within the rows of a file.
pub(super) struct Cursor {
    plan: Plan,
    vector: Vector,
    /// The current batch.
    place: Place,
    /// Position within the batch.
    index: usize,
    /// The run of wanted rows that it is in, and the end of this run.
    run: usize,
    end: usize,
    /// Number of batches so far.
    batches: u64,
}

impl Cursor {
    fn new<'s>(reader: &Reader<'s>) -> Result<(Self, Columns<'s>)> {
        let mut columns = Columns::new(reader)?;
        columns.may_decode_more();
        Ok((Self::of(&reader.shape), columns))
    }

    pub(super) fn of(shape: &Shape) -> Self {
        let (plan, vector, place) = (Plan::of(shape), Vector::Null(0), Place::default());
        Self { plan, vector, place, index: 0, run: 0, end: 0, batches: 0 }
    }

    /// Moves to the next row; false at the end.
    #[inline]
    pub(super) fn advance(&mut self, columns: &Columns<'_>, context: &Context<'_>) -> Result<bool> {
        if self.index + 1 < self.end {
            self.index += 1;
            return Ok(true);
        }
        self.next_run(columns, context)
    }

    fn next_run(&mut self, columns: &Columns<'_>, context: &Context<'_>) -> Result<bool> {
        self.run += 1;
        if self.run >= self.place.runs.len() {
            self.run = 0;
            if !self.next_batch(columns, context.names_only())? {
                return Ok(false);
            }
        }
        let run = self.place.runs.get(self.run).cloned().unwrap_or_default();
        (self.index, self.end) = (run.start, run.end);
        Ok(true)
    }

    #[cold]
    fn next_batch(&mut self, columns: &Columns<'_>, names_only: bool) -> Result<bool> {
        if self.batches == 1 && !names_only {
            // The first batch has shown what the rows are read as.
            columns.settle(self.plan.straighten())?;
        }
        self.batches += 1;
        (self.index, self.end) = (0, 0);
        columns.next_batch(&mut self.place, &mut self.vector)
    }

    /// The current row.
    #[inline]
    pub(super) fn row<T: DeserializeOwned>(&self, context: &Context<'_>) -> Result<T> {
        context
            .entry::<Transient, T>(&self.plan, &self.vector, self.index)
            .map_err(|error| self.in_row(error))
    }

    /// Adds to an error which row it comes from.
    #[cold]
    fn in_row(&self, error: Error) -> Error {
        error.in_row(self.place.row(self.index))
    }

    /// Rows behind the current one.
    fn left(&self, columns: &Columns<'_>) -> u64 {
        let runs = self.place.runs.get(self.run + 1..).unwrap_or_default();
        let behind = runs.iter().map(Range::len).sum::<usize>() + self.end.saturating_sub(self.index + 1);
        columns.left() + behind as u64
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
    failed: bool,
    rows: PhantomData<fn() -> T>,
}

impl<'s, T: DeserializeOwned> Rows<'s, T> {
    pub(super) fn new(reader: &Reader<'s>) -> Result<Self> {
        let (cursor, columns) = Cursor::new(reader)?;
        Ok(Self { columns, cursor, names_only: false, failed: false, rows: PhantomData })
    }

    /// Whether bytes could not be decoded, so that there are no more rows.
    pub(crate) fn failed(&self) -> bool {
        self.failed
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
            Err(error) => {
                self.failed = true;
                Some(Err(error))
            }
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.cursor.left(&self.columns)).unwrap_or(usize::MAX);
        let certain = if self.columns.is_certain() { left.min(BATCH_ROWS as usize) } else { 0 };
        (certain, Some(left))
    }
}

impl<T: DeserializeOwned> std::iter::FusedIterator for Rows<'_, T> {}

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
        let left = usize::try_from(self.cursor.left(self.columns)).ok();
        left.filter(|_| self.columns.is_certain())
    }
}

/// Iterator over the batches of a file; see [`Reader::batches`].
pub struct Batches<'s> {
    shape: Arc<Shape>,
    columns: Columns<'s>,
}

impl<'s> Batches<'s> {
    pub(super) fn new(reader: &Reader<'s>) -> Result<Self> {
        let mut columns = Columns::new(reader)?;
        columns.want_all();
        Ok(Self { shape: Arc::clone(&reader.shape), columns })
    }
}

impl Iterator for Batches<'_> {
    type Item = Result<Batch>;

    fn next(&mut self) -> Option<Self::Item> {
        let (mut place, mut vector) = (Place::default(), Vector::Null(0));
        match self.columns.next_batch(&mut place, &mut vector) {
            Ok(true) => Some(Ok(Batch::new(Arc::clone(&self.shape), vector, place.selection()))),
            Ok(false) => None,
            Err(error) => Some(Err(error)),
        }
    }
}
