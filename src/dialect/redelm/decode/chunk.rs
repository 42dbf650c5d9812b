//! The bytes of a column in one row group, and how far they have been read.

use super::super::short_ints::{Piece, Runs};
use super::super::values;
use super::file::{Column, File};
use super::footer::{Extent, StoredPart};
use crate::bytes::reader::{Bytes, Part as _};
use crate::dialect::dremel::Out;
use crate::error::{Error, ErrorKind, Result};
use crate::levels::Levels;
use crate::storage::budget::Hold;
use crate::storage::codec::Codec;
use crate::storage::reserved::{More, Reserved};
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
    /// The memory of its bytes.
    memory: Hold,
}

/// Memory to use for a chunk.
#[derive(Default)]
pub(super) struct Spare {
    /// The stored bytes, where they have been read already.
    pub(super) stored: Vec<u8>,
    parts: [Vec<u8>; 3],
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
    /// Levels that have been read and not been used.
    next: Piece,
}

impl Chunk {
    /// The bytes of a column in a row group of `rows` rows, of which all have been read or none.
    pub(super) fn open(
        file: &File<'_>,
        column: &Column,
        rows: u32,
        extent: Extent,
        spare: Spare,
        wants_values: bool,
    ) -> Result<Self> {
        let Spare { mut stored, parts: [first, second, spare] } = spare;
        let Extent { borders: [start, _, values, end], entries, .. } = extent;
        if end - start > file.limits.block_bytes {
            let (what, value) = ("the size of a column in a row group", end - start);
            let (limit, option) = (file.limits.block_bytes, "block_bytes");
            return Err(ErrorKind::Limit { what, value, limit, option }.into());
        }
        let memory = Hold::new(&file.budget);
        memory.add(if file.in_memory { 0 } else { end - start })?;
        if stored.len() as u64 != end - start && !file.in_memory {
            let end = if wants_values { end } else { values };
            stored.resize((end - start) as usize, 0);
            file.source.read_at(start, &mut stored)?;
        }
        let [repetition, definition, _] = extent.parts();
        let levels = [
            Part::open(file, &stored, start, repetition, first, &memory)?,
            Part::open(file, &stored, start, definition, second, &memory)?,
        ];
        let at = At::start(file, &stored, &levels, entries, column)?;
        Ok(Self { stored, extent, levels, values: None, spare, rows, at, before: at, memory })
    }

    /// The memory of its bytes.
    pub(super) fn into_spare(self) -> Spare {
        let memory = |part| if let Part::Owned(bytes) = part { bytes } else { Vec::new() };
        let [first, second] = self.levels.map(memory);
        Spare { stored: self.stored, parts: [first, second, self.values.map_or(self.spare, memory)] }
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
        if rows > 0 { self.read(file, column, rows, None, Out::default()) } else { Ok(()) }
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
        mut reserved: Option<&mut Reserved<'_>>,
        mut out: Out<'_>,
    ) -> Result<()> {
        if out.values.is_some() && self.values.is_none() {
            let ([start, ..], [.., values]) = (self.extent.borders, self.extent.parts());
            let spare = std::mem::take(&mut self.spare);
            self.values = Some(Part::open(file, &self.stored, start, values, spare, &self.memory)?);
        }
        let [repetition, definition] = &self.levels;
        let repetition = repetition.bytes(file, &self.stored)?;
        let definition = definition.bytes(file, &self.stored)?;
        let keep = out.levels.is_some();
        if let Some(reserved) = reserved.as_deref_mut().filter(|_| keep) {
            let repeated = column.leaf.greatest.repetition > 0;
            let of = |entries: u32| More { entries: entries as usize, ..More::default() };
            let (most, mut at) = (if repeated { self.extent.entries } else { rows }, self.at);
            reserved.take(&mut out, of(most), More::default(), || match repeated {
                true => at.repeated(repetition, rows, None).map(of),
                false => Ok(of(rows)),
            })?;
        }
        let mut ignored = Levels::default();
        let levels = out.levels.as_deref_mut().unwrap_or(&mut ignored);
        let entries = match column.leaf.greatest.repetition {
            0 => rows,
            _ => self.at.repeated(repetition, rows, keep.then_some(&mut levels.repetition))?,
        };
        let most = column.greatest.definition;
        let present = match column.leaf.greatest.definition {
            0 => entries,
            _ => {
                let levels = (keep && most > 0).then_some(&mut levels.definition);
                self.at.defined(definition, entries, most, levels)?
            }
        };
        levels.entries += entries as usize;
        self.at.row += rows;
        let is_end = self.at.row >= self.rows;
        if is_end {
            self.at.repetition.end(repetition)?;
            self.at.definition.end(definition)?;
        }
        let data = match &self.values {
            Some(part) => part.bytes(file, &self.stored)?,
            // They are passed over, and read when they are asked for.
            None => &[],
        };
        if let Some(reserved) = reserved.as_deref_mut().filter(|_| out.values.is_some()) {
            let (count, rest) = (present as usize, data.len().saturating_sub(self.at.value));
            let most = More { values: count.min(rest), data: rest, ..More::default() };
            reserved.take(&mut out, most, More::default(), || {
                let data = self.at.bytes_of(data, column, count)?;
                Ok(More { values: count, data, ..More::default() })
            })?;
        }
        match out.values.as_deref_mut() {
            Some(Vector::Null(len)) if column.is_nothing => *len += present as usize,
            Some(values) => self.at.values(data, column, present as usize, is_end, values)?,
            None => self.at.pending += present as usize,
        }
        if let Some(reserved) = reserved {
            reserved.settle(&out);
            // Values by themselves have been counted with their levels.
            if keep || most == 0 {
                reserved.count(entries as usize)?;
            }
        }
        Ok(())
    }
}

impl Part {
    fn open(
        file: &File<'_>,
        stored: &[u8],
        start: u64,
        part: StoredPart,
        mut spare: Vec<u8>,
        memory: &Hold,
    ) -> Result<Self> {
        let StoredPart { range, hint, number } = part;
        let (from, len) = ((range.start - start) as usize, (range.end - range.start) as usize);
        let place = match file.in_memory {
            true => Self::Source(range.start, len),
            false if from + len <= stored.len() => Self::Stored(from..from + len),
            false => {
                memory.add(len as u64)?;
                let mut bytes = vec![0; len];
                file.source.read_at(range.start, &mut bytes)?;
                Self::Owned(bytes)
            }
        };
        if let Some(sums) = &file.header.sums {
            match &place {
                Self::Source(..) => sums.check_once(number, place.bytes(file, stored)?)?,
                Self::Stored(_) | Self::Owned(_) => sums.check(number, place.bytes(file, stored)?)?,
            }
        }
        if file.header.codec == Codec::Null {
            return Ok(place);
        }
        let limit = match (file.limits.block_bytes, memory.left()) {
            (bytes, left) if bytes <= left => (bytes, "block_bytes"),
            (_, left) => (left, "memory"),
        };
        let bytes = place.bytes(file, stored)?;
        let done = file.decompressors.decompress_all(file.header.codec, bytes, hint, limit, &mut spare);
        if done.is_err() && limit.1 == "memory" && spare.len() as u64 > limit.0 {
            // It says how much is held in all.
            memory.add(limit.0.saturating_add(1))?;
        }
        done?;
        memory.add(spare.capacity() as u64)?;
        Ok(Self::Owned(spare))
    }

    fn bytes<'a>(&'a self, file: &'a File<'_>, stored: &'a [u8]) -> Result<&'a [u8]> {
        match self {
            Self::Source(start, len) => file
                .source
                .slice(*start, *len)
                .ok_or_else(|| Error::internal("a source that is in memory lacks some of its bytes")),
            Self::Stored(range) => stored.part(range.clone()),
            Self::Owned(bytes) => Ok(bytes),
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
        let position = |part: &Part, bound| Position::start(part.bytes(file, stored)?, bound, entries);
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
        while let Some(piece) = self.repetition.peek(stream)? {
            if self.row == 0 && entries == 0 && piece.values & 0xff != 0 {
                return Err(Error::value("the first entry of a row group continues a list"));
            }
            let (count, begun) = piece.of_rows(left);
            if let Some(out) = &mut out {
                piece.append(count, out);
            }
            self.repetition.next.pass(count);
            (left, entries) = (left - begun, entries + count);
            if count < piece.count {
                break;
            }
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
            let Some(piece) = self.definition.peek(stream)? else {
                return Err(Error::value(format!("the definition levels end {left} before the last")));
            };
            let count = piece.count.min(left);
            if piece.has_above(most, count) {
                return Err(Error::value("a value where the schema has no value"));
            }
            present += piece.count_of(most, count);
            if let Some(out) = &mut out {
                piece.append(count, out);
            }
            self.definition.next.pass(count);
            left -= count;
        }
        Ok(present)
    }

    /// Bytes of the next values.
    fn bytes_of(&self, data: &[u8], column: &Column, count: usize) -> Result<usize> {
        let mut bytes = Bytes::at(data, self.value);
        let mut skip = |count| {
            let done = values::skip(&mut bytes, column.leaf.primitive, count);
            done.map_err(|bad| bad.of("the values of a column")).map(|()| bytes.remaining())
        };
        Ok(skip(self.pending)? - skip(count)?)
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
        Ok(Self { runs: Runs::new(stream, bound, entries)?, next: Piece::default() })
    }

    /// The levels that come next; `None` at the end.
    #[inline]
    fn peek(&mut self, stream: &[u8]) -> Result<Option<Piece>> {
        while self.next.count == 0 {
            match self.runs.next(stream)? {
                Some(piece) => self.next = piece,
                None => return Ok(None),
            }
        }
        Ok(Some(self.next))
    }

    /// Checks that nothing comes any more.
    fn end(&mut self, stream: &[u8]) -> Result<()> {
        match stream.is_empty() || self.peek(stream)?.is_none() {
            true => Ok(()),
            false => Err(Error::value("the levels tell of more rows than the row group has")),
        }
    }
}
