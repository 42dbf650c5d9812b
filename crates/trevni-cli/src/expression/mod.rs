//! Expressions such as `delay > 60 and carrier in ("AA", "UA")`: conditions for `-w`, values for `query`.
//!
//! `tokens` parts the text, `parse` makes a tree of it, `bind` finds its fields in a shape and checks types,
//! `evaluate` computes it for the rows of a batch, column by column. `push` makes predicates of conditions,
//! so that the file leaves out blocks.

mod bind;
mod column;
mod compute;
mod condition;
mod evaluate;
mod near;
mod parse;
mod place;
mod primary;
mod push;
mod tokens;
mod tree;
mod types;
mod value;

#[cfg(test)]
mod tests;

pub(crate) use bind::{Binder, Bound};
pub(crate) use column::{Column, Values};
pub(crate) use condition::{Condition, Rest, there};
pub(crate) use evaluate::offsets;
pub(crate) use near::near;
pub(crate) use place::{Located, Lost, Place, Root, Scope};
pub(crate) use types::Type;
pub(crate) use value::{Value, ValueRef};

use crate::failure::Failure;
use parse::Parser;
use tree::{Kind, Node};

/// An expression, and the text that it is read from.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    text: String,
    node: Node,
}

impl Expression {
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        Ok(Self { node: Parser::new(text)?.whole()?, text: text.to_owned() })
    }

    /// An expression that may have a name and `=` before it, and the name or else the text.
    pub(crate) fn named(text: &str) -> Result<(String, Self), Failure> {
        let mut parser = Parser::new(text)?;
        let name = parser.name();
        let expression = Self { node: parser.whole()?, text: text.to_owned() };
        Ok((name.unwrap_or_else(|| expression.source().to_owned()), expression))
    }

    /// A word with expressions in brackets behind it, such as `mean(x)`, and the name before it.
    pub(crate) fn call(text: &str) -> Result<Call, Failure> {
        let mut parser = Parser::new(text)?;
        let name = parser.name();
        let (function, parts) = parser.call()?;
        let parts = parts.into_iter().map(|node| Self { text: text.to_owned(), node });
        Ok(Call { name, function, parts: parts.collect() })
    }

    /// The text of the expression itself; of a field its path.
    pub(crate) fn source(&self) -> &str {
        match self.path() {
            Some("") => "item",
            Some(path) => path,
            None => self.text.get(self.node.start..self.node.end).unwrap_or_default(),
        }
    }

    /// The path, where it is one and no more.
    pub(crate) fn path(&self) -> Option<&str> {
        match &self.node.kind {
            Kind::Path(path) => Some(path),
            _ => None,
        }
    }

    /// The value, where it is a literal.
    pub(crate) fn literal(&self) -> Option<&Value> {
        match &self.node.kind {
            Kind::Literal(value) => Some(value),
            _ => None,
        }
    }

    /// The paths of the fields that it needs.
    pub(crate) fn fields(&self) -> Vec<String> {
        let mut out = Vec::new();
        fields(&self.node, "", &mut out);
        out
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<Bound, Failure> {
        binder.bind(&self.text, &self.node)
    }

    /// An error about this expression.
    pub(crate) fn wrong(&self, message: &str) -> Failure {
        wrong(&self.text, self.node.start, message)
    }
}

/// A word and what is in brackets behind it.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    pub(crate) name: Option<String>,
    pub(crate) function: String,
    pub(crate) parts: Vec<Expression>,
}

fn fields(node: &Node, within: &str, out: &mut Vec<String>) {
    let whole = |path: &str| {
        let dot = if within.is_empty() || path.is_empty() { "" } else { "." };
        [within, dot, path].concat()
    };
    match &node.kind {
        Kind::Path(path) => out.push(whole(path)),
        Kind::Items { list, condition, .. } => {
            let path = if let Kind::Path(path) = &list.kind { whole(path) } else { within.to_owned() };
            let before = out.len();
            fields(condition, &path, out);
            if out.len() == before {
                out.push(path);
            }
        }
        _ => node.parts().into_iter().for_each(|part| fields(part, within, out)),
    }
}

/// The parts of a list between commas that are not in brackets or quotes.
pub(crate) fn between_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0i32, None);
    for (at, next) in text.char_indices() {
        match (quote, next) {
            (Some(open), _) if open == next => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(next),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            (None, ',') if depth <= 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// An error at a place of the text.
fn wrong(text: &str, at: usize, message: &str) -> Failure {
    let column = text.get(..at).unwrap_or(text).chars().count();
    let failure = Failure::usage(format!("expression, character {}: {message}", column + 1));
    failure.hint(format!("{text}\n  {}^", " ".repeat(column)))
}
