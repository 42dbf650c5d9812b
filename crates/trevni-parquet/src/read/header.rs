//! The header of a page, read before the Parquet library reads it.

use crate::error::Result;
use crate::footer::structs::{DATA_PAGE, DATA_PAGE_V2, DICTIONARY_PAGE, PAGE_HEADER};
use crate::footer::thrift::Thrift;

/// What a page is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Page {
    Data,
    /// With levels before what is compressed.
    DataV2,
    Dictionary,
    /// An index, which is skipped, or what the library does not know.
    #[default]
    Other,
}

/// What the header of a page says. No number is negative.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Header {
    pub(super) page: Page,
    /// Bytes in the file.
    pub(super) stored: u64,
    /// Bytes after decompression.
    pub(super) bytes: u64,
    /// Number of values, nulls included; of a dictionary page, number of entries.
    pub(super) values: u64,
    pub(super) encoding: i32,
    /// The encodings of the levels of a data page.
    pub(super) definitions_encoding: i32,
    pub(super) repetitions_encoding: i32,
    /// The bytes of the levels of a page with levels before.
    pub(super) definitions: u64,
    pub(super) repetitions: u64,
    pub(super) is_plain: bool,
}

impl Header {
    /// Reads a header; returns also how many bytes it has.
    pub(super) fn read(bytes: &[u8]) -> Result<(Self, usize)> {
        let mut header = Self::default();
        let (mut data, mut data_v2, mut dictionary) = (None, None, None);
        let mut page = -1;
        let mut thrift = Thrift::new(bytes, "page header");
        thrift.each(PAGE_HEADER, |thrift, field, _| {
            match field {
                1 => page = thrift.int()?,
                2 => header.bytes = number(thrift)?,
                3 => header.stored = number(thrift)?,
                5 => data = Some(Self::data(thrift)?),
                7 => dictionary = Some(Self::dictionary(thrift)?),
                8 => data_v2 = Some(Self::data_v2(thrift)?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let (page, of_page) = match page {
            0 => (Page::Data, data),
            2 => (Page::Dictionary, dictionary),
            3 => (Page::DataV2, data_v2),
            _ => (Page::Other, Some(Self::default())),
        };
        let Some(of_page) = of_page else { return thrift.damaged("it does not say what is in the page") };
        if of_page.definitions.saturating_add(of_page.repetitions) > header.bytes.min(header.stored) {
            return thrift.damaged("the levels are longer than the page");
        }
        Ok((Self { page, stored: header.stored, bytes: header.bytes, ..of_page }, thrift.position()))
    }

    fn data(thrift: &mut Thrift<'_>) -> Result<Self> {
        let mut header = Self::default();
        thrift.each(DATA_PAGE, |thrift, field, _| {
            match field {
                1 => header.values = number(thrift)?,
                2 => header.encoding = thrift.int()?,
                3 => header.definitions_encoding = thrift.int()?,
                4 => header.repetitions_encoding = thrift.int()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(header)
    }

    fn dictionary(thrift: &mut Thrift<'_>) -> Result<Self> {
        let mut header = Self::default();
        thrift.each(DICTIONARY_PAGE, |thrift, field, _| {
            match field {
                1 => header.values = number(thrift)?,
                2 => header.encoding = thrift.int()?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(header)
    }

    fn data_v2(thrift: &mut Thrift<'_>) -> Result<Self> {
        let mut header = Self::default();
        thrift.each(DATA_PAGE_V2, |thrift, field, value| {
            match field {
                1 => header.values = number(thrift)?,
                4 => header.encoding = thrift.int()?,
                5 => header.definitions = number(thrift)?,
                6 => header.repetitions = number(thrift)?,
                7 => header.is_plain = !value,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(header)
    }

    /// Size of the levels at the start of the page, which are not compressed, in bytes.
    pub(super) fn levels(&self) -> usize {
        usize::try_from(self.definitions + self.repetitions).unwrap_or(usize::MAX)
    }
}

/// A number that is not negative.
fn number(thrift: &mut Thrift<'_>) -> Result<u64> {
    match u64::try_from(thrift.int()?) {
        Ok(number) => Ok(number),
        Err(_) => thrift.damaged("a size or a number of values is negative"),
    }
}
