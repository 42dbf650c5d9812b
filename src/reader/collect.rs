//! All rows at once, as any type that deserializes from a sequence.

use super::Reader;
use super::columns::Columns;
use super::cursor::{CHANCES, Cursor};
use crate::de::Context;
use crate::error::{Error, Result};
use crate::stray::Stray;
use serde::de::{Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, SeqAccess, Visitor};

/// All rows of a reader. Where something else than a row fails, it tells why when they are read once more,
/// the general way; and what seeds make of rows is tried by position first, then by the names of the fields.
pub(crate) fn collect<C: DeserializeOwned>(reader: &Reader<'_>) -> Result<C> {
    if let Some(rows) = straight(reader)? {
        return Ok(rows);
    }
    let (rows, positions_used) = general(reader, false)?;
    match rows {
        Err(_) if positions_used => general(reader, true)?.0,
        rows => rows,
    }
}

/// All rows, straight where that goes; none where nothing tells what went wrong.
fn straight<C: DeserializeOwned>(reader: &Reader<'_>) -> Result<Option<C>> {
    let (cursor, columns) = Cursor::new(reader, CHANCES)?;
    let context = Context::new(Some(&columns), false);
    let mut origin = Origin { cursor, columns: &columns, context: &context, failure: None };
    let index = origin.cursor.index();
    match (C::deserialize(All(StraightRows { origin: &mut origin, index })), origin.failure) {
        (Ok(rows), _) => Ok(Some(rows)),
        (Err(_), Some(error)) => Err(error),
        (Err(_), None) => Ok(None),
    }
}

/// All rows, and whether structs took their fields by position.
fn general<C: DeserializeOwned>(reader: &Reader<'_>, names_only: bool) -> Result<(Result<C>, bool)> {
    let (cursor, columns) = Cursor::new(reader, 0)?;
    let context = Context::new(Some(&columns), names_only);
    let mut origin = Origin { cursor, columns: &columns, context: &context, failure: None };
    Ok((C::deserialize(All(GeneralRows(&mut origin))), context.positions_used()))
}

/// Where the rows come from.
struct Origin<'a, 's> {
    cursor: Cursor,
    columns: &'a Columns<'s>,
    context: &'a Context<'a>,
    /// What went wrong, where the error does not tell.
    failure: Option<Error>,
}

impl Origin<'_, '_> {
    /// How many rows are left, if that is certain.
    fn left(&self) -> Option<usize> {
        let left = usize::try_from(self.cursor.left(self.columns)).ok();
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

/// The rows as a sequence, all the general way.
struct GeneralRows<'a, 'c, 's>(&'a mut Origin<'c, 's>);

impl<'de> SeqAccess<'de> for GeneralRows<'_, '_, '_> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        let Origin { cursor, columns, context, .. } = &mut *self.0;
        match cursor.advance(columns, context)? {
            true => cursor.seed(seed, context).map(Some),
            false => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.left()
    }
}

type Straightly<T> = std::result::Result<T, Stray>;

/// The rows as a sequence, straight where that goes. Two words, which stay in registers while rows do.
struct StraightRows<'a, 'c, 's> {
    origin: &'a mut Origin<'c, 's>,
    /// Position of the current row; that of the cursor is behind.
    index: usize,
}

impl<'de> SeqAccess<'de> for StraightRows<'_, '_, '_> {
    type Error = Stray;

    // One call of `deserialize`, so that it becomes a part of the loop.
    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Straightly<Option<T>> {
        self.index = match self.origin.cursor.straight_behind(self.index) {
            Some(index) => index,
            None => match self.origin.advance(self.index)? {
                Some(index) => index,
                None => return Ok(None),
            },
        };
        if let Ok(row) = T::deserialize(self.origin.cursor.straight(self.index)) {
            return Ok(Some(row));
        }
        self.origin.general(self.index).map(|row| Some(*row))
    }

    /// What can be tried only once goes the general way at once.
    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Straightly<Option<S::Value>> {
        match self.origin.advance(self.index)? {
            Some(index) => self.index = index,
            None => return Ok(None),
        }
        let Origin { cursor, context, .. } = &mut *self.origin;
        cursor.seed(seed, context).map(Some).map_err(|_| Stray)
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        self.origin.left()
    }
}

impl Origin<'_, '_> {
    /// Moves from the row at a position to the one behind it, and returns its position; none at the end.
    #[inline(never)]
    fn advance(&mut self, index: usize) -> Straightly<Option<usize>> {
        self.cursor.set_index(index);
        match self.cursor.advance(self.columns, self.context) {
            Ok(true) => Ok(Some(self.cursor.index())),
            Ok(false) => Ok(None),
            Err(error) => Err(self.fail(error)),
        }
    }

    /// The row at a position, the general way. It comes in a box: see [`Straight`](crate::de::Straight).
    #[inline(never)]
    fn general<'de, T: Deserialize<'de>>(&mut self, index: usize) -> Straightly<Box<T>> {
        self.cursor.set_index(index);
        self.cursor.row(self.context).map(Box::new).map_err(|error| self.fail(error))
    }

    #[cold]
    fn fail(&mut self, error: Error) -> Stray {
        self.failure = Some(error);
        Stray
    }
}
