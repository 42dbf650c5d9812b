//! The bytes of a column in one row group, and how far they have been read.

use super::super::short_ints::Runs;
use super::super::values;
use super::column::Column;
use super::file::File;
use super::footer::Extent;
use crate::bytes::reader::Bytes;
use crate::dialect::dremel::Levels;
use crate::error::{Error, ErrorKind, Result};
use crate::storage::codec::Codec;
use crate::vector::Vector;
use std::ops::Range;

/// The bytes of a column in a row group.
pub(super) struct Chunk {
    stored: Vec<u8>,
    extent: Extent,
    levels: [Part; 2],
    /// Read when they are asked for: rows and nulls are counted by levels alone.
    values: Option<Part>,
    /// Memory to use for values.
    spare: Vec<u8>,
    rows: u32,
    at: At,
    /// The place before the last rows that were read, which may be read once more.
    before: At,
}

/// Where some bytes are.
enum Part {
    /// In a source that is in memory.
    Source(u64, usize),
    /// Among the stored bytes.
    Stored(Range<usize>),
    /// Read or decompressed by themselves.
    Owned(Vec<u8>),
}

/// A place in a chunk.
#[derive(Clone, Copy)]
struct At {
    /// Rows before it.
    row: u32,
    repetition: Position,
    definition: Position,
    /// Bytes of values before it, but for values that have not been passed over yet.
    value: usize,
    pending: usize,
}

/// A place in levels of one kind.
#[derive(Clone, Copy)]
struct Position {
    runs: Runs,
    /// A run that has been begun: its level, and how often it still comes.
    level: u8,
    left: u32,
}

impl Chunk {
    /// The bytes of a column in a row group of `rows` rows. `stored` has what has been read of them already, all or
    /// none; `spare` is memory to use.
    pub(super) fn open(
        file: &File<'_>,
        column: &Column,
        rows: u32,
        extent: Extent,
        mut stored: Vec<u8>,
        spare: [Vec<u8>; 3],
        wants_values: bool,
    ) -> Result<Self> {
        let Extent { borders: [start, definition, values, end], entries, hints, .. } = extent;
        // Many entries take few bytes. Where no list is around them they are rows, which have a limit of their own.
        let limit = file.limits.entries(file.len);
        if u64::from(entries) > limit && column.leaf.greatest.repetition > 0 {
            let what = "the number of levels of a column in a row group";
            return Err(ErrorKind::Limit { what, value: entries.into(), limit }.into());
        }
        if end - start > file.limits.block_bytes {
            let (what, value) = ("the size of a column in a row group", end - start);
            return Err(ErrorKind::Limit { what, value, limit: file.limits.block_bytes }.into());
        }
        if stored.len() as u64 != end - start && !file.in_memory {
            let end = if wants_values { end } else { values };
            stored.resize((end - start) as usize, 0);
            file.source.read_at(start, &mut stored)?;
        }
        let [first, second, spare] = spare;
        let levels = [
            Part::open(file, &stored, start, start..definition, hints[0], first)?,
            Part::open(file, &stored, start, definition..values, hints[1], second)?,
        ];
        let at = At::start(file, &stored, &levels, entries, column)?;
        Ok(Self { stored, extent, levels, values: None, spare, rows, at, before: at })
    }

    /// The memory of its bytes.
    pub(super) fn into_memory(self) -> (Vec<u8>, [Vec<u8>; 3]) {
        let memory = |part| if let Part::Owned(bytes) = part { bytes } else { Vec::new() };
        let [first, second] = self.levels.map(memory);
        (self.stored, [first, second, self.values.map_or(self.spare, memory)])
    }

    /// Goes on at a row of the row group.
    pub(super) fn seek(&mut self, file: &File<'_>, column: &Column, row: u32) -> Result<()> {
        if row < self.at.row {
            self.at = match row >= self.before.row {
                true => self.before,
                false => At::start(file, &self.stored, &self.levels, self.extent.entries, column)?,
            };
        }
        let rows = row - self.at.row;
        if rows > 0 { self.read(file, column, rows, None, None) } else { Ok(()) }
    }

    /// Notes that the rows from here on may be read again.
    pub(super) fn remember(&mut self) {
        self.before = self.at;
    }

    /// Appends what the next rows have, or passes over it.
    pub(super) fn read(
        &mut self,
        file: &File<'_>,
        column: &Column,
        rows: u32,
        levels: Option<&mut Levels>,
        values: Option<&mut Vector>,
    ) -> Result<()> {
        if values.is_some() && self.values.is_none() {
            let Extent { borders: [start, .., from, to], hints: [.., hint], .. } = self.extent;
            let spare = std::mem::take(&mut self.spare);
            self.values = Some(Part::open(file, &self.stored, start, from..to, hint, spare)?);
        }
        let [repetition, definition] = &self.levels;
        let repetition = repetition.bytes(file, &self.stored);
        let definition = definition.bytes(file, &self.stored);
        let mut ignored = Levels::default();
        let keep = levels.is_some();
        let out = levels.unwrap_or(&mut ignored);
        let entries = match column.leaf.greatest.repetition {
            0 => rows,
            _ => self.at.repeated(repetition, rows, keep.then_some(&mut out.repetition))?,
        };
        let most = column.greatest.definition;
        let present = match column.leaf.greatest.definition {
            0 => entries,
            _ => {
                let out = (keep && most > 0).then_some(&mut out.definition);
                self.at.defined(definition, entries, most, out)?
            }
        };
        out.entries += entries as usize;
        self.at.row += rows;
        let is_end = self.at.row >= self.rows;
        if is_end {
            self.at.repetition.end(repetition)?;
            self.at.definition.end(definition)?;
        }
        let data = self.values.as_ref().map_or(&[][..], |part| part.bytes(file, &self.stored));
        match values {
            Some(Vector::Null(len)) if column.is_nothing => *len += present as usize,
            Some(out) => self.at.values(data, column, present as usize, is_end, out)?,
            None => self.at.pending += present as usize,
        }
        Ok(())
    }
}

impl Part {
    fn open(
        file: &File<'_>,
        stored: &[u8],
        start: u64,
        range: Range<u64>,
        hint: u64,
        mut spare: Vec<u8>,
    ) -> Result<Self> {
        let (from, len) = ((range.start - start) as usize, (range.end - range.start) as usize);
        let place = match file.in_memory {
            true => Self::Source(range.start, len),
            false if from + len <= stored.len() => Self::Stored(from..from + len),
            false => {
                let mut bytes = vec![0; len];
                file.source.read_at(range.start, &mut bytes)?;
                Self::Owned(bytes)
            }
        };
        if file.header.codec == Codec::Null {
            return Ok(place);
        }
        let limit = file.limits.block_bytes;
        let bytes = place.bytes(file, stored);
        file.decompressors.decompress_all(file.header.codec, bytes, hint, limit, &mut spare)?;
        Ok(Self::Owned(spare))
    }

    fn bytes<'a>(&'a self, file: &'a File<'_>, stored: &'a [u8]) -> &'a [u8] {
        match self {
            Self::Source(start, len) => file.source.slice(*start, *len).unwrap_or_default(),
            Self::Stored(range) => stored.get(range.clone()).unwrap_or_default(),
            Self::Owned(bytes) => bytes,
        }
    }
}

impl At {
    fn start(
        file: &File<'_>,
        stored: &[u8],
        levels: &[Part; 2],
        entries: u32,
        column: &Column,
    ) -> Result<Self> {
        let [repetition, definition] = levels;
        let greatest = column.leaf.greatest;
        let position = |part: &Part, bound| Position::start(part.bytes(file, stored), bound, entries);
        Ok(Self {
            row: 0,
            repetition: position(repetition, greatest.repetition)?,
            definition: position(definition, greatest.definition)?,
            value: 0,
            pending: 0,
        })
    }

    /// Reads the repetition levels of the next rows; returns how many there are.
    fn repeated(&mut self, stream: &[u8], rows: u32, mut out: Option<&mut Vec<u8>>) -> Result<u32> {
        let (mut left, mut entries) = (rows, 0);
        while let Some((level, count)) = self.repetition.peek(stream)? {
            let count = match level {
                0 if left == 0 => break,
                0 => count.min(left),
                _ if self.row == 0 && entries == 0 => {
                    return Err(Error::value("the first entry of a row group continues a list"));
                }
                _ => count,
            };
            if level == 0 {
                left -= count;
            }
            if let Some(out) = &mut out {
                out.resize(out.len() + count as usize, level);
            }
            self.repetition.left -= count;
            entries += count;
        }
        match left {
            0 => Ok(entries),
            _ => Err(Error::value(format!("the levels end {left} rows before the last"))),
        }
    }

    /// Reads definition levels; returns how many are the greatest.
    fn defined(
        &mut self,
        stream: &[u8],
        entries: u32,
        most: u8,
        mut out: Option<&mut Vec<u8>>,
    ) -> Result<u32> {
        let (mut left, mut present) = (entries, 0);
        while left > 0 {
            let Some((level, count)) = self.definition.peek(stream)? else {
                return Err(Error::value(format!("the definition levels end {left} before the last")));
            };
            let count = count.min(left);
            if level >= most {
                if level > most {
                    return Err(Error::value("a value is there where the schema has none"));
                }
                present += count;
            }
            if let Some(out) = &mut out {
                match count {
                    1 => out.push(level),
                    _ => out.resize(out.len() + count as usize, level),
                }
            }
            self.definition.left -= count;
            left -= count;
        }
        Ok(present)
    }

    fn values(
        &mut self,
        data: &[u8],
        column: &Column,
        count: usize,
        is_end: bool,
        out: &mut Vector,
    ) -> Result<()> {
        let mut bytes = Bytes::at(data, self.value);
        let primitive = column.leaf.primitive;
        let done = values::skip(&mut bytes, primitive, self.pending)
            .and_then(|()| values::decode(&mut bytes, primitive, count, out));
        done.map_err(|bad| bad.of("the values of a column"))?;
        (self.value, self.pending) = (bytes.position(), 0);
        match bytes.remaining() {
            count if is_end && count > 0 => Err(ErrorKind::TrailingBytes { count }.into()),
            _ => Ok(()),
        }
    }
}

impl Position {
    fn start(stream: &[u8], bound: u8, entries: u32) -> Result<Self> {
        Ok(Self { runs: Runs::new(stream, bound, entries)?, level: 0, left: 0 })
    }

    /// The level that comes next, and how often at least; none at the end.
    #[inline]
    fn peek(&mut self, stream: &[u8]) -> Result<Option<(u8, u32)>> {
        while self.left == 0 {
            match self.runs.next(stream)? {
                Some((level, count)) => (self.level, self.left) = (level, count),
                None => return Ok(None),
            }
        }
        Ok(Some((self.level, self.left)))
    }

    /// Checks that nothing comes any more.
    fn end(&mut self, stream: &[u8]) -> Result<()> {
        match stream.is_empty() || self.peek(stream)?.is_none() {
            true => Ok(()),
            false => Err(Error::value("the levels tell of more rows than the row group has")),
        }
    }
}
