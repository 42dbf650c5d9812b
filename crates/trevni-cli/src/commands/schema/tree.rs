//! A schema as a tree of fields.

use trevni::{Form, Shape};

/// The tree, one line for each field.
pub(super) fn tree(name: &str, shape: &Shape) -> String {
    let mut lines = vec![(name.to_owned(), kind(shape))];
    if matches!(shape, Shape::Record(_)) {
        lines[0].1.clear();
    }
    branches(shape, "", &mut lines);
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
                lines.push((format!("{indent}{branch}{}", field.name), kind(&field.shape)));
                branches(&field.shape, &format!("{indent}{below}"), lines);
            }
        }
        Shape::Optional(optional) => branches(&optional.item, indent, lines),
        Shape::List(item) => branches(item, indent, lines),
        Shape::Map(map) => branches(&map.value, indent, lines),
        Shape::Union(variants) => {
            let records: Vec<_> =
                variants.iter().filter(|variant| matches!(variant, Shape::Record(_))).collect();
            for (number, variant) in records.iter().enumerate() {
                let (branch, below) =
                    if number + 1 == records.len() { ("└─ ", "   ") } else { ("├─ ", "│  ") };
                if let Shape::Record(record) = variant {
                    lines.push((format!("{indent}{branch}{}", record.name), "variant".to_owned()));
                    branches(variant, &format!("{indent}{below}"), lines);
                }
            }
        }
        _ => {}
    }
}

/// A shape in a few words.
fn kind(shape: &Shape) -> String {
    match shape {
        Shape::Int => "int32".to_owned(),
        Shape::Long => "int64".to_owned(),
        Shape::U64 => "uint64".to_owned(),
        Shape::I128 => "int128".to_owned(),
        Shape::U128 => "uint128".to_owned(),
        Shape::Float => "float32".to_owned(),
        Shape::Double => "float64".to_owned(),
        Shape::Fixed(fixed) => format!("bytes of {}", fixed.size),
        Shape::Enum(shape) => format!("enum of {}: {}", shape.symbols.len(), few(&shape.symbols)),
        Shape::Record(record) if record.form == Form::Tuple => format!("tuple of {}", record.fields.len()),
        Shape::Record(_) => "struct".to_owned(),
        Shape::List(item) => format!("list<{}>", kind(item)),
        Shape::Map(map) => format!("map<{}, {}>", kind(&map.key), kind(&map.value)),
        Shape::Optional(optional) => format!("{}?", kind(&optional.item)),
        Shape::Union(variants) => {
            format!("union<{}>", variants.iter().map(kind).collect::<Vec<_>>().join(", "))
        }
        other => other.kind().to_owned(),
    }
}

/// Some symbols, and how many more.
fn few<S: AsRef<str>>(symbols: &[S]) -> String {
    let shown: Vec<&str> = symbols.iter().take(5).map(AsRef::as_ref).collect();
    let more = if symbols.len() > 5 { ", …" } else { "" };
    format!("{}{more}", shown.join(", "))
}
