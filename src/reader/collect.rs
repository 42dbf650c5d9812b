//! All rows at once, as any type that deserializes from a sequence.

use super::Reader;
use super::cursor::Cursor;
use super::pipeline::BatchSource;
use crate::error::{Error, Result};
use serde::de::{Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, SeqAccess, Visitor};

/// All rows of a reader.
pub(crate) fn collect<C: DeserializeOwned>(reader: &Reader<'_>) -> Result<C> {
    let mut origin = Origin::new(reader)?;
    let index = origin.cursor.index();
    let rows = C::deserialize(All(FastRows { origin: &mut origin, index }));
    rows.map_err(|error| origin.failure.take().unwrap_or(error))
}

/// Where the rows come from.
struct Origin<'s> {
    cursor: Cursor,
    columns: BatchSource<'s>,
    /// What went wrong: the type that is made of the rows may give its own error for it.
    failure: Option<Error>,
}

impl<'s> Origin<'s> {
    // In a box, so that each type of rows takes a pointer, and no copy.
    fn new(reader: &Reader<'s>) -> Result<Box<Self>> {
        let (cursor, columns) = Cursor::new(reader)?;
        Ok(Box::new(Self { cursor, columns, failure: None }))
    }

    /// How many rows are left, if that is certain.
    fn left(&self) -> Option<usize> {
        let left = usize::try_from(self.cursor.left(&self.columns)).ok();
        left.filter(|_| self.columns.is_certain())
    }
}

/// All rows as one value.
struct All<S>(S);

impl<'de, S: SeqAccess<'de>> Deserializer<'de> for All<S> {
    type Error = S::Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, S::Error> {
        visitor.visit_seq(self.0)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> std::result::Result<V::Value, S::Error> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

/// The rows as a sequence, by the fast path where that goes. Two words, which stay in registers while rows do.
struct FastRows<'a, 's> {
    origin: &'a mut Origin<'s>,
    /// Position of the current row; that of the cursor is behind.
    index: usize,
}

impl<'de> SeqAccess<'de> for FastRows<'_, '_> {
    type Error = Error;

    // One call of `deserialize`, so that it becomes a part of the loop.
    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Result<Option<T>> {
        self.index = match self.origin.cursor.fast_after(self.index) {
            Some(index) => index,
            None => match self.origin.advance(self.index)? {
                Some(index) => index,
                None => return Ok(None),
            },
        };
        if let Ok(row) = T::deserialize(self.origin.cursor.fast(self.index)) {
            return Ok(Some(row));
        }
        self.origin.slow(self.index).map(|row| Some(*row))
    }

    /// What can be tried only once goes the slow path at once.
    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        match self.origin.advance(self.index)? {
            Some(index) => self.index = index,
            None => return Ok(None),
        }
        let Origin { cursor, columns, .. } = &mut *self.origin;
        cursor.seed(seed, columns).map(Some).map_err(|error| self.origin.fail(error))
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        self.origin.left()
    }
}

impl Origin<'_> {
    /// Moves from the row at a position to the one after it, and returns its position; none at the end.
    #[inline(never)]
    fn advance(&mut self, index: usize) -> Result<Option<usize>> {
        self.cursor.set_index(index);
        match self.cursor.advance(&self.columns) {
            Ok(true) => Ok(Some(self.cursor.index())),
            Ok(false) => Ok(None),
            Err(error) => Err(self.fail(error)),
        }
    }

    /// The row at a position, by the slow path. It comes in a box, so that the fast path can use registers.
    #[inline(never)]
    fn slow<'de, T: Deserialize<'de>>(&mut self, index: usize) -> Result<Box<T>> {
        self.cursor.set_index(index);
        self.cursor.row(&self.columns).map(Box::new).map_err(|error| self.fail(error))
    }

    /// Keeps an error, and returns one in its place.
    #[cold]
    fn fail(&mut self, error: Error) -> Error {
        self.failure = Some(error);
        Error::internal("rows are not read")
    }
}
