//! Binds predicates to a shape: finds the places that paths name.

use super::filter::{Filter, Step, Variant};
use super::task::{Action, Task};
use super::{Comparison, Expression, Predicate};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::branch_name;
use crate::schema::columns::Layout;
use crate::schema::path::rest_of;
use crate::shape::{FieldShape, MapShape, Shape};
use std::cmp::Reverse;
use std::collections::BTreeSet;

/// What becomes of a path that the shape does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// It is an error.
    Refused,
    /// It is missing in all rows: for files that have not all the fields of others.
    Null,
}

impl Predicate {
    /// Binds the predicate to a shape and its columns.
    ///
    /// # Errors
    ///
    /// Paths that the shape does not have, if they are refused; literals that cannot be compared with
    /// what is there; lists without `any`, `any` without lists; a layout of another shape.
    pub(crate) fn bind(&self, shape: &Shape, layout: &Layout, missing: Missing) -> Result<Filter> {
        let mut binder = Binder { missing, nodes: BTreeSet::new(), columns: BTreeSet::new() };
        let row = Spot { place: Place::Node(shape, layout), id: 0, above: 0 };
        let root = binder.predicate(row, self, "")?;
        binder.want(0, own_columns(layout));
        Ok(Filter {
            root,
            nodes: binder.nodes.into_iter().collect(),
            columns: binder.columns.into_iter().collect(),
        })
    }
}

/// Where a path goes on.
#[derive(Clone, Copy)]
struct Spot<'s> {
    place: Place<'s>,
    /// Number of the node, or of the next one where this is none.
    id: u32,
    /// The array column around it.
    above: usize,
}

#[derive(Clone, Copy)]
enum Place<'s> {
    Node(&'s Shape, &'s Layout),
    /// The entry of a map, which is no node: it is like a record of a key and a value.
    Entry(&'s MapShape, &'s Layout, &'s Layout),
}

impl<'s> Spot<'s> {
    /// A node below, which begins this many nodes after this one.
    fn below(self, shape: &'s Shape, layout: &'s Layout, nodes: usize) -> Self {
        let id = self.id.saturating_add(u32::try_from(nodes).unwrap_or(u32::MAX));
        Self { place: Place::Node(shape, layout), id, above: self.above }
    }
}

struct Binder {
    missing: Missing,
    nodes: BTreeSet<u32>,
    columns: BTreeSet<usize>,
}

impl Binder {
    /// Asks for a node and its own columns.
    fn want(&mut self, node: u32, columns: impl IntoIterator<Item = usize>) {
        self.nodes.insert(node);
        self.columns.extend(columns);
    }

    /// A predicate whose paths begin at a spot; `within` is the path to there.
    fn predicate(&mut self, spot: Spot<'_>, predicate: &Predicate, within: &str) -> Result<Step> {
        match &predicate.0 {
            Expression::Compare { path, comparison } => {
                let step = self.path(spot, path, Action::Compare(comparison), within)?;
                Ok(if matches!(comparison, Comparison::Ne(_)) { negated(step) } else { step })
            }
            Expression::Null { path, not } => {
                let step = self.path(spot, path, Action::IsNull, within)?;
                Ok(if *not { negated(step) } else { step })
            }
            Expression::Any { path, predicate } => self.path(spot, path, Action::Any(predicate), within),
            Expression::And(all) => self.all(spot, all, within).map(Step::And),
            Expression::Or(all) => self.all(spot, all, within).map(Step::Or),
            Expression::Not(predicate) => self.predicate(spot, predicate, within).map(negated),
        }
    }

    fn all(&mut self, spot: Spot<'_>, all: &[Predicate], within: &str) -> Result<Vec<Step>> {
        all.iter().map(|part| self.predicate(spot, part, within)).collect()
    }

    fn path(&mut self, spot: Spot<'_>, path: &str, action: Action<'_>, within: &str) -> Result<Step> {
        let dot = if within.is_empty() || path.is_empty() { "" } else { "." };
        let whole = [within, dot, path].concat();
        match self.descend(spot, path, Task { action, path: &whole }) {
            Err(error) if is_no_such(&error) && self.missing == Missing::Null => {
                Ok(Step::Constant(action.missing()))
            }
            result => result,
        }
    }

    fn descend(&mut self, spot: Spot<'_>, path: &str, task: Task<'_>) -> Result<Step> {
        let (shape, layout) = match spot.place {
            Place::Node(shape, layout) => (shape, layout),
            Place::Entry(map, key, value) => {
                let value_at = map.key.node_count();
                let fields = [
                    ("key", spot.below(&map.key, key, 0)),
                    ("value", spot.below(&map.value, value, value_at)),
                ];
                if path.is_empty() {
                    return task.present("entry", ": name its key or value");
                }
                return self.field(&fields, path, task);
            }
        };
        match (shape, layout) {
            (Shape::Null | Shape::Unknown, _) if path.is_empty() => Ok(Step::Constant(task.action.missing())),
            (Shape::Optional(optional), Layout::Union(_)) => {
                let item = self.descend(spot.below(&optional.item, layout, 1), path, task)?;
                Ok(self.optional(spot.id, own_columns(layout), item, task))
            }
            (Shape::Optional(optional), Layout::Array { column, item }) => {
                let fused = Layout::Leaf(*column);
                let below = spot.below(&optional.item, item.as_deref().unwrap_or(&fused), 1);
                let item = self.descend(Spot { above: *column, ..below }, path, task)?;
                Ok(self.optional(spot.id, vec![*column], item, task))
            }
            (Shape::List(item), Layout::Array { column, item: below }) => {
                let Some(predicate) = task.items(shape, path)? else {
                    return task.present(shape.kind(), ": test its items with any");
                };
                let fused = Layout::Leaf(*column);
                let below = spot.below(item, below.as_deref().unwrap_or(&fused), 1);
                self.any(spot.id, *column, below, predicate, task)
            }
            (Shape::Map(map), Layout::Map { column, key, value }) => {
                let Some(predicate) = task.items(shape, path)? else {
                    return task.present(shape.kind(), ": test its entries with any");
                };
                let below = Spot { place: Place::Entry(map, key, value), id: spot.id + 1, ..spot };
                self.any(spot.id, *column, below, predicate, task)
            }
            (Shape::Record(_), Layout::Record(_)) if path.is_empty() => {
                task.present(shape.kind(), ": name one of its fields")
            }
            (Shape::Record(record), Layout::Record(layouts)) => {
                let step = self.field(&fields(spot, &record.fields, layouts), path, task)?;
                if !matches!(step, Step::Constant(_)) {
                    self.want(spot.id, []);
                }
                Ok(step)
            }
            (Shape::Union(variants), Layout::Union(branches)) => {
                self.union(spot, variants, branches, path, task)
            }
            _ if !path.is_empty() => Err(task.no_such(path, &[])),
            (simple, Layout::Leaf(column)) => self.values(spot.id, simple, *column, task),
            (simple, Layout::Own) => self.values(spot.id, simple, spot.above, task),
            (Shape::Optional(_), Layout::None) => Ok(Step::Constant(task.action.missing())),
            _ => Err(Error::metadata("columns do not fit the shape")),
        }
    }

    fn values(&mut self, node: u32, shape: &Shape, column: usize, task: Task<'_>) -> Result<Step> {
        let step = task.values(shape, column)?;
        if !matches!(step, Step::Constant(_)) {
            self.want(node, [column]);
        }
        Ok(step)
    }

    fn optional(&mut self, node: u32, columns: Vec<usize>, item: Step, task: Task<'_>) -> Step {
        let missing = task.action.missing();
        if matches!(item, Step::Constant(truth) if truth == missing) {
            return item;
        }
        self.want(node, columns.iter().copied());
        Step::Optional { columns, missing, item: Box::new(item) }
    }

    fn any(
        &mut self,
        node: u32,
        column: usize,
        item: Spot<'_>,
        predicate: &Predicate,
        task: Task<'_>,
    ) -> Result<Step> {
        let within = format!("{}[]", task.path);
        let item = self.predicate(Spot { above: column, ..item }, predicate, &within)?;
        self.want(node, [column]);
        Ok(Step::Any { column, item: Box::new(item) })
    }

    /// The field that a path begins with. A name may have dots, so it may begin with several: the
    /// longest counts that has the rest.
    fn field(&mut self, fields: &[(&str, Spot<'_>)], path: &str, task: Task<'_>) -> Result<Step> {
        let named = fields.iter().enumerate().filter_map(|(number, (name, spot))| {
            rest_of(path, name).map(|rest| (number, name.len(), *spot, rest))
        });
        let mut named: Vec<_> = named.collect();
        named.sort_by_key(|(_, length, ..)| Reverse(*length));
        let mut failed = None;
        for (number, _, spot, rest) in named {
            match self.descend(spot, rest, task) {
                Err(error) if is_no_such(&error) => failed = Some(error),
                Ok(constant @ Step::Constant(_)) => return Ok(constant),
                result => return result.map(|step| Step::Field(number, Box::new(step))),
            }
        }
        let names = || fields.iter().map(|(name, _)| *name).collect::<Vec<_>>();
        Err(failed.unwrap_or_else(|| task.no_such(path, &names())))
    }

    /// The variants that a path begins with. Several may share a short name: all that have the rest.
    fn union(
        &mut self,
        spot: Spot<'_>,
        variants: &[Shape],
        branches: &[Layout],
        path: &str,
        task: Task<'_>,
    ) -> Result<Step> {
        let names = || variants.iter().map(|variant| branch_name(variant).name).collect::<Vec<_>>();
        if path.is_empty() {
            let hint = format!(": name one of its variants ({})", names().join(", "));
            return task.present("union", &hint);
        }
        let (mut found, mut failed) = (Vec::new(), None);
        let mut nodes = 1;
        for ((tag, variant), branch) in (0..).zip(variants).zip(branches) {
            let name = branch_name(variant);
            let below = spot.below(variant, branch, nodes);
            nodes += variant.node_count();
            let Some(rest) = rest_of(path, &name.full()).or_else(|| rest_of(path, name.name)) else {
                continue;
            };
            let Layout::Array { column, item } = branch else {
                return Err(Error::metadata("columns do not fit the shape"));
            };
            let fused = Layout::Leaf(*column);
            let place = Place::Node(variant, item.as_deref().unwrap_or(&fused));
            match self.descend(Spot { place, above: *column, ..below }, rest, task) {
                Ok(item) => found.push(Variant { tag, column: *column, item }),
                Err(error) if is_no_such(&error) => failed = Some(error),
                Err(error) => return Err(error),
            }
        }
        if found.is_empty() {
            return Err(failed.unwrap_or_else(|| task.no_such(path, &names())));
        }
        self.want(spot.id, branches.iter().filter_map(array_column));
        Ok(Step::Variants { missing: task.action.missing(), variants: found })
    }
}

fn negated(step: Step) -> Step {
    Step::Not(Box::new(step))
}

/// The fields of a record, by name.
fn fields<'s>(spot: Spot<'s>, fields: &'s [FieldShape], layouts: &'s [Layout]) -> Vec<(&'s str, Spot<'s>)> {
    let mut nodes = 1;
    let field = |(field, layout): (&'s FieldShape, &'s Layout)| {
        let below = spot.below(&field.shape, layout, nodes);
        nodes += field.shape.node_count();
        (&*field.name, below)
    };
    fields.iter().zip(layouts).map(field).collect()
}

/// The columns that are read for a node itself.
fn own_columns(layout: &Layout) -> Vec<usize> {
    match layout {
        Layout::Leaf(column) | Layout::Array { column, .. } | Layout::Map { column, .. } => vec![*column],
        Layout::Union(branches) => branches.iter().filter_map(array_column).collect(),
        Layout::None | Layout::Own | Layout::Record(_) => Vec::new(),
    }
}

fn array_column(layout: &Layout) -> Option<usize> {
    match layout {
        Layout::Array { column, .. } => Some(*column),
        _ => None,
    }
}

fn is_no_such(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NoSuchPath { .. })
}
