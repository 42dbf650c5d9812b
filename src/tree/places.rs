//! The path of each node, as projections and messages have it.

use super::{NodeId, Slot};
use crate::shape::Shape;
use crate::shape::branch::branch_name;

/// Where in the rows a node is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Place {
    /// The path, as projections take it; a variant of a union has its short name.
    pub(crate) path: String,
    /// The names of the path; a variant of a union has its full name.
    pub(crate) names: Vec<String>,
}

impl Place {
    fn below<R>(&mut self, short: &str, full: String, call: impl FnOnce(&mut Self) -> R) -> R {
        let length = self.path.len();
        if length > 0 {
            self.path.push('.');
        }
        self.path.push_str(short);
        self.names.push(full);
        let result = call(self);
        self.path.truncate(length);
        self.names.pop();
        result
    }
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
        match shape {
            Shape::Record(record) => {
                record.fields.iter().for_each(|field| self.below(&field.name, &field.shape));
            }
            Shape::List(item) => self.node(item),
            Shape::Map(map) => {
                self.below("key", &map.key);
                self.below("value", &map.value);
            }
            Shape::Optional(optional) => self.node(&optional.item),
            Shape::Union(variants) => variants.iter().for_each(|variant| self.variant(variant)),
            _ => {}
        }
    }

    fn below(&mut self, name: &str, shape: &Shape) {
        self.at(name, name.to_owned(), |walk| walk.node(shape));
    }

    fn variant(&mut self, shape: &Shape) {
        let name = branch_name(shape);
        self.at(name.name, name.full().into_owned(), |walk| {
            (walk.call)(Slot::Presence(walk.next), shape, &walk.place);
            walk.node(shape);
        });
    }

    fn at(&mut self, short: &str, full: String, call: impl FnOnce(&mut Self)) {
        let mut place = std::mem::take(&mut self.place);
        place.below(short, full, |place| {
            self.place = std::mem::take(place);
            call(self);
            *place = std::mem::take(&mut self.place);
        });
        self.place = place;
    }
}
