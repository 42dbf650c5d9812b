//! Levels to lengths.

use super::shred::Place;
use super::{EntryLevels, Leaf, leaves};
use crate::bytes::part::Part;
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
    let mut streams = Vec::with_capacity(leaves.len());
    for (leaf, (levels, values)) in leaves.iter().zip(&mut columns) {
        check(leaf, &levels).map_err(|error| in_leaf(leaf, error))?;
        streams.push(Stream { levels, values });
    }
    let found = streams.len() + columns.count();
    if found != leaves.len() {
        return Err(Error::vector(format!("{found} columns for {} leaves", leaves.len())));
    }
    let rows = streams.first().map_or(0, |first| starts(first, Place::default()).count());
    let vector = Assembler { streams: streams.into_iter() }.node(shape, Place::default(), rows)?;
    vector.check(shape)?;
    Ok(vector)
}

fn in_leaf(leaf: &Leaf<'_>, error: Error) -> Error {
    leaf.path.iter().rev().fold(error, |error, name| error.in_field(name))
}

/// Checks the levels of a leaf by themselves.
fn check(leaf: &Leaf<'_>, levels: &EntryLevels) -> Result<()> {
    let (repetition, definition) = (levels.repetition.len(), levels.definition.len());
    if repetition != definition {
        return Err(Error::vector(format!("{repetition} repetition and {definition} definition levels")));
    }
    let above = |levels: &[u16], max: u16| levels.iter().position(|level| *level > max);
    let parts = [
        ("repetition", above(&levels.repetition, leaf.max_repetition), leaf.max_repetition),
        ("definition", above(&levels.definition, leaf.max_definition), leaf.max_definition),
    ];
    for (what, entry, max) in parts {
        if let Some(entry) = entry {
            return Err(Error::vector(format!("the {what} level of entry {entry} is above {max}")));
        }
    }
    Ok(())
}

/// Number of [`leaves`] of a shape.
fn leaf_count(shape: &Shape) -> usize {
    shape.children().map(|child| leaf_count(child.shape)).sum::<usize>().max(1)
}

/// The entries of a leaf.
struct Stream {
    levels: EntryLevels,
    values: Vector,
}

/// The definition levels at which the entries of a node begin that are there.
fn starts(stream: &Stream, place: Place) -> impl Iterator<Item = u16> + '_ {
    let entries = stream.levels.repetition.iter().zip(&stream.levels.definition);
    let starts = entries.filter(move |(repetition, definition)| {
        **repetition <= place.repetition && **definition >= place.definition
    });
    starts.map(|(_, definition)| *definition)
}

/// Whether each entry of an optional or a variant is there.
fn presence(stream: &Stream, place: Place) -> Vec<u32> {
    starts(stream, place).map(|definition| u32::from(definition > place.definition)).collect()
}

/// The lengths of the lists of a node.
fn lengths(stream: &Stream, place: Place) -> Result<Vec<u32>> {
    let mut lengths = Vec::new();
    let mut open = None;
    let entries = stream.levels.repetition.iter().zip(&stream.levels.definition);
    for (entry, (repetition, definition)) in entries.enumerate() {
        let has_items = *definition > place.definition;
        if *repetition <= place.repetition {
            open = has_items.then_some(lengths.len());
            if *definition >= place.definition {
                lengths.push(u32::from(has_items));
            }
        } else if *repetition == place.repetition + 1 {
            match open.and_then(|open| lengths.get_mut(open)) {
                Some(length) if has_items => *length = length.saturating_add(1),
                _ => {
                    return Err(Error::vector(format!(
                        "entry {entry} goes on with a list that is not there"
                    )));
                }
            }
        }
    }
    Ok(lengths)
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
                let mut fields = Vec::with_capacity(record.fields.len());
                for field in &record.fields {
                    let values = self.node(&field.shape, place, len);
                    fields.push(values.map_err(|error| error.in_field(&field.name))?);
                }
                Ok(RecordVector::new(len, fields).into())
            }
            Shape::Optional(optional) => {
                let count = leaf_count(&optional.item);
                let offsets = self.common(count, len, |stream| Ok(presence(stream, place)))?;
                let offsets = Offsets::from_lengths(offsets)?;
                let item = self.node(&optional.item, place.within(), offsets.total())?;
                Ok(Vector::Optional(Box::new(ListVector::new(offsets, item))))
            }
            Shape::List(item) => {
                let offsets = self.offsets(leaf_count(item), place, len)?;
                let item = self.node(item, place.items(), offsets.total())?;
                Ok(Vector::list(offsets, item))
            }
            Shape::Map(map) => {
                let count = leaf_count(&map.key) + leaf_count(&map.value);
                let offsets = self.offsets(count, place, len)?;
                let total = offsets.total();
                let key = self.node(&map.key, place.items(), total).map_err(|error| error.in_field("key"))?;
                let value = self.node(&map.value, place.items(), total);
                let value = value.map_err(|error| error.in_field("value"))?;
                Ok(MapVector::new(offsets, key, value).into())
            }
            Shape::Union(variants) if !variants.is_empty() => self.union(variants, place, len),
            _ => self.leaf(place, len),
        }
    }

    fn leaf(&mut self, place: Place, len: usize) -> Result<Vector> {
        let Some(stream) = self.streams.next() else {
            return Err(Error::vector("a leaf without a column"));
        };
        let (entries, values) = (starts(&stream, place).count(), stream.values.len());
        if entries != len {
            return Err(Error::vector(format!("{entries} entries where another leaf has {len}")));
        }
        if values != len {
            return Err(Error::vector(format!("{values} values where the levels say {len}")));
        }
        Ok(stream.values)
    }

    fn union(&mut self, variants: &[Shape], place: Place, len: usize) -> Result<Vector> {
        let mut tags = vec![None; len];
        let mut before = 0;
        for (number, variant) in (0u16..).zip(variants) {
            let count = leaf_count(variant);
            let streams = self.streams.as_slice().part(before..before + count)?;
            let present = agreed(streams, len, |stream| Ok(presence(stream, place)));
            let present = present.map_err(|error| error.in_field(&branch_name(variant).full()))?;
            for (entry, (tag, present)) in tags.iter_mut().zip(present).enumerate() {
                if present > 0 && tag.replace(number).is_some() {
                    return Err(Error::vector(format!("entry {entry} of a union is of two variants")));
                }
            }
            before += count;
        }
        if let Some(entry) = tags.iter().position(Option::is_none) {
            return Err(Error::vector(format!("entry {entry} of a union is of no variant")));
        }
        let tags: Vec<u16> = tags.into_iter().flatten().collect();
        let mut values = Vec::with_capacity(variants.len());
        for (number, variant) in (0u16..).zip(variants) {
            let count = tags.iter().filter(|tag| **tag == number).count();
            let vector = self.node(variant, place.within(), count);
            values.push(vector.map_err(|error| error.in_field(&branch_name(variant).full()))?);
        }
        Ok(UnionVector::new(tags, values).into())
    }

    fn offsets(&self, count: usize, place: Place, len: usize) -> Result<Offsets> {
        Offsets::from_lengths(self.common(count, len, |stream| lengths(stream, place))?)
    }

    /// What the next `count` leaves say of a node.
    fn common(&self, count: usize, len: usize, of: impl Fn(&Stream) -> Result<Vec<u32>>) -> Result<Vec<u32>> {
        agreed(self.streams.as_slice().part(..count)?, len, of)
    }
}

/// What leaves say of the `len` entries of a node above them: all the same.
fn agreed(streams: &[Stream], len: usize, of: impl Fn(&Stream) -> Result<Vec<u32>>) -> Result<Vec<u32>> {
    let mut lengths = None;
    for stream in streams {
        let own = of(stream)?;
        if own.len() != len {
            return Err(Error::vector(format!("{} entries where another leaf has {len}", own.len())));
        }
        match &lengths {
            None => lengths = Some(own),
            Some(other) if *other == own => {}
            Some(_) => return Err(Error::vector("the levels of two leaves contradict each other")),
        }
    }
    Ok(lengths.unwrap_or_default())
}
