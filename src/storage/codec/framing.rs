//! The form that a format gives the bytes of a codec: the same name means different bytes in different formats.

use super::algorithm::Algorithm;
#[cfg(feature = "deflate")]
use super::deflate;
use super::{Codec, hadoop};

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

impl Framing {
    /// The algorithm of a codec, where it is not the usual one.
    pub(super) fn algorithm(self, codec: Codec) -> Option<Algorithm> {
        match (self, codec) {
            #[cfg(feature = "deflate")]
            (Self::Zlib | Self::Hadoop, Codec::Deflate) => Some(deflate::ZLIB),
            (Self::Hadoop, Codec::Snappy) => Some(hadoop::SNAPPY),
            #[cfg(feature = "lz4")]
            (Self::Hadoop, Codec::Lz4) => Some(hadoop::LZ4),
            _ => None,
        }
    }
}
