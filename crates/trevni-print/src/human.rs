//! Numbers for people.

/// A count, with commas.
pub fn thousands(count: u64) -> String {
    let digits = count.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A count and what is counted: `1 row`, `2,000 rows`.
pub fn count(count: u64, what: &str) -> String {
    format!("{} {what}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// A float with four digits, or more where there are more before the point: `120.2`, `0.01234`, `1.5e20`.
pub fn rounded(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() || size >= 1e15 || (size < 1e-4 && size > 0.0) {
        return match format!("{value:.3e}").split_once('e') {
            Some((digits, exponent)) => {
                format!("{}e{exponent}", digits.trim_end_matches('0').trim_end_matches('.'))
            }
            None => value.to_string(),
        };
    }
    let before = if size < 1.0 { size.max(1e-5).log10().ceil() } else { size.log10().floor() + 1.0 };
    let digits = (4.0 - before).max(1.0) as usize;
    let text = format!("{value:.digits$}");
    match text.trim_end_matches('0') {
        whole if whole.ends_with('.') => format!("{whole}0"),
        cut => cut.to_owned(),
    }
}

/// Bytes in binary units: `12 B`, `1.2 KiB`.
pub fn bytes(count: u64) -> String {
    const UNITS: [&str; 5] = ["KiB", "MiB", "GiB", "TiB", "PiB"];
    if count < 1024 {
        return format!("{count} B");
    }
    let mut value = count as f64 / 1024.0;
    let mut unit = 0;
    while value >= 1023.95 && unit + 1 < UNITS.len() {
        value /= 1024.0;
        unit += 1;
    }
    format!("{value:.1} {}", UNITS[unit])
}

/// A number in few characters: whole ones and short ones as they are, others with two decimals.
pub fn short(value: f64) -> String {
    let whole = value.to_string();
    match value.abs() {
        _ if whole.len() <= 8 => whole,
        0.01..1e9 => format!("{value:.2}"),
        _ if !value.is_finite() => whole,
        _ => format!("{value:.2e}"),
    }
}

/// A number of bytes: `4096`, `64KiB`, `1MB`, `2m`.
pub fn bytes_of(text: &str) -> Result<usize, String> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let number: usize = number.parse().map_err(|_| "a number of bytes, such as 64KiB".to_owned())?;
    let factor = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        "k" | "kib" => 1 << 10,
        "kb" => 1000,
        "m" | "mib" => 1 << 20,
        "mb" => 1_000_000,
        "g" | "gib" => 1 << 30,
        "gb" => 1_000_000_000,
        unit => return Err(format!("{unit:?} is no unit; there are KiB, MiB and GiB")),
    };
    number.checked_mul(factor).filter(|bytes| *bytes > 0).ok_or_else(|| "out of range".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!([0, 999, 1000, 1_234_567].map(thousands), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!([0, 1, 2000].map(|number| count(number, "row")), ["0 rows", "1 row", "2,000 rows"]);
        let floats = [0.0, 120.160_237, -12.639_07, 1039.912, 0.012_345, 0.5, 7.0, 1.5e20, 1e-9, 0.000_5];
        let shown = ["0.0", "120.2", "-12.64", "1039.9", "0.01235", "0.5", "7.0", "1.5e20", "1e-9", "0.0005"];
        assert_eq!(floats.map(rounded), shown);
        assert_eq!([f64::NAN, f64::NEG_INFINITY].map(rounded), ["NaN", "-inf"]);
        let sizes = [0, 1023, 1024, 1_288_490, 1 << 40, 1_048_575].map(bytes);
        assert_eq!(sizes, ["0 B", "1023 B", "1.0 KiB", "1.2 MiB", "1.0 TiB", "1.0 MiB"]);
        let numbers =
            [6.5485, 1039.912, -43.0, 0.1 + 0.2, 1234.5678, 1e300, 1.23456e-7, f64::NEG_INFINITY].map(short);
        assert_eq!(numbers, ["6.5485", "1039.912", "-43", "0.30", "1234.57", "1.00e300", "1.23e-7", "-inf"]);
    }

    #[test]
    fn sizes_have_units() {
        let sizes = ["1", "64KiB", "64k", "2 MB", "1GiB"].map(|text| bytes_of(text).unwrap());
        assert_eq!(sizes, [1, 65536, 65536, 2_000_000, 1 << 30]);
        for wrong in ["", "0", "KiB", "1TiB2", "99999999999999999999", "18446744073709551615k"] {
            assert!(bytes_of(wrong).is_err(), "{wrong}");
        }
    }
}
