//! Opens compact files.

use super::NAME;
use super::beginning::{self, MEMORY_PART};
use super::source::{Compact, Expanded};
use super::wrapper::Wrapper;
use crate::bytes::reader::{Bytes, Malformed};
use crate::dialect::ReadOptions;
use crate::dialect::beginning::Beginning;
use crate::dialect::sums::Sums;
use crate::dialect::trevni::decode::File;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use crate::storage::blocks::DESCRIPTOR_BYTES;
use crate::storage::budget::{Budget, Hold};
use crate::storage::checksum::RunningSum;
use crate::storage::codec::{Codec, Decompressors};
use crate::storage::source::Source;
use std::borrow::Cow;

/// Opens a compact file, whose header has been read: as the file that it stands for.
///
/// # Errors
///
/// A source that fails, a file that is damaged or has another one in it, and more than there is memory for.
pub(crate) fn open<'s>(
    source: Box<dyn Source + 's>,
    wrapper: &Wrapper,
    limits: Limits,
    threads: usize,
    options: &ReadOptions,
) -> Result<File<'s>> {
    let stored = source.size()?;
    let compressed = Compressed::read(&*source, wrapper, stored, &limits);
    let here = |error: Error| error.in_column(NAME).in_block(0);
    let Compressed { data, end } = compressed.map_err(here)?;
    let expanded = beginning::expand(&data, limits.memory).map_err(here)?;
    drop(data);
    let (header, bytes) = (expanded.header, expanded.bytes);
    let len = (bytes.len() as u64).saturating_add(stored.saturating_sub(end));
    let small = header..bytes.len() as u64;
    let source = Expanded { beginning: bytes, source, rest: end, len };
    // Its own checksum is that of the block.
    let mut first = Beginning::new(&source, len, limits.memory, &source.beginning);
    let header = File::header(&mut first, Sums::Ignored)?.with_sum(wrapper.has_sum);
    let mut file = File::new(Box::new(source), header, limits, threads, options)?;
    let memory = Hold::new(&file.budget);
    memory.add(small.end)?;
    file.compact = Some(Compact { stored, small, _memory: memory });
    Ok(file)
}

/// The block of a compact file before the codec.
struct Compressed {
    data: Vec<u8>,
    /// Where the column ends in the file.
    end: u64,
}

impl Compressed {
    /// Reads the one block of the file.
    fn read(source: &dyn Source, wrapper: &Wrapper, len: u64, limits: &Limits) -> Result<Self> {
        let table_len = 4 + DESCRIPTOR_BYTES;
        let table = bytes_at(source, wrapper.start, table_len, len, "the block table")?;
        let (size, compressed) = sizes(&table)?;
        if let Some(sums) = wrapper.sums {
            sums.check_table(&table)?;
        }
        check(size, limits)?;
        let start = wrapper.start.saturating_add(table_len);
        let stored = u64::from(compressed) + wrapper.checksum.size() as u64;
        let bytes = bytes_at(source, start, stored, len, "a block")?;
        let (compressed, sum) = bytes.split_at(compressed as usize);
        if let Some(order) = wrapper.sums.map(|sums| sums.order)
            && order != RunningSum::of(sum)
        {
            let (what, computed) = ("the block, which is not the one that was written", RunningSum::of(sum));
            return Err(ErrorKind::PartChecksum { what, stored: order, computed }.into());
        }
        let (mut data, mut memory) = (Vec::new(), Hold::new(&Budget::new(limits.memory)));
        Decompressors::default().decompress(
            wrapper.codec,
            compressed,
            size as usize,
            &mut data,
            &mut memory.beside(0),
        )?;
        let checked = if wrapper.codec.encodes_values() { compressed } else { &*data };
        wrapper.checksum.verify(checked, sum, false)?;
        if wrapper.codec == Codec::Null && data.len() as u64 != u64::from(size) {
            return Err(Error::metadata("compact file: the size of the block differs from its header"));
        }
        Ok(Self { data, end: start + stored })
    }
}

/// Sizes of the one block, before and after the codec.
fn sizes(table: &[u8]) -> Result<(u32, u32)> {
    let mut bytes = Bytes::new(table);
    let mut next = || bytes.fixed32().map_err(|error| error.of("the block table"));
    let [count, rows, size, compressed] = [next()?, next()?, next()?, next()?];
    if (count, rows) != (1, 1) {
        let message =
            format!("a compact file has {count} blocks with {rows} rows, and should have one of each");
        return Err(Error::metadata(message));
    }
    match [size, compressed].into_iter().find(|size| size.cast_signed() < 0) {
        Some(size) => Err(Malformed::Negative(size.cast_signed().into()).of("a block's rows or size")),
        None => Ok((size, compressed)),
    }
}

fn check(size: u32, limits: &Limits) -> Result<()> {
    let limit = |what, limit, option| {
        let value = u64::from(size);
        if value <= limit { Ok(()) } else { Err(ErrorKind::Limit { what, value, limit, option }.into()) }
    };
    limit("the size of a block", limits.block_bytes, "block_bytes")?;
    limit("the memory for the beginning of a compact file", limits.memory / MEMORY_PART, "memory")
}

/// Bytes of a file that has `len` of them.
fn bytes_at<'a>(
    source: &'a dyn Source,
    start: u64,
    count: u64,
    len: u64,
    what: &'static str,
) -> Result<Cow<'a, [u8]>> {
    let available = len.saturating_sub(start);
    if count > available {
        return Err(Malformed::End { needed: count, available }.of(what).at_offset(start));
    }
    // A block has as many bytes as an int counts.
    let count = count as usize;
    if let Some(bytes) = source.slice(start, count) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut bytes = vec![0; count];
    source.read_at(start, &mut bytes).map_err(|error| Error::from(error).at_offset(start))?;
    Ok(Cow::Owned(bytes))
}
