//! Statements of a text, and whether one is whole.

use super::depth::Depth;
use datafusion::sql::sqlparser::dialect::GenericDialect;
use datafusion::sql::sqlparser::tokenizer::{
    Location, Token, TokenWithSpan, Tokenizer, TokenizerError, Whitespace,
};

/// What is to be run, without what separates it from others.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Statement<'t> {
    /// A statement of SQL, and the lines of the text before its first one.
    Sql { text: &'t str, lines: u64 },
    /// A command of the shell, such as `\d flights` or `.tables`.
    Command(&'t str),
}

/// The statements of a text: a semicolon ends one, and so does the end of the text. A line that begins with a
/// backslash or a point where a statement could begin is a command.
///
/// # Errors
///
/// A text, a name or a comment without an end; more operators in a row than the engine takes.
pub(super) fn statements(text: &str) -> Result<Vec<Statement<'_>>, TokenizerError> {
    let tokens = Tokenizer::new(&GenericDialect {}, text).tokenize_with_location()?;
    let mut places = Places::new(text);
    let (mut found, mut open) = (Vec::new(), Open::Nothing);
    let mut depth = Depth::default();
    for TokenWithSpan { token, span } in tokens {
        depth.add(&token).map_err(|message| TokenizerError { message, location: span.start })?;
        let is_line_end = matches!(&token, Token::Whitespace(Whitespace::Newline));
        open = match (open, token) {
            (Open::Nothing, Token::Whitespace(_) | Token::SemiColon) => Open::Nothing,
            (Open::Nothing, Token::Backslash | Token::Period) => Open::Command(places.at(span.start)),
            (Open::Nothing, _) => Open::Sql(places.at(span.start), span.start.line.saturating_sub(1)),
            (Open::Command(start), _) if is_line_end => {
                found.push(Statement::Command(places.text(start, span.start)));
                Open::Nothing
            }
            (Open::Sql(start, lines), Token::SemiColon) => {
                found.push(Statement::Sql { text: places.text(start, span.start), lines });
                Open::Nothing
            }
            (open, _) => open,
        };
    }
    match open {
        Open::Nothing => {}
        Open::Command(start) => {
            found.push(Statement::Command(text.get(start..).unwrap_or_default().trim_end()))
        }
        Open::Sql(start, lines) => {
            found.push(Statement::Sql { text: text.get(start..).unwrap_or_default().trim_end(), lines });
        }
    }
    Ok(found)
}

/// The unfinished statement, with its first byte, and the lines before.
#[derive(Clone, Copy)]
enum Open {
    Nothing,
    Command(usize),
    Sql(usize, u64),
}

/// Whether a text can be run as it is: no line is missing.
pub(super) fn is_whole(text: &str) -> bool {
    if text.trim_start().starts_with(['\\', '.']) {
        return true;
    }
    let tokens = match Tokenizer::new(&GenericDialect {}, text).tokenize() {
        Ok(tokens) => tokens,
        // What has no end yet may get one; other mistakes are told when it runs.
        Err(error) => return !(error.message.contains("nterminated") || error.message.contains("EOF")),
    };
    let last = tokens.iter().rev().find(|token| !matches!(token, Token::Whitespace(_)));
    last.is_none_or(|token| *token == Token::SemiColon)
}

/// Turns lines and columns, which count characters from 1, into bytes. Places are asked for from the first to the last.
struct Places<'t> {
    text: &'t str,
    byte: usize,
    line: u64,
    column: u64,
}

impl<'t> Places<'t> {
    fn new(text: &'t str) -> Self {
        Self { text, byte: 0, line: 1, column: 1 }
    }

    fn at(&mut self, place: Location) -> usize {
        let rest = self.text.get(self.byte..).unwrap_or_default();
        for c in rest.chars() {
            if (self.line, self.column) >= (place.line, place.column) {
                break;
            }
            self.byte += c.len_utf8();
            (self.line, self.column) =
                if c == '\n' { (self.line + 1, 1) } else { (self.line, self.column + 1) };
        }
        self.byte
    }

    fn text(&mut self, start: usize, end: Location) -> &'t str {
        let end = self.at(end);
        self.text.get(start..end).unwrap_or_default().trim_end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sql(text: &str, lines: u64) -> Statement<'_> {
        Statement::Sql { text, lines }
    }

    #[test]
    fn semicolons_end_statements_but_not_within_texts_names_and_comments() {
        let text = "SELECT ';' AS \"a;b\" -- no; end\n;\n\n  /* ; */ SELECT 'é;\n' , 2;;SELECT 3 ";
        let found = statements(text).unwrap();
        let expected =
            [sql("SELECT ';' AS \"a;b\" -- no; end", 0), sql("SELECT 'é;\n' , 2", 3), sql("SELECT 3", 4)];
        assert_eq!(found, expected);
        assert_eq!(statements(" -- nothing\n ; ").unwrap(), []);
    }

    #[test]
    fn commands_are_lines() {
        let text = "\\d\n SELECT 1;\n\\d 'a.trv'\nSELECT 2";
        let expected = [
            Statement::Command("\\d"),
            sql("SELECT 1", 1),
            Statement::Command("\\d 'a.trv'"),
            sql("SELECT 2", 3),
        ];
        assert_eq!(statements(text).unwrap(), expected);
    }

    #[test]
    fn what_has_no_end_is_not_whole() {
        for whole in ["", "  ", "SELECT 1;", "SELECT ';' ; -- x", "\\d", "-- a comment", ";"] {
            assert!(is_whole(whole), "{whole}");
        }
        for open in
            ["SELECT 1", "SELECT ';", "SELECT \"a;", "SELECT 1; /* ;", "SELECT 1; SELECT", "SELECT $$;"]
        {
            assert!(!is_whole(open), "{open}");
        }
        assert!(statements("SELECT 'a").is_err());
    }
}
