//! The characters that pictures are drawn with: ASCII where the locale has no others. Data is printed as it is.

use std::sync::OnceLock;

/// What is drawn, in one of the two ways.
#[derive(Debug, PartialEq)]
pub struct Drawing {
    /// For what is cut off, or is not printed.
    pub ellipsis: &'static str,
    /// For what is not known.
    pub unknown: &'static str,
    /// Between the ends of a range.
    pub to: &'static str,
    /// After a factor.
    pub times: &'static str,
    /// From what was to what is.
    pub arrow: &'static str,
    /// A full character of a horizontal bar, and its fractions, the smallest first.
    pub bar: &'static str,
    pub bar_parts: &'static [&'static str],
    /// Vertical bars, the lowest first.
    pub heights: &'static [&'static str],
    /// Before a field of a tree, and before the last one; below them.
    pub forks: [&'static str; 2],
    pub lines: [&'static str; 2],
    /// Beside points, at the corner and below them.
    pub axes: [&'static str; 3],
    /// What is done, the place that it is at, and what is to do.
    pub progress: &'static str,
    /// After a column that is sorted, upwards and downwards.
    pub sorted: [&'static str; 2],
    /// Before what is folded and what is unfolded.
    pub folds: [&'static str; 2],
}

const UNICODE: Drawing = Drawing {
    ellipsis: "…",
    unknown: "–",
    to: "–",
    times: "×",
    arrow: "→",
    bar: "█",
    bar_parts: &["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"],
    heights: &["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"],
    forks: ["├─ ", "└─ "],
    lines: ["│  ", "   "],
    axes: ["│", "└", "─"],
    progress: "━╸━",
    sorted: ["↑", "↓"],
    folds: ["▸", "▾"],
};

const ASCII: Drawing = Drawing {
    ellipsis: "~",
    unknown: "-",
    to: "-",
    times: "x",
    arrow: "->",
    bar: "#",
    bar_parts: &["", "#"],
    heights: &[".", ":", "|", "#"],
    forks: ["|- ", "`- "],
    lines: ["|  ", "   "],
    axes: ["|", "+", "-"],
    progress: "=>-",
    sorted: ["^", "v"],
    folds: ["+", "-"],
};

/// The characters of this process.
pub fn drawing() -> &'static Drawing {
    if is_ascii() { &ASCII } else { &UNICODE }
}

/// What marks text that is cut off.
pub fn ellipsis() -> &'static str {
    drawing().ellipsis
}

/// A bar of a share between 0 and 1, at most so wide.
pub fn bar(share: f64, width: usize) -> String {
    drawing().bar(share, width)
}

/// Whether only ASCII is drawn; not before a program has said so.
static ASCII_ONLY: OnceLock<bool> = OnceLock::new();

/// Draws what the terminal can show from now on: only ASCII with `TREVNI_ASCII`, or where the locale says that it is not UTF-8. Programs
/// call this first.
pub fn follow_locale() {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let is_ascii = set("TREVNI_ASCII").is_some() || locale.is_some_and(|locale| !is_utf8(&locale));
    ASCII_ONLY.get_or_init(|| is_ascii);
}

fn is_ascii() -> bool {
    ASCII_ONLY.get().copied().unwrap_or(false)
}

fn is_utf8(locale: &str) -> bool {
    let locale = locale.to_ascii_lowercase();
    locale.contains("utf-8") || locale.contains("utf8")
}

impl Drawing {
    pub fn is_ascii(&self) -> bool {
        self.bar.is_ascii()
    }

    fn bar(&self, share: f64, width: usize) -> String {
        let parts = self.bar_parts.len();
        // Where there are no parts of a character, it is the nearest whole one.
        let parts = if parts > 2 { parts } else { 1 };
        let all = (share.clamp(0.0, 1.0) * (width * parts) as f64).round() as usize;
        let part = self.bar_parts.get(all % parts).copied().unwrap_or_default();
        format!("{}{part}", self.bar.repeat(all / parts))
    }

    /// A bar for each of the counts, in one line: the greatest has the whole height, and 0 none.
    pub fn heights(&self, counts: &[u64]) -> String {
        let most = counts.iter().max().copied().unwrap_or(0).max(1) as f64;
        let steps = self.heights.len();
        let bar = |count: &u64| match (*count as f64 / most * steps as f64).ceil() as usize {
            0 => " ",
            height => self.heights.get(height.min(steps) - 1).copied().unwrap_or_default(),
        };
        counts.iter().map(bar).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_have_parts_of_characters_where_there_are_some() {
        let shares = [(0.5, 4), (1.0, 3), (0.0, 3), (0.55, 2)];
        assert_eq!(shares.map(|(share, width)| UNICODE.bar(share, width)), ["██", "███", "", "█▏"]);
        assert_eq!(shares.map(|(share, width)| ASCII.bar(share, width)), ["##", "###", "", "#"]);
        assert_eq!(UNICODE.heights(&[1, 2, 0, 1]), "▄█ ▄");
        assert_eq!(ASCII.heights(&[1, 2, 0, 1]), ":# :");
        assert_eq!(ASCII.heights(&[]), "");
    }

    #[test]
    fn locales_say_whether_they_are_utf_8() {
        assert!(is_utf8("de_DE.UTF-8") && is_utf8("C.utf8") && !is_utf8("C") && !is_utf8("de_DE"));
    }

    #[test]
    fn ascii_is_ascii() {
        assert!(format!("{ASCII:?}").is_ascii());
    }
}
