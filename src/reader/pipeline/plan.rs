//! The nodes to read: a value that grows by the nodes that rows miss.

use crate::sort;
use crate::tree::{Kind, NodeId, Projection, Tree};
use std::sync::Arc;

/// After this many misses, a miss reads the whole outermost field that it is in.
const FIELD_MISSES: u32 = 32;
/// After this many, all nodes are read: the type is open, and has many fields.
const ALL_MISSES: u32 = 128;

/// The nodes that are read of each row.
#[derive(Clone)]
pub(in crate::reader) struct ReadPlan {
    /// The nodes of the rows.
    tree: Arc<Tree>,
    /// In ascending order. Those above each of them are among them, or asked for by the decoder itself.
    nodes: Vec<NodeId>,
    misses: u32,
}

impl ReadPlan {
    /// Of nothing yet.
    pub(in crate::reader) fn new(part: &Projection) -> Self {
        Self { tree: Arc::clone(&part.tree), nodes: Vec::new(), misses: 0 }
    }

    pub(in crate::reader) fn nodes(&self) -> &[NodeId] {
        &self.nodes
    }

    /// Adds all nodes.
    pub(in crate::reader) fn add_all(&mut self) {
        self.nodes = self.tree.all();
    }

    /// Adds nodes that a row has missed.
    pub(in crate::reader) fn add(&mut self, missed: &[NodeId]) {
        self.misses += 1;
        let Self { tree, nodes, misses } = self;
        match *misses {
            ..FIELD_MISSES => missed.iter().for_each(|id| with_items(tree, *id, nodes)),
            FIELD_MISSES..ALL_MISSES => missed.iter().for_each(|id| nodes.extend(field_of(tree, *id))),
            ALL_MISSES.. => return self.add_all(),
        }
        sort::once(nodes, |id| u64::from(*id));
    }
}

/// A node, and the items, keys, values and variants in it: a request for a list, an optional or a union includes its contents, but
/// maybe not for all fields of a record.
fn with_items(tree: &Tree, id: NodeId, nodes: &mut Vec<NodeId>) {
    nodes.push(id);
    if matches!(tree.kind(id), Kind::List | Kind::Optional | Kind::Map | Kind::Union) {
        tree.children(id).for_each(|id| with_items(tree, id, nodes));
    }
}

/// The nodes of the field of the rows that a node is within, or all where it is the root.
fn field_of(tree: &Tree, id: NodeId) -> std::ops::Range<NodeId> {
    let above = std::iter::successors(Some(id), |id| tree.parent(*id).filter(|above| *above > 0));
    let field = above.last().unwrap_or(id);
    field..field.saturating_add(tree.span(field))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Shape;

    /// A record of a number, a list of optional records of two fields, and a number.
    fn plan() -> ReadPlan {
        let schema = r#"{"type": "record", "name": "R", "fields": [
            {"name": "a", "type": "int"},
            {"name": "b", "type": {"type": "array", "items": ["null", {"type": "record", "name": "I", "fields": [
                {"name": "c", "type": "int"}, {"name": "d", "type": {"type": "map", "values": "int"}}]}]}},
            {"name": "e", "type": "int"}]}"#;
        ReadPlan::new(&Projection::whole(Shape::from_avro(schema).unwrap()))
    }

    #[test]
    fn items_come_with_their_lists_but_no_fields_with_their_record() {
        let mut plan = plan();
        plan.add(&[2]);
        assert_eq!(plan.nodes(), [2, 3, 4]);
        plan.add(&[6, 1]);
        assert_eq!(plan.nodes(), [1, 2, 3, 4, 6, 7, 8]);
    }

    #[test]
    fn many_misses_read_whole_fields_and_then_all() {
        let mut plan = plan();
        (1..FIELD_MISSES).for_each(|_| plan.add(&[1]));
        assert_eq!(plan.nodes(), [1]);
        plan.add(&[5]);
        assert_eq!(plan.nodes(), [1, 2, 3, 4, 5, 6, 7, 8]);
        (FIELD_MISSES..ALL_MISSES).for_each(|_| plan.add(&[1]));
        assert_eq!(plan.nodes().len(), 10);
    }
}
