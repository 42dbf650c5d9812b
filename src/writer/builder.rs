//! Options for writing.

use super::given::Given;
use crate::dialect::PathSettings;
use crate::dialect::trevni::version::Version;
use crate::metadata::Metadata;
use crate::shape::Shape;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;

/// Configures and creates a [`Writer`](crate::Writer). Every option has a default.
///
/// ```
/// use trevni::{Codec, Reader, Writer};
///
/// let mut writer = Writer::builder().codec(Codec::Deflate).level(9).metadata("site", "roof").build(Vec::new())?;
/// writer.write_all(["north", "south"])?;
/// let file = writer.finish()?;
///
/// let reader = Reader::from_slice(&file)?;
/// assert_eq!(reader.columns()[0].codec(), "deflate");
/// assert_eq!(reader.metadata().get_str("site"), Some("roof"));
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct WriterBuilder {
    pub(super) codec: Codec,
    pub(super) level: Option<i32>,
    pub(super) checksum: Checksum,
    pub(super) version: Version,
    pub(super) block_size: Option<usize>,
    pub(super) batch_rows: usize,
    pub(super) memory_limit: u64,
    pub(super) threads: usize,
    pub(super) metadata: Vec<(String, Vec<u8>)>,
    pub(super) paths: Vec<PathSettings>,
    pub(super) given: Given,
    pub(super) derived: bool,
    pub(super) zone_maps: bool,
    pub(super) fixed_integers: bool,
    pub(super) serialize_once: bool,
}

impl Default for WriterBuilder {
    fn default() -> Self {
        Self::new()
    }
}

impl WriterBuilder {
    /// Creates a builder with the defaults.
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
            given: Given::Nothing,
            derived: false,
            zone_maps: true,
            fixed_integers: false,
            serialize_once: false,
        }
    }

    /// Sets the codec of all columns. Default: [`Codec::Snappy`].
    ///
    /// ```
    /// use trevni::{Codec, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().codec(Codec::Deflate).build(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.columns()[0].codec(), "deflate");
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn codec(mut self, codec: Codec) -> Self {
        self.codec = codec;
        self
    }

    /// Sets the compression level, for codecs that have levels ([`Codec::levels`]). Higher levels are slower
    /// and give smaller files. Default: 6 for deflate, 9 for bzip2, 3 for Zstandard.
    ///
    /// ```
    /// use trevni::{Codec, Writer};
    ///
    /// let size = |level| -> trevni::Result<usize> {
    ///     let mut writer = Writer::builder().codec(Codec::Deflate).level(level).build(Vec::new())?;
    ///     writer.write_all((0..20_000).map(|n| format!("flight {}", n * n)))?;
    ///     Ok(writer.finish()?.len())
    /// };
    /// assert!(size(9)? < size(1)?);
    /// assert!(size(10).is_err());
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn level(mut self, level: i32) -> Self {
        self.level = Some(level);
        self
    }

    /// Sets the checksum of the blocks of all columns. Default: [`Checksum::Crc32`].
    ///
    /// ```
    /// use trevni::{Checksum, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().checksum(Checksum::Null).build(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.columns()[0].checksum(), "null");
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn checksum(mut self, checksum: Checksum) -> Self {
        self.checksum = checksum;
        self
    }

    /// Sets the version of the format: 2, or 1 for Avro before 1.7.5. Version 0 cannot be written. Default: 2.
    ///
    /// ```
    /// use trevni::{Reader, Version, Writer};
    ///
    /// let mut writer = Writer::builder().version(Version::V1).build(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// let file = writer.finish()?;
    /// assert!(file.starts_with(b"Trv\x01"));
    /// assert_eq!(Reader::from_slice(&file)?.version(), Version::V1);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn version(mut self, version: Version) -> Self {
        self.version = version;
        self
    }

    /// Sets the size of a block in bytes, before compression. A block ends with the first row that reaches it.
    /// Default: 65,536, as in Java; 131,072 for Zstandard, which makes its blocks 2 to 5 % smaller.
    ///
    /// Readers decompress whole blocks: smaller blocks make single rows and filters cheaper, larger ones
    /// compress better.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let blocks = |bytes| -> trevni::Result<usize> {
    ///     let mut writer = Writer::builder().block_size(bytes).build(Vec::new())?;
    ///     writer.write_all((0..10_000).map(f64::from))?;
    ///     Ok(Reader::from_slice(&writer.finish()?)?.blocks(0)?.len())
    /// };
    /// assert_eq!((blocks(80_000)?, blocks(8_000)?), (1, 10));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn block_size(mut self, bytes: usize) -> Self {
        self.block_size = Some(bytes);
        self
    }

    /// Sets the number of rows to buffer before they are encoded. Default: 4,096, and fewer if rows are large.
    ///
    /// The rows read back are the same for any number.
    ///
    /// ```
    /// use trevni::Writer;
    ///
    /// let mut writer = Writer::builder().batch_rows(100).build(Vec::new())?;
    /// writer.write_all(0..1000)?;
    /// assert_eq!(trevni::from_slice::<Vec<u32>>(&writer.finish()?)?, Vec::from_iter(0..1000));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn batch_rows(mut self, rows: usize) -> Self {
        self.batch_rows = rows;
        self
    }

    /// Sets how many bytes of finished blocks are kept in memory. Default: 268,435,456 (256 MiB).
    ///
    /// The header of a file comes first and holds the position of each column, so blocks wait until
    /// [`Writer::finish`](crate::Writer::finish). Beyond the limit, all of them move to a temporary file: next to the target for
    /// [`WriterBuilder::create`], in [`std::env::temp_dir`] for [`WriterBuilder::build`]. The file is created
    /// when it is needed and removed with the writer. The output does not depend on this option.
    ///
    /// In addition, a writer takes memory for one open block per column and for the buffered rows
    /// ([`WriterBuilder::batch_rows`]).
    ///
    /// ```
    /// use trevni::Writer;
    ///
    /// let write = |limit| -> trevni::Result<Vec<u8>> {
    ///     let mut writer = Writer::builder().memory_limit(limit).build(Vec::new())?;
    ///     writer.write_all(0..100_000)?;
    ///     writer.finish()
    /// };
    /// // With a limit of 0, every finished block goes to a temporary file.
    /// assert_eq!(write(0)?, write(256 << 20)?);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = bytes;
        self
    }

    /// Sets the number of threads that compress blocks and compute checksums: the calling thread and
    /// `count - 1` others, which end with the writer. 0 means [`std::thread::available_parallelism`]. Default:
    /// 1, the calling thread only.
    ///
    /// Up to four full blocks are queued for each thread. The output does not depend on this option.
    ///
    /// ```
    /// use trevni::{Codec, Writer};
    ///
    /// let write = |threads| -> trevni::Result<Vec<u8>> {
    ///     let mut writer = Writer::builder().codec(Codec::Deflate).threads(threads).build(Vec::new())?;
    ///     writer.write_all(0..100_000)?;
    ///     writer.finish()
    /// };
    /// assert_eq!(write(4)?, write(1)?);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = count;
        self
    }

    /// Adds an entry to the metadata of the file, after the entries of the format. Default: no entries.
    ///
    /// Keys that begin with `trevni.` are reserved, except `trevni.codec` and `trevni.checksum`, which act like
    /// [`WriterBuilder::codec`] and [`WriterBuilder::checksum`], and are written even when `null`.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().metadata("site", "roof").build(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.metadata().get_str("site"), Some("roof"));
    /// assert!(Writer::builder().metadata("trevni.x", "").build(Vec::new()).is_err());
    /// # Ok::<(), trevni::Error>(())
    /// ```
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

    /// Sets the codec of the columns at and below a path. Default: the codec of the file.
    ///
    /// ```
    /// use trevni::{Codec, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().column_codec("_1", Codec::Deflate).build(Vec::new())?;
    /// writer.write_all([(1, "one"), (2, "two")])?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?;
    /// let codecs: Vec<&str> = reader.columns().iter().map(|column| column.codec()).collect();
    /// assert_eq!(codecs, ["snappy", "deflate"]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn column_codec(mut self, path: &str, codec: Codec) -> Self {
        self.path(path).codec = Some(codec);
        self
    }

    /// Sets the checksum of the columns at and below a path. Default: the checksum of the file.
    ///
    /// ```
    /// use trevni::{Checksum, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().column_checksum("_0", Checksum::Null).build(Vec::new())?;
    /// writer.write_all([(1, "one"), (2, "two")])?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?;
    /// let checksums: Vec<&str> = reader.columns().iter().map(|column| column.checksum()).collect();
    /// assert_eq!(checksums, ["null", "crc32"]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn column_checksum(mut self, path: &str, checksum: Checksum) -> Self {
        self.path(path).checksum = Some(checksum);
        self
    }

    /// Adds an entry to the metadata of the column at a path. Keys that begin with `trevni.` and the key
    /// `zone_map` are reserved. Default: no entries.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().column_metadata("_0", "unit", "miles").build(Vec::new())?;
    /// writer.write_all([(1089.0, "JFK")])?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.columns()[0].metadata().get_str("unit"), Some("miles"));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn column_metadata(mut self, path: &str, key: &str, value: impl AsRef<[u8]>) -> Self {
        self.path(path).metadata.insert(key, value.as_ref());
        self
    }

    /// Stores the first value of each block of these columns in the block descriptor. Default: no columns.
    ///
    /// This helps implementations without zone maps to search columns whose values ascend. It is for columns
    /// without lengths and parents, and not for booleans, whose first values Java cannot read.
    ///
    /// ```
    /// use trevni::{FirstValue, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().first_values(["id"]).block_size(1000).build(Vec::new())?;
    /// writer.write_all((0..2000).map(|id| serde_json::json!({"id": id, "name": "n"})))?;
    /// let file = writer.finish()?;
    /// let reader = Reader::from_slice(&file)?;
    /// assert_eq!(reader.blocks(0)?[0].first_value, Some(FirstValue::Long(0)));
    /// assert_eq!(reader.blocks(1)?[0].first_value, None);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn first_values<P: AsRef<str>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        for path in paths {
            self.path(path.as_ref()).first_values = true;
        }
        self
    }

    /// Writes no zone maps. Default: each column has a zone map ([`ZoneMap`](crate::ZoneMap)), in its metadata
    /// under the key `zone_map`, with the minimum, the maximum, the number of values and the number of nulls of
    /// each block.
    ///
    /// Readers use it to skip blocks; other implementations ignore it. It takes about twenty bytes per block,
    /// under 1 % of most files, and one comparison per value while writing. Without zone maps, codec and
    /// checksum, the file is byte for byte what Java writes.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let mut writer = Writer::builder().without_zone_maps().build(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// let file = writer.finish()?;
    /// assert!(Reader::from_slice(&file)?.zone_map(0)?.is_none());
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn without_zone_maps(mut self) -> Self {
        self.zone_maps = false;
        self
    }

    /// Writes the integers of a column with a fixed width if that is smaller: 4 bytes
    /// ([`ValueType::Fixed32`](crate::ValueType::Fixed32)) for 32-bit integers, 8 bytes
    /// ([`ValueType::Fixed64`](crate::ValueType::Fixed64)) for 64-bit integers. Default: variable width, at most 5
    /// and 10 bytes, as in Java.
    ///
    /// The choice is made once per column, from the values of its first block, before compression. Hashes, random
    /// numbers and times in nanoseconds become smaller and several times as fast to read. The schema stays the
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

    /// Serializes each row exactly once, which makes writing up to twice as slow. Default: a row that does not
    /// look like the rows before it is serialized a second time.
    ///
    /// Call this if a row's `Serialize` is not repeatable (for example a wrapped iterator or `serde_transcode`):
    /// such rows would be empty on the second attempt.
    ///
    /// ```
    /// use serde::{Serialize, Serializer};
    /// use std::cell::RefCell;
    /// use trevni::Writer;
    ///
    /// /// A row that is consumed when it is serialized.
    /// struct Items<I>(RefCell<I>);
    ///
    /// impl<I: Iterator<Item = u64>> Serialize for Items<I> {
    ///     fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
    ///         serializer.collect_seq(&mut *self.0.borrow_mut())
    ///     }
    /// }
    ///
    /// let mut writer = Writer::builder().serialize_once().build(Vec::new())?;
    /// writer.write(&Items(RefCell::new(0..0)))?;
    /// writer.write(&Items(RefCell::new(0..2)))?;
    /// let rows: Vec<Vec<u64>> = trevni::from_slice(&writer.finish()?)?;
    /// assert_eq!(rows, [vec![], vec![0, 1]]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn serialize_once(mut self) -> Self {
        self.serialize_once = true;
        self
    }

    /// Sets the Avro schema of the rows, as JSON. Default: the schema is inferred from the rows.
    ///
    /// The schema is written to the file unchanged. Rows that do not fit it are refused. An enum selects the
    /// branch of a union by the name of its variant; other values select it by their type.
    ///
    /// ```
    /// use trevni::Writer;
    ///
    /// let schema = r#"{"type": "record", "name": "Leg", "fields": [{"name": "miles", "type": "double"}]}"#;
    /// let mut writer = Writer::builder().schema(schema).build(Vec::new())?;
    /// writer.write(&serde_json::json!({"miles": 1089}))?;
    /// assert!(writer.write(&serde_json::json!({"miles": "far"})).is_err());
    /// let rows: Vec<serde_json::Value> = trevni::from_slice(&writer.finish()?)?;
    /// assert_eq!(rows, [serde_json::json!({"miles": 1089.0})]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn schema(mut self, avro: impl Into<String>) -> Self {
        self.given = Given::Schema(avro.into());
        self
    }

    /// Sets the shape of the rows, where it is known before the first: that of another reader, of a type
    /// ([`Shape::of`]), or one built by hand. Default: the shape is inferred from the rows.
    ///
    /// Rows that do not fit it are refused, and a file without rows has its columns. Conversions are lenient, as
    /// with a schema: records accept maps, optional fields may be missing, unions accept values by type, floats
    /// accept integers that they represent exactly.
    ///
    /// ```
    /// use trevni::{Reader, Writer};
    ///
    /// let file = trevni::to_vec([("JFK", 1089.0)])?;
    /// let reader = Reader::from_slice(&file)?;
    /// let mut writer = Writer::builder().shape(reader.shape()).build(Vec::new())?;
    /// writer.write(&("LAX", 2475))?;
    /// assert_eq!(trevni::from_slice::<Vec<(String, f64)>>(&writer.finish()?)?, [("LAX".to_owned(), 2475.0)]);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn shape(mut self, shape: &Shape) -> Self {
        self.given = Given::Shape(shape.clone());
        self
    }

    /// Marks the given schema or shape as inferred from rows: an enum that is read does not match its variants
    /// with the names of union branches. Default: a given schema is foreign, and it does.
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
}
