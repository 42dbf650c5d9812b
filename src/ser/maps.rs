//! Fields whose objects are maps.

use crate::error::{Error, Result};
use crate::path::{format, parse, targets};
use crate::shape::join::{Rules, entries, join};
use crate::shape::{
    FieldShape, Form, MapShape, Name, Null, OptionalShape, RECORD_FIELDS_MAX, RecordShape, Shape,
};
use crate::vector::{RecordVector, Vector};

/// Paths where rows have objects with open keys, which are maps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Maps(Vec<String>);

impl Maps {
    pub(crate) fn add(&mut self, path: &str) {
        self.0.push(path.to_owned());
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The shape that rows begin with: records down to the paths, which may be absent, and maps there; `None` without paths.
    pub(super) fn shape(&self) -> Option<Shape> {
        let mut shape = Shape::Unknown;
        for path in &self.0 {
            let names = parse(path).ok()?;
            let names: Vec<&str> = names.iter().map(crate::path::PathName::text).collect();
            let names: &[&str] = if path.is_empty() { &[] } else { &names };
            add(&mut shape, names);
        }
        (!self.is_empty()).then_some(shape)
    }

    /// Checks the paths.
    ///
    /// # Errors
    ///
    /// A path that cannot be parsed, and one below another.
    pub(crate) fn check(&self) -> Result<()> {
        let parsed = |path: &String| -> Result<String> {
            let names = parse(path)?;
            Ok(if path.is_empty() {
                String::new()
            } else {
                format(names.iter().map(crate::path::PathName::text))
            })
        };
        let paths = self.0.iter().map(parsed).collect::<Result<Vec<_>>>()?;
        for (at, path) in paths.iter().enumerate() {
            let is_above = |other: &String| other.is_empty() || path.starts_with(&format!("{other}."));
            if let Some(other) =
                paths.iter().enumerate().find(|(number, other)| *number != at && is_above(other))
            {
                return Err(Error::option(format!(
                    "{:?} and {path:?} are to be maps: one is in the other",
                    other.1
                )));
            }
        }
        Ok(())
    }
}

/// The path of objects that have all fields that a record may have; `None` where unions are around them.
#[cold]
pub(super) fn path_of_full(shape: &Shape) -> Option<String> {
    fn find<'s>(shape: &'s Shape, names: &mut Vec<&'s str>) -> bool {
        match shape {
            Shape::Record(record) if record.form == Form::Struct => {
                record.fields.len() >= RECORD_FIELDS_MAX
                    || record.fields.iter().any(|field| {
                        names.push(&field.name);
                        let found = find(&field.shape, names);
                        if !found {
                            names.pop();
                        }
                        found
                    })
            }
            Shape::Optional(optional) => find(&optional.item, names),
            Shape::List(item) => find(item, names),
            _ => false,
        }
    }
    let mut names = Vec::new();
    find(shape, &mut names).then(|| if names.is_empty() { String::new() } else { format(&names) })
}

/// The number of different keys after which an object may become a map; checked again after as many more.
pub(super) const MAP_KEYS: usize = 1000;

/// The fewest rows for each row that has a given field, in records that become maps.
const ROWS_PER_KEY: usize = 16;

/// Which records become maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Keys {
    /// Records of many fields of one kind, of which each row has few.
    Sparse,
    /// Also records with the maximum number of fields.
    Full,
}

/// The shape of rows in which records of open keys are maps; `None` where there are no such records.
#[cold]
pub(super) fn opened(shape: &Shape, vector: &Vector, keys: Keys) -> Option<Shape> {
    let mut opened = shape.clone();
    open(&mut opened, vector, keys).then_some(opened)
}

fn open(shape: &mut Shape, vector: &Vector, keys: Keys) -> bool {
    match (&mut *shape, vector) {
        (Shape::Record(record), Vector::Record(vector)) => {
            if let Some(map) = map_of(record, vector, keys) {
                *shape = Shape::Map(Box::new(map));
                return true;
            }
            let fields = record.fields.iter_mut().zip(&vector.fields);
            fields.fold(false, |any, (field, vector)| open(&mut field.shape, vector, keys) || any)
        }
        (Shape::List(item), Vector::List(list)) => open(item, &list.item, keys),
        (Shape::Optional(optional), Vector::Optional(list)) => open(&mut optional.item, &list.item, keys),
        (Shape::Map(map), Vector::Map(vector)) => open(&mut map.value, &vector.value, keys),
        (Shape::Union(variants), Vector::Union(union)) => {
            let each = variants.iter_mut().zip(&union.variants);
            let any = each.fold(false, |any, (variant, vector)| open(variant, vector, keys) || any);
            if any {
                // There may be a map already.
                let joined = |all: Shape, variant: &Shape| join(&all, variant, Rules::ROWS);
                *shape = variants.iter().fold(Shape::Union(Vec::new()), joined);
            }
            any
        }
        _ => false,
    }
}

/// The map that the objects of a record become, if its keys are open.
fn map_of(record: &RecordShape, vector: &RecordVector, keys: Keys) -> Option<MapShape> {
    let count = record.fields.len();
    let is_open = record.form == Form::Struct
        && matches!(record.fields.last(), Some(FieldShape { name: Name::Owned(_), .. }));
    if !is_open || count < MAP_KEYS {
        return None;
    }
    let map = entries(record, Rules::ROWS);
    if keys == Keys::Full && count >= RECORD_FIELDS_MAX {
        return Some(map);
    }
    let there = |vector: &Vector| match vector {
        Vector::Optional(list) => list.item.len(),
        vector => vector.len(),
    };
    let values: usize = vector.fields.iter().map(there).sum();
    let is_sparse = values.saturating_mul(ROWS_PER_KEY) <= count.saturating_mul(vector.len);
    let is_of_one_kind = match &map.value {
        Shape::Union(_) => false,
        Shape::Optional(optional) => !matches!(optional.item, Shape::Union(_)),
        _ => true,
    };
    (is_sparse && is_of_one_kind).then_some(map)
}

/// Whether something is at each of these paths in a shape of maps where something is there in the shape of records.
pub(super) fn keeps(paths: &[String], records: &Shape, maps: &Shape) -> bool {
    paths.iter().all(|path| targets(records, path).is_empty() || !targets(maps, path).is_empty())
}

/// Says that rows before the first of a vector may have had its records without fields that are still to come.
pub(super) fn set_earlier(vector: &mut Vector) {
    match vector {
        Vector::Record(record) => {
            record.earlier = true;
            record.fields.iter_mut().for_each(set_earlier);
        }
        Vector::List(list) | Vector::Optional(list) => set_earlier(&mut list.item),
        Vector::Map(map) => {
            set_earlier(&mut map.key);
            set_earlier(&mut map.value);
        }
        Vector::Union(union) => union.variants.iter_mut().for_each(set_earlier),
        _ => {}
    }
}

/// Adds a map at the end of these names.
fn add(shape: &mut Shape, names: &[&str]) {
    let Some((name, below)) = names.split_first() else {
        *shape = Shape::Map(Box::new(MapShape::open(Shape::Unknown)));
        return;
    };
    if !matches!(shape, Shape::Record(_)) {
        let (namespace, record) = (Name::Borrowed(""), Name::Borrowed(""));
        *shape =
            Shape::Record(RecordShape { namespace, name: record, form: Form::Struct, fields: Vec::new() });
    }
    let Shape::Record(record) = shape else { return };
    let at = match record.fields.iter().position(|field| field.name == **name) {
        Some(at) => at,
        None => {
            let shape = Shape::Optional(Box::new(OptionalShape { null: Null::Absent, item: Shape::Unknown }));
            record.fields.push(FieldShape { name: Name::Owned((*name).to_owned()), shape });
            record.fields.len() - 1
        }
    };
    if let Some(FieldShape { shape: Shape::Optional(optional), .. }) = record.fields.get_mut(at) {
        add(&mut optional.item, below);
    }
}
