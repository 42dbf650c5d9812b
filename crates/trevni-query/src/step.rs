//! Expressions that are bound to a shape: what is computed, step by step.

use crate::calendar::Unit;
use crate::decimal::Decimal;
use crate::evaluate::Accessor;
use crate::ip::Ip;
use crate::moment::Moment;
use crate::scalar::Scalar;
use crate::syntax::{Comparison, Operation, Side, TextPattern};
use crate::time_pattern::TimePattern;
use crate::types::Type;
use regex::Regex;
use std::collections::HashSet;
use trevni::shape::{Logical, LogicalShape};

/// An expression that is ready to be evaluated.
#[derive(Clone, Debug)]
pub struct BoundExpression {
    pub(crate) step: Step,
    /// The type of its values.
    pub kind: Type,
}

#[derive(Clone, Debug)]
pub(crate) enum Step {
    Constant(Scalar),
    Access(Accessor),
    Not(Box<BoundExpression>),
    Negate(Box<BoundExpression>),
    And(Vec<BoundExpression>),
    Or(Vec<BoundExpression>),
    Compare(Comparison, Box<[BoundExpression; 2]>),
    Compute(Operation, Box<[BoundExpression; 2]>),
    /// Among values, by their bytes; whether null is among these.
    In(Box<BoundExpression>, HashSet<Vec<u8>>, bool),
    IsNull(Box<BoundExpression>),
    StartsWith(Box<[BoundExpression; 2]>),
    Matches(Box<BoundExpression>, TextPattern),
    Len(Box<BoundExpression>),
    Case {
        text: Box<BoundExpression>,
        upper: bool,
    },
    Abs(Box<BoundExpression>),
    Round(Box<BoundExpression>, Rounding),
    Texts(TextFunction, Vec<BoundExpression>),
    Cast(Box<BoundExpression>, Cast),
    /// The first value that is there.
    Coalesce(Vec<BoundExpression>),
    /// A condition, the value where it is true, the other.
    If(Vec<BoundExpression>),
    /// The start of the unit that an instant is in.
    Truncate(Box<BoundExpression>, Unit),
    /// The number of a part of an instant.
    Part(Box<BoundExpression>, Unit),
    /// The number of the day in its week, from 1 for Monday.
    Weekday(Box<BoundExpression>),
    /// Seconds from 1970-01-01.
    Epoch(Box<BoundExpression>),
    /// The string of a date or an instant.
    Format(Box<BoundExpression>, TimePattern),
    /// The instant of a string.
    Parse(Box<BoundExpression>, TimePattern),
    /// The date of an instant.
    Date(Box<BoundExpression>),
    /// The difference of two instants.
    Difference(Box<[BoundExpression; 2]>),
    /// A date a number of days later or earlier.
    Move(Operation, Box<[BoundExpression; 2]>),
    Items {
        every: bool,
        list: Accessor,
        condition: Box<BoundExpression>,
    },
}

/// How numbers are rounded.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Rounding {
    /// To some digits after the point, halves away from zero.
    Nearest(i32),
    Down,
    Up,
}

/// What values become.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cast {
    Text,
    Integer,
    Float,
    Date,
    Instant,
}

/// Functions of strings.
#[derive(Clone, Debug)]
pub(crate) enum TextFunction {
    Trim(Side),
    Substr,
    Left,
    Right,
    Replace,
    Contains,
    EndsWith,
    /// A part between separators, counted from 0, or from the end.
    Part(i64),
    PartCount,
    /// What a group of a regular expression matches first.
    Extract(Regex, usize),
    Concat,
}

impl BoundExpression {
    /// The place in rows, where its values lie in one.
    pub fn place(&self) -> Option<&Accessor> {
        match &self.step {
            Step::Access(place) => Some(place),
            _ => None,
        }
    }

    /// Makes a constant one of the values that it is compared with: a float that is compared with floats of
    /// 32 bits is one of these, as in Rust; a text that is compared with bytes is bytes, and with values of a logical
    /// type one of these; a whole number that is compared with instants is what they count. Of an invalid string, an
    /// example of what is one.
    pub(crate) fn fit(&mut self, other: Type) -> Result<(), &'static str> {
        let Step::Constant(value) = &mut self.step else {
            return Ok(());
        };
        match (&mut *value, other) {
            (Scalar::Float(float), Type::Single) if (*float as f32).is_finite() => {
                *float = f64::from(*float as f32);
            }
            (Scalar::Float(float), Type::Decimal) => {
                if let Some(decimal) = Decimal::of_float(*float) {
                    *value = Scalar::Decimal(decimal);
                }
            }
            (Scalar::Text(text), Type::Bytes) => *value = Scalar::Bytes(std::mem::take(text).into_bytes()),
            (Scalar::Text(text), Type::Decimal) => {
                *value = Scalar::Decimal(Decimal::parse(text).ok_or("'12.50'")?);
            }
            (Scalar::Text(text), Type::Moment(kind, _)) => {
                *value = Scalar::Moment(Moment::parse(kind, text).ok_or(kind.example())?);
            }
            (Scalar::Integer(count), Type::Moment(kind, unit)) => {
                if let Some(moment) = Moment::of_count(kind, unit, *count) {
                    *value = Scalar::Moment(moment);
                }
            }
            (Scalar::Text(text), Type::IpAddress) => {
                *value = Scalar::Ip(Ip::parse_address(text).ok_or("'10.0.0.1'")?);
            }
            (Scalar::Text(text), Type::IpNetwork) => {
                *value = Scalar::Ip(Ip::parse_network(text).ok_or("'10.0.0.0/8'")?);
            }
            (Scalar::Text(text), Type::Uuid) => {
                let uuid = canonical(Logical::Uuid, text);
                *text = uuid.ok_or("'67e55044-10b1-426f-9247-bb680e5fe0c8'")?;
            }
            (Scalar::Text(text), Type::Duration) => {
                *text = canonical(Logical::Duration, text).ok_or("'P1DT2H'")?;
                self.kind = Type::Duration;
                return Ok(());
            }
            _ => {}
        }
        self.kind = Type::of_value(value);
        Ok(())
    }
}

/// The canonical text of a value of a logical type that is stored as bytes.
fn canonical(logical: Logical, text: &str) -> Option<String> {
    let storage = logical.storage()?;
    let shape = LogicalShape::new(logical, storage).ok()?;
    let mut bytes = Vec::new();
    shape.text(shape.parse(text, &mut bytes)?)
}
