//! How bytes are compressed, for the contestants that leave it to the caller.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::io::{Read, Write};

/// A codec.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Codec {
    None,
    Snappy,
    Deflate,
    Zstandard,
    Lz4,
    Typed,
    TypedZstandard,
}

impl Codec {
    /// Its name in options and reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Snappy => "snappy",
            Self::Deflate => "deflate",
            Self::Zstandard => "zstandard",
            Self::Lz4 => "lz4",
            Self::Typed => "typed",
            Self::TypedZstandard => "typed-zstandard",
        }
    }

    /// The same codec of the crate that is measured.
    pub fn trevni(self) -> trevni::Codec {
        match self {
            Self::None => trevni::Codec::Null,
            Self::Snappy => trevni::Codec::Snappy,
            Self::Deflate => trevni::Codec::Deflate,
            Self::Zstandard => trevni::Codec::Zstandard,
            Self::Lz4 => trevni::Codec::Lz4,
            Self::Typed => trevni::Codec::Typed,
            Self::TypedZstandard => trevni::Codec::TypedZstandard,
        }
    }

    /// Whether only trevni has it.
    pub fn is_own(self) -> bool {
        matches!(self, Self::Typed | Self::TypedZstandard)
    }

    /// Compresses `bytes` in one piece, at the level that the library calls its default.
    pub fn compress(self, bytes: Vec<u8>) -> Vec<u8> {
        match self {
            Self::None | Self::Typed | Self::TypedZstandard => bytes,
            Self::Snappy => snap::raw::Encoder::new().compress_vec(&bytes).expect("snappy takes the bytes"),
            Self::Deflate => {
                let sink = Vec::with_capacity(bytes.len() / 2);
                let mut encoder = flate2::write::DeflateEncoder::new(sink, flate2::Compression::default());
                encoder.write_all(&bytes).expect("memory takes the bytes");
                encoder.finish().expect("memory takes the bytes")
            }
            Self::Zstandard => zstd::bulk::compress(&bytes, 3).expect("zstd takes the bytes"),
            Self::Lz4 => lz4_flex::block::compress(&bytes),
        }
    }

    /// Gives back `size` bytes, or nothing where `stored` is damaged.
    pub fn decompress(self, stored: &[u8], size: usize) -> Option<Vec<u8>> {
        match self {
            Self::None | Self::Typed | Self::TypedZstandard => Some(stored.to_vec()),
            Self::Snappy => snap::raw::Decoder::new().decompress_vec(stored).ok(),
            Self::Deflate => {
                let mut bytes = Vec::with_capacity(size);
                flate2::read::DeflateDecoder::new(stored).read_to_end(&mut bytes).ok()?;
                Some(bytes)
            }
            Self::Zstandard => zstd::bulk::decompress(stored, size).ok(),
            Self::Lz4 => lz4_flex::block::decompress(stored, size).ok(),
        }
        .filter(|bytes| bytes.len() == size)
    }
}
