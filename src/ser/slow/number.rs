//! Structs, among which are numbers of serde_json that have any digits.

use super::Slow;
use super::record::RecordSerializer;
use crate::error::{Error, Result};
use crate::private::{Digits, NUMBER};
use crate::ser::compound::fields;
use serde::{Serialize, Serializer};

/// Writes a struct.
pub(crate) enum Struct<'a> {
    Record(RecordSerializer<'a>),
    Number(Number<'a>),
}

/// Writes a number by its digits.
pub(crate) struct Number<'a> {
    /// Until they come.
    cell: Option<Slow<'a>>,
    is_written: bool,
}

impl<'a> Struct<'a> {
    #[inline(always)]
    pub(super) fn new(cell: Slow<'a>, name: &'static str) -> Result<Self> {
        // The name of a struct is mostly known to the compiler, so only private names are compared.
        if name.as_bytes().first() == Some(&b'$') && name == NUMBER {
            return Ok(Self::Number(Number { cell: Some(cell), is_written: false }));
        }
        RecordSerializer::new(cell, name).map(Self::Record)
    }

    #[inline(always)]
    fn field<T: ?Sized + Serialize>(&mut self, key: &'static str, value: &T) -> Result<()> {
        match self {
            Self::Record(record) => record.field(key, value),
            Self::Number(number) => number.digits(value),
        }
    }

    fn skip(&mut self, key: &'static str) -> Result<()> {
        match self {
            Self::Record(record) => record.skip(key),
            Self::Number(_) => Err(no_digits()),
        }
    }

    #[inline(always)]
    fn finish(self) -> Result<()> {
        match self {
            Self::Record(record) => record.finish(),
            Self::Number(number) if number.is_written => Ok(()),
            Self::Number(_) => Err(no_digits()),
        }
    }
}

impl Number<'_> {
    #[cold]
    #[inline(never)]
    fn digits<T: ?Sized + Serialize>(&mut self, value: &T) -> Result<()> {
        let (Some(cell), Ok(serde_json::Value::String(digits))) =
            (self.cell.take(), serde_json::to_value(value))
        else {
            return Err(no_digits());
        };
        match Digits::of(&digits) {
            Digits::Unsigned(number) => cell.serialize_u64(number),
            Digits::Signed(number) => cell.serialize_i64(number),
            Digits::I128(number) => cell.serialize_i128(number),
            Digits::U128(number) => cell.serialize_u128(number),
            Digits::Double(number) => cell.serialize_f64(number),
            Digits::Others(digits) => cell.serialize_str(digits),
        }?;
        self.is_written = true;
        Ok(())
    }
}

#[cold]
fn no_digits() -> Error {
    Error::option("a number of serde_json has digits, and nothing else")
}

fields! { Error:
    SerializeStruct Struct;
}
