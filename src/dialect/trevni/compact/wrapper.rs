//! The Trevni file around what is compressed: one row, and one column of a type that others do not know.

use super::NAME;
use crate::bytes::reader::Part;
use crate::bytes::reader::{Bytes, Malformed, Read};
use crate::dialect::beginning::Beginning;
use crate::dialect::sums::{self, ColumnSums, Sums};
use crate::dialect::trevni::columns::ColumnSpec;
use crate::dialect::trevni::encode::header;
use crate::dialect::trevni::{MAGIC, Version};
use crate::error::Result;
use crate::metadata::{self, Entries, Metadata};
use crate::storage::checksum::{Checksum, RunningSum};
use crate::storage::codec::Codec;
use crate::storage::value_type::ValueType;
use std::ops::Range;

/// What the header of a compact file says.
#[derive(Debug)]
pub(crate) struct Wrapper {
    pub(super) codec: Codec,
    pub(super) checksum: Checksum,
    /// Where its one column is.
    pub(super) start: u64,
    /// The checksums of the column, where they count.
    pub(super) sums: Option<ColumnSums>,
    /// Whether the header has a checksum, which has been compared.
    pub(super) has_sum: bool,
}

/// The header of a file, if it is compact.
///
/// # Errors
///
/// A source that fails, a header of a compact file that is damaged, and a codec that is not known.
pub(crate) fn recognize(beginning: &mut Beginning<'_>, sums: Sums) -> Result<Option<Wrapper>> {
    let [a, b, c] = MAGIC;
    if !beginning.has(&[a, b, c, Version::V2.number()]) {
        return Ok(None);
    }
    let len = beginning.len();
    beginning.decode(|data| decode(data, len, sums))
}

fn decode(data: &[u8], len: u64, sums: Sums) -> Result<Option<Wrapper>> {
    let behind = len.saturating_sub(data.len() as u64);
    let parts = match parts(data) {
        Ok(Some(parts)) => parts,
        // Where the file is cut, or wrong in another way, the reader of all others says so.
        Err(Malformed::End { needed, available }) if needed <= available.saturating_add(behind) => {
            return Err(Malformed::End { needed, available }.before(behind).of("the header"));
        }
        Ok(None) | Err(_) => return Ok(None),
    };
    let Parts { file, column, start, end } = parts;
    let has_sum = match sums {
        Sums::Compared => sums::check_header(data.part(..end)?, &file)?,
        Sums::Ignored => false,
    };
    let (file, column) = (Entries::new(data.part(file)?), Entries::new(data.part(column)?));
    let name = |key: &str| column.get_str(key).or_else(|| file.get_str(key)).unwrap_or("null");
    let own = |error: crate::error::Error| error.in_column(NAME);
    Ok(Some(Wrapper {
        codec: Codec::from_name(name(metadata::CODEC)).map_err(own)?,
        checksum: Checksum::from_name(name(metadata::CHECKSUM)).map_err(own)?,
        start,
        sums: if sums == Sums::Compared { ColumnSums::from_column(column).map_err(own)? } else { None },
        has_sum,
    }))
}

/// Where the parts of the header are, and what it says.
struct Parts {
    file: Range<usize>,
    column: Range<usize>,
    start: u64,
    end: usize,
}

/// The parts of the header of a compact file; `None` of another file.
fn parts(data: &[u8]) -> Read<Option<Parts>> {
    let mut bytes = Bytes::at(data, 4);
    if (bytes.fixed64()?, bytes.fixed32()?) != (1, 1) {
        return Ok(None);
    }
    let file = entries(&mut bytes)?;
    let column = entries(&mut bytes)?;
    let of_column = Entries::new(&data[column.clone()]);
    if of_column.get(metadata::TYPE) != Some(NAME.as_bytes()) {
        return Ok(None);
    }
    let start = bytes.fixed64()?;
    Ok(Some(Parts { file, column, start, end: bytes.position() }))
}

/// Passes over metadata; returns where their entries are.
fn entries(bytes: &mut Bytes<'_>) -> Read<Range<usize>> {
    let count = bytes.long()?;
    let start = bytes.position();
    for _ in 0..count.max(0) {
        metadata::next_entry(bytes)?;
    }
    Ok(start..bytes.position())
}

/// The header and the column around bytes that have been compressed, which had `size` bytes before. `sum` is their checksum,
/// where there is one.
pub(super) fn encode(codec: Codec, size: u32, compressed: &[u8], sum: Option<[u8; 4]>) -> Vec<u8> {
    let mut block_table = 1u32.to_le_bytes().to_vec();
    header::encode_descriptor(1, size, compressed.len() as u32, &[], &mut block_table);
    let sum = sum.as_ref().map(<[u8; 4]>::as_slice);
    let sums = sum.map(|sum| ColumnSums { table: RunningSum::of(&block_table), order: RunningSum::of(sum) });
    let mut file = Metadata::default();
    file.insert(metadata::CODEC, codec.name());
    if sum.is_some() {
        file.insert(metadata::CHECKSUM, Checksum::Crc32.name());
    }
    // The type is put in below: it is not one that values have.
    let spec = ColumnSpec { name: NAME.to_owned(), value_type: ValueType::Bytes, array: false, parent: None };
    let mut column = header::column_metadata(&spec, None, false, &Metadata::default(), sums, None);
    column.insert(metadata::TYPE, NAME);
    let (version, has_sum) = (Version::V2, sum.is_some());
    let header = header::Header { version, rows: 1, metadata: file, has_sum, columns: vec![column] };
    let mut out = Vec::new();
    header::append(&header, &[0], &mut out);
    for part in [&block_table, compressed, sum.unwrap_or_default()] {
        out.extend_from_slice(part);
    }
    out
}
