//! The types that a consumer asks for, as the protocol of capsules has it: others for the same values.

use crate::capsule;
use crate::error::{Failure, raise};
use crate::type_name::type_name;
use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use pyo3::prelude::*;
use std::sync::Arc;
use trevni_arrow::{cast_record_batch, join_schemas};

/// The columns that are asked for, of those that there are.
pub(crate) fn schema(requested: &Bound<'_, PyAny>, own: &Schema) -> PyResult<SchemaRef> {
    let wanted = capsule::to_schema(requested)?;
    wanted_of("requested_schema", &wanted, own)
        .map(Arc::new)
        .map_err(|failure| raise(requested.py(), failure))
}

/// The batch as it is asked for.
pub(crate) fn batch(
    py: Python<'_>,
    batch: &RecordBatch,
    requested: Option<&Bound<'_, PyAny>>,
) -> PyResult<RecordBatch> {
    let Some(requested) = requested else { return Ok(batch.clone()) };
    let wanted = schema(requested, batch.schema_ref())?;
    cast_record_batch(batch, &wanted).map_err(|error| raise(py, error.into()))
}

/// The columns that a keyword asks for.
pub(crate) fn wanted_of(keyword: &str, wanted: &Schema, own: &Schema) -> Result<Schema, Failure> {
    let field = |wanted: &Arc<Field>| {
        let name = wanted.name();
        let Some((_, own)) = own.fields().find(name) else {
            let all: Vec<&str> = own.fields().iter().map(|field| field.name().as_str()).collect();
            let all = all.join(", ");
            return Err(Failure::of_usage(format!("{keyword}: no column {name:?}; there are {all}")));
        };
        if own.data_type() == wanted.data_type() {
            return Ok(Arc::clone(own));
        }
        if !can(own, wanted) {
            let (own, wanted) = (type_name(own), type_name(wanted));
            let message = format!("{keyword}: column {name:?} is {own}, which {wanted} cannot hold");
            return Err(Failure::of_usage(message));
        }
        Ok(Arc::new(Field::clone(wanted).with_nullable(own.is_nullable() || wanted.is_nullable())))
    };
    let fields = wanted.fields().iter().map(field).collect::<Result<Vec<_>, Failure>>()?;
    Ok(Schema::new_with_metadata(fields, own.metadata().clone()))
}

/// Whether values of a field are values of another one: of a type that holds all of them, or of one that is refused value by value.
pub(crate) fn can(own: &Field, wanted: &Field) -> bool {
    use DataType::{Dictionary, List, RunEndEncoded, Struct};
    match (own.data_type(), wanted.data_type()) {
        (one, two) if one == two || one.is_null() => true,
        (Struct(own), Struct(wanted)) => {
            own.len() == wanted.len()
                && own.iter().zip(wanted).all(|(own, wanted)| own.name() == wanted.name() && can(own, wanted))
        }
        (List(own), List(wanted)) => can(own, wanted),
        (Dictionary(_, values), _) => can(&own.clone().with_data_type(DataType::clone(values)), wanted),
        (_, Dictionary(_, values)) => can(own, &wanted.clone().with_data_type(DataType::clone(values))),
        (RunEndEncoded(_, values), _) => can(values, wanted),
        (one, two) => {
            let is_binary = |data_type: &DataType| {
                use DataType::{Binary, BinaryView, LargeBinary};
                matches!(data_type, Binary | LargeBinary | BinaryView)
            };
            one.is_integer() && two.is_integer()
                || one.is_string() && two.is_string()
                || is_binary(one) && is_binary(two)
                || holds(own, wanted)
        }
    }
}

/// Whether a type has all values of another.
fn holds(own: &Field, wanted: &Field) -> bool {
    let one = Schema::new(vec![own.clone().with_name("").with_metadata(Default::default())]);
    let two = Schema::new(vec![wanted.clone().with_name("").with_metadata(Default::default())]);
    let joined = join_schemas(&[&one, &two]);
    joined.is_ok_and(|joined| joined.field(0).data_type() == wanted.data_type())
}

/// Batches of other types.
pub(crate) struct Cast<B> {
    pub(crate) rows: B,
    pub(crate) schema: SchemaRef,
}

impl<B: RecordBatchReader> Iterator for Cast<B> {
    type Item = Result<RecordBatch, ArrowError>;

    fn next(&mut self) -> Option<Self::Item> {
        let batch = self.rows.next()?;
        Some(batch.and_then(|batch| Ok(cast_record_batch(&batch, &self.schema)?)))
    }
}

impl<B: RecordBatchReader> RecordBatchReader for Cast<B> {
    fn schema(&self) -> SchemaRef {
        SchemaRef::clone(&self.schema)
    }
}
