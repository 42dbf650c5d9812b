//! Messages of Protocol Buffers to Trevni: their descriptors say what the fields are.

use super::super::args::Convert;
use super::whole::{self, Counted};
use crate::failure::Failure;
use crate::human::count;
use crate::interrupt;
use crate::output::{self, Columns, Target};
use crate::progress::{self, Progress};
use crate::text::TextSource;
use std::io::Read;
use std::path::Path;
use trevni_protobuf::{Mapping, Reader as Messages};

/// Writes the messages of a file to a Trevni file.
pub(in crate::commands::convert) fn run(
    args: &Convert,
    source: &TextSource,
    output: &Path,
) -> Result<(), Failure> {
    let mapping = args.messages.mapping(&source.name)?;
    let progress = Progress::bytes("writing", source.size().unwrap_or(0));
    let mut input = Counted::new(source.reader()?, progress);
    let rows = whole::convert(args, &source.name, output, |target, output| {
        write(args, &source.name, &mut input, mapping, target, output)
    })?;
    let read = input.count();
    drop(input);
    output::made(&source.name, output, count(rows, "row"), read);
    Ok(())
}

/// Writes the first messages, with all fields.
fn write(
    args: &Convert,
    name: &str,
    input: impl Read,
    mapping: Mapping,
    target: Target,
    output: &Path,
) -> Result<u64, Failure> {
    let limit = args.number.unwrap_or(u64::MAX);
    let unwritten = |error: trevni::Error| Failure::of(output, &error);
    let mut messages = Messages::new(input, mapping).largest(args.messages.largest_message as u64);
    let target = target.with(|builder| {
        let builder = builder.shape(messages.shape());
        args.meta.iter().fold(builder, |builder, (key, value)| builder.metadata(key, value))
    });
    let mut columns = Columns::new(target, output, args.force)?;
    while columns.row_count() < limit {
        interrupt::check().map_err(|error| Failure::io(name, &error))?;
        let Some(batch) = messages.next() else {
            break;
        };
        let batch = batch.map_err(|error| Failure::of_protobuf(name, error))?;
        columns.write_first(&batch, limit - columns.row_count()).map_err(unwritten)?;
    }
    match messages.unknown_fields() {
        0 => {}
        fields => progress::note(format_args!(
            "{name}: {} skipped, which the descriptors do not know",
            count(fields, "field")
        )),
    }
    let count = columns.row_count();
    columns.finish()?;
    Ok(count)
}
