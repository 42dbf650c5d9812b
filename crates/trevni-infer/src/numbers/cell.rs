//! What the cells of separated values are.

use super::Wide;
use std::borrow::Cow;

/// Which cells are numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Numbers {
    /// Those with the value of one: .5, 1.0E-5, NaN, spaces around, True
    #[default]
    Value,
    /// Those whose digits all come back
    Exact,
    /// Those with the value of one, with a comma for the point: 0,5, 1.234,5
    Comma,
}

/// How numbers and booleans are written.
#[derive(Clone, Debug, Default)]
pub struct Spelling {
    /// Which cells are numbers.
    pub numbers: Numbers,
    /// Words for true and false, beside these two.
    pub booleans: Vec<(String, String)>,
}

impl Spelling {
    /// All cells come back as they were.
    pub(crate) const EXACT: &Self = &Self { numbers: Numbers::Exact, booleans: Vec::new() };

    /// What a word means, whatever the case of its letters.
    pub(crate) fn boolean(&self, text: &str) -> Option<bool> {
        let word = |(yes, no): &(String, String)| match () {
            () if text.eq_ignore_ascii_case(yes) => Some(true),
            () if text.eq_ignore_ascii_case(no) => Some(false),
            () => None,
        };
        self.booleans.iter().find_map(word)
    }

    /// A number with a point for its comma; `None` where it is not written so.
    pub(crate) fn plain<'a>(&self, text: &'a str) -> Option<Cow<'a, str>> {
        match self.numbers == Numbers::Comma && text.contains([',', '.']) {
            true => with_point(text).map(Cow::Owned),
            false => Some(Cow::Borrowed(text)),
        }
    }
}

/// A cell that is not null, by its text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell<'a> {
    Boolean(bool),
    Integer(i64),
    /// Above `i64::MAX`.
    Large(u64),
    /// Of more than 64 bits.
    Wide(Wide),
    Float(f64),
    /// NaN or an infinity: a float if other cells are numbers, else a string.
    Named(f64, &'a str),
    Text(&'a str),
}

/// Digits that any decimal number may have and come back from a 64-bit float.
const DIGITS: usize = 15;

impl<'a> Cell<'a> {
    /// What identifies is no number: leading zeros, a plus, more than 128 bits.
    #[inline]
    pub fn of(text: &'a str, spelling: &Spelling) -> Self {
        let numbers = spelling.numbers;
        if numbers == Numbers::Comma && text.contains([',', '.']) {
            return with_comma(text, spelling);
        }
        let number = match text.as_bytes() {
            [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] => number(text, numbers),
            b"true" => return Self::Boolean(true),
            b"false" => return Self::Boolean(false),
            // As Python and R write them.
            b"True" | b"TRUE" if numbers != Numbers::Exact => return Self::Boolean(true),
            b"False" | b"FALSE" if numbers != Numbers::Exact => return Self::Boolean(false),
            // Most strings begin like no number.
            [b' ' | b'\t' | b'.' | b'-' | b'N' | b'n' | b'I' | b'i', ..] | [.., b' ' | b'\t'] => {
                other(text, numbers)
            }
            _ => None,
        };
        match number {
            Some(number) => number,
            None if spelling.booleans.is_empty() => Self::Text(text),
            None => spelling.boolean(text).map_or(Self::Text(text), Self::Boolean),
        }
    }
}

impl Cell<'_> {
    /// Whether a cell is a number where a comma is the point.
    pub(crate) fn has_comma(text: &str) -> bool {
        let may_be = matches!(text.as_bytes(), [b'0'..=b'9' | b'-' | b',' | b' ', ..]);
        may_be
            && text.contains(',')
            && !matches!(with_comma(text, Spelling::EXACT), Cell::Text(_) | Cell::Boolean(_))
    }
}

/// A cell with commas or points, where a comma is the point of numbers.
fn with_comma<'a>(text: &'a str, spelling: &Spelling) -> Cell<'a> {
    let Some(plain) = with_point(text) else {
        return spelling.boolean(text).map_or(Cell::Text(text), Cell::Boolean);
    };
    match number(&plain, Numbers::Value).or_else(|| other(&plain, Numbers::Value)) {
        Some(Cell::Integer(value)) => Cell::Integer(value),
        Some(Cell::Large(value)) => Cell::Large(value),
        Some(Cell::Wide(value)) => Cell::Wide(value),
        Some(Cell::Float(value)) => Cell::Float(value),
        _ => Cell::Text(text),
    }
}

/// A number such as `1.234,5` as `1234.5`: points before the comma stand between groups of three digits.
fn with_point(text: &str) -> Option<String> {
    let text = text.trim_matches([' ', '\t']);
    let (whole, fraction) = text.split_once(',').map_or((text, None), |(whole, rest)| (whole, Some(rest)));
    let (first, groups) = whole.split_once('.').map_or((whole, None), |(first, rest)| (first, Some(rest)));
    let mut plain = first.to_owned();
    if let Some(groups) = groups {
        let digits = first.strip_prefix('-').unwrap_or(first).len();
        for group in groups.split('.') {
            let is_group = group.len() == 3 && group.bytes().all(|byte| byte.is_ascii_digit());
            (is_group && (1..=3).contains(&digits)).then(|| plain.push_str(group))?;
        }
    }
    match fraction {
        Some(fraction) if fraction.contains([',', '.']) => None,
        Some(fraction) => Some(plain + "." + fraction),
        None => Some(plain),
    }
}

/// A number of digits, and of a point, an exponent and a sign.
fn number(text: &str, numbers: Numbers) -> Option<Cell<'_>> {
    if let Some(value) = short_integer(text.as_bytes()) {
        return Some(Cell::Integer(value));
    }
    let digits = text.strip_prefix('-').unwrap_or(text).as_bytes();
    let whole = digits.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if whole > 1 && digits.first() == Some(&b'0') {
        return None;
    }
    match (digits.get(whole), numbers) {
        (None, Numbers::Exact) if text == "-0" => None,
        (None, _) if text == "-0" => Some(Cell::Float(-0.0)),
        (None, _) => integer(text),
        (Some(b'.' | b'e'), Numbers::Exact) => exact_float(text, digits, whole),
        (Some(b'.' | b'e' | b'E'), _) => float(text, digits.get(whole..)?, whole),
        (Some(b' ' | b'\t'), Numbers::Value | Numbers::Comma) => trimmed(text),
        _ => None,
    }
}

/// An integer of at most 18 digits, as most are: any such number has 64 bits.
#[inline]
fn short_integer(text: &[u8]) -> Option<i64> {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    let (b'1'..=b'9', 1..=18) = (digits.first()?, digits.len()) else { return None };
    let add = |value: i64, digit: &u8| digit.is_ascii_digit().then(|| value * 10 + i64::from(digit - b'0'));
    digits.iter().try_fold(0, add).map(|value| if digits.len() < text.len() { -value } else { value })
}

fn integer(text: &str) -> Option<Cell<'_>> {
    let wide = || Wide::parse(text).map(Cell::Wide);
    text.parse().map(Cell::Integer).or_else(|_| text.parse().map(Cell::Large)).ok().or_else(wide)
}

/// What has the value of a number and does not begin with a digit.
#[cold]
fn other(text: &str, numbers: Numbers) -> Option<Cell<'_>> {
    if numbers == Numbers::Exact {
        return None;
    }
    let positive = text.strip_prefix('-').unwrap_or(text);
    if let [b'.', b'0'..=b'9', ..] = positive.as_bytes() {
        return float(text, positive.as_bytes(), 0);
    }
    let named = |value: f64| Some(Cell::Named(if positive == text { value } else { -value }, text));
    match positive {
        "NaN" | "nan" if positive == text => named(f64::NAN),
        "inf" | "Inf" | "Infinity" | "infinity" => named(f64::INFINITY),
        _ => trimmed(text),
    }
}

/// A number with spaces around it.
#[cold]
fn trimmed(text: &str) -> Option<Cell<'_>> {
    let inner = text.trim_matches([' ', '\t']);
    if inner.len() == text.len() {
        return None;
    }
    let found = match inner.as_bytes() {
        [b'0'..=b'9', ..] | [b'-', b'0'..=b'9', ..] => number(inner, Numbers::Value),
        _ => other(inner, Numbers::Value),
    };
    match found? {
        Cell::Named(value, _) => Some(Cell::Named(value, text)),
        number => Some(number),
    }
}

/// A decimal number whose digits before the point have been read. What could be a code has an exponent without a sign and no point: `12e5`.
fn float<'a>(text: &'a str, rest: &[u8], whole: usize) -> Option<Cell<'a>> {
    let (mut rest, mut digits, mut is_code) = (rest, whole, true);
    if let [b'.', fraction @ ..] = rest {
        let count = fraction.iter().take_while(|byte| byte.is_ascii_digit()).count();
        (rest, digits, is_code) = (fraction.get(count..)?, whole + count, false);
    }
    if let [b'e' | b'E', exponent @ ..] = rest {
        let signed = matches!(exponent, [b'+' | b'-', ..]);
        let exponent = exponent.get(usize::from(signed)..)?;
        let count = exponent.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if count == 0 || (is_code && !signed) {
            return None;
        }
        rest = exponent.get(count..)?;
    }
    match rest {
        [] if digits > 0 => {}
        [b' ' | b'\t', ..] => return trimmed(text),
        _ => return None,
    }
    let value: f64 = text.parse().ok()?;
    // What is too large or too small for a float is neither infinite nor 0.
    let is_there = value.is_finite() && (value != 0.0 || parts(text).0.is_empty());
    is_there.then_some(Cell::Float(value))
}

/// A plain decimal number, or one with an exponent that cannot be taken for a code such as `12e5`, all digits of which come back.
fn exact_float<'a>(text: &'a str, digits: &[u8], whole: usize) -> Option<Cell<'a>> {
    if text.ends_with('.') || text.contains(['E', ' ', '\t']) || text.contains(".e") {
        return None;
    }
    let found = float(text, digits.get(whole..)?, whole)?;
    let Cell::Float(value) = found else { return None };
    let significant =
        digits.iter().take_while(|byte| !matches!(byte, b'e')).filter(|byte| byte.is_ascii_digit()).count();
    // As it is printed.
    let printed = || serde_json::to_string(&value).is_ok_and(|printed| parts(text) == parts(&printed));
    let is_kept = match value == 0.0 || value.abs() < f64::MIN_POSITIVE {
        true => printed(),
        false => significant <= DIGITS || printed(),
    };
    is_kept.then_some(found)
}

/// The digits of a number without zeros at either end, and the power of ten after the last.
fn parts(text: &str) -> (Vec<u8>, i64) {
    let (number, exponent) = text.split_once(['e', 'E']).unwrap_or((text, "0"));
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

    fn spelled(numbers: Numbers) -> Spelling {
        Spelling { numbers, ..Spelling::default() }
    }

    fn exact(text: &str) -> Cell<'_> {
        Cell::of(text, Spelling::EXACT)
    }

    fn value(text: &str) -> Cell<'_> {
        Cell::of(text, &Spelling::default())
    }

    fn comma(text: &str) -> Cell<'_> {
        Cell::of(text, &spelled(Numbers::Comma))
    }

    #[test]
    fn a_comma_may_be_the_point() {
        for (text, float) in [
            ("0,5", 0.5),
            ("-1,250", -1.25),
            (",5", 0.5),
            ("-,5", -0.5),
            ("5,", 5.0),
            ("1.234,56", 1234.56),
            ("-12.345.678,9", -12_345_678.9),
            (" 1,5 ", 1.5),
            ("1,5E-3", 0.0015),
            ("-0", -0.0),
        ] {
            assert_eq!(comma(text), Cell::Float(float), "{text:?}");
        }
        for (text, integer) in [("7", 7), ("1.234", 1234), ("-1.234.567", -1_234_567), (" 12 ", 12)] {
            assert_eq!(comma(text), Cell::Integer(integer), "{text:?}");
        }
        for text in [
            "",
            "1.5",
            "1.23",
            "12.34.56",
            "1234.567",
            "1.234.56,7",
            "0.123",
            "1,234,567",
            "1,5.6",
            "01,5",
            ".5",
            ".234",
            "1.",
            ",",
            "-,",
            ".",
            "a,b",
            "007",
            "+1,5",
            "1.234.",
            "1..234",
            "1 ,5",
            "2013-01-01",
            "1,5e",
        ] {
            assert_eq!(comma(text), Cell::Text(text), "{text:?}");
        }
    }

    #[test]
    fn words_may_be_booleans() {
        let pairs = [("yes", "no"), ("J", "N")].map(|(yes, no)| (yes.to_owned(), no.to_owned()));
        for numbers in [Numbers::Value, Numbers::Exact, Numbers::Comma] {
            let spelling = Spelling { numbers, booleans: pairs.to_vec() };
            let of = |text| Cell::of(text, &spelling);
            for (text, truth) in
                [("yes", true), ("No", false), ("j", true), ("N", false), ("true", true), ("false", false)]
            {
                assert_eq!(of(text), Cell::Boolean(truth), "{text:?}");
            }
            for text in ["", "y", "yes ", "nope", "jn"] {
                assert_eq!(of(text), Cell::Text(text), "{text:?}");
            }
            assert_eq!(of("1"), Cell::Integer(1));
        }
    }

    #[test]
    fn integers_are_numbers() {
        for of in [exact, value] {
            for value in
                [0, -7, 123, 10_i64.pow(18) - 1, 10_i64.pow(18), -(10_i64.pow(18)), i64::MAX, i64::MIN]
            {
                assert_eq!(of(&value.to_string()), Cell::Integer(value));
            }
            assert_eq!(of("18446744073709551615"), Cell::Large(u64::MAX));
            assert_eq!(of("18446744073709551616"), Cell::Wide(Wide::Signed(1 << 64)));
            assert_eq!(of("-9223372036854775809"), Cell::Wide(Wide::Signed(i128::from(i64::MIN) - 1)));
            assert_eq!(of(&u128::MAX.to_string()), Cell::Wide(Wide::Large(u128::MAX)));
            assert_eq!([of("true"), of("false")], [Cell::Boolean(true), Cell::Boolean(false)]);
        }
    }

    #[test]
    fn floats_are_numbers() {
        for (text, float) in [
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
            // One of two that are as near, and as short.
            ("-159.54299926757812", -159.542_999_267_578_12),
        ] {
            assert_eq!([exact(text), value(text)], [Cell::Float(float); 2], "{text}");
        }
    }

    #[test]
    fn values_have_many_forms() {
        for (text, float) in [
            (".097", 0.097),
            ("-.5", -0.5),
            ("5.", 5.0),
            ("-0", -0.0),
            ("1.0E-5", 1e-5),
            ("3.2E-7", 3.2e-7),
            ("1.E5", 1e5),
            (".5e1", 5.0),
            ("5.180000000000000257e-02", 0.051_800_000_000_000_006),
            ("3.14159265358979323846", std::f64::consts::PI),
            (" 1.5", 1.5),
            ("1.5 ", 1.5),
            ("\t-.5 ", -0.5),
        ] {
            assert_eq!([exact(text), value(text)], [Cell::Text(text), Cell::Float(float)], "{text:?}");
        }
        for (text, integer) in [(" 7", 7), ("-7 ", -7), ("  12\t ", 12)] {
            assert_eq!([exact(text), value(text)], [Cell::Text(text), Cell::Integer(integer)], "{text:?}");
        }
        for (text, float) in
            [("inf", f64::INFINITY), ("-Infinity", f64::NEG_INFINITY), (" Inf", f64::INFINITY)]
        {
            assert_eq!([exact(text), value(text)], [Cell::Text(text), Cell::Named(float, text)], "{text:?}");
        }
        for (text, truth) in [("True", true), ("TRUE", true), ("False", false), ("FALSE", false)] {
            assert_eq!([exact(text), value(text)], [Cell::Text(text), Cell::Boolean(truth)], "{text:?}");
        }
        assert!(matches!(value("NaN"), Cell::Named(float, "NaN") if float.is_nan()));
    }

    #[test]
    fn what_identifies_is_text() {
        for text in [
            "",
            "007",
            "+5",
            "00.5",
            "1e5",
            "12E5",
            "12e5 ",
            "1.5e",
            "1e400",
            "1e-400",
            "0x10",
            "1,5",
            ".",
            "-",
            "-.",
            ".e5",
            "1.2.3",
            "2013-01-01",
            "12:30",
            "1_000",
            "tRUE",
            " true",
            " ",
            "\t",
            "- 5",
            "1 2",
            "1. 5",
            "-NaN",
            "NAN",
            "INF",
            "nano",
            "340282366920938463463374607431768211456",
            "\u{a0}5",
        ] {
            assert_eq!([exact(text), value(text)], [Cell::Text(text); 2], "{text:?}");
        }
    }
}
