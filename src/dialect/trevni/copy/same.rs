//! Whether files have the same columns and schema, and if not, where they differ first.

use super::Part;
use crate::dialect::trevni::{ColumnHeader, Header};
use crate::error::{Error, ErrorKind, Result};
use crate::metadata;
use crate::schema::avro;
use crate::shape::{RecordShape, Shape};
use std::collections::HashSet;

/// Compares all files with the first.
///
/// # Errors
///
/// A file that differs.
pub(super) fn check(parts: &[Part<'_, '_>]) -> Result<()> {
    let Some((first, others)) = parts.split_first() else {
        return Ok(());
    };
    for (number, part) in others.iter().enumerate() {
        let (one, other) = (&first.file.header, &part.file.header);
        let names = Names { own: part.name(number + 1), first: first.name(0) };
        let difference = columns(one, other, &names);
        let difference = match difference {
            Some(difference) => Some(difference),
            None => schemas(one, other, &names).map_err(|error| part.here(error))?,
        };
        if let Some(message) = difference {
            return Err(ErrorKind::FilesDiffer { message }.into());
        }
    }
    Ok(())
}

/// How the file that is compared, and the first, are called.
struct Names {
    own: String,
    first: String,
}

impl Names {
    fn differ(&self, what: &str, found: &str, first: &str) -> Option<String> {
        Some(format!("{}: {what} {found}, in {} {first}", self.own, self.first))
    }
}

/// The first difference between the columns of the first file and another.
fn columns(first: &Header, other: &Header, names: &Names) -> Option<String> {
    let (ones, twos) = (&first.columns, &other.columns);
    for (number, (one, two)) in ones.iter().zip(twos).enumerate() {
        let what = format!("column {:?}", one.spec.name);
        if one.spec.name != two.spec.name {
            return missing(ones, twos, names).or_else(|| {
                let quoted = |name: &str| format!("{name:?}");
                let (two, one) = (quoted(&two.spec.name), quoted(&one.spec.name));
                names.differ(&format!("column {number} is"), &two, &one)
            });
        }
        if one.spec.value_type != two.spec.value_type {
            return names.differ(
                &format!("{what} is"),
                two.spec.value_type.name(),
                one.spec.value_type.name(),
            );
        }
        let array = |column: &ColumnHeader| if column.spec.array { "lengths" } else { "no lengths" };
        let parent = |column: &ColumnHeader, all: &[ColumnHeader]| {
            let parent = column.spec.parent.and_then(|parent| all.get(parent));
            parent.map_or("no parent".to_owned(), |parent| format!("the parent {:?}", parent.spec.name))
        };
        let first_values = |column: &ColumnHeader| if column.first_values { "first values" } else { "none" };
        let what = format!("{what} has");
        if one.spec.array != two.spec.array {
            return names.differ(&what, array(two), array(one));
        }
        if one.spec.parent != two.spec.parent {
            return names.differ(&what, &parent(two, twos), &parent(one, ones));
        }
        if one.first_values != two.first_values {
            let [one, two] = [one, two].map(first_values);
            let two = if two == "none" { "no first values" } else { two };
            return names.differ(&what, two, one);
        }
    }
    if ones.len() == twos.len() { None } else { missing(ones, twos, names) }
}

/// A column that is in one of the files only.
fn missing(ones: &[ColumnHeader], twos: &[ColumnHeader], names: &Names) -> Option<String> {
    let lacks = |these: &[ColumnHeader], those: &[ColumnHeader]| {
        let there: HashSet<&str> = those.iter().map(|column| &*column.spec.name).collect();
        these.iter().find(|column| !there.contains(&*column.spec.name)).map(|column| column.spec.name.clone())
    };
    let Names { own, first } = names;
    if let Some(name) = lacks(ones, twos) {
        return Some(format!("{own} has no column {name:?}, which {first} has"));
    }
    if let Some(name) = lacks(twos, ones) {
        return Some(format!("{own} has a column {name:?}, which {first} does not have"));
    }
    let (two, one) = (twos.len(), ones.len());
    (two != one).then(|| format!("{own} has {two} columns, {first} {one}"))
}

/// The first difference between the schemas; texts that mean the same may differ.
fn schemas(first: &Header, other: &Header, names: &Names) -> Result<Option<String>> {
    let (one, two) = (first.metadata.get(metadata::SCHEMA), other.metadata.get(metadata::SCHEMA));
    let (one, two) = match (one, two) {
        (one, two) if one == two => return Ok(None),
        (Some(one), Some(two)) => (shape(one)?, shape(two)?),
        (Some(_), _) => return Ok(names.differ("there is", "no schema", "there is one")),
        (None, _) => return Ok(names.differ("there is", "a schema", "none")),
    };
    Ok(difference("", &one, &two).map(|Difference { path, one, two }| {
        let place = if path.is_empty() { "the row".to_owned() } else { format!("field {path}") };
        format!("{}: {place} is {two}, in {} {one}", names.own, names.first)
    }))
}

fn shape(text: &[u8]) -> Result<Shape> {
    avro::parse(std::str::from_utf8(text).map_err(|_| Error::schema("not UTF-8"))?)
}

/// Where two shapes differ, and what they are there.
struct Difference {
    path: String,
    one: String,
    two: String,
}

fn difference(path: &str, one: &Shape, two: &Shape) -> Option<Difference> {
    if one == two {
        return None;
    }
    let below = match (one, two) {
        (Shape::Record(one), Shape::Record(two)) if same_record(one, two) => {
            let joined =
                |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            let mut fields = one.fields.iter().zip(&two.fields);
            fields.find_map(|(one, two)| difference(&joined(&one.name), &one.shape, &two.shape))
        }
        (Shape::List(one), Shape::List(two)) => difference(path, one, two),
        (Shape::Optional(one), Shape::Optional(two)) => difference(path, &one.item, &two.item),
        (Shape::Map(one), Shape::Map(two)) => {
            difference(path, &one.key, &two.key).or_else(|| difference(path, &one.value, &two.value))
        }
        (Shape::Union(one), Shape::Union(two)) if one.len() == two.len() => {
            one.iter().zip(two).find_map(|(one, two)| difference(path, one, two))
        }
        _ => None,
    };
    below.or_else(|| {
        let head = |shape: &Shape| shape.to_string().lines().next().unwrap_or_default().to_owned();
        let (one, mut two) = (head(one), head(two));
        if one == two {
            two.push_str(" of another name, form or fields");
        }
        Some(Difference { path: path.to_owned(), one, two })
    })
}

/// Whether records have the same name, and fields of the same names.
fn same_record(one: &RecordShape, two: &RecordShape) -> bool {
    let names = one.fields.iter().map(|field| &field.name);
    (&one.name, &one.namespace, one.form) == (&two.name, &two.namespace, two.form)
        && names.eq(two.fields.iter().map(|field| &field.name))
}
