//! Columns as one buffer: the numbers of rows and columns, then the sizes, then the bytes.

use super::bytes::{Damaged, Result};
use crate::codec::Codec;
use std::borrow::Cow;

/// Joins columns. Each is compressed as a whole.
pub fn join(rows: usize, columns: Vec<Vec<u8>>, codec: Codec) -> Vec<u8> {
    let mut header = vec![rows as u64, columns.len() as u64];
    let compress = |column: Vec<u8>| {
        header.push(column.len() as u64);
        let stored = codec.compress(column);
        header.push(stored.len() as u64);
        stored
    };
    let stored: Vec<Vec<u8>> = columns.into_iter().map(compress).collect();
    let size = 8 * header.len() + stored.iter().map(Vec::len).sum::<usize>();
    let mut file = Vec::with_capacity(size);
    for number in header {
        file.extend_from_slice(&number.to_le_bytes());
    }
    for column in stored {
        file.extend_from_slice(&column);
    }
    file
}

/// The columns of such a buffer.
pub struct File<'a> {
    /// Number of rows.
    pub rows: usize,
    /// Size and stored bytes of each column.
    columns: Vec<(usize, &'a [u8])>,
    codec: Codec,
}

impl<'a> File<'a> {
    /// Reads the sizes.
    pub fn open(file: &'a [u8], codec: Codec) -> Result<Self> {
        let number = |at: usize| -> Result<usize> {
            let bytes = file.get(8 * at..).and_then(<[u8]>::first_chunk).ok_or(Damaged)?;
            usize::try_from(u64::from_le_bytes(*bytes)).map_err(|_| Damaged)
        };
        let (rows, count) = (number(0)?, number(1)?);
        let header = count.checked_mul(16).ok_or(Damaged)?;
        let mut rest = file.get(16..).and_then(|rest| rest.get(header..)).ok_or(Damaged)?;
        let mut columns = Vec::with_capacity(count);
        for column in 0..count {
            let size = number(2 + 2 * column)?;
            let (stored, behind) = rest.split_at_checked(number(3 + 2 * column)?).ok_or(Damaged)?;
            columns.push((size, stored));
            rest = behind;
        }
        Ok(Self { rows, columns, codec })
    }

    /// All columns.
    pub fn all(&self) -> Result<Vec<Cow<'a, [u8]>>> {
        (0..self.columns.len()).map(|column| self.column(column)).collect()
    }

    /// Some columns.
    pub fn some(&self, columns: &[usize]) -> Result<Vec<Cow<'a, [u8]>>> {
        columns.iter().map(|&column| self.column(column)).collect()
    }

    fn column(&self, column: usize) -> Result<Cow<'a, [u8]>> {
        let &(size, stored) = self.columns.get(column).ok_or(Damaged)?;
        match self.codec {
            Codec::None => Ok(Cow::Borrowed(stored)),
            codec => codec.decompress(stored, size).map(Cow::Owned).ok_or(Damaged),
        }
    }
}
