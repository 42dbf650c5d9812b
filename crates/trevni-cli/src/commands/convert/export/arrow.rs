//! Columns to Arrow IPC: a file, Feather, or a stream.

use super::super::args::Convert;
use super::chosen_rows;
use crate::failure::Failure;
use crate::input::{Input, is_standard};
use crate::output::{Output, refuse_packed};
use arrow_array::RecordBatchReader;
use arrow_ipc::CompressionType;
use arrow_ipc::writer::{FileWriter, IpcWriteOptions, StreamWriter};
use std::path::Path;
use trevni_arrow::ArrowReader;
use trevni_parquet::Error;

/// Writes the rows of a file; as a stream to standard output, and where the name ends so. Returns the number of rows.
pub(super) fn quietly(args: &Convert, input: Input, output: &Path) -> Result<u64, Failure> {
    let Input { name, reader, .. } = input;
    let failed = |error: Error| Failure::of_parquet(&name, error);
    let (rows, _, total) = chosen_rows(args, &name, &reader)?;
    refuse_packed(output)?;
    let ends = |with: &str| output.extension().is_some_and(|own| own.eq_ignore_ascii_case(with));
    let usual = if ends("feather") { "lz4" } else { "null" };
    let codec = match args.written.encoding.codec.last().map_or(usual, String::as_str) {
        "null" | "none" => None,
        "lz4" => Some(CompressionType::LZ4_FRAME),
        "zstd" => Some(CompressionType::ZSTD),
        codec => {
            let failure = Failure::usage(format!("Arrow has no codec {codec:?}"));
            return Err(failure.hint("Codecs: null, lz4 and zstd"));
        }
    };
    let options =
        IpcWriteOptions::default().try_with_compression(codec).map_err(|error| failed(error.into()))?;
    let is_stream = is_standard(output) || ends("arrows");
    let builder = ArrowReader::builder(&rows);
    // A file has one dictionary for each column, and a batch may have one of its own.
    let builder = if is_stream { builder } else { builder.own_types() };
    let batches = builder.build().map_err(|error| failed(error.into()))?;
    let schema = batches.schema();
    let out = Output::new(Some(output), args.force)?;
    let written = match is_stream {
        true => StreamWriter::try_new_with_options(out, &schema, options).and_then(|mut writer| {
            batches.into_iter().try_for_each(|batch| writer.write(&batch?))?;
            writer.finish()?;
            writer.into_inner()
        }),
        false => FileWriter::try_new_with_options(out, &schema, options).and_then(|mut writer| {
            batches.into_iter().try_for_each(|batch| writer.write(&batch?))?;
            writer.finish()?;
            writer.into_inner()
        }),
    };
    written.map_err(|error| failed(error.into()))?.finish()?;
    Ok(total)
}
