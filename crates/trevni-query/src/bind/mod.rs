//! Binds expressions to the shape of rows: finds their fields, and checks the types of all parts.

mod calls;
mod choices;
mod moments;
mod places;

use crate::error::Error;
use crate::paths::{FieldPath, Root};
use crate::scalar::Scalar;
use crate::step::{BoundExpression, Step};
use crate::syntax::{Comparison, Operation, Operator, Syntax};
use crate::types::Type;
use std::collections::HashSet;
use trevni::Shape;

/// What expressions are bound to.
#[derive(Clone, Copy, Debug)]
pub struct Binder<'s> {
    /// The shape of rows.
    pub shape: &'s Shape,
    /// Whether fields that the shape does not have are null in all rows; else they are an error.
    pub lenient: bool,
    /// The list whose items are rows of their own, if there is one.
    pub exploded: Option<&'s FieldPath>,
}

impl<'s> Binder<'s> {
    /// For rows of a shape, which has all fields.
    pub fn new(shape: &'s Shape) -> Self {
        Self { shape, lenient: false, exploded: None }
    }

    pub(crate) fn bind(&self, text: &str, node: &Syntax) -> Result<BoundExpression, Error> {
        Within { binder: self, text, root: Root::Shape(self.shape), is_row: true }.bind(node)
    }
}

/// Binds what is within a list or a row.
#[derive(Clone, Copy)]
struct Within<'b, 's> {
    binder: &'b Binder<'s>,
    text: &'b str,
    root: Root<'b>,
    is_row: bool,
}

impl Within<'_, '_> {
    fn source(&self, node: &Syntax) -> &str {
        self.text.get(node.start..node.end).unwrap_or_default()
    }

    fn wrong(&self, node: &Syntax, message: &str) -> Error {
        Error::at(self.text, node.start, message)
    }

    fn bind(&self, node: &Syntax) -> Result<BoundExpression, Error> {
        let bound = |step, kind| Ok(BoundExpression { step, kind });
        match &node.kind {
            Operator::Literal(value) => bound(Step::Constant(value.clone()), Type::of_value(value)),
            Operator::Path(_) | Operator::Place(..) => self.path(node),
            Operator::Not(part) => bound(Step::Not(Box::new(self.condition(part)?)), Type::Boolean),
            Operator::Negate(part) => {
                let part = self.number(part)?;
                let kind = part.kind;
                bound(Step::Negate(Box::new(part)), kind)
            }
            Operator::And(parts) => bound(Step::And(self.conditions(parts)?), Type::Boolean),
            Operator::Or(parts) => bound(Step::Or(self.conditions(parts)?), Type::Boolean),
            Operator::Compare(comparison, parts) => self.compare(*comparison, &parts[0], &parts[1]),
            Operator::Between(parts) => {
                let low = self.compare(Comparison::GreaterOrEqual, &parts[0], &parts[1])?;
                let high = self.compare(Comparison::LessOrEqual, &parts[0], &parts[2])?;
                bound(Step::And(vec![low, high]), Type::Boolean)
            }
            Operator::In(part, set) => self.set(part, set),
            Operator::Compute(operation, parts) => self.compute(*operation, parts),
            Operator::IsNull(part) => bound(Step::IsNull(Box::new(self.bind(part)?)), Type::Boolean),
            Operator::StartsWith(parts) => {
                let is_text = |kind| matches!(kind, Type::Text | Type::Bytes);
                let parts = [self.checked(&parts[0], "a string", is_text)?, self.text(&parts[1])?];
                bound(Step::StartsWith(Box::new(parts)), Type::Boolean)
            }
            Operator::Matches(part, pattern) => {
                let part = Box::new(self.text(part)?);
                bound(Step::Matches(part, pattern.clone()), Type::Boolean)
            }
            Operator::Call(function, parts) => self.call(node, *function, parts),
            Operator::Items { every, list, condition } => self.items(*every, list, condition),
        }
    }

    fn compute(&self, operation: Operation, nodes: &[Syntax; 2]) -> Result<BoundExpression, Error> {
        let parts = [self.bind(&nodes[0])?, self.bind(&nodes[1])?];
        if parts.iter().any(|part| matches!(part.kind, Type::Moment(..))) {
            return self.compute_moments(operation, nodes, parts);
        }
        let [one, two] = parts;
        let parts = [
            self.fitting(&nodes[0], one, "a number", Type::is_number)?,
            self.fitting(&nodes[1], two, "a number", Type::is_number)?,
        ];
        let is_exact = |part: &BoundExpression| matches!(part.kind, Type::Integer | Type::Decimal);
        let whole = parts.iter().all(is_exact) && operation != Operation::Divide;
        let kind = match () {
            () if parts.iter().any(|part| part.kind == Type::Null) => Type::Null,
            () if whole && parts.iter().any(|part| part.kind == Type::Decimal) => Type::Decimal,
            () if whole => Type::Integer,
            () => Type::Float,
        };
        Ok(BoundExpression { step: Step::Compute(operation, Box::new(parts)), kind })
    }

    /// Makes a constant a value of a type.
    fn fit(&self, node: &Syntax, bound: &mut BoundExpression, other: Type) -> Result<(), Error> {
        bound.fit(other).map_err(|example| {
            let message = format!("{} is not {}, such as {example}", self.source(node), other.name());
            self.wrong(node, &message)
        })
    }

    fn mismatch(&self, node: &Syntax, found: &BoundExpression, wanted: &str) -> Error {
        let branches = self.branches(node);
        self.wrong(node, &format!("{} is {}, not {wanted}{branches}", self.source(node), found.kind.name()))
    }

    fn checked(&self, node: &Syntax, wanted: &str, fits: fn(Type) -> bool) -> Result<BoundExpression, Error> {
        self.fitting(node, self.bind(node)?, wanted, fits)
    }

    /// A part of a type that fits; of a union its branches that do.
    fn fitting(
        &self,
        node: &Syntax,
        bound: BoundExpression,
        wanted: &str,
        fits: fn(Type) -> bool,
    ) -> Result<BoundExpression, Error> {
        if fits(bound.kind) || bound.kind == Type::Null {
            return Ok(bound);
        }
        match self.branch(node, &bound, &fits)? {
            Some(branch) => Ok(branch),
            None => Err(self.mismatch(node, &bound, wanted)),
        }
    }

    fn condition(&self, node: &Syntax) -> Result<BoundExpression, Error> {
        self.checked(node, "a condition", |kind| kind == Type::Boolean)
    }

    fn conditions(&self, nodes: &[Syntax]) -> Result<Vec<BoundExpression>, Error> {
        nodes.iter().map(|node| self.condition(node)).collect()
    }

    fn number(&self, node: &Syntax) -> Result<BoundExpression, Error> {
        self.checked(node, "a number", Type::is_number)
    }

    fn integer(&self, node: &Syntax) -> Result<BoundExpression, Error> {
        self.checked(node, "a whole number", |kind| kind == Type::Integer)
    }

    fn text(&self, node: &Syntax) -> Result<BoundExpression, Error> {
        self.checked(node, "a string", |kind| kind == Type::Text)
    }

    fn compare(&self, comparison: Comparison, one: &Syntax, two: &Syntax) -> Result<BoundExpression, Error> {
        let parts = self.comparable(one, two)?;
        let is_equality = matches!(comparison, Comparison::Equal | Comparison::Unequal);
        if !is_equality && let Some(part) = parts.iter().find(|part| part.kind == Type::Duration) {
            let name = part.kind.name();
            return Err(self
                .wrong(one, &format!("this is {name}, which has no order: a month has no certain length")));
        }
        Ok(BoundExpression { step: Step::Compare(comparison, Box::new(parts)), kind: Type::Boolean })
    }

    /// Two values that can be compared; constants as the other has its values.
    fn comparable(&self, one: &Syntax, two: &Syntax) -> Result<[BoundExpression; 2], Error> {
        let (mut left, mut right) = (self.bind(one)?, self.bind(two)?);
        let fits = |other: Type| move |kind: Type| kind.compares_with(other);
        if let Some(branch) = self.branch(one, &left, &fits(right.kind))? {
            left = branch;
        } else if let Some(branch) = self.branch(two, &right, &fits(left.kind))? {
            right = branch;
        }
        let (left_kind, right_kind) = (left.kind, right.kind);
        self.fit(two, &mut right, left_kind)?;
        self.fit(one, &mut left, right_kind)?;
        if left.kind.compares_with(right.kind) {
            return Ok([left, right]);
        }
        let [left, right] = [left, right].map(|part| part.kind);
        let hint = match (left, right) {
            (Type::List | Type::Map, _) | (_, Type::List | Type::Map) => ": test its items with any(…, …)",
            _ => "",
        };
        let (left, right) = (left.name(), right.name());
        let branches = [one, two].map(|node| self.branches(node)).concat();
        let message = format!("{} is {left}, {} {right}{hint}{branches}", self.source(one), self.source(two));
        Err(self.wrong(one, &message))
    }

    fn set(&self, part: &Syntax, set: &[Syntax]) -> Result<BoundExpression, Error> {
        let pairs = set.iter().map(|node| self.comparable(part, node)).collect::<Result<Vec<_>, _>>()?;
        let (mut bytes, mut has_null) = (HashSet::new(), false);
        let bound = self.bind(part)?;
        for [_, candidate] in &pairs {
            let constant = match &candidate.step {
                Step::Constant(value) if bound.kind.is_simple() => Some(value),
                _ => None,
            };
            let Some(value) = constant else {
                let equal = |pair| Step::Compare(Comparison::Equal, Box::new(pair));
                let parts =
                    pairs.into_iter().map(|pair| BoundExpression { step: equal(pair), kind: Type::Boolean });
                return Ok(BoundExpression { step: Step::Or(parts.collect()), kind: Type::Boolean });
            };
            let mut encoded = Vec::new();
            value.get().encode(&mut encoded);
            has_null |= *value == Scalar::Null;
            bytes.insert(encoded);
        }
        Ok(BoundExpression { step: Step::In(Box::new(bound), bytes, has_null), kind: Type::Boolean })
    }
}
