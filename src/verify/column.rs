//! One column: its table, the checksums of its blocks, and each of its values.

use super::report::Findings;
use super::statistics::Statistics;
use super::{Tier, tier_of};
use crate::dialect::{BlockInfo, File};
use crate::error::{Error, ErrorKind, Result};
use crate::reader::decode_rows;
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// Rows that are decoded at once.
pub(super) const ROWS: u64 = 4096;

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
        damaged.extend(block.filter(|_| tier < Tier::Statistics));
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
        Ok(schema) => Arc::new(schema),
        Err(error) => return findings.add(Tier::Structure, error.in_column(name), None),
    };
    let mut statistics = Statistics::of(file, number, name, findings)?;
    let mut decoder = None;
    for (at, block) in blocks.iter().enumerate().filter(|(at, _)| !damaged.contains(at)) {
        let mut rows = rows_of(block);
        let all = rows.clone();
        while !rows.is_empty() {
            let count = (rows.end - rows.start).min(ROWS) as usize;
            match decode_rows(file, &schema, &mut decoder, rows.start, count) {
                Ok(vector) => statistics.take(&vector),
                Err(error) => {
                    decoder = None;
                    statistics.forget();
                    // What is wrong with a parent is found there.
                    if error.location().column.as_deref().is_none_or(|column| column == name) {
                        let tier = tier_of(&error, tier_of_values(file, number, &error));
                        let error = error.in_column(name).in_block(at);
                        findings.add(tier, error.at_offset(block.offset), Some(all.clone()))?;
                    }
                    break;
                }
            }
            rows.start += count as u64;
        }
        statistics.end(at, block, &all, findings)?;
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
