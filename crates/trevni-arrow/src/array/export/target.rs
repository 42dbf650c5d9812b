//! The array that values are put into: its type, and which of its entries have a value.

use crate::error::{Error, Result};
use arrow_buffer::{BooleanBuffer, NullBuffer};
use arrow_schema::DataType;
use std::borrow::Cow;
use trevni::Offsets;

/// Bytes that entries without a value may take in arrays where they take as many as others.
const FILL_BYTES_MAX: u64 = 1 << 28;

/// The array that values are put into.
#[derive(Clone)]
pub(super) struct Target<'a> {
    pub(super) data_type: &'a DataType,
    pub(super) is_nullable: bool,
    /// Number of entries.
    pub(super) len: usize,
    /// Where each entry has a value: the number of values before it, and at the end that of all. None where all have.
    pub(super) places: Option<Cow<'a, [u32]>>,
}

impl<'a> Target<'a> {
    /// The same of another type.
    pub(super) fn with_type<'b>(&'b self, data_type: &'b DataType, is_nullable: bool) -> Target<'b> {
        let places = self.places.as_deref().map(Cow::Borrowed);
        Target { data_type, is_nullable, len: self.len, places }
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

    /// Which entries have a value; none where all have, or the array has no nulls.
    pub(super) fn nulls(&self) -> Option<NullBuffer> {
        let places = self.places.as_deref().filter(|_| self.is_nullable)?;
        let ends = places.get(1..).unwrap_or_default();
        let word = |(starts, ends): (&[u32], &[u32])| {
            let bits = starts.iter().zip(ends).map(|(start, end)| u64::from(start != end));
            bits.zip(0..).fold(0, |word, (bit, place)| word | bit << place).to_le_bytes()
        };
        let bytes: Vec<u8> = places.chunks(64).zip(ends.chunks(64)).flat_map(word).collect();
        let nulls = NullBuffer::new(BooleanBuffer::new(bytes.into(), 0, ends.len()));
        (nulls.null_count() > 0).then_some(nulls)
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
        let entry = |(place, is_there)| match values.get(place) {
            Some(value) if is_there => *value,
            _ => T::default(),
        };
        Self::entries(places).map(entry).collect()
    }

    /// Refuses entries without values that take more memory than such should.
    pub(super) fn check_fill(&self, data_type: &DataType) -> Result<()> {
        let bytes = (self.missing() as u64).saturating_mul(bytes_of_null(data_type));
        match bytes > FILL_BYTES_MAX {
            true => Err(Error::too_many("the bytes of nulls of one size", FILL_BYTES_MAX)),
            false => Ok(()),
        }
    }
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
