//! Binds expressions to the shape of rows: finds their fields, and checks the types of all parts.

use crate::calendar::Unit;
use crate::error::Error;
use crate::evaluate::{AccessError, Accessor};
use crate::moment::{DAY, MomentKind};
use crate::paths::{FieldPath, Found, Root, find};
use crate::scalar::Scalar;
use crate::step::{BoundExpression, Step};
use crate::syntax::{Comparison, Function, Operation, Operator, Reference, Syntax};
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
            Operator::Path(path) => self.path(node, path),
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
                let parts = [self.bind(&parts[0])?, self.text(&parts[1])?];
                if !matches!(parts[0].kind, Type::Text | Type::Bytes | Type::Null) {
                    return Err(self.mismatch(node, &parts[0], "a string"));
                }
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
        for (node, part) in nodes.iter().zip(&parts) {
            if !part.kind.is_number() {
                return Err(self.mismatch(node, part, "a number"));
            }
        }
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

    /// Differences of dates and instants, and dates some days later or earlier.
    fn compute_moments(
        &self,
        operation: Operation,
        nodes: &[Syntax; 2],
        [mut one, mut two]: [BoundExpression; 2],
    ) -> Result<BoundExpression, Error> {
        let date = |kind| matches!(kind, Type::Moment(MomentKind::Date, _));
        let is_number = |kind| matches!(kind, Type::Integer | Type::Null);
        if operation == Operation::Subtract && !is_number(two.kind) {
            self.fit(&nodes[0], &mut one, two.kind)?;
            self.fit(&nodes[1], &mut two, one.kind)?;
        }
        let (first, second) = (one.kind, two.kind);
        let (step, kind) = match (operation, first, second) {
            (Operation::Subtract, Type::Moment(from, _), Type::Moment(to, _)) if from.compares_with(to) => {
                let kind = if date(first) && date(second) { Type::Integer } else { Type::Float };
                (Step::Difference(Box::new([one, two])), kind)
            }
            (Operation::Add | Operation::Subtract, ..) if date(first) && is_number(second) => {
                (Step::Move(operation, Box::new([one, two])), first)
            }
            (Operation::Add, ..) if date(second) && is_number(first) => {
                (Step::Move(operation, Box::new([two, one])), second)
            }
            _ => {
                let [first, second] = [first, second].map(Type::name);
                let message = format!(
                    "{} is {first}, {} {second}: only differences are computed, and dates some whole days later or \
                     earlier",
                    self.source(&nodes[0]),
                    self.source(&nodes[1])
                );
                return Err(self.wrong(&nodes[0], &message));
            }
        };
        Ok(BoundExpression { step, kind })
    }

    /// Makes a constant a value of a type.
    fn fit(&self, node: &Syntax, bound: &mut BoundExpression, other: Type) -> Result<(), Error> {
        bound.fit(other).map_err(|example| {
            let message = format!("{} is not {}, such as {example}", self.source(node), other.name());
            self.wrong(node, &message)
        })
    }

    fn path(&self, node: &Syntax, reference: &Reference) -> Result<BoundExpression, Error> {
        match self.place(node, reference)? {
            Some((place, Root::Shape(shape))) => {
                Ok(BoundExpression { step: Step::Access(place), kind: Type::of(shape) })
            }
            Some((_, Root::Entry(_))) => Err(self.wrong(node, "an entry of a map: name its key or value")),
            None => Ok(BoundExpression { step: Step::Constant(Scalar::Null), kind: Type::Null }),
        }
    }

    /// The place that a path names, and what is there; none where it is not there and need not be.
    fn place(&self, node: &Syntax, reference: &Reference) -> Result<Option<(Accessor, Root<'_>)>, Error> {
        let shown = self.source(node);
        let from = Found { path: FieldPath::default(), root: self.root };
        let found = match find(from, reference.from(self.root, self.is_row)) {
            Err(_) if self.binder.lenient => return Ok(None),
            found => found.map_err(|lost| self.wrong(node, &lost.message(shown)))?,
        };
        let names = found.first().map_or(&[][..], |found| found.path.names());
        let exploded = self.binder.exploded.filter(|_| self.is_row);
        match Accessor::at(self.root, names, exploded) {
            Ok(place) => Ok(Some(place)),
            Err(AccessError::Nowhere) => Err(self.wrong(node, &format!("no field \"{shown}\""))),
            Err(AccessError::Within(kind)) => {
                Err(self.wrong(node, &format!("{shown} goes into a {kind}: test its items with any(…, …)")))
            }
        }
    }

    fn mismatch(&self, node: &Syntax, found: &BoundExpression, wanted: &str) -> Error {
        self.wrong(node, &format!("{} is {}, not {wanted}", self.source(node), found.kind.name()))
    }

    fn checked(&self, node: &Syntax, wanted: &str, fits: fn(Type) -> bool) -> Result<BoundExpression, Error> {
        let bound = self.bind(node)?;
        if fits(bound.kind) || bound.kind == Type::Null {
            return Ok(bound);
        }
        Err(self.mismatch(node, &bound, wanted))
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
        let message = format!("{} is {left}, {} {right}{hint}", self.source(one), self.source(two));
        Err(self.wrong(one, &message))
    }

    fn set(&self, part: &Syntax, set: &[Syntax]) -> Result<BoundExpression, Error> {
        let pairs = set.iter().map(|node| self.comparable(part, node)).collect::<Result<Vec<_>, _>>()?;
        let (mut bytes, mut has_null) = (HashSet::new(), false);
        for [_, candidate] in &pairs {
            let Step::Constant(value) = &candidate.step else {
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
        let part = Box::new(self.bind(part)?);
        Ok(BoundExpression { step: Step::In(part, bytes, has_null), kind: Type::Boolean })
    }

    fn call(&self, node: &Syntax, function: Function, parts: &[Syntax]) -> Result<BoundExpression, Error> {
        let Some(first) = parts.first() else {
            return Err(self.wrong(node, "a value expected"));
        };
        let (step, kind) = match function {
            Function::Len => {
                let part = self.checked(first, "a list, map or string", |kind| {
                    matches!(kind, Type::List | Type::Map | Type::Text | Type::Bytes)
                })?;
                (Step::Len(Box::new(part)), Type::Integer)
            }
            Function::Lower | Function::Upper => {
                let text = Box::new(self.text(first)?);
                (Step::Case { text, upper: function == Function::Upper }, Type::Text)
            }
            Function::Abs => {
                let part = self.number(first)?;
                let kind = part.kind;
                (Step::Abs(Box::new(part)), kind)
            }
            Function::Round => {
                let part = self.number(first)?;
                let digits = match parts.get(1).map(|node| &node.kind) {
                    None => 0,
                    Some(Operator::Literal(Scalar::Integer(digits @ -300..=300))) => *digits as i32,
                    _ => return Err(self.wrong(node, "the digits of round are a number such as 2")),
                };
                let kind = if part.kind == Type::Single { Type::Float } else { part.kind };
                (Step::Round(Box::new(part), digits), kind)
            }
            Function::DateTrunc => {
                let Some(second) = parts.get(1) else {
                    return Err(
                        self.wrong(node, "date_trunc takes a unit and an instant: date_trunc('month', x)")
                    );
                };
                let unit = self.unit(first)?;
                let part = self.moment(second, unit)?;
                let kind = part.kind;
                (Step::Truncate(Box::new(part), unit), kind)
            }
            Function::Part(unit) => (Step::Part(Box::new(self.moment(first, unit)?), unit), Type::Integer),
            Function::Date => {
                let part = self.moment(first, Unit::Day)?;
                (Step::Date(Box::new(part)), Type::Moment(MomentKind::Date, DAY as i64))
            }
        };
        Ok(BoundExpression { step, kind })
    }

    /// The unit that a text names.
    fn unit(&self, node: &Syntax) -> Result<Unit, Error> {
        let found = match &node.kind {
            Operator::Literal(Scalar::Text(name)) => {
                Unit::ALL.iter().find(|(own, _)| own.eq_ignore_ascii_case(name)).map(|(_, unit)| *unit)
            }
            _ => None,
        };
        found.ok_or_else(|| {
            let names: Vec<String> = Unit::ALL.iter().map(|(name, _)| format!("'{name}'")).collect();
            self.wrong(node, &format!("one of {} expected", names.join(", ")))
        })
    }

    /// A date, a time or an instant that has this unit.
    fn moment(&self, node: &Syntax, unit: Unit) -> Result<BoundExpression, Error> {
        let bound = self.bind(node)?;
        let (wanted, fits) = match (unit.is_of_day(), bound.kind) {
            (_, Type::Null) => return Ok(bound),
            (true, kind) => {
                ("an instant or a time of day", !matches!(kind, Type::Moment(MomentKind::Date, _)))
            }
            (false, kind) => ("a date or an instant", !matches!(kind, Type::Moment(MomentKind::Time, _))),
        };
        if fits && matches!(bound.kind, Type::Moment(..)) {
            return Ok(bound);
        }
        let error = self.mismatch(node, &bound, wanted);
        Err(match bound.kind {
            Type::Text => error.with_hint(format!(
                "Texts become instants where a file is made: convert -t {}=timestamp, or -t '*=auto'",
                self.source(node)
            )),
            _ => error,
        })
    }

    fn items(&self, every: bool, list: &Syntax, condition: &Syntax) -> Result<BoundExpression, Error> {
        let Operator::Path(reference) = &list.kind else {
            return Err(self.wrong(list, "a list or map expected"));
        };
        let (place, root) = match self.place(list, reference)? {
            None | Some((_, Root::Shape(Shape::Null | Shape::Unknown))) => {
                return Ok(BoundExpression { step: Step::Constant(Scalar::Null), kind: Type::Boolean });
            }
            Some((place, Root::Shape(Shape::List(item)))) => (place, Root::Shape(item)),
            Some((place, Root::Shape(Shape::Map(map)))) => (place, Root::Entry(map)),
            Some(_) => return Err(self.mismatch(list, &self.bind(list)?, "a list or map")),
        };
        let condition = Within { root, is_row: false, ..*self }.condition(condition)?;
        let step = Step::Items { every, list: place, condition: Box::new(condition) };
        Ok(BoundExpression { step, kind: Type::Boolean })
    }
}
