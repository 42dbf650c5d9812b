//! Writes what comes first in a compact file.

use super::beginning::{Form, Size};
use super::{LEVEL, derive, wrapper};
use crate::bytes::varint::encode_long;
use crate::dialect::trevni::encode::header::Header;
use crate::error::{Error, Result};
use crate::limits::Limits;
use crate::metadata::{self, Metadata};
use crate::storage::checksum::Checksum;
use crate::storage::codec::{Codec, Compressors, Framing};

/// Where the bytes of a column are.
pub(in crate::dialect::trevni) enum Place<'b> {
    /// In the beginning: its one block before the codec.
    Here(&'b [u8]),
    /// After the beginning: the number of bytes.
    After(u64),
}

/// The bytes of a compact file up to the first column that comes after the beginning. `places` are those of the columns,
/// `codec` is that of the beginning.
///
/// # Errors
///
/// More bytes than a block can have.
pub(in crate::dialect::trevni) fn write(
    file: &Header,
    places: &[Place<'_>],
    codec: Codec,
) -> Result<Vec<u8>> {
    let data = beginning(file, places);
    let too_large = |size: usize| {
        Error::too_large("the size of the beginning of a compact file", size as u64, i32::MAX as u64)
    };
    let size = i32::try_from(data.len()).map_err(|_| too_large(data.len()))?.cast_unsigned();
    let compressed = Compressors::new(Framing::Raw, Some(LEVEL)).compress(codec, &data, 0)?;
    i32::try_from(compressed.len()).map_err(|_| too_large(compressed.len()))?;
    let checksum = if file.has_sum { Checksum::Crc32 } else { Checksum::Null };
    Ok(wrapper::encode(codec, size, &compressed, checksum.of(&data)))
}

/// Tells about how many bytes a block takes in the beginning: alone, without what it has in common with others.
pub(in crate::dialect::trevni) fn sizer(codec: Codec) -> impl FnMut(&[u8]) -> Result<u64> {
    let mut compressors = Compressors::new(Framing::Raw, Some(LEVEL));
    move |block| Ok(compressors.compress(codec, block, 0)?.len() as u64)
}

/// The codec of the beginning of a file whose columns have these: one that its readers have, and that makes it small.
pub(in crate::dialect::trevni) fn codec_of_beginning(columns: &[Codec]) -> Codec {
    let have = |some: &[Codec]| columns.iter().any(|codec| some.contains(codec));
    match () {
        () if have(&[Codec::Archive]) => Codec::Archive,
        () if have(&[Codec::Zstandard, Codec::TypedZstandard]) => Codec::Zstandard,
        () if Codec::Deflate.is_available() => Codec::Deflate,
        () => Codec::Snappy,
    }
}

/// The beginning before the codec.
fn beginning(file: &Header, places: &[Place<'_>]) -> Vec<u8> {
    let more = beyond_the_schema(file);
    let form = if more.is_some() { Form::Derived } else { Form::Full };
    let mut out = vec![form as u8, file.version.number()];
    encode_long(&mut out, i64::try_from(file.rows).unwrap_or(i64::MAX));
    encode_long(&mut out, file.columns.len() as i64);
    file.metadata.encode(&mut out);
    match more {
        Some(more) => more.iter().for_each(|column| column.encode(&mut out)),
        None => file.columns.iter().for_each(|column| column.encode(&mut out)),
    }
    for place in places {
        let size = match place {
            // Not more than a block of few bytes.
            Place::Here(block) => Size::Here(block.len() as u32),
            Place::After(size) => Size::After(*size),
        };
        size.encode(&mut out);
    }
    for place in places {
        if let Place::Here(block) = place {
            out.extend_from_slice(block);
        }
    }
    out
}

/// What the metadata of each column say beyond the schema; `None` where the schema does not give these columns to a reader.
fn beyond_the_schema(file: &Header) -> Option<Vec<Metadata>> {
    let (schema, memory) = (file.metadata.get(metadata::SCHEMA), Limits::DEFAULT.memory);
    let specs = derive::columns(schema, file.columns.len(), memory).ok()?;
    let each = specs.iter().zip(&file.columns);
    each.map(|(spec, column)| derive::beyond(column, &derive::metadata(spec, &specs))).collect()
}
