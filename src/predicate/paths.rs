//! The paths of a predicate.

use super::{Expression, Predicate};
use crate::error::Result;
use crate::path::{Found, PathName, Root, find, format, no_such, parse};
use crate::shape::Shape;

impl Predicate {
    /// Calls with what each path means in a shape; conditions on items go on from the list.
    ///
    /// # Errors
    ///
    /// A path that is not there; what the call returns.
    pub(crate) fn each_path(
        &self,
        shape: &Shape,
        call: &mut dyn FnMut(&Found<'_>) -> Result<()>,
    ) -> Result<()> {
        self.each_from(&Found { steps: Vec::new(), root: Root::Shape(shape) }, call)
    }

    /// As [`each_path`](Self::each_path), of paths that begin at something.
    fn each_from(&self, from: &Found<'_>, call: &mut dyn FnMut(&Found<'_>) -> Result<()>) -> Result<()> {
        let (path, items) = match &self.0 {
            Expression::Compare { path, .. } | Expression::Null { path, .. } => (path, None),
            Expression::Any { path, predicate } => (path, Some(predicate)),
            Expression::And(all) | Expression::Or(all) => {
                return all.iter().try_for_each(|part| part.each_from(from, call));
            }
            Expression::Not(predicate) => return predicate.each_from(from, call),
        };
        for found in reached(from, &parse(path)?)? {
            call(&found)?;
            if let (Some(predicate), Some(root)) = (items, found.root.items()) {
                predicate.each_from(&Found { root, ..found }, call)?;
            }
        }
        Ok(())
    }
}

/// What a path means that begins at something.
fn reached<'s>(from: &Found<'s>, names: &[PathName]) -> Result<Vec<Found<'s>>> {
    let found = find(from.root, names)
        .map_err(|lost| no_such(&format(names.iter().map(PathName::text)), from.root, &lost))?;
    let whole = |found: Found<'s>| {
        let steps = from.steps.iter().chain(&found.steps).copied().collect();
        Found { steps, root: found.root }
    };
    Ok(found.into_iter().map(whole).collect())
}
