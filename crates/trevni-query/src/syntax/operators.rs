//! Reads what joins expressions: `and`, comparisons, arithmetic.

use super::functions::Function;
use super::parse::{DEEPEST, Parser, level};
use super::tokens::Token;
use super::tree::{Comparison, Operation, Operator, Syntax, TextPattern};
use crate::error::Error;

impl Parser<'_> {
    /// The expression with the operator that follows, and its level; as it is where none does.
    pub(super) fn more(
        &mut self,
        left: Syntax,
        start: usize,
        least: u8,
        tightest: u8,
    ) -> Result<(Option<u8>, Syntax), Error> {
        let fits = |level: u8| least <= level && level <= tightest;
        let place = self.at;
        for (word, symbol, level) in [("or", "||", level::OR), ("and", "&&", level::AND)] {
            if fits(level) && (self.word(word) || self.symbol(symbol)) {
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

    /// `in`, `between`, `starts with`, `like`, `~` and their like; `None` for something else.
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
        if self.word("ends") {
            self.need_word("with")?;
            let end = self.expression(level::SUM)?;
            return Ok(Some(Operator::Call(Function::EndsWith, vec![*left(), end])));
        }
        if self.word("contains") {
            let part = self.expression(level::SUM)?;
            return Ok(Some(Operator::Call(Function::Contains, vec![*left(), part])));
        }
        let make: fn(&str) -> Result<TextPattern, regex::Error> = if self.word("like") {
            TextPattern::like
        } else if self.word("ilike") {
            TextPattern::like_in_any_case
        } else if self.symbol("~") || self.word("rlike") || self.word("regexp") {
            TextPattern::regex
        } else {
            return Ok(None);
        };
        let at = self.start();
        let Some(Token::Text(pattern)) = self.peek().cloned() else {
            return Err(self.expected("a string"));
        };
        self.at += 1;
        let pattern = make(&pattern).map_err(|error| Error::regex(self.text, at, &error))?;
        Ok(Some(Operator::Matches(left(), pattern)))
    }
}
