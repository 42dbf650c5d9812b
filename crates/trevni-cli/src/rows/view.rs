//! A value of a batch, where it lies: no copy is made, and nothing of it is lost in printing.

use crate::report_value::no_number;
use base64::engine::general_purpose::STANDARD;
use serde::ser::{Error, Serialize, SerializeMap, SerializeSeq, Serializer};
use std::sync::atomic::{AtomicBool, Ordering};
use trevni::{Batch, Form, Null, Offsets, RecordShape, RecordVector, Shape, Vector};

/// A value of a batch.
///
/// It serializes as JSON has it: fields that are absent are left out, bytes are base64, maps are objects,
/// floats that are no numbers are texts, variants of enums are objects of one entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct View<'b> {
    pub(crate) shape: &'b Shape,
    pub(crate) vector: &'b Vector,
    pub(crate) index: usize,
}

impl<'b> View<'b> {
    /// A row of a batch.
    pub(crate) fn row(batch: &'b Batch, index: usize) -> Self {
        Self { shape: batch.shape(), vector: batch.vector(), index }
    }

    /// The value within options; none where it is null or absent.
    #[inline]
    pub(crate) fn some(self) -> Option<Self> {
        match self.vector {
            Vector::Optional(_) | Vector::Union(_) | Vector::Lazy(_) | Vector::Null(_) => self.within(),
            _ => Some(self),
        }
    }

    fn within(self) -> Option<Self> {
        match (self.shape, self.vector) {
            (Shape::Null | Shape::Unknown, _) => None,
            (Shape::Optional(optional), Vector::Optional(list)) => {
                let mut range = list.offsets.range(self.index)?;
                Self { shape: &optional.item, vector: &list.item, index: range.next()? }.some()
            }
            (_, Vector::Lazy(lazy)) => Self { vector: lazy.get()?, ..self }.some(),
            (Shape::Union(variants), Vector::Union(union)) => {
                let (tag, position) = (union.tags.get(self.index)?, union.positions.get(self.index)?);
                let tag = usize::from(*tag);
                let (shape, vector) = (variants.get(tag)?, union.variants.get(tag)?);
                Self { shape, vector, index: *position as usize }.some()
            }
            _ => Some(self),
        }
    }

    /// Whether a field of this value is not there at all.
    pub(crate) fn is_absent(self) -> bool {
        match (self.shape, self.vector) {
            (Shape::Optional(optional), Vector::Optional(list)) if optional.null == Null::Absent => {
                list.offsets.range(self.index).is_some_and(|range| range.is_empty())
            }
            _ => false,
        }
    }

    /// The value of a field; none where this is no record that has it.
    #[inline]
    pub(crate) fn field(self, number: usize) -> Option<Self> {
        let value = self.some()?;
        match (value.shape, value.vector) {
            (Shape::Record(record), Vector::Record(vector)) => Some(Self {
                shape: &record.fields.get(number)?.shape,
                vector: vector.fields.get(number)?,
                index: value.index,
            }),
            _ => None,
        }
    }

    /// The items, where it is a list.
    pub(crate) fn items(self) -> Option<impl ExactSizeIterator<Item = Self>> {
        match (self.shape, self.vector) {
            (Shape::List(item), Vector::List(list)) => items(item, &list.offsets, &list.item, self.index),
            _ => None,
        }
    }

    /// The entries, where it is a map whose keys are text.
    pub(crate) fn entries(self) -> Option<impl Iterator<Item = (&'b str, Self)>> {
        match (self.shape, self.vector) {
            (Shape::Map(shape), Vector::Map(map)) if shape.key == Shape::String => {
                let keys = items(&shape.key, &map.offsets, &map.key, self.index)?;
                let values = items(&shape.value, &map.offsets, &map.value, self.index)?;
                Some(keys.filter_map(Self::text).zip(values))
            }
            _ => None,
        }
    }

    /// The text, where it is one.
    #[inline]
    pub(crate) fn text(self) -> Option<&'b str> {
        let value = self.some()?;
        match (value.shape, value.vector) {
            (_, Vector::String(texts)) => texts.get(value.index),
            (Shape::Enum(shape), Vector::Enum(ordinals)) => {
                let ordinal = usize::try_from(*ordinals.get(value.index)?).ok()?;
                shape.symbols.get(ordinal).map(|symbol| &**symbol)
            }
            _ => None,
        }
    }
}

impl Serialize for View<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let at = self.index;
        let missing = || S::Error::custom("a value that is not in its batch");
        macro_rules! number {
            ($values:expr) => {
                *$values.get(at).ok_or_else(missing)?
            };
        }
        match (self.shape, self.vector) {
            (_, Vector::Null(_)) => serializer.serialize_unit(),
            (_, Vector::Boolean(values)) => serializer.serialize_bool(number!(values)),
            (_, Vector::Int(values)) => serializer.serialize_i32(number!(values)),
            (Shape::U64, Vector::Long(values)) => serializer.serialize_u64(number!(values).cast_unsigned()),
            (_, Vector::Long(values)) => serializer.serialize_i64(number!(values)),
            (_, Vector::Float(values)) => match number!(values) {
                value if value.is_finite() => serializer.serialize_f32(value),
                value => serializer.serialize_str(as_text(value.into())),
            },
            (_, Vector::Double(values)) => match number!(values) {
                value if value.is_finite() => serializer.serialize_f64(value),
                value => serializer.serialize_str(as_text(value)),
            },
            (_, Vector::String(_)) | (Shape::Enum(_), _) => {
                serializer.serialize_str(self.text().ok_or_else(missing)?)
            }
            (shape, Vector::Bytes(values)) => {
                let bytes = values.get(at).ok_or_else(missing)?;
                match (shape, <[u8; 16]>::try_from(bytes)) {
                    (Shape::I128, Ok(bytes)) => serializer.serialize_i128(i128::from_be_bytes(bytes)),
                    (Shape::U128, Ok(bytes)) => serializer.serialize_u128(u128::from_be_bytes(bytes)),
                    _ => serializer.collect_str(&base64::display::Base64Display::new(bytes, &STANDARD)),
                }
            }
            (Shape::Record(record), Vector::Record(vector)) => {
                Fields { record, vector, index: at }.serialize(serializer)
            }
            (Shape::List(item), Vector::List(list)) => {
                serializer.collect_seq(items(item, &list.offsets, &list.item, at).ok_or_else(missing)?)
            }
            (Shape::Map(shape), Vector::Map(map)) => {
                let keys = items(&shape.key, &map.offsets, &map.key, at).ok_or_else(missing)?;
                let values = items(&shape.value, &map.offsets, &map.value, at).ok_or_else(missing)?;
                let mut out = serializer.serialize_map(Some(keys.len()))?;
                for (key, value) in keys.zip(values) {
                    match key.text() {
                        Some(key) => out.serialize_entry(key, &value)?,
                        None => out.serialize_entry(&json_text(&key).map_err(S::Error::custom)?, &value)?,
                    }
                }
                out.end()
            }
            (Shape::Optional(_) | Shape::Union(_), _) | (_, Vector::Lazy(_)) => match self.some() {
                Some(value) => value.serialize(serializer),
                None => serializer.serialize_unit(),
            },
            _ => Err(S::Error::custom("vectors of another form than the shape")),
        }
    }
}

/// Whether a float was printed that JSON has no number for.
static NO_NUMBERS: AtomicBool = AtomicBool::new(false);

/// The text for a float that is no number.
#[cold]
fn as_text(value: f64) -> &'static str {
    NO_NUMBERS.store(true, Ordering::Relaxed);
    no_number(value)
}

/// Whether a float was printed as text, because JSON has no number for it.
pub(super) fn printed_no_number() -> bool {
    NO_NUMBERS.load(Ordering::Relaxed)
}

/// The values of a list.
fn items<'b>(
    shape: &'b Shape,
    offsets: &Offsets,
    vector: &'b Vector,
    index: usize,
) -> Option<impl ExactSizeIterator<Item = View<'b>>> {
    Some(offsets.range(index)?.map(move |index| View { shape, vector, index }))
}

/// A value as JSON; texts without quotes, which is how it stands as a key and in a cell of a table.
pub(crate) fn json_text(value: &View<'_>) -> serde_json::Result<String> {
    match value.text() {
        Some(text) => Ok(text.to_owned()),
        None => Ok(serde_json::to_string(value)?.trim_matches('"').to_owned()),
    }
}

/// The fields of a record, of any form.
struct Fields<'b> {
    record: &'b RecordShape,
    vector: &'b RecordVector,
    index: usize,
}

impl<'b> Fields<'b> {
    fn values(&self) -> impl Iterator<Item = (&'b str, View<'b>)> {
        let (index, fields) = (self.index, self.record.fields.iter().zip(&self.vector.fields));
        fields.map(move |(field, vector)| (&*field.name, View { shape: &field.shape, vector, index }))
    }
}

impl Serialize for Fields<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.record.form.is_variant() {
            return Content(self).serialize(serializer);
        }
        let mut out = serializer.serialize_map(Some(1))?;
        out.serialize_entry(&*self.record.name, &Content(self))?;
        out.end()
    }
}

/// What a record holds, without the name of a variant.
struct Content<'f, 'b>(&'f Fields<'b>);

impl Serialize for Content<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let values = self.0.values();
        match self.0.record.form {
            Form::NewtypeVariant => match values.map(|(_, value)| value).next() {
                Some(value) => value.serialize(serializer),
                None => serializer.serialize_unit(),
            },
            Form::Tuple | Form::TupleVariant => {
                let mut out = serializer.serialize_seq(Some(self.0.record.fields.len()))?;
                values.map(|(_, value)| value).try_for_each(|value| out.serialize_element(&value))?;
                out.end()
            }
            _ => {
                let mut out = serializer.serialize_map(None)?;
                for (name, value) in values.filter(|(_, value)| !value.is_absent()) {
                    out.serialize_entry(name, &value)?;
                }
                out.end()
            }
        }
    }
}

/// A row whose outermost fields come in another order.
pub(crate) struct Ordered<'o, 'b> {
    pub(crate) row: View<'b>,
    /// Numbers of the fields; empty where all come as they are.
    pub(crate) order: &'o [usize],
}

impl Serialize for Ordered<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Shape::Record(record) = self.row.shape else {
            return self.row.serialize(serializer);
        };
        if self.order.is_empty() {
            return self.row.serialize(serializer);
        }
        let mut out = serializer.serialize_map(None)?;
        for number in self.order {
            if let (Some(field), Some(value)) = (record.fields.get(*number), self.row.field(*number))
                && !value.is_absent()
            {
                out.serialize_entry(&*field.name, &value)?;
            }
        }
        out.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serialize;
    use std::collections::BTreeMap;

    #[derive(Serialize)]
    enum Kind {
        Unit,
        New(i32),
        Tuple(i32, bool),
        Fields { a: u8 },
    }

    #[derive(Serialize)]
    struct Row {
        float: f32,
        nan: f64,
        large: u64,
        huge: i128,
        text: &'static str,
        options: [Option<i32>; 2],
        #[serde(skip_serializing_if = "Option::is_none")]
        absent: Option<i32>,
        counts: BTreeMap<u8, bool>,
        kinds: Vec<Kind>,
        #[serde(serialize_with = "bytes")]
        bytes: &'static [u8],
        both: (),
    }

    fn bytes<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    #[test]
    fn nothing_is_lost() {
        let row = |absent| Row {
            float: 0.1,
            nan: f64::NAN,
            large: u64::MAX,
            huge: i128::MIN,
            text: "a\"b",
            options: [None, Some(1)],
            absent,
            counts: BTreeMap::from([(7, true)]),
            kinds: vec![Kind::Unit, Kind::New(1), Kind::Tuple(2, true), Kind::Fields { a: 3 }],
            bytes: &[0, 255],
            both: (),
        };
        let bytes = trevni::to_vec([row(None), row(Some(5))]).unwrap();
        let reader = trevni::Reader::from_slice(&bytes).unwrap();
        let batch = reader.batches().unwrap().next().unwrap().unwrap();
        // A field that is seen late stands last.
        let expected = |absent: &str| {
            let kinds = r#"["Unit",{"New":1},{"Tuple":[2,true]},{"Fields":{"a":3}}]"#;
            format!(
                r#"{{"float":0.1,"nan":"NaN","large":{},"huge":{},"text":"a\"b","options":[null,1],"counts":{{"7":true}},"kinds":{kinds},"bytes":"AP8=","both":null{absent}}}"#,
                u64::MAX,
                i128::MIN
            )
        };
        let json = |index| serde_json::to_string(&View::row(&batch, index)).unwrap();
        assert_eq!(json(0), expected(""));
        assert_eq!(json(1), expected(r#","absent":5"#));
        assert!(serde_json::to_string(&View::row(&batch, 2)).is_err());
        let ordered = Ordered { row: View::row(&batch, 0), order: &[4, 11, 0] };
        assert_eq!(serde_json::to_string(&ordered).unwrap(), r#"{"text":"a\"b","float":0.1}"#);
    }
}
