//! Durations as strings: ISO 8601, `P1Y2M3DT4H5M6.789S`.
//!
//! Months and days have no length that is always the same, so only months become years, and only milliseconds
//! hours, minutes and seconds. Each duration has one text, without parts that are zero.

use super::digits::{Digits, push_padded};
use std::fmt::Write;

/// Months, days and milliseconds as three little-endian numbers; `None` where that is no duration, a negative one, or
/// one that is too long. Parts may be greater than the next one is.
pub(super) fn parse(text: &str) -> Option<[u8; 12]> {
    let mut digits = Digits::new(text);
    digits.take(b"P")?;
    let (mut months, mut days, mut millis) = (0_u64, 0_u64, 0_u64);
    let mut rest: &[(u8, u64)] = &[(b'Y', 12), (b'M', 1), (b'W', 7), (b'D', 1)];
    let (mut is_time, mut parts) = (false, 0_u32);
    loop {
        if !is_time && digits.take(b"T").is_some() {
            (is_time, rest, parts) = (true, &[(b'H', 3_600_000), (b'M', 60_000), (b'S', 1000)], 0);
        }
        if digits.is_empty() {
            break;
        }
        let number: u64 = std::str::from_utf8(digits.all()).ok()?.parse().ok()?;
        let fraction = match digits.take(b".") {
            Some(_) => Some(digits.billionths()?),
            None => None,
        };
        let unit = digits.take(b"YMWDHS")?;
        let place = rest.iter().position(|(name, _)| *name == unit)?;
        let (_, factor) = *rest.get(place)?;
        rest = rest.get(place + 1..)?;
        let sum = match (is_time, unit) {
            (true, _) => &mut millis,
            (false, b'Y' | b'M') => &mut months,
            (false, _) => &mut days,
        };
        *sum = number.checked_mul(factor).and_then(|number| sum.checked_add(number))?;
        if let Some(nanos) = fraction {
            if !is_time || unit != b'S' || nanos % 1_000_000 != 0 {
                return None;
            }
            *sum = sum.checked_add(u64::from(nanos / 1_000_000))?;
        }
        parts += 1;
    }
    if parts == 0 {
        return None;
    }
    let mut bytes = [0; 12];
    for (place, number) in bytes.chunks_exact_mut(4).zip([months, days, millis]) {
        place.copy_from_slice(&u32::try_from(number).ok()?.to_le_bytes());
    }
    Some(bytes)
}

/// Appends a duration; false where these are not 12 bytes.
pub(super) fn format(bytes: &[u8], out: &mut String) -> bool {
    let numbers = bytes.as_chunks::<4>().0;
    let ([months, days, millis], 12) = (numbers, bytes.len()) else {
        return false;
    };
    let [months, days, millis] = [months, days, millis].map(|number| u32::from_le_bytes(*number));
    let part = |out: &mut String, number: u32, unit: char| {
        if number > 0 {
            // Nothing that is written to a `String` fails.
            let _ = write!(out, "{number}{unit}");
        }
    };
    out.push('P');
    part(out, months / 12, 'Y');
    part(out, months % 12, 'M');
    part(out, days, 'D');
    if millis > 0 || (months == 0 && days == 0) {
        out.push('T');
        part(out, millis / 3_600_000, 'H');
        part(out, millis / 60_000 % 60, 'M');
        let (seconds, fraction) = (millis / 1000 % 60, millis % 1000);
        if seconds > 0 || fraction > 0 || millis == 0 {
            let _ = write!(out, "{seconds}");
            if fraction > 0 {
                out.push('.');
                push_padded(out, fraction.into(), 3);
                out.truncate(out.trim_end_matches('0').len());
            }
            out.push('S');
        }
    }
    true
}
