//! Sources that say themselves what their fields are: all of these in columns, or some.

use super::super::args::Convert;
use crate::dialect;
use crate::failure::Failure;
use crate::limits::limits;
use crate::output::{Columns, Target};
use crate::progress::Progress;
use crate::rows::Mixed;
use std::io::{self, Read};
use std::path::Path;
use trevni::{Reader, Writer, WriterBuilder};
use trevni_avro::schema_of;
use trevni_query::paths::{Pattern, chosen};

/// Writes the fields that are asked for. `write` writes all fields of the source to a file, and returns the number of rows.
pub(super) fn convert(
    args: &Convert,
    name: &str,
    output: &Path,
    write: impl FnOnce(Target, &Path) -> Result<u64, Failure>,
) -> Result<u64, Failure> {
    if args.columns.is_empty() && args.types.mixed == Mixed::Union {
        return write(args.target(output)?, output);
    }
    // All fields in columns, and of these some: choosing them is the work of columns.
    let folder = tempfile::tempdir().map_err(|error| Failure::io("a temporary folder", &error))?;
    let whole = folder.path().join("whole.trv");
    write(Writer::builder().without_drop_notice().serialize_once().threads(0).into(), &whole)?;
    let failed = |error: trevni::Error| Failure::of(Path::new(name), &error);
    let reader = Reader::builder().limits(limits()).threads(0).open(&whole).map_err(failed)?;
    let rows = match chosen(reader.shape(), &Pattern::all(&args.columns)?)? {
        Some(chosen) => reader.project_paths(chosen).map_err(failed)?,
        None => reader.clone(),
    };
    let rows = args.types.mixed.rows(&rows, name, u64::MAX)?;
    let schema = schema_of(&reader, rows.shape());
    let target = args.target(output)?;
    let target = target.with(|builder| described(builder.schema(schema), reader.metadata().iter()));
    let mut columns = Columns::new(target, output, args.force)?;
    for batch in rows.batches().map_err(failed)? {
        batch.and_then(|batch| columns.write_batch(&batch)).map_err(failed)?;
    }
    let count = columns.row_count();
    columns.finish()?;
    Ok(count)
}

/// Adds metadata of another file, except for what the format says itself.
pub(crate) fn described<'m>(
    builder: WriterBuilder,
    metadata: impl Iterator<Item = (&'m str, &'m [u8])>,
) -> WriterBuilder {
    let copied = metadata.filter(|(key, _)| !dialect::is_own_key(key));
    copied.fold(builder, |builder, (key, value)| builder.metadata(key, value))
}

/// A stream that counts what is read.
pub(super) struct Counted<R> {
    input: R,
    count: u64,
    progress: Progress,
}

impl<R> Counted<R> {
    pub(super) fn new(input: R, progress: Progress) -> Self {
        Self { input, count: 0, progress }
    }

    /// Bytes that have been read.
    pub(super) fn count(&self) -> u64 {
        self.count
    }
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.input.read(buffer)?;
        self.count += count as u64;
        self.progress.add(count as u64);
        Ok(count)
    }
}
