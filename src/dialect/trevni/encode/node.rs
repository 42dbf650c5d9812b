//! The columns of a shape: a tree of the same form, which takes batches.

use super::super::Ends;
use super::column::ColumnEncoder;
use crate::error::{Error, Result};
use crate::storage::blocks::Sealer;
use crate::storage::blocks::Store;
use crate::vector::{Offsets, UnionVector, Vector};

/// The columns of a node of the shape.
pub(super) enum Node {
    /// No column: the shape is still unknown.
    Unknown,
    /// Values without lengths.
    Leaf(Box<ColumnEncoder>),
    /// The fields.
    Record(Vec<Node>),
    /// A list or an optional.
    Array(Box<ArrayNode>),
    Map(Box<MapNode>),
    /// An array of none or one for each variant.
    Union(Vec<ArrayNode>),
}

/// A column with lengths.
pub(super) struct ArrayNode {
    pub(super) column: Box<ColumnEncoder>,
    /// The columns below; none where the values are in the same column, or unknown.
    pub(super) item: Option<Node>,
}

/// A column with lengths, keys and values.
pub(super) struct MapNode {
    pub(super) column: Box<ColumnEncoder>,
    pub(super) key: Node,
    pub(super) value: Node,
}

impl Node {
    /// Appends the values of a batch; `ends` are those of this node's entries.
    pub(super) fn append(&mut self, sealer: &mut Sealer, vector: &Vector, ends: Ends<'_>) -> Result<()> {
        match (self, vector) {
            (Self::Unknown, _) => Ok(()),
            (Self::Leaf(column), vector) => column.append_values(sealer, vector, ends),
            (Self::Record(nodes), Vector::Record(record)) => nodes
                .iter_mut()
                .zip(&record.fields)
                .try_for_each(|(node, field)| node.append(sealer, field, ends)),
            (Self::Array(node), Vector::List(list) | Vector::Optional(list)) => {
                node.append(sealer, &list.offsets, &list.item, ends)
            }
            (Self::Map(node), Vector::Map(map)) => {
                node.column.append_arrays(sealer, map.offsets.as_slice(), None, ends)?;
                let ends = ends.through(&map.offsets);
                node.key.append(sealer, &map.key, Ends::At(&ends))?;
                node.value.append(sealer, &map.value, Ends::At(&ends))
            }
            (Self::Union(branches), Vector::Union(union)) => {
                append_union(sealer, branches, None, union, ends)
            }
            (Self::Union(branches), Vector::Optional(list)) => match &list.item {
                Vector::Union(union) => append_union(sealer, branches, Some(&list.offsets), union, ends),
                _ => Err(Error::internal("a union whose vector is none")),
            },
            _ => Err(Error::internal("columns and vectors differ")),
        }
    }

    /// Bytes that the columns have come to so far.
    pub(super) fn size(&self, store: &Store) -> u64 {
        match self {
            Self::Unknown => 0,
            Self::Leaf(column) => column.size(store),
            Self::Record(nodes) => nodes.iter().map(|node| node.size(store)).sum(),
            Self::Array(node) => node.size(store),
            Self::Map(node) => node.column.size(store) + node.key.size(store) + node.value.size(store),
            Self::Union(branches) => branches.iter().map(|branch| branch.size(store)).sum(),
        }
    }

    /// The columns, depth first, as the schema orders them.
    pub(super) fn collect(self, out: &mut Vec<ColumnEncoder>) {
        match self {
            Self::Unknown => {}
            Self::Leaf(column) => out.push(*column),
            Self::Record(nodes) => nodes.into_iter().for_each(|node| node.collect(out)),
            Self::Array(node) => node.collect(out),
            Self::Map(node) => {
                out.push(*node.column);
                node.key.collect(out);
                node.value.collect(out);
            }
            Self::Union(branches) => branches.into_iter().for_each(|branch| branch.collect(out)),
        }
    }
}

impl ArrayNode {
    fn append(
        &mut self,
        sealer: &mut Sealer,
        offsets: &Offsets,
        item: &Vector,
        ends: Ends<'_>,
    ) -> Result<()> {
        match &mut self.item {
            None => self.column.append_arrays(sealer, offsets.as_slice(), Some(item), ends),
            Some(node) => {
                self.column.append_arrays(sealer, offsets.as_slice(), None, ends)?;
                node.append(sealer, item, Ends::At(&ends.through(offsets)))
            }
        }
    }

    fn size(&self, store: &Store) -> u64 {
        self.column.size(store) + self.item.as_ref().map_or(0, |item| item.size(store))
    }

    fn collect(self, out: &mut Vec<ColumnEncoder>) {
        out.push(*self.column);
        if let Some(item) = self.item {
            item.collect(out);
        }
    }
}

/// Appends a union: each variant has an array of one where it is the entry's, of none elsewhere.
fn append_union(
    sealer: &mut Sealer,
    branches: &mut [ArrayNode],
    present: Option<&Offsets>,
    union: &UnionVector,
    ends: Ends<'_>,
) -> Result<()> {
    for (tag, (branch, values)) in branches.iter_mut().zip(&union.variants).enumerate() {
        let mut offsets = Offsets::default();
        let mut push = |own: Option<&u16>| {
            if own.is_some_and(|own| usize::from(*own) == tag) {
                offsets.push_one()
            } else {
                offsets.push_empty()
            }
        };
        match present {
            None => union.tags.iter().for_each(|own| push(Some(own))),
            Some(present) => (0..present.len()).for_each(|entry| {
                push(
                    present
                        .range(entry)
                        .filter(|range| !range.is_empty())
                        .and_then(|r| union.tags.get(r.start)),
                );
            }),
        }
        branch.append(sealer, &offsets, values, ends)?;
    }
    Ok(())
}
