//! The path of each node, as projections and messages have it.

use super::{NodeId, Slot};
use crate::path::{Named, Root, format, named_with_paths};
use crate::shape::Shape;
use std::borrow::Cow;

/// Where in the rows a node is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The path that means it; a variant of a union has its short name, where no other has the same.
    pub(crate) path: String,
    /// The names of the path; a variant of a union has its full name.
    pub(crate) names: Vec<String>,
}

/// Calls with what is stored for each node of a shape, its shape, and the names of its path. Of what shares a column, the
/// outer comes first.
pub(crate) fn each<'s>(shape: &'s Shape, mut call: impl FnMut(Slot, &'s Shape, &Names<'s>)) {
    Walk { next: 0, names: Names::default(), call: &mut call }.node(shape);
}

/// The names on the way to a node, and those that paths have for the same.
#[derive(Default)]
pub(crate) struct Names<'s>(Vec<(Named<'s>, Cow<'s, str>)>);

impl Names<'_> {
    pub(crate) fn place(&self) -> Place {
        Place { path: format(self.0.iter().map(|(_, name)| name)), names: self.exact() }
    }

    /// The exact names: of variants the full ones.
    pub(crate) fn exact(&self) -> Vec<String> {
        self.0.iter().map(|(named, _)| named.name().into_owned()).collect()
    }
}

struct Walk<'s, 'c> {
    next: NodeId,
    names: Names<'s>,
    call: &'c mut dyn FnMut(Slot, &'s Shape, &Names<'s>),
}

impl<'s> Walk<'s, '_> {
    fn node(&mut self, shape: &'s Shape) {
        (self.call)(Slot::Own(self.next), shape, &self.names);
        self.next += 1;
        if let Shape::List(item) = shape {
            return self.node(item);
        }
        if let Shape::Optional(optional) = shape {
            return self.node(&optional.item);
        }
        let is_union = matches!(shape, Shape::Union(_));
        for (named, name) in named_with_paths(Root::Shape(shape)) {
            self.names.0.push((named, name));
            if is_union {
                (self.call)(Slot::Presence(self.next), named.shape(), &self.names);
            }
            self.node(named.shape());
            self.names.0.pop();
        }
    }
}
