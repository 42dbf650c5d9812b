//! Files into one, and one into several, without decoding what can be copied.

mod parts;
mod split;

pub use crate::dialect::merge::Merged;
pub use split::Split;

use crate::dialect::merge::{self as dialects, Options};
use crate::error::{Error, Result};
use crate::reader::Reader;
use crate::storage::checksum::Checksum;
use crate::storage::codec::Codec;
use crate::writer::AtomicFile;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Puts files together to one, with options that all have defaults.
///
/// The result reads as what the readers see, one behind the other; a reader may see some rows only
/// ([`Reader::select`], [`Reader::filter`]). Blocks whose rows are all wanted are copied as they are
/// stored: neither decompressed nor decoded, nor compared with their checksum ([`Merge::verify`] does
/// that). Blocks of another codec or checksum than the result's are decompressed and compressed. Only
/// where a selection cuts a block, and for a predicate, are values decoded; the rows that are kept
/// become a block of their own.
///
/// The files must have the same columns and the same schema. Where only the width of integers differs
/// ([`WriterBuilder::fixed_integers`](crate::WriterBuilder::fixed_integers)), blocks are decoded and written
/// as the first file has them. The metadata of the result are those of
/// the first file, and keys that only later ones have; columns have those of the first file. The
/// version is the highest of all. A column keeps its zone map where all files have one for it: zones
/// come with their blocks, and blocks of which some rows are kept get new ones.
///
/// Memory is taken for the block tables and about a megabyte of blocks, where all are copied. Blocks that
/// are compressed or encoded again stay in memory until the end, because the header comes first and
/// says where each column begins.
///
/// ```
/// use trevni::{Codec, Merge, Reader};
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
}

impl Merge {
    /// The defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// How the blocks of all columns are compressed; those that are compressed so already are copied.
    /// Default: each column as in the first file.
    pub fn codec(mut self, codec: Codec) -> Self {
        self.options.codec = Some(codec);
        self
    }

    /// The level for blocks that are compressed anew, with a codec that has levels ([`Codec::levels`]).
    /// Default: as [`WriterBuilder::level`](crate::WriterBuilder::level).
    pub fn level(mut self, level: i32) -> Self {
        self.options.level = Some(level);
        self
    }

    /// The checksum of all columns. Default: each column as in the first file.
    pub fn checksum(mut self, checksum: Checksum) -> Self {
        self.options.checksum = Some(checksum);
        self
    }

    /// Decompresses blocks that are copied, and compares them with their checksums. Their values are not
    /// decoded. Default: they are copied unseen, with whatever damage they have.
    pub fn verify(mut self) -> Self {
        self.options.verify = true;
        self
    }

    /// Writes a file into a sink. After an error, some of it may be there.
    ///
    /// # Errors
    ///
    /// No readers, readers of some fields only, files that differ in columns or schema, blocks that
    /// must be decompressed or decoded and cannot be, a sink that fails.
    pub fn write<W: Write>(&self, readers: &[Reader<'_>], mut sink: W) -> Result<Merged> {
        self.write_named(readers, &[], &mut sink)
    }

    /// Creates a file. It has its name only when it is whole, and may be one of those that are read.
    ///
    /// # Errors
    ///
    /// As [`Merge::write`], and a folder that cannot be written to.
    pub fn create(&self, readers: &[Reader<'_>], path: impl AsRef<Path>) -> Result<Merged> {
        self.create_named(readers, &[], path.as_ref())
    }

    /// Creates a file of files. All of them are open at once.
    ///
    /// # Errors
    ///
    /// As [`Merge::create`], and files that cannot be opened; the error names the file.
    pub fn files<P: AsRef<Path>>(
        &self,
        files: impl IntoIterator<Item = P>,
        path: impl AsRef<Path>,
    ) -> Result<Merged> {
        let files: Vec<PathBuf> = files.into_iter().map(|file| file.as_ref().to_owned()).collect();
        let open = |file: &PathBuf| Reader::open(file).map_err(|error| error.in_file(file));
        let readers: Vec<Reader<'static>> = files.iter().map(open).collect::<Result<_>>()?;
        self.create_named(&readers, &files, path.as_ref())
    }

    fn create_named(&self, readers: &[Reader<'_>], names: &[PathBuf], path: &Path) -> Result<Merged> {
        let mut sink = AtomicFile::create(AtomicFile::target(path))?;
        let merged = self.write_named(readers, names, &mut sink)?;
        sink.commit()?;
        Ok(merged)
    }

    fn write_named<W: Write>(
        &self,
        readers: &[Reader<'_>],
        names: &[PathBuf],
        sink: &mut W,
    ) -> Result<Merged> {
        if let (Some(codec), Some(level)) = (self.options.codec, self.options.level) {
            codec.check_level(level)?;
        }
        let parts = parts::of(readers, names)?;
        let merged = dialects::merge(&parts, &self.options, sink)?;
        sink.flush().map_err(Error::from)?;
        Ok(merged)
    }
}

/// Creates a file of files, one behind the other, as [`Merge::files`] with the defaults.
///
/// ```
/// # let folder = std::env::temp_dir().join(format!("trevni-doc-merge-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// # let [may, june, all] = ["may.trv", "june.trv", "all.trv"].map(|name| folder.join(name));
/// # std::fs::write(&may, trevni::to_vec([1, 2])?)?;
/// # std::fs::write(&june, trevni::to_vec([3])?)?;
/// let merged = trevni::merge([may, june], &all)?;
/// assert_eq!((merged.rows, merged.blocks_copied), (3, 2));
/// # assert_eq!(trevni::from_slice::<Vec<i32>>(&std::fs::read(&all)?)?, [1, 2, 3]);
/// # std::fs::remove_dir_all(folder)?;
/// # Ok::<(), trevni::Error>(())
/// ```
///
/// # Errors
///
/// As [`Merge::files`].
pub fn merge<P: AsRef<Path>>(files: impl IntoIterator<Item = P>, path: impl AsRef<Path>) -> Result<Merged> {
    Merge::new().files(files, path)
}

/// Creates files of `rows` rows each, the last one of the rest, as [`Split::every`] with the defaults;
/// returns their paths.
///
/// # Errors
///
/// As [`Split::create`].
pub fn split(reader: &Reader<'_>, rows: u64, folder: impl AsRef<Path>) -> Result<Vec<PathBuf>> {
    Split::every(rows).create(reader, folder)
}
