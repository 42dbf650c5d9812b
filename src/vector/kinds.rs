//! The kinds of vectors.

use super::{Binaries, DictionaryVector, ListVector, MapVector, RecordVector, Strings, UnionVector};
#[cfg(doc)]
use crate::shape::Shape;

/// Typed values of one node of a [`Shape`]: a tree of the same form.
///
/// Entry `i` of a record is entry `i` of each of its fields; entry `i` of a list are the items in
/// `offsets.range(i)`, an optional is a list of none or one item.
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub enum Vector {
    /// This many nulls. Also the form of what is [`Shape::Unknown`].
    Null(usize),
    /// For [`Shape::Boolean`].
    Boolean(Vec<bool>),
    /// For [`Shape::Int`].
    Int(Vec<i32>),
    /// For [`Shape::Long`]; for [`Shape::U64`], its bits.
    Long(Vec<i64>),
    /// For [`Shape::Float`].
    Float(Vec<f32>),
    /// For [`Shape::Double`].
    Double(Vec<f64>),
    /// For [`Shape::String`].
    String(Strings),
    /// For [`Shape::Bytes`] and [`Shape::Fixed`]; for [`Shape::I128`] and [`Shape::U128`], 16 bytes
    /// big-endian each.
    Bytes(Binaries),
    /// For [`Shape::String`] and [`Shape::Bytes`], where blocks have lists of different values: only in
    /// [`Decoded`](crate::reader::Decoded).
    Dictionary(Box<DictionaryVector>),
    /// For [`Shape::Enum`]: ordinals.
    Enum(Vec<i32>),
    /// For [`Shape::Record`].
    Record(RecordVector),
    /// For [`Shape::List`].
    List(Box<ListVector>),
    /// For [`Shape::Map`].
    Map(Box<MapVector>),
    /// For [`Shape::Optional`]: items that are there, without gaps.
    Optional(Box<ListVector>),
    /// For [`Shape::Union`].
    Union(UnionVector),
    /// A node that was not read: its number in the shape, depth first from 0. No batch that is handed out has one.
    Unread(u32),
}
