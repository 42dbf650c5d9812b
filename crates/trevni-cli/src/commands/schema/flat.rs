//! A schema as a list: a path and a type on each line.

use crate::report::{Report, Set};
use crate::type_name::type_name;
use trevni::Shape;

/// A line for each field and each variant that has fields, by the paths that `-c` takes.
pub(super) fn flat(shape: &Shape) -> Report {
    let mut report = Report::unnamed(&[Set::Left, Set::Left]);
    if !matches!(shape, Shape::Record(_)) {
        report.line(["value".to_owned(), type_name(shape)]);
    }
    below(shape, "", &mut report);
    report
}

fn below(shape: &Shape, path: &str, report: &mut Report) {
    let joined = |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
    match shape {
        Shape::Record(record) => {
            for field in &record.fields {
                let path = joined(&field.name);
                report.line([path.clone(), type_name(&field.shape)]);
                below(&field.shape, &path, report);
            }
        }
        Shape::Optional(optional) => below(&optional.item, path, report),
        Shape::List(item) => below(item, path, report),
        Shape::Map(map) => {
            below(&map.key, &joined("key"), report);
            below(&map.value, &joined("value"), report);
        }
        Shape::Union(variants) => {
            for variant in variants {
                let name = variant.branch_name();
                below(variant, &joined(name.rsplit('.').next().unwrap_or_default()), report);
            }
        }
        _ => {}
    }
}
