//! The forms of typed blocks, each with as many values as one says, from as few bytes as the form allows.

use super::file::{Block, Column, File};
use super::sink::{As, Sink, width};

/// Integers of a frame.
const FRAME: u64 = 1024;

/// How a number of equal integers is written; the forms of docs/format.md, and of frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integers {
    Constant,
    Frames(Frame),
    Scaled,
    /// Places in a list that is a constant, or frames.
    Distinct(bool),
    Summed(Frame),
    /// The first, and a copy that is all others. No lengths are copies.
    Repeats,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// Of n bits each.
    Of(u8),
    /// Of differences.
    Differences,
    /// With an exception.
    Excepted,
}

pub(crate) const INTEGERS: [Integers; 12] = [
    Integers::Constant,
    Integers::Frames(Frame::Of(0)),
    Integers::Frames(Frame::Of(3)),
    Integers::Frames(Frame::Of(64)),
    Integers::Frames(Frame::Differences),
    Integers::Frames(Frame::Excepted),
    Integers::Scaled,
    Integers::Distinct(true),
    Integers::Distinct(false),
    Integers::Summed(Frame::Of(0)),
    Integers::Summed(Frame::Excepted),
    Integers::Repeats,
];

impl Integers {
    /// The number of the form, and its name.
    pub(crate) fn form(self) -> (u8, &'static str) {
        match self {
            Self::Constant => (0, "constant"),
            Self::Frames(_) | Self::Summed(_) => (1, "frames"),
            Self::Scaled => (2, "scaled"),
            Self::Distinct(_) => (3, "distinct"),
            Self::Repeats => (4, "repeats"),
        }
    }

    /// The same where lengths may have it.
    fn of_lengths(self) -> Self {
        if self == Self::Repeats { Self::Constant } else { self }
    }

    /// Writes `count` times `value`.
    pub(crate) fn write(self, count: u64, value: i64, sink: &mut Sink) {
        sink.put("integers", As::Count, count.cast_signed());
        if count == 0 {
            return;
        }
        let (frame, sums) = match self {
            Self::Constant | Self::Scaled | Self::Repeats => (Frame::Of(0), false),
            Self::Distinct(_) => (Frame::Of(2), false),
            Self::Frames(frame) => (frame, false),
            Self::Summed(frame) => (frame, true),
        };
        let flags = if self == Self::Constant { 0 } else { frame.flags(sums) };
        sink.put("form of integers", As::Byte, i64::from(self.form().0 | flags));
        match self {
            Self::Constant => sink.put("constant", As::Integer, value),
            Self::Frames(_) | Self::Summed(_) => frame.write(count, value, sums, sink),
            Self::Scaled => {
                sink.put("base of scaled", As::Integer, value);
                sink.put("factor", As::Count, 7);
                frame.write(count, 0, sums, sink);
            }
            Self::Distinct(is_constant) => {
                let list = if is_constant { Self::Constant } else { Self::Frames(Frame::Of(3)) };
                sink.section(|sink| list.write(3, value, sink));
                frame.write(count, 0, sums, sink);
            }
            Self::Repeats => {
                let copied = if count > COPY_LEAST { count - 1 } else { 0 };
                sink.section(|sink| Self::Constant.write(count - copied, value, sink));
                for part in [1, copied.cast_signed(), 1] {
                    sink.section(|sink| Self::Frames(Frame::Of(0)).write(copied.min(1), part, sink));
                }
            }
        }
    }
}

/// The fewest integers of a copy.
const COPY_LEAST: u64 = 4;

/// The numbers of integers of frames.
fn frames(count: u64) -> impl Iterator<Item = u64> {
    (0..count.div_ceil(FRAME)).map(move |frame| FRAME.min(count - frame * FRAME))
}

/// Writes a number for each frame.
fn series(name: &'static str, numbers: &[i64], sink: &mut Sink) {
    let least = numbers.iter().copied().min().unwrap_or(0);
    sink.put(name, As::Integer, least);
    if numbers.len() < 2 {
        return;
    }
    let are_equal = numbers.iter().all(|number| *number == least);
    sink.put("width of a series", As::Byte, if are_equal { 0 } else { 64 });
    if !are_equal {
        numbers.iter().for_each(|number| sink.raw(number.wrapping_sub(least).to_le_bytes()));
    }
}

/// Writes the same byte for each frame.
fn widths(width: u8, count: u64, sink: &mut Sink) {
    sink.put("width", As::Byte, i64::from(width));
    sink.raw(vec![width; count.div_ceil(FRAME) as usize - 1]);
}

impl Frame {
    fn flags(self, sums: bool) -> u8 {
        let flags = match self {
            Self::Of(_) => 0,
            Self::Differences => 0x10,
            Self::Excepted => 0x20,
        };
        flags | if sums { 0x40 } else { 0 }
    }

    /// Writes `count` times `value`.
    fn write(self, count: u64, value: i64, sums: bool, sink: &mut Sink) {
        let number = count.div_ceil(FRAME) as usize;
        let width = match self {
            Self::Of(width) => width,
            Self::Differences => 0x80,
            Self::Excepted => return first_of_others(count, value, value, sums, sink),
        };
        widths(width, count, sink);
        let is_plain = self != Self::Differences;
        series("base", &vec![if is_plain { value } else { 0 }; number], sink);
        if !is_plain {
            // What each frame begins after.
            series("start", &vec![value; number], sink);
        }
        put_sums(count, value, sums, sink);
        for count in frames(count).filter(|_| is_plain) {
            sink.raw(vec![0; (count * u64::from(width)).div_ceil(8) as usize]);
        }
    }
}

/// Writes the sums of frames of equal integers, where there are sums.
fn put_sums(count: u64, value: i64, sums: bool, sink: &mut Sink) {
    if sums {
        let sums: Vec<i64> = frames(count).map(|count| value.wrapping_mul(count.cast_signed())).collect();
        series("sum of a frame", &sums, sink);
    }
}

/// Writes frames of which the first integer of the first may be another: each has an exception.
fn first_of_others(count: u64, first: i64, others: i64, sums: bool, sink: &mut Sink) {
    let number = count.div_ceil(FRAME) as usize;
    widths(0, count, sink);
    series("base", &vec![others; number], sink);
    series("exceptions", &vec![1; number], sink);
    series("more bits", &vec![64; number], sink);
    put_sums(count, others, sums, sink);
    let mut first = first;
    for _ in 0..number {
        sink.put("place of an exception", As::Byte, 0);
        sink.put("place of an exception", As::Byte, 0);
        sink.put("exception", As::Little64, first.wrapping_sub(others));
        first = others;
    }
}

/// How floating-point numbers are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Floats {
    Plain,
    Decimal(Integers),
    Bits(Integers),
    Split,
}

impl Floats {
    pub(crate) fn form(self) -> (u8, &'static str) {
        match self {
            Self::Plain => (0, "plain"),
            Self::Decimal(_) => (1, "decimal"),
            Self::Bits(_) => (2, "bits"),
            Self::Split => (3, "split"),
        }
    }

    /// Writes `count` numbers of `bytes` bytes.
    fn write(self, count: u64, bytes: usize, sink: &mut Sink) {
        sink.put("numbers", As::Count, count.cast_signed());
        sink.put("form of numbers", As::Byte, i64::from(self.form().0));
        match self {
            // All bytes are the same, so they may be split.
            Self::Plain | Self::Split => sink.raw(vec![0x3f; bytes * count as usize]),
            Self::Decimal(integers) => {
                sink.put("digits", As::Byte, 2);
                sink.section(|sink| integers.write(count, 5, sink));
                sink.section(|sink| integers.write(count.min(2), 0, sink));
                sink.raw(vec![0x3f; bytes * count.min(2) as usize]);
            }
            Self::Bits(integers) => integers.write(count, 0x3f80_0000, sink),
        }
    }
}

/// How strings are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Texts {
    Plain,
    /// A list of n strings, in another form.
    Distinct(&'static Texts, u64),
    Shared,
    Symbols,
    Pieces,
}

pub(crate) const TEXTS: [Texts; 8] = [
    Texts::Plain,
    Texts::Distinct(&Texts::Plain, 1),
    Texts::Distinct(&Texts::Shared, 2),
    Texts::Distinct(&Texts::Symbols, 2),
    Texts::Distinct(&Texts::Pieces, 2),
    Texts::Shared,
    Texts::Symbols,
    Texts::Pieces,
];

/// Strings of a group that symbols encode.
const GROUP: u64 = 32;
/// Bytes of a symbol.
const SYMBOL: u64 = 8;

impl Texts {
    pub(crate) fn form(self) -> (u8, &'static str) {
        match self {
            Self::Plain => (0, "plain"),
            Self::Distinct(..) => (1, "distinct"),
            Self::Shared => (2, "shared"),
            Self::Symbols => (3, "symbols"),
            Self::Pieces => (4, "pieces"),
        }
    }

    /// Bytes of a string of the length once it is decoded.
    fn decoded(self, length: u64) -> u64 {
        match self {
            Self::Symbols => length * SYMBOL,
            Self::Distinct(list, _) => list.decoded(length),
            _ => length,
        }
    }

    /// Writes `count` strings of `length` bytes, with lengths and indices as these integers.
    fn write(self, count: u64, length: u64, integers: Integers, sink: &mut Sink) {
        sink.put("texts", As::Count, count.cast_signed());
        sink.put("form of strings", As::Byte, i64::from(self.form().0));
        let all = (count * length) as usize;
        let in_lengths = integers.of_lengths();
        let lengths = |sink: &mut Sink| in_lengths.write(count, length.cast_signed(), sink);
        match self {
            Self::Plain => {
                sink.section(lengths);
                sink.raw(vec![b'a'; all]);
            }
            Self::Distinct(list, number) => {
                sink.section(|sink| list.write(number, length, integers, sink));
                integers.write(count, 0, sink);
            }
            Self::Shared => {
                let each = |first: u64, others: u64, sink: &mut Sink| {
                    sink.put("integers", As::Count, count.cast_signed());
                    sink.put("form of integers", As::Byte, i64::from(1 | Frame::Excepted.flags(false)));
                    first_of_others(count, first.cast_signed(), others.cast_signed(), false, sink);
                };
                sink.section(|sink| each(length, 0, sink));
                sink.section(|sink| each(0, length, sink));
                sink.raw(vec![b'a'; length as usize]);
            }
            Self::Symbols => {
                sink.section(|sink| in_lengths.write(count, (length * SYMBOL).cast_signed(), sink));
                let groups = count.div_ceil(GROUP);
                sink.section(|sink| {
                    sink.put("integers", As::Count, groups.cast_signed());
                    if groups > 0 {
                        sink.put("form of integers", As::Byte, 1);
                        widths(64, groups, sink);
                        series("base", &vec![0; groups.div_ceil(FRAME) as usize], sink);
                        for group in 0..groups {
                            let texts = GROUP.min(count - group * GROUP);
                            sink.raw((texts * length).to_le_bytes());
                        }
                    }
                });
                sink.put("symbols", As::Byte, 1);
                sink.put("length of a symbol", As::Byte, SYMBOL as i64);
                sink.raw([b'a'; SYMBOL as usize]);
                sink.raw(vec![0; all]);
            }
            Self::Pieces => {
                sink.section(lengths);
                let in_piece = (PIECE / length.max(1)).max(1);
                let mut left = count;
                while left > 0 && length > 0 {
                    sink.section(|sink| snappy((left.min(in_piece) * length) as usize, sink));
                    left -= left.min(in_piece);
                }
            }
        }
    }
}

/// About the bytes of the strings of a piece.
const PIECE: u64 = 1 << 16;

/// `a`, n times, as a raw snappy block: its length, and copies.
pub(crate) fn snappy(len: usize, sink: &mut Sink) {
    sink.put("bytes of a snappy block", As::Count, len as i64);
    if len == 0 {
        return;
    }
    sink.put("tag of a literal", As::Byte, 0);
    sink.raw("a");
    let mut left = len - 1;
    while left > 0 {
        // A copy of 64 bytes at most, from one byte before.
        let some = left.min(64);
        let tag = ((some - 1) << 2 | 2) as u8;
        if left == len - 1 {
            sink.put("tag of a copy", As::Byte, i64::from(tag));
            sink.put("distance of a copy", As::Byte, 1);
            sink.put("distance of a copy", As::Byte, 0);
        } else {
            sink.raw([tag, 1, 0]);
        }
        left -= some;
    }
}

/// The values of a block: the kinds of docs/format.md.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Values {
    Raw,
    Nulls,
    Booleans(Integers),
    Integers(Integers),
    Fixed32(Integers),
    Fixed64(Integers),
    Floats(Floats),
    Doubles(Floats),
    Texts(Texts, Integers),
}

/// A column with a typed block: rows, and for lists the length of each and how it is written.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Typed {
    pub(crate) values: Values,
    pub(crate) rows: u64,
    /// The length of each list, how lengths are written, and whether runs of them are joined.
    pub(crate) lists: Option<(u64, Integers, bool)>,
    /// The stored bytes of a string.
    pub(crate) length: u64,
}

impl Typed {
    pub(crate) fn of(values: Values, rows: u64, length: u64) -> Self {
        Self { values, rows, lists: None, length }
    }

    fn count(self) -> u64 {
        self.rows.saturating_mul(self.lists.map_or(1, |(length, ..)| length))
    }

    /// The number of the kind, and the name of the type of the column.
    pub(crate) fn kind(self) -> (u8, &'static str) {
        match self.values {
            Values::Raw => (0, "int"),
            Values::Nulls => (1, "null"),
            Values::Booleans(_) => (2, "boolean"),
            Values::Integers(_) => (3, "long"),
            Values::Fixed32(_) => (4, "fixed32"),
            Values::Fixed64(_) => (5, "fixed64"),
            Values::Floats(_) => (6, "float"),
            Values::Doubles(_) => (7, "double"),
            Values::Texts(..) => (8, "string"),
        }
    }

    /// Bytes before the codec.
    pub(crate) fn size(self) -> u64 {
        let count = self.count();
        let each = match self.values {
            Values::Nulls | Values::Booleans(_) => 0,
            Values::Raw | Values::Integers(_) => 1,
            Values::Fixed32(_) | Values::Floats(_) => 4,
            Values::Fixed64(_) | Values::Doubles(_) => 8,
            Values::Texts(texts, _) => {
                let bytes = texts.decoded(self.length);
                bytes + width(bytes.cast_signed())
            }
        };
        let lengths = match self.lists {
            None => 0,
            Some((length, _, true)) if length < 2 => {
                width(3 - length.cast_signed() - 2 * self.rows.cast_signed())
            }
            Some((length, ..)) => self.rows.saturating_mul(width(length.cast_signed())),
        };
        let bits = match (self.values, self.lists) {
            (Values::Booleans(_), None) => count.div_ceil(8),
            // Those of each list begin a byte.
            (Values::Booleans(_), Some((length, ..))) => self.rows.saturating_mul(length.div_ceil(8)),
            _ => 0,
        };
        count.saturating_mul(each).saturating_add(lengths).saturating_add(bits)
    }

    pub(crate) fn write(self, sink: &mut Sink) {
        let (mut first, count) = (i64::from(self.kind().0), self.count());
        if let Some((_, _, joined)) = self.lists {
            first |= if joined { 0x30 } else { 0x10 };
        }
        sink.put("kind", As::Byte, first);
        if let Some((length, integers, _)) = self.lists {
            sink.section(|sink| integers.of_lengths().write(self.rows, length.cast_signed(), sink));
        }
        match self.values {
            Values::Raw => sink.raw(vec![2; count as usize]),
            Values::Nulls => {}
            Values::Booleans(integers) => {
                // All bits of the bytes.
                let bits = if self.lists.is_none() { count.next_multiple_of(8) } else { count };
                integers.write(bits, 0, sink);
            }
            Values::Integers(integers) | Values::Fixed32(integers) | Values::Fixed64(integers) => {
                integers.write(count, 5, sink);
            }
            Values::Floats(floats) => floats.write(count, 4, sink),
            Values::Doubles(floats) => floats.write(count, 8, sink),
            Values::Texts(texts, integers) => texts.write(count, self.length, integers, sink),
        }
    }

    /// A file of n such columns.
    pub(crate) fn file(self, columns: usize) -> File {
        let column = |number: usize| {
            let block = Block::new(self.rows, move |sink| self.write(sink)).size(self.size());
            let column = Column::new(&format!("p{number}"), self.kind().1, [block]);
            if self.lists.is_some() { column.with("trevni.array", "") } else { column }
        };
        File::new(self.rows, (0..columns).map(column)).with("trevni.codec", "typed")
    }
}
