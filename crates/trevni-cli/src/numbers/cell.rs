//! What the cells of separated values are.

/// A cell that is not null, by its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Cell<'a> {
    Boolean(bool),
    Integer(i64),
    /// Above `i64::MAX`.
    Large(u64),
    Float(f64),
    Text(&'a str),
}

/// Digits that any decimal number may have and come back from a 64-bit float.
const DIGITS: usize = 15;

impl<'a> Cell<'a> {
    /// A cell is a number only where the number has all that the text says: no leading zeros, no plus,
    /// no digit that a float would lose.
    #[inline]
    pub(crate) fn of(text: &'a str) -> Self {
        match text.as_bytes() {
            [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] => number(text).unwrap_or(Self::Text(text)),
            b"true" => Self::Boolean(true),
            b"false" => Self::Boolean(false),
            _ => Self::Text(text),
        }
    }
}

fn number(text: &str) -> Option<Cell<'_>> {
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let whole = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if whole > 1 && digits.first() == Some(&b'0') {
        return None;
    }
    match digits.get(whole) {
        None if text == "-0" => None,
        None => text.parse().map(Cell::Integer).or_else(|_| text.parse().map(Cell::Large)).ok(),
        Some(b'.' | b'e') => float(text, digits, whole),
        Some(_) => None,
    }
}

/// A plain decimal number, or one with an exponent that cannot be taken for a code such as `12e5`.
fn float<'a>(text: &'a str, digits: &[u8], whole: usize) -> Option<Cell<'a>> {
    let mut rest = digits.get(whole..)?;
    let mut significant = whole;
    let pointed = rest.first() == Some(&b'.');
    if pointed {
        let fraction = rest.iter().skip(1).take_while(|byte| byte.is_ascii_digit()).count();
        if fraction == 0 {
            return None;
        }
        significant += fraction;
        rest = rest.get(1 + fraction..)?;
    }
    if let [b'e', exponent @ ..] = rest {
        let signed = matches!(exponent, [b'+' | b'-', ..]);
        let exponent = exponent.get(usize::from(signed)..)?;
        let is_number = !exponent.is_empty() && exponent.iter().all(u8::is_ascii_digit);
        if !is_number || !(signed || pointed) {
            return None;
        }
        rest = &[];
    }
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite())?;
    let is_kept = rest.is_empty()
        && match value == 0.0 || value.abs() < f64::MIN_POSITIVE {
            // What is too small for a float is not 0.
            true => parts(text) == parts(&format!("{value:e}")),
            false => significant <= DIGITS || parts(text) == parts(&format!("{value:e}")),
        };
    is_kept.then_some(Cell::Float(value))
}

/// The digits of a number without zeros at either end, and the power of ten after the last.
fn parts(text: &str) -> (Vec<u8>, i64) {
    let (number, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let mut power = exponent.parse::<i64>().unwrap_or(0);
    let mut digits: Vec<u8> = number.bytes().filter(u8::is_ascii_digit).collect();
    if let Some((_, fraction)) = number.split_once('.') {
        power -= fraction.len() as i64;
    }
    while digits.last() == Some(&b'0') {
        digits.pop();
        power += 1;
    }
    let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
    digits.drain(..zeros);
    if digits.is_empty() { (digits, 0) } else { (digits, power) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_say_all_that_the_text_says() {
        for (text, value) in [("0", 0), ("-7", -7), ("123", 123), ("-9223372036854775808", i64::MIN)] {
            assert_eq!(Cell::of(text), Cell::Integer(value));
        }
        assert_eq!(Cell::of("18446744073709551615"), Cell::Large(u64::MAX));
        for (text, value) in [
            ("0.5", 0.5),
            ("-1.250", -1.25),
            ("0.0", 0.0),
            ("-0.0", -0.0),
            ("1e-05", 1e-5),
            ("1.5e10", 1.5e10),
            ("1e+300", 1e300),
            ("0.30000000000000004", 0.300_000_000_000_000_04),
            ("5e-324", 5e-324),
            ("100000000000000000000.0", 1e20),
        ] {
            assert_eq!(Cell::of(text), Cell::Float(value), "{text}");
        }
        for text in [
            "",
            "007",
            "-0",
            "+5",
            "00.5",
            "1.",
            ".5",
            "1e5",
            "12E5",
            "1.5e",
            "1e400",
            "1e-400",
            "0x10",
            "1,5",
            "1 ",
            "18446744073709551616",
            "3.14159265358979323846",
            "NaN",
            "inf",
            "True",
            "TRUE",
            "-",
            "1.2.3",
            "2013-01-01",
            "12:30",
            "1_000",
            "1.5E3",
        ] {
            assert_eq!(Cell::of(text), Cell::Text(text));
        }
        assert_eq!([Cell::of("true"), Cell::of("false")], [Cell::Boolean(true), Cell::Boolean(false)]);
    }
}
