//! Columns of spans in Parquet's schema, which its library is to take for bytes.

use super::is_marked;
use crate::error::Result;
use arrow_schema::{DataType, Field, Fields, Schema};
use parquet::arrow::ArrowSchemaConverter;
use parquet::basic::ConvertedType;
use parquet::errors::Result as ParquetResult;
use parquet::file::metadata::{FileMetaData, ParquetMetaData};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor, Type};
use std::sync::Arc;

/// What the Parquet library writes where fields had types of Arrow.
const ARROW: &str = "ARROW:schema";

/// Whether a column holds spans.
pub(crate) fn is_interval(column: &ColumnDescriptor) -> bool {
    column.converted_type() == ConvertedType::INTERVAL
}

/// The metadata of a file with spans as bytes; `None` where there are no spans, and where they had a type of Arrow, which they
/// keep. `fields` are those that the library reads.
pub(crate) fn as_bytes(metadata: &ParquetMetaData, fields: &Fields) -> Result<Option<Arc<ParquetMetaData>>> {
    let file = metadata.file_metadata();
    let schema = file.schema_descr();
    let is_arrow = file.key_value_metadata().is_some_and(|pairs| pairs.iter().any(|pair| pair.key == ARROW));
    if is_arrow && !leaves(fields).iter().any(|leaf| leaf.metadata().contains_key(super::MARK))
        || !schema.columns().iter().any(|column| is_interval(column))
    {
        return Ok(None);
    }
    let plain = changed(schema.root_schema(), &mut |kind| match kind.get_basic_info().converted_type() {
        ConvertedType::INTERVAL => ConvertedType::NONE,
        other => other,
    })?;
    Ok(Some(Arc::new(with_schema(metadata, plain))))
}

/// The metadata of a file without groups that have no fields, and so no columns, which the library miscounts.
pub(crate) fn without_empty_groups(metadata: Arc<ParquetMetaData>) -> Result<Arc<ParquetMetaData>> {
    let root = metadata.file_metadata().schema_descr().root_schema();
    if !has_empty_group(root) {
        return Ok(metadata);
    }
    let schema = filled(root)?.unwrap_or_else(|| metadata.file_metadata().schema_descr().root_schema_ptr());
    Ok(Arc::new(with_schema(&metadata, schema)))
}

fn has_empty_group(kind: &Type) -> bool {
    let fields = if kind.is_group() { kind.get_fields() } else { return false };
    fields.is_empty() || fields.iter().any(|field| has_empty_group(field))
}

/// A type without groups that have no fields; `None` where nothing is left of it.
fn filled(kind: &Type) -> ParquetResult<Option<Arc<Type>>> {
    let Type::GroupType { fields, .. } = kind else { return Ok(Some(Arc::new(kind.clone()))) };
    let fields = fields.iter().map(|field| filled(field)).collect::<ParquetResult<Vec<_>>>()?;
    let fields: Vec<Arc<Type>> = fields.into_iter().flatten().collect();
    if fields.is_empty() { Ok(None) } else { group(kind, fields).map(Some) }
}

/// A group like another, with other fields.
fn group(kind: &Type, fields: Vec<Arc<Type>>) -> ParquetResult<Arc<Type>> {
    let info = kind.get_basic_info();
    let mut group = Type::group_type_builder(info.name())
        .with_converted_type(info.converted_type())
        .with_logical_type(info.logical_type_ref().cloned())
        .with_id(info.has_id().then(|| info.id()))
        .with_fields(fields);
    if info.has_repetition() {
        group = group.with_repetition(info.repetition());
    }
    Ok(Arc::new(group.build()?))
}

/// The metadata of a file with another schema of the same columns.
fn with_schema(metadata: &ParquetMetaData, schema: Arc<Type>) -> ParquetMetaData {
    let file = metadata.file_metadata();
    let file = FileMetaData::new(
        file.version(),
        file.num_rows(),
        file.created_by().map(str::to_owned),
        file.key_value_metadata().cloned(),
        Arc::new(SchemaDescriptor::new(schema)),
        file.column_orders().cloned(),
    );
    ParquetMetaData::new(file, metadata.row_groups().to_vec())
}

/// Parquet's schema of fields, some of which are bytes of spans; `None` where there are no such ones.
pub(crate) fn annotated(schema: &Schema, root: &str) -> Result<Option<SchemaDescriptor>> {
    let leaves = leaves(schema.fields());
    if !leaves.iter().any(|leaf| is_marked(leaf)) {
        return Ok(None);
    }
    let plain = ArrowSchemaConverter::new().with_coerce_types(true).schema_root(root).convert(schema)?;
    let mut leaves = leaves.into_iter();
    let made = changed(plain.root_schema(), &mut |kind| match leaves.next() {
        Some(leaf) if is_marked(leaf) => ConvertedType::INTERVAL,
        _ => kind.get_basic_info().converted_type(),
    })?;
    Ok(Some(SchemaDescriptor::new(made)))
}

/// The fields that columns hold, in their order.
fn leaves(fields: &Fields) -> Vec<&Field> {
    fields.iter().flat_map(|field| leaves_of(field)).collect()
}

fn leaves_of(field: &Field) -> Vec<&Field> {
    match field.data_type() {
        DataType::Struct(members) => leaves(members),
        DataType::List(item)
        | DataType::LargeList(item)
        | DataType::ListView(item)
        | DataType::LargeListView(item)
        | DataType::FixedSizeList(item, _)
        | DataType::Map(item, _) => leaves_of(item),
        _ => vec![field],
    }
}

/// A schema, columns of which have another type: what the function gives, in their order.
fn changed(kind: &Type, change: &mut dyn FnMut(&Type) -> ConvertedType) -> ParquetResult<Arc<Type>> {
    let info = kind.get_basic_info();
    let made = match kind {
        Type::GroupType { fields, .. } => {
            let fields = fields.iter().map(|field| changed(field, change)).collect::<ParquetResult<_>>()?;
            return group(kind, fields);
        }
        Type::PrimitiveType { physical_type, type_length, .. } => match change(kind) {
            same if same == info.converted_type() => kind.clone(),
            other => Type::primitive_type_builder(info.name(), *physical_type)
                .with_length(*type_length)
                .with_repetition(info.repetition())
                .with_converted_type(other)
                .with_id(info.has_id().then(|| info.id()))
                .build()?,
        },
    };
    Ok(Arc::new(made))
}
