//! Finds the footer of a file, and compares it with the schema and the bytes at hand.

use super::super::footer::{Block, Blocks, Chunk, Footer, NAME, RedElmFooter, RowGroup};
use super::super::leaves::{Leaf, leaves};
use super::super::sums::{self, PartSums};
use super::super::{MAGIC, ZONES, codec};
use crate::bytes::reader::Part;
use crate::dialect::Sums;
use crate::error::{Error, ErrorKind, Result};
use crate::levels::Place;
use crate::limits::Limits;
use crate::metadata::{self, Metadata};
use crate::schema::message::{self, Message};
use crate::storage::codec::Codec;
use crate::storage::source::Source;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

/// The least bytes that are read of the end of a file.
const TAIL_BYTES: u64 = 16 << 10;

/// Bytes after the footer: its position, and the magic.
const END_BYTES: u64 = 16;

/// What the footer says.
pub(in super::super) struct Header {
    /// Position of the footer.
    pub(in super::super) start: u64,
    pub(in super::super) message: Message,
    /// How the footer is written.
    pub(in super::super) form: RedElmFooter,
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
    /// The checksums of the parts of columns.
    pub(in super::super) sums: Option<PartSums>,
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
    /// Its number among all that the footer lists.
    pub(in super::super) number: usize,
}

/// The stored repetition levels, definition levels or values of a column in a row group.
pub(in super::super) struct StoredPart {
    pub(in super::super) range: Range<u64>,
    /// What it may be before compression.
    pub(in super::super) hint: u64,
    /// Its number among all parts of columns.
    pub(in super::super) number: usize,
}

impl Extent {
    /// Repetition levels, definition levels and values.
    pub(in super::super) fn parts(&self) -> [StoredPart; 3] {
        let [repetition, definition, values, end] = self.borders;
        let (hints, first) = (self.hints, 3 * self.number);
        [
            StoredPart { range: repetition..definition, hint: hints[0], number: first },
            StoredPart { range: definition..values, hint: hints[1], number: first + 1 },
            StoredPart { range: values..end, hint: hints[2], number: first + 2 },
        ]
    }
}

/// Reads the footer of a file of `len` bytes.
///
/// # Errors
///
/// A source that fails, and bytes that are no RedElm file.
pub(in super::super) fn read(source: &dyn Source, len: u64, limits: &Limits, sums: Sums) -> Result<Header> {
    let footer = footer_of(source, len, limits)?;
    let start = len - END_BYTES - footer.len() as u64;
    header(&footer, start, limits, sums).map_err(|error| error.at_offset(start))
}

/// What a footer says of a file of `len` bytes, where it comes from elsewhere.
///
/// # Errors
///
/// A footer that is damaged, or that cannot be the one of a file of this size.
pub(in super::super) fn known(footer: &[u8], len: u64, limits: &Limits) -> Result<Header> {
    let start = len.checked_sub(END_BYTES + footer.len() as u64);
    let start = start.ok_or_else(|| Error::metadata("the file is smaller than its footer"))?;
    let header = header(footer, start, limits, Sums::Compared)?;
    let ends =
        header.groups.iter().flat_map(|group| &group.extents).filter_map(|extent| extent.borders.last());
    // Nothing is between the last column and the footer.
    match ends.max() {
        Some(end) if *end == start => Ok(header),
        _ => Err(Error::metadata("the footer is that of a file of another size")),
    }
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
    let too_short = || Error::internal("the end of a file is too short");
    let (rest, end) = tail.split_last_chunk::<8>().ok_or_else(too_short)?;
    if *end != MAGIC {
        return Err(Error::metadata(format!("a RedElm file ends with {MAGIC:02x?}, not {end:02x?}")));
    }
    let (body, start) = rest.split_last_chunk::<8>().ok_or_else(too_short)?;
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
        let (limit, option) = (limits.block_bytes, "block_bytes");
        return Err(ErrorKind::Limit { what, value: size, limit, option }.into());
    }
    if let Some(at) = start.checked_sub(tail_start) {
        return Ok(body.part(at as usize..)?.to_vec());
    }
    let mut footer = vec![0; (tail_start - start) as usize];
    source.read_at(start, &mut footer)?;
    footer.extend_from_slice(body);
    Ok(footer)
}

/// The most bytes of a footer that is compressed, and the option that says so: what it tells takes more.
pub(in super::super) fn footer_limit(limits: &Limits) -> (u64, &'static str) {
    let most = limits.memory / 4;
    if most < limits.block_bytes { (most, "memory") } else { (limits.block_bytes, "block_bytes") }
}

fn header(footer: &[u8], start: u64, limits: &Limits, sums: Sums) -> Result<Header> {
    let blocks = Blocks::read(footer)?;
    let sums = match sums {
        Sums::Compared => sums::check_footer(footer, &blocks, start)?,
        Sums::Ignored => None,
    };
    let own = blocks.iter().find(|block| block.name == NAME);
    let own = own.ok_or_else(|| Error::metadata(format!("the footer has no block named {NAME}")))?;
    let Footer { schema, codec, groups } = Footer::read(&own.bytes, footer_limit(limits))?;
    let message = message::parse(&schema)?;
    let leaves = leaves(&message);
    let groups = placed(groups, &leaves, start)?;
    check_overlap(&groups, start)?;
    let rows = groups.last().map_or(0, |group| group.first + u64::from(group.rows));
    let sums = sums.map(|sums| PartSums::new(sums, 3 * leaves.len() * groups.len())).transpose()?;
    let codec_name = codec;
    Ok(Header {
        start,
        codec: codec::from_name(codec_name.as_deref())?,
        form: RedElmFooter::new(&own.bytes),
        message,
        leaves,
        codec_name,
        groups,
        rows,
        sums,
        metadata: others(&blocks),
        zones: blocks.into_iter().find(|block| block.name == ZONES).map(|block| block.bytes.into_owned()),
    })
}

/// The blocks of other names.
fn others(blocks: &[Block<'_>]) -> Metadata {
    let is_own = |name: &str| [NAME, ZONES].contains(&name) || metadata::is_sum(name);
    let others = blocks.iter().filter(|block| !is_own(&block.name));
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
                // A longer path is not one of theirs, and may be far longer.
                let path = Some(chunk.path.as_slice()).filter(|path| path.len() <= depth)?;
                numbers.get(path).copied()
            },
            end,
            number * leaves.len(),
        );
        let extents = extents.map_err(|error| error.in_block(number))?;
        placed.push(Group { first, rows, extents });
        first += u64::from(rows);
    }
    Ok(placed)
}

/// Checks that the columns of row groups, which all end before `end`, take no more bytes than there are.
fn check_overlap(groups: &[Group], end: u64) -> Result<()> {
    let extents = groups.iter().flat_map(|group| group.extents.iter());
    let sizes = extents.map(|Extent { borders: [start, .., end], .. }| end.saturating_sub(*start));
    match sizes.fold(0, u64::saturating_add) {
        all if all > end => Err(Error::metadata(format!(
            "the columns overlap: they take {all} of the {end} bytes before the footer"
        ))),
        _ => Ok(()),
    }
}

fn extents(
    group: RowGroup,
    leaves: &[Leaf],
    number: impl Fn(&Chunk) -> Option<usize>,
    end: u64,
    before: usize,
) -> Result<Box<[Extent]>> {
    let mut extents: Vec<Option<Extent>> = vec![None; leaves.len()];
    for (at, chunk) in group.chunks.into_iter().enumerate() {
        let number = number(&chunk);
        let found = number.and_then(|number| Some((leaves.get(number)?, extents.get_mut(number)?)));
        let Some((leaf, place)) = found else {
            let path = chunk.path.iter().map(|name| &**name).take(16).collect::<Vec<_>>().join(".");
            return Err(Error::metadata(format!("the schema has no column {path:?}")));
        };
        let extent = checked(&chunk, leaf, group.rows, end).map_err(|error| error.in_column(&leaf.name()))?;
        let extent = Extent { number: before + at, ..extent };
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
    Ok(Extent { borders, hints, entries, number: 0 })
}
