//! What the values of cells do not show: which of them are in quotes, and lines without any.

/// For each cell of a row whether it is in quotes. The row begins the text, after the end of the line before.
pub(super) fn quoted(row: &[u8], delimiter: u8, out: &mut Vec<bool>) {
    out.clear();
    let start = row.iter().position(|byte| !matches!(byte, b'\r' | b'\n')).unwrap_or(row.len());
    let mut rest = row.get(start..).unwrap_or_default();
    // A mark of the encoding.
    rest = rest.strip_prefix(b"\xef\xbb\xbf").unwrap_or(rest);
    loop {
        let is_quoted = rest.first() == Some(&b'"');
        out.push(is_quoted);
        let content = if is_quoted { behind_quotes(rest) } else { rest };
        let end = content.iter().position(|byte| *byte == delimiter || matches!(byte, b'\r' | b'\n'));
        match end.and_then(|end| content.get(end..)) {
            Some([byte, after @ ..]) if *byte == delimiter => rest = after,
            _ => return,
        }
    }
}

/// What comes after a cell in quotes, in which a doubled quote is one.
fn behind_quotes(cell: &[u8]) -> &[u8] {
    let mut rest = cell.get(1..).unwrap_or_default();
    while let Some(at) = memchr::memchr(b'"', rest) {
        rest = rest.get(at + 1..).unwrap_or_default();
        match rest.strip_prefix(b"\"") {
            Some(after) => rest = after,
            None => return rest,
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
            quoted(row.as_bytes(), b',', &mut out);
            out.iter().map(|is| if *is { 'q' } else { '-' }).collect::<String>()
        };
        assert_eq!(of("a,,\"\",\"b,c\"\n\"next\""), "--qq");
        assert_eq!(of("\r\n\"a\"\"\n,\",\"\"x,,5\"\r\n"), "qq--");
        assert_eq!([of(""), of(","), of("\""), of("\"\","), of("\u{feff}\"\"")], ["-", "--", "q", "q-", "q"]);
    }

    #[test]
    fn empty_lines_are_counted() {
        let of = |text: &str, from| empty_lines(text.as_bytes(), from);
        assert_eq!([of("", 0), of("a", 0), of("\n\na", 0), of("1\n\n\n", 2)], [0, 0, 2, 2]);
        assert_eq!([of("1\r\n2", 2), of("1\r\n\r\n2", 2), of("1\r\n\r\n", 3), of("\r\r\n", 0)], [0, 1, 1, 2]);
    }
}
