//! A deserializer that gives made-up values, and notes what is asked for.

use super::access::{EntryAccess, ItemAccess, TupleAccess, visit_struct};
use super::fault::Fault;
use super::leaf::{BYTES, Leaf, NUMBERS, TEXTS};
use super::node::Node;
use super::pass::Pass;
use super::record::Record;
use super::tagged::Tagged;
use super::variant::Enum;
use crate::error::ErrorKind;
use crate::logical::Texts;
use crate::private::{RAW_VALUE, StringStruct};
use crate::ser::TUPLE_COLUMNS_MAX;
use crate::shape::{Form, MAX_DEPTH, Shape};
use serde::de::value::I64Deserializer;
use serde::de::{Deserializer, Visitor};
use std::any::type_name;
use std::cell::Cell;

/// The deserializer of a part of a type.
pub(super) struct Tracer<'t> {
    pub(super) node: &'t mut Node,
    pub(super) pass: &'t Pass,
    depth: usize,
    /// Set where a value of any kind is asked for in place of none; elsewhere that is refused.
    none: Option<&'t Cell<bool>>,
}

/// What comes below a tracer.
#[derive(Clone, Copy)]
pub(super) struct Below<'t> {
    pub(super) pass: &'t Pass,
    depth: usize,
}

impl<'t> Below<'t> {
    pub(super) fn tracer<'n>(self, node: &'n mut Node) -> Tracer<'n>
    where
        't: 'n,
    {
        Tracer { node, pass: self.pass, depth: self.depth, none: None }
    }
}

impl<'t> Tracer<'t> {
    pub(super) fn new(node: &'t mut Node, pass: &'t Pass) -> Self {
        Self { node, pass, depth: 1, none: None }
    }

    /// The same, where there may be no value at all.
    pub(super) fn or_none(self, none: &'t Cell<bool>) -> Self {
        Self { none: Some(none), ..self }
    }

    fn below(&self) -> Result<Below<'t>, Fault> {
        if self.depth > MAX_DEPTH {
            return Err(Fault::from(crate::error::Error::from(ErrorKind::TooDeep { limit: MAX_DEPTH })));
        }
        Ok(Below { pass: self.pass, depth: self.depth + 1 })
    }

    /// Makes the node what is asked for, if nothing was before.
    fn become_node(&mut self, make: impl FnOnce() -> Node) {
        if matches!(self.node, Node::Unseen) {
            *self.node = make();
            self.pass.learn();
        }
    }

    /// A plain value of this shape: the one to give of some.
    fn leaf<T: Copy>(&mut self, shape: Shape, values: &[T], otherwise: T) -> Result<T, Fault> {
        self.become_node(|| Node::Leaf(Leaf::new(shape.clone())));
        match &*self.node {
            Node::Leaf(leaf) if leaf.shape == shape => {
                self.pass.give(leaf);
                Ok(leaf.pick(values, otherwise))
            }
            _ => Err(changed()),
        }
    }
}

/// A type that asks for one thing in one pass and for another in the next.
#[cold]
pub(super) fn changed() -> Fault {
    Fault::untraceable(
        "the type requests values of several kinds here: write rows without a shape, or take the shape of sample rows (Shape::from_rows)",
    )
}

macro_rules! plain {
    ($($deserialize:ident $visit:ident $shape:ident $values:expr, $otherwise:expr;)+) => {$(
        fn $deserialize<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
            let value = self.leaf(Shape::$shape, &$values, $otherwise)?;
            visitor.$visit(value.into())
        }
    )+};
}

/// Integers with sign, which the made-up numbers fit.
macro_rules! signed {
    ($($deserialize:ident $visit:ident $shape:ident $number:ty;)+) => {$(
        fn $deserialize<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
            let value = self.leaf(Shape::$shape, &NUMBERS, 1)?;
            visitor.$visit(<$number>::try_from(value).unwrap_or_default())
        }
    )+};
}

impl<'de> Deserializer<'de> for Tracer<'_> {
    type Error = Fault;

    plain! {
        deserialize_bool visit_bool Boolean [false, true], false;
        deserialize_f32 visit_f32 Float NUMBERS.map(f32::from), 1.0;
        deserialize_f64 visit_f64 Double NUMBERS.map(f64::from), 1.0;
        deserialize_char visit_char String ['a', '1'], 'a';
        deserialize_bytes visit_borrowed_bytes Bytes BYTES, &[];
        deserialize_byte_buf visit_byte_buf Bytes BYTES, &[];
        deserialize_str visit_borrowed_str String TEXTS, "";
        deserialize_string visit_string String TEXTS, "";
    }

    signed! {
        deserialize_i8 visit_i8 Int i8;
        deserialize_i16 visit_i16 Int i16;
        deserialize_i32 visit_i32 Int i32;
        deserialize_i64 visit_i64 Long i64;
        deserialize_i128 visit_i128 I128 i128;
        deserialize_u8 visit_u8 Int u8;
        deserialize_u16 visit_u16 Int u16;
        deserialize_u32 visit_u32 Long u32;
        deserialize_u64 visit_u64 U64 u64;
        deserialize_u128 visit_u128 U128 u128;
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        if let Some(none) = self.none {
            none.set(true);
            return visitor.visit_unit();
        }
        Err(Fault::untraceable(
            "the type takes a value of any kind, which does not tell its shape (it is untagged or internally tagged, \
             has variants with named fields beside a tag, or is a value such as serde_json::Value): write rows \
             without a shape, or take the shape of sample rows (Shape::from_rows)",
        ))
    }

    fn deserialize_option<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        let below = self.below()?;
        self.become_node(|| Node::Option(Box::default()));
        match self.node {
            Node::Option(item) => visitor.visit_some(below.tracer(item)),
            _ => Err(changed()),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        self.leaf(Shape::Null, &[()], ())?;
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        if let Some(shape) = Texts::from_mark(name).and_then(Texts::shape) {
            let mut tracer = self;
            tracer.leaf(shape, &[()], ())?;
            return visitor.visit_newtype_struct(I64Deserializer::new(1));
        }
        if name == RAW_VALUE {
            return visitor.visit_map(StringStruct::new(RAW_VALUE, self));
        }
        self.pass.within::<V, _>(name, &[], || visitor.visit_newtype_struct(self))
    }

    fn deserialize_seq<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        let below = self.below()?;
        self.become_node(|| Node::List(Box::default()));
        match self.node {
            Node::List(item) => visitor.visit_seq(ItemAccess { item, left: 1, below }),
            _ => Err(changed()),
        }
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        self.tuple("", len, visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.pass.within::<V, _>(name, &[], || self.tuple(name, len, visitor))
    }

    fn deserialize_map<V: Visitor<'de>>(mut self, visitor: V) -> Result<V::Value, Fault> {
        let below = self.below()?;
        self.become_node(|| Node::Map(Box::default(), Box::default()));
        match self.node {
            Node::Map(key, value) => visitor.visit_map(EntryAccess { key, value, given: false, below }),
            _ => Err(changed()),
        }
    }

    fn deserialize_struct<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let below = self.below()?;
        self.become_node(|| Node::Record(Record::from_struct(name, Form::Struct, fields)));
        let node = self.node;
        self.pass.within::<V, _>(name, fields, || match node {
            Node::Record(record) if record.is_of(name, fields) => {
                let result = visit_struct(record, below, visitor);
                if let Some(tagged) = Tagged::new(name, record, fields) {
                    *node = Node::Tagged(tagged);
                    below.pass.learn();
                }
                result
            }
            Node::Tagged(tagged) => tagged.visit(below, visitor),
            _ => Err(changed()),
        })
    }

    fn deserialize_enum<V: Visitor<'de>>(
        mut self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let below = self.below()?;
        // The tag of an adjacently tagged enum, which is asked for by serde itself.
        let is_tag = type_name::<V>().contains("AdjacentlyTaggedEnumVariant");
        self.become_node(|| Node::Enum(Enum::new(name, variants, is_tag)));
        let node = self.node;
        self.pass.within::<V, _>(name, variants, || match node {
            Node::Enum(node) if node.is_of(name, variants) => visitor.visit_enum(node.access(below)?),
            _ => Err(changed()),
        })
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_str(visitor)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.deserialize_unit(visitor)
    }
}

impl Tracer<'_> {
    fn tuple<'de, V: Visitor<'de>>(
        mut self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let below = self.below()?;
        if len > TUPLE_COLUMNS_MAX {
            self.become_node(|| Node::List(Box::default()));
            return match self.node {
                Node::List(item) => visitor.visit_seq(ItemAccess { item, left: len, below }),
                _ => Err(changed()),
            };
        }
        self.become_node(|| Node::Record(Record::from_tuple(name, Form::Tuple, len)));
        match self.node {
            Node::Record(record) if record.fields.len() == len => {
                visitor.visit_seq(TupleAccess::new(record, below))
            }
            _ => Err(changed()),
        }
    }
}
