//! Descriptions of columns and blocks, without decoding them.

use crate::bytes::reader::Bytes;
use crate::dialect::trevni::decode::{ColumnHeader, File};
use crate::error::{Error, Result};
use crate::metadata::{self, Metadata};
use crate::schema::columns::Layout;
use crate::schema::places::{self, Place};
use crate::shape::Shape;
use crate::value_type::ValueType;
use crate::zone_map::Zone;
use std::sync::Arc;

/// A column as the header describes it.
#[derive(Clone, Debug)]
pub struct ColumnInfo {
    name: String,
    value_type: ValueType,
    array: bool,
    parent: Option<String>,
    first_values: bool,
    codec: Arc<str>,
    checksum: Arc<str>,
    start: u64,
    place: Option<Place>,
    metadata: Metadata,
}

/// All columns of a file whose rows have this shape. They share values inherited from the file's metadata.
pub(super) fn columns(file: &File<'_>, shape: &Shape, layout: &Layout) -> Vec<ColumnInfo> {
    let header = &file.header;
    let places = places::places(shape, layout, header.len());
    let name_of = |number: usize| header.column(number).map(|column| column.spec.name.to_owned());
    let inherited = |key: &str| Arc::from(header.entries().get_str(key).unwrap_or("null"));
    let (codec, checksum) = (inherited(metadata::CODEC), inherited(metadata::CHECKSUM));
    let own = |column: &ColumnHeader<'_>, key: &str, inherited: &Arc<str>| match column.metadata.get_str(key)
    {
        Some(name) => Arc::from(name),
        None => Arc::clone(inherited),
    };
    let info = |(column, place): (ColumnHeader<'_>, Option<Place>)| ColumnInfo {
        name: column.spec.name.to_owned(),
        value_type: column.spec.value_type,
        array: column.spec.array,
        parent: column.spec.parent.and_then(name_of),
        first_values: column.first_values,
        codec: own(&column, metadata::CODEC, &codec),
        checksum: own(&column, metadata::CHECKSUM, &checksum),
        start: column.start,
        place,
        metadata: column.metadata.to_metadata(),
    };
    let mut columns: Vec<ColumnInfo> = header.columns().zip(places).map(info).collect();
    for (number, column) in
        columns.iter_mut().enumerate().filter(|(number, _)| header.zone_map(*number).is_some())
    {
        // A zone map that cannot be read again is skipped; `Reader::zone_map` reports the error.
        if let Ok(Some(zone_map)) = file.zone_map_bytes(number) {
            column.metadata.insert(metadata::ZONE_MAP, zone_map);
        }
    }
    columns
}

impl ColumnInfo {
    /// Name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Type of the values.
    #[must_use]
    pub fn value_type(&self) -> ValueType {
        self.value_type
    }

    /// Whether the column stores lengths.
    #[must_use]
    pub fn is_array(&self) -> bool {
        self.array
    }

    /// Name of the parent column, whose lengths also apply to this column.
    #[must_use]
    pub fn parent(&self) -> Option<&str> {
        self.parent.as_deref()
    }

    /// Whether block descriptors store the first value of the block.
    #[must_use]
    pub fn has_first_values(&self) -> bool {
        self.first_values
    }

    /// Name of the codec, possibly one that this build lacks.
    #[must_use]
    pub fn codec(&self) -> &str {
        &self.codec
    }

    /// Name of the checksum, possibly an unknown one.
    #[must_use]
    pub fn checksum(&self) -> &str {
        &self.checksum
    }

    /// Position in the file, in bytes.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Path of the field with these values or lengths, as for [`Reader::project`](super::Reader::project).
    /// The lengths of a list have the path of its items. `None` for a column that is not in the schema;
    /// empty if the rows are not records.
    ///
    /// ```
    /// let bytes = trevni::to_vec([serde_json::json!({"from": {"host": "a", "port": 1}, "to": ["b"]})])?;
    /// let reader = trevni::Reader::from_slice(&bytes)?;
    /// let paths: Vec<_> = reader.columns().iter().map(|column| (column.name(), column.path())).collect();
    /// let expected = [("from#host", "from.host"), ("from#port", "from.port"), ("to[]", "to")];
    /// assert_eq!(paths, expected.map(|(name, path)| (name, Some(path))));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.place.as_ref().map(|place| &*place.path)
    }

    /// The names in [`path`](Self::path), one per step, as for
    /// [`Reader::project_paths`](super::Reader::project_paths). They show which dots are part of a name;
    /// variants of unions have their full names.
    ///
    /// ```
    /// let bytes = trevni::to_vec([serde_json::json!({"from": {"5.5": 1}})])?;
    /// let reader = trevni::Reader::from_slice(&bytes)?;
    /// let column = &reader.columns()[0];
    /// assert_eq!(column.path(), Some("from.5.5"));
    /// assert_eq!(column.path_names().unwrap(), ["from", "5.5"]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn path_names(&self) -> Option<&[String]> {
        self.place.as_ref().map(|place| &*place.names)
    }

    /// Whether the lengths are those of an option or of a variant of a union, 0 or 1. Other array columns
    /// hold the lengths of lists and maps.
    #[must_use]
    pub fn is_optional(&self) -> bool {
        self.place.as_ref().is_some_and(|place| place.optional)
    }

    /// The metadata of the column.
    #[must_use]
    pub fn metadata(&self) -> &Metadata {
        &self.metadata
    }
}

/// A block of a column (specification, "block descriptor").
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct BlockInfo {
    /// Number of the first row, from 0.
    pub first_row: u64,
    /// Number of rows.
    pub rows: u32,
    /// Size in bytes, uncompressed.
    pub size: u32,
    /// Size in bytes, compressed, without the checksum.
    pub compressed_size: u32,
    /// Position in the file, in bytes.
    pub offset: u64,
    /// The first value, if the column has first values.
    pub first_value: Option<FirstValue>,
    /// Bounds and counts of the values, from a zone map or from the first values of a sorted column.
    pub zone: Option<Zone>,
}

/// The first value of a block.
#[derive(Clone, Debug, PartialEq)]
pub enum FirstValue {
    /// Of a null column.
    Null,
    /// Of a boolean column.
    Boolean(bool),
    /// Of an int or fixed32 column.
    Int(i32),
    /// Of a long or fixed64 column.
    Long(i64),
    /// Of a float column.
    Float(f32),
    /// Of a double column.
    Double(f64),
    /// Of a string column.
    String(String),
    /// Of a bytes column.
    Bytes(Vec<u8>),
}

/// The blocks of a column.
pub(super) fn blocks(file: &File<'_>, number: usize) -> Result<Vec<BlockInfo>> {
    let column = file.column(number)?;
    let table = file.table(number)?;
    let zones = file.zones(number)?;
    let zone = |number: usize| zones.as_ref().and_then(|map| map.zones.get(number)).cloned();
    let first = |bytes: &[u8]| match column.first_values {
        true => first_value(bytes, column.spec.value_type).map(Some),
        false => Ok(None),
    };
    table
        .iter()
        .enumerate()
        .map(|(number, block)| {
            Ok(BlockInfo {
                first_row: block.first_row,
                rows: block.rows,
                size: block.size,
                compressed_size: block.compressed,
                offset: block.offset,
                first_value: first(table.first_value(number))
                    .map_err(|error| error.in_column(column.spec.name))?,
                zone: zone(number),
            })
        })
        .collect()
}

fn first_value(bytes: &[u8], value_type: ValueType) -> Result<FirstValue> {
    let mut bytes = Bytes::new(bytes);
    let value = match value_type {
        ValueType::Null => Ok(FirstValue::Null),
        ValueType::Boolean => bytes.byte().map(|byte| FirstValue::Boolean(byte & 1 == 1)),
        ValueType::Int => bytes.int().map(FirstValue::Int),
        ValueType::Long => bytes.long().map(FirstValue::Long),
        ValueType::Fixed32 => bytes.fixed32().map(|value| FirstValue::Int(value.cast_signed())),
        ValueType::Fixed64 => bytes.fixed64().map(|value| FirstValue::Long(value.cast_signed())),
        ValueType::Float => bytes.array().map(|value| FirstValue::Float(f32::from_le_bytes(value))),
        ValueType::Double => bytes.array().map(|value| FirstValue::Double(f64::from_le_bytes(value))),
        ValueType::String => bytes.text().map(|text| FirstValue::String(text.to_owned())),
        ValueType::Bytes => bytes.prefixed().map(|value| FirstValue::Bytes(value.to_vec())),
    };
    value.map_err(|error| -> Error { error.of("a first value") })
}
