//! The rows that an expression is evaluated for, and the values that they have at the end of a way.

use super::accessor::{Accessor, Descent};
use super::column::ScalarColumn;
use trevni::shape::MapShape;
use trevni::vector::{MapVector, Offsets};
use trevni::{Batch, Shape, Vector};

/// Rows of a batch, or items of lists, that expressions are evaluated for.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'b> {
    spot: Spot<'b>,
    len: usize,
    /// Which entries, unless all in order; and the item of each row, if a list is exploded.
    rows: Option<&'b [u32]>,
    items: Option<&'b [u32]>,
}

#[derive(Clone, Copy, Debug)]
enum Spot<'b> {
    Value(&'b Shape, &'b Vector),
    Entry(&'b MapShape, &'b MapVector),
    Made(&'b [ScalarColumn<'b>]),
}

impl<'b> Scope<'b> {
    /// All rows of a batch.
    pub fn of(batch: &'b Batch) -> Self {
        let spot = Spot::Value(batch.shape(), batch.vector());
        Self { spot, len: batch.len(), rows: None, items: None }
    }

    /// These rows; with items, one of each row's list, by its number within it.
    pub fn with(self, rows: &'b [u32], items: Option<&'b [u32]>) -> Self {
        Self { len: rows.len(), rows: Some(rows), items, ..self }
    }

    /// Rows of columns that were made.
    pub(super) fn of_columns(columns: &'b [ScalarColumn<'b>], len: usize) -> Self {
        Self { spot: Spot::Made(columns), len, rows: None, items: None }
    }

    /// The column at the end of a way, where it was made.
    pub(super) fn made(&self, accessor: &Accessor) -> Option<&'b ScalarColumn<'b>> {
        match (self.spot, &accessor.steps[..]) {
            (Spot::Made(columns), [Descent::Field(number)]) => columns.get(*number),
            _ => None,
        }
    }

    pub(super) fn items_of(shape: &'b Shape, vector: &'b Vector) -> Self {
        Self { spot: Spot::Value(shape, vector), len: vector.len(), rows: None, items: None }
    }

    pub(super) fn entries_of(shape: &'b MapShape, vector: &'b MapVector) -> Self {
        Self { spot: Spot::Entry(shape, vector), len: vector.key.len(), rows: None, items: None }
    }

    /// Number of rows.
    #[allow(clippy::len_without_is_empty, reason = "a batch has rows")]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The vector that has just the values at the end of a way of all rows, in their order, and the shape of these; `None` where
    /// none is so.
    pub fn all(&self, accessor: &Accessor) -> Option<(&'b Shape, &'b Vector)> {
        let (None, Spot::Value(mut shape, mut vector)) = (self.rows, self.spot) else { return None };
        for step in &accessor.steps {
            (shape, vector) = match (step, shape, vector) {
                (Descent::Field(number), Shape::Record(shape), Vector::Record(vector)) => {
                    (&shape.fields.get(*number)?.shape, vector.fields.get(*number)?)
                }
                (Descent::Optional, Shape::Optional(shape), Vector::Optional(list)) => {
                    (&shape.item, &list.item)
                }
                _ => return None,
            };
        }
        Some((shape, vector))
    }

    /// The values at the end of a way; `None` where the vectors have another form.
    pub fn at(&self, accessor: &Accessor) -> Option<Located<'b>> {
        let index = self.rows.map(<[u32]>::to_vec);
        let (mut index, mut spot) = (Index(index), self.spot);
        for step in &accessor.steps {
            spot = match (step, spot) {
                (Descent::Field(number), Spot::Value(Shape::Record(shape), Vector::Record(vector))) => {
                    Spot::Value(&shape.fields.get(*number)?.shape, vector.fields.get(*number)?)
                }
                (Descent::Optional, Spot::Value(Shape::Optional(shape), Vector::Optional(list))) => {
                    if list.offsets.total() < list.offsets.len() {
                        let starts = list.offsets.as_slice();
                        index.compose(list.offsets.len(), |at| match starts.get(at..at + 2) {
                            Some([start, end]) if start < end => *start,
                            _ => NONE,
                        });
                    }
                    Spot::Value(&shape.item, &list.item)
                }
                (Descent::Optional, Spot::Value(Shape::Optional(shape), Vector::Null(len))) => {
                    index.compose(*len, |_| NONE);
                    Spot::Value(&shape.item, &Vector::Null(0))
                }
                (Descent::Variant(tag), Spot::Value(Shape::Union(shapes), Vector::Union(union))) => {
                    index.compose(union.tags.len(), |at| match union.tags.get(at) {
                        Some(own) if usize::from(*own) == *tag => {
                            union.positions.get(at).copied().unwrap_or(NONE)
                        }
                        _ => NONE,
                    });
                    Spot::Value(shapes.get(*tag)?, union.variants.get(*tag)?)
                }
                (Descent::Key, Spot::Entry(shape, map)) => Spot::Value(&shape.key, &map.key),
                (Descent::Value, Spot::Entry(shape, map)) => Spot::Value(&shape.value, &map.value),
                (Descent::Item, Spot::Value(Shape::List(shape), Vector::List(list))) => {
                    index.take_items(self.items?, |at| list.offsets.range(at));
                    Spot::Value(shape, &list.item)
                }
                (Descent::Nth(number), Spot::Value(Shape::List(shape), Vector::List(list))) => {
                    index.compose(list.offsets.len(), |at| {
                        list.offsets.range(at).and_then(|range| nth(range, *number)).unwrap_or(NONE)
                    });
                    Spot::Value(shape, &list.item)
                }
                (Descent::ValueOf(key), Spot::Value(Shape::Map(shape), Vector::Map(map))) => {
                    let keys = Located::whole(&shape.key, &map.key);
                    let keys = ScalarColumn::of(&keys).ok()?;
                    let is_key = |at: &usize| keys.get(*at).order(key.get()).is_eq();
                    index.compose(map.offsets.len(), |at| {
                        let found = map.offsets.range(at).and_then(|range| range.rev().find(is_key));
                        found.and_then(|at| u32::try_from(at).ok()).unwrap_or(NONE)
                    });
                    Spot::Value(&shape.value, &map.value)
                }
                _ => return None,
            };
        }
        let Spot::Value(shape, vector) = spot else {
            return None;
        };
        Some(Located { shape, vector, index, len: self.len })
    }
}

/// An item of a range, counted from 0, or from the end.
fn nth(range: std::ops::Range<usize>, number: i64) -> Option<u32> {
    let offset = usize::try_from(number.unsigned_abs()).ok()?;
    let at = match number < 0 {
        true => range.end.checked_sub(offset)?,
        false => range.start.checked_add(offset)?,
    };
    range.contains(&at).then(|| u32::try_from(at).ok()).flatten()
}

/// Where the items of lists, or the entries of maps, are.
pub fn offsets(vector: &Vector) -> Option<&Offsets> {
    match vector {
        Vector::List(list) => Some(&list.offsets),
        Vector::Map(map) => Some(&map.offsets),
        _ => None,
    }
}

/// No entry.
const NONE: u32 = u32::MAX;

/// Which entry of a vector each row has; all in order where there is no list of them.
#[derive(Clone, Debug)]
struct Index(Option<Vec<u32>>);

impl Index {
    fn compose(&mut self, len: usize, to: impl Fn(usize) -> u32) {
        match &mut self.0 {
            Some(index) => {
                for at in index.iter_mut().filter(|at| **at != NONE) {
                    *at = to(*at as usize);
                }
            }
            None => self.0 = Some((0..len).map(to).collect()),
        }
    }

    fn take_items(&mut self, items: &[u32], range: impl Fn(usize) -> Option<std::ops::Range<usize>>) {
        let index = self.0.get_or_insert_with(|| (0..items.len() as u32).collect());
        for (at, item) in index.iter_mut().zip(items).filter(|(at, _)| **at != NONE) {
            let place = range(*at as usize).map(|range| range.start + *item as usize);
            *at = place.and_then(|place| u32::try_from(place).ok()).unwrap_or(NONE);
        }
    }
}

/// The values at the end of a way, where they lie: a vector, and which of its entries each row has.
#[derive(Clone, Debug)]
pub struct Located<'b> {
    /// The shape of the values.
    pub shape: &'b Shape,
    /// The vector that has them.
    pub vector: &'b Vector,
    index: Index,
    len: usize,
}

impl<'b> Located<'b> {
    /// All values of a vector.
    pub(super) fn whole(shape: &'b Shape, vector: &'b Vector) -> Self {
        Self { shape, vector, index: Index(None), len: vector.len() }
    }

    /// The entry of the vector that a row has; `None` where the value is missing.
    pub fn entry(&self, row: usize) -> Option<usize> {
        match &self.index.0 {
            Some(index) => index.get(row).filter(|at| **at != NONE).map(|at| *at as usize),
            None => Some(row),
        }
    }

    /// For each row its entry or none; `None` at all where all are in order.
    pub(super) fn entries(&self) -> Option<impl Iterator<Item = Option<usize>>> {
        let index = self.index.0.as_ref()?;
        Some(index.iter().map(|at| (*at != NONE).then_some(*at as usize)))
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }
}
