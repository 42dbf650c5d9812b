//! Checksums of blocks (specification, "Checksum algorithms").

use crate::error::{Error, ErrorKind, Result};
use std::fmt;
use std::str::FromStr;

/// The checksum that is stored after each block, computed over its uncompressed bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Checksum {
    /// No checksum.
    Null,
    /// CRC-32 (ISO 3309), as in zlib; four bytes, big-endian as in Java.
    #[default]
    Crc32,
}

/// Where in a format the checksum of a block is, and in which order its bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Placement {
    /// After the block; big-endian as in Java.
    #[default]
    After,
    /// After the block; little-endian.
    AfterLittle,
    /// Before the block; little-endian.
    BeforeLittle,
}

/// A CRC-32 over bytes that come in pieces.
#[derive(Clone, Debug, Default)]
pub(crate) struct RunningSum(crc32fast::Hasher);

impl RunningSum {
    /// The checksum of some bytes.
    pub(crate) fn of(bytes: &[u8]) -> u32 {
        crc32fast::hash(bytes)
    }

    /// Goes on with more bytes.
    pub(crate) fn update(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// Goes on with `count` bytes whose checksum is known.
    pub(crate) fn append(&mut self, sum: u32, count: u64) {
        self.0.combine(&crc32fast::Hasher::new_with_initial_len(sum, count));
    }

    /// The checksum of all bytes so far.
    pub(crate) fn value(&self) -> u32 {
        self.0.clone().finalize()
    }
}

impl Checksum {
    /// The name in metadata. For CRC-32 it is Java's `crc32`; the specification says `crc-32`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Crc32 => "crc32",
        }
    }

    /// The checksum that the metadata of a Trevni file calls so; accepts both spellings of CRC-32.
    pub(crate) fn from_metadata(name: &str) -> Option<Self> {
        match name {
            "null" => Some(Self::Null),
            "crc32" | "crc-32" => Some(Self::Crc32),
            _ => None,
        }
    }

    /// As [`from_metadata`](Self::from_metadata).
    pub(crate) fn from_name(name: &str) -> Result<Self> {
        Self::from_metadata(name).ok_or_else(|| ErrorKind::ChecksumName { checksum: name.to_owned() }.into())
    }

    /// Size of the checksum in bytes.
    pub(crate) fn size(self) -> usize {
        match self {
            Self::Null => 0,
            Self::Crc32 => 4,
        }
    }

    /// The checksum of `block`.
    pub(crate) fn of(self, block: &[u8]) -> Option<[u8; 4]> {
        match self {
            Self::Null => None,
            Self::Crc32 => Some(crc32fast::hash(block).to_be_bytes()),
        }
    }

    /// Appends the checksum of `block`.
    pub(crate) fn append(self, block: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(self.of(block).as_slice().as_flattened());
    }

    /// The checksum of `block`, in the order of bytes of a format.
    pub(crate) fn placed(self, placement: Placement, block: &[u8]) -> Option<[u8; 4]> {
        let mut sum = self.of(block);
        if let Some(sum) = sum.as_mut().filter(|_| placement != Placement::After) {
            sum.reverse();
        }
        sum
    }

    /// Compares `stored` with the checksum of `block`, little-endian.
    pub(crate) fn verify_little(self, block: &[u8], stored: &[u8]) -> Result<()> {
        match (self, stored.first_chunk::<4>()) {
            (Self::Crc32, Some(stored)) => {
                let (stored, computed) = (u32::from_le_bytes(*stored), crc32fast::hash(block));
                if stored == computed { Ok(()) } else { Err(mismatch(stored, computed)) }
            }
            (Self::Crc32, None) => Err(short(stored)),
            (Self::Null, _) => Ok(()),
        }
    }

    /// Compares `stored` with the checksum of `block`.
    ///
    /// Three forms are accepted: big-endian (Java), little-endian (the specification), and, if `zero` says so, the zero
    /// that Java stores for blocks without a codec.
    pub(crate) fn verify(self, block: &[u8], stored: &[u8], zero: bool) -> Result<()> {
        match (self, stored.first_chunk::<4>()) {
            (Self::Crc32, Some(stored)) => {
                let computed = crc32fast::hash(block);
                let (big, little) = (u32::from_be_bytes(*stored), u32::from_le_bytes(*stored));
                if big == computed || little == computed || (zero && big == 0) {
                    Ok(())
                } else {
                    Err(mismatch(big, computed))
                }
            }
            (Self::Crc32, None) => Err(short(stored)),
            (Self::Null, _) => Ok(()),
        }
    }
}

#[cold]
fn short(stored: &[u8]) -> Error {
    ErrorKind::Truncated { what: "a checksum", needed: 4, available: stored.len() as u64 }.into()
}

#[cold]
fn mismatch(stored: u32, computed: u32) -> Error {
    ErrorKind::Checksum { stored, computed }.into()
}

impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Parses a [`name`](Checksum::name), in any case. `crc-32` and `none` are known too.
///
/// ```
/// use trevni::Checksum;
///
/// assert_eq!("crc32".parse::<Checksum>()?, Checksum::Crc32);
/// assert!("md5".parse::<Checksum>().unwrap_err().to_string().ends_with("there are null, crc32"));
/// # Ok::<(), trevni::Error>(())
/// ```
impl FromStr for Checksum {
    type Err = Error;

    fn from_str(name: &str) -> Result<Self> {
        let known =
            [("null", Self::Null), ("none", Self::Null), ("crc32", Self::Crc32), ("crc-32", Self::Crc32)];
        match known.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)) {
            Some((_, checksum)) => Ok(*checksum),
            None => Err(Error::no_such("checksum", name, &[Self::Null.name(), Self::Crc32.name()])),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_as_java_reads_it() {
        let mut out = Vec::new();
        Checksum::Crc32.append(b"123456789", &mut out);
        assert_eq!(out, [0xcb, 0xf4, 0x39, 0x26]);
    }

    #[test]
    fn pieces_have_the_checksum_of_the_whole() {
        let mut sum = RunningSum::default();
        assert_eq!(sum.value(), RunningSum::of(b""));
        for piece in [b"1234".as_slice(), b"", b"56789"] {
            sum.update(piece);
        }
        assert_eq!((sum.value(), RunningSum::of(b"123456789")), (0xcbf4_3926, 0xcbf4_3926));
        sum.append(RunningSum::of(b"abc"), 3);
        sum.append(RunningSum::of(b""), 0);
        sum.update(b"d");
        assert_eq!(sum.value(), RunningSum::of(b"123456789abcd"));
    }

    #[test]
    fn three_forms_are_read_and_no_other() {
        let block = b"123456789";
        let verify = |stored: [u8; 4], zero| Checksum::Crc32.verify(block, &stored, zero).is_ok();
        assert!(verify([0xcb, 0xf4, 0x39, 0x26], false));
        assert!(verify([0x26, 0x39, 0xf4, 0xcb], false));
        assert!(verify([0; 4], true));
        assert!(!verify([0; 4], false));
        assert!(!verify([0xcb, 0xf4, 0x39, 0x27], true));
        for length in 0..4 {
            assert!(Checksum::Crc32.verify(b"", &[0; 4][..length], true).is_err());
            assert!(Checksum::Crc32.verify_little(b"", &[0; 4][..length]).is_err());
        }
        assert!(Checksum::Null.verify(block, b"", false).is_ok());
    }
}
