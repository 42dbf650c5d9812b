//! The columns of a shape: a tree of the same form, which gives batches.

use super::super::Ends;
use super::file::File;
use super::lazy_column::Column;
use super::parent_counts::ParentCounts;
use super::row_window::RowWindow;
use super::threads;
use super::union;
use crate::dialect::decoded::DecodedColumns;
use crate::error::{Error, Result};
use crate::tree::Leaf;
use crate::vector::{Lazy, ListVector, MapVector, Offsets, RecordVector, Vector};
use std::ops::Range;
use std::sync::Arc;

/// The columns of a node of the shape.
pub(super) struct Node {
    /// Number of the node, depth first.
    pub(super) id: u32,
    /// Number of nodes at and below this one.
    pub(super) count: u32,
    /// Whether the node has been asked for.
    pub(super) wanted: bool,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    /// Not made yet ([`Maker`](super::make::Maker)): the array columns around it.
    Later(Arc<[usize]>),
    /// A column, and what its values are.
    Leaf(Column, Leaf),
    Record(Vec<Node>),
    Array(Array),
    Map(Column, Vec<u32>, Box<Node>, Box<Node>),
    Union(Vec<Array>, Null),
    /// The values of the array column above.
    Own,
    /// Rows of which nothing is read.
    Nothing,
}

/// Whether a union may have no branch.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Null {
    Allowed,
    Refused,
}

/// Lengths, with values in the same column or below.
pub(super) struct Array {
    pub(super) column: Column,
    pub(super) item: Item,
    /// Whether lengths are at most one.
    pub(super) optional: bool,
    /// The ends of the items of the current batch's rows.
    pub(super) ends: Vec<u32>,
}

pub(super) enum Item {
    /// Values in the same column, and what they are.
    Fused(Leaf),
    Below(Box<Node>),
    /// A record with a field for the column's own values, and what they are.
    Mixed(Box<Node>, usize, Leaf),
}

/// The rows being read.
#[derive(Clone, Copy)]
pub(super) struct At<'a, 's> {
    pub(super) file: &'a File<'s>,
    /// Number of the first row.
    pub(super) row: u64,
    /// Which of the rows to decode.
    pub(super) picks: &'a [Range<usize>],
    /// Columns whose values are at hand.
    pub(super) decoded: &'a DecodedColumns<'a>,
    /// How many threads decode the fields of the next record.
    pub(super) threads: usize,
    pub(super) walks: &'a ParentCounts,
}

impl<'a> At<'a, '_> {
    /// The rows of columns that have these entries.
    pub(super) fn stretch<'b>(&self, ends: Ends<'b>) -> RowWindow<'b>
    where
        'a: 'b,
    {
        RowWindow { row: self.row, ends, selected: self.picks }
    }
}

impl Node {
    pub(super) fn read_if_wanted(&mut self, at: &At<'_, '_>, ends: Ends<'_>, out: &mut Vector) -> Result<()> {
        if self.wanted {
            // What the last batch has decoded late has buffers to reuse.
            if let Vector::Lazy(lazy) = out {
                *out = lazy.take().unwrap_or(Vector::Null(0));
            }
            return self.read(at, ends, out);
        }
        match out {
            Vector::Lazy(lazy) => lazy.reset(self.id),
            _ => *out = Vector::Lazy(Box::new(Lazy::new(self.id))),
        }
        Ok(())
    }

    /// Decodes a node below this one; false where it is elsewhere.
    pub(super) fn load(
        &mut self,
        at: &At<'_, '_>,
        id: u32,
        ends: Ends<'_>,
        out: &mut Vector,
    ) -> Result<bool> {
        if id == self.id {
            self.wanted = true;
            return self.read(at, ends, out).map(|()| true);
        }
        if !(self.id..self.id + self.count).contains(&id) {
            return Ok(false);
        }
        match &mut self.kind {
            Kind::Later(_) | Kind::Leaf(..) | Kind::Own | Kind::Nothing => Ok(false),
            Kind::Record(fields) => {
                for field in fields {
                    if field.load(at, id, ends, out)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Kind::Array(array) => array.load(at, id, out),
            Kind::Map(_, ends, key, value) => {
                Ok(key.load(at, id, Ends::At(ends), out)? || value.load(at, id, Ends::At(ends), out)?)
            }
            Kind::Union(branches, _) => {
                for branch in branches {
                    if branch.load(at, id, out)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
        }
    }

    /// Decodes the entries of the batch's rows into `out`, reusing its buffers.
    fn read(&mut self, at: &At<'_, '_>, ends: Ends<'_>, out: &mut Vector) -> Result<()> {
        match &mut self.kind {
            Kind::Later(_) => Err(Error::internal("a node is read that has not been made")),
            Kind::Leaf(column, leaf) => {
                leaf.prepare(out);
                if !at.decoded.values(column.number, at.picks, out) {
                    column.at(at)?.values(at.file, at.stretch(ends), out)?;
                }
                leaf.check(out).map_err(|error| in_column(at, column.number, error))
            }
            Kind::Record(fields) => {
                if !matches!(out, Vector::Record(record) if record.fields.len() == fields.len()) {
                    let empty = vec![Vector::Null(0); fields.len()];
                    *out = Vector::Record(RecordVector { fields: empty, ..RecordVector::default() });
                }
                if let Vector::Record(record) = out {
                    record.len = at.stretch(ends).selected_entries();
                    let own = |field: &Node| matches!(field.kind, Kind::Own);
                    let several = fields.iter().filter(|field| field.wanted).count() > 1;
                    let mut fields = fields.iter_mut().zip(&mut record.fields).filter(|(node, _)| !own(node));
                    if at.threads > 1 && several {
                        return threads::read(fields, at, ends);
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
                array.read(at, ends, &mut list)?;
                *out = if optional { Vector::Optional(list) } else { Vector::List(list) };
                Ok(())
            }
            Kind::Map(column, child_ends, key, value) => {
                let mut map = match std::mem::replace(out, Vector::Null(0)) {
                    Vector::Map(map) => map,
                    _ => Box::new(MapVector {
                        offsets: Offsets::default(),
                        key: Vector::Null(0),
                        value: Vector::Null(0),
                    }),
                };
                map.offsets.clear();
                *child_ends = column.lengths(at, ends, &mut map.offsets)?;
                key.read_if_wanted(at, Ends::At(child_ends), &mut map.key)?;
                value.read_if_wanted(at, Ends::At(child_ends), &mut map.value)?;
                *out = Vector::Map(map);
                Ok(())
            }
            Kind::Union(branches, null) => union::read(branches, *null, at, ends, out),
            Kind::Own => Ok(()),
            Kind::Nothing => {
                *out = Vector::Null(at.stretch(ends).selected_entries());
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
    fn load(&mut self, at: &At<'_, '_>, id: u32, out: &mut Vector) -> Result<bool> {
        match &mut self.item {
            Item::Fused(..) => Ok(false),
            Item::Below(node) => node.load(at, id, Ends::At(&self.ends), out),
            Item::Mixed(node, ..) => node.load(at, id, Ends::At(&self.ends), out),
        }
    }

    pub(super) fn read(&mut self, at: &At<'_, '_>, ends: Ends<'_>, list: &mut ListVector) -> Result<()> {
        list.offsets.clear();
        match &mut self.item {
            Item::Fused(leaf) => {
                leaf.prepare(&mut list.item);
                if !at.decoded.arrays(self.column.number, at.picks, list) {
                    let (offsets, item) = (&mut list.offsets, &mut list.item);
                    self.column.at(at)?.arrays(at.file, at.stretch(ends), offsets, item)?;
                }
                leaf.check(&list.item).map_err(|error| in_column(at, self.column.number, error))?;
            }
            Item::Below(node) => {
                self.ends = self.column.lengths(at, ends, &mut list.offsets)?;
                node.read_if_wanted(at, Ends::At(&self.ends), &mut list.item)?;
            }
            Item::Mixed(node, field, leaf) => {
                let mut own = leaf.vector();
                self.ends = self.column.arrays(at, ends, &mut list.offsets, &mut own)?;
                // The values are here already, so the record is read too.
                node.wanted = true;
                node.read(at, Ends::At(&self.ends), &mut list.item)?;
                if let Vector::Record(record) = &mut list.item
                    && let Some(place) = record.fields.get_mut(*field)
                {
                    *place = own;
                }
            }
        }
        if self.optional && !list.offsets.is_optional() {
            let error = Error::value("an optional value comes more than once");
            return Err(in_column(at, self.column.number, error));
        }
        Ok(())
    }
}
