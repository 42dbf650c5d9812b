//! What a file says of its rows: the text of the message, and the exact schema beside it. Options that a file cannot have.

use super::super::codec;
use super::super::decode::column_numbers;
use super::super::leaves::{Leaf, leaves};
use super::footer;
use crate::dialect::{FileSettings, dremel};
use crate::error::{Error, ErrorKind, Result};
use crate::schema::message::{self, Message};
use crate::schema::{avro, names};
use crate::shape::Shape;

/// The rows of a shape, as a file has them.
#[derive(Clone)]
pub(super) struct Described {
    /// The Avro schema.
    pub(super) avro: String,
    pub(super) message: Message,
    pub(super) leaves: Vec<Leaf>,
    /// For each field of the rows its column, if it has one.
    pub(super) fields: Vec<Option<usize>>,
    /// Whether the message says all that the Avro schema says.
    pub(super) is_told_by_message: bool,
}

impl Described {
    /// Rows of a shape; `given` is the text of a schema that was given.
    ///
    /// # Errors
    ///
    /// What a reader would refuse.
    pub(super) fn from_header(shape: &Shape, given: Option<&str>) -> Result<Self> {
        let avro = match given {
            Some(text) => text.to_owned(),
            None => avro::write(&names::resolve(shape.clone().finished())),
        };
        let read = avro::parse(&avro).map_err(|error| match error.kind() {
            ErrorKind::TooDeep { .. } => error,
            _ => Error::option(format!("rows of this shape cannot be read back: {error}")),
        })?;
        let message = Message::from_shape(&read);
        let (fields, _) = column_numbers(&dremel::Fields::from_shape(&read, &|_, _| None)?);
        // Avro's rules of names may have moved types of the shape that was read.
        let is_told_by_message = given.is_none() && message.clone().into_shape() == shape.clone().finished();
        Ok(Self { avro, leaves: leaves(&message), fields, message, is_told_by_message })
    }

    /// The text of the message.
    pub(super) fn text(&self) -> String {
        message::write(&self.message)
    }
}

/// Checks options.
///
/// # Errors
///
/// A codec without a Java class, options of single columns, and metadata that cannot be blocks.
pub(super) fn check(settings: &FileSettings) -> Result<()> {
    codec::name(settings.columns.codec)?;
    footer::check(settings)?;
    for part in &settings.paths {
        let refused = |what: &str| {
            Err(Error::option(format!("{what} of {:?}: not supported for columns in RedElm", part.path)))
        };
        if part.codec.is_some_and(|codec| codec != settings.columns.codec) {
            return refused("the codec");
        }
        if part.checksum.is_some_and(|checksum| checksum != settings.columns.checksum) {
            return refused("the checksum");
        }
        if part.first_values {
            return refused("the first values");
        }
        if !part.metadata.is_empty() {
            return refused("the metadata");
        }
    }
    Ok(())
}
