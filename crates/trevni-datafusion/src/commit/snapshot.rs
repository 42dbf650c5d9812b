//! Snapshots of tables: Trevni files with a row for each part, which has its rows, its bytes, and what is known of its columns.

use crate::statistics::{Columns, Known};
use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, RecordBatch, StringArray, StructArray, UInt8Array, UInt64Array,
};
use datafusion::arrow::datatypes::{
    DataType, Field, FieldRef, Fields, Schema, SchemaRef, UInt8Type, UInt64Type,
};
use datafusion::common::stats::Precision;
use datafusion::common::{ColumnStatistics, ScalarValue, plan_datafusion_err};
use datafusion::error::{DataFusionError, Result};
use object_store::ObjectMeta;
use object_store::path::Path;
use std::sync::{Arc, OnceLock};
use trevni::dataset::{Snapshot as Named, WriteId};
use trevni::{Codec, Reader, Writer};
use trevni_arrow::{ArrowReader, ArrowWriter, schema_of_reader};

/// What is exact of a column, in bits.
const LEAST: u8 = 1;
const GREATEST: u8 = 2;
const ASCENDS: u8 = 4;

/// A part, as a snapshot has it.
#[derive(Clone, Debug)]
pub(super) struct Part {
    /// Within the folder of the table.
    pub(super) path: String,
    pub(super) rows: u64,
    pub(super) bytes: u64,
    pub(super) columns: Columns,
}

/// A snapshot that has been read.
pub(crate) struct Snapshot {
    pub(super) number: u64,
    /// Which parts it has, and which writes.
    pub(super) named: Named,
    /// The parts, in its order.
    pub(super) files: Vec<ObjectMeta>,
    rows: Vec<u64>,
    /// The columns of the table.
    pub(super) schema: SchemaRef,
    reader: Reader<'static>,
    /// What is known of each column, once it has been asked for.
    columns: Vec<OnceLock<Option<StructArray>>>,
    bytes: usize,
}

impl Snapshot {
    /// Reads a snapshot of the table in a folder.
    pub(super) fn read(bytes: Vec<u8>, meta: &ObjectMeta, root: &Path, number: u64) -> Result<Self> {
        let failed = |error: trevni::Error| DataFusionError::External(Box::new(error));
        let arrow = |error: trevni_arrow::Error| DataFusionError::External(Box::new(error));
        let size = bytes.len();
        let reader = Reader::builder().shared(bytes).map_err(failed)?;
        let named = Named::from_reader(&reader).map_err(failed)?;
        let paths = reader.column::<String>("path").map_err(failed)?;
        let rows = reader.column::<u64>("rows").map_err(failed)?;
        let sizes = reader.column::<u64>("bytes").map_err(failed)?;
        let missing = || plan_datafusion_err!("this is not the snapshot of a table");
        let schema = reader.metadata().get(Named::SCHEMA).ok_or_else(missing)?;
        let schema = schema_of_reader(&Reader::from_slice(schema).map_err(failed)?).map_err(arrow)?;
        let file = |(path, size): (&String, &u64)| {
            let location = Path::parse(path).map_err(object_store::Error::from)?;
            let location = Path::from_iter(root.parts().chain(location.parts()));
            Ok(ObjectMeta {
                location,
                size: *size,
                last_modified: meta.last_modified,
                e_tag: None,
                version: None,
            })
        };
        let files = paths.iter().zip(&sizes).map(file).collect::<Result<Vec<_>>>()?;
        let columns = schema.fields().iter().map(|_| OnceLock::new()).collect();
        let bytes = size + files.len() * (size_of::<ObjectMeta>() + 160);
        Ok(Self { number, named, files, rows, schema: Arc::new(schema), reader, columns, bytes })
    }

    /// The bytes of a snapshot of some parts, whose table has some columns.
    pub(super) fn write(
        parts: &[Part],
        schema: &SchemaRef,
        since: u64,
        writes: impl IntoIterator<Item = WriteId>,
    ) -> Result<Vec<u8>> {
        let failed = |error: trevni_arrow::Error| DataFusionError::External(Box::new(error));
        let empty =
            ArrowWriter::new(Vec::new(), Arc::clone(schema)).and_then(ArrowWriter::finish).map_err(failed)?;
        let mut writes: Vec<WriteId> = writes.into_iter().collect();
        writes.sort_unstable();
        let mut options = Writer::builder().codec(Codec::Typed).metadata(Named::SCHEMA, empty);
        for (key, text) in Named::metadata(since, &writes) {
            options = options.metadata(key, text);
        }
        let numbers =
            |of: fn(&Part) -> u64| Arc::new(UInt64Array::from_iter_values(parts.iter().map(of))) as ArrayRef;
        let mut fields = vec![
            Arc::new(Field::new("path", DataType::Utf8, false)),
            Arc::new(Field::new("rows", DataType::UInt64, false)),
            Arc::new(Field::new("bytes", DataType::UInt64, false)),
        ];
        let paths = StringArray::from_iter_values(parts.iter().map(|part| &part.path));
        let mut arrays: Vec<ArrayRef> =
            vec![Arc::new(paths), numbers(|part| part.rows), numbers(|part| part.bytes)];
        for (number, field) in schema.fields().iter().enumerate() {
            if let Some(known) = column(parts, field)? {
                fields.push(Arc::new(Field::new(name(number), known.data_type().clone(), false)));
                arrays.push(Arc::new(known));
            }
        }
        let batch = RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)?;
        let mut writer = ArrowWriter::with_options(options, Vec::new(), batch.schema()).map_err(failed)?;
        writer.write(&batch).map_err(failed)?;
        writer.finish().map_err(failed)
    }

    /// Bytes of memory, about.
    pub(super) fn memory_size(&self) -> usize {
        self.bytes + self.schema.fields().size()
    }

    /// The number of a part's rows.
    pub(super) fn rows(&self, row: usize) -> u64 {
        self.rows.get(row).copied().unwrap_or_default()
    }

    /// What is known of the columns of a part, of a table with some columns; of some of them.
    pub(super) fn columns(&self, row: usize, table: &Schema, wanted: &[String]) -> Columns {
        let fields = wanted.iter().filter_map(|name| table.field_with_name(name).ok());
        fields.filter_map(|field| Some((field.name().clone(), self.known(row, field)?))).collect()
    }

    /// The part with all that is known of it.
    pub(super) fn part(&self, row: usize, path: String, schema: &Schema) -> Part {
        let wanted: Vec<String> = schema.fields().iter().map(|field| field.name().clone()).collect();
        let bytes = self.files.get(row).map_or(0, |file| file.size);
        Part { path, rows: self.rows(row), bytes, columns: self.columns(row, schema, &wanted) }
    }

    fn known(&self, row: usize, field: &Field) -> Option<Known> {
        let mut known = Known::nothing(field.data_type().clone());
        let Some((number, own)) = self.schema.column_with_name(field.name()) else {
            // No part has it.
            known.statistics.null_count = Precision::Exact(self.rows(row) as usize);
            return Some(known);
        };
        let is_same = own.data_type() == field.data_type();
        let widens = own.data_type().is_integer() && field.data_type().is_integer();
        if !is_same && !widens && plain(own.data_type()) != field.data_type() {
            return None;
        }
        let Some(column) = self.columns.get(number)?.get_or_init(|| self.column(number)) else {
            return Some(known);
        };
        let number = |name: &str| {
            let values = column.column_by_name(name)?.as_primitive_opt::<UInt64Type>()?;
            values.is_valid(row).then(|| values.value(row))
        };
        let flags = column.column_by_name("exact")?.as_primitive_opt::<UInt8Type>()?.value(row);
        let bound = |name: &str, bit: u8| {
            let value =
                column.column_by_name(name).and_then(|values| ScalarValue::try_from_array(values, row).ok());
            let value = value.filter(|value| !value.is_null());
            let value =
                if is_same { value } else { value.and_then(|value| value.cast_to(field.data_type()).ok()) };
            match value.filter(|value| !value.is_null()) {
                Some(value) if flags & bit != 0 => Precision::Exact(value),
                Some(value) => Precision::Inexact(value),
                None => Precision::Absent,
            }
        };
        known.statistics = ColumnStatistics {
            null_count: number("nulls").map_or(Precision::Absent, |nulls| Precision::Exact(nulls as usize)),
            byte_size: number("bytes").map_or(Precision::Absent, |bytes| Precision::Inexact(bytes as usize)),
            min_value: bound("least", LEAST),
            max_value: bound("greatest", GREATEST),
            ..ColumnStatistics::new_unknown()
        };
        known.ascends = is_same && flags & ASCENDS != 0;
        Some(known)
    }

    /// What is known of a column in all parts. Bounds only help, so a column that cannot be read is one without.
    fn column(&self, number: usize) -> Option<StructArray> {
        let reader = self.reader.project([name(number)]).ok()?;
        let batches = ArrowReader::builder(&reader).batch_size(self.files.len().max(1)).build().ok()?;
        let batches = batches.collect::<std::result::Result<Vec<_>, _>>().ok()?;
        let batch =
            datafusion::arrow::compute::concat_batches(batches.first()?.schema_ref(), &batches).ok()?;
        let column = batch.column(0).as_struct_opt()?;
        (column.len() == self.files.len()).then(|| column.clone())
    }
}

/// The name of the column that has what is known of a column.
fn name(number: usize) -> String {
    format!("c{number}")
}

/// The values of dictionaries in place of these.
fn plain(data_type: &DataType) -> &DataType {
    match data_type {
        DataType::Dictionary(_, values) => values,
        other => other,
    }
}

/// Whether a type's bounds are kept.
fn has_bounds(data_type: &DataType) -> bool {
    data_type.is_integer()
        || data_type.is_temporal() && !matches!(data_type, DataType::Interval(_))
        || matches!(data_type, DataType::Float32 | DataType::Float64 | DataType::Boolean)
        || data_type.is_string()
        || data_type.is_binary() && !matches!(data_type, DataType::FixedSizeBinary(_))
}

/// What is known of a column in some parts; nothing of records and lists.
fn column(parts: &[Part], field: &FieldRef) -> Result<Option<StructArray>> {
    if field.data_type().is_nested() {
        return Ok(None);
    }
    let of = |part: &Part| {
        part.columns.get(field.name()).cloned().unwrap_or_else(|| Known::nothing(field.data_type().clone()))
    };
    let all: Vec<Known> = parts.iter().map(of).collect();
    let numbers = |of: fn(&ColumnStatistics) -> Option<usize>| {
        let numbers =
            all.iter().map(|known| of(&known.statistics).and_then(|number| u64::try_from(number).ok()));
        Arc::new(numbers.collect::<UInt64Array>()) as ArrayRef
    };
    let exact =
        |precision: &Precision<ScalarValue>, bit| if precision.is_exact() == Some(true) { bit } else { 0 };
    let flags = all.iter().map(|known| {
        let statistics = &known.statistics;
        let bounds = exact(&statistics.min_value, LEAST) | exact(&statistics.max_value, GREATEST);
        bounds | if known.ascends { ASCENDS } else { 0 }
    });
    let mut fields = vec![
        Field::new("nulls", DataType::UInt64, true),
        Field::new("bytes", DataType::UInt64, true),
        Field::new("exact", DataType::UInt8, false),
    ];
    let mut arrays = vec![
        numbers(|found| match found.null_count {
            Precision::Exact(nulls) => Some(nulls),
            _ => None,
        }),
        numbers(|found| found.byte_size.get_value().copied()),
        Arc::new(UInt8Array::from_iter_values(flags)) as ArrayRef,
    ];
    if has_bounds(field.data_type()) && !parts.is_empty() {
        let null = ScalarValue::try_from(field.data_type())?;
        let value = |precision: &Precision<ScalarValue>| {
            let value = precision.get_value().filter(|value| value.data_type() == *field.data_type());
            value.cloned().unwrap_or_else(|| null.clone())
        };
        for (name, values) in [
            (
                "least",
                ScalarValue::iter_to_array(all.iter().map(|known| value(&known.statistics.min_value)))?,
            ),
            (
                "greatest",
                ScalarValue::iter_to_array(all.iter().map(|known| value(&known.statistics.max_value)))?,
            ),
        ] {
            fields.push(Field::new(name, values.data_type().clone(), true));
            arrays.push(values);
        }
    }
    Ok(Some(StructArray::try_new(Fields::from(fields), arrays, None)?))
}
