//! The kinds of values.

use super::{ListRef, MapRef, RecordRef, SomeRef};
#[cfg(doc)]
use crate::{batch::Batch, shape::Shape};

/// A value of a [`Batch`], where it lies: nothing is copied.
///
/// For code that learns only when it runs what a file holds. It serializes as the value does that was written:
/// structs and maps as maps, tuples and lists as sequences, variants with data as a map of one entry, others as
/// text. Values of a logical type are as they are stored; [`LogicalShape::text`](crate::shape::LogicalShape::text) has their
/// text.
///
/// ```
/// use trevni::{Reader, ValueRef};
///
/// #[derive(serde::Serialize)]
/// struct Word { text: &'static str, count: Option<u16> }
///
/// let file = trevni::to_vec([Word { text: "the", count: Some(3) }, Word { text: "end", count: None }])?;
/// let batch = Reader::from_slice(&file)?.batches()?.next().unwrap()?;
/// let mut counts = Vec::new();
/// for row in batch.values() {
///     match row.get("count") {
///         Some(ValueRef::Int(count)) => counts.push(count),
///         Some(ValueRef::Null) => counts.push(0),
///         other => panic!("{other:?}"),
///     }
/// }
/// assert_eq!(counts, [3, 0]);
/// let row = batch.row(0).unwrap();
/// assert_eq!(row.get("text").and_then(|text| text.as_str()), Some("the"));
/// assert_eq!(format!("{row:?}"), r#"Word { text: "the", count: 3 }"#);
/// assert_eq!(serde_json::to_string(&row).unwrap(), r#"{"text":"the","count":3}"#);
/// # Ok::<(), trevni::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum ValueRef<'b> {
    /// No value: null, `None`, a unit.
    Null,
    /// A value that is there, around a null: `Some(None)`. Around others, `Some` is not shown.
    Some(SomeRef<'b>),
    /// `bool`.
    Boolean(bool),
    /// [`Shape::Int`].
    Int(i32),
    /// [`Shape::Long`].
    Long(i64),
    /// [`Shape::U64`].
    U64(u64),
    /// [`Shape::I128`].
    I128(i128),
    /// [`Shape::U128`].
    U128(u128),
    /// `f32`.
    Float(f32),
    /// `f64`.
    Double(f64),
    /// Text.
    String(&'b str),
    /// A symbol of [`Shape::Enum`]: the name of a variant without data.
    Symbol(&'b str),
    /// [`Shape::Bytes`] and [`Shape::Fixed`].
    Bytes(&'b [u8]),
    /// [`Shape::List`].
    List(ListRef<'b>),
    /// [`Shape::Map`].
    Map(MapRef<'b>),
    /// [`Shape::Record`]: a struct, a tuple or a variant with data.
    Record(RecordRef<'b>),
}
