//! Conditions as predicates of the file, by which it skips blocks.

use crate::paths::{FieldPath, Found, Part, Root, all, find};
use crate::scalar::Scalar;
use crate::syntax::{Comparison, Kind, Syntax};
use trevni::{Col, Literal, Predicate, col};

/// A condition as a predicate on a row, or on what is in a list; none where a predicate cannot say it.
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
            Kind::Not(part) => !self.predicate(part)?,
            Kind::And(parts) => self.joined(parts, Predicate::and)?,
            Kind::Or(parts) => self.joined(parts, Predicate::or)?,
            Kind::Compare(comparison, parts) => match (&parts[0].kind, &parts[1].kind) {
                (_, Kind::Literal(value)) => compare(self.place(&parts[0])?, *comparison, literal(value)?),
                (Kind::Literal(value), _) => {
                    compare(self.place(&parts[1])?, comparison.turned(), literal(value)?)
                }
                _ => return None,
            },
            Kind::Between(parts) => match (&parts[1].kind, &parts[2].kind) {
                (Kind::Literal(low), Kind::Literal(high)) => {
                    self.place(&parts[0])?.between(literal(low)?, literal(high)?)
                }
                _ => return None,
            },
            Kind::In(part, set) => {
                let value = |node: &Syntax| match &node.kind {
                    Kind::Literal(value) => literal(value),
                    _ => None,
                };
                self.place(part)?.is_in(set.iter().map(value).collect::<Option<Vec<_>>>()?)
            }
            Kind::IsNull(part) => self.place(part)?.is_null(),
            Kind::StartsWith(parts) => match &parts[1].kind {
                Kind::Literal(Scalar::Text(start)) => self.place(&parts[0])?.starts_with(start),
                _ => return None,
            },
            Kind::Matches(part, pattern) => match (&pattern.start, &pattern.whole) {
                (Some(start), _) => self.place(part)?.starts_with(start),
                (_, Some(whole)) => self.place(part)?.eq(whole),
                _ => return None,
            },
            Kind::Items { every, list, condition } => {
                let items = Self { root: self.found(list)?.items()?.root, is_row: false };
                let condition = items.predicate(condition)?;
                let list = self.place(list)?;
                // All are so where none is not so.
                if *every { !list.any(!condition) } else { list.any(condition) }
            }
            Kind::Literal(_) | Kind::Path(_) | Kind::Negate(_) | Kind::Compute(..) | Kind::Call(..) => {
                return None;
            }
        })
    }

    fn joined(self, parts: &[Syntax], join: fn(Predicate, Predicate) -> Predicate) -> Option<Predicate> {
        let mut parts = parts.iter().map(|part| self.predicate(part));
        let first = parts.next()??;
        parts.try_fold(first, |all, part| Some(join(all, part?)))
    }

    /// The place of a path, where its text means no other.
    fn place(self, node: &Syntax) -> Option<Col> {
        let path = self.found(node)?.path;
        let text = path.names().join(".");
        let parts: Vec<&str> = if text.is_empty() { Vec::new() } else { text.split('.').collect() };
        let meant = all(self.from(), &Part::names(&parts));
        (meant.len() == 1 && meant.iter().all(|found| found.path == path)).then(|| col(&text))
    }

    fn found(self, node: &Syntax) -> Option<Found<'s>> {
        match &node.kind {
            Kind::Path(reference) => {
                find(self.from(), reference.from(self.root, self.is_row)).ok()?.into_iter().next()
            }
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
        Scalar::Null => None,
    }
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
