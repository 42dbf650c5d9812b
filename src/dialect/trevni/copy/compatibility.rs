//! Whether files have the same columns and schema, and if not, where they differ first.

use super::Part;
use crate::dialect::trevni::columns::ColumnSpec;
use crate::dialect::trevni::decode::{ColumnHeader, Header};
use crate::error::{Error, ErrorKind, Result, place};
use crate::logical::Texts;
use crate::metadata;
use crate::schema::avro;
use crate::shape::{RecordShape, Shape};
use std::collections::HashSet;
use std::path::Path;

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
        let (one, two) = (&first.file.header, &part.file.header);
        let difference = match columns(&all(one), &all(two)) {
            Some(difference) => Some(difference),
            None => schemas(one, two).map_err(|error| part.here(error))?,
        };
        if let Some(Difference { place, one, two }) = difference {
            let other = first.name(0);
            let error = Error::from(ErrorKind::PartMismatch { place, found: two, expected: one, other });
            return Err(error.in_file(Path::new(&part.name(number + 1))));
        }
    }
    Ok(())
}

/// Where two files differ, and what they have there.
struct Difference {
    place: String,
    one: String,
    two: String,
}

impl Difference {
    fn at(place: impl Into<String>, one: impl Into<String>, two: impl Into<String>) -> Option<Self> {
        Some(Self { place: place.into(), one: one.into(), two: two.into() })
    }
}

fn all(header: &Header) -> Vec<ColumnHeader<'_>> {
    header.columns().collect()
}

/// The first difference between columns.
fn columns(ones: &[ColumnHeader<'_>], twos: &[ColumnHeader<'_>]) -> Option<Difference> {
    for (number, (one, two)) in ones.iter().zip(twos).enumerate() {
        if one.spec.name != two.spec.name {
            let quoted = |column: &ColumnHeader<'_>| format!("{:?}", column.spec.name);
            return missing(ones, twos)
                .or_else(|| Difference::at(format!("column {number}"), quoted(one), quoted(two)));
        }
        let one_is = described(one, ones);
        if one_is != described(&as_wide(one, two), twos) {
            return Difference::at(format!("column {:?}", one.spec.name), one_is, described(two, twos));
        }
    }
    let (one, two) = (ones.len(), twos.len());
    if one == two {
        return None;
    }
    missing(ones, twos).or_else(|| Difference::at("the number of columns", one.to_string(), two.to_string()))
}

/// The second column with the type of the first, where only the width of integers differs.
fn as_wide<'a>(one: &ColumnHeader<'_>, two: &ColumnHeader<'a>) -> ColumnHeader<'a> {
    let (own, other) = (two.spec.value_type, one.spec.value_type);
    let value_type = if own.fits(other) || other.fits(own) { other } else { own };
    ColumnHeader { spec: ColumnSpec { value_type, ..two.spec }, ..*two }
}

/// What a column is.
fn described(column: &ColumnHeader<'_>, all: &[ColumnHeader<'_>]) -> String {
    let spec = &column.spec;
    let mut text = spec.value_type.name().to_owned();
    if let Some(parent) = spec.parent.and_then(|parent| all.get(parent)) {
        text.push_str(&format!(" below {:?}", parent.spec.name));
    }
    if spec.array {
        text.push_str(" with lengths");
    }
    if column.first_values {
        text.push_str(if spec.array { " and first values" } else { " with first values" });
    }
    text
}

/// A column that is in one of the files only.
fn missing(ones: &[ColumnHeader<'_>], twos: &[ColumnHeader<'_>]) -> Option<Difference> {
    let lacks = |these: &[ColumnHeader<'_>], those: &[ColumnHeader<'_>]| {
        let there: HashSet<&str> = those.iter().map(|column| column.spec.name).collect();
        let column = these.iter().find(|column| !there.contains(column.spec.name))?;
        Some((format!("column {:?}", column.spec.name), described(column, these)))
    };
    let of_one = lacks(ones, twos).and_then(|(place, one)| Difference::at(place, one, "missing"));
    of_one.or_else(|| lacks(twos, ones).and_then(|(place, two)| Difference::at(place, "missing", two)))
}

/// The first difference between the schemas; texts that mean the same may differ.
fn schemas(one: &Header, two: &Header) -> Result<Option<Difference>> {
    let (one, two) = (one.entries().get(metadata::SCHEMA), two.entries().get(metadata::SCHEMA));
    Ok(match (one, two) {
        (one, two) if one == two => None,
        (Some(one), Some(two)) => shapes("", &shape(one)?, &shape(two)?),
        (Some(_), _) => Difference::at("the schema", "present", "missing"),
        (None, _) => Difference::at("the schema", "missing", "present"),
    })
}

fn shape(text: &[u8]) -> Result<Shape> {
    avro::parse(std::str::from_utf8(text).map_err(|_| Error::schema("not UTF-8"))?)
}

/// The first difference between shapes, which are at this path.
fn shapes(path: &str, one: &Shape, two: &Shape) -> Option<Difference> {
    if one.storage() == two.storage() && !Texts::differ(one, two) {
        return None;
    }
    match (one, two) {
        (Shape::Record(one), Shape::Record(two)) if same_record(one, two) => {
            let joined =
                |name: &str| if path.is_empty() { name.to_owned() } else { format!("{path}.{name}") };
            let mut fields = one.fields.iter().zip(&two.fields);
            fields.find_map(|(one, two)| shapes(&joined(&one.name), &one.shape, &two.shape))
        }
        (Shape::List(one), Shape::List(two)) => shapes(path, one, two),
        (Shape::Optional(one), Shape::Optional(two)) if one.null == two.null => {
            shapes(path, &one.item, &two.item)
        }
        (Shape::Map(one), Shape::Map(two)) => {
            shapes(path, &one.key, &two.key).or_else(|| shapes(path, &one.value, &two.value))
        }
        (Shape::Union(one), Shape::Union(two)) if one.len() == two.len() => {
            one.iter().zip(two).find_map(|(one, two)| shapes(path, one, two))
        }
        _ => {
            let head = |shape: &Shape| shape.to_string().lines().next().unwrap_or_default().to_owned();
            let (one, mut two) = (head(one), head(two));
            if one == two {
                two.push_str(" of another name, form or fields");
            }
            Difference::at(place(path), one, two)
        }
    }
}

/// Whether records have the same name, and fields of the same names.
fn same_record(one: &RecordShape, two: &RecordShape) -> bool {
    let names = one.fields.iter().map(|field| &field.name);
    (&one.name, &one.namespace, one.form) == (&two.name, &two.namespace, two.form)
        && names.eq(two.fields.iter().map(|field| &field.name))
}
