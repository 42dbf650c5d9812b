//! Binds what is computed with dates and instants.

use super::Within;
use crate::calendar::Unit;
use crate::error::Error;
use crate::moment::{Moment, MomentKind};
use crate::scalar::Scalar;
use crate::step::{BoundExpression, Step};
use crate::syntax::{Operation, Operator, Syntax};
use crate::types::Type;

impl Within<'_, '_> {
    /// Differences of dates and instants, and dates some days later or earlier.
    pub(super) fn compute_moments(
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

    /// The unit that a text names.
    pub(super) fn unit(&self, node: &Syntax) -> Result<Unit, Error> {
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

    /// Strings, where they are strings: of a constant it is known that it is a date or an instant.
    pub(super) fn moment_of_text(
        &self,
        node: &Syntax,
        kind: MomentKind,
    ) -> Result<Option<BoundExpression>, Error> {
        let bound = self.bind(node)?;
        if bound.kind != Type::Text {
            return Ok(None);
        }
        match &bound.step {
            Step::Constant(Scalar::Text(text)) if Moment::of_text(kind, text.trim()).is_none() => {
                let (name, example) = (kind.name(), kind.example());
                Err(self.wrong(node, &format!("{} is not {name}, such as {example}", self.source(node))))
            }
            _ => Ok(Some(bound)),
        }
    }

    /// A date, a time or an instant that has this unit.
    pub(super) fn moment(&self, node: &Syntax, unit: Unit) -> Result<BoundExpression, Error> {
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
                "Here: date({0}) or timestamp({0}); once for all: convert -t {0}=timestamp, or -t '*=auto'",
                self.source(node)
            )),
            _ => error,
        })
    }
}
