//! Reads expressions, by the precedence of their operators (Pratt).

use super::functions::hint;
use super::tokens::{Spanned, Token, tokens};
use super::tree::{Operator, Syntax};
use crate::error::Error;
use trevni::path::PathName;

/// The deepest nesting; what is deeper would take too much of the stack.
pub(super) const DEEPEST: usize = 100;
/// What to do where a word follows a name.
pub(crate) const SPACES: &str = "A name with spaces is in back quotes: `a b`";

/// How tightly operators bind, from the loosest.
pub(super) mod level {
    pub(in crate::syntax) const OR: u8 = 1;
    pub(in crate::syntax) const AND: u8 = 2;
    pub(in crate::syntax) const NOT: u8 = 3;
    pub(in crate::syntax) const COMPARISON: u8 = 4;
    pub(in crate::syntax) const SUM: u8 = 5;
    pub(in crate::syntax) const PRODUCT: u8 = 6;
    pub(in crate::syntax) const SIGN: u8 = 7;
}

/// A word and the expressions in brackets after it, as they are written.
pub(crate) struct WrittenCall {
    /// In lower case.
    pub(crate) function: String,
    /// Whether `distinct` is before the expressions.
    pub(crate) is_distinct: bool,
    pub(crate) parts: Vec<Syntax>,
    /// The name after it.
    pub(crate) name: Option<String>,
    /// Where the closing bracket ends.
    pub(crate) end: usize,
}

pub(crate) struct Parser<'t> {
    pub(super) text: &'t str,
    tokens: Vec<Spanned>,
    /// The next token.
    pub(super) at: usize,
    depth: usize,
    /// Calls that are not functions, where these are aggregates: their strings, which are names of fields, too.
    pub(super) aggregates: Option<Vec<String>>,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(text: &'t str) -> Result<Self, Error> {
        Ok(Self { text, tokens: tokens(text)?, at: 0, depth: 0, aggregates: None })
    }

    /// All of the text as one expression.
    pub(crate) fn whole(mut self) -> Result<Syntax, Error> {
        let node = self.expression(level::OR)?;
        self.end()?;
        Ok(node)
    }

    /// All of the text as one expression in which aggregates are fields, and the strings of these.
    pub(crate) fn whole_of_groups(mut self) -> Result<(Syntax, Vec<String>), Error> {
        self.aggregates = Some(Vec::new());
        let node = self.expression(level::OR)?;
        self.end()?;
        Ok((node, self.aggregates.unwrap_or_default()))
    }

    /// All of the text as one expression, and the name after `as` that it may have.
    pub(crate) fn whole_as(mut self) -> Result<(Syntax, Option<String>), Error> {
        let node = self.expression(level::OR)?;
        let name = self.alias()?;
        self.end()?;
        Ok((node, name))
    }

    /// The name before a `=` with which the text begins.
    pub(crate) fn name(&mut self) -> Option<String> {
        let name = match self.peek()? {
            Token::Name(name) => name.clone(),
            Token::Path(names) => joined(names),
            _ => return None,
        };
        let is_name = matches!(self.ahead(1), Some(Token::Symbol("=")));
        self.at += if is_name { 2 } else { 0 };
        is_name.then_some(name)
    }

    /// The rest of the text as a word and the expressions in brackets after it.
    pub(crate) fn call(mut self) -> Result<WrittenCall, Error> {
        let function = match self.peek() {
            Some(Token::Name(name)) => name.to_ascii_lowercase(),
            _ => return Err(self.expected("an aggregate such as count() or mean(x)")),
        };
        self.at += 1;
        self.need("(")?;
        let is_distinct = self.is_word(0, "distinct")
            && !matches!(self.ahead(1), None | Some(Token::Symbol(_)))
            && self.word("distinct");
        // Also as SQL writes it: count(*).
        let parts = match self.symbol("*") {
            true => self.need(")").map(|()| Vec::new())?,
            false if self.symbol(")") => Vec::new(),
            false => self.list()?,
        };
        let end = self.last_end();
        let name = self.alias()?;
        self.end()?;
        Ok(WrittenCall { function, is_distinct, parts, name, end })
    }

    /// The name after `as`.
    fn alias(&mut self) -> Result<Option<String>, Error> {
        if !self.word("as") {
            return Ok(None);
        }
        let name = match self.peek() {
            Some(Token::Name(name) | Token::Text(name)) => name.clone(),
            Some(Token::Path(names)) => joined(names),
            _ => return Err(self.expected("a name")),
        };
        self.at += 1;
        Ok(Some(name))
    }

    fn end(&self) -> Result<(), Error> {
        if self.at == self.tokens.len() { Ok(()) } else { Err(self.unfinished()) }
    }

    /// The error of what follows an expression that is whole.
    fn unfinished(&self) -> Error {
        let error = self.expected("and, or, or the end");
        match self.peek() {
            Some(Token::Name(word)) => match hint(&word.to_ascii_lowercase()) {
                Some(hint) => error.with_hint(hint),
                None => error.with_hint(SPACES),
            },
            _ => error,
        }
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, count: usize) -> Option<&Token> {
        self.tokens.get(self.at + count).map(|placed| &placed.token)
    }

    /// Where the next token begins.
    pub(crate) fn start(&self) -> usize {
        self.tokens.get(self.at).map_or(self.text.len(), |placed| placed.start)
    }

    /// Where the last token ended.
    pub(super) fn last_end(&self) -> usize {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |placed| placed.end)
    }

    pub(super) fn expected(&self, what: &str) -> Error {
        Error::at(self.text, self.start(), &format!("{what} expected"))
    }

    pub(super) fn is_word(&self, ahead: usize, word: &str) -> bool {
        matches!(self.ahead(ahead), Some(Token::Name(name)) if name.eq_ignore_ascii_case(word))
    }

    /// Takes a word, whatever its case.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let is = self.is_word(0, word);
        self.at += usize::from(is);
        is
    }

    pub(super) fn need_word(&mut self, word: &str) -> Result<(), Error> {
        if self.word(word) { Ok(()) } else { Err(self.expected(word)) }
    }

    pub(super) fn symbol(&mut self, symbol: &str) -> bool {
        let is = matches!(self.peek(), Some(Token::Symbol(other)) if *other == symbol);
        self.at += usize::from(is);
        is
    }

    pub(super) fn need(&mut self, symbol: &str) -> Result<(), Error> {
        if self.symbol(symbol) { Ok(()) } else { Err(self.expected(symbol)) }
    }

    /// A part that begins at `start` and ends here.
    pub(super) fn node(&self, kind: Operator, start: usize) -> Result<Syntax, Error> {
        let mut node = Syntax { kind, start, end: self.last_end(), depth: 0 };
        node.depth = 1 + node.parts().iter().map(|part| part.depth).max().unwrap_or(0);
        if node.depth > DEEPEST { Err(self.too_deep()) } else { Ok(node) }
    }

    pub(super) fn too_deep(&self) -> Error {
        Error::at(self.text, self.start(), &format!("nested more than {DEEPEST} levels deep"))
    }

    /// An expression of operators that bind at least so tightly.
    pub(super) fn expression(&mut self, least: u8) -> Result<Syntax, Error> {
        if self.depth >= DEEPEST {
            return Err(self.too_deep());
        }
        self.depth += 1;
        let start = self.start();
        let mut node = self.prefix(least)?;
        // Comparisons do not follow each other: after one, only `and` and `or` follow.
        let mut tightest = level::SIGN;
        loop {
            let level;
            (level, node) = self.more(node, start, least, tightest)?;
            match level {
                None => break,
                Some(level) if level <= level::COMPARISON => tightest = level::AND,
                Some(_) => {}
            }
        }
        self.depth -= 1;
        Ok(node)
    }

    /// Expressions up to a closing bracket.
    pub(super) fn list(&mut self) -> Result<Vec<Syntax>, Error> {
        let mut parts = vec![self.expression(level::OR)?];
        while self.symbol(",") {
            parts.push(self.expression(level::OR)?);
        }
        self.need(")")?;
        Ok(parts)
    }
}

/// The names joined by dots.
fn joined(names: &[PathName]) -> String {
    names.iter().map(PathName::text).collect::<Vec<_>>().join(".")
}
