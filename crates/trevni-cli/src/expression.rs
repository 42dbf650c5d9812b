//! Conditions as text: `delay > 60 and carrier in ("AA", "UA")`.
//!
//! | | |
//! |---|---|
//! | comparisons | `=`, `!=`, `<`, `<=`, `>`, `>=`, `between 1 and 5`, `in (1, 2)`, `not in (…)` |
//! | texts | `starts with "N"`, `like "N%"` with one `%` at the end |
//! | missing | `is null`, `is not null` |
//! | lists and maps | `any(stops, item = "JFK")`, `any(hops, host = "a" and date > 3)` |
//! | joined by | `and`, `or`, `not`, brackets |
//! | fields | `delay`, `sender.host`, `` `a field` ``; `item` is an item itself |
//! | values | numbers, `"text"` or `'text'`, `true`, `false` |

use crate::failure::Failure;
use trevni::{Col, Literal, Predicate, col};

/// Reads a condition.
pub(crate) fn parse(text: &str) -> Result<Predicate, Failure> {
    let mut parser = Parser { text, tokens: tokens(text)?, at: 0 };
    let predicate = parser.any_of()?;
    match parser.peek() {
        None => Ok(predicate),
        Some(_) => Err(parser.expected("and, or, or the end")),
    }
}

#[derive(Clone, Debug, PartialEq)]
enum Token {
    /// A word or path, as it is written.
    Name(String),
    /// A path in back quotes.
    Quoted(String),
    Text(String),
    Number(String),
    Symbol(&'static str),
}

struct Placed {
    token: Token,
    start: usize,
}

const SYMBOLS: [&str; 11] = ["!=", "<>", "<=", ">=", "==", "=", "<", ">", "(", ")", ","];

/// The words and symbols of a condition.
fn tokens(text: &str) -> Result<Vec<Placed>, Failure> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let start = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok(tokens);
        };
        let (token, length) = match first {
            '"' | '\'' => {
                let (value, end) =
                    quoted(rest, first).ok_or_else(|| wrong(text, start, "this quote has no end"))?;
                (Token::Text(value), end)
            }
            '-' | '0'..='9' | '.' => {
                let part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-' | '+');
                let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
                (Token::Number(rest[..end].to_owned()), end)
            }
            _ if first.is_alphabetic() || matches!(first, '_' | '`') => {
                path(rest).ok_or_else(|| wrong(text, start, "this quote has no end"))?
            }
            _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                Some(symbol) => (Token::Symbol(symbol), symbol.len()),
                None => return Err(wrong(text, start, "this is no part of a condition")),
            },
        };
        tokens.push(Placed { token, start });
        rest = &rest[length..];
    }
}

/// A path of names, some of which may be in back quotes; and its length.
fn path(text: &str) -> Option<(Token, usize)> {
    let (mut name, mut at, mut plain) = (String::new(), 0, true);
    loop {
        let rest = &text[at..];
        if rest.starts_with('`') {
            let (part, end) = quoted(rest, '`')?;
            name.push_str(&part);
            (at, plain) = (at + end, false);
        } else {
            let part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
            let end = rest.find(|c| !part(c)).unwrap_or(rest.len());
            name.push_str(&rest[..end]);
            at += end;
        }
        if !text[at..].starts_with('.') {
            return Some((if plain { Token::Name(name) } else { Token::Quoted(name) }, at));
        }
        name.push('.');
        at += 1;
    }
}

/// A text in quotes, a doubled quote for one in it; and its length.
fn quoted(text: &str, quote: char) -> Option<(String, usize)> {
    let mut value = String::new();
    let mut chars = text.char_indices().skip(1).peekable();
    while let Some((at, next)) = chars.next() {
        if next != quote {
            value.push(next);
        } else if chars.next_if(|(_, after)| *after == quote).is_some() {
            value.push(quote);
        } else {
            return Some((value, at + 1));
        }
    }
    None
}

/// An error at a place of the text.
fn wrong(text: &str, at: usize, message: &str) -> Failure {
    let column = text[..at].chars().count();
    let failure = Failure::usage(format!("condition: {message}, at character {}", column + 1));
    failure.hint(format!("{text}\n  {}^", " ".repeat(column)))
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Placed>,
    at: usize,
}

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.at).map(|placed| &placed.token)
    }

    fn next(&mut self) -> Option<Token> {
        let token = self.peek().cloned();
        self.at += usize::from(token.is_some());
        token
    }

    fn expected(&self, what: &str) -> Failure {
        let at = self.tokens.get(self.at).map_or(self.text.len(), |placed| placed.start);
        wrong(self.text, at, &format!("{what} expected"))
    }

    /// Takes a word, whatever its case.
    fn word(&mut self, word: &str) -> bool {
        let is = matches!(self.peek(), Some(Token::Name(name)) if name.eq_ignore_ascii_case(word));
        self.at += usize::from(is);
        is
    }

    fn symbol(&mut self, symbol: &str) -> bool {
        let is = matches!(self.peek(), Some(Token::Symbol(other)) if *other == symbol);
        self.at += usize::from(is);
        is
    }

    fn need(&mut self, symbol: &str) -> Result<(), Failure> {
        if self.symbol(symbol) { Ok(()) } else { Err(self.expected(symbol)) }
    }

    /// Conditions joined by `or`.
    fn any_of(&mut self) -> Result<Predicate, Failure> {
        let mut all = self.all_of()?;
        while self.word("or") {
            all = all.or(self.all_of()?);
        }
        Ok(all)
    }

    /// Conditions joined by `and`.
    fn all_of(&mut self) -> Result<Predicate, Failure> {
        let mut all = self.single()?;
        while self.word("and") {
            all = all.and(self.single()?);
        }
        Ok(all)
    }

    fn single(&mut self) -> Result<Predicate, Failure> {
        if self.word("not") {
            return Ok(!self.single()?);
        }
        if self.symbol("(") {
            let predicate = self.any_of()?;
            self.need(")")?;
            return Ok(predicate);
        }
        let is_call = matches!(self.tokens.get(self.at + 1), Some(Placed { token: Token::Symbol("("), .. }));
        if is_call && self.word("any") {
            self.need("(")?;
            let list = self.path()?;
            self.need(",")?;
            let predicate = self.any_of()?;
            self.need(")")?;
            return Ok(list.any(predicate));
        }
        let place = self.path()?;
        self.comparison(place)
    }

    /// A field.
    fn path(&mut self) -> Result<Col, Failure> {
        match self.peek().cloned() {
            Some(Token::Name(name)) => {
                self.at += 1;
                // An item of a list, or a field of one.
                let path = name.strip_prefix("item").map(|rest| rest.strip_prefix('.').unwrap_or(rest));
                Ok(col(path.filter(|rest| rest.is_empty() || name.starts_with("item.")).unwrap_or(&name)))
            }
            Some(Token::Quoted(name)) => {
                self.at += 1;
                Ok(col(name))
            }
            _ => Err(self.expected("a field")),
        }
    }

    fn comparison(&mut self, place: Col) -> Result<Predicate, Failure> {
        if self.word("is") {
            let not = self.word("not");
            if !self.word("null") {
                return Err(self.expected("null"));
            }
            return Ok(if not { place.is_not_null() } else { place.is_null() });
        }
        if self.word("not") {
            let predicate = self.set_or_range(place)?;
            return predicate.map(|predicate| !predicate).ok_or_else(|| self.expected("in, between or like"));
        }
        if let Some(predicate) = self.set_or_range(place.clone())? {
            return Ok(predicate);
        }
        let Some(Token::Symbol(symbol)) = self.peek().cloned() else {
            return Err(self.expected("a comparison"));
        };
        self.at += 1;
        let compare: fn(Col, Literal) -> Predicate = match symbol {
            "=" | "==" => Col::eq,
            "!=" | "<>" => Col::ne,
            "<" => Col::lt,
            "<=" => Col::le,
            ">" => Col::gt,
            ">=" => Col::ge,
            _ => {
                self.at -= 1;
                return Err(self.expected("a comparison"));
            }
        };
        Ok(compare(place, self.literal()?))
    }

    /// `in`, `between`, `starts with`, `like`; none for something else.
    fn set_or_range(&mut self, place: Col) -> Result<Option<Predicate>, Failure> {
        if self.word("in") {
            self.need("(")?;
            let mut set = vec![self.literal()?];
            while self.symbol(",") {
                set.push(self.literal()?);
            }
            self.need(")")?;
            return Ok(Some(place.is_in(set)));
        }
        if self.word("between") {
            let low = self.literal()?;
            if !self.word("and") {
                return Err(self.expected("and"));
            }
            return Ok(Some(place.between(low, self.literal()?)));
        }
        if self.word("starts") {
            if !self.word("with") {
                return Err(self.expected("with"));
            }
            return Ok(Some(place.starts_with(self.literal()?)));
        }
        if self.word("like") {
            let at = self.at;
            let Some(Token::Text(pattern)) = self.next() else {
                self.at = at;
                return Err(self.expected("a text"));
            };
            return match pattern.strip_suffix('%') {
                Some(start) if !start.contains(['%', '_']) => Ok(Some(place.starts_with(start))),
                None if !pattern.contains(['%', '_']) => Ok(Some(place.eq(pattern))),
                _ => {
                    self.at = at;
                    Err(self.expected("a text with one % at its end"))
                }
            };
        }
        Ok(None)
    }

    fn literal(&mut self) -> Result<Literal, Failure> {
        let at = self.at;
        let value = match self.next() {
            Some(Token::Text(text)) => Some(Literal::from(text)),
            Some(Token::Number(number)) => {
                let plain = number.replace('_', "");
                let whole = plain.parse::<i128>().map(Literal::from);
                whole.or_else(|_| plain.parse::<f64>().map(Literal::from)).ok()
            }
            Some(Token::Name(name)) if name.eq_ignore_ascii_case("true") => Some(Literal::from(true)),
            Some(Token::Name(name)) if name.eq_ignore_ascii_case("false") => Some(Literal::from(false)),
            _ => None,
        };
        value.ok_or_else(|| {
            self.at = at;
            self.expected("a number, a \"text\", true or false")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads_as(text: &str, shown: &str) {
        assert_eq!(parse(text).unwrap().to_string(), shown, "{text}");
    }

    #[test]
    fn conditions_are_read() {
        reads_as("delay > 60", "delay > 60");
        reads_as("a = 1 and b != 'x' or not c is null", "a = 1 and b != \"x\" or not (c is null)");
        reads_as("(a=1 or b<2) and c>=-3.5e2", "(a = 1 or b < 2) and c >= -350.0");
        reads_as("d between 1 and 5 and e IN (1, 2)", "d between 1 and 5 and e in (1, 2)");
        reads_as("name like 'N%'", "name starts with \"N\"");
        reads_as("name not in ('it''s')", "not (name in (\"it's\"))");
        reads_as("`a field`.x is not null", "a field.x is not null");
        reads_as("any(hops, host = \"a\" and date > 3)", "any of hops (host = \"a\" and date > 3)");
        reads_as("any(tags, item = 'x') and items = true", "any of tags (item = \"x\") and items = true");
    }

    #[test]
    fn errors_say_where() {
        for (text, message) in [
            ("delay >", "a number, a \"text\", true or false expected, at character 8"),
            ("delay > 60 60", "and, or, or the end expected, at character 12"),
            ("delay ~ 3", "this is no part of a condition, at character 7"),
            ("a = 'x", "this quote has no end, at character 5"),
            ("a like '%x'", "a text with one % at its end expected, at character 8"),
            ("(a = 1", ") expected, at character 7"),
            ("", "a field expected, at character 1"),
            ("a is 3", "null expected, at character 6"),
        ] {
            let error = parse(text).unwrap_err();
            assert!(error.message().contains(message), "{text}: {}", error.message());
        }
    }
}
