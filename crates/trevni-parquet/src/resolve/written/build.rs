//! What a file has, from the shape of its rows, the types of its columns, and its Avro schema.

use super::{Kind, Written, member_name};
use arrow_schema::{DataType, Field, Fields};
use std::ops::Range;
use trevni::Shape;
use trevni::shape::{FieldShape, Form, RecordShape};

/// What is known of a file, to make its rows of.
pub(in crate::resolve) struct File<'f> {
    /// Whether strings of a column are of type ENUM.
    pub(in crate::resolve) is_symbol: &'f dyn Fn(usize) -> bool,
    /// The next column.
    pub(in crate::resolve) column: usize,
}

impl File<'_> {
    pub(super) fn record(
        &mut self,
        record: &RecordShape,
        fields: &Fields,
        avro: Option<&Shape>,
    ) -> Option<Written> {
        let start = self.column;
        if record.fields.len() != fields.len() {
            return None;
        }
        let avro = match avro {
            Some(Shape::Record(avro)) => Some(avro),
            _ => None,
        };
        let mut parts = Vec::with_capacity(fields.len());
        for (known, field) in record.fields.iter().zip(fields) {
            let named = avro.and_then(|avro| avro.fields.iter().find(|other| other.name == known.name));
            let part = self.part(&known.shape, field.data_type(), named.map(|named| &named.shape))?;
            parts.push((known.name.to_string(), part));
        }
        let name = avro.map(|avro| avro.name.to_string());
        Some(Written {
            kind: Kind::Record { head: head(record), name, fields: parts, is_interval: false },
            columns: start..self.column,
        })
    }

    pub(super) fn part(
        &mut self,
        shape: &Shape,
        data_type: &DataType,
        avro: Option<&Shape>,
    ) -> Option<Written> {
        let start = self.column;
        // Avro's words for a list of records with a key are this crate's for a map, and the other way round.
        let kind = match (shape, data_type) {
            (Shape::Optional(optional), data_type) => {
                let avro = match avro {
                    Some(Shape::Optional(avro)) => Some(&avro.item),
                    avro => avro,
                };
                let some = match (&optional.item, data_type) {
                    // Which of the two is null is told apart.
                    (Shape::Optional(_) | Shape::Null, DataType::Struct(fields)) => {
                        fields.first()?.data_type()
                    }
                    (_, data_type) => data_type,
                };
                Kind::Optional(Box::new(self.part(&optional.item, some, avro)?))
            }
            (Shape::Record(record), DataType::Struct(fields)) => match avro {
                Some(Shape::Union(variants)) if are_members(record, variants.len()) => {
                    Kind::Members(self.members(record, fields, variants)?)
                }
                avro => return self.record(record, fields, avro),
            },
            (Shape::Record(record), DataType::Interval(_)) => {
                let columns = self.leaf();
                let field = |field: &FieldShape| {
                    let kind = Kind::Leaf { shape: field.shape.clone(), name: None, is_symbol: false };
                    (field.name.to_string(), Written { kind, columns: columns.clone() })
                };
                let fields = record.fields.iter().map(field).collect();
                Kind::Record { head: head(record), name: None, fields, is_interval: true }
            }
            (Shape::List(item), _) => {
                let avro = match avro {
                    Some(Shape::List(avro)) => Some(&**avro),
                    _ => None,
                };
                Kind::List(Box::new(self.part(item, item_of(data_type)?.data_type(), avro)?))
            }
            (Shape::Map(map), DataType::Map(entries, _)) => {
                let DataType::Struct(entry) = entries.data_type() else { return None };
                let [key, value] = &entry[..] else { return None };
                let avro = match avro {
                    Some(Shape::Map(avro)) => Some(&**avro),
                    _ => None,
                };
                let key = self.part(&map.key, key.data_type(), avro.map(|avro| &avro.key))?;
                let value = self.part(&map.value, value.data_type(), avro.map(|avro| &avro.value))?;
                Kind::Map(Box::new((key, value)))
            }
            (shape, _) => {
                let name = match (shape.storage(), avro.map(Shape::storage)) {
                    (Shape::Fixed(_), Some(Shape::Fixed(avro))) => Some(avro.name.to_string()),
                    (Shape::Enum(_), Some(Shape::Enum(avro))) => Some(avro.name.to_string()),
                    _ => None,
                };
                let is_symbol = (self.is_symbol)(start);
                self.leaf();
                Kind::Leaf { shape: shape.clone(), name, is_symbol }
            }
        };
        Some(Written { kind, columns: start..self.column })
    }

    /// The columns of a value, which is one.
    fn leaf(&mut self) -> Range<usize> {
        self.column += 1;
        self.column - 1..self.column
    }

    fn members(&mut self, record: &RecordShape, fields: &Fields, variants: &[Shape]) -> Option<Vec<Written>> {
        let mut members = Vec::with_capacity(variants.len());
        for ((member, field), avro) in record.fields.iter().zip(fields).zip(variants) {
            let Shape::Optional(member) = &member.shape else { return None };
            members.push(self.part(&member.item, field.data_type(), Some(avro))?);
        }
        Some(members)
    }
}

/// A record without its fields, of which some may be left; those of a tuple have names then.
fn head(record: &RecordShape) -> RecordShape {
    let form = if record.form.is_tuple() { Form::Struct } else { record.form };
    RecordShape::new(record.name.clone(), Vec::new()).with_form(form).with_namespace(record.namespace.clone())
}

/// Whether a record is what Avro's Parquet writer makes of a union of that many types.
fn are_members(record: &RecordShape, count: usize) -> bool {
    let is_member = |(number, field): (usize, &FieldShape)| {
        field.name == member_name(number) && matches!(field.shape, Shape::Optional(_))
    };
    count > 1 && record.fields.len() == count && record.fields.iter().enumerate().all(is_member)
}

fn item_of(data_type: &DataType) -> Option<&Field> {
    match data_type {
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _) => Some(item),
        _ => None,
    }
}
