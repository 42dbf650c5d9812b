//! One column: its table, the checksums of its blocks, and each of its values. Which bytes belong to what.

use super::report::Findings;
use super::statistics::Statistics;
use super::window::Window;
use super::{Tier, tier_of};
use crate::dialect::{BlockInfo, File};
use crate::error::{Category, Error, ErrorKind, Result};
use crate::reader::checked_rows;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// A file, opened twice.
pub(super) struct Checked<'a, 's> {
    /// With its checksums compared, where the header is right.
    pub(super) strict: Option<&'a File<'s>>,
    /// As if it had no checksums of this crate.
    pub(super) loose: &'a File<'s>,
}

/// What is known of a column.
pub(super) struct Outcome {
    pub(super) blocks: u64,
    pub(super) is_damaged: bool,
}

/// Checks a column.
pub(super) fn check(files: &Checked<'_, '_>, number: usize, findings: &mut Findings) -> Result<Outcome> {
    let file = files.loose;
    let name = file.column_name(number)?.to_owned();
    let named = |error: Error| error.in_column(&name);
    let before = findings.count();
    if let Some(Err(error)) = files.strict.map(|file| file.block_sizes(number)) {
        findings.add(tier_of(&error, Tier::Structure), named(error), None)?;
    }
    let blocks = match file.blocks(number) {
        Ok(blocks) => blocks,
        Err(error) => {
            if findings.count() == before {
                findings.add(tier_of(&error, Tier::Structure), named(error), None)?;
            }
            return Ok(Outcome { blocks: 0, is_damaged: true });
        }
    };
    let mut damaged = HashSet::new();
    let whole = files.strict.filter(|_| findings.count() == before).unwrap_or(file);
    let mut failed = None;
    whole.check_blocks(number, &mut |block, error| {
        let rows = block.and_then(|block| blocks.get(block)).map(rows_of);
        let tier = tier_of(&error, Tier::Decoding);
        // What is too large for all of its bytes at once may be decoded bit by bit.
        damaged.extend(block.filter(|_| tier < Tier::Statistics && error.category() != Category::Limit));
        let error = match block {
            Some(block) => named(error).in_block(block),
            None => named(error),
        };
        if failed.is_none() {
            failed = findings.add(tier, error, rows).err();
        }
    })?;
    if let Some(error) = failed {
        return Err(error);
    }
    if Tier::ALL[2..6].iter().any(|tier| findings.wants(*tier)) {
        decode(file, number, &blocks, &damaged, findings).map_err(named)?;
    }
    Ok(Outcome { blocks: blocks.len() as u64, is_damaged: findings.count() > before })
}

pub(super) fn rows_of(block: &BlockInfo) -> Range<u64> {
    block.first_row..block.first_row.saturating_add(u64::from(block.rows))
}

/// Decodes all values of the blocks that are not known to be damaged, block by block.
fn decode(
    file: &File<'_>,
    number: usize,
    blocks: &[BlockInfo],
    damaged: &HashSet<usize>,
    findings: &mut Findings,
) -> Result<()> {
    let name = file.column_name(number)?;
    let schema = match file.column_schema(number) {
        Ok(schema) => schema,
        Err(error) => return findings.add(Tier::Structure, error.in_column(name), None),
    };
    if let Err(error) = checked_rows(file)
        && error.category() == Category::Limit
    {
        return findings.add(Tier::Decoding, error.in_column(name), Some(0..file.rows()));
    }
    let mut statistics = Statistics::new(file, number, name, findings)?;
    let pass = Arc::clone(&findings.pass);
    let mut window = Window::new(file, schema, &pass);
    for (at, block) in blocks.iter().enumerate().filter(|(at, _)| !damaged.contains(at)) {
        let (all, mut rows) = (rows_of(block), rows_of(block));
        while !rows.is_empty() {
            match window.next(&mut rows) {
                Ok(vector) => statistics.take(vector),
                Err(error) => {
                    statistics.forget();
                    let is_limit = error.category() == Category::Limit;
                    // What is wrong with a parent is found there.
                    if error.location().column.as_deref().is_none_or(|column| column == name) {
                        let tier = tier_of(&error, tier_of_values(file, number, &error));
                        let error = error.in_column(name).in_block(at).at_offset(block.offset);
                        // A limit that is met here is met by the rows after these, too.
                        let lost = if is_limit { rows.start..file.rows() } else { all.clone() };
                        findings.add(tier, error, Some(lost))?;
                    }
                    if is_limit {
                        return Ok(());
                    }
                    break;
                }
            }
        }
        statistics.end(at, block, &all, findings)?;
        window.grow();
    }
    statistics.end_column(damaged.is_empty(), findings)
}

/// The tier of an error in the values of a column: where others say how many there are, it is about lengths.
fn tier_of_values(file: &File<'_>, number: usize, error: &Error) -> Tier {
    match error.kind() {
        ErrorKind::TrailingBytes { .. } | ErrorKind::Truncated { .. } if file.is_counted(number) => {
            Tier::Lengths
        }
        ErrorKind::RowCount { .. } => Tier::Lengths,
        _ => Tier::Decoding,
    }
}

/// Lists bytes that nothing owns, and columns that share some.
pub(super) fn check_extents(file: &File<'_>, findings: &mut Findings) -> Result<()> {
    let mut parts: Vec<(Range<u64>, Option<usize>)> =
        file.frame()?.into_iter().map(|range| (range, None)).collect();
    for number in 0..file.column_count() {
        match file.extents(number) {
            Ok(ranges) => parts.extend(ranges.into_iter().map(|range| (range, Some(number)))),
            Err(error) if matches!(error.category(), Category::Io | Category::Internal) => return Err(error),
            // It is not known which bytes are that column's, so none is without owner for sure.
            Err(_) => return Ok(()),
        }
    }
    parts.retain(|(range, _)| !range.is_empty());
    parts.sort_unstable_by_key(|(range, _)| (range.start, range.end));
    let mut end = 0;
    for (range, number) in parts.into_iter().chain([(file.bytes()..file.bytes(), None)]) {
        if range.start > end {
            let error = ErrorKind::Unowned { count: range.start - end };
            findings.add(Tier::Unowned, Error::from(error).at_offset(end), None)?;
        }
        if range.start < end && !range.is_empty() {
            let error = Error::metadata("the bytes belong to something else too").at_offset(range.start);
            let error = match number {
                Some(number) => error.in_column(file.column_name(number)?),
                None => error,
            };
            findings.add(Tier::Structure, error, None)?;
        }
        end = end.max(range.end);
    }
    Ok(())
}
