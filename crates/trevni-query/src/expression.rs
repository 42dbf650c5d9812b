//! Expressions as users of the library have them.

use crate::bind::Binder;
use crate::error::Error;
use crate::paths::{FieldPath, Found, Root, find_one};
use crate::scalar::Scalar;
use crate::step::BoundExpression;
use crate::syntax::{Operator, Parser, Reference, SPACES, Segment, Syntax, WrittenCall};
use trevni::Shape;
use trevni::path::PathName;

/// An expression such as `speed * 3.6` or `len(tags) > 2`, and the text that it is read from.
///
/// ```
/// use trevni_query::{Binder, Expression, Scalar, Scope};
///
/// let file = trevni::to_vec([[1, 2], [30, 4]])?;
/// let reader = trevni::Reader::from_slice(&file)?;
/// let sum = Expression::parse("_0 + _1 * 10")?.bind(&Binder::new(reader.shape()))?;
/// for batch in reader.batches()? {
///     let batch = batch?;
///     let column = sum.evaluate(&Scope::of(&batch))?;
///     assert_eq!(column.get(1).to_scalar(), Scalar::Integer(70));
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Expression {
    pub(crate) text: String,
    pub(crate) node: Syntax,
}

/// A text that may be a name with spaces.
fn spaced(text: &str) -> Option<&str> {
    let name = text.trim();
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ');
    name.chars().all(is_plain).then_some(name)
}

impl Expression {
    /// Reads an expression.
    ///
    /// # Errors
    ///
    /// The text is no expression.
    pub fn parse(text: &str) -> Result<Self, Error> {
        Ok(Self { node: Parser::new(text)?.whole()?, text: text.to_owned() })
    }

    /// The field at a path.
    pub fn of_path(path: &FieldPath) -> Self {
        let kind = Operator::Path(Reference::new(path.names().iter().map(PathName::exact).collect()));
        Self {
            text: path.to_string(),
            node: Syntax { kind, start: 0, end: path.to_string().len(), depth: 1 },
        }
    }

    /// An expression that may have a name and `=` before it, or `as` and a name after it; and the name or else the text. Words
    /// without an operator between them are a name with spaces.
    ///
    /// # Errors
    ///
    /// The text is no expression.
    pub fn named(text: &str) -> Result<(String, Self), Error> {
        match (Self::named_exactly(text), spaced(text)) {
            (Err(error), Some(name)) if error.hint() == Some(SPACES) => {
                Ok((name.to_owned(), Self::parse(&format!("`{name}`"))?))
            }
            (named, _) => named,
        }
    }

    fn named_exactly(text: &str) -> Result<(String, Self), Error> {
        let mut parser = Parser::new(text)?;
        let name = parser.name();
        let (node, alias) = parser.whole_as()?;
        let expression = Self { node, text: text.to_owned() };
        Ok((name.or(alias).unwrap_or_else(|| expression.source()), expression))
    }

    /// An expression in which aggregates such as `count()` are fields, called as they are written; and these.
    ///
    /// # Errors
    ///
    /// The text is no expression.
    pub fn of_groups(text: &str) -> Result<(Self, Vec<String>), Error> {
        let (node, aggregates) = Parser::new(text)?.whole_of_groups()?;
        Ok((Self { text: text.to_owned(), node }, aggregates))
    }

    /// A word followed by expressions in brackets, such as `mean(x)`, and the name before it or after `as`.
    ///
    /// # Errors
    ///
    /// The text is no such call.
    pub fn call(text: &str) -> Result<Call, Error> {
        let mut parser = Parser::new(text)?;
        let name = parser.name();
        let start = parser.start();
        let WrittenCall { function, is_distinct, parts, name: alias, end } = parser.call()?;
        let parts = parts.into_iter().map(|node| Self { text: text.to_owned(), node });
        let source = text.get(start..end).unwrap_or_default().to_owned();
        Ok(Call { name: name.or(alias), function, is_distinct, parts: parts.collect(), source })
    }

    /// The text of the expression itself; of a field its path.
    pub fn source(&self) -> String {
        match self.path() {
            Some(path) => path.to_string(),
            None => self.text.get(self.node.start..self.node.end).unwrap_or_default().to_owned(),
        }
    }

    /// The path, where it is one and no more.
    pub fn path(&self) -> Option<&Reference> {
        match &self.node.kind {
            Operator::Path(path) => Some(path),
            _ => None,
        }
    }

    /// The value, where it is a literal.
    pub fn literal(&self) -> Option<&Scalar> {
        match &self.node.kind {
            Operator::Literal(value) => Some(value),
            _ => None,
        }
    }

    /// The paths of the fields of a shape that it needs.
    pub fn fields(&self, shape: &Shape) -> Vec<FieldPath> {
        let mut out = Vec::new();
        fields(&self.node, &Found::row(shape), true, &mut out);
        out
    }

    /// Finds the fields in a shape and checks the types of all parts.
    ///
    /// # Errors
    ///
    /// There is no such field, or types do not fit.
    pub fn bind(&self, binder: &Binder<'_>) -> Result<BoundExpression, Error> {
        binder.bind(&self.text, &self.node)
    }

    /// An error about this expression.
    pub fn wrong(&self, message: &str) -> Error {
        Error::at(&self.text, self.node.start, message)
    }
}

/// A word and the expressions in brackets after it.
#[derive(Clone, Debug)]
pub struct Call {
    /// The name before it.
    pub name: Option<String>,
    /// The word, in lower case.
    pub function: String,
    /// Whether `distinct` is before the expressions.
    pub is_distinct: bool,
    /// What is in the brackets.
    pub parts: Vec<Expression>,
    /// The text without its name.
    pub source: String,
}

/// Adds the paths of the fields that a part of an expression needs; its own paths begin at `within`.
pub(crate) fn fields(node: &Syntax, within: &Found<'_>, is_row: bool, out: &mut Vec<FieldPath>) {
    let found = |reference: &Reference| find_one(within, reference.from(within.root, is_row)).ok();
    match &node.kind {
        Operator::Path(reference) => out.extend(found(reference).map(|found| found.path)),
        Operator::Place(reference, segments) => {
            if let Some(found) = found(reference) {
                let path = place(found, segments, out);
                out.push(path);
            }
        }
        Operator::Items { list, condition, .. } => {
            let Operator::Path(reference) = &list.kind else {
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

/// The path of what lies in items of lists and entries of maps; keys are fields that are needed too.
fn place(mut found: Found<'_>, segments: &[Segment], out: &mut Vec<FieldPath>) -> FieldPath {
    for segment in segments {
        let next = match segment {
            Segment::Item(_) => found.items().map(|items| match items.root {
                Root::Entry(map) => {
                    out.push(items.path.below("key", "key"));
                    Found { path: items.path.below("value", "value"), root: Root::Shape(&map.value) }
                }
                Root::Shape(_) => items,
            }),
            Segment::Names(names) => find_one(&found, names).ok(),
        };
        match next {
            Some(next) => found = next,
            None => break,
        }
    }
    found.path
}

/// The parts of a list between commas that are not in brackets or quotes.
pub fn between_commas(text: &str) -> Vec<&str> {
    let (mut parts, mut start, mut depth, mut quote) = (Vec::new(), 0, 0i32, None);
    let mut chars = text.char_indices();
    while let Some((at, next)) = chars.next() {
        match (quote, next) {
            // The next character has no special meaning.
            (None, '\\') => drop(chars.next()),
            (Some(open), _) if open == next => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'' | '`') => quote = Some(next),
            (None, '(' | '[') => depth += 1,
            (None, ')' | ']') => depth -= 1,
            (None, ',') if depth <= 0 => {
                parts.push(text.get(start..at).unwrap_or_default().trim());
                start = at + 1;
            }
            (None, _) => {}
        }
    }
    parts.push(text.get(start..).unwrap_or_default().trim());
    parts.retain(|part| !part.is_empty());
    parts
}
