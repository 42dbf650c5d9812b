//! What is compressed: the header of the file that a compact file stands for, in few bytes, and its small columns.

use super::derive;
use crate::bytes::reader::{Bytes, Malformed};
use crate::bytes::varint::encode_long;
use crate::dialect::beginning::check_columns;
use crate::dialect::trevni::encode::header;
use crate::dialect::trevni::{MAGIC, Version};
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::{self, Metadata};
use crate::storage::blocks::DESCRIPTOR_BYTES;

/// The part of the memory that the bytes before the codec may take, and what their metadata may: both are there at once, and
/// what is made of them.
pub(super) const MEMORY_PART: u64 = 4;

/// Memory that an entry of metadata takes beyond its bytes, about.
const ENTRY_BYTES: u64 = 128;

/// How columns are described.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Form {
    /// By all of their metadata.
    Full = 0,
    /// By what their metadata say beyond the schema.
    Derived = 1,
}

/// Where the bytes of a column are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// Here: the number of bytes of its one block without a codec.
    Here(u32),
    /// After the beginning: the number of bytes with its table.
    After(u64),
}

impl Size {
    pub(super) fn encode(self, out: &mut Vec<u8>) {
        encode_long(
            out,
            match self {
                Self::Here(size) => i64::from(size),
                Self::After(size) => -i64::try_from(size).unwrap_or(i64::MAX),
            },
        );
    }

    fn decode(bytes: &mut Bytes<'_>) -> Result<Self> {
        let size = bytes.long().map_err(|error| error.of("the size of a column"))?;
        match u32::try_from(size).ok().filter(|size| size.cast_signed() >= 0) {
            Some(size) => Ok(Self::Here(size)),
            None if size < 0 => Ok(Self::After(size.unsigned_abs())),
            None => Err(Error::metadata(format!("a column of {size} bytes in one block"))),
        }
    }

    /// Bytes of the column in the file that is stood for.
    fn in_file(self, rows: u64) -> u64 {
        match self {
            Self::Here(_) if rows == 0 => 4,
            Self::Here(size) => 4 + DESCRIPTOR_BYTES + u64::from(size),
            Self::After(size) => size,
        }
    }
}

/// The beginning of the file that a compact file stands for.
pub(super) struct Expanded {
    pub(super) bytes: Vec<u8>,
    /// Where its header ends, and its small columns begin.
    pub(super) header: u64,
}

/// Makes the beginning of a file out of what is compressed of it; it may take `memory` bytes.
///
/// # Errors
///
/// Bytes that are cut short or left over, a schema of other columns, and more than there is memory for.
pub(super) fn expand(data: &[u8], memory: u64) -> Result<Expanded> {
    let mut bytes = Bytes::new(data);
    let (form, version) = kind(&mut bytes)?;
    let rows = count(&mut bytes, "the row count")?;
    let columns = count(&mut bytes, "the column count")?;
    // Each column has a byte of metadata and one for its size.
    if columns > bytes.remaining() as u64 / 2 {
        let error = Malformed::End { needed: columns.saturating_mul(2), available: bytes.remaining() as u64 };
        return Err(error.of("the columns of a compact file"));
    }
    check_columns(columns, memory)?;
    // It has been compared with the bytes at hand.
    let columns = columns as usize;
    let mut room = memory / MEMORY_PART / ENTRY_BYTES;
    let file = entries(&mut bytes, "the file's metadata", &mut room)?;
    let specs = match form {
        Form::Full => Vec::new(),
        Form::Derived => derive::columns(file.get(metadata::SCHEMA), columns, memory)?,
    };
    let mut metadata = Vec::with_capacity(columns);
    for number in 0..columns {
        // Nothing is derived where the form is full.
        let derived = specs.get(number).map(|spec| derive::metadata(spec, &specs)).unwrap_or_default();
        let more = entries(&mut bytes, "a column's metadata", &mut room)?;
        metadata.push(Metadata::from_pairs(derived.iter().chain(more.iter()).collect()));
    }
    let sizes = (0..columns).map(|_| Size::decode(&mut bytes)).collect::<Result<Vec<Size>>>()?;
    put_names(&file, &sizes, &mut metadata);
    let mut out = Vec::new();
    let starts = starts(&sizes, rows);
    let header = header::Header { version, rows, metadata: file, has_sum: false, columns: metadata };
    header::append(&header, &starts, &mut out);
    check_memory(out.len() as u64 + bytes.remaining() as u64, memory / 2)?;
    let header = out.len() as u64;
    for size in &sizes {
        put_column(*size, rows, &mut bytes, &mut out)?;
    }
    match bytes.remaining() {
        0 => Ok(Expanded { bytes: out, header }),
        left => Err(Error::metadata(format!("{left} bytes are left over in a compact file"))),
    }
}

fn kind(bytes: &mut Bytes<'_>) -> Result<(Form, Version)> {
    let [form, version] = bytes.array().map_err(|error| error.of("a compact file"))?;
    let form = match form {
        0 => Form::Full,
        1 => Form::Derived,
        other => return Err(Error::metadata(format!("form {other} of a compact file is not known"))),
    };
    let [a, b, c] = MAGIC;
    Ok((form, Version::from_magic(&[a, b, c, version])?))
}

fn count(bytes: &mut Bytes<'_>, what: &'static str) -> Result<u64> {
    let count = bytes.long().map_err(|error| error.of(what))?;
    u64::try_from(count).map_err(|_| Malformed::Negative(count).of(what))
}

/// Metadata; there is room for a number of entries.
fn entries(bytes: &mut Bytes<'_>, what: &'static str, room: &mut u64) -> Result<Metadata> {
    let count = bytes.long().map_err(|error| error.of(what))?;
    // A negative count is no entries, as Java has it.
    let count = count.max(0).cast_unsigned();
    if count > bytes.remaining() as u64 / 2 {
        let error = Malformed::End { needed: count.saturating_mul(2), available: bytes.remaining() as u64 };
        return Err(error.of(what));
    }
    if count > *room {
        let (what, limit) = ("the number of metadata entries of a compact file", *room);
        return Err(ErrorKind::Limit { what, value: count, limit, option: "memory" }.into());
    }
    *room -= count;
    let mut pairs = Vec::with_capacity(count as usize);
    for _ in 0..count {
        let (key, value) = metadata::next_entry(bytes).map_err(|error| error.of(what))?;
        let key = std::str::from_utf8(key).map_err(|_| Error::from(ErrorKind::Utf8 { what }))?;
        pairs.push((key, value));
    }
    Ok(Metadata::from_pairs(pairs))
}

/// Says of columns that are here that they have neither codec nor checksum, where the file has.
fn put_names(file: &Metadata, sizes: &[Size], columns: &mut [Metadata]) {
    for key in [metadata::CODEC, metadata::CHECKSUM] {
        let has = file.get(key).is_some_and(|name| name != b"null");
        for (column, size) in columns.iter_mut().zip(sizes) {
            match size {
                Size::Here(_) if has => column.insert(key, *b"null"),
                Size::Here(_) => column.remove(key),
                Size::After(_) => {}
            }
        }
    }
}

/// Where each column starts, counted from the end of the header: those that are here come first.
fn starts(sizes: &[Size], rows: u64) -> Vec<u64> {
    let mut starts = vec![0; sizes.len()];
    let mut end = 0u64;
    for here in [true, false] {
        for (start, size) in starts.iter_mut().zip(sizes) {
            if matches!(size, Size::Here(_)) == here {
                *start = end;
                end = end.saturating_add(size.in_file(rows));
            }
        }
    }
    starts
}

fn check_memory(value: u64, limit: u64) -> Result<()> {
    if value <= limit {
        return Ok(());
    }
    let what = "the memory for the beginning of a compact file";
    Err(ErrorKind::Limit { what, value, limit, option: "memory" }.into())
}

/// Appends a column that is here: block count, descriptor, block.
fn put_column(size: Size, rows: u64, bytes: &mut Bytes<'_>, out: &mut Vec<u8>) -> Result<()> {
    let Size::Here(size) = size else {
        return Ok(());
    };
    let block = bytes.take(size as usize).map_err(|error| error.of("a block of a compact file"))?;
    if rows == 0 && block.is_empty() {
        out.extend_from_slice(&0u32.to_le_bytes());
        return Ok(());
    }
    let rows = u32::try_from(rows).ok().filter(|rows| (1..=i32::MAX as u32).contains(rows));
    let rows = rows.ok_or_else(|| Error::metadata("a block of a compact file has no number of rows"))?;
    out.extend_from_slice(&1u32.to_le_bytes());
    header::encode_descriptor(rows, size, size, &[], out);
    out.extend_from_slice(block);
    Ok(())
}
