//! Rows whose columns can be read one by one, and together cannot: values that their schema does not have, columns that
//! contradict each other.

use super::column::ROWS;
use super::column::decode_next;
use super::{Damage, Lost, is_fault, is_limit};
use crate::dialect::Decoder;
use crate::error::{Error, Result};
use crate::reader::Reader;
use crate::selection::RowSelection;
use crate::tree::{NodeId, Slot, resolve};
use crate::vector::Vector;
use std::ops::Range;
use std::sync::Arc;

/// Rows that are looked for one by one, where no block is known to be damaged; then rows are lost many at once.
const SINGLE_ROWS_MAX: usize = 64;

/// Finds the rows of a reader, of those that are not lost yet, that cannot be read.
///
/// # Errors
///
/// What is not the file's fault, and columns that do not fit the schema.
pub(super) fn check(reader: &Reader<'_>, rows: u64, lost: &mut Lost) -> Result<()> {
    let mut part = Decoder::new(&reader.file, &reader.schema, &reader.part)?;
    part.want_all();
    let shape = &reader.part.shape;
    let whole = |decoder: &mut Decoder, rows: &Range<u64>| {
        decode(reader, decoder, rows, |vector| vector.check(shape).map_err(misfit))
    };
    walk(reader, rows, lost, &mut part, &whole)?;
    let Some(filtered) = &reader.filter else {
        return Ok(());
    };
    let mut needed = Decoder::new(&reader.file, &reader.schema, &reader.schema.whole)?;
    needed.want(filtered.nodes());
    let evaluated = |decoder: &mut Decoder, rows: &Range<u64>| {
        decode(reader, decoder, rows, |vector| filtered.check(vector))
    };
    walk(reader, rows, lost, &mut needed, &evaluated)
}

/// Decodes some rows and looks at them.
fn decode(
    reader: &Reader<'_>,
    decoder: &mut Decoder,
    rows: &Range<u64>,
    look: impl Fn(&Vector) -> Result<()>,
) -> Result<()> {
    let count = (rows.end - rows.start) as usize;
    let mut vector = Vector::Null(0);
    decode_next(&reader.file, decoder, rows.start, count, &mut vector)?;
    look(&vector)
}

type Read<'a> = &'a dyn Fn(&mut Decoder, &Range<u64>) -> Result<()>;

/// Reads all rows that are not lost; adds those that cannot be read.
fn walk(
    reader: &Reader<'_>,
    count: u64,
    lost: &mut Lost,
    decoder: &mut Decoder,
    read: Read<'_>,
) -> Result<()> {
    let (mut row, mut most, mut singles) = (0, ROWS, 0);
    while let Some(rows) = next(&lost.rows, row..count) {
        let rows = rows.start..rows.end.min(rows.start.saturating_add(most));
        let Err(error) = read(decoder, &rows) else {
            row = rows.end;
            continue;
        };
        if is_limit(&error) && rows.end - rows.start > 1 {
            most = (rows.end - rows.start) / 2;
            continue;
        }
        if is_fault(&error) {
            return Err(error);
        }
        let (rows, is_single) = place(reader, &error, rows, decoder, read, singles < SINGLE_ROWS_MAX)?;
        singles += usize::from(is_single);
        row = rows.start.max(row);
        lost.add(&RowSelection::from(rows.clone()), &[Arc::new(Damage { rows, error })]);
    }
    Ok(())
}

/// The first rows of a range that are not lost.
fn next(lost: &RowSelection, rows: Range<u64>) -> Option<Range<u64>> {
    let mut start = rows.start;
    for range in lost.ranges().iter().skip(lost.ranges().partition_point(|range| range.end <= start)) {
        if start < range.start {
            return Some(start..range.start.min(rows.end)).filter(|rows| !rows.is_empty());
        }
        start = start.max(range.end);
    }
    Some(start..rows.end).filter(|rows| !rows.is_empty())
}

/// The rows that an error costs: those of the block that it is in, where that is known; else the first of them that cannot
/// be read, where one is looked for. Whether it is one row.
fn place(
    reader: &Reader<'_>,
    error: &Error,
    rows: Range<u64>,
    decoder: &mut Decoder,
    read: Read<'_>,
    may_search: bool,
) -> Result<(Range<u64>, bool)> {
    let column = column_of(reader, error);
    let meets = |block: &Range<u64>| block.start < rows.end && rows.start < block.end;
    if let (Some(column), Some(block)) = (column, error.location().block)
        && let Some(own) = blocks(reader, column)?.nth(block).filter(meets)
    {
        return Ok((own, false));
    }
    if column.is_none() && !may_search {
        return Ok((rows, false));
    }
    let row = first_bad(rows.clone(), decoder, read)?;
    let own = match column {
        Some(column) => blocks(reader, column)?.find(|block| block.contains(&row)),
        None => None,
    };
    Ok(own.map_or((row..row + 1, true), |own| (own, false)))
}

/// The first row of a range that cannot be read: the range cannot.
fn first_bad(mut rows: Range<u64>, decoder: &mut Decoder, read: Read<'_>) -> Result<u64> {
    while rows.end - rows.start > 1 {
        let middle = rows.start + (rows.end - rows.start) / 2;
        match read(decoder, &(rows.start..middle)) {
            Ok(()) => rows.start = middle,
            Err(error) if is_fault(&error) => return Err(error),
            Err(_) => rows.end = middle,
        }
    }
    Ok(rows.start)
}

/// The rows of the blocks of a column.
fn blocks(reader: &Reader<'_>, column: usize) -> Result<impl Iterator<Item = Range<u64>>> {
    let mut first = 0;
    Ok(reader.file.block_sizes(column)?.into_iter().map(move |(rows, _)| {
        let start = first;
        first += u64::from(rows);
        start..first
    }))
}

/// The column that an error is about: the one it names, or that of the values at its path.
fn column_of(reader: &Reader<'_>, error: &Error) -> Option<usize> {
    let place = error.location();
    if let Some(name) = &place.column {
        let mut numbers = 0..reader.file.column_count();
        return numbers.find(|number| reader.file.column_name(*number).is_ok_and(|own| own == name));
    }
    let path = without_positions(&place.path);
    let (part, schema) = (&reader.part, &reader.schema);
    let nodes: Vec<NodeId> = resolve(&part.shape, &part.tree, &path).ok()?;
    let [node] = nodes.as_slice() else {
        return None;
    };
    // The leaf at the end of optionals and lists without names.
    let mut node = *node;
    while let (Some(below), None) = (part.tree.children(node).next(), part.tree.children(node).nth(1)) {
        node = below;
    }
    schema.column(Slot::Own(part.in_whole(node)?))
}

/// A path without the positions in lists.
fn without_positions(path: &str) -> String {
    let mut names = String::new();
    for (at, part) in path.split('[').enumerate() {
        names.push_str(match at {
            0 => part,
            _ => part.split_once(']').map_or("", |(_, rest)| rest),
        });
    }
    names
}

/// Values that are not among those of their schema. Entries are counted from the first of the rows that were looked at, so
/// their numbers tell nothing.
fn misfit(error: Error) -> Error {
    let (misfit, path) = (Error::value(error.kind().to_string()), without_positions(&error.location().path));
    if path.is_empty() { misfit } else { misfit.in_field(&path) }
}
