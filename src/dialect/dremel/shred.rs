//! Vectors to levels: those of a record are made once, and lent to all its fields.

use super::fields::{Content, content};
use crate::error::{Error, Result};
use crate::levels::below::{defined, repeated};
use crate::levels::{LevelsRef, Place};
use crate::shape::{Null, Shape};
use crate::tree::Leaf;
use crate::vector::{Offsets, Vector};

/// Takes the entries of a field.
pub(crate) trait Sink {
    /// Takes the entries of the next field, in the order of the [`Fields`](super::Fields): its levels, and the values
    /// of a leaf.
    ///
    /// # Errors
    ///
    /// What cannot be stored.
    fn take(&mut self, levels: LevelsRef<'_>, values: Option<&Vector>) -> Result<()>;

    /// Whether the lists of the field that is next are rows of a matrix, each an entry of a fixed number of values.
    fn width(&self) -> Option<usize> {
        None
    }
}

/// Shreds rows of a shape.
///
/// # Errors
///
/// As [`Sink::take`].
pub(crate) fn shred(shape: &Shape, vector: &Vector, sink: &mut impl Sink) -> Result<()> {
    let levels = LevelsRef { entries: vector.len(), ..LevelsRef::default() };
    let mut walk = Walk { sink };
    match (content(shape), vector) {
        (Content::Record, Vector::Record(record)) => {
            walk.fields(shape, &record.fields, levels, Place::default())
        }
        _ => walk.field(shape, vector, levels, Place::default()),
    }
}

struct Walk<'s, S> {
    sink: &'s mut S,
}

impl<S: Sink> Walk<'_, S> {
    /// A field of a record, or what stands in for one.
    fn field(&mut self, shape: &Shape, vector: &Vector, levels: LevelsRef<'_>, place: Place) -> Result<()> {
        match (shape, vector) {
            (shape, vector) if is_null(shape) => self.content(shape, vector, levels, place),
            (Shape::Optional(optional), Vector::Optional(list)) => {
                let definition = defined(levels, place, &list.offsets);
                let levels = LevelsRef { definition: &definition, ..levels };
                let (shape, vector) =
                    only_variant(&optional.item, &list.item).unwrap_or((&optional.item, &list.item));
                self.content(shape, vector, levels, place.within())
            }
            (Shape::List(item), Vector::List(list)) => {
                if let Some(width) = self.sink.width().filter(|_| Leaf::from_shape(item).is_some()) {
                    return self.matrix(&list.offsets, width, &list.item, (levels, place));
                }
                let (repetition, definition) = repeated(levels, place, &list.offsets);
                let levels = LevelsRef::new(&repetition, &definition);
                self.content(item, &list.item, levels, place.items())
            }
            (Shape::Map(map), Vector::Map(vector)) => {
                let (repetition, definition) = repeated(levels, place, &vector.offsets);
                let (levels, place) = (LevelsRef::new(&repetition, &definition), place.items());
                self.sink.take(levels, None)?;
                self.field(&map.key, &vector.key, levels, place)?;
                self.field(&map.value, &vector.value, levels, place)
            }
            (shape, vector) => self.content(shape, vector, levels, place),
        }
    }

    /// What is in a field: a leaf, or a group with the fields in it.
    fn content(&mut self, shape: &Shape, vector: &Vector, levels: LevelsRef<'_>, place: Place) -> Result<()> {
        match (shape, vector) {
            (shape, vector) if is_null(shape) => self.sink.take(levels, Some(&Vector::Null(vector.len()))),
            (Shape::Record(_), Vector::Record(record)) => {
                self.sink.take(levels, None)?;
                self.fields(shape, &record.fields, levels, place)
            }
            (Shape::Union(variants), Vector::Union(union)) => {
                self.sink.take(levels, None)?;
                for (tag, (shape, values)) in (0u16..).zip(variants.iter().zip(&union.variants)) {
                    let mut offsets = Offsets::default();
                    union.tags.iter().for_each(|own| offsets.push_if(*own == tag));
                    let definition = defined(levels, place, &offsets);
                    let levels = LevelsRef { definition: &definition, ..levels };
                    self.content(shape, values, levels, place.within())?;
                }
                Ok(())
            }
            (Shape::Optional(_) | Shape::List(_) | Shape::Map(_), vector) => {
                if let (Shape::List(item), Vector::List(list), Some(width)) =
                    (shape, vector, self.sink.width())
                    && Leaf::from_shape(item).is_some()
                {
                    return self.matrix(&list.offsets, width, &list.item, (levels, place));
                }
                self.sink.take(levels, None)?;
                self.field(shape, vector, levels, place)
            }
            (Shape::Record(_) | Shape::Union(_), _) => Err(Error::internal("shapes and vectors differ")),
            (_, values) => self.sink.take(levels, Some(values)),
        }
    }

    fn fields(
        &mut self,
        shape: &Shape,
        fields: &[Vector],
        levels: LevelsRef<'_>,
        place: Place,
    ) -> Result<()> {
        let Shape::Record(record) = shape else {
            return Err(Error::internal("expected a record"));
        };
        let mut both = record.fields.iter().zip(fields);
        both.try_for_each(|(field, vector)| self.field(&field.shape, vector, levels, place))
    }

    /// Lists that all have the same number of items, which are values of one entry.
    fn matrix(
        &mut self,
        offsets: &Offsets,
        width: usize,
        values: &Vector,
        (levels, place): (LevelsRef<'_>, Place),
    ) -> Result<()> {
        match offsets.lengths().position(|length| length as usize != width) {
            None => self.sink.take(levels, Some(values)),
            Some(list) => {
                let length = offsets.range(list).map_or(0, |range| range.len());
                let error =
                    Error::option(format!("a list has {length} items where the array width is {width}"));
                let entry = levels.entry_of(list, place.definition);
                Err(error.in_row(levels.row_of(entry) as u64))
            }
        }
    }
}

/// Whether no value has been seen but `None`: a null, once the shape is settled.
fn is_null(shape: &Shape) -> bool {
    matches!(shape, Shape::Optional(optional) if optional.item == Shape::Unknown && optional.null != Null::Absent)
}

/// The only variant of a union that is optional, and its values: a schema has just an optional.
fn only_variant<'v>(shape: &'v Shape, vector: &'v Vector) -> Option<(&'v Shape, &'v Vector)> {
    match (shape, vector) {
        (Shape::Union(variants), Vector::Union(union)) => {
            match (variants.as_slice(), union.variants.as_slice()) {
                ([shape], [values]) => Some((shape, values)),
                _ => None,
            }
        }
        _ => None,
    }
}
