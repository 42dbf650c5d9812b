//! The form that a format gives the bytes of a codec: the same name means different bytes in different formats.

use super::algorithm::Algorithm;
use super::{Codec, deflate};

/// What the names of codecs mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Framing {
    /// As in Avro's Trevni: deflate is a raw stream.
    #[default]
    Raw,
    /// As in Impala's Trevni: deflate is a zlib stream; gzip and raw ones are read too.
    Zlib,
}

impl Framing {
    /// The algorithm of a codec, where it is not the usual one.
    pub(super) fn algorithm(self, codec: Codec) -> Option<Algorithm> {
        match (self, codec) {
            (Self::Zlib, Codec::Deflate) => Some(deflate::ZLIB),
            _ => None,
        }
    }
}
