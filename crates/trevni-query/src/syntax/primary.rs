//! What expressions begin with: values, fields, functions, brackets.

use super::parse::{Parser, level};
use super::reference::Reference;
use super::tokens::{First, Token};
use super::tree::{Function, Operator, Syntax};
use crate::error::Error;
use crate::scalar::Scalar;

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
            Some(Token::Path(names, first)) => {
                self.at += 1;
                let reference = match first {
                    First::Plain => Reference::new(&names),
                    First::Quoted => Reference::quoted(&names),
                };
                self.node(Operator::Path(reference), start)
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
                    "item" => Operator::Path(Reference::of_item()),
                    _ => Operator::Path(Reference::new(&[name])),
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
        let Some((_, function)) = Function::ALL.iter().find(|(own, _)| *own == name) else {
            let names: Vec<&str> = Function::ALL.iter().map(|(name, _)| *name).collect();
            return Err(self.expected(&format!("one of {}, any, all", names.join(", "))));
        };
        self.at += 2;
        let at = self.start();
        let parts = self.list()?;
        let most = function.most();
        if parts.len() > most {
            return Err(Error::at(self.text, at, &format!("{name} takes {most} in its brackets")));
        }
        self.node(Operator::Call(*function, parts), start)
    }
}
