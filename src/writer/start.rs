//! Starts a writer: what the options come to.

use super::builder::WriterBuilder;
use super::given::Given;
use super::row_encoder::RowEncoder;
use super::{AtomicFile, Taken, Writer};
use crate::dialect::encoder::check;
use crate::dialect::{ColumnSettings, Encoder, FileSettings, PathSettings};
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::{self, Metadata};
use crate::outlined::Outlined;
use crate::path::parse;
use crate::ser::{Detection, Shredder};
use crate::shape::Shape;
use crate::storage::blocks::Resources;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::temporary::ANYWHERE;
use std::io::Write;
use std::path::{Path, PathBuf};

impl WriterBuilder {
    /// Creates a file. It is written under a temporary name and renamed by [`Writer::finish`], so a partial
    /// file is never visible.
    ///
    /// ```
    /// let path = std::env::temp_dir().join(format!("trevni-doc-create-{}.trv", std::process::id()));
    /// let mut writer = trevni::Writer::builder().create(&path)?;
    /// writer.write_all(0..10)?;
    /// assert!(!path.exists());
    /// writer.finish()?;
    /// assert!(path.exists());
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A folder that cannot be written to, and the errors of [`WriterBuilder::build`].
    pub fn create(self, path: impl AsRef<Path>) -> Result<Writer<AtomicFile>> {
        self.start(path.as_ref(), Taken::Replace)
    }

    /// Creates a file at a path where there is none; one that appears there while this one is written is not replaced.
    /// Otherwise as [`create`](Self::create).
    ///
    /// ```
    /// let path = std::env::temp_dir().join(format!("trevni-doc-new-{}.trv", std::process::id()));
    /// # let _ = std::fs::remove_file(&path);
    /// let mut writer = trevni::Writer::builder().create_new(&path)?;
    /// writer.write_all(0..10)?;
    /// writer.finish()?;
    /// let error = trevni::Writer::builder().create_new(&path).map(drop).unwrap_err();
    /// assert!(error.to_string().ends_with("already exists"));
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A path that exists, now or in [`Writer::finish`], and the errors of [`create`](Self::create).
    pub fn create_new(self, path: impl AsRef<Path>) -> Result<Writer<AtomicFile>> {
        self.start(path.as_ref(), Taken::Refuse)
    }

    /// Creates a file; `taken` says what to do where there is one already.
    pub(crate) fn start(self, path: &Path, taken: Taken) -> Result<Writer<AtomicFile>> {
        let path = AtomicFile::target(path);
        // No temporary file goes beside a device.
        let beside = if AtomicFile::is_special(&path) { PathBuf::from(ANYWHERE) } else { path.clone() };
        let rows = self.rows(beside)?;
        let sink = AtomicFile::start(path.clone(), taken).map_err(|error| error.in_file(&path))?;
        Ok(Writer { sink, commit: AtomicFile::complete, rows })
    }

    /// Creates a writer for a sink. [`Writer::finish`] writes the file to it and returns it. Blocks beyond
    /// [`WriterBuilder::memory_limit`] wait in a temporary file in [`std::env::temp_dir`].
    ///
    /// # Errors
    ///
    /// An invalid schema or shape, a reserved metadata key, a codec that this build lacks, a level that the codec
    /// lacks, or version 0.
    pub fn build<W: Write>(self, sink: W) -> Result<Writer<W>> {
        let rows = self.rows_for_sink()?;
        Ok(Writer { sink, commit: |_| Ok(()), rows })
    }

    /// As [`build`](Self::build), with a temporary file beside a path.
    pub(crate) fn build_beside<W: Write>(self, sink: W, path: &Path) -> Result<Writer<W>> {
        let rows = self.rows(path.to_owned())?;
        Ok(Writer { sink, commit: |_| Ok(()), rows })
    }

    /// No rows yet. A temporary file would be in the folder for these.
    fn rows_for_sink(self) -> Result<Outlined<RowEncoder>> {
        self.rows(PathBuf::from(ANYWHERE))
    }

    /// No rows yet. A temporary file would be beside the path `beside`.
    fn rows(self, beside: PathBuf) -> Result<Outlined<RowEncoder>> {
        let (encoder, shape) = self.encoder(beside)?;
        let defaults = self.given.defaults(&shape);
        let rows = Shredder::new(shape, self.given.is_nothing()).wishing(self.wishes);
        let paths = self.format.paths().iter().map(|part| part.path.clone());
        let rows =
            rows.mapping(&self.maps).keeping(self.paths.into_iter().map(|part| part.path).chain(paths));
        let rows = rows.filling(defaults).once(self.serialize_once);
        let detection = Detection::of(self.detect_logical && self.given.is_nothing());
        Ok(RowEncoder::new(encoder, rows, detection, self.batch_rows, self.drop_notice))
    }

    fn encoder(&self, beside: PathBuf) -> Result<(Encoder, Shape)> {
        let (mut codec, mut checksum) = (self.codec, self.checksum);
        let mut file = Metadata::default();
        let explicit = |key: &str| self.metadata.iter().any(|(other, _)| other == key);
        if !matches!(codec, Codec::Null | Codec::Auto) && !explicit(metadata::CODEC) {
            file.insert(metadata::CODEC, codec.name().as_bytes());
        }
        if checksum != Checksum::Null && !explicit(metadata::CHECKSUM) {
            file.insert(metadata::CHECKSUM, checksum.name().as_bytes());
        }
        for (key, value) in &self.metadata {
            let text = std::str::from_utf8(value).unwrap_or_default();
            match key.as_str() {
                metadata::CODEC => codec = Codec::from_name(text)?,
                metadata::CHECKSUM => checksum = Checksum::from_name(text)?,
                key => unreserved(key)?,
            }
            file.insert(key, value.as_slice());
        }
        let mut paths = self.paths.clone();
        PathSettings::add(&mut paths, self.format.paths());
        for part in &paths {
            parse(&part.path)?;
            part.metadata.iter().try_for_each(|(key, _)| unreserved_in_column(key))?;
            part.codec.unwrap_or_default().available()?;
        }
        if let Some(level) = self.level {
            let codecs = paths.iter().filter_map(|part| part.codec).chain([codec]);
            Codec::check_level(level, codecs)?;
        }
        self.wishes.check_types()?;
        self.maps.check()?;
        if !self.given.is_nothing() && !self.maps.is_empty() {
            return Err(Error::option("a given schema or shape has its own maps: write them there"));
        }
        if matches!(self.given, Given::Schema(..)) && !self.wishes.is_empty() {
            return Err(Error::option("a given schema has its own logical types: write them there"));
        }
        let shape = self.wishes.fulfilled(self.given.shape()?)?;
        if !self.given.is_nothing() {
            self.wishes.check(&shape)?;
        }
        let columns = ColumnSettings {
            codec: codec.available()?,
            checksum,
            block_size: self.block_size.map(|bytes| bytes.max(1)),
            runs: true,
            first_values: false,
            zones: self.zone_maps,
            fixed_integers: self.fixed_integers,
        };
        let settings = FileSettings {
            columns,
            paths,
            metadata: file,
            schema: match &self.given {
                Given::Schema(text, _) => Some(text.clone()),
                Given::Nothing | Given::Shape(_) => None,
            },
            derived: self.derived || self.given.is_nothing(),
        };
        let resources =
            Resources { level: self.level, threads: self.threads, memory: self.memory_limit, beside };
        let encoder = self.format.encoder(settings, resources)?;
        check(&*encoder, &shape)?;
        Ok((encoder, shape))
    }
}

fn unreserved(key: &str) -> Result<()> {
    if key.starts_with("trevni.") || metadata::is_sum(key) { Err(reserved(key)) } else { Ok(()) }
}

fn unreserved_in_column(key: &str) -> Result<()> {
    if key == metadata::ZONE_MAP { Err(reserved(key)) } else { unreserved(key) }
}

#[cold]
fn reserved(key: &str) -> Error {
    ErrorKind::ReservedKey { key: key.to_owned() }.into()
}
