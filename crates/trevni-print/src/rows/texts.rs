//! Values of logical types as the strings that are printed for them.

use std::borrow::Cow;
use std::io;
use trevni::shape::{FieldShape, LogicalShape, OptionalShape};
use trevni::vector::{ListVector, MapVector, RecordVector, UnionVector};
use trevni::{Batch, Shape, Strings, ValueRef, Vector};

/// Rows as they are printed.
pub struct Shown<'b> {
    shape: Cow<'b, Shape>,
    vector: Cow<'b, Vector>,
}

impl<'b> Shown<'b> {
    /// The rows of a batch, with strings for values of logical types where there are any.
    pub fn of(batch: &'b Batch, has_texts: bool) -> io::Result<Self> {
        match has_texts {
            true => Self::texts(batch.shape(), batch.vector()),
            false => Ok(Self { shape: Cow::Borrowed(batch.shape()), vector: Cow::Borrowed(batch.vector()) }),
        }
    }

    fn texts(shape: &Shape, vector: &Vector) -> io::Result<Self> {
        match with_texts(shape, vector) {
            Some((shape, vector)) => Ok(Self { shape: Cow::Owned(shape), vector: Cow::Owned(vector) }),
            None => Err(io::Error::other("vectors have another form than their shape")),
        }
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.vector.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn row(&self, index: usize) -> Option<ValueRef<'_>> {
        ValueRef::new(&self.shape, &self.vector, index)
    }

    /// The shape of the rows, and their values.
    pub fn parts(&self) -> (&Shape, &Vector) {
        (&self.shape, &self.vector)
    }

    pub fn values(&self) -> impl Iterator<Item = ValueRef<'_>> {
        (0..self.len()).map_while(|index| self.row(index))
    }
}

impl Shown<'static> {
    /// The same of a batch that is not needed any more.
    pub fn owned(batch: Batch) -> io::Result<Self> {
        if has_logical(batch.shape()) {
            return Self::texts(batch.shape(), batch.vector());
        }
        let (shape, vector) = batch.into_parts();
        Ok(Self { shape: Cow::Owned(Shape::clone(&shape)), vector: Cow::Owned(vector) })
    }
}

/// Whether values of a shape are printed as strings, or some within it, though they are stored as something else.
pub fn has_logical(shape: &Shape) -> bool {
    has(shape, &is_logical)
}

/// Whether there are values of several types in one place.
pub fn has_union(shape: &Shape) -> bool {
    has(shape, &is_union)
}

fn is_logical(shape: &Shape) -> bool {
    matches!(shape, Shape::Logical(logical) if is_printed(logical))
}

fn is_union(shape: &Shape) -> bool {
    matches!(shape, Shape::Union(_))
}

/// Whether this is one of the shapes, or has one.
fn has(shape: &Shape, is: &dyn Fn(&Shape) -> bool) -> bool {
    is(shape)
        || match shape {
            Shape::Record(record) => record.fields.iter().any(|field| has(&field.shape, is)),
            Shape::List(item) => has(item, is),
            Shape::Map(map) => has(&map.key, is) || has(&map.value, is),
            Shape::Optional(optional) => has(&optional.item, is),
            Shape::Union(variants) => variants.iter().any(|variant| has(variant, is)),
            _ => false,
        }
}

/// Whether values of a logical type are printed as strings: types that are not known are as they are stored.
pub fn is_printed(logical: &LogicalShape) -> bool {
    logical.logical.storage().is_some() && logical.storage != Shape::String
}

/// Replaces values of logical types by their strings; `None` where the vector does not have the form of its shape, or there
/// is no room for the strings.
pub fn with_texts(shape: &Shape, vector: &Vector) -> Option<(Shape, Vector)> {
    replaced(shape, vector, &is_logical, &|shape, vector| match shape {
        Shape::Logical(logical) => texts(logical, vector),
        _ => None,
    })
}

/// Replaces the values of unions by the strings that `text` returns for them; `None` as for [`with_texts`].
pub fn without_unions(
    shape: &Shape,
    vector: &Vector,
    text: impl Fn(&ValueRef<'_>) -> serde_json::Result<String>,
) -> Option<(Shape, Vector)> {
    replaced(shape, vector, &is_union, &|shape, vector| {
        let ((shape, vector), mut strings) = (with_texts(shape, vector)?, Strings::default());
        for index in 0..vector.len() {
            strings.push(&text(&ValueRef::new(&shape, &vector, index)?).ok()?).then_some(())?;
        }
        Some((Shape::String, Vector::String(strings)))
    })
}

/// What takes the place of values; `None` as for [`with_texts`].
type Replace<'f> = &'f dyn Fn(&Shape, &Vector) -> Option<(Shape, Vector)>;

/// Replaces values of some shapes, wherever they are.
fn replaced(
    shape: &Shape,
    vector: &Vector,
    is: &dyn Fn(&Shape) -> bool,
    by: Replace<'_>,
) -> Option<(Shape, Vector)> {
    let replaced = |shape: &Shape, vector: &Vector| replaced(shape, vector, is, by);
    Some(match (shape, vector) {
        (shape, vector) if !has(shape, is) => (shape.clone(), vector.clone()),
        // An optional without values.
        (_, Vector::Null(_)) => (replaced(shape, &Vector::new(shape))?.0, vector.clone()),
        (shape, vector) if is(shape) => by(shape, vector)?,
        (Shape::Record(record), Vector::Record(own)) => {
            let (mut kept, mut out) = (record.clone(), RecordVector::default());
            out.len = own.len;
            kept.fields.clear();
            for (field, values) in record.fields.iter().zip(&own.fields) {
                let (shape, values) = replaced(&field.shape, values)?;
                kept.fields.push(FieldShape::new(field.name.clone(), shape));
                out.fields.push(values);
            }
            (Shape::Record(kept), Vector::Record(out))
        }
        (Shape::List(item), Vector::List(list)) => {
            let (item, values) = replaced(item, &list.item)?;
            let list = ListVector::new(list.offsets.clone(), values);
            (Shape::List(Box::new(item)), Vector::List(Box::new(list)))
        }
        (Shape::Map(map), Vector::Map(own)) => {
            let (key, keys) = replaced(&map.key, &own.key)?;
            let (value, values) = replaced(&map.value, &own.value)?;
            let own = MapVector::new(own.offsets.clone(), keys, values);
            (Shape::map(key, value), Vector::Map(Box::new(own)))
        }
        (Shape::Optional(optional), Vector::Optional(list)) => {
            let (item, values) = replaced(&optional.item, &list.item)?;
            let list = ListVector::new(list.offsets.clone(), values);
            let optional = OptionalShape::new(optional.null, item);
            (Shape::Optional(Box::new(optional)), Vector::Optional(Box::new(list)))
        }
        (Shape::Union(variants), Vector::Union(union)) => {
            let (mut shapes, mut out) = (Vec::with_capacity(variants.len()), UnionVector::default());
            (out.tags, out.positions) = (union.tags.clone(), union.positions.clone());
            for (variant, values) in variants.iter().zip(&union.variants) {
                let (shape, values) = replaced(variant, values)?;
                shapes.push(shape);
                out.variants.push(values);
            }
            (Shape::Union(shapes), Vector::Union(out))
        }
        _ => return None,
    })
}

/// The strings of values. A value without a text stays as it is.
fn texts(logical: &LogicalShape, vector: &Vector) -> Option<(Shape, Vector)> {
    let (mut texts, mut others) = (Strings::default(), Vec::new());
    let mut union = UnionVector::default();
    for index in 0..vector.len() {
        let value = ValueRef::new(&logical.storage, vector, index)?;
        let (tag, position) = match logical.text(value) {
            Some(text) => {
                texts.push(&text).then_some(())?;
                (0, texts.len() - 1)
            }
            None => {
                others.push(index);
                (1, index)
            }
        };
        union.tags.push(tag);
        union.positions.push(u32::try_from(position).ok()?);
    }
    if others.is_empty() {
        return Some((Shape::String, Vector::String(texts)));
    }
    union.variants = vec![Vector::String(texts), vector.clone()];
    Some((Shape::Union(vec![Shape::String, logical.storage.clone()]), Vector::Union(union)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::json_text;
    use serde_json::json;
    use trevni::Batch;
    use trevni::shape::Logical;

    #[test]
    fn texts_take_the_place_of_values_and_what_has_none_stays() {
        let time = || Shape::logical(Logical::TimeMillis, Shape::Int).unwrap();
        let day = || Shape::logical(Logical::Date, Shape::Int).unwrap();
        let shape = Shape::record(
            "Row",
            [
                ("at", Shape::optional(time())),
                ("days", Shape::list(day())),
                ("by", Shape::map(Shape::String, Shape::optional(day()))),
                ("any", Shape::Union(vec![day(), Shape::String])),
                ("n", Shape::Int),
            ],
        );
        let mut writer = trevni::Writer::builder().shape(&shape).build(Vec::new()).unwrap();
        let rows = [
            json!({"at": 1000, "days": ["2013-06-01", "-0044-03-15"], "by": {"a": null, "b": "1970-01-01"}, "any": "x", "n": 1}),
            json!({"at": null, "days": [], "by": {}, "any": "y", "n": 2}),
            json!({"at": 86_400_000, "days": [0], "by": {}, "any": "z", "n": 3}),
        ];
        writer.write_all(&rows).unwrap();
        let file = writer.finish().unwrap();
        let batches = trevni::Reader::from_slice(&file).unwrap();
        let batch: Batch = batches.batches().unwrap().next().unwrap().unwrap();
        let (shape, vector) = with_texts(batch.shape(), batch.vector()).unwrap();
        let printed: Vec<serde_json::Value> = (0..batch.len())
            .map(|row| {
                let value = ValueRef::new(&shape, &vector, row).unwrap();
                serde_json::from_str(&json_text(&value).unwrap()).unwrap()
            })
            .collect();
        let expected = [
            json!({"at": "00:00:01", "days": ["2013-06-01", "-0044-03-15"], "by": {"a": null, "b": "1970-01-01"}, "any": "x", "n": 1}),
            json!({"at": null, "days": [], "by": {}, "any": "y", "n": 2}),
            json!({"at": 86_400_000, "days": ["1970-01-01"], "by": {}, "any": "z", "n": 3}),
        ];
        assert_eq!(printed, expected);
    }
}
