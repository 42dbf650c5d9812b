//! Strings of files in HTML: as text, whatever they hold.

use crate::shown::{cut, shown};
use std::fmt::{self, Display, Write};

/// A text that is shown as it is, in an element or an attribute with quotes; what would steer is escaped.
pub(super) struct Escaped<'t>(pub(super) &'t str);

impl Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in shown(self.0).chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

/// Characters of a name.
const NAME: usize = 120;

/// A name of a file, with its end cut off where it is very long.
pub(super) fn name(text: &str) -> String {
    Escaped(&cut(text, NAME)).to_string()
}

/// As [`name`], for elements: lines may break after dots and low lines.
pub(super) fn breaking_name(text: &str) -> String {
    name(text).replace('.', ".<wbr>").replace('_', "_<wbr>")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup() {
        let text = "</script><b a='1' b=\"2\">&amp;\u{202e}\u{0}é";
        let expected = "&lt;/script&gt;&lt;b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;amp;\\u202e\\u0000é";
        assert_eq!(Escaped(text).to_string(), expected);
        assert_eq!(name(&"<".repeat(1000)), "&lt;".repeat(NAME - 1) + "…");
        assert_eq!(breaking_name("a.b_<"), "a.<wbr>b_<wbr>&lt;");
    }
}
