//! A schema as a list: a path and a type on each line.

use crate::report::{Report, Set};
use crate::type_name::type_name;
use trevni::Shape;
use trevni_query::paths::{FieldPath, labels, short_name};

/// A line for each field and each variant that has fields, by the paths that `-c` takes.
pub(super) fn flat(shape: &Shape) -> Report {
    let mut report = Report::unnamed(&[Set::Left, Set::Left]);
    types(shape).into_iter().for_each(|(path, kind)| report.line([path, kind]));
    report
}

/// The path and the type of each field.
pub fn types(shape: &Shape) -> Vec<(String, String)> {
    let mut all = Vec::new();
    if !matches!(shape, Shape::Record(_)) {
        all.push(("value".to_owned(), type_name(shape)));
    }
    let mut fields = Vec::new();
    below(shape, &FieldPath::default(), &mut fields);
    let (paths, types): (Vec<FieldPath>, Vec<String>) = fields.into_iter().unzip();
    all.extend(labels(&paths).into_iter().zip(types));
    all
}

fn below(shape: &Shape, path: &FieldPath, fields: &mut Vec<(FieldPath, String)>) {
    match shape {
        Shape::Record(record) => {
            for field in &record.fields {
                let path = path.below(&field.name, &field.name);
                fields.push((path.clone(), type_name(&field.shape)));
                below(&field.shape, &path, fields);
            }
        }
        Shape::Optional(optional) => below(&optional.item, path, fields),
        Shape::List(item) => below(item, path, fields),
        Shape::Map(map) => {
            below(&map.key, &path.below("key", "key"), fields);
            below(&map.value, &path.below("value", "value"), fields);
        }
        Shape::Union(variants) => {
            for variant in variants {
                let full = variant.branch_name();
                below(variant, &path.below(&full, short_name(&full)), fields);
            }
        }
        _ => {}
    }
}
