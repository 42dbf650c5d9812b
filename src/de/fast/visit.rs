//! Values shown to visitors: as what the file says they are, and structs that are not known yet.

use super::hold::{Hold, Lend, View};
use super::list::{Bytes, Items};
use super::map::Entries;
use super::named::NamedFields;
use super::node::Below;
use super::record::{CheckedFields, Record};
use super::union::{self, Tagged};
use super::value::some;
use super::{Fast, FastPathMiss, Result};
use crate::de::key::FieldNames;
use crate::de::plan::RecordPlan;
use crate::de::slow::{Fields, show_fields};
use crate::logical::{MARK, Stored};
use crate::private::{RAW_VALUE, StringStruct, is_buffer, is_json, is_wide, takes_number};
use crate::shape::Null;
use serde::de::Visitor;
use serde::de::value::I64Deserializer;

/// The fields that a struct is given.
enum Found<'n, L: View> {
    /// In its order.
    Positions(&'n Record<L::Hold>, &'n RecordPlan, CheckedFields<'n, L>),
    Names(NamedFields<'n, L>),
    Nothing,
}

impl<'n, L: View> Fast<'n, L> {
    /// What a struct is given that is not known by its address.
    fn struct_fields(self, names: &'static [&'static str]) -> Result<Found<'n, L>> {
        let Some(Self { node, index }) = self.inner()? else {
            return Ok(Found::Nothing);
        };
        Ok(match &node.below {
            Below::Struct(plan, _) if plan.is_asked_by(names) => {
                Found::Positions(&node.record, plan, node.record.checked(index))
            }
            Below::Named(record) => record.of_struct(names, index).map_or(Found::Nothing, Found::Names),
            _ => Found::Nothing,
        })
    }
}

impl<'n, 'de, L: Lend<'n, 'de>> Fast<'n, L> {
    /// A struct that is not known by its address yet.
    // What the value comes back in is a place of its own, or else it is memory that what is read fast would
    // have to pass through too.
    #[inline(never)]
    pub(super) fn struct_elsewhere<V: Visitor<'de>>(
        self,
        names: &'static [&'static str],
        visitor: V,
        place: &mut Option<V::Value>,
    ) {
        match self.struct_fields(names) {
            Ok(Found::Positions(record, plan, fields)) => {
                let value = show_fields::<L::Slow, _, V>(Fields::Fast(fields), visitor);
                if record.end(plan, names, value.is_ok()) {
                    *place = value.ok();
                }
            }
            Ok(Found::Names(fields)) => *place = visitor.visit_map(fields).ok(),
            Ok(Found::Nothing) | Err(_) => {}
        }
    }

    /// The value as the file's own type. Integers of more than 64 bits are strings.
    #[inline(never)]
    pub(super) fn visit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let mut value = self;
        loop {
            let Self { node, index } = value;
            match &node.below {
                Below::Nothing | Below::Unread(_) => return Err(FastPathMiss::new()),
                Below::Null(_) => return visitor.visit_unit(),
                Below::Texts => {
                    let text = L::Hold::lend_text(&node.texts, index).ok_or_else(FastPathMiss::new)?;
                    return L::show_str(text, visitor);
                }
                // A sequence of numbers is what serde_json makes of bytes, and all its targets take.
                Below::Logical(plan) => {
                    if plan.is_text
                        && let Some(text) = value.logical_text()
                    {
                        return visitor.visit_string(text);
                    }
                    return match value.stored(plan.texts).ok_or_else(FastPathMiss::new)? {
                        Stored::Int(value) => visitor.visit_i32(value),
                        Stored::Long(value) => visitor.visit_i64(value),
                        Stored::Bytes(bytes) => visitor.visit_seq(Bytes(bytes)),
                    };
                }
                Below::Bytes => {
                    let bytes = L::Hold::bytes(&node.bytes, index).ok_or_else(FastPathMiss::new)?;
                    return visitor.visit_seq(Bytes(bytes));
                }
                Below::Enum(symbols, ordinals) => {
                    return L::show_str(union::symbol::<L::Hold>(symbols, ordinals, index)?, visitor);
                }
                Below::Struct(..) => return Err(FastPathMiss::new()),
                Below::Named(record) => {
                    return visitor.visit_map(record.all::<L>(index).ok_or_else(FastPathMiss::new)?);
                }
                Below::Tuple(_) => return visitor.visit_seq(value.fields()),
                Below::Variant(plan, record) => {
                    return visitor.visit_map(Tagged::<L>::new(plan, record, index));
                }
                Below::List(offsets, item) => {
                    let range = L::Hold::range(offsets, index).ok_or_else(FastPathMiss::new)?;
                    return visitor.visit_seq(Items::<L>::new(item, range));
                }
                Below::Map(offsets, entry) => {
                    let range = L::Hold::range(offsets, index).ok_or_else(FastPathMiss::new)?;
                    return visitor.visit_map(Entries::<L>::new(entry, FieldNames::Text, range));
                }
                Below::Optional(plan, offsets, item) => match some(offsets, item, index)? {
                    None => return visitor.visit_unit(),
                    Some(some) => {
                        // `Some(None)` and `Some(())` differ from `None` only like this.
                        if plan.null != Null::Absent && some.is_null()? {
                            return visitor.visit_some(some);
                        }
                        value = some;
                    }
                },
                Below::Union(union) => value = union.value(index)?,
                // The slow path knows what to show it.
                Below::I128(_) | Below::U128(_) if is_buffer::<V::Value>() => return Err(FastPathMiss::new()),
                _ => {
                    let scalar = value.as_scalar()?.ok_or_else(FastPathMiss::new)?;
                    return match scalar.wide_text() {
                        Some(_) if is_wide::<V::Value>() => scalar.visit(visitor),
                        Some(_) if takes_number::<V::Value>() => Err(FastPathMiss::new()),
                        Some(text) => visitor.visit_string(text),
                        None => scalar.visit(visitor),
                    };
                }
            }
        }
    }

    /// The value as a text that no vector has: one of a logical type. For a place of its own see
    /// [`Fast::struct_elsewhere`].
    #[cold]
    #[inline(never)]
    pub(super) fn text_elsewhere<V: Visitor<'de>>(self, visitor: V, place: &mut Option<V::Value>) {
        if let Some(text) = self.logical_text() {
            *place = visitor.visit_string::<FastPathMiss>(text).ok();
        }
    }

    /// The value for a newtype struct whose name is a mark.
    #[inline]
    pub(super) fn visit_marked<V: Visitor<'de>>(self, name: &'static str, visitor: V) -> Result<V::Value> {
        if name == RAW_VALUE {
            return self.string_struct(RAW_VALUE, visitor);
        }
        if name.starts_with(MARK)
            && let Some(number) = self.marked(name)
        {
            return visitor.visit_newtype_struct(I64Deserializer::new(number));
        }
        if matches!(self.node.below, Below::Logical(_)) {
            return Err(FastPathMiss::new());
        }
        visitor.visit_newtype_struct(self)
    }

    /// The value for a struct that is the string of its only field.
    #[cold]
    #[inline(never)]
    pub(super) fn string_struct<V: Visitor<'de>>(self, field: &'static str, visitor: V) -> Result<V::Value> {
        match L::Hold::lend_text(&self.node.texts, self.index) {
            Some(text) if field != RAW_VALUE || is_json(&text) => {
                visitor.visit_map(StringStruct::new(field, self))
            }
            Some(_) => Err(FastPathMiss::new()),
            None => self.visit_inner(visitor),
        }
    }

    /// The value as a number, whatever it is within.
    #[inline(never)]
    pub(super) fn visit_scalar<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        let scalar = self.inner()?.map_or(Ok(None), Self::as_scalar)?;
        scalar.ok_or_else(FastPathMiss::new)?.visit(visitor)
    }

    /// The value as what the file says it is, for a value of another kind than was asked for; see [`Fast::struct_elsewhere`].
    #[cold]
    #[inline(never)]
    pub(super) fn visit_other<V: Visitor<'de>>(self, visitor: V, place: &mut Option<V::Value>) {
        *place = self.visit(visitor).ok();
    }

    /// The same, for a value that optionals and unions do not matter to: null is null, also where it is `Some`.
    #[inline(never)]
    pub(super) fn visit_inner<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.inner()? {
            Some(value) => value.visit(visitor),
            None => visitor.visit_unit(),
        }
    }
}
