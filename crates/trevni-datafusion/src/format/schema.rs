//! The schema that several files have together.

use crate::error::in_file;
use datafusion::arrow::datatypes::{DataType, FieldRef, Fields, Schema, SchemaRef};
use datafusion::error::{DataFusionError, Result};
use object_store::path::Path;
use std::sync::Arc;
use trevni::Reader;
use trevni_arrow::{ErrorKind, join_schemas, schema_of_reader};

/// The schema of a file, and which one it is.
pub(crate) struct OfFile {
    place: Path,
    schema: SchemaRef,
    has_rows: bool,
}

/// The schema of the rows of a file. What a file says beside its fields is about that file, so neither has it.
#[derive(Clone, Debug)]
pub(crate) struct FileSchema {
    /// As they are decoded. Columns of strings and of bytes are views: the engine groups by these, and compares them, faster.
    pub(crate) decoded: SchemaRef,
    /// As the engine sees them.
    pub(crate) seen: SchemaRef,
}

impl FileSchema {
    pub(crate) fn of(reader: &Reader<'_>, place: &Path) -> Result<Self> {
        let schema = schema_of_reader(reader).map_err(|error| in_file(place, error))?;
        let decoded = Schema::new(schema.fields.iter().map(as_view).collect::<Fields>());
        let seen = Arc::new(nullable(&decoded));
        Ok(Self { decoded: Arc::new(decoded), seen })
    }

    /// Bytes of memory, about.
    pub(crate) fn memory_size(&self) -> usize {
        self.decoded.fields.size() + self.seen.fields.size()
    }
}

impl OfFile {
    /// The schema of a file as the engine sees it, and which file it is.
    pub(crate) fn new(schema: &FileSchema, rows: u64, place: &Path) -> Self {
        Self { place: place.clone(), schema: Arc::clone(&schema.seen), has_rows: rows > 0 }
    }

    /// The schema of the files of a table, and which table it is.
    pub(crate) fn of_table(schema: &SchemaRef, place: &Path) -> Self {
        Self { place: place.clone(), schema: Arc::clone(schema), has_rows: true }
    }

    /// Whether it says the same as another one.
    pub(crate) fn is_like(&self, other: &Self) -> bool {
        self.schema == other.schema && self.has_rows == other.has_rows
    }
}

/// The same fields as the engine sees them: in records that may be null all fields may be null, for it takes fields out of records without
/// a look at these.
pub(crate) fn nullable(schema: &Schema) -> Schema {
    Schema::new(schema.fields.iter().map(|field| below_nulls(field, false)).collect::<Fields>())
}

fn as_view(field: &FieldRef) -> FieldRef {
    let data_type = match field.data_type() {
        DataType::Utf8 | DataType::LargeUtf8 => DataType::Utf8View,
        DataType::Binary | DataType::LargeBinary => DataType::BinaryView,
        _ => return Arc::clone(field),
    };
    Arc::new(field.as_ref().clone().with_data_type(data_type))
}

fn below_nulls(field: &FieldRef, is_below: bool) -> FieldRef {
    let is_nullable = is_below || field.is_nullable();
    let data_type = match field.data_type() {
        DataType::Struct(fields) => {
            DataType::Struct(fields.iter().map(|field| below_nulls(field, is_nullable)).collect())
        }
        DataType::List(item) => DataType::List(below_nulls(item, false)),
        DataType::LargeList(item) => DataType::LargeList(below_nulls(item, false)),
        other => other.clone(),
    };
    Arc::new(field.as_ref().clone().with_data_type(data_type).with_nullable(is_nullable))
}

/// The schema of the rows of all files: fields by name, in the order in which they come first. Files without rows fit anything.
pub(crate) fn joined(files: &[OfFile]) -> Result<SchemaRef> {
    let joined = join(files.iter()).or_else(|error| match files.iter().any(|file| file.has_rows) {
        true => join(files.iter().filter(|file| file.has_rows)),
        false => Err(error),
    })?;
    Ok(Arc::new(nullable(&joined)))
}

fn join<'f>(files: impl Iterator<Item = &'f OfFile>) -> Result<Schema> {
    let files: Vec<&OfFile> = files.collect();
    let schemas: Vec<&Schema> = files.iter().map(|file| file.schema.as_ref()).collect();
    join_schemas(&schemas).map_err(|error| match error.kind() {
        ErrorKind::Differ { first, second, one, two } => {
            let place =
                |number: &usize| files.get(*number).map(|file| file.place.as_ref()).unwrap_or_default();
            let (first, second, path) = (place(first), place(second), error.path());
            let message = format!(
                "{second}: field {path} is {two} here and {one} in {first}, which have no type in common"
            );
            DataFusionError::Plan(message)
        }
        _ => DataFusionError::External(Box::new(error)),
    })
}

/// The same fields with the values of dictionaries in place of these: between processes, dictionaries may come as plain strings, which is
/// another type to the engine.
pub(super) fn without_dictionaries(schema: &Schema) -> SchemaRef {
    Arc::new(Schema::new(schema.fields().iter().map(plain_field).collect::<Fields>()))
}

fn plain_field(field: &FieldRef) -> FieldRef {
    let data_type = match field.data_type() {
        DataType::Dictionary(_, values) => values.as_ref().clone(),
        DataType::Struct(fields) => DataType::Struct(fields.iter().map(plain_field).collect()),
        DataType::List(item) => DataType::List(plain_field(item)),
        DataType::LargeList(item) => DataType::LargeList(plain_field(item)),
        DataType::Map(entries, sorted) => DataType::Map(plain_field(entries), *sorted),
        _ => return Arc::clone(field),
    };
    Arc::new(field.as_ref().clone().with_data_type(data_type))
}

#[cfg(test)]
mod tests {
    use super::*;
    use datafusion::arrow::datatypes::Field;

    fn joined_type(types: [DataType; 2]) -> Result<DataType, String> {
        let schema = joined(&of_types(types)).map_err(|error| error.to_string())?;
        Ok(schema.field(0).data_type().clone())
    }

    fn of_types(types: [DataType; 2]) -> Vec<OfFile> {
        let file = |(number, data_type)| OfFile {
            place: Path::from(format!("part-{number}.trv")),
            schema: Arc::new(Schema::new(vec![Field::new("v", data_type, false)])),
            has_rows: true,
        };
        (0..).zip(types).map(file).collect()
    }

    #[test]
    fn types_widen_and_others_name_both_files() {
        use DataType::{Boolean, Decimal128, Int8, UInt64, Utf8};
        assert_eq!(joined_type([UInt64, Int8]), Ok(Decimal128(20, 0)));
        let error = joined_type([Boolean, Utf8]).unwrap_err();
        assert!(error.contains("part-1.trv: field v is Utf8 here and Boolean in part-0.trv"), "{error}");
        let mut files = of_types([Boolean, Utf8]);
        files[0].has_rows = false;
        assert_eq!(joined(&files).unwrap().field(0).data_type(), &Utf8);
    }

    #[test]
    fn fields_of_records_that_some_files_lack_may_be_null() {
        let record = DataType::Struct(vec![Field::new("a", DataType::Int32, false)].into());
        let mut files = of_types([record, DataType::Int32]);
        files[1].schema = Arc::new(Schema::new(vec![Field::new("w", DataType::Int32, false)]));
        let schema = joined(&files).unwrap();
        assert!(schema.fields().iter().all(|field| field.is_nullable()));
        let DataType::Struct(fields) = schema.field(0).data_type() else { panic!("{schema}") };
        assert!(fields[0].is_nullable());
    }
}
