//! What a predicate does at the end of a path, and what it says where that cannot be done.

use super::comparison::Accepted;
use super::filter::{Known, Step};
use super::truth::Truth;
use super::{Comparison, Literal, Predicate};
use crate::error::{Error, ErrorKind, Result};
use crate::logical::Texts;
use crate::path::{Named, NotFound, Root, format, no_such};
use crate::shape::Shape;
use crate::tree::NodeId;

/// What to do at the end of a path.
#[derive(Clone, Copy)]
pub(super) enum Action<'p> {
    Compare(&'p Comparison),
    IsNull,
    Any(&'p Predicate),
}

/// What to do, and where, for messages.
#[derive(Clone, Copy)]
pub(super) struct Task<'p> {
    pub(super) action: Action<'p>,
    /// The path to the items that the path begins at; empty for the row.
    pub(super) within: &'p str,
    pub(super) path: &'p str,
}

impl Action<'_> {
    /// What is true of what is missing.
    pub(super) fn missing(self) -> Truth {
        match self {
            Self::IsNull => Truth::True,
            Self::Compare(_) | Self::Any(_) => Truth::Unknown,
        }
    }
}

impl<'p> Task<'p> {
    /// Does it with the values of a leaf, or with the strings of these.
    pub(super) fn values(self, shape: &Shape, node: NodeId, texts: Option<Texts>) -> Result<Step> {
        let accepted = |comparison| match texts {
            Some(texts) => Accepted::from_texts(texts, comparison),
            None => Accepted::new(shape, comparison),
        };
        match self.action {
            Action::Compare(comparison) => match accepted(comparison) {
                Ok(accepted) => Ok(Step::Values { node, accepted, known: Known::default() }),
                Err(literal) => Err(self.mismatch(shape.kind(), literal, "")),
            },
            _ => self.present(shape.kind(), ""),
        }
    }

    /// Does it with something that is there, but cannot be compared; the hint says what can be done.
    pub(super) fn present(self, found: &str, hint: &str) -> Result<Step> {
        match self.action {
            Action::IsNull => Ok(Step::Constant(Truth::False)),
            Action::Any(_) => {
                Err(Error::option(format!("{} is {found}, which has no items for any", self.shown())))
            }
            Action::Compare(comparison) => Err(self.mismatch(found, comparison.literal(), hint)),
        }
    }

    #[cold]
    fn mismatch(self, found: &str, literal: Option<&Literal>, hint: &str) -> Error {
        let literal = literal.map_or_else(|| "values".to_owned(), Literal::to_string);
        let what = match self.action {
            Action::Compare(Comparison::StartsWith(_)) => "the beginning ",
            Action::Compare(Comparison::Contains(_)) => "the part ",
            _ => "",
        };
        ErrorKind::PredicateType {
            path: self.shown(),
            found: found.to_owned(),
            literal: [what, &literal].concat(),
            hint: hint.to_owned(),
        }
        .into()
    }

    /// The predicate for the items of a list or map, if the path ends there; `None` where this is another action.
    ///
    /// # Errors
    ///
    /// A path that goes on: `way` is what comes after `before`.
    pub(super) fn items(
        self,
        kind: &str,
        before: &[Named<'_>],
        way: &[Named<'_>],
    ) -> Result<Option<&'p Predicate>> {
        if !way.is_empty() {
            let path = |steps: &[Named<'_>]| format(steps.iter().map(Named::path_name));
            let (list, rest) = (join(self.within, &path(before)), path(way));
            let shown = shown(&list);
            let message = format!("{shown} is {kind}: a predicate on {rest} of its items goes into any");
            return Err(Error::option(message));
        }
        match self.action {
            Action::Any(predicate) => Ok(Some(predicate)),
            _ => Ok(None),
        }
    }

    /// The whole path.
    pub(super) fn path(self) -> String {
        join(self.within, self.path)
    }

    /// The path as messages show it.
    fn shown(self) -> String {
        shown(&self.path())
    }

    /// The error of a path that is not there.
    #[cold]
    pub(super) fn no_such(self, root: Root<'_>, lost: &NotFound<'_>) -> Error {
        no_such(&self.path(), root, lost)
    }
}

fn shown(path: &str) -> String {
    if path.is_empty() { "the row".to_owned() } else { path.to_owned() }
}

/// A path that begins within something.
fn join(within: &str, path: &str) -> String {
    let dot = if within.is_empty() || path.is_empty() { "" } else { "." };
    [within, dot, path].concat()
}
