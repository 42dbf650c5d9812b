//! A schema as a tree of fields.

use crate::shown::shown;
use crate::type_name::type_name;
use trevni::Shape;
use trevni_query::paths::short_name;

/// The tree, one line for each field.
pub(super) fn tree(name: &str, shape: &Shape) -> String {
    let mut lines = vec![(name.to_owned(), type_name(shape))];
    if matches!(shape, Shape::Record(_)) {
        lines[0].1.clear();
    }
    branches(shape, "", &mut lines);
    for (left, right) in &mut lines {
        (*left, *right) = (shown(left).into_owned(), shown(right).into_owned());
    }
    let width = lines.iter().map(|(left, _)| left.chars().count()).max().unwrap_or(0);
    let line = |(left, right): &(String, String)| {
        let gap = " ".repeat(width - left.chars().count() + 2);
        format!("{left}{gap}{right}").trim_end().to_owned() + "\n"
    };
    lines.iter().map(line).collect()
}

/// The fields below a shape.
fn branches(shape: &Shape, indent: &str, lines: &mut Vec<(String, String)>) {
    match shape {
        Shape::Record(record) => {
            let last = record.fields.len().saturating_sub(1);
            for (number, field) in record.fields.iter().enumerate() {
                let (branch, below) = if number == last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                lines.push((format!("{indent}{branch}{}", field.name), type_name(&field.shape)));
                branches(&field.shape, &format!("{indent}{below}"), lines);
            }
        }
        Shape::Optional(optional) => branches(&optional.item, indent, lines),
        Shape::List(item) => branches(item, indent, lines),
        Shape::Map(map) => branches(&map.value, indent, lines),
        Shape::Union(variants) => {
            let within: Vec<&Shape> = variants.iter().filter(|variant| has_fields(variant)).collect();
            for (number, variant) in within.iter().enumerate() {
                let (branch, below) =
                    if number + 1 == within.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                let kind = match variant {
                    Shape::Record(record) if record.form.is_variant() => "variant".to_owned(),
                    variant => type_name(variant),
                };
                lines.push((format!("{indent}{branch}{}", short_name(&variant.branch_name())), kind));
                branches(variant, &format!("{indent}{below}"), lines);
            }
        }
        _ => {}
    }
}

/// Whether there are fields within a branch of a union.
fn has_fields(shape: &Shape) -> bool {
    match shape {
        Shape::Record(_) => true,
        Shape::Optional(optional) => has_fields(&optional.item),
        Shape::List(item) => has_fields(item),
        Shape::Map(map) => has_fields(&map.value),
        Shape::Union(variants) => variants.iter().any(has_fields),
        _ => false,
    }
}
