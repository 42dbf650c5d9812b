//! The first reading: what the rows hold.

use super::Import;
use super::cells::{self, CellRows};
use super::refused::MANY_PATHS;
use crate::failure::Failure;
use crate::progress::Progress;
use crate::text::{each, fold};
use std::sync::Arc;
use trevni_infer::counts::wishes::Wish;
use trevni_infer::counts::{self, Counts, RowCounter};
use trevni_infer::text::Chunk;

/// What rows hold.
pub(super) struct Found {
    pub(super) node: Counts,
    pub(super) rows: u64,
    /// Whether these are all rows that are to be written.
    pub(super) all: bool,
}

impl Found {
    /// Of no rows: with the columns of a table, if it is one.
    pub(super) fn new(node: Option<Counts>, wish: &Arc<Wish>) -> Self {
        Self { node: node.unwrap_or_else(|| Counts::new(Some(wish.clone()))), rows: 0, all: true }
    }
}

/// Looks at all rows, or at the first ones if that is asked for, and adds what it finds.
pub(super) fn look(import: &Import<'_>, wish: &Arc<Wish>, found: &mut Found) -> Result<(), Failure> {
    let args = import.args;
    // A table is no map.
    let map_keys = if import.is_cells() { usize::MAX } else { args.types.map_keys };
    let progress = Progress::bytes("inferring", import.text.source.size().unwrap_or(0));
    let limit = args.types.infer_rows.into_iter().chain(args.number).min();
    found.all &= limit == args.number;
    match limit {
        Some(limit) if found.rows >= limit => {}
        Some(limit) => each(&import.text, |chunk| {
            let part = part(import, wish, chunk, limit - found.rows)?;
            found.rows += part.rows;
            found.node.merge(part.node, map_keys);
            progress.add(chunk.text.len() as u64);
            Ok(found.rows < limit)
        })?,
        None => fold(
            &import.text,
            |chunk| {
                let part = part(import, wish, chunk, u64::MAX);
                progress.add(chunk.text.len() as u64);
                part
            },
            |part| {
                found.rows += part.rows;
                found.node.merge(part.node, map_keys);
                // The columns of a table are counted as its header is read.
                if import.is_cells() {
                    return Ok(());
                }
                counts::is_bounded(&found.node)
                    .map_err(|message| Failure::new(message).within(import.name()).hint(MANY_PATHS))
            },
        )?,
    }
    Ok(())
}

struct ChunkCounts {
    node: Counts,
    rows: u64,
}

fn part(import: &Import<'_>, wish: &Arc<Wish>, chunk: &Chunk, limit: u64) -> Result<ChunkCounts, Failure> {
    let mut part = ChunkCounts { node: empty(import, wish), rows: 0 };
    if import.is_cells() {
        let mut rows = CellRows::of(import, chunk);
        while part.rows < limit
            && let Some(row) = rows.next()?
        {
            part.rows += 1;
            cells::add(&mut part.node, &row, &import.spelling);
        }
        return Ok(part);
    }
    let mut rows = RowCounter::new(import.args.types.map_keys);
    for row in chunk.rows() {
        if part.rows >= limit {
            break;
        }
        let added = import
            .utf8(&row)
            .and_then(|text| rows.add(&mut part.node, text).map_err(|error| import.no_json(&row, &error)));
        match added {
            Ok(()) => part.rows += 1,
            // It may be in the tree in part, which then has more than the other rows need.
            Err(_) if import.skips() => {}
            Err(failure) => return Err(failure),
        }
    }
    Ok(part)
}

/// The tree of no rows.
pub(super) fn empty(import: &Import<'_>, wish: &Arc<Wish>) -> Counts {
    let mut node = Counts::new(Some(wish.clone()));
    if import.is_cells() {
        node.columns(&import.header.names, &import.args.cells.date_format);
    }
    node
}
