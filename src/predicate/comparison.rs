//! Which values of a shape a comparison holds for: sets of values, as intervals.

use super::place::{self, Position};
use super::{Comparison, Literal};
use crate::logical::{Kind, Texts};
use crate::shape::Shape;
use std::borrow::Borrow;
use std::cmp::Ordering;

/// The values that a comparison holds for.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Accepted {
    Boolean(Intervals<bool>),
    /// Of int and long columns.
    Integer(Intervals<i64>),
    U64(Intervals<u64>),
    I128(Intervals<i128>),
    U128(Intervals<u128>),
    /// Of float and double columns.
    Float(Intervals<f64>),
    /// Of strings and bytes.
    Bytes(Intervals<Vec<u8>>),
    /// Of decimals: unscaled values.
    Decimal(Intervals<i128>),
    /// Strings and bytes that have these bytes in them.
    Containing(Vec<u8>),
    /// Of the strings of values of a logical type.
    Texts(Texts, Intervals<Vec<u8>>),
    /// For each ordinal of an enum, whether its symbol is accepted.
    Symbols(Vec<bool>),
}

impl Accepted {
    /// The values of a simple shape that the comparison holds for; for [`Comparison::Ne`] those that it
    /// does not hold for. The literal that does not fit, if one does not.
    pub(super) fn new<'c>(shape: &Shape, comparison: &'c Comparison) -> Result<Self, Option<&'c Literal>> {
        if let Shape::Logical(logical) = shape
            && let Some(texts) = Texts::from_shape(logical)
        {
            return Self::from_logical(texts, comparison).map_err(Some);
        }
        if let Comparison::Contains(literal) = comparison {
            return Self::containing(shape.storage(), literal).ok_or(Some(literal));
        }
        let fitting = match shape.storage() {
            Shape::Boolean => intervals(comparison, false, place::boolean).map(Self::Boolean),
            Shape::Int | Shape::Long => intervals(comparison, i64::MIN, place::integer).map(Self::Integer),
            Shape::U64 => intervals(comparison, 0, place::integer).map(Self::U64),
            Shape::I128 => intervals(comparison, i128::MIN, place::integer).map(Self::I128),
            Shape::U128 => intervals(comparison, 0, place::integer).map(Self::U128),
            Shape::Float => intervals(comparison, f64::NEG_INFINITY, place::float).map(Self::Float),
            Shape::Double => intervals(comparison, f64::NEG_INFINITY, place::double).map(Self::Float),
            Shape::String => byte_intervals(comparison, place::text).map(Self::Bytes),
            Shape::Bytes | Shape::Fixed(_) => byte_intervals(comparison, place::bytes).map(Self::Bytes),
            Shape::Enum(shape) => byte_intervals(comparison, place::text).map(|names| {
                let accepted = shape.symbols.iter().map(|symbol| names.contains(symbol.as_bytes()));
                Self::Symbols(accepted.collect())
            }),
            _ => return Err(comparison.literal()),
        };
        fitting.map_err(Some)
    }
}

impl Accepted {
    /// The strings, bytes and symbols that have a literal in them; `None` of what has no parts, or where the literal does not fit.
    fn containing(shape: &Shape, literal: &Literal) -> Option<Self> {
        let place = match shape {
            Shape::Bytes | Shape::Fixed(_) => place::bytes(literal),
            Shape::String | Shape::Enum(_) => place::text(literal),
            _ => None,
        };
        let Some(Position::At { from: Some(part), .. }) = place else { return None };
        Some(match shape {
            Shape::Enum(shape) => {
                Self::Symbols(shape.symbols.iter().map(|symbol| contains(symbol.as_bytes(), &part)).collect())
            }
            _ => Self::Containing(part),
        })
    }

    /// The values whose strings the comparison holds for; the literal that does not fit, if one does not.
    pub(super) fn from_texts(texts: Texts, comparison: &Comparison) -> Result<Self, Option<&Literal>> {
        byte_intervals(comparison, place::text).map(|set| Self::Texts(texts, set)).map_err(Some)
    }

    fn from_logical(texts: Texts, comparison: &Comparison) -> Result<Self, &Literal> {
        match (texts, texts.kind()) {
            (Texts::Ip(_), _) => ips(texts, comparison).map(Self::Bytes),
            (Texts::Decimal(form), _) => {
                intervals(comparison, i128::MIN, |literal| place::decimal(form, literal)).map(Self::Decimal)
            }
            (_, Kind::Bytes) => {
                byte_intervals(comparison, |literal| place::logical_bytes(texts, literal)).map(Self::Bytes)
            }
            _ => intervals(comparison, i64::MIN, |literal| place::logical_number(texts, literal))
                .map(Self::Integer),
        }
    }
}

impl Comparison {
    /// The first literal; `None` if it has no literal.
    pub(super) fn literal(&self) -> Option<&Literal> {
        match self {
            Self::Eq(literal)
            | Self::Ne(literal)
            | Self::Lt(literal)
            | Self::Le(literal)
            | Self::Gt(literal)
            | Self::Ge(literal)
            | Self::Between(literal, _)
            | Self::StartsWith(literal)
            | Self::Contains(literal) => Some(literal),
            Self::In(literals) => literals.first(),
        }
    }
}

/// The values that a comparison by order holds for; the literal that does not fit, if one does not.
fn intervals<T: PartialOrd + Clone>(
    comparison: &Comparison,
    least: T,
    place: impl Fn(&Literal) -> Option<Position<T>>,
) -> Result<Intervals<T>, &Literal> {
    let edges = |literal| match place(literal) {
        Some(Position::At { from, after }) => Ok(Some((from, after))),
        Some(Position::Nowhere) => Ok(None),
        None => Err(literal),
    };
    let point = |literal| {
        let edges = edges(literal)?;
        Ok(edges.and_then(|(from, after)| Some(Interval { start: from?, end: after })))
    };
    let found = match comparison {
        Comparison::Eq(literal) | Comparison::Ne(literal) => vec![point(literal)?],
        Comparison::In(literals) => literals.iter().map(point).collect::<Result<_, _>>()?,
        Comparison::Lt(literal) => {
            vec![edges(literal)?.map(|(from, _)| Interval { start: least, end: from })]
        }
        Comparison::Le(literal) => {
            vec![edges(literal)?.map(|(_, after)| Interval { start: least, end: after })]
        }
        Comparison::Gt(literal) => {
            vec![edges(literal)?.and_then(|(_, after)| Some(Interval { start: after?, end: None }))]
        }
        Comparison::Ge(literal) => {
            vec![edges(literal)?.and_then(|(from, _)| Some(Interval { start: from?, end: None }))]
        }
        Comparison::Between(low, high) => match (edges(low)?, edges(high)?) {
            (Some((Some(start), _)), Some((_, end))) => vec![Some(Interval { start, end })],
            _ => Vec::new(),
        },
        Comparison::StartsWith(literal) | Comparison::Contains(literal) => return Err(literal),
    };
    Ok(Intervals::new(found.into_iter().flatten().collect()))
}

fn byte_intervals(
    comparison: &Comparison,
    place: impl Fn(&Literal) -> Option<Position<Vec<u8>>>,
) -> Result<Intervals<Vec<u8>>, &Literal> {
    let Comparison::StartsWith(literal) = comparison else {
        return intervals(comparison, Vec::new(), place);
    };
    match place(literal) {
        Some(Position::At { from: Some(start), .. }) => {
            let end = place::after_prefix(&start);
            Ok(Intervals::new(vec![Interval { start, end }]))
        }
        _ => Err(literal),
    }
}

/// Whether bytes have a part.
pub(super) fn contains(mut bytes: &[u8], part: &[u8]) -> bool {
    let Some((first, rest)) = part.split_first() else { return true };
    while let Some(at) = bytes.iter().position(|byte| byte == first) {
        bytes = &bytes[at + 1..];
        if bytes.starts_with(rest) {
            return true;
        }
    }
    false
}

/// As [`byte_intervals`], of IP addresses: their bytes do not say what their strings begin with.
fn ips(texts: Texts, comparison: &Comparison) -> Result<Intervals<Vec<u8>>, &Literal> {
    match comparison {
        Comparison::StartsWith(literal) => Err(literal),
        _ => byte_intervals(comparison, |literal| place::logical_bytes(texts, literal)),
    }
}

/// Values from `start` on; up to the last value before `end`, if there is an end.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Interval<T> {
    pub(super) start: T,
    pub(super) end: Option<T>,
}

/// A set of values: intervals that ascend and do not touch.
///
/// The values may be of a type that `T` is borrowed as, such as `[u8]` for `Vec<u8>`. What has no place
/// in the order, that is NaN, is in no set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Intervals<T>(Vec<Interval<T>>);

impl<T: PartialOrd> Intervals<T> {
    /// The union of intervals in any order; they may be empty, and overlap.
    pub(super) fn new(mut intervals: Vec<Interval<T>>) -> Self {
        intervals.retain(|interval| interval.end.as_ref().is_none_or(|end| interval.start < *end));
        intervals.sort_by(|one, two| one.start.partial_cmp(&two.start).unwrap_or(Ordering::Equal));
        let mut merged: Vec<Interval<T>> = Vec::with_capacity(intervals.len());
        for interval in intervals {
            match merged.last_mut() {
                Some(last) if last.end.as_ref().is_none_or(|end| interval.start <= *end) => {
                    let further = match (&last.end, &interval.end) {
                        (Some(last), Some(end)) => last < end,
                        (Some(_), None) => true,
                        (None, _) => false,
                    };
                    if further {
                        last.end = interval.end;
                    }
                }
                _ => merged.push(interval),
            }
        }
        Self(merged)
    }

    pub(super) fn as_slice(&self) -> &[Interval<T>] {
        &self.0
    }

    /// The first interval that has values not less than this one.
    fn reaching<V: ?Sized + PartialOrd>(&self, value: &V) -> Option<&Interval<T>>
    where
        T: Borrow<V>,
    {
        let ended = |interval: &Interval<T>| interval.end.as_ref().is_some_and(|end| end.borrow() <= value);
        self.0.get(self.0.partition_point(ended))
    }

    /// Whether the value is in the set.
    pub(super) fn contains<V: ?Sized + PartialOrd>(&self, value: &V) -> bool
    where
        T: Borrow<V>,
    {
        self.reaching(value).is_some_and(|interval| interval.start.borrow() <= value)
    }

    /// Whether the set has values that are not less than `min` and not greater than `max`.
    pub(super) fn overlaps<V: ?Sized + PartialOrd>(&self, min: Option<&V>, max: Option<&V>) -> bool
    where
        T: Borrow<V>,
    {
        let first = min.map_or_else(|| self.0.first(), |min| self.reaching(min));
        first.is_some_and(|interval| max.is_none_or(|max| interval.start.borrow() <= max))
    }

    /// Whether the set has all values that are not less than `min` and not greater than `max`.
    pub(super) fn covers<V: ?Sized + PartialOrd>(&self, min: Option<&V>, max: Option<&V>) -> bool
    where
        T: Borrow<V>,
    {
        let Some(min) = min else { return false };
        self.reaching(min).is_some_and(|interval| {
            let to_end = match (&interval.end, max) {
                (None, _) => true,
                (Some(end), Some(max)) => max < end.borrow(),
                (Some(_), None) => false,
            };
            interval.start.borrow() <= min && to_end
        })
    }
}
