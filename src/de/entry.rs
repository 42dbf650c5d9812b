//! One value, as an entry of a vector: what is behind a deserializer.

use super::access::{
    BytesAccess, FieldsAccess, First, FirstAccess, ItemsAccess, MapEntries, Order, Positions,
    PositionsAccess, TupleAccess,
};
use super::key::FieldNames;
use super::plan::RecordPlan;
use super::{Context, De, Lend, Plan, variant};
use crate::error::{Error, Result};
use crate::shape::{Form, Name, Null};
use crate::vector::{ListVector, RecordVector, UnionVector, Vector};
use serde::de::{self, Visitor};
use std::marker::PhantomData;

/// One value: an entry of a vector.
pub(crate) struct Entry<'a, 'v, L> {
    pub(super) plan: &'a Plan,
    pub(super) vector: &'v Vector,
    pub(super) index: usize,
    pub(super) context: &'a Context<'a>,
    pub(super) lend: PhantomData<L>,
}

impl<L> Clone for Entry<'_, '_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Entry<'_, '_, L> {}

#[cold]
pub(super) fn missing() -> Error {
    Error::value("a column has fewer values than its lengths say")
}

#[inline]
pub(super) fn at<T: Copy>(values: &[T], index: usize) -> Result<T> {
    values.get(index).copied().ok_or_else(missing)
}

/// The item of an optional, if it is there.
#[inline]
pub(super) fn item(list: &ListVector, index: usize) -> Result<Option<usize>> {
    let range = list.offsets.range(index).ok_or_else(missing)?;
    Ok((!range.is_empty()).then_some(range.start))
}

impl<'a, 'v, L> Entry<'a, 'v, L> {
    #[inline(always)]
    pub(super) fn de(&self) -> De<'_, 'a, 'v, L> {
        De { base: self, index: self.index }
    }

    /// This value, its vector decoded.
    #[inline]
    pub(super) fn loaded(self) -> Result<Self> {
        match self.vector {
            Vector::Lazy(lazy) => {
                let loader = self.context.loader.ok_or_else(|| Error::value("a column was not decoded"))?;
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
                (Vector::Union(union), Plan::Union(plans)) => value.branch(union, plans)?.1.loaded()?,
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
    #[inline]
    pub(super) fn branch(
        self,
        union: &'v UnionVector,
        plans: &'a [(Option<Name>, Plan)],
    ) -> Result<(Option<&'a str>, Self)> {
        let tag = usize::from(at(&union.tags, self.index)?);
        let index = at(&union.positions, self.index)? as usize;
        match (plans.get(tag), union.variants.get(tag)) {
            (Some((name, plan)), Some(vector)) => Ok((name.as_deref(), Self { plan, vector, index, ..self })),
            _ => Err(missing()),
        }
    }

    /// A field of a record; none where it is absent.
    #[inline]
    pub(super) fn field(
        self,
        record: &'a RecordPlan,
        vector: &'v RecordVector,
        number: usize,
    ) -> Result<Option<Self>> {
        let (Some(field), Some(vector)) = (record.fields.get(number), vector.fields.get(number)) else {
            return Err(missing());
        };
        let value = Self { plan: &field.plan, vector, ..self };
        if !field.absent {
            return Ok(Some(value));
        }
        let value = value.loaded()?;
        match (value.vector, value.plan) {
            (Vector::Optional(list), Plan::Optional(plan)) => {
                let index = item(list, value.index)?;
                Ok(index.map(|index| Self { plan: &plan.item, vector: &list.item, index, ..value }))
            }
            _ => Ok(Some(value)),
        }
    }

    /// Whether this is a symbol, one of these variants.
    pub(super) fn is_symbol_of(self, variants: &[&str]) -> Result<bool> {
        let value = self.loaded()?;
        match (value.vector, value.plan) {
            (Vector::Enum(ordinals), Plan::Enum(symbols)) => {
                Ok(variants.contains(&value.symbol(symbols, ordinals)?))
            }
            _ => Ok(false),
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
}

impl<'a, 'v, L> Entry<'a, 'v, L> {
    fn visit_i128<'de, V: Visitor<'de>>(self, value: i128, visitor: V) -> Result<V::Value> {
        if let Ok(value) = i64::try_from(value) {
            visitor.visit_i64(value)
        } else if let Ok(value) = u64::try_from(value) {
            visitor.visit_u64(value)
        } else {
            visitor.visit_i128(value)
        }
    }

    /// An integer of 128 bits from its 16 bytes.
    fn wide<'de, V: Visitor<'de>>(self, bytes: Option<&[u8]>, signed: bool, visitor: V) -> Result<V::Value> {
        let bytes: [u8; 16] = bytes.and_then(|bytes| bytes.try_into().ok()).ok_or_else(missing)?;
        let value = i128::from_be_bytes(bytes);
        if !signed && value < 0 {
            visitor.visit_u128(value.cast_unsigned())
        } else {
            self.visit_i128(value, visitor)
        }
    }

    #[inline]
    pub(super) fn visit_list<'de, V: Visitor<'de>>(
        self,
        list: &'v ListVector,
        plan: &'a Plan,
        visitor: V,
    ) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        let range = list.offsets.range(self.index).ok_or_else(missing)?;
        let first = Self { plan, vector: &list.item, index: range.start, ..self };
        let first = if range.is_empty() { first } else { first.loaded()? };
        visitor.visit_seq(ItemsAccess::new(&first, range.end))
    }

    fn visit_record<'de, V: Visitor<'de>>(
        self,
        record: &'a RecordPlan,
        vector: &'v RecordVector,
        visitor: V,
    ) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        match record.form {
            Form::Struct => {
                self.announce_all(record, vector)?;
                visitor.visit_map(FieldsAccess::new(self, record, vector, Order::All))
            }
            Form::Tuple => {
                self.announce_all(record, vector)?;
                visitor.visit_seq(TupleAccess::new(self, record, vector))
            }
            _ => visitor.visit_map(variant::Tagged::new(self, record, vector)),
        }
    }

    pub(super) fn visit_map_entries<'de, V: Visitor<'de>>(
        self,
        fields: FieldNames,
        visitor: V,
    ) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        match (self.vector, self.plan) {
            (Vector::Map(map), Plan::Map(plans)) => {
                let range = map.offsets.range(self.index).ok_or_else(missing)?;
                let key = Self { plan: &plans.0, vector: &map.key, index: range.start, ..self };
                let value = Self { plan: &plans.1, vector: &map.value, index: range.start, ..self };
                visitor.visit_map(MapEntries::new(key, value, fields, range.len()))
            }
            _ => Err(missing()),
        }
    }

    /// The value as what the file says it is.
    #[inline(never)]
    pub(super) fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        let value = self.loaded()?;
        let index = value.index;
        match (value.vector, value.plan) {
            (Vector::Null(_), _) => visitor.visit_unit(),
            (Vector::Boolean(values), _) => visitor.visit_bool(at(values, index)?),
            (Vector::Int(values), _) => visitor.visit_i32(at(values, index)?),
            (Vector::Long(values), Plan::U64) => visitor.visit_u64(at(values, index)?.cast_unsigned()),
            (Vector::Long(values), _) => visitor.visit_i64(at(values, index)?),
            (Vector::Float(values), _) => visitor.visit_f32(at(values, index)?),
            (Vector::Double(values), _) => visitor.visit_f64(at(values, index)?),
            (Vector::String(values), _) => L::text(values.get(index).ok_or_else(missing)?, visitor),
            (Vector::Bytes(values), Plan::I128) => value.wide(values.get(index), true, visitor),
            (Vector::Bytes(values), Plan::U128) => value.wide(values.get(index), false, visitor),
            // A sequence of numbers is what serde_json makes of bytes, and all its targets take.
            (Vector::Bytes(values), _) => {
                visitor.visit_seq(BytesAccess::new(values.get(index).ok_or_else(missing)?))
            }
            (Vector::Enum(ordinals), Plan::Enum(symbols)) => {
                visitor.visit_str(value.symbol(symbols, ordinals)?)
            }
            (Vector::Record(vector), Plan::Record(record)) => value.visit_record(record, vector, visitor),
            (Vector::List(list), Plan::List(plan)) => value.visit_list(list, plan, visitor),
            (Vector::Map(_), Plan::Map(_)) => value.visit_map_entries(FieldNames::Text, visitor),
            (Vector::Optional(list), Plan::Optional(plan)) => match item(list, index)? {
                None => visitor.visit_unit(),
                Some(index) => {
                    let some = Self { plan: &plan.item, vector: &list.item, index, ..value };
                    // `Some(None)` and `Some(())` differ from `None` only like this.
                    if plan.null != Null::Absent && some.is_null()? {
                        visitor.visit_some(some.de())
                    } else {
                        some.visit(visitor)
                    }
                }
            },
            (Vector::Union(union), Plan::Union(plans)) => value.branch(union, plans)?.1.visit(visitor),
            _ => Err(missing()),
        }
    }
}

impl<'a, 'v, L> Entry<'a, 'v, L> {
    /// A struct within optionals and unions, or something else in place of one.
    #[inline(never)]
    pub(super) fn struct_elsewhere<'de, V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        let Some(value) = self.inner()? else {
            return visitor.visit_unit();
        };
        match (value.vector, value.plan) {
            (Vector::Record(vector), Plan::Record(record)) if record.form == Form::Struct => {
                value.visit_struct_elsewhere(record, vector, fields, visitor)
            }
            _ => value.visit(visitor),
        }
    }

    #[cold]
    pub(super) fn lazy_option<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        use de::Deserializer as _;
        self.loaded()?.de().deserialize_option(visitor)
    }

    /// The first struct read from a record gets all names, so that it may refuse those it does not
    /// know; later ones get what they have fields for.
    #[inline(always)]
    pub(super) fn visit_struct<'de, V: Visitor<'de>>(
        self,
        record: &'a RecordPlan,
        vector: &'v RecordVector,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        match self.first(record, vector, fields) {
            Some(first) => {
                // Returned as it is: a look into it would cost a copy.
                let value = visitor.visit_seq(FirstAccess::<L>::new(&first));
                if self.context.taken.get() != fields.len() {
                    self.context.left_over.set(true);
                } else if let Some(mapping) = record.mapping.get() {
                    mapping.note_taken();
                }
                value
            }
            None => self.visit_struct_elsewhere(record, vector, fields, visitor),
        }
    }

    /// The fields of a struct, if they are the first of the record, in its order.
    #[inline]
    fn first(
        self,
        record: &'a RecordPlan,
        vector: &'v RecordVector,
        fields: &'static [&'static str],
    ) -> Option<First<'a, 'v>> {
        if !record.begins_with(fields) || self.context.names_only.get() {
            return None;
        }
        self.context.positions_used.set(true);
        self.context.taken.set(0);
        Some(First {
            record,
            fields: record.fields.get(..fields.len())?,
            vectors: vector.fields.get(..fields.len())?,
            index: self.index,
            context: self.context,
        })
    }

    /// [`Entry::visit_struct`] for what is not read as it was written.
    #[inline(never)]
    fn visit_struct_elsewhere<'de, V: Visitor<'de>>(
        self,
        record: &'a RecordPlan,
        vector: &'v RecordVector,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        match record.mapping_of(fields) {
            Some(mapping) => match &mapping.positions {
                Some(positions) if !self.context.names_only.get() => {
                    self.context.positions_used.set(true);
                    self.context.taken.set(0);
                    let Self { index, context, .. } = self;
                    let fields = Positions { record, vector, positions, index, context };
                    let value = visitor.visit_seq(PositionsAccess::<L>::new(&fields));
                    if self.context.taken.get() == positions.len() {
                        mapping.note_taken();
                    } else {
                        self.context.left_over.set(true);
                    }
                    value
                }
                _ => {
                    visitor.visit_map(FieldsAccess::new(self, record, vector, Order::Listed(&mapping.listed)))
                }
            },
            None => {
                self.announce(record, vector, |name| fields.contains(&name))?;
                visitor.visit_map(FieldsAccess::new(self, record, vector, Order::Known(fields)))
            }
        }
    }

    /// Tells of all fields, if they have not been decoded.
    #[inline]
    fn announce_all(&self, record: &RecordPlan, vector: &RecordVector) -> Result<()> {
        match vector.fields.first() {
            Some(Vector::Lazy(lazy)) if lazy.get().is_none() => self.announce(record, vector, |_| true),
            _ => Ok(()),
        }
    }

    /// Tells of fields that are about to be looked at, but have not been decoded.
    #[cold]
    pub(super) fn announce(
        &self,
        record: &RecordPlan,
        vector: &RecordVector,
        wanted: impl Fn(&str) -> bool,
    ) -> Result<()> {
        let lazy = record.fields.iter().zip(&vector.fields).filter_map(|(field, vector)| match vector {
            Vector::Lazy(lazy) if lazy.get().is_none() && wanted(record.name_of(field)) => Some(lazy.node()),
            _ => None,
        });
        if let Some(loader) = self.context.loader {
            let mut nodes: Vec<u32> = lazy.collect();
            nodes.sort_unstable();
            loader.announce(&nodes)?;
        }
        Ok(())
    }
}
