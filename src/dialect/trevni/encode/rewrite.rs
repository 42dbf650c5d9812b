//! Writes the blocks of a column again, in another way.

use super::column::ColumnEncoder;
use super::encode_block::decode_block;
use super::tree::Node;
use crate::convert::Leaf;
use crate::error::{Error, Result};
use crate::storage::blocks::{SealedBlock, Sealer};
use crate::storage::codec::{Decompressor, Framing};
use crate::storage::value_type::ValueType;
use crate::vector::{Offsets, Vector};

/// The column with another type of values; `leaf` says what becomes of each.
pub(super) fn retype(
    sealer: &mut Sealer,
    mut column: Box<ColumnEncoder>,
    value_type: ValueType,
    leaf: Option<Leaf>,
) -> Result<Box<ColumnEncoder>> {
    let keeps_bytes = leaf.as_ref().is_none_or(Leaf::keeps_bytes);
    let is_varint = |value_type| matches!(value_type, ValueType::Int | ValueType::Long);
    if keeps_bytes && is_varint(column.value_type) && is_varint(value_type) {
        column.value_type = value_type;
    }
    if keeps_bytes && column.value_type.fits(value_type) {
        return Ok(column);
    }
    let leaf = leaf.ok_or_else(|| Error::internal("values of this type cannot be widened"))?;
    let mut grown = ColumnEncoder::new(value_type, column.array, column.settings);
    rewrite(sealer, column, |sealer, rows, offsets, values| {
        let values = leaf.apply(values)?;
        if grown.array {
            grown.append_rows(rows, offsets, Some(&values))?;
        } else {
            grown.append_plain(rows, &values);
        }
        grown.seal_again(sealer)
    })?;
    Ok(grown)
}

/// The values of the column, each in an array of one.
pub(super) fn with_ones(sealer: &mut Sealer, column: Box<ColumnEncoder>) -> Result<Box<ColumnEncoder>> {
    let mut grown = ColumnEncoder::new(column.value_type, true, column.settings);
    rewrite(sealer, column, |sealer, rows, _, values| {
        grown.append_ones(rows, values)?;
        grown.seal_again(sealer)
    })?;
    Ok(grown)
}

/// The lengths of the column, and its values, apart.
pub(super) fn split(
    sealer: &mut Sealer,
    column: Box<ColumnEncoder>,
) -> Result<(Box<ColumnEncoder>, Box<ColumnEncoder>)> {
    let mut lengths = ColumnEncoder::new(ValueType::Null, true, column.settings);
    let mut plain = ColumnEncoder::new(column.value_type, false, column.settings);
    rewrite(sealer, column, |sealer, rows, offsets, values| {
        lengths.append_rows(rows, offsets, None)?;
        plain.append_plain(rows, values);
        lengths.seal_again(sealer)?;
        plain.seal_again(sealer)
    })?;
    Ok((lengths, plain))
}

/// Parts the nulls of a union from its branches: lengths that say where there is a value, in the column given, and
/// the branches without the null entries.
pub(super) fn part(
    sealer: &mut Sealer,
    mut lengths: Box<ColumnEncoder>,
    branches: Vec<Node>,
) -> Result<(Box<ColumnEncoder>, Vec<Node>)> {
    let (mut columns, mut below) = (Vec::new(), Vec::new());
    for branch in branches {
        columns.extend(branch.column);
        below.push(branch.below);
    }
    let mut present: Vec<bool> = Vec::new();
    for column in &mut columns {
        let mut entry = 0;
        decode(sealer, column, |_, _, offsets, _| {
            for length in offsets.lengths() {
                match present.get_mut(entry) {
                    Some(present) => *present |= length > 0,
                    None => present.push(length > 0),
                }
                entry += 1;
            }
            Ok(())
        })?;
    }
    let mut parted = Vec::with_capacity(columns.len());
    for (number, (column, below)) in columns.into_iter().zip(below).enumerate() {
        let mut kept_column = ColumnEncoder::new(column.value_type, true, column.settings);
        let mut entries = present.iter();
        rewrite(sealer, column, |sealer, rows, offsets, values| {
            let (mut all, mut kept) = (Offsets::default(), Offsets::default());
            for (length, present) in offsets.lengths().zip(entries.by_ref()) {
                let fits = all.push_length(u32::from(*present)) && (!present || kept.push_length(length));
                debug_assert!(fits, "a block has fewer entries than 32 bits can count");
            }
            kept_column.append_rows(rows, &kept, Some(values))?;
            kept_column.seal_again(sealer)?;
            if number == 0 {
                lengths.append_rows(rows, &all, None)?;
                lengths.seal_again(sealer)?;
            }
            Ok(())
        })?;
        parted.push(Node::with(kept_column, below));
    }
    Ok((lengths, parted))
}

/// Decodes block after block, and forgets each: rows, lengths, values.
fn rewrite(
    sealer: &mut Sealer,
    mut column: Box<ColumnEncoder>,
    mut each: impl FnMut(&mut Sealer, u32, &Offsets, &Vector) -> Result<()>,
) -> Result<()> {
    decode(sealer, &mut column, |sealer, block, offsets, values| {
        sealer.remove(block.id);
        each(sealer, block.rows, offsets, values)
    })
}

/// Decodes block after block: lengths, values.
fn decode(
    sealer: &mut Sealer,
    column: &mut ColumnEncoder,
    mut each: impl FnMut(&mut Sealer, &SealedBlock, &Offsets, &Vector) -> Result<()>,
) -> Result<()> {
    column.seal(sealer)?;
    sealer.settle()?;
    let mut decompressor = Decompressor::new(column.codec(), Framing::Raw)?;
    let (mut stored, mut data) = (Vec::new(), Vec::new());
    for block in &column.blocks {
        let bytes = sealer.store().bytes(block.id, &mut stored)?;
        let compressed = bytes.len().saturating_sub(column.settings.checksum.size());
        let bytes = &bytes[..compressed];
        decompressor.decompress(bytes, block.size as usize, &mut data)?;
        let (offsets, values) = decode_block(column.value_type, column.array, block.entries, &data)?;
        each(sealer, block, &offsets, &values)?;
    }
    Ok(())
}
