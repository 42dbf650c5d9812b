//! Finds the footer of a file, and compares it with the schema and the bytes at hand.

use super::super::footer::{Block, Blocks, Chunk, Footer, NAME, RowGroup};
use super::super::leaves::{Leaf, leaves};
use super::super::{MAGIC, ZONES, codec};
use crate::dialect::dremel::Place;
use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use crate::metadata::Metadata;
use crate::schema::message::{self, Message};
use crate::storage::codec::Codec;
use crate::storage::source::Source;
use std::collections::HashMap;
use std::sync::Arc;

/// The least bytes that are read of the end of a file.
const TAIL_BYTES: u64 = 16 << 10;

/// Bytes after the footer: its position, and the magic.
const END_BYTES: u64 = 16;

/// What the footer says.
pub(in super::super) struct Header {
    pub(in super::super) message: Message,
    /// The columns, in the order of the message.
    pub(in super::super) leaves: Vec<Leaf>,
    pub(in super::super) codec: Codec,
    /// The Java class of the codec.
    pub(in super::super) codec_name: Option<String>,
    pub(in super::super) groups: Vec<Group>,
    /// Number of rows.
    pub(in super::super) rows: u64,
    /// The blocks of other names.
    pub(in super::super) metadata: Metadata,
    /// The zone maps of all columns.
    pub(in super::super) zones: Option<Vec<u8>>,
}

/// A row group.
pub(in super::super) struct Group {
    /// Number of the first row.
    pub(in super::super) first: u64,
    pub(in super::super) rows: u32,
    /// The bytes of each column.
    pub(in super::super) extents: Box<[Extent]>,
}

/// Where the bytes of a column are in a row group.
#[derive(Clone, Copy, Debug, Default)]
pub(in super::super) struct Extent {
    /// Where repetition levels, definition levels and values begin, and where these end.
    pub(in super::super) borders: [u64; 4],
    /// What they may be before compression.
    pub(in super::super) hints: [u64; 3],
    /// Number of pairs of levels.
    pub(in super::super) entries: u32,
}

/// Reads the footer of a file of `len` bytes.
///
/// # Errors
///
/// A source that fails, and bytes that are no RedElm file.
pub(in super::super) fn read(source: &dyn Source, len: u64, limits: &Limits) -> Result<Header> {
    let footer = footer_of(source, len, limits)?;
    let start = len - END_BYTES - footer.len() as u64;
    header(&footer, start, limits).map_err(|error| error.at_offset(start))
}

/// The bytes of the footer of a file of `len` bytes, which have not been looked at.
///
/// # Errors
///
/// A source that fails, and bytes that are no RedElm file.
pub(in super::super) fn footer_of(source: &dyn Source, len: u64, limits: &Limits) -> Result<Vec<u8>> {
    if len <= MAGIC.len() as u64 + END_BYTES {
        let needed = MAGIC.len() as u64 + END_BYTES + 1;
        return Err(ErrorKind::Truncated { what: "the RedElm file", needed, available: len }.into());
    }
    let mut magic = [0; MAGIC.len()];
    source.read_at(0, &mut magic)?;
    if magic != MAGIC {
        return Err(Error::metadata(format!("a RedElm file begins with {MAGIC:02x?}, not {magic:02x?}")));
    }
    footer_bytes(source, len, limits)
}

/// The bytes of the footer.
fn footer_bytes(source: &dyn Source, len: u64, limits: &Limits) -> Result<Vec<u8>> {
    let mut tail = vec![0; TAIL_BYTES.min(len) as usize];
    let tail_start = len - tail.len() as u64;
    source.read_at(tail_start, &mut tail)?;
    let Some((rest, end)) = tail.split_last_chunk::<8>() else {
        return Err(Error::internal("the end of a file is too short"));
    };
    if *end != MAGIC {
        return Err(Error::metadata(format!("a RedElm file ends with {MAGIC:02x?}, not {end:02x?}")));
    }
    let (body, start) = rest.split_last_chunk::<8>().unwrap_or((&[], &[0; 8]));
    let start = i64::from_be_bytes(*start);
    let most = len - END_BYTES;
    let start = u64::try_from(start)
        .ok()
        .filter(|start| (MAGIC.len() as u64..=most).contains(start))
        .ok_or_else(|| {
            Error::metadata(format!("the footer begins at byte {start}, and the file has {len}"))
                .at_offset(most)
        })?;
    let size = most - start;
    if size > limits.block_bytes {
        let what = "the size of the footer";
        return Err(ErrorKind::Limit { what, value: size, limit: limits.block_bytes }.into());
    }
    if let Some(at) = start.checked_sub(tail_start) {
        return Ok(body.get(at as usize..).unwrap_or_default().to_vec());
    }
    let mut footer = vec![0; (tail_start - start) as usize];
    source.read_at(start, &mut footer)?;
    footer.extend_from_slice(body);
    Ok(footer)
}

fn header(footer: &[u8], end: u64, limits: &Limits) -> Result<Header> {
    let blocks = Blocks::read(footer)?;
    let own = blocks.iter().find(|block| block.name == NAME);
    let own = own.ok_or_else(|| Error::metadata(format!("the footer has no block named {NAME}")))?;
    let Footer { schema, codec, groups } = Footer::read(&own.bytes, limits.block_bytes)?;
    let message = message::parse(&schema)?;
    let leaves = leaves(&message);
    let groups = placed(groups, &leaves, end)?;
    let rows = groups.last().map_or(0, |group| group.first + u64::from(group.rows));
    let codec_name = codec;
    Ok(Header {
        codec: codec::from_name(codec_name.as_deref())?,
        message,
        leaves,
        codec_name,
        groups,
        rows,
        metadata: others(&blocks),
        zones: blocks.into_iter().find(|block| block.name == ZONES).map(|block| block.bytes.into_owned()),
    })
}

/// The blocks of other names.
fn others(blocks: &[Block<'_>]) -> Metadata {
    let others = blocks.iter().filter(|block| block.name != NAME && block.name != ZONES);
    Metadata::from_pairs(others.map(|block| (&*block.name, &*block.bytes)).collect())
}

/// The row groups, with the columns in the order of the leaves.
fn placed(groups: Vec<RowGroup>, leaves: &[Leaf], end: u64) -> Result<Vec<Group>> {
    let numbers: HashMap<&[Arc<str>], usize> =
        leaves.iter().enumerate().map(|(number, leaf)| (leaf.path.as_slice(), number)).collect();
    let depth = leaves.iter().map(|leaf| leaf.path.len()).max().unwrap_or_default();
    let mut first = 0u64;
    let mut placed = Vec::with_capacity(groups.len());
    for (number, group) in groups.into_iter().enumerate() {
        let rows = group.rows;
        let extents = extents(
            group,
            leaves,
            |chunk| {
                // A longer path is none of theirs, and may be far longer.
                let path = Some(chunk.path.as_slice()).filter(|path| path.len() <= depth)?;
                numbers.get(path).copied()
            },
            end,
        );
        let extents = extents.map_err(|error| error.in_block(number))?;
        placed.push(Group { first, rows, extents });
        first += u64::from(rows);
    }
    Ok(placed)
}

fn extents(
    group: RowGroup,
    leaves: &[Leaf],
    number: impl Fn(&Chunk) -> Option<usize>,
    end: u64,
) -> Result<Box<[Extent]>> {
    let mut extents: Vec<Option<Extent>> = vec![None; leaves.len()];
    for chunk in group.chunks {
        let number = number(&chunk);
        let found = number.and_then(|number| Some((leaves.get(number)?, extents.get_mut(number)?)));
        let Some((leaf, place)) = found else {
            let path = chunk.path.iter().map(|name| &**name).take(16).collect::<Vec<_>>().join(".");
            return Err(Error::metadata(format!("the schema has no column {path:?}")));
        };
        let extent = checked(&chunk, leaf, group.rows, end).map_err(|error| error.in_column(&leaf.name()))?;
        if place.replace(extent).is_some() {
            return Err(Error::metadata("a column is in a row group twice").in_column(&leaf.name()));
        }
    }
    let both = extents.into_iter().zip(leaves);
    let all = both.map(|(extent, leaf)| {
        extent.ok_or_else(|| Error::metadata("a row group lacks the column").in_column(&leaf.name()))
    });
    all.collect()
}

/// What a footer says of a column, if that can be.
fn checked(chunk: &Chunk, leaf: &Leaf, rows: u32, end: u64) -> Result<Extent> {
    let Chunk { primitive, entries, borders, uncompressed: hints, .. } = *chunk;
    if primitive != leaf.primitive {
        let (found, expected) = (primitive.name(), leaf.primitive.name());
        return Err(Error::metadata(format!("the column is of {found} where the schema says {expected}")));
    }
    if !borders.is_sorted() || borders.first().is_some_and(|start| *start < MAGIC.len() as u64) {
        return Err(Error::metadata(format!("the parts of the column are in no order: {borders:?}")));
    }
    match borders.last() {
        Some(last) if *last > end => {
            return Err(Error::metadata(format!("the column ends at byte {last}, in or after the footer")));
        }
        _ => {}
    }
    let Place { repetition, .. } = leaf.greatest;
    if repetition == 0 && entries != rows || entries < rows || rows == 0 && entries > 0 {
        return Err(Error::metadata(format!("the column has {entries} entries for {rows} rows")));
    }
    Ok(Extent { borders, hints, entries })
}
