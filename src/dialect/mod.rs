//! File formats: batches into bytes and back, one folder each, behind three traits: [`OpenFile`], [`Encode`] and
//! [`format::Sealed`]. Readers, writers and predicates speak of nodes of a shape, and of columns by their numbers.

pub(crate) mod beginning;
mod capabilities;
pub(crate) mod decoder;
#[cfg(feature = "levels")]
pub(crate) mod dremel;
mod file;
pub(crate) mod format;
mod info;
mod layout;
#[cfg(feature = "levels")]
pub(crate) mod levels;
#[cfg(feature = "files")]
pub(crate) mod merge;
#[cfg(not(feature = "levels"))]
pub(crate) mod missing;
#[cfg(feature = "levels")]
pub(crate) mod redelm;
pub(crate) mod schema;
mod settings;
pub(crate) mod sums;
pub(crate) mod trevni;

pub(crate) use capabilities::Capabilities;
pub(crate) use decoder::DecodedColumns;
pub(crate) use decoder::{Decode, Decoder, Position, Window};
pub(crate) use file::{File, FileCheck, FileInfo, FileSchema, OpenFile, Opener, Recognize};
pub use format::Format;
pub(crate) use format::{Encode, Encoder};
use info::Named;
pub use info::{BlockInfo, ColumnInfo, FirstValue};
pub use layout::Layout;
pub(crate) use schema::Schema;
pub(crate) use settings::{ColumnSettings, FileSettings, PathSettings, ReadOptions, ShapeSettings};
pub(crate) use sums::Sums;

use crate::error::{Error, Result};
use crate::storage::codec::Codec;
use std::fmt;
use std::str::FromStr;

/// The file formats of the family.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Dialect {
    /// Avro's Trevni.
    #[default]
    Trevni,
    /// Trevni with repetition and definition levels, as Impala wrote it. Needs the feature `levels`, which is not a default one.
    Levels,
    /// RedElm: row groups with repetition and definition levels, which Parquet grew out of. Needs the feature
    /// `levels` too.
    RedElm,
}

impl Dialect {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Trevni, Self::Levels, Self::RedElm];

    /// The name, in lower case.
    ///
    /// ```
    /// assert_eq!(trevni::Dialect::RedElm.name(), "redelm");
    /// ```
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Trevni => "trevni",
            Self::Levels => "levels",
            Self::RedElm => "redelm",
        }
    }

    /// What names of files end with.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            Self::Trevni | Self::Levels => "trv",
            Self::RedElm => "redelm",
        }
    }

    /// What errors call it.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Trevni => "Trevni",
            Self::Levels => "Trevni with levels",
            Self::RedElm => "RedElm",
        }
    }

    /// The codecs that a file can be written with, including those that this build lacks.
    ///
    /// ```
    /// use trevni::{Codec, Dialect};
    ///
    /// assert!(Dialect::Trevni.codecs().contains(&Codec::Zstandard));
    /// assert!(!Dialect::RedElm.codecs().contains(&Codec::Zstandard));
    /// ```
    #[must_use]
    pub fn codecs(self) -> &'static [Codec] {
        use Codec::{
            Archive, Auto, Bzip2, Deflate, Gzip, Lz4, Null, Snappy, Typed, TypedZstandard, Zstandard,
        };
        match self {
            Self::Trevni => {
                &[Null, Deflate, Snappy, Bzip2, Zstandard, Lz4, Typed, TypedZstandard, Archive, Auto]
            }
            Self::Levels => &[Null, Deflate, Gzip, Snappy, Bzip2, Auto],
            Self::RedElm => &[Null, Deflate, Gzip, Snappy, Bzip2, Lz4],
        }
    }

    /// The codec itself where files may have it, or else the nearest that they may have: deflate for gzip and
    /// Zstandard, snappy for others.
    ///
    /// ```
    /// use trevni::{Codec, Dialect};
    ///
    /// assert_eq!(Dialect::RedElm.nearest_codec(Codec::Gzip), Codec::Gzip);
    /// assert_eq!(Dialect::Trevni.nearest_codec(Codec::Gzip), Codec::Deflate);
    /// ```
    #[must_use]
    pub fn nearest_codec(self, codec: Codec) -> Codec {
        match codec {
            _ if self.codecs().contains(&codec) => codec,
            Codec::Gzip | Codec::Zstandard | Codec::TypedZstandard | Codec::Archive => Codec::Deflate,
            _ => Codec::default(),
        }
    }

    /// Checks that a file can have a codec.
    ///
    /// # Errors
    ///
    /// A codec that is not in [`Dialect::codecs`].
    pub(crate) fn check_codec(self, codec: Codec) -> Result<()> {
        if self.codecs().contains(&codec) {
            return Ok(());
        }
        let names: Vec<&str> = self.codecs().iter().map(|codec| codec.name()).collect();
        let (title, name, names) = (self.title(), codec.name(), names.join(", "));
        Err(Error::option(format!("{title} has no codec {name}; it has {names}")))
    }

    /// Whether columns say which checksum they have, and have options of their own.
    pub(crate) fn has_column_options(self) -> bool {
        self != Self::RedElm
    }
}

impl fmt::Display for Dialect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses a [`name`](Dialect::name).
///
/// ```
/// use trevni::Dialect;
///
/// assert_eq!("levels".parse::<Dialect>()?, Dialect::Levels);
/// assert!("parquet".parse::<Dialect>().unwrap_err().to_string().ends_with("there are trevni, levels, redelm"));
/// # Ok::<(), trevni::Error>(())
/// ```
impl FromStr for Dialect {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known = Self::ALL.into_iter().find(|dialect| dialect.name() == name);
        known.ok_or_else(|| Error::no_such("format", name, &Self::ALL.map(Self::name)))
    }
}
