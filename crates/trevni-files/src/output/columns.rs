//! Files of rows that are being written.

#[cfg(feature = "parquet")]
mod parquet;

use super::{refuse_existing, refuse_packed, unwritten};
use crate::failure::Failure;
use crate::input::is_standard;
use crate::interrupt;
use crate::limits::limits;
use crate::remote::{self, Upload};
use serde::Serialize;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use trevni::{AtomicFile, Batch, Reader, Writer, WriterBuilder};

/// Bytes of finished blocks in memory; more of them wait in a temporary file for the end of the rows.
const MEMORY: u64 = 64 << 20;

/// What rows are written as: columns, or Parquet by way of columns.
pub struct Target {
    builder: WriterBuilder,
    #[cfg(feature = "parquet")]
    parquet: Option<trevni_parquet::ParquetOptions>,
}

impl From<WriterBuilder> for Target {
    fn from(builder: WriterBuilder) -> Self {
        Self {
            builder,
            #[cfg(feature = "parquet")]
            parquet: None,
        }
    }
}

impl Target {
    /// Parquet with these options.
    #[cfg(feature = "parquet")]
    pub fn parquet(options: trevni_parquet::ParquetOptions) -> Self {
        Self {
            builder: crate::parquet::temporary(Writer::builder().without_drop_notice()),
            parquet: Some(options),
        }
    }

    /// With more options of columns.
    pub fn with(mut self, more: impl FnOnce(WriterBuilder) -> WriterBuilder) -> Self {
        self.builder = more(self.builder);
        self
    }

    /// As [`with`](Self::with), where that may fail.
    #[cfg(feature = "parquet")]
    pub fn try_with<E>(
        mut self,
        more: impl FnOnce(WriterBuilder) -> Result<WriterBuilder, E>,
    ) -> Result<Self, E> {
        self.builder = more(self.builder)?;
        Ok(self)
    }
}

/// Writes a Trevni file to standard output, or to a path, where it appears when it is complete.
pub struct Columns {
    sink: Sink,
    name: PathBuf,
}

enum Sink {
    Standard(Box<Writer<BufWriter<io::Stdout>>>),
    File(Box<Writer<AtomicFile>>),
    Object(Box<Writer<Upload>>),
    #[cfg(feature = "parquet")]
    Parquet(Box<parquet::ByColumns>),
}

impl Columns {
    /// Standard output where the path is `-`. A file that is there is kept, unless it is to be replaced.
    pub fn new(target: impl Into<Target>, path: &Path, replace: bool) -> Result<Self, Failure> {
        let (target, name) = (target.into(), path.to_owned());
        refuse_packed(path)?;
        let builder = target.builder;
        #[cfg(feature = "parquet")]
        if let Some(options) = target.parquet {
            let sink = parquet::ByColumns::new(builder, options, path, replace)?;
            return Ok(Self { sink: Sink::Parquet(Box::new(sink)), name });
        }
        let builder = builder.memory_limit(MEMORY);
        let sink = if is_standard(path) {
            builder.build(BufWriter::new(io::stdout())).map(|writer| Sink::Standard(Box::new(writer)))
        } else if remote::is_url(path) {
            let upload = remote::create(path, replace)?;
            builder.build(upload).map(|writer| Sink::Object(Box::new(writer)))
        } else {
            refuse_existing(path, replace)?;
            let writer = if replace { builder.create(path) } else { builder.create_new(path) };
            writer.map(|writer| Sink::File(Box::new(writer)))
        };
        match sink {
            Ok(sink) => Ok(Self { sink, name }),
            Err(error) => Err(unwritten(path, &error)),
        }
    }

    /// Appends the rows of a batch.
    pub fn write_batch(&mut self, batch: &Batch) -> trevni::Result<()> {
        match &mut self.sink {
            Sink::Standard(writer) => writer.write_batch(batch),
            Sink::File(writer) => writer.write_batch(batch),
            Sink::Object(writer) => writer.write_batch(batch),
            #[cfg(feature = "parquet")]
            Sink::Parquet(columns) => columns.writer.write_batch(batch),
        }
    }

    /// Appends the first rows of a batch, `most` at most, and returns their number.
    pub fn write_first(&mut self, batch: &Batch, most: u64) -> trevni::Result<u64> {
        let rows = usize::try_from(most).unwrap_or(usize::MAX).min(batch.len());
        if rows == batch.len() {
            self.write_batch(batch)?;
        } else if rows > 0 {
            let places: Vec<(usize, usize)> = (0..rows).map(|row| (0, row)).collect();
            self.write_batch(&Batch::gather(std::slice::from_ref(batch), &places)?)?;
        }
        Ok(rows as u64)
    }

    /// Appends a row.
    #[inline]
    pub fn write(&mut self, row: &impl Serialize) -> trevni::Result<()> {
        match &mut self.sink {
            Sink::Standard(writer) => writer.write(row),
            Sink::File(writer) => writer.write(row),
            Sink::Object(writer) => writer.write(row),
            #[cfg(feature = "parquet")]
            Sink::Parquet(columns) => columns.writer.write(row),
        }
    }

    /// Number of rows so far.
    pub fn row_count(&self) -> u64 {
        match &self.sink {
            Sink::Standard(writer) => writer.row_count(),
            Sink::File(writer) => writer.row_count(),
            Sink::Object(writer) => writer.row_count(),
            #[cfg(feature = "parquet")]
            Sink::Parquet(columns) => columns.writer.row_count(),
        }
    }

    /// Writes the end of the file, and gives it its name.
    pub fn finish(self) -> Result<(), Failure> {
        interrupt::check().map_err(|error| Failure::io(self.name.display(), &error))?;
        let done = match self.sink {
            Sink::Standard(writer) => writer.finish().and_then(|mut out| Ok(out.flush()?)),
            Sink::File(writer) => writer.finish_checked().map(drop),
            Sink::Object(writer) => match writer.finish() {
                Ok(upload) => return upload.commit().map_err(|error| remote::failed(&error)),
                Err(error) => Err(error),
            },
            #[cfg(feature = "parquet")]
            Sink::Parquet(columns) => return columns.finish(&self.name),
        };
        done.map_err(|error| unwritten(&self.name, &error))
    }
}

/// Number of columns of a file that has been written.
pub fn column_count(path: &Path) -> usize {
    if remote::is_url(path) {
        let reader = remote::open(path).ok().and_then(|object| Reader::new(object).ok());
        return reader.map_or(0, |reader| reader.columns().len());
    }
    #[cfg(feature = "parquet")]
    if let Ok(file) = trevni_parquet::ParquetFile::open_with(path, limits()) {
        return file.columns().len();
    }
    Reader::builder().limits(limits()).open(path).map_or(0, |reader| reader.columns().len())
}
