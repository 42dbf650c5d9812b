//! The blocks of metadata in a footer: their names and bytes.

use crate::bytes::reader::Bytes;
use crate::error::{Error, ErrorKind, Result};
use std::borrow::Cow;

/// The only version of footers.
const VERSION: u32 = 1;

/// The most blocks that their count, a byte, can tell.
pub(in crate::dialect::redelm) const BLOCKS_MAX: usize = u8::MAX as usize;

/// A block of metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::dialect::redelm) struct Block<'a> {
    pub(in crate::dialect::redelm) name: Cow<'a, str>,
    pub(in crate::dialect::redelm) bytes: Cow<'a, [u8]>,
}

/// The blocks of a footer, in their order.
pub(in crate::dialect::redelm) struct Blocks;

impl Blocks {
    /// Reads a whole footer.
    pub(in crate::dialect::redelm) fn read(footer: &[u8]) -> Result<Vec<Block<'_>>> {
        let mut bytes = Bytes::new(footer);
        let version = bytes.array().map(u32::from_be_bytes).map_err(|bad| bad.of("the footer"))?;
        if version != VERSION {
            return Err(ErrorKind::RedElmVersion { version }.into());
        }
        let blocks = Self::read_counted(&mut bytes)?;
        match bytes.remaining() {
            0 => Ok(blocks),
            count => Err(Error::metadata(format!("{count} bytes follow the last block of the footer"))),
        }
    }

    /// Reads the number of blocks, a byte, and the blocks.
    pub(in crate::dialect::redelm) fn read_counted<'a>(bytes: &mut Bytes<'a>) -> Result<Vec<Block<'a>>> {
        let count = bytes.byte().map_err(|bad| bad.of("the footer"))?;
        (0..count).map(|_| Block::read(bytes)).collect()
    }

    /// The bytes of a footer.
    pub(in crate::dialect::redelm) fn write(blocks: &[Block<'_>]) -> Result<Vec<u8>> {
        let mut out = VERSION.to_be_bytes().to_vec();
        Self::write_counted(blocks, &mut out)?;
        Ok(out)
    }

    pub(in crate::dialect::redelm) fn write_counted(blocks: &[Block<'_>], out: &mut Vec<u8>) -> Result<()> {
        let too_many =
            || Error::too_large("the number of metadata blocks", blocks.len() as u64, BLOCKS_MAX as u64);
        out.push(u8::try_from(blocks.len()).map_err(|_| too_many())?);
        blocks.iter().try_for_each(|block| block.write(out))
    }
}

impl<'a> Block<'a> {
    fn read(bytes: &mut Bytes<'a>) -> Result<Self> {
        let what = "a metadata block of the footer";
        let name = read_text(bytes)?;
        let length = bytes.array().map(i32::from_be_bytes).map_err(|bad| bad.of(what))?;
        let length = usize::try_from(length)
            .map_err(|_| Error::metadata(format!("the metadata block {name:?} has {length} bytes")))?;
        let bytes = bytes.take(length).map_err(|bad| bad.of(what))?;
        Ok(Self { name, bytes: Cow::Borrowed(bytes) })
    }

    fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        write_text(&self.name, out)?;
        let len = self.bytes.len();
        let most = i32::MAX as u64;
        let length = i32::try_from(len)
            .map_err(|_| Error::too_large("the size of a metadata block", len as u64, most))?;
        out.extend_from_slice(&length.to_be_bytes());
        out.extend_from_slice(&self.bytes);
        Ok(())
    }
}

/// A text after its length in two bytes, as Java's `writeUTF` writes it.
pub(in crate::dialect::redelm) fn read_text<'a>(bytes: &mut Bytes<'a>) -> Result<Cow<'a, str>> {
    let what = "a string of the footer";
    let length = bytes.array().map(u16::from_be_bytes).map_err(|bad| bad.of(what))?;
    from_modified(bytes.take(usize::from(length)).map_err(|bad| bad.of(what))?)
}

pub(in crate::dialect::redelm) fn write_text(text: &str, out: &mut Vec<u8>) -> Result<()> {
    let bytes = to_modified(text);
    let most = u64::from(u16::MAX);
    let length = u16::try_from(bytes.len())
        .map_err(|_| Error::too_large("the size of a name in the footer", bytes.len() as u64, most))?;
    out.extend_from_slice(&length.to_be_bytes());
    out.extend_from_slice(&bytes);
    Ok(())
}

/// A text from Java's modified UTF-8: zero has two bytes, and each half of a surrogate pair three.
pub(in crate::dialect::redelm) fn from_modified(bytes: &[u8]) -> Result<Cow<'_, str>> {
    // Zero and surrogates are not UTF-8 in this form; all else is the same.
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Ok(Cow::Borrowed(text));
    }
    let bad = || ErrorKind::Utf8 { what: "a string of the footer" };
    let mut units = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some((unit, after)) = unit(rest) {
        units.push(unit);
        rest = after;
    }
    let text = String::from_utf16(&units).ok().filter(|_| rest.is_empty());
    Ok(Cow::Owned(text.ok_or_else(bad)?))
}

/// The UTF-16 unit that bytes begin with.
fn unit(bytes: &[u8]) -> Option<(u16, &[u8])> {
    let low = |byte: u8| (byte & 0xc0 == 0x80).then_some(u16::from(byte & 0x3f));
    match *bytes {
        [one, ref rest @ ..] if one < 0x80 => Some((u16::from(one), rest)),
        [one, two, ref rest @ ..] if one & 0xe0 == 0xc0 => {
            Some((u16::from(one & 0x1f) << 6 | low(two)?, rest))
        }
        [one, two, three, ref rest @ ..] if one & 0xf0 == 0xe0 => {
            Some((u16::from(one & 0x0f) << 12 | low(two)? << 6 | low(three)?, rest))
        }
        _ => None,
    }
}

/// A text as Java's modified UTF-8.
pub(in crate::dialect::redelm) fn to_modified(text: &str) -> Cow<'_, [u8]> {
    if text.chars().all(|letter| letter != '\0' && u32::from(letter) < 0x1_0000) {
        return Cow::Borrowed(text.as_bytes());
    }
    let mut out = Vec::with_capacity(text.len() + 8);
    for unit in text.encode_utf16() {
        let six = |shift: u16| 0x80 | (unit >> shift & 0x3f) as u8;
        match unit {
            1..0x80 => out.push(unit as u8),
            0 | 0x80..0x800 => out.extend([0xc0 | (unit >> 6) as u8, six(0)]),
            _ => out.extend([0xe0 | (unit >> 12) as u8, six(6), six(0)]),
        }
    }
    Cow::Owned(out)
}
