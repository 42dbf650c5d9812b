//! The way from a row to a value, found once in a shape.

use crate::paths::{FieldPath, Root};
use crate::scalar::Scalar;
use trevni::Shape;

/// The way from a value to one within it. It is found once in a shape, and followed in the vectors of each batch.
#[derive(Clone, Debug, PartialEq)]
pub struct Accessor {
    pub(super) steps: Vec<Descent>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Descent {
    Field(usize),
    Optional,
    Variant(usize),
    Key,
    Value,
    /// The items of the exploded list.
    Item,
    /// An item of each list, counted from 0, or from the end.
    Nth(i64),
    /// The value of a key of each map; of several that are equal, the last.
    ValueOf(Scalar),
}

/// Why a path leads to no value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum AccessError {
    /// It is not there.
    Nowhere,
    /// It goes into a list or map, of this kind.
    Within(&'static str),
}

impl Accessor {
    /// Goes on to an item of each list.
    pub(crate) fn item(&mut self, number: i64) {
        self.steps.push(Descent::Nth(number));
    }

    /// Goes on to the value of a key of each map.
    pub(crate) fn value_of(&mut self, key: Scalar) {
        self.steps.push(Descent::ValueOf(key));
    }

    /// Goes on to a branch of a union.
    pub(crate) fn variant(&mut self, tag: usize) {
        self.steps.push(Descent::Variant(tag));
    }

    /// Goes on by another way, which begins where this one ends.
    pub(crate) fn extend(&mut self, rest: Self) {
        self.steps.extend(rest.steps);
    }

    /// The way to exact names, and what is there within options.
    ///
    /// `exploded` is the one list that paths go into, because each of its items is a row of its own.
    ///
    /// # Errors
    ///
    /// There is nothing of this name, or it is within another list or map.
    pub fn at<'s>(
        root: Root<'s>,
        names: &[String],
        exploded: Option<&FieldPath>,
    ) -> Result<(Self, Root<'s>), AccessError> {
        let (mut root, mut steps, mut passed) = (root, Vec::new(), 0);
        loop {
            let (passed_names, rest) = names.split_at(passed);
            let is_exploded = exploded.is_some_and(|list| list.names() == passed_names);
            let (step, below) = match root {
                Root::Shape(Shape::Optional(optional)) => (Descent::Optional, &optional.item),
                Root::Shape(Shape::List(item)) if is_exploded && !steps.contains(&Descent::Item) => {
                    (Descent::Item, &**item)
                }
                root => match rest.first() {
                    None => return Ok((Self { steps }, root)),
                    Some(name) => {
                        passed += 1;
                        named(root, name)?
                    }
                },
            };
            steps.push(step);
            root = Root::Shape(below);
        }
    }
}

/// What has a name directly within a value.
fn named<'s>(root: Root<'s>, name: &str) -> Result<(Descent, &'s Shape), AccessError> {
    let found = match root {
        Root::Entry(map) => match name {
            "key" => Some((Descent::Key, &map.key)),
            "value" => Some((Descent::Value, &map.value)),
            _ => None,
        },
        Root::Shape(Shape::Record(record)) => {
            let at = record.fields.iter().position(|field| field.name == name);
            at.and_then(|at| Some((Descent::Field(at), &record.fields.get(at)?.shape)))
        }
        Root::Shape(Shape::Union(variants)) => {
            let at = variants.iter().position(|variant| variant.branch_name() == name);
            at.and_then(|at| Some((Descent::Variant(at), variants.get(at)?)))
        }
        Root::Shape(shape @ (Shape::List(_) | Shape::Map(_))) => {
            return Err(AccessError::Within(shape.kind()));
        }
        Root::Shape(_) => None,
    };
    found.ok_or(AccessError::Nowhere)
}
