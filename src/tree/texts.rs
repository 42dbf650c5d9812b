//! Nodes whose values have texts that stand beside those of other files.

use super::{NodeId, Tree};
use crate::logical::Texts;
use crate::shape::Shape;
use std::collections::{BTreeMap, HashMap};

/// The nodes of a logical type where `whole`, the shape of several files, has texts.
pub(crate) fn texts_in(shape: &Shape, tree: &Tree, whole: &Shape) -> BTreeMap<NodeId, Texts> {
    let mut found = BTreeMap::new();
    Walk { tree, found: &mut found }.node(shape, 0, whole);
    found
}

struct Walk<'t> {
    tree: &'t Tree,
    found: &'t mut BTreeMap<NodeId, Texts>,
}

impl Walk<'_> {
    fn node(&mut self, shape: &Shape, id: NodeId, whole: &Shape) {
        let tree = self.tree;
        match (shape, whole) {
            (Shape::Optional(own), _) => self.node(&own.item, id + 1, whole),
            (_, Shape::Optional(whole)) => self.node(shape, id, &whole.item),
            (Shape::Logical(logical), Shape::String) => {
                self.found.extend(Texts::of(logical).map(|texts| (id, texts)));
            }
            (Shape::Record(record), Shape::Record(whole)) => {
                let others: HashMap<&str, &Shape> =
                    whole.fields.iter().map(|field| (&*field.name, &field.shape)).collect();
                for (field, id) in record.fields.iter().zip(tree.children(id)) {
                    if let Some(other) = others.get(&*field.name) {
                        self.node(&field.shape, id, other);
                    }
                }
            }
            (Shape::List(item), Shape::List(whole)) => self.node(item, id + 1, whole),
            (Shape::Map(map), Shape::Map(whole)) => {
                let halves = [(&map.key, &whole.key), (&map.value, &whole.value)];
                for ((shape, whole), id) in halves.into_iter().zip(tree.children(id)) {
                    self.node(shape, id, whole);
                }
            }
            _ => {}
        }
    }
}
