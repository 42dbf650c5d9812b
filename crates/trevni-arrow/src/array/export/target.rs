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
    /// Where each entry has a value: the number of values before it, and at the end that of all. `None` where all have.
    pub(super) places: Option<Cow<'a, [u32]>>,
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
        let places = match &self.places {
            None => Cow::Owned(own.into_inner()),
            Some(places) => {
                let own = own.as_slice();
                Cow::Owned(
                    places
                        .iter()
                        .map(|place| own.get(*place as usize).copied().unwrap_or_default())
                        .collect(),
                )
            }
        };
        Self { places: Some(places), ..self }
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
        let all = places.get(1..).unwrap_or_default();
        let (mut bytes, mut end) = (Vec::with_capacity(all.len().div_ceil(8)), 0u32);
        for ends in all.chunks(8) {
            let before = std::mem::replace(&mut end, ends.last().copied().unwrap_or_default());
            bytes.push(match end.wrapping_sub(before) {
                8 => 0xff,
                0 => 0,
                _ => bits(before, ends),
            });
        }
        Some(NullBuffer::new(BooleanBuffer::new(bytes.into(), 0, all.len())))
    }

    /// Number of entries without a value.
    pub(super) fn missing(&self) -> usize {
        self.places.as_deref().and_then(|places| places.last()).map_or(0, |count| self.len - *count as usize)
    }

    /// The values at their entries; other entries have the default.
    pub(super) fn spread<T: Copy + Default>(&self, values: Vec<T>) -> Vec<T> {
        let Some(places) = self.places.as_deref() else {
            return values;
        };
        let mut spread = Vec::with_capacity(self.len);
        let (groups, ends) = places.get(1..).unwrap_or_default().as_chunks::<8>();
        let mut before = 0u32;
        for ends in groups {
            let [.., end] = *ends;
            match values.get(before as usize..).and_then(|values| values.first_chunk::<8>()) {
                // Mostly all of them are there.
                Some(all) if end.wrapping_sub(before) == 8 => spread.extend_from_slice(all),
                _ => put(&mut spread, &values, before, ends),
            }
            before = end;
        }
        put(&mut spread, &values, before, ends);
        spread
    }

    /// One number for each entry and one for the end of all, by the values before it.
    pub(super) fn at_places<T: Copy + Default>(places: &[u32], numbers: &[T]) -> Vec<T> {
        let mut taken = Vec::with_capacity(places.len());
        let (groups, rest) = places.as_chunks::<8>();
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

/// A bit for each of at most eight entries, set where it has a value: where `ends` goes on from the end before it.
fn bits(mut before: u32, ends: &[u32]) -> u8 {
    ends.iter().zip(0..).fold(0, |bits, (end, place)| {
        let is_there = u8::from(std::mem::replace(&mut before, *end) != *end);
        bits | is_there << place
    })
}

/// Appends the values of some entries, or the default.
#[inline]
fn put<T: Copy + Default>(out: &mut Vec<T>, values: &[T], mut before: u32, ends: &[u32]) {
    out.extend(ends.iter().map(|end| {
        let start = std::mem::replace(&mut before, *end);
        let value = values.get(start as usize).copied().unwrap_or_default();
        if start == *end { T::default() } else { value }
    }));
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
