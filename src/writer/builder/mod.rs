//! Options for writing: of the whole file here, of columns and of rows in files of their own.

mod columns;
mod formats;
mod logical;
mod rows;

use super::start::Given;
use crate::dialect::format::Sealed;
use crate::dialect::trevni::format::Trevni;
use crate::dialect::{Dialect, PathSettings};
use crate::ser::{Maps, Wishes};
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
/// assert_eq!(reader.columns()[0].codec(), Some(Codec::Deflate));
/// assert_eq!(reader.metadata().get_str("site"), Some("roof"));
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct WriterBuilder {
    pub(in crate::writer) codec: Codec,
    pub(in crate::writer) level: Option<i32>,
    pub(in crate::writer) checksum: Checksum,
    pub(in crate::writer) format: Box<dyn Sealed>,
    pub(in crate::writer) block_size: Option<usize>,
    pub(in crate::writer) batch_rows: usize,
    pub(in crate::writer) memory_limit: Option<u64>,
    pub(in crate::writer) threads: usize,
    pub(in crate::writer) metadata: Vec<(String, Vec<u8>)>,
    pub(in crate::writer) paths: Vec<PathSettings>,
    pub(in crate::writer) given: Given,
    pub(in crate::writer) wishes: Wishes,
    pub(in crate::writer) maps: Maps,
    pub(in crate::writer) detect_logical: bool,
    pub(in crate::writer) derived: bool,
    pub(in crate::writer) zone_maps: bool,
    pub(in crate::writer) fixed_integers: bool,
    pub(in crate::writer) drop_notice: bool,
    pub(in crate::writer) serialize_once: bool,
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
            format: Box::new(Trevni::new()),
            block_size: None,
            batch_rows: 4096,
            memory_limit: None,
            threads: 1,
            metadata: Vec::new(),
            paths: Vec::new(),
            given: Given::Nothing,
            wishes: Wishes::default(),
            maps: Maps::default(),
            detect_logical: false,
            derived: false,
            zone_maps: true,
            fixed_integers: false,
            drop_notice: true,
            serialize_once: false,
        }
    }

    /// The format that is written.
    pub(crate) fn target(&self) -> Dialect {
        self.format.dialect()
    }

    /// The size of blocks, where one is set.
    pub(crate) fn own_block_size(&self) -> Option<usize> {
        self.block_size
    }

    /// Sets the format, as other files have it.
    pub(crate) fn with_format(mut self, format: Box<dyn Sealed>) -> Self {
        self.format = format;
        self
    }

    /// Keeps silent where the writer is dropped before [`finish`](crate::Writer::finish). Otherwise it says so on standard
    /// error: once a process, in debug builds, and not while a panic unwinds.
    ///
    /// ```
    /// use trevni::Writer;
    ///
    /// let mut writer = Writer::builder().without_drop_notice().build(Vec::new())?;
    /// writer.write(&1)?;
    /// drop(writer); // no file, no word
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn without_drop_notice(mut self) -> Self {
        self.drop_notice = false;
        self
    }

    /// Sets the codec of all columns. Default: [`Codec::Snappy`].
    ///
    /// ```
    /// use trevni::{Codec, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().codec(Codec::Deflate).build(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.columns()[0].codec(), Some(Codec::Deflate));
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

    /// Sets the checksum of the blocks of all columns, and with it whether header or footer have one. Default:
    /// [`Checksum::Crc32`].
    ///
    /// ```
    /// use trevni::{Checksum, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().checksum(Checksum::Null).build(Vec::new())?;
    /// writer.write_all(0..10)?;
    /// let file = writer.finish()?;
    /// assert_eq!(Reader::from_slice(&file)?.columns()[0].checksum(), Some(Checksum::Null));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn checksum(mut self, checksum: Checksum) -> Self {
        self.checksum = checksum;
        self
    }

    /// Sets the size of a block in bytes, before compression. A block ends with the first row that reaches it.
    /// Default: 65,536, as in Java; 131,072 for Zstandard, which makes its blocks 2 to 5 % smaller; 1,048,576 for
    /// [`Codec::Typed`] and [`Codec::TypedZstandard`].
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

    /// Sets how many bytes of finished blocks are kept in memory. Default: 33,554,432 (32 MiB) for files, 268,435,456 (256 MiB)
    /// for other sinks. All writers of a process keep 256 MiB together; beyond it each keeps at most 1 MiB.
    ///
    /// The header of a file comes first and holds the position of each column, so blocks wait until
    /// [`Writer::finish`](crate::Writer::finish). Beyond the limit, all of them move to a temporary file: next to the target for
    /// [`WriterBuilder::create`], in [`std::env::temp_dir`] for [`WriterBuilder::build`]. The file is created
    /// when it is needed and removed with the writer. The output does not depend on this option, but for row groups.
    ///
    /// A row group of [`RedElm`](crate::formats::RedElm) has no more bytes than this.
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
        self.memory_limit = Some(bytes);
        self
    }

    /// Sets the number of threads that compress blocks and compute checksums: the calling thread and
    /// `count - 1` others, which end with the writer. 0 means [`std::thread::available_parallelism`]. Default:
    /// 1, the calling thread only.
    ///
    /// Up to four full blocks are queued for each thread. In [`Dialect::RedElm`](crate::Dialect::RedElm), the columns of a
    /// full row group are compressed on these threads. The output does not depend on this option. Needs the feature `threads`,
    /// which is a default one.
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
    #[cfg(feature = "threads")]
    pub fn threads(mut self, count: usize) -> Self {
        self.threads = crate::storage::pool::counted(count);
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
}
