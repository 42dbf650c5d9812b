//! Finds fields in a shape.

use super::{FieldPath, Lost, PathPart};
use trevni::Shape;
pub use trevni::path::Root;
use trevni::path::{self, Named};

/// What a path names.
#[derive(Clone, Debug)]
pub(crate) struct Found<'s> {
    pub(crate) path: FieldPath,
    pub(crate) root: Root<'s>,
}

/// What a path names; with globs, all that fits. `from` is where it begins.
pub(crate) fn find<'s>(from: &Found<'s>, parts: &[PathPart]) -> Result<Vec<Found<'s>>, Lost> {
    match path::find(from.root, parts) {
        Ok(found) => Ok(found.iter().map(|found| from.to(found)).collect()),
        Err(lost) => {
            let names = lost.there().iter().map(|found| from.to(found).path).collect();
            Err(Lost { name: lost.name, names })
        }
    }
}

/// What an expression's path names, which must be one thing.
pub(crate) fn find_one<'s>(from: &Found<'s>, parts: &[PathPart]) -> Result<Found<'s>, Lost> {
    let mut found = find(from, parts)?;
    match found.len() {
        1 => Ok(found.remove(0)),
        _ => Err(Lost { name: String::new(), names: found.into_iter().map(|found| found.path).collect() }),
    }
}

/// The paths, somewhere within a value, that end with a name.
pub(super) fn anywhere(from: &Found<'_>, name: &str) -> Vec<FieldPath> {
    let (mut found, mut open) = (Vec::new(), vec![from.clone()]);
    while let Some(next) = open.pop() {
        for child in next.children().into_iter().rev() {
            let is_so = child.path.names().last().is_some_and(|own| own.eq_ignore_ascii_case(name));
            if is_so && found.len() < ANYWHERE {
                found.push(child.path.clone());
            }
            open.push(child);
        }
    }
    found
}

/// Paths that are suggested at most.
const ANYWHERE: usize = 3;

impl<'s> Found<'s> {
    /// The row itself.
    pub(crate) fn row(shape: &'s Shape) -> Self {
        Self { path: FieldPath::default(), root: Root::Shape(shape) }
    }

    /// The items of a list, or the entries of a map, whose paths go on from here.
    pub(crate) fn items(&self) -> Option<Self> {
        let mut root = self.root;
        while let Root::Shape(Shape::Optional(optional)) = root {
            root = Root::Shape(&optional.item);
        }
        let root = match root {
            Root::Shape(Shape::List(item)) => Root::Shape(item),
            Root::Shape(Shape::Map(map)) => Root::Entry(map),
            _ => return None,
        };
        Some(Self { path: self.path.clone(), root })
    }

    /// What is within: fields, variants, or keys and values; of lists, within their items.
    pub(crate) fn children(&self) -> Vec<Found<'s>> {
        self.root.named().map(|named| self.below(&named)).collect()
    }

    /// What is just within.
    fn below(&self, named: &Named<'s>) -> Self {
        let path = self.path.below(&named.name(), &named.path_name());
        Self { path, root: Root::Shape(named.shape()) }
    }

    /// What is further within.
    fn to(&self, found: &path::Found<'s>) -> Self {
        found.steps.iter().fold(self.clone(), |found, named| found.below(named))
    }
}

/// The name of a branch of a union without its namespace.
///
/// ```
/// assert_eq!(trevni_query::paths::short_name("kinds.Circle"), "Circle");
/// ```
pub fn short_name(branch: &str) -> &str {
    branch.rsplit('.').next().unwrap_or_default()
}
