//! Whether files of any dialects have the same rows, and if not, where they differ first.

use crate::error::place;
use crate::logical::Texts;
use crate::shape::{RecordShape, Shape};

/// Where two shapes differ, and what they are there.
pub(super) struct Difference {
    pub(super) place: String,
    pub(super) one: String,
    pub(super) two: String,
}

/// The first difference between shapes whose values cannot stand for each other. Names of types are not compared, but
/// for variants: not all dialects have them.
pub(super) fn difference(one: &Shape, two: &Shape) -> Option<Difference> {
    below("", one, two)
}

fn below(path: &str, one: &Shape, two: &Shape) -> Option<Difference> {
    let differ = Texts::differ(one, two);
    match if differ { (one, two) } else { (one.storage(), two.storage()) } {
        (one, two) if one == two => None,
        (Shape::Record(one), Shape::Record(two)) if is_same(one, two) => {
            let joined =
                |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            let mut fields = one.fields.iter().zip(&two.fields);
            fields.find_map(|(one, two)| below(&joined(&one.name), &one.shape, &two.shape))
        }
        (Shape::Record(one), Shape::Record(two)) if one.form == two.form => {
            let names = |record: &RecordShape| {
                let names: Vec<&str> = record.fields.iter().map(|field| &*field.name).collect();
                let name = format!("record {}", record.name);
                format!("{} ({})", name.trim_end(), names.join(", "))
            };
            Some(Difference { place: place(path), one: names(one), two: names(two) })
        }
        (Shape::Enum(one), Shape::Enum(two)) if one.symbols == two.symbols => None,
        (Shape::Fixed(one), Shape::Fixed(two)) if one.size == two.size => None,
        (Shape::List(one), Shape::List(two)) => below(path, one, two),
        (Shape::Optional(one), Shape::Optional(two)) if one.null == two.null => {
            below(path, &one.item, &two.item)
        }
        (Shape::Map(one), Shape::Map(two)) => {
            below(path, &one.key, &two.key).or_else(|| below(path, &one.value, &two.value))
        }
        (Shape::Union(one), Shape::Union(two)) if one.len() == two.len() => {
            one.iter().zip(two).find_map(|(one, two)| below(path, one, two))
        }
        (one, two) => {
            let head = |shape: &Shape| shape.to_string().lines().next().unwrap_or_default().to_owned();
            let (one, mut two) = (head(one), head(two));
            if one == two {
                two.push_str(" of another form");
            }
            Some(Difference { place: place(path), one, two })
        }
    }
}

/// Whether records have fields of the same names, in the same order.
fn is_same(one: &RecordShape, two: &RecordShape) -> bool {
    let names = one.fields.iter().map(|field| &field.name);
    one.form == two.form
        && (!one.form.is_variant() || one.name == two.name)
        && names.eq(two.fields.iter().map(|field| &field.name))
}
