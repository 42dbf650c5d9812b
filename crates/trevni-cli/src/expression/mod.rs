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
mod parse;
mod place;
mod primary;
mod push;
mod reference;
mod tokens;
mod tree;
mod types;
mod value;

#[cfg(test)]
mod tests;

pub(crate) use bind::{Binder, Bound};
pub(crate) use column::{Column, Values};
pub(crate) use condition::{Condition, Rest};
pub(crate) use evaluate::offsets;
pub(crate) use place::{Located, Place, Scope, Stop};
pub(crate) use reference::Reference;
pub(crate) use types::Type;
pub(crate) use value::{Value, ValueRef};

use crate::failure::Failure;
use crate::paths::{FieldPath, Found, find};
use parse::Parser;
use tree::{Kind, Node};
use trevni::Shape;

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

    /// The field at a path.
    pub(crate) fn of_path(path: &FieldPath) -> Self {
        let kind = match path.is_row() {
            true => Kind::Path(Reference::of_item()),
            false => Kind::Path(Reference::quoted(path.names())),
        };
        Self { text: path.to_string(), node: Node { kind, start: 0, end: path.to_string().len(), depth: 1 } }
    }

    /// An expression that may have a name and `=` before it, and the name or else the text.
    pub(crate) fn named(text: &str) -> Result<(String, Self), Failure> {
        let mut parser = Parser::new(text)?;
        let name = parser.name();
        let expression = Self { node: parser.whole()?, text: text.to_owned() };
        Ok((name.unwrap_or_else(|| expression.source()), expression))
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
    pub(crate) fn source(&self) -> String {
        match self.path() {
            Some(path) => path.to_string(),
            None => self.text.get(self.node.start..self.node.end).unwrap_or_default().to_owned(),
        }
    }

    /// The path, where it is one and no more.
    pub(crate) fn path(&self) -> Option<&Reference> {
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

    /// The paths of the fields of a shape that it needs.
    pub(crate) fn fields(&self, shape: &Shape) -> Vec<FieldPath> {
        let mut out = Vec::new();
        fields(&self.node, &Found::row(shape), true, &mut out);
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

/// Adds the paths of the fields that a part of an expression needs; its own paths begin at `within`.
fn fields(node: &Node, within: &Found<'_>, is_row: bool, out: &mut Vec<FieldPath>) {
    let found = |reference: &Reference| {
        let found = find(within.clone(), reference.from(within.root, is_row));
        found.ok().and_then(|found| found.into_iter().next())
    };
    match &node.kind {
        Kind::Path(reference) => out.extend(found(reference).map(|found| found.path)),
        Kind::Items { list, condition, .. } => {
            let Kind::Path(reference) = &list.kind else {
                return;
            };
            if let Some(list) = found(reference) {
                let before = out.len();
                if let Some(items) = list.items() {
                    fields(condition, &items, false, out);
                }
                if out.len() == before {
                    out.push(list.path);
                }
            }
        }
        _ => node.parts().into_iter().for_each(|part| fields(part, within, is_row, out)),
    }
}

/// The parts of a list between commas that are not in brackets or quotes.
pub(crate) fn between_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0i32, None);
    let mut chars = text.char_indices();
    while let Some((at, next)) = chars.next() {
        match (quote, next) {
            // What follows stands for itself.
            (None, '\\') => drop(chars.next()),
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
    failure.mark(text, at)
}
