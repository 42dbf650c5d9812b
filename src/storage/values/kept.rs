//! Values that are collected as they are, for a codec that encodes values.

use super::narrow::{Narrow, grow};
use crate::bytes::buffer::{Buffer, SLACK};
use crate::storage::value_type::ValueType;
use crate::vector::{Binaries, Span, Vector};

/// Values of one type.
#[derive(Debug)]
pub(crate) enum Kept {
    Integers(Narrow),
    /// Floats or doubles.
    Floats(Vector),
    /// Strings or byte strings one after the other, and the bytes of each.
    Strings(Buffer, Narrow),
}

impl Kept {
    /// `None` where codecs read bytes.
    pub(super) fn new(value_type: ValueType) -> Option<Self> {
        Some(match value_type {
            ValueType::Int | ValueType::Long | ValueType::Fixed32 | ValueType::Fixed64 => {
                Self::Integers(Narrow::default())
            }
            ValueType::Float => Self::Floats(Vector::Float(Vec::new())),
            ValueType::Double => Self::Floats(Vector::Double(Vec::new())),
            ValueType::String | ValueType::Bytes => Self::Strings(Buffer::default(), Narrow::default()),
            _ => return None,
        })
    }

    /// Appends integers; returns the bytes that they take in a block. `None` where other values are kept, or all would take more than
    /// `most` bytes of memory. The same of other values.
    pub(crate) fn hold_integers(&mut self, integers: &[i64], most: usize) -> Option<usize> {
        if let Self::Integers(kept) = self { kept.extend(integers, most) } else { None }
    }

    pub(crate) fn hold_floats(&mut self, floats: &[f32], most: usize) -> Option<usize> {
        if let Self::Floats(Vector::Float(kept)) = self { append(floats, kept, most) } else { None }
    }

    pub(crate) fn hold_doubles(&mut self, doubles: &[f64], most: usize) -> Option<usize> {
        if let Self::Floats(Vector::Double(kept)) = self { append(doubles, kept, most) } else { None }
    }

    pub(crate) fn hold_strings(&mut self, data: &[u8], spans: &[Span], most: usize) -> Option<usize> {
        let Self::Strings(bytes, lengths) = self else { return None };
        let sizes: Vec<i64> = spans.iter().map(|span| i64::from(span.end - span.start)).collect();
        let more: usize = spans.iter().map(|span| span.range().len()).sum();
        let size = lengths.extend(&sizes, most.checked_sub(bytes.len() + more)?)?;
        copy(data, spans, more, bytes);
        Some(size + more)
    }

    /// The bytes of memory that they take.
    pub(super) fn memory(&self) -> usize {
        match self {
            Self::Integers(integers) => integers.memory(),
            Self::Floats(floats) => floats.size(),
            Self::Strings(bytes, lengths) => bytes.len() + lengths.memory(),
        }
    }

    pub(super) fn clear(&mut self) {
        match self {
            Self::Integers(integers) => integers.clear(),
            Self::Floats(floats) => floats.clear(),
            Self::Strings(bytes, lengths) => {
                bytes.clear();
                lengths.clear();
            }
        }
    }

    /// As a vector of this type.
    pub(super) fn to_vector(&self, value_type: ValueType) -> Vector {
        match self {
            Self::Integers(integers) if value_type == ValueType::Fixed32 => {
                Vector::Int(integers.to_longs().iter().map(|integer| *integer as i32).collect())
            }
            Self::Integers(integers) => Vector::Long(integers.to_longs()),
            Self::Floats(floats) => floats.clone(),
            Self::Strings(bytes, lengths) => {
                let mut all = Binaries::default();
                let fit = strings(bytes.as_slice(), lengths).iter().all(|string| all.push(string));
                debug_assert!(fit, "there are more bytes than in memory");
                Vector::Bytes(all)
            }
        }
    }
}

/// The strings that lie one after the other, by their lengths.
pub(crate) fn strings<'a>(bytes: &'a [u8], lengths: &Narrow) -> Vec<&'a [u8]> {
    let mut rest = bytes;
    let lengths = lengths.to_longs();
    let next = |length: &i64| {
        let (string, others) = rest.split_at_checked(*length as usize).unwrap_or((rest, &[]));
        rest = others;
        string
    };
    lengths.iter().map(next).collect()
}

/// Appends floating-point numbers.
fn append<T: Copy>(values: &[T], kept: &mut Vec<T>, most: usize) -> Option<usize> {
    if size_of_val(&**kept) + size_of_val(values) > most {
        return None;
    }
    grow(kept, values.len());
    kept.extend_from_slice(values);
    Some(size_of_val(values))
}

/// Appends strings, which have `more` bytes together: as one where nothing is between them, short ones with what follows them.
fn copy(data: &[u8], spans: &[Span], more: usize, bytes: &mut Buffer) {
    let all =
        spans.first().zip(spans.last()).map_or(0..0, |(first, last)| first.start as usize..last.end as usize);
    if all.len() == more {
        return bytes.extend(data.get(all).unwrap_or_default());
    }
    bytes.write(more + SLACK, |room| {
        let mut at = 0;
        for span in spans {
            let (range, next) = (span.range(), at + span.range().len());
            let word = data.get(range.start..).and_then(|rest| rest.first_chunk::<SLACK>());
            let place = room.get_mut(at..).and_then(|rest| rest.first_chunk_mut::<SLACK>());
            match (word, place) {
                (Some(word), Some(place)) if range.len() <= SLACK => *place = *word,
                _ => room[at..next].copy_from_slice(&data[range]),
            }
            at = next;
        }
        at
    });
}
