//! Any value: an entry of a vector, or a null.

use super::entry::{Entry, item, missing};
use super::{FieldNames, Scalar, Shown};
use crate::de::scalar::Width;
use crate::de::{Plan, scalar};
use crate::error::Result;
use crate::logical::Texts;
use crate::vector::Vector;
use serde::de;
use std::borrow::Cow;

/// Any value.
#[derive(Clone, Copy)]
pub(super) enum Value<'a, 'v: 'a> {
    Entry(Entry<'a, 'v>),
    /// What a variant of an enum holds, without its name.
    Content(Entry<'a, 'v>),
    /// One of the bytes of a byte string.
    Byte(u8),
    /// The name of a field or of a variant.
    Name(&'v str),
}

impl<'a, 'v> Value<'a, 'v> {
    /// What the file says that the value is.
    pub(super) fn shown(self) -> Result<Shown<'a, 'v>> {
        match self {
            Self::Entry(entry) => entry.shown(),
            Self::Content(entry) => entry.shown_content(),
            Self::Byte(byte) => Ok(Shown::Scalar(Scalar::Byte(byte))),
            Self::Name(name) => Ok(Shown::Text(name)),
        }
    }

    /// The same for types that request a string.
    pub(super) fn shown_text(self) -> Result<Shown<'a, 'v>> {
        match self.shown()?.text()? {
            Shown::Map(map) => match map.string()? {
                Some(string) => string.shown_text(),
                None => Ok(Shown::Map(map)),
            },
            shown => Ok(shown),
        }
    }

    /// The same for untyped reads: integers of more than 64 bits are strings.
    pub(super) fn shown_untyped(self) -> Result<Shown<'a, 'v>> {
        Ok(match self.shown()?.untyped()? {
            Shown::Scalar(scalar) => scalar.wide_text().map_or(Shown::Scalar(scalar), Shown::Digits),
            shown => shown,
        })
    }

    /// The same within optionals and unions: null is null, also where it is `Some`.
    pub(super) fn shown_inner(self) -> Result<Shown<'a, 'v>> {
        match self {
            Self::Entry(entry) => entry.inner()?.map_or(Ok(Shown::Unit), Entry::shown),
            other => other.shown(),
        }
    }

    /// The value for types that request a map.
    pub(super) fn shown_map(self) -> Result<Shown<'a, 'v>> {
        let Self::Entry(entry) = self else {
            return self.shown();
        };
        match entry.inner()? {
            Some(value) if matches!(value.vector, Vector::Map(_)) => {
                value.shown_entries(FieldNames::AsTheyAre)
            }
            Some(value) => value.shown(),
            None => Ok(Shown::Unit),
        }
    }

    /// What a struct with these fields is shown.
    pub(super) fn shown_struct(self, names: &'static [&'static str]) -> Result<Shown<'a, 'v>> {
        let Self::Entry(entry) = self else {
            return self.shown();
        };
        match entry.inner()? {
            Some(value) => value.shown_struct(names),
            None => Ok(Shown::Unit),
        }
    }

    /// The value as an option has it.
    pub(super) fn some(self) -> Result<Option<Self>> {
        let Self::Entry(entry) = self else {
            return Ok(Some(self));
        };
        let value = entry.read()?;
        match (value.vector, value.plan) {
            (Vector::Optional(list), Plan::Optional(plan)) => Ok(item(list, value.index)?
                .map(|index| Self::Entry(Entry { plan: &plan.item, vector: &list.item, index, ..value }))),
            (Vector::Null(_), _) => Ok(None),
            _ => Ok(Some(Self::Entry(value))),
        }
    }

    /// The value where it is bytes.
    pub(super) fn bytes(self) -> Result<Option<&'v [u8]>> {
        let Self::Entry(entry) = self else {
            return Ok(None);
        };
        match entry.inner()?.map(|value| (value.vector, value.plan, value.index)) {
            Some((Vector::Bytes(values), Plan::Plain | Plan::Logical(_), index)) => {
                values.get(index).ok_or_else(missing).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The value where it is text of a vector, or a name.
    pub(super) fn text(&self) -> Result<Option<&'v str>> {
        match self {
            Self::Name(name) => Ok(Some(name)),
            Self::Entry(entry) => match entry.read()?.vector {
                Vector::String(values) => values.get(entry.index).ok_or_else(missing).map(Some),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The value as the name of a field.
    pub(super) fn field_name(self) -> Result<Cow<'v, str>> {
        if let Self::Name(name) = self {
            return Ok(Cow::Borrowed(name));
        }
        // A number or a boolean is its text, as JSON has it.
        if let Some(scalar) = self.scalar()? {
            return Ok(Cow::Owned(scalar.text()));
        }
        match self.shown_text()? {
            Shown::Text(text) => Ok(Cow::Borrowed(text)),
            Shown::Made(text) | Shown::Digits(text) => Ok(Cow::Owned(text)),
            Shown::Scalar(scalar) => Ok(Cow::Owned(scalar.text())),
            other => Err(de::Error::invalid_type(other.unexpected(), &"field identifier")),
        }
    }

    /// The value where it is one number or boolean.
    pub(super) fn own_scalar(&self) -> Result<Option<Scalar>> {
        match self {
            Self::Entry(entry) => {
                let value = entry.read()?;
                value.as_scalar()?.map_or_else(|| value.meant(scalar::integer), |scalar| Ok(Some(scalar)))
            }
            _ => Ok(None),
        }
    }

    /// Its text, where it is a value of a logical type that has one.
    pub(super) fn logical_text(&self) -> Result<Option<String>> {
        match self {
            Self::Entry(entry) => entry.inner()?.map_or(Ok(None), Entry::logical_text),
            _ => Ok(None),
        }
    }

    /// The number that this is as one of the type that a mark names.
    pub(super) fn marked(&self, name: &str) -> Result<Option<i64>> {
        match self {
            Self::Entry(entry) => entry.inner()?.map_or(Ok(None), |value| value.marked(name)),
            _ => Ok(None),
        }
    }

    /// The value as a float of 64 bits, where it is a number that is one.
    pub(super) fn as_f64(&self) -> Result<Option<f64>> {
        Ok(self.number_as(Width::Double)?.and_then(Scalar::as_f64))
    }

    /// The same for 32 bits.
    pub(super) fn as_f32(&self) -> Result<Option<f32>> {
        Ok(self.number_as(Width::Single)?.and_then(Scalar::as_f32))
    }

    /// The value where it is a number that is asked for as a float. The plan notes it where the column has
    /// other numbers, for the fast path.
    fn number_as(&self, width: Width) -> Result<Option<Scalar>> {
        let Self::Entry(entry) = self else {
            return Ok(None);
        };
        let value = entry.read()?;
        match (width, value.vector, value.plan) {
            (Width::Single, Vector::Float(_), _) | (Width::Double, Vector::Double(_), _) => {}
            (_, _, Plan::Number(asked) | Plan::U64(asked)) => asked.note(width),
            (_, _, Plan::Logical(plan)) => plan.floats.note(width),
            _ => {}
        }
        let double = |texts: Texts, bytes: &[u8]| scalar::double(texts, bytes).map(Scalar::Double);
        value.as_scalar()?.map_or_else(|| value.meant(double), |scalar| Ok(Some(scalar)))
    }

    /// The value where it is one number or boolean, also within optionals and unions.
    pub(super) fn scalar(&self) -> Result<Option<Scalar>> {
        match self {
            // Of a logical type it is a text.
            Self::Entry(entry) => match entry.inner()? {
                Some(value) if !matches!(value.plan, Plan::Logical(_)) => value.as_scalar(),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }
}
