//! A shape in a few words, as reports have it: `int64`, `list<string>`, `enum?`, `timestamp-micros`.

use crate::drawing::ellipsis;
use trevni::Shape;
use trevni::shape::Form;

/// The type of a field, with the symbols of enums.
pub fn type_name(shape: &Shape) -> String {
    match named(shape) {
        Shape::Enum(shape) => format!("enum of {}: {}", shape.symbols.len(), few(&shape.symbols)),
        Shape::Record(record) if record.form == Form::Tuple => format!("tuple of {}", record.fields.len()),
        shape => written(shape, &type_name),
    }
}

/// The type of a field, without symbols and numbers of fields.
pub fn short_type_name(shape: &Shape) -> String {
    match named(shape) {
        Shape::Enum(_) => "enum".to_owned(),
        Shape::Fixed(_) => "bytes".to_owned(),
        Shape::Record(record) if record.form == Form::Tuple => "tuple".to_owned(),
        shape => written(shape, &short_type_name),
    }
}

/// The shape that gives values their name: a logical type that is known, or else what stores them.
fn named(shape: &Shape) -> &Shape {
    match shape {
        Shape::Logical(logical) if logical.logical.storage().is_some() => shape,
        shape => shape.storage(),
    }
}

fn written(shape: &Shape, inner: &dyn Fn(&Shape) -> String) -> String {
    match named(shape) {
        Shape::Logical(logical) => logical.logical.to_string(),
        Shape::Int => "int32".to_owned(),
        Shape::Long => "int64".to_owned(),
        Shape::U64 => "uint64".to_owned(),
        Shape::I128 => "int128".to_owned(),
        Shape::U128 => "uint128".to_owned(),
        Shape::Float => "float32".to_owned(),
        Shape::Double => "float64".to_owned(),
        Shape::Fixed(fixed) => format!("bytes of {}", fixed.size),
        Shape::Record(_) => "struct".to_owned(),
        Shape::List(item) => format!("list<{}>", inner(item)),
        Shape::Map(map) => format!("map<{}, {}>", inner(&map.key), inner(&map.value)),
        Shape::Optional(optional) => format!("{}?", inner(&optional.item)),
        Shape::Union(variants) => {
            format!("union<{}>", variants.iter().map(inner).collect::<Vec<_>>().join(", "))
        }
        other => other.kind().to_owned(),
    }
}

/// Some symbols, and how many more.
fn few<S: AsRef<str>>(symbols: &[S]) -> String {
    let shown: Vec<&str> = symbols.iter().take(5).map(AsRef::as_ref).collect();
    let more = if symbols.len() > 5 { format!(", {}", ellipsis()) } else { String::new() };
    format!("{}{more}", shown.join(", "))
}
