//! Makes nodes, each when it or one below it is asked for: rows may ask for few of many columns.

use super::form::Form;
use super::lazy_column::Column;
use super::node::{Array, Item, Kind, Node, Null};
use super::wants::Wants;
use crate::schema::columns::Layout;
use crate::shape::Shape;
use std::sync::Arc;

/// Makes the nodes of a shape whose columns have been checked.
pub(super) struct Maker<'a> {
    /// For each node the number of nodes at and below it.
    pub(super) counts: &'a [u32],
}

impl Maker<'_> {
    /// A node of which nothing has been made.
    pub(super) fn later(&self, id: u32, parents: &Arc<[usize]>) -> Node {
        Node { id, count: self.count(id), wanted: false, kind: Kind::Later(Arc::clone(parents)) }
    }

    fn count(&self, id: u32) -> u32 {
        self.counts.get(id as usize).copied().unwrap_or(1)
    }

    /// Makes what is asked for at and below a node, and those above it.
    pub(super) fn make(&self, node: &mut Node, shape: &Shape, layout: &Layout, wants: Wants<'_>) {
        let Some(wants) = wants.within(node.id, node.count) else {
            return;
        };
        if let Kind::Later(parents) = &node.kind {
            node.kind = self.kind(node.id, shape, layout, &Arc::clone(parents));
        }
        match (&mut node.kind, shape, layout) {
            (Kind::Record(fields), Shape::Record(record), Layout::Record(layouts)) => {
                let mut id = node.id + 1;
                for (number, (field, layout)) in record.fields.iter().zip(layouts).enumerate() {
                    let count = self.count(id);
                    if wants.within(id, count).is_some() {
                        // Fields may have been put into another order.
                        let is_here = fields.get(number).is_some_and(|node| node.id == id);
                        let other = || fields.iter().position(|node| node.id == id);
                        let place = if is_here { Some(number) } else { other() };
                        if let Some(node) = place.and_then(|place| fields.get_mut(place)) {
                            self.make(node, &field.shape, layout, wants);
                        }
                    }
                    id += count;
                }
            }
            (Kind::Array(array), Shape::List(item), layout) => self.below(array, item, layout, wants),
            (Kind::Array(array), Shape::Optional(optional), layout) => {
                self.below(array, &optional.item, layout, wants);
            }
            (Kind::Map(_, _, key, value), Shape::Map(map), Layout::Map { key: keys, value: values, .. }) => {
                self.make(key, &map.key, keys, wants);
                self.make(value, &map.value, values, wants);
            }
            (Kind::Union(branches, _), shape, Layout::Union(layouts)) => {
                for (branch, (variant, layout)) in
                    branches.iter_mut().zip(variants(shape).iter().zip(layouts))
                {
                    self.below(branch, variant, layout, wants);
                }
            }
            _ => {}
        }
    }

    fn below(&self, array: &mut Array, item: &Shape, layout: &Layout, wants: Wants<'_>) {
        if let (Item::Below(node) | Item::Mixed(node, ..), Layout::Array { item: Some(below), .. }) =
            (&mut array.item, layout)
        {
            self.make(node, item, below, wants);
        }
    }

    /// What a node is; the nodes below it are made later.
    fn kind(&self, id: u32, shape: &Shape, layout: &Layout, parents: &Arc<[usize]>) -> Kind {
        match (shape, layout) {
            (_, Layout::Own) => Kind::Own,
            (Shape::Record(record), Layout::Record(layouts)) => {
                let mut next = id + 1;
                let field = |layout: &Layout| {
                    let mut node = self.later(next, parents);
                    next += node.count;
                    if *layout == Layout::Own {
                        node.kind = Kind::Own;
                    }
                    node
                };
                Kind::Record(layouts.iter().take(record.fields.len()).map(field).collect())
            }
            (Shape::List(item), layout) => self.array(id + 1, item, layout, false, parents),
            (Shape::Optional(optional), Layout::Union(layouts)) => {
                // The union below is a node of its own.
                Kind::Union(self.branches(id + 2, variants(&optional.item), layouts, parents), Null::Allowed)
            }
            (Shape::Optional(optional), layout) => self.array(id + 1, &optional.item, layout, true, parents),
            (Shape::Union(variants), Layout::Union(layouts)) => {
                Kind::Union(self.branches(id + 1, variants, layouts, parents), Null::Refused)
            }
            (Shape::Map(_), Layout::Map { column, .. }) => {
                let within = within(parents, *column);
                let key = self.later(id + 1, &within);
                let value = self.later(key.id + key.count, &within);
                Kind::Map(opened(*column, parents), Vec::new(), Box::new(key), Box::new(value))
            }
            (simple, Layout::Leaf(column)) => Kind::Leaf(opened(*column, parents), Form::of(simple)),
            _ => Kind::Nothing,
        }
    }

    fn branches(
        &self,
        mut id: u32,
        variants: &[Shape],
        layouts: &[Layout],
        parents: &Arc<[usize]>,
    ) -> Vec<Array> {
        let branches = variants.iter().zip(layouts).filter_map(|(variant, layout)| {
            let branch = self.array(id, variant, layout, true, parents);
            id += self.count(id);
            if let Kind::Array(array) = branch { Some(array) } else { None }
        });
        branches.collect()
    }

    /// An array whose item is the node `id`.
    fn array(&self, id: u32, item: &Shape, layout: &Layout, optional: bool, parents: &Arc<[usize]>) -> Kind {
        let Layout::Array { column: number, item: below } = layout else {
            return Kind::Nothing;
        };
        let item = match below {
            None => Item::Fused(Form::of(item)),
            Some(below) => {
                let mut node = Box::new(self.later(id, &within(parents, *number)));
                match own_field(item, below) {
                    Some((field, form)) => {
                        // It is read whenever the array is.
                        self.make(&mut node, item, below, Wants::Some(&[id]));
                        Item::Mixed(node, field, form)
                    }
                    None => Item::Below(node),
                }
            }
        };
        Kind::Array(Array { column: opened(*number, parents), item, optional, ends: Vec::new() })
    }
}

/// A column that is opened when it is read.
fn opened(number: usize, parents: &Arc<[usize]>) -> Column {
    Column { number, parents: Arc::clone(parents), reader: None }
}

/// The array columns around what is below another one.
fn within(parents: &[usize], column: usize) -> Arc<[usize]> {
    parents.iter().copied().chain([column]).collect()
}

/// The variants of a union that may be in an optional.
fn variants(shape: &Shape) -> &[Shape] {
    match shape {
        Shape::Union(variants) => variants,
        Shape::Optional(optional) => variants(&optional.item),
        _ => &[],
    }
}

/// The field of a record that the values of the column above it go to.
fn own_field(item: &Shape, layout: &Layout) -> Option<(usize, Form)> {
    match (item, layout) {
        (Shape::Record(record), Layout::Record(layouts)) => {
            let field = layouts.iter().position(|layout| *layout == Layout::Own)?;
            record.fields.get(field).map(|own| (field, Form::of(&own.shape)))
        }
        _ => None,
    }
}
