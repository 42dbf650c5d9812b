//! The shapes just below a shape.

use super::Shape;
use super::branch::{BranchName, branch_name};
use std::slice::from_ref;

/// A shape just below another.
#[derive(Clone, Copy)]
pub(crate) struct Child<'s> {
    /// The name that paths have for it: a field, `key` or `value`, a variant; `None` for items and what is optional.
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
        let named = |(name, shape)| Child { name: Some(BranchName::new(name)), shape };
        let fields = fields.iter().map(|field| (&*field.name, &field.shape)).map(named);
        let halves = halves.into_iter().flatten().map(named);
        let items = items.iter().map(|shape| Child { name: None, shape });
        let variants = variants.iter().map(|shape| Child { name: Some(branch_name(shape)), shape });
        fields.chain(halves).chain(items).chain(variants)
    }

    /// Puts byte strings in place of strings: not of keys of maps, of variants, and of logical types.
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

    /// Puts another shape in place of those below that are wanted, by their number in preorder, from 0, and what they are.
    pub(crate) fn replace(&mut self, with: &Self, mut is_wanted: impl FnMut(u32, &Self) -> bool) {
        self.replace_from(&mut 0, with, &mut is_wanted);
    }

    fn replace_from(&mut self, next: &mut u32, with: &Self, is_wanted: &mut dyn FnMut(u32, &Self) -> bool) {
        let number = *next;
        *next += 1;
        if is_wanted(number, self) {
            *next = number + u32::try_from(self.node_count()).unwrap_or(u32::MAX - number);
            *self = with.clone();
            return;
        }
        let mut below = |shape: &mut Self| shape.replace_from(next, with, is_wanted);
        match self {
            Self::Record(record) => record.fields.iter_mut().for_each(|field| below(&mut field.shape)),
            Self::List(item) => below(item),
            Self::Map(map) => {
                below(&mut map.key);
                below(&mut map.value);
            }
            Self::Optional(optional) => below(&mut optional.item),
            Self::Union(variants) => variants.iter_mut().for_each(below),
            _ => {}
        }
    }

    /// The numbers in preorder, from 0, of the nodes that are unknown.
    pub(crate) fn unknown_nodes(&self) -> Vec<u32> {
        let mut nodes = Vec::new();
        self.push_unknown(&mut 0, &mut nodes);
        nodes
    }

    fn push_unknown(&self, next: &mut u32, nodes: &mut Vec<u32>) {
        if *self == Self::Unknown {
            nodes.push(*next);
        }
        *next += 1;
        self.each_child(|shape| shape.push_unknown(next, nodes));
    }

    /// Calls with the shapes of [`children`](Self::children), without their names.
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
