//! One value, as an entry of a vector.

use super::list::{Bytes, Items, Seq};
use super::map::{Entries, Map};
use super::value::Value;
use super::{FieldNames, Missed, Scalar, Shown};
use crate::de::plan::UnionPlan;
use crate::de::{Plan, scalar};
use crate::error::{Error, Result};
use crate::logical::{Stored, Texts};
use crate::shape::Null;
use crate::vector::{ListVector, UnionVector, Vector};
use std::cell::Cell;

/// What all values of a row share.
pub(super) struct Context<'a> {
    /// Takes note of nodes that were not read.
    pub(super) missed: &'a Missed,
    /// Whether one of serde's buffers was shown an integer of a column of 128 bits.
    pub(super) has_buffered_wide: Cell<bool>,
}

/// One value: an entry of a vector.
#[derive(Clone, Copy)]
pub(super) struct Entry<'a, 'v: 'a> {
    pub(super) plan: &'v Plan,
    pub(super) vector: &'v Vector,
    pub(super) index: usize,
    pub(super) context: &'a Context<'a>,
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
    /// This value, where its node was read; else the row is made once more when it has been.
    pub(super) fn read(self) -> Result<Self> {
        match self.vector {
            Vector::Unread(node) => Err(self.context.missed.note([*node])),
            _ => Ok(self),
        }
    }

    /// The value within optionals and unions; `None` if it is null. Variants of enums stay.
    pub(super) fn inner(self) -> Result<Option<Self>> {
        let mut value = self.read()?;
        loop {
            value = match (value.vector, value.plan) {
                (Vector::Optional(list), Plan::Optional(plan)) => match item(list, value.index)? {
                    Some(index) => Self { plan: &plan.item, vector: &list.item, index, ..value }.read()?,
                    None => return Ok(None),
                },
                (Vector::Union(union), Plan::Union(plan)) => value.branch(union, plan)?.1.read()?,
                _ => return Ok(Some(value)),
            };
        }
    }

    /// Whether there is nothing but `Some`s around a null.
    fn is_null(self) -> Result<bool> {
        if !matches!(self.plan, Plan::Optional(_) | Plan::Plain) {
            return Ok(false);
        }
        let value = self.read()?;
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
        plan: &'v UnionPlan,
    ) -> Result<(Option<&'v str>, Self)> {
        let tag = usize::from(at(&union.tags, self.index)?);
        let index = at(&union.positions, self.index)? as usize;
        match (plan.branches.get(tag), union.variants.get(tag)) {
            (Some((name, plan)), Some(vector)) => Ok((name.as_deref(), Self { plan, vector, index, ..self })),
            _ => Err(missing()),
        }
    }

    pub(super) fn symbol(self, symbols: &'v [String], ordinals: &[i32]) -> Result<&'v str> {
        let ordinal = at(ordinals, self.index)?;
        usize::try_from(ordinal).ok().and_then(|ordinal| symbols.get(ordinal)).map(String::as_str).ok_or_else(
            || Error::value(format!("an enum of {} symbols has no number {ordinal}", symbols.len())),
        )
    }

    /// The value where it is one number or boolean; its vector has been decoded.
    pub(super) fn as_scalar(self) -> Result<Option<Scalar>> {
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

    /// How the value of a logical type is stored.
    fn stored(self) -> Result<Stored<'v>> {
        Ok(match self.vector {
            Vector::Int(values) => Stored::Int(at(values, self.index)?),
            Vector::Long(values) => Stored::Long(at(values, self.index)?),
            Vector::Bytes(values) => Stored::Bytes(values.get(self.index).ok_or_else(missing)?),
            _ => return Err(missing()),
        })
    }

    /// The same, for types that request no string.
    pub(super) fn shown_stored(self) -> Result<Shown<'a, 'v>> {
        Ok(match self.stored()? {
            Stored::Int(value) => Shown::Scalar(Scalar::Int(value)),
            Stored::Long(value) => Shown::Scalar(Scalar::Long(value)),
            Stored::Bytes(bytes) => Shown::Seq(Seq::Bytes(Bytes::from_bytes(bytes))),
        })
    }

    /// Whether it is of a column of 128 bits. One of serde's buffers is about to get it.
    pub(super) fn note_buffered(self) -> Result<bool> {
        let is_wide = self.inner()?.is_some_and(|value| matches!(value.plan, Plan::I128 | Plan::U128));
        if is_wide {
            self.context.has_buffered_wide.set(true);
        }
        Ok(is_wide)
    }

    /// The same, for untyped reads.
    pub(super) fn shown_untyped(self) -> Result<Shown<'a, 'v>> {
        match self.plan {
            Plan::Logical(plan) if !plan.is_text => self.shown_stored(),
            _ => self.shown_text(),
        }
    }

    /// The same, for types that request a string: its string if it has one.
    pub(super) fn shown_text(self) -> Result<Shown<'a, 'v>> {
        match self.logical_text()? {
            Some(text) => Ok(Shown::Made(text)),
            None => self.shown_stored(),
        }
    }

    /// Its text, where it is a value of a logical type that has one.
    pub(super) fn logical_text(self) -> Result<Option<String>> {
        match self.plan {
            Plan::Logical(plan) => Ok(scalar::text(plan.texts, self.stored()?)),
            _ => Ok(None),
        }
    }

    /// The number that is meant by the bytes of a logical type.
    pub(super) fn meant(self, read: impl Fn(Texts, &[u8]) -> Option<Scalar>) -> Result<Option<Scalar>> {
        Ok(match (self.vector, self.plan) {
            (Vector::Bytes(values), Plan::Logical(plan)) => {
                read(plan.texts, values.get(self.index).ok_or_else(missing)?)
            }
            _ => None,
        })
    }

    /// The number that this is as one of the type that a mark names; `None` where it is no number.
    pub(super) fn marked(self, name: &str) -> Result<Option<i64>> {
        let number = match self.as_scalar()? {
            Some(Scalar::Int(value)) => i64::from(value),
            Some(Scalar::Long(value)) => value,
            _ => return Ok(None),
        };
        match self.plan {
            Plan::Logical(plan) => Ok(scalar::marked(name, plan.texts, number)),
            _ => Ok(Some(number)),
        }
    }

    /// What the file says that the value is.
    pub(super) fn shown(self) -> Result<Shown<'a, 'v>> {
        let value = self.read()?;
        let index = value.index;
        Ok(match (value.vector, value.plan) {
            (Vector::Null(_), _) => Shown::Unit,
            (Vector::String(values), _) => Shown::Text(values.get(index).ok_or_else(missing)?),
            (_, Plan::Logical(_)) => Shown::Logical(value),
            // A sequence of numbers is what serde_json makes of bytes, and all its targets take.
            (Vector::Bytes(values), Plan::Plain) => {
                Shown::Seq(Seq::Bytes(Bytes::from_bytes(values.get(index).ok_or_else(missing)?)))
            }
            (Vector::Enum(ordinals), Plan::Enum(symbols)) => Shown::Text(value.symbol(symbols, ordinals)?),
            (Vector::Record(vector), Plan::Record(plan)) => value.shown_record(plan, vector)?,
            (Vector::List(list), Plan::List(plan)) => {
                let range = list.offsets.range(index).ok_or_else(missing)?;
                let first = Self { plan, vector: &list.item, index: range.start, ..value };
                let first = if range.is_empty() { first } else { first.read()? };
                Shown::Seq(Seq::Items(Items::from_first(first, range.end)))
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
    pub(super) fn shown_entries(self, fields: FieldNames) -> Result<Shown<'a, 'v>> {
        match (self.vector, self.plan) {
            (Vector::Map(map), Plan::Map(plans)) => {
                let range = map.offsets.range(self.index).ok_or_else(missing)?;
                let key = Self { plan: &plans.0, vector: &map.key, index: range.start, ..self };
                let value = Self { plan: &plans.1, vector: &map.value, index: range.start, ..self };
                Ok(Shown::Map(Map::Entries(Entries::new(key, value, fields, range.len()))))
            }
            _ => Err(missing()),
        }
    }
}
