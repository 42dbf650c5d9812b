//! The blocks of columns: where they are, and what zone maps say of them.

use crate::columns::{Column, logical_of};
use crate::dialect;
use crate::drawing::drawing;
use crate::extents::stored;
use crate::human::{bytes, thousands};
use crate::input::Input;
use crate::output::Output;
use crate::report::{Report, Set};
use crate::report_value::ReportValue;
use crate::shown::{cut, shown};
use serde_json::{Value, json};
use std::io::{self, Write};
use trevni::column::Bound;
use trevni::shape::{Logical, LogicalShape};
use trevni::{BlockInfo, Reader};

/// A column with its blocks.
pub(super) struct Blocks<'c, 'r> {
    column: &'c Column<'r>,
    blocks: Vec<BlockInfo>,
    /// What the values mean, where their bounds have strings.
    logical: Option<LogicalShape>,
}

impl Blocks<'_, '_> {
    /// A bound as it is shown.
    fn bound(&self, bound: Option<&Bound>) -> Option<ReportValue> {
        let bound = ReportValue::of_bound(self.column.info, bound?);
        Some(match &self.logical {
            Some(logical) => bound.with_text(logical),
            None => bound,
        })
    }
}

/// Characters of a bound on a line.
const BOUND: usize = 16;

pub(super) fn of<'c, 'r>(
    reader: &Reader<'_>,
    columns: &'c [Column<'r>],
) -> Result<Vec<Blocks<'c, 'r>>, trevni::Error> {
    let blocks = |column: &'c Column<'r>| {
        // The order of the bytes of decimals and durations is not that of their values.
        let has_order =
            |shape: &&LogicalShape| !matches!(shape.logical, Logical::Decimal { .. } | Logical::Duration);
        let logical = logical_of(reader.shape(), column.info).filter(has_order).cloned();
        Ok(Blocks { column, blocks: reader.blocks(column.number)?, logical })
    };
    columns.iter().map(blocks).collect()
}

pub(super) fn write(columns: &[Blocks<'_, '_>], most: Option<usize>, out: &mut Output) -> io::Result<()> {
    for (number, own) in columns.iter().enumerate() {
        let Blocks { column, blocks, .. } = own;
        if columns.len() > 1 {
            writeln!(out, "{}{}", if number > 0 { "\n" } else { "" }, shown(&column.label))?;
        }
        let mut report = Report::new(&[
            ("block", Set::Right),
            ("offset", Set::Left),
            ("rows", Set::Left),
            ("bytes", Set::Right),
            ("raw", Set::Right),
            ("ratio", Set::Right),
            ("nulls", Set::Right),
            ("min", Set::Cut(4)),
            ("max", Set::Cut(4)),
        ]);
        let drawing = drawing();
        for (number, block) in blocks.iter().enumerate() {
            let last = block.first_row + u64::from(block.rows).saturating_sub(1);
            let stored = stored(column.info, block);
            let zone = block.zone.as_ref();
            let bound = |scalar: Option<ReportValue>| {
                scalar.map_or(drawing.unknown.to_owned(), |bound| cut(&shown(&bound.to_string()), BOUND))
            };
            report.line([
                number.to_string(),
                format!("{:#09x}", block.offset),
                format!("{}{}{}", thousands(block.first_row), drawing.to, thousands(last)),
                bytes(stored),
                bytes(u64::from(block.size)),
                format!("{:.2}{}", f64::from(block.size) / (stored.max(1)) as f64, drawing.times),
                zone.map_or(drawing.unknown.to_owned(), |zone| thousands(zone.nulls)),
                bound(own.bound(zone.and_then(|zone| zone.min.as_ref()))),
                bound(own.bound(zone.and_then(|zone| zone.max.as_ref()))),
            ]);
        }
        report.write_ends(most, out)?;
    }
    Ok(())
}

/// `{"file", "columns": [{"column", "path", "codec", "checksum", "blocks": [{"offset", "first_row", "rows",
/// "bytes", "uncompressed_bytes", "nulls", "values", "min", "max"}]}]}`; what no zone map says is null.
pub(super) fn as_json(input: &Input, columns: &[Blocks<'_, '_>]) -> Value {
    let column = |own: &Blocks<'_, '_>| {
        let Blocks { column, blocks, .. } = own;
        let block = |block: &BlockInfo| {
            let zone = block.zone.as_ref();
            json!({
                "offset": block.offset,
                "first_row": block.first_row,
                "rows": block.rows,
                "bytes": stored(column.info, block),
                "uncompressed_bytes": block.size,
                "nulls": zone.map(|zone| zone.nulls),
                "values": zone.map(|zone| zone.values),
                "min": own.bound(zone.and_then(|zone| zone.min.as_ref())),
                "max": own.bound(zone.and_then(|zone| zone.max.as_ref())),
            })
        };
        json!({
            "column": column.info.name(),
            "path": column.label,
            "codec": column.info.codec_name(),
            "checksum": dialect::checksum_of(&input.reader, column.info),
            "blocks": blocks.iter().map(block).collect::<Vec<_>>(),
        })
    };
    json!({"file": input.name, "columns": columns.iter().map(column).collect::<Vec<_>>()})
}
