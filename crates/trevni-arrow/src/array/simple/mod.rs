//! Types that few libraries have, as types that all have: unions, and optionals within optionals.

mod text;

use super::select;
use crate::error::Result;
use crate::schema::is_null_variant;
use crate::schema::join::some;
use crate::schema::stored::children;
use arrow_array::cast::AsArray;
use arrow_array::{
    Array, ArrayRef, BooleanArray, RecordBatch, RecordBatchOptions, StringArray, StructArray, UnionArray,
    make_array, new_null_array,
};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::{DataType, Field, FieldRef, Fields, Schema, SchemaRef, UnionFields, UnionMode};
use arrow_select::nullif::nullif;
use std::sync::Arc;

/// What a union is for a library that does not take it as it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unions {
    /// A union of the mode that it has.
    #[default]
    Union,
    /// A sparse union, which DuckDB takes: each variant has an entry for each row.
    Sparse,
    /// A string with the value as JSON: `3`, `"three"`, `{"a":3}`.
    Json,
    /// A string with the value alone: `3`, `three`; records, lists and maps as JSON.
    String,
    /// A struct with a field for each variant, of which one has the value and the others are null.
    Struct,
}

/// Makes batches of types that more libraries take.
///
/// ```
/// use trevni_arrow::{ArrowReader, Simplify, Unions};
///
/// let file = trevni::to_vec([serde_json::json!({ "id": 7 }), serde_json::json!({ "id": "seven" })])?;
/// let rows = ArrowReader::new(&trevni::Reader::from_slice(&file)?)?.next().unwrap()?;
/// let simplify = Simplify { unions: Unions::Json, ..Simplify::default() };
/// let schema = simplify.schema(&rows.schema()).into();
/// let rows = simplify.batch(&rows, &schema)?;
/// assert_eq!(arrow_array::cast::AsArray::as_string::<i32>(rows.column(0)).value(1), "\"seven\"");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Simplify {
    /// What unions become. Default: what they are.
    pub unions: Unions,
    /// Whether a field that is sometimes absent and sometimes null is null in both cases. Default: a struct with one field, `some`.
    pub plain_nulls: bool,
}

impl Simplify {
    /// The schema of simplified batches.
    #[must_use]
    pub fn schema(&self, schema: &Schema) -> Schema {
        if *self == Self::default() {
            return schema.clone();
        }
        let fields = schema.fields().iter().map(|own| self.field(own));
        Schema::new_with_metadata(fields.collect::<Fields>(), schema.metadata().clone())
    }

    /// The rows with the types of [`schema`](Self::schema), which is given.
    ///
    /// # Errors
    ///
    /// Another schema.
    pub fn batch(&self, batch: &RecordBatch, schema: &SchemaRef) -> Result<RecordBatch> {
        let columns = batch.columns().iter().zip(batch.schema_ref().fields());
        let columns = columns
            .map(|(column, field)| self.array(column, field).map_err(|error| error.in_field(field.name())));
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns.collect::<Result<_>>()?, &options)?)
    }

    fn field(&self, field: &FieldRef) -> FieldRef {
        let data_type = self.data_type(field.data_type());
        if data_type == *field.data_type() {
            return Arc::clone(field);
        }
        let is_nullable = field.is_nullable() || data_type.is_string() || is_simplified(field.data_type());
        Arc::new(Field::clone(field).with_data_type(data_type).with_nullable(is_nullable))
    }

    fn data_type(&self, data_type: &DataType) -> DataType {
        use DataType as D;
        match data_type {
            D::Union(fields, mode) => {
                let parts = fields.iter().map(|(id, field)| (id, self.field(field)));
                match self.unions {
                    Unions::Union => D::Union(parts.collect::<UnionFields>(), *mode),
                    Unions::Sparse => D::Union(parts.collect::<UnionFields>(), UnionMode::Sparse),
                    Unions::Json | Unions::String => D::Utf8,
                    Unions::Struct => {
                        let parts = parts.filter(|(_, field)| !is_null_variant(field));
                        D::Struct(parts.map(|(_, field)| alone(&field)).collect())
                    }
                }
            }
            other => match some(other).filter(|_| self.plain_nulls) {
                Some(inner) => self.data_type(inner),
                None => with_children(other, &mut |field| self.field(field)),
            },
        }
    }

    fn array(&self, array: &ArrayRef, field: &Field) -> Result<ArrayRef> {
        let data_type = self.data_type(array.data_type());
        if data_type == *array.data_type() {
            return Ok(Arc::clone(array));
        }
        match (array.data_type(), self.unions) {
            (DataType::Union(..), Unions::Json) => text::texts(array, field, text::Form::Json),
            (DataType::Union(..), Unions::String) => text::texts(array, field, text::Form::Plain),
            (DataType::Union(fields, _), unions) => self.union(array.as_union(), fields, unions, &data_type),
            (other, _) if self.plain_nulls && some(other).is_some() => {
                let inner = super::cast::some_of(array.as_struct())?;
                self.array(&inner, field)
            }
            (other, _) => {
                let data = array.to_data();
                let parts = data.child_data().iter().zip(children(other)).map(|(child, field)| {
                    let child = self.array(&make_array(child.clone()), &field);
                    child.map(|child| child.to_data()).map_err(|error| error.in_field(field.name()))
                });
                let parts = parts.collect::<Result<_>>()?;
                Ok(make_array(data.into_builder().data_type(data_type).child_data(parts).build()?))
            }
        }
    }

    fn union(
        &self,
        array: &UnionArray,
        fields: &UnionFields,
        unions: Unions,
        to: &DataType,
    ) -> Result<ArrayRef> {
        let ids = array.type_ids();
        let child = |id: i8, field: &FieldRef| {
            self.array(array.child(id), field).map_err(|error| error.in_field(field.name()))
        };
        match (unions, to) {
            (Unions::Struct, DataType::Struct(columns)) => {
                let null = fields.iter().find(|(_, field)| is_null_variant(field)).map(|(id, _)| id);
                let parts = fields.iter().filter(|(id, _)| Some(*id) != null).zip(columns);
                let parts = parts.map(|((id, own), column)| {
                    let values = spread(array, id, &child(id, own)?)?;
                    let values = super::cast_array(&values, column.data_type())?;
                    let others: BooleanBuffer = ids.iter().map(|own| *own != id).collect();
                    match values.data_type() {
                        DataType::Null | DataType::Union(..) => Ok(values),
                        _ => Ok(nullif(&values, &BooleanArray::new(others, None))?),
                    }
                });
                let there = null.map(|null| ids.iter().map(|id| *id != null).collect::<BooleanBuffer>());
                let (parts, nulls) = (parts.collect::<Result<Vec<_>>>()?, there.map(NullBuffer::new));
                Ok(Arc::new(StructArray::try_new_with_length(columns.clone(), parts, nulls, array.len())?))
            }
            (_, DataType::Union(fields_to, mode)) => {
                let is_spread = *mode == UnionMode::Sparse && array.offsets().is_some();
                let parts = fields.iter().map(|(id, field)| match is_spread {
                    true => spread(array, id, &child(id, field)?),
                    false => child(id, field),
                });
                let offsets = array.offsets().filter(|_| !is_spread).cloned();
                let parts = parts.collect::<Result<_>>()?;
                Ok(Arc::new(UnionArray::try_new(fields_to.clone(), ids.clone(), offsets, parts)?))
            }
            _ => Err(crate::error::Error::internal("a union becomes another type")),
        }
    }
}

/// Whether a type is one that is made simpler, with nulls of its own.
fn is_simplified(data_type: &DataType) -> bool {
    matches!(data_type, DataType::Union(..)) || some(data_type).is_some()
}

/// A variant as a field of its own, which is null where another one has the value. Runs cannot be.
fn alone(field: &FieldRef) -> FieldRef {
    let data_type = match field.data_type() {
        DataType::RunEndEncoded(_, values) => values.data_type(),
        other => other,
    };
    Arc::new(Field::clone(field).with_data_type(data_type.clone()).with_nullable(true))
}

/// The values of a variant at the places of their entries; at other places, any.
fn spread(array: &UnionArray, id: i8, child: &ArrayRef) -> Result<ArrayRef> {
    if child.is_empty() {
        return Ok(new_null_array(child.data_type(), array.len()));
    }
    let mut place = 0;
    let places = array.type_ids().iter().enumerate().map(|(entry, own)| {
        if *own == id {
            place = array.value_offset(entry) as u64;
        }
        place
    });
    select::at(child, places.collect())
}

/// The same type, of other children.
fn with_children(data_type: &DataType, map: &mut impl FnMut(&FieldRef) -> FieldRef) -> DataType {
    use DataType as D;
    match data_type {
        D::List(item) => D::List(map(item)),
        D::LargeList(item) => D::LargeList(map(item)),
        D::ListView(item) => D::ListView(map(item)),
        D::LargeListView(item) => D::LargeListView(map(item)),
        D::FixedSizeList(item, size) => D::FixedSizeList(map(item), *size),
        D::Map(entries, sorted) => {
            // Entries and their keys stay what they are.
            let fields = children(entries.data_type());
            let parts = fields.iter().enumerate().map(|(index, part)| match index {
                0 => Arc::new(Field::clone(&map(part)).with_nullable(part.is_nullable())),
                _ => map(part),
            });
            let parts = D::Struct(parts.collect());
            D::Map(Arc::new(Field::clone(entries).with_data_type(parts)), *sorted)
        }
        D::Struct(fields) => D::Struct(fields.iter().map(map).collect()),
        D::RunEndEncoded(ends, values) => D::RunEndEncoded(Arc::clone(ends), map(values)),
        other => other.clone(),
    }
}

/// An array of strings.
fn strings(texts: Vec<Option<String>>) -> ArrayRef {
    Arc::new(StringArray::from(texts))
}
