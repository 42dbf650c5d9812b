//! Where in a file its parts are: the header, the columns, and what lies between and after them.

use crate::input::Input;
use trevni::{BlockInfo, ColumnInfo};

/// A part of a file.
pub(crate) struct Extent {
    pub(crate) start: u64,
    pub(crate) bytes: u64,
    pub(crate) what: What,
}

/// What a part of a file is.
pub(crate) enum What {
    /// Magic, counts, metadata, and where columns start.
    Header,
    /// Bytes that belong to nothing.
    Unused,
    Column(Stored),
}

/// A column in a file.
pub(crate) struct Stored {
    /// Its number.
    pub(crate) number: usize,
    /// Bytes of the block table in front of the blocks.
    pub(crate) table: u64,
    pub(crate) blocks: Vec<BlockInfo>,
}

/// All parts of a file, in its order; their bytes add up to those of the file.
pub(crate) fn extents(input: &Input) -> Result<Vec<Extent>, trevni::Error> {
    let mut columns = Vec::new();
    for (number, info) in input.reader.columns().iter().enumerate() {
        let blocks = input.reader.blocks(number)?;
        // A table without blocks is their number alone.
        let table = blocks.first().map_or(4, |first| first.offset.saturating_sub(info.start()));
        let bytes = table + blocks.iter().map(|block| stored(info, block)).sum::<u64>();
        let what = What::Column(Stored { number, table, blocks });
        columns.push(Extent { start: info.start(), bytes, what });
    }
    columns.sort_by_key(|column| column.start);
    let header = columns.first().map_or(input.bytes, |first| first.start);
    let mut extents = vec![Extent { start: 0, bytes: header, what: What::Header }];
    let mut end = header;
    for column in columns {
        if column.start > end {
            extents.push(Extent { start: end, bytes: column.start - end, what: What::Unused });
        }
        end = end.max(column.start + column.bytes);
        extents.push(column);
    }
    if input.bytes > end {
        extents.push(Extent { start: end, bytes: input.bytes - end, what: What::Unused });
    }
    Ok(extents)
}

/// Bytes of a block in the file, with its checksum.
pub(crate) fn stored(info: &ColumnInfo, block: &BlockInfo) -> u64 {
    let checksum = if info.checksum() == "null" { 0 } else { 4 };
    u64::from(block.compressed_size) + checksum
}
