//! Writes what comes first in a compact file.

use super::beginning::{Form, Size};
use super::{LEVEL, derive, wrapper};
use crate::bytes::varint::encode_long;
use crate::dialect::trevni::Version;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::metadata::{self, Metadata};
use crate::storage::checksum::Checksum;
use crate::storage::codec::{Codec, Compressors, Framing};

/// A file that is written compactly, without the columns that come after the beginning.
pub(in crate::dialect::trevni) struct File {
    pub(in crate::dialect::trevni) version: Version,
    pub(in crate::dialect::trevni) rows: u64,
    pub(in crate::dialect::trevni) metadata: Metadata,
    /// Whether the beginning has a checksum.
    pub(in crate::dialect::trevni) has_sum: bool,
    pub(in crate::dialect::trevni) columns: Vec<Column>,
}

/// A column of such a file.
pub(in crate::dialect::trevni) struct Column {
    pub(in crate::dialect::trevni) metadata: Metadata,
    pub(in crate::dialect::trevni) place: Place,
}

/// Where the bytes of a column are.
pub(in crate::dialect::trevni) enum Place {
    /// In the beginning: its one block before the codec.
    Here(Vec<u8>),
    /// After the beginning, so many bytes.
    After(u64),
}

/// The bytes of a compact file up to the first column that comes after the beginning. `codec` is that of the file.
///
/// # Errors
///
/// More bytes than a block can have.
pub(in crate::dialect::trevni) fn write(file: &File, codec: Codec) -> Result<Vec<u8>> {
    let data = beginning(file);
    let too_large = |size: usize| {
        Error::too_large("the size of the beginning of a compact file", size as u64, i32::MAX as u64)
    };
    let size = i32::try_from(data.len()).map_err(|_| too_large(data.len()))?.cast_unsigned();
    let codec = codec_of_beginning(codec);
    let compressed = Compressors::new(Framing::Raw, Some(LEVEL)).compress(codec, &data, 0)?;
    i32::try_from(compressed.len()).map_err(|_| too_large(compressed.len()))?;
    let checksum = if file.has_sum { Checksum::Crc32 } else { Checksum::Null };
    Ok(wrapper::encode(codec, size, &compressed, checksum.of(&data)))
}

/// The codec of the beginning: one that every reader of the file has, and that makes it small.
fn codec_of_beginning(codec: Codec) -> Codec {
    match codec {
        Codec::Zstandard | Codec::TypedZstandard => Codec::Zstandard,
        _ if Codec::Deflate.is_available() => Codec::Deflate,
        _ => Codec::Snappy,
    }
}

/// The beginning before the codec.
fn beginning(file: &File) -> Vec<u8> {
    let more = beyond_the_schema(file);
    let form = if more.is_some() { Form::Derived } else { Form::Full };
    let mut out = vec![form as u8, file.version.number()];
    encode_long(&mut out, i64::try_from(file.rows).unwrap_or(i64::MAX));
    encode_long(&mut out, file.columns.len() as i64);
    file.metadata.encode(&mut out);
    match more {
        Some(more) => more.iter().for_each(|column| column.encode(&mut out)),
        None => file.columns.iter().for_each(|column| column.metadata.encode(&mut out)),
    }
    for column in &file.columns {
        let size = match &column.place {
            // Not more than a block of few bytes.
            Place::Here(block) => Size::Here(block.len() as u32),
            Place::After(size) => Size::After(*size),
        };
        size.encode(&mut out);
    }
    for column in &file.columns {
        if let Place::Here(block) = &column.place {
            out.extend_from_slice(block);
        }
    }
    out
}

/// What the metadata of each column say beyond the schema; none where the schema does not give these columns to a reader.
fn beyond_the_schema(file: &File) -> Option<Vec<Metadata>> {
    let (schema, memory) = (file.metadata.get(metadata::SCHEMA), Limits::DEFAULT.memory);
    let specs = derive::columns(schema, file.columns.len(), memory).ok()?;
    let each = specs.iter().zip(&file.columns);
    each.map(|(spec, column)| derive::beyond(&column.metadata, &derive::metadata(spec, &specs))).collect()
}
