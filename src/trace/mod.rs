//! The shape of a type, told by its `Deserialize`.
//!
//! A deserializer gives a type made-up values and notes what it asks for. One pass sees one variant of each enum, so
//! there are passes until all has been seen. No value is kept, and a pass may fail: what counts is what was asked.

mod access;
mod fault;
mod leaf;
mod node;
mod pass;
mod record;
mod tagged;
mod tracer;
mod variant;

#[cfg(test)]
mod tests;

use crate::error::Result;
use crate::shape::Shape;
use fault::Kind;
use node::Node;
use pass::Pass;
use serde::Deserialize;
use tracer::Tracer;

impl Shape {
    /// The shape that rows of a type have, before the first row.
    ///
    /// The type is asked through its `Deserialize`, so fields are those that it reads: with serde's `rename`, it must
    /// read and write them by one name, and a field that is skipped when it is read but written is not there. A field
    /// that has a default may be absent, so it can be skipped when it is written. A `u64` is [`Shape::U64`], which
    /// takes all of them.
    ///
    /// ```
    /// use trevni::{Reader, Shape, Writer};
    ///
    /// #[derive(serde::Serialize, serde::Deserialize)]
    /// struct Measurement {
    ///     sensor: String,
    ///     celsius: Option<f32>,
    ///     state: State,
    /// }
    ///
    /// #[derive(serde::Serialize, serde::Deserialize)]
    /// enum State { Good, Bad { since: u32 } }
    ///
    /// // A file without rows has its columns.
    /// let shape = Shape::from_type::<Measurement>()?;
    /// let file = Writer::builder().shape(&shape).build(Vec::new())?.finish()?;
    /// let reader = Reader::from_slice(&file)?;
    /// assert_eq!((reader.row_count(), reader.columns().len()), (0, 5));
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// [`ErrorKind::Untraceable`](crate::ErrorKind::Untraceable), with the path, for types that do not say what they
    /// want: untagged and internally tagged enums, structs with flattened fields, variants with named fields of
    /// adjacently tagged enums, values of any kind such as `serde_json::Value`; for recursive types, whose columns
    /// depend on how deep their data is; and for types that refuse all made-up values before they have asked for
    /// everything, as a tuple may that begins with a type of checked text. Their rows can be written without a shape,
    /// or with that of sample rows ([`Shape::from_rows`]).
    ///
    /// A type does not show the tag of a struct with `#[serde(tag = "…")]`: a writer with this shape takes such rows and leaves the tag out.
    pub fn from_type<'de, T: Deserialize<'de>>() -> Result<Self> {
        let mut root = Node::default();
        loop {
            let pass = Pass::default();
            let fault = T::deserialize(Tracer::new(&mut root, &pass)).err();
            match fault {
                Some(fault) if fault.kind == Kind::Final => return Err(fault.into_error()),
                _ if root.is_complete() => break,
                _ if pass.has_learned() => {}
                Some(fault) if !pass.try_another() => return Err(fault.into_error()),
                Some(_) => {}
                None => return Err(root.incomplete()),
            }
        }
        let shape = root.shape()?;
        shape.check()?;
        Ok(shape)
    }
}
