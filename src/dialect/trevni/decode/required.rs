//! Which nodes are decoded.

use super::node::Node;

/// The nodes that are asked for.
#[derive(Clone, Copy)]
pub(super) enum Required<'n> {
    All,
    /// Nodes of these numbers, which ascend.
    Nodes(&'n [u32]),
}

impl Required<'_> {
    /// The nodes of these at and below a node; none where there is none.
    pub(super) fn within(self, node: &Node) -> Option<Self> {
        let Self::Nodes(nodes) = self else {
            return Some(self);
        };
        let end = node.id.saturating_add(node.span);
        let below = nodes.partition_point(|id| *id < node.id)..nodes.partition_point(|id| *id < end);
        nodes.get(below).filter(|nodes| !nodes.is_empty()).map(Self::Nodes)
    }

    /// Those of some nodes, which ascend, that have one of these at or below them: a row asks for its fields one by one,
    /// and a record may have thousands.
    pub(super) fn among(self, nodes: &mut [Node]) -> &mut [Node] {
        let Self::Nodes(required) = self else {
            return nodes;
        };
        let [Some(first), Some(last)] = [required.first(), required.last()] else {
            return &mut [];
        };
        let start = nodes.partition_point(|node| node.id.saturating_add(node.span) <= *first);
        let nodes = &mut nodes[start..];
        let end = nodes.partition_point(|node| node.id <= *last);
        &mut nodes[..end]
    }

    /// Whether the first of them is this one.
    fn begin_with(self, id: u32) -> bool {
        match self {
            Self::All => true,
            Self::Nodes(nodes) => nodes.first() == Some(&id),
        }
    }
}

impl Node {
    /// Requires nodes for all batches to come.
    pub(super) fn require(&mut self, nodes: Required<'_>) {
        if let Some(nodes) = nodes.within(self) {
            self.required |= nodes.begin_with(self.id);
            nodes.among(&mut self.below).iter_mut().for_each(|node| node.require(nodes));
        }
    }

    /// Adds the numbers of the required nodes.
    pub(super) fn required(&self, nodes: &mut Vec<u32>) {
        nodes.extend(self.required.then_some(self.id));
        self.below.iter().for_each(|node| node.required(nodes));
    }
}
