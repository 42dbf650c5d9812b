//! Codecs: how a block's bytes are compressed (specification, "Codecs").

#[cfg(feature = "bzip2")]
mod bzip2;
mod choice;
mod deflate;
#[cfg(feature = "lz4")]
mod lz4;
mod snappy;
#[cfg(feature = "zstandard")]
mod zstandard;

use crate::error::{Error, ErrorKind, Result};
use std::ops::RangeInclusive;
use std::sync::Mutex;

/// How the blocks of a file or a column are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// No compression.
    Null,
    /// Raw deflate (RFC 1951): small; every implementation reads it.
    Deflate,
    /// Raw snappy: fast; every implementation reads it.
    #[default]
    Snappy,
    /// A bzip2 stream. Avro's Java reads it since 1.7.4. Needs the feature `bzip2`.
    Bzip2,
    /// A Zstandard frame. Avro's Java does not read it. Needs the feature `zstandard`.
    Zstandard,
    /// A raw LZ4 block. Avro's Java does not read it. Needs the feature `lz4`.
    Lz4,
    /// For writing only: picks one of the others for each column, by trial on its first block.
    ///
    /// It picks the strongest codec of the build (Zstandard or else deflate) if its block is at least a
    /// quarter smaller than with snappy, or else snappy if that saves an eighth, or else none.
    Auto,
}

impl Codec {
    /// All codecs that a file may name, including those that this build lacks.
    pub const ALL: [Self; 6] =
        [Self::Null, Self::Deflate, Self::Snappy, Self::Bzip2, Self::Zstandard, Self::Lz4];

    /// The name in metadata.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Deflate => "deflate",
            Self::Snappy => "snappy",
            Self::Bzip2 => "bzip2",
            Self::Zstandard => "zstandard",
            Self::Lz4 => "lz4",
            Self::Auto => "auto",
        }
    }

    /// Whether this build has the codec; some need a feature of the crate.
    #[must_use]
    pub fn is_available(self) -> bool {
        match self {
            Self::Null | Self::Deflate | Self::Snappy | Self::Auto => true,
            Self::Bzip2 => cfg!(feature = "bzip2"),
            Self::Zstandard => cfg!(feature = "zstandard"),
            Self::Lz4 => cfg!(feature = "lz4"),
        }
    }

    /// The codec of this name, if this build has it. Names are compared exactly, as in Java.
    pub(crate) fn from_name(name: &str) -> Result<Self> {
        match Self::ALL.into_iter().find(|codec| codec.name() == name) {
            Some(codec) => codec.available(),
            None => Err(ErrorKind::Codec { codec: name.to_owned(), hint: "" }.into()),
        }
    }

    /// This codec, or an error that names the missing feature.
    pub(crate) fn available(self) -> Result<Self> {
        if self.is_available() {
            return Ok(self);
        }
        let hint = match self {
            Self::Bzip2 => " (enable the feature `bzip2` of trevni)",
            Self::Zstandard => " (enable the feature `zstandard` of trevni)",
            Self::Lz4 => " (enable the feature `lz4` of trevni)",
            Self::Null | Self::Deflate | Self::Snappy | Self::Auto => "",
        };
        Err(ErrorKind::Codec { codec: self.name().to_owned(), hint }.into())
    }

    /// The levels of this codec for [`WriterBuilder::level`](crate::WriterBuilder::level); `None` for codecs
    /// without levels.
    ///
    /// ```
    /// use trevni::Codec;
    ///
    /// assert_eq!(Codec::Deflate.levels(), Some(0..=9));
    /// assert_eq!(Codec::Snappy.levels(), None);
    /// ```
    #[must_use]
    pub fn levels(self) -> Option<RangeInclusive<i32>> {
        match self {
            Self::Deflate => Some(0..=9),
            Self::Bzip2 => Some(1..=9),
            Self::Zstandard => Some(-7..=22),
            Self::Null | Self::Snappy | Self::Lz4 | Self::Auto => None,
        }
    }

    /// Checks that this codec has a level; `Auto` passes the level on.
    pub(crate) fn check_level(self, level: i32) -> Result<()> {
        let levels = match self {
            Self::Auto => Some(1..=9),
            codec => codec.levels(),
        };
        match levels {
            Some(levels) if !levels.contains(&level) => {
                Err(Error::option(format!("codec {} has no level {level}", self.name())))
            }
            _ => Ok(()),
        }
    }

    /// The bytes of a block where a writer is not told another size: as in Java, and more where that
    /// makes blocks much smaller.
    pub(crate) fn block_size(self) -> usize {
        match self {
            Self::Zstandard => 128 << 10,
            _ => 64 << 10,
        }
    }

    #[cold]
    fn failed(self, message: impl ToString) -> Error {
        let codec = self.name().to_owned();
        ErrorKind::Decompress { codec, message: message.to_string() }.into()
    }
}

/// Compresses blocks with one codec, keeping the codec's tables between them.
enum Compressor {
    Null,
    Deflate(deflate::Compressor),
    Snappy(Box<snappy::Compressor>),
    #[cfg(feature = "bzip2")]
    Bzip2(bzip2::Compressor),
    #[cfg(feature = "zstandard")]
    Zstandard(Box<zstandard::Compressor>),
    #[cfg(feature = "lz4")]
    Lz4,
}

impl Compressor {
    /// A level that the codec does not have is as good as none.
    fn new(codec: Codec, level: Option<i32>) -> Result<Self> {
        let level = level.filter(|level| codec.levels().is_some_and(|levels| levels.contains(level)));
        Ok(match codec.available()? {
            Codec::Deflate => Self::Deflate(deflate::Compressor::new(level)),
            Codec::Snappy => Self::Snappy(Box::new(snappy::Compressor::new())),
            #[cfg(feature = "bzip2")]
            Codec::Bzip2 => Self::Bzip2(bzip2::Compressor::new(level)),
            #[cfg(feature = "zstandard")]
            Codec::Zstandard => Self::Zstandard(Box::new(zstandard::Compressor::new(level)?)),
            #[cfg(feature = "lz4")]
            Codec::Lz4 => Self::Lz4,
            _ => Self::Null,
        })
    }

    /// Appends the compressed form of `block` to `out`.
    fn compress(&mut self, block: &[u8], out: &mut Vec<u8>) -> Result<()> {
        match self {
            Self::Null => out.extend_from_slice(block),
            Self::Deflate(compressor) => compressor.compress(block, out)?,
            Self::Snappy(compressor) => compressor.compress(block, out)?,
            #[cfg(feature = "bzip2")]
            Self::Bzip2(compressor) => compressor.compress(block, out)?,
            #[cfg(feature = "zstandard")]
            Self::Zstandard(compressor) => compressor.compress(block, out)?,
            #[cfg(feature = "lz4")]
            Self::Lz4 => lz4::compress(block, out),
        }
        Ok(())
    }
}

/// One compressor for each codec that has been asked for, shared by all columns.
#[derive(Default)]
pub(crate) struct Compressors {
    level: Option<i32>,
    used: Vec<(Codec, Compressor)>,
    /// Where blocks are compressed to, before they are copied to memory of just their size.
    scratch: Vec<u8>,
}

impl Compressors {
    pub(crate) fn new(level: Option<i32>) -> Self {
        Self { level, ..Self::default() }
    }

    /// The compressed form of `block`, in memory that has room for `more` bytes behind it.
    pub(crate) fn compress(&mut self, codec: Codec, block: &[u8], more: usize) -> Result<Vec<u8>> {
        let stored = match codec {
            Codec::Null => block,
            codec => {
                self.try_out(codec, block)?;
                &self.scratch
            }
        };
        let mut out = Vec::with_capacity(stored.len() + more);
        out.extend_from_slice(stored);
        Ok(out)
    }

    /// Compresses a block to the scratch; returns its size there.
    fn try_out(&mut self, codec: Codec, block: &[u8]) -> Result<usize> {
        self.scratch.clear();
        let place = match self.used.iter().position(|(other, _)| *other == codec) {
            Some(place) => place,
            None => {
                self.used.push((codec, Compressor::new(codec, self.level)?));
                self.used.len() - 1
            }
        };
        if let Some((_, compressor)) = self.used.get_mut(place) {
            compressor.compress(block, &mut self.scratch)?;
        }
        Ok(self.scratch.len())
    }
}

/// Decompresses blocks with one codec, keeping the codec's tables between them.
pub(crate) enum Decompressor {
    Null,
    Deflate(deflate::Decompressor),
    Snappy(snappy::Decompressor),
    #[cfg(feature = "bzip2")]
    Bzip2,
    #[cfg(feature = "zstandard")]
    Zstandard(Box<zstandard::Decompressor>),
    #[cfg(feature = "lz4")]
    Lz4,
}

impl Decompressor {
    pub(crate) fn new(codec: Codec) -> Result<Self> {
        Ok(match codec.available()? {
            Codec::Deflate => Self::Deflate(deflate::Decompressor::new()),
            Codec::Snappy => Self::Snappy(snappy::Decompressor::new()),
            #[cfg(feature = "bzip2")]
            Codec::Bzip2 => Self::Bzip2,
            #[cfg(feature = "zstandard")]
            Codec::Zstandard => Self::Zstandard(Box::new(zstandard::Decompressor::new()?)),
            #[cfg(feature = "lz4")]
            Codec::Lz4 => Self::Lz4,
            _ => Self::Null,
        })
    }

    /// Replaces `out` by the first `size` bytes that `stored` stands for.
    ///
    /// A stream may hold more (bzip2 of Avro 1.7.4 to 1.9.2 does); one that holds less is an error.
    /// Memory is taken as the bytes come, never by `size` alone.
    pub(crate) fn decompress(&mut self, stored: &[u8], size: usize, out: &mut Vec<u8>) -> Result<()> {
        out.clear();
        let codec = match self {
            Self::Null => {
                out.extend_from_slice(stored);
                return Ok(());
            }
            Self::Deflate(decompressor) => {
                decompressor.decompress(stored, size, out)?;
                Codec::Deflate
            }
            Self::Snappy(decompressor) => {
                decompressor.decompress(stored, size, out)?;
                Codec::Snappy
            }
            #[cfg(feature = "bzip2")]
            Self::Bzip2 => {
                bzip2::decompress(stored, size, out)?;
                Codec::Bzip2
            }
            #[cfg(feature = "zstandard")]
            Self::Zstandard(decompressor) => {
                decompressor.decompress(stored, size, out)?;
                Codec::Zstandard
            }
            #[cfg(feature = "lz4")]
            Self::Lz4 => {
                lz4::decompress(stored, size, out)?;
                Codec::Lz4
            }
        };
        if out.len() < size {
            let found = out.len();
            return Err(codec.failed(format_args!("{size} bytes expected, {found} found")));
        }
        out.truncate(size);
        Ok(())
    }
}

/// Decompressors that nobody uses at the moment, for all columns of a file: their tables are large
/// beside the blocks of small columns.
#[derive(Default)]
pub(crate) struct Decompressors(Mutex<Vec<(Codec, Decompressor)>>);

impl Decompressors {
    /// As [`Decompressor::decompress`], with one that is free, or a new one.
    pub(crate) fn decompress(
        &self,
        codec: Codec,
        stored: &[u8],
        size: usize,
        out: &mut Vec<u8>,
    ) -> Result<()> {
        let free = self.0.lock().ok().and_then(|mut free| {
            let place = free.iter().position(|(other, _)| *other == codec)?;
            Some(free.swap_remove(place).1)
        });
        let mut decompressor = match free {
            Some(free) => free,
            None => Decompressor::new(codec)?,
        };
        let done = decompressor.decompress(stored, size, out);
        if let Ok(mut free) = self.0.lock() {
            free.push((codec, decompressor));
        }
        done
    }
}

/// How many bytes to reserve for `size` bytes, when at most `ratio` can come from one stored byte.
fn justified(stored: usize, ratio: usize, size: usize) -> usize {
    stored.saturating_mul(ratio).saturating_add(64).min(size)
}

/// Reads at most `size` bytes of a decompressing stream into `out`.
#[cfg(any(feature = "bzip2", feature = "zstandard"))]
fn read_up_to(stream: impl std::io::Read, size: usize, out: &mut Vec<u8>) -> std::io::Result<()> {
    use std::io::Read;
    stream.take(size as u64).read_to_end(out).map(|_| ())
}

#[cfg(test)]
mod tests;
