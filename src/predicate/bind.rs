//! Binds predicates to a shape: finds the places that paths name.

use super::filter::{Filter, Step, Variant};
use super::task::{Action, Task};
use super::truth::Truth;
use super::{Comparison, Expression, Predicate};
use crate::error::{Error, ErrorKind, Result};
use crate::shape::branch::branch_name;
use crate::shape::{MapShape, Shape};
use crate::tree::{Kind, NodeId, Path, Slot, Tree, View};
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
    /// Binds the predicate to a shape, whose nodes these are.
    ///
    /// # Errors
    ///
    /// Paths that the shape does not have, if they are refused; literals that cannot be compared with
    /// what is there; lists without `any`, `any` without lists.
    pub(crate) fn bind(&self, shape: &Shape, tree: &Tree, missing: Missing) -> Result<Filter> {
        self.bind_with(shape, tree, missing, &View::default())
    }

    /// As [`bind`](Self::bind); paths go as a dataset sees the nodes.
    pub(crate) fn bind_with(
        &self,
        shape: &Shape,
        tree: &Tree,
        missing: Missing,
        view: &View,
    ) -> Result<Filter> {
        let mut binder = Binder { tree, missing, view, nodes: BTreeSet::new(), slots: BTreeSet::new() };
        let root = binder.predicate(Spot::Node(shape, 0), self, "")?;
        binder.want(0);
        Ok(Filter {
            root,
            nodes: binder.nodes.into_iter().collect(),
            slots: binder.slots.into_iter().collect(),
        })
    }
}

/// Where a path goes on.
#[derive(Clone, Copy)]
enum Spot<'s> {
    Node(&'s Shape, NodeId),
    /// The entry of the map that is this node, which is no node: it is like a record of a key and a value.
    Entry(&'s MapShape, NodeId),
}

struct Binder<'t> {
    tree: &'t Tree,
    missing: Missing,
    view: &'t View,
    nodes: BTreeSet<NodeId>,
    slots: BTreeSet<Slot>,
}

impl Binder<'_> {
    /// Asks for a node and what is stored for it.
    fn want(&mut self, node: NodeId) {
        self.nodes.insert(node);
        match self.tree.kind(node) {
            Kind::Record | Kind::Unknown => {}
            Kind::Union => self.slots.extend(self.tree.children(node).map(Slot::Presence)),
            Kind::Optional => self.slots.extend(self.presence(node)),
            Kind::Leaf(_) | Kind::List | Kind::Map => {
                self.slots.insert(Slot::Own(node));
            }
        }
    }

    /// What says which entries of an optional are there: entries of a union have a variant.
    fn presence(&self, optional: NodeId) -> Vec<Slot> {
        match self.tree.kind(optional + 1) {
            Kind::Union => self.tree.children(optional + 1).map(Slot::Presence).collect(),
            _ => vec![Slot::Own(optional)],
        }
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
        match spot {
            Spot::Node(_, id)
                if let Some(variant) = self.view.variants.get(&id).filter(|variant| variant.is_alone) =>
            {
                let rest = if path.is_empty() { Some(path) } else { variant.rest_of(path) };
                let names = || variant.names.each_ref().map(String::as_str);
                self.descend_within(spot, rest.ok_or_else(|| task.no_such(path, &names()))?, task)
            }
            spot => self.descend_within(spot, path, task),
        }
    }

    /// As [`descend`](Self::descend), within the variant that a node is.
    fn descend_within(&mut self, spot: Spot<'_>, path: &str, task: Task<'_>) -> Result<Step> {
        let (shape, id) = match spot {
            Spot::Node(shape, id) => (shape, id),
            Spot::Entry(..) if path.is_empty() => return task.present("entry", ": name its key or value"),
            Spot::Entry(map, id) => {
                let halves = [("key", &map.key), ("value", &map.value)];
                return self.field(id, &halves, path, task);
            }
        };
        match shape {
            Shape::Null | Shape::Unknown if path.is_empty() => Ok(Step::Constant(task.action.missing())),
            Shape::Optional(optional) if optional.item == Shape::Unknown => {
                Ok(Step::Constant(task.action.missing()))
            }
            Shape::Optional(optional) => {
                let item = self.descend(Spot::Node(&optional.item, id + 1), path, task)?;
                Ok(self.optional(id, item, task))
            }
            Shape::List(item) => match task.items(shape, path)? {
                Some(predicate) => self.any(id, Spot::Node(item, id + 1), predicate, task),
                None => task.present(shape.kind(), ": test its items with any"),
            },
            Shape::Map(map) => match task.items(shape, path)? {
                Some(predicate) => self.any(id, Spot::Entry(map, id), predicate, task),
                None => task.present(shape.kind(), ": test its entries with any"),
            },
            Shape::Record(_) if path.is_empty() && self.view.empty_maps.contains(&id) => {
                Ok(Step::Constant(Truth::False))
            }
            Shape::Record(_) if path.is_empty() => task.present(shape.kind(), ": name one of its fields"),
            Shape::Record(record) => {
                let fields: Vec<(&str, &Shape)> =
                    record.fields.iter().map(|field| (&*field.name, &field.shape)).collect();
                let step = self.field(id, &fields, path, task)?;
                if !matches!(step, Step::Constant(_)) {
                    self.want(id);
                }
                Ok(step)
            }
            Shape::Union(variants) => self.union(id, variants, path, task),
            _ if !path.is_empty() => Err(task.no_such(path, &[])),
            leaf => {
                let step = task.values(leaf, id, self.view.texts.get(&id).copied())?;
                if !matches!(step, Step::Constant(_)) {
                    self.want(id);
                }
                Ok(step)
            }
        }
    }

    fn optional(&mut self, node: NodeId, item: Step, task: Task<'_>) -> Step {
        let missing = task.action.missing();
        if matches!(item, Step::Constant(truth) if truth == missing) {
            return item;
        }
        self.want(node);
        Step::Optional { slots: self.presence(node), missing, item: Box::new(item) }
    }

    fn any(&mut self, node: NodeId, item: Spot<'_>, predicate: &Predicate, task: Task<'_>) -> Result<Step> {
        let within = format!("{}[]", task.path);
        let item = self.predicate(item, predicate, &within)?;
        self.want(node);
        Ok(Step::Any { node, item: Box::new(item) })
    }

    /// The field that a path begins with. A name may have dots, so it may begin with several: the
    /// longest counts that has the rest.
    fn field(&mut self, id: NodeId, fields: &[(&str, &Shape)], path: &str, task: Task<'_>) -> Result<Step> {
        let tree = self.tree;
        let fields_with_ids = fields.iter().zip(tree.children(id)).enumerate();
        let named = fields_with_ids.filter_map(|(number, ((name, shape), id))| {
            path.rest_of(name).map(|rest| (number, name.len(), Spot::Node(shape, id), rest))
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
    fn union(&mut self, id: NodeId, variants: &[Shape], path: &str, task: Task<'_>) -> Result<Step> {
        let names = || variants.iter().map(|variant| branch_name(variant).name).collect::<Vec<_>>();
        let is_compared = matches!(task.action, Action::Compare(_));
        let is_number = path.is_empty() && is_compared && variants.iter().all(Shape::is_number);
        if path.is_empty() && !is_number {
            let hint = format!(": name one of its variants ({})", names().join(", "));
            return task.present("union", &hint);
        }
        let tree = self.tree;
        let (mut found, mut failed) = (Vec::new(), None);
        for ((tag, variant), node) in (0..).zip(variants).zip(tree.children(id)) {
            let name = branch_name(variant);
            let rest = match self.view.variants.get(&node) {
                _ if is_number => Some(path),
                Some(variant) => variant.rest_of(path),
                None => path.rest_of(&name.full()).or_else(|| path.rest_of(name.name)),
            };
            let Some(rest) = rest else { continue };
            match self.descend(Spot::Node(variant, node), rest, task) {
                Ok(item) => found.push(Variant { tag, node, item }),
                Err(error) if is_no_such(&error) => failed = Some(error),
                Err(error) => return Err(error),
            }
        }
        if found.is_empty() {
            return Err(failed.unwrap_or_else(|| task.no_such(path, &names())));
        }
        self.want(id);
        Ok(Step::Variants { missing: task.action.missing(), variants: found })
    }
}

fn negated(step: Step) -> Step {
    Step::Not(Box::new(step))
}

fn is_no_such(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::NoSuchPath { .. })
}
