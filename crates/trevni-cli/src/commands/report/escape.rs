//! Texts of files in HTML: as text, whatever they hold.

use crate::shown::shown;
use std::fmt::{self, Write};

/// A text that is shown as it is, in an element or an attribute with quotes; what would steer is escaped.
pub(super) struct Escaped<'t>(pub(super) &'t str);

impl fmt::Display for Escaped<'_> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_is_markup() {
        let text = "</script><b a='1' b=\"2\">&amp;\u{202e}\u{0}é";
        let expected = "&lt;/script&gt;&lt;b a=&#39;1&#39; b=&quot;2&quot;&gt;&amp;amp;\\u202e\\u0000é";
        assert_eq!(Escaped(text).to_string(), expected);
    }
}
