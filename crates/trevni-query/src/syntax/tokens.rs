//! The words, numbers, strings and symbols of an expression.

use crate::error::Error;
use trevni::path::{PathName, Piece, piece};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A word.
    Name(String),
    /// Names joined by dots, or a name that is quoted.
    Path(Vec<PathName>),
    Text(String),
    Number(String),
    Symbol(&'static str),
}

/// A token and where it is in the text.
#[derive(Clone, Debug)]
pub(super) struct Spanned {
    pub(super) token: Token,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Those that begin with others come first.
const SYMBOLS: [&str; 22] = [
    "!=", "<>", "<=", ">=", "==", "&&", "||", "=", "<", ">", "(", ")", "[", "]", ",", "~", "+", "-", "*",
    "/", "%", "!",
];

pub(super) fn tokens(text: &str) -> Result<Vec<Spanned>, Error> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let start = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok(tokens);
        };
        let no_end = || Error::at(text, start, "this quote has no end");
        // A path goes on after an item: `hops[0].host`.
        let is_after_item = |last: &Spanned| last.token == Token::Symbol("]") && last.end == start;
        if first == '.' && tokens.last().is_some_and(is_after_item) {
            tokens.push(Spanned { token: Token::Symbol("."), start, end: start + 1 });
            rest = &rest[1..];
            continue;
        }
        let (token, length) = match first {
            '"' | '\'' => {
                let (value, end) = quoted(rest, first).ok_or_else(no_end)?;
                (Token::Text(value), end)
            }
            '0'..='9' | '.' => {
                let end = number(rest);
                (Token::Number(rest[..end].to_owned()), end)
            }
            _ if first.is_alphabetic() || matches!(first, '_' | '`' | '\\') => {
                path(rest).ok_or_else(no_end)?
            }
            _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                Some(symbol) => (Token::Symbol(symbol), symbol.len()),
                None => return Err(Error::at(text, start, "this is no part of an expression")),
            },
        };
        tokens.push(Spanned { token, start, end: start + length });
        rest = &rest[length..];
    }
}

/// The length of a number; a sign belongs to it only in its exponent.
fn number(text: &str) -> usize {
    let mut before = '0';
    for (at, next) in text.char_indices() {
        let is_part = match next {
            '+' | '-' => matches!(before, 'e' | 'E'),
            _ => next.is_ascii_alphanumeric() || matches!(next, '.' | '_'),
        };
        if !is_part {
            return at;
        }
        before = next;
    }
    text.len()
}

/// A path of names, some of which may be quoted; and its length.
fn path(text: &str) -> Option<(Token, usize)> {
    let (mut names, mut name, mut is_exact, mut at) = (Vec::new(), String::new(), false, 0);
    loop {
        match piece(text.get(at..)?).ok()? {
            Some((Piece::Quoted(part), length)) => {
                name.push_str(&part);
                (at, is_exact) = (at + length, true);
            }
            Some((Piece::Char(c), length)) if c.is_alphanumeric() || matches!(c, '_' | '$') => {
                name.push(c);
                at += length;
            }
            next => {
                let text = std::mem::take(&mut name);
                names.push(if is_exact { PathName::exact(text) } else { PathName::plain(text) });
                if !matches!(next, Some((Piece::Dot, _))) {
                    let token = match names.as_slice() {
                        [word] if !is_exact => Token::Name(word.text().to_owned()),
                        _ => Token::Path(names),
                    };
                    return Some((token, at));
                }
                (at, is_exact) = (at + 1, false);
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_parted() {
        let parted = |text: &str| {
            let tokens = tokens(text).unwrap().into_iter();
            tokens.map(|placed| text[placed.start..placed.end].to_owned()).collect::<Vec<_>>()
        };
        assert_eq!(parted("a.b-3>=1.5e-3*`x y`.c"), ["a.b", "-", "3", ">=", "1.5e-3", "*", "`x y`.c"]);
        assert_eq!(parted("lower(n)~'it''s'"), ["lower", "(", "n", ")", "~", "'it''s'"]);
        assert_eq!(parted(r"a\.b=v.5\.5+\ x"), [r"a\.b", "=", r"v.5\.5", "+", r"\ x"]);
        let first = |text: &str| tokens(text).unwrap().remove(0).token;
        assert_eq!(first(r"a\.b.c"), Token::Path(vec![PathName::exact("a.b"), PathName::plain("c")]));
        assert_eq!(first("a.`b.c`"), Token::Path(vec![PathName::plain("a"), PathName::exact("b.c")]));
        assert_eq!(first("`it``s`"), Token::Path(vec![PathName::exact("it`s")]));
        assert!(tokens("`a").is_err() && tokens(r"a\").is_err());
        assert_eq!(first("a"), Token::Name("a".to_owned()));
        assert_eq!(parted("hops[-1].host[.5]"), ["hops", "[", "-", "1", "]", ".", "host", "[", ".5", "]"]);
        assert_eq!(parted("!a&&b!=c||d"), ["!", "a", "&&", "b", "!=", "c", "||", "d"]);
        assert!(tokens("a ? b").unwrap_err().to_string().contains("character 3: "));
    }
}
