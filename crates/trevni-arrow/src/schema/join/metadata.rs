//! Metadata of schemas and fields that are joined: what all say.

use crate::schema::leaf;
use arrow_schema::extension::{EXTENSION_TYPE_METADATA_KEY, EXTENSION_TYPE_NAME_KEY};
use arrow_schema::{DataType, Field, Schema};
use std::collections::HashMap;
use std::fmt::Write;
use trevni::Shape;
use trevni::shape::Logical;

/// The key of polars for the categories of a field, each with the number of its bytes before it.
const CATEGORIES: &str = "_PL_ENUM_VALUES2";
/// The key of pandas for what its columns and index were.
const PANDAS: &str = "pandas";

type Metadata = HashMap<String, String>;

/// What all schemas say. What pandas says of its columns is that of the first, which is how pyarrow joins tables.
pub(super) fn of_schemas(schemas: &[&Schema]) -> Metadata {
    let Some((first, rest)) = schemas.split_first() else {
        return Metadata::new();
    };
    let mut metadata = first.metadata().clone();
    metadata.retain(|key, value| {
        key == PANDAS || rest.iter().all(|schema| schema.metadata().get(key) == Some(value))
    });
    metadata
}

/// What both fields say; the categories of both, where the values are a dictionary. An extension type is that of both, or none.
pub(super) fn of_fields(one: &Field, two: &Field, data_type: &DataType) -> Metadata {
    let (ones, twos) = (one.metadata(), two.metadata());
    let is_same = |key: &str| ones.get(key) == twos.get(key);
    let is_extension = |key: &str| [EXTENSION_TYPE_NAME_KEY, EXTENSION_TYPE_METADATA_KEY].contains(&key);
    let has_extension = extension(one) == extension(two);
    let mut metadata = ones.clone();
    metadata.retain(|key, _| is_same(key) && (has_extension || !is_extension(key)));
    if let (Some(one), Some(two)) = (ones.get(CATEGORIES), twos.get(CATEGORIES))
        && let DataType::Dictionary(..) = data_type
        && let (Some(one), Some(two)) = (categories(one), categories(two))
    {
        metadata.insert(CATEGORIES.to_owned(), union(one, two));
    }
    metadata
}

/// The extension type of a field: its name, and what that says of it.
pub(super) fn extension(field: &Field) -> Option<(&String, Option<&String>)> {
    let metadata = field.metadata();
    Some((metadata.get(EXTENSION_TYPE_NAME_KEY)?, metadata.get(EXTENSION_TYPE_METADATA_KEY)))
}

/// The type for IP addresses that a field has, where its values are such.
pub(super) fn ip(field: &Field) -> Option<Logical> {
    let logical = leaf::ip(field.metadata().get(EXTENSION_TYPE_NAME_KEY)?)?;
    let size = match field.data_type() {
        DataType::FixedSizeBinary(size) => usize::try_from(*size).ok()?,
        _ => return None,
    };
    let is_own = matches!(logical.storage(), Some(Shape::Fixed(fixed)) if fixed.size == size);
    is_own.then_some(logical)
}

/// The categories of a field; `None` if the string is not in the form of polars.
fn categories(mut text: &str) -> Option<Vec<&str>> {
    let mut categories = Vec::new();
    while !text.is_empty() {
        let (bytes, rest) = text.split_once(';')?;
        let (category, rest) = rest.split_at_checked(bytes.parse().ok()?)?;
        categories.push(category);
        text = rest;
    }
    Some(categories)
}

/// The categories of the first, then those that only the second has.
fn union<'a>(mut ones: Vec<&'a str>, twos: Vec<&'a str>) -> String {
    let known: std::collections::HashSet<&str> = ones.iter().copied().collect();
    ones.extend(twos.into_iter().filter(|category| !known.contains(category)));
    let mut text = String::new();
    for category in ones {
        // A string takes all that is written.
        let _ = write!(text, "{};{category}", category.len());
    }
    text
}
