//! What a writer knows of its rows before the first.

use crate::error::{Error, Result};
use crate::schema::avro;
use crate::ser::Defaults;
use crate::shape::Shape;

/// What is said of the rows before the first.
#[derive(Clone, Debug)]
pub(super) enum Given {
    /// Nothing: the shape is learned from the rows.
    Nothing,
    /// The text of an Avro schema, and what finds its defaults: only programs that give a schema have that.
    Schema(String, fn(&str, &Shape) -> Option<Defaults>),
    Shape(Shape),
}

impl Given {
    /// The shape to begin with.
    pub(super) fn shape(&self) -> Result<Shape> {
        match self {
            Self::Nothing => Ok(Shape::Unknown),
            Self::Schema(text, _) => avro::parse(text).map_err(Error::given),
            Self::Shape(shape) => {
                shape.check()?;
                let shape = shape.clone().normalized();
                // What a reader would refuse is refused before the first row.
                avro::parse(&shape.to_avro())?;
                Ok(shape)
            }
        }
    }

    /// The values of fields that rows lack; `shape` is that of the schema.
    pub(super) fn defaults(&self, shape: &Shape) -> Option<Defaults> {
        if let Self::Schema(text, of) = self { of(text, shape) } else { None }
    }

    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Self::Nothing)
    }
}
