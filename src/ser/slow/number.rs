//! Structs, among which are numbers of serde_json that have any digits, and raw JSON.

use super::Slow;
use super::record::RecordSerializer;
use crate::error::{Error, Result};
use crate::private::{Digits, NUMBER, RAW_VALUE};
use crate::ser::compound::fields;
use serde::{Serialize, Serializer};

/// Writes a struct.
pub(crate) enum Struct<'a> {
    Record(RecordSerializer<'a>),
    String(StringField<'a>),
}

/// Writes a struct that is the string of its only field.
pub(crate) struct StringField<'a> {
    /// Until it comes.
    cell: Option<Slow<'a>>,
    /// Whether the string is the digits of a number.
    is_number: bool,
    is_written: bool,
}

impl<'a> Struct<'a> {
    #[inline(always)]
    pub(super) fn new(cell: Slow<'a>, name: &'static str) -> Result<Self> {
        // The name of a struct is mostly known to the compiler, so only private names are compared.
        if name.as_bytes().first() == Some(&b'$') && (name == NUMBER || name == RAW_VALUE) {
            let is_number = name == NUMBER;
            return Ok(Self::String(StringField { cell: Some(cell), is_number, is_written: false }));
        }
        RecordSerializer::new(cell, name).map(Self::Record)
    }

    #[inline(always)]
    fn field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        match self {
            Self::Record(record) => record.field(key, value),
            Self::String(string) => string.field(value),
        }
    }

    fn skip(&mut self, key: &'static str) -> Result<()> {
        match self {
            Self::Record(record) => record.skip(key),
            Self::String(_) => Err(no_string()),
        }
    }

    #[inline(always)]
    fn finish(self) -> Result<()> {
        match self {
            Self::Record(record) => record.finish(),
            Self::String(string) if string.is_written => Ok(()),
            Self::String(_) => Err(no_string()),
        }
    }
}

impl StringField<'_> {
    #[cold]
    #[inline(never)]
    fn field<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let (Some(cell), Ok(serde_json::Value::String(string))) =
            (self.cell.take(), serde_json::to_value(value))
        else {
            return Err(no_string());
        };
        match self.is_number {
            true => digits(cell, &string),
            false => cell.serialize_str(&string),
        }?;
        self.is_written = true;
        Ok(())
    }
}

/// Writes a number by its digits.
fn digits(cell: Slow<'_>, digits: &str) -> Result<()> {
    match Digits::new(digits) {
        Digits::Unsigned(number) => cell.serialize_u64(number),
        Digits::Signed(number) => cell.serialize_i64(number),
        Digits::I128(number) => cell.serialize_i128(number),
        Digits::U128(number) => cell.serialize_u128(number),
        Digits::Double(number) => cell.serialize_f64(number),
        Digits::Others(digits) => cell.serialize_str(digits),
    }
}

#[cold]
fn no_string() -> Error {
    Error::option("a number or raw JSON of serde_json is a string, and nothing else")
}

fields! { Error:
    SerializeStruct Struct;
}
