//! Batches into serde values: each value is taken from the vector of its node, by position.

mod access;
mod context;
mod key;
mod plan;
mod variant;

pub(crate) use context::{Borrowed, Context, Lend, Load, Transient};
pub(crate) use plan::Plan;

use crate::error::{Error, Result};
use crate::shape::{Form, Null};
use crate::vector::{ListVector, RecordVector, UnionVector, Vector};
use access::{
    BytesAccess, FieldsAccess, First, FirstAccess, ItemsAccess, MapEntries, Order, Positions,
    PositionsAccess, TupleAccess,
};
use plan::RecordPlan;
use serde::de::{self, Visitor};
use std::marker::PhantomData;

impl Context<'_> {
    /// Deserializes an entry with a seed, which can be tried only once.
    #[inline]
    pub(crate) fn seed<'de, S: de::DeserializeSeed<'de>>(
        &self,
        seed: S,
        plan: &Plan,
        vector: &Vector,
        index: usize,
    ) -> Result<S::Value> {
        let entry = Entry::<Transient> { plan, vector, index, context: self, lend: PhantomData };
        let value = seed.deserialize(entry.de());
        if self.left_over.get() && value.is_ok() { Err(left_over()) } else { value }
    }

    /// Deserializes an entry. Structs take their fields by position where they can; a type that does
    /// not like that gets them by name, now and later.
    #[inline]
    pub(crate) fn entry<'v, 'de, L: Lend<'v, 'de>, T: de::Deserialize<'de>>(
        &self,
        plan: &Plan,
        vector: &'v Vector,
        index: usize,
    ) -> Result<T> {
        let entry = Entry::<L> { plan, vector, index, context: self, lend: PhantomData };
        self.positions_used.set(false);
        let value = T::deserialize(entry.de());
        let fits = value.is_ok() && !self.left_over.get();
        if fits || !self.positions_used.get() || self.names_only.get() {
            return value;
        }
        self.names_only.set(true);
        let again = T::deserialize(entry.de());
        self.names_only.set(again.is_ok());
        again
    }
}

/// One value: an entry of a vector.
pub(crate) struct Entry<'a, 'v, L> {
    plan: &'a Plan,
    vector: &'v Vector,
    index: usize,
    context: &'a Context<'a>,
    lend: PhantomData<L>,
}

/// A value on its way to a visitor. Two words, which pass in registers.
pub(crate) struct De<'n, 'a, 'v, L> {
    /// The entry, but for its index.
    base: &'n Entry<'a, 'v, L>,
    index: usize,
}

impl<L> Clone for De<'_, '_, '_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for De<'_, '_, '_, L> {}

impl<'a, 'v, L> De<'_, 'a, 'v, L> {
    #[inline(always)]
    fn entry(self) -> Entry<'a, 'v, L> {
        Entry { index: self.index, ..*self.base }
    }
}

impl<L> Clone for Entry<'_, '_, L> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<L> Copy for Entry<'_, '_, L> {}

#[cold]
fn missing() -> Error {
    Error::value("a column has fewer values than its lengths say")
}

#[inline]
fn at<T: Copy>(values: &[T], index: usize) -> Result<T> {
    values.get(index).copied().ok_or_else(missing)
}

/// The item of an optional, if it is there.
#[inline]
fn item(list: &ListVector, index: usize) -> Result<Option<usize>> {
    let range = list.offsets.range(index).ok_or_else(missing)?;
    Ok((!range.is_empty()).then_some(range.start))
}

impl<'a, 'v, L> Entry<'a, 'v, L> {
    #[inline(always)]
    fn de(&self) -> De<'_, 'a, 'v, L> {
        De { base: self, index: self.index }
    }

    /// This value, its vector decoded.
    #[inline]
    fn loaded(self) -> Result<Self> {
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
    fn inner(self) -> Result<Option<Self>> {
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

    /// The branch of a union: its name and value.
    #[inline]
    fn branch(self, union: &'v UnionVector, plans: &'a [(String, Plan)]) -> Result<(&'a str, Self)> {
        let tag = usize::from(at(&union.tags, self.index)?);
        let index = at(&union.positions, self.index)? as usize;
        match (plans.get(tag), union.variants.get(tag)) {
            (Some((name, plan)), Some(vector)) => Ok((name, Self { plan, vector, index, ..self })),
            _ => Err(missing()),
        }
    }

    /// A field of a record; none where it is absent.
    #[inline]
    fn field(self, record: &'a RecordPlan, vector: &'v RecordVector, number: usize) -> Result<Option<Self>> {
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

    fn symbol(self, symbols: &'a [String], ordinals: &[i32]) -> Result<&'a str> {
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
    fn visit_list<'de, V: Visitor<'de>>(
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
            Form::Struct => visitor.visit_map(FieldsAccess::new(self, record, vector, Order::All)),
            Form::Tuple => visitor.visit_seq(TupleAccess::new(self, record, vector)),
            _ => visitor.visit_map(variant::Tagged::new(self, record, vector)),
        }
    }

    fn visit_map_entries<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        match (self.vector, self.plan) {
            (Vector::Map(map), Plan::Map(plans)) => {
                let range = map.offsets.range(self.index).ok_or_else(missing)?;
                let key = Self { plan: &plans.0, vector: &map.key, index: range.start, ..self };
                let value = Self { plan: &plans.1, vector: &map.value, index: range.start, ..self };
                visitor.visit_map(MapEntries::new(key, value, range.len()))
            }
            _ => Err(missing()),
        }
    }

    /// The value as what the file says it is.
    #[inline(never)]
    fn visit<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value>
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
            (Vector::Map(_), Plan::Map(_)) => value.visit_map_entries(visitor),
            (Vector::Optional(list), Plan::Optional(plan)) => match item(list, index)? {
                None => visitor.visit_unit(),
                Some(index) => {
                    let some = Self { plan: &plan.item, vector: &list.item, index, ..value };
                    // `Some(None)` and `Some(())` differ from `None` only like this.
                    let nested = match &plan.item {
                        Plan::Optional(..) => true,
                        Plan::Plain => matches!(some.loaded()?.vector, Vector::Null(_)),
                        _ => false,
                    };
                    if nested && plan.null != Null::Absent {
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

/// Methods for numbers: the two vectors that mostly hold them first, then whatever is there.
macro_rules! numbers {
    ($($method:ident)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match (self.base.vector, self.base.plan) {
                (Vector::Int(values), _) => visitor.visit_i32(at(values, self.index)?),
                (Vector::Long(values), Plan::Plain) => visitor.visit_i64(at(values, self.index)?),
                _ => self.entry().visit(visitor),
            }
        })*
    };
}

macro_rules! text {
    ($($method:ident)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.base.vector {
                Vector::String(values) => L::text(values.get(self.index).ok_or_else(missing)?, visitor),
                _ => self.entry().visit(visitor),
            }
        })*
    };
}

macro_rules! bytes {
    ($($method:ident)*) => {
        $(#[inline(always)]
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
            match self.entry().inner()? {
                Some(value) => match (value.vector, value.plan) {
                    (Vector::Bytes(values), Plan::Plain) => {
                        L::bytes(values.get(value.index).ok_or_else(missing)?, visitor)
                    }
                    _ => value.visit(visitor),
                },
                None => visitor.visit_unit(),
            }
        })*
    };
}

impl<'v, 'de, L: Lend<'v, 'de>> de::Deserializer<'de> for De<'_, '_, 'v, L> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        self.entry().visit(visitor)
    }

    #[inline(always)]
    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.base.vector {
            Vector::Boolean(values) => visitor.visit_bool(at(values, self.index)?),
            _ => self.entry().visit(visitor),
        }
    }

    numbers! {
        deserialize_i8 deserialize_i16 deserialize_i32 deserialize_i64 deserialize_i128
        deserialize_u8 deserialize_u16 deserialize_u32 deserialize_u64 deserialize_u128
    }

    #[inline(always)]
    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.base.vector {
            Vector::Float(values) => visitor.visit_f32(at(values, self.index)?),
            _ => self.entry().visit(visitor),
        }
    }

    #[inline(always)]
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.base.vector {
            Vector::Double(values) => visitor.visit_f64(at(values, self.index)?),
            _ => self.entry().visit(visitor),
        }
    }

    text! { deserialize_char deserialize_str deserialize_string deserialize_identifier }

    bytes! { deserialize_bytes deserialize_byte_buf }

    #[inline(always)]
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match (self.base.vector, self.base.plan) {
            (Vector::Optional(list), Plan::Optional(plan)) => match item(list, self.index)? {
                Some(index) => {
                    let some = Entry { plan: &plan.item, vector: &list.item, index, ..*self.base };
                    visitor.visit_some(some.de())
                }
                None => visitor.visit_none(),
            },
            (Vector::Null(_), _) => visitor.visit_none(),
            (Vector::Lazy(_), _) => self.entry().lazy_option(visitor),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.entry().inner()? {
            Some(value) => value.visit(visitor),
            None => visitor.visit_unit(),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _name: &'static str, visitor: V) -> Result<V::Value> {
        self.deserialize_unit(visitor)
    }

    #[inline]
    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value> {
        visitor.visit_newtype_struct(self)
    }

    #[inline]
    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match (self.base.vector, self.base.plan) {
            (Vector::List(list), Plan::List(plan)) => self.entry().visit_list(list, plan, visitor),
            _ => match self.entry().inner()? {
                Some(value) => value.visit(visitor),
                None => visitor.visit_unit(),
            },
        }
    }

    #[inline]
    fn deserialize_tuple<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value> {
        match (self.base.vector, self.base.plan) {
            (Vector::Record(vector), Plan::Record(record)) if record.is_whole_tuple() => {
                let (fields, vectors) = (&*record.fields, &*vector.fields);
                let first = First { fields, vectors, index: self.index, context: self.base.context };
                visitor.visit_seq(FirstAccess::<L>::new(&first))
            }
            _ => self.deserialize_seq(visitor),
        }
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value> {
        self.deserialize_tuple(len, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        match self.entry().inner()? {
            Some(value) => value.visit(visitor),
            None => visitor.visit_unit(),
        }
    }

    #[inline(always)]
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        match (self.base.vector, self.base.plan) {
            (Vector::Record(vector), Plan::Record(record)) if record.form == Form::Struct => {
                self.entry().visit_struct(record, vector, fields, visitor)
            }
            _ => self.entry().struct_elsewhere(fields, visitor),
        }
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value> {
        variant::visit_enum(self.entry(), variants, visitor)
    }

    /// Nothing is decoded for what is ignored.
    #[inline]
    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value> {
        visitor.visit_unit()
    }
}

impl<'a, 'v, L> Entry<'a, 'v, L> {
    /// A struct within optionals and unions, or something else in place of one.
    #[inline(never)]
    fn struct_elsewhere<'de, V: Visitor<'de>>(
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
    fn lazy_option<'de, V: Visitor<'de>>(self, visitor: V) -> Result<V::Value>
    where
        L: Lend<'v, 'de>,
    {
        use de::Deserializer as _;
        self.loaded()?.de().deserialize_option(visitor)
    }

    /// The first struct read from a record gets all names, so that it may refuse those it does not
    /// know; later ones get what they have fields for.
    #[inline(always)]
    fn visit_struct<'de, V: Visitor<'de>>(
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
                    if self.context.taken.get() != positions.len() {
                        self.context.left_over.set(true);
                    }
                    value
                }
                _ => {
                    visitor.visit_map(FieldsAccess::new(self, record, vector, Order::Listed(&mapping.listed)))
                }
            },
            None => visitor.visit_map(FieldsAccess::new(self, record, vector, Order::Known(fields))),
        }
    }
}

#[cold]
fn left_over() -> Error {
    Error::value("a struct left fields over")
}
