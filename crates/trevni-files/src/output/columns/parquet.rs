//! Rows that become Parquet when all are there: a row group needs memory, so rows wait in a column file without a name.

use super::super::{Output, unwritten};
use crate::failure::Failure;
use crate::input::Watched;
use crate::progress::Progress;
use std::fs::File;
use std::path::Path;
use trevni::{Reader, Writer, WriterBuilder};
use trevni_parquet::ParquetOptions;

/// A column file without a name, and what becomes of it.
pub(super) struct ByColumns {
    pub(super) writer: Writer<File>,
    options: ParquetOptions,
    out: Output,
}

impl ByColumns {
    pub(super) fn new(
        builder: WriterBuilder,
        options: ParquetOptions,
        path: &Path,
        replace: bool,
    ) -> Result<Self, Failure> {
        let out = Output::new(Some(path), replace)?;
        let file = tempfile::tempfile().map_err(|error| Failure::io("a temporary file", &error))?;
        let writer = builder.build(file).map_err(|error| unwritten(path, &error))?;
        Ok(Self { writer, options, out })
    }

    /// Writes all rows.
    pub(super) fn finish(self, path: &Path) -> Result<(), Failure> {
        let failed = |error: trevni::Error| unwritten(path, &error);
        let file = self.writer.finish().map_err(failed)?;
        let bytes = file.metadata().map_or(0, |file| file.len());
        let source = Watched { source: file, progress: Progress::bytes("packing", bytes) };
        let rows =
            Reader::builder().limits(crate::limits::limits()).threads(0).shared(source).map_err(failed)?;
        let out = trevni_parquet::to_parquet(&rows, self.options, self.out);
        out.map_err(|error| Failure::of_parquet(path.display(), error))?.finish()
    }
}
