//! All rows at once, as any type that deserializes from a sequence.
//!
//! Each path has a sequence of its own: one for both, whose error is the crate's, would make rows of twelve numbers take
//! 1.1 times as long.

use super::Reader;
use super::cursor::Cursor;
use super::kept::Kept;
use super::pipeline::{BatchSource, ReadPlan};
use crate::de::{FastPathMiss, Keep, Kept as KeptStrings};
use crate::error::{Category, Error, Result};
use crate::outlined::{Outlined, drop_outlined};
use crate::tree::NodeId;
use serde::de::{Deserialize, DeserializeOwned, DeserializeSeed, Deserializer, SeqAccess, Visitor};

/// All rows of a reader. Where something else than a row fails, it tells why when they are read once more, by
/// the slow path.
///
/// A batch does not live as long as what rows may borrow from it here. So strings are copied, and only where a row
/// fails, they are kept, and it is read again.
pub(crate) fn collect<C: DeserializeOwned>(reader: &Reader<'_>) -> Result<C> {
    let mut plan = ReadPlan::new(&reader.part);
    loop {
        let kept = KeptStrings::default();
        let keep = Keep::new(&kept);
        let mut origin = Origin::new(reader, &keep, plan, Cursor::planned)?;
        let origin = &mut *origin;
        let index = origin.cursor.index();
        let rows = FastPathMiss::checked(C::deserialize(All(FastRows { origin, index })));
        if !origin.missed.is_empty() {
            plan = origin.columns.plan_with(&origin.missed)?;
            continue;
        }
        return match (rows, origin.failure.take()) {
            (Some(rows), _) => Ok(rows),
            (None, Some(error)) => Err(error),
            (None, None) => slow(reader, origin.columns.plan_with(&[])?),
        };
    }
}

/// All rows, by the slow path.
fn slow<C: DeserializeOwned>(reader: &Reader<'_>, mut plan: ReadPlan) -> Result<C> {
    loop {
        let kept = KeptStrings::default();
        let keep = Keep::new(&kept);
        keep.turn(true);
        let mut origin = Origin::new(reader, &keep, plan, Cursor::slow)?;
        let rows = C::deserialize(All(SlowRows(&mut origin)));
        if origin.missed.is_empty() {
            return rows;
        }
        plan = origin.columns.plan_with(&origin.missed)?;
    }
}

/// Where the rows come from.
struct Origin<'s, 'k> {
    cursor: Cursor,
    columns: BatchSource<'s>,
    keep: &'k Keep<'k>,
    /// The memory of the rows so far.
    kept: Kept,
    /// What went wrong, where the error does not tell.
    failure: Option<Error>,
    /// The nodes that a row has missed which could be tried only once.
    missed: Vec<NodeId>,
}

drop_outlined!(Origin<'s, 'k>, 's, 'k);

impl<'s, 'k> Origin<'s, 'k> {
    fn new(
        reader: &Reader<'s>,
        keep: &'k Keep<'k>,
        plan: ReadPlan,
        start: fn(&Reader<'s>, ReadPlan) -> Result<(Cursor, BatchSource<'s>)>,
    ) -> Result<Outlined<Self>> {
        let (mut cursor, columns) = start(reader, plan)?;
        cursor.weigh();
        let kept = Kept::new(&reader.file);
        Ok(Outlined::new(Self { cursor, columns, keep, kept, failure: None, missed: Vec::new() }))
    }

    /// Moves to the next row, each of which takes `size` bytes in its own place; false at the end.
    fn step(&mut self, size: usize) -> Result<bool> {
        let more = self.cursor.advance(&mut self.columns)?;
        if let Some((rows, heap)) = self.cursor.take_weight() {
            self.kept.take(rows.saturating_mul(size as u64).saturating_add(heap))?;
        }
        Ok(more)
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

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _fields: &'static [&'static str],
        _visitor: V,
    ) -> std::result::Result<V::Value, S::Error> {
        Err(serde::de::Error::custom(format_args!("a file is a sequence of rows: read it as Vec<{name}>")))
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
        unit_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// The rows as a sequence, all by the slow path.
struct SlowRows<'a, 's, 'k>(&'a mut Origin<'s, 'k>);

impl<'de> SeqAccess<'de> for SlowRows<'_, '_, 'de> {
    type Error = Error;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>> {
        match self.0.step(size_of::<S::Value>())? {
            true => self.0.once(seed).map(Some),
            false => Ok(None),
        }
    }

    fn size_hint(&self) -> Option<usize> {
        self.0.left()
    }
}

type Fast<T> = std::result::Result<T, FastPathMiss>;

/// The rows as a sequence, by the fast path where that goes. Two words, which stay in registers while rows do.
struct FastRows<'a, 's, 'k> {
    origin: &'a mut Origin<'s, 'k>,
    /// Position of the current row; that of the cursor is behind.
    index: usize,
}

impl<'de> SeqAccess<'de> for FastRows<'_, '_, 'de> {
    type Error = FastPathMiss;

    // One call of `deserialize`, so that it becomes a part of the loop.
    #[inline(always)]
    fn next_element<T: Deserialize<'de>>(&mut self) -> Fast<Option<T>> {
        self.index = match self.origin.cursor.fast_after(self.index) {
            Some(index) => index,
            None => match self.origin.advance(self.index, size_of::<T>())? {
                Some(index) => index,
                None => return Ok(None),
            },
        };
        if let Some(row) = FastPathMiss::checked(T::deserialize(self.origin.cursor.fast_copied(self.index))) {
            return Ok(Some(row));
        }
        self.origin.slow(self.index).map(|row| Some(*row))
    }

    /// What can be tried only once goes the slow path at once. If it fails, all rows are read once more.
    #[inline(always)]
    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Fast<Option<S::Value>> {
        match self.origin.advance(self.index, size_of::<S::Value>())? {
            Some(index) => self.index = index,
            None => return Ok(None),
        }
        self.origin.once(seed).map(Some).map_err(|_| FastPathMiss::end())
    }

    #[inline(always)]
    fn size_hint(&self) -> Option<usize> {
        self.origin.left()
    }
}

impl<'k> Origin<'_, 'k> {
    /// Moves from the row at a position to the one after it, and returns its position; `None` at the end.
    #[inline(never)]
    fn advance(&mut self, index: usize, size: usize) -> Fast<Option<usize>> {
        self.cursor.set_index(index);
        match self.step(size) {
            Ok(true) => Ok(Some(self.cursor.index())),
            Ok(false) => Ok(None),
            Err(error) => Err(self.fail(error)),
        }
    }

    /// The current row, which can be tried only once.
    ///
    /// # Errors
    ///
    /// What it has asked for was not read, among others.
    fn once<S: DeserializeSeed<'k>>(&mut self, seed: S) -> Result<S::Value> {
        let row = self.cursor.seed(seed, &self.columns, self.keep);
        self.missed.extend(self.cursor.take_missed());
        match self.missed.is_empty() {
            true => row,
            false => Err(Error::internal("a column was not read")),
        }
    }

    /// The row at a position, by the slow path. It comes in a box, so that the fast path can use registers.
    #[inline(never)]
    fn slow<T: Deserialize<'k>>(&mut self, index: usize) -> Fast<Box<T>> {
        self.cursor.set_index(index);
        let mut row = self.cursor.copied_row(&mut self.columns, self.keep);
        if let Err(error) = &row
            && error.category() == Category::Shape
            && !self.keep.is_on()
        {
            self.keep.turn(true);
            row = self.cursor.copied_row(&mut self.columns, self.keep);
        }
        row.map(Box::new).map_err(|error| self.fail(error))
    }

    #[cold]
    fn fail(&mut self, error: Error) -> FastPathMiss {
        self.failure = Some(error);
        FastPathMiss::end()
    }
}
