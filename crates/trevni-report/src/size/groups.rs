//! Bytes of columns, added up.

use super::{By, failed};
use crate::columns::{self, Column};
use crate::extents::{What, extents, stored};
use crate::failure::Failure;
use crate::input::Input;
use std::collections::{HashMap, HashSet};
use trevni::BlockInfo;

/// Some bytes of a file.
pub(super) struct Group {
    pub(super) name: String,
    /// The name in the file, of a single column.
    pub(super) column: Option<String>,
    pub(super) codecs: Vec<String>,
    pub(super) blocks: usize,
    /// Bytes of the blocks in the file.
    pub(super) stored: u64,
    /// Bytes of the values before the codec, where there is one.
    pub(super) size: Option<u64>,
}

impl Group {
    pub(super) fn named(name: &str) -> Self {
        Self { name: name.to_owned(), column: None, codecs: Vec::new(), blocks: 0, stored: 0, size: None }
    }

    fn add(&mut self, column: &Column<'_>, blocks: &[BlockInfo]) {
        let codec = column.info.codec_name();
        if !self.codecs.iter().any(|known| known == codec) {
            self.codecs.push(codec.to_owned());
        }
        self.blocks += blocks.len();
        self.stored += blocks.iter().map(|block| stored(column.info, block)).sum::<u64>();
        let size: u64 = blocks.iter().map(|block| u64::from(block.size)).sum();
        self.size = Some(self.size.unwrap_or(0) + size);
    }
}

/// What the bytes of the columns that patterns name are for, in the order of the file.
pub(super) fn groups(input: &Input, by: By, patterns: &[String]) -> Result<Vec<Group>, Failure> {
    let reader = &input.reader;
    let (mut groups, mut places) = (Vec::<Group>::new(), HashMap::new());
    let columns = columns::chosen(reader, patterns)?;
    for column in &columns {
        let blocks = reader.blocks(column.number).map_err(failed(input))?;
        let name = match by {
            By::Column => &column.label,
            By::Field => columns::outermost(reader.shape(), column),
            By::Part => column.content().name(),
            By::Codec => column.info.codec_name(),
        };
        let next = groups.len();
        let place = if by == By::Column { next } else { *places.entry(name.to_owned()).or_insert(next) };
        if place == next {
            groups.push(Group::named(name));
        }
        let group = &mut groups[place];
        group.add(column, &blocks);
        if by == By::Column {
            group.column = Some(column.info.name().to_owned());
        }
    }
    if by == By::Part {
        groups.extend(others(input, &columns, patterns.is_empty())?);
    }
    Ok(groups)
}

/// Metadata of columns that tell what is in their blocks.
const INDICES: [&str; 2] = ["zone_map", "block_rows"];

/// What is no block: tables and indices of these columns, and where all of the file is asked for, its header, its footer
/// and bytes that belong to nothing.
fn others(input: &Input, columns: &[Column<'_>], whole: bool) -> Result<Vec<Group>, Failure> {
    let [mut index, mut header, mut footer, mut unused] =
        ["index", "header", "footer", "unused"].map(Group::named);
    let chosen: HashSet<usize> = columns.iter().map(|column| column.number).collect();
    for extent in extents(input).map_err(failed(input))? {
        match extent.what {
            What::Header => header.stored += extent.bytes,
            What::Footer => footer.stored += extent.bytes,
            What::Unused => unused.stored += extent.bytes,
            What::Column(column) => {
                if chosen.contains(&column.number) {
                    index.stored += column.table;
                }
            }
        }
    }
    let maps = columns.iter().flat_map(|column| INDICES.map(|key| column.info.metadata().get(key))).flatten();
    let maps: u64 = maps.map(|map| map.len() as u64).sum();
    index.stored += maps;
    header.stored = header.stored.saturating_sub(maps);
    let has_footer = footer.stored > 0;
    // What a footer has of columns is not told apart.
    let mut others: Vec<Group> = Some(index).filter(|_| !has_footer).into_iter().collect();
    if whole {
        others.push(header);
        others.extend([footer, unused].into_iter().filter(|group| group.stored > 0));
    }
    Ok(others)
}
