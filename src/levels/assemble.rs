//! Levels to lengths: a vector of all its leaves.

use super::entries::{Levels, Place};
use super::tags::Tags;
use super::{EntryLevels, Leaf, agree, leaves, lengths};
use crate::error::{Error, Result};
use crate::shape::Shape;
use crate::shape::branch::branch_name;
use crate::vector::{ListVector, MapVector, Offsets, RecordVector, UnionVector, Vector};

/// The vector of a shape whose leaves have these levels and values, in the order of [`leaves`].
///
/// # Errors
///
/// Levels above the greatest of their leaf, levels that contradict themselves or those of another leaf, values that
/// are too many, too few or of another type; with the path. Shapes nested too deep.
pub fn assemble(shape: &Shape, columns: impl IntoIterator<Item = (EntryLevels, Vector)>) -> Result<Vector> {
    shape.check()?;
    let leaves = leaves(shape);
    let mut columns = columns.into_iter();
    let mut streams: Vec<Stream> = Vec::with_capacity(leaves.len());
    for (leaf, (levels, values)) in leaves.iter().zip(&mut columns) {
        let rows = streams.first().map(|first| first.levels.as_ref().rows());
        let stream = Stream::new(leaf, levels, values, rows);
        streams.push(stream.map_err(|error| in_leaf(leaf, error))?);
    }
    let found = streams.len() + columns.count();
    if found != leaves.len() {
        return Err(Error::vector(format!("{found} columns for {} leaves", leaves.len())));
    }
    let rows = streams.first().map_or(0, |first| first.levels.as_ref().rows());
    let vector = Assembler { streams: streams.into_iter() }.node(shape, Place::default(), rows)?;
    vector.check(shape)?;
    Ok(vector)
}

fn in_leaf(leaf: &Leaf<'_>, error: Error) -> Error {
    leaf.path.iter().rev().fold(error, |error, name| error.in_field(name))
}

/// Number of [`leaves`] of a shape.
fn leaf_count(shape: &Shape) -> usize {
    shape.children().map(|child| leaf_count(child.shape)).sum::<usize>().max(1)
}

/// The entries of a leaf.
struct Stream {
    levels: Levels,
    greatest: Place,
    values: Vector,
}

impl Stream {
    /// Checks the levels of a leaf by themselves, and that it has as many rows as the leaves before it.
    fn new(leaf: &Leaf<'_>, levels: EntryLevels, values: Vector, rows: Option<usize>) -> Result<Self> {
        let EntryLevels { mut repetition, mut definition } = levels;
        let entries = definition.len();
        if repetition.len() != entries {
            return Err(Error::vector(format!(
                "{} repetition and {entries} definition levels",
                repetition.len()
            )));
        }
        let parts = [
            ("repetition", &mut repetition, leaf.max_repetition),
            ("definition", &mut definition, leaf.max_definition),
        ];
        for (what, levels, max) in parts {
            if let Some(entry) = levels.iter().position(|level| *level > max) {
                return Err(Error::vector(format!("the {what} level of entry {entry} is above {max}")));
            }
            if max == 0 {
                levels.clear();
            }
        }
        let levels = Levels { entries, repetition, definition };
        lengths::check(levels.as_ref(), &leaf.lists)?;
        let greatest = Place { repetition: leaf.max_repetition, definition: leaf.max_definition };
        let (own, present) = (levels.as_ref().rows(), lengths::entries(levels.as_ref(), greatest, greatest));
        if let Some(rows) = rows.filter(|rows| *rows != own) {
            return Err(Error::vector(format!("{own} rows where another leaf has {rows}")));
        }
        if values.len() != present {
            return Err(Error::vector(format!("{} values where the levels say {present}", values.len())));
        }
        Ok(Self { levels, greatest, values })
    }
}

/// Takes the columns of the leaves one by one, from the first to the last.
struct Assembler {
    streams: std::vec::IntoIter<Stream>,
}

impl Assembler {
    /// The vector of a node with `len` entries.
    fn node(&mut self, shape: &Shape, place: Place, len: usize) -> Result<Vector> {
        match shape {
            Shape::Record(record) if !record.fields.is_empty() => {
                self.agree(place, record.fields.iter().map(|field| &field.shape))?;
                let mut fields = Vec::with_capacity(record.fields.len());
                for field in &record.fields {
                    let values = self.node(&field.shape, place, len);
                    fields.push(values.map_err(|error| error.in_field(&field.name))?);
                }
                Ok(RecordVector::new(len, fields).into())
            }
            Shape::Optional(optional) => {
                let mut offsets = Offsets::default();
                let Stream { levels, greatest, .. } = self.first(0)?;
                lengths::optionals(levels.as_ref(), *greatest, place, &mut offsets)?;
                let item = self.node(&optional.item, place.within(), offsets.total())?;
                Ok(Vector::Optional(Box::new(ListVector::new(offsets, item))))
            }
            Shape::List(item) => {
                let offsets = self.lists(place)?;
                let item = self.node(item, place.items(), offsets.total())?;
                Ok(Vector::list(offsets, item))
            }
            Shape::Map(map) => {
                let offsets = self.lists(place)?;
                let (total, place) = (offsets.total(), place.items());
                self.agree(place, [&map.key, &map.value])?;
                let key = self.node(&map.key, place, total).map_err(Error::in_key)?;
                let value = self.node(&map.value, place, total).map_err(Error::in_value)?;
                Ok(MapVector::new(offsets, key, value).into())
            }
            Shape::Union(variants) if !variants.is_empty() => self.union(variants, place, len),
            _ => self.streams.next().map(|stream| stream.values).ok_or_else(no_column),
        }
    }

    fn union(&mut self, variants: &[Shape], place: Place, len: usize) -> Result<Vector> {
        self.agree(place, variants)?;
        let (mut tags, mut before) = (Tags::new(len), 0);
        for (number, variant) in (0u16..).zip(variants) {
            let levels = self.first(before)?.levels.as_ref();
            tags.add(number, levels, place, place.within().definition)?;
            before += leaf_count(variant);
        }
        let mut union = UnionVector::default();
        let counts = tags.finish(variants.len(), None, &mut union)?;
        for (variant, count) in variants.iter().zip(counts) {
            let values = self.node(variant, place.within(), count);
            union.variants.push(values.map_err(|error| error.in_field(&branch_name(variant).full()))?);
        }
        Ok(Vector::Union(union))
    }

    /// The lists or maps of a node, by its first leaf.
    fn lists(&self, place: Place) -> Result<Offsets> {
        let mut offsets = Offsets::default();
        lengths::lists(self.first(0)?.levels.as_ref(), place, &mut offsets)?;
        Ok(offsets)
    }

    /// Checks that nodes beside each other say the same of a place above them, each by its first leaf.
    fn agree<'s>(&self, place: Place, nodes: impl IntoIterator<Item = &'s Shape>) -> Result<()> {
        let [one, mut at] = [0; 2];
        for node in nodes {
            let [one, two] =
                [self.first(one)?, self.first(at)?].map(|stream| (stream.levels.as_ref(), stream.greatest));
            agree::check(one, two, place)?;
            at += leaf_count(node);
        }
        Ok(())
    }

    /// The leaf after `before` others that are left.
    fn first(&self, before: usize) -> Result<&Stream> {
        self.streams.as_slice().get(before).ok_or_else(no_column)
    }
}

fn no_column() -> Error {
    Error::internal("a leaf without a column")
}
