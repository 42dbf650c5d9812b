//! What is inside the codecs that do not look at values: so that a changed block is a block still.

use std::io::{Read, Write};

/// A codec, in one of the forms that files have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Codec {
    Deflate,
    Zlib,
    Gzip,
    Snappy,
    Bzip2,
    Zstandard,
    Lz4,
}

/// The most bytes of a block that is looked into.
const LARGEST: u64 = 1 << 24;

impl Codec {
    /// The codec of a block with this name, and the block before it, which has `size` bytes; `None` where it has not been
    /// compressed, or by a codec that looks at values.
    pub(crate) fn open(name: &[u8], stored: &[u8], size: u32) -> Option<(Self, Vec<u8>)> {
        let codecs: &[Self] = match name {
            b"deflate" | b"gzip" => &[Self::Deflate, Self::Zlib, Self::Gzip],
            b"snappy" => &[Self::Snappy],
            b"bzip2" => &[Self::Bzip2],
            b"zstandard" => &[Self::Zstandard],
            b"lz4" => &[Self::Lz4],
            _ => &[],
        };
        codecs.iter().find_map(|codec| {
            let content = codec.decompress(stored, size)?;
            (content.len() == size as usize).then_some((*codec, content))
        })
    }

    fn decompress(self, stored: &[u8], size: u32) -> Option<Vec<u8>> {
        let reader: Box<dyn Read + '_> = match self {
            Self::Deflate => Box::new(flate2::read::DeflateDecoder::new(stored)),
            Self::Zlib => Box::new(flate2::read::ZlibDecoder::new(stored)),
            Self::Gzip => Box::new(flate2::read::GzDecoder::new(stored)),
            Self::Bzip2 => Box::new(bzip2::read::BzDecoder::new(stored)),
            Self::Zstandard => Box::new(zstd::Decoder::new(stored).ok()?),
            Self::Snappy => return snap::raw::Decoder::new().decompress_vec(stored).ok(),
            Self::Lz4 if u64::from(size) > LARGEST => return None,
            Self::Lz4 => return lz4_flex::block::decompress(stored, size as usize).ok(),
        };
        let mut content = Vec::new();
        reader.take(LARGEST).read_to_end(&mut content).ok()?;
        Some(content)
    }

    /// A block after the codec.
    pub(crate) fn compress(self, content: &[u8]) -> Vec<u8> {
        let level = flate2::Compression::fast();
        let mut out = Vec::new();
        let done = match self {
            Self::Deflate => flate2::write::DeflateEncoder::new(&mut out, level).write_all(content),
            Self::Zlib => flate2::write::ZlibEncoder::new(&mut out, level).write_all(content),
            Self::Gzip => flate2::write::GzEncoder::new(&mut out, level).write_all(content),
            Self::Bzip2 => {
                bzip2::write::BzEncoder::new(&mut out, bzip2::Compression::fast()).write_all(content)
            }
            Self::Zstandard => zstd::stream::copy_encode(content, &mut out, 1),
            Self::Snappy => {
                out = snap::raw::Encoder::new().compress_vec(content).unwrap_or_default();
                Ok(())
            }
            Self::Lz4 => {
                out = lz4_flex::block::compress(content);
                Ok(())
            }
        };
        // The encoders end when they are dropped; writing to memory does not fail.
        debug_assert!(done.is_ok(), "{done:?}");
        out
    }
}
