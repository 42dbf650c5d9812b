//! Codecs: how a block's bytes are compressed (specification, "Codecs").
//!
//! A codec is a file of its own, with an [`Algorithm`](algorithm::Algorithm), its place in `framing`, and what [`Codec`] and [`TABLE`] say of it here.

mod algorithm;
#[cfg(feature = "bzip2")]
mod bzip2;
mod choice;
mod compress;
mod decompress;
#[cfg(feature = "deflate")]
mod deflate;
mod framing;
mod hadoop;
#[cfg(feature = "lz4")]
mod lz4;
mod null;
mod snappy;
#[cfg_attr(not(feature = "typed"), path = "no_typed.rs")]
mod typed;
#[cfg(feature = "zstandard")]
mod zstandard;

pub(crate) use compress::{Compressors, Uncompressed};
pub(crate) use decompress::{Decompressor, Decompressors, TakeRoom};
pub(crate) use framing::{BlockForm, Framing};
pub(crate) use typed::Cursor;

use crate::error::{Error, ErrorKind, Result};
use crate::storage::value_type::ValueType;
use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// How the blocks of a file or a column are compressed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Codec {
    /// No compression.
    Null,
    /// Raw deflate (RFC 1951): small; every implementation reads it. Needs the feature `deflate`, a default one.
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
    /// Values encoded by what they are: integers in as few bits as they need, decimals as whole numbers, strings that come
    /// often once. Of this crate; no other implementation reads it. Needs the feature `typed`, a default one.
    Typed,
    /// As [`Codec::Typed`], and compressed with Zstandard. Needs the features `typed` and `zstandard`. No other implementation
    /// reads it.
    TypedZstandard,
    /// The smallest files, for data that is written once and seldom read: as [`Codec::Typed`], each part of the values in the form
    /// that takes the fewest bytes after trying all. Of this crate; no other implementation reads it. Needs the feature `archive`.
    Archive,
    /// For writing only: picks one of the others for each column, by trial on its first block, of 1 MiB.
    ///
    /// It tries, the faster ones first: none, snappy, [`Codec::Typed`], Zstandard (deflate, if the build or the format lacks
    /// it) and [`Codec::TypedZstandard`]. A column that does not fill one block gets the one that makes it smallest, with the
    /// bytes that name it. Of a longer column, it is the fastest whose first block is at most an eighth larger than the
    /// smallest; later blocks may differ. Only this crate reads the typed codecs: name a codec if other implementations are
    /// to read the file.
    Auto,
    /// A gzip stream (RFC 1952), for [`Dialect::Levels`](crate::Dialect::Levels) only. Needs the feature `deflate`.
    Gzip,
}

/// What is in a block, for codecs that encode values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnType {
    /// `None` where it is not known.
    pub(crate) value_type: Option<ValueType>,
    /// Whether lengths come before values.
    pub(crate) array: bool,
}

impl ColumnType {
    /// Any bytes.
    pub(crate) const BYTES: Self = Self { value_type: None, array: false };
}

/// What is known of a codec.
struct Entry {
    codec: Codec,
    /// The name in metadata.
    name: &'static str,
    /// How to build the crate to have it, for the error where it is not built in.
    hint: &'static str,
    levels: Option<RangeInclusive<i32>>,
    /// The bytes of a block where a writer is not told another size.
    block_size: usize,
    /// About the most bytes that one byte can decompress to.
    ratio: usize,
    /// Whether this build has it.
    is_available: bool,
}

/// An entry with what most codecs have: no feature, no levels, blocks as large as Java's.
const PLAIN: Entry = Entry {
    codec: Codec::Null,
    name: "null",
    hint: "",
    levels: None,
    block_size: 64 << 10,
    ratio: 1,
    is_available: true,
};

/// About the most bytes that one byte of deflate stands for.
const DEFLATE_RATIO: usize = 1032;

/// About the most bytes that one byte of a typed block stands for: a frame of equal strings.
const TYPED_RATIO: usize = 1 << 20;

/// The hint of the codecs that lack that feature alone.
const NEEDS_ZSTANDARD: &str = " (enable the feature `zstandard` of trevni)";

/// All codecs that a file may name, in the order of [`Codec`].
static TABLE: [Entry; COUNT] = [
    PLAIN,
    Entry {
        codec: Codec::Deflate,
        name: "deflate",
        hint: " (enable the feature `deflate` of trevni)",
        levels: Some(0..=9),
        ratio: DEFLATE_RATIO,
        is_available: cfg!(feature = "deflate"),
        ..PLAIN
    },
    Entry { codec: Codec::Snappy, name: "snappy", ratio: snappy::RATIO, ..PLAIN },
    Entry {
        codec: Codec::Bzip2,
        name: "bzip2",
        hint: " (enable the feature `bzip2` of trevni)",
        levels: Some(1..=9),
        // 46 MB of equal bytes take some thirty.
        ratio: 1 << 21,
        is_available: cfg!(feature = "bzip2"),
        ..PLAIN
    },
    Entry {
        codec: Codec::Zstandard,
        name: "zstandard",
        hint: NEEDS_ZSTANDARD,
        levels: Some(-7..=22),
        block_size: 128 << 10,
        // 128 KiB of equal bytes take four.
        ratio: 1 << 16,
        is_available: cfg!(feature = "zstandard"),
    },
    Entry {
        codec: Codec::Lz4,
        name: "lz4",
        hint: " (enable the feature `lz4` of trevni)",
        ratio: 255,
        is_available: cfg!(feature = "lz4"),
        ..PLAIN
    },
    Entry {
        codec: Codec::Typed,
        name: "typed",
        hint: " (enable the feature `typed` of trevni)",
        block_size: 1 << 20,
        ratio: TYPED_RATIO,
        is_available: cfg!(feature = "typed"),
        ..PLAIN
    },
    Entry {
        codec: Codec::TypedZstandard,
        name: "typed-zstandard",
        hint: if cfg!(feature = "typed") {
            NEEDS_ZSTANDARD
        } else {
            " (enable the features `typed` and `zstandard` of trevni)"
        },
        levels: Some(-7..=22),
        block_size: 1 << 20,
        ratio: TYPED_RATIO,
        is_available: cfg!(all(feature = "typed", feature = "zstandard")),
    },
    Entry {
        codec: Codec::Archive,
        name: "archive",
        hint: " (enable the feature `archive` of trevni)",
        block_size: 8 << 20,
        ratio: TYPED_RATIO,
        is_available: cfg!(feature = "archive"),
        ..PLAIN
    },
];

/// The codec of other dialects only.
static GZIP: Entry = Entry {
    codec: Codec::Gzip,
    name: "gzip",
    hint: " (enable the feature `deflate` of trevni)",
    levels: Some(0..=9),
    ratio: DEFLATE_RATIO,
    is_available: cfg!(feature = "deflate"),
    ..PLAIN
};

/// Number of codecs that a Trevni file may name: the variants of [`Codec`] before [`Codec::Auto`].
const COUNT: usize = Codec::Auto as usize;

/// The levels of [`Codec::Auto`], which every codec with levels has.
const AUTO_LEVELS: RangeInclusive<i32> = 1..=9;

/// A fault of the crate: a column is compressed with a codec that no file may name.
const NOT_A_CODEC: &str = "a block is to be compressed with no codec";

impl Codec {
    /// All codecs that a Trevni file may name, including those that this build lacks.
    pub const ALL: [Self; COUNT] = {
        let mut all = [Self::Null; COUNT];
        let mut at = 0;
        while at < COUNT {
            all[at] = TABLE[at].codec;
            assert!(all[at] as usize == at, "an entry is missing, or not in the order of the codecs");
            at += 1;
        }
        all
    };

    /// What the table says of it; [`Codec::Auto`] is not in the table.
    fn entry(self) -> Option<&'static Entry> {
        if self == Self::Gzip { Some(&GZIP) } else { TABLE.get(self as usize) }
    }

    /// The name in metadata.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.entry().map_or("auto", |entry| entry.name)
    }

    /// Whether this build has the codec; some need a feature of the crate.
    #[must_use]
    pub fn is_available(self) -> bool {
        self.entry().is_none_or(|entry| entry.is_available)
    }

    /// The codec that the metadata of a Trevni file calls so. Names are compared exactly, as in Java.
    pub(crate) fn from_metadata(name: &str) -> Option<Self> {
        TABLE.iter().find(|entry| entry.name == name).map(|entry| entry.codec)
    }

    /// As [`from_metadata`](Self::from_metadata), if this build has it.
    pub(crate) fn from_name(name: &str) -> Result<Self> {
        match Self::from_metadata(name) {
            Some(codec) => codec.available(),
            None => Err(ErrorKind::Codec { codec: name.to_owned(), hint: "" }.into()),
        }
    }

    /// This codec, or an error that names the missing feature.
    pub(crate) fn available(self) -> Result<Self> {
        if self.is_available() {
            return Ok(self);
        }
        let hint = self.entry().map_or("", |entry| entry.hint);
        Err(ErrorKind::Codec { codec: self.name().to_owned(), hint }.into())
    }

    /// The most bytes that `stored` bytes are likely to decompress to.
    pub(crate) fn most(self, stored: usize) -> usize {
        let ratio = self.entry().map_or(1, |entry| entry.ratio);
        stored.saturating_mul(ratio).saturating_add(64)
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
        self.entry()?.levels.clone()
    }

    /// Whether it encodes values: then checksums are those of the stored bytes.
    pub(crate) fn encodes_values(self) -> bool {
        matches!(self, Self::Typed | Self::TypedZstandard)
    }

    /// Checks that a level is one of each codec that has levels, and that there is one. `Auto` passes the level on.
    pub(crate) fn check_level(level: i32, codecs: impl Iterator<Item = Self>) -> Result<()> {
        let (mut has_levels, mut without) = (false, Self::default());
        for codec in codecs {
            let levels = if codec == Self::Auto { Some(AUTO_LEVELS) } else { codec.levels() };
            match levels {
                Some(levels) if !levels.contains(&level) => {
                    return Err(Error::option(format!("codec {} has no level {level}", codec.name())));
                }
                Some(_) => has_levels = true,
                None => without = codec,
            }
        }
        match has_levels {
            true => Ok(()),
            false => Err(Error::option(format!(
                "codec {} has no levels, and level {level} is set",
                without.name()
            ))),
        }
    }

    /// The bytes of a block where a writer is not told another size: as in Java, and more where that
    /// makes blocks much smaller. A codec is chosen by a block that suits all that are tried.
    pub(crate) fn block_size(self) -> usize {
        let codec = if self == Self::Auto && Self::Typed.is_available() { Self::Typed } else { self };
        codec.entry().unwrap_or(&PLAIN).block_size
    }
}

/// Other names that programs and formats have for codecs.
const OTHER_NAMES: [(&str, Codec); 5] = [
    ("none", Codec::Null),
    ("uncompressed", Codec::Null),
    ("zlib", Codec::Deflate),
    ("zstd", Codec::Zstandard),
    ("typed-zstd", Codec::TypedZstandard),
];

impl fmt::Display for Codec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses a [`name`](Codec::name), in any case. `none`, `uncompressed`, `zlib`, `zstd` and `typed-zstd` are known too.
///
/// ```
/// use trevni::Codec;
///
/// assert_eq!("zstandard".parse::<Codec>()?, Codec::Zstandard);
/// assert_eq!("ZSTD".parse::<Codec>()?, Codec::Zstandard);
/// assert!("brotli".parse::<Codec>().unwrap_err().to_string().starts_with("there is no codec \"brotli\""));
/// # Ok::<(), trevni::Error>(())
/// ```
impl FromStr for Codec {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let all = || Self::ALL.into_iter().chain([Self::Gzip, Self::Auto]);
        let own = all().map(|codec| (codec.name(), codec));
        let mut known = own.chain(OTHER_NAMES);
        match known.find(|(own, _)| own.eq_ignore_ascii_case(name)) {
            Some((_, codec)) => Ok(codec),
            None => Err(Error::no_such("codec", name, &all().map(Self::name).collect::<Vec<_>>())),
        }
    }
}

#[cfg(test)]
mod tests;
