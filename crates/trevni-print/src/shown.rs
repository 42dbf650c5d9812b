//! Text for people: what would steer a terminal, or hide what is written, is shown and not done.

use crate::drawing::ellipsis;
use std::borrow::Cow;
use std::fmt::{Display, Write as _};
use std::io::Write as _;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// A text on one line, with `\n`, `\u001b` and the like for control characters and characters that change the
/// direction of writing. Names, cells and messages pass through here before they are printed.
pub fn shown(text: &str) -> Cow<'_, str> {
    escaped(text, steers)
}

/// Prints a line on standard error: a start with styles, then a text as [`shown`]. Where standard error takes no more,
/// the line is lost: that is no fault of the work it tells of.
pub fn tell(start: impl Display, text: &str) {
    let _ = writeln!(anstream::stderr(), "{start}{}", shown(text));
}

/// Bytes of any format that go to a terminal: lines and tabs stay, all else is as [`shown`] has it, which is
/// valid in strings of JSON too. What is not UTF-8 stays.
pub fn for_terminal(bytes: &[u8]) -> Cow<'_, [u8]> {
    let stays = |c: char| matches!(c, '\n' | '\t');
    let steers = |c: char| steers(c) && !stays(c);
    if bytes.utf8_chunks().all(|chunk| !chunk.valid().contains(steers)) {
        return Cow::Borrowed(bytes);
    }
    let mut out = Vec::with_capacity(bytes.len() + 64);
    for chunk in bytes.utf8_chunks() {
        out.extend_from_slice(escaped(chunk.valid(), steers).as_bytes());
        out.extend_from_slice(chunk.invalid());
    }
    Cow::Owned(out)
}

/// Whether a character is no letter or sign, but controls a terminal or an editor.
fn steers(c: char) -> bool {
    let directs =
        matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    c.is_control() || directs || matches!(c, '\u{2028}' | '\u{2029}')
}

fn escaped(text: &str, steers: impl Fn(char) -> bool) -> Cow<'_, str> {
    if !text.contains(&steers) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match c {
            c if !steers(c) => out.push(c),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            // Writing to a string does not fail.
            c => drop(write!(out, "\\u{:04x}", u32::from(c))),
        }
    }
    Cow::Owned(out)
}

/// A text that is not wider than this; an ellipsis marks what is cut off.
pub fn cut(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut: String = text.chars().take_while(fitting(width)).collect();
    cut.push_str(ellipsis());
    cut
}

/// Whether characters fit a width beside an ellipsis.
pub fn fitting(width: usize) -> impl FnMut(&char) -> bool {
    let mut used = 1;
    move |c| {
        used += c.width().unwrap_or(0);
        used <= width
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_shown() {
        assert!(matches!(shown("plain é 日本 😀 \\n"), Cow::Borrowed("plain é 日本 😀 \\n")));
        assert_eq!(shown("a\x1b[31m\tb\r\n\0\x7f"), "a\\u001b[31m\\tb\\r\\n\\u0000\\u007f");
        let directions = "\u{61c}\u{200e}\u{200f}\u{202a}\u{202e}\u{2066}\u{2069}\u{85}\u{9b}\u{2028}";
        let expected = r"\u061c\u200e\u200f\u202a\u202e\u2066\u2069\u0085\u009b\u2028";
        assert_eq!(shown(directions), expected);
        for c in ('\0'..' ').chain('\x7f'..='\u{9f}').chain(directions.chars()) {
            assert!(!shown(&c.to_string()).contains(c), "{c:?}");
        }
    }

    #[test]
    fn lines_and_tabs_go_to_a_terminal() {
        assert_eq!(&*for_terminal(b"a\tb\n\x1bc\r"), b"a\tb\n\\u001bc\\r");
        assert_eq!(&*for_terminal(b"\xff\x1b\xe2\x80"), b"\xff\\u001b\xe2\x80");
        assert!(matches!(for_terminal("é\n".as_bytes()), Cow::Borrowed(_)));
    }
}
