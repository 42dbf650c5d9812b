//! Where in a file its parts are: header or footer, the columns, and what lies between and after them.

use crate::dialect;
use crate::input::Input;
use trevni::column::ColumnInfo;
use trevni::formats::{RedElmInfo, TrevniInfo};
use trevni::{BlockInfo, Checksum};

/// A part of a file.
pub(crate) struct Extent {
    pub(crate) start: u64,
    pub(crate) bytes: u64,
    pub(crate) what: What,
}

/// What a part of a file is.
pub(crate) enum What {
    /// Magic, counts, metadata, and where columns start; only the magic, where there is a footer.
    Header,
    /// What a header says, in a file of row groups.
    Footer,
    /// Bytes that belong to nothing.
    Unused,
    Column(Stored),
}

/// A column in a file, or its part of a row group.
pub(crate) struct Stored {
    /// Its number.
    pub(crate) number: usize,
    /// The number of the row group, where the file has any.
    pub(crate) group: Option<usize>,
    /// Bytes of the block table in front of the blocks.
    pub(crate) table: u64,
    pub(crate) blocks: Vec<BlockInfo>,
}

/// All parts of a file, in its order; their bytes add up to those of the file, or of the plain file that a compact one
/// stands for.
pub(crate) fn extents(input: &Input) -> Result<Vec<Extent>, trevni::Error> {
    let footer = input.reader.info::<RedElmInfo>().map(|info| info.footer_range);
    let mut parts = match footer {
        Some(_) => chunks(input)?,
        None => columns(input)?,
    };
    parts.sort_by_key(|part| (part.start, part.start + part.bytes));
    let header = match footer {
        Some(_) => dialect::magic_size(input.reader.dialect()),
        None => parts.first().map_or(input.bytes, |first| first.start),
    };
    parts.extend(footer.map(|range| {
        let bytes = range.end - range.start;
        Extent { start: range.start, bytes, what: What::Footer }
    }));
    let mut extents = vec![Extent { start: 0, bytes: header, what: What::Header }];
    let mut end = header;
    for part in parts {
        if part.start > end {
            extents.push(Extent { start: end, bytes: part.start - end, what: What::Unused });
        }
        end = end.max(part.start + part.bytes);
        extents.push(part);
    }
    if input.bytes > end && !input.reader.info::<TrevniInfo>().is_some_and(|info| info.is_compact) {
        extents.push(Extent { start: end, bytes: input.bytes - end, what: What::Unused });
    }
    Ok(extents)
}

/// The columns, each with all its blocks.
fn columns(input: &Input) -> Result<Vec<Extent>, trevni::Error> {
    let mut columns = Vec::new();
    for (number, info) in input.reader.columns().iter().enumerate() {
        let blocks = input.reader.blocks(number)?;
        // A table without blocks is their number alone.
        let table = blocks.first().map_or(4, |first| first.offset.saturating_sub(info.start()));
        let bytes = table + blocks.iter().map(|block| stored(info, block)).sum::<u64>();
        let what = What::Column(Stored { number, group: None, table, blocks });
        columns.push(Extent { start: info.start(), bytes, what });
    }
    Ok(columns)
}

/// The columns of each row group.
fn chunks(input: &Input) -> Result<Vec<Extent>, trevni::Error> {
    let mut chunks = Vec::new();
    for (number, info) in input.reader.columns().iter().enumerate() {
        for (group, block) in input.reader.blocks(number)?.into_iter().enumerate() {
            let (start, bytes) = (block.offset, stored(info, &block));
            let stored = Stored { number, group: Some(group), table: 0, blocks: vec![block] };
            chunks.push(Extent { start, bytes, what: What::Column(stored) });
        }
    }
    Ok(chunks)
}

/// Bytes of a block in the file, with its checksum.
pub(crate) fn stored(info: &ColumnInfo, block: &BlockInfo) -> u64 {
    let has_none = info.checksum() == Some(Checksum::Null) || info.is_within_beginning();
    let checksum = if has_none { 0 } else { 4 };
    u64::from(block.compressed_size) + checksum
}
