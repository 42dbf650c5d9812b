//! Conditions as predicates of the file, by which it skips blocks.

use crate::calendar::Unit;
use crate::moment::Moment;
use crate::paths::{FieldPath, Found, Root, find_one};
use crate::scalar::Scalar;
use crate::syntax::{Comparison, Function, Operator, Plain, Syntax};
use trevni::path::format;
use trevni::predicate::{Col, Literal};
use trevni::{Predicate, col};

/// A condition as a predicate on a row, or on what is in a list; `None` where a predicate cannot say it.
pub(crate) fn predicate(node: &Syntax, root: Root<'_>, is_row: bool) -> Option<Predicate> {
    Pushing { root, is_row }.predicate(node)
}

/// What paths begin at.
#[derive(Clone, Copy)]
struct Pushing<'s> {
    root: Root<'s>,
    is_row: bool,
}

impl<'s> Pushing<'s> {
    fn predicate(self, node: &Syntax) -> Option<Predicate> {
        Some(match &node.kind {
            Operator::Not(part) => !self.predicate(part)?,
            Operator::And(parts) => self.joined(parts, Predicate::and)?,
            Operator::Or(parts) => self.joined(parts, Predicate::or)?,
            Operator::Compare(comparison, parts) => match (&parts[0].kind, &parts[1].kind) {
                (
                    Operator::Call(Function::Part(Unit::Year), of),
                    Operator::Literal(Scalar::Integer(year)),
                ) => years(self.place(of.first()?)?, *comparison, *year)?,
                (
                    Operator::Literal(Scalar::Integer(year)),
                    Operator::Call(Function::Part(Unit::Year), of),
                ) => years(self.place(of.first()?)?, comparison.turned(), *year)?,
                (_, Operator::Literal(value)) => {
                    compare(self.place(&parts[0])?, *comparison, literal(value)?)
                }
                (Operator::Literal(value), _) => {
                    compare(self.place(&parts[1])?, comparison.turned(), literal(value)?)
                }
                _ => return None,
            },
            Operator::Between(parts) => match (&parts[1].kind, &parts[2].kind) {
                (Operator::Literal(low), Operator::Literal(high)) => {
                    self.place(&parts[0])?.between(literal(low)?, literal(high)?)
                }
                _ => return None,
            },
            Operator::In(part, set) => {
                let value = |node: &Syntax| match &node.kind {
                    Operator::Literal(value) => literal(value),
                    _ => None,
                };
                self.place(part)?.is_in(set.iter().map(value).collect::<Option<Vec<_>>>()?)
            }
            Operator::IsNull(part) => self.place(part)?.is_null(),
            Operator::StartsWith(parts) => match &parts[1].kind {
                Operator::Literal(Scalar::Text(start)) => self.place(&parts[0])?.starts_with(start),
                _ => return None,
            },
            Operator::Matches(part, pattern) => match pattern.plain.as_ref()? {
                Plain::Whole(whole) => self.place(part)?.eq(whole),
                Plain::Start(start) => self.place(part)?.starts_with(start),
                Plain::Part(inner) => self.place(part)?.contains(inner),
            },
            Operator::Call(Function::Contains, parts) => match &parts[..] {
                [of, Syntax { kind: Operator::Literal(Scalar::Text(inner)), .. }]
                    if self.found(of)?.items().is_none() =>
                {
                    self.place(of)?.contains(inner)
                }
                _ => return None,
            },
            Operator::Items { every, list, condition } => {
                let items = Self { root: self.found(list)?.items()?.root, is_row: false };
                let condition = items.predicate(condition)?;
                let list = self.place(list)?;
                // All are so where none is not so.
                if *every { !list.any(!condition) } else { list.any(condition) }
            }
            Operator::Literal(_)
            | Operator::Path(_)
            | Operator::Place(..)
            | Operator::Negate(_)
            | Operator::Compute(..)
            | Operator::Call(..) => {
                return None;
            }
        })
    }

    fn joined(self, parts: &[Syntax], join: fn(Predicate, Predicate) -> Predicate) -> Option<Predicate> {
        let mut parts = parts.iter().map(|part| self.predicate(part));
        let first = parts.next()??;
        parts.try_fold(first, |all, part| Some(join(all, part?)))
    }

    /// The place of a path.
    fn place(self, node: &Syntax) -> Option<Col> {
        Some(col(format(self.found(node)?.path.names())))
    }

    fn found(self, node: &Syntax) -> Option<Found<'s>> {
        match &node.kind {
            Operator::Path(reference) => find_one(&self.from(), reference.from(self.root, self.is_row)).ok(),
            _ => None,
        }
    }

    fn from(self) -> Found<'s> {
        Found { path: FieldPath::default(), root: self.root }
    }
}

fn literal(value: &Scalar) -> Option<Literal> {
    match value {
        Scalar::Boolean(value) => Some(Literal::from(*value)),
        Scalar::Integer(value) => Some(Literal::from(*value)),
        Scalar::Float(value) => Some(Literal::from(*value)),
        Scalar::Text(value) => Some(Literal::from(value)),
        Scalar::Bytes(value) => Some(Literal::from(value.as_slice())),
        Scalar::Decimal(_) | Scalar::Moment(_) | Scalar::Ip(_) | Scalar::Null => None,
    }
}

/// The comparison of a year, as one with the starts of the year and the next; `None` of years that have no dates.
fn years(place: Col, comparison: Comparison, year: i128) -> Option<Predicate> {
    let start = |year: i128| {
        let year = i64::try_from(year).ok().filter(|year| year.abs() < 5_000_000)?;
        Some(Literal::from(Moment::of_year(year).to_string()))
    };
    let (start, next) = (start(year)?, start(year.checked_add(1)?)?);
    Some(match comparison {
        Comparison::Equal => place.clone().ge(start).and(place.lt(next)),
        Comparison::Unequal => place.clone().lt(start).or(place.ge(next)),
        Comparison::Less => place.lt(start),
        Comparison::LessOrEqual => place.lt(next),
        Comparison::Greater => place.ge(next),
        Comparison::GreaterOrEqual => place.ge(start),
    })
}

fn compare(place: Col, comparison: Comparison, literal: Literal) -> Predicate {
    match comparison {
        Comparison::Equal => place.eq(literal),
        Comparison::Unequal => place.ne(literal),
        Comparison::Less => place.lt(literal),
        Comparison::LessOrEqual => place.le(literal),
        Comparison::Greater => place.gt(literal),
        Comparison::GreaterOrEqual => place.ge(literal),
    }
}
