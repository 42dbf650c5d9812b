//! What is known of a type so far.

use super::leaf::Leaf;
use super::record::Record;
use super::tagged::Tagged;
use super::variant::Enum;
use crate::error::{Error, ErrorKind, Result};
use crate::shape::{MapShape, Shape};

/// A part of a type.
#[derive(Debug, Default)]
pub(super) enum Node {
    /// Nothing has been asked for yet.
    #[default]
    Unseen,
    Leaf(Leaf),
    Option(Box<Node>),
    List(Box<Node>),
    Map(Box<Node>, Box<Node>),
    Record(Record),
    Enum(Enum),
    /// An adjacently tagged enum.
    Tagged(Tagged),
}

impl Node {
    /// Whether all of it has been seen.
    pub(super) fn is_complete(&self) -> bool {
        match self {
            Self::Unseen => false,
            Self::Leaf(_) => true,
            Self::Option(item) | Self::List(item) => item.is_complete(),
            Self::Map(key, value) => key.is_complete() && value.is_complete(),
            Self::Record(record) => record.is_complete(),
            Self::Enum(variants) => variants.is_complete(),
            Self::Tagged(tagged) => tagged.is_complete(),
        }
    }

    /// The shape of what has been seen.
    ///
    /// # Errors
    ///
    /// Contents of an adjacently tagged enum that do not go into one column.
    pub(super) fn shape(&self) -> Result<Shape> {
        Ok(match self {
            Self::Unseen => Shape::Null,
            Self::Leaf(leaf) => leaf.shape.clone(),
            Self::Option(item) => Shape::optional(item.shape()?),
            Self::List(item) => Shape::list(item.shape()?),
            Self::Map(key, value) => Shape::Map(Box::new(MapShape::new(
                key.shape().map_err(Error::in_key)?,
                value.shape().map_err(Error::in_value)?,
            ))),
            Self::Record(record) => Shape::Record(record.shape()?),
            Self::Enum(variants) => variants.shape()?,
            Self::Tagged(tagged) => tagged.shape()?,
        })
    }

    /// The error for a type that did not request everything, although it took all given values.
    #[cold]
    pub(super) fn incomplete(&self) -> Error {
        let message = "the type does not request all of its fields; write rows without a shape, or take the shape of sample rows (Shape::from_rows)";
        let error: Error = ErrorKind::Untraceable { message: message.to_owned() }.into();
        self.hole().iter().rev().fold(error, |error, name| error.in_field(name))
    }

    /// The way to a part that has not been seen.
    fn hole(&self) -> Vec<String> {
        let mut path = Vec::new();
        let mut node = self;
        loop {
            node = match node {
                Self::Option(item) | Self::List(item) => item,
                Self::Map(key, value) => {
                    if key.is_complete() {
                        value
                    } else {
                        key
                    }
                }
                Self::Record(record) => match record.hole() {
                    Some((name, below)) => {
                        path.push(name.to_string());
                        below
                    }
                    None => return path,
                },
                _ => return path,
            };
        }
    }
}
