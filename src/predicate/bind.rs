//! Binds predicates to a shape: finds the places that paths name.

use super::filter::{Filter, Step, Variant};
use super::task::{Action, Task};
use super::truth::Truth;
use super::{Comparison, Expression, Predicate};
use crate::error::{Error, Result};
use crate::path::{Found, Named, Root, find, parse};
use crate::shape::branch::branch_name;
use crate::shape::{MapShape, RecordShape, Shape};
use crate::sort;
use crate::tree::{Constants, Kind, NodeId, Slot, Tree, View};
use crate::vector::{Strings, Vector};

impl Predicate {
    /// Binds the predicate to a shape, whose nodes these are.
    ///
    /// # Errors
    ///
    /// As [`bind_with`](Self::bind_with).
    pub(crate) fn bind(&self, shape: &Shape, tree: &Tree) -> Result<Filter> {
        self.bind_with(shape, tree, Known { view: &View::default(), constants: &Constants::default() })
    }

    /// As [`bind`](Self::bind), with what is known of some nodes. Paths are those of the shape of all files, where the view has
    /// one: what is there but not here is missing in all rows.
    ///
    /// # Errors
    ///
    /// Paths that are not there; literals that cannot be compared with what is here; lists without `any`, `any` without lists.
    pub(crate) fn bind_with(&self, shape: &Shape, tree: &Tree, known: Known<'_>) -> Result<Filter> {
        let mut binder = Binder { tree, known, nodes: Vec::new(), slots: Vec::new() };
        let seen = known.view.whole.as_deref().unwrap_or(shape);
        let root = binder.predicate(Spot::Node(shape, 0), Root::Shape(seen), self, "")?;
        binder.want(0);
        let Binder { mut nodes, mut slots, .. } = binder;
        sort::once(&mut nodes, |node| u64::from(*node));
        sort::once(&mut slots, |slot| slot.number());
        Ok(Filter { root, nodes, slots })
    }
}

/// What is known of some nodes.
#[derive(Clone, Copy)]
pub(crate) struct Known<'k> {
    /// What they are in the shape of all files.
    pub(crate) view: &'k View,
    /// All rows have the same value.
    pub(crate) constants: &'k Constants,
}

/// Where a path goes on.
#[derive(Clone, Copy)]
enum Spot<'s> {
    Node(&'s Shape, NodeId),
    /// The entry of the map that is this node, which is no node: it is like a record of a key and a value.
    Entry(&'s MapShape, NodeId),
    /// The field of a record that is such an entry in the shape of all files: its name is the key.
    Field(&'s str, &'s Shape, NodeId),
}

struct Binder<'t> {
    tree: &'t Tree,
    known: Known<'t>,
    nodes: Vec<NodeId>,
    slots: Vec<Slot>,
}

impl Binder<'_> {
    /// Asks for a node and what is stored for it.
    fn want(&mut self, node: NodeId) {
        self.nodes.push(node);
        match self.tree.kind(node) {
            Kind::Record | Kind::Unknown => {}
            Kind::Union => self.slots.extend(self.tree.children(node).map(Slot::Presence)),
            Kind::Optional => self.slots.extend(self.presence(node)),
            Kind::Leaf(_) | Kind::List | Kind::Map => self.slots.push(Slot::Own(node)),
        }
    }

    /// What says which entries of an optional are there: entries of a union have a variant.
    fn presence(&self, optional: NodeId) -> Vec<Slot> {
        match self.tree.kind(optional + 1) {
            Kind::Union => self.tree.children(optional + 1).map(Slot::Presence).collect(),
            _ => vec![Slot::Own(optional)],
        }
    }

    /// A predicate whose paths begin at a spot, which is `seen` in the shape of all files; `within` is the path to there.
    fn predicate(
        &mut self,
        spot: Spot<'_>,
        seen: Root<'_>,
        predicate: &Predicate,
        within: &str,
    ) -> Result<Step> {
        let mut path = |path: &str, action| self.path(spot, seen, Task { action, within, path });
        match &predicate.0 {
            Expression::Compare { path: of, comparison } => {
                let step = path(of, Action::Compare(comparison))?;
                Ok(if matches!(comparison, Comparison::Ne(_)) { negated(step) } else { step })
            }
            Expression::Null { path: of, not } => {
                let step = path(of, Action::IsNull)?;
                Ok(if *not { negated(step) } else { step })
            }
            Expression::Any { path: of, predicate } => path(of, Action::Any(predicate)),
            Expression::And(all) => self.all(spot, seen, all, within).map(Step::And),
            Expression::Or(all) => self.all(spot, seen, all, within).map(Step::Or),
            Expression::Not(predicate) => self.predicate(spot, seen, predicate, within).map(negated),
        }
    }

    fn all(&mut self, spot: Spot<'_>, seen: Root<'_>, all: &[Predicate], within: &str) -> Result<Vec<Step>> {
        all.iter().map(|part| self.predicate(spot, seen, part, within)).collect()
    }

    fn path(&mut self, spot: Spot<'_>, seen: Root<'_>, task: Task<'_>) -> Result<Step> {
        let found = find(seen, &parse(task.path)?).map_err(|lost| task.no_such(seen, &lost))?;
        let ways: Vec<Way<'_>> = found.iter().map(|found| Way { found, at: 0 }).collect();
        self.descend(spot, &ways, task)
    }

    /// Goes down to the ends of some ways, which part at unions only.
    fn descend(&mut self, spot: Spot<'_>, ways: &[Way<'_>], task: Task<'_>) -> Result<Step> {
        let alone = match spot {
            Spot::Node(_, id) => self.known.view.variant(id).filter(|variant| variant.is_alone),
            Spot::Entry(..) | Spot::Field(..) => None,
        };
        match alone {
            Some(variant) if ways.iter().all(|way| !way.is_end()) => {
                self.descend_within(spot, &within(ways, &variant.name), task)
            }
            _ => self.descend_within(spot, ways, task),
        }
    }

    /// As [`descend`](Self::descend), within the variant that a node is.
    fn descend_within(&mut self, spot: Spot<'_>, ways: &[Way<'_>], task: Task<'_>) -> Result<Step> {
        let Some(way) = ways.first() else { return Ok(missing(task)) };
        let is_end = way.is_end();
        let (shape, id) = match spot {
            Spot::Node(shape, id) => (shape, id),
            Spot::Entry(..) | Spot::Field(..) if is_end => {
                return task.present("entry", ": name its key or value");
            }
            Spot::Entry(map, id) => {
                let halves = [("key", &map.key), ("value", &map.value)];
                return self.field(id, &halves, ways, task);
            }
            Spot::Field(..) if way.is_at("key") => return self.key(spot, ways, task),
            Spot::Field(_, shape, id) => {
                return self.descend(Spot::Node(shape, id), &ways_at(ways, "value"), task);
            }
        };
        match shape {
            Shape::Null | Shape::Unknown => Ok(missing(task)),
            Shape::Optional(optional) if optional.item == Shape::Unknown => Ok(missing(task)),
            Shape::Optional(optional) => {
                let item = self.descend(Spot::Node(&optional.item, id + 1), ways, task)?;
                Ok(self.optional(id, item, task))
            }
            Shape::List(item) => match task.items(shape.kind(), way.done(), way.left())? {
                Some(predicate) => self.any(id, Spot::Node(item, id + 1), *way, predicate, task),
                None => task.present(shape.kind(), ": test its items with any"),
            },
            Shape::Map(map) => match task.items(shape.kind(), way.done(), way.left())? {
                Some(predicate) => self.any(id, Spot::Entry(map, id), *way, predicate, task),
                None => task.present(shape.kind(), ": test its entries with any"),
            },
            Shape::Record(record) if self.known.view.is_map(id) => {
                match task.items("map", way.done(), way.left())? {
                    Some(predicate) => self.any_field(record, id, *way, predicate, task),
                    None => task.present("map", ": test its entries with any"),
                }
            }
            Shape::Record(_) if is_end => task.present(shape.kind(), ": name one of its fields"),
            Shape::Record(record) => {
                let fields: Vec<(&str, &Shape)> =
                    record.fields.iter().map(|field| (&*field.name, &field.shape)).collect();
                let step = self.field(id, &fields, ways, task)?;
                if !matches!(step, Step::Constant(_)) {
                    self.want(id);
                }
                Ok(step)
            }
            Shape::Union(variants) => self.union(id, variants, ways, task),
            _ if !is_end => Ok(missing(task)),
            leaf => self.leaf(id, leaf, task),
        }
    }

    fn leaf(&mut self, id: NodeId, leaf: &Shape, task: Task<'_>) -> Result<Step> {
        let step = task.values(leaf, id, self.known.view.texts(id))?;
        if let Some(constant) = self.known.constants.get(id) {
            return step.of_value(constant.value());
        }
        if !matches!(step, Step::Constant(_)) {
            self.want(id);
        }
        Ok(step)
    }

    fn optional(&mut self, node: NodeId, item: Step, task: Task<'_>) -> Step {
        let missing = task.action.missing();
        if matches!(item, Step::Constant(truth) if truth == missing) {
            return item;
        }
        self.want(node);
        Step::Optional { slots: self.presence(node), missing, item: Box::new(item) }
    }

    /// A condition on items, which are what is in the list or map that a way leads to.
    fn any(
        &mut self,
        node: NodeId,
        item: Spot<'_>,
        way: Way<'_>,
        predicate: &Predicate,
        task: Task<'_>,
    ) -> Result<Step> {
        let item = self.item(item, way, predicate, task)?;
        self.want(node);
        Ok(Step::Any { node, item: Box::new(item) })
    }

    /// A condition on one item.
    fn item(&mut self, item: Spot<'_>, way: Way<'_>, predicate: &Predicate, task: Task<'_>) -> Result<Step> {
        let within = format!("{}[]", task.path());
        match way.found.root.items() {
            Some(seen) => self.predicate(item, seen, predicate, &within),
            None => Ok(missing(task)),
        }
    }

    /// The same on the fields of a record, which are the entries of a map in the shape of all files.
    fn any_field(
        &mut self,
        record: &RecordShape,
        id: NodeId,
        way: Way<'_>,
        predicate: &Predicate,
        task: Task<'_>,
    ) -> Result<Step> {
        let mut any = Vec::with_capacity(record.fields.len());
        for ((number, field), node) in record.fields.iter().enumerate().zip(self.tree.children(id)) {
            let (shape, is_optional) = field.shape.present();
            let spot = Spot::Field(&field.name, shape, node + NodeId::from(is_optional));
            let mut step = self.item(spot, way, predicate, task)?;
            if is_optional {
                self.want(node);
                let slots = self.presence(node);
                step = Step::Optional { slots, missing: Truth::False, item: Box::new(step) };
            }
            any.push(Step::Field(number, Box::new(step)));
        }
        self.want(id);
        Ok(Step::Or(any))
    }

    /// The name of a field as a key.
    fn key(&mut self, spot: Spot<'_>, ways: &[Way<'_>], task: Task<'_>) -> Result<Step> {
        let Spot::Field(name, _, id) = spot else { return Ok(missing(task)) };
        let ways = ways_at(ways, "key");
        let is_end = |ways: &[Way<'_>]| ways.first().is_some_and(|way| way.is_end());
        if !is_end(&ways) && !is_end(&within(&ways, &branch_name(&Shape::String).full())) {
            return Ok(missing(task));
        }
        let mut key = Strings::default();
        if !key.push(name) {
            return Err(Error::internal("the name of a field has 4 GiB"));
        }
        let key = Vector::String(key);
        task.values(&Shape::String, id, None)?.of_value(&key)
    }

    /// The field, or the half of an entry, that the ways go on with.
    fn field(
        &mut self,
        id: NodeId,
        fields: &[(&str, &Shape)],
        ways: &[Way<'_>],
        task: Task<'_>,
    ) -> Result<Step> {
        let mut fields = fields.iter().zip(self.tree.children(id)).enumerate();
        let named = fields.find(|(_, ((name, _), _))| ways.iter().any(|way| way.is_at(name)));
        let Some((number, ((name, shape), node))) = named else { return Ok(missing(task)) };
        Ok(match self.descend(Spot::Node(shape, node), &ways_at(ways, name), task)? {
            constant @ Step::Constant(_) => constant,
            step => Step::Field(number, Box::new(step)),
        })
    }

    /// The variants that the ways go on with; of numbers, all are compared.
    fn union(&mut self, id: NodeId, variants: &[Shape], ways: &[Way<'_>], task: Task<'_>) -> Result<Step> {
        // To those who see the variant alone, its name is no part of a path.
        let is_seen = !self.known.view.is_without_union(id);
        let is_end = is_seen && ways.first().is_some_and(|way| way.is_end());
        let is_compared = matches!(task.action, Action::Compare(_));
        let is_number = is_end && is_compared && variants.iter().all(Shape::is_number);
        if is_end && !is_number {
            let names: Vec<&str> = variants.iter().map(|variant| branch_name(variant).name).collect();
            return task.present("union", &format!(": name one of its variants ({})", names.join(", ")));
        }
        let (tree, view, mut found) = (self.tree, self.known.view, Vec::new());
        for ((tag, variant), node) in (0..).zip(variants).zip(tree.children(id)) {
            let own = match view.variant(node) {
                _ if is_number || !is_seen => ways.to_vec(),
                Some(variant) => within(ways, &variant.name),
                None => within(ways, &branch_name(variant).full()),
            };
            if !own.is_empty() {
                let item = self.descend_within(Spot::Node(variant, node), &own, task)?;
                found.push(Variant { tag, node, item });
            }
        }
        if found.is_empty() {
            return Ok(missing(task));
        }
        self.want(id);
        Ok(Step::Variants { missing: task.action.missing(), variants: found })
    }
}

/// What is left of the way to something that a path names in the shape of all files.
#[derive(Clone, Copy)]
struct Way<'w> {
    found: &'w Found<'w>,
    at: usize,
}

impl<'w> Way<'w> {
    fn done(self) -> &'w [Named<'w>] {
        &self.found.steps[..self.at]
    }

    fn left(self) -> &'w [Named<'w>] {
        &self.found.steps[self.at..]
    }

    fn is_end(self) -> bool {
        self.left().is_empty()
    }

    /// Whether the variant of a full name comes next.
    fn is_in(self, variant: &str) -> bool {
        self.left().first().is_some_and(|next| next.is_variant() && next.name() == variant)
    }

    /// Whether a field, or a half of an entry, comes next.
    fn is_at(self, name: &str) -> bool {
        self.left().first().is_some_and(|next| !next.is_variant() && next.name() == name)
    }

    fn next(self) -> Self {
        Self { at: self.at + 1, ..self }
    }
}

/// The ways that go on in a variant.
fn within<'w>(ways: &[Way<'w>], variant: &str) -> Vec<Way<'w>> {
    ways.iter().filter(|way| way.is_in(variant)).map(|way| way.next()).collect()
}

/// The ways that go on in a field, or a half of an entry.
fn ways_at<'w>(ways: &[Way<'w>], name: &str) -> Vec<Way<'w>> {
    ways.iter().filter(|way| way.is_at(name)).map(|way| way.next()).collect()
}

fn missing(task: Task<'_>) -> Step {
    Step::Constant(task.action.missing())
}

fn negated(step: Step) -> Step {
    Step::Not(Box::new(step))
}
