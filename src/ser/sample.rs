//! The shape of sample rows.

use super::row::{Next, Shredder};
use crate::error::Result;
use crate::shape::Shape;
use serde::Serialize;

/// Shapes of rows.
impl Shape {
    /// The shape of rows, as a file of them has it: for [`WriterBuilder::shape`](crate::WriterBuilder::shape), where the rows to come are
    /// like these. For types that [`Shape::from_type`] cannot trace: untagged and tagged enums, `flatten`, recursion. A sample needs a row for
    /// each variant, and a value for each option and list.
    ///
    /// Integers have the width of their type, but a `u64` is a `long` until a value of the sample needs more, as in a file of these rows:
    /// numbers of JSON come as `u64`, too, where they have no sign, and others of the same field have one. A given `long` refuses
    /// greater values, so where they may come, the sample needs a row with such a value, as `u64::MAX`. [`Shape::from_type`] has
    /// `u64` for the type.
    ///
    /// ```
    /// use serde::Serialize;
    /// use trevni::{Shape, Writer};
    ///
    /// #[derive(Serialize)]
    /// #[serde(tag = "kind")]
    /// enum Event { Login { user: String }, Click { x: i32, y: i32 } }
    ///
    /// let login = |user: &str| Event::Login { user: user.to_owned() };
    /// let shape = Shape::from_rows([login("ann"), Event::Click { x: 1, y: 2 }])?;
    /// let mut writer = Writer::builder().shape(&shape).derived().build(Vec::new())?;
    /// writer.write(&login("bob"))?;
    /// assert_eq!(trevni::Reader::from_slice(&writer.finish()?)?.shape(), &shape);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// A row whose `Serialize` fails, or that no file can have.
    pub fn from_rows<T: Serialize>(rows: impl IntoIterator<Item = T>) -> Result<Self> {
        let mut shredder = Shredder::new(Self::Unknown, true);
        for row in rows {
            while !shredder.push_fast(&row)
                && shredder.push_slow(&|slow| row.serialize(slow), true, &Shape::check)? == Next::Again
            {
            }
        }
        Ok(shredder.into_shape().settled())
    }
}
