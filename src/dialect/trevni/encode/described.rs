//! A shape as a file describes it: the text of its schema, and its columns.

use crate::dialect::FileSettings;
use crate::dialect::trevni::columns::{self, ColumnSpec, NamedColumns};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::avro;
use crate::shape::Shape;
use std::collections::HashSet;

/// A settled shape as a file describes it.
pub(super) struct Described {
    pub(super) settled: Shape,
    /// The schema.
    pub(super) text: String,
    pub(super) columns: Vec<ColumnSpec>,
}

impl Described {
    /// Describes a settled shape, unless a schema was given.
    ///
    /// # Errors
    ///
    /// A shape that a reader would refuse.
    pub(super) fn of(settings: &FileSettings, settled: Shape) -> Result<Self> {
        let (text, columns) = match &settings.schema {
            Some(text) => (text.clone(), columns_of(text)?),
            None => {
                let schema = avro::Schema::of(settled.clone());
                let columns = match schema.is_surely_readable() {
                    true => columns::columns(&schema.shape).1,
                    false => columns_of(&schema.text).map_err(refused)?,
                };
                debug_assert_eq!(columns_of(&schema.text).ok().as_ref(), Some(&columns));
                (schema.text, columns)
            }
        };
        let mut names = HashSet::with_capacity(columns.len());
        match columns.iter().find(|column| !names.insert(&*column.name)) {
            Some(twice) => {
                Err(Error::option(format!("the schema gives two columns the name {:?}", twice.name)))
            }
            None => Ok(Self { settled, text, columns }),
        }
    }
}

/// The columns that a reader finds in a schema, with the names that its text gives them.
fn columns_of(text: &str) -> Result<Vec<ColumnSpec>> {
    avro::parse_names(text, avro::free_nodes(text), |schema| {
        let NamedColumns { slots, columns, .. } = columns::named_columns(schema, usize::MAX, usize::MAX);
        if slots.is_none() {
            return Err(Error::internal("a schema whose names are not those of its shape"));
        }
        match schema.nodes <= avro::most_nodes(text, columns.iter().map(|column| &*column.name)) {
            true => Ok(columns),
            false => Err(avro::repeated_too_often()),
        }
    })
}

/// The error of a schema that a reader would refuse.
#[cold]
fn refused(error: Error) -> Error {
    match error.kind() {
        ErrorKind::TooDeep { .. } => error,
        _ => Error::option(format!("rows of this shape cannot be read back: {error}")),
    }
}
