//! One value, as an entry of a vector.

use super::list::{Bytes, Items, Seq};
use super::map::{Entries, Map};
use super::value::Value;
use super::{FieldNames, Load, Scalar, Shown};
use crate::de::Plan;
use crate::de::plan::UnionPlan;
use crate::error::{Error, Result};
use crate::shape::Null;
use crate::vector::{ListVector, UnionVector, Vector};

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
    pub(super) fn shown_entries(self, fields: FieldNames) -> Result<Shown<'a, 'v>> {
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
