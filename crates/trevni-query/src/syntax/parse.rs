//! Reads expressions, by the precedence of their operators (Pratt).

use super::tokens::{Spanned, Token, tokens};
use super::tree::{Comparison, Operation, Operator, Syntax, TextPattern};
use crate::error::Error;

/// The deepest nesting; what is deeper would take too much of the stack.
const DEEPEST: usize = 100;

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

pub(crate) struct Parser<'t> {
    pub(super) text: &'t str,
    tokens: Vec<Spanned>,
    /// The next token.
    pub(super) at: usize,
    depth: usize,
}

impl<'t> Parser<'t> {
    pub(crate) fn new(text: &'t str) -> Result<Self, Error> {
        Ok(Self { text, tokens: tokens(text)?, at: 0, depth: 0 })
    }

    /// All of the text as one expression.
    pub(crate) fn whole(mut self) -> Result<Syntax, Error> {
        let node = self.expression(level::OR)?;
        self.end()?;
        Ok(node)
    }

    /// The name before a `=` with which the text begins.
    pub(crate) fn name(&mut self) -> Option<String> {
        let name = match self.peek()? {
            Token::Name(name) => name.clone(),
            Token::Path(names, _) => names.join("."),
            _ => return None,
        };
        let is_name = matches!(self.ahead(1), Some(Token::Symbol("=")));
        self.at += if is_name { 2 } else { 0 };
        is_name.then_some(name)
    }

    /// The rest of the text as a word and the expressions in brackets after it.
    pub(crate) fn call(mut self) -> Result<(String, Vec<Syntax>), Error> {
        let name = match self.peek() {
            Some(Token::Name(name)) => name.to_ascii_lowercase(),
            _ => return Err(self.expected("an aggregate such as count() or mean(x)")),
        };
        self.at += 1;
        self.need("(")?;
        // Also as SQL writes it: count(*).
        if self.symbol("*") {
            self.need(")")?;
            return self.end().map(|()| (name, Vec::new()));
        }
        let parts = if self.symbol(")") { Vec::new() } else { self.list()? };
        self.end()?;
        Ok((name, parts))
    }

    fn end(&self) -> Result<(), Error> {
        if self.at == self.tokens.len() { Ok(()) } else { Err(self.expected("and, or, or the end")) }
    }

    pub(super) fn peek(&self) -> Option<&Token> {
        self.ahead(0)
    }

    pub(super) fn ahead(&self, count: usize) -> Option<&Token> {
        self.tokens.get(self.at + count).map(|placed| &placed.token)
    }

    /// Where the next token begins.
    pub(super) fn start(&self) -> usize {
        self.tokens.get(self.at).map_or(self.text.len(), |placed| placed.start)
    }

    /// Where the last token ended.
    fn last_end(&self) -> usize {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(0, |placed| placed.end)
    }

    pub(super) fn expected(&self, what: &str) -> Error {
        Error::at(self.text, self.start(), &format!("{what} expected"))
    }

    fn is_word(&self, ahead: usize, word: &str) -> bool {
        matches!(self.ahead(ahead), Some(Token::Name(name)) if name.eq_ignore_ascii_case(word))
    }

    /// Takes a word, whatever its case.
    pub(super) fn word(&mut self, word: &str) -> bool {
        let is = self.is_word(0, word);
        self.at += usize::from(is);
        is
    }

    fn need_word(&mut self, word: &str) -> Result<(), Error> {
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

    fn too_deep(&self) -> Error {
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

    /// The expression with the operator that follows, and its level; as it is where none does.
    fn more(
        &mut self,
        left: Syntax,
        start: usize,
        least: u8,
        tightest: u8,
    ) -> Result<(Option<u8>, Syntax), Error> {
        let fits = |level: u8| least <= level && level <= tightest;
        let place = self.at;
        for (word, level) in [("or", level::OR), ("and", level::AND)] {
            if fits(level) && self.word(word) {
                let right = self.expression(level + 1)?;
                return Ok((Some(level), self.joined(level, left, right, start)?));
            }
        }
        if fits(level::COMPARISON) {
            if let Some(comparison) = self.comparison() {
                let right = self.expression(level::SUM)?;
                let node = self.node(Operator::Compare(comparison, Box::new([left, right])), start)?;
                return Ok((Some(level::COMPARISON), node));
            }
            if self.word("is") {
                let not = self.word("not");
                self.need_word("null")?;
                let node = self.node(Operator::IsNull(Box::new(left)), start)?;
                return Ok((Some(level::COMPARISON), self.negated(not, node, start)?));
            }
            let not = self.word("not");
            if let Some(kind) = self.set_or_range(&left)? {
                let node = self.node(kind, start)?;
                return Ok((Some(level::COMPARISON), self.negated(not, node, start)?));
            }
            if not {
                return Err(self.expected("in, between, like or starts with"));
            }
            self.at = place;
        }
        let operation = match self.peek() {
            Some(Token::Symbol("+")) => Some((Operation::Add, level::SUM)),
            Some(Token::Symbol("-")) => Some((Operation::Subtract, level::SUM)),
            Some(Token::Symbol("*")) => Some((Operation::Multiply, level::PRODUCT)),
            Some(Token::Symbol("/")) => Some((Operation::Divide, level::PRODUCT)),
            Some(Token::Symbol("%")) => Some((Operation::Remainder, level::PRODUCT)),
            _ => None,
        };
        match operation {
            Some((operation, level)) if fits(level) => {
                self.at += 1;
                let right = self.expression(level + 1)?;
                let node = self.node(Operator::Compute(operation, Box::new([left, right])), start)?;
                Ok((Some(level), node))
            }
            _ => Ok((None, left)),
        }
    }

    /// Joins two conditions; a chain of the same operator is one level deep.
    fn joined(&self, level: u8, left: Syntax, right: Syntax, start: usize) -> Result<Syntax, Error> {
        let is_or = level == level::OR;
        let (mut parts, depth) = match left.kind {
            Operator::Or(parts) if is_or => (parts, left.depth),
            Operator::And(parts) if !is_or => (parts, left.depth),
            kind => {
                let depth = left.depth + 1;
                (vec![Syntax { kind, ..left }], depth)
            }
        };
        let depth = depth.max(right.depth + 1);
        parts.push(right);
        let kind = if is_or { Operator::Or(parts) } else { Operator::And(parts) };
        let node = Syntax { kind, start, end: self.last_end(), depth };
        if depth > DEEPEST { Err(self.too_deep()) } else { Ok(node) }
    }

    fn negated(&self, not: bool, node: Syntax, start: usize) -> Result<Syntax, Error> {
        if not { self.node(Operator::Not(Box::new(node)), start) } else { Ok(node) }
    }

    fn comparison(&mut self) -> Option<Comparison> {
        let comparison = match self.peek()? {
            Token::Symbol("=" | "==") => Comparison::Equal,
            Token::Symbol("!=" | "<>") => Comparison::Unequal,
            Token::Symbol("<") => Comparison::Less,
            Token::Symbol("<=") => Comparison::LessOrEqual,
            Token::Symbol(">") => Comparison::Greater,
            Token::Symbol(">=") => Comparison::GreaterOrEqual,
            _ => return None,
        };
        self.at += 1;
        Some(comparison)
    }

    /// `in`, `between`, `starts with`, `like`, `~`; none for something else.
    fn set_or_range(&mut self, left: &Syntax) -> Result<Option<Operator>, Error> {
        let left = || Box::new(left.clone());
        if self.word("in") {
            self.need("(")?;
            return Ok(Some(Operator::In(left(), self.list()?)));
        }
        if self.word("between") {
            let low = self.expression(level::SUM)?;
            self.need_word("and")?;
            let high = self.expression(level::SUM)?;
            return Ok(Some(Operator::Between(Box::new([*left(), low, high]))));
        }
        if self.word("starts") {
            self.need_word("with")?;
            let start = self.expression(level::SUM)?;
            return Ok(Some(Operator::StartsWith(Box::new([*left(), start]))));
        }
        let make: fn(&str) -> Result<TextPattern, regex::Error> = if self.word("like") {
            TextPattern::like
        } else if self.symbol("~") {
            TextPattern::regex
        } else {
            return Ok(None);
        };
        let at = self.start();
        let Some(Token::Text(pattern)) = self.peek().cloned() else {
            return Err(self.expected("a text"));
        };
        self.at += 1;
        let pattern = make(&pattern).map_err(|error| {
            let error = error.to_string();
            let last = error.lines().last().unwrap_or_default().trim_start_matches("error: ");
            Error::at(self.text, at, &format!("no regular expression ({last})"))
        })?;
        Ok(Some(Operator::Matches(left(), pattern)))
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
