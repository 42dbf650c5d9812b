//! The nodes of a shape, numbered depth first: what paths, projections, predicates and dialects speak of.

use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::storage::value_type::ValueType;
use crate::vector::{Binaries, DictionaryVector, Strings, Vector};

mod constants;
mod matches;
pub(crate) mod places;
mod projection;
#[cfg(test)]
mod tests;
mod view;

pub(crate) use constants::{Constant, Constants};
pub(crate) use matches::Matches;
pub(crate) use projection::Projection;
pub(crate) use projection::{node_of, resolve, resolve_names};
pub(crate) use view::View;

/// The number of a node of a shape, depth first from 0: a node comes before those below it.
pub(crate) type NodeId = u32;

/// What is stored for a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Slot {
    /// The values of a leaf; the lengths of a list, a map or an optional.
    Own(NodeId),
    /// Which entries of a union are this variant.
    Presence(NodeId),
}

impl Slot {
    /// A number that no other slot of a tree has, in the order of nodes: what is stored for themselves comes first.
    pub(crate) fn number(self) -> u64 {
        match self {
            Self::Own(node) => u64::from(node),
            Self::Presence(node) => 1 << 32 | u64::from(node),
        }
    }
}

/// The nodes of a shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Node {
    parent: NodeId,
    /// Number of nodes at and below this one.
    span: u32,
    kind: Kind,
}

/// What a node is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No value has been seen.
    Unknown,
    Leaf(Leaf),
    Record,
    List,
    Map,
    Optional,
    Union,
}

impl Kind {
    fn new(shape: &Shape) -> Self {
        match shape {
            Shape::Record(_) => Self::Record,
            Shape::List(_) => Self::List,
            Shape::Map(_) => Self::Map,
            Shape::Optional(_) => Self::Optional,
            Shape::Union(_) => Self::Union,
            other => Leaf::from_shape(other).map_or(Self::Unknown, Self::Leaf),
        }
    }
}

/// Nodes that there is room for before any has been numbered.
pub(crate) const FIRST_NODES: usize = 32;

impl Tree {
    /// Numbers the nodes of a shape.
    pub(crate) fn new(shape: &Shape) -> Self {
        let mut nodes = Vec::with_capacity(FIRST_NODES);
        add(shape, 0, &mut nodes);
        Self { nodes }
    }

    /// Number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// The numbers of all nodes, in ascending order.
    pub(crate) fn all(&self) -> Vec<NodeId> {
        (0..self.span(0)).collect()
    }

    /// What a node is; unknown without such a node.
    pub(crate) fn kind(&self, id: NodeId) -> Kind {
        self.nodes.get(id as usize).map_or(Kind::Unknown, |node| node.kind)
    }

    /// Number of nodes at and below a node.
    pub(crate) fn span(&self, id: NodeId) -> u32 {
        self.nodes.get(id as usize).map_or(1, |node| node.span)
    }

    /// The node above; `None` for the root.
    pub(crate) fn parent(&self, id: NodeId) -> Option<NodeId> {
        self.nodes.get(id as usize).filter(|_| id > 0).map(|node| node.parent)
    }

    /// The nodes just below a node: fields, an item, key and value, variants.
    pub(crate) fn children(&self, id: NodeId) -> impl Iterator<Item = NodeId> + Clone + '_ {
        let end = id.saturating_add(self.span(id));
        let first = id.saturating_add(1);
        let next = move |id: NodeId| Some(id).filter(|id| *id < end);
        std::iter::successors(next(first), move |id| next(id.saturating_add(self.span(*id))))
    }
}

fn add(shape: &Shape, parent: NodeId, nodes: &mut Vec<Node>) {
    let place = nodes.len();
    let id = u32::try_from(place).unwrap_or(u32::MAX);
    nodes.push(Node { parent, span: 1, kind: Kind::new(shape) });
    shape.each_child(|child| add(child, id, nodes));
    let span = u32::try_from(nodes.len() - place).unwrap_or(u32::MAX);
    if let Some(node) = nodes.get_mut(place) {
        node.span = span;
    }
}

/// What the values of a leaf are: small, since there is one for each column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Leaf {
    Null,
    Boolean,
    Int,
    /// Signed, or the bits of a `u64`.
    Long,
    Float,
    Double,
    String,
    Bytes,
    /// Bytes of a constant number.
    Fixed(usize),
    Enum,
}

impl Leaf {
    /// The leaf that a shape is; `None` for shapes with nodes below them, and the unknown one.
    pub(crate) fn from_shape(shape: &Shape) -> Option<Self> {
        Some(match shape {
            Shape::Null => Self::Null,
            Shape::Boolean => Self::Boolean,
            Shape::Int => Self::Int,
            Shape::Long | Shape::U64 => Self::Long,
            Shape::Float => Self::Float,
            Shape::Double => Self::Double,
            Shape::String => Self::String,
            Shape::Bytes => Self::Bytes,
            Shape::Fixed(fixed) => Self::Fixed(fixed.size),
            Shape::I128 | Shape::U128 => Self::Fixed(16),
            Shape::Enum(_) => Self::Enum,
            Shape::Logical(logical) => return Self::from_shape(&logical.storage),
            _ => return None,
        })
    }

    /// The type of the column that holds the values.
    pub(crate) fn value_type(self) -> ValueType {
        match self {
            Self::Null => ValueType::Null,
            Self::Boolean => ValueType::Boolean,
            Self::Int | Self::Enum => ValueType::Int,
            Self::Long => ValueType::Long,
            Self::Float => ValueType::Float,
            Self::Double => ValueType::Double,
            Self::String => ValueType::String,
            Self::Bytes | Self::Fixed(_) => ValueType::Bytes,
        }
    }

    /// An empty vector of such values.
    pub(crate) fn vector(self) -> Vector {
        match self {
            Self::Null => Vector::Null(0),
            Self::Boolean => Vector::Boolean(Vec::new()),
            Self::Int => Vector::Int(Vec::new()),
            Self::Long => Vector::Long(Vec::new()),
            Self::Float => Vector::Float(Vec::new()),
            Self::Double => Vector::Double(Vec::new()),
            Self::String => Vector::String(Strings::default()),
            Self::Bytes | Self::Fixed(_) => Vector::Bytes(Binaries::default()),
            Self::Enum => Vector::Enum(Vec::new()),
        }
    }

    /// Makes `out` an empty vector of such values; of strings and byte strings one of positions in a dictionary, where these are
    /// allowed.
    pub(crate) fn prepare(self, allows_dictionaries: bool, out: &mut Vector) {
        let empty = match self {
            Self::String | Self::Bytes if allows_dictionaries => {
                Vector::Dictionary(Box::new(DictionaryVector::new(self == Self::String)))
            }
            _ => self.vector(),
        };
        let same = std::mem::discriminant(out) == std::mem::discriminant(&empty);
        if same { out.clear() } else { *out = empty }
    }

    /// Checks that values have the bytes that they must have.
    ///
    /// # Errors
    ///
    /// A fixed value of another size.
    pub(crate) fn check(self, values: &Vector) -> Result<()> {
        match (self, values) {
            (Self::Fixed(size), Vector::Bytes(values)) if values.iter().any(|value| value.len() != size) => {
                Err(Error::value(format!("a fixed value does not have {size} bytes")))
            }
            _ => Ok(()),
        }
    }
}
