//! Prints rows: all of them, the first, the last.

use crate::args::{RowFormat, Rows};
use crate::expression;
use crate::failure::Failure;
use crate::input::{self, Input};
use crate::output::Output;
use crate::paths;
use crate::rows::{Cell, Printer};
use std::path::Path;
use trevni::{Predicate, Reader, RowSelection, Shape};

/// Rows that head and tail print.
const FEW: u64 = 10;

pub(crate) fn cat(args: &Rows) -> Result<u8, Failure> {
    print(args, RowFormat::Jsonl, Which::First(args.number.unwrap_or(u64::MAX)))
}

pub(crate) fn head(args: &Rows) -> Result<u8, Failure> {
    print(args, RowFormat::Table, Which::First(args.number.unwrap_or(FEW)))
}

pub(crate) fn tail(args: &Rows) -> Result<u8, Failure> {
    print(args, RowFormat::Table, Which::Last(args.number.unwrap_or(FEW)))
}

/// Which rows of a file.
#[derive(Clone, Copy)]
enum Which {
    First(u64),
    Last(u64),
}

fn print(args: &Rows, usual: RowFormat, which: Which) -> Result<u8, Failure> {
    let mut out = Output::new(args.output.as_deref(), args.force)?;
    let format = args.format.unwrap_or(usual);
    let filter = args.filter.as_deref().map(expression::parse).transpose()?;
    let mut printer: Option<Printer> = None;
    for path in &args.files {
        let Input { name, reader, .. } = input::open(path)?;
        let failed = |error: trevni::Error| Failure::of(Path::new(&name), &error);
        let chosen = paths::chosen(reader.shape(), &args.columns)?;
        let projected = match &chosen {
            Some(chosen) => reader.project(chosen).map_err(failed)?,
            None => reader.clone(),
        };
        let fields = chosen.unwrap_or_else(|| columns(reader.shape()));
        let printer = printer.get_or_insert_with(|| Printer::new(format, &fields, !args.no_header));
        let rows = rows(&projected, filter.as_ref(), args.skip, which).map_err(failed)?;
        for row in rows.rows::<Cell>().map_err(failed)?.take(most(which)) {
            let row = ordered(row.map_err(failed)?, &fields, &args.columns);
            printer.row(&row, &mut out).map_err(|error| out.failed(&error))?;
        }
    }
    if let Some(printer) = printer {
        printer.finish(&mut out).map_err(|error| out.failed(&error))?;
    }
    out.finish().map(|()| 0)
}

fn most(which: Which) -> usize {
    match which {
        Which::First(count) | Which::Last(count) => usize::try_from(count).unwrap_or(usize::MAX),
    }
}

/// The rows of a reader that are asked for.
fn rows<'s>(
    reader: &Reader<'s>,
    filter: Option<&Predicate>,
    skip: u64,
    which: Which,
) -> Result<Reader<'s>, trevni::Error> {
    let end = reader.row_count();
    let Some(filter) = filter else {
        return match which {
            Which::First(_) => reader.select(skip.min(end)..end),
            Which::Last(count) => {
                let end = end.saturating_sub(skip);
                reader.select(end.saturating_sub(count)..end)
            }
        };
    };
    let reader = reader.filter(filter.clone())?;
    match which {
        Which::First(_) if skip == 0 => Ok(reader),
        Which::First(_) => reader.select(skipped(&reader.matching()?, skip)),
        Which::Last(count) => {
            let matching = reader.matching()?;
            let end = matching.row_count().saturating_sub(skip);
            reader.select(skipped(&kept(&matching, end), end.saturating_sub(count)))
        }
    }
}

/// A selection without its first rows.
fn skipped(rows: &RowSelection, mut count: u64) -> RowSelection {
    let part = |range: &std::ops::Range<u64>| {
        let skip = count.min(range.end - range.start);
        count -= skip;
        range.start + skip..range.end
    };
    rows.ranges().iter().map(part).collect()
}

/// The first rows of a selection.
fn kept(rows: &RowSelection, mut count: u64) -> RowSelection {
    let part = |range: &std::ops::Range<u64>| {
        let keep = count.min(range.end - range.start);
        count -= keep;
        range.start..range.start + keep
    };
    rows.ranges().iter().map(part).collect()
}

/// The columns of a table: fields, those of records in records with a dotted path.
fn columns(shape: &Shape) -> Vec<String> {
    fn collect(shape: &Shape, path: &str, out: &mut Vec<String>) {
        match shape {
            Shape::Record(record) if !record.form.is_variant() => {
                for field in &record.fields {
                    let path = if path.is_empty() {
                        field.name.to_string()
                    } else {
                        format!("{path}.{}", field.name)
                    };
                    collect(&field.shape, &path, out);
                }
            }
            Shape::Optional(optional) if matches!(optional.item, Shape::Record(_)) => {
                collect(&optional.item, path, out);
            }
            _ => out.extend((!path.is_empty()).then(|| path.to_owned())),
        }
    }
    let mut out = Vec::new();
    collect(shape, "", &mut out);
    out
}

/// The row with its fields in the order in which they were asked for.
fn ordered(row: Cell, fields: &[String], asked: &[String]) -> Cell {
    let Cell::Map(entries) = row else {
        return row;
    };
    if asked.is_empty() {
        return Cell::Map(entries);
    }
    let place = |name: &str| {
        let of =
            |path: &String| path == name || path.strip_prefix(name).is_some_and(|rest| rest.starts_with('.'));
        fields.iter().position(of).unwrap_or(usize::MAX)
    };
    let mut entries = entries;
    entries.sort_by_key(|(name, _)| place(name));
    Cell::Map(entries)
}
