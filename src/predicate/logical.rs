//! Where literals are among the values of a logical type: texts are read as such, numbers are what is counted.

use super::literal::Literal;
use super::place::{self, Position};
use crate::logical::{Texts, decimal::Form, ip};
use crate::shape::IpFamily;

/// The exact place of a literal among numbers of days or units; none where it is no such value.
pub(super) fn number(texts: Texts, literal: &Literal) -> Option<Position<i64>> {
    let Literal::String(text) = literal else {
        return place::integer(literal);
    };
    let (floor, is_exact) = texts.floor(text)?;
    let place = Position::integer(floor);
    Some(if is_exact { place } else { place.between() })
}

/// The exact place of a literal among the unscaled values of decimals.
pub(super) fn decimal(form: Form, literal: &Literal) -> Option<Position<i128>> {
    let text = match literal {
        Literal::String(text) => text.clone(),
        Literal::Integer(value) => value.to_string(),
        Literal::Large(value) => value.to_string(),
        Literal::Float(value) if value.is_nan() => return Some(Position::Nowhere),
        Literal::Float(value) => value.to_string(),
        Literal::Boolean(_) | Literal::Bytes(_) => return None,
    };
    let (floor, is_exact) = form.floor(&text)?;
    let place = Position::integer(floor);
    Some(if is_exact { place } else { place.between() })
}

/// The place of a literal among the bytes of UUIDs, whose order is that of their texts, of durations, or of IP addresses.
pub(super) fn bytes(texts: Texts, literal: &Literal) -> Option<Position<Vec<u8>>> {
    match literal {
        Literal::String(text) => {
            let mut bytes = Vec::new();
            match (texts.parse(text, &mut bytes), texts) {
                (Some(_), _) => Some(place::of_bytes(&bytes)),
                (None, Texts::Ip(form)) => other_family(form, text),
                _ => None,
            }
        }
        Literal::Bytes(bytes) => Some(place::of_bytes(bytes)),
        _ => None,
    }
}

/// The place of an address of another family: all v4 addresses come before all v6 addresses.
fn other_family(form: ip::Form, text: &str) -> Option<Position<Vec<u8>>> {
    Texts::Ip(form.of_any()).reads(text).then(|| {
        // Bytes that are not there come before all others.
        let next = (form.family == IpFamily::V6).then(Vec::new);
        Position::At { from: next.clone(), after: next }
    })
}
