//! Descriptions of columns and blocks, without decoding them.

use crate::bytes::reader::Bytes;
use crate::error::{Error, Result};
use crate::metadata::Metadata;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::value_type::ValueType;
use crate::storage::zone_map::Zone;
use crate::tree::places::Place;
use std::sync::Arc;

/// A codec or checksum, as a file names it.
#[derive(Clone, Debug)]
pub(super) enum Named<T> {
    Known(T),
    /// A name that this crate does not know.
    Unknown(Arc<str>),
}

impl<T: Copy> Named<T> {
    /// Parses a name.
    pub(super) fn new(name: &str, known: Option<T>) -> Self {
        known.map_or_else(|| Self::Unknown(Arc::from(name)), Self::Known)
    }

    fn known(&self) -> Option<T> {
        match self {
            Self::Known(known) => Some(*known),
            Self::Unknown(_) => None,
        }
    }
}

/// A column as the header describes it.
#[derive(Clone, Debug)]
pub struct ColumnInfo {
    pub(super) name: String,
    pub(super) value_type: ValueType,
    pub(super) array: bool,
    pub(super) parent: Option<String>,
    pub(super) first_values: bool,
    pub(super) codec: Named<Codec>,
    pub(super) checksum: Named<Checksum>,
    pub(super) start: u64,
    pub(super) within_beginning: bool,
    pub(super) place: Option<Place>,
    pub(super) optional: bool,
    /// Of formats with levels.
    pub(super) greatest_repetition: u8,
    pub(super) greatest_definition: u8,
    pub(super) width: Option<usize>,
    pub(super) metadata: Metadata,
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

    /// The codec, possibly one that this build lacks ([`Codec::is_available`]); `None` where the file names one that this
    /// crate does not know. A column within the beginning of a compact file has the codec that the file names, as in
    /// a plain file.
    ///
    /// ```
    /// use trevni::{Codec, Reader};
    ///
    /// let file = trevni::to_vec([1, 2, 3])?;
    /// let reader = Reader::from_slice(&file)?;
    /// let column = &reader.columns()[0];
    /// assert_eq!((column.codec(), column.codec_name()), (Some(Codec::Snappy), "snappy"));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn codec(&self) -> Option<Codec> {
        self.codec.known()
    }

    /// The name of the codec, as [`Codec::name`] has it; that of the file where this crate does not know it.
    #[must_use]
    pub fn codec_name(&self) -> &str {
        match &self.codec {
            Named::Known(codec) => codec.name(),
            Named::Unknown(name) => name,
        }
    }

    /// The checksum; `None` where the file names one that this crate does not know. Of a column within the beginning of a
    /// compact file as for [`codec`](Self::codec).
    #[must_use]
    pub fn checksum(&self) -> Option<Checksum> {
        self.checksum.known()
    }

    /// The name of the checksum, as [`Checksum::name`] has it; that of the file where this crate does not know it.
    #[must_use]
    pub fn checksum_name(&self) -> &str {
        match &self.checksum {
            Named::Known(checksum) => checksum.name(),
            Named::Unknown(name) => name,
        }
    }

    /// Position in the file, in bytes; of a compact file that in the plain file that it stands for.
    #[must_use]
    pub fn start(&self) -> u64 {
        self.start
    }

    /// Whether the column is within the beginning of a compact file
    /// ([`Trevni::compact`](crate::formats::Trevni::compact)), which is compressed as a whole: its block has neither
    /// codec nor checksum of its own.
    ///
    /// ```
    /// use trevni::formats::Trevni;
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().format(Trevni::new().compact()).build(Vec::new())?;
    /// writer.write_all((0..100_000_i64).map(|n| (n % 3 == 0, n * n)))?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?;
    /// let within: Vec<bool> = reader.columns().iter().map(|column| column.is_within_beginning()).collect();
    /// assert_eq!(within, [true, false]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    pub fn is_within_beginning(&self) -> bool {
        self.within_beginning
    }

    /// Path of the field whose values or lengths these are, as [`Reader::project`](crate::Reader::project)
    /// takes it; the lengths of a list have the path of its items. None for a column that the schema does
    /// not know. Empty where the rows are no records.
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

    /// The names of [`path`](Self::path), one for each step, as
    /// [`Reader::project_paths`](crate::Reader::project_paths) takes them. Variants of unions have their full names.
    ///
    /// ```
    /// let bytes = trevni::to_vec([serde_json::json!({"from": {"5.5": 1}})])?;
    /// let reader = trevni::Reader::from_slice(&bytes)?;
    /// let column = &reader.columns()[0];
    /// assert_eq!(column.path(), Some("from.`5.5`"));
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
        self.optional
    }

    /// The greatest repetition level: the number of lists around the values. 0 in Trevni, whose columns have lengths.
    #[must_use]
    pub fn max_repetition(&self) -> u16 {
        u16::from(self.greatest_repetition)
    }

    /// The greatest definition level: the number of lists and optionals around the values. 0 in Trevni, whose columns
    /// have lengths.
    #[must_use]
    pub fn max_definition(&self) -> u16 {
        u16::from(self.greatest_definition)
    }

    /// How many values each entry has, where these are the rows of a matrix.
    #[must_use]
    pub fn array_width(&self) -> Option<usize> {
        self.width
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
#[non_exhaustive]
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

impl FirstValue {
    /// A first value, as the type encodes it.
    pub(super) fn decode(bytes: &mut Bytes<'_>, value_type: ValueType) -> Result<Self> {
        let value = match value_type {
            ValueType::Null => Ok(Self::Null),
            ValueType::Boolean => bytes.byte().map(|byte| Self::Boolean(byte & 1 == 1)),
            ValueType::Int => bytes.int().map(Self::Int),
            ValueType::Long => bytes.long().map(Self::Long),
            ValueType::Fixed32 => bytes.fixed32().map(|value| Self::Int(value.cast_signed())),
            ValueType::Fixed8 => bytes.byte().map(|value| Self::Int(i32::from(value.cast_signed()))),
            ValueType::Fixed16 => bytes.array().map(|value| Self::Int(i32::from(i16::from_le_bytes(value)))),
            ValueType::Timestamp => bytes.take(12).map(|value| Self::Bytes(value.to_vec())),
            ValueType::Fixed64 => bytes.fixed64().map(|value| Self::Long(value.cast_signed())),
            ValueType::Float => bytes.array().map(|value| Self::Float(f32::from_le_bytes(value))),
            ValueType::Double => bytes.array().map(|value| Self::Double(f64::from_le_bytes(value))),
            ValueType::String => bytes.text().map(|text| Self::String(text.to_owned())),
            ValueType::Bytes => bytes.prefixed().map(|value| Self::Bytes(value.to_vec())),
        };
        value.map_err(|error| -> Error { error.of("a first value") })
    }
}
