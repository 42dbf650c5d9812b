//! Conditions on the rows of a file: what the file itself can decide, and what is left.

use super::bind::{Binder, Bound};
use super::parse::Parser;
use super::place::Scope;
use super::push::predicate;
use super::tree::{Kind, Node};
use super::types::Type;
use super::{Expression, fields, wrong};
use crate::failure::Failure;
use crate::paths::{FieldPath, Found, Root};
use trevni::{Predicate, Reader, Shape};

/// What must be true of rows.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    text: String,
    node: Node,
}

impl Condition {
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        Ok(Self { node: Parser::new(text)?.whole()?, text: text.to_owned() })
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Finds the fields and checks the types, before anything is read.
    pub(crate) fn check(&self, binder: &Binder<'_>) -> Result<(), Failure> {
        match binder.bind(&self.text, &self.node)?.kind {
            Type::Boolean | Type::Null => Ok(()),
            kind => {
                Err(wrong(&self.text, self.node.start, &format!("this is {}, no condition", kind.name())))
            }
        }
    }

    /// A reader of the rows that what the file can decide itself leaves, and what is left to decide. All
    /// fields of the reader are there.
    pub(crate) fn part<'s>(
        &self,
        reader: &Reader<'s>,
        binder: &Binder<'_>,
    ) -> Result<(Reader<'s>, Option<Rest>), Failure> {
        self.check(binder)?;
        let (mut pushed, mut rest) = (None::<Predicate>, Vec::new());
        for node in self.node.clone().conjuncts() {
            // The items of a list that is taken apart are no rows.
            let is_of_rows = binder.exploded.is_none_or(|exploded| !names(&node, reader.shape(), exploded));
            // What a predicate cannot do is computed.
            let can = |predicate: &Predicate| is_of_rows && reader.filter(predicate.clone()).is_ok();
            match predicate(&node, Root::Shape(reader.shape()), true).filter(can) {
                Some(predicate) => {
                    pushed = Some(match pushed {
                        Some(before) => before.and(predicate),
                        None => predicate,
                    });
                }
                None => rest.push(node),
            }
        }
        let reader = match pushed {
            Some(predicate) => {
                let filtered = reader.filter(predicate);
                filtered.map_err(|error| wrong(&self.text, self.node.start, &error.to_string()))?
            }
            None => reader.clone(),
        };
        let rest = rest.into_iter().reduce(|one, two| {
            let (start, end, depth) = (one.start, two.end, one.depth.max(two.depth + 1));
            let mut parts = one.conjuncts();
            parts.push(two);
            Node { kind: Kind::And(parts), start, end, depth }
        });
        Ok((reader, rest.map(|node| Rest(Expression { text: self.text.clone(), node }))))
    }
}

/// Whether some path of an expression is a path, or goes on from there.
fn names(node: &Node, shape: &Shape, path: &FieldPath) -> bool {
    let mut all = Vec::new();
    fields(node, &Found::row(shape), true, &mut all);
    all.iter().any(|own| own.is_within(path) || own.is_row())
}

/// The part of a condition that is computed from the values of rows.
#[derive(Clone, Debug)]
pub(crate) struct Rest(Expression);

impl Rest {
    /// The fields that it needs of those that there are.
    pub(crate) fn fields(&self, reader: &Reader<'_>) -> Vec<FieldPath> {
        self.0.fields(reader.shape())
    }

    pub(crate) fn bind(&self, binder: &Binder<'_>) -> Result<Bound, Failure> {
        self.0.bind(binder)
    }

    /// The numbers of the rows for which it is true.
    pub(crate) fn rows(bound: &Bound, scope: &Scope<'_>) -> Result<Vec<u32>, Failure> {
        let truths = bound.evaluate(scope)?;
        Ok((0..scope.len() as u32).filter(|row| truths.is_true(*row as usize)).collect())
    }
}
