//! Conditions as predicates of the file, by which blocks are left out.

use super::tree::{Comparison, Kind, Node};
use super::value::Value;
use trevni::{Col, Literal, Predicate, col};

/// A condition as a predicate; none where a predicate cannot say it.
pub(super) fn predicate(node: &Node) -> Option<Predicate> {
    Some(match &node.kind {
        Kind::Not(part) => !predicate(part)?,
        Kind::And(parts) => joined(parts, Predicate::and)?,
        Kind::Or(parts) => joined(parts, Predicate::or)?,
        Kind::Compare(comparison, parts) => match (&parts[0].kind, &parts[1].kind) {
            (Kind::Path(path), Kind::Literal(value)) => compare(col(path), *comparison, literal(value)?),
            (Kind::Literal(value), Kind::Path(path)) => {
                compare(col(path), comparison.turned(), literal(value)?)
            }
            _ => return None,
        },
        Kind::Between(parts) => match (&parts[0].kind, &parts[1].kind, &parts[2].kind) {
            (Kind::Path(path), Kind::Literal(low), Kind::Literal(high)) => {
                col(path).between(literal(low)?, literal(high)?)
            }
            _ => return None,
        },
        Kind::In(part, set) => {
            let value = |node: &Node| match &node.kind {
                Kind::Literal(value) => literal(value),
                _ => None,
            };
            place(part)?.is_in(set.iter().map(value).collect::<Option<Vec<_>>>()?)
        }
        Kind::IsNull(part) => place(part)?.is_null(),
        Kind::StartsWith(parts) => match &parts[1].kind {
            Kind::Literal(Value::Text(start)) => place(&parts[0])?.starts_with(start),
            _ => return None,
        },
        Kind::Matches(part, pattern) => match (&pattern.start, &pattern.whole) {
            (Some(start), _) => place(part)?.starts_with(start),
            (_, Some(whole)) => place(part)?.eq(whole),
            _ => return None,
        },
        // All are so where none is not so.
        Kind::Items { every: true, list, condition } => !place(list)?.any(!predicate(condition)?),
        Kind::Items { every: false, list, condition } => place(list)?.any(predicate(condition)?),
        Kind::Literal(_) | Kind::Path(_) | Kind::Negate(_) | Kind::Compute(..) | Kind::Call(..) => {
            return None;
        }
    })
}

fn joined(parts: &[Node], join: fn(Predicate, Predicate) -> Predicate) -> Option<Predicate> {
    let mut parts = parts.iter().map(predicate);
    let first = parts.next()??;
    parts.try_fold(first, |all, part| Some(join(all, part?)))
}

fn place(node: &Node) -> Option<Col> {
    match &node.kind {
        Kind::Path(path) => Some(col(path)),
        _ => None,
    }
}

fn literal(value: &Value) -> Option<Literal> {
    match value {
        Value::Boolean(value) => Some(Literal::from(*value)),
        Value::Integer(value) => Some(Literal::from(*value)),
        Value::Float(value) => Some(Literal::from(*value)),
        Value::Text(value) => Some(Literal::from(value)),
        Value::Bytes(value) => Some(Literal::from(value.as_slice())),
        Value::Null => None,
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
