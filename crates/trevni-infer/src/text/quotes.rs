//! What the values of cells do not show: which of them are in quotes, and lines without any.

use super::dialect::Dialect;

/// For each cell of a row whether it is in quotes. The row begins the text, after the end of the line before, and after comments.
pub(crate) fn quoted(row: &[u8], dialect: Dialect, out: &mut Vec<bool>) {
    out.clear();
    let mut rest = row;
    loop {
        let start = rest.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(rest.len());
        rest = rest.get(start..).unwrap_or_default();
        match rest.first() {
            Some(first) if Some(*first) == dialect.comment => {
                let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                rest = rest.get(end..).unwrap_or_default();
            }
            _ => break,
        }
    }
    // A mark of the encoding.
    rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
    loop {
        let is_quoted = rest.first() == Some(&dialect.quote);
        out.push(is_quoted);
        let content = if is_quoted { behind_quotes(rest, dialect) } else { rest };
        let end = content.iter().position(|byte| *byte == dialect.delimiter || matches!(byte, b'\r' | b'\n'));
        match end.and_then(|end| content.get(end..)) {
            Some([byte, after @ ..]) if *byte == dialect.delimiter => rest = after,
            _ => return,
        }
    }
}

/// What comes after a cell in quotes, in which a doubled quote is one, and one behind an escape.
fn behind_quotes(cell: &[u8], dialect: Dialect) -> &[u8] {
    let Dialect { quote, escape, .. } = dialect;
    let mut rest = cell.get(1..).unwrap_or_default();
    while let Some(at) = memchr::memchr2(quote, escape.unwrap_or(quote), rest) {
        let is_escape = rest.get(at).copied() == escape;
        rest = rest.get(at + 1..).unwrap_or_default();
        match rest {
            [_, after @ ..] if is_escape => rest = after,
            [next, after @ ..] if *next == quote => rest = after,
            _ => return rest,
        }
    }
    &[]
}

/// Number of lines without a character from a place on, at which a row has ended or the text begins.
pub(super) fn empty_lines(text: &[u8], from: usize) -> u64 {
    let mut rest = text.get(from..).unwrap_or_default();
    // The second half of the end of a line.
    if from > 0 && text.get(from - 1) == Some(&b'\r') {
        rest = rest.strip_prefix(b"\n").unwrap_or(rest);
    }
    let mut lines = 0;
    loop {
        rest = match rest {
            [b'\r', b'\n', after @ ..] | [b'\r' | b'\n', after @ ..] => after,
            _ => return lines,
        };
        lines += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_are_seen() {
        let of = |row: &str| {
            let mut out = Vec::new();
            let dialect = Dialect { escape: Some(b'\\'), comment: Some(b'#'), ..Dialect::default() };
            quoted(row.as_bytes(), dialect, &mut out);
            out.iter().map(|is| if *is { 'q' } else { '-' }).collect::<String>()
        };
        assert_eq!(of("a,,\"\",\"b,c\"\n\"next\""), "--qq");
        assert_eq!(of("\r\n\"a\"\"\n,\",\"\"x,,5\"\r\n"), "qq--");
        assert_eq!([of("#a,\n# \"\n\"\",a"), of("\"a\\\",\",\"\"")], ["q-", "qq"]);
        assert_eq!([of(""), of(","), of("\""), of("\"\","), of("\u{feff}\"\"")], ["-", "--", "q", "q-", "q"]);
    }

    #[test]
    fn empty_lines_are_counted() {
        let of = |text: &str, from| empty_lines(text.as_bytes(), from);
        assert_eq!([of("", 0), of("a", 0), of("\n\na", 0), of("1\n\n\n", 2)], [0, 0, 2, 2]);
        assert_eq!([of("1\r\n2", 2), of("1\r\n\r\n2", 2), of("1\r\n\r\n", 3), of("\r\r\n", 0)], [0, 1, 1, 2]);
    }
}
