//! The cells of a row: fields, those of records in records with a dotted path.

use super::View;
use crate::paths::is_within;
use trevni::Shape;

/// A cell of each row: where it is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Field {
    /// Names joined by dots.
    pub(crate) path: String,
    /// Numbers of fields, from the outermost.
    steps: Vec<usize>,
    /// Whether it holds numbers.
    pub(crate) is_number: bool,
}

impl Field {
    /// A cell that no row has.
    pub(super) fn nowhere(path: &str) -> Self {
        Self { path: path.to_owned(), steps: vec![usize::MAX], is_number: false }
    }

    /// The value of this field in a row; none where a record around it is null.
    #[inline]
    pub(crate) fn of<'b>(&self, row: View<'b>) -> Option<View<'b>> {
        self.steps.iter().try_fold(row, |value, step| value.field(*step))?.some()
    }
}

/// The cells of rows of a shape; where they are no records, a row is one cell.
pub(crate) fn fields(shape: &Shape) -> Vec<Field> {
    let mut out = Vec::new();
    collect(shape, "", &mut Vec::new(), &mut out);
    out
}

/// The cells at these paths, in the order of the paths; those of a record take its place.
pub(crate) fn fields_at(shape: &Shape, paths: &[String]) -> Vec<Field> {
    let mut out: Vec<Field> = Vec::new();
    let all = fields(shape);
    for path in paths {
        // Where the path goes into a list, the list is the cell.
        let within = |field: &&Field| is_within(&field.path, path) || is_within(path, &field.path);
        for field in all.iter().filter(within) {
            if !out.contains(field) {
                out.push(field.clone());
            }
        }
    }
    out
}

fn collect(shape: &Shape, path: &str, steps: &mut Vec<usize>, out: &mut Vec<Field>) {
    let mut inner = shape;
    while let Shape::Optional(optional) = inner {
        inner = &optional.item;
    }
    match inner {
        Shape::Record(record) if !record.form.is_variant() && !record.fields.is_empty() => {
            for (number, field) in record.fields.iter().enumerate() {
                let path =
                    if path.is_empty() { field.name.to_string() } else { format!("{path}.{}", field.name) };
                steps.push(number);
                collect(&field.shape, &path, steps, out);
                steps.pop();
            }
        }
        _ => {
            let path = if steps.is_empty() { "value" } else { path };
            out.push(Field { path: path.to_owned(), steps: steps.clone(), is_number: is_number(inner) });
        }
    }
}

fn is_number(shape: &Shape) -> bool {
    match shape {
        Shape::Int | Shape::Long | Shape::U64 | Shape::I128 | Shape::U128 => true,
        Shape::Float | Shape::Double | Shape::Null => true,
        Shape::Union(variants) => variants.iter().all(is_number),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn records_are_parted_and_lists_are_not() {
        let rows = [
            json!({"a": {"b": 1, "c": {"d": "x"}}, "e": [{"f": 1}], "g": null}),
            json!({"a": null, "e": [], "g": 2}),
        ];
        let bytes = trevni::to_vec(rows).unwrap();
        let reader = trevni::Reader::from_slice(&bytes).unwrap();
        let names = |fields: Vec<Field>| fields.into_iter().map(|field| field.path).collect::<Vec<_>>();
        assert_eq!(names(fields(reader.shape())), ["a.b", "a.c.d", "e", "g"]);
        let paths = ["g", "a", "e.f"].map(str::to_owned);
        assert_eq!(names(fields_at(reader.shape(), &paths)), ["g", "a.b", "a.c.d", "e"]);
        let batch = reader.batches().unwrap().next().unwrap().unwrap();
        let text = |row, field: &Field| {
            field.of(View::row(&batch, row)).map(|value| serde_json::to_string(&value).unwrap())
        };
        let cells = |row| fields(reader.shape()).iter().map(|field| text(row, field)).collect::<Vec<_>>();
        assert_eq!(cells(0), [Some("1".into()), Some("\"x\"".into()), Some("[{\"f\":1}]".into()), None]);
        assert_eq!(cells(1), [None, None, Some("[]".into()), Some("2".into())]);
    }
}
