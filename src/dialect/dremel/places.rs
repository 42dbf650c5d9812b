//! The places of nodes, as far as the columns of a file tell them.

use super::Columns;
use super::plan::Node;
use crate::dialect::schema::Schema;
use crate::levels::Place;
use crate::tree::{Kind, NodeId, Projection, Slot};

/// The nodes of a part of the rows, none of which has been asked for.
pub(super) fn nodes<C>(file: &impl Columns<Cursor = C>, schema: &Schema, part: &Projection) -> Vec<Node> {
    let whole = whole(file, schema);
    let mut nodes: Vec<Node> = Vec::with_capacity(part.tree.len());
    for id in (0..).take(part.tree.len()) {
        let known = part.in_whole(id).and_then(|id| whole.get(id as usize)).copied();
        // What is only here is where the node above it is.
        let above = || part.tree.parent(id).and_then(|id| nodes.get(id as usize)).map(|node| node.place);
        let (place, width) = known.unwrap_or_else(|| (above().unwrap_or_default(), None));
        nodes.push(Node { place, width, ..Node::default() });
    }
    nodes
}

/// The place of each node, and how many items each of its lists has, where it is a row of a matrix.
fn whole<C>(file: &impl Columns<Cursor = C>, schema: &Schema) -> Vec<(Place, Option<usize>)> {
    let tree = &schema.whole.tree;
    let mut places: Vec<(Place, Option<usize>)> = Vec::with_capacity(tree.len());
    for id in (0..).take(tree.len()) {
        let above = tree.parent(id).and_then(|above| Some((tree.kind(above), *places.get(above as usize)?)));
        let place = match above {
            None | Some((Kind::Record, _)) => above.map_or_else(Place::default, |(_, (place, _))| place),
            Some((Kind::List, (place, Some(_)))) => place,
            Some((Kind::List | Kind::Map, (place, _))) => place.items(),
            Some((_, (place, _))) => place.within(),
        };
        places.push((place, width(file, schema, id)));
    }
    places
}

/// How many items each list of a node has, where it is a row of a matrix: its values are in its own column, which says
/// so.
fn width<C>(file: &impl Columns<Cursor = C>, schema: &Schema, id: NodeId) -> Option<usize> {
    let tree = &schema.whole.tree;
    if tree.kind(id) != Kind::List || !matches!(tree.kind(id + 1), Kind::Leaf(_)) {
        return None;
    }
    let column = schema.column(Slot::Own(id))?;
    file.width(column).filter(|_| schema.column(Slot::Own(id + 1)) == Some(column))
}
