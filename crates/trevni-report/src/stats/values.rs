//! What is gathered of values, by their kind.

use super::distinct::Bound;
use super::numbers::Numbers;
use super::texts::Texts;
use trevni::shape::Logical;
use trevni::{Error, ErrorKind, Shape, Vector};

/// Digits of decimals whose unscaled values have 128 bits.
const DIGITS: u32 = 38;

/// What values of one kind gather.
pub(super) enum Values {
    Nothing,
    Boolean {
        yes: u64,
    },
    Int(Box<Numbers<i32>>),
    Long(Box<Numbers<i64>>),
    U64(Box<Numbers<u64>>),
    I128(Box<Numbers<i128>>),
    U128(Box<Numbers<u128>>),
    Float(Box<Numbers<f32>>),
    Double(Box<Numbers<f64>>),
    Texts(Box<Texts>),
    /// Unscaled values of decimals.
    Decimal(Box<Numbers<i128>>),
    Enum(Vec<u64>),
    Lengths(Box<Numbers<u32>>),
}

impl Values {
    pub(super) fn of(shape: &Shape, bound: Bound) -> Self {
        if let Shape::Logical(logical) = shape
            && matches!(logical.logical, Logical::Decimal { precision: ..=DIGITS, .. })
        {
            return Self::Decimal(Box::new(Numbers::new(bound)));
        }
        match shape.storage() {
            Shape::Boolean => Self::Boolean { yes: 0 },
            Shape::Int => Self::Int(Box::new(Numbers::new(bound))),
            Shape::Long => Self::Long(Box::new(Numbers::new(bound))),
            Shape::U64 => Self::U64(Box::new(Numbers::new(bound))),
            Shape::I128 => Self::I128(Box::new(Numbers::new(bound))),
            Shape::U128 => Self::U128(Box::new(Numbers::new(bound))),
            Shape::Float => Self::Float(Box::new(Numbers::new(bound))),
            Shape::Double => Self::Double(Box::new(Numbers::new(bound))),
            Shape::String => Self::Texts(Box::new(Texts::new(true, bound))),
            Shape::Bytes | Shape::Fixed(_) => Self::Texts(Box::new(Texts::new(false, bound))),
            Shape::Enum(shape) => Self::Enum(vec![0; shape.symbols.len()]),
            Shape::List(_) | Shape::Map(_) => Self::Lengths(Box::new(Numbers::new(Bound::USUAL))),
            _ => Self::Nothing,
        }
    }

    /// Adds the values of a vector.
    ///
    /// # Errors
    ///
    /// A vector of a kind that these values do not come in.
    pub(super) fn add(&mut self, vector: &Vector) -> trevni::Result<()> {
        match (self, vector) {
            (Self::Nothing, _) => {}
            (Self::Boolean { yes }, Vector::Boolean(values)) => {
                *yes += values.iter().filter(|value| **value).count() as u64;
            }
            (Self::Int(numbers), Vector::Int(values)) => numbers.add(values),
            (Self::Long(numbers), Vector::Long(values)) => numbers.add(values),
            (Self::U64(numbers), Vector::Long(values)) => {
                numbers.add(&values.iter().map(|value| value.cast_unsigned()).collect::<Vec<_>>());
            }
            (Self::I128(numbers), Vector::Bytes(values)) => {
                let values = values.iter().filter_map(|bytes| bytes.try_into().ok().map(i128::from_be_bytes));
                numbers.add(&values.collect::<Vec<_>>());
            }
            (Self::U128(numbers), Vector::Bytes(values)) => {
                let values = values.iter().filter_map(|bytes| bytes.try_into().ok().map(u128::from_be_bytes));
                numbers.add(&values.collect::<Vec<_>>());
            }
            (Self::Float(numbers), Vector::Float(values)) => numbers.add(values),
            (Self::Double(numbers), Vector::Double(values)) => numbers.add(values),
            (Self::Texts(texts), Vector::String(values)) => texts.add(values.iter().map(str::as_bytes)),
            (Self::Texts(texts), Vector::Bytes(values)) => texts.add(values.iter()),
            (Self::Decimal(numbers), Vector::Bytes(values)) => {
                numbers.add(&values.iter().filter_map(unscaled).collect::<Vec<_>>());
            }
            (Self::Enum(counts), Vector::Enum(ordinals)) => {
                for ordinal in ordinals {
                    if let Some(count) = usize::try_from(*ordinal).ok().and_then(|at| counts.get_mut(at)) {
                        *count += 1;
                    }
                }
            }
            (Self::Lengths(numbers), Vector::List(list)) => {
                numbers.add(&list.offsets.lengths().collect::<Vec<_>>());
            }
            (Self::Lengths(numbers), Vector::Map(map)) => {
                numbers.add(&map.offsets.lengths().collect::<Vec<_>>());
            }
            _ => return Err(unknown_kind()),
        }
        Ok(())
    }
}

#[cold]
pub(super) fn unknown_kind() -> Error {
    ErrorKind::Internal { what: "a vector of a kind that this version does not know".to_owned() }.into()
}

/// The unscaled value of a decimal; none of more than 128 bits.
pub(super) fn unscaled(bytes: &[u8]) -> Option<i128> {
    let sign = bytes.first()? >> 7;
    let (before, bytes) = bytes.split_at(bytes.len().saturating_sub(16));
    let fill = if sign == 1 { u8::MAX } else { 0 };
    let mut value = [fill; 16];
    value.get_mut(16 - bytes.len()..)?.copy_from_slice(bytes);
    let fits = before.iter().all(|byte| *byte == fill) && value.first()? >> 7 == sign;
    fits.then_some(i128::from_be_bytes(value))
}
