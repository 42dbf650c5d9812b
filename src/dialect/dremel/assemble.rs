//! Vectors from the levels and values of columns.

use super::Columns;
use super::column::State;
use super::decoder::Decoder;
use super::plan::Node;
use crate::dialect::decoder::DecodedColumns;
use crate::error::{Error, Result};
use crate::levels::tags::Tags;
use crate::levels::{LevelsRef, Place, lengths};
use crate::tree::{Kind, NodeId, Slot};
use crate::vector::{ListVector, MapVector, Offsets, RecordVector, UnionVector, Vector};

/// Bytes of memory of a length.
const LENGTH_BYTES: u64 = 4;
/// Bytes of memory of an entry of a union, while it is made too.
const TAG_BYTES: u64 = 8;

impl<C: Send> Decoder<C> {
    /// Makes the vector of a node that has `len` entries; its columns have been read.
    pub(super) fn assemble<F: Columns<Cursor = C>>(
        &mut self,
        file: &F,
        id: NodeId,
        len: usize,
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        if !self.nodes.get(id as usize).is_some_and(|node| node.wanted) {
            *out = Vector::Unread(id);
            return Ok(());
        }
        match self.part.tree.kind(id) {
            Kind::Leaf(_) => self.leaf(file, id, len, decoded, out),
            Kind::Record => self.record(file, id, len, decoded, out),
            Kind::List | Kind::Optional if self.is_decoded(id, decoded, out) => Ok(()),
            Kind::List => {
                let mut list = taken_list(out);
                match self.nodes.get(id as usize).and_then(|node| node.width) {
                    Some(width) => {
                        self.hold.memory.add(LENGTH_BYTES * len as u64)?;
                        rows_of(width, len, &mut list.offsets)?;
                    }
                    None => self.lists(file, id, len, &mut list.offsets)?,
                }
                let total = list.offsets.total();
                self.assemble(file, id + 1, total, decoded, &mut list.item)?;
                *out = Vector::List(list);
                Ok(())
            }
            Kind::Map => {
                let mut map = match std::mem::replace(out, Vector::Null(0)) {
                    Vector::Map(map) => map,
                    _ => Box::new(MapVector::new(Offsets::default(), Vector::Null(0), Vector::Null(0))),
                };
                map.offsets.clear();
                self.lists(file, id, len, &mut map.offsets)?;
                let total = map.offsets.total();
                let value = id + 1 + self.part.tree.span(id + 1);
                self.assemble(file, id + 1, total, decoded, &mut map.key)?;
                self.assemble(file, value, total, decoded, &mut map.value)?;
                *out = Vector::Map(map);
                Ok(())
            }
            Kind::Optional if self.part.tree.kind(id + 1) == Kind::Union => {
                let mut list = taken_list(out);
                self.union(file, id, id + 1, len, decoded, Some(&mut list.offsets), &mut list.item)?;
                *out = Vector::Optional(list);
                Ok(())
            }
            Kind::Optional => {
                let mut list = taken_list(out);
                self.optionals(file, id, len, &mut list.offsets)?;
                let total = list.offsets.total();
                self.assemble(file, id + 1, total, decoded, &mut list.item)?;
                *out = Vector::Optional(list);
                Ok(())
            }
            Kind::Union => self.union(file, id, id, len, decoded, None, out),
            Kind::Unknown => {
                *out = Vector::Null(len);
                Ok(())
            }
        }
    }

    fn leaf<F: Columns<Cursor = C>>(
        &mut self,
        file: &F,
        id: NodeId,
        len: usize,
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        let Kind::Leaf(leaf) = self.part.tree.kind(id) else {
            return Err(Error::internal("a node that is not a leaf has values"));
        };
        let used = self.nodes.get(id as usize).and_then(|node| node.column);
        let Some((column, at)) = used.and_then(|used| self.uses.get(used)).map(|used| (used.column, used.at))
        else {
            let constant = self.part.in_whole(id).and_then(|id| self.schema.constants.get(id));
            return match constant {
                Some(constant) => constant.fill(len, leaf, &self.hold.memory, out),
                None => {
                    *out = Vector::Null(len);
                    Ok(())
                }
            };
        };
        leaf.prepare(false, out);
        if !(decoded.has(column) && decoded.values(column, &self.picks, out)) {
            let Some(read) = self.columns.get_mut(at) else {
                return Err(Error::internal("a column has not been read"));
            };
            // A filter has decoded it with the optionals around the values, which are asked for alone.
            read.need = State { levels: false, values: true };
            read.read(file, self.row, &self.picks, &self.hold)?;
            std::mem::swap(out, &mut read.values);
        }
        let checked = match out.len() {
            found if found == len => leaf.check(out),
            found => Err(Error::value(format!("{found} values where other columns say {len}"))),
        };
        checked.map_err(|error| file.in_column(column, error))
    }

    fn record<F: Columns<Cursor = C>>(
        &mut self,
        file: &F,
        id: NodeId,
        len: usize,
        decoded: &DecodedColumns<'_>,
        out: &mut Vector,
    ) -> Result<()> {
        let tree = std::sync::Arc::clone(&self.part.tree);
        let count = tree.children(id).count();
        if !matches!(out, Vector::Record(record) if record.fields.len() == count) {
            let empty = vec![Vector::Null(0); count];
            *out = Vector::Record(RecordVector { fields: empty, ..RecordVector::default() });
        }
        if let Vector::Record(record) = out {
            record.len = len;
            for (id, field) in tree.children(id).zip(&mut record.fields) {
                self.assemble(file, id, len, decoded, field)?;
            }
        }
        Ok(())
    }

    /// Whether the lists or optionals of a node have been decoded already, with their values; if so, takes them.
    fn is_decoded(&self, id: NodeId, decoded: &DecodedColumns<'_>, out: &mut Vector) -> bool {
        let column = |id| self.schema.column(Slot::Own(self.part.in_whole(id)?));
        let (Some(own), Kind::Leaf(leaf)) = (column(id), self.part.tree.kind(id + 1)) else {
            return false;
        };
        let is_wanted = self.nodes.get(id as usize + 1).is_some_and(|node| node.wanted);
        if !is_wanted || column(id + 1) != Some(own) || !decoded.has(own) {
            return false;
        }
        let is_optional = self.part.tree.kind(id) == Kind::Optional;
        let mut list = taken_list(out);
        leaf.prepare(false, &mut list.item);
        let done = decoded.arrays(own, &self.picks, &mut list);
        *out = if is_optional { Vector::Optional(list) } else { Vector::List(list) };
        done
    }

    /// What the column of a node says of it.
    fn levels(&self, id: NodeId) -> Result<(usize, LevelsRef<'_>, Place, Place)> {
        self.levels_of(id, |node| node.column)
    }

    fn levels_of(
        &self,
        id: NodeId,
        column: impl Fn(&Node) -> Option<usize>,
    ) -> Result<(usize, LevelsRef<'_>, Place, Place)> {
        let node = self.nodes.get(id as usize);
        let used = node.and_then(column).and_then(|number| self.uses.get(number));
        match (node, used.and_then(|used| self.columns.get(used.at))) {
            (Some(node), Some(column)) => {
                Ok((column.number, column.levels.as_ref(), column.greatest, node.place))
            }
            _ => Err(Error::internal(format!("no column tells of node {id}"))),
        }
    }

    fn optionals<F: Columns<Cursor = C>>(
        &self,
        file: &F,
        id: NodeId,
        len: usize,
        out: &mut Offsets,
    ) -> Result<()> {
        let (column, levels, greatest, place) = self.levels(id)?;
        self.hold.memory.add(LENGTH_BYTES * levels.entries as u64)?;
        let done = lengths::optionals(levels, greatest, place, out).and_then(|()| expect(len, out.len()));
        done.map_err(|error| file.in_column(column, error))
    }

    fn lists<F: Columns<Cursor = C>>(
        &self,
        file: &F,
        id: NodeId,
        len: usize,
        out: &mut Offsets,
    ) -> Result<()> {
        let (column, levels, _, place) = self.levels(id)?;
        self.hold.memory.add(LENGTH_BYTES * levels.entries as u64)?;
        let done = lengths::lists(levels, place, out).and_then(|()| expect(len, out.len()));
        done.map_err(|error| file.in_column(column, error))
    }

    /// Makes a union; `around` is the node whose entries it has, `present` the optional around it.
    #[allow(clippy::too_many_arguments)]
    fn union<F: Columns<Cursor = C>>(
        &mut self,
        file: &F,
        around: NodeId,
        id: NodeId,
        len: usize,
        decoded: &DecodedColumns<'_>,
        present: Option<&mut Offsets>,
        out: &mut Vector,
    ) -> Result<()> {
        let mut union = match std::mem::replace(out, Vector::Null(0)) {
            Vector::Union(union) => union,
            _ => UnionVector::default(),
        };
        let place = self.nodes.get(around as usize).map_or_else(Place::default, |node| node.place);
        let tree = std::sync::Arc::clone(&self.part.tree);
        self.hold.memory.add(TAG_BYTES * len as u64)?;
        let mut tags = Tags::new(len);
        for (tag, variant) in (0u16..).zip(tree.children(id)) {
            let (column, levels, _, within) = self.levels_of(variant, |node| node.presence)?;
            let done = tags.add(tag, levels, place, within.definition);
            done.map_err(|error| file.in_column(column, error))?;
        }
        let counts = tags.finish(tree.children(id).count(), present, &mut union)?;
        union.variants.resize(counts.len(), Vector::Null(0));
        for ((variant, values), count) in tree.children(id).zip(&mut union.variants).zip(counts) {
            self.assemble(file, variant, count, decoded, values)?;
        }
        *out = Vector::Union(union);
        Ok(())
    }
}

/// The lists of a vector, without items.
fn taken_list(out: &mut Vector) -> Box<ListVector> {
    match std::mem::replace(out, Vector::Null(0)) {
        Vector::List(mut list) | Vector::Optional(mut list) => {
            list.offsets.clear();
            list
        }
        _ => Box::new(ListVector::new(Offsets::default(), Vector::Null(0))),
    }
}

/// Lists of `width` items each.
fn rows_of(width: usize, count: usize, out: &mut Offsets) -> Result<()> {
    let most = count.checked_mul(width).and_then(|total| u32::try_from(total).ok());
    match most {
        Some(_) if (1..=count).all(|list| out.push_end(list * width)) => Ok(()),
        _ => Err(Error::too_large("the number of values in a batch", count as u64, u64::from(u32::MAX))),
    }
}

fn expect(len: usize, found: usize) -> Result<()> {
    if found == len {
        return Ok(());
    }
    Err(Error::value(format!("the levels have {found} entries, another column's have {len}")))
}
