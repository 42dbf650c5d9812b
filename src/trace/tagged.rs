//! Adjacently tagged enums: a struct of a tag and a content, which depends on the tag.

use super::access::text;
use super::fault::{Fault, Kind};
use super::node::Node;
use super::record::Record;
use super::tracer::{Below, changed};
use crate::error::Result;
use crate::shape::join::{Rules, join};
use crate::shape::{EnumShape, FieldShape, Name, Null, OptionalShape, RecordShape, Shape};
use serde::de::value::StrDeserializer;
use serde::de::{DeserializeSeed, MapAccess, Visitor};
use serde::{Deserializer, forward_to_deserialize_any};
use std::cell::Cell;

/// An adjacently tagged enum.
#[derive(Debug)]
pub(super) struct Tagged {
    pub(super) name: &'static str,
    /// Name of the type of the tag.
    pub(super) tag_type: &'static str,
    pub(super) tag: &'static str,
    pub(super) content: &'static str,
    pub(super) variants: Vec<Variant>,
}

#[derive(Debug)]
pub(super) struct Variant {
    pub(super) name: &'static str,
    /// Whether it is taken without a content; `None` before that has been tried.
    pub(super) bare: Option<bool>,
    /// Whether it is known to have no content.
    pub(super) unit: bool,
    pub(super) node: Node,
}

impl Variant {
    fn is_complete(&self) -> bool {
        self.bare.is_some() && (self.unit || self.node.is_complete())
    }
}

impl Tagged {
    /// The enum of a struct that is an adjacently tagged one, with the names of tag and content.
    pub(super) fn new(name: &'static str, record: &Record, fields: &'static [&'static str]) -> Option<Self> {
        let ([tag, content], Node::Enum(variants)) = (fields, &record.fields.first()?.node) else {
            return None;
        };
        let variant = |name: &'static str| Variant { name, bare: None, unit: false, node: Node::Unseen };
        variants.is_tag.then(|| Self {
            name,
            tag_type: variants.name,
            tag,
            content,
            variants: variants.variants.iter().map(|(name, _)| variant(name)).collect(),
        })
    }

    /// Gives the first variant that has not been seen in full: first without a content, then with one.
    pub(super) fn visit<'de, V: Visitor<'de>>(
        &mut self,
        below: Below<'_>,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let next = self.variants.iter().position(|variant| !variant.is_complete()).unwrap_or_default();
        let Some(variant) = self.variants.get_mut(next) else {
            return Err(Fault::untraceable(format!("enum {} has no variants", self.name)));
        };
        let bare = variant.bare;
        let none = Cell::new(false);
        let result = visitor.visit_map(Access {
            keys: [Some(self.content).filter(|_| bare.is_some() && !variant.unit), Some(self.tag)],
            is_tag: false,
            variant,
            none: &none,
            below,
        });
        let is_final = matches!(&result, Err(fault) if fault.kind == Kind::Final);
        if bare.is_none() && !is_final {
            variant.bare = Some(result.is_ok());
            below.pass.learn();
        }
        if none.get() {
            variant.unit = true;
            below.pass.learn();
        }
        result
    }

    pub(super) fn is_complete(&self) -> bool {
        !self.variants.is_empty() && self.variants.iter().all(Variant::is_complete)
    }

    /// A struct of both, in which the content takes that of all variants.
    pub(super) fn shape(&self) -> Result<Shape> {
        let symbols = self.variants.iter().map(|variant| Name::Borrowed(variant.name));
        let tag = Shape::Enum(EnumShape::new(self.tag_type, symbols));
        let mut fields = vec![FieldShape::new(self.tag, tag)];
        let mut content = None;
        for variant in self.variants.iter().filter(|variant| !variant.unit) {
            let shape = variant.node.shape().map_err(|error| error.in_field(self.content))?;
            content = Some(match content {
                None => shape,
                Some(before) => join(&before, &shape, Rules::ROWS),
            });
        }
        if let Some(mut content) = content {
            if self.variants.iter().any(|variant| variant.unit) {
                content = Shape::Optional(Box::new(OptionalShape::new(Null::Absent, content)));
            }
            fields.push(FieldShape::new(self.content, content));
        }
        Ok(Shape::Record(RecordShape::new(self.name, fields)))
    }
}

/// Tag and content, to be read.
struct Access<'t> {
    /// What comes next is last.
    keys: [Option<&'static str>; 2],
    is_tag: bool,
    variant: &'t mut Variant,
    none: &'t Cell<bool>,
    below: Below<'t>,
}

impl<'de> MapAccess<'de> for Access<'_> {
    type Error = Fault;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Fault> {
        let [content, tag] = &mut self.keys;
        self.is_tag = tag.is_some();
        match tag.take().or_else(|| content.take()) {
            Some(key) => seed.deserialize(text(key)).map(Some),
            None => Ok(None),
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Fault> {
        if self.is_tag {
            return seed.deserialize(Tag(text(self.variant.name)));
        }
        let bare = self.variant.bare;
        let tracer = self.below.tracer(&mut self.variant.node);
        let value = match bare {
            Some(true) => seed.deserialize(tracer.or_none(self.none)),
            _ => seed.deserialize(tracer),
        };
        value.map_err(|fault| fault.below(self.variant.name))
    }
}

/// The tag: the name of a variant.
struct Tag<'t>(StrDeserializer<'t, Fault>);

impl<'de> Deserializer<'de> for Tag<'_> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, Fault> {
        Err(changed())
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        visitor.visit_enum(self.0)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map struct identifier ignored_any
    }
}
