//! Binds predicates to a shape: finds the places that paths name.

use super::filter::{Filter, Step, Variant};
use super::task::{Action, Task};
use super::{Comparison, Expression, Predicate};
use crate::error::{Error, Result};
use crate::logical::Texts;
use crate::path::{Named, Root, find, parse};
use crate::shape::branch::branch_name;
use crate::shape::{MapShape, Shape};
use crate::tree::{Constants, Kind, NodeId, Slot, Tree};
use std::collections::{BTreeMap, BTreeSet};

/// What becomes of a path that the shape does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// It is an error.
    Refused,
    /// It is missing in all rows: for files that have not all the fields of others.
    Null,
}

impl Predicate {
    /// As [`bind_with`](Self::bind_with), of nodes of which nothing is known.
    #[cfg(test)]
    pub(crate) fn bind(&self, shape: &Shape, tree: &Tree, missing: Missing) -> Result<Filter> {
        let known = Known { texts: &BTreeMap::new(), constants: &Constants::default() };
        self.bind_with(shape, tree, missing, known)
    }

    /// Binds the predicate to a shape, whose nodes these are, with what is known of some of them.
    ///
    /// # Errors
    ///
    /// Paths that the shape does not have, if they are refused; literals that cannot be compared with
    /// what is there; lists without `any`, `any` without lists.
    pub(crate) fn bind_with(
        &self,
        shape: &Shape,
        tree: &Tree,
        missing: Missing,
        known: Known<'_>,
    ) -> Result<Filter> {
        let mut binder = Binder { tree, missing, known, nodes: BTreeSet::new(), slots: BTreeSet::new() };
        let root = binder.predicate(Spot::Node(shape, 0), self, "")?;
        binder.want(0);
        Ok(Filter {
            root,
            nodes: binder.nodes.into_iter().collect(),
            slots: binder.slots.into_iter().collect(),
        })
    }
}

/// What is known of some nodes.
#[derive(Clone, Copy)]
pub(crate) struct Known<'k> {
    /// The texts of the values are compared.
    pub(crate) texts: &'k BTreeMap<NodeId, Texts>,
    /// All rows have the same value.
    pub(crate) constants: &'k Constants,
}

/// Where a path goes on.
#[derive(Clone, Copy)]
enum Spot<'s> {
    Node(&'s Shape, NodeId),
    /// The entry of the map that is this node, which is no node: it is like a record of a key and a value.
    Entry(&'s MapShape, NodeId),
}

impl<'s> Spot<'s> {
    fn root(self) -> Root<'s> {
        match self {
            Self::Node(shape, _) => Root::Shape(shape),
            Self::Entry(map, _) => Root::Entry(map),
        }
    }
}

struct Binder<'t> {
    tree: &'t Tree,
    missing: Missing,
    known: Known<'t>,
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
        let (root, task) = (spot.root(), Task { action, within, path });
        match find(root, &parse(path)?) {
            Ok(found) => {
                let ways: Vec<Way<'_>> =
                    found.iter().map(|found| Way { steps: &found.steps, at: 0 }).collect();
                self.descend(spot, &ways, task)
            }
            Err(_) if self.missing == Missing::Null => Ok(Step::Constant(action.missing())),
            Err(lost) => Err(task.no_such(root, &lost)),
        }
    }

    /// Goes down to the ends of some ways, which part at unions only.
    fn descend(&mut self, spot: Spot<'_>, ways: &[Way<'_>], task: Task<'_>) -> Result<Step> {
        let way = ways.first().copied().unwrap_or_default();
        let is_end = way.left().is_empty();
        let (shape, id) = match spot {
            Spot::Node(shape, id) => (shape, id),
            Spot::Entry(..) if is_end => return task.present("entry", ": name its key or value"),
            Spot::Entry(map, id) => return self.field(id, &[&map.key, &map.value], ways, task),
        };
        match shape {
            Shape::Null | Shape::Unknown => Ok(Step::Constant(task.action.missing())),
            Shape::Optional(optional) if optional.item == Shape::Unknown => {
                Ok(Step::Constant(task.action.missing()))
            }
            Shape::Optional(optional) => {
                let item = self.descend(Spot::Node(&optional.item, id + 1), ways, task)?;
                Ok(self.optional(id, item, task))
            }
            Shape::List(item) => match task.items(shape, way.done(), way.left())? {
                Some(predicate) => self.any(id, Spot::Node(item, id + 1), predicate, task),
                None => task.present(shape.kind(), ": test its items with any"),
            },
            Shape::Map(map) => match task.items(shape, way.done(), way.left())? {
                Some(predicate) => self.any(id, Spot::Entry(map, id), predicate, task),
                None => task.present(shape.kind(), ": test its entries with any"),
            },
            Shape::Record(_) if is_end => task.present(shape.kind(), ": name one of its fields"),
            Shape::Record(record) => {
                let fields: Vec<&Shape> = record.fields.iter().map(|field| &field.shape).collect();
                let step = self.field(id, &fields, ways, task)?;
                if !matches!(step, Step::Constant(_)) {
                    self.want(id);
                }
                Ok(step)
            }
            Shape::Union(variants) if is_end => {
                let names: Vec<&str> = variants.iter().map(|variant| branch_name(variant).name).collect();
                task.present("union", &format!(": name one of its variants ({})", names.join(", ")))
            }
            Shape::Union(variants) => self.union(id, variants, ways, task),
            leaf => {
                let step = task.values(leaf, id, self.known.texts.get(&id).copied())?;
                if let Some(constant) = self.known.constants.get(id) {
                    return step.of_value(constant.value());
                }
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
        let within = format!("{}[]", task.path());
        let item = self.predicate(item, predicate, &within)?;
        self.want(node);
        Ok(Step::Any { node, item: Box::new(item) })
    }

    /// The field, or the half of an entry, that the ways go on with.
    fn field(&mut self, id: NodeId, fields: &[&Shape], ways: &[Way<'_>], task: Task<'_>) -> Result<Step> {
        let number = ways.first().and_then(|way| way.number()).unwrap_or_default();
        let (Some(shape), Some(node)) = (fields.get(number), self.tree.children(id).nth(number)) else {
            return Err(Error::internal("a path leads to a field that is not there"));
        };
        let ways: Vec<Way<'_>> = ways.iter().map(|way| way.next()).collect();
        Ok(match self.descend(Spot::Node(shape, node), &ways, task)? {
            constant @ Step::Constant(_) => constant,
            step => Step::Field(number, Box::new(step)),
        })
    }

    /// The variants that the ways go on with.
    fn union(&mut self, id: NodeId, variants: &[Shape], ways: &[Way<'_>], task: Task<'_>) -> Result<Step> {
        let (tree, mut found) = (self.tree, Vec::new());
        for ((tag, variant), node) in (0..).zip(variants).zip(tree.children(id)) {
            let own = ways.iter().filter(|way| way.number() == Some(usize::from(tag)));
            let own: Vec<Way<'_>> = own.map(|way| way.next()).collect();
            if !own.is_empty() {
                let item = self.descend(Spot::Node(variant, node), &own, task)?;
                found.push(Variant { tag, node, item });
            }
        }
        self.want(id);
        Ok(Step::Variants { missing: task.action.missing(), variants: found })
    }
}

/// What is left of the way to something that a path names.
#[derive(Clone, Copy, Default)]
struct Way<'w> {
    steps: &'w [Named<'w>],
    at: usize,
}

impl<'w> Way<'w> {
    fn done(self) -> &'w [Named<'w>] {
        self.steps.get(..self.at).unwrap_or_default()
    }

    fn left(self) -> &'w [Named<'w>] {
        self.steps.get(self.at..).unwrap_or_default()
    }

    /// The number of the field or variant that comes next.
    fn number(self) -> Option<usize> {
        self.left().first().map(Named::number)
    }

    fn next(self) -> Self {
        Self { at: self.at + 1, ..self }
    }
}

fn negated(step: Step) -> Step {
    Step::Not(Box::new(step))
}
