//! Values of leaves as values of other leaves.

use super::Conversion;
use crate::error::{Error, ErrorKind, Result};
use crate::logical::{Kind, Pushed, Texts, ip};
use crate::shape::{LogicalShape, Name, Shape};
use crate::vector::{Binaries, Strings, Vector};

/// How values of a leaf become values of another.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Leaf {
    /// Integers of another width.
    Integer(Integer, Integer),
    /// Integers as floats that are exactly these.
    Double(Integer),
    /// `float` as `double`.
    Wider,
    /// Symbols by their numbers in another enum.
    Ordinals(Vec<i32>),
    /// Symbols as strings.
    Symbols(Vec<Name>),
    /// Symbols as bytes.
    SymbolBytes(Vec<Name>),
    /// Strings as their bytes.
    Bytes,
    /// Values of a logical type as their strings.
    Texts(Texts),
    /// From one unit to a finer one, or from one scale to a greater one.
    Restated(Texts, Texts),
    /// Integers as decimals.
    Decimal(Integer, Texts),
    /// Decimals as floats, the nearest.
    Floats(Texts),
}

/// How integers are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Integer {
    Int,
    Long,
    U64,
    /// 16 bytes, with a sign.
    I128,
    /// 16 bytes, without.
    U128,
}

impl Integer {
    fn from_shape(shape: &Shape) -> Option<Self> {
        Some(match shape {
            Shape::Int => Self::Int,
            Shape::Long => Self::Long,
            Shape::U64 => Self::U64,
            Shape::I128 => Self::I128,
            Shape::U128 => Self::U128,
            _ => return None,
        })
    }

    /// Calls with each value; false for one of `u128` that has no place in `i128`.
    fn each(self, vector: &Vector, mut call: impl FnMut(i128) -> Result<()>) -> Result<()> {
        match (self, vector) {
            (Self::Int, Vector::Int(values)) => values.iter().try_for_each(|value| call((*value).into())),
            (Self::Long, Vector::Long(values)) => values.iter().try_for_each(|value| call((*value).into())),
            (Self::U64, Vector::Long(values)) => {
                values.iter().try_for_each(|value| call(value.cast_unsigned().into()))
            }
            (Self::I128, Vector::Bytes(values)) => {
                values.iter().try_for_each(|value| call(i128::from_be_bytes(wide(value)?)))
            }
            (Self::U128, Vector::Bytes(values)) => values.iter().try_for_each(|value| {
                let value = u128::from_be_bytes(wide(value)?);
                call(i128::try_from(value).map_err(|_| does_not_fit(value, "i128"))?)
            }),
            _ => Err(other_form()),
        }
    }

    /// Appends a value.
    fn push(self, value: i128, vector: &mut Vector) -> Result<()> {
        let no = |name: &str| does_not_fit(value, name);
        match (self, vector) {
            (Self::Int, Vector::Int(values)) => values.push(i32::try_from(value).map_err(|_| no("int"))?),
            (Self::Long, Vector::Long(values)) => values.push(i64::try_from(value).map_err(|_| no("long"))?),
            (Self::U64, Vector::Long(values)) => {
                values.push(u64::try_from(value).map_err(|_| no("u64"))?.cast_signed());
            }
            (Self::I128, Vector::Bytes(values)) => return room(values.push(&value.to_be_bytes())),
            (Self::U128, Vector::Bytes(values)) => {
                let value = u128::try_from(value).map_err(|_| no("u128"))?;
                return room(values.push(&value.to_be_bytes()));
            }
            _ => return Err(other_form()),
        }
        Ok(())
    }
}

/// The bytes of an integer of 128 bits.
fn wide(bytes: &[u8]) -> Result<[u8; 16]> {
    bytes.try_into().map_err(|_| Error::value(format!("an integer of 16 bytes has {}", bytes.len())))
}

impl Leaf {
    /// How values of one leaf become values of another; `None` where they do not.
    pub(super) fn between(from: &Shape, to: &Shape) -> Option<Conversion> {
        let texts = |shape: &LogicalShape| Texts::from_shape(shape);
        Some(Conversion::Leaf(match (from, to) {
            (Shape::Logical(from), Shape::Logical(to)) => {
                let (own, other) = (texts(from), texts(to));
                let is_alike = from.storage == to.storage || is_fixed_alike(&from.storage, &to.storage);
                match (own, other) {
                    _ if from.logical == to.logical && is_alike => return Some(Conversion::Keep),
                    (Some(own), Some(other)) if own.becomes(other) => Self::Restated(own, other),
                    _ => return None,
                }
            }
            (Shape::Logical(from), Shape::String) => match texts(from) {
                Some(texts) => Self::Texts(texts),
                // A text already.
                None if from.storage == Shape::String => return Some(Conversion::Keep),
                None => return None,
            },
            (Shape::Logical(from), Shape::Double) => {
                Self::Floats(texts(from).filter(|texts| texts.is_decimal())?)
            }
            (Shape::Logical(from), to) => return Conversion::between(&from.storage, to),
            (from, Shape::Logical(to)) => match (Integer::from_shape(from), texts(to)) {
                (Some(integer), Some(texts)) if texts.is_decimal() => Self::Decimal(integer, texts),
                _ => return None,
            },
            (Shape::Float, Shape::Double) => Self::Wider,
            (Shape::Enum(from), Shape::Enum(to)) => {
                let ordinal = |symbol| to.symbols.iter().position(|other| other == symbol);
                let ordinals = from.symbols.iter().map(|symbol| i32::try_from(ordinal(symbol)?).ok());
                let ordinals = ordinals.collect::<Option<Vec<_>>>()?;
                match (0..).zip(&ordinals).all(|(at, ordinal)| at == *ordinal) {
                    true => return Some(Conversion::Keep),
                    false => Self::Ordinals(ordinals),
                }
            }
            (Shape::Enum(from), Shape::String) => Self::Symbols(from.symbols.clone()),
            (Shape::Enum(from), Shape::Bytes) => Self::SymbolBytes(from.symbols.clone()),
            (Shape::String, Shape::Bytes) => Self::Bytes,
            (Shape::Fixed(_), Shape::Bytes) => return Some(Conversion::Keep),
            (from, to) if is_fixed_alike(from, to) => return Some(Conversion::Keep),
            (from, to) => match (Integer::from_shape(from)?, Integer::from_shape(to)) {
                (own, Some(other)) => Self::Integer(own, other),
                (own, None) if *to == Shape::Double => Self::Double(own),
                _ => return None,
            },
        }))
    }

    /// Whether the values are encoded alike: as varints.
    pub(crate) fn keeps_bytes(&self) -> bool {
        let is_varint = |integer: &Integer| !matches!(integer, Integer::I128 | Integer::U128);
        matches!(self, Self::Integer(own, other) if is_varint(own) && is_varint(other))
    }

    /// The values.
    ///
    /// # Errors
    ///
    /// A value that does not fit the other leaf.
    pub(crate) fn apply(&self, vector: &Vector) -> Result<Vector> {
        match (self, vector) {
            (Self::Integer(own, other), vector) => {
                let mut values = other.vector();
                own.each(vector, |value| other.push(value, &mut values))?;
                Ok(values)
            }
            (Self::Double(own), vector) => {
                let mut values = Vec::with_capacity(vector.len());
                own.each(vector, |value| {
                    values.push(exact(value)?);
                    Ok(())
                })?;
                Ok(Vector::Double(values))
            }
            (Self::Wider, Vector::Float(values)) => {
                Ok(Vector::Double(values.iter().map(|value| f64::from(*value)).collect()))
            }
            (Self::Ordinals(ordinals), Vector::Enum(values)) => {
                let other = |value: &i32| ordinals.get(usize::try_from(*value).ok()?).copied();
                let other = |value: &i32| other(value).ok_or_else(|| no_symbol(*value, ordinals.len()));
                Ok(Vector::Enum(values.iter().map(other).collect::<Result<_>>()?))
            }
            (Self::Symbols(symbols), Vector::Enum(values)) => {
                let mut strings = Strings::default();
                for value in values {
                    room(strings.push(symbol(symbols, *value)?))?;
                }
                Ok(Vector::String(strings))
            }
            (Self::SymbolBytes(symbols), Vector::Enum(values)) => {
                let mut bytes = Binaries::default();
                for value in values {
                    room(bytes.push(symbol(symbols, *value)?.as_bytes()))?;
                }
                Ok(Vector::Bytes(bytes))
            }
            (Self::Bytes, Vector::String(strings)) => {
                let (data, spans) = strings.clone().into_parts();
                Ok(Vector::Bytes(Binaries::try_from_parts(data.into_bytes(), spans)?))
            }
            (Self::Texts(texts), vector) => {
                let mut strings = Strings::default();
                each_text(*texts, vector, |text| room(strings.push(text)))?;
                Ok(Vector::String(strings))
            }
            (Self::Restated(own, other), vector) => restated(*own, *other, vector),
            (Self::Decimal(own, texts), vector) => {
                let mut values = Vector::Bytes(Binaries::default());
                own.each(vector, |value| pushed(texts.push_integer(value, &mut values), value, *texts))?;
                Ok(values)
            }
            (Self::Floats(texts), vector) => {
                let mut values = Vec::with_capacity(vector.len());
                each_text(*texts, vector, |text| {
                    values.push(text.parse().map_err(|_| does_not_fit(text, "double"))?);
                    Ok(())
                })?;
                Ok(Vector::Double(values))
            }
            _ => Err(other_form()),
        }
    }
}

/// Values in another unit or of another scale.
fn restated(own: Texts, other: Texts, vector: &Vector) -> Result<Vector> {
    if let (Texts::Ip(own), Vector::Bytes(values)) = (own, vector) {
        return widened(own, values);
    }
    let convert = |value: i64| {
        own.convert(value, other)
            .ok_or_else(|| does_not_fit(format_args!("{} {value}", own.name()), other.name()))
    };
    match vector {
        Vector::Int(values) if other.kind() == Kind::Int => {
            let value = |value: &i32| {
                i32::try_from(convert((*value).into())?).map_err(|_| does_not_fit(value, other.name()))
            };
            Ok(Vector::Int(values.iter().map(value).collect::<Result<_>>()?))
        }
        Vector::Int(values) => {
            Ok(Vector::Long(values.iter().map(|value| convert((*value).into())).collect::<Result<_>>()?))
        }
        Vector::Long(values) => {
            Ok(Vector::Long(values.iter().map(|value| convert(*value)).collect::<Result<_>>()?))
        }
        vector => {
            let mut values = Vector::Bytes(Binaries::default());
            each_text(own, vector, |text| pushed(other.push(text, &mut values), text, other))?;
            Ok(values)
        }
    }
}

/// Widens addresses of one family to those of any family.
fn widened(own: ip::Form, values: &Binaries) -> Result<Vector> {
    let (mut all, mut bytes) = (Binaries::default(), Vec::new());
    for value in values.iter() {
        bytes.clear();
        own.widen(value, &mut bytes);
        room(all.push(&bytes))?;
    }
    Ok(Vector::Bytes(all))
}

fn each_text(texts: Texts, vector: &Vector, mut call: impl FnMut(&str) -> Result<()>) -> Result<()> {
    let mut done = Ok(());
    let is_known = texts.each(vector, |text| {
        if done.is_ok() {
            done = match text {
                Some(text) => call(text),
                None => Err(no_text(texts)),
            };
        }
    });
    if is_known { done } else { Err(other_form()) }
}

impl Integer {
    fn vector(self) -> Vector {
        match self {
            Self::Int => Vector::Int(Vec::new()),
            Self::Long | Self::U64 => Vector::Long(Vec::new()),
            Self::I128 | Self::U128 => Vector::Bytes(Binaries::default()),
        }
    }
}

fn is_fixed_alike(one: &Shape, two: &Shape) -> bool {
    matches!((one, two), (Shape::Fixed(one), Shape::Fixed(two)) if one.size == two.size)
}

/// The float that is an integer.
fn exact(value: i128) -> Result<f64> {
    let near = value as f64;
    // The greatest integers round to one that does not fit 128 bits.
    if near < 2f64.powi(127) && near as i128 == value { Ok(near) } else { Err(does_not_fit(value, "double")) }
}

fn symbol(symbols: &[Name], value: i32) -> Result<&str> {
    let symbol = usize::try_from(value).ok().and_then(|at| symbols.get(at));
    symbol.map(|symbol| &**symbol).ok_or_else(|| no_symbol(value, symbols.len()))
}

fn pushed(pushed: Pushed, value: impl std::fmt::Display, texts: Texts) -> Result<()> {
    match pushed {
        Pushed::Yes => Ok(()),
        Pushed::Full => room(false),
        Pushed::No => Err(does_not_fit(value, texts.name())),
    }
}

fn room(pushed: bool) -> Result<()> {
    if pushed { Ok(()) } else { Err(too_large()) }
}

#[cold]
fn too_large() -> Error {
    Error::too_large("the size in bytes of the values of one column in a batch", 1 << 32, u64::from(u32::MAX))
}

#[cold]
fn no_symbol(value: i32, symbols: usize) -> Error {
    Error::value(format!("an enum of {symbols} symbols has no symbol {value}"))
}

#[cold]
fn no_text(texts: Texts) -> Error {
    does_not_fit(format_args!("a {} beyond its range", texts.name()), "string")
}

#[cold]
fn does_not_fit(value: impl std::fmt::Display, expected: &str) -> Error {
    ErrorKind::DoesNotFit { expected: expected.to_owned(), found: value.to_string() }.into()
}

#[cold]
fn other_form() -> Error {
    Error::internal("values do not have the form of their shape")
}
