//! One value, as an entry of a vector.

use super::list::{Bytes, Items, Seq};
use super::map::{Entries, Map};
use super::{FieldNames, Load, Scalar, Shown};
use crate::de::Plan;
use crate::de::floats::Width;
use crate::de::plan::UnionPlan;
use crate::error::{Error, Result};
use crate::shape::Null;
use crate::vector::{ListVector, UnionVector, Vector};
use serde::de;
use std::borrow::Cow;

/// What all values of a row share.
pub(super) struct Context<'a> {
    pub(super) loader: Option<&'a dyn Load>,
}

/// One value: an entry of a vector.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a, 'v: 'a> {
    pub(super) plan: &'a Plan,
    pub(super) vector: &'v Vector,
    pub(super) index: usize,
    pub(super) context: &'a Context<'a>,
}

/// Any value.
#[derive(Clone, Copy)]
pub(super) enum Value<'a, 'v: 'a> {
    Entry(Entry<'a, 'v>),
    /// What a variant of an enum holds, without its name.
    Content(Entry<'a, 'v>),
    /// One of the bytes of a byte string.
    Byte(u8),
    /// The name of a field or of a variant.
    Name(&'a str),
}

#[cold]
pub(super) fn missing() -> Error {
    Error::internal("a vector has fewer values than its lengths say")
}

pub(super) fn at<T: Copy>(values: &[T], index: usize) -> Result<T> {
    values.get(index).copied().ok_or_else(missing)
}

/// The item of an optional, if it is there.
pub(super) fn item(list: &ListVector, index: usize) -> Result<Option<usize>> {
    let range = list.offsets.range(index).ok_or_else(missing)?;
    Ok((!range.is_empty()).then_some(range.start))
}

impl<'a, 'v> Entry<'a, 'v> {
    /// This value, its vector decoded.
    pub(super) fn loaded(self) -> Result<Self> {
        match self.vector {
            Vector::Lazy(lazy) => {
                let loader =
                    self.context.loader.ok_or_else(|| Error::internal("a column was not decoded"))?;
                let vector = lazy.get_or_load(|node| loader.load(node))?;
                Ok(Self { vector, ..self })
            }
            _ => Ok(self),
        }
    }

    /// The value within optionals and unions; none where there is none. Variants of enums stay.
    pub(super) fn inner(self) -> Result<Option<Self>> {
        let mut value = self.loaded()?;
        loop {
            value = match (value.vector, value.plan) {
                (Vector::Optional(list), Plan::Optional(plan)) => match item(list, value.index)? {
                    Some(index) => Self { plan: &plan.item, vector: &list.item, index, ..value }.loaded()?,
                    None => return Ok(None),
                },
                (Vector::Union(union), Plan::Union(plan)) => value.branch(union, plan)?.1.loaded()?,
                _ => return Ok(Some(value)),
            };
        }
    }

    /// Whether there is nothing but `Some`s around a null.
    fn is_null(self) -> Result<bool> {
        if !matches!(self.plan, Plan::Optional(_) | Plan::Plain) {
            return Ok(false);
        }
        let value = self.loaded()?;
        match (value.vector, value.plan) {
            (Vector::Null(_), _) => Ok(true),
            (Vector::Optional(list), Plan::Optional(plan)) => match item(list, value.index)? {
                None => Ok(true),
                Some(index) => Self { plan: &plan.item, vector: &list.item, index, ..value }.is_null(),
            },
            _ => Ok(false),
        }
    }

    /// The branch of a union: its value, and its name where that may be one of a variant.
    pub(super) fn branch(
        self,
        union: &'v UnionVector,
        plan: &'a UnionPlan,
    ) -> Result<(Option<&'a str>, Self)> {
        let tag = usize::from(at(&union.tags, self.index)?);
        let index = at(&union.positions, self.index)? as usize;
        match (plan.branches.get(tag), union.variants.get(tag)) {
            (Some((name, plan)), Some(vector)) => Ok((name.as_deref(), Self { plan, vector, index, ..self })),
            _ => Err(missing()),
        }
    }

    pub(super) fn symbol(self, symbols: &'a [String], ordinals: &[i32]) -> Result<&'a str> {
        let ordinal = at(ordinals, self.index)?;
        usize::try_from(ordinal)
            .ok()
            .and_then(|ordinal| symbols.get(ordinal))
            .map(String::as_str)
            .ok_or_else(|| Error::value(format!("an enum of {} symbols has none {ordinal}", symbols.len())))
    }

    /// The value where it is one number or boolean; its vector has been decoded.
    fn as_scalar(self) -> Result<Option<Scalar>> {
        let index = self.index;
        Ok(Some(match (self.vector, self.plan) {
            (Vector::Boolean(values), _) => Scalar::Boolean(at(values, index)?),
            (Vector::Int(values), _) => Scalar::Int(at(values, index)?),
            (Vector::Long(values), Plan::U64(_)) => Scalar::Unsigned(at(values, index)?.cast_unsigned()),
            (Vector::Long(values), _) => Scalar::Long(at(values, index)?),
            (Vector::Float(values), _) => Scalar::Float(at(values, index)?),
            (Vector::Double(values), _) => Scalar::Double(at(values, index)?),
            (Vector::Bytes(values), Plan::I128) => {
                Scalar::wide(values.get(index), true).ok_or_else(missing)?
            }
            (Vector::Bytes(values), Plan::U128) => {
                Scalar::wide(values.get(index), false).ok_or_else(missing)?
            }
            _ => return Ok(None),
        }))
    }

    /// What the file says that the value is.
    pub(super) fn shown(self) -> Result<Shown<'a, 'v>> {
        let value = self.loaded()?;
        let index = value.index;
        Ok(match (value.vector, value.plan) {
            (Vector::Null(_), _) => Shown::Unit,
            (Vector::String(values), _) => Shown::Text(values.get(index).ok_or_else(missing)?),
            // A sequence of numbers is what serde_json makes of bytes, and all its targets take.
            (Vector::Bytes(values), Plan::Plain) => {
                Shown::Seq(Seq::Bytes(Bytes::of(values.get(index).ok_or_else(missing)?)))
            }
            (Vector::Enum(ordinals), Plan::Enum(symbols)) => Shown::Name(value.symbol(symbols, ordinals)?),
            (Vector::Record(vector), Plan::Record(plan)) => value.shown_record(plan, vector)?,
            (Vector::List(list), Plan::List(plan)) => {
                let range = list.offsets.range(index).ok_or_else(missing)?;
                let first = Self { plan, vector: &list.item, index: range.start, ..value };
                let first = if range.is_empty() { first } else { first.loaded()? };
                Shown::Seq(Seq::Items(Items::of(first, range.end)))
            }
            (Vector::Map(_), Plan::Map(_)) => value.shown_entries(FieldNames::Text)?,
            (Vector::Optional(list), Plan::Optional(plan)) => match item(list, index)? {
                None => Shown::Unit,
                Some(index) => {
                    let some = Self { plan: &plan.item, vector: &list.item, index, ..value };
                    // `Some(None)` and `Some(())` differ from `None` only like this.
                    if plan.null != Null::Absent && some.is_null()? {
                        Shown::Some(Value::Entry(some))
                    } else {
                        some.shown()?
                    }
                }
            },
            (Vector::Union(union), Plan::Union(plan)) => value.branch(union, plan)?.1.shown()?,
            _ => Shown::Scalar(value.as_scalar()?.ok_or_else(missing)?),
        })
    }

    /// The entries of a map.
    fn shown_entries(self, fields: FieldNames) -> Result<Shown<'a, 'v>> {
        match (self.vector, self.plan) {
            (Vector::Map(map), Plan::Map(plans)) => {
                let range = map.offsets.range(self.index).ok_or_else(missing)?;
                let key = Self { plan: &plans.0, vector: &map.key, index: range.start, ..self };
                let value = Self { plan: &plans.1, vector: &map.value, index: range.start, ..self };
                Ok(Shown::Map(Map::Entries(Entries::of(key, value, fields, range.len()))))
            }
            _ => Err(missing()),
        }
    }
}

impl<'a, 'v> Value<'a, 'v> {
    /// What the file says that the value is.
    pub(super) fn shown(self) -> Result<Shown<'a, 'v>> {
        match self {
            Self::Entry(entry) => entry.shown(),
            Self::Content(entry) => entry.shown_content(),
            Self::Byte(byte) => Ok(Shown::Scalar(Scalar::Byte(byte))),
            Self::Name(name) => Ok(Shown::Name(name)),
        }
    }

    /// The same within optionals and unions: null is null, also where it is `Some`.
    pub(super) fn shown_inner(self) -> Result<Shown<'a, 'v>> {
        match self {
            Self::Entry(entry) => entry.inner()?.map_or(Ok(Shown::Unit), Entry::shown),
            other => other.shown(),
        }
    }

    /// What a type is shown that asks for a map.
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
        let value = entry.loaded()?;
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
            Some((Vector::Bytes(values), Plan::Plain, index)) => {
                values.get(index).ok_or_else(missing).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The value where it is text of a vector.
    pub(super) fn lent_text(&self) -> Result<Option<&'v str>> {
        match self {
            Self::Entry(entry) => match entry.loaded()?.vector {
                Vector::String(values) => values.get(entry.index).ok_or_else(missing).map(Some),
                _ => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// The value as the name of a field.
    pub(super) fn field_name(self) -> Result<Cow<'a, str>> {
        match self {
            Self::Name(name) => return Ok(Cow::Borrowed(name)),
            // A number or a boolean is its text, as JSON has it.
            other => match other.scalar()? {
                Some(scalar) => return Ok(Cow::Owned(scalar.text())),
                None => {}
            },
        }
        match self.shown()? {
            Shown::Text(text) | Shown::Name(text) => Ok(Cow::Borrowed(text)),
            other => Err(de::Error::invalid_type(other.unexpected(), &"field identifier")),
        }
    }

    /// The value where it is one number or boolean.
    pub(super) fn own_scalar(&self) -> Result<Option<Scalar>> {
        match self {
            Self::Entry(entry) => entry.loaded()?.as_scalar(),
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
        let value = entry.loaded()?;
        match (width, value.vector, value.plan) {
            (Width::Single, Vector::Float(_), _) | (Width::Double, Vector::Double(_), _) => {}
            (_, _, Plan::Number(asked) | Plan::U64(asked)) => asked.note(width),
            _ => {}
        }
        value.as_scalar()
    }

    /// The value where it is text.
    pub(super) fn text(&self) -> Result<Option<&str>> {
        match self {
            Self::Name(name) => Ok(Some(name)),
            other => other.lent_text(),
        }
    }

    /// The value where it is one number or boolean, also within optionals and unions.
    pub(super) fn scalar(&self) -> Result<Option<Scalar>> {
        match self {
            Self::Entry(entry) => entry.inner()?.map_or(Ok(None), Entry::as_scalar),
            _ => Ok(None),
        }
    }
}
