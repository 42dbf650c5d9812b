//! The cells of a row: fields; a field of a record in a record has a path.

use super::{Heading, is_null, is_number, non_null};
use crate::type_name::short_type_name;
use std::collections::HashMap;
use trevni::shape::Logical;
use trevni::{Shape, ValueRef};
use trevni_query::paths::{FieldPath, labels};

/// The type of a cell that is not the same in all files.
const MIXED: &str = "mixed";

/// A cell of each row: where it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The path; that of the row, where it is one cell.
    pub path: FieldPath,
    /// Numbers of fields, from the outermost.
    steps: Vec<usize>,
    /// Whether it holds numbers.
    pub is_number: bool,
    /// The digits after the point, where it holds decimals.
    pub scale: Option<u32>,
    /// Its type in a word.
    kind: String,
}

impl Field {
    /// The value of this field in a row; `None` where a record around it is null.
    #[inline]
    pub fn of<'b>(&self, row: ValueRef<'b>) -> Option<ValueRef<'b>> {
        let Some((last, around)) = self.steps.split_last() else {
            return non_null(row);
        };
        let ValueRef::Record(mut record) = row else {
            return None;
        };
        for step in around {
            let ValueRef::Record(inner) = record.field(*step)? else {
                return None;
            };
            record = inner;
        }
        let value = record.field(*last);
        if value.as_ref().is_some_and(is_null) {
            return None;
        }
        value
    }

    /// The numbers of fields on the way to it, from the outermost.
    pub(super) fn steps(&self) -> &[usize] {
        &self.steps
    }

    /// The column that it is, with a name.
    pub fn heading(&self, name: String) -> Heading {
        Heading { name, is_number: self.is_number, kind: self.kind.clone() }
    }

    /// This cell in rows that do not have it.
    fn nowhere(&self) -> Self {
        Self { steps: vec![usize::MAX], ..self.clone() }
    }
}

/// The headings of the cells.
pub fn names(paths: &[FieldPath]) -> Vec<String> {
    let names = labels(paths).into_iter().zip(paths);
    names.map(|(name, path)| if path.is_row() { "value".to_owned() } else { name }).collect()
}

/// The cells of rows of a shape; where they are no records, a row is one cell.
pub fn fields(shape: &Shape) -> Vec<Field> {
    let mut out = Vec::new();
    collect(shape, &FieldPath::default(), &mut Vec::new(), &mut out);
    out
}

/// The cells at these paths, in the order of the paths; the fields of a record take its place.
pub fn fields_at(shape: &Shape, paths: &[FieldPath]) -> Vec<Field> {
    in_order(fields(shape), paths)
}

/// The cells of rows of several shapes: in the order of the paths, else as they come. What some rows do not
/// have is there once, and is a number where it is one in all that have it.
pub fn fields_of_all<'s>(
    shapes: impl IntoIterator<Item = &'s Shape>,
    paths: Option<&[FieldPath]>,
) -> Vec<Field> {
    let mut all: Vec<Field> = Vec::new();
    let mut places: HashMap<FieldPath, usize> = HashMap::new();
    for field in shapes.into_iter().flat_map(fields) {
        match places.get(&field.path).and_then(|place| all.get_mut(*place)) {
            Some(own) => {
                own.is_number &= field.is_number;
                if own.kind != field.kind {
                    own.kind = MIXED.to_owned();
                }
            }
            None => {
                places.insert(field.path.clone(), all.len());
                all.push(field);
            }
        }
    }
    match paths {
        Some(paths) => in_order(all, paths),
        None => all,
    }
}

/// Where in rows of a shape these cells are.
pub fn located(shape: &Shape, cells: &[Field]) -> Vec<Field> {
    let own = fields(shape);
    let places: HashMap<&FieldPath, &Field> = own.iter().map(|field| (&field.path, field)).collect();
    let place = |cell: &Field| places.get(&cell.path).map_or_else(|| cell.nowhere(), |own| (*own).clone());
    cells.iter().map(place).collect()
}

fn in_order(all: Vec<Field>, paths: &[FieldPath]) -> Vec<Field> {
    let mut all: Vec<Option<Field>> = all.into_iter().map(Some).collect();
    let mut out: Vec<Field> = Vec::new();
    for path in paths {
        // Where the path goes into a list, the list is the cell.
        let within = |field: &Field| field.path.is_within(path) || path.is_within(&field.path);
        out.extend(all.iter_mut().filter_map(|field| field.take_if(|field| within(field))));
    }
    out
}

fn collect(shape: &Shape, path: &FieldPath, steps: &mut Vec<usize>, out: &mut Vec<Field>) {
    let mut inner = shape;
    while let Shape::Optional(optional) = inner {
        inner = &optional.item;
    }
    match inner {
        Shape::Record(record) if !record.form.is_variant() && !record.fields.is_empty() => {
            for (number, field) in record.fields.iter().enumerate() {
                steps.push(number);
                collect(&field.shape, &path.below(&field.name, &field.name), steps, out);
                steps.pop();
            }
        }
        _ => {
            let (path, steps, is_number) = (path.clone(), steps.clone(), is_number(inner));
            let kind = short_type_name(shape);
            out.push(Field { path, steps, is_number, scale: scale(inner), kind });
        }
    }
}

fn scale(shape: &Shape) -> Option<u32> {
    match shape {
        Shape::Logical(logical) => match logical.logical {
            Logical::Decimal { scale, .. } => Some(scale),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Json;
    use serde_json::json;

    #[test]
    fn records_are_parted_and_lists_are_not() {
        let rows = [
            json!({"a": {"b": 1, "c": {"d": "x"}}, "e": [{"f": 1}], "g": null}),
            json!({"a": null, "e": [], "g": 2}),
        ];
        let bytes = trevni::to_vec(rows).unwrap();
        let reader = trevni::Reader::from_slice(&bytes).unwrap();
        let names =
            |fields: Vec<Field>| fields.iter().map(|field| field.path.to_string()).collect::<Vec<_>>();
        assert_eq!(names(fields(reader.shape())), ["a.b", "a.c.d", "e", "g"]);
        let path =
            |names: &[&str]| names.iter().fold(FieldPath::default(), |path, name| path.below(name, name));
        let paths = [path(&["g"]), path(&["a"]), path(&["e", "f"])];
        assert_eq!(names(fields_at(reader.shape(), &paths)), ["g", "a.b", "a.c.d", "e"]);
        let batch = reader.batches().unwrap().next().unwrap().unwrap();
        let text = |row, field: &Field| {
            field.of(batch.row(row).unwrap()).map(|value| serde_json::to_string(&Json(&value)).unwrap())
        };
        let cells = |row| fields(reader.shape()).iter().map(|field| text(row, field)).collect::<Vec<_>>();
        assert_eq!(cells(0), [Some("1".into()), Some("\"x\"".into()), Some("[{\"f\":1}]".into()), None]);
        assert_eq!(cells(1), [None, None, Some("[]".into()), Some("2".into())]);
    }
}
