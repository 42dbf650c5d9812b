//! The types of the columns of files that are read as one.

use crate::error::Failure;
use arrow_schema::{Schema, SchemaRef};
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use trevni::{Dataset, Shape};
use trevni_arrow::{DictionaryCache, ErrorKind, OrderedDictionaries, join_schemas, schema_of_reader};

/// The columns of some files.
#[derive(Clone)]
pub(crate) struct Table {
    /// With types that have the values of all parts.
    pub(crate) schema: SchemaRef,
    /// Those of each part.
    pub(crate) parts: Arc<[SchemaRef]>,
    /// The categories of columns where they have an order.
    pub(crate) ordered: OrderedDictionaries,
    /// The values of the dictionaries of each part, once they are read.
    pub(crate) caches: Arc<[DictionaryCache]>,
}

impl Table {
    pub(crate) fn of(dataset: &Dataset<'_>, files: &[Option<PathBuf>]) -> Result<Self, Failure> {
        let parts = dataset.parts();
        let own = parts.iter().map(|part| schema_of_reader(part.reader()));
        let own = own.collect::<Result<Vec<_>, _>>()?;
        let all: Vec<usize> = (0..own.len()).collect();
        let schema = joined(&own, &all, files).or_else(|failure| {
            // Files without rows fit anything.
            let has_rows = |part: &usize| parts.get(*part).is_some_and(|part| part.reader().row_count() > 0);
            let with_rows: Vec<usize> = all.iter().copied().filter(has_rows).collect();
            match with_rows.len() == all.len() {
                true => Err(failure),
                false => joined(&own, &with_rows, files),
            }
        });
        let mut schema = in_order(schema?, dataset.shape());
        let files: Vec<_> = parts.iter().zip(&own).map(|(part, own)| (part.reader(), own)).collect();
        let ordered = OrderedDictionaries::join(&files, &mut schema);
        let caches = files.iter().map(|_| DictionaryCache::default()).collect();
        let schema = Arc::new(schema);
        let shared = |own: Schema| if own == *schema { Arc::clone(&schema) } else { Arc::new(own) };
        let parts = own.into_iter().map(shared).collect();
        Ok(Self { schema, parts, ordered, caches })
    }
}

/// The columns in the order in which the rows of all parts have them.
fn in_order(mut schema: Schema, rows: &Shape) -> Schema {
    if let Shape::Record(record) = rows {
        let places = record.fields.iter().enumerate().map(|(place, field)| (&*field.name, place));
        let places: HashMap<&str, usize> = places.collect();
        let mut fields = schema.fields().to_vec();
        fields.sort_by_key(|field| places.get(field.name().as_str()).copied().unwrap_or(usize::MAX));
        schema.fields = fields.into();
    }
    schema
}

/// The schema of some parts.
fn joined(schemas: &[Schema], parts: &[usize], files: &[Option<PathBuf>]) -> Result<Schema, Failure> {
    let some: Vec<&Schema> = parts.iter().filter_map(|part| schemas.get(*part)).collect();
    join_schemas(&some).map_err(|error| {
        let ErrorKind::Differ { first, second, one, two } = error.kind() else {
            return error.into();
        };
        let file = |number: usize| parts.get(number).and_then(|part| files.get(*part)?.as_deref());
        let path = error.path();
        let first = match file(*first) {
            Some(file) => file.display().to_string(),
            None => format!("part {first}"),
        };
        let message =
            format!("field {path} is {two} here and {one} in {first}, which have no type in common");
        Failure::of_shape(message).of_file(file(*second))
    })
}
