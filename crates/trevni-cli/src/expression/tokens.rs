//! The words, numbers, texts and symbols of an expression.

use super::wrong;
use crate::failure::Failure;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Token {
    /// A word or path, as it is written.
    Name(String),
    /// A path some of which is in back quotes.
    Quoted(String),
    Text(String),
    Number(String),
    Symbol(&'static str),
}

/// A token and where it is in the text.
#[derive(Clone, Debug)]
pub(super) struct Placed {
    pub(super) token: Token,
    pub(super) start: usize,
    pub(super) end: usize,
}

/// Those that begin with others come first.
const SYMBOLS: [&str; 17] =
    ["!=", "<>", "<=", ">=", "==", "=", "<", ">", "(", ")", ",", "~", "+", "-", "*", "/", "%"];

pub(super) fn tokens(text: &str) -> Result<Vec<Placed>, Failure> {
    let mut tokens = Vec::new();
    let mut rest = text;
    loop {
        rest = rest.trim_start();
        let start = text.len() - rest.len();
        let Some(first) = rest.chars().next() else {
            return Ok(tokens);
        };
        let no_end = || wrong(text, start, "this quote has no end");
        let (token, length) = match first {
            '"' | '\'' => {
                let (value, end) = quoted(rest, first).ok_or_else(no_end)?;
                (Token::Text(value), end)
            }
            '0'..='9' | '.' => {
                let end = number(rest);
                (Token::Number(rest[..end].to_owned()), end)
            }
            _ if first.is_alphabetic() || matches!(first, '_' | '`') => path(rest).ok_or_else(no_end)?,
            _ => match SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                Some(symbol) => (Token::Symbol(symbol), symbol.len()),
                None => return Err(wrong(text, start, "this is no part of an expression")),
            },
        };
        tokens.push(Placed { token, start, end: start + length });
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
        assert!(tokens("a ? b").unwrap_err().message().contains("character 3: "));
    }
}
