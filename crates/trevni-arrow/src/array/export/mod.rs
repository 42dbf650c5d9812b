//! Vectors to Arrow arrays.

mod dictionary;
mod encoded;
mod leaf;
mod nested;
mod target;
mod text;
mod union;

pub(crate) use dictionary::Dictionaries;
pub(crate) use encoded::bytes_of;

use crate::error::{Error, Result};
use crate::kept::Kept;
use crate::schema::VALUE;
use arrow_array::{ArrayRef, NullArray, RecordBatch, RecordBatchOptions, StructArray};
use arrow_schema::{DataType, Field, SchemaRef};
use std::sync::Arc;
use target::Target;
pub(super) use target::check_nulls;
use trevni::{Shape, Vector};

/// The rows as a record batch of a schema that fits the shape.
pub(super) fn rows(
    shape: &Shape,
    vector: Vector,
    schema: &SchemaRef,
    dictionaries: &Dictionaries,
) -> Result<RecordBatch> {
    let len = vector.len();
    let column = |index: usize, name: &str, shape: &Shape, vector: Vector, field: &Field| {
        let target = all(field, len, dictionaries, dictionaries.kept.part(index));
        array(shape, vector, &target).map_err(|error| error.in_field(name))
    };
    let fields = schema.fields();
    let columns = match (shape, vector) {
        (Shape::Record(record), Vector::Record(vector)) if record.fields.len() == fields.len() => {
            let parts = record.fields.iter().zip(vector.fields).zip(fields).enumerate();
            let columns = parts.map(|(index, ((part, vector), field))| {
                column(index, &part.name, &part.shape, vector, field)
            });
            columns.collect::<Result<Vec<_>>>()?
        }
        (Shape::Record(_), _) => return Err(Error::internal("columns and fields differ in number")),
        (shape, vector) => match &fields[..] {
            [field] => vec![column(0, VALUE, shape, vector, field)?],
            _ => return Err(Error::internal("rows that are not records have one column")),
        },
    };
    let options = RecordBatchOptions::new().with_row_count(Some(len));
    Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
}

/// The values as an array of a field that fits the shape: the first field of the schema of the dictionaries.
pub(crate) fn column(
    shape: &Shape,
    vector: Vector,
    field: &Field,
    dictionaries: &Dictionaries,
) -> Result<ArrayRef> {
    let len = vector.len();
    array(shape, vector, &all(field, len, dictionaries, dictionaries.kept.part(0)))
}

/// An array of all entries of a vector.
fn all<'a>(field: &'a Field, len: usize, dictionaries: &'a Dictionaries, kept: &'a Kept) -> Target<'a> {
    let (data_type, is_nullable) = (field.data_type(), field.is_nullable());
    Target { data_type, is_nullable, len, places: None, dictionaries, kept }
}

/// The entries of a vector, at their places in an array whose type fits the shape.
fn array(shape: &Shape, vector: Vector, target: &Target<'_>) -> Result<ArrayRef> {
    match (target.data_type, shape, vector) {
        (DataType::Dictionary(keys, values), Shape::Enum(symbols), Vector::Enum(ordinals))
            if **keys == DataType::Int32 && **values == DataType::Utf8 =>
        {
            encoded::symbols(symbols, ordinals, target)
        }
        (DataType::Dictionary(keys, values), Shape::Optional(optional), Vector::Optional(list))
            if matches!(optional.item, Shape::Enum(_))
                && **keys == DataType::Int32
                && **values == DataType::Utf8 =>
        {
            array(&optional.item, list.item, &target.clone().within(list.offsets))
        }
        (DataType::Dictionary(keys, values), _, vector) => {
            let plain = array(shape, vector, &target.with_type(values, target.is_nullable))?;
            encoded::dictionary(&plain, keys, target)
        }
        (DataType::RunEndEncoded(ends, values), _, vector) => {
            let is_nullable = target.is_nullable || values.is_nullable();
            let values =
                Target { kept: target.kept.part(1), ..target.with_type(values.data_type(), is_nullable) };
            let plain = array(shape, vector, &values)?;
            encoded::runs(&plain, target.data_type, ends.data_type())
        }
        (DataType::Union(..), Shape::Optional(optional), Vector::Optional(list)) => {
            union::union(&optional.item, list.item, Some(&list.offsets), target)
        }
        (DataType::Union(..), shape, vector) => union::union(shape, vector, None, target),
        (DataType::Null, Shape::Null | Shape::Unknown, _) => Ok(Arc::new(NullArray::new(target.len))),
        (data_type, Shape::Optional(optional), Vector::Optional(list)) => {
            let target = target.clone().within(list.offsets);
            match (&optional.item, data_type) {
                (item @ (Shape::Optional(_) | Shape::Null | Shape::Unknown), DataType::Struct(fields)) => {
                    let [some] = &fields[..] else { return Err(differs()) };
                    let inner = array(item, list.item, &target.part(0, some))?;
                    Ok(Arc::new(StructArray::try_new(fields.clone(), vec![inner], target.nulls())?))
                }
                (item, _) => value(item, list.item, &target),
            }
        }
        (_, _, vector) => value(shape, vector, target),
    }
}

fn value(shape: &Shape, vector: Vector, target: &Target<'_>) -> Result<ArrayRef> {
    match vector {
        Vector::Record(_) | Vector::List(_) | Vector::Map(_) => match target.data_type {
            DataType::Interval(_) => leaf::intervals(vector, target),
            _ => nested::values(shape, vector, target),
        },
        vector => leaf::values(shape, vector, target),
    }
}

#[cold]
fn differs() -> Error {
    Error::internal("a vector of another form than its schema says")
}
