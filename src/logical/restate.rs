//! Values of logical types as those of what their column has become: texts, or another unit.

use super::Texts;
use crate::shape::Shape;
use crate::vector::{Strings, Vector};

/// How the values of a leaf become those of one that has grown from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Restated {
    AsTexts(Texts),
    /// From one unit to a finer one.
    InUnit(Texts, Texts),
}

impl Restated {
    /// What is to be done with values of the first shape, a leaf; none where they stay what they are.
    pub(crate) fn between(old: &Shape, new: &Shape) -> Option<Self> {
        let Shape::Logical(old) = old else { return None };
        let from = Texts::of(old)?;
        match new {
            Shape::String => Some(Self::AsTexts(from)),
            Shape::Logical(new) => {
                let to = Texts::of(new)?;
                let is_other = matches!(from, Texts::Time(_) | Texts::Timestamp(..)) && from != to;
                is_other.then_some(Self::InUnit(from, to))
            }
            _ => None,
        }
    }

    /// Whether values of the first shape are stored in another way in the second, which has grown from it, though both
    /// may have the same columns.
    pub(crate) fn any(old: &Shape, new: &Shape) -> bool {
        if old == new {
            return false;
        }
        if Self::between(old, new).is_some() {
            return true;
        }
        let mut pairs = old.children().zip(new.children());
        pairs.any(|(old, new)| Self::any(old.shape, new.shape))
    }

    /// The values; none where one has no text, or is beyond the unit.
    pub(crate) fn values(self, vector: &Vector) -> Option<Vector> {
        match self {
            Self::AsTexts(texts) => {
                let (mut strings, mut all) = (Strings::default(), true);
                let known = texts.each(vector, |text| all &= text.is_some_and(|text| strings.push(text)));
                (known && all).then_some(Vector::String(strings))
            }
            Self::InUnit(from, to) => match vector {
                Vector::Int(values) => {
                    let values = values.iter().map(|value| from.convert(i64::from(*value), to));
                    Some(Vector::Long(values.collect::<Option<_>>()?))
                }
                Vector::Long(values) => {
                    let values = values.iter().map(|value| from.convert(*value, to));
                    Some(Vector::Long(values.collect::<Option<_>>()?))
                }
                _ => None,
            },
        }
    }
}
