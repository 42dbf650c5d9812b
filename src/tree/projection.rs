//! A part of the rows: which nodes of a shape there are, and the shape that they make.

use super::{Kind, NodeId, Tree};
use crate::error::Result;
use crate::path::{Found, PathName, Root, find, format, no_such, parse};
use crate::shape::{FieldShape, MapShape, OptionalShape, RecordShape, Shape};
use crate::sort;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Some nodes of a shape, and the shape that they make.
#[derive(Clone, Debug)]
pub(crate) struct Projection {
    pub(crate) shape: Arc<Shape>,
    /// The nodes of this shape.
    pub(crate) tree: Arc<Tree>,
    /// For each of them the number that it has in the whole shape; `None` where these are the same.
    nodes: Option<Arc<[NodeId]>>,
}

/// The number of a node that the whole shape does not have.
const NOWHERE: NodeId = NodeId::MAX;

/// That many paths are found by a table of names.
const MANY_PATHS: usize = 16;

impl Projection {
    /// All nodes of a shape.
    pub(crate) fn whole(shape: Shape) -> Self {
        let tree = Tree::new(&shape);
        Self { shape: Arc::new(shape), tree: Arc::new(tree), nodes: None }
    }

    /// Whether it has all nodes.
    pub(crate) fn is_whole(&self) -> bool {
        self.nodes.is_none()
    }

    /// The number of a node in the whole shape; `None` for a node that is only here, for values that are missing.
    pub(crate) fn in_whole(&self, id: NodeId) -> Option<NodeId> {
        match &self.nodes {
            None => Some(id),
            Some(nodes) => nodes.get(id as usize).copied().filter(|id| *id != NOWHERE),
        }
    }

    /// The part that paths name, fields in the order of the first path to each; of no paths, rows of nothing.
    ///
    /// # Errors
    ///
    /// A path that is not there.
    pub(crate) fn project(&self, paths: &[Vec<PathName>]) -> Result<Self> {
        let mut kept = Kept::none(&self.tree);
        kept.add_above(0);
        if paths.is_empty() && !matches!(*self.shape, Shape::Record(_)) {
            let (shape, nodes) = (Shape::Null, vec![NOWHERE]);
            return Ok(self.part(shape, nodes));
        }
        // Each name would be compared with those of all fields.
        let fields = if paths.len() < MANY_PATHS { HashMap::new() } else { self.fields() };
        for path in paths {
            let field = match &**path {
                [name] => fields.get(name.text()).copied().flatten(),
                _ => None,
            };
            match field {
                Some(id) => kept.add(id),
                None => {
                    resolve_names(&self.shape, &self.tree, path)?.into_iter().for_each(|id| kept.add(id));
                }
            }
            kept.next_path();
        }
        Ok(self.keep(&kept))
    }

    /// The nodes of the fields of rows that are records, by their names; `None` of a name that several have.
    fn fields(&self) -> HashMap<&str, Option<NodeId>> {
        let mut fields = HashMap::new();
        if let Shape::Record(record) = &*self.shape {
            for (field, id) in record.fields.iter().zip(self.tree.children(0)) {
                fields.entry(&*field.name).and_modify(|id| *id = None).or_insert(Some(id));
            }
        }
        fields
    }

    /// The part of some nodes and those above them.
    pub(crate) fn only(&self, nodes: &[NodeId]) -> Self {
        self.only_with(nodes.iter().map(|id| (*id, false)))
    }

    /// The same, in the order of the nodes, with nodes whose values count as missing.
    pub(crate) fn only_with(&self, nodes: impl IntoIterator<Item = (NodeId, bool)>) -> Self {
        let mut kept = Kept::none(&self.tree);
        kept.add_above(0);
        for (id, is_missing) in nodes {
            kept.add_above(id);
            if is_missing {
                kept.set(id, Keep::Missing);
            }
            kept.next_path();
        }
        self.keep(&kept)
    }

    /// The nodes of the whole shape that are in this part, each with its number here.
    pub(crate) fn of_whole(&self) -> BTreeMap<NodeId, NodeId> {
        (0..).take(self.tree.len()).filter_map(|id| Some((self.in_whole(id)?, id))).collect()
    }

    /// The same nodes, with byte strings for strings.
    pub(crate) fn with_bytes(&self) -> Self {
        let mut shape = Shape::clone(&self.shape);
        shape.put_bytes();
        Self { tree: Arc::new(Tree::new(&shape)), shape: Arc::new(shape), nodes: self.nodes.clone() }
    }

    /// The same nodes, some of which have other names, by their numbers in the whole shape.
    pub(crate) fn renamed(&self, names: &HashMap<NodeId, String>) -> Self {
        let mut shape = Shape::clone(&self.shape);
        rename(&mut shape, &mut 0, &|id| names.get(&self.in_whole(id)?));
        Self { shape: Arc::new(shape), ..self.clone() }
    }

    /// One node and those below it, as a shape of its own.
    pub(crate) fn at(&self, shape: &Shape, id: NodeId) -> Self {
        self.part(shape.clone(), (id..id.saturating_add(self.tree.span(id))).collect())
    }

    fn keep(&self, kept: &Kept<'_>) -> Self {
        let mut nodes = Vec::new();
        let shape = kept.shape(&self.shape, 0, &mut nodes);
        if nodes.len() == self.tree.len() && (0..).zip(&nodes).all(|(id, node)| id == *node) {
            return self.clone();
        }
        self.part(shape, nodes)
    }

    /// A part with these nodes of this projection.
    fn part(&self, shape: Shape, nodes: Vec<NodeId>) -> Self {
        let nodes = nodes.into_iter().map(|id| self.in_whole(id).unwrap_or(NOWHERE)).collect();
        let tree = Arc::new(Tree::new(&shape));
        Self { shape: Arc::new(shape), tree, nodes: Some(nodes) }
    }
}

/// Which nodes of a tree are kept.
struct Kept<'t> {
    tree: &'t Tree,
    nodes: Vec<Keep>,
    /// Where each of them is among the fields of its record: those of one place are in the order of the tree.
    places: Vec<u32>,
    /// The place of what is kept next.
    place: u32,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Keep {
    No,
    Yes,
    /// It is, but its values count as missing.
    Missing,
}

impl<'t> Kept<'t> {
    fn none(tree: &'t Tree) -> Self {
        Self { tree, nodes: vec![Keep::No; tree.len()], places: vec![0; tree.len()], place: 0 }
    }

    /// Puts the fields that are kept next after those that have been kept.
    fn next_path(&mut self) {
        self.place += 1;
    }

    fn set(&mut self, id: NodeId, keep: Keep) {
        let at = id as usize;
        if let (Some(node), Some(place)) = (self.nodes.get_mut(at), self.places.get_mut(at)) {
            if *node == Keep::No {
                *place = self.place;
            }
            *node = keep;
        }
    }

    fn get(&self, id: NodeId) -> Keep {
        self.nodes.get(id as usize).copied().unwrap_or(Keep::No)
    }

    /// Keeps a node with all above and below it.
    fn add(&mut self, id: NodeId) {
        self.add_above(id);
        self.add_below(id);
    }

    fn add_above(&mut self, id: NodeId) {
        let mut above = Some(id);
        while let Some(id) = above {
            self.set(id, Keep::Yes);
            above = self.tree.parent(id);
        }
    }

    fn add_below(&mut self, id: NodeId) {
        (id..id.saturating_add(self.tree.span(id))).for_each(|id| self.set(id, Keep::Yes));
    }

    /// The shape of what is kept at a node and below; adds the numbers of its nodes.
    fn shape(&self, shape: &Shape, id: NodeId, nodes: &mut Vec<NodeId>) -> Shape {
        if self.get(id) == Keep::Missing {
            nodes.extend([NOWHERE; 2]);
            return Shape::optional(Shape::Union(Vec::new()));
        }
        let children = self.tree.children(id);
        match shape {
            Shape::Union(variants) if children.clone().any(|id| self.get(id) == Keep::No) => {
                // Rows of a variant that is not kept have no value.
                nodes.push(id);
                Shape::optional(self.union(variants, id, nodes))
            }
            Shape::Union(variants) => self.union(variants, id, nodes),
            Shape::Record(record) => {
                nodes.push(id);
                let fields = self.in_order(record, children).into_iter().map(|(field, id)| FieldShape {
                    name: field.name.clone(),
                    shape: self.shape(&field.shape, id, nodes),
                });
                let fields = fields.collect();
                let RecordShape { namespace, name, form, .. } = record;
                let (namespace, name) = (namespace.clone(), name.clone());
                Shape::Record(RecordShape { namespace, name, form: *form, fields })
            }
            Shape::List(item) => {
                nodes.push(id);
                Shape::List(Box::new(self.shape(item, id + 1, nodes)))
            }
            // Entries of another variant have no value, as entries without a value.
            Shape::Optional(optional) if self.get(id + 1) == Keep::Missing => {
                nodes.extend([NOWHERE; 2]);
                let item = Shape::Union(Vec::new());
                Shape::Optional(Box::new(OptionalShape { null: optional.null, item }))
            }
            Shape::Optional(optional) => {
                nodes.push(id);
                let item = match &optional.item {
                    Shape::Union(variants) => self.union(variants, id + 1, nodes),
                    item => self.shape(item, id + 1, nodes),
                };
                Shape::Optional(Box::new(OptionalShape { null: optional.null, item }))
            }
            Shape::Map(map) => {
                nodes.push(id);
                // A map is not one without both halves.
                let mut half = |shape: &Shape, id: NodeId| match self.get(id) {
                    Keep::No => {
                        nodes.extend(id..id.saturating_add(self.tree.span(id)));
                        shape.clone()
                    }
                    _ => self.shape(shape, id, nodes),
                };
                let value = id + 1 + self.tree.span(id + 1);
                let (key, value) = (half(&map.key, id + 1), half(&map.value, value));
                Shape::Map(Box::new(MapShape { key, value, open: map.open }))
            }
            leaf => {
                nodes.push(id);
                leaf.clone()
            }
        }
    }

    /// The fields of a record that are kept, in their order.
    fn in_order<'r>(
        &self,
        record: &'r RecordShape,
        ids: impl Iterator<Item = NodeId>,
    ) -> Vec<(&'r FieldShape, NodeId)> {
        let fields = record.fields.iter().zip(ids).filter(|(_, id)| self.get(*id) != Keep::No);
        let mut fields: Vec<_> = fields.collect();
        sort::by_key(&mut fields, |(_, id)| {
            self.places.get(*id as usize).map_or(0, |place| 1 + u64::from(*place))
        });
        fields
    }

    fn union(&self, variants: &[Shape], id: NodeId, nodes: &mut Vec<NodeId>) -> Shape {
        nodes.push(id);
        let mut kept = Vec::new();
        for (variant, id) in variants.iter().zip(self.tree.children(id)) {
            if self.get(id) != Keep::No {
                kept.push(self.shape(variant, id, nodes));
            }
        }
        Shape::Union(kept)
    }
}

/// Gives fields other names; `id` is the number of the next node.
fn rename<'n>(shape: &mut Shape, id: &mut NodeId, name: &dyn Fn(NodeId) -> Option<&'n String>) {
    *id = id.saturating_add(1);
    match shape {
        Shape::Record(record) => {
            for field in &mut record.fields {
                if let Some(name) = name(*id) {
                    field.name = name.clone().into();
                }
                rename(&mut field.shape, id, name);
            }
        }
        Shape::Map(map) => {
            rename(&mut map.key, id, name);
            rename(&mut map.value, id, name);
        }
        Shape::List(item) => rename(item, id, name),
        Shape::Optional(optional) => rename(&mut optional.item, id, name),
        Shape::Union(variants) => variants.iter_mut().for_each(|variant| rename(variant, id, name)),
        _ => {}
    }
}

/// The nodes that a path means, at least one: variants of a union may share a short name, and a path may leave out the names
/// of variants, so that there may be several.
///
/// # Errors
///
/// A path that is not there.
pub(crate) fn resolve(shape: &Shape, tree: &Tree, path: &str) -> Result<Vec<NodeId>> {
    resolve_names(shape, tree, &parse(path)?)
}

/// As [`resolve`], of a path that has been parsed.
pub(crate) fn resolve_names(shape: &Shape, tree: &Tree, names: &[PathName]) -> Result<Vec<NodeId>> {
    let root = Root::Shape(shape);
    match find(root, names) {
        Ok(found) => Ok(found.iter().map(|found| node_of(tree, found)).collect()),
        Err(lost) => Err(no_such(&format(names.iter().map(PathName::text)), root, &lost)),
    }
}

/// The node that has been found: the outermost of the lists and optionals that have the same path.
pub(crate) fn node_of(tree: &Tree, found: &Found<'_>) -> NodeId {
    found.steps.iter().fold(0, |mut id, step| {
        while matches!(tree.kind(id), Kind::List | Kind::Optional) {
            id += 1;
        }
        tree.children(id).nth(step.number()).unwrap_or(id)
    })
}
