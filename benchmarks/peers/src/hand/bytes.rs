//! Values as bytes: variable-length integers, floating-point numbers, strings.

use std::borrow::Cow;

/// The bytes are not what they should be.
#[derive(Debug, PartialEq, Eq)]
pub struct Damaged;

/// A value that has been read.
pub type Result<T> = std::result::Result<T, Damaged>;

/// Appends an unsigned integer, seven bits a byte, lowest first (LEB128).
#[inline]
pub fn put_varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Appends a signed integer, zig-zag.
#[inline]
pub fn put_int(out: &mut Vec<u8>, value: i64) {
    put_varint(out, (value << 1 ^ value >> 63) as u64);
}

/// Appends bytes behind their number.
#[inline]
pub fn put_bytes(out: &mut Vec<u8>, value: &[u8]) {
    put_varint(out, value.len() as u64);
    out.extend_from_slice(value);
}

/// Appends a single-precision number, little-endian.
#[inline]
pub fn put_f32(out: &mut Vec<u8>, value: f32) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// Appends a double-precision number, little-endian.
#[inline]
pub fn put_f64(out: &mut Vec<u8>, value: f64) {
    out.extend_from_slice(&value.to_le_bytes());
}

/// `N` empty columns.
pub fn columns<const N: usize>() -> [Vec<u8>; N] {
    std::array::from_fn(|_| Vec::new())
}

/// Most items that are reserved before the first of them has been read.
const RESERVED: usize = 1024;

/// A list of `count` items.
#[inline]
pub fn list<T>(count: usize, mut item: impl FnMut() -> Result<T>) -> Result<Vec<T>> {
    let mut items = Vec::with_capacity(count.min(RESERVED));
    for _ in 0..count {
        items.push(item()?);
    }
    Ok(items)
}

/// A column that is read from its start.
pub struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

/// Cursors at the start of `N` columns.
pub fn cursors<'a, const N: usize>(columns: &'a [Cow<'_, [u8]>]) -> Result<[Cursor<'a>; N]> {
    let columns: &[Cow<'_, [u8]>; N] = columns.try_into().map_err(|_| Damaged)?;
    Ok(columns.each_ref().map(|bytes| Cursor { bytes, at: 0 }))
}

impl<'a> Cursor<'a> {
    /// One byte.
    #[inline]
    pub fn byte(&mut self) -> Result<u8> {
        let byte = *self.bytes.get(self.at).ok_or(Damaged)?;
        self.at += 1;
        Ok(byte)
    }

    /// A byte that says whether something is there, or is true.
    #[inline]
    pub fn flag(&mut self) -> Result<bool> {
        Ok(self.byte()? != 0)
    }

    /// What [`put_varint`] wrote.
    #[inline]
    pub fn varint(&mut self) -> Result<u64> {
        let first = self.byte()?;
        if first < 0x80 { Ok(first.into()) } else { self.rest(first) }
    }

    fn rest(&mut self, first: u8) -> Result<u64> {
        let mut value = u64::from(first & 0x7f);
        for shift in (7..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Damaged)
    }

    /// What [`put_int`] wrote.
    #[inline]
    pub fn int(&mut self) -> Result<i64> {
        let value = self.varint()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A number of bytes or items.
    #[inline]
    pub fn length(&mut self) -> Result<usize> {
        usize::try_from(self.varint()?).map_err(|_| Damaged)
    }

    /// What [`put_bytes`] wrote.
    #[inline]
    pub fn bytes(&mut self) -> Result<&'a [u8]> {
        let length = self.length()?;
        let bytes = self.bytes[self.at..].get(..length).ok_or(Damaged)?;
        self.at += length;
        Ok(bytes)
    }

    /// The same, as a text of its own.
    #[inline]
    pub fn string(&mut self) -> Result<String> {
        std::str::from_utf8(self.bytes()?).map(str::to_owned).map_err(|_| Damaged)
    }

    #[inline]
    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let array = *self.bytes[self.at..].first_chunk().ok_or(Damaged)?;
        self.at += N;
        Ok(array)
    }

    /// What [`put_f32`] wrote.
    #[inline]
    pub fn f32(&mut self) -> Result<f32> {
        self.array().map(f32::from_le_bytes)
    }

    /// What [`put_f64`] wrote.
    #[inline]
    pub fn f64(&mut self) -> Result<f64> {
        self.array().map(f64::from_le_bytes)
    }
}
