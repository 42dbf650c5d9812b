//! A shape as an indented tree.

use super::{Form, Null, Shape};
use std::fmt;

impl fmt::Display for Shape {
    /// One line per field, children indented by two spaces.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_node(f, self, 0)
    }
}

fn write_node(f: &mut fmt::Formatter<'_>, shape: &Shape, indent: usize) -> fmt::Result {
    write_head(f, shape)?;
    write_children(f, shape, indent)
}

/// The part of a shape that stands on one line.
fn write_head(f: &mut fmt::Formatter<'_>, shape: &Shape) -> fmt::Result {
    match shape {
        Shape::Optional(optional) => {
            f.write_str(if optional.null == Null::Absent { "absent or " } else { "optional " })?;
            write_head(f, &optional.item)
        }
        Shape::List(item) => {
            f.write_str("list of ")?;
            write_head(f, item)
        }
        Shape::Map(map) => {
            f.write_str("map of ")?;
            if map.key != Shape::String {
                write_head(f, &map.key)?;
                f.write_str(" to ")?;
            }
            write_head(f, &map.value)
        }
        Shape::Record(record) if record.form == Form::Tuple => f.write_str("tuple"),
        Shape::Record(record) if record.form.is_variant() => write!(f, "variant {}", record.name),
        Shape::Record(record) if record.name.is_empty() => f.write_str("record"),
        Shape::Record(record) => write!(f, "record {}", record.name),
        Shape::Enum(shape) => write!(f, "enum {} ({})", shape.name, shape.symbols.join(", ")),
        Shape::Logical(logical) => {
            write!(f, "{} (", logical.logical)?;
            write_head(f, &logical.storage)?;
            f.write_str(")")
        }
        Shape::Fixed(fixed) => write!(f, "fixed({})", fixed.size),
        other => f.write_str(other.kind()),
    }
}

fn write_children(f: &mut fmt::Formatter<'_>, shape: &Shape, indent: usize) -> fmt::Result {
    match shape {
        Shape::Optional(optional) => write_children(f, &optional.item, indent),
        Shape::List(item) => write_children(f, item, indent),
        Shape::Map(map) => {
            write_children(f, &map.key, indent)?;
            write_children(f, &map.value, indent)
        }
        Shape::Record(record) => record.fields.iter().try_for_each(|field| {
            write!(f, "\n{:indent$}{}: ", "", field.name, indent = indent + 2)?;
            write_node(f, &field.shape, indent + 2)
        }),
        Shape::Union(variants) => variants.iter().try_for_each(|variant| {
            write!(f, "\n{:indent$}| ", "", indent = indent + 2)?;
            write_node(f, variant, indent + 2)
        }),
        _ => Ok(()),
    }
}
