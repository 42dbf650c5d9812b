//! The columns of a shape: a tree of the same form, which gives batches.

use super::super::Ends;
use super::file::File;
use super::seek::{Column, ParentCounts, RowWindow};
use crate::dialect::decoder::DecodedColumns;
use crate::error::{Error, Result};
use crate::storage::budget::BatchHold;
use crate::storage::pool;
use crate::storage::reserved::Lists;
use crate::tree::{Constant, Leaf};
use crate::vector::{ListVector, MapVector, Offsets, RecordVector, UnionVector, Vector};
use std::ops::Range;
use std::sync::Arc;

/// A node of the shape, with its columns.
pub(super) struct Node {
    /// Number of the node, depth first.
    pub(super) id: u32,
    /// Number of nodes at and below this one.
    pub(super) span: u32,
    pub(super) kind: Kind,
    /// The nodes below: fields, an item, key and value, variants.
    pub(super) below: Vec<Node>,
}

pub(super) enum Kind {
    /// Not asked for, so not made yet ([`Maker`](super::tree::Maker)): the array columns around it.
    Unread(Arc<[usize]>),
    /// A column, and what its values are.
    Leaf(Column, Leaf),
    Record,
    /// A list or an optional.
    Array(Array),
    /// Lengths.
    Map(Column),
    /// The branches of a union.
    Union(Vec<Array>, Null),
    /// The values are in the array column above.
    Own,
    /// A field that has the same value in all rows, which is decoded as this.
    Constant(Constant, Leaf),
    /// Rows of which nothing is read.
    Nothing,
}

/// Whether a union may have no branch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Null {
    Allowed,
    Refused,
}

/// A column of lengths.
pub(super) struct Array {
    pub(super) column: Column,
    pub(super) values: Values,
    /// Whether lengths are at most one.
    pub(super) optional: bool,
}

/// What the values in a column of lengths are.
#[derive(Clone, Copy)]
pub(super) enum Values {
    /// The items.
    Item(Leaf),
    /// A field of the items, which are records.
    Field(usize, Leaf),
    /// It has no such column: the items have columns of their own.
    Below,
}

/// The rows being read.
#[derive(Clone, Copy)]
pub(super) struct At<'a, 's> {
    pub(super) file: &'a File<'s>,
    /// Number of the first row.
    pub(super) row: u64,
    /// Which of the rows to decode.
    pub(super) selected: &'a [Range<usize>],
    /// Columns that have been decoded already.
    pub(super) decoded: &'a DecodedColumns<'a>,
    /// Whether strings and byte strings may be positions in a dictionary.
    pub(super) allows_dictionaries: bool,
    /// How many threads decode the fields of the next record.
    pub(super) threads: usize,
    pub(super) parent_counts: &'a ParentCounts,
    pub(super) keeps_blocks: bool,
    /// What the batch takes.
    pub(super) hold: &'a BatchHold,
}

impl<'a> At<'a, '_> {
    /// The rows of columns that have these entries.
    pub(super) fn window<'b>(&self, ends: Ends<'b>) -> RowWindow<'b>
    where
        'a: 'b,
    {
        RowWindow { row: self.row, ends, selected: self.selected }
    }
}

impl Node {
    /// Whether it has been asked for.
    pub(super) fn is_wanted(&self) -> bool {
        !matches!(self.kind, Kind::Unread(_))
    }

    /// Decodes the entries of the batch's rows as [`Node::read`] does, if the node has been asked for.
    pub(super) fn read_if_wanted(&mut self, at: &At<'_, '_>, ends: Ends<'_>, out: &mut Vector) -> Result<()> {
        if self.is_wanted() {
            return self.read(at, ends, out);
        }
        *out = Vector::Unread(self.id);
        Ok(())
    }

    /// Decodes the entries of the batch's rows into `out`, reusing its buffers.
    fn read(&mut self, at: &At<'_, '_>, ends: Ends<'_>, out: &mut Vector) -> Result<()> {
        let below = &mut self.below;
        match &mut self.kind {
            Kind::Unread(_) | Kind::Own => Err(Error::internal("a node without columns of its own is read")),
            Kind::Leaf(column, leaf) => {
                leaf.prepare(at.allows_dictionaries, out);
                if !at.decoded.values(column.number, at.selected, out) {
                    column.at(at)?.values(at.file, at.window(ends), at.hold, out)?;
                }
                leaf.check(out).map_err(|error| in_column(at, column.number, error))
            }
            Kind::Record => {
                if !matches!(out, Vector::Record(record) if record.fields.len() == below.len()) {
                    let empty = vec![Vector::Null(0); below.len()];
                    *out = Vector::Record(RecordVector { fields: empty, ..RecordVector::default() });
                }
                if let Vector::Record(record) = out {
                    record.len = at.window(ends).selected_entries();
                    let own = |field: &Node| matches!(field.kind, Kind::Own);
                    let several =
                        at.threads > 1 && below.iter().filter(|field| field.is_wanted()).count() > 1;
                    let mut fields = below.iter_mut().zip(&mut record.fields).filter(|(node, _)| !own(node));
                    if several {
                        let (count, at) = (at.threads, At { threads: 1, ..*at });
                        return pool::each(count, fields, |(field, values)| {
                            field.read_if_wanted(&at, ends, values)
                        });
                    }
                    fields.try_for_each(|(field, values)| field.read_if_wanted(at, ends, values))?;
                }
                Ok(())
            }
            Kind::Array(array) => {
                let (mut list, optional) = match std::mem::replace(out, Vector::Null(0)) {
                    Vector::List(list) | Vector::Optional(list) => (list, array.optional),
                    _ => (empty_list(), array.optional),
                };
                array.read(below.first_mut(), at, ends, &mut list)?;
                *out = if optional { Vector::Optional(list) } else { Vector::List(list) };
                Ok(())
            }
            Kind::Map(column) => {
                let mut map = match std::mem::replace(out, Vector::Null(0)) {
                    Vector::Map(map) => map,
                    _ => Box::new(MapVector {
                        offsets: Offsets::default(),
                        key: Vector::Null(0),
                        value: Vector::Null(0),
                    }),
                };
                map.offsets.clear();
                let child_ends = column.lengths(at, ends, &mut map.offsets)?;
                for (half, out) in below.iter_mut().zip([&mut map.key, &mut map.value]) {
                    half.read_if_wanted(at, Ends::At(&child_ends), out)?;
                }
                *out = Vector::Map(map);
                Ok(())
            }
            Kind::Union(branches, null) => read_union(branches, below, *null, at, ends, out),
            Kind::Constant(constant, leaf) => {
                constant.fill(at.window(ends).selected_entries(), *leaf, &at.hold.memory, out)
            }
            Kind::Nothing => {
                *out = Vector::Null(at.window(ends).selected_entries());
                Ok(())
            }
        }
    }
}

pub(super) fn empty_list() -> Box<ListVector> {
    Box::new(ListVector::new(Offsets::default(), Vector::Null(0)))
}

#[cold]
pub(super) fn in_column(at: &At<'_, '_>, number: usize, error: Error) -> Error {
    match at.file.column(number) {
        Ok(column) => error.in_column(column.spec.name),
        Err(other) => other,
    }
}

impl Array {
    /// Decodes lengths and items into `list`; `item` is the node of the items.
    pub(super) fn read(
        &mut self,
        item: Option<&mut Node>,
        at: &At<'_, '_>,
        ends: Ends<'_>,
        list: &mut ListVector,
    ) -> Result<()> {
        list.offsets.clear();
        match (self.values, item) {
            (Values::Item(leaf), _) => {
                leaf.prepare(at.allows_dictionaries, &mut list.item);
                if at.allows_dictionaries && self.optional {
                    list.offsets.keep_marks();
                }
                if !at.decoded.arrays(self.column.number, at.selected, list) {
                    let out = Lists::new(&mut list.offsets, &mut list.item);
                    self.column.at(at)?.arrays(at.file, at.window(ends), at.hold, out)?;
                }
                leaf.check(&list.item).map_err(|error| in_column(at, self.column.number, error))?;
            }
            (Values::Below, Some(node)) => {
                let ends = self.column.lengths(at, ends, &mut list.offsets)?;
                node.read_if_wanted(at, Ends::At(&ends), &mut list.item)?;
            }
            (Values::Field(field, leaf), Some(node)) => {
                let mut own = leaf.vector();
                let ends = self.column.arrays(at, ends, &mut list.offsets, &mut own)?;
                // The values are here already, so the record is read too.
                node.read(at, Ends::At(&ends), &mut list.item)?;
                if let Vector::Record(record) = &mut list.item
                    && let Some(place) = record.fields.get_mut(field)
                {
                    *place = own;
                }
            }
            (_, None) => return Err(Error::internal("a list has no node for its items")),
        }
        if self.optional && !list.offsets.is_optional() {
            let error = Error::value("an optional value comes more than once");
            return Err(in_column(at, self.column.number, error));
        }
        Ok(())
    }
}

/// Decodes the branches, whose items are the nodes `below`, and finds for each entry the one that has a value.
pub(super) fn read_union(
    branches: &mut [Array],
    below: &mut [Node],
    null: Null,
    at: &At<'_, '_>,
    ends: Ends<'_>,
    out: &mut Vector,
) -> Result<()> {
    let mut lists: Vec<ListVector> = Vec::with_capacity(branches.len());
    for (branch, item) in branches.iter_mut().zip(below) {
        let mut list = *empty_list();
        branch.read(Some(item), at, ends, &mut list)?;
        lists.push(list);
    }
    let entries = at.window(ends).selected_entries();
    let mut present = Offsets::default();
    let mut union = UnionVector::default();
    for entry in 0..entries {
        let mut tags = lists.iter().enumerate().filter_map(|(tag, list)| {
            let range = list.offsets.range(entry).filter(|range| !range.is_empty())?;
            Some((tag, range.start))
        });
        match (tags.next(), tags.next(), null) {
            (Some((tag, position)), None, _) => {
                union.tags.push(tag as u16);
                union.positions.push(position as u32);
                present.push_one();
            }
            (None, _, Null::Allowed) => present.push_empty(),
            (None, _, Null::Refused) => {
                return Err(Error::value("a union has no value where it must have one"));
            }
            (Some((one, _)), Some((two, _)), _) => {
                let number = |tag: usize| branches.get(tag).map_or(0, |branch| branch.column.number);
                let error = Error::value(format!("variants {one} and {two} of a union have a value at once"));
                return Err(in_column(at, number(one), error));
            }
        }
    }
    union.variants = lists.into_iter().map(|list| list.item).collect();
    *out = match null {
        Null::Refused => Vector::Union(union),
        Null::Allowed => Vector::Optional(Box::new(ListVector::new(present, Vector::Union(union)))),
    };
    Ok(())
}
