//! The kinds of shapes.

use super::{EnumShape, FixedShape, LogicalShape, MapShape, OptionalShape, RecordShape};

/// The logical type of a row, or of a part of it.
///
/// Beside Avro's types there are three integers that Avro has no words for; in a schema they are a
/// `long` or a `fixed` with a mark.
///
/// Code that only minds how values are stored matches on [`Shape::storage`].
#[derive(Debug, PartialEq)]
#[non_exhaustive]
pub enum Shape {
    /// Not known yet, because no value has been seen. Only while a file is written.
    Unknown,
    /// No value: `()`, unit structs, JSON's null.
    Null,
    /// `bool`.
    Boolean,
    /// Integers of up to 32 bits with sign.
    Int,
    /// Integers of up to 64 bits with sign.
    Long,
    /// Integers of up to 64 bits, some of them above [`i64::MAX`]; the column holds their bits.
    U64,
    /// `i128`, kept as 16 bytes, big-endian.
    I128,
    /// `u128`, kept as 16 bytes, big-endian.
    U128,
    /// `f32`.
    Float,
    /// `f64`.
    Double,
    /// Text.
    String,
    /// Bytes.
    Bytes,
    /// Bytes of a constant number.
    Fixed(FixedShape),
    /// One of some symbols: unit variants.
    Enum(EnumShape),
    /// Values that mean more than their storage says, such as days in an int.
    Logical(Box<LogicalShape>),
    /// Named fields.
    Record(RecordShape),
    /// A sequence.
    List(Box<Shape>),
    /// Keys and values.
    Map(Box<MapShape>),
    /// A value or null.
    Optional(Box<OptionalShape>),
    /// One of several shapes; none of them is null, optional or a union.
    Union(Vec<Shape>),
}
