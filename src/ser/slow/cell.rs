//! A node of the shape and its vector, as the slow path writes to it, and a value that comes.

use super::Mode;
use super::grow::place;
use super::null::make_optional;
use crate::error::{Error, ErrorKind, Result};
use crate::logical::{Pushed, Texts};
use crate::shape::{EnumShape, Form, Logical, LogicalShape, Name, Null, RecordShape, Shape};
use crate::vector::Vector;

/// The result of a push that says whether the value fitted.
#[inline]
pub(super) fn fitted(pushed: bool) -> Result<()> {
    if pushed { Ok(()) } else { Err(too_large()) }
}

#[cold]
fn too_large() -> Error {
    let what = "the size in bytes of the values of one column in a batch (write with fewer batch_rows)";
    Error::too_large(what, 1 << 32, u64::from(u32::MAX))
}

/// A node of a shape and the vector that takes its values.
pub(crate) struct Slow<'a> {
    pub(crate) shape: &'a mut Shape,
    pub(crate) vector: &'a mut Vector,
    pub(crate) mode: Mode<'a>,
}

impl<'a> Slow<'a> {
    /// Pushes what a cell accepts after [`place`]: the shape decides the integer's width.
    fn push_integer(self, value: i128) -> Result<()> {
        if let Shape::Logical(logical) = &*self.shape {
            let pushed = Texts::from_shape(logical).map(|texts| texts.push_integer(value, self.vector));
            return pushed_logical(&logical.logical, pushed, &format!("integer {value}"));
        }
        let shape = self.shape.kind();
        let fits = match (&*self.shape, self.vector) {
            (Shape::Int, Vector::Int(values)) => i32::try_from(value).map(|v| values.push(v)).is_ok(),
            (Shape::Long, Vector::Long(values)) => i64::try_from(value).map(|v| values.push(v)).is_ok(),
            (Shape::U64, Vector::Long(values)) => {
                u64::try_from(value).map(|v| values.push(v.cast_signed())).is_ok()
            }
            (Shape::I128 | Shape::U128, Vector::Bytes(values)) => values.push(&value.to_be_bytes()),
            (Shape::Float, Vector::Float(values)) => {
                values.push(value as f32);
                true
            }
            (Shape::Double, Vector::Double(values)) => {
                values.push(value as f64);
                true
            }
            _ => false,
        };
        if fits { Ok(()) } else { Err(does_not_fit(shape, &format!("integer {value}"))) }
    }

    /// The cell of a value within `Some`.
    pub(super) fn into_some(mut self) -> Result<Self> {
        make_optional(&mut self);
        match (self.shape, self.vector) {
            (Shape::Optional(shape), Vector::Optional(list)) => {
                list.offsets.push_one();
                let mode = self.mode.wrapped()?.in_branch()?;
                // Where null says that a field is not there, the rest says what it holds, `Some` too.
                let mode = if shape.null == Null::Absent { mode.with_some()? } else { mode };
                Ok(Slow { shape: &mut shape.item, vector: &mut list.item, mode })
            }
            (shape, vector) => Ok(Slow { shape, vector, mode: self.mode.with_some()? }),
        }
    }

    /// Pushes a number that is marked as one of a logical type.
    pub(super) fn push_marked(self, texts: Texts, value: i64) -> Result<()> {
        let incoming = Incoming::Marked { texts, value };
        let Slow { shape, vector, mode } = place(self, &incoming)?;
        let number = match &*shape {
            Shape::Logical(logical) => Texts::from_shape(logical).and_then(|own| texts.convert(value, own)),
            _ => None,
        };
        match (&*shape, &mut *vector) {
            (Shape::String, Vector::String(strings)) => {
                let text = incoming.text().ok_or_else(|| refused("string", &incoming))?;
                fitted(strings.push(&text))
            }
            _ => Slow { shape, vector, mode }.push_integer(number.unwrap_or(value).into()),
        }
    }

    #[cold]
    pub(super) fn push_wide(self, value: i128, width: Width) -> Result<()> {
        place(self, &Incoming::Integer { value, width })?.push_integer(value)
    }
}

/// Pushes the value of a text, where a logical type is.
pub(super) fn push_text(logical: &LogicalShape, vector: &mut Vector, text: &str) -> Result<()> {
    let pushed = Texts::from_shape(logical).map(|texts| texts.push(text, vector));
    pushed_logical(&logical.logical, pushed, &format!("string {text:?}"))
}

fn pushed_logical(logical: &Logical, pushed: Option<Pushed>, value: &str) -> Result<()> {
    match pushed {
        Some(Pushed::Yes) => Ok(()),
        Some(Pushed::Full) => Err(too_large()),
        Some(Pushed::No) | None => Err(does_not_fit(&logical.to_string(), value)),
    }
}

#[cold]
pub(super) fn mismatch(vector: &Vector, value: &str) -> Error {
    debug_assert!(false, "place() found {vector:?} for {value}");
    does_not_fit("another shape", value)
}

#[cold]
pub(super) fn does_not_fit(expected: &str, found: &str) -> Error {
    ErrorKind::DoesNotFit { expected: expected.to_owned(), found: found.to_owned() }.into()
}

/// The width of the Rust type an integer came from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Width {
    Int,
    Long,
    I128,
    U128,
}

/// What is to be written next.
pub(super) enum Incoming<'a> {
    Boolean,
    Integer {
        value: i128,
        width: Width,
    },
    /// A number that is marked as one of a logical type.
    Marked {
        texts: Texts,
        value: i64,
    },
    /// A `u128` above `i128::MAX`.
    LargeU128,
    Float,
    Double(f64),
    String(&'a str),
    /// Bytes of this number.
    Bytes(usize),
    Symbol {
        name: &'static str,
        symbol: &'static str,
    },
    Record {
        namespace: &'static str,
        name: &'static str,
        form: Form,
    },
    List,
    /// A map.
    Map {
        /// Whether it is to be a record.
        record: bool,
        /// Whether it is known to have no entries.
        is_empty: bool,
    },
}

/// What a value is, roughly: those of two kinds are entries of two variants of a union.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Boolean,
    Number,
    String,
    Bytes,
    Enum,
    List,
    /// Of a record or a map.
    Fields,
}

impl Incoming<'_> {
    /// Its kind; `None` where a mark says what it is.
    pub(super) fn kind(&self) -> Option<Kind> {
        Some(match self {
            Self::Boolean => Kind::Boolean,
            Self::Integer { .. } | Self::LargeU128 | Self::Float | Self::Double(_) => Kind::Number,
            Self::Marked { .. } => return None,
            Self::String(_) => Kind::String,
            Self::Bytes(_) => Kind::Bytes,
            Self::Symbol { .. } => Kind::Enum,
            Self::List => Kind::List,
            Self::Record { .. } | Self::Map { .. } => Kind::Fields,
        })
    }

    /// The shape of rows that have only this value.
    pub(super) fn shape(&self) -> Shape {
        let record = |namespace, name, form| RecordShape {
            namespace: Name::Borrowed(namespace),
            name: Name::Borrowed(name),
            form,
            fields: Vec::new(),
        };
        match *self {
            Self::Boolean => Shape::Boolean,
            Self::Marked { texts, .. } => texts.shape().unwrap_or(Shape::Long),
            Self::Integer { width: Width::Int, .. } => Shape::Int,
            Self::Integer { width: Width::Long, value } if i64::try_from(value).is_ok() => Shape::Long,
            Self::Integer { width: Width::Long, .. } => Shape::U64,
            Self::Integer { width: Width::I128, .. } => Shape::I128,
            Self::Integer { width: Width::U128, .. } | Self::LargeU128 => Shape::U128,
            Self::Float => Shape::Float,
            Self::Double(_) => Shape::Double,
            Self::String(_) => Shape::String,
            Self::Bytes(_) => Shape::Bytes,
            Self::Symbol { name, .. } => Shape::Enum(EnumShape {
                namespace: Name::Borrowed(""),
                name: Name::Borrowed(name),
                symbols: Vec::new(),
            }),
            Self::Record { namespace, name, form } => Shape::Record(record(namespace, name, form)),
            Self::List => Shape::List(Box::new(Shape::Unknown)),
            Self::Map { record: true, .. } => Shape::Record(record("", "", Form::Struct)),
            Self::Map { record: false, .. } => Shape::map(Shape::Unknown, Shape::Unknown),
        }
    }

    /// The string of a number that is marked with a logical type; `None` where it has no string.
    pub(super) fn text(&self) -> Option<String> {
        let Self::Marked { texts, value } = *self else { return None };
        texts.text_of(value)
    }
}

#[cold]
pub(super) fn refused(expected: &str, incoming: &Incoming<'_>) -> Error {
    let found = match incoming {
        Incoming::Boolean => "a boolean".to_owned(),
        Incoming::Integer { value, .. } => format!("integer {value}"),
        Incoming::Marked { texts, value } => format!("{} {value}", texts.name()),
        Incoming::LargeU128 => "a u128".to_owned(),
        Incoming::Float => "a float".to_owned(),
        Incoming::Double(value) => format!("double {value}"),
        Incoming::String(text) => format!("string {text:?}"),
        Incoming::Bytes(size) => format!("{size} bytes"),
        Incoming::Symbol { symbol, .. } => format!("symbol {symbol:?}"),
        Incoming::Record { name, form: Form::Struct, .. } => format!("struct {name}"),
        Incoming::Record { form: Form::Tuple, .. } => "a tuple".to_owned(),
        Incoming::Record { name, .. } => format!("variant {name}"),
        Incoming::List => "a sequence".to_owned(),
        Incoming::Map { .. } => "a map".to_owned(),
    };
    ErrorKind::DoesNotFit { expected: expected.to_owned(), found }.into()
}
