//! Expressions that are bound to a shape: what is computed, step by step.

use crate::evaluate::Accessor;
use crate::scalar::Scalar;
use crate::syntax::{Comparison, Operation, TextPattern};
use crate::types::Type;
use std::collections::HashSet;

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
    Round(Box<BoundExpression>, i32),
    Items {
        every: bool,
        list: Accessor,
        condition: Box<BoundExpression>,
    },
}

impl BoundExpression {
    /// Makes a constant one of the values that it is compared with: a float that is compared with floats of
    /// 32 bits is one of these, as in Rust; a text that is compared with bytes is bytes.
    pub(crate) fn fit(&mut self, other: Type) {
        let Step::Constant(value) = &mut self.step else {
            return;
        };
        match (&mut *value, other) {
            (Scalar::Float(float), Type::Single) if (*float as f32).is_finite() => {
                *float = f64::from(*float as f32);
            }
            (Scalar::Text(text), Type::Bytes) => *value = Scalar::Bytes(std::mem::take(text).into_bytes()),
            _ => {}
        }
        self.kind = Type::of_value(value);
    }
}
