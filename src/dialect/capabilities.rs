//! What a dialect can carry.

use crate::error::{Error, Result};
use crate::shape::{Null, Shape};

/// What rows may be in a dialect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Capabilities {
    /// Name of the dialect, for messages.
    pub(crate) dialect: &'static str,
    /// Whether the shape may still grow when rows have been written.
    pub(crate) growth: bool,
    /// Values of several types in one place.
    pub(crate) unions: bool,
    pub(crate) maps: bool,
    /// Fields that are absent in some rows and null in others.
    pub(crate) absent_and_null: bool,
    /// Integers above [`i64::MAX`].
    pub(crate) unsigned: bool,
    /// Integers of 128 bits.
    pub(crate) wide_integers: bool,
}

impl Capabilities {
    /// A dialect that carries all that rows may be.
    pub(crate) const fn all(dialect: &'static str) -> Self {
        Self {
            dialect,
            growth: true,
            unions: true,
            maps: true,
            absent_and_null: true,
            unsigned: true,
            wide_integers: true,
        }
    }

    /// Checks that the dialect can carry rows of a shape.
    ///
    /// # Errors
    ///
    /// The first thing that it cannot carry.
    pub(crate) fn check(&self, shape: &Shape) -> Result<()> {
        if *self == Self::all(self.dialect) {
            return Ok(());
        }
        match self.lacks(shape) {
            Some(what) => Err(Error::option(format!("{} cannot store {what}", self.dialect))),
            None => Ok(()),
        }
    }

    /// What of a shape the dialect cannot carry.
    fn lacks(&self, shape: &Shape) -> Option<&'static str> {
        let own = match shape.storage() {
            Shape::Union(_) if !self.unions => Some("values of several types in one place"),
            Shape::Map(_) if !self.maps => Some("maps"),
            Shape::U64 if !self.unsigned => Some("integers above i64::MAX"),
            Shape::I128 | Shape::U128 if !self.wide_integers => Some("integers of 128 bits"),
            Shape::Optional(outer) if !self.absent_and_null => match (&outer.null, &outer.item) {
                (Null::Absent, Shape::Optional(_)) => {
                    Some("a field that is absent in some rows and null in others")
                }
                _ => None,
            },
            _ => None,
        };
        own.or_else(|| shape.children().find_map(|child| self.lacks(child.shape)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_dialect_lacks_is_found_at_any_depth() {
        let none = Capabilities {
            unions: false,
            maps: false,
            absent_and_null: false,
            unsigned: false,
            wide_integers: false,
            ..Capabilities::all("a dialect")
        };
        let union = || r#"["int","string"]"#.to_owned();
        for (schema, lacks) in [
            (union(), "values of several types in one place"),
            (format!(r#"{{"type":"array","items":{}}}"#, union()), "values of several types in one place"),
            (r#"["null",{"type":"map","values":"int"}]"#.to_owned(), "maps"),
            (r#"{"type":"long","serde":"u64"}"#.to_owned(), "integers above i64::MAX"),
        ] {
            let shape = Shape::from_avro(&schema).unwrap();
            let message = none.check(&shape).unwrap_err().to_string();
            assert!(message.ends_with(&format!("a dialect cannot store {lacks}")), "{message}");
            assert!(Capabilities::all("another").check(&shape).is_ok());
        }
        assert!(none.check(&Shape::optional(Shape::List(Box::new(Shape::Int)))).is_ok());
    }
}
