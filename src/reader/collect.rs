//! All rows at once, as any type that deserializes from a sequence.

use super::Reader;
use super::columns::Columns;
use super::cursor::{CHANCES, Cursor};
use crate::de::{Context, Stray};
use crate::error::{Error, Result};
use serde::de::{self, Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, SeqAccess, Visitor};
use std::marker::PhantomData;

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
    let (mut cursor, columns) = Cursor::new(reader, CHANCES)?;
    let context = Context::new(Some(&columns), false);
    let mut failure = None;
    let all = All::<Stray> {
        cursor: &mut cursor,
        columns: &columns,
        context: &context,
        failure: &mut failure,
        error: PhantomData,
    };
    match (C::deserialize(all), failure) {
        (Ok(rows), _) => Ok(Some(rows)),
        (Err(_), Some(error)) => Err(error),
        (Err(_), None) => Ok(None),
    }
}

/// All rows, and whether structs took their fields by position.
fn general<C: DeserializeOwned>(reader: &Reader<'_>, names_only: bool) -> Result<(Result<C>, bool)> {
    let (mut cursor, columns) = Cursor::new(reader, 0)?;
    let context = Context::new(Some(&columns), names_only);
    let all = All::<Error> {
        cursor: &mut cursor,
        columns: &columns,
        context: &context,
        failure: &mut None,
        error: PhantomData,
    };
    Ok((C::deserialize(all), context.positions_used()))
}

type Straightly<T> = std::result::Result<T, Stray>;

/// The rows as a sequence.
struct All<'a, 's, E> {
    cursor: &'a mut Cursor,
    columns: &'a Columns<'s>,
    context: &'a Context<'a>,
    /// What went wrong, for an `E` that does not tell.
    failure: &'a mut Option<Error>,
    error: PhantomData<E>,
}

impl<'a, 's, 'de, E: de::Error> Deserializer<'de> for All<'a, 's, E>
where
    Self: SeqAccess<'de, Error = E>,
{
    type Error = E;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> std::result::Result<V::Value, E> {
        visitor.visit_seq(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> std::result::Result<V::Value, E> {
        visitor.visit_newtype_struct(self)
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct seq tuple tuple_struct map struct enum identifier ignored_any
    }
}

impl<E> All<'_, '_, E> {
    fn left(&self) -> Option<usize> {
        let left = usize::try_from(self.cursor.left(self.columns)).ok();
        left.filter(|_| self.columns.is_certain())
    }
}

impl<'de> SeqAccess<'de> for All<'_, '_, Error> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        match self.cursor.advance(self.columns, self.context)? {
            true => self.cursor.seed(seed, self.context).map(Some),
            false => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.left()
    }
}

impl<'de> SeqAccess<'de> for All<'_, '_, Stray> {
    type Error = Stray;

    // One call of `deserialize`, so that it becomes a part of the loop.
    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Straightly<Option<T>> {
        if !self.cursor.goes_straight_on() && !self.advance()? {
            return Ok(None);
        }
        if let Some(row) = self.cursor.straight()
            && let Ok(row) = T::deserialize(row)
        {
            return Ok(Some(row));
        }
        self.general().map(|row| Some(*row))
    }

    /// What can be tried only once goes the general way at once.
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Straightly<Option<S::Value>> {
        if !self.advance()? {
            return Ok(None);
        }
        self.cursor.seed(seed, self.context).map(Some).map_err(|_| Stray)
    }

    fn size_hint(&self) -> Option<usize> {
        self.left()
    }
}

impl All<'_, '_, Stray> {
    #[inline(never)]
    fn advance(&mut self) -> Straightly<bool> {
        self.cursor.advance(self.columns, self.context).map_err(|error| self.fail(error))
    }

    /// The current row, the general way. It comes in a box: see [`Straight`](crate::de::Straight).
    #[inline(never)]
    fn general<'de, T: Deserialize<'de>>(&mut self) -> Straightly<Box<T>> {
        self.cursor.row(self.context).map(Box::new).map_err(|error| self.fail(error))
    }

    #[cold]
    fn fail(&mut self, error: Error) -> Stray {
        *self.failure = Some(error);
        Stray
    }
}
