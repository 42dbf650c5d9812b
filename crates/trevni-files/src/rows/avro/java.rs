//! JSON to the letter as Java writes it: floats as `1.0E7`, escapes in capitals, and characters beyond U+FFFF as
//! two escapes.

use serde_json::ser::{CharEscape, Formatter};
use std::fmt::{Display, LowerExp};
use std::io::{self, Write};
use std::str::FromStr;

/// The style of Java.
pub(super) struct Java;

impl Formatter for Java {
    fn write_f32<W: ?Sized + Write>(&mut self, writer: &mut W, value: f32) -> io::Result<()> {
        writer.write_all(float(value).as_bytes())
    }

    fn write_f64<W: ?Sized + Write>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        writer.write_all(float(value).as_bytes())
    }

    fn write_string_fragment<W: ?Sized + Write>(&mut self, writer: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, far)) = rest.char_indices().find(|(_, c)| *c > '\u{ffff}') {
            let (before, after) = rest.split_at(at);
            writer.write_all(before.as_bytes())?;
            for unit in far.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04X}")?;
            }
            rest = after.get(far.len_utf8()..).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_char_escape<W: ?Sized + Write>(&mut self, writer: &mut W, escape: CharEscape) -> io::Result<()> {
        let short = match escape {
            CharEscape::Quote => "\\\"",
            CharEscape::ReverseSolidus => "\\\\",
            CharEscape::Solidus => "\\/",
            CharEscape::Backspace => "\\b",
            CharEscape::FormFeed => "\\f",
            CharEscape::LineFeed => "\\n",
            CharEscape::CarriageReturn => "\\r",
            CharEscape::Tab => "\\t",
            CharEscape::AsciiControl(byte) => return write!(writer, "\\u{byte:04X}"),
        };
        writer.write_all(short.as_bytes())
    }
}

/// A finite number as `Double.toString` has it: the shortest digits that give it back, but at least two; an
/// exponent below 0.001 and from 10,000,000 on.
fn float<T: Copy + PartialEq + Display + LowerExp + FromStr>(value: T) -> String {
    let two = format!("{value:.1e}");
    // Of two digits, those next to the value, where they do.
    let digits = match two.parse::<T>() {
        Ok(same) if same == value => two,
        _ => format!("{value:e}"),
    };
    let (mantissa, exponent) = digits.split_once('e').unwrap_or((&digits, "0"));
    let (sign, mantissa) = match mantissa.strip_prefix('-') {
        Some(mantissa) => ("-", mantissa),
        None => ("", mantissa),
    };
    let exponent: i32 = exponent.parse().unwrap_or_default();
    let all = mantissa.replace('.', "");
    if all.bytes().all(|digit| digit == b'0') {
        return format!("{sign}0.0");
    }
    match exponent {
        0..=6 => {
            let whole = exponent as usize + 1;
            let padded = format!("{all:0<width$}", width = whole + 1);
            let (whole, part) = padded.split_at(whole);
            let part = match part.trim_end_matches('0') {
                "" => "0",
                part => part,
            };
            format!("{sign}{whole}.{part}")
        }
        -3..=-1 => {
            let zeros = "0".repeat((-exponent - 1) as usize);
            format!("{sign}0.{zeros}{}", all.trim_end_matches('0'))
        }
        _ => format!("{sign}{mantissa}E{exponent}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_as_java_prints_them() {
        let doubles = [
            (0.0, "0.0"),
            (-0.0, "-0.0"),
            (1.0, "1.0"),
            (-2799.59, "-2799.59"),
            (0.001, "0.001"),
            (0.05, "0.05"),
            (0.000_999, "9.99E-4"),
            (9_999_999.0, "9999999.0"),
            (1e7, "1.0E7"),
            (12_345_678.5, "1.23456785E7"),
            (2e23, "2.0E23"),
            (5e-324, "4.9E-324"),
            (f64::MAX, "1.7976931348623157E308"),
            (120.0, "120.0"),
        ];
        for (value, text) in doubles {
            assert_eq!(float(value), text);
        }
        let singles = [
            (1e-45f32, "1.4E-45"),
            (0.1, "0.1"),
            (16_777_216.0, "1.6777216E7"),
            (f32::MIN_POSITIVE, "1.1754944E-38"),
        ];
        for (value, text) in singles {
            assert_eq!(float(value), text);
        }
    }

    #[test]
    fn texts_are_as_java_prints_them() {
        let mut out = Vec::new();
        let text = "a\u{f}\"é日😀b\u{7f}";
        serde::Serialize::serialize(text, &mut serde_json::Serializer::with_formatter(&mut out, Java))
            .unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "\"a\\u000F\\\"é日\\uD83D\\uDE00b\u{7f}\"");
    }
}
