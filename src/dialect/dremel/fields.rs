//! The fields of rows as the Dremel paper has them: each is required, optional or repeated, and a group or a leaf.
//!
//! A list is a repeated field, an optional an optional one, a map a repeated group of `key` and `value`, a union a
//! group with an optional field for each variant. What has no name, because it is directly within a list or an
//! optional, is a field `item` of a group; so are rows that are no records.

use crate::dialect::schema::Slots;
use crate::error::{ErrorKind, Result};
use crate::levels::Place;
use crate::schema::message::Repetition;
use crate::shape::Shape;
use crate::shape::branch::branch_name;
use crate::storage::values::TIMESTAMP_BYTES;
use crate::tree::Leaf;
use std::borrow::Cow;
use std::collections::HashSet;

/// The greatest level that there can be.
pub(crate) const LEVEL_MAX: u8 = 250;

/// Name of the type of timestamps.
pub(crate) const TIMESTAMP: &str = "timestamp";

/// Name of what has no name of its own.
const ITEM: &str = "item";

/// Says which lists are rows of a matrix, and how many items they have, by the exact names of their path in the shape and the
/// name of the field.
pub(crate) type Width<'w> = &'w dyn Fn(&[String], &str) -> Option<usize>;

/// What is in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// Values.
    Leaf(Leaf),
    /// The fields of a record.
    Record,
    /// Fields of another kind: those of a map or a union, or one that has no name.
    Group,
}

/// A field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// The last of its names.
    pub(crate) name: String,
    /// The group that it is in; `None` where that is the row.
    pub(crate) parent: Option<usize>,
    pub(crate) repetition: Repetition,
    pub(crate) content: Content,
    /// The greatest levels of its entries.
    pub(crate) greatest: Place,
    /// Number of fields at and below it.
    pub(crate) span: usize,
    /// How many values each entry of a leaf has, where it is a row of a matrix.
    pub(crate) width: Option<usize>,
    /// The exact names of its path in the shape.
    pub(crate) place: Vec<String>,
    /// Whether it is of the type that timestamps have.
    pub(crate) is_timestamp: bool,
}

/// The fields of rows, depth first: a group comes before those in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields {
    pub(crate) list: Vec<Field>,
    /// For each node of the shape the field that tells of its entries: whether it is there, how many items, its values.
    nodes: Vec<Option<usize>>,
    /// For each node of the shape the field that tells which entries of a union it is.
    presences: Vec<Option<usize>>,
}

/// What the field of a shape is, which is neither a list nor an optional.
pub(crate) fn content(shape: &Shape) -> Content {
    match shape {
        Shape::Record(_) => Content::Record,
        Shape::List(_) | Shape::Map(_) | Shape::Optional(_) | Shape::Union(_) => Content::Group,
        leaf => Content::Leaf(Leaf::from_shape(leaf).unwrap_or(Leaf::Null)),
    }
}

impl Fields {
    /// The fields of rows of a shape.
    ///
    /// # Errors
    ///
    /// Names that no field can have, and rows that are nested too deep.
    pub(crate) fn from_shape(shape: &Shape, width: Width<'_>) -> Result<Self> {
        let mut walk = Walk { fields: Self::default(), names: Vec::new(), width };
        match shape {
            Shape::Record(_) => {
                walk.node(None, None);
                walk.record(shape, At::default())?;
            }
            _ => walk.field(ITEM, shape, At::default())?,
        }
        Ok(walk.fields)
    }

    /// The same fields, under names that paths can be told apart by: not empty, and without dots.
    pub(crate) fn escaped(mut self) -> Self {
        for field in &mut self.list {
            if let Cow::Owned(name) = escaped(&field.name) {
                field.name = name;
            }
        }
        self
    }

    /// The columns of the nodes: `column` has the column of each field, where it has one. A group without one has that
    /// of the first field in it that has one.
    pub(crate) fn slots(&self, column: impl Fn(usize) -> Option<usize>) -> Slots {
        let of = |field: Option<usize>| {
            let first = field?;
            let span = self.list.get(first)?.span;
            (first..first + span).find_map(&column)
        };
        let mut slots = Slots::default();
        for (own, presence) in self.nodes.iter().zip(&self.presences) {
            slots.push(of(*own), of(*presence));
        }
        slots
    }

    /// The names on the way to a field, joined by dots.
    pub(crate) fn path(&self, field: usize) -> String {
        let parents = std::iter::successors(self.list.get(field), |field| self.list.get(field.parent?));
        let mut names: Vec<&str> = parents.map(|field| field.name.as_str()).collect();
        names.reverse();
        names.join(".")
    }
}

struct Walk<'w> {
    fields: Fields,
    /// The exact names of the path in the shape.
    names: Vec<String>,
    width: Width<'w>,
}

impl Walk<'_> {
    fn node(&mut self, own: Option<usize>, presence: Option<usize>) {
        self.fields.nodes.push(own);
        self.fields.presences.push(presence);
    }

    /// A field of a record, or what stands in for one.
    fn field(&mut self, name: &str, shape: &Shape, at: At) -> Result<()> {
        let number = self.fields.list.len();
        match shape {
            Shape::Optional(optional) => {
                self.node(Some(number), at.presence);
                let within = At { place: at.place.within(), presence: None, ..at };
                self.content(name, Repetition::Optional, &optional.item, within)
            }
            Shape::List(item) if self.matrix(name, shape, at.parent).is_none() => {
                self.node(Some(number), at.presence);
                let within = At { place: at.place.items(), presence: None, ..at };
                self.content(name, Repetition::Repeated, item, within)
            }
            Shape::Map(map) => {
                self.node(Some(number), at.presence);
                let at = At { place: at.place.items(), ..at };
                self.push(name, Repetition::Repeated, Content::Group, at, (None, false))?;
                let within = At { parent: Some(number), place: at.place, presence: None };
                self.below("key".into(), |walk| walk.field("key", &map.key, within))?;
                self.below("value".into(), |walk| walk.field("value", &map.value, within))?;
                self.end(number);
                Ok(())
            }
            shape => self.content(name, Repetition::Required, shape, at),
        }
    }

    /// A field, and what is in it.
    fn content(&mut self, name: &str, repetition: Repetition, shape: &Shape, at: At) -> Result<()> {
        if let Some((width, leaf)) = self.matrix(name, shape, at.parent) {
            let number = Some(self.fields.list.len());
            self.push(name, repetition, Content::Leaf(leaf), at, (Some(width), false))?;
            self.node(number, at.presence);
            self.node(number, None);
            return Ok(());
        }
        let number = self.push(name, repetition, content(shape), at, (None, is_timestamp(shape)))?;
        let within = At { parent: Some(number), place: at.place, presence: None };
        match shape {
            Shape::Record(_) => {
                self.node(Some(number), at.presence);
                self.record(shape, within)?;
            }
            Shape::Union(variants) => {
                self.node(Some(number), at.presence);
                for (variant, name) in variants.iter().zip(variant_names(variants)) {
                    let presence = Some(self.fields.list.len());
                    let within = At { place: at.place.within(), presence, ..within };
                    let full = branch_name(variant).full();
                    self.below(full, |walk| walk.content(&name, Repetition::Optional, variant, within))?;
                }
            }
            Shape::Optional(_) | Shape::List(_) | Shape::Map(_) => {
                self.field(ITEM, shape, At { presence: at.presence, ..within })?;
            }
            _ => self.node(Some(number), at.presence),
        }
        self.end(number);
        Ok(())
    }

    fn record(&mut self, shape: &Shape, at: At) -> Result<()> {
        let Shape::Record(record) = shape else {
            return Ok(());
        };
        record.fields.iter().try_for_each(|field| {
            let name = &*field.name;
            self.below(name.into(), |walk| walk.field(name, &field.shape, at))
        })
    }

    /// The width of a list of values that is a row of a matrix, and what the values are.
    fn matrix(&self, name: &str, shape: &Shape, parent: Option<usize>) -> Option<(usize, Leaf)> {
        let Shape::List(item) = shape else {
            return None;
        };
        let leaf = Leaf::from_shape(item)?;
        let fields = &self.fields.list;
        let above = std::iter::successors(parent, |field| fields.get(*field)?.parent);
        let names = above.filter_map(|field| fields.get(field)).map(|field| field.name.as_str());
        let mut names: Vec<Cow<'_, str>> = std::iter::once(name).chain(names).map(escaped).collect();
        names.reverse();
        let name = names.join(".");
        Some(((self.width)(&self.names, &name)?, leaf))
    }

    /// Adds a field; returns its number.
    fn push(
        &mut self,
        name: &str,
        repetition: Repetition,
        content: Content,
        at: At,
        (width, is_timestamp): (Option<usize>, bool),
    ) -> Result<usize> {
        let At { parent, place: greatest, .. } = at;
        if greatest.definition > LEVEL_MAX {
            return Err(ErrorKind::TooDeep { limit: usize::from(LEVEL_MAX) }.into());
        }
        let (name, place) = (name.to_owned(), self.names.clone());
        let own = Field { name, parent, repetition, content, greatest, span: 1, width, place, is_timestamp };
        self.fields.list.push(own);
        Ok(self.fields.list.len() - 1)
    }

    /// Ends a group.
    fn end(&mut self, number: usize) {
        let span = self.fields.list.len() - number;
        if let Some(field) = self.fields.list.get_mut(number) {
            field.span = span;
        }
    }

    /// What is further down the path.
    fn below<T>(&mut self, name: Cow<'_, str>, walk: impl FnOnce(&mut Self) -> T) -> T {
        self.names.push(name.into_owned());
        let result = walk(self);
        self.names.pop();
        result
    }
}

/// Where a field is.
#[derive(Clone, Copy, Default)]
struct At {
    parent: Option<usize>,
    /// The levels around it, its own included once they are known.
    place: Place,
    /// The field that tells which entries of a union it is.
    presence: Option<usize>,
}

/// Whether a shape is that of timestamps in 12 bytes.
fn is_timestamp(shape: &Shape) -> bool {
    matches!(shape, Shape::Fixed(fixed) if fixed.size == TIMESTAMP_BYTES && fixed.name == TIMESTAMP && fixed.namespace.is_empty())
}

/// A name that a field can have: not empty, and without dots.
fn escaped(name: &str) -> Cow<'_, str> {
    match name {
        "" => Cow::Owned("%".to_owned()),
        name if name.contains(['.', '%']) => Cow::Owned(name.replace('%', "%25").replace('.', "%2E")),
        name => Cow::Borrowed(name),
    }
}

/// Names for the fields of a union: those of the variants without namespace, made different where they are not.
fn variant_names(variants: &[Shape]) -> Vec<String> {
    let mut taken = HashSet::with_capacity(variants.len());
    let mut names = Vec::with_capacity(variants.len());
    for (number, variant) in variants.iter().enumerate() {
        let mut name = branch_name(variant).name.replace('.', "_");
        while name.is_empty() || !taken.insert(name.clone()) {
            name = format!("{name}_{number}");
        }
        names.push(name);
    }
    names
}
