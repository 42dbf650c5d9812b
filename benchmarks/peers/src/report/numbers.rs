//! How numbers are shown.

/// Nanoseconds: three digits or more.
pub fn nanoseconds(value: f64) -> String {
    match value {
        value if value < 10.0 => format!("{value:.2}"),
        value if value < 100.0 => format!("{value:.1}"),
        value => thousands(value.round() as usize),
    }
}

/// A ratio: two digits behind the point, more where it is small.
pub fn ratio(value: f64) -> String {
    if value < 0.1 { format!("{value:.3}") } else { format!("{value:.2}") }
}

/// A count, with commas.
pub fn thousands(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A table of Markdown; the columns behind the first are numbers.
pub fn table(header: &[&str], rows: &[Vec<String>]) -> String {
    let mut text = format!("| {} |\n|---|", header.join(" | "));
    text.push_str(&"--:|".repeat(header.len().saturating_sub(1)));
    text.push('\n');
    for row in rows {
        text.push_str(&format!("| {} |\n", row.join(" | ")));
    }
    text
}
