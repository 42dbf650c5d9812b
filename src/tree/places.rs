//! The path of each node, as projections and messages have it.

use super::{NodeId, Slot};
use crate::shape::Shape;
use crate::shape::children::Child;

/// Where in the rows a node is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The path, as projections take it; a variant of a union has its short name.
    pub(crate) path: String,
    /// The names of the path; a variant of a union has its full name.
    pub(crate) names: Vec<String>,
}

/// Calls with what is stored for each node of a shape, its shape, and its place. Of what shares a column, the
/// outer comes first.
pub(crate) fn each(shape: &Shape, mut call: impl FnMut(Slot, &Shape, &Place)) {
    Walk { next: 0, place: Place::default(), call: &mut call }.node(shape);
}

struct Walk<'c> {
    next: NodeId,
    place: Place,
    call: &'c mut dyn FnMut(Slot, &Shape, &Place),
}

impl Walk<'_> {
    fn node(&mut self, shape: &Shape) {
        (self.call)(Slot::Own(self.next), shape, &self.place);
        self.next += 1;
        let is_union = matches!(shape, Shape::Union(_));
        for Child { name, shape } in shape.children() {
            let length = self.place.path.len();
            if let Some(name) = name {
                push_name(&mut self.place.path, name.name);
                self.place.names.push(name.full().into_owned());
            }
            if is_union {
                (self.call)(Slot::Presence(self.next), shape, &self.place);
            }
            self.node(shape);
            self.place.path.truncate(length);
            self.place.names.truncate(self.place.names.len() - usize::from(name.is_some()));
        }
    }
}

/// Appends a name to a path.
pub(crate) fn push_name(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}
