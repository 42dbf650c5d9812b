//! Stands in for the crate flate2 with zlib-rs, whose tables are 8 KiB that no compression makes smaller: miniz_oxide reads the same
//! bytes. Nothing writes them here.

use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZError, MZFlush, MZStatus};
use std::fmt;

pub mod read;

/// What a call has come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// There may be more.
    Ok,
    /// More input or more room is needed.
    BufError,
    /// All has been read.
    StreamEnd,
}

/// How much is to be decompressed: always as much as there is room for.
#[derive(Clone, Copy, Debug)]
pub enum FlushDecompress {
    /// All.
    Finish,
}

/// How much is to be compressed.
#[derive(Clone, Copy, Debug)]
pub enum FlushCompress {
    /// All.
    Finish,
}

/// A level of compression.
#[derive(Clone, Copy, Debug, Default)]
pub struct Compression;

impl Compression {
    /// Any level.
    #[must_use]
    pub fn new(_level: u32) -> Self {
        Self
    }
}

/// What is wrong.
#[derive(Debug)]
pub struct Error(&'static str);

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

impl std::error::Error for Error {}

/// Why nothing is written.
pub(crate) const READ_ONLY: &str = "deflate is only read here, not written";

/// Compresses nothing.
#[derive(Debug)]
pub struct Compress;

impl Compress {
    /// One that compresses nothing.
    #[must_use]
    pub fn new(_level: Compression, _zlib: bool) -> Self {
        Self
    }

    /// Begins again.
    pub fn reset(&mut self) {}

    /// How many bytes have been taken.
    #[must_use]
    pub fn total_in(&self) -> u64 {
        0
    }

    /// # Errors
    ///
    /// Always.
    pub fn compress_vec(
        &mut self,
        _bytes: &[u8],
        _out: &mut Vec<u8>,
        _flush: FlushCompress,
    ) -> Result<Status, Error> {
        Err(Error(READ_ONLY))
    }
}

/// Decompresses a stream.
pub struct Decompress {
    state: Box<InflateState>,
    total_in: u64,
    total_out: u64,
}

fn format(zlib: bool) -> DataFormat {
    if zlib { DataFormat::Zlib } else { DataFormat::Raw }
}

impl Decompress {
    /// Of a stream in the wrapper of zlib, or in none.
    #[must_use]
    pub fn new(zlib: bool) -> Self {
        Self { state: InflateState::new_boxed(format(zlib)), total_in: 0, total_out: 0 }
    }

    /// Begins another stream.
    pub fn reset(&mut self, zlib: bool) {
        self.state.reset(format(zlib));
        (self.total_in, self.total_out) = (0, 0);
    }

    /// How many bytes have been read.
    #[must_use]
    pub fn total_in(&self) -> u64 {
        self.total_in
    }

    /// How many bytes have come out.
    #[must_use]
    pub fn total_out(&self) -> u64 {
        self.total_out
    }

    /// Decompresses into the room that a vector has.
    ///
    /// # Errors
    ///
    /// Bytes that are no such stream.
    pub fn decompress_vec(
        &mut self,
        bytes: &[u8],
        out: &mut Vec<u8>,
        _flush: FlushDecompress,
    ) -> Result<Status, Error> {
        let start = out.len();
        out.resize(out.capacity(), 0);
        let result = inflate(&mut self.state, bytes, &mut out[start..], MZFlush::None);
        out.truncate(start + result.bytes_written);
        self.total_in += result.bytes_consumed as u64;
        self.total_out += result.bytes_written as u64;
        match result.status {
            Ok(MZStatus::StreamEnd) => Ok(Status::StreamEnd),
            Ok(MZStatus::Ok) => Ok(Status::Ok),
            Err(MZError::Buf) => Ok(Status::BufError),
            _ => Err(Error("deflate: the stream is damaged")),
        }
    }
}
