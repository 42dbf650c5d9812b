//! Trevni to other formats: text, Avro, or messages of Protocol Buffers.

#[cfg(feature = "parquet")]
mod arrow;
#[cfg(feature = "parquet")]
pub(super) mod parquet;

use super::args::Convert;
use crate::dialect;
use crate::failure::Failure;
use crate::format::Format;
use crate::human::count;
use crate::input::Input;
use crate::output::{self, Output};
use crate::progress::Progress;
use crate::rows::{Paint, Printer, RowFormat, Style, fields_of_all};
use crate::selecting::first_rows;
use std::io;
use std::path::Path;
use trevni::{Batch, Reader};
use trevni_avro::{Compression, schema_of};
use trevni_query::paths::{FieldPath, Pattern, chosen};

/// Writes the rows of a file in another format, and says so.
pub(super) fn run(args: &Convert, input: Input, to: Format, output: &Path) -> Result<(), Failure> {
    let (name, size) = (input.name.clone(), input.bytes);
    let rows = quietly(args, input, to, output)?;
    output::made(&name, output, count(rows, "row"), size);
    Ok(())
}

/// As [`run`], without a summary. Returns the number of rows.
pub(super) fn quietly(args: &Convert, input: Input, to: Format, output: &Path) -> Result<u64, Failure> {
    #[cfg(feature = "parquet")]
    if to == Format::Arrow {
        return arrow::quietly(args, input, output);
    }
    let Input { name, reader, .. } = input;
    let failed = |error: trevni::Error| Failure::of(Path::new(&name), &error);
    let (rows, chosen, total) = chosen_rows(args, &name, &reader)?;
    let out = Output::new(Some(output), args.force)?;
    let (to_name, is_terminal) = (out.name(), out.is_terminal());
    let unwritten = |error: io::Error| Failure::io(&to_name, &error);
    let mut sink = match text(to) {
        Some(format) => {
            let null = args.cells.null.first().cloned().unwrap_or_default();
            let style = Style { header: !args.cells.no_header, null, stored: false, paint: Paint::default() };
            let fields = fields_of_all([rows.shape()], chosen.as_deref());
            let mut printer = Printer::new(format, fields, &style);
            printer.turn_to(&rows, chosen.as_deref());
            Sink::Text(Box::new(printer), out)
        }
        #[cfg(feature = "protobuf")]
        None if to == Format::Protobuf => Sink::protobuf(args, &name, &rows, out)?,
        None => Sink::avro(args, &name, &reader, &rows, out)?,
    };
    let progress = match is_terminal {
        true => Progress::default(),
        false => Progress::rows("writing", total),
    };
    for batch in rows.batches().map_err(failed)? {
        let batch = batch.map_err(failed)?;
        sink.rows(&batch, &name, &to_name)?;
        progress.add(batch.len() as u64);
    }
    let out = sink.finish().map_err(unwritten)?;
    drop(progress);
    out.finish()?;
    Ok(total)
}

/// The fields and rows that are asked for, the paths of these fields where they are chosen, and the number of rows.
fn chosen_rows(
    args: &Convert,
    name: &str,
    reader: &Reader<'static>,
) -> Result<(Reader<'static>, Option<Vec<FieldPath>>, u64), Failure> {
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let chosen = chosen(reader.shape(), &Pattern::all(&args.columns)?)?;
    let mut rows = reader.clone();
    if let Some(chosen) = &chosen {
        rows = rows.project_paths(chosen).map_err(failed)?;
    }
    let first = first_rows(&rows, args.number.unwrap_or(u64::MAX)).map_err(failed)?;
    let total = first.row_count();
    let rows = rows.select(first).map_err(failed)?;
    Ok((args.types.mixed.rows(&rows, name, u64::MAX)?, chosen, total))
}

/// How rows are printed in a format, where it is text.
fn text(format: Format) -> Option<RowFormat> {
    match format {
        Format::Jsonl => Some(RowFormat::Jsonl),
        Format::Json => Some(RowFormat::Json),
        Format::Csv => Some(RowFormat::Csv),
        Format::Tsv => Some(RowFormat::Tsv),
        _ => None,
    }
}

/// Whether rows can be written in a format.
pub(super) fn can_be(format: Format) -> bool {
    match format {
        Format::Avro => true,
        Format::Arrow => cfg!(feature = "parquet"),
        #[cfg(feature = "protobuf")]
        Format::Protobuf => true,
        format => text(format).is_some(),
    }
}

/// What rows are written with, and where.
enum Sink {
    Text(Box<Printer>, Output),
    Avro(Box<trevni_avro::Writer<Output>>),
    #[cfg(feature = "protobuf")]
    Protobuf(Box<trevni_protobuf::Writer<Output>>),
}

impl Sink {
    fn avro(
        args: &Convert,
        name: &str,
        whole: &Reader<'_>,
        rows: &Reader<'_>,
        out: Output,
    ) -> Result<Self, Failure> {
        let codec = args.written.encoding.codec.last().map_or("deflate", String::as_str);
        let codec = Compression::named(codec).ok_or_else(|| {
            let failure = Failure::usage(format!("Avro has no codec {codec:?}"));
            failure.hint("Codecs: none, deflate, snappy, zstd and bzip2")
        })?;
        let schema = schema_of(whole, rows.shape());
        let is_copied = |key: &str| !key.starts_with("avro.") && !dialect::is_own_key(key);
        let metadata: Vec<(&str, &[u8])> =
            whole.metadata().iter().filter(|(key, _)| is_copied(key)).collect();
        let to_name = out.name();
        let writer =
            trevni_avro::Writer::new(&schema, codec, &metadata, out).map_err(|error| match error {
                trevni_avro::Error::Io(error) => Failure::io(to_name, &error),
                error => Failure::of_avro_schema(name, error),
            })?;
        Ok(Self::Avro(Box::new(writer)))
    }

    /// Messages of the type that is given, or of one that is made for the rows.
    #[cfg(feature = "protobuf")]
    fn protobuf(args: &Convert, name: &str, rows: &Reader<'_>, out: Output) -> Result<Self, Failure> {
        let row = Path::new(name).file_stem().map_or("row".into(), |stem| stem.to_string_lossy());
        let writer = match args.messages.descriptor()? {
            Some(message) => trevni_protobuf::Writer::new(rows.shape(), &message, out),
            None => trevni_protobuf::Writer::own(&row, rows.shape(), out),
        };
        writer
            .map(|writer| Self::Protobuf(Box::new(writer)))
            .map_err(|error| Failure::of_protobuf(name, error))
    }

    /// Writes rows of the file `name` to `to_name`.
    #[cfg_attr(not(feature = "protobuf"), allow(unused_variables, reason = "messages want it"))]
    fn rows(&mut self, batch: &Batch, name: &str, to_name: &str) -> Result<(), Failure> {
        let unwritten = |error: io::Error| Failure::io(to_name, &error);
        match self {
            Self::Text(printer, out) => printer.batch(batch, usize::MAX, out).map_err(unwritten),
            Self::Avro(writer) => writer.write_batch(batch).map_err(unwritten),
            #[cfg(feature = "protobuf")]
            Self::Protobuf(writer) => writer.write_batch(batch).map_err(|error| match error {
                trevni_protobuf::Error::Io(error) => unwritten(error),
                error => Failure::of_protobuf(name, error),
            }),
        }
    }

    /// Writes the end, and returns what was written to.
    fn finish(self) -> io::Result<Output> {
        match self {
            Self::Text(printer, mut out) => printer.finish(&mut out).map(|()| out),
            Self::Avro(writer) => writer.finish(),
            #[cfg(feature = "protobuf")]
            Self::Protobuf(writer) => writer.finish().map_err(|error| match error {
                trevni_protobuf::Error::Io(error) => error,
                error => io::Error::other(error),
            }),
        }
    }
}
