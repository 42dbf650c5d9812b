//! The variants of enums.

use super::access::{TupleAccess, text, visit_struct};
use super::fault::Fault;
use super::node::Node;
use super::record::Record;
use super::tracer::{Below, changed};
use crate::error::Result;
use crate::shape::{EnumShape, FieldShape, Form, Name, RecordShape, Shape};
use serde::de::{DeserializeSeed, EnumAccess, VariantAccess, Visitor};

/// An enum: the variants, and what is known of each.
#[derive(Debug)]
pub(super) struct Enum {
    pub(super) name: &'static str,
    pub(super) variants: Vec<(&'static str, Content)>,
    /// Whether it is the tag of an adjacently tagged enum.
    pub(super) is_tag: bool,
}

/// What a variant holds.
#[derive(Debug, Default)]
pub(super) enum Content {
    /// Not asked for yet.
    #[default]
    Unseen,
    Unit,
    Newtype(Node),
    /// Fields by name or number.
    Fields(Record),
}

impl Content {
    pub(super) fn is_complete(&self) -> bool {
        match self {
            Self::Unseen => false,
            Self::Unit => true,
            Self::Newtype(node) => node.is_complete(),
            Self::Fields(record) => record.is_complete(),
        }
    }
}

impl Enum {
    pub(super) fn new(name: &'static str, variants: &'static [&'static str], is_tag: bool) -> Self {
        Self { name, variants: variants.iter().map(|name| (*name, Content::Unseen)).collect(), is_tag }
    }

    /// Whether it is of a type of this name and these variants.
    pub(super) fn is_of(&self, name: &str, variants: &[&str]) -> bool {
        self.name == name && self.variants.iter().map(|(name, _)| *name).eq(variants.iter().copied())
    }

    /// Gives the first variant that has not been seen in full.
    pub(super) fn access<'t>(&'t mut self, below: Below<'t>) -> Result<Access<'t>, Fault> {
        let next = self.variants.iter().position(|(_, content)| !content.is_complete()).unwrap_or_default();
        match self.variants.get_mut(next) {
            Some((name, content)) => Ok(Access { name, content, below }),
            None => Err(Fault::untraceable(format!("enum {} has no variants", self.name))),
        }
    }

    pub(super) fn is_complete(&self) -> bool {
        self.variants.iter().all(|(_, content)| content.is_complete())
    }

    pub(super) fn shape(&self) -> Result<Shape> {
        let (mut symbols, mut variants) = (Vec::new(), Vec::new());
        for (name, content) in &self.variants {
            let record = match content {
                Content::Unseen | Content::Unit => {
                    symbols.push(Name::Borrowed(*name));
                    continue;
                }
                Content::Newtype(node) => {
                    let shape = node.shape().map_err(|error| error.in_field(name))?;
                    RecordShape::new(*name, vec![FieldShape::new("_0", shape)])
                        .with_form(Form::NewtypeVariant)
                }
                Content::Fields(record) => record.shape().map_err(|error| error.in_field(name))?,
            };
            variants.push(Shape::Record(record.with_namespace(self.name)));
        }
        let units = || Shape::Enum(EnumShape::new(self.name, symbols.clone()));
        if variants.is_empty() {
            return Ok(units());
        }
        variants.extend((!symbols.is_empty()).then(units));
        Ok(Shape::Union(variants))
    }
}

/// One variant, to be read.
pub(super) struct Access<'t> {
    name: &'static str,
    content: &'t mut Content,
    below: Below<'t>,
}

impl Access<'_> {
    /// Makes the content what is asked for, if nothing was before.
    fn become_content(&mut self, make: impl FnOnce() -> Content) {
        if matches!(self.content, Content::Unseen) {
            *self.content = make();
            self.below.pass.learn();
        }
    }
}

impl<'de> EnumAccess<'de> for Access<'_> {
    type Error = Fault;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Fault> {
        Ok((seed.deserialize(text(self.name))?, self))
    }
}

impl<'de> VariantAccess<'de> for Access<'_> {
    type Error = Fault;

    fn unit_variant(mut self) -> Result<(), Fault> {
        self.become_content(|| Content::Unit);
        match self.content {
            Content::Unit => Ok(()),
            _ => Err(changed()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(mut self, seed: T) -> Result<T::Value, Fault> {
        self.become_content(|| Content::Newtype(Node::Unseen));
        match self.content {
            Content::Newtype(node) => {
                seed.deserialize(self.below.tracer(node)).map_err(|fault| fault.below(self.name))
            }
            _ => Err(changed()),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(mut self, len: usize, visitor: V) -> Result<V::Value, Fault> {
        let name = self.name;
        self.become_content(|| Content::Fields(Record::from_tuple(name, Form::TupleVariant, len)));
        match self.content {
            Content::Fields(record) => {
                let value = visitor.visit_seq(TupleAccess::new(record, self.below));
                value.map_err(|fault| fault.below(name))
            }
            _ => Err(changed()),
        }
    }

    fn struct_variant<V: Visitor<'de>>(
        mut self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let name = self.name;
        self.become_content(|| Content::Fields(Record::from_struct(name, Form::StructVariant, fields)));
        match self.content {
            Content::Fields(record) => {
                visit_struct(record, self.below, visitor).map_err(|fault| fault.below(name))
            }
            _ => Err(changed()),
        }
    }
}
