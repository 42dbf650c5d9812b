//! Changes the columns when the shape has grown, with what they hold already.
//!
//! Most growth only adds columns: what was not there before is one run of zeros. Where values get
//! lengths, or lengths part from their values, the blocks of that one column are written again.

use super::column::ColumnEncoder;
use super::decode_block::decode_block;
use super::node::{ArrayNode, MapNode, Node};
use super::settings::below;
use crate::dialect::FileSettings;
use crate::dialect::trevni::columns::value_type;
use crate::error::{Error, Result};
use crate::shape::branch::branch_name;
use crate::shape::{Null, OptionalShape, Shape};
use crate::storage::blocks::{SealedBlock, Sealer};
use crate::storage::codec::Decompressor;
use crate::storage::value_type::ValueType;
use crate::vector::{Offsets, Vector};

/// The columns of `new`, which has grown from `old`, after `rows` rows.
pub(super) fn grow(
    settings: &FileSettings,
    sealer: &mut Sealer,
    root: Node,
    old: &Shape,
    new: &Shape,
    rows: u64,
) -> Result<Node> {
    Grow { settings, sealer, path: String::new() }.node(root, old, new, At { rows, entries: rows })
}

/// How much has been written where a shape grows.
#[derive(Clone, Copy)]
struct At {
    rows: u64,
    /// Entries of the node.
    entries: u64,
}

struct Grow<'a> {
    settings: &'a FileSettings,
    sealer: &'a mut Sealer,
    path: String,
}

impl Grow<'_> {
    fn in_field<R>(&mut self, name: &str, call: impl FnOnce(&mut Self) -> R) -> R {
        let mut path = std::mem::take(&mut self.path);
        let result = below(&mut path, name, |path| {
            std::mem::swap(&mut self.path, path);
            let result = call(self);
            std::mem::swap(&mut self.path, path);
            result
        });
        self.path = path;
        result
    }

    fn in_branch<R>(&mut self, variant: &Shape, call: impl FnOnce(&mut Self) -> R) -> R {
        self.in_field(branch_name(variant).name, call)
    }

    fn column(&self, value_type: ValueType, array: bool) -> Box<ColumnEncoder> {
        ColumnEncoder::new(value_type, array, self.settings.column_at(&self.path))
    }

    fn node(&mut self, node: Node, old: &Shape, new: &Shape, at: At) -> Result<Node> {
        if old == new {
            return Ok(node);
        }
        match (node, old, new) {
            (_, Shape::Unknown, new) => self.fresh(new, at),
            (node, Shape::Optional(from), Shape::Optional(to)) => {
                if to.null == Null::Absent && has_none(from) {
                    let inner = self.node(node, old, &to.item, at)?;
                    return self.wrap(inner, &to.item, at).map(array);
                }
                self.optional(node, &from.item, new, &to.item, at)
            }
            // `None` in all rows: the null column of a settled shape.
            (_, Shape::Optional(from), Shape::Null) if from.item == Shape::Unknown => self.fresh(new, at),
            (node, Shape::Null, Shape::Optional(to)) => {
                if to.null == Null::Absent {
                    let inner = self.node(node, old, &to.item, at)?;
                    return self.wrap(inner, &to.item, at).map(array);
                }
                self.fresh(new, at)
            }
            (node, old, Shape::Optional(to)) => {
                let inner = self.node(node, old, &to.item, at)?;
                match &to.item {
                    // A union is optional by having no branch.
                    Shape::Union(_) => Ok(inner),
                    item => self.wrap(inner, item, at).map(array),
                }
            }
            (Node::Union(branches), Shape::Union(from), Shape::Union(to)) => {
                self.branches(branches, from, to, at)
            }
            (node, old, Shape::Union(to)) => {
                let Some(first) = to.first() else {
                    return Ok(Node::Union(Vec::new()));
                };
                let wrapped = self.in_branch(first, |grow| {
                    let inner = grow.node(node, old, first, at)?;
                    grow.wrap(inner, first, at)
                })?;
                self.branches(vec![wrapped], std::slice::from_ref(first), to, at)
            }
            (Node::Record(nodes), Shape::Record(from), Shape::Record(to)) => {
                let mut nodes = nodes.into_iter();
                let mut grown = Vec::with_capacity(to.fields.len());
                for (index, field) in to.fields.iter().enumerate() {
                    let node = match (nodes.next(), from.fields.get(index)) {
                        (Some(node), Some(before)) => self
                            .in_field(&field.name, |grow| grow.node(node, &before.shape, &field.shape, at)),
                        _ => self.in_field(&field.name, |grow| grow.fresh(&field.shape, at)),
                    }?;
                    grown.push(node);
                }
                Ok(Node::Record(grown))
            }
            (Node::Array(node), Shape::List(from), Shape::List(to)) => {
                self.array(*node, from, to, at.rows).map(array)
            }
            (Node::Map(node), Shape::Map(from), Shape::Map(to)) => {
                let MapNode { column, key, value } = *node;
                let at = At { rows: at.rows, entries: column.total };
                let key = self.in_field("key", |grow| grow.node(key, &from.key, &to.key, at))?;
                let value = self.in_field("value", |grow| grow.node(value, &from.value, &to.value, at))?;
                Ok(Node::Map(Box::new(MapNode { column, key, value })))
            }
            // Records without fields, of which a map was made when the first key came.
            (Node::Record(_), Shape::Record(_), Shape::Map(_)) => self.fresh(new, at),
            (Node::Leaf(column), _, new) if value_type(new).is_some() => {
                Ok(Node::Leaf(retype(self.sealer, column, value_type(new).unwrap_or(ValueType::Null))?))
            }
            (_, old, new) => Err(Error::internal(format!("{} cannot become {}", old.kind(), new.kind()))),
        }
    }

    /// An optional that was one before; null means the same.
    fn optional(&mut self, node: Node, from: &Shape, new: &Shape, to: &Shape, at: At) -> Result<Node> {
        match (node, from, to) {
            (_, Shape::Unknown, _) => self.fresh(new, at),
            (Node::Union(branches), Shape::Union(from), Shape::Union(to)) => {
                self.branches(branches, from, to, at)
            }
            (Node::Array(node), from, Shape::Union(to)) => {
                let Some(first) = to.first() else {
                    return Err(Error::internal("an optional became an empty union"));
                };
                let node = self.in_branch(first, |grow| grow.array(*node, from, first, at.rows))?;
                self.branches(vec![node], std::slice::from_ref(first), to, at)
            }
            (Node::Array(node), from, to) => self.array(*node, from, to, at.rows).map(array),
            (Node::Union(branches), from, to) => {
                let (column, branches) = self.part(branches)?;
                let at = At { rows: at.rows, entries: column.total };
                let item = self.node(Node::Union(branches), from, to, at)?;
                Ok(array(ArrayNode { column, item: Some(item) }))
            }
            (_, from, to) => Err(Error::internal(format!("{} cannot become {}", from.kind(), to.kind()))),
        }
    }

    /// A union whose variants have grown, and that has new ones.
    fn branches(&mut self, branches: Vec<ArrayNode>, from: &[Shape], to: &[Shape], at: At) -> Result<Node> {
        let mut branches = branches.into_iter();
        let mut grown = Vec::with_capacity(to.len());
        for (index, variant) in to.iter().enumerate() {
            let branch = self.in_branch(variant, |grow| match (branches.next(), from.get(index)) {
                (Some(branch), Some(before)) => grow.array(branch, before, variant, at.rows),
                _ => grow.fresh_array(variant, at),
            })?;
            grown.push(branch);
        }
        Ok(Node::Union(grown))
    }

    /// Parts the nulls of a union from its branches: a column of lengths that says where there is a
    /// value, and the branches without the entries where there is none.
    fn part(&mut self, branches: Vec<ArrayNode>) -> Result<(Box<ColumnEncoder>, Vec<ArrayNode>)> {
        let mut present: Vec<bool> = Vec::new();
        let mut parted = Vec::with_capacity(branches.len());
        for ArrayNode { mut column, item } in branches {
            let empty = ColumnEncoder::new(column.value_type, true, column.settings);
            let mut entry = 0;
            decode(self.sealer, &mut column, |_, _, offsets, _| {
                for length in offsets.lengths() {
                    match present.get_mut(entry) {
                        Some(present) => *present |= length > 0,
                        None => present.push(length > 0),
                    }
                    entry += 1;
                }
                Ok(())
            })?;
            parted.push((column, ArrayNode { column: empty, item }));
        }
        let mut lengths = self.column(ValueType::Null, true);
        let mut nodes = Vec::with_capacity(parted.len());
        for (number, (column, mut node)) in parted.into_iter().enumerate() {
            let mut entries = present.iter();
            rewrite(self.sealer, column, |sealer, rows, offsets, values| {
                let (mut all, mut kept) = (Offsets::default(), Offsets::default());
                for (length, present) in offsets.lengths().zip(entries.by_ref()) {
                    let fits = all.push_length(u32::from(*present)) && (!present || kept.push_length(length));
                    debug_assert!(fits, "a block has fewer entries than 32 bits can count");
                }
                node.column.append_rows(rows, &kept, Some(values))?;
                node.column.seal(sealer)?;
                if number == 0 {
                    lengths.append_rows(rows, &all, None)?;
                    lengths.seal(sealer)?;
                }
                Ok(())
            })?;
            nodes.push(node);
        }
        Ok((lengths, nodes))
    }

    /// Lengths whose items have grown.
    fn array(&mut self, node: ArrayNode, from: &Shape, to: &Shape, rows: u64) -> Result<ArrayNode> {
        if from == to {
            return Ok(node);
        }
        let ArrayNode { column, item } = node;
        let at = At { rows, entries: column.total };
        match (item, value_type(from), value_type(to)) {
            (_, Some(_), Some(value_type)) => {
                Ok(ArrayNode { column: retype(self.sealer, column, value_type)?, item: None })
            }
            // There were no items, or they were all without a value.
            (_, None, Some(value_type)) => {
                let mut column = column;
                column.value_type = value_type;
                Ok(ArrayNode { column, item: None })
            }
            (None, Some(_), None) => {
                let (lengths, values) = split(self.sealer, column)?;
                let item = self.node(Node::Leaf(values), from, to, at)?;
                Ok(ArrayNode { column: lengths, item: Some(item) })
            }
            (None, None, None) => Ok(ArrayNode { column, item: Some(self.fresh(to, at)?) }),
            (Some(item), _, _) => {
                let item = self.node(item, from, to, at)?;
                Ok(ArrayNode { column, item: Some(item) })
            }
        }
    }

    /// Puts a node below lengths that are all one.
    fn wrap(&mut self, node: Node, shape: &Shape, at: At) -> Result<ArrayNode> {
        match node {
            Node::Leaf(column) if value_type(shape).is_some() => {
                Ok(ArrayNode { column: with_ones(self.sealer, column)?, item: None })
            }
            node => {
                let column = self.column(ValueType::Null, true).begin(at.rows, 1, at.entries)?;
                Ok(ArrayNode { column, item: Some(node) })
            }
        }
    }

    /// New columns; all their entries so far are without values.
    fn fresh(&mut self, shape: &Shape, at: At) -> Result<Node> {
        let none = At { entries: 0, ..at };
        Ok(match shape {
            Shape::Unknown => Node::Unknown,
            Shape::Record(record) => {
                let mut nodes = Vec::with_capacity(record.fields.len());
                for field in &record.fields {
                    nodes.push(self.in_field(&field.name, |grow| grow.fresh(&field.shape, at))?);
                }
                Node::Record(nodes)
            }
            Shape::List(item) => array(self.fresh_array(item, at)?),
            Shape::Map(map) => {
                let column = self.column(ValueType::Null, true).begin(at.rows, 0, at.entries)?;
                let key = self.in_field("key", |grow| grow.fresh(&map.key, none))?;
                let value = self.in_field("value", |grow| grow.fresh(&map.value, none))?;
                Node::Map(Box::new(MapNode { column, key, value }))
            }
            Shape::Optional(optional) => match &optional.item {
                Shape::Unknown => Node::Unknown,
                union @ Shape::Union(_) => self.fresh(union, at)?,
                item => array(self.fresh_array(item, at)?),
            },
            Shape::Union(variants) => self.branches(Vec::new(), &[], variants, at)?,
            simple => {
                let value_type = value_type(simple).unwrap_or(ValueType::Null);
                Node::Leaf(self.column(value_type, false).begin(at.rows, 0, 0)?)
            }
        })
    }

    fn fresh_array(&mut self, item: &Shape, at: At) -> Result<ArrayNode> {
        let own = value_type(item);
        let column = self.column(own.unwrap_or(ValueType::Null), true).begin(at.rows, 0, at.entries)?;
        let item = match (own, item) {
            (Some(_), _) | (None, Shape::Unknown) => None,
            (None, item) => Some(self.fresh(item, At { entries: 0, ..at })?),
        };
        Ok(ArrayNode { column, item })
    }
}

/// Whether null, here or below, says `None`, so that another optional around this one says what is absent.
fn has_none(shape: &OptionalShape) -> bool {
    match shape.null {
        Null::None => true,
        Null::Unseen => matches!(shape.item, Shape::Optional(_) | Shape::Null),
        Null::Absent => false,
    }
}

fn array(node: ArrayNode) -> Node {
    Node::Array(Box::new(node))
}

/// The column with another type of values.
fn retype(
    sealer: &mut Sealer,
    mut column: Box<ColumnEncoder>,
    value_type: ValueType,
) -> Result<Box<ColumnEncoder>> {
    let same_bytes = matches!(
        (column.value_type, value_type),
        (ValueType::Int | ValueType::Long, ValueType::Int | ValueType::Long)
    );
    if same_bytes {
        column.value_type = value_type;
    }
    if column.value_type.fits(value_type) {
        return Ok(column);
    }
    let mut grown = ColumnEncoder::new(value_type, column.array, column.settings);
    rewrite(sealer, column, |sealer, rows, offsets, values| {
        let values = match values {
            Vector::Float(values) => Vector::Double(values.iter().map(|value| f64::from(*value)).collect()),
            Vector::Int(values) => Vector::Long(values.iter().map(|value| i64::from(*value)).collect()),
            _ => return Err(Error::internal("values of this type cannot be widened")),
        };
        if grown.array {
            grown.append_rows(rows, offsets, Some(&values))?;
        } else {
            grown.append_plain(rows, &values);
        }
        grown.seal(sealer)
    })?;
    Ok(grown)
}

/// The values of the column, each in an array of one.
fn with_ones(sealer: &mut Sealer, column: Box<ColumnEncoder>) -> Result<Box<ColumnEncoder>> {
    let mut grown = ColumnEncoder::new(column.value_type, true, column.settings);
    rewrite(sealer, column, |sealer, rows, _, values| {
        grown.append_ones(rows, values)?;
        grown.seal(sealer)
    })?;
    Ok(grown)
}

/// The lengths of the column, and its values, apart.
fn split(
    sealer: &mut Sealer,
    column: Box<ColumnEncoder>,
) -> Result<(Box<ColumnEncoder>, Box<ColumnEncoder>)> {
    let mut lengths = ColumnEncoder::new(ValueType::Null, true, column.settings);
    let mut plain = ColumnEncoder::new(column.value_type, false, column.settings);
    rewrite(sealer, column, |sealer, rows, offsets, values| {
        lengths.append_rows(rows, offsets, None)?;
        plain.append_plain(rows, values);
        lengths.seal(sealer)?;
        plain.seal(sealer)
    })?;
    Ok((lengths, plain))
}

/// Decodes block after block, and forgets each: rows, lengths, values.
fn rewrite(
    sealer: &mut Sealer,
    mut column: Box<ColumnEncoder>,
    mut each: impl FnMut(&mut Sealer, u32, &Offsets, &Vector) -> Result<()>,
) -> Result<()> {
    decode(sealer, &mut column, |sealer, block, offsets, values| {
        sealer.remove(block.id);
        each(sealer, block.rows, offsets, values)
    })
}

/// Decodes block after block: lengths, values.
fn decode(
    sealer: &mut Sealer,
    column: &mut ColumnEncoder,
    mut each: impl FnMut(&mut Sealer, &SealedBlock, &Offsets, &Vector) -> Result<()>,
) -> Result<()> {
    column.seal(sealer)?;
    sealer.settle()?;
    let mut decompressor = Decompressor::new(column.codec())?;
    let (mut stored, mut data) = (Vec::new(), Vec::new());
    for block in &column.blocks {
        let bytes = sealer.store().bytes(block.id, &mut stored)?;
        let compressed = bytes.len().saturating_sub(column.settings.checksum.size());
        let bytes = bytes.get(..compressed).unwrap_or_default();
        decompressor.decompress(bytes, block.size as usize, &mut data)?;
        let (offsets, values) = decode_block(column.value_type, column.array, block.entries, &data)?;
        each(sealer, block, &offsets, &values)?;
    }
    Ok(())
}
