//! Options for writing.

use super::{AtomicFile, Writer};
use crate::checksum::Checksum;
use crate::codec::Codec;
use crate::dialect::trevni::encode::{ColumnSettings, Encoder, FileSettings, PathSettings, Resources};
use crate::dialect::trevni::version::Version;
use crate::error::{Error, ErrorKind, Result};
use crate::metadata::{self, Metadata};
use crate::schema::avro;
use crate::ser::{Shredder, WRITE_BATCH_BYTES};
use crate::shape::Shape;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Options for writing, all with defaults.
#[derive(Clone, Debug)]
#[must_use]
pub struct WriterBuilder {
    codec: Codec,
    level: Option<i32>,
    checksum: Checksum,
    version: Version,
    block_size: Option<usize>,
    batch_rows: usize,
    memory_limit: u64,
    threads: usize,
    metadata: Vec<(String, Vec<u8>)>,
    paths: Vec<PathSettings>,
    schema: Option<String>,
    derived: bool,
    zone_maps: bool,
    fixed_integers: bool,
    serialize_once: bool,
}

impl Default for WriterBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl WriterBuilder {
    /// The defaults.
    pub fn new() -> Self {
        Self {
            codec: Codec::default(),
            level: None,
            checksum: Checksum::default(),
            version: Version::default(),
            block_size: None,
            batch_rows: 4096,
            memory_limit: 256 << 20,
            threads: 1,
            metadata: Vec::new(),
            paths: Vec::new(),
            schema: None,
            derived: false,
            zone_maps: true,
            fixed_integers: false,
            serialize_once: false,
        }
    }

    /// How blocks are compressed. Default: [`Codec::Snappy`].
    pub fn codec(mut self, codec: Codec) -> Self {
        self.codec = codec;
        self
    }

    /// The level of codecs that have levels ([`Codec::levels`]): higher is smaller and slower. Default:
    /// 6 for deflate, 9 for bzip2, 3 for Zstandard.
    pub fn level(mut self, level: i32) -> Self {
        self.level = Some(level);
        self
    }

    /// The checksum of each block. Default: [`Checksum::Crc32`].
    pub fn checksum(mut self, checksum: Checksum) -> Self {
        self.checksum = checksum;
        self
    }

    /// The version of the format: 2, or 1 for Avro before 1.7.5. Default: 2.
    pub fn version(mut self, version: Version) -> Self {
        self.version = version;
        self
    }

    /// Bytes of values after which a block ends, at the next row. Default: 65,536, as Java has it; twice
    /// that for Zstandard, whose blocks become 2 to 5 % smaller.
    pub fn block_size(mut self, bytes: usize) -> Self {
        self.block_size = Some(bytes);
        self
    }

    /// Rows that are collected before they are encoded. Default: 4,096, fewer where rows are large.
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = rows;
        self
    }

    /// Bytes of finished blocks that are kept in memory. A file's header comes first and says where each
    /// column begins, so blocks wait until [`Writer::finish`]; when they take more than this, they all go
    /// to a temporary file. It is made when it is first needed and removed with the writer: beside the
    /// target for [`WriterBuilder::create`], in the folder of [`std::env::temp_dir`] for
    /// [`WriterBuilder::build`]. The bytes of the file do not depend on this. Default: 268,435,456
    /// (256 MiB).
    ///
    /// Beside that, a writer takes memory for one open block of each column and for the rows of
    /// [`WriterBuilder::batch_rows`].
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// Threads that compress blocks and compute checksums: the one that writes, and `count - 1` others,
    /// which end with the writer. Up to four full blocks wait for each of these. 0 means as many as
    /// the machine runs at once ([`std::thread::available_parallelism`]). The bytes of the file do not
    /// depend on this. Default: 1, no others.
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = count;
        self
    }

    /// Adds metadata of the file, behind the format's own. Keys that begin with `trevni.` are refused,
    /// but for `trevni.codec` and `trevni.checksum`, which do what [`WriterBuilder::codec`] and
    /// [`WriterBuilder::checksum`] do and stand in the file also where they say `null`.
    pub fn metadata(mut self, key: impl Into<String>, value: impl AsRef<[u8]>) -> Self {
        self.metadata.push((key.into(), value.as_ref().to_vec()));
        self
    }

    fn path(&mut self, path: &str) -> &mut PathSettings {
        let at = self.paths.iter().position(|part| part.path == path).unwrap_or_else(|| {
            self.paths.push(PathSettings {
                path: path.to_owned(),
                codec: None,
                checksum: None,
                first_values: false,
                metadata: Metadata::default(),
            });
            self.paths.len() - 1
        });
        &mut self.paths[at]
    }

    /// How the columns at and below a path of the shape are compressed. Default: as the file.
    pub fn column_codec(mut self, path: &str, codec: Codec) -> Self {
        self.path(path).codec = Some(codec);
        self
    }

    /// The checksum of the columns at and below a path of the shape. Default: as the file.
    pub fn column_checksum(mut self, path: &str, checksum: Checksum) -> Self {
        self.path(path).checksum = Some(checksum);
        self
    }

    /// Adds metadata of the column at a path of the shape. Keys that begin with `trevni.` are refused,
    /// and so is `zone_map`.
    pub fn column_metadata(mut self, path: &str, key: &str, value: impl AsRef<[u8]>) -> Self {
        self.path(path).metadata.insert(key, value.as_ref());
        self
    }

    /// Stores the first value of each block of these columns in its descriptor, which is of use where
    /// their values ascend. Only for columns without lengths and parents, and not for booleans, which Java
    /// could not read. Default: none.
    pub fn first_values<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        for path in paths {
            self.path(path.as_ref()).first_values = true;
        }
        self
    }

    /// Leaves zone maps out. Default: each column has one, in its metadata under the key `zone_map`: for
    /// each block the least and the greatest value, how many there are, and how many are missing
    /// ([`ZoneMap`](crate::ZoneMap)). Reading skips blocks by it that have nothing of what is looked
    /// for; other implementations pass over it. It costs some twenty bytes for a block, under 1 % of
    /// most files, and one look at each value while writing. Without zone maps, codec and checksum the
    /// file is what Java would write, byte by byte.
    pub fn without_zone_maps(mut self) -> Self {
        self.zone_maps = false;
        self
    }

    /// Writes the integers of a column with a fixed width where that is smaller: 4 bytes
    /// ([`ValueType::Fixed32`](crate::ValueType::Fixed32)) for those of 32 bits, 8
    /// ([`ValueType::Fixed64`](crate::ValueType::Fixed64)) for those of 64. Default: all have as many bytes as
    /// they need, at most 5 and 10, as Java writes them, and most integers are small.
    ///
    /// Each column is decided once, by the values of its first block, before the codec. Hashes, random numbers
    /// and times in nanoseconds come out smaller, and are read several times as fast. The schema stays the
    /// same; other implementations take the type from the column.
    ///
    /// ```
    /// use trevni::{Reader, ValueType, Writer};
    ///
    /// let hash = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    /// let mut writer = Writer::builder().fixed_integers().build(Vec::new())?;
    /// writer.write_all((0..1000u64).map(|number| (number, hash(number))))?;
    /// let file = writer.finish()?;
    ///
    /// let reader = Reader::from_slice(&file)?;
    /// let types: Vec<ValueType> = reader.columns().iter().map(|column| column.value_type()).collect();
    /// assert_eq!(types, [ValueType::Long, ValueType::Fixed64]);
    /// assert_eq!(reader.row::<(u64, u64)>(999)?, (999, hash(999)));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn fixed_integers(mut self) -> Self {
        self.fixed_integers = true;
        self
    }

    /// Serializes each row only once. Default: rows are tried the fast way, for rows that look like those
    /// before, and one that does not is serialized once more. Derived types and all that can be serialized
    /// again and again do not mind. Rows that give what they have only once do, such as an iterator in a cell
    /// or a deserializer that is passed on (`serde_transcode`): they would come without their contents.
    /// Writing takes up to twice as long.
    pub fn serialize_once(mut self) -> Self {
        self.serialize_once = true;
        self
    }

    /// The Avro schema of the rows, as JSON. It is kept to the letter, and rows that do not fit it are
    /// refused. The branches of a union are chosen by name with an enum that has variants of their
    /// names, or else by the kind of the value. Default: the schema is learned from the rows.
    pub fn schema(mut self, avro: impl Into<String>) -> Self {
        self.schema = Some(avro.into());
        self
    }

    /// The shape of the rows, as [`WriterBuilder::schema`] gives it: for rows whose shape is known, but not
    /// from a type, such as those of another reader.
    ///
    /// Rows that are given so are taken liberally: records take maps, optional fields may be left out,
    /// unions take values by their kind, floats take integers that they can hold.
    pub fn shape(self, shape: &Shape) -> Self {
        self.schema(shape.to_avro())
    }

    /// Says that the schema or shape that was given comes from rows, as a writer derives it where none is given:
    /// names of a union's branches are no variants for an enum that is read. Default: they are.
    ///
    /// ```
    /// use trevni::{Shape, Writer};
    ///
    /// let shape = Shape::from_avro(r#"["null", "string"]"#)?;
    /// let mut writer = Writer::builder().shape(&shape).derived().build(Vec::new())?;
    /// writer.write(&Some("string"))?;
    /// let file = writer.finish()?;
    ///
    /// #[derive(serde::Deserialize, PartialEq, Debug)]
    /// #[serde(rename_all = "lowercase")]
    /// enum Type { String, Int }
    /// assert_eq!(trevni::from_slice::<Vec<Type>>(&file)?, [Type::String]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn derived(mut self) -> Self {
        self.derived = true;
        self
    }

    /// Starts a file. It has its name only when it is whole.
    ///
    /// # Errors
    ///
    /// A folder that cannot be written to, and what [`WriterBuilder::build`] refuses.
    pub fn create(self, path: impl AsRef<Path>) -> Result<Writer<AtomicFile>> {
        let path = AtomicFile::target(path.as_ref());
        // No temporary file goes beside a device.
        let beside = if AtomicFile::is_special(&path) { in_temporary_folder() } else { path.clone() };
        let (encoder, shape) = self.encoder(beside)?;
        let sink = AtomicFile::create(path)?;
        Ok(self.writer(encoder, shape, sink, AtomicFile::commit))
    }

    /// Writes into a sink, when the writer is finished. Blocks beyond [`WriterBuilder::memory_limit`]
    /// wait in the folder of [`std::env::temp_dir`].
    ///
    /// # Errors
    ///
    /// A schema that is none, reserved metadata keys, a codec that this build does not have, version 0.
    pub fn build<W: Write>(self, sink: W) -> Result<Writer<W>> {
        let (encoder, shape) = self.encoder(in_temporary_folder())?;
        Ok(self.writer(encoder, shape, sink, |_| Ok(())))
    }

    fn writer<W: Write>(
        self,
        encoder: Encoder,
        shape: Shape,
        sink: W,
        commit: fn(&mut W) -> Result<()>,
    ) -> Writer<W> {
        Writer {
            sink,
            commit,
            encoder,
            rows: Shredder::new(shape, self.schema.is_none()).once(self.serialize_once),
            batch_rows: self.batch_rows.max(1),
            next_look: 1,
            batch_bytes: WRITE_BATCH_BYTES,
            broken: false,
        }
    }

    /// A temporary file would be beside the path `beside`.
    fn encoder(&self, beside: PathBuf) -> Result<(Encoder, Shape)> {
        if !self.version.has_arrays() {
            return Err(Error::option("version 0 cannot be written: it has no arrays"));
        }
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
        for part in &self.paths {
            part.metadata.iter().try_for_each(|(key, _)| unreserved_in_column(key))?;
            part.codec.unwrap_or_default().available()?;
        }
        if let Some(level) = self.level {
            let mut codecs = self.paths.iter().filter_map(|part| part.codec).chain([codec]);
            codecs.try_for_each(|codec| codec.check_level(level))?;
        }
        let shape = match &self.schema {
            Some(text) => avro::parse(text)?,
            None => Shape::Unknown,
        };
        let columns = ColumnSettings {
            codec: codec.available()?,
            checksum,
            block_size: self.block_size.map(|bytes| bytes.max(1)),
            runs: self.version.has_length_runs(),
            first_values: false,
            zones: self.zone_maps,
            fixed_integers: self.fixed_integers,
        };
        let settings = FileSettings {
            version: self.version,
            columns,
            paths: self.paths.clone(),
            metadata: file,
            schema: self.schema.clone(),
            derived: self.derived || self.schema.is_none(),
        };
        settings.check(&shape)?;
        let resources = Resources {
            level: self.level,
            threads: match self.threads {
                0 => std::thread::available_parallelism().map_or(1, usize::from),
                count => count,
            },
            memory: self.memory_limit,
            beside,
        };
        Ok((Encoder::new(settings, resources), shape))
    }
}

/// What a temporary file may be beside of, where there is no file of a name.
fn in_temporary_folder() -> PathBuf {
    std::env::temp_dir().join("trevni")
}

fn unreserved(key: &str) -> Result<()> {
    if key.starts_with("trevni.") { Err(reserved(key)) } else { Ok(()) }
}

fn unreserved_in_column(key: &str) -> Result<()> {
    if key == metadata::ZONE_MAP { Err(reserved(key)) } else { unreserved(key) }
}

#[cold]
fn reserved(key: &str) -> Error {
    ErrorKind::ReservedKey { key: key.to_owned() }.into()
}
