//! Files that are packed as a whole, by gzip, Zstandard, xz or bzip2.

use crate::limits::limits;
use bzip2::bufread::MultiBzDecoder;
use bzip2::write::BzEncoder;
use flate2::Compression;
use flate2::bufread::MultiGzDecoder;
use flate2::write::GzEncoder;
use lzma_rust2::{XzOptions, XzReader, XzWriter};
use std::io::{self, BufReader, Read, Write};
use std::path::Path;

/// Bytes of a packed file that are read at once.
const BUFFER: usize = 1 << 17;

/// How a file is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Packing {
    Gzip,
    Zstandard,
    Xz,
    Bzip2,
}

impl Packing {
    /// As a name ends.
    pub(crate) fn of_name(path: &Path) -> Option<Self> {
        Some(match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "gz" | "gzip" => Self::Gzip,
            "zst" | "zstd" => Self::Zstandard,
            "xz" => Self::Xz,
            "bz2" => Self::Bzip2,
            _ => return None,
        })
    }

    /// As the bytes of a file start.
    pub(crate) fn of_start(start: &[u8]) -> Option<Self> {
        match start {
            [0x1f, 0x8b, ..] => Some(Self::Gzip),
            [0x28, 0xb5, 0x2f, 0xfd, ..] => Some(Self::Zstandard),
            [0xfd, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [b'B', b'Z', b'h', b'1'..=b'9', 0x31, 0x41, 0x59, 0x26, 0x53, 0x59, ..] => Some(Self::Bzip2),
            // Of nothing.
            [b'B', b'Z', b'h', b'1'..=b'9', 0x17, 0x72, 0x45, 0x38, 0x50, 0x90, ..] => Some(Self::Bzip2),
            _ => None,
        }
    }

    /// What a packed file holds.
    pub(crate) fn unpacked<'a>(self, packed: impl Read + Send + 'a) -> io::Result<Box<dyn Read + Send + 'a>> {
        Ok(match self {
            Self::Gzip => Box::new(MultiGzDecoder::new(BufReader::with_capacity(BUFFER, packed))),
            Self::Zstandard => Box::new(zstd::stream::read::Decoder::new(packed)?),
            // What is before is looked for in up to 4 GiB of memory, as the file says.
            Self::Xz => {
                let memory = u32::try_from(limits().memory / 1024).unwrap_or(u32::MAX);
                let packed = BufReader::with_capacity(BUFFER, packed);
                Box::new(Limited(XzReader::new_mem_limit(packed, true, memory)))
            }
            Self::Bzip2 => Box::new(MultiBzDecoder::new(BufReader::with_capacity(BUFFER, packed))),
        })
    }
}

/// Says how more memory is permitted.
struct Limited<R>(R);

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes).map_err(|error| match error.kind() {
            io::ErrorKind::OutOfMemory => {
                let most = limits().memory;
                io::Error::other(format!(
                    "decompression takes more memory than the limit of {most} bytes (to raise it: --max-memory)"
                ))
            }
            _ => error,
        })
    }
}

/// What is written, packed or as it is.
pub enum Packer<W: Write> {
    No(W),
    Gzip(GzEncoder<W>),
    Zstandard(zstd::stream::write::Encoder<'static, W>),
    Xz(Box<XzWriter<W>>),
    Bzip2(BzEncoder<W>),
}

impl<W: Write> Packer<W> {
    /// Packs as the name of the output ends.
    pub(crate) fn by_name(out: W, path: &Path) -> io::Result<Self> {
        Ok(match Packing::of_name(path) {
            None => Self::No(out),
            Some(Packing::Gzip) => Self::Gzip(GzEncoder::new(out, Compression::default())),
            Some(Packing::Zstandard) => Self::Zstandard(zstd::stream::write::Encoder::new(out, 0)?),
            Some(Packing::Xz) => Self::Xz(Box::new(XzWriter::new(out, XzOptions::with_preset(6))?)),
            Some(Packing::Bzip2) => Self::Bzip2(BzEncoder::new(out, bzip2::Compression::best())),
        })
    }

    /// Writes the end, and returns what was written to.
    pub(crate) fn finish(self) -> io::Result<W> {
        match self {
            Self::No(out) => Ok(out),
            Self::Gzip(out) => out.finish(),
            Self::Zstandard(out) => out.finish(),
            Self::Xz(out) => out.finish(),
            Self::Bzip2(out) => out.finish(),
        }
    }
}

impl<W: Write> Write for Packer<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::No(out) => out.write(bytes),
            Self::Gzip(out) => out.write(bytes),
            Self::Zstandard(out) => out.write(bytes),
            Self::Xz(out) => out.write(bytes),
            Self::Bzip2(out) => out.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::No(out) => out.flush(),
            Self::Gzip(out) => out.flush(),
            Self::Zstandard(out) => out.flush(),
            Self::Xz(out) => out.flush(),
            Self::Bzip2(out) => out.flush(),
        }
    }
}
