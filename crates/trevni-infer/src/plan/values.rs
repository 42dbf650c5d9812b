//! How single values are written by a plan.

use super::stream::FittedNumber;
use super::{Context, Field, Plan, Raw};
use crate::numbers::Integer;
use serde::ser::{Error as _, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;

/// Up to here every integer is a 64-bit float, a 32-bit float.
const DOUBLE: u128 = 1 << 53;
const SINGLE: u128 = 1 << 24;

impl Plan {
    /// Writes a value within the optionals that are around it.
    #[inline]
    pub(super) fn wrap<T: Serialize + ?Sized, S: Serializer>(
        &self,
        value: &T,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match self.absent || self.null {
            true => to.serialize_some(value),
            false => value.serialize(to),
        }
    }

    /// Writes a null.
    #[inline]
    pub(super) fn write_null<S: Serializer>(&self, context: &Context, to: S) -> Result<S::Ok, S::Error> {
        match (self.null, self.is_empty()) {
            (false, _) => {
                context.note(format_args!("null does not fit {self}"), true);
                Err(S::Error::custom(""))
            }
            (_, false) => to.serialize_none(),
            (_, true) => to.serialize_unit(),
        }
    }

    /// Writes the text of a value.
    pub(super) fn write_raw<S: Serializer>(
        &self,
        kind: Raw,
        raw: &RawValue,
        context: &Context,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'n') => self.write_null(context, to),
            Some(b'"') if kind == Raw::String => {
                let text: Text<'_> = serde_json::from_str(text).map_err(|error| context.failed(error))?;
                self.wrap(&*text.0, to)
            }
            _ => self.wrap(text, to),
        }
    }

    /// Writes a value of which only the writer knows how it fits the schema.
    pub(super) fn write_other<S: Serializer>(
        &self,
        raw: &RawValue,
        context: &Context,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        let value: serde_json::Value =
            serde_json::from_str(raw.get()).map_err(|error| context.failed(error))?;
        if value.is_null() { self.write_null(context, to) } else { self.wrap(&value, to) }
    }

    /// Whether the type of integers has room for one.
    pub(super) fn is_integer(&self, value: i128) -> bool {
        match self.integer() {
            Some(Integer::Int) => i32::try_from(value).is_ok(),
            Some(Integer::Long) => i64::try_from(value).is_ok(),
            Some(Integer::U64) => u64::try_from(value).is_ok(),
            Some(Integer::I128) => true,
            Some(Integer::U128) => value >= 0,
            None => false,
        }
    }

    /// How an integer is written; `None` where it does not fit.
    pub(super) fn fit_integer(&self, value: i128) -> Option<FittedNumber> {
        let fits = self.is_integer(value);
        match self.float() {
            _ if fits => Some(FittedNumber::Integer),
            Some(float) if float.single && (float.rounds || value.unsigned_abs() <= SINGLE) => {
                Some(FittedNumber::Single(value as f32))
            }
            Some(float) if !float.single && (float.rounds || value.unsigned_abs() <= DOUBLE) => {
                Some(FittedNumber::Double(value as f64))
            }
            _ => None,
        }
    }

    /// Writes an integer as it was placed.
    #[inline]
    pub(super) fn wrap_number<T: Serialize, S: Serializer>(
        &self,
        fitted: FittedNumber,
        value: &T,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match fitted {
            FittedNumber::Integer => self.wrap(value, to),
            FittedNumber::Double(value) => self.wrap(&value, to),
            FittedNumber::Single(value) => self.wrap(&value, to),
        }
    }

    /// How a float is written; `None` where it does not fit.
    #[inline]
    pub(super) fn fit_float(&self, value: f64) -> Option<FittedNumber> {
        match self.float() {
            Some(float) if !float.single => Some(FittedNumber::Double(value)),
            Some(_) => {
                let single = value as f32;
                (single.is_finite() || !value.is_finite()).then_some(FittedNumber::Single(single))
            }
            // A type that was given takes 1.0 for 1.
            None if self.given && value.fract() == 0.0 && value.abs() <= DOUBLE as f64 => {
                match self.fit_integer(value as i128) {
                    Some(FittedNumber::Integer) => Some(FittedNumber::Integer),
                    _ => None,
                }
            }
            None => None,
        }
    }
}

/// A text that is borrowed where it can be.
#[derive(serde::Deserialize)]
struct Text<'a>(#[serde(borrow)] Cow<'a, str>);

impl Field {
    /// Whether each object has this field.
    #[inline]
    pub(super) fn is_required(&self) -> bool {
        self.kept && !self.plan.absent
    }
}
