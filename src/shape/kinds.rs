//! The kinds of shapes, and the parts that they have.

use super::LogicalShape;
use std::borrow::Cow;

/// A name in a shape: static where it comes from a Rust type, owned where it comes from a file.
pub type Name = Cow<'static, str>;

/// The deepest nesting of a shape. Recursive types grow one level of columns per level of data, so
/// this bounds how deep their data may be.
pub const MAX_DEPTH: usize = 96;

/// The most different fields of one record whose shape grows; each takes a column and an entry per row.
pub(crate) const RECORD_FIELDS_MAX: usize = 10_000;

// Not derived: that would be a copy of this code in each part of the crate that clones.
impl Clone for Shape {
    fn clone(&self) -> Self {
        match self {
            Self::Unknown => Self::Unknown,
            Self::Null => Self::Null,
            Self::Boolean => Self::Boolean,
            Self::Int => Self::Int,
            Self::Long => Self::Long,
            Self::U64 => Self::U64,
            Self::I128 => Self::I128,
            Self::U128 => Self::U128,
            Self::Float => Self::Float,
            Self::Double => Self::Double,
            Self::String => Self::String,
            Self::Bytes => Self::Bytes,
            Self::Fixed(shape) => Self::Fixed(shape.clone()),
            Self::Enum(shape) => Self::Enum(shape.clone()),
            Self::Logical(shape) => Self::Logical(shape.clone()),
            Self::Record(shape) => Self::Record(shape.clone()),
            Self::List(item) => Self::List(item.clone()),
            Self::Map(shape) => Self::Map(shape.clone()),
            Self::Optional(shape) => Self::Optional(shape.clone()),
            Self::Union(shapes) => Self::Union(shapes.clone()),
        }
    }
}

/// Bytes of a constant number.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FixedShape {
    /// Namespace, may be empty.
    pub namespace: Name,
    /// Name, without namespace.
    pub name: Name,
    /// Number of bytes.
    pub size: usize,
}

/// One of some symbols.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct EnumShape {
    /// Namespace, may be empty.
    pub namespace: Name,
    /// Name, without namespace.
    pub name: Name,
    /// Symbols, by ordinal.
    pub symbols: Vec<Name>,
}

/// Named fields.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct RecordShape {
    /// Namespace, may be empty; for the variant of an enum, the enum's name.
    pub namespace: Name,
    /// Name, without namespace; may be empty where a map was written as a record.
    pub name: Name,
    /// What in Rust the record stands for.
    pub form: Form,
    /// The fields, in order.
    pub fields: Vec<FieldShape>,
}

/// What in Rust a record stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Form {
    /// A struct, or a map that was written as a record.
    Struct,
    /// A tuple, tuple struct or array; fields `_0`, `_1`, ….
    Tuple,
    /// An enum variant with one unnamed field, `_0`.
    NewtypeVariant,
    /// An enum variant with unnamed fields.
    TupleVariant,
    /// An enum variant with named fields.
    StructVariant,
}

/// One field of a record.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct FieldShape {
    /// Name.
    pub name: Name,
    /// What the field holds.
    pub shape: Shape,
}

/// Keys and values.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct MapShape {
    /// The keys; with [`Shape::String`] the map is an Avro map, otherwise an array of records.
    pub key: Shape,
    /// The values.
    pub value: Shape,
    /// Whether the map stands for objects with open keys. Joined with a record, it takes the fields as entries. Its keys are
    /// strings.
    pub open: bool,
}

/// A value or null.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct OptionalShape {
    /// What null stands for.
    pub null: Null,
    /// What a value is.
    pub item: Shape,
}

/// What null stands for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Null {
    /// No null has been seen yet. Only while a file is written; later the same as `None`.
    Unseen,
    /// `None`.
    #[default]
    None,
    /// The field was not there at all; reading leaves it out, so that serde's `default` works.
    Absent,
}

impl Form {
    /// Whether the fields are numbered rather than named.
    #[must_use]
    pub fn is_tuple(self) -> bool {
        matches!(self, Self::Tuple | Self::TupleVariant)
    }

    /// Whether the fields have names of their own.
    pub(crate) fn is_named(self) -> bool {
        matches!(self, Self::Struct | Self::StructVariant)
    }

    /// Whether the record is a variant of an enum.
    #[must_use]
    pub fn is_variant(self) -> bool {
        matches!(self, Self::NewtypeVariant | Self::TupleVariant | Self::StructVariant)
    }
}

impl Shape {
    /// The shape of the vector that holds the values: of a logical type its storage, otherwise the shape itself.
    ///
    /// ```
    /// use trevni::Shape;
    /// use trevni::shape::Logical;
    ///
    /// let day = Shape::logical(Logical::Date, Shape::Int)?;
    /// assert_eq!(day.storage(), &Shape::Int);
    /// assert_eq!(Shape::String.storage(), &Shape::String);
    /// # Ok::<(), trevni::Error>(())
    /// ```
    #[must_use]
    #[inline]
    pub fn storage(&self) -> &Self {
        match self {
            Self::Logical(logical) => &logical.storage,
            shape => shape,
        }
    }

    /// As [`storage`](Self::storage).
    pub(crate) fn storage_mut(&mut self) -> &mut Self {
        match self {
            Self::Logical(logical) => &mut logical.storage,
            shape => shape,
        }
    }

    /// The shape of a field where it is present, and whether it may be absent.
    pub(crate) fn present(&self) -> (&Self, bool) {
        match self {
            Self::Optional(optional) if optional.null == Null::Absent => (&optional.item, true),
            shape => (shape, false),
        }
    }

    /// Whether this is the record of a variant.
    pub(crate) fn is_variant(&self) -> bool {
        matches!(self, Self::Record(record) if record.form.is_variant())
    }

    /// Whether the values are numbers that mean no more than that.
    pub(crate) fn is_number(&self) -> bool {
        use Shape::{Double, Float, I128, Int, Long, U64, U128};
        matches!(self, Int | Long | U64 | I128 | U128 | Float | Double)
    }

    /// Whether one column holds the values, so that a list of them needs no column of its own.
    #[must_use]
    pub fn is_simple(&self) -> bool {
        match self {
            Self::Null
            | Self::Boolean
            | Self::Int
            | Self::Long
            | Self::U64
            | Self::I128
            | Self::U128
            | Self::Float
            | Self::Double
            | Self::String
            | Self::Bytes
            | Self::Fixed(_)
            | Self::Enum(_)
            | Self::Logical(_) => true,
            Self::Unknown
            | Self::Record(_)
            | Self::List(_)
            | Self::Map(_)
            | Self::Optional(_)
            | Self::Union(_) => false,
        }
    }

    /// What to call this shape in a message.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unknown => "unknown",
            Self::Null => "null",
            Self::Boolean => "boolean",
            Self::Int => "int",
            Self::Long => "long",
            Self::U64 => "u64",
            Self::I128 => "i128",
            Self::U128 => "u128",
            Self::Float => "float",
            Self::Double => "double",
            Self::String => "string",
            Self::Bytes => "bytes",
            Self::Fixed(_) => "fixed",
            Self::Enum(_) => "enum",
            Self::Logical(logical) => logical.storage.kind(),
            Self::Record(_) => "record",
            Self::List(_) => "list",
            Self::Map(_) => "map",
            Self::Optional(_) => "optional",
            Self::Union(_) => "union",
        }
    }

    /// Number of nodes of the tree, this one included.
    #[must_use]
    pub fn node_count(&self) -> usize {
        let mut count = 1;
        self.each_child(|child| count += child.node_count());
        count
    }

    /// Number of nodes from this one down to the deepest, both included.
    #[must_use]
    pub(crate) fn depth(&self) -> usize {
        let mut below = 0;
        self.each_child(|child| below = below.max(child.depth()));
        1 + below
    }

    /// Number of types within each other that this becomes in an Avro schema, where it is not a branch itself.
    #[must_use]
    pub(crate) fn nesting(&self) -> usize {
        let is_branch = matches!(self, Self::Optional(_) | Self::Union(_));
        let is_wrapped = |item: &Self| match item {
            Self::Optional(_) => is_branch,
            Self::Map(map) => is_branch && map.key != Self::String,
            _ => false,
        };
        let entries = matches!(self, Self::Map(map) if map.key != Self::String);
        // Loops, so that a level takes little of the stack.
        let mut below = 0;
        for child in self.children() {
            below = below.max(usize::from(is_wrapped(child.shape)) + child.shape.nesting());
        }
        1 + usize::from(entries) + below
    }
}

/// The names of the first fields of a tuple.
pub(crate) static TUPLE_FIELDS: [&str; 16] =
    ["_0", "_1", "_2", "_3", "_4", "_5", "_6", "_7", "_8", "_9", "_10", "_11", "_12", "_13", "_14", "_15"];

/// The name of the field at a position of a tuple.
pub(crate) fn tuple_field(index: usize) -> Name {
    match TUPLE_FIELDS.get(index) {
        Some(name) => Name::Borrowed(name),
        None => Name::Owned(format!("_{index}")),
    }
}

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
