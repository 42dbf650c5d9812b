//! Fields whose objects are maps.

use super::slow::RECORD_FIELDS_MAX;
use crate::error::{Error, Result};
use crate::path::{format, parse};
use crate::shape::{FieldShape, Form, Name, Null, OptionalShape, RecordShape, Shape};

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

    /// The shape that rows begin with: records down to the paths, which may be absent, and maps there; none without paths.
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

/// The path of objects that have all fields that a record may have; none where unions are around them.
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

/// Adds a map at the end of these names.
fn add(shape: &mut Shape, names: &[&str]) {
    let Some((name, below)) = names.split_first() else {
        *shape = Shape::map(Shape::String, Shape::Unknown);
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
