//! Starts a writer: what its options come to, and what it knows of the rows; encodes rows again whose records have become maps.

use super::builder::WriterBuilder;
use super::row_encoder::RowEncoder;
use super::{AtomicFile, Taken, Writer};
use crate::convert::Conversion;
use crate::dialect::format::check;
use crate::dialect::{
    ColumnSettings, DecodedColumns, Decoder, Encoder, File, FileSettings, PathSettings, ReadOptions,
    Recognize, Window, trevni,
};
use crate::error::{Error, ErrorKind, Result};
use crate::limits::Limits;
use crate::metadata::{self, Metadata};
use crate::outlined::Outlined;
use crate::path::parse;
use crate::schema::avro;
use crate::ser::{Defaults, Detection, Shredder, WRITE_BATCH_BYTES};
use crate::shape::Shape;
use crate::storage::blocks::Resources;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::temporary::ANYWHERE;
use crate::vector::Vector;
use std::borrow::Cow;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::slice::from_ref;
use std::sync::Arc;

/// Bytes of finished blocks that a writer keeps in memory by default: of a file, and of another sink.
const MEMORY_OF_FILE: u64 = 32 << 20;
const MEMORY_OF_SINK: u64 = 256 << 20;

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

    /// Creates a file at a path where there is no file; one that appears there while this one is written is not replaced.
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
        let detection = Detection::new(self.detect_logical && self.given.is_nothing());
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
        // A sink may be memory itself, which a temporary file would not spare.
        let memory = if beside.as_os_str() == ANYWHERE { MEMORY_OF_SINK } else { MEMORY_OF_FILE };
        let resources = Resources {
            level: self.level,
            threads: self.threads,
            memory: self.memory_limit.unwrap_or(memory),
            row_group: self.memory_limit.unwrap_or(MEMORY_OF_SINK),
            beside,
        };
        let encoder = self.format.encoder(settings, resources)?;
        check(&*encoder, &shape)?;
        Ok((encoder, shape))
    }
}

pub(super) fn unreserved(key: &str) -> Result<()> {
    if key.starts_with("trevni.") || metadata::is_sum(key) { Err(reserved(key)) } else { Ok(()) }
}

fn unreserved_in_column(key: &str) -> Result<()> {
    if key == metadata::ZONE_MAP { Err(reserved(key)) } else { unreserved(key) }
}

#[cold]
fn reserved(key: &str) -> Error {
    ErrorKind::ReservedKey { key: key.to_owned() }.into()
}

/// What is said of the rows before the first.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// Nothing: the shape is learned from the rows.
    Nothing,
    /// The text of an Avro schema, and what finds its defaults: only programs that give a schema have that.
    Schema(String, fn(&str, &Shape) -> Option<Defaults>),
    Shape(Shape),
}

impl Given {
    /// The shape to begin with.
    pub(super) fn shape(&self) -> Result<Shape> {
        match self {
            Self::Nothing => Ok(Shape::Unknown),
            Self::Schema(text, _) => avro::parse(text).map_err(Error::given),
            Self::Shape(shape) => {
                shape.check()?;
                let shape = shape.clone().normalized();
                // What a reader would refuse is refused before the first row.
                avro::parse(&shape.to_avro())?;
                Ok(shape)
            }
        }
    }

    /// The values of fields that rows lack; `shape` is that of the schema.
    pub(super) fn defaults(&self, shape: &Shape) -> Option<Defaults> {
        if let Self::Schema(text, of) = self { of(text, shape) } else { None }
    }

    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}

/// The most rows that are decoded at once.
const ROWS_AT_ONCE: u64 = 4096;

impl RowEncoder {
    /// Encodes all rows so far in the shape that they have now, if it has other maps.
    pub(super) fn encode_again(&mut self, sink: &mut dyn Write) -> Result<()> {
        if !self.waiting.take_opened() {
            return Ok(());
        }
        let Self { encoder, detection, waiting, .. } = self;
        if let Some(detection) = detection {
            detection.keep_strings(waiting.shape());
        }
        let Some(bytes) = encoder.take_rows()? else { return Ok(()) };
        // Not by a reader, whose conditions and damaged files each program that writes would have.
        let formats = [trevni::decode::recognize as Recognize];
        let file = File::open(&formats, Box::new(&bytes), Limits::NONE, 1, ReadOptions::default())?;
        let schema = Arc::new(file.schema()?);
        let mut decoder = Decoder::new(&file, &schema, &schema.whole)?;
        decoder.want_all();
        let shape = match detection {
            Some(detection) => detection.stored(waiting.shape()),
            None => Cow::Borrowed(waiting.shape()),
        };
        let conversion = Conversion::from_rows(file.rows(), &schema.known(&schema.whole), &shape)?;
        // Few where they are large.
        let at_once = (WRITE_BATCH_BYTES as u64 / file.row_bytes()).clamp(1, ROWS_AT_ONCE);
        for first in (0..file.rows()).step_by(at_once as usize) {
            let all = 0..(file.rows() - first).min(at_once) as usize;
            let (mut vector, none) = (Vector::Null(0), DecodedColumns::default());
            decoder.batch(
                &file,
                &Window { row: first, rows: all.len(), picks: from_ref(&all) },
                &none,
                &mut vector,
            )?;
            encoder.append(&shape, &conversion.apply(vector)?, sink)?;
        }
        Ok(())
    }
}
