//! What conditions begin with, and where literals are among the values of a type.

use super::literal::Literal;
use super::{Col, Expression};
use crate::logical::decimal::Form;
use crate::logical::{Texts, ip};
use crate::shape::IpFamily;
use std::cmp::Ordering;

/// Where a literal is among the values of a type, which need not have the literal itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Position<T> {
    /// It is NaN, and has no place.
    Nowhere,
    /// Among them.
    At {
        /// The least value that is not less than the literal; `None` where all are less.
        from: Option<T>,
        /// The least value that is greater than the literal; `None` where no value is.
        after: Option<T>,
    },
}

/// Integers of some width.
pub(super) trait Integer: Copy + PartialOrd + TryFrom<i128> + TryFrom<u128> {
    const MIN: Self;

    fn next(self) -> Option<Self>;
}

impl Integer for i64 {
    const MIN: Self = Self::MIN;

    fn next(self) -> Option<Self> {
        self.checked_add(1)
    }
}

impl Integer for u64 {
    const MIN: Self = Self::MIN;

    fn next(self) -> Option<Self> {
        self.checked_add(1)
    }
}

impl Integer for i128 {
    const MIN: Self = Self::MIN;

    fn next(self) -> Option<Self> {
        self.checked_add(1)
    }
}

impl Integer for u128 {
    const MIN: Self = Self::MIN;

    fn next(self) -> Option<Self> {
        self.checked_add(1)
    }
}

/// 2 to the power of 127: one more than the greatest `i128`.
const I128_END: f64 = 170_141_183_460_469_231_731_687_303_715_884_105_728.0;
/// 2 to the power of 128: one more than the greatest `u128`.
const U128_END: f64 = 2.0 * I128_END;

impl<T> Position<T> {
    /// The place of a value itself.
    fn value(value: T, next: Option<T>) -> Self {
        Self::At { from: Some(value), after: next }
    }

    /// A place between two values.
    fn before(next: Option<T>) -> Self
    where
        T: Copy,
    {
        Self::At { from: next, after: next }
    }
}

impl<T: Integer> Position<T> {
    /// The place of an integer.
    pub(super) fn integer<I: Copy + Ord + Default>(integer: I) -> Self
    where
        T: TryFrom<I>,
    {
        match T::try_from(integer) {
            Ok(value) => Self::value(value, value.next()),
            Err(_) if integer < I::default() => Self::before(Some(T::MIN)),
            Err(_) => Self::before(None),
        }
    }

    /// The place of what is between this and the next integer, if it is not the integer.
    pub(super) fn between(self) -> Self {
        match self {
            Self::At { after, .. } => Self::before(after),
            Self::Nowhere => self,
        }
    }
}

/// The place of a literal among booleans; `None` where it is of another type.
pub(super) fn boolean(literal: &Literal) -> Option<Position<bool>> {
    match literal {
        Literal::Boolean(value) => Some(Position::value(*value, (!value).then_some(true))),
        _ => None,
    }
}

/// The exact place of a literal among integers; `None` where it is of another type.
pub(super) fn integer<T: Integer>(literal: &Literal) -> Option<Position<T>> {
    match literal {
        Literal::Integer(value) => Some(Position::integer(*value)),
        Literal::Large(value) => Some(Position::integer(*value)),
        Literal::Float(value) if value.is_nan() => Some(Position::Nowhere),
        Literal::Float(value) => {
            let floor = value.floor();
            let place = if floor < -I128_END {
                return Some(Position::before(Some(T::MIN)));
            } else if floor < I128_END {
                Position::integer(floor as i128)
            } else if floor < U128_END {
                Position::integer(floor as u128)
            } else {
                Position::before(None)
            };
            Some(if floor == *value { place } else { place.between() })
        }
        _ => None,
    }
}

/// The exact place of a literal among the values of `f64`; `None` where it is of another type.
pub(super) fn double(literal: &Literal) -> Option<Position<f64>> {
    match literal {
        Literal::Integer(value) => {
            let near = *value as f64;
            let order = if near < I128_END { (near as i128).cmp(value) } else { Ordering::Greater };
            Some(beside(near, order))
        }
        Literal::Large(value) => {
            let near = *value as f64;
            let order = if near < U128_END { (near as u128).cmp(value) } else { Ordering::Greater };
            Some(beside(near, order))
        }
        Literal::Float(value) if value.is_nan() => Some(Position::Nowhere),
        Literal::Float(value) => Some(beside(*value, Ordering::Equal)),
        _ => None,
    }
}

/// As [`double`], for values that are of `f32`: there a finite literal means the nearest of them,
/// as it does in Rust.
pub(super) fn float(literal: &Literal) -> Option<Position<f64>> {
    match literal {
        Literal::Float(value) if (*value as f32).is_finite() => {
            double(&Literal::Float(f64::from(*value as f32)))
        }
        literal => double(literal),
    }
}

/// The place of a number that compares with the nearest `f64` like this.
fn beside(near: f64, order: Ordering) -> Position<f64> {
    let next = (near < f64::INFINITY).then(|| near.next_up());
    match order {
        Ordering::Equal => Position::value(near, next),
        Ordering::Greater => Position::before(Some(near)),
        Ordering::Less => Position::before(next),
    }
}

/// The place of a literal among strings; `None` if it is of another type.
pub(super) fn text(literal: &Literal) -> Option<Position<Vec<u8>>> {
    match literal {
        Literal::String(value) => Some(of_bytes(value.as_bytes())),
        _ => None,
    }
}

/// The place of a literal among byte strings; `None` where it is of another type.
pub(super) fn bytes(literal: &Literal) -> Option<Position<Vec<u8>>> {
    match literal {
        Literal::String(value) => Some(of_bytes(value.as_bytes())),
        Literal::Bytes(value) => Some(of_bytes(value)),
        _ => None,
    }
}

pub(super) fn of_bytes(value: &[u8]) -> Position<Vec<u8>> {
    Position::value(value.to_vec(), Some([value, &[0]].concat()))
}

/// The least byte string that is greater than all that begin with this one; `None` where none is.
pub(super) fn after_prefix(prefix: &[u8]) -> Option<Vec<u8>> {
    let mut end = prefix.to_vec();
    while let Some(last) = end.pop() {
        if let Some(next) = last.checked_add(1) {
            end.push(next);
            return Some(end);
        }
    }
    None
}

/// A condition on rows: comparisons of [`Col`]s, combined with [`and`](Self::and), [`or`](Self::or) and `!`. Needs the feature
/// `predicates`, which is a default one.
///
/// A row matches if the condition is true. A comparison with a null value is neither true nor false, as in
/// SQL: `col("delay").gt(60)` does not match rows whose delay is `None`, and neither does
/// `!col("delay").gt(60)`.
///
/// ```
/// use trevni::col;
///
/// let late = col("carrier").eq("AA") & (col("dep_delay").gt(60) | col("dep_delay").is_null());
/// assert_eq!(late.to_string(), r#"carrier = "AA" and (dep_delay > 60 or dep_delay is null)"#);
/// ```
#[derive(Clone, Debug)]
pub struct Predicate(pub(super) Expression);

/// Names a field by its path, to compare it.
///
/// A [path](crate::path) consists of field names joined by dots, as for [`Reader::project`](crate::Reader::project):
/// optionals are transparent, and a union has the names of its variants. [`Col::any`] tests the items of lists
/// and maps. The empty path is the row itself.
///
/// ```
/// use trevni::{col, item};
///
/// let long = col("distance").ge(1000.5);
/// let host = col("sender.host").starts_with("mail.");
/// let via = col("stops").any(item().eq("JFK"));
/// let tagged = col("tags").any(col("key").eq("color") & col("value").is_in(["red", "blue"]));
/// ```
#[must_use]
pub fn col(path: impl Into<String>) -> Col {
    Col { path: path.into() }
}

/// The list item itself, inside [`Col::any`]; the same as `col("")`.
#[must_use]
pub fn item() -> Col {
    col("")
}

/// The exact place of a literal among numbers of days or units; `None` where it is no such value.
pub(super) fn logical_number(texts: Texts, literal: &Literal) -> Option<Position<i64>> {
    let Literal::String(text) = literal else {
        return integer(literal);
    };
    let (floor, is_exact) = texts.floor(text)?;
    let place = Position::integer(floor);
    Some(if is_exact { place } else { place.between() })
}

/// The exact place of a literal among the unscaled values of decimals.
pub(super) fn decimal(form: Form, literal: &Literal) -> Option<Position<i128>> {
    let text = match literal {
        Literal::String(text) => text.clone(),
        Literal::Integer(value) => value.to_string(),
        Literal::Large(value) => value.to_string(),
        Literal::Float(value) if value.is_nan() => return Some(Position::Nowhere),
        Literal::Float(value) => value.to_string(),
        Literal::Boolean(_) | Literal::Bytes(_) => return None,
    };
    let (floor, is_exact) = form.floor(&text)?;
    let place = Position::integer(floor);
    Some(if is_exact { place } else { place.between() })
}

/// The place of a literal among the bytes of UUIDs, whose order is that of their strings, of durations, or of IP addresses.
pub(super) fn logical_bytes(texts: Texts, literal: &Literal) -> Option<Position<Vec<u8>>> {
    match literal {
        Literal::String(text) => {
            let mut bytes = Vec::new();
            match (texts.parse(text, &mut bytes), texts) {
                (Some(_), _) => Some(of_bytes(&bytes)),
                (None, Texts::Ip(form)) => other_family(form, text),
                _ => None,
            }
        }
        Literal::Bytes(bytes) => Some(of_bytes(bytes)),
        _ => None,
    }
}

/// The place of an address of another family: all v4 addresses come before all v6 addresses.
fn other_family(form: ip::Form, text: &str) -> Option<Position<Vec<u8>>> {
    Texts::Ip(form.of_any()).reads(text).then(|| {
        // Bytes that are not there come before all others.
        let next = (form.family == IpFamily::V6).then(Vec::new);
        Position::At { from: next.clone(), after: next }
    })
}
