//! The shapes just below a shape.

use super::Shape;
use super::branch::{BranchName, branch_name};
use std::slice::from_ref;

/// A shape just below another.
#[derive(Clone, Copy)]
pub(crate) struct Child<'s> {
    /// The name that paths have for it: a field, `key` or `value`, a variant; none for items and what is optional.
    pub(crate) name: Option<BranchName<'s>>,
    pub(crate) shape: &'s Shape,
}

impl Shape {
    /// The shapes just below: fields, an item, key and value, variants.
    pub(crate) fn children(&self) -> impl Iterator<Item = Child<'_>> + Clone {
        let (mut fields, mut halves, mut items, mut variants) = (&[][..], None, &[][..], &[][..]);
        match self {
            Self::Record(record) => fields = &record.fields,
            Self::Map(map) => halves = Some([("key", &map.key), ("value", &map.value)]),
            Self::List(item) => items = from_ref(&**item),
            Self::Optional(optional) => items = from_ref(&optional.item),
            Self::Union(branches) => variants = branches,
            _ => {}
        }
        let named = |(name, shape)| Child { name: Some(BranchName::of(name)), shape };
        let fields = fields.iter().map(|field| (&*field.name, &field.shape)).map(named);
        let halves = halves.into_iter().flatten().map(named);
        let items = items.iter().map(|shape| Child { name: None, shape });
        let variants = variants.iter().map(|shape| Child { name: Some(branch_name(shape)), shape });
        fields.chain(halves).chain(items).chain(variants)
    }

    /// Puts byte strings in place of texts: not of keys of maps, of variants, and of logical types.
    pub(crate) fn put_bytes(&mut self) {
        match self {
            Self::String => *self = Self::Bytes,
            Self::Record(record) => record.fields.iter_mut().for_each(|field| field.shape.put_bytes()),
            Self::List(item) => item.put_bytes(),
            Self::Map(map) => map.value.put_bytes(),
            Self::Optional(optional) => optional.item.put_bytes(),
            _ => {}
        }
    }

    /// Calls with the shapes of [`children`](Self::children), whose names nobody asks for.
    pub(crate) fn each_child<'s>(&'s self, mut call: impl FnMut(&'s Self)) {
        match self {
            Self::Record(record) => record.fields.iter().for_each(|field| call(&field.shape)),
            Self::Map(map) => {
                call(&map.key);
                call(&map.value);
            }
            Self::List(item) => call(item),
            Self::Optional(optional) => call(&optional.item),
            Self::Union(variants) => variants.iter().for_each(call),
            _ => {}
        }
    }
}
