//! The Arrow types that columns are read as, where the Parquet library would choose others.

use super::Int96;
use crate::spans;
use arrow_schema::{DataType, Field, FieldRef, Fields, IntervalUnit, Schema, TimeUnit};
use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};
use std::sync::Arc;
use trevni_arrow::{AVRO_SCHEMA, schema_of_avro};

/// Keys that writers of Parquet use for the Avro schema of the rows.
const AVRO_KEYS: [&str; 2] = ["parquet.avro.schema", AVRO_SCHEMA];

/// The key by which the Parquet library writes times of day as those of UTC.
const IN_UTC: &str = "adjusted_to_utc";

/// Whether the times of day of a column are said to be in UTC.
fn is_in_utc(column: &ColumnDescriptor) -> bool {
    matches!(column.logical_type_ref(), Some(LogicalType::Time(time)) if time.is_adjusted_to_u_t_c)
}

/// The schema as it is to be read.
pub(super) fn hinted(schema: &Schema, columns: &SchemaDescriptor, int96: Int96) -> Schema {
    let mut metadata = schema.metadata().clone();
    let text = AVRO_KEYS.iter().find_map(|key| metadata.remove(*key));
    let avro = text.as_deref().and_then(|text| schema_of_avro(text).ok());
    if let Some(text) = text {
        metadata.insert(AVRO_SCHEMA.to_owned(), text);
    }
    let mut leaves = Leaves { columns: columns.columns().iter(), last: None, int96 };
    let fields = leaves.fields(schema.fields(), avro.as_ref().map(Schema::fields));
    Schema::new_with_metadata(fields, metadata)
}

/// The columns of a file, in the order of the schema's leaves.
struct Leaves<'c, I: Iterator<Item = &'c Arc<ColumnDescriptor>>> {
    columns: I,
    /// The last of those that were taken.
    last: Option<&'c ColumnDescriptor>,
    int96: Int96,
}

impl<'c, I: Iterator<Item = &'c Arc<ColumnDescriptor>>> Leaves<'c, I> {
    fn fields(&mut self, fields: &Fields, avro: Option<&Fields>) -> Fields {
        let named = |name: &str| avro?.iter().find(|field| field.name() == name);
        fields.iter().map(|field| self.field(field, named(field.name()))).collect()
    }

    fn field(&mut self, field: &FieldRef, avro: Option<&FieldRef>) -> FieldRef {
        let avro = avro.map(|field| field.data_type());
        let data_type = self.data_type(field.data_type(), avro);
        let is_bytes = data_type == DataType::FixedSizeBinary(12);
        let field = Field::clone(field).with_data_type(data_type);
        let is_span = self.last.is_some_and(spans::is_interval)
            || avro == Some(&DataType::Interval(IntervalUnit::MonthDayNano));
        let is_time = matches!(field.data_type(), DataType::Time32(_) | DataType::Time64(_));
        Arc::new(match (is_bytes && is_span, is_time && self.last.is_some_and(is_in_utc)) {
            (true, _) => spans::marked(field),
            (_, true) => {
                let mut metadata = field.metadata().clone();
                metadata.insert(IN_UTC.to_owned(), "true".to_owned());
                field.with_metadata(metadata)
            }
            _ => field,
        })
    }

    fn data_type(&mut self, data_type: &DataType, avro: Option<&DataType>) -> DataType {
        let item = match avro {
            Some(DataType::List(item) | DataType::Map(item, _)) => Some(item),
            _ => None,
        };
        match data_type {
            DataType::Struct(fields) => {
                let avro = match avro {
                    Some(DataType::Struct(fields)) => Some(fields),
                    _ => None,
                };
                DataType::Struct(self.fields(fields, avro))
            }
            DataType::List(of) => DataType::List(self.field(of, item)),
            DataType::LargeList(of) => DataType::LargeList(self.field(of, item)),
            DataType::FixedSizeList(of, size) => DataType::FixedSizeList(self.field(of, item), *size),
            DataType::Map(entries, sorted) => DataType::Map(self.entries(entries, item), *sorted),
            leaf => {
                self.last = self.columns.next().map(|column| &**column);
                self.last.map_or_else(|| leaf.clone(), |column| self.leaf(leaf, column, avro))
            }
        }
    }

    /// Entries of a map, whose fields have other names in Avro.
    fn entries(&mut self, entries: &FieldRef, avro: Option<&FieldRef>) -> FieldRef {
        let DataType::Struct(fields) = entries.data_type() else {
            return self.field(entries, None);
        };
        let avro = match avro.map(|field| field.data_type()) {
            Some(DataType::Struct(fields)) => Some(fields),
            _ => None,
        };
        let field =
            |(at, field): (usize, &FieldRef)| self.field(field, avro.and_then(|fields| fields.get(at)));
        let fields: Fields = fields.iter().enumerate().map(field).collect();
        Arc::new(Field::clone(entries).with_data_type(DataType::Struct(fields)))
    }

    fn leaf(&self, data_type: &DataType, column: &ColumnDescriptor, avro: Option<&DataType>) -> DataType {
        match (data_type, avro) {
            (DataType::Binary | DataType::Utf8, Some(symbols @ DataType::Dictionary(..))) => symbols.clone(),
            (DataType::Binary, _) if is_enum(column) => DataType::Utf8,
            _ if column.physical_type() == Type::INT96 && self.int96 == Int96::Micros => {
                DataType::Timestamp(TimeUnit::Microsecond, None)
            }
            _ => data_type.clone(),
        }
    }
}

/// Whether the values of a column are symbols of an enum.
pub(super) fn is_enum(column: &ColumnDescriptor) -> bool {
    matches!(column.logical_type_ref(), Some(LogicalType::Enum))
        || column.converted_type() == ConvertedType::ENUM
}
