//! The array that values are put into: its type, and which of its entries have a value.

use super::dictionary::Dictionaries;
use crate::error::{Error, Result};
use crate::kept::Kept;
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::{DataType, Field};
use std::borrow::Cow;
use trevni::vector::Offsets;

/// Bytes that entries without a value may take in arrays where they take as many as others.
const FILL_BYTES_MAX: u64 = 1 << 28;

/// The array that values are put into.
#[derive(Clone)]
pub(super) struct Target<'a> {
    pub(super) data_type: &'a DataType,
    pub(super) is_nullable: bool,
    /// Number of entries.
    pub(super) len: usize,
    /// Which entries have a value, as lists of one item at most. `None` where all have.
    pub(super) places: Option<Cow<'a, Offsets>>,
    pub(super) dictionaries: &'a Dictionaries,
    /// The values of the dictionaries of the type.
    pub(super) kept: &'a Kept,
}

impl<'a> Target<'a> {
    /// The same of another type.
    pub(super) fn with_type<'b>(&'b self, data_type: &'b DataType, is_nullable: bool) -> Target<'b> {
        let places = self.places.as_deref().map(Cow::Borrowed);
        let Self { len, dictionaries, kept, .. } = *self;
        Target { data_type, is_nullable, len, places, dictionaries, kept }
    }

    /// The same for a field within the type.
    pub(super) fn part<'b>(&'b self, index: usize, field: &'b Field) -> Target<'b> {
        Target { kept: self.kept.part(index), ..self.with_type(field.data_type(), field.is_nullable()) }
    }

    /// Entries of which those have a value that have one here and in `own`.
    pub(super) fn within(self, own: Offsets) -> Self {
        if own.total() == own.len() {
            return self;
        }
        let places = match self.numbers() {
            None => own,
            Some(places) => {
                let own = own.as_slice();
                let count = |place: &u32| own.get(*place as usize).copied().unwrap_or_default();
                let ends = places.iter().skip(1).map(count);
                // They ascend, as both do.
                Offsets::from_ends(ends).unwrap_or_default()
            }
        };
        Self { places: Some(Cow::Owned(places)), ..self }
    }

    /// For each entry the number of values before it, and at the end that of all. `None` where all have a value.
    pub(super) fn numbers(&self) -> Option<&[u32]> {
        self.places.as_deref().map(Offsets::as_slice)
    }

    /// For each entry the number of values before it, and whether it has one.
    pub(super) fn entries(places: &[u32]) -> impl ExactSizeIterator<Item = (usize, bool)> + '_ {
        let ends = places.get(1..).unwrap_or_default();
        places.iter().zip(ends).map(|(start, end)| (*start as usize, start != end))
    }

    /// Which entries have a value; `None` where all have, or the array has no nulls.
    pub(super) fn nulls(&self) -> Option<NullBuffer> {
        if self.is_nullable { self.there() } else { None }
    }

    /// Which entries have a value; `None` if all do.
    pub(super) fn there(&self) -> Option<NullBuffer> {
        let places = self.places.as_deref().filter(|_| self.missing() > 0)?;
        let bytes = places.bits().map_or_else(|| bits(places.as_slice()), <[u8]>::to_vec);
        Some(NullBuffer::new(BooleanBuffer::new(bytes.into(), 0, places.len())))
    }

    /// Number of entries without a value.
    pub(super) fn missing(&self) -> usize {
        self.places.as_deref().map_or(0, |places| self.len - places.total())
    }

    /// The values at their entries; other entries have the default.
    pub(super) fn spread<T: Copy + Default>(&self, values: Vec<T>) -> Vec<T> {
        match self.places.as_deref() {
            None => values,
            Some(places) => places.spread(&values, T::default()),
        }
    }

    /// One number for each entry and one for the end of all, by the values before it.
    pub(super) fn at_places<T: Copy + Default>(&self, numbers: Vec<T>) -> Vec<T> {
        let Some(places) = self.places.as_deref() else { return numbers };
        if let Some(bits) = places.bits() {
            return at_bits(bits, places.len(), &numbers);
        }
        let mut taken = Vec::with_capacity(places.len() + 1);
        let (groups, rest) = places.as_slice().as_chunks::<8>();
        let number = |place: &u32| numbers.get(*place as usize).copied().unwrap_or_default();
        for group in groups {
            let [first, .., last] = *group;
            match numbers.get(first as usize..).and_then(|numbers| numbers.first_chunk::<8>()) {
                Some(all) if last.wrapping_sub(first) == 7 => taken.extend_from_slice(all),
                _ => taken.extend(group.iter().map(number)),
            }
        }
        taken.extend(rest.iter().map(number));
        taken
    }

    /// Refuses entries without values that take more memory than such should.
    pub(super) fn check_fill(&self, data_type: &DataType) -> Result<()> {
        check_nulls(data_type, self.missing())
    }
}

/// Refuses `count` nulls if they take too much memory, or if the index type of runs cannot count them.
pub(in crate::array) fn check_nulls(data_type: &DataType, count: usize) -> Result<()> {
    if has_short_runs(data_type) && i16::try_from(count).is_err() {
        return Err(Error::too_many("the entries of an array of runs", i16::MAX as u64));
    }
    match (count as u64).saturating_mul(bytes_of_null(data_type)) > FILL_BYTES_MAX {
        true => Err(Error::too_many("the bytes of nulls of one size", FILL_BYTES_MAX)),
        false => Ok(()),
    }
}

/// Whether nulls of a type are runs that 16 bits count.
fn has_short_runs(data_type: &DataType) -> bool {
    match data_type {
        DataType::RunEndEncoded(ends, _) => *ends.data_type() == DataType::Int16,
        DataType::FixedSizeList(item, _) => has_short_runs(item.data_type()),
        DataType::Struct(fields) => fields.iter().any(|field| has_short_runs(field.data_type())),
        DataType::Union(fields, _) => fields.iter().any(|(_, field)| has_short_runs(field.data_type())),
        _ => false,
    }
}

/// A bit for each entry, set where it has a value, by the number of values before each.
fn bits(places: &[u32]) -> Vec<u8> {
    let mut before = 0;
    let mut byte = |ends: &[u32]| {
        ends.iter().zip(0..).fold(0, |bits, (end, place)| {
            let is_there = std::mem::replace(&mut before, *end) != *end;
            bits | u8::from(is_there) << place
        })
    };
    places.get(1..).unwrap_or_default().chunks(8).map(&mut byte).collect()
}

/// The first number, and for each bit the number at the count of set bits up to it.
fn at_bits<T: Copy + Default>(bits: &[u8], len: usize, numbers: &[T]) -> Vec<T> {
    let mut taken = Vec::with_capacity(len.next_multiple_of(8) + 1);
    taken.extend(numbers.first());
    let mut at = 0;
    for byte in bits {
        match numbers.get(at..).and_then(|next| next.first_chunk::<9>()) {
            Some([_, all @ ..]) if *byte == u8::MAX => {
                taken.extend_from_slice(all);
                at += 8;
            }
            _ => taken.extend((0..8).map(|bit| {
                at += usize::from(byte >> bit & 1);
                numbers.get(at).copied().unwrap_or_default()
            })),
        }
    }
    taken.truncate(len + 1);
    taken
}

/// Bytes that a null takes, roughly.
fn bytes_of_null(data_type: &DataType) -> u64 {
    match data_type {
        DataType::FixedSizeBinary(size) => u64::from(size.unsigned_abs()),
        DataType::FixedSizeList(item, size) => {
            bytes_of_null(item.data_type()).saturating_mul(u64::from(size.unsigned_abs()))
        }
        DataType::Struct(fields) => {
            fields.iter().fold(1, |sum, field| bytes_of_null(field.data_type()).saturating_add(sum))
        }
        _ => 8,
    }
}
