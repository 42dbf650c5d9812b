//! A shape as a file describes it: the text of its schema, and its columns.

use crate::dialect::trevni::columns::{self, ColumnSpec, NamedColumns};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::avro;
use crate::shape::Shape;
use std::collections::HashSet;

/// A finished shape as a file describes it.
pub(in super::super) struct Described {
    pub(in super::super) finished: Shape,
    /// The schema.
    pub(in super::super) text: String,
    pub(in super::super) columns: Vec<ColumnSpec>,
}

impl Described {
    /// Describes a finished shape, unless a schema was given.
    ///
    /// # Errors
    ///
    /// A shape that a reader would refuse.
    pub(in super::super) fn of(given: Option<&str>, finished: Shape) -> Result<Self> {
        let (text, columns) = match given {
            Some(text) => (text.to_owned(), columns_of(text)?),
            None => {
                let schema = avro::Schema::of(finished.clone());
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
            None => Ok(Self { finished, text, columns }),
        }
    }
}

/// The columns that a reader finds in a schema, with the names that its text gives them.
fn columns_of(text: &str) -> Result<Vec<ColumnSpec>> {
    avro::parse_names(text, avro::most_nodes_alone(text), |schema| {
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
