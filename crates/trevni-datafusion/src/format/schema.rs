//! The schema that several files have together.

use crate::error::in_file;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, Schema, SchemaRef, TimeUnit};
use datafusion::error::{DataFusionError, Result};
use object_store::path::Path;
use std::sync::Arc;
use trevni::Reader;
use trevni_arrow::schema_of_reader;

/// The fields of a file, and which one it is.
pub(crate) struct OfFile {
    place: Path,
    fields: Fields,
}

/// The schema of the rows of a file. What a file says beside its fields is about that file, so neither has it.
#[derive(Clone, Debug)]
pub(crate) struct FileSchema {
    /// As they are decoded. Columns of texts and of bytes are views: the engine groups by these, and compares them, faster.
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

/// The fields of a file, and which one it is.
pub(super) fn of_file(schema: &FileSchema, place: &Path) -> OfFile {
    OfFile { place: place.clone(), fields: schema.seen.fields.clone() }
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

/// The fields of all files, by name, in the order in which they come first.
pub(super) fn merged(files: Vec<OfFile>) -> Result<SchemaRef> {
    let mut files = files.into_iter();
    let Some(OfFile { place: first, mut fields }) = files.next() else {
        return Ok(Arc::new(Schema::empty()));
    };
    for file in files {
        fields = merge_fields(&fields, &file.fields, "").map_err(|Differ { path, one, two }| {
            let place = &file.place;
            DataFusionError::Plan(format!(
                "{place}: field {path} is {two} here, and {one} in {first} and files after it"
            ))
        })?;
    }
    Ok(Arc::new(Schema::new(fields)))
}

/// The same fields with the values of dictionaries in place of these: between processes, dictionaries may come as plain texts, which is
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

/// Two types that have none in common.
struct Differ {
    path: String,
    one: String,
    two: String,
}

fn merge_fields(ones: &Fields, twos: &Fields, within: &str) -> Result<Fields, Differ> {
    let nullable = |field: &FieldRef| Arc::new(field.as_ref().clone().with_nullable(true));
    let mut merged: Vec<FieldRef> = Vec::with_capacity(ones.len());
    for one in ones {
        merged.push(match twos.find(one.name()) {
            Some((_, two)) => merge_field(one, two, within)?,
            None => nullable(one),
        });
    }
    merged.extend(twos.iter().filter(|two| ones.find(two.name()).is_none()).map(nullable));
    Ok(merged.into())
}

fn merge_field(one: &FieldRef, two: &FieldRef, within: &str) -> Result<FieldRef, Differ> {
    let path = if within.is_empty() { one.name().clone() } else { format!("{within}.{}", one.name()) };
    let data_type = merge_types(one.data_type(), two.data_type(), &path)?;
    let is_nullable = one.is_nullable() || two.is_nullable() || data_type == DataType::Null;
    let same = one.data_type() == &data_type;
    let base = if same { one } else { two };
    let metadata =
        if one.metadata() == two.metadata() { base.metadata().clone() } else { Default::default() };
    Ok(Arc::new(Field::new(one.name(), data_type, is_nullable).with_metadata(metadata)))
}

fn merge_types(one: &DataType, two: &DataType, path: &str) -> Result<DataType, Differ> {
    use DataType::{
        Binary, BinaryView, Decimal128, Decimal256, Dictionary, FixedSizeBinary, Float32, Float64,
        LargeBinary, LargeList, LargeUtf8, List, Map, Null, Struct, Timestamp, Utf8, Utf8View,
    };
    let differ = || Differ { path: path.to_owned(), one: one.to_string(), two: two.to_string() };
    Ok(match (one, two) {
        _ if one == two => one.clone(),
        (Null, other) | (other, Null) => other.clone(),
        _ if one.is_integer() && two.is_integer() => integer(one, two).ok_or_else(differ)?,
        _ if one.is_numeric()
            && two.is_numeric()
            && (one.is_floating() || two.is_floating())
            && !is_decimal(one)
            && !is_decimal(two) =>
        {
            if one.is_floating() && two.is_floating() && one != &Float64 && two != &Float64 {
                Float32
            } else {
                Float64
            }
        }
        (Utf8 | LargeUtf8 | Utf8View, Utf8 | LargeUtf8 | Utf8View) => {
            if one == &Utf8View || two == &Utf8View { Utf8View } else { LargeUtf8 }
        }
        (Dictionary(_, values), text @ (Utf8 | LargeUtf8 | Utf8View))
        | (text @ (Utf8 | LargeUtf8 | Utf8View), Dictionary(_, values)) => merge_types(values, text, path)?,
        (Dictionary(_, one), Dictionary(_, two)) => merge_types(one, two, path)?,
        (Binary | LargeBinary | FixedSizeBinary(_), Binary | FixedSizeBinary(_))
        | (FixedSizeBinary(_), LargeBinary) => {
            if one == &LargeBinary || two == &LargeBinary {
                LargeBinary
            } else {
                Binary
            }
        }
        (Binary, LargeBinary) => LargeBinary,
        (BinaryView, FixedSizeBinary(_)) | (FixedSizeBinary(_), BinaryView) => BinaryView,
        (Decimal128(p, s), Decimal128(q, t)) if s == t => Decimal128(*p.max(q), *s),
        (Decimal128(p, s) | Decimal256(p, s), Decimal128(q, t) | Decimal256(q, t)) if s == t => {
            Decimal256(*p.max(q), *s)
        }
        (Timestamp(one, zone), Timestamp(two, other)) if zone == other => {
            Timestamp(finer(*one, *two), zone.clone())
        }
        (Struct(ones), Struct(twos)) => Struct(merge_fields(ones, twos, path)?),
        (List(one), List(two)) => List(merge_field(one, two, path)?),
        (List(one) | LargeList(one), List(two) | LargeList(two)) => LargeList(merge_field(one, two, path)?),
        (Map(one, sorted), Map(two, other)) => Map(merge_field(one, two, path)?, *sorted && *other),
        _ => return Err(differ()),
    })
}

fn is_decimal(data_type: &DataType) -> bool {
    matches!(
        data_type,
        DataType::Decimal32(..)
            | DataType::Decimal64(..)
            | DataType::Decimal128(..)
            | DataType::Decimal256(..)
    )
}

/// The smallest integer type that has all values of two; none where one has negative numbers and the other 64 bits without.
fn integer(one: &DataType, two: &DataType) -> Option<DataType> {
    let bits = |data_type: &DataType| data_type.primitive_width().map(|bytes| bytes * 8);
    let (width, other) = (bits(one)?, bits(two)?);
    let (signed, is_signed) = (one.is_signed_integer(), two.is_signed_integer());
    let needed = match (signed, is_signed) {
        (true, true) | (false, false) => width.max(other),
        (true, false) => width.max(other * 2),
        (false, true) => other.max(width * 2),
    };
    Some(match (signed || is_signed, needed) {
        (true, 8) => DataType::Int8,
        (true, 16) => DataType::Int16,
        (true, 32) => DataType::Int32,
        (true, 64) => DataType::Int64,
        (false, 8) => DataType::UInt8,
        (false, 16) => DataType::UInt16,
        (false, 32) => DataType::UInt32,
        (false, 64) => DataType::UInt64,
        // As decimals have room for both.
        _ => DataType::Decimal128(20, 0),
    })
}

fn finer(one: TimeUnit, two: TimeUnit) -> TimeUnit {
    let order = |unit: TimeUnit| match unit {
        TimeUnit::Second => 0,
        TimeUnit::Millisecond => 1,
        TimeUnit::Microsecond => 2,
        TimeUnit::Nanosecond => 3,
    };
    if order(one) >= order(two) { one } else { two }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merge(types: [DataType; 2]) -> Result<DataType, String> {
        let file = |(number, data_type)| OfFile {
            place: Path::from(format!("part-{number}.trv")),
            fields: vec![Field::new("v", data_type, false)].into(),
        };
        let schema = merged((0..).zip(types).map(file).collect()).map_err(|error| error.to_string())?;
        Ok(schema.field(0).data_type().clone())
    }

    #[test]
    fn types_widen_and_others_name_both_files() {
        use DataType::{Boolean, Decimal128, Float64, Int8, Int32, Int64, Null, UInt32, UInt64, Utf8};
        for (one, two, both) in [
            (Int32, Int64, Int64),
            (UInt32, Int8, Int64),
            (UInt64, Int8, Decimal128(20, 0)),
            (Int32, Float64, Float64),
            (Null, Utf8, Utf8),
            (Decimal128(5, 2), Decimal128(9, 2), Decimal128(9, 2)),
        ] {
            assert_eq!(merge([one.clone(), two.clone()]).as_ref(), Ok(&both));
            assert_eq!(merge([two, one]), Ok(both));
        }
        let error = merge([Boolean, Utf8]).unwrap_err();
        assert!(error.contains("part-1.trv: field v is Utf8 here, and Boolean in part-0.trv"), "{error}");
    }

    #[test]
    fn fields_of_some_files_may_be_null() {
        let file = |name: &str| OfFile {
            place: Path::from(name),
            fields: vec![Field::new(name, DataType::Int32, false)].into(),
        };
        let schema = merged(vec![file("a"), file("b")]).unwrap();
        assert_eq!(
            schema
                .fields()
                .iter()
                .map(|field| (field.name().as_str(), field.is_nullable()))
                .collect::<Vec<_>>(),
            [("a", true), ("b", true)]
        );
    }
}
