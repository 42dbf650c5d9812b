//! The columns of a shape: a tree of the same form, which takes batches.

use super::super::Ends;
use super::column::ColumnEncoder;
use crate::error::{Error, Result};
use crate::storage::blocks::{Sealer, Store};
use crate::vector::{Offsets, UnionVector, Vector};

/// A node of the shape: its column, and the nodes below it.
///
/// | shape | column | below |
/// |---|---|---|
/// | leaf | values | |
/// | record | | fields |
/// | list or optional of leaves | lengths and values | |
/// | other list or optional | lengths | item, unless it is unknown |
/// | map | lengths | key, value |
/// | union, optional or not | | a list of none or one for each variant |
/// | unknown, optional or not | | |
#[derive(Default)]
pub(super) struct Node {
    pub(super) column: Option<Box<ColumnEncoder>>,
    pub(super) below: Vec<Node>,
}

impl Node {
    /// A node with a column.
    pub(super) fn with(column: Box<ColumnEncoder>, below: Vec<Node>) -> Self {
        Self { column: Some(column), below }
    }

    /// Appends the values of a batch; `ends` says where the entries of each row end.
    pub(super) fn append(&mut self, sealer: &mut Sealer, vector: &Vector, ends: Ends<'_>) -> Result<()> {
        let below = &mut self.below;
        match (&mut self.column, vector) {
            (Some(_), Vector::List(list) | Vector::Optional(list)) => {
                self.append_arrays(sealer, &list.offsets, &list.item, ends)
            }
            (Some(column), Vector::Map(map)) => {
                column.append_arrays(sealer, map.offsets.as_slice(), None, ends)?;
                append_each(below, sealer, [&map.key, &map.value], Ends::At(&ends.through(&map.offsets)?))
            }
            (Some(column), values) => column.append_values(sealer, values, ends),
            (None, Vector::Record(record)) => append_each(below, sealer, &record.fields, ends),
            (None, Vector::Union(union)) => append_union(sealer, below, None, union, ends),
            (None, Vector::Optional(list)) => match &list.item {
                Vector::Union(union) => append_union(sealer, below, Some(&list.offsets), union, ends),
                _ => self.append_unknown(),
            },
            (None, _) => self.append_unknown(),
        }
    }

    /// Appends lengths and what they are the lengths of.
    fn append_arrays(
        &mut self,
        sealer: &mut Sealer,
        offsets: &Offsets,
        item: &Vector,
        ends: Ends<'_>,
    ) -> Result<()> {
        let Some(column) = &mut self.column else { return self.append_unknown() };
        match self.below.first_mut() {
            None => column.append_arrays(sealer, offsets.as_slice(), Some(item), ends),
            Some(node) => {
                column.append_arrays(sealer, offsets.as_slice(), None, ends)?;
                node.append(sealer, item, Ends::At(&ends.through(offsets)?))
            }
        }
    }

    /// Appends entries of a node of which no value has been seen.
    fn append_unknown(&self) -> Result<()> {
        if self.below.is_empty() { Ok(()) } else { Err(Error::internal("columns and vectors differ")) }
    }

    /// Bytes that the columns have come to so far.
    pub(super) fn size(&self, store: &Store) -> u64 {
        let own = self.column.as_ref().map_or(0, |column| column.size(store));
        own + self.below.iter().map(|node| node.size(store)).sum::<u64>()
    }

    /// The columns, depth first, as the schema orders them.
    pub(super) fn collect(self, out: &mut Vec<ColumnEncoder>) {
        out.extend(self.column.map(|column| *column));
        self.below.into_iter().for_each(|node| node.collect(out));
    }
}

/// Appends to each node its vector.
fn append_each<'v>(
    nodes: &mut [Node],
    sealer: &mut Sealer,
    vectors: impl IntoIterator<Item = &'v Vector>,
    ends: Ends<'_>,
) -> Result<()> {
    nodes.iter_mut().zip(vectors).try_for_each(|(node, vector)| node.append(sealer, vector, ends))
}

/// Appends a union: each variant has an array of one where it is the entry's, of none elsewhere.
fn append_union(
    sealer: &mut Sealer,
    branches: &mut [Node],
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
        branch.append_arrays(sealer, &offsets, values, ends)?;
    }
    Ok(())
}
