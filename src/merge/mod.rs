//! Concatenates files, and splits them, copying blocks without decoding them where that can be.

pub(crate) mod files;
mod inherit;
mod inputs;
mod made;
mod parts;
mod rewrite;
mod split;

pub use crate::dialect::merge::Merged;
pub use split::Split;

use crate::dialect::Dialect;
use crate::dialect::merge::Options;
use crate::dialect::trevni::format::TrevniInfo;
use crate::error::{Error, Result};
use crate::reader::Reader;
use crate::shape::Shape;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::storage::temporary::ANYWHERE;
use crate::writer::AtomicFile;
use inputs::Inputs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Concatenates files into one. Every option has a default.
///
/// The result has the rows of the readers, in order; a reader may be limited to some rows
/// ([`Reader::select`], [`Reader::filter`]). A block whose rows are all needed is copied as stored: it is not
/// decompressed, decoded or compared with its checksum ([`Merge::verify`] does that). A block with another
/// codec or checksum than the result is recompressed. Values are decoded only to evaluate a predicate, and in
/// blocks that a selection cuts; the selected rows then form a block of their own.
///
/// Files of other formats than [`Dialect::Trevni`], and files that become one of another format
/// ([`Merge::dialect`]), are decoded and encoded again, batch by batch.
///
/// The files must have the same columns and the same schema. If only the width of integers differs
/// ([`WriterBuilder::fixed_integers`](crate::WriterBuilder::fixed_integers)), blocks are re-encoded with the
/// width of the first file. The result has the file metadata of the first file, plus keys that only later
/// files have, and the column metadata of the first file. Its version is the highest version of all files. A
/// column keeps its zone map if all files have one for it: zones are copied with their blocks, and cut blocks
/// get new ones.
///
/// If all blocks are copied, merging takes memory for the block tables and about a megabyte of blocks.
/// Recompressed and re-encoded blocks stay in memory until the end, because the header comes first and holds
/// the position of each column. Where all is encoded again, [`Merge::memory_limit`] applies.
///
/// ```
/// use trevni::merge::Merge;
/// use trevni::{Codec, Reader};
///
/// let (day, night) = (trevni::to_vec([(1, "one"), (2, "two")])?, trevni::to_vec([(3, "three")])?);
/// let readers = [Reader::from_slice(&day)?.select(1..2)?, Reader::from_slice(&night)?];
///
/// let mut file = Vec::new();
/// let merged = Merge::new().codec(Codec::Deflate).write(&readers, &mut file)?;
/// assert_eq!((merged.rows, merged.blocks_recoded, merged.blocks_rewritten), (2, 2, 2));
/// assert_eq!(trevni::from_slice::<Vec<(i32, String)>>(&file)?, [(2, "two".into()), (3, "three".into())]);
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use]
pub struct Merge {
    options: Options,
    /// None for the format of the first file.
    dialect: Option<Dialect>,
    memory_limit: Option<u64>,
    /// None for what the first file is.
    compact: Option<bool>,
    promote: bool,
    /// Blocks are filled again: all rows are decoded and encoded.
    refill: bool,
    block_size: Option<usize>,
}

impl Merge {
    /// Creates a merge with the defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the codec of all columns. Blocks that already have this codec are copied. Default: each column has its
    /// codec in the first file.
    ///
    /// ```
    /// use trevni::merge::Merge;
    /// use trevni::{Codec, Reader};
    ///
    /// let bytes = trevni::to_vec(0..10)?;
    /// let mut file = Vec::new();
    /// let merged = Merge::new().codec(Codec::Deflate).write(&[Reader::from_slice(&bytes)?], &mut file)?;
    /// assert_eq!((merged.blocks_recoded, merged.blocks_copied), (1, 0));
    /// assert_eq!(Reader::from_slice(&file)?.columns()[0].codec(), Some(Codec::Deflate));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn codec(mut self, codec: Codec) -> Self {
        self.options.codec = Some(codec);
        self
    }

    /// Sets the compression level for recompressed blocks, for codecs that have levels ([`Codec::levels`]).
    /// Default: as [`WriterBuilder::level`](crate::WriterBuilder::level).
    ///
    /// ```
    /// use trevni::merge::Merge;
    /// use trevni::{Codec, Reader};
    ///
    /// let bytes = trevni::to_vec((0..20_000).map(|n| format!("flight {}", n * n)))?;
    /// let size = |level| -> trevni::Result<usize> {
    ///     let (readers, mut file) = ([Reader::from_slice(&bytes)?], Vec::new());
    ///     Merge::new().codec(Codec::Deflate).level(level).write(&readers, &mut file)?;
    ///     Ok(file.len())
    /// };
    /// assert!(size(9)? < size(1)?);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn level(mut self, level: i32) -> Self {
        self.options.level = Some(level);
        self
    }

    /// Sets the checksum of all columns. Default: each column has its checksum in the first file.
    ///
    /// ```
    /// use trevni::merge::Merge;
    /// use trevni::{Checksum, Reader};
    ///
    /// let bytes = trevni::to_vec(0..10)?;
    /// let mut file = Vec::new();
    /// Merge::new().checksum(Checksum::Null).write(&[Reader::from_slice(&bytes)?], &mut file)?;
    /// assert_eq!(Reader::from_slice(&file)?.columns()[0].checksum(), Some(Checksum::Null));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn checksum(mut self, checksum: Checksum) -> Self {
        self.options.checksum = Some(checksum);
        self
    }

    /// Sets the format of the result. Default: that of the first file.
    ///
    /// Unless all files and the result are [`Dialect::Trevni`], all blocks are decoded and encoded again. What the format
    /// cannot have is an error, or is dropped where it says nothing of the rows; the chapter on
    /// [merging](crate::guide::merging) has the list.
    ///
    /// ```
    /// # #[cfg(feature = "levels")] {
    /// use trevni::merge::Merge;
    /// use trevni::{Dialect, Reader, Writer};
    ///
    /// let mut writer = Writer::builder().dialect(Dialect::RedElm).build(Vec::new())?;
    /// writer.write_all([1, 2])?;
    /// let (one, two) = (writer.finish()?, trevni::to_vec([3])?);
    /// let readers = [Reader::from_slice(&one)?, Reader::from_slice(&two)?];
    ///
    /// let mut file = Vec::new();
    /// let merged = Merge::new().dialect(Dialect::Levels).write(&readers, &mut file)?;
    /// assert_eq!((merged.rows, merged.blocks_rewritten), (3, 2));
    /// assert_eq!(Reader::from_slice(&file)?.dialect(), Dialect::Levels);
    /// assert_eq!(trevni::from_slice::<Vec<i32>>(&file)?, [1, 2, 3]);
    /// # }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn dialect(mut self, dialect: Dialect) -> Self {
        self.dialect = Some(dialect);
        self
    }

    /// Sets whether the result is compact ([`Trevni::compact`](crate::formats::Trevni::compact)), which a Trevni file can
    /// be, where that makes it smaller. Default: as the first file.
    ///
    /// All blocks of a compact result are decoded and encoded again. Of compact files, blocks of columns of more than 64 KiB
    /// are copied into a plain result; the others get the codec that the file has.
    ///
    /// ```
    /// use trevni::Reader;
    /// use trevni::formats::TrevniInfo;
    /// use trevni::merge::Merge;
    ///
    /// let rows = [(1, "one".to_owned()), (2, "two".to_owned())];
    /// let bytes = trevni::to_vec(&rows)?;
    /// let (mut small, mut plain) = (Vec::new(), Vec::new());
    /// Merge::new().compact(true).write(&[Reader::from_slice(&bytes)?], &mut small)?;
    /// let reader = Reader::from_slice(&small)?;
    /// assert!(reader.info::<TrevniInfo>().is_some_and(|info| info.is_compact));
    /// Merge::new().compact(false).write(&[reader], &mut plain)?;
    /// assert_eq!(trevni::from_slice::<Vec<(i32, String)>>(&plain)?, rows);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn compact(mut self, compact: bool) -> Self {
        self.compact = Some(compact);
        self
    }

    /// Sets how many bytes of encoded blocks are kept in memory where all blocks are encoded again; more wait in a
    /// temporary file, as for [`WriterBuilder::memory_limit`](crate::WriterBuilder::memory_limit). A row group of
    /// [`Dialect::RedElm`] has no more bytes than this. Default: as [`WriterBuilder::memory_limit`](crate::WriterBuilder::memory_limit).
    ///
    /// ```
    /// # #[cfg(feature = "levels")] {
    /// use trevni::merge::Merge;
    /// use trevni::{Dialect, Reader};
    ///
    /// let bytes = trevni::to_vec((0..10_000).map(|n| format!("flight {n}")))?;
    /// let merge = Merge::new().dialect(Dialect::RedElm).memory_limit(50_000);
    /// let mut file = Vec::new();
    /// merge.write(&[Reader::from_slice(&bytes)?], &mut file)?;
    /// assert!(Reader::from_slice(&file)?.blocks(0)?.len() > 1);
    /// # }
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn memory_limit(mut self, bytes: u64) -> Self {
        self.memory_limit = Some(bytes);
        self
    }

    /// Decompresses copied blocks and compares them with their checksums, without decoding their values. Default:
    /// blocks are copied unchecked, including any damage.
    ///
    /// ```
    /// use trevni::Reader;
    /// use trevni::merge::Merge;
    ///
    /// let mut bytes = trevni::to_vec(0..10)?;
    /// *bytes.last_mut().unwrap() ^= 1; // damages the only block
    /// let readers = [Reader::from_slice(&bytes)?];
    /// assert!(Merge::new().write(&readers, Vec::new()).is_ok());
    /// assert!(Merge::new().verify().write(&readers, Vec::new()).is_err());
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn verify(mut self) -> Self {
        self.options.verify = true;
        self
    }

    /// Decodes and encodes all rows, so that many small blocks become few. Default: blocks are copied where they can be.
    ///
    /// ```
    /// use trevni::Reader;
    /// use trevni::merge::Merge;
    ///
    /// let files: Vec<_> = (0..50).map(|n| trevni::to_vec([n])).collect::<trevni::Result<_>>()?;
    /// let readers: Vec<_> = files.iter().map(|file| Reader::from_slice(file)).collect::<trevni::Result<_>>()?;
    /// let (mut copied, mut refilled) = (Vec::new(), Vec::new());
    /// Merge::new().write(&readers, &mut copied)?;
    /// Merge::new().refill().write(&readers, &mut refilled)?;
    /// assert!(refilled.len() < copied.len() / 2);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn refill(mut self) -> Self {
        self.refill = true;
        self
    }

    /// The size of blocks that are encoded, as [`WriterBuilder::block_size`](crate::WriterBuilder::block_size).
    pub(crate) fn block_size(mut self, bytes: usize) -> Self {
        self.block_size = Some(bytes);
        self
    }

    /// Lets values become values of a wider kind where files differ, as in the columns of a table: integers and decimals beside
    /// floats become floats, integers beside decimals decimals, enums beside strings strings, strings beside bytes bytes.
    /// Default: each value stays what it is, in a union of both.
    ///
    /// ```
    /// use trevni::merge::Merge;
    /// use trevni::{Reader, Shape};
    ///
    /// let (one, two) = (trevni::to_vec([1, 2])?, trevni::to_vec([0.5])?);
    /// let readers = [Reader::from_slice(&one)?, Reader::from_slice(&two)?];
    /// let (mut apart, mut table) = (Vec::new(), Vec::new());
    /// Merge::new().write(&readers, &mut apart)?;
    /// Merge::new().promote().write(&readers, &mut table)?;
    /// assert_eq!(Reader::from_slice(&apart)?.shape(), &Shape::Union(vec![Shape::Int, Shape::Double]));
    /// assert_eq!(Reader::from_slice(&table)?.shape(), &Shape::Double);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    pub fn promote(mut self) -> Self {
        self.promote = true;
        self
    }

    /// The shape of the result's rows, before anything is written.
    ///
    /// ```
    /// use trevni::merge::Merge;
    /// use trevni::{Reader, Shape};
    ///
    /// let (one, two) = (trevni::to_vec([1i32])?, trevni::to_vec([1i64 << 40])?);
    /// let readers = [Reader::from_slice(&one)?, Reader::from_slice(&two)?];
    /// assert_eq!(Merge::new().shape(&readers)?, Shape::Long);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// An empty list, and files that need more together than a file can have.
    pub fn shape(&self, readers: &[Reader<'_>]) -> Result<Shape> {
        Ok(Inputs { readers, names: &[] }.joined(self.promote)?.shape)
    }

    /// Writes a file to a sink. After an error, partial output may remain.
    ///
    /// # Errors
    ///
    /// An empty list, projected readers, files with different columns or schemas, damaged blocks that must be
    /// decompressed or decoded, and an I/O error of the sink.
    pub fn write<W: Write>(&self, readers: &[Reader<'_>], mut sink: W) -> Result<Merged> {
        self.write_named(readers, &[], &mut sink, Path::new(ANYWHERE))
    }

    /// Writes atomically to `path`, which may be one of the inputs.
    ///
    /// # Errors
    ///
    /// As [`Merge::write`], and a folder that cannot be written to.
    pub fn create(&self, readers: &[Reader<'_>], path: impl AsRef<Path>) -> Result<Merged> {
        self.create_named(readers, &[], AtomicFile::create(path)?)
    }

    /// As [`Merge::create`], but a file that has the path is never replaced, even if it appears while this one is
    /// written.
    ///
    /// ```
    /// # let path = std::env::temp_dir().join(format!("trevni-doc-merge-new-{}.trv", std::process::id()));
    /// use trevni::Reader;
    /// use trevni::merge::Merge;
    ///
    /// let bytes = trevni::to_vec(0..10)?;
    /// let readers = [Reader::from_slice(&bytes)?];
    /// Merge::new().create_new(&readers, &path)?;
    /// assert!(Merge::new().create_new(&readers, &path).is_err());
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// As [`Merge::create`], and a path that exists ([`AlreadyExists`](std::io::ErrorKind::AlreadyExists)).
    pub fn create_new(&self, readers: &[Reader<'_>], path: impl AsRef<Path>) -> Result<Merged> {
        self.create_named(readers, &[], AtomicFile::create_new(path)?)
    }

    /// Concatenates files into the file `path`. All inputs are open at once.
    ///
    /// # Errors
    ///
    /// As [`Merge::create`], and a file that cannot be opened; the error names the file.
    pub fn files<P: AsRef<Path>>(
        &self,
        files: impl IntoIterator<Item = P>,
        path: impl AsRef<Path>,
    ) -> Result<Merged> {
        let files: Vec<PathBuf> = files.into_iter().map(|file| file.as_ref().to_owned()).collect();
        let open = |file: &PathBuf| Reader::open(file).map_err(|error| error.in_file(file));
        let readers: Vec<Reader<'static>> = files.iter().map(open).collect::<Result<_>>()?;
        self.create_named(&readers, &files, AtomicFile::create(path)?)
    }

    fn create_named(
        &self,
        readers: &[Reader<'_>],
        names: &[PathBuf],
        mut sink: AtomicFile,
    ) -> Result<Merged> {
        // No temporary file goes beside a device.
        let beside = match AtomicFile::is_special(sink.path()) {
            true => PathBuf::from(ANYWHERE),
            false => sink.path().to_owned(),
        };
        let merged = self.write_named(readers, names, &mut sink, &beside)?;
        sink.complete_columns()?;
        Ok(merged)
    }

    /// The format of a result whose first file is this one.
    fn target(&self, first: Option<&Reader<'_>>) -> Dialect {
        self.dialect.or_else(|| first.map(Reader::dialect)).unwrap_or_default()
    }

    /// Whether a result whose first file is this one is compact.
    fn is_compact(&self, first: Option<&Reader<'_>>, target: Dialect) -> bool {
        let kept = || {
            target == Dialect::Trevni
                && first.and_then(Reader::info).is_some_and(|info: TrevniInfo| info.is_compact)
        };
        self.compact.unwrap_or_else(kept)
    }

    fn write_named(
        &self,
        readers: &[Reader<'_>],
        names: &[PathBuf],
        sink: &mut dyn Write,
        beside: &Path,
    ) -> Result<Merged> {
        if let (Some(codec), Some(level)) = (self.options.codec, self.options.level) {
            Codec::check_level(level, std::iter::once(codec))?;
        }
        let inputs = Inputs { readers, names };
        let (joined, target) = (inputs.joined(self.promote)?, self.target(readers.first()));
        let compact = self.is_compact(readers.first(), target);
        if compact && target != Dialect::Trevni {
            return Err(Error::option("only Trevni files can be compact"));
        }
        let is_trevni = |reader: &Reader<'_>| reader.dialect() == Dialect::Trevni;
        let copied = !compact && !self.refill && target == Dialect::Trevni;
        let merged = if copied && readers.iter().all(is_trevni) {
            parts::merge(&inputs, &joined, &self.options, sink, beside)?
        } else {
            rewrite::write(&inputs, self, &joined, (target, compact), sink, beside)?
        };
        sink.flush().map_err(Error::from)?;
        Ok(merged)
    }
}

/// Splits a file into files of `rows` rows, with [`Split`]'s defaults, and returns their paths. The last file
/// may be shorter.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-splits-{}", std::process::id()));
/// let bytes = trevni::to_vec(0..10)?;
/// let files = trevni::merge::split(&trevni::Reader::from_slice(&bytes)?, 4, &folder)?;
/// assert_eq!(files.len(), 3);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), trevni::Error>(())
/// ```
///
/// # Errors
///
/// As [`Split::create`].
pub fn split(reader: &Reader<'_>, rows: u64, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
    Split::every(rows).create(reader, folder)
}
