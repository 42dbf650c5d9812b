//! Values of logical types: numbers to types that ask for numbers, texts to others.

use super::scalar::Scalar;
use crate::logical::{Stored, Texts, ip};
use crate::shape::IpFamily;

/// The canonical text of a value; none where it has none.
pub(super) fn text(texts: Texts, value: Stored<'_>) -> Option<String> {
    let mut out = String::with_capacity(texts.usual_length());
    texts.format(value, &mut out).then_some(out)
}

/// The number that a value stored as bytes is: a decimal without a fraction, a UUID, or an address of a known family.
pub(super) fn integer(texts: Texts, bytes: &[u8]) -> Option<Scalar> {
    match texts {
        Texts::Decimal(_) => {
            let text = text(texts, Stored::Bytes(bytes))?;
            let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
            let is_whole = fraction.bytes().all(|digit| digit == b'0');
            Scalar::integer(is_whole.then(|| whole.parse().ok())??)
        }
        Texts::Uuid => Some(Scalar::U128(u128::from_be_bytes(bytes.try_into().ok()?))),
        Texts::Ip(ip::Form { family: IpFamily::V4, is_network: false }) => {
            Scalar::integer(u32::from_be_bytes(bytes.try_into().ok()?).into())
        }
        Texts::Ip(ip::Form { family: IpFamily::V6, is_network: false }) => {
            Some(Scalar::U128(u128::from_be_bytes(bytes.try_into().ok()?)))
        }
        _ => None,
    }
}

/// The number nearest to a decimal.
pub(super) fn double(texts: Texts, bytes: &[u8]) -> Option<f64> {
    match texts {
        Texts::Decimal(_) => text(texts, Stored::Bytes(bytes))?.parse().ok(),
        _ => None,
    }
}

/// A number of a column as one of the type that a mark names; none where it is not exact, or of another kind.
pub(super) fn marked(name: &str, texts: Texts, number: i64) -> Option<i64> {
    texts.convert(number, Texts::of_mark(name)?)
}
