//! Streams in the wrapper of gzip (RFC 1952).

use crate::{Compression, READ_ONLY};
use crc32fast::Hasher;
use miniz_oxide::inflate::stream::{InflateState, inflate};
use miniz_oxide::{DataFormat, MZFlush, MZStatus};
use std::io::{self, Read};

/// Flags of a header: what it has.
const CHECKSUM: u8 = 2;
const EXTRA: u8 = 4;
const NAME: u8 = 8;
const COMMENT: u8 = 16;

/// Compresses nothing.
#[derive(Debug)]
pub struct GzEncoder;

impl GzEncoder {
    /// One that compresses nothing.
    #[must_use]
    pub fn new(_bytes: &[u8], _level: Compression) -> Self {
        Self
    }
}

impl Read for GzEncoder {
    fn read(&mut self, _out: &mut [u8]) -> io::Result<usize> {
        Err(io::Error::other(READ_ONLY))
    }
}

/// Reads members that follow each other.
pub struct MultiGzDecoder<'s> {
    rest: &'s [u8],
    state: Box<InflateState>,
    is_within: bool,
    sum: Hasher,
    count: u32,
}

impl<'s> MultiGzDecoder<'s> {
    /// Of these bytes.
    #[must_use]
    pub fn new(rest: &'s [u8]) -> Self {
        let state = InflateState::new_boxed(DataFormat::Raw);
        Self { rest, state, is_within: false, sum: Hasher::new(), count: 0 }
    }

    fn take(&mut self, count: usize) -> io::Result<&'s [u8]> {
        let (taken, rest) = self.rest.split_at_checked(count).ok_or(io::ErrorKind::UnexpectedEof)?;
        self.rest = rest;
        Ok(taken)
    }

    fn header(&mut self) -> io::Result<()> {
        let [0x1f, 0x8b, 8, flags, ..] = *self.take(10)? else { return Err(damaged()) };
        if flags & EXTRA != 0
            && let [low, high] = *self.take(2)?
        {
            self.take(u16::from_le_bytes([low, high]).into())?;
        }
        for flag in [NAME, COMMENT] {
            while flags & flag != 0 && self.take(1)? != [0] {}
        }
        if flags & CHECKSUM != 0 {
            self.take(2)?;
        }
        self.state.reset(DataFormat::Raw);
        self.sum.reset();
        (self.count, self.is_within) = (0, true);
        Ok(())
    }

    fn trailer(&mut self) -> io::Result<()> {
        let expected = [self.sum.clone().finalize().to_le_bytes(), self.count.to_le_bytes()];
        self.is_within = false;
        if self.take(8)? == expected.as_flattened() { Ok(()) } else { Err(damaged()) }
    }
}

impl Read for MultiGzDecoder<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        while !out.is_empty() {
            if !self.is_within {
                if self.rest.is_empty() {
                    break;
                }
                self.header()?;
            }
            let result = inflate(&mut self.state, self.rest, out, MZFlush::None);
            self.take(result.bytes_consumed)?;
            let written = &out[..result.bytes_written];
            self.sum.update(written);
            self.count = self.count.wrapping_add(written.len() as u32);
            match result.status {
                Ok(MZStatus::StreamEnd) => self.trailer()?,
                Ok(_) if result.bytes_written > 0 || result.bytes_consumed > 0 => {}
                _ => return Err(damaged()),
            }
            if result.bytes_written > 0 {
                return Ok(result.bytes_written);
            }
        }
        Ok(0)
    }
}

#[cold]
fn damaged() -> io::Error {
    io::Error::other("gzip: the stream is damaged")
}
