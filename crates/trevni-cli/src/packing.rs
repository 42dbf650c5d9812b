//! Files that are packed as a whole, by gzip or Zstandard.

use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

/// Bytes of a packed file that are read at once.
const BUFFER: usize = 1 << 17;

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstandard,
}

impl Packing {
    /// As a name ends.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "gz" | "gzip" => Self::Gzip,
            "zst" | "zstd" => Self::Zstandard,
            _ => return None,
        })
    }

    /// As the bytes of a file start.
    pub(crate) fn of_start(start: &[u8]) -> Option<Self> {
        match start {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstandard),
            _ => None,
        }
    }

    /// What a packed file holds.
    pub(crate) fn unpacked<'a>(self, packed: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, packed))),
            Self::Zstandard => Box::new(zstd::stream::read::Decoder::new(packed)?),
        })
    }
}

/// What is written, packed or as it is.
pub(crate) enum Packer<W: Write> {
    No(W),
    Gzip(GzEncoder<W>),
    Zstandard(zstd::stream::write::Encoder<'static, W>),
}

impl<W: Write> Packer<W> {
    /// Packs as the name of the output ends.
    pub(crate) fn by_name(out: W, path: &Path) -> io::Result<Self> {
        Ok(match Packing::of_name(path) {
            None => Self::No(out),
            Some(Packing::Gzip) => Self::Gzip(GzEncoder::new(out, Compression::default())),
            Some(Packing::Zstandard) => Self::Zstandard(zstd::stream::write::Encoder::new(out, 0)?),
        })
    }

    /// Writes the end, and returns what was written to.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::No(out) => Ok(out),
            Self::Gzip(out) => out.finish(),
            Self::Zstandard(out) => out.finish(),
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::No(out) => out.write(bytes),
            Self::Gzip(out) => out.write(bytes),
            Self::Zstandard(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::No(out) => out.flush(),
            Self::Gzip(out) => out.flush(),
            Self::Zstandard(out) => out.flush(),
        }
    }
}
