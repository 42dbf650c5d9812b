//! What expressions begin with: values, fields, functions, brackets.

use super::functions::Function;
use super::functions::{Signature, hint};
use super::parse::{Parser, level};
use super::reference::{Reference, Segment};
use super::tokens::Token;
use super::tree::{Operator, Syntax};
use crate::error::Error;
use crate::paths::PathPart;
use crate::scalar::Scalar;
use trevni::path::PathName;

/// Words that are no fields, but in back quotes.
const RESERVED: [&str; 9] = ["and", "or", "not", "is", "in", "between", "like", "starts", "with"];

impl Parser<'_> {
    /// What an expression begins with.
    pub(super) fn prefix(&mut self, least: u8) -> Result<Syntax, Error> {
        let start = self.start();
        if least <= level::NOT && self.word("not") {
            let node = self.expression(level::NOT)?;
            return self.node(Operator::Not(Box::new(node)), start);
        }
        if self.symbol("!") {
            let node = self.expression(level::SIGN)?;
            return self.node(Operator::Not(Box::new(node)), start);
        }
        if self.symbol("(") {
            let node = self.expression(level::OR)?;
            self.need(")")?;
            return Ok(node);
        }
        if self.symbol("-") {
            // The least integer has no positive one.
            if let Some(Token::Number(digits)) = self.peek().cloned() {
                return self.number(&format!("-{digits}"), start);
            }
            let node = self.expression(level::SIGN)?;
            return self.node(Operator::Negate(Box::new(node)), start);
        }
        match self.peek().cloned() {
            Some(Token::Text(text)) => {
                self.at += 1;
                self.node(Operator::Literal(Scalar::Text(text)), start)
            }
            Some(Token::Number(digits)) => self.number(&digits, start),
            Some(Token::Path(names)) => {
                self.at += 1;
                self.place(Reference::new(names), start)
            }
            Some(Token::Name(name)) if matches!(self.ahead(1), Some(Token::Symbol("("))) => {
                self.function(&name.to_ascii_lowercase(), start)
            }
            Some(Token::Name(name)) if !RESERVED.iter().any(|word| name.eq_ignore_ascii_case(word)) => {
                self.at += 1;
                let kind = match &*name.to_ascii_lowercase() {
                    "true" => Operator::Literal(Scalar::Boolean(true)),
                    "false" => Operator::Literal(Scalar::Boolean(false)),
                    "null" => Operator::Literal(Scalar::Null),
                    "item" => return self.place(Reference::of_item(), start),
                    _ => return self.place(Reference::new(vec![PathName::plain(name)]), start),
                };
                self.node(kind, start)
            }
            _ => Err(self.expected("a field or a value")),
        }
    }

    fn number(&mut self, digits: &str, start: usize) -> Result<Syntax, Error> {
        let plain = digits.replace('_', "");
        let whole = plain.parse().map(Scalar::Integer).ok();
        let value = whole.or_else(|| plain.parse().map(Scalar::Float).ok());
        let value = value.ok_or_else(|| self.expected("a number"))?;
        self.at += 1;
        self.node(Operator::Literal(value), start)
    }

    /// A path, and what follows it: `[0]`, `['key']`, names.
    fn place(&mut self, reference: Reference, start: usize) -> Result<Syntax, Error> {
        let mut segments = Vec::new();
        loop {
            if self.symbol("[") {
                segments.push(Segment::Item(self.item()?));
            } else if self.symbol(".") {
                let names = match self.peek() {
                    Some(Token::Name(name)) => vec![PathPart::Name(PathName::plain(name))],
                    Some(Token::Path(names)) => names.iter().cloned().map(PathPart::Name).collect(),
                    _ => return Err(self.expected("a name")),
                };
                self.at += 1;
                segments.push(Segment::Names(names));
            } else {
                break;
            }
        }
        match segments.is_empty() {
            true => self.node(Operator::Path(reference), start),
            false => self.node(Operator::Place(reference, segments), start),
        }
    }

    /// The number or the key in square brackets.
    fn item(&mut self) -> Result<Scalar, Error> {
        let start = self.start();
        let item = self.expression(level::SIGN)?;
        match item.kind {
            Operator::Literal(value @ (Scalar::Integer(_) | Scalar::Text(_))) => {
                self.need("]").map(|()| value)
            }
            _ => Err(Error::at(self.text, start, "a number such as 0 or -1, or a key such as 'a' expected")),
        }
    }

    /// An aggregate, up to its closing bracket.
    fn aggregate(&mut self, start: usize) -> Result<Syntax, Error> {
        let mut depth = 0usize;
        loop {
            self.at += 1;
            match self.peek() {
                Some(Token::Symbol("(")) => depth += 1,
                Some(Token::Symbol(")")) if depth == 1 => break,
                Some(Token::Symbol(")")) => depth -= 1,
                Some(_) => {}
                None => return Err(self.expected(")")),
            }
        }
        self.at += 1;
        let source = self.text.get(start..self.last_end()).unwrap_or_default().to_owned();
        let reference = Reference::new(vec![PathName::exact(&source)]);
        self.aggregates.get_or_insert_default().push(source);
        self.node(Operator::Path(reference), start)
    }

    fn function(&mut self, name: &str, start: usize) -> Result<Syntax, Error> {
        let every = name == "all";
        if every || name == "any" {
            self.at += 2;
            let list = self.expression(level::SUM)?;
            if !matches!(list.kind, Operator::Path(_)) {
                return Err(Error::at(self.text, list.start, "a list or map expected"));
            }
            self.need(",")?;
            let condition = self.expression(level::OR)?;
            self.need(")")?;
            let (list, condition) = (Box::new(list), Box::new(condition));
            return self.node(Operator::Items { every, list, condition }, start);
        }
        let Some(signature) = Signature::find(name) else {
            if self.aggregates.is_some() {
                return self.aggregate(start);
            }
            let error = Error::at(self.text, start, &Signature::missing(name));
            return Err(error.with_hint(hint(name).unwrap_or("All functions: trevni help expressions")));
        };
        self.at += 2;
        let at = self.start();
        let mut parts = if self.symbol(")") { Vec::new() } else { self.list()? };
        if let Some(message) = signature.wrong_count(name, parts.len()) {
            return Err(Error::at(self.text, at, &message));
        }
        let kind = match signature.function {
            Function::StartsWith => match <[Syntax; 2]>::try_from(parts) {
                Ok(parts) => Operator::StartsWith(Box::new(parts)),
                Err(parts) => Operator::Call(Function::StartsWith, parts),
            },
            Function::Split if self.symbol("[") => {
                let at = self.start();
                let part = Operator::Literal(self.item()?);
                parts.push(Syntax { kind: part, start: at, end: self.last_end(), depth: 1 });
                Operator::Call(Function::Split, parts)
            }
            function => Operator::Call(function, parts),
        };
        self.node(kind, start)
    }
}
