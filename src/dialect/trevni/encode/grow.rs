//! Changes the columns when the shape has grown, with what they hold already.
//!
//! Most growth only adds columns: what was not there before is one run of zeros. Where values get
//! lengths, or lengths part from their values, the blocks of that one column are written again.

use super::column::ColumnEncoder;
use super::rewrite;
use super::tree::Node;
use crate::convert::{Conversion, Leaf};
use crate::dialect::trevni::columns::value_type;
use crate::dialect::{FileSettings, ShapeSettings};
use crate::error::{Error, Result};
use crate::shape::branch::{BranchName, branch_name};
use crate::shape::children::Child;
use crate::shape::{Null, OptionalShape, Shape};
use crate::storage::blocks::Sealer;
use crate::storage::value_type::ValueType;

/// The columns of `new`, which has grown from `old`, after `rows` rows.
pub(super) fn grow(
    settings: &FileSettings,
    sealer: &mut Sealer,
    root: Node,
    old: &Shape,
    new: &Shape,
    rows: u64,
) -> Result<Node> {
    let settings = settings.for_shape(new);
    Grow { settings, sealer, names: Vec::new() }.node(root, old, new, At { rows, entries: rows })
}

/// How much has been written where a shape grows.
#[derive(Clone, Copy)]
struct At {
    rows: u64,
    /// Entries of the node.
    entries: u64,
}

impl At {
    /// The same below lengths.
    fn below(self, lengths: Option<&ColumnEncoder>) -> Self {
        Self { entries: lengths.map_or(self.entries, |column| column.total), ..self }
    }
}

struct Grow<'a> {
    settings: ShapeSettings<'a>,
    sealer: &'a mut Sealer,
    /// The exact names of the path.
    names: Vec<String>,
}

impl Grow<'_> {
    fn in_field<R>(&mut self, name: BranchName<'_>, call: impl FnOnce(&mut Self) -> R) -> R {
        self.names.push(name.full().into_owned());
        let result = call(self);
        self.names.pop();
        result
    }

    fn column(&self, value_type: ValueType, array: bool) -> Box<ColumnEncoder> {
        ColumnEncoder::new(value_type, array, self.settings.column(&self.names))
    }

    fn node(&mut self, node: Node, old: &Shape, new: &Shape, at: At) -> Result<Node> {
        match (old, new) {
            _ if old == new => Ok(node),
            (Shape::Unknown, _) => self.fresh(new, at),
            // Records without fields, of which a map was made when the first key came.
            (Shape::Record(_), Shape::Map(_)) => self.fresh(new, at),
            // `None` in all rows: the null column of a settled shape.
            (Shape::Optional(from), Shape::Null) if from.item == Shape::Unknown => self.fresh(new, at),
            (Shape::Null, Shape::Optional(to)) if to.null != Null::Absent => self.fresh(new, at),
            (Shape::Optional(from), Shape::Optional(to)) if to.null != Null::Absent || !has_none(from) => {
                self.optional(node, &from.item, new, &to.item, at)
            }
            (_, Shape::Optional(to)) => {
                let inner = self.node(node, old, &to.item, at)?;
                match &to.item {
                    // A union is optional by having no branch.
                    Shape::Union(_) => Ok(inner),
                    item => self.wrap(inner, item, at),
                }
            }
            (Shape::Union(_), Shape::Union(_)) => self.branches(node.below, old, new, at),
            (_, Shape::Union(to)) => {
                let Some(first) = to.first() else { return Ok(Node::default()) };
                let wrapped = self.in_field(branch_name(first), |grow| {
                    let inner = grow.node(node, old, first, at)?;
                    grow.wrap(inner, first, at)
                })?;
                self.branches(vec![wrapped], &Shape::Union(vec![first.clone()]), new, at)
            }
            (Shape::List(from), Shape::List(to)) => self.array(node, from, to, at),
            (Shape::Record(_), Shape::Record(_)) | (Shape::Map(_), Shape::Map(_)) => {
                let at = at.below(node.column.as_deref());
                let below =
                    self.children(node.below, old, new, |grow, node, from, to| grow.node(node, from, to, at));
                Ok(Node { column: node.column, below: below? })
            }
            _ => match (node.column, value_type(new)) {
                (Some(column), Some(value_type)) => {
                    let column = rewrite::retype(self.sealer, column, value_type, leaf(old, new)?)?;
                    Ok(Node::with(column, Vec::new()))
                }
                _ => Err(cannot_become(old, new)),
            },
        }
    }

    /// An optional that was one before; null means the same.
    fn optional(&mut self, node: Node, from: &Shape, new: &Shape, to: &Shape, at: At) -> Result<Node> {
        match (from, to) {
            (Shape::Unknown, _) => self.fresh(new, at),
            (Shape::Union(_), Shape::Union(_)) => self.branches(node.below, from, to, at),
            (_, Shape::Union(variants)) => {
                let first = variants.first().ok_or_else(|| cannot_become(from, to))?;
                let node = self.in_field(branch_name(first), |grow| grow.array(node, from, first, at))?;
                self.branches(vec![node], &Shape::Union(vec![first.clone()]), to, at)
            }
            (Shape::Union(_), _) => {
                let lengths = self.column(ValueType::Null, true);
                let (lengths, branches) = rewrite::part(self.sealer, lengths, node.below)?;
                let at = at.below(Some(&lengths));
                let item = self.node(Node { column: None, below: branches }, from, to, at)?;
                Ok(Node::with(lengths, vec![item]))
            }
            _ => self.array(node, from, to, at),
        }
    }

    /// The nodes below one that has grown, old and new.
    fn children(
        &mut self,
        nodes: Vec<Node>,
        old: &Shape,
        new: &Shape,
        grow: impl Fn(&mut Self, Node, &Shape, &Shape) -> Result<Node>,
    ) -> Result<Vec<Node>> {
        let mut nodes = nodes.into_iter().zip(old.children());
        let mut grown = Vec::new();
        for Child { name, shape } in new.children() {
            let (node, from) = match nodes.next() {
                Some((node, from)) => (node, from.shape),
                None => (Node::default(), &Shape::Unknown),
            };
            grown.push(match name {
                Some(name) => self.in_field(name, |me| grow(me, node, from, shape))?,
                None => grow(self, node, from, shape)?,
            });
        }
        Ok(grown)
    }

    /// A union whose variants have grown, and that has new ones.
    fn branches(&mut self, branches: Vec<Node>, from: &Shape, to: &Shape, at: At) -> Result<Node> {
        let below =
            self.children(branches, from, to, |grow, node, from, to| grow.array(node, from, to, at))?;
        Ok(Node { column: None, below })
    }

    /// Lengths whose items have grown.
    fn array(&mut self, node: Node, from: &Shape, to: &Shape, at: At) -> Result<Node> {
        let Some(mut column) = node.column else { return self.fresh_array(to, at) };
        let at = at.below(Some(&column));
        let item = node.below.into_iter().next();
        match (item, value_type(from), value_type(to)) {
            (item, ..) if from == to => Ok(Node::with(column, item.into_iter().collect())),
            (_, Some(_), Some(value_type)) => {
                let column = rewrite::retype(self.sealer, column, value_type, leaf(from, to)?)?;
                Ok(Node::with(column, Vec::new()))
            }
            // There were no items, or they were all without a value.
            (_, None, Some(value_type)) => {
                column.value_type = value_type;
                Ok(Node::with(column, Vec::new()))
            }
            (None, Some(_), None) => {
                let (lengths, values) = rewrite::split(self.sealer, column)?;
                let item = self.node(Node::with(values, Vec::new()), from, to, at)?;
                Ok(Node::with(lengths, vec![item]))
            }
            (item, _, None) => {
                let item = self.node(item.unwrap_or_default(), from, to, at)?;
                Ok(Node::with(column, vec![item]))
            }
        }
    }

    /// Puts a node below lengths that are all one.
    fn wrap(&mut self, node: Node, shape: &Shape, at: At) -> Result<Node> {
        match node.column {
            Some(column) if value_type(shape).is_some() => {
                Ok(Node::with(rewrite::with_ones(self.sealer, column)?, Vec::new()))
            }
            column => {
                let lengths = self.column(ValueType::Null, true).begin(at.rows, 1, at.entries)?;
                Ok(Node::with(lengths, vec![Node { column, below: node.below }]))
            }
        }
    }

    /// New columns; all their entries so far are without values.
    fn fresh(&mut self, shape: &Shape, at: At) -> Result<Node> {
        let none = At { entries: 0, ..at };
        let children = |grow: &mut Self, at| {
            grow.children(Vec::new(), &Shape::Unknown, shape, |grow, _, _, to| grow.fresh(to, at))
        };
        match shape {
            Shape::Unknown => Ok(Node::default()),
            Shape::List(item) => self.fresh_array(item, at),
            Shape::Optional(optional) => match &optional.item {
                item @ (Shape::Unknown | Shape::Union(_)) => self.fresh(item, at),
                item => self.fresh_array(item, at),
            },
            Shape::Union(_) => self.branches(Vec::new(), &Shape::Unknown, shape, at),
            Shape::Record(_) => Ok(Node { column: None, below: children(self, at)? }),
            Shape::Map(_) => {
                let column = self.column(ValueType::Null, true).begin(at.rows, 0, at.entries)?;
                Ok(Node::with(column, children(self, none)?))
            }
            leaf => {
                let value_type = value_type(leaf).unwrap_or(ValueType::Null);
                Ok(Node::with(self.column(value_type, false).begin(at.rows, 0, 0)?, Vec::new()))
            }
        }
    }

    fn fresh_array(&mut self, item: &Shape, at: At) -> Result<Node> {
        let own = value_type(item);
        let column = self.column(own.unwrap_or(ValueType::Null), true).begin(at.rows, 0, at.entries)?;
        let below = match (own, item) {
            (Some(_), _) | (None, Shape::Unknown) => Vec::new(),
            (None, item) => vec![self.fresh(item, At { entries: 0, ..at })?],
        };
        Ok(Node::with(column, below))
    }
}

/// What becomes of the values of a leaf; `None` where they stay what they are.
fn leaf(old: &Shape, new: &Shape) -> Result<Option<Leaf>> {
    match Conversion::between(old, new) {
        Some(Conversion::Keep | Conversion::Never(_)) => Ok(None),
        Some(Conversion::Leaf(leaf)) => Ok(Some(leaf)),
        _ => Err(cannot_become(old, new)),
    }
}

#[cold]
fn cannot_become(old: &Shape, new: &Shape) -> Error {
    Error::internal(format!("{} cannot become {}", old.kind(), new.kind()))
}

/// Whether null, here or below, says `None`, so that another optional around this one says what is absent.
fn has_none(shape: &OptionalShape) -> bool {
    match shape.null {
        Null::None => true,
        Null::Unseen => matches!(shape.item, Shape::Optional(_) | Shape::Null),
        Null::Absent => false,
    }
}
