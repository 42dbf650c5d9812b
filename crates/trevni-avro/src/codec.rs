//! Codecs of blocks.

use std::io::{self, Read, Write};

/// How blocks are compressed.
///
/// ```
/// use trevni_avro::Compression;
///
/// assert_eq!(Compression::named("zstd"), Some(Compression::Zstandard));
/// assert_eq!(Compression::Null.name(), "null");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Compression {
    /// Not at all.
    Null,
    /// Deflate, without a header of its own.
    Deflate,
    /// Snappy, followed by a checksum (CRC-32).
    Snappy,
    /// Zstandard.
    Zstandard,
    /// bzip2.
    Bzip2,
}

/// Why a block cannot be decompressed.
#[derive(Debug)]
pub(super) enum Failed {
    /// It has more bytes than it may: these are known.
    TooLarge(u64),
    Damaged(io::Error),
}

impl From<io::Error> for Failed {
    fn from(error: io::Error) -> Self {
        Self::Damaged(error)
    }
}

impl Compression {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Null, Self::Deflate, Self::Snappy, Self::Zstandard, Self::Bzip2];

    /// The name that it has in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Deflate => "deflate",
            Self::Snappy => "snappy",
            Self::Zstandard => "zstandard",
            Self::Bzip2 => "bzip2",
        }
    }

    /// The codec of a name: as files have it, or a short one.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "none" => Some(Self::Null),
            "zstd" => Some(Self::Zstandard),
            name => Self::ALL.into_iter().find(|codec| codec.name() == name),
        }
    }

    pub(super) fn compress(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Self::Null => Ok(bytes.to_vec()),
            Self::Deflate => {
                let mut out = flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::default());
                out.write_all(bytes)?;
                out.finish()
            }
            Self::Snappy => {
                let mut out = snap::raw::Encoder::new().compress_vec(bytes)?;
                out.extend_from_slice(&crc32fast::hash(bytes).to_be_bytes());
                Ok(out)
            }
            Self::Zstandard => zstd::encode_all(bytes, zstd::DEFAULT_COMPRESSION_LEVEL),
            Self::Bzip2 => {
                let mut out = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::best());
                out.write_all(bytes)?;
                out.finish()
            }
        }
    }

    /// Decompresses a block, of at most `most` bytes then.
    pub(super) fn decompress(self, bytes: Vec<u8>, most: u64) -> Result<Vec<u8>, Failed> {
        match self {
            Self::Null => Ok(bytes),
            Self::Deflate => all(flate2::read::DeflateDecoder::new(&*bytes), most),
            Self::Snappy => {
                let cut = || io::Error::other("a snappy block without its checksum");
                let (bytes, sum) = bytes.split_last_chunk::<4>().ok_or_else(cut)?;
                let size = snap::raw::decompress_len(bytes).map_err(io::Error::from)? as u64;
                if size > most {
                    return Err(Failed::TooLarge(size));
                }
                let out = snap::raw::Decoder::new().decompress_vec(bytes).map_err(io::Error::from)?;
                match crc32fast::hash(&out) == u32::from_be_bytes(*sum) {
                    true => Ok(out),
                    false => Err(io::Error::other("the checksum does not fit").into()),
                }
            }
            Self::Zstandard => all(zstd::Decoder::new(&*bytes)?, most),
            Self::Bzip2 => all(bzip2::read::MultiBzDecoder::new(&*bytes), most),
        }
    }
}

fn all(decoder: impl Read, most: u64) -> Result<Vec<u8>, Failed> {
    let mut out = Vec::new();
    let count = decoder.take(most.saturating_add(1)).read_to_end(&mut out)? as u64;
    if count > most { Err(Failed::TooLarge(count)) } else { Ok(out) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_compressed_comes_back() {
        let bytes: Vec<u8> = (0..10_000u32).map(|n| (n / 7) as u8).collect();
        for codec in Compression::ALL {
            for bytes in [&bytes[..], &[]] {
                let compressed = codec.compress(bytes).unwrap();
                let size = bytes.len() as u64;
                assert_eq!(codec.decompress(compressed.clone(), size).unwrap(), bytes, "{codec:?}");
                if codec != Compression::Null && size > 0 {
                    let failed = codec.decompress(compressed, size - 1).unwrap_err();
                    assert!(matches!(failed, Failed::TooLarge(found) if found == size), "{codec:?}");
                }
            }
            let mut damaged = codec.compress(&bytes).unwrap();
            damaged.truncate(damaged.len() / 2);
            assert_eq!(codec.decompress(damaged, u64::MAX).is_err(), codec != Compression::Null, "{codec:?}");
        }
        assert_eq!(Compression::named("zstd"), Some(Compression::Zstandard));
        assert_eq!(Compression::named("xz"), None);
    }
}
