//! The form that a format gives the bytes of a codec: the same name means different bytes in different formats.

use super::algorithm::{Algorithm, MakeCompressor, MakeDecompressor};
#[cfg(feature = "bzip2")]
use super::bzip2;
#[cfg(feature = "deflate")]
use super::deflate;
#[cfg(feature = "lz4")]
use super::lz4;
#[cfg(feature = "typed")]
use super::typed;
#[cfg(feature = "zstandard")]
use super::zstandard;
use super::{COUNT, Codec, NOT_A_CODEC, hadoop, null, snappy};
use crate::error::{Error, Result};
use crate::storage::checksum::Placement;

/// What the names of codecs mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Framing {
    /// As in Avro's Trevni: deflate is a raw stream.
    #[default]
    Raw,
    /// As in Impala's Trevni: deflate is a zlib stream; gzip and raw ones are read too.
    Zlib,
    /// As in Hadoop: deflate is a zlib stream; snappy and LZ4 are blocks of chunks, each after its size.
    Hadoop,
}

/// How the stored bytes of blocks are formed; by default as in Trevni.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct BlockForm {
    /// What the names of codecs mean.
    pub(crate) framing: Framing,
    /// Where the checksum is.
    pub(crate) checksum: Placement,
}

/// One of something for each framing, and each codec that a file of any format may name.
type Table<T> = [[Option<T>; COUNT + 1]; 3];

/// How blocks are compressed. Decompressors are in a table of their own, so that programs which only read link no compressor.
static COMPRESSORS: Table<MakeCompressor> = {
    let mut table: Table<MakeCompressor> = [[None; COUNT + 1]; 3];
    let mut at = 0;
    while at < 3 * (COUNT + 1) {
        if let Some(algorithm) = Framing::new(at).algorithm(codec(at)) {
            table[at % 3][at / 3] = Some(algorithm.compressor);
        }
        at += 1;
    }
    table
};

/// How blocks are decompressed.
static DECOMPRESSORS: Table<MakeDecompressor> = {
    let mut table: Table<MakeDecompressor> = [[None; COUNT + 1]; 3];
    let mut at = 0;
    while at < 3 * (COUNT + 1) {
        if let Some(algorithm) = Framing::new(at).algorithm(codec(at)) {
            table[at % 3][at / 3] = Some(algorithm.decompressor);
        }
        at += 1;
    }
    table
};

/// The codec of an entry of a table.
const fn codec(at: usize) -> Codec {
    if at / 3 < COUNT { Codec::ALL[at / 3] } else { Codec::Gzip }
}

impl Framing {
    /// The framing of an entry of a table.
    const fn new(at: usize) -> Self {
        match at % 3 {
            0 => Self::Raw,
            1 => Self::Zlib,
            _ => Self::Hadoop,
        }
    }

    /// The algorithm of a codec, where this build has it.
    const fn algorithm(self, codec: Codec) -> Option<Algorithm> {
        match (self, codec) {
            (_, Codec::Null) => Some(null::PLAIN),
            #[cfg(feature = "deflate")]
            (Self::Zlib | Self::Hadoop, Codec::Deflate) => Some(deflate::ZLIB),
            #[cfg(feature = "deflate")]
            (Self::Raw, Codec::Deflate) => Some(deflate::RAW),
            #[cfg(feature = "deflate")]
            (_, Codec::Gzip) => Some(deflate::GZIP),
            (Self::Hadoop, Codec::Snappy) => Some(hadoop::SNAPPY),
            (_, Codec::Snappy) => Some(snappy::RAW),
            #[cfg(feature = "lz4")]
            (Self::Hadoop, Codec::Lz4) => Some(hadoop::LZ4),
            #[cfg(feature = "lz4")]
            (_, Codec::Lz4) => Some(lz4::RAW),
            #[cfg(feature = "bzip2")]
            (_, Codec::Bzip2) => Some(bzip2::STREAM),
            #[cfg(feature = "zstandard")]
            (_, Codec::Zstandard) => Some(zstandard::FRAME),
            #[cfg(feature = "typed")]
            (_, Codec::Typed) => Some(typed::ALONE),
            #[cfg(all(feature = "typed", feature = "zstandard"))]
            (_, Codec::TypedZstandard) => Some(typed::ZSTANDARD),
            #[cfg(feature = "archive")]
            (_, Codec::Archive) => Some(typed::ARCHIVE),
            _ => None,
        }
    }

    /// What makes a compressor of a codec.
    ///
    /// # Errors
    ///
    /// A codec that this build lacks.
    pub(super) fn compressor(self, codec: Codec) -> Result<MakeCompressor> {
        self.entry(codec.available()?, &COMPRESSORS)
    }

    /// What makes a decompressor of a codec.
    ///
    /// # Errors
    ///
    /// A codec that this build lacks.
    pub(super) fn decompressor(self, codec: Codec) -> Result<MakeDecompressor> {
        self.entry(codec.available()?, &DECOMPRESSORS)
    }

    fn entry<T: Copy>(self, codec: Codec, table: &Table<T>) -> Result<T> {
        let number = match codec {
            Codec::Auto => None,
            Codec::Gzip => Some(COUNT),
            codec => Some(codec as usize),
        };
        let found = table.get(self as usize).and_then(|table| *table.get(number?)?);
        found.ok_or_else(|| Error::internal(NOT_A_CODEC))
    }
}
