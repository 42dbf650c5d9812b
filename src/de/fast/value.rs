//! What a value is, whatever type it becomes.

use super::hold::{Hold, View};
use super::node::{Below, Node};
use super::record::Fields;
use super::{Fast, FastPathMiss, Result};
use crate::de::scalar::{self, Scalar};
use crate::logical::{Kind, Stored, Texts};

/// The value of an optional; `None` if it is null.
#[inline(always)]
pub(super) fn some<'n, L: View>(
    offsets: &<L::Hold as Hold>::Offsets,
    item: &'n Node<L::Hold>,
    index: usize,
) -> Result<Option<Fast<'n, L>>> {
    match L::Hold::range(offsets, index) {
        Some(range) if range.is_empty() => Ok(None),
        Some(range) => Ok(Some(Fast { node: item, index: range.start })),
        None => Err(FastPathMiss::new()),
    }
}

impl<'n, L: View> Fast<'n, L> {
    /// All fields of a tuple.
    #[inline(always)]
    pub(super) fn fields(self) -> Fields<'n, L> {
        self.node.record.fields(self.index)
    }

    /// Whether this is a record without fields.
    pub(super) fn is_empty(self) -> bool {
        matches!(&self.node.below, Below::Tuple(rest) | Below::Struct(_, rest) if L::Hold::fields(rest) == 0)
    }

    /// The value within optionals and unions; `None` if it is null. Variants of enums stay.
    pub(super) fn inner(self) -> Result<Option<Self>> {
        let mut value = self;
        loop {
            value = match &value.node.below {
                Below::Optional(_, offsets, item) => match some(offsets, item, value.index)? {
                    Some(some) => some,
                    None => return Ok(None),
                },
                Below::Union(union) => union.value(value.index)?,
                _ => return Ok(Some(value)),
            };
        }
    }

    /// The value as it is stored, where it is one of a logical type.
    pub(super) fn stored(self, texts: Texts) -> Option<Stored<'n>> {
        let Self { node, index } = self;
        match texts.kind() {
            Kind::Int => node.ints.get(index).map(|value| Stored::Int(*value)),
            Kind::Long => node.longs.get(index).map(|value| Stored::Long(*value)),
            Kind::Bytes => L::Hold::bytes(&node.bytes, index).map(Stored::Bytes),
        }
    }

    /// The text of a value of a logical type; `None` where this is no such value, and where it has no text.
    pub(super) fn logical_text(self) -> Option<String> {
        match &self.node.below {
            Below::Logical(plan) => scalar::text(plan.texts, self.stored(plan.texts)?),
            _ => None,
        }
    }

    /// The number that this is as one of the type that a mark names.
    pub(super) fn marked(self, name: &str) -> Option<i64> {
        match self.as_scalar() {
            Ok(Some(Scalar::Int(value))) => self.unit(name, value.into()),
            Ok(Some(Scalar::Long(value))) => self.unit(name, value),
            _ => None,
        }
    }

    fn unit(self, name: &str, value: i64) -> Option<i64> {
        match &self.node.below {
            Below::Logical(plan) => scalar::marked(name, plan.texts, value),
            _ => Some(value),
        }
    }

    /// Whether there is nothing but `Some`s around a null.
    pub(super) fn is_null(self) -> Result<bool> {
        let mut value = self;
        loop {
            value = match &value.node.below {
                Below::Null(_) => return Ok(true),
                Below::Optional(_, offsets, item) => match some(offsets, item, value.index)? {
                    Some(some) => some,
                    None => return Ok(true),
                },
                _ => return Ok(false),
            };
        }
    }

    /// The same as the key of a map: of a logical type it is a text.
    pub(super) fn key_scalar(self) -> Result<Option<Scalar>> {
        if matches!(self.node.below, Below::Logical(_)) { Ok(None) } else { self.as_scalar() }
    }

    /// The value where it is one number or boolean.
    #[inline]
    pub(super) fn as_scalar(self) -> Result<Option<Scalar>> {
        let Self { node, index } = self;
        let scalar = match &node.below {
            Below::Booleans => node.booleans.get(index).map(|value| Scalar::Boolean(*value)),
            Below::Ints => node.ints.get(index).map(|value| Scalar::Int(*value)),
            Below::Longs => node.longs.get(index).map(|value| Scalar::Long(*value)),
            Below::Unsigned => node.unsigned.get(index).map(|value| Scalar::Unsigned(value.cast_unsigned())),
            Below::Floats => node.floats.get(index).map(|value| Scalar::Float(*value)),
            Below::Doubles => node.doubles.get(index).map(|value| Scalar::Double(*value)),
            Below::I128(bytes) => Scalar::wide(L::Hold::bytes(bytes, index), true),
            Below::U128(bytes) => Scalar::wide(L::Hold::bytes(bytes, index), false),
            Below::Logical(plan) => match self.stored(plan.texts) {
                Some(Stored::Int(value)) => Some(Scalar::Int(value)),
                Some(Stored::Long(value)) => Some(Scalar::Long(value)),
                Some(Stored::Bytes(bytes)) => scalar::integer(plan.texts, bytes),
                None => None,
            },
            _ => return Ok(None),
        };
        scalar.map(Some).ok_or_else(FastPathMiss::new)
    }
}
